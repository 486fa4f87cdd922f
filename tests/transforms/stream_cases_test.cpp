// Programs beside each condition of --stream (row_cases/stream.hlo): for ends, axes and distances of
// windows where the loop ends and what it is made of, or what is said instead. All is golden.
#include <set>

#include "ops/check/verifier.h"
#include "support/cases.h"
#include "support/golden.h"
#include "transforms/row_told.h"
#include "transforms/stream/stream_loop.h"
#include "transforms/stream/stream_schedule.h"

namespace hlocc::tests {
namespace {

struct StreamWay {
  int leaf = 0, axis = 1, end = 0;
  int64_t every = 0;
};
const StreamWay kStreamWays[] = {
    {},           {.end = 1},   {.end = 2},   {.end = 9},    {.axis = 0},   {.leaf = 1, .axis = 0},
    {.every = 1}, {.every = 2}, {.every = 4}, {.every = 16}, {.every = 17}, {.axis = 0, .every = 4},
};

std::string told_of(Module module, const StreamWay& way) {
  Target target = *preset("cortex-m4f");
  target.options.stream = StreamOption{way.leaf, way.axis};
  target.decisions.stream_end = way.end;
  if (way.every > 0) transforms::space_windows(module, way.every);
  const Status status = transforms::stream_rows(module, {target});
  if (!status) return cat("line ", status.error().location.line, ": ", status.error().message);
  CHECK(ops::verify(module));
  CHECK(transforms::window_spacing(module) == way.every);
  std::string loop;
  for (const hlo::Instruction& i : module.entry_computation().instructions)
    if (i.opcode == Opcode::kWhile) loop = i.name;
  return cat(loop, " in ", transforms::steps_of_stream(module).value_or(-1), ", of ",
             hlo::to_string(module.entry_parameters[static_cast<size_t>(way.leaf)]), ", ",
             work_told(module));
}

std::string borders_told(const Module& module) {
  const hlo::Computation& entry = module.entry_computation();
  std::string out;
  for (hlo::InstructionId exit = entry.parameters[0] + 1;
       exit < static_cast<hlo::InstructionId>(entry.instructions.size()); ++exit) {
    if (!entry[exit].shape.is_array()) continue;
    const auto schedule =
        transforms::schedule_stream(module, entry, entry.users(), entry.parameters[0], exit, 1);
    if (!schedule) continue;
    out += cat("  to ", entry[exit].name, ": ", schedule_told(entry, *schedule));
    if (const auto border = transforms::border_read(*schedule))
      out += cat(", ", border->before, " before and ", border->behind, " behind ",
                 entry[schedule->stored[border->array].value].name);
    out += "\n";
  }
  return out;
}

}  // namespace

TEST_CASE("programs beside each condition of --stream") {
  std::string all;
  for (const Case& each : read_cases("row_cases/stream.hlo")) {
    INFO(each.name);
    const Module module = row_case(each.text);
    all += cat("# ", each.name, "\n", borders_told(module));
    std::set<std::string> known;
    for (const StreamWay& way : kStreamWays) {
      if (static_cast<size_t>(way.leaf) >= module.entry_parameters.size()) continue;
      if (module.entry_parameters[static_cast<size_t>(way.leaf)].rank() <= way.axis) continue;
      const std::string told = told_of(module, way);
      if (!known.insert(told).second) continue;
      all += cat("  argument ", way.leaf, " along ", way.axis, ", end ", way.end, ", every ",
                 way.every, ": ", told, "\n");
    }
  }
  check_golden("golden/stream_cases.txt", all);
}

}  // namespace hlocc::tests
