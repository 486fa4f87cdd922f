// The text form of numbers, literals and lines.
#include <bit>
#include <catch2/catch.hpp>

#include "hlo/small_float.h"
#include "ops/programs.h"
#include "ops/text/literal_text.h"
#include "ops/text/printer.h"
#include "support/text.h"

namespace hlocc::ops {
namespace {

using hlo::Literal;
using hlo::PrimitiveType;
using hlo::Shape;

template <typename T>
std::string number(PrimitiveType type, T bits) {
  std::string out;
  append_number(out, type, reinterpret_cast<const std::byte*>(&bits));
  return out;
}

std::string literal_text(const Literal& literal, int64_t max_elements = -1) {
  std::string out;
  append_literal(out, literal, max_elements);
  return out;
}

}  // namespace

TEST_CASE("floats take the fewest digits that read back") {
  CHECK(number(PrimitiveType::kF32, 0.1f) == "0.1");
  CHECK(number(PrimitiveType::kF32, 16777216.0f) == "16777216");
  CHECK(number(PrimitiveType::kF32, 1e-45f) == "1e-45");
  CHECK(number(PrimitiveType::kF64, 0.1) == "0.1");
  CHECK(number(PrimitiveType::kF32, -0.0f) == "-0");
  CHECK(number(PrimitiveType::kF16, uint16_t{0x2e66}) == "0.1");
  CHECK(number(PrimitiveType::kBF16, uint16_t{0x3dcd}) == "0.1");
}

TEST_CASE("infinities and NaNs keep sign and payload") {
  CHECK(number(PrimitiveType::kF32, uint32_t{0xff800000}) == "-inf");
  CHECK(number(PrimitiveType::kF32, uint32_t{0x7fc00000}) == "nan");
  CHECK(number(PrimitiveType::kF32, uint32_t{0xffc00000}) == "-nan");
  CHECK(number(PrimitiveType::kF32, uint32_t{0x7fa00000}) == "nan(0x200000)");
  CHECK(number(PrimitiveType::kF64, uint64_t{0x7ff8000000000001}) == "nan(0x8000000000001)");
}

TEST_CASE("every code of every small float reads back as itself") {
  constexpr PrimitiveType types[] = {
#define HLOCC_PRIMITIVE_TYPE(enumerator, ...) PrimitiveType::enumerator,
#include "hlo/primitive_types.def"
  };
  for (PrimitiveType type : types) {
    const hlo::FloatFormat* format = hlo::is_float(type) ? hlo::small_float_format(type) : nullptr;
    if (format == nullptr) continue;
    int wrong = 0;
    for (uint32_t code = 0; code < 1u << format->bits(); ++code) {
      const std::string text = number(type, code);
      uint32_t back = 0;
      if (!parse_number(text, type, reinterpret_cast<std::byte*>(&back)) || back != code) {
        INFO(hlo::type_name(type) << " " << code << " -> " << text << " -> " << back);
        CHECK(++wrong == 0);
        if (wrong > 3) break;
      }
    }
  }
}

TEST_CASE("numbers out of range are refused, those that round into it are not") {
  uint64_t out = 0;
  std::byte* const element = reinterpret_cast<std::byte*>(&out);
  CHECK(!parse_number("1e39", PrimitiveType::kF32, element));
  CHECK(!parse_number("65520", PrimitiveType::kF16, element));
  CHECK(parse_number("65519", PrimitiveType::kF16, element));
  CHECK(!parse_number("1000", PrimitiveType::kF4E2M1FN, element));
  CHECK(parse_number("6", PrimitiveType::kF4E2M1FN, element));
  CHECK(parse_number("1e-400", PrimitiveType::kF64, element));
  CHECK(!parse_number("nan", PrimitiveType::kF4E2M1FN, element));
  CHECK(!parse_number("inf", PrimitiveType::kF8E4M3FN, element));
  CHECK(!parse_number("8", PrimitiveType::kS4, element));
  CHECK(parse_number("-8", PrimitiveType::kS4, element));
  CHECK(!parse_number("256", PrimitiveType::kU8, element));
  CHECK(!parse_number("2", PrimitiveType::kPred, element));
}

TEST_CASE("literals nest by dimension") {
  const float values[] = {1, 2, 3, 4};
  const Literal matrix = Literal::array<float>(PrimitiveType::kF32, {2, 2}, values);
  CHECK(literal_text(matrix) == "{ {1, 2}, {3, 4} }");
  CHECK(literal_text(matrix, 3) == "{...}");
  CHECK(literal_text(Literal::array<float>(PrimitiveType::kC64, {2}, values)) ==
        "{(1, 2), (3, 4)}");
  CHECK(literal_text(Literal::zeros(Shape::array(PrimitiveType::kF32, {0}))) == "{}");
  CHECK(literal_text(Literal::zeros(Shape::array(PrimitiveType::kF32, {1 << 20, 0}))) == "{}");
  CHECK(literal_text(Literal::make_tuple({matrix, Literal::token()})) ==
        "( { {1, 2}, {3, 4} }, token[] )");
}

TEST_CASE("names become words, and unique") {
  CHECK(to_hlo_name("a b") == "a_b");
  CHECK(to_hlo_name("1x") == "_1x");
  CHECK(to_hlo_name("add.1-x") == "add.1-x");
  hlo::Module module;
  module.name = "m";
  module.computations.emplace_back();
  module.entry = 0;
  hlo::Computation& computation = module.computations[0];
  computation.name = "main";
  const Shape f32 = Shape::scalar(PrimitiveType::kF32);
  computation.add(hlo::make_parameter(0, f32, "x y"));
  computation.add(hlo::make_parameter(1, f32, "x_y"));
  hlo::Instruction sum = hlo::make(hlo::Opcode::kAdd, f32, {0, 1});
  sum.name = "sum";
  computation.root = computation.add(sum);
  module.entry_parameters = {f32, f32};
  module.entry_result = f32;
  const std::string text = to_text(module);
  CHECK(text.find("ROOT %sum = f32[] add(%x_y, %x_y.1)") != std::string::npos);
  CHECK(text.find("ENTRY %main (x_y: f32[], x_y.1: f32[]) -> f32[] {") != std::string::npos);
  CHECK(to_text(module, computation, computation[2]) == "%sum = f32[] add(%x_y, %x_y)");
}

TEST_CASE("lines are numbered as the text has them") {
  testing::Program program;
  const hlo::ComputationId sum = program.reducer(hlo::Opcode::kAdd, "f32");
  const hlo::InstructionId x = program.parameter("f32[4]"), zero = program.parameter("f32[]");
  program.add(hlo::Opcode::kReduce, "f32[]", {x, zero}, hlo::DimensionsAttributes{{0}}, {sum});
  program.add(hlo::Opcode::kTanh, "f32[]", {2});
  hlo::Module module = program.finish();
  number_lines(module);
  const std::vector<std::string> lines = split(to_text(module), '\n');
  int seen = 0;
  for (const hlo::Computation& computation : module.computations)
    for (const hlo::Instruction& instruction : computation.instructions) {
      const std::string& line = lines[static_cast<size_t>(instruction.line) - 1];
      CHECK(line.find(cat("%", instruction.name, " = ")) != std::string::npos);
      ++seen;
    }
  CHECK(seen == 7);
}

TEST_CASE("strings are quoted with the escapes of C") {
  CHECK(quoted("a\"\\\n\x01\xff") == "\"a\\\"\\\\\\n\\001\\377\"");
}

}  // namespace hlocc::ops
