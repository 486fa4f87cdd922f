// Shapes, layouts, element types.
#include "hlo/shape.h"

#include <catch2/catch.hpp>

#include "hlo/dimensions.h"
#include "hlo/leaves.h"
#include "hlo/opcode.h"

using namespace hlocc::hlo;
using enum PrimitiveType;

TEST_CASE("element types: widths, numbers and names agree") {
  for (int number = -1; number < 40; ++number)
    if (const auto type = type_from_proto_number(number)) {
      CHECK(type_proto_number(*type) == number);
      CHECK(type_from_name(type_name(*type)) == type);
    }
  CHECK(type_from_name("f33") == std::nullopt);
  CHECK(type_from_proto_number(0) == std::nullopt);
  CHECK(type_bits(kS4) == 4);
  CHECK(storage_bytes(kS4) == 1);
  CHECK(type_bits(kPred) == 1);
  CHECK(storage_bytes(kC128) == 16);
  CHECK(storage_bytes(kToken) == 0);
  CHECK((is_integer(kS8) && is_integer(kU8)));
  CHECK((is_signed(kS2) && is_unsigned(kU1) && is_integer(kU64) && !is_integer(kPred)));
  CHECK((is_float(kBF16) && is_float(kF8E8M0FNU) && is_complex(kC64) && !is_float(kC64)));
  CHECK((is_array_type(kPred) && !is_array_type(kToken) && !is_array_type(kTuple) &&
         !is_array_type(kOpaque)));
  CHECK(real_type(kC64) == kF32);
  CHECK(real_type(kS8) == kS8);
  CHECK(complex_type(kF64) == kC128);
  CHECK(complex_type(kF16) == std::nullopt);
}

TEST_CASE("opcodes: names are unique and lead back") {
  for (int i = 0; i < opcode_count(); ++i) {
    const Opcode opcode = static_cast<Opcode>(i);
    CHECK(info(opcode).opcode == opcode);
    CHECK(opcode_from_name(opcode_name(opcode)) == opcode);
    CHECK(
        (info(opcode).max_operands < 0 || info(opcode).min_operands <= info(opcode).max_operands));
  }
  CHECK(opcode_from_name("frobnicate") == std::nullopt);
}

TEST_CASE("counts and sizes") {
  CHECK(Shape::array(kF32, {2, 3}).element_count() == 6);
  CHECK(Shape::array(kF32, {2, 3}).byte_size() == 24);
  CHECK(Shape::array(kS4, {5}).byte_size() == 5);
  CHECK(Shape::scalar(kF64).byte_size() == 8);
  CHECK(Shape::array(kF32, {0, 3}).element_count() == 0);
  constexpr int64_t kMany = 4'000'000'000, kHalf = int64_t{1} << 62;
  CHECK(Shape::array(kF32, {kMany, kMany}).element_count() == INT64_MAX);
  CHECK(Shape::array(kF32, {kMany, kMany, 0}).element_count() == 0);
  CHECK(Shape::array(kF32, {kHalf}).byte_size() == INT64_MAX);
  CHECK(Shape::array(kS8, {kHalf}).byte_size() == kHalf);
  CHECK(Shape::make_tuple({Shape::array(kS8, {kHalf}), Shape::array(kS8, {kHalf})}).byte_size() ==
        INT64_MAX);
  const Shape tuple =
      Shape::make_tuple({Shape::array(kF32, {2}), Shape::token(), Shape::scalar(kS8)});
  CHECK(tuple.byte_size() == 9);
  CHECK(leaf_shapes(tuple) == std::vector<Shape>{Shape::array(kF32, {2}), Shape::scalar(kS8)});
  const Shape nested = Shape::make_tuple({tuple, Shape::scalar(kS8), tuple});
  CHECK(leaf_count(nested) == leaf_shapes(nested).size());
  CHECK(leaf_count(Shape::token()) == 0);
  CHECK(leaves_before(nested, 0) == 0);
  CHECK(leaves_before(nested, 1) == 2);
  CHECK(leaves_before(nested, 3) == 5);
  CHECK(!Shape::array(kF32, {1}).is_scalar());
  CHECK((is_one_element(Shape::array(kF32, {1, 1})) && !is_one_element(Shape::array(kF32, {2})) &&
         !is_one_element(Shape::array(kF32, {0})) && !is_one_element(Shape::token())));
  CHECK((Shape::scalar(kF32).is_scalar() && !Shape::token().is_scalar() && !tuple.is_array()));
}

