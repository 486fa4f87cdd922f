// LLVM's IR of small kernels as digests: what stands on either side of a condition of the emitter
// is seen to differ. ops_test.cpp and control_test.cpp say that it computes the right numbers.
#include "forms/forms.h"

#include <catch2/catch.hpp>

#include "backends_llvm/functions_of.h"

namespace hlocc::backends {
namespace {

std::string served(const kernel::Kernel& kernel, const std::string& chip) {
  return functions_of(kernel, target_of(chip));
}

TEST_CASE("accesses have the forms that they had") {
  add_forms("accesses", access_forms(), served);
}
TEST_CASE("addresses and loops have the forms that they had") {
  add_forms("addresses", address_forms(), served);
}
TEST_CASE("products have the forms that they had") {
  add_forms("products", product_forms(), served);
}
TEST_CASE("values have the forms that they had") { add_forms("values", value_forms(), served); }

}  // namespace
}  // namespace hlocc::backends
