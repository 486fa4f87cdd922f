// share_common: equal instructions are computed once, equal computations kept once. Programs that
// were traced from Python repeat constants, index arithmetic and masks at every call, and bring a
// reducer of their own for every reduction. Equal means: same opcode, operands, shape, attributes
// and called computations, constants by content. What draws random numbers or has effects is never
// shared.
#include <functional>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "support/budget.h"
#include "transforms/pass.h"
#include "transforms/rewriter.h"

namespace hlocc::transforms {
namespace {

// Of two instructions of one hash; beyond the budget equal ones stay apart.
constexpr int64_t kCompareWork = 50;

size_t mix(size_t hash, size_t value) {
  return (hash ^ value) * 0x9E3779B97F4A7C15ull + (hash >> 29);
}

size_t hash_of(const Instruction& i) {
  size_t hash = mix(static_cast<size_t>(i.opcode), static_cast<size_t>(i.shape.element_type));
  for (int64_t size : i.shape.dimensions) hash = mix(hash, static_cast<size_t>(size));
  for (InstructionId operand : i.operands) hash = mix(hash, static_cast<size_t>(operand));
  for (ComputationId called : i.called) hash = mix(hash, static_cast<size_t>(called));
  // What tells many of one kind apart; whatever else differs is seen when they are compared.
  if (i.opcode == Opcode::kParameter)
    hash = mix(hash, static_cast<size_t>(i.get<hlo::ParameterAttributes>().number));
  if (i.opcode == Opcode::kGetTupleElement)
    hash = mix(hash, static_cast<size_t>(i.get<hlo::TupleIndexAttributes>().index));
  if (i.opcode == Opcode::kSlice)
    for (const int64_t start : i.get<hlo::SliceAttributes>().starts)
      hash = mix(hash, static_cast<size_t>(start));
  if (i.opcode == Opcode::kConstant) {
    const auto bytes = i.get<hlo::ConstantAttributes>().value.bytes();
    hash = mix(hash, std::hash<std::string_view>{}(
                         {reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
  }
  return hash;
}

bool are_equal(const Instruction& a, const Instruction& b) {
  return std::tie(a.opcode, a.shape, a.operands, a.called, a.attributes) ==
         std::tie(b.opcode, b.shape, b.operands, b.called, b.attributes);
}

// Constants differ in the sign of a zero or a NaN's payload if their bytes do; Literal's equality
// compares bytes.
Result<bool> share_in(Module& module, ComputationId id) {
  std::unordered_multimap<size_t, InstructionId> seen;
  const Rule rule = [&](Rewriter& r, const Instruction& instruction) {
    if (hlo::has_side_effect(module, instruction)) return kNone;
    const size_t hash = hash_of(instruction);
    const auto [first, last] = seen.equal_range(hash);
    for (auto other = first; other != last && may_search(kCompareWork); ++other)
      if (are_equal(r[other->second], instruction)) return other->second;
    const InstructionId kept = r.add(instruction);
    seen.emplace(hash, kept);
    return kept;
  };
  return Rewriter(module, id, rule).run();
}

bool are_equal(const Computation& a, const Computation& b) {
  if (a.instructions.size() != b.instructions.size() || a.root != b.root) return false;
  for (size_t i = 0; i < a.instructions.size(); ++i)
    if (!are_equal(a.instructions[i], b.instructions[i])) return false;
  return true;
}

size_t hash_of(const Computation& computation) {
  size_t hash = static_cast<size_t>(computation.root);
  for (const Instruction& instruction : computation.instructions)
    hash = mix(hash, hash_of(instruction));
  return hash;
}

}  // namespace

Status share_common(hlo::Module& module, const PassContext&) {
  std::vector<ComputationId> stands_for(module.computations.size());
  for (size_t i = 0; i < stands_for.size(); ++i) stands_for[i] = static_cast<ComputationId>(i);
  std::unordered_multimap<size_t, ComputationId> seen;
  // Callees first, so that callers of equal computations are compared with the same callee.
  for (ComputationId id : hlo::computation_order(module)) {
    for (Instruction& instruction : module.computations[id].instructions)
      for (ComputationId& called : instruction.called) called = stands_for[called];
    HLOCC_TRY(share_in(module, id));
    const Computation& computation = module.computations[id];
    const size_t hash = hash_of(computation);
    const auto [first, last] = seen.equal_range(hash);
    for (auto other = first; other != last && id != module.entry; ++other)
      if (are_equal(module.computations[other->second], computation))
        stands_for[id] = other->second;
    if (stands_for[id] == id) seen.emplace(hash, id);
  }
  hlo::compact(module);
  return {};
}

}  // namespace hlocc::transforms
