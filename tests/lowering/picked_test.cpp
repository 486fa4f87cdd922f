// What becomes of programs that were picked because they tell mutants apart (picked.txt).
#include "picked/picked.h"
#include "lowering/harness.h"
#include "lowering/program/lower.h"
#include "picked/program_figures.h"
#include "transforms/pipeline.h"

namespace hlocc::tests {

TEST_CASE("what becomes of picked programs", "[lowering]") {
  for (const Picked& row : read_picked("picked.txt")) {
    const Target chip = chip_of(row.chip);
    const Result<hlo::Module> passed =
        stands(row) ? module_of(row) : transforms::run_passes(module_of(row), chip);
    if (!passed) FAIL(row.line() << ": " << passed.error().to_string());
    const Result<kernel::Program> made = lowering::lower(*passed, signature_of(*passed), chip);
    // What can't be lowered is refused with the same words.
    add_lowered("picked", row.line(), made, chip);
  }
}

}  // namespace hlocc::tests
