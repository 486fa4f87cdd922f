// The validator: replays a plan beside the program that it was made from, and asks at each read
// whether the bytes found are those of the value that the program names. It knows nothing of
// liveness, merging or packing. A while is replayed for none, one and two iterations, a conditional
// for each branch; what memory holds afterwards is what all ways agree on. All of it twice: with
// arguments in the arena, and with arguments that the caller brought.
#include "planning/validator.h"

#include <algorithm>

#include "planning/kept_rows.h"
#include "support/text.h"

namespace hlocc::planning {

using namespace kernel;

Validator::Validator(const Program& program, const Plan& plan, bool callers_arguments)
    : program_(program), plan_(plan), callers_(callers_arguments) {
  for_each_step(program.steps, [&](const Step& step) {
    if (const auto* copy = std::get_if<Copy>(&step.what)) copy_of_[copy->to] = copy->from;
    if (const auto* join = std::get_if<Join>(&step.what)) joined_[join->to] = join->runs;
    for (const Id id : reads_of(step, program.kernels)) ++reads_[id];
  });
  for (const Id id : program.results) ++reads_[id];
  for_each_step(plan.steps, [&](const Step& step) {
    for (const Id id : reads_of(step, program.kernels)) touched_.insert(id);
    for (const Id id : writes_of(step, program.kernels)) touched_.insert(id);
  });
}

void Validator::Memory::intersect(const Memory& other) {
  for (auto& [number, region] : regions) {
    const auto theirs = other.regions.find(number);
    region.intersect(theirs == other.regions.end() ? ByteMap() : theirs->second);
  }
}

void Validator::Memory::clear_owners(const std::set<Id>& ids) {
  for (auto& [number, region] : regions)
    region.clear_owners([&](int owner) { return ids.contains(owner); });
}

Status Validator::run() {
  HLOCC_TRY(places());
  HLOCC_TRY(constants());
  HLOCC_TRY(pieces());
  HLOCC_TRY(kept());
  for (size_t i = 0; i < program_.values.size(); ++i) {
    const ValueRole role = program_.values[i].role;
    if (role == ValueRole::kArgument || role == ValueRole::kState)
      write(range(static_cast<Id>(i)), static_cast<Id>(i));
  }
  HLOCC_TRY(block(plan_.steps, program_.steps));
  for (const Id id : kept_rows(program_, plan_.steps))
    if (id < static_cast<Id>(program_.values.size())) HLOCC_TRY(expect(id, id));
  return leaves();
}

Diagnostic Validator::fail(const std::string& what) const {
  Diagnostic diagnostic = error(DiagnosticKind::kInternal, "plan: " + what);
  if (origin_ == nullptr || origin_->empty()) return diagnostic;
  return std::move(diagnostic).note("in " + join(origin_->hlo, ", "));
}

std::string Validator::name(Id id) const {
  if (id < 0) return "nothing";
  return cat("value ", id,
             id < static_cast<Id>(plan_.values.size())
                 ? cat(" (", plan_.values[static_cast<size_t>(id)].name, ")")
                 : "");
}

Validator::Range Validator::range(const Place& place) const {
  if (place.memory > 0) return {-1 - place.memory, place.offset, place.bytes};
  const int region = place.region == Region::kArena   ? 0
                     : place.region == Region::kState ? 1
                                                      : kConstants;
  return {region, place.offset, place.bytes};
}

Validator::Range Validator::range(Id id) const {
  const ProgramValue& value = plan_.values[static_cast<size_t>(id)];
  if (value.role == ValueRole::kArgument && (callers_ || program_.is_streamed(id)))
    return {2 + value.leaf, 0, value.bytes()};
  return range(plan_.places[static_cast<size_t>(id)]);
}

Id Validator::canonical(Id id) const {
  for (auto found = copy_of_.find(id); found != copy_of_.end(); found = copy_of_.find(id))
    id = found->second;
  return id;
}

std::vector<Validator::Run> Validator::bytes_of(const Run& run) const {
  const Id id = canonical(run.from);
  const auto found = joined_.find(id);
  if (found == joined_.end()) return {{id, run.offset, run.bytes}};
  std::vector<Run> bytes;
  int64_t skipped = run.offset, left = run.bytes;
  for (Run part : found->second) {
    const int64_t skips = std::min(skipped, part.bytes);
    skipped -= skips;
    part.offset += skips;
    part.bytes = std::min(part.bytes - skips, left);
    left -= part.bytes;
    if (part.bytes == 0) continue;
    for (const Run& inner : bytes_of(part)) bytes.push_back(inner);
  }
  return bytes;
}

Status Validator::places() const {
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
    // A value that no step names, say one carried by a while that needs it no longer, takes no
    // room.
    const bool holds = touched_.contains(id) || value.role != ValueRole::kTemporary;
    if (place.memory != value.memory)
      return fail(cat(name(id), " lies in memory ", place.memory, " instead of ", value.memory));
    const size_t device = static_cast<size_t>(place.memory) - 1;  // huge where it is none
    if (place.memory < 0 || (place.memory > 0 && device >= plan_.memories.size()))
      return fail(cat("there is no memory ", place.memory, " for ", name(id)));
    const int64_t bytes = place.memory > 0 ? plan_.memories[device].bytes : room.at(place.region);
    if (place.offset < 0 || (holds && place.offset + place.bytes > bytes))
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

// Constants that share bytes of the pool hold the same ones, in elements of one width. In the order
// of their places, each is compared with the one before it that reaches furthest: what lies between
// the two has been found to agree with that one.
Status Validator::constants() const {
  std::vector<size_t> order;
  for (size_t i = 0; i < plan_.values.size(); ++i)
    if (plan_.values[i].role == ValueRole::kConstant) order.push_back(i);
  const auto begin_of = [&](size_t i) { return plan_.places[i].offset; };
  const auto end_of = [&](size_t i) {
    return begin_of(i) + static_cast<int64_t>(plan_.values[i].data->size());
  };
  std::ranges::stable_sort(order, {}, begin_of);
  for (size_t k = 1, furthest = 0; k < order.size(); ++k) {
    const size_t left = order[furthest], right = order[k];
    const ProgramValue &a = plan_.values[left], &b = plan_.values[right];
    const int64_t shared = std::min(end_of(left), end_of(right)) - begin_of(right);
    const bool same =
        shared <= 0 || (scalar_bytes(a.element) == scalar_bytes(b.element) &&
                        std::equal(b.data->begin(), b.data->begin() + shared,
                                   a.data->begin() + (begin_of(right) - begin_of(left))));
    if (!same)
      return fail(name(static_cast<Id>(left)) + " is overwritten in the pool of constants");
    if (end_of(right) > end_of(left)) furthest = k;
  }
  return {};
}

void Validator::write(const Range& range, Id owner) {
  memory_.regions[range.region].write(range.offset, range.bytes, owner);
}

Status Validator::expect(Id id, Id wanted) {
  if (!known(id)) return fail("no such value " + std::to_string(id));
  return expect(range(id), wanted);
}

Status Validator::expect(const Range& range, Id wanted) {
  wanted = canonical(wanted);
  HLOCC_TRY(untouched(range, true));
  if (range.bytes != program_.values[static_cast<size_t>(wanted)].bytes())
    return fail(name(wanted) + " is read with another size");
  if (range.region == kConstants) {
    if (range == this->range(wanted)) return {};
    return fail("reads a constant in place of " + name(wanted));
  }
  return expect(range, Run{wanted, 0, range.bytes});
}

Status Validator::expect(const Range& range, const Run& wanted) {
  int64_t at = range.offset;
  for (const Run& run : bytes_of(wanted)) {
    const auto other =
        memory_.regions[range.region].other_than(at, run.bytes, run.from, run.offset);
    if (other)
      return fail(cat("reads ", name(wanted.from), " but finds bytes of ", name(*other),
                      " between ", range.offset, " and ", range.offset + range.bytes));
    at += run.bytes;
  }
  return {};
}

Status Validator::leaves() {
  origin_ = nullptr;
  if (plan_.result_places.size() != program_.results.size() ||
      plan_.argument_places.size() != program_.arguments.size() ||
      plan_.argument_place_reused.size() != program_.arguments.size())
    return fail("not every leaf has a place");
  for (size_t i = 0; i < program_.results.size(); ++i) {
    const Range place = range(plan_.result_places[i]);
    HLOCC_TRY(expect(place, program_.results[i]));
    if (place.region == kConstants) return fail(cat("result ", i, " is a constant's place"));
    HLOCC_TRY(donation(i, place));
  }
  HLOCC_TRY(results_apart());
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

// Of places in their order, the first two that overlap are neighbours.
Status Validator::results_apart() const {
  std::vector<size_t> order;
  for (size_t i = 0; i < plan_.result_places.size(); ++i)
    if (plan_.result_places[i].bytes > 0) order.push_back(i);
  const auto of = [&](size_t i) { return range(plan_.result_places[i]); };
  std::ranges::stable_sort(order, {},
                           [&](size_t i) { return std::pair(of(i).region, of(i).offset); });
  for (size_t k = 1; k < order.size(); ++k) {
    if (of(order[k - 1]).overlaps(of(order[k]))) {
      const auto [first, second] = std::minmax(order[k - 1], order[k]);
      return fail(cat("results ", first, " and ", second, " share bytes"));
    }
  }
  return {};
}

Status Validator::donation(size_t result, const Range& place) {
  // A program in text may come without a signature.
  if (result >= program_.signature.results.size()) return {};
  const Leaf& leaf = program_.signature.results[result];
  if (!leaf.donated) return {};
  const Id argument = program_.arguments[static_cast<size_t>(leaf.partner)];
  donated_.insert(argument);
  if (place != range(argument))
    return fail(cat("result ", result, " does not lie where its argument does"));
  return {};
}

Status validate(const Program& program, const Plan& plan) {
  HLOCC_TRY(Validator(program, plan, false).run());
  return Validator(program, plan, true).run();
}

}  // namespace hlocc::planning
