// LiteralProto: every element type, layouts, sub-byte elements, tuples with tokens, and literals
// that lie about their size.
#include <ctime>

#include "import/models.h"
#include "import/proto/literal.h"

namespace hlocc::import {
namespace {

using hlo::Literal;
using hlo::PrimitiveType;
using hlo::Shape;

constexpr PrimitiveType kAllTypes[] = {
#define HLOCC_PRIMITIVE_TYPE(enumerator, ...) PrimitiveType::enumerator,
#include "hlo/primitive_types.def"
};

std::string shape_proto(int type, std::initializer_list<uint64_t> dimensions,
                        std::initializer_list<uint64_t> minor_to_major = {}) {
  WireWriter out, layout;
  out.varint_field(2, static_cast<uint64_t>(type));
  for (uint64_t size : dimensions) out.varint_field(3, size);
  for (uint64_t d : minor_to_major) layout.varint_field(1, d);
  out.length_field(5, layout.bytes());
  return std::string(as_text(out.bytes()));
}
Result<Literal> read_fields(std::initializer_list<std::pair<uint32_t, std::string>> fields) {
  WireWriter out;
  for (const auto& [number, payload] : fields) out.length_field(number, as_bytes(payload));
  return read_literal(out.bytes());
}

}  // namespace

TEST_CASE("literals of every type survive the proto") {
  for (PrimitiveType type : kAllTypes) {
    if (!hlo::is_array_type(type)) continue;
    CAPTURE(hlo::type_name(type));
    Literal literal = Literal::zeros(Shape::array(type, {2, 3}));
    const int bits = std::min(8, hlo::type_bits(type));
    uint8_t next = 1;
    for (std::byte& b : literal.mutable_bytes()) {
      next = static_cast<uint8_t>(next * 37 + 11);
      const auto high = static_cast<uint8_t>(next << (8 - bits));
      b = hlo::is_signed(type) ? static_cast<std::byte>(static_cast<int8_t>(high) >> (8 - bits))
                               : static_cast<std::byte>(high >> (8 - bits));
    }
    const Result<Literal> again = read_literal(write_literal(literal));
    REQUIRE(again.ok());
    CHECK(*again == literal);
  }
}

TEST_CASE("sub-byte elements are sign-extended on the way in and cut on the way out") {
  const Result<Literal> literal =
      read_fields({{1, shape_proto(21, {5})}, {21, std::string("\x01\x0e\x03\x08\xf7", 5)}});
  REQUIRE(literal.ok());
  const auto values = literal->data<int8_t>();
  CHECK(std::vector<int8_t>(values.begin(), values.end()) == std::vector<int8_t>{1, -2, 3, -8, 7});
  const std::vector<std::byte> bytes = write_literal(*literal);
  CHECK(as_text(bytes).find(std::string("\x01\x0e\x03\x08\x07", 5)) != std::string_view::npos);
}

TEST_CASE("elements follow the literal's own layout") {
  // Column-major 2x3: memory 0 1 2 3 4 5 is {{0,2,4},{1,3,5}}.
  const Result<Literal> literal =
      read_fields({{1, shape_proto(6, {2, 3}, {0, 1})}, {3, std::string("\0\1\2\3\4\5", 6)}});
  REQUIRE(literal.ok());
  const auto values = literal->data<uint8_t>();
  CHECK(std::vector<uint8_t>(values.begin(), values.end()) ==
        std::vector<uint8_t>{0, 2, 4, 1, 3, 5});
  const Result<Literal> cube = read_fields(
      {{1, shape_proto(6, {2, 2, 2}, {1, 0, 2})}, {3, std::string("\0\1\2\3\4\5\6\7", 8)}});
  REQUIRE(cube.ok());
  const auto cubed = cube->data<uint8_t>();
  CHECK(std::vector<uint8_t>(cubed.begin(), cubed.end()) ==
        std::vector<uint8_t>{0, 4, 1, 5, 2, 6, 3, 7});
  // The widest elements move whole.
  std::string wide;
  for (char i = 0; i < 4; ++i) wide += std::string(16, i);
  const Result<Literal> complex = read_fields({{1, shape_proto(18, {2, 2}, {0, 1})}, {18, wide}});
  REQUIRE(complex.ok());
  CHECK(as_text(complex->bytes()) ==
        std::string(16, 0) + std::string(16, 2) + std::string(16, 1) + std::string(16, 3));
}

TEST_CASE("constants are written in their layout, values row-major") {
  const hlo::Module module =
      module_from(entry_with("c = s32[2,3]{0,1} constant({ {0, 2, 4}, {1, 3, 5} })"));
  const std::string memory_order("\0\1\2\3\4\5", 6), row_major("\0\2\4\1\3\5", 6);
  const std::vector<std::byte> bytes = write_module(module);
  CHECK(as_text(bytes).find(memory_order) != std::string_view::npos);
  const Result<Imported> again = read_model(bytes, "m");
  REQUIRE(again.ok());
  const Literal& value = again->module.entry_computation()[0].get<hlo::ConstantAttributes>().value;
  CHECK(value == module.entry_computation()[0].get<hlo::ConstantAttributes>().value);
  CHECK(value.data<int32_t>()[1] == 2);
  CHECK(as_text(write_literal(value)).find(row_major) != std::string_view::npos);
  CHECK(as_text(write_literal(Literal::make_tuple({value}))).find(row_major) !=
        std::string_view::npos);
}

TEST_CASE("packed and unpacked fields are both read") {
  WireWriter unpacked;
  unpacked.length_field(1, as_bytes(shape_proto(4, {3})));
  unpacked.varint_field(4, 1);
  unpacked.varint_field(4, static_cast<uint64_t>(int64_t{-2}));
  WireWriter rest;
  rest.varint(3);
  unpacked.length_field(4, rest.bytes());
  const Result<Literal> literal = read_literal(unpacked.bytes());
  REQUIRE(literal.ok());
  CHECK(literal->data<int32_t>()[1] == -2);
  CHECK(literal->data<int32_t>()[2] == 3);
}

TEST_CASE("tuples keep their tree, tokens included") {
  const Literal literal = Literal::make_tuple(
      {Literal::scalar<float>(PrimitiveType::kF32, 1.5f), Literal::token(),
       Literal::make_tuple({Literal::scalar<int32_t>(PrimitiveType::kS32, 7)})});
  const Result<Literal> again = read_literal(write_literal(literal));
  REQUIRE(again.ok());
  CHECK(*again == literal);
  CHECK(again->elements()[1].shape().is_token());
}

TEST_CASE("dynamic sizes travel along") {
  Shape shape = Shape::array(PrimitiveType::kF32, {4});
  shape.dynamic = {true};
  Literal literal = Literal::zeros(shape);
  literal.dynamic_sizes = {3};
  const Result<Literal> again = read_literal(write_literal(literal));
  REQUIRE(again.ok());
  CHECK(again->dynamic_sizes == std::vector<int32_t>{3});
  literal.dynamic_sizes = {4};  // all of it
  CHECK(read_literal(write_literal(literal))->dynamic_sizes == std::vector<int32_t>{4});
  literal.dynamic_sizes = {5};
  CHECK(read_literal(write_literal(literal)).error().kind == DiagnosticKind::kShape);
}

TEST_CASE("literals that lie are refused before anything is allocated") {
  CHECK(read_fields({{1, shape_proto(11, {4})}, {8, "1234"}}).error().kind ==
        DiagnosticKind::kFormat);
  CHECK(read_fields({{1, shape_proto(4, {4})}, {4, "\1\1"}}).error().kind ==
        DiagnosticKind::kFormat);
  CHECK(read_fields({{1, shape_proto(4, {2})}, {4, "\1\1\1"}}).error().kind ==
        DiagnosticKind::kFormat);
  CHECK(read_fields({{1, shape_proto(4, {1})}, {4, "\x81"}}).error().kind ==
        DiagnosticKind::kFormat);
  CHECK(read_fields({{1, shape_proto(11, {500000000})}}).error().kind == DiagnosticKind::kFormat);
  CHECK(read_fields({{1, shape_proto(11, {5000000000})}}).error().kind == DiagnosticKind::kLimit);
  CHECK(read_fields({{8, "1234"}}).error().kind == DiagnosticKind::kShape);
  CHECK(read_fields({{1, shape_proto(14, {})}}).error().kind == DiagnosticKind::kType);
  std::string nested;
  for (int i = 0; i < 2000; ++i) {
    WireWriter out;
    WireWriter shape;
    shape.varint_field(2, 13);
    shape.length_field(4, {});
    out.length_field(1, shape.bytes());
    out.length_field(10, as_bytes(nested));
    nested = as_text(out.bytes());
  }
  CHECK(!read_literal(as_bytes(nested)).ok());
}

TEST_CASE("a megabyte of weights is moved, not converted") {
  const Literal literal = Literal::zeros(Shape::array(PrimitiveType::kF32, {1 << 18}));
  const std::vector<std::byte> bytes = write_literal(literal);
  const std::clock_t begin = std::clock();
  for (int i = 0; i < 10; ++i) CHECK(read_literal(bytes).ok());
  // Ten times one megabyte, in seconds of the processor, which a busy machine does not change; a
  // loop over elements with bounds checks would take longer.
  CHECK(std::clock() - begin < CLOCKS_PER_SEC / 2);
}

}  // namespace hlocc::import
