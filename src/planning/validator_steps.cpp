// The validator's replay: each step of the plan beside the program's own. What it finds in memory
// must be what the program names.
#include <algorithm>
#include <utility>

#include "planning/validator.h"
#include "support/budget.h"
#include "support/text.h"

namespace hlocc::planning {

using namespace kernel;

namespace {

// Of a step.
constexpr int64_t kReplayWork = 500;

}  // namespace

Validator::Key Validator::key(const Step& step) const {
  Key ids;
  for (const Id id : writes_of(step, program_.kernels))
    if (id < static_cast<Id>(program_.values.size())) ids.push_back(id);
  return ids;
}

Status Validator::block(const Steps& planned, const Steps& given) {
  HLOCC_TRY(charge_work(kReplayWork * static_cast<int64_t>(planned.size() + given.size()),
                        [] { return "the plan"; }));
  // Copies and waits are the planner's affair: the readers see whether they are right.
  const auto planners = [](const Step& step) {
    return std::holds_alternative<Copy>(step.what) || std::holds_alternative<Wait>(step.what);
  };
  const size_t outside = std::exchange(outside_, in_flight_.size());
  std::multimap<Key, const Step*> open;
  for (const Step& step : given)
    if (!planners(step)) open.emplace(key(step), &step);
  for (const Step& step : planned) {
    origin_ = &step.origin;
    if (const auto* copy = std::get_if<Copy>(&step.what)) {
      HLOCC_TRY(replay(*copy, *copy));
      continue;
    }
    if (const auto* wait = std::get_if<Wait>(&step.what)) {
      HLOCC_TRY(replay(*wait, *wait));
      continue;
    }
    const auto found = open.find(key(step));
    if (found == open.end() || found->second->what.index() != step.what.index())
      return fail("a step that the program does not have");
    const Step& model = *found->second;
    open.erase(found);
    HLOCC_TRY(std::visit(
        [&](const auto& what) {
          return replay(what, std::get<std::decay_t<decltype(what)>>(model.what));
        },
        step.what));
  }
  if (!open.empty()) return fail("a step of the program is missing");
  if (in_flight_.size() != outside_)
    return fail(cat("the steps end before queue ", in_flight_.back().queue, " is waited for"));
  outside_ = outside;
  return {};
}

Status Validator::at_home(const std::vector<Id>& ids) const {
  for (const Id id : ids) {
    if (!known(id)) return fail(cat("no such value ", id));
    if (plan_.values[static_cast<size_t>(id)].memory != 0)
      return fail(name(id) + " is in a device's memory, and no device's step names it");
  }
  return {};
}

Status Validator::untouched(const Range& range, bool reading) const {
  for (const InFlight& held : in_flight_) {
    if (held.queue == queue_ || !held.range.overlaps(range) || (reading && !held.written)) continue;
    return fail(cat(reading ? "reads" : "writes", " bytes of ", name(held.value), " that queue ",
                    held.queue, " is still ", held.written ? "writing" : "reading"));
  }
  return {};
}

Status Validator::queue_is_free(int queue) const {
  for (size_t i = 0; i < outside_; ++i)
    if (in_flight_[i].queue == queue)
      return fail(cat("queue ", queue, " is at work for steps outside of this loop or branch"));
  return {};
}

Status Validator::written_by_queue(Id place, Id value) {
  const Range to = range(place);
  if (to.region == kConstants) return fail(name(place) + " is written where it must not be");
  HLOCC_TRY(untouched(to, false));
  write(to, value);
  in_flight_.push_back({queue_, to, true, value});
  return {};
}

Status Validator::replay(const Transfer& planned, const Transfer& given) {
  if (planned.queue != given.queue) return fail("another transfer than the program's");
  if (!known(planned.from)) return fail("a transfer of no value");
  HLOCC_TRY(queue_is_free(planned.queue));
  const Range from = range(planned.from), to = range(planned.to);
  if (plan_.values[static_cast<size_t>(planned.from)].memory ==
      plan_.values[static_cast<size_t>(planned.to)].memory)
    return fail("a transfer inside of one memory");
  if (from.bytes != to.bytes) return fail("a transfer between different sizes");
  queue_ = planned.queue;
  HLOCC_TRY(expect(planned.from, given.from));
  HLOCC_TRY(written_by_queue(planned.to, given.to));
  in_flight_.push_back({queue_, from, false, given.from});
  queue_ = kNobodys;
  return {};
}

Status Validator::replay(const Submit& planned, const Submit& given) {
  if (planned.part != given.part || planned.queue != given.queue ||
      planned.operands.size() != given.operands.size() || planned.results != given.results)
    return fail("another part than the program's");
  HLOCC_TRY(queue_is_free(planned.queue));
  queue_ = planned.queue;
  for (size_t i = 0; i < given.operands.size(); ++i)
    HLOCC_TRY(expect(planned.operands[i], given.operands[i]));
  for (size_t i = 0; i < given.results.size(); ++i) {
    const Range to = range(planned.results[i]);
    for (const Id operand : planned.operands)
      if (range(operand).overlaps(to)) return fail("a part's result over its operand");
    for (size_t k = 0; k < i; ++k)
      if (range(planned.results[k]).overlaps(to)) return fail("two results of a part in one place");
    HLOCC_TRY(written_by_queue(planned.results[i], given.results[i]));
  }
  for (size_t i = 0; i < given.operands.size(); ++i)
    in_flight_.push_back({queue_, range(planned.operands[i]), false, given.operands[i]});
  queue_ = kNobodys;
  return {};
}

Status Validator::replay(const Wait& planned, const Wait&) {
  HLOCC_TRY(queue_is_free(planned.queue));
  std::erase_if(in_flight_, [&](const InFlight& held) { return held.queue == planned.queue; });
  return {};
}

Status Validator::replay(const Copy& copy, const Copy&) {
  if (!known(copy.from) || !known(copy.to)) return fail("a copy of no value");
  HLOCC_TRY(at_home({copy.from, copy.to}));
  const Range from = range(copy.from), to = range(copy.to);
  if (from.bytes != to.bytes) return fail("a copy between different sizes");
  const bool argument = plan_.values[static_cast<size_t>(copy.from)].role == ValueRole::kArgument;
  if (from == to && from.bytes > 0 && !argument)
    return fail("a copy to where the bytes already are");
  if (from.bytes == 0) return {};
  if (from.region == kConstants) {
    HLOCC_TRY(expect(from, copy.from));
  } else if (memory_.regions[from.region].owner_at(from.offset) == ByteMap::kNobody) {
    return fail("copies bytes that no value has as " + name(copy.to));
  }
  if (from != to && from.overlaps(to)) return fail("a copy over itself");
  HLOCC_TRY(untouched(from, true));
  HLOCC_TRY(untouched(to, false));
  if (from.region == kConstants)
    write(to, copy.from);
  else
    memory_.regions[to.region].copy(memory_.regions[from.region], from.offset, from.bytes,
                                    to.offset);
  return {};
}

// Run by run, as they are moved: a run that lies where it belongs stays what it is.
Status Validator::replay(const Join& planned, const Join& given) {
  if (planned.to != given.to || planned.runs.size() != given.runs.size())
    return fail("another join than the program's");
  HLOCC_TRY(at_home({planned.to}));
  Range to = range(planned.to);
  if (to.region == kConstants) return fail(name(planned.to) + " is written where it must not be");
  for (size_t i = 0; i < given.runs.size(); ++i) {
    const Run &run = planned.runs[i], &wanted = given.runs[i];
    if (run.offset != wanted.offset || run.bytes != wanted.bytes)
      return fail("another join than the program's");
    HLOCC_TRY(at_home({run.from}));
    Range from = range(run.from);
    from.offset += run.offset;
    from.bytes = to.bytes = run.bytes;
    HLOCC_TRY(untouched(from, true));
    HLOCC_TRY(expect(from, wanted));
    if (from != to) {
      if (from.overlaps(to)) return fail("a run over itself");
      HLOCC_TRY(untouched(to, false));
      memory_.regions[to.region].copy(memory_.regions[from.region], from.offset, from.bytes,
                                      to.offset);
    }
    to.offset += run.bytes;
  }
  return {};
}

Status Validator::replay(const Launch& planned, const Launch& given) {
  const Kernel& kernel = program_.kernels[static_cast<size_t>(given.kernel)];
  if (planned.kernel != given.kernel || planned.integers != given.integers ||
      planned.ranges != given.ranges)
    return fail("another kernel than the program's");
  if (static_cast<int>(planned.operands.size()) != kernel.bound_buffers())
    return fail("a launch with too few places");
  HLOCC_TRY(at_home(planned.operands));
  if (planned.updates.size() != given.updates.size()) return fail("a launch with other updates");
  for (size_t i = 0; i < given.operands.size(); ++i)
    if (kernel.buffers[i].direction == Direction::kIn)
      HLOCC_TRY(expect(planned.operands[i], given.operands[i]));
  for (size_t u = 0; u < given.updates.size(); ++u) HLOCC_TRY(update(planned, given, u));
  HLOCC_TRY(persistent(planned, given));
  HLOCC_TRY(apart(planned, given, kernel));
  for (size_t i = 0; i < planned.operands.size(); ++i) {
    if (!is_written(kernel, i)) continue;
    const Range to = range(planned.operands[i]);
    if (to.region == kConstants)
      return fail(name(planned.operands[i]) + " is written where it must not be");
    HLOCC_TRY(untouched(to, false));
    if (i < given.operands.size())
      write(to, given.operands[i]);
    else
      memory_.regions[to.region].clear(to.offset, to.bytes);
  }
  return {};
}

Status Validator::update(const Launch& planned, const Launch& given, size_t u) {
  const size_t result = static_cast<size_t>(given.updates[u].result);
  HLOCC_TRY(at_home({planned.updates[u].from}));
  if (range(planned.updates[u].from) != range(planned.operands[result]) &&
      range(planned.operands[result]).bytes != 0)
    return fail("an update whose value lies elsewhere");
  return expect(planned.operands[result], given.updates[u].from);
}

Status Validator::persistent(const Launch& planned, const Launch& given) {
  for (size_t i = 0; i < given.operands.size(); ++i) {
    const Id id = given.operands[i];
    if (program_.values[static_cast<size_t>(id)].role == ValueRole::kState)
      HLOCC_TRY(expect(planned.operands[i], id));
  }
  return {};
}

Status Validator::apart(const Launch& planned, const Launch& given, const Kernel& kernel) {
  for (size_t w = 0; w < planned.operands.size(); ++w) {
    if (!is_written(kernel, w)) continue;
    const Range written = range(planned.operands[w]);
    for (size_t o = 0; o < planned.operands.size(); ++o) {
      const Range other = range(planned.operands[o]);
      if (o == w || !written.overlaps(other)) continue;
      if (is_written(kernel, o))
        return fail(name(planned.operands[w]) + " and " + name(planned.operands[o]) +
                    " are written to one place");
      const bool allowed = std::ranges::any_of(given.overlaps, [&](const Overlap& p) {
        return p.result == static_cast<int>(w) && p.operand == static_cast<int>(o) &&
               written.offset <= other.offset - p.bytes &&
               // Ranges read and write at once: in its very place, or not at all.
               (given.ranges == 1 || written.offset == other.offset);
      });
      if (!allowed)
        return fail(name(planned.operands[w]) + " is written over " + name(planned.operands[o]) +
                    " while that is read");
    }
  }
  return {};
}

Status Validator::replay(const UserCall& planned, const UserCall& given) {
  if (planned.symbol != given.symbol || planned.operands.size() != given.operands.size() ||
      planned.results != given.results)
    return fail("another call than the program's");
  HLOCC_TRY(at_home(planned.operands));
  HLOCC_TRY(at_home(planned.results));
  for (const Id id : planned.results) HLOCC_TRY(untouched(range(id), false));
  for (size_t i = 0; i < given.operands.size(); ++i)
    HLOCC_TRY(expect(planned.operands[i], given.operands[i]));
  for (size_t i = 0; i < given.results.size(); ++i) {
    for (const Id operand : planned.operands)
      if (range(operand).overlaps(range(planned.results[i])))
        return fail("a call's result over its operand");
    for (size_t k = 0; k < i; ++k)
      if (range(planned.results[k]).overlaps(range(planned.results[i])))
        return fail("two results of a call in one place");
  }
  for (size_t i = 0; i < given.results.size(); ++i)
    write(range(planned.results[i]), given.results[i]);
  return {};
}

}  // namespace hlocc::planning
