// The validator: replays a plan beside the program that it was made from, and asks at each read
// whether the bytes found are those of the value that the program names. It knows nothing of
// liveness, merging or packing. A while is replayed for none, one and two turns, a conditional for
// each branch, a loop step for two turns; what memory holds afterwards is what all ways agree on.
// All of it twice: with arguments in the arena, and with arguments that the caller brought.
#include <algorithm>
#include <map>
#include <set>

#include "planning/byte_map.h"
#include "planning/plan.h"
#include "planning/step_values.h"
#include "support/text.h"

namespace hlocc::planning {
namespace {

using namespace kernel;

struct Memory {
  std::map<int, ByteMap>
      regions;  // 0 arena, 1 state, 2 + leaf: an argument that the caller brought
  void intersect(const Memory& other) {
    for (auto& [number, region] : regions) {
      const auto theirs = other.regions.find(number);
      region.intersect(theirs == other.regions.end() ? ByteMap() : theirs->second);
    }
  }
  void clear_owners(const std::set<Id>& ids) {
    for (auto& [number, region] : regions)
      region.clear_owners([&](int owner) { return ids.contains(owner); });
  }
};

struct Range {
  int region;
  int64_t offset, bytes;
  bool overlaps(const Range& o) const {
    return region == o.region && offset < o.offset + o.bytes && o.offset < offset + bytes;
  }
  bool operator==(const Range&) const = default;
};
constexpr int kConstants = -1;

class Validator {
 public:
  Validator(const Program& program, const Plan& plan, bool callers_arguments)
      : program_(program), plan_(plan), callers_(callers_arguments) {
    for_each_step(program.steps, [&](const Step& step) {
      if (const auto* copy = std::get_if<Copy>(&step.what)) copy_of_[copy->to] = copy->from;
      for (const Id id : reads_of(step, program.kernels)) ++reads_[id];
    });
    for (const Id id : program.results) ++reads_[id];
    for_each_step(plan.steps, [&](const Step& step) {
      for (const Id id : reads_of(step, program.kernels)) touched_.insert(id);
      for (const Id id : writes_of(step, program.kernels)) touched_.insert(id);
    });
  }

  Status run() {
    HLOCC_TRY(places());
    HLOCC_TRY(constants());
    for (size_t i = 0; i < program_.values.size(); ++i) {
      const ValueRole role = program_.values[i].role;
      if (role == ValueRole::kArgument || role == ValueRole::kState)
        write(range(static_cast<Id>(i)), static_cast<Id>(i));
    }
    HLOCC_TRY(block(plan_.steps, program_.steps));
    return leaves();
  }

 private:
  // --- what the plan says ---

  Diagnostic fail(const std::string& what) const {
    Diagnostic diagnostic = error(DiagnosticKind::kInternal, "plan: " + what);
    if (origin_ == nullptr || origin_->empty()) return diagnostic;
    return std::move(diagnostic).note("in " + join(*origin_, ", "));
  }
  std::string name(Id id) const {
    if (id < 0) return "nothing";
    return cat("value ", id,
               id < static_cast<Id>(plan_.values.size())
                   ? cat(" (", plan_.values[static_cast<size_t>(id)].name, ")")
                   : "");
  }
  bool known(Id id) const { return id >= 0 && id < static_cast<Id>(plan_.places.size()); }

  Range range(const Place& place) const {
    const int region = place.region == Region::kArena   ? 0
                       : place.region == Region::kState ? 1
                                                        : kConstants;
    return {region, place.offset, place.bytes};
  }
  Range range(Id id) const {
    const ProgramValue& value = plan_.values[static_cast<size_t>(id)];
    if (callers_ && value.role == ValueRole::kArgument) return {2 + value.leaf, 0, value.bytes()};
    return range(plan_.places[static_cast<size_t>(id)]);
  }
  // Copies are the value that they copy.
  Id canonical(Id id) const {
    for (auto found = copy_of_.find(id); found != copy_of_.end(); found = copy_of_.find(id))
      id = found->second;
    return id;
  }

