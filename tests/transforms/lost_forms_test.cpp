// Which convolutions lose Winograd's form where a loop makes few rows of them.
#include "transforms/rows/lost_forms.h"

#include "support/text.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

// Two convolutions of 16 features on 32 x 32 pixels.
std::string network(int side) {
  std::string weights;
  for (int i = 0; i < 3 * 3 * 16 * 16; ++i) weights += cat(i == 0 ? "" : ", ", i % 7 - 3);
  const std::string image = "f32[1,32,32,16]", filter = cat("f32[", side, ",", side, ",16,16]");
  const std::string window = cat("window={size=", side, "x", side, " pad=", side / 2, "_", side / 2,
                                 "x", side / 2, "_", side / 2, "}, dim_labels=b01f_01io->b01f");
  return cat("HloModule m\nENTRY e {\n  x = ", image, " parameter(0)\n  w = f32[2304] constant({",
             weights, "})\n  p = f32[", side * side * 256,
             "] slice(w), slice={[0:", side * side * 256, "]}\n  f = ", filter,
             " reshape(p)\n  a = ", image, " convolution(x, f), ", window, "\n  b = ", image,
             " convolution(a, f), ", window, "\n  ROOT r = (", image, ") tuple(b)\n}\n");
}

double lost(const std::string& text, const transforms::Iteration& iteration,
            const char* chip = "cortex-m4f") {
  const Module module = after(module_from(text), {transforms::fold_constants});
  const hlo::Computation& entry = module.entry_computation();
  const auto schedule = transforms::schedule_rows(module, entry, entry.users(), entry.parameters[0],
                                                  entry.root_instruction().operands[0], iteration);
  REQUIRE(schedule);
  return transforms::products_lost(module, entry, *schedule, *preset(chip));
}

}  // namespace

TEST_CASE("a row at a time loses Winograd's form, two do not", "[transforms]") {
  CHECK(lost(network(3), {}) > 2.0 * 32 * 32 * 16 * 16 * 9 / 2);
  CHECK(lost(network(3), {.rows = 2}) == 0);
  // Nothing is lost that a whole array has not.
  CHECK(lost(network(1), {}) == 0);
  CHECK(lost(network(3), {}, "cortex-m4") == 0);
}

}  // namespace hlocc::tests
