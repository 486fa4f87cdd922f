// See step_values.h: one overload a kind of step.
#include "planning/step_values.h"

#include <algorithm>

namespace hlocc::planning {

using namespace kernel;

namespace {

using Kernels = std::vector<Kernel>;

void append(std::vector<Id>& to, const std::vector<Id>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

std::vector<Id> reads(const Launch& launch, const Kernels& kernels) {
  const Kernel& kernel = kernels[static_cast<size_t>(launch.kernel)];
  std::vector<Id> ids;
  for (size_t i = 0; i < launch.operands.size(); ++i)
    if (!is_written(kernel, i)) ids.push_back(launch.operands[i]);
  // A bad plan's launch may have more operands than its kernel has buffers: the validator asks.
  for (size_t i = 0; i < std::min(launch.operands.size(), kernel.buffers.size()); ++i) {
    // Without an update, only state that is changed in place is read and written.
    bool updated = kernel.buffers[i].direction != Direction::kInOut;
    for (const Update& update : launch.updates) updated |= update.result == static_cast<int>(i);
    if (!updated) ids.push_back(launch.operands[i]);
  }
  for (const Update& update : launch.updates) ids.push_back(update.from);
  return ids;
}
std::vector<Id> reads(const Copy& copy, const Kernels&) { return {copy.from}; }
std::vector<Id> reads(const Join& join, const Kernels&) {
  std::vector<Id> ids;
  for (const Join::Run& run : join.runs) ids.push_back(run.from);
  return ids;
}
std::vector<Id> reads(const WhileStep& loop, const Kernels&) {
  std::vector<Id> ids = loop.initial;
  append(ids, loop.carried);
  append(ids, loop.next);
  ids.push_back(loop.condition_value);
  return ids;
}
std::vector<Id> reads(const ConditionalStep& choice, const Kernels&) {
  std::vector<Id> ids = {choice.selector};
  for (const std::vector<Id>& yields : choice.yields) append(ids, yields);
  return ids;
}
std::vector<Id> reads(const UserCall& call, const Kernels&) { return call.operands; }

std::vector<Id> reads(const Transfer& transfer, const Kernels&) { return {transfer.from}; }
std::vector<Id> reads(const Submit& submit, const Kernels&) { return submit.operands; }
std::vector<Id> reads(const Wait&, const Kernels&) { return {}; }

std::vector<Id> writes(const Launch& launch, const Kernels& kernels) {
  std::vector<Id> ids;
  for (size_t i = 0; i < launch.operands.size(); ++i)
    if (is_written(kernels[static_cast<size_t>(launch.kernel)], i))
      ids.push_back(launch.operands[i]);
  return ids;
}
std::vector<Id> writes(const Copy& copy, const Kernels&) { return {copy.to}; }
std::vector<Id> writes(const Join& join, const Kernels&) { return {join.to}; }
std::vector<Id> writes(const WhileStep& loop, const Kernels&) {
  std::vector<Id> ids = loop.carried;
  append(ids, loop.result);
  return ids;
}
std::vector<Id> writes(const ConditionalStep& choice, const Kernels&) { return choice.results; }
std::vector<Id> writes(const UserCall& call, const Kernels&) { return call.results; }
std::vector<Id> writes(const Transfer& transfer, const Kernels&) { return {transfer.to}; }
std::vector<Id> writes(const Submit& submit, const Kernels&) { return submit.results; }
std::vector<Id> writes(const Wait&, const Kernels&) { return {}; }

}  // namespace

bool is_written(const Kernel& kernel, size_t i) {
  return i < kernel.buffers.size() && kernel.buffers[i].direction != Direction::kIn;
}

std::vector<Id> reads_of(const Step& step, const Kernels& kernels) {
  return std::visit([&](const auto& what) { return reads(what, kernels); }, step.what);
}
std::vector<Id> writes_of(const Step& step, const Kernels& kernels) {
  return std::visit([&](const auto& what) { return writes(what, kernels); }, step.what);
}

void for_each_block(const Step& step, const std::function<void(const Steps&)>& visit) {
  if (const auto* loop = std::get_if<WhileStep>(&step.what)) {
    visit(loop->condition);
    visit(loop->body);
  }
  if (const auto* choice = std::get_if<ConditionalStep>(&step.what))
    for (const Steps& branch : choice->branches) visit(branch);
}

}  // namespace hlocc::planning
