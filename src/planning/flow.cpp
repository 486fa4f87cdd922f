// Builds the nodes and edges of a draft; see flow.h.
#include "planning/flow.h"

#include <algorithm>
#include <set>

#include "planning/kept_rows.h"

namespace hlocc::planning {
namespace {

using namespace kernel;
class FlowBuilder {
 public:
  FlowBuilder(const Draft& draft, const Target& target, Liveness& liveness)
      : draft_(draft), target_(target), liveness_(liveness) {}

  Flow run() {
    start();
    block(draft_.steps);
    finish();
    return std::move(flow_);
  }

 private:
  // A node that follows all open ends.
  int add(Node node) {
    const int here = static_cast<int>(flow_.nodes.size());
    flow_.nodes.push_back(std::move(node));
    for (const int end : ends_) flow_.nodes[static_cast<size_t>(end)].next.push_back(here);
    ends_ = {here};
    return here;
  }
  void permit(Id operand, Id result, int node, int64_t ahead, bool exact) {
    liveness_.permits[{operand, result}].push_back({2 * node, ahead, exact});
  }

  void start() {
    std::vector<Id> given;
    for (size_t i = 0; i < draft_.values.size(); ++i) {
      const ValueRole role = draft_.values[i].role;
      if (role == ValueRole::kArgument || role == ValueRole::kState)
        given.push_back(static_cast<Id>(i));
    }
    add({.writes = given});
  }

  void finish() {
    std::vector<Id> kept = draft_.finals;
    for (const Id id : kept_rows(*draft_.program, draft_.steps)) kept.push_back(id);
    std::set<Id> donated;
    for (size_t i = 0; i < draft_.finals.size(); ++i)
      donated.insert(donated_state(*draft_.program, static_cast<int>(i)));
    for (size_t i = 0; i < draft_.values.size(); ++i) {
      const Id id = static_cast<Id>(i);
      const ValueRole role = draft_.values[i].role;
      if (role == ValueRole::kState && !donated.contains(id)) kept.push_back(id);
      if (role == ValueRole::kArgument && target_.options.keep_arguments) kept.push_back(id);
    }
    add({.reads = kept});
  }

  void block(const Steps& steps) {
    for (const Step& each : steps)
      std::visit([&](const auto& what) { step(what, each); }, each.what);
  }

  void step(const Launch& launch, const Step& whole) {
    const std::vector<Kernel>& kernels = draft_.program->kernels;
    const int here = add(
        {.reads = reads_of(whole, kernels), .writes = writes_of(whole, kernels), .step = &whole});
    for (const Update& update : launch.updates)
      permit(update.from, launch.operands[static_cast<size_t>(update.result)], here, 0, true);
    for (const Overlap& overlap : launch.overlaps) {
      const Id operand = launch.operands[static_cast<size_t>(overlap.operand)];
      const Id result = launch.operands[static_cast<size_t>(overlap.result)];
      int64_t ahead = 0;
      if (!all_slots_overlap(launch, operand, overlap.result, ahead)) continue;
      permit(operand, result, here, ahead, false);
      liveness_.in_place.push_back({operand, result, ahead, depth_});
    }
  }

  // A value bound twice may be written over only if each of its operands says so.
  static bool all_slots_overlap(const Launch& launch, Id operand, int result, int64_t& ahead) {
    for (size_t i = 0; i < launch.operands.size(); ++i) {
      if (launch.operands[i] != operand) continue;
      bool found = false;
      for (const Overlap& overlap : launch.overlaps) {
        if (overlap.operand != static_cast<int>(i) || overlap.result != result) continue;
        found = true;
        ahead = std::max(ahead, overlap.bytes);
      }
      if (!found) return false;
    }
    return true;
  }

  void step(const Copy& copy, const Step& whole) {
    const int here = add({.reads = {copy.from}, .writes = {copy.to}, .step = &whole});
    permit(copy.from, copy.to, here, 0, true);
    liveness_.moves.push_back({copy.from, copy.to, depth_});
  }

  void step(const Join& join, const Step& whole) {
    std::vector<Id> from;
    int64_t at = 0;
    for (const Join::Run& run : join.runs) {
      from.push_back(run.from);
      liveness_.parts.push_back({run.from, join.to, run.offset - at, depth_});
      at += run.bytes;
    }
    add({.reads = std::move(from), .writes = {join.to}, .step = &whole});
  }

  void step(const UserCall& call, const Step& whole) {
    add({.reads = call.operands, .writes = call.results, .step = &whole});
  }

  void step(const Transfer& transfer, const Step& whole) {
    add({.reads = {transfer.from}, .writes = {transfer.to}, .step = &whole});
    auto& held = held_[transfer.queue];
    held.insert(held.end(), {transfer.from, transfer.to});
  }
  void step(const Submit& submit, const Step& whole) {
    add({.reads = submit.operands, .writes = submit.results, .step = &whole});
    auto& held = held_[submit.queue];
    held.insert(held.end(), submit.operands.begin(), submit.operands.end());
    held.insert(held.end(), submit.results.begin(), submit.results.end());
  }
  // All that the queue was given is alive until here.
  void step(const Wait& wait, const Step& whole) {
    add({.reads = std::move(held_[wait.queue]), .step = &whole});
    held_.erase(wait.queue);
  }

  int rename(const std::vector<Id>& from, const std::vector<Id>& to) {
    const int here = add({.reads = from, .writes = to});
    for (size_t i = 0; i < from.size(); ++i) permit(from[i], to[i], here, 0, true);
    return here;
  }

  void step(const WhileStep& loop, const Step&) {
    rename(loop.initial, loop.carried);
    const int head = add({});
    ++depth_;
    block(loop.condition);
    const int test = add({.reads = {loop.condition_value}});
    block(loop.body);
    const int tail = rename(loop.next, loop.carried);
    --depth_;
    flow_.nodes[static_cast<size_t>(tail)].next.push_back(head);
    ends_ = {test};
    rename(loop.carried, loop.result);
  }

  void step(const ConditionalStep& choice, const Step&) {
    const int fork = add({.reads = {choice.selector}});
    std::vector<int> joined;
    for (size_t b = 0; b < choice.branches.size(); ++b) {
      ends_ = {fork};
      block(choice.branches[b]);
      joined.push_back(add({.reads = choice.yields[b]}));
    }
    ends_ = joined;
    add({.writes = choice.results});
  }

  const Draft& draft_;
  const Target& target_;
  Liveness& liveness_;
  Flow flow_;
  std::vector<int> ends_;  // nodes that lead to the next one
  int depth_ = 0;
  std::map<int, std::vector<Id>> held_;  // by queue: what it works with
};

}  // namespace

Flow build_flow(const Draft& draft, const Target& target, Liveness& liveness) {
  return FlowBuilder(draft, target, liveness).run();
}

}  // namespace hlocc::planning
