// What the passes make of programs that were picked because they tell mutants apart (picked.txt).
#include "picked/picked.h"
#include "picked/module_figures.h"
#include "support/figures.h"
#include "support/text.h"
#include "transforms/pipeline.h"
#include "transforms/support.h"

namespace hlocc::tests {

namespace {

// In parts, each short enough for runs of mutants.
void check_picked(size_t part) {
  const std::vector<Picked> rows = read_picked("picked.txt");
  for (size_t at = part * rows.size() / 4; at < (part + 1) * rows.size() / 4; ++at) {
    const Picked& row = rows[at];
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

}  // namespace

TEST_CASE("what becomes of picked programs, first part") { check_picked(0); }
TEST_CASE("what becomes of picked programs, second part") { check_picked(1); }
TEST_CASE("what becomes of picked programs, third part") { check_picked(2); }
TEST_CASE("what becomes of picked programs, fourth part") { check_picked(3); }

}  // namespace hlocc::tests