  Status places() const {
    if (plan_.values.size() < program_.values.size() || plan_.places.size() != plan_.values.size())
      return fail("not every value has a place");
    const std::map<Region, int64_t> room = {{Region::kArena, plan_.arena_bytes},
                                            {Region::kState, plan_.state_bytes},
                                            {Region::kConstant, plan_.constant_bytes}};
    for (size_t i = 0; i < plan_.places.size(); ++i) {
      const Place& place = plan_.places[i];
      const ProgramValue& value = plan_.values[i];
      const Id id = static_cast<Id>(i);
      if (place.bytes != value.bytes()) return fail(name(id) + " has a place of another size");
      // A value that no step names, say one carried by a while that needs it no longer, takes no room.
      const bool holds = touched_.contains(id) || value.role != ValueRole::kTemporary;
      if (place.offset < 0 || (holds && place.offset + place.bytes > room.at(place.region)))
        return fail(name(id) + " lies outside of its region");
      if (place.offset % scalar_bytes(value.element) != 0)
        return fail(name(id) + " lies at an odd address");
      const bool constant = value.role == ValueRole::kConstant,
                 state = value.role == ValueRole::kState;
      if (constant != (place.region == Region::kConstant))
        return fail(name(id) + " lies in a region of another role");
      if (state && place.region != Region::kState)
        return fail(name(id) + " is state outside of the state");
      if (value.role == ValueRole::kArgument && place.region != Region::kArena)
        return fail(name(id) + " is an argument outside of the arena");
    }
    return {};
  }

  // Writes the pool element by element and reads it back, bytes and widths both.
  Status constants() const {
    std::vector<std::byte> pool(static_cast<size_t>(plan_.constant_bytes));
    std::vector<int> width(pool.size());
    for (const bool check : {false, true})
      for (size_t i = 0; i < plan_.values.size(); ++i) {
        const ProgramValue& value = plan_.values[i];
        if (value.role != ValueRole::kConstant) continue;
        const size_t begin = static_cast<size_t>(plan_.places[i].offset);
        for (size_t k = 0; k < value.data->size(); ++k) {
          const int bytes = scalar_bytes(value.element);
          if (!check)
            pool[begin + k] = (*value.data)[k], width[begin + k] = bytes;
          else if (pool[begin + k] != (*value.data)[k] || width[begin + k] != bytes)
            return fail(name(static_cast<Id>(i)) + " is overwritten in the pool of constants");
        }
      }
    return {};
  }

  // --- memory ---

  void write(const Range& range, Id owner) {
    memory_.regions[range.region].write(range.offset, range.bytes, owner);
  }

  // The bytes that plan value `id` names must be those of program value `wanted`.
  Status expect(Id id, Id wanted) {
    if (!known(id)) return fail("no such value " + std::to_string(id));
    return expect(range(id), wanted);
  }
  Status expect(const Range& range, Id wanted) {
    wanted = canonical(wanted);
    if (range.bytes != program_.values[static_cast<size_t>(wanted)].bytes())
      return fail(name(wanted) + " is read with another size");
    if (range.region == kConstants) {
      if (range == this->range(wanted)) return {};
      return fail("reads a constant in place of " + name(wanted));
    }
    const auto other = memory_.regions[range.region].other_than(range.offset, range.bytes, wanted);
    if (other)
      return fail(cat("reads ", name(wanted), " but finds bytes of ", name(*other), " between ",
                      range.offset, " and ", range.offset + range.bytes));
    return {};
  }

  // --- steps ---

  // Steps are recognised by what they define; state that is changed in place keeps its order.
  using Key = std::vector<Id>;
  Key key(const Step& step) const {
    Key ids;
    if (const auto* loop = std::get_if<LoopStep>(&step.what)) {
      for (const Step& inner : loop->body) {
        if (std::holds_alternative<Copy>(inner.what)) continue;
        const Key inside = key(inner);
        ids.insert(ids.end(), inside.begin(), inside.end());
      }
      std::ranges::sort(ids);
      return ids;
    }
    for (const Id id : writes_of(step, program_.kernels))
      if (id < static_cast<Id>(program_.values.size())) ids.push_back(id);
    return ids;
  }

