// Bodies of the helpers; see harness.h.
#include "lowering/harness.h"

#include <random>

#include "import/reader.h"
#include "interpreter/interpreter.h"
#include "kernel/evaluate/evaluator.h"
#include "kernel/verifier.h"
#include "lowering/program/lower.h"
#include "ops/check/verifier.h"
#include "ops/text/printer.h"
#include "picked/program_figures.h"
#include "planning/execute.h"
#include "support/plan_figures.h"
#include "support/text.h"
#include "transforms/pipeline.h"

namespace hlocc::tests {

using hlo::Literal;
using hlo::Module;
using hlo::PrimitiveType;
using hlo::Shape;

namespace {

std::string numbers(const std::vector<int64_t>& sizes, size_t at, int& state, bool whole) {
  if (at == sizes.size()) {
    state = (state * 37 + 11) % 101;
    return cat(state % 17 - 8, whole ? "" : state % 2 == 0 ? ".25" : ".5");
  }
  std::vector<std::string> parts;
  for (int64_t i = 0; i < sizes[at]; ++i) parts.push_back(numbers(sizes, at + 1, state, whole));
  return "{" + join(parts, ",") + "}";
}

std::vector<Machine> make_machines() {
  std::vector<Machine> all;
  for (const char* name : {"cortex-m4f", "cortex-a53"}) all.push_back({name, *preset(name)});
  Machine wide{"wide", *preset("cortex-a53")};
  wide.target.vector_bits = 256;
  wide.target.vector_registers = 16;
  wide.target.multiply_by_lane = false;
  wide.target.out_of_order = wide.target.masked_vectors = true;
  all.push_back(std::move(wide));
  return all;
}

Literal converted(const Literal& value, PrimitiveType type) {
  if (value.type() == type) return value;
  const auto instruction = hlo::make(
      hlo::Opcode::kConvert, Shape::array(type, hlo::Dimensions(value.shape().dimensions)), {0});
  interpreter::RunState state;
  Result<Literal> result =
      interpreter::evaluate_instruction({}, instruction, std::span(&value, 1), state);
  if (!result) FAIL(result.error().to_string());
  return std::move(result).value();
}

Literal random_reals(PrimitiveType type, const hlo::Dimensions& dimensions, std::mt19937& random) {
  const bool whole = !hlo::is_float(type) && !hlo::is_complex(type);
  std::vector<double> values(
      static_cast<size_t>(Shape::array(type, hlo::Dimensions(dimensions)).element_count()));
  for (double& value : values) {
    const int drawn = static_cast<int>(random() >> 7);
    if (hlo::is_pred(type))
      value = drawn & 1;
    else if (whole)
      value = hlo::is_signed(type) ? drawn % 8 : (drawn & 7);
    else
      value = (drawn & 15) / 4.0 - 2;
  }
  return converted(Literal::array<double>(PrimitiveType::kF64, dimensions, values), type);
}

Literal random_value(const Shape& shape, std::mt19937& random) {
  if (shape.is_token()) return Literal::token();
  if (shape.is_tuple()) {
    std::vector<Literal> elements;
    for (const Shape& part : shape.tuple) elements.push_back(random_value(part, random));
    return Literal::make_tuple(std::move(elements));
  }
  if (!hlo::is_complex(shape.element_type))
    return random_reals(shape.element_type, shape.dimensions, random);
  // Pairs of reals lie as complex numbers do.
  hlo::Dimensions pairs = shape.dimensions;
  pairs.push_back(2);
  const Literal reals = random_reals(hlo::real_type(shape.element_type), pairs, random);
  return Literal::from_bytes(hlo::with_default_layout(shape),
                             {reals.bytes().begin(), reals.bytes().end()});
}

std::vector<Literal> interpreted(const Module& module, const std::vector<Literal>& arguments) {
  const Result<Literal> result = interpreter::run(module, arguments);
  if (!result) FAIL(result.error().to_string());
  return hlo::leaves(*result);
}

void compare(const Module& module, const Machine& machine, const std::vector<Literal>& arguments,
             const std::vector<Literal>& expected, const hlo::CompareRule& rule) {
  const kernel::Program program = lowered(module, machine.target);
  const std::vector<Literal> got = run_program(program, arguments);
  if (run_planned(program, machine.target, arguments) != got)
    FAIL(cat(machine.name, ": the plan changes results\n", ops::to_text(module), "\n",
             kernel::to_text(program)));
  REQUIRE(got.size() == expected.size());
  for (size_t i = 0; i < got.size(); ++i) {
    const hlo::Comparison comparison = hlo::compare_leaf(got[i], expected[i], rule);
    // The texts are long to make, and wanted only now.
    if (!comparison.ok)
      FAIL(cat(machine.name, ", result ", i, ": ", comparison.first, "\n", ops::to_text(module),
               "\n", kernel::to_text(program)));
  }
}

}  // namespace

const std::vector<Machine>& machines() {
  static const std::vector<Machine> all = make_machines();
  return all;
}

Module module_from(const std::string& text) {
  const bool whole = text.find("ENTRY") != std::string::npos;
  const std::string all = whole ? text : "HloModule test\nENTRY main {\n" + text + "\n}\n";
  const Result<import::Imported> imported =
      import::read_model(std::as_bytes(std::span(all)), "test.hlo");
  INFO(all);
  if (!imported) FAIL(imported.error().to_string());
  const Status status = ops::verify(imported->module);
  if (!status) FAIL(status.error().to_string());
  return imported->module;
}

kernel::Signature signature_of(const Module& module) {
  kernel::Signature signature;
  const auto add = [](std::vector<kernel::Leaf>& leaves, const Shape& shape) {
    for (const Shape& each : hlo::leaf_shapes(shape)) {
      kernel::Leaf leaf;
      leaf.index = static_cast<int>(leaves.size());
      leaf.shape = each;
      leaves.push_back(leaf);
    }
  };
  for (const Shape& parameter : module.entry_parameters) add(signature.arguments, parameter);
  add(signature.results, module.entry_result);
  return signature;
}

void add_program(const kernel::Program& program, const Target& target) {
  add_figures("programs", figures_of(program, target));
}

kernel::Program lowered(const Module& module, const Target& target) {
  Result<kernel::Program> program = lowering::lower(module, signature_of(module), target);
  if (!program) FAIL(program.error().to_string() + ops::to_text(module));
  const Status status = kernel::verify(*program);
  if (!status) FAIL(status.error().to_string() + ops::to_text(module) + kernel::to_text(*program));
  add_program(*program, target);
  return std::move(program).value();
}

std::vector<Literal> arguments_of(const Module& module, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Literal> arguments;
  for (const Shape& parameter : module.entry_parameters)
    arguments.push_back(random_value(parameter, random));
  return arguments;
}

namespace {

std::vector<std::vector<std::byte>> bytes_of(const std::vector<Literal>& arguments) {
  std::vector<std::vector<std::byte>> bytes;
  for (const Literal& argument : arguments)
    for (const Literal& leaf : hlo::leaves(argument))
      bytes.emplace_back(leaf.bytes().begin(), leaf.bytes().end());
  return bytes;
}

std::vector<Literal> literals_of(const kernel::Program& program,
                                 const Result<std::vector<std::vector<std::byte>>>& results) {
  if (!results) FAIL(results.error().to_string() + kernel::to_text(program));
  std::vector<Literal> leaves;
  for (size_t i = 0; i < results->size(); ++i)
    leaves.push_back(Literal::from_bytes(
        hlo::with_default_layout(program.signature.results[i].shape), (*results)[i]));
  return leaves;
}

}  // namespace

std::vector<Literal> run_program(const kernel::Program& program,
                                 const std::vector<Literal>& arguments) {
  return literals_of(program, kernel::evaluate(program, bytes_of(arguments)));
}

std::vector<Literal> run_planned(const kernel::Program& program, const Target& target,
                                 const std::vector<Literal>& arguments) {
  const Result<planning::Plan> plan = planning::plan(program, target);
  if (!plan) FAIL(plan.error().to_string() + kernel::to_text(program));
  add_figures("plans", figures_of(*plan));
  const Status valid = planning::validate(program, *plan);
  if (!valid) FAIL(valid.error().to_string() + kernel::to_text(program));
  return literals_of(program, planning::execute(program, *plan, bytes_of(arguments)));
}

void agrees(const std::string& text, Passes passes, const hlo::CompareRule& rule) {
  const Module module = module_from(text);
  const std::vector<Literal> arguments = arguments_of(module, 1),
                             expected = interpreted(module, arguments);
  for (const Machine& machine : machines()) {
    if (passes != Passes::kOnlyAll) compare(module, machine, arguments, expected, rule);
    if (passes == Passes::kNone) continue;
    const Result<Module> passed = transforms::run_passes(module, machine.target);
    if (!passed) FAIL(passed.error().to_string());
    compare(*passed, machine, arguments, expected, rule);
  }
}

void agrees_on(const Module& module, const Machine& machine, const hlo::CompareRule& rule) {
  const std::vector<Literal> arguments = arguments_of(module, 1);
  compare(module, machine, arguments, interpreted(module, arguments), rule);
}

void agrees_small(const std::string& text) {
  const Module module = module_from(text);
  const std::vector<Literal> arguments = arguments_of(module, 1),
                             expected = interpreted(module, arguments);
  for (Machine machine : machines()) {
    machine.target.options.level = Level::kOs;
    compare(module, machine, arguments, expected, {.exact = true});
  }
}

std::string constant(const std::vector<int64_t>& sizes, const std::string& type) {
  int state = 5;
  return type + dims(sizes) + " constant(" + numbers(sizes, 0, state, type[0] == 's') + ")";
}

std::string dot_with_constant(int64_t rows, int64_t inner, int64_t columns,
                              const std::string& type) {
  return "x = " + type + dims({rows, inner}) +
         " parameter(0)\n w = " + constant({inner, columns}, type) + "\n ROOT r = " + type +
         dims({rows, columns}) + " dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
}

bool stores(const std::string& name, const std::string& text, const std::string& machine) {
  for (const Machine& m : machines()) {
    if (m.name != machine) continue;
    for (const kernel::ProgramValue& value : lowered(module_from(text), m.target).values)
      if (value.name.find(name) != std::string::npos) return true;
  }
  return false;
}

std::string dims(const std::vector<int64_t>& sizes) {
  return "[" + list(sizes).substr(1, list(sizes).size() - 2) + "]";
}

std::string list(const std::vector<int64_t>& numbers) {
  std::string text = "{";
  for (size_t n = 0; n < numbers.size(); ++n)
    text += (n > 0 ? "," : "") + std::to_string(numbers[n]);
  return text + "}";
}

}  // namespace hlocc::tests
