// Values are counted by runs of bytes that steps make: what a copy or a join makes is none of its
// own but bytes of others, which stay until its last reader. Such steps cost nothing here, nor does
// what lies in the state's place. Lists of steps inside of others are bounded first.
#include "planning/order_bound.h"

#include <algorithm>
#include <map>
#include <set>

#include "planning/draft.h"
#include "planning/step_graph.h"

namespace hlocc::planning {
namespace {

using namespace kernel;

// Which runs of bytes values consist of.
class Runs {
 public:
  explicit Runs(const Program& program) : program_(program) {
    draft_.program = &program;
    draft_.copy_of.assign(program.values.size(), kernel::kNone);
    for_each_step(program.steps, [&](const Step& step) { add(step); });
    for (size_t v = 0; v < program.values.size(); ++v) {
      std::set<int64_t>& cuts = cuts_[static_cast<Id>(v)];
      cuts.insert({0, program.values[v].bytes()});
    }
    for (const auto& [to, runs] : draft_.joined)
      for (const Join::Run& run : runs)
        cuts_[run.from].insert({run.offset, run.offset + run.bytes});
  }

  // True for a step that makes no bytes of its own.
  bool is_free(const Step& step) const {
    const auto* copy = std::get_if<Copy>(&step.what);
    return std::holds_alternative<Join>(step.what) || (copy != nullptr && is_alias(*copy));
  }

  // Calls visit(first byte in its value's, value, bytes) for each run of bytes of a value.
  template <typename Visit>
  void for_each(Id value, const Visit& visit) const {
    for (const Join::Run& run :
         draft_.runs_of(value, 0, program_.values[static_cast<size_t>(value)].bytes())) {
      const std::set<int64_t>& cuts = cuts_.at(run.from);
      for (auto cut = cuts.lower_bound(run.offset);
           cut != cuts.end() && *cut < run.offset + run.bytes; ++cut)
        visit(*cut, run.from, *std::next(cut) - *cut);
    }
  }

 private:
  bool is_alias(const Copy& copy) const {
    return program_.values[static_cast<size_t>(copy.from)].role != ValueRole::kConstant;
  }
  void add(const Step& step) {
    if (const auto* copy = std::get_if<Copy>(&step.what); copy != nullptr && is_alias(*copy))
      draft_.copy_of[static_cast<size_t>(copy->to)] = copy->from;
    const auto* join = std::get_if<Join>(&step.what);
    if (join == nullptr) return;
    std::vector<Join::Run> runs;
    for (const Join::Run& run : join->runs)
      for (const Join::Run& part : draft_.runs_of(run.from, run.offset, run.bytes))
        runs.push_back(part);
    draft_.joined[join->to] = std::move(runs);
  }

  const Program& program_;
  Draft draft_;
  std::map<Id, std::set<int64_t>> cuts_;
};

// Values that are read: by what a step does, as results, or by what hands them on to such.
std::set<Id> values_read(const Program& program) {
  std::set<Id> read(program.results.begin(), program.results.end());
  const auto hand_on = [&](Id to, Id from) {
    return read.contains(to) && read.insert(from).second;
  };
  for (bool more = true; more;) {
    more = false;
    for_each_step(program.steps, [&](const Step& step) {
      if (const auto* copy = std::get_if<Copy>(&step.what)) {
        more |= hand_on(copy->to, copy->from);
      } else if (const auto* join = std::get_if<Join>(&step.what)) {
        for (const Join::Run& run : join->runs) more |= hand_on(join->to, run.from);
      } else if (const auto* loop = std::get_if<WhileStep>(&step.what)) {
        more |= read.insert(loop->condition_value).second;
        for (size_t i = 0; i < loop->carried.size(); ++i) {
          more |= hand_on(loop->result[i], loop->carried[i]);
          more |= hand_on(loop->carried[i], loop->next[i]);
          more |= hand_on(loop->carried[i], loop->initial[i]);
        }
      } else if (const auto* choice = std::get_if<ConditionalStep>(&step.what)) {
        more |= read.insert(choice->selector).second;
        for (const std::vector<Id>& yields : choice->yields)
          for (size_t i = 0; i < yields.size(); ++i) more |= hand_on(choice->results[i], yields[i]);
      } else {
        for (const Id id : reads_of(step, program.kernels)) more |= read.insert(id).second;
      }
    });
  }
  return read;
}

// One list of steps as a graph.
class Bounder {
 public:
  Bounder(const Program& program, bool keep_arguments)
      : program_(program),
        keep_arguments_(keep_arguments),
        runs_(program),
        read_(values_read(program)) {}

