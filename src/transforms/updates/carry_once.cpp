// carry_once: a loop that reads an array part by part and writes another of its shape in the same
// iterations carries one array. A scan over layers takes each layer's cache out of the old array
// and writes the new one into an array of its own, which begins as zeros of which none is left:
// both are in memory all the time. Here the second begins as the first, and each part is read from
// there, which no iteration before has changed. The first is read no more, and leaves the state
// (hoist).
#include <algorithm>
#include <map>

#include "transforms/build.h"
#include "transforms/loops/loops.h"
#include "transforms/pass.h"
#include "transforms/updates/place.h"
#include "transforms/updates/state_lines.h"

namespace hlocc::transforms {
namespace {

// Elements of a loop's state: one that is read in parts, and one that is written so.
struct Carried {
  int64_t read = 0, written = 0, counter = 0;
};

// Elements of a body, taken out of its state.
class Body {
 public:
  explicit Body(const Module& module, const Computation& body)
      : module_(module), c_(body), users_(body.users()) {}

  // Part `counter` along one dimension is written, and nothing else done with the element.
  std::optional<Place> part_written(int64_t element) const {
    const InstructionId next = c_.root_instruction().operands[static_cast<size_t>(element)];
    const std::optional<Written> written = written_part(module_, c_, c_[next]);
    if (!written || state_element(c_, written->array) != element ||
        !along_counter(written->place, next))
      return std::nullopt;
    for (const InstructionId user : users_of(element))
      if (user != next) return std::nullopt;
    return users_[static_cast<size_t>(next)].size() == 1 ? std::optional(written->place)
                                                         : std::nullopt;
  }

  // The element is only handed on, and read part by part at that place.
  bool is_read_at(int64_t element, const Place& place) const {
    if (!is_handed_on(c_, element)) return false;
    const std::vector<InstructionId> users = users_of(element);
    return users.size() > 1 && std::ranges::all_of(users, [&](InstructionId user) {
             return user == c_.root || place_of_slice(c_, c_[user]) == place;
           });
  }

  // Of a place that `along_counter` takes.
  int64_t counter_of(const Place& place) const { return state_element(c_, index_of(place)); }
  static size_t dimension_of(const Place& place) {
    return static_cast<size_t>(
        std::ranges::find_if(place.starts, [](const Start& s) { return s.index != kNone; }) -
        place.starts.begin());
  }

 private:
  static InstructionId index_of(const Place& place) {
    return place.starts[dimension_of(place)].index;
  }

  // One by one along one dimension, and all of the others.
  bool along_counter(const Place& place, InstructionId update) const {
    int along = 0;
    for (size_t d = 0; d < place.starts.size(); ++d) {
      const bool is_index = place.starts[d].index != kNone;
      along += is_index ? 1 : 0;
      if (is_index ? place.sizes[d] != 1 : place.sizes[d] != c_[update].shape.dimensions[d])
        return false;
    }
    return along == 1 && counts_by_one(counter_of(place));
  }
  bool counts_by_one(int64_t counter) const {
    if (counter < 0) return false;
    const Instruction& next = c_[c_.root_instruction().operands[static_cast<size_t>(counter)]];
    if (next.opcode != Opcode::kAdd) return false;
    for (int side = 0; side < 2; ++side) {
      const Instruction& one = c_.operand(next, 1 - side);
      if (state_element(c_, next.operands[static_cast<size_t>(side)]) == counter &&
          one.opcode == Opcode::kConstant &&
          integer_at(one.get<hlo::ConstantAttributes>().value, 0) == 1)
        return true;
    }
    return false;
  }
  std::vector<InstructionId> users_of(int64_t element) const {
    std::vector<InstructionId> all;
    for (InstructionId id = 0; id < static_cast<InstructionId>(c_.instructions.size()); ++id)
      if (state_element(c_, id) == element)
        all.insert(all.end(), users_[static_cast<size_t>(id)].begin(),
                   users_[static_cast<size_t>(id)].end());
    return all;
  }

