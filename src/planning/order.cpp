// Makes the graph of each list of steps and puts the steps in the order found; see order.h.
#include "planning/order.h"

#include <algorithm>
#include <map>
#include <set>

#include "planning/step_graph.h"

namespace hlocc::planning {
namespace {

using namespace kernel;

// Orders all lists of a program. A list is seen from outside as one step that reads what it needs
// from outside.
class Orderer {
 public:
  explicit Orderer(const Program& program) : program_(program) {}

  Steps run() {
    std::vector<Id> alive;
    for (size_t i = 0; i < program_.values.size(); ++i)
      if (program_.values[i].role == ValueRole::kArgument) alive.push_back(static_cast<Id>(i));
    Steps steps = program_.steps;
    order(steps, alive, program_.results);
    return steps;
  }

 private:
  struct Outside {
    std::set<Id> reads, writes;
  };

  // Sorts the list in place; returns the peak of its live bytes. `alive`: values of its own that
  // are there at the start.
  int64_t order(Steps& steps, const std::vector<Id>& alive, const std::vector<Id>& needed) {
    StepGraph graph;
    std::map<Id, int> index;
    for (const Id id : alive)
      graph.initial += graph.values[static_cast<size_t>(value(graph, index, id))].bytes;
    const int serial = lists_++;
    for (Step& step : steps) add(graph, index, step, serial);
    for (const Id id : needed)
      if (const auto found = index.find(id); found != index.end())
        graph.values[static_cast<size_t>(found->second)].stays = true;
    const std::vector<int> order = find_order(graph).steps;
    Steps sorted;
    for (const int i : order) sorted.push_back(std::move(steps[static_cast<size_t>(i)]));
    steps = std::move(sorted);
    return peak_of(graph, order);
  }

  int64_t bytes(Id id) const {
    return (program_.values[static_cast<size_t>(id)].bytes() + 15) / 16 * 16;
  }
  int value(StepGraph& graph, std::map<Id, int>& index, Id id) const {
    const auto [entry, fresh] = index.try_emplace(id, static_cast<int>(graph.values.size()));
    if (fresh) graph.values.push_back({.bytes = bytes(id)});
    return entry->second;
  }

  Outside outside(const Step& step) const {
    Outside all;
    for (const Id id : reads_of(step, program_.kernels)) all.reads.insert(id);
    for (const Id id : writes_of(step, program_.kernels)) all.writes.insert(id);
    for_each_block(step, [&](const Steps& block) {
      for (const Step& inner : block) {
        const Outside o = outside(inner);
        all.reads.insert(o.reads.begin(), o.reads.end());
        all.writes.insert(o.writes.begin(), o.writes.end());
      }
    });
    for (const Id id : all.writes)
      if (program_.values[static_cast<size_t>(id)].role != ValueRole::kState) all.reads.erase(id);
    return all;
  }

  // Appends the step to the graph. What a step defines inside itself and alone reads costs
  // `inside` only.
  void add(StepGraph& graph, std::map<Id, int>& index, Step& step, int serial) {
    const int here = static_cast<int>(graph.steps.size());
    GraphStep node;
    const Outside o = outside(step);
    std::set<int> before;
    for (const Id id : o.reads) {
      // A value from outside of this list neither begins nor ends here.
      const auto found = index.find(id);
      if (found == index.end()) continue;
      node.reads.push_back(found->second);
      graph.values[static_cast<size_t>(found->second)].readers.push_back(here);
      if (const auto made = made_by_.find(id); made != made_by_.end()) before.insert(made->second);
    }
    in_sequence(serial, o, step, here, before);
    const std::vector<Id> results = results_of(step);
    for (const Id id : results) node.writes.push_back(value(graph, index, id));
    std::visit([&](auto& what) { inside(what, node, index); }, step.what);
    // Only now: the lists inside have entered their own steps.
    for (const Id id : results) made_by_[id] = here;
    node.before.assign(before.begin(), before.end());
    for (const int other : node.before)
      graph.steps[static_cast<size_t>(other)].after.push_back(here);
    graph.steps.push_back(std::move(node));
  }

  // The values of a step that steps after it may read.
  std::vector<Id> results_of(const Step& step) const {
    if (const auto* loop = std::get_if<WhileStep>(&step.what)) return loop->result;
    std::vector<Id> ids = writes_of(step, program_.kernels);
    std::erase_if(ids, [&](Id id) {
      return program_.values[static_cast<size_t>(id)].role == ValueRole::kState;
    });
    return ids;
  }

