// Bodies of the helpers; see support.h.
#include "transforms/support.h"

#include <random>

#include "import/reader.h"
#include "interpreter/interpreter.h"
#include "ops/check/verifier.h"
#include "ops/text/printer.h"
#include "picked/module_figures.h"
#include "support/text.h"
#include "transforms/pipeline.h"

namespace hlocc::tests {
namespace {

void must_verify(const Module& module) {
  const Status status = ops::verify(module);
  INFO(ops::to_text(module));
  if (!status) FAIL(status.error().to_string());
}

template <typename T>
void fill(Literal& literal, T (*draw)(std::mt19937&), std::mt19937& random) {
  for (T& element : literal.mutable_data<T>()) element = draw(random);
}

float small_float(std::mt19937& random) {
  const uint32_t bits = random();
  if (bits % 16 == 0) return bits & 16 ? 0.0f : -0.0f;
  return (static_cast<int32_t>(bits >> 8) - (1 << 23)) / float(1 << 22);
}
double small_double(std::mt19937& random) { return small_float(random); }
uint8_t bit(std::mt19937& random) { return random() >> 7 & 1; }
template <typename T>
T small_integer(std::mt19937& random) {
  return static_cast<T>(random() >> 5 & 7);
}
template <typename T>
T any_integer(std::mt19937& random) {
  return static_cast<T>((uint64_t{random()} << 32 | random()) >> (random() % 48));
}

Literal random_array(const hlo::Shape& shape, std::mt19937& random) {
  using enum hlo::PrimitiveType;
  Literal literal = Literal::zeros(hlo::with_default_layout(shape));
  switch (shape.element_type) {
    case kF32: fill<float>(literal, small_float, random); break;
    case kF64: fill<double>(literal, small_double, random); break;
    case kPred: fill<uint8_t>(literal, bit, random); break;
    case kS32: fill<int32_t>(literal, small_integer<int32_t>, random); break;
    case kU32: fill<uint32_t>(literal, any_integer<uint32_t>, random); break;
    case kS64: fill<int64_t>(literal, any_integer<int64_t>, random); break;
    case kU64: fill<uint64_t>(literal, any_integer<uint64_t>, random); break;
    case kS8: fill<int8_t>(literal, any_integer<int8_t>, random); break;
    case kU8: fill<uint8_t>(literal, any_integer<uint8_t>, random); break;
    case kS16: fill<int16_t>(literal, any_integer<int16_t>, random); break;
    case kU16: fill<uint16_t>(literal, any_integer<uint16_t>, random); break;
    case kC64:
      for (std::byte *at = literal.mutable_bytes().data(), *end = at + literal.bytes().size();
           at != end; at += 4) {
        const float part = small_float(random);
        std::memcpy(at, &part, sizeof part);
      }
      break;
    default: break;
  }
  return literal;
}

Literal random_value(const hlo::Shape& shape, std::mt19937& random) {
  if (shape.is_array()) return random_array(shape, random);
  if (shape.is_token()) return Literal::token();
  std::vector<Literal> elements;
  for (const hlo::Shape& part : shape.tuple) elements.push_back(random_value(part, random));
  return Literal::make_tuple(std::move(elements));
}

std::vector<Literal> run(const Module& module, const std::vector<Literal>& arguments) {
  const Result<Literal> result = interpreter::run(module, arguments);
  INFO(ops::to_text(module));
  if (!result) FAIL(result.error().to_string());
  return hlo::leaves(*result);
}

}  // namespace

Module module_from(const std::string& text) {
  const bool whole = text.find("ENTRY") != std::string::npos;
  const std::string all = whole ? text : "HloModule test\nENTRY main {\n" + text + "\n}\n";
  const Result<import::Imported> imported =
      import::read_model(std::as_bytes(std::span(all)), "test.hlo");
  if (!imported) FAIL(imported.error().to_string());
  must_verify(imported->module);
  return imported->module;
}

namespace {

// What the passes left, for the golden file.
void add_module(const Module& module) { add_figures("modules", figures_of(module)); }

}  // namespace

Module after(Module module, const std::vector<Pass>& passes) {
  const Target target = *preset("cortex-m4f");
  for (Pass pass : passes) {
    const Status status = pass(module, {target});
    if (!status) FAIL(status.error().to_string());
    must_verify(module);
  }
  add_module(module);
  return module;
}

Diagnostic error_of(Module module, Pass pass) {
  const Target target = *preset("cortex-m4f");
  Status status = pass(module, {target});
  if (status) FAIL("the pass accepts the module");
  return std::move(status).error();
}

Module after_pipeline(Module module) {
  std::vector<Pass> all;
  for (const transforms::PassInfo& pass : transforms::passes()) all.push_back(pass.run);
  return after(std::move(module), all);
}

int count_in_entry(const Module& module, Opcode opcode) {
  int found = 0;
  for (const hlo::Instruction& instruction : module.entry_computation().instructions)
    found += instruction.opcode == opcode;
  return found;
}

int count(const Module& module, Opcode opcode) {
  int found = 0;
  for (const hlo::Computation& computation : module.computations)
    for (const hlo::Instruction& instruction : computation.instructions)
      found += instruction.opcode == opcode;
  return found;
}

const hlo::Instruction& root(const Module& module) {
  return module.entry_computation().root_instruction();
}

std::vector<Literal> random_arguments(const Module& module, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Literal> arguments;
  for (hlo::InstructionId parameter : module.entry_computation().parameters)
    arguments.push_back(random_value(module.entry_computation()[parameter].shape, random));
  return arguments;
}

void check_same_meaning(const Module& before, const Module& after, const hlo::CompareRule& rule) {
  for (uint32_t seed = 1; seed <= 3; ++seed) {
    const std::vector<Literal> arguments = random_arguments(before, seed);
    const std::vector<Literal> expected = run(before, arguments), got = run(after, arguments);
    REQUIRE(got.size() == expected.size());
    for (size_t i = 0; i < got.size(); ++i) {
      const hlo::Comparison comparison = hlo::compare_leaf(got[i], expected[i], rule);
      INFO("result " << i << ": " << comparison.first << "\n" << ops::to_text(after));
      CHECK(comparison.ok);
    }
  }
}

Module rewritten(const std::string& text, const std::vector<Pass>& passes,
                 const hlo::CompareRule& rule) {
  const Module before = module_from(text);
  Module changed = after(before, passes);
  check_same_meaning(before, changed, rule);
  return changed;
}

int count_s64(const hlo::Module& module, hlo::Opcode opcode) {
  int found = 0;
  for (const hlo::Instruction& i : module.entry_computation().instructions)
    found += i.opcode == opcode && i.shape.element_type == hlo::PrimitiveType::kS64;
  return found;
}

}  // namespace hlocc::tests
