// What becomes of whole programs: op cases, regressions, models and random modules go through the
// pipeline for chips of every kind, and the figures of their kernels and plans, and of what these
// cost, are golden. A choice that changes no result (what shares a kernel, a tile, an order, a
// place) is seen here wherever a program meets it.
#include <catch2/catch.hpp>

#include "choices/data_cases.h"
#include "driver/pipeline/pipeline.h"
#include "fuzz/chains.h"
#include "fuzz/generator.h"
#include "package/names.h"
#include "picked/picked.h"
#include "picked/planned_figures.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

std::vector<Target> chips() {
  std::vector<Target> all;
  for (const char* name : {"cortex-m0", "cortex-m4f", "cortex-a53"}) all.push_back(*preset(name));
  // Wide vectors with masks on a core that runs ahead, and the same for size.
  Target wide = *preset("cortex-a53");
  wide.vector_bits = 256, wide.vector_registers = 16;
  wide.multiply_by_lane = false;
  wide.out_of_order = wide.masked_vectors = true;
  all.push_back(wide);
  wide.options.level = Level::kOs;
  all.push_back(wide);
  for (Target& chip : all) chip.options.stem = "m";
  return all;
}

void add(const std::string& line, const hlo::Module& module, const Target& chip,
         const std::string& file = "programs") {
  const Result<kernel::Signature> signature = package::make_signature(module, chip.options);
  if (!signature) FAIL(line << ": " << signature.error().to_string());
  // What can't be compiled is refused with the same words.
  add_figures(file, line, figures_of(driver::plan_module(module, *signature, chip, {}), chip));
}

void add_folder(const std::string& folder) {
  const std::vector<DataCase> cases = data_cases(folder);
  REQUIRE(cases.size() > 5);
  for (const DataCase& one : cases)
    for (const Target& chip : chips()) add(cat(folder, " ", one.name), one.module, chip);
}

// Each for one of the chips.
void add_random(fuzz::Program (*make)(uint64_t), const char* what, uint64_t count) {
  const std::vector<Target> all = chips();
  for (uint64_t seed = 0; seed < count; ++seed)
    add(cat(what, " ", seed), make(seed).module, all[seed % all.size()]);
}
fuzz::Program any(uint64_t seed) { return fuzz::random_program(seed); }
fuzz::Program narrow(uint64_t seed) { return fuzz::random_program(seed, "narrow"); }
fuzz::Program requantize(uint64_t seed) { return fuzz::random_program(seed, "requantize"); }
fuzz::Program window(uint64_t seed) { return fuzz::random_program(seed, "window"); }

}  // namespace

TEST_CASE("what becomes of picked programs") {
  for (const Picked& row : read_picked("picked.txt"))
    add(row.line(), module_of(row), chip_of(row.chip), "picked");
}
TEST_CASE("what becomes of op cases") { add_folder("ops"); }
TEST_CASE("what becomes of regressions") { add_folder("regressions"); }
TEST_CASE("what becomes of models") { add_folder("models"); }
TEST_CASE("what becomes of random modules") { add_random(any, "random", 200); }
TEST_CASE("what becomes of random narrow integers") { add_random(narrow, "narrow", 50); }
TEST_CASE("what becomes of random requantisations") { add_random(requantize, "requantize", 50); }
TEST_CASE("what becomes of random windows") { add_random(window, "window", 50); }
TEST_CASE("what becomes of random chains") { add_random(fuzz::random_chain, "chain", 50); }

}  // namespace hlocc::tests
