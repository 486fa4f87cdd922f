// hoist: what a while loop carries around unchanged. Tracing puts everything that a loop body uses
// into its state, weights included; a weight that arrives as a loop-carried value could neither be
// folded nor packed. An element that the body hands on unchanged and that starts as a constant
// becomes that constant inside body and condition; users outside read what it started as; elements
// that nobody reads any more leave the state.
#include <algorithm>
#include <set>

#include "transforms/build.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

// --- questions about a computation whose one parameter is the state ---

// Index of the state element that this instruction is, or -1.
int64_t state_element(const Computation& c, InstructionId id) {
  const Instruction& i = c[id];
  const bool is_element = i.opcode == Opcode::kGetTupleElement && i.operands[0] == c.parameters[0];
  return is_element ? i.get<hlo::TupleIndexAttributes>().index : -1;
}

// The state is only ever taken apart.
bool takes_state_apart(const Computation& c) {
  if (c.root == c.parameters[0]) return false;
  for (size_t id = 0; id < c.instructions.size(); ++id)
    for (InstructionId operand : c.instructions[id].operands)
      if (operand == c.parameters[0] && c.instructions[id].opcode != Opcode::kGetTupleElement)
        return false;
  return true;
}

// State elements that the value of `id` depends on.
std::set<int64_t> elements_behind(const Computation& c, InstructionId id) {
  std::set<int64_t> elements;
  std::vector<char> seen(c.instructions.size(), 0);
  std::vector<InstructionId> stack{id};
  while (!stack.empty()) {
    const InstructionId at = stack.back();
    stack.pop_back();
    if (seen[at]++) continue;
    if (const int64_t element = state_element(c, at); element >= 0) elements.insert(element);
    for (InstructionId operand : c[at].operands) stack.push_back(operand);
  }
  return elements;
}

// --- one loop ---

class Loop {
 public:
  Loop(Rewriter& r, const Instruction& loop, const std::vector<char>& used_outside)
      : r_(r), loop_(loop), live_(used_outside), constants_(used_outside.size()) {}

  // The narrowed loop's elements by old index: what stands for each outside.
  std::vector<InstructionId> rewrite() {
    std::vector<InstructionId> outside(live_.size(), kNone);
    for (size_t i = 0; i < live_.size(); ++i)
      if (is_handed_on(i)) find_constant(i);
    bool changed = false;
    for (size_t i = 0; i < live_.size(); ++i) {
      if (!is_handed_on(i)) continue;
      // Outside, it is what it started as.
      outside[i] = element(r_, loop_.operands[0], static_cast<int64_t>(i));
      changed |= live_[i] != 0 || constants_[i].has_value();
      live_[i] = 0;
    }
    spread_liveness();
    const bool narrower = std::count(live_.begin(), live_.end(), 0) > 0;
    if (!changed && !narrower) return {};
    const InstructionId narrowed = rebuild();
    int64_t next = 0;
    for (size_t i = 0; i < live_.size(); ++i) {
      if (!live_[i]) continue;
      const InstructionId value = element(r_, narrowed, next++);
      if (outside[i] == kNone) outside[i] = value;
    }
    return outside;
  }

 private:
  const Computation& body() const { return r_.module().computations[loop_.called[0]]; }
  const Computation& condition() const { return r_.module().computations[loop_.called[1]]; }

  bool is_handed_on(size_t i) const {
    return state_element(body(), body().root_instruction().operands[i]) == static_cast<int64_t>(i);
  }

  void find_constant(size_t i) {
    const InstructionId init =
        r_[loop_.operands[0]].opcode == Opcode::kTuple ? r_[loop_.operands[0]].operands[i] : kNone;
    if (init == kNone) return;
    if (const Literal* value = constant_value(r_, init)) {
      constants_[i] = *value;
    } else if (r_[init].opcode == Opcode::kBroadcast) {
      constants_[i] = splat_value(r_, init);
    }
  }

  // Live: read outside, by the condition, or on the way to another live element's next value.
  void spread_liveness() {
    const auto mark = [&](const std::set<int64_t>& elements) {
      bool grew = false;
      for (int64_t element : elements) {
        if (live_[element] || constants_[element]) continue;
        live_[element] = grew = true;
      }
      return grew;
    };
    mark(elements_behind(condition(), condition().root));
    for (const Computation* c : {&body(), &condition()})
      for (size_t id = 0; id < c->instructions.size(); ++id)
        if (hlo::has_side_effect(r_.module(), c->instructions[id]))
          mark(elements_behind(*c, static_cast<InstructionId>(id)));
    for (bool grew = true; grew;) {
      grew = false;
      for (size_t i = 0; i < live_.size(); ++i)
        if (live_[i]) grew |= mark(elements_behind(body(), body().root_instruction().operands[i]));
    }
  }

