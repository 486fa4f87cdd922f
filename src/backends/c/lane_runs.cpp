// See lane_runs.h.
#include "backends/c/lane_runs.h"

#include <algorithm>

namespace hlocc::backends {
namespace {

using kernel::Access;
using kernel::Affine;
using kernel::Op;
using kernel::OpGroup;
using kernel::OpKind;

int lanes_of(const kernel::Kernel& kernel, const Op& op) {
  const kernel::ValueId id = op.results.empty() ? op.access().stored : op.result();
  return kernel.type(id).lanes;
}

bool has_vector_operand(const kernel::Kernel& kernel, const Op& op) {
  return std::any_of(op.operands.begin(), op.operands.end(),
                     [&](kernel::ValueId id) { return kernel.type(id).is_vector(); });
}

}  // namespace

bool is_free(const kernel::Kernel& kernel, const Op& op) {
  if (op.results.empty() || !kernel.type(op.result()).is_vector()) return false;
  if (op.kind == OpKind::kConstant) return std::get<kernel::Constant>(op.payload).lanes.size() == 1;
  return op.kind == OpKind::kSplat || op.kind == OpKind::kLaneIndex;
}

bool is_lane_wise(const kernel::Kernel& kernel, const Op& op) {
  if (op.kind == OpKind::kStore) return kernel.type(op.access().stored).is_vector();
  if (op.results.empty() || !op.regions.empty() || !kernel.type(op.result()).is_vector())
    return false;
  if (op.kind == OpKind::kLoad) return true;
  const OpGroup group = kernel::op_group(op.kind);
  return group == OpGroup::kUnary || group == OpGroup::kBinary || group == OpGroup::kCompare;
}

LaneRuns::LaneRuns(const kernel::Kernel& kernel, std::vector<bool> unshared, const Apart& apart)
    : kernel_(kernel),
      unshared_(std::move(unshared)),
      defined_in_(kernel.types.size(), -1),
      escapes_(kernel.types.size(), false) {
  visit(kernel.body, apart);
}

void LaneRuns::use(kernel::ValueId id, int run) {
  if (defined_in_[static_cast<size_t>(id)] != run) escapes_[static_cast<size_t>(id)] = true;
}

// Whether a lane's store could be seen by another lane's access. The same address in both, lane by
// lane, cannot; nor can other places of one buffer.
bool LaneRuns::may_meet(const Access& store, const Access& other) const {
  const auto& a = kernel_.buffers[static_cast<size_t>(store.buffer)];
  const auto& b = kernel_.buffers[static_cast<size_t>(other.buffer)];
  if (store.buffer != other.buffer && unshared_[static_cast<size_t>(store.buffer)]) return false;
  if (store.lane_indices != kernel::kNone || other.lane_indices != kernel::kNone) return true;
  const bool alike = a.element == b.element && store.lane_stride == other.lane_stride;
  if (!alike || store.lane_stride == 0) return true;
  const Affine apart = store.at.plus(other.at.times(-1));
  if (!apart.is_constant()) return true;
  if (apart.offset == 0) return false;
  const int64_t reach = std::abs(store.lane_stride) * (run_.lanes - 1);
  return store.buffer != other.buffer || std::abs(apart.offset) <= reach;
}

void LaneRuns::place(const Op& op) {
  if (is_free(kernel_, op)) return;
  if (!is_lane_wise(kernel_, op)) {
    const bool reads = op.kind == OpKind::kLoad && !run_.stores.empty();
    const bool apart = op.kind == OpKind::kStore || !op.regions.empty() || reads ||
                       has_vector_operand(kernel_, op) ||
                       (!op.results.empty() && kernel_.type(op.result()).is_vector());
    if (apart) close();
    return;
  }
  const int lanes = lanes_of(kernel_, op);
  if (run_.lanes != 0 && run_.lanes != lanes) close();
  run_.lanes = lanes;
  const auto* access = std::get_if<Access>(&op.payload);
  if (access == nullptr) return;
  const auto meets = [&](const Access* one) {
    return op.kind == OpKind::kStore ? may_meet(*access, *one) : may_meet(*one, *access);
  };
  bool hazard = std::any_of(run_.stores.begin(), run_.stores.end(), meets);
  if (op.kind == OpKind::kStore)
    hazard = hazard || std::any_of(run_.loads.begin(), run_.loads.end(), meets);
  if (hazard) close();
  run_.lanes = lanes;
  (op.kind == OpKind::kStore ? run_.stores : run_.loads).push_back(access);
}

void LaneRuns::visit(const kernel::Region& region, const Apart& apart) {
  close();
  for (const Op& op : region.ops) {
    const bool is_apart = apart(op), lane_wise = !is_apart && is_lane_wise(kernel_, op);
    is_apart ? close() : place(op);
    run_of_[&op] = run_.number;
    for (const kernel::ValueId id : op.operands) use(id, lane_wise ? run_.number : -2);
    for (const kernel::ValueId id : op.results) defined_in_[static_cast<size_t>(id)] = run_.number;
    for (const kernel::Region& inner : op.regions) visit(inner, apart);
    // What comes next stands behind it.
    if (is_apart || !op.regions.empty() || (!lane_wise && has_vector_operand(kernel_, op))) close();
  }
  for (const kernel::ValueId id : region.yields) use(id, -2);
}

}  // namespace hlocc::backends