  // Calls of the user's and steps that touch the same changing state keep their order.
  void in_sequence(int serial, const Outside& o, const Step& step, int here,
                   std::set<int>& before) {
    bool calls = std::holds_alternative<UserCall>(step.what);
    for_each_block(step, [&](const Steps& block) {
      for_each_step(
          block, [&](const Step& inner) { calls |= std::holds_alternative<UserCall>(inner.what); });
    });
    std::vector<Id> keys;
    if (calls) keys.push_back(kernel::kNone);
    for (const auto* ids : {&o.reads, &o.writes})
      for (const Id id : *ids) {
        const ProgramValue& v = program_.values[static_cast<size_t>(id)];
        if (v.role == ValueRole::kState && v.leaf == kernel::kNone) keys.push_back(id);
      }
    for (const Id key : keys) {
      const auto [entry, fresh] = last_.try_emplace({serial, key}, here);
      if (entry->second != here) before.insert(entry->second);
      entry->second = here;
    }
  }

  // --- what happens inside a step ---

  void save(GraphStep& node, const std::map<Id, int>& index, Id operand, Id result,
            int64_t ahead) const {
    for (const Id id : {operand, result})
      if (!index.contains(id)) return;
    const int from = index.at(operand), to = index.at(result);
    const int64_t a = bytes(operand), b = bytes(result), shift = (ahead + 15) / 16 * 16;
    const int64_t together = std::max(a, b - shift) + shift;
    if (a + b > together) node.savings.push_back({from, to, a + b - together});
  }

  void inside(Launch& launch, GraphStep& node, const std::map<Id, int>& index) {
    const Kernel& kernel = program_.kernels[static_cast<size_t>(launch.kernel)];
    for (const Buffer& buffer : kernel::arena_scratch(kernel, launch))
      node.inside += (buffer.elements * scalar_bytes(buffer.element) + 15) / 16 * 16;
    for (const Update& update : launch.updates)
      save(node, index, update.from, launch.operands[static_cast<size_t>(update.result)], 0);
    for (const Overlap& o : launch.overlaps)
      save(node, index, launch.operands[static_cast<size_t>(o.operand)],
           launch.operands[static_cast<size_t>(o.result)], o.bytes);
  }
  void inside(Copy& copy, GraphStep& node, const std::map<Id, int>& index) {
    save(node, index, copy.from, copy.to, 0);
  }
  void inside(Join& join, GraphStep& node, const std::map<Id, int>& index) {
    for (const Join::Run& run : join.runs) save(node, index, run.from, join.to, 0);
  }
  template <typename Plain>
  void inside(Plain&, GraphStep&, const std::map<Id, int>&) {}

  void inside(WhileStep& loop, GraphStep& node, const std::map<Id, int>& index) {
    for (size_t i = 0; i < loop.initial.size(); ++i)
      save(node, index, loop.initial[i], loop.result[i], 0);
    int64_t carried = 0;
    for (const Id id : loop.carried) carried += bytes(id);
    std::vector<Id> tested = loop.carried;
    tested.push_back(loop.condition_value);
    const int64_t condition = order(loop.condition, loop.carried, tested);
    const int64_t body = order(loop.body, loop.carried, loop.next);
    node.inside = std::max<int64_t>(0, std::max(condition, body) - carried);
  }
  void inside(ConditionalStep& choice, GraphStep& node, const std::map<Id, int>&) {
    int64_t results = 0;
    for (const Id id : choice.results) results += bytes(id);
    for (size_t b = 0; b < choice.branches.size(); ++b)
      node.inside =
          std::max(node.inside, order(choice.branches[b], {}, choice.yields[b]) - results);
  }

  const Program& program_;
  int lists_ = 0;              // lists of steps seen so far: each has its number
  std::map<Id, int> made_by_;  // the step, in its own list
  std::map<std::pair<int, Id>, int>
      last_;  // (list, what is kept in sequence): the last step that touched it
};

}  // namespace

Steps order_steps(const Program& program) {
  return uses_queues(program.steps) ? program.steps : Orderer(program).run();
}

}  // namespace hlocc::planning
