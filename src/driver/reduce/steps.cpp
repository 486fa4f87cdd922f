// See steps.h; shrink_dimensions has a file of its own.
#include "driver/reduce/steps.h"

#include <algorithm>
#include <cstring>

#include "support/text.h"
#include "target/target.h"
#include "transforms/pass.h"

namespace hlocc::driver {
namespace {

using hlo::Computation, hlo::Instruction, hlo::InstructionId, hlo::Literal, hlo::Opcode, hlo::Shape;

// The case with the entry's result made of these instructions.
ReduceCase with_results(const ReduceCase& now, const std::vector<InstructionId>& results) {
  ReduceCase out = now;
  Computation& entry = out.module.entry_computation();
  std::vector<Shape> shapes;
  for (const InstructionId id : results) shapes.push_back(entry[id].shape);
  entry.root = results.size() == 1
                   ? results[0]
                   : entry.add(hlo::make(Opcode::kTuple, Shape::make_tuple(shapes), results));
  out.module.aliases.clear();
  out.module.entry_result = hlo::with_default_layout(entry.root_instruction().shape);
  tidy(out);
  return out;
}

std::vector<InstructionId> arrays_of(const Computation& computation) {
  std::vector<InstructionId> out;
  for (size_t i = 0; i < computation.instructions.size(); ++i)
    if (computation.instructions[i].shape.is_array()) out.push_back(static_cast<InstructionId>(i));
  return out;
}

// An instruction becomes a parameter.
void cut(ReduceCase& one, InstructionId id, const Literal& value) {
  Computation& entry = one.module.entry_computation();
  const int64_t number = static_cast<int64_t>(one.arguments.size());
  const Shape shape = value.shape();
  const InstructionId parameter = entry.add(hlo::make_parameter(number, shape, cat("cut", number)));
  entry.replace_uses(id, parameter);
  one.arguments.push_back(value);
  one.module.entry_parameters.push_back(shape);
}

// Tries chunks of ever smaller size until single ones; true if any was taken.
bool in_chunks(size_t count, const std::function<bool(size_t begin, size_t end)>& attempt) {
  for (size_t chunk = count; chunk > 0; chunk /= 2)
    for (size_t begin = 0; begin < count; begin += chunk)
      if (attempt(begin, std::min(begin + chunk, count))) return true;
  return false;
}

}  // namespace

bool drop_results(const ReduceCase& now, const Keep& keep) {
  const Computation& entry = now.module.entry_computation();
  const std::vector<InstructionId> arrays = arrays_of(entry);
  const auto first = [&](size_t count) {
    return std::vector<InstructionId>(arrays.begin(),
                                      arrays.begin() + static_cast<std::ptrdiff_t>(count));
  };
  const Instruction& root = entry.root_instruction();
  // The first instruction that fails, found by halves: before it nothing does.
  const size_t end = root.shape.is_array() ? arrays.size() - 1 : arrays.size();
  if (end > 0 && keep.fails(with_results(now, first(end)))) {
    size_t low = 0, high = end;
    while (low + 1 < high) {
      const size_t middle = (low + high) / 2;
      (keep.fails(with_results(now, first(middle))) ? high : low) = middle;
    }
    if (keep(with_results(now, {arrays[high - 1]}))) return true;
  }
  if (root.opcode != Opcode::kTuple) return false;
  return in_chunks(root.operands.size(), [&](size_t begin, size_t end) {
    std::vector<InstructionId> rest = root.operands;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(begin),
               rest.begin() + static_cast<std::ptrdiff_t>(end));
    return !rest.empty() && keep(with_results(now, rest));
  });
}

