// The C of small kernels as digests: what stands on either side of a condition of the writer is
// seen to differ. That C computes the right numbers say the other tests here.
#include "forms/forms.h"

#include <catch2/catch.hpp>

#include "backends/c/compile.h"
#include "backends/c/kernel_writer.h"
#include "backends/c/prelude.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

// The function without its comment and its parameters; or why there is none.
std::string c_of(const kernel::Kernel& kernel, const std::string& chip) {
  const Target target = target_for_c(*preset(chip));
  Prelude prelude(target.constants_apart, target.has(Isa::kHexagon));
  const Result<std::string> made = write_kernel(
      kernel, {"form", {true, false}, {}, target, prelude, [](kernel::OpKind kind, kernel::Scalar) {
                 return cat("f_", op_name(kind));
               }});
  if (!made) return "  " + made.error().message + "\n";
  std::string out;
  for (const std::string& line : split(made->substr(made->find("*/")), '\n'))
    if (!line.empty() && !line.starts_with("*/") && !line.starts_with("  (void)"))
      out += " " + line + "\n";
  return out;
}

const std::vector<const char*> kScalarChips = {kM3, kM4};
const std::vector<const char*> kVectorChips = {kM55, kA53, kX86};

TEST_CASE("C's accesses have the forms that they had") {
  add_forms("accesses", access_forms(), kScalarChips, c_of);
  add_forms("accesses", access_forms(), kVectorChips, c_of);
}
TEST_CASE("C's addresses and loops have the forms that they had") {
  add_forms("addresses", address_forms(), kScalarChips, c_of);
}
TEST_CASE("C's products have the forms that they had") {
  add_forms("products", product_forms(), {kM3, kM4, kM55, kX86}, c_of);
}
TEST_CASE("C's values have the forms that they had") {
  add_forms("values", value_forms(), kScalarChips, c_of);
  add_forms("values", value_forms(), kVectorChips, c_of);
}

}  // namespace
}  // namespace hlocc::backends