  // A copy of body or condition over the narrowed state.
  ComputationId narrowed(ComputationId id, const Shape& state, bool is_body) {
    const ComputationId copy = add_computation(r_.module(), r_.module().computations[id]);
    const Computation original = r_.module().computations[id];
    std::vector<int64_t> places(live_.size(), 0);
    for (size_t i = 1; i < live_.size(); ++i) places[i] = places[i - 1] + (live_[i - 1] ? 1 : 0);
    InstructionId parameter = kNone;
    const Rule rule = [&](Rewriter& inner, const Instruction& i) -> InstructionId {
      if (i.opcode == Opcode::kParameter)
        return parameter = inner.add(hlo::make_parameter(0, state, i.name));
      if (i.opcode != Opcode::kGetTupleElement || i.operands[0] != parameter) return kNone;
      const size_t index = static_cast<size_t>(i.get<hlo::TupleIndexAttributes>().index);
      if (live_[index]) return element(inner, parameter, places[index]);
      if (constants_[index])
        return splat_or_constant(inner, *constants_[index], i.shape.dimensions);
      // Dead: only the old root, which is replaced, reads it.
      return default_value(inner, i.shape);
    };
    const RootRule root_rule = [&](Rewriter& inner, InstructionId root) {
      if (!is_body) return root;
      const std::vector<InstructionId> old = inner[root].operands;
      std::vector<InstructionId> elements;
      for (size_t i = 0; i < live_.size(); ++i)
        if (live_[i]) elements.push_back(old[i]);
      return tuple(inner, std::move(elements));
    };
    const Result<bool> done = Rewriter(r_.module(), copy, rule).run(root_rule);
    HLOCC_CHECK(done.ok(), "narrowing a loop's state can't fail");
    return copy;
  }

  static InstructionId splat_or_constant(Rewriter& r, const Literal& value,
                                         const Dimensions& dimensions) {
    return value.shape().is_array() && value.shape().dimensions == dimensions
               ? constant(r, value)
               : splat(r, value, dimensions);
  }

  InstructionId rebuild() {
    std::vector<InstructionId> init;
    for (size_t i = 0; i < live_.size(); ++i)
      if (live_[i]) init.push_back(element(r_, loop_.operands[0], static_cast<int64_t>(i)));
    const InstructionId state = tuple(r_, std::move(init));
    const Shape shape = r_.shape(state);
    const ComputationId body = narrowed(loop_.called[0], shape, true),
                        condition = narrowed(loop_.called[1], shape, false);
    return r_.add(hlo::make(Opcode::kWhile, shape, {state}, {}, {body, condition}));
  }

  Rewriter& r_;
  const Instruction& loop_;
  std::vector<char> live_;
  std::vector<std::optional<Literal>> constants_;
};

// Which elements of each while loop of a computation are read by get-tuple-element; empty: the
// loop's tuple is used whole.
std::map<std::string, std::vector<char>> elements_read(const Computation& c) {
  std::map<std::string, std::vector<char>> read;
  for (const Instruction& i : c.instructions)
    if (i.opcode == Opcode::kWhile && i.shape.is_tuple())
      read[i.name].assign(i.shape.tuple.size(), 0);
  for (const Instruction& i : c.instructions)
    for (InstructionId operand : i.operands) {
      const auto found = read.find(c[operand].name);
      if (found == read.end()) continue;
      if (i.opcode == Opcode::kGetTupleElement)
        found->second[i.get<hlo::TupleIndexAttributes>().index] = 1;
      else
        std::fill(found->second.begin(), found->second.end(), 1);
    }
  const auto root = read.find(c.root_instruction().name);
  if (root != read.end()) std::fill(root->second.begin(), root->second.end(), 1);
  return read;
}

InstructionId narrowed_loop(Rewriter& r, const Instruction& loop, const std::vector<char>& read) {
  const auto called = [&](int i) -> const Computation& {
    return r.module().computations[loop.called[i]];
  };
  if (!takes_state_apart(called(0)) || !takes_state_apart(called(1))) return kNone;
  if (called(0).root_instruction().opcode != Opcode::kTuple) return kNone;
  const std::vector<InstructionId> elements = Loop(r, loop, read).rewrite();
  if (elements.empty()) return kNone;
  std::vector<InstructionId> parts;
  for (size_t i = 0; i < elements.size(); ++i)
    parts.push_back(elements[i] != kNone ? elements[i] : default_value(r, loop.shape.tuple[i]));
  return tuple(r, std::move(parts));
}

}  // namespace

Status hoist(hlo::Module& module, const PassContext&) {
  // Inner loops first: what they no longer read, outer loops need not carry.
  for (ComputationId id : hlo::computation_order(module)) {
    const auto read = elements_read(module.computations[id]);
    const Rule rule = [&](Rewriter& r, const Instruction& i) {
      if (i.opcode == Opcode::kGetTupleElement && r[i.operands[0]].opcode == Opcode::kTuple)
        return element(r, i.operands[0], i.get<hlo::TupleIndexAttributes>().index);
      if (i.opcode != Opcode::kWhile || !i.shape.is_tuple()) return kNone;
      return narrowed_loop(r, i, read.at(i.name));
    };
    HLOCC_TRY(Rewriter(module, id, rule).run());
  }
  hlo::compact(module);
  return {};
}

}  // namespace hlocc::transforms
