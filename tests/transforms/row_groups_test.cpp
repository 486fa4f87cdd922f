// How many instructions a group of rows may have: a chain between two reductions of one row, on both
// sides of the limit.
#include "costs/fusion.h"
#include "support/text.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

// The most members of a fusion that runs row by row; 0: there is none.
size_t largest_rows(int steps) {
  std::string text =
      "HloModule m\nadd { p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT s = f32[] add(p, "
      "q) "
      "}\nENTRY e { x = f32[4,64] parameter(0)\n z = f32[] constant(0)\n m = f32[4] reduce(x, z), "
      "dimensions={1}, to_apply=add\n mm = f32[4,64] broadcast(m), dimensions={0}\n s0 = f32[4,64] "
      "subtract(x, mm)\n";
  for (int n = 1; n <= steps; ++n) text += cat(" s", n, " = f32[4,64] negate(s", n - 1, ")\n");
  text += cat(" t = f32[4] reduce(s", steps,
              ", z), dimensions={1}, to_apply=add\n tt = f32[4,64] broadcast(t), dimensions={0}\n "
              "ROOT r = f32[4,64] multiply(s",
              steps, ", tt) }");
  const Module module = after(module_from(text), {transforms::fuse});
  size_t most = 0;
  for (const hlo::Instruction& i : module.entry_computation().instructions) {
    if (i.opcode != Opcode::kFusion ||
        i.get<hlo::FusionAttributes>().schedule != hlo::Schedule::kRows)
      continue;
    size_t members = 0;
    for (const hlo::Instruction& member : module.computations[i.called[0]].instructions)
      members += member.opcode != Opcode::kParameter && member.opcode != Opcode::kConstant;
    most = std::max(most, members);
  }
  return most;
}

}  // namespace

TEST_CASE("groups of rows have only so many instructions", "[transforms]") {
  constexpr int kOthers = 6;  // besides the steps
  const auto most = static_cast<int>(costs::kMostRowMembers);
  CHECK(largest_rows(1) == kOthers + 1);
  CHECK(largest_rows(most - kOthers) == costs::kMostRowMembers);
  CHECK(largest_rows(most - kOthers + 1) == costs::kMostRowMembers);
  CHECK(largest_rows(most + 20) == costs::kMostRowMembers);
}

}  // namespace hlocc::tests
