// Products of any ranks and orders of dimensions and convolutions of any layout, drawn
// (picked/drawn_sides.cpp), as they stand and after all passes: the kernels give what the
// interpreter gives.
#include "picked/drawn.h"
#include "lowering/harness.h"
#include "ops/contraction_types.h"
#include "picked/picked.h"
#include "support/text.h"
#include "transforms/pipeline.h"

namespace hlocc::tests {
namespace {

// A pass converts what contractions of mixed types take and give.
bool has_mixed_types(const hlo::Module& module) {
  for (const hlo::Computation& c : module.computations)
    for (const hlo::Instruction& i : c.instructions) {
      if (i.opcode != hlo::Opcode::kDot && i.opcode != hlo::Opcode::kConvolution) continue;
      const auto type = [&](size_t n) { return c[i.operands[n]].shape.element_type; };
      const ops::ContractionTypes stated{type(0), type(1), i.shape.element_type};
      if (ops::contraction_types(stated.lhs, stated.rhs, stated.result) != stated) return true;
    }
  return false;
}

// How many of them are programs.
int drawn_agree(const std::string& kind, uint64_t seeds) {
  const char* const chips[] = {"cortex-m0", "cortex-m4f", "cortex-a53", "cortex-a53+wide"};
  int programs = 0;
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    const std::string text = drawn_text(kind, seed);
    // Halves are rounded as often as a kernel likes.
    if (text.find("f16") != std::string::npos) continue;
    const Result<hlo::Module> module = parsed(text);
    if (!module) continue;
    ++programs;
    const std::string chip = chips[seed % 4];
    INFO(kind << ": " << seed);
    const Machine machine{chip, chip_of(chip)};
    const hlo::CompareRule rule{.rtol = 1e-5, .atol = 1e-5};
    if (!has_mixed_types(*module)) agrees_on(*module, machine, rule);
    const Result<hlo::Module> passed = transforms::run_passes(*module, machine.target);
    if (!passed) FAIL(passed.error().to_string());
    agrees_on(*passed, machine, rule);
  }
  return programs;
}

}  // namespace

TEST_CASE("drawn products", "[lowering]") { CHECK(drawn_agree("contractions", 200) > 60); }

TEST_CASE("drawn convolutions of any layout", "[lowering]") {
  CHECK(drawn_agree("windows", 120) > 60);
}

}  // namespace hlocc::tests
