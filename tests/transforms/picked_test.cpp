// What the passes make of programs that were picked because they tell mutants apart (picked.txt).
#include "picked/picked.h"
#include "picked/module_figures.h"
#include "support/figures.h"
#include "support/text.h"
#include "transforms/pipeline.h"
#include "transforms/support.h"

namespace hlocc::tests {

TEST_CASE("what becomes of picked programs", "[transforms]") {
  for (const Picked& row : read_picked("picked.txt")) {
    const Result<Module> after = transforms::run_passes(module_of(row), chip_of(row.chip));
    // What can't be compiled is refused with the same words.
    Figures figures;
    if (after)
      figures = figures_of(*after);
    else
      figures.count(cat("refused: ", after.error().message));
    add_figures("picked", row.line(), figures);
  }
}

}  // namespace hlocc::tests
