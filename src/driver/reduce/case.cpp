// See case.h.
#include "driver/reduce/case.h"

#include <algorithm>

#include "driver/run/execute.h"
#include "driver/verify/child.h"
#include "driver/verify/rules.h"
#include "import/writer.h"
#include "interpreter/interpreter.h"
#include "ops/check/verifier.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using hlo::InstructionId, hlo::Literal, hlo::Opcode;

constexpr double kSecondsEach = 60;

// The kind, a line break, the detail.
std::string told(const std::string& kind, const std::string& detail) {
  return kind + "\n" + detail;
}

std::string told(const Diagnostic& diagnostic) {
  return told(cat("error[", diagnostic_kind_name(diagnostic.kind), "]"), diagnostic.message);
}

std::string try_case(const ReduceCase& one, const std::string& backend, Strictness strictness) {
  if (!ops::verify(one.module)) return told("", "invalid");
  const Result<Literal> got = execute(one.module, one.arguments, backend, {});
  if (!got) return told(got.error());
  const Result<Literal> expected = interpreter::run(one.module, one.arguments);
  if (!expected) return told("", "the interpreter fails");
  const std::vector<Literal> gots = leaves(*got), expecteds = leaves(*expected);
  const std::vector<hlo::CompareRule> rules = all_rules(one.rules, one.module, *expected);
  for (size_t i = 0; i < gots.size(); ++i) {
    const hlo::Comparison outcome =
        compare_leaf(gots[i], expecteds[i], rule_for(expecteds[i].type(), strictness));
    if (!outcome.ok && !compare_leaf(gots[i], expecteds[i], rules[i]).ok)
      return told("differs", cat("result", i, " ", outcome.first));
  }
  return told("", "");
}

}  // namespace

hlo::CompareRule rule_for(hlo::PrimitiveType type, Strictness strictness) {
  if (strictness == Strictness::kRules || !(is_float(type) || is_complex(type)))
    return {.exact = true};
  const bool small = hlo::type_bits(type) <= 16;
  if (strictness == Strictness::kClear)
    return {.rtol = small ? 2e-2 : 1e-5, .atol = small ? 1e-2 : 1e-6};
  return {.rtol = 0.3, .atol = 0.1};
}

std::vector<hlo::CompareRule> loosest_rule(const std::vector<hlo::CompareRule>& rules) {
  if (rules.size() < 2) return rules;
  hlo::CompareRule out = rules[0];
  for (const hlo::CompareRule& rule : rules) {
    out.exact = out.exact && rule.exact;
    out.bits = out.bits && rule.bits;
    out.signed_zero = out.signed_zero && rule.signed_zero;
    out.denorm = out.denorm || rule.denorm;
    out.rtol = std::max(out.rtol, rule.rtol);
    out.atol = std::max(out.atol, rule.atol);
    out.mismatch_frac = std::max(out.mismatch_frac, rule.mismatch_frac);
    if (rule.ulp) out.ulp = std::max(out.ulp.value_or(0), *rule.ulp);
  }
  return {out};
}

Symptom symptom_of(const ReduceCase& one, const std::string& backend, Strictness strictness) {
  const ChildOutcome child =
      run_in_child([&] { return try_case(one, backend, strictness); }, kSecondsEach);
  if (child.environment) return {"error[environment]", child.failure, true};
  if (!child.finished) return {child.failure, child.errors.substr(0, child.errors.find('\n'))};
  const size_t line = child.output.find('\n');
  const std::string kind = child.output.substr(0, line);
  return {kind, child.output.substr(line + 1),
          kind == "error[environment]" || kind == "error[missing-tool]"};
}

Result<std::vector<Literal>> entry_values(const ReduceCase& one) {
  hlo::Module all = one.module;
  hlo::Computation& entry = all.entry_computation();
  std::vector<InstructionId> arrays;
  std::vector<hlo::Shape> shapes;
  for (size_t i = 0; i < entry.instructions.size(); ++i)
    if (entry.instructions[i].shape.is_array()) {
      arrays.push_back(static_cast<InstructionId>(i));
      shapes.push_back(entry.instructions[i].shape);
    }
  entry.root = entry.add(hlo::make(Opcode::kTuple, hlo::Shape::make_tuple(shapes), arrays));
  all.entry_result = entry.root_instruction().shape;
  all.aliases.clear();
  const ChildOutcome child = run_in_child(
      [&] {
        const Result<Literal> values = interpreter::run(all, one.arguments);
        if (!values) return std::string();
        const std::vector<std::byte> bytes = import::write_literal(*values);
        return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      },
      kSecondsEach);
  if (child.environment) return environment_of(child);
  const Result<Literal> values = import::read_literal(std::as_bytes(std::span(child.output)));
  // Of a child that failed, or died while it told them.
  if (!values) return std::vector<Literal>();
  std::vector<Literal> out(one.module.entry_computation().instructions.size());
  for (size_t i = 0; i < arrays.size(); ++i)
    out[static_cast<size_t>(arrays[i])] = values->elements()[i];
  return out;
}

void tidy(ReduceCase& one) {
  hlo::Module& module = one.module;
  hlo::compact(module);
  hlo::Computation& entry = module.entry_computation();
  const std::vector<std::vector<InstructionId>> users = entry.users();
  std::vector<InstructionId> kept;
  std::vector<Literal> arguments;
  std::vector<hlo::Shape> shapes;
  for (size_t p = 0; p < entry.parameters.size(); ++p) {
    const InstructionId id = entry.parameters[p];
    if (users[static_cast<size_t>(id)].empty() && entry.root != id) continue;
    shapes.push_back(module.entry_parameters[p]);
    entry[id].get<hlo::ParameterAttributes>().number = static_cast<int64_t>(kept.size());
    arguments.push_back(one.arguments[p]);
    kept.push_back(id);
  }
  if (kept.size() != entry.parameters.size()) {
    module.aliases.clear();
    // What is no longer a parameter of the list is not needed by anything else either.
    entry.parameters = kept;
    std::vector<hlo::Instruction> instructions;
    std::vector<InstructionId> renumbered(entry.instructions.size(), hlo::kNone);
    for (size_t i = 0; i < entry.instructions.size(); ++i) {
      const InstructionId id = static_cast<InstructionId>(i);
      const bool dropped = entry[id].opcode == Opcode::kParameter &&
                           std::find(kept.begin(), kept.end(), id) == kept.end();
      if (dropped) continue;
      renumbered[i] = static_cast<InstructionId>(instructions.size());
      instructions.push_back(std::move(entry.instructions[i]));
    }
    for (hlo::Instruction& instruction : instructions) {
      for (InstructionId& operand : instruction.operands) operand = renumbered[operand];
      for (InstructionId& before : instruction.control_predecessors) before = renumbered[before];
    }
    for (InstructionId& parameter : entry.parameters) parameter = renumbered[parameter];
    entry.root = renumbered[entry.root];
    entry.instructions = std::move(instructions);
  }
  one.arguments = std::move(arguments);
  module.entry_parameters = std::move(shapes);
  if (!same_dimensions_and_type(module.entry_result, entry.root_instruction().shape))
    module.entry_result = hlo::with_default_layout(entry.root_instruction().shape);
}

}  // namespace hlocc::driver