  const Module& module_;
  const Computation& c_;
  std::vector<std::vector<InstructionId>> users_;
};

// What the condition reads is the counter alone, where its iterations are known (with_one_array).
std::optional<Carried> find_pair(const Module& module, const Instruction& loop) {
  if (!has_open_state(module, loop)) return std::nullopt;
  const Body body(module, module.computations[static_cast<size_t>(loop.called[0])]);
  const auto count = static_cast<int64_t>(loop.shape.tuple.size());
  for (int64_t written = 0; written < count; ++written) {
    const std::optional<Place> place = body.part_written(written);
    if (!place) continue;
    for (int64_t read = 0; read < count; ++read)
      if (hlo::same_dimensions_and_type(loop.shape.tuple[static_cast<size_t>(read)],
                                        loop.shape.tuple[static_cast<size_t>(written)]) &&
          body.is_read_at(read, *place))
        return Carried{read, written, body.counter_of(*place)};
  }
  return std::nullopt;
}

// What the array begins as is needed no more, and its place is that of the result.
bool takes_its_place(const Module& module, ComputationId id, bool is_loop_body, InstructionId loop,
                     const Carried& pair) {
  const Computation& c = module.computations[static_cast<size_t>(id)];
  const auto users = c.users();
  const InstructionId state = c[loop].operands[0];
  if (c[state].opcode != Opcode::kTuple) return false;
  const InstructionId first = c[state].operands[static_cast<size_t>(pair.read)];
  if (users[static_cast<size_t>(first)] != std::vector<InstructionId>{state} ||
      std::ranges::count(c[state].operands, first) > 1)
    return false;
  const auto element_of = [&](InstructionId at) {
    return c[at].opcode == Opcode::kGetTupleElement && c[at].operands[0] == loop
               ? c[at].get<hlo::TupleIndexAttributes>().index
               : -1;
  };
  for (const InstructionId user : users[static_cast<size_t>(loop)])
    if (element_of(user) < 0 || element_of(user) == pair.read) return false;
  const BaseOf base_of = [&](InstructionId at) {
    return element_of(at) == pair.written ? first : kNone;
  };
  for (const StateLine& line : state_lines(module, id, is_loop_body, base_of))
    if (std::ranges::find(line, first) != line.end()) return true;
  return false;
}

// The loop with one array for both; kNone where it may leave a part unwritten.
InstructionId with_one_array(Rewriter& r, const Instruction& loop, const Carried& pair) {
  const ComputationId old = loop.called[0];
  const Place place = *Body(r.module(), r.module().computations[static_cast<size_t>(old)])
                           .part_written(pair.written);
  const Dimensions whole = loop.shape.tuple[static_cast<size_t>(pair.written)].dimensions;
  const InstructionId state = loop.operands[0];
  const Literal* first = constant_value(r, r[state].operands[static_cast<size_t>(pair.counter)]);
  if (first == nullptr || integer_at(*first, 0) != 0 ||
      trip_count(r, loop) != whole[Body::dimension_of(place)])
    return kNone;
  Computation body = r.module().computations[static_cast<size_t>(old)];
  const InstructionId array =
      written_part(r.module(), body,
                   body[body.root_instruction().operands[static_cast<size_t>(pair.written)]])
          ->array;
  for (Instruction& i : body.instructions)
    if (place_of_slice(body, i) && state_element(body, i.operands[0]) == pair.read)
      i.operands[0] = array;
  std::vector<InstructionId> initial = r[state].operands;
  initial[static_cast<size_t>(pair.written)] = initial[static_cast<size_t>(pair.read)];
  Instruction changed = loop;
  changed.operands = {tuple(r, std::move(initial))};
  changed.called[0] = add_computation(r.module(), std::move(body));
  return r.add(std::move(changed));
}

// One array of each loop.
Result<bool> carry_once_in(Module& module, ComputationId id, bool is_loop_body) {
  std::map<std::string, Carried> pairs;
  const Computation& c = module.computations[static_cast<size_t>(id)];
  for (InstructionId at = 0; at < static_cast<InstructionId>(c.instructions.size()); ++at) {
    if (c[at].opcode != Opcode::kWhile) continue;
    const std::optional<Carried> pair = find_pair(module, c[at]);
    if (pair && takes_its_place(module, id, is_loop_body, at, *pair)) pairs[c[at].name] = *pair;
  }
  if (pairs.empty()) return false;
  bool changed = false;
  const Rule rule = [&](Rewriter& r, const Instruction& i) {
    const auto pair = pairs.find(i.name);
    if (i.opcode != Opcode::kWhile || pair == pairs.end()) return kNone;
    const InstructionId one = with_one_array(r, i, pair->second);
    changed |= one != kNone;
    return one;
  };
  HLOCC_TRY(Rewriter(module, id, rule).run());
  return changed;
}

}  // namespace

Status carry_once(hlo::Module& module, const PassContext& context) {
  for (bool changed = true; changed;) {
    changed = false;
    const std::set<ComputationId> bodies = loop_bodies(module);
    for (const ComputationId id : hlo::computation_order(module)) {
      HLOCC_TRY_ASSIGN(const bool here, carry_once_in(module, id, bodies.contains(id)));
      changed |= here;
    }
    // Before the next pair of the same loop: what is read no more leaves the state.
    if (changed) HLOCC_TRY(hoist(module, context));
  }
  return {};
}

}  // namespace hlocc::transforms
