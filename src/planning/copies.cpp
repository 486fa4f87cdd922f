// Puts copies wherever bytes might have to move; see draft.h. While edges get two copies a value,
// through a temporary, so that an iteration may hand on its values in any permutation.
#include <algorithm>
#include <set>

#include "planning/draft.h"

namespace hlocc::planning {
namespace {

using namespace kernel;

class Inserter {
 public:
  explicit Inserter(const Program& program) {
    draft_.program = &program;
    draft_.values = program.values;
    draft_.copy_of.assign(program.values.size(), kernel::kNone);
    draft_.scratch.assign(program.values.size(), false);
  }

  Draft run(const Steps& steps) {
    for (const Step& step : steps) add(step, draft_.steps);
    results();
    return std::move(draft_);
  }

 private:
  Id fresh(ProgramValue like, Id source) {
    like.role = ValueRole::kTemporary;
    like.leaf = kernel::kNone;
    like.data = nullptr;
    draft_.values.push_back(std::move(like));
    draft_.copy_of.push_back(source);
    draft_.scratch.push_back(false);
    return static_cast<Id>(draft_.values.size() - 1);
  }
  Id copied(Id from, Steps& out, const kernel::Origin& origin) {
    const Id to = fresh(draft_.value(from), from);
    out.push_back({Copy{from, to}, origin});
    return to;
  }
  void together(Id a, Id b) { draft_.together.emplace_back(a, b); }

  // Copies all of `from` before the first is handed on, then hands each on to the place of its
  // partner.
  std::vector<Id> handed_on(const std::vector<Id>& from, const std::vector<Id>& partners,
                            Steps& out, const kernel::Origin& origin) {
    std::vector<Id> held, ends;
    for (const Id value : from) held.push_back(copied(value, out, origin));
    for (size_t i = 0; i < from.size(); ++i) {
      ends.push_back(copied(held[i], out, origin));
      together(ends.back(), partners[i]);
    }
    return ends;
  }

  Steps block(const Steps& steps) {
    Steps out;
    for (const Step& step : steps) add(step, out);
    return out;
  }

  void add(const Step& step, Steps& out) {
    std::visit([&](const auto& what) { this->add(what, step.origin, out); }, step.what);
  }

  void add(const Launch& launch, const kernel::Origin& origin, Steps& out) {
    Launch planned = launch;
    for (Update& update : planned.updates) {
      const Id result = launch.operands[static_cast<size_t>(update.result)];
      update.from = copied(update.from, out, origin);
      together(update.from, result);
    }
    const Kernel& kernel = draft_.program->kernels[static_cast<size_t>(launch.kernel)];
    for (const Buffer& buffer : kernel::arena_scratch(kernel, launch)) {
      const Id scratch = fresh({.name = kernel.name + "." + buffer.name,
                                .element = buffer.element,
                                .elements = buffer.elements},
                               kernel::kNone);
      draft_.scratch[static_cast<size_t>(scratch)] = true;
      planned.operands.push_back(scratch);
    }
    out.push_back({std::move(planned), origin});
  }

  void add(const Copy& copy, const kernel::Origin& origin, Steps& out) {
    draft_.copy_of[static_cast<size_t>(copy.to)] = copy.from;
    out.push_back({copy, origin});
  }
  void add(const Join& join, const kernel::Origin& origin, Steps& out) {
    std::vector<Join::Run> runs;
    for (const Join::Run& run : join.runs)
      for (const Join::Run& part : draft_.runs_of(run.from, run.offset, run.bytes))
        runs.push_back(part);
    draft_.joined[join.to] = std::move(runs);
    out.push_back({join, origin});
  }
  template <typename Plain>  // UserCall and the steps of queues: nothing moves on their account
  void add(const Plain& step, const kernel::Origin& origin, Steps& out) {
    out.push_back({step, origin});
  }

  void add(const WhileStep& loop, const kernel::Origin& origin, Steps& out) {
    WhileStep planned = loop;
    for (size_t i = 0; i < loop.initial.size(); ++i) {
      planned.initial[i] = copied(loop.initial[i], out, origin);
      together(planned.initial[i], loop.carried[i]);
      together(loop.carried[i], loop.result[i]);
    }
    planned.condition = block(loop.condition);
    planned.body = block(loop.body);
    planned.next = handed_on(loop.next, loop.carried, planned.body, origin);
    out.push_back({std::move(planned), origin});
  }

  void add(const ConditionalStep& choice, const kernel::Origin& origin, Steps& out) {
    ConditionalStep planned = choice;
    for (size_t b = 0; b < choice.branches.size(); ++b) {
      planned.branches[b] = block(choice.branches[b]);
      for (size_t i = 0; i < choice.results.size(); ++i) {
        planned.yields[b][i] = copied(choice.yields[b][i], planned.branches[b], origin);
        together(planned.yields[b][i], choice.results[i]);
      }
    }
    out.push_back({std::move(planned), origin});
  }

  // A result is a temporary that is no other result, or a copy; donated results end in the place of
  // their argument.
  void results() {
    const std::vector<Id>& results = draft_.program->results;
    std::vector<Id> donated, states;
    std::vector<size_t> leaves;
    std::set<Id> finals;
    for (size_t i = 0; i < results.size(); ++i) {
      Id final = results[i];
      const Id state = donated_state(*draft_.program, static_cast<int>(i));
      if (state != kernel::kNone) {
        finals.insert(final);
        donated.push_back(final);
        states.push_back(state);
        leaves.push_back(i);
      } else if (draft_.value(final).role != ValueRole::kTemporary ||
                 !finals.insert(final).second) {
        final = copied(final, draft_.steps, {});
      }
      draft_.finals.push_back(final);
    }
    const std::vector<Id> ends = handed_on(donated, states, draft_.steps, {});
    for (size_t k = 0; k < ends.size(); ++k) draft_.finals[leaves[k]] = ends[k];
  }

  Draft draft_;
};

}  // namespace

Draft insert_copies(const Program& program, const Steps& steps) {
  return Inserter(program).run(steps);
}

std::vector<Join::Run> Draft::runs_of(Id value, int64_t offset, int64_t bytes) const {
  const Id of = root(value);
  const auto found = joined.find(of);
  if (found == joined.end()) return {{of, offset, bytes}};
  std::vector<Join::Run> runs;
  int64_t at = 0;
  for (const Join::Run& run : found->second) {
    const int64_t begin = std::max(at, offset), end = std::min(at + run.bytes, offset + bytes);
    const int64_t from = run.offset + begin - at;
    at += run.bytes;
    if (begin >= end) continue;
    if (!runs.empty() && runs.back().from == run.from &&
        runs.back().offset + runs.back().bytes == from)
      runs.back().bytes += end - begin;
    else
      runs.push_back({run.from, from, end - begin});
  }
  return runs;
}

Id donated_state(const Program& program, int leaf) {
  if (leaf >= static_cast<int>(program.signature.results.size())) return kernel::kNone;
  const Leaf& result = program.signature.results[static_cast<size_t>(leaf)];
  if (!result.donated) return kernel::kNone;
  const Id argument = program.arguments[static_cast<size_t>(result.partner)];
  return program.values[static_cast<size_t>(argument)].role == ValueRole::kState ? argument
                                                                                 : kernel::kNone;
}

}  // namespace hlocc::planning