  OrderBound run() {
    std::vector<Id> there, needed = program_.results;
    int64_t arguments = 0, states = 0;
    for (const Id id : program_.arguments) {
      const ProgramValue& value = program_.values[static_cast<size_t>(id)];
      if (program_.is_streamed(id)) continue;
      there.push_back(id);
      (value.role == ValueRole::kState ? states : arguments) += value.bytes();
      if (keep_arguments_ && value.role == ValueRole::kArgument) needed.push_back(id);
    }
    const int64_t alive = bound(program_.steps, there, needed);
    return {std::max({alive - states, arguments, results()}), is_exact_};
  }

 private:
  struct List {
    StepGraph graph;
    std::map<std::pair<Id, int64_t>, int> runs;  // (value, first byte): index in the graph
    std::vector<int> maker;                      // by value of the graph: the step, or -1
  };

  // All are there at the end, those of known bytes, too; donated ones lie in the state.
  int64_t results() const {
    std::set<Id> seen;
    int64_t sum = 0;
    for (size_t i = 0; i < program_.results.size(); ++i) {
      const Id id = program_.results[i];
      if (donated_state(program_, static_cast<int>(i)) == kernel::kNone && seen.insert(id).second)
        sum += program_.values[static_cast<size_t>(id)].bytes();
    }
    return sum;
  }

  // What some order of the steps needs of values of their own and of those that are `there`.
  int64_t bound(const Steps& steps, const std::vector<Id>& there, const std::vector<Id>& needed) {
    List list;
    list.graph.is_bound = true;
    for (const Id id : there) add_value(list, id, -1);
    for (const Step& step : steps)
      if (!runs_.is_free(step)) add(list, step);
    for (const Id id : needed)
      for_each_run(list, id,
                   [&](int run) { list.graph.values[static_cast<size_t>(run)].stays = true; });
    // What no step reads need not be there for long.
    for (size_t v = 0; v < list.graph.values.size(); ++v) {
      const GraphValue& value = list.graph.values[v];
      if (list.maker[v] < 0 && (value.stays || !value.readers.empty()))
        list.graph.initial += value.bytes;
    }
    const FoundOrder found = find_order(list.graph);
    is_exact_ = is_exact_ && found.is_exact;
    return found.bound;
  }

  void add_value(List& list, Id id, int maker) const {
    runs_.for_each(id, [&](int64_t begin, Id value, int64_t bytes) {
      const auto [entry, fresh] =
          list.runs.try_emplace({value, begin}, static_cast<int>(list.graph.values.size()));
      if (!fresh) return;
      list.graph.values.push_back({.bytes = bytes});
      list.maker.push_back(maker);
    });
  }

  template <typename Visit>
  void for_each_run(const List& list, Id id, const Visit& visit) const {
    runs_.for_each(id, [&](int64_t begin, Id value, int64_t) {
      if (const auto found = list.runs.find({value, begin}); found != list.runs.end())
        visit(found->second);
    });
  }

  // Everything that the step reads, in lists inside it, too.
  void collect_reads(const Step& step, std::set<Id>& reads) const {
    if (runs_.is_free(step)) return;
    for (const Id id : reads_of(step, program_.kernels))
      if (read_.contains(id)) reads.insert(id);
    for_each_block(step, [&](const Steps& block) {
      for (const Step& inner : block) collect_reads(inner, reads);
    });
  }

  // Without queues nothing lies in a device's memory.
  bool counts(Id id) const {
    return program_.values[static_cast<size_t>(id)].role == ValueRole::kTemporary;
  }