TEST_CASE("text form") {
  Shape shape = Shape::array(kF32, {2, 3});
  CHECK(to_string(shape) == "f32[2,3]{1,0}");
  CHECK(to_string(shape, false) == "f32[2,3]");
  shape.layout.minor_to_major = {0, 1};
  shape.dynamic = {false, true};
  CHECK(to_string(shape) == "f32[2,<=3]{0,1}");
  Shape packed = Shape::array(kS4, {4});
  packed.layout.element_bits = 4;
  CHECK(to_string(packed) == "s4[4]{0:E(4)}");
  packed.dimensions.clear();
  packed.layout = {{}, 1};
  CHECK(to_string(packed) == "s4[]{:E(1)}");
  CHECK(to_string(Shape::array(kF32, {kUnboundedSize}), false) == "f32[?]");
  CHECK(to_string(Shape::make_tuple({Shape::scalar(kS32), Shape::token()})) == "(s32[], token[])");
  CHECK(to_string(Shape::make_tuple({})) == "()");
}

TEST_CASE("layouts count only where they are asked for") {
  Shape rows = Shape::array(kF32, {2, 3}), columns = rows;
  columns.layout.minor_to_major = {0, 1};
  CHECK(rows != columns);
  CHECK(same_dimensions_and_type(rows, columns));
  CHECK(with_default_layout(columns) == rows);
  CHECK(is_row_major(rows));
  CHECK(!is_row_major(columns));
  Shape spelled = rows;
  spelled.layout.minor_to_major = {1, 0};
  CHECK(is_row_major(spelled));
  CHECK(minor_to_major(rows) == Dimensions{1, 0});
  CHECK(minor_to_major(columns) == Dimensions{0, 1});
  CHECK(physical_order(rows) == Dimensions{0, 1});
  CHECK(physical_order(columns) == Dimensions{1, 0});
  CHECK(physical_shape(rows) == rows);
  CHECK(physical_shape(columns) == Shape::array(kF32, {3, 2}));
  CHECK(row_major_layout(3).minor_to_major == Dimensions{2, 1, 0});
  CHECK(same_dimensions_and_type(Shape::make_tuple({rows}), Shape::make_tuple({columns})));
  CHECK(!same_dimensions_and_type(Shape::make_tuple({rows}), Shape::make_tuple({rows, rows})));
  CHECK(!same_dimensions_and_type(rows, Shape::array(kF16, {2, 3})));
  CHECK(!same_dimensions_and_type(rows, Shape::array(kF32, {2, 4})));
  CHECK(!same_dimensions_and_type(Shape::make_tuple({rows}),
                                  Shape::make_tuple({Shape::array(kF16, {2, 3})})));
  CHECK(same_dimensions(rows, Shape::array(kF16, {2, 3})));
  Shape dynamic = rows;
  dynamic.dynamic = {false, false};
  CHECK(same_dimensions_and_type(rows, dynamic));
  dynamic.dynamic = {true, false};
  CHECK(!same_dimensions_and_type(rows, dynamic));
  CHECK((dynamic.has_dynamic_dimensions() && !rows.has_dynamic_dimensions()));
  CHECK(Shape::make_tuple({rows, dynamic}).has_dynamic_dimensions());
}

TEST_CASE("row-major strides") {
  CHECK(row_major_strides({2, 3, 4}) == Dimensions{12, 4, 1});
  CHECK(row_major_strides({}) == Dimensions{});
}