bool cut_operands(const ReduceCase& now, const Keep& keep) {
  const Computation& entry = now.module.entry_computation();
  const Result<std::vector<Literal>> found = entry_values(now);
  if (!found.ok() || found->empty()) return false;
  const std::vector<Literal>& values = *found;
  std::vector<InstructionId> cuttable;
  for (const InstructionId id : arrays_of(entry))
    if (entry[id].opcode != Opcode::kParameter && entry[id].opcode != Opcode::kConstant &&
        id != entry.root)
      cuttable.push_back(id);
  return in_chunks(cuttable.size(), [&](size_t begin, size_t end) {
    ReduceCase candidate = now;
    candidate.module.aliases.clear();
    for (size_t i = begin; i < end; ++i)
      cut(candidate, cuttable[i], values[static_cast<size_t>(cuttable[i])]);
    tidy(candidate);
    return keep(std::move(candidate));
  });
}

bool open_control_flow(const ReduceCase& now, const Keep& keep) {
  const Computation& entry = now.module.entry_computation();
  for (size_t i = 0; i < entry.instructions.size(); ++i) {
    const Instruction& instruction = entry.instructions[i];
    const bool is_conditional = instruction.opcode == Opcode::kConditional;
    if (!is_conditional && instruction.opcode != Opcode::kWhile &&
        instruction.opcode != Opcode::kCall && instruction.opcode != Opcode::kFusion)
      continue;
    // Of a loop the body, once.
    const size_t choices = is_conditional ? instruction.called.size() : 1;
    for (size_t choice = 0; choice < choices; ++choice) {
      ReduceCase candidate = now;
      Instruction& call = candidate.module.entry_computation().instructions[i];
      call.opcode = Opcode::kCall;
      call.called = {instruction.called[choice]};
      if (is_conditional) call.operands = {instruction.operands[choice + 1]};
      call.attributes = hlo::CallAttributes{};
      const Target target = *preset("host");
      if (!transforms::inline_calls(candidate.module, {target})) continue;
      tidy(candidate);
      if (keep(std::move(candidate))) return true;
    }
  }
  return false;
}

bool drop_annotations(const ReduceCase& now, const Keep& keep) {
  bool any = false;
  if (!now.module.aliases.empty()) {
    ReduceCase candidate = now;
    candidate.module.aliases.clear();
    any = keep(std::move(candidate));
  }
  ReduceCase candidate = now;
  candidate.module.aliases.clear();
  hlo::Module& module = candidate.module;
  for (Shape& shape : module.entry_parameters) shape = hlo::with_default_layout(shape);
  module.entry_result = hlo::with_default_layout(module.entry_result);
  for (Computation& computation : module.computations)
    for (Instruction& instruction : computation.instructions)
      instruction.shape = hlo::with_default_layout(instruction.shape);
  if (module.entry_parameters == now.module.entry_parameters &&
      module.entry_result == now.module.entry_result)
    return any;
  return keep(std::move(candidate)) || any;
}

namespace {

// The literal with elements [begin, end) all zero.
Literal zeroed(const Literal& literal, size_t begin, size_t end) {
  Literal out = literal;
  const size_t width = static_cast<size_t>(hlo::storage_bytes(literal.type()));
  std::memset(out.mutable_bytes().data() + begin * width, 0, (end - begin) * width);
  return out;
}

}  // namespace

bool simplify_values(const ReduceCase& now, const Keep& keep) {
  bool any = false;
  ReduceCase best = now;
  for (size_t a = 0; a < now.arguments.size(); ++a) {
    if (!now.arguments[a].shape().is_array()) continue;
    const size_t count = static_cast<size_t>(now.arguments[a].element_count());
    // Halves, quarters, .., single elements, as long as they are few.
    for (size_t chunk = count; chunk > 0 && count / chunk <= 32; chunk /= 2)
      for (size_t begin = 0; begin < count; begin += chunk) {
        ReduceCase candidate = best;
        candidate.arguments[a] = zeroed(best.arguments[a], begin, std::min(begin + chunk, count));
        if (candidate.arguments[a] == best.arguments[a] || !keep(candidate)) continue;
        best = std::move(candidate);
        any = true;
      }
  }
  return any;
}

}  // namespace hlocc::driver
