// What `run` does, worked out once for all backends: the plan's steps as primitives over addresses.
// A backend only spells them. What planning put in one place needs no copy; marks of a profile,
// transfers with what the cache needs, and results that go where their slots say are in their
// order; a run of thousands of steps is cut into pieces, where the backend wants that.
#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "planning/plan.h"
#include "support/result.h"
#include "target/target.h"

namespace hlocc::backends {

// An offset in the arena, the state or the plan's constants; or a leaf, whose slot of the instance
// holds the address (kernel/instance.h).
struct RunAddress {
  enum class Kind : uint8_t { kArena, kState, kConstants, kArgument, kResult };
  Kind kind = Kind::kArena;
  int64_t at = 0;
  kernel::ProgramValueId value = kernel::kNone;  // whose bytes they are; kNone: a result's place
  int arena = 0;  // of several memories, which: a slot of the instance (kernel/instance.h)

  bool operator==(const RunAddress&) const = default;
};
RunAddress address_of(const planning::Plan& plan, kernel::ProgramValueId value);

struct RunStep;
using RunSteps = std::vector<RunStep>;

// Tells a profile what begins: kProfileBegin, kProfileEnd, or the number of a step that takes time
// (planning/timed_steps.h). Only with --profile.
struct RunMark {
  int32_t step = 0;
};
// Calls the launch's kernel; launch.ranges > 1: each range of it, through kThreadsHook.
struct RunLaunch {
  const kernel::Launch* launch = nullptr;  // of the plan
  std::vector<RunAddress> operands;
};
struct RunCopy {
  RunAddress to, from;
  int64_t bytes = 0;
  bool unless_equal = false;  // nothing to do if the addresses are equal
};
// symbol(operands, results), a function of the user's.
struct RunUserCall {
  std::string symbol;
  std::vector<RunAddress> operands, results;
};
// hlocc_device_put or _get of bytes (at least 1) between an address here and an offset in a
// device's memory. The hooks of hlocc_device.h return 0, or the code with which `run` ends.
struct RunTransfer {
  bool sends = false;
  int queue = 0, memory = 0;
  int64_t offset = 0;
  RunAddress here;
  int64_t bytes = 0;
};
// hlocc_device_submit of a part, whose operands and then results lie at these offsets.
struct RunSubmit {
  int queue = 0, memory = 0;
  std::string part;
  std::vector<int64_t> offsets;
  size_t operands = 0, results = 0;
};
struct RunWait {
  int queue = 0;
};
// hlocc_device_clean before bytes are sent, hlocc_device_invalidate before and after bytes come.
struct RunCache {
  bool clean = false;
  RunAddress begin;
  int64_t bytes = 0;
};
// condition, then body, as long as the pred `holds`.
struct RunLoop {
  RunSteps condition;
  RunAddress holds;
  RunSteps body;
};
// Branch n where the selector, an s32, is n; else the last one. A pred chooses branch 0 if true.
struct RunChoice {
  RunAddress selector;
  bool is_pred = false;
  std::vector<RunSteps> branches;  // at least one
};
// Steps in a function of their own (run_pieces.h).
struct RunInner {
  RunSteps steps;
};

struct RunStep {
  std::variant<RunMark, RunLaunch, RunCopy, RunUserCall, RunTransfer, RunSubmit, RunWait, RunCache,
               RunLoop, RunChoice, RunInner>
      what;
  const kernel::Origin* origin = nullptr;  // of the plan's step that it is for; null: of none
};

// What init has done once where weights lie in the arena (Plan::kept): a copy for each.
RunSteps keeping_steps(const planning::Plan& plan);

// Refers to the plan's launches. cut: large runs in pieces. A transfer between two devices is
// kUnsupported; a plan whose bindings are not in one place (run_checks.h) is kInternal.
Result<RunSteps> run_plan(const kernel::Program& program, const planning::Plan& plan,
                          const Target& target, bool cut);

}  // namespace hlocc::backends