  void add(List& list, const Step& step) {
    const int here = static_cast<int>(list.graph.steps.size());
    GraphStep node;
    std::set<Id> ids;
    collect_reads(step, ids);
    std::set<int> reads, before;
    for (const Id id : ids) for_each_run(list, id, [&](int run) { reads.insert(run); });
    for (const int run : reads) {
      list.graph.values[static_cast<size_t>(run)].readers.push_back(here);
      if (list.maker[static_cast<size_t>(run)] >= 0)
        before.insert(list.maker[static_cast<size_t>(run)]);
    }
    node.reads.assign(reads.begin(), reads.end());
    std::visit([&](const auto& what) { inside(what, list, node); }, step.what);
    const auto* loop = std::get_if<WhileStep>(&step.what);
    const size_t first = list.graph.values.size();
    for (const Id id : loop != nullptr ? loop->result : writes_of(step, program_.kernels))
      if (counts(id)) add_value(list, id, here);
    for (size_t v = first; v < list.graph.values.size(); ++v)
      node.writes.push_back(static_cast<int>(v));
    node.before.assign(before.begin(), before.end());
    for (const int other : before)
      list.graph.steps[static_cast<size_t>(other)].after.push_back(here);
    list.graph.steps.push_back(std::move(node));
  }

  // --- what happens inside a step ---

  void inside(const Launch& launch, const List& list, GraphStep& node) const {
    const Kernel& kernel = program_.kernels[static_cast<size_t>(launch.kernel)];
    for (const Buffer& buffer : kernel::arena_scratch(kernel, launch))
      node.inside += buffer.elements * scalar_bytes(buffer.element);
    // By (operand, result): how many bytes they may share.
    std::map<std::pair<Id, int>, int64_t> shared;
    const auto share = [&](Id operand, int result, int64_t ahead) {
      const auto bytes = [&](Id id) { return program_.values[static_cast<size_t>(id)].bytes(); };
      const Id to = launch.operands[static_cast<size_t>(result)];
      const int64_t a = bytes(operand), b = bytes(to);
      int64_t& most = shared[{operand, result}];
      most = std::max(most, a + b - std::max(a + ahead, b));
    };
    for (const Update& update : launch.updates) share(update.from, update.result, 0);
    for (const Overlap& overlap : launch.overlaps)
      share(launch.operands[static_cast<size_t>(overlap.operand)], overlap.result, overlap.bytes);
    for (const auto& [pair, bytes] : shared)
      for_each_run(list, pair.first, [&](int run) {
        const int64_t saved = std::min(bytes, list.graph.values[static_cast<size_t>(run)].bytes);
        if (saved > 0) node.savings.push_back({run, pair.second, saved});
      });
  }
  void inside(const WhileStep& loop, const List&, GraphStep& node) {
    std::vector<Id> tested = {loop.condition_value}, next;
    for (size_t i = 0; i < loop.carried.size(); ++i) {
      if (!read_.contains(loop.carried[i])) continue;
      tested.push_back(loop.carried[i]);
      next.push_back(loop.next[i]);
    }
    node.within =
        std::max(bound(loop.condition, loop.carried, tested), bound(loop.body, loop.carried, next));
  }
  void inside(const ConditionalStep& choice, const List&, GraphStep& node) {
    for (size_t b = 0; b < choice.branches.size(); ++b) {
      std::vector<Id> yields;
      for (size_t i = 0; i < choice.results.size(); ++i)
        if (read_.contains(choice.results[i])) yields.push_back(choice.yields[b][i]);
      node.within = std::max(node.within, bound(choice.branches[b], {}, yields));
    }
  }
  template <typename Plain>
  void inside(const Plain&, const List&, GraphStep&) const {}

  const Program& program_;
  bool keep_arguments_;
  Runs runs_;
  std::set<Id> read_;
  bool is_exact_ = true;
};

}  // namespace

std::optional<OrderBound> order_bound(const Program& program, const Target& target) {
  if (uses_queues(program.steps)) return std::nullopt;
  return Bounder(program, target.options.keep_arguments).run();
}

}  // namespace hlocc::planning
