// See prove_groups.h. The kernel's access skeleton without its shared memory runs in the evaluator,
// whose watch on groups (group_watch.h) says which threads meet.
#include "kernel/ranges/prove_groups.h"

#include "kernel/evaluate/evaluator.h"
#include "kernel/ranges/access_skeleton.h"
#include "kernel/ranges/operand_places.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

Status play(const Kernel& kernel, std::span<const int64_t> integers,
            std::span<const Overlap> overlaps, bool in_place) {
  OperandPlaces places(kernel, overlaps, in_place);
  const auto is_operand = [&](BufferId buffer) {
    return kernel.buffers[buffer].direction != Direction::kScratch;
  };
  const auto nothing = [](ValueId) { return std::optional<Op>(); };
  const std::optional<Kernel> skeleton = access_skeleton(
      kernel, {[&](BufferId buffer) { return is_operand(buffer) && places.is_seen(buffer); },
               is_operand, nothing, nothing});
  if (!skeleton)
    return error(DiagnosticKind::kInternal,
                 cat("kernel ", kernel.name, ": what it accesses hangs on data"));
  return evaluate(*skeleton, places.memory(), integers);
}

}  // namespace

RangesProof prove_groups(const Kernel& kernel, std::span<const int64_t> integers,
                         std::span<const Overlap> overlaps, std::string* fault) {
  int64_t written = 0;
  for (const Buffer& buffer : kernel.buffers)
    if (buffer.direction == Direction::kOut || buffer.direction == Direction::kInOut)
      written += buffer.elements;
  if (written > kMostAccesses) {
    if (fault != nullptr) *fault = cat("kernel ", kernel.name, ": ", written, " elements written");
    return RangesProof::kNone;
  }
  if (OperandPlaces::may_lie_in_place(overlaps) && play(kernel, integers, overlaps, true).ok())
    return RangesProof::kInPlace;
  const Status apart = play(kernel, integers, overlaps, false);
  if (!apart.ok() && fault != nullptr) *fault = apart.error().message;
  return apart.ok() ? RangesProof::kApart : RangesProof::kNone;
}

}  // namespace hlocc::kernel