  // Copies are the planner's affair: they hand on whatever they find, and readers see whether it is
  // right.
  Status block(const Steps& planned, const Steps& given) {
    std::multimap<Key, const Step*> open;
    for (const Step& step : given)
      if (!std::holds_alternative<Copy>(step.what)) open.emplace(key(step), &step);
    for (const Step& step : planned) {
      origin_ = &step.origin;
      if (const auto* copy = std::get_if<Copy>(&step.what)) {
        HLOCC_TRY(replay(*copy, *copy));
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
    return {};
  }

  Status replay(const Copy& copy, const Copy&) {
    if (!known(copy.from) || !known(copy.to)) return fail("a copy of no value");
    const Range from = range(copy.from), to = range(copy.to);
    if (from.bytes != to.bytes) return fail("a copy between different sizes");
    const bool argument = plan_.values[static_cast<size_t>(copy.from)].role == ValueRole::kArgument;
    if (from == to && from.bytes > 0 && !argument)
      return fail("a copy to where the bytes already are");
    if (from.bytes == 0) return {};
    const Id owner =
        from.region == kConstants ? copy.from : memory_.regions[from.region].owner_at(from.offset);
    if (owner == ByteMap::kNobody) return fail("copies bytes of nobody as " + name(copy.to));
    HLOCC_TRY(expect(from, owner));
    if (from != to && from.overlaps(to)) return fail("a copy over itself");
    write(to, owner);
    return {};
  }

  Status replay(const Launch& planned, const Launch& given) {
    const Kernel& kernel = program_.kernels[static_cast<size_t>(given.kernel)];
    if (planned.kernel != given.kernel || planned.integers != given.integers)
      return fail("another kernel than the program's");
    if (static_cast<int>(planned.operands.size()) != kernel.bound_buffers())
      return fail("a launch with too few places");
    if (planned.updates.size() != given.updates.size()) return fail("a launch with other updates");
    for (size_t i = 0; i < given.operands.size(); ++i)
      if (kernel.buffers[i].direction == Direction::kIn)
        HLOCC_TRY(expect(planned.operands[i], given.operands[i]));
    for (size_t u = 0; u < given.updates.size(); ++u) HLOCC_TRY(update(planned, given, u));
    HLOCC_TRY(persistent(planned, given, kernel));
    HLOCC_TRY(apart(planned, given, kernel));
    for (size_t i = 0; i < planned.operands.size(); ++i) {
      if (!is_written(kernel, i)) continue;
      const Range to = range(planned.operands[i]);
      if (to.region != 0 && to.region != 1)
        return fail(name(planned.operands[i]) + " is written where it must not be");
      if (i < given.operands.size())
        write(to, given.operands[i]);
      else
        memory_.regions[to.region].clear(to.offset, to.bytes);
    }
    return {};
  }

  Status update(const Launch& planned, const Launch& given, size_t u) {
    const size_t result = static_cast<size_t>(given.updates[u].result);
    // The first turn of a loop step finds nothing of its own yet.
    if (given.updates[u].from == given.operands[result]) return {};
    if (range(planned.updates[u].from) != range(planned.operands[result]) &&
        range(planned.operands[result]).bytes != 0)
      return fail("an update whose value lies elsewhere");
    return expect(planned.operands[result], given.updates[u].from);
  }

  // In later turns of a loop step, what the turns make together must still be there; so must state
  // changed in place.
  Status persistent(const Launch& planned, const Launch& given, const Kernel& kernel) {
    for (size_t i = 0; i < given.operands.size(); ++i) {
      const Id id = given.operands[i];
      if (!is_written(kernel, i)) continue;
      const bool in_place = program_.values[static_cast<size_t>(id)].role == ValueRole::kState;
      if (in_place || turns_together_.contains(id)) HLOCC_TRY(expect(planned.operands[i], id));
    }
    return {};
  }

  Status apart(const Launch& planned, const Launch& given, const Kernel& kernel) {
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
                 written.offset <= other.offset - p.bytes;
        });
        if (!allowed)
          return fail(name(planned.operands[w]) + " is written over " + name(planned.operands[o]) +
                      " while that is read");
      }
    }
    return {};
  }

