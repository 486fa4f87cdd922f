// Chains beside each condition of loops over rows (row_cases/*.hlo, where an entry's first argument
// and first result are the ends), and drawn networks: the schedule of each way to go by rows, what
// the loop is made of, which loops are chosen, and the floor. Meaning stays; the rest is golden, as
// most of it shows in bytes and instructions alone.
#include <span>

#include "ops/check/verifier.h"
#include "support/cases.h"
#include "support/golden.h"
#include "transforms/row_network.h"
#include "transforms/row_told.h"
#include "transforms/rows/row_floor.h"
#include "transforms/rows/row_loop.h"
#include "transforms/rows/row_loops.h"

namespace hlocc::tests {
namespace {

struct RowWay {
  const char* name;
  transforms::Iteration iteration;
};
const RowWay kRowWays[] = {
    {"row by row", {}},
    {"in pairs", {.rows = 2}},
    {"in halves, two together", {.iterations = 2, .together = 2}},
    {"in fourths, two together from 2 on", {.iterations = 4, .together = 2, .together_from = 2}},
};

std::optional<transforms::RowSchedule> scheduled(const Module& module,
                                                 const transforms::Iteration& iteration) {
  const hlo::Computation& entry = module.entry_computation();
  const hlo::Instruction& result = entry.root_instruction();
  return transforms::schedule_rows(
      module, entry, entry.users(), entry.parameters[0],
      result.opcode == Opcode::kTuple ? result.operands[0] : entry.root, iteration);
}

std::string work_of(const Module& before, const transforms::RowSchedule& schedule) {
  Module made = before;
  transforms::make_row_loop(made, made.entry, schedule);
  hlo::compact(made);
  const Status status = ops::verify(made);
  if (!status) FAIL(status.error().to_string());
  // By the interpreter, which adds up floats in double; a loop rounds after each row.
  check_same_meaning(before, made, {.rtol = 1e-4, .atol = 1e-3});
  return work_told(made);
}

std::string ways_told(const Module& module, std::span<const RowWay> ways = kRowWays) {
  std::string out;
  for (const RowWay& way : ways) {
    const auto schedule = scheduled(module, way.iteration);
    if (!schedule) continue;
    out += cat("  ", way.name, ": ", schedule_told(module.entry_computation(), *schedule), "\n    ",
               work_of(module, *schedule), "\n");
  }
  return out;
}

std::string choices_told(const Module& module) {
  const hlo::Computation& entry = module.entry_computation();
  std::string out;
  for (const int64_t limit : {0, 200, 1000}) {
    std::string loops;
    const auto chosen = transforms::choose_row_loops(module, entry, limit, *preset("cortex-m4f"));
    for (const transforms::RowSchedule& loop : chosen)
      loops += cat(loops.empty() ? " " : ", ", entry[loop.entrance].name, " to ",
                   entry[loop.exit].name, " in ", loop.iterations, " of ", loop.stored.back().rate,
                   " with ", loop.bytes(), loop.is_over_entrance ? " over it" : "");
    if (!loops.empty()) out += cat("  below ", limit, ":", loops, "\n");
  }
  return out;
}

std::string floor_told(const Module& module) {
  const std::optional<int64_t> floor = transforms::row_floor(module);
  return floor ? cat("  floor ", *floor, "\n") : "  no floor\n";
}

// In parts, each short enough for runs of mutants.
void check_chains(const std::string& name) {
  std::string all;
  for (const Case& each : read_cases(cat("row_cases/", name, ".hlo"))) {
    INFO(each.name);
    const Module module = row_case(each.text);
    all += cat("# ", each.name, "\n", ways_told(module, std::span(kRowWays).first(3)),
               choices_told(module), floor_told(module));
  }
  check_golden(cat("golden/row_cases_", name, ".txt"), all);
}

}  // namespace

TEST_CASE("chains beside each condition of loops over rows") { check_chains("rows"); }
TEST_CASE("shortcuts beside each condition of loops over rows") { check_chains("shortcuts"); }
TEST_CASE("sums beside each condition of loops over rows") { check_chains("sums"); }

TEST_CASE("floors beside each condition of rows that are alive") {
  std::string all;
  for (const Case& each : read_cases("row_cases/floors.hlo")) {
    INFO(each.name);
    all += cat("# ", each.name, "\n", floor_told(row_case(each.text)));
  }
  check_golden("golden/row_floors.txt", all);
}

TEST_CASE("schedules and loops of drawn networks are golden") {
  std::string all;
  for (uint32_t seed = 101; seed <= 116; ++seed) {
    Network net(8 + seed % 17, 3, 1 + seed % 3, seed);
    draw_layers(net, [&] { return net.draw(0, 3) == 0 ? 2 : 1; });
    INFO("seed " << seed << "\n" << net.text());
    const Module module = after(module_from(net.text()), {transforms::fold_constants});
    all += cat("# seed ", seed, "\n", ways_told(module), choices_told(module), floor_told(module));
  }
  check_golden("golden/row_networks.txt", all);
}

}  // namespace hlocc::tests
