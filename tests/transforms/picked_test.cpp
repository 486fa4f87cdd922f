// What the passes make of programs that were picked because they tell mutants apart (picked.txt).
#include "picked/picked.h"
#include "ops/text/printer.h"
#include "support/digests.h"
#include "transforms/pipeline.h"
#include "transforms/support.h"

namespace hlocc::tests {

TEST_CASE("what becomes of picked programs", "[transforms]") {
  for (const Picked& row : read_picked("picked.txt")) {
    const Result<Module> after = transforms::run_passes(module_of(row), chip_of(row.chip));
    // What can't be compiled is refused with the same words.
    add_digest("picked", row.line(), 1,
               after ? ops::to_text(*after, {.metadata = false}) : after.error().to_string());
  }
}

}  // namespace hlocc::tests