  Status replay(const UserCall& planned, const UserCall& given) {
    if (planned.symbol != given.symbol || planned.operands.size() != given.operands.size() ||
        planned.results != given.results)
      return fail("another call than the program's");
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

  std::set<Id> defined_in(const Steps& steps) const {
    std::set<Id> ids;
    for_each_step(steps, [&](const Step& step) {
      for (const Id id : writes_of(step, program_.kernels))
        if (program_.values[static_cast<size_t>(id)].role == ValueRole::kTemporary) ids.insert(id);
    });
    return ids;
  }

  Status replay(const LoopStep& planned, const LoopStep& given) {
    if (planned.count != given.count) return fail("a loop of another count");
    HLOCC_TRY(block(planned.body, given.body));
    if (given.count < 2) return {};
    std::map<Id, int> reads_inside;
    std::set<Id> kept, stale = defined_in(given.body);
    for_each_step(given.body, [&](const Step& step) {
      for (const Id id : reads_of(step, program_.kernels)) ++reads_inside[id];
      if (const auto* launch = std::get_if<Launch>(&step.what))
        for (const Update& update : launch->updates)
          if (update.from == launch->operands[static_cast<size_t>(update.result)])
            kept.insert(update.from);
    });
    for (const Id id : stale)
      if (reads_.contains(id) && reads_.at(id) > reads_inside[id]) kept.insert(id);
    for (const Id id : kept) stale.erase(id);
    memory_.clear_owners(stale);
    const std::set<Id> before = turns_together_;
    turns_together_.insert(kept.begin(), kept.end());
    HLOCC_TRY(block(planned.body, given.body));
    turns_together_ = before;
    return {};
  }

  Status same_place(Id a, Id b) const {
    if (!known(a) || !known(b)) return fail("no such value");
    if (range(plan_.places[static_cast<size_t>(a)]) ==
            range(plan_.places[static_cast<size_t>(b)]) ||
        range(a).bytes == 0)
      return {};
    return fail(name(a) + " and " + name(b) +
                " do not share a place, though control hands one to the other");
  }

  // All values are handed on at once: first all are checked, then the old names go, then the new
  // ones are written.
  Status hand_on(const std::vector<Id>& places, const std::vector<Id>& wanted,
                 const std::vector<Id>& names, const std::set<Id>& stale) {
    for (size_t i = 0; i < places.size(); ++i)
      HLOCC_TRY(expect(range(plan_.places[static_cast<size_t>(places[i])]), wanted[i]));
    memory_.clear_owners(stale);
    for (size_t i = 0; i < places.size(); ++i)
      write(range(plan_.places[static_cast<size_t>(places[i])]), names[i]);
    return {};
  }

  Status replay(const WhileStep& planned, const WhileStep& given) {
    if (planned.carried != given.carried || planned.result != given.result ||
        planned.initial.size() != given.initial.size() || planned.next.size() != given.next.size())
      return fail("another while than the program's");
    for (size_t i = 0; i < given.carried.size(); ++i)
      for (const Id id : {planned.initial[i], planned.next[i], planned.result[i]})
        HLOCC_TRY(same_place(planned.carried[i], id));
    std::set<Id> stale = defined_in(given.condition);
    stale.merge(defined_in(given.body));
    stale.insert(given.carried.begin(), given.carried.end());
    HLOCC_TRY(hand_on(planned.carried, given.initial, given.carried, {}));
    Memory leaving;
    for (int turn = 0; turn < 3; ++turn) {
      HLOCC_TRY(block(planned.condition, given.condition));
      HLOCC_TRY(expect(planned.condition_value, given.condition_value));
      if (turn == 0)
        leaving = memory_;
      else
        leaving.intersect(memory_);
      if (turn == 2) break;
      HLOCC_TRY(block(planned.body, given.body));
      HLOCC_TRY(hand_on(planned.carried, given.next, given.carried, stale));
    }
    memory_ = std::move(leaving);
    return hand_on(planned.carried, given.carried, given.result, stale);
  }

  Status replay(const ConditionalStep& planned, const ConditionalStep& given) {
    if (planned.results != given.results || planned.branches.size() != given.branches.size())
      return fail("another conditional");
    HLOCC_TRY(expect(planned.selector, given.selector));
    const Memory before = memory_;
    std::optional<Memory> joined;
    for (size_t b = 0; b < given.branches.size(); ++b) {
      memory_ = before;
      HLOCC_TRY(block(planned.branches[b], given.branches[b]));
      for (size_t i = 0; i < given.results.size(); ++i)
        HLOCC_TRY(same_place(planned.yields[b][i], planned.results[i]));
      HLOCC_TRY(
          hand_on(planned.results, given.yields[b], given.results, defined_in(given.branches[b])));
      if (joined)
        joined->intersect(memory_);
      else
        joined = memory_;
    }
    memory_ = std::move(*joined);
    return {};
  }

  // --- the end ---

  Status leaves() {
    origin_ = nullptr;
    if (plan_.result_places.size() != program_.results.size() ||
        plan_.argument_places.size() != program_.arguments.size() ||
        plan_.argument_place_reused.size() != program_.arguments.size())
      return fail("not every leaf has a place");
    for (size_t i = 0; i < program_.results.size(); ++i) {
      const Range place = range(plan_.result_places[i]);
      HLOCC_TRY(expect(place, program_.results[i]));
      if (place.region == kConstants) return fail(cat("result ", i, " is a constant's place"));
      for (size_t k = 0; k < i; ++k)
        if (place.overlaps(range(plan_.result_places[k])))
          return fail(cat("results ", k, " and ", i, " share bytes"));
      HLOCC_TRY(donation(i, place));
    }
    for (size_t i = 0; i < program_.arguments.size(); ++i) {
      const Id id = program_.arguments[i];
      if (range(plan_.argument_places[i]) != range(plan_.places[static_cast<size_t>(id)]))
        return fail(cat("argument ", i, " has two places"));
      const bool consumed = plan_.argument_place_reused[i] || donated_.contains(id);
      if (!consumed) HLOCC_TRY(expect(id, id));
    }
    for (size_t i = 0; i < program_.values.size(); ++i)
      if (program_.values[i].role == ValueRole::kState && program_.values[i].leaf == kernel::kNone)
        HLOCC_TRY(expect(static_cast<Id>(i), static_cast<Id>(i)));
    return {};
  }

  Status donation(size_t result, const Range& place) {
    if (result >= program_.signature.results.size()) return {};
    const Leaf& leaf = program_.signature.results[result];
    if (!leaf.donated || leaf.partner == kernel::kNone) return {};
    const Id argument = program_.arguments[static_cast<size_t>(leaf.partner)];
    donated_.insert(argument);
    if (program_.values[static_cast<size_t>(argument)].role == ValueRole::kState &&
        place != range(argument))
      return fail(cat("result ", result, " does not lie where its argument does"));
    return {};
  }

  const Program& program_;
  const Plan& plan_;
  bool callers_;
  std::map<Id, Id> copy_of_;
  std::map<Id, int> reads_;  // how many steps and leaves read it
  std::set<Id> touched_;           // by the steps of the plan
  std::set<Id> turns_together_, donated_;
  Memory memory_;
  const std::vector<std::string>* origin_ = nullptr;
};

}  // namespace

Status validate(const Program& program, const Plan& plan) {
  HLOCC_TRY(Validator(program, plan, false).run());
  return Validator(program, plan, true).run();
}

}  // namespace hlocc::planning
