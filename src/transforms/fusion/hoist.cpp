// hoist: what a while loop carries around unchanged. Tracing puts everything that a loop body uses
// into its state, weights included; a weight that arrives as a loop-carried value could neither be
// folded nor packed. An element that the body hands on unchanged and that starts as a constant
// becomes that constant inside body and condition; users outside read what it started as; elements
// that are read no more leave the state. Branches of conditionals get what is constant in
// their operands in the same way.
#include <algorithm>
#include <map>
#include <set>

#include "support/budget.h"
#include "transforms/build.h"
#include "transforms/loops/loops.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

// A constant, or the scalar that a broadcast repeats.
std::optional<Literal> known_value(const Rewriter& r, InstructionId id) {
  if (const Literal* value = constant_value(r, id)) return *value;
  return r[id].opcode == Opcode::kBroadcast ? splat_value(r, id) : std::nullopt;
}

InstructionId splat_or_constant(Rewriter& r, const Literal& value, const Dimensions& dimensions) {
  return value.shape().dimensions == dimensions ? constant(r, value) : splat(r, value, dimensions);
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
    return transforms::is_handed_on(body(), static_cast<int64_t>(i));
  }

  void find_constant(size_t i) {
    if (r_[loop_.operands[0]].opcode == Opcode::kTuple)
      constants_[i] = known_value(r_, r_[loop_.operands[0]].operands[i]);
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
    const UnrefusedScope counted;
    const Result<bool> done = Rewriter(r_.module(), copy, rule).run(root_rule);
    HLOCC_CHECK(done.ok(), "narrowing a loop's state can't fail");
    return copy;
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
    if (i.opcode == Opcode::kWhile) read[i.name].assign(i.shape.tuple.size(), 0);
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
  if (!has_open_state(r.module(), loop)) return kNone;
  const std::vector<InstructionId> elements = Loop(r, loop, read).rewrite();
  if (elements.empty()) return kNone;
  std::vector<InstructionId> parts;
  for (size_t i = 0; i < elements.size(); ++i)
    parts.push_back(elements[i] != kNone ? elements[i] : default_value(r, loop.shape.tuple[i]));
  return tuple(r, std::move(parts));
}

// --- branches ---

// A copy of the branch in which elements of its operand that are constants are those, or kNone.
ComputationId branch_of_constants(Rewriter& r, ComputationId branch, InstructionId operand) {
  const Computation original = r.module().computations[branch];
  const InstructionId parameter = original.parameters[0];
  const bool is_tuple = r[operand].opcode == Opcode::kTuple;
  std::map<std::string, Literal> known;  // by the name of the instruction that reads it
  for (size_t id = 0; id < original.instructions.size(); ++id) {
    const Instruction& i = original.instructions[id];
    const int64_t element = state_element(original, static_cast<InstructionId>(id));
    const bool is_whole = static_cast<InstructionId>(id) == parameter;
    if (!is_whole && (!is_tuple || element < 0)) continue;
    if (auto value = known_value(r, is_whole ? operand : r[operand].operands[element]))
      known.emplace(i.name, *std::move(value));
  }
  const bool is_used = original.root == parameter || !original.users()[parameter].empty();
  if (known.empty() || !is_used) return kNone;
  const ComputationId copy = add_computation(r.module(), original);
  const Rule rule = [&](Rewriter& inner, const Instruction& i) -> InstructionId {
    const auto found = known.find(i.name);
    if (found == known.end()) return kNone;
    if (i.opcode == Opcode::kParameter) inner.add(i);
    return splat_or_constant(inner, found->second, i.shape.dimensions);
  };
  const UnrefusedScope counted;
  HLOCC_CHECK(Rewriter(r.module(), copy, rule).run().ok(), "constants in a branch can't fail");
  return copy;
}

InstructionId with_constant_operands(Rewriter& r, const Instruction& i) {
  Instruction changed = i;
  for (size_t n = 0; n < i.called.size(); ++n) {
    const ComputationId branch = branch_of_constants(r, i.called[n], i.operands[n + 1]);
    if (branch != kNone) changed.called[n] = branch;
  }
  return changed.called == i.called ? kNone : r.add(std::move(changed));
}

// Tells whether anything changed.
Result<bool> hoist_once(Module& module) {
  bool changed = false;
  // Inner loops first: what they no longer read, outer loops need not carry.
  for (ComputationId id : hlo::computation_order(module)) {
    const auto read = elements_read(module.computations[id]);
    const Rule rule = [&](Rewriter& r, const Instruction& i) {
      if (const InstructionId part = out_of_tuple(r, i); part != kNone) return part;
      if (i.opcode == Opcode::kConditional) return with_constant_operands(r, i);
      if (i.opcode != Opcode::kWhile) return kNone;
      return narrowed_loop(r, i, read.at(i.name));
    };
    HLOCC_TRY_ASSIGN(const bool here, Rewriter(module, id, rule).run());
    changed |= here;
  }
  hlo::compact(module);
  return changed;
}

}  // namespace

Status hoist(hlo::Module& module, const PassContext&) {
  // What became a constant in a body is one for the loops and branches inside only now.
  constexpr int kDeepest = 16;
  for (int depth = 0; depth < kDeepest; ++depth) {
    HLOCC_TRY_ASSIGN(const bool changed, hoist_once(module));
    if (!changed) break;
  }
  return {};
}

}  // namespace hlocc::transforms
