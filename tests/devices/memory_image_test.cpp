// Literals as they lie in a model's memory, and back.
#include "devices/memory_image.h"

#include <catch2/catch.hpp>

namespace hlocc::device {
namespace {

using hlo::Literal, hlo::PrimitiveType, hlo::Shape;

std::vector<int> numbers(const std::vector<std::byte>& bytes) {
  std::vector<int> out;
  for (std::byte b : bytes) out.push_back(static_cast<int>(b));
  return out;
}

template <typename T>
Literal array(PrimitiveType type, hlo::Dimensions dimensions, std::vector<T> values) {
  return Literal::array<T>(type, std::move(dimensions), values);
}

void check_round_trip(const Literal& literal, const Shape& shape) {
  for (ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig})
    CHECK(from_memory(to_memory(literal, shape, order), shape, order) == literal);
}

TEST_CASE("row-major values are their bytes, in the target's order") {
  const Literal literal = array<uint16_t>(PrimitiveType::kU16, {2}, {0x0102, 0x0304});
  CHECK(numbers(to_memory(literal, literal.shape(), ByteOrder::kLittle)) ==
        std::vector<int>{2, 1, 4, 3});
  CHECK(numbers(to_memory(literal, literal.shape(), ByteOrder::kBig)) ==
        std::vector<int>{1, 2, 3, 4});
  check_round_trip(literal, literal.shape());
}

TEST_CASE("complex numbers are swapped part by part") {
  const Literal literal = array<std::array<float, 2>>(PrimitiveType::kC64, {1}, {{1.0f, 2.0f}});
  CHECK(numbers(to_memory(literal, literal.shape(), ByteOrder::kBig)) ==
        std::vector<int>{0x3f, 0x80, 0, 0, 0x40, 0, 0, 0});
  check_round_trip(literal, literal.shape());
}

TEST_CASE("elements follow the layout") {
  const Literal literal = array<int8_t>(PrimitiveType::kS8, {2, 3}, {1, 2, 3, 4, 5, 6});
  Shape shape = literal.shape();
  shape.layout.minor_to_major = {0, 1};
  CHECK(numbers(to_memory(literal, shape, ByteOrder::kLittle)) ==
        std::vector<int>{1, 4, 2, 5, 3, 6});
  check_round_trip(literal, shape);
}

TEST_CASE("three dimensions in any order come back") {
  std::vector<int32_t> values(24);
  for (int i = 0; i < 24; ++i) values[i] = i;
  const Literal literal = array<int32_t>(PrimitiveType::kS32, {2, 3, 4}, values);
  Shape shape = literal.shape();
  shape.layout.minor_to_major = {1, 2, 0};
  CHECK(numbers(to_memory(literal, shape, ByteOrder::kLittle))[4] == 4);
  check_round_trip(literal, shape);
}

TEST_CASE("packed elements fill bytes from the low part") {
  const Literal literal = array<int8_t>(PrimitiveType::kS4, {3}, {1, -2, 7});
  Shape shape = literal.shape();
  shape.layout.element_bits = 4;
  CHECK(numbers(to_memory(literal, shape, ByteOrder::kBig)) == std::vector<int>{0xe1, 0x07});
  check_round_trip(literal, shape);
  const Literal bits = array<uint8_t>(PrimitiveType::kU1, {10}, {1, 0, 1, 1, 0, 0, 0, 1, 0, 1});
  Shape packed = bits.shape();
  packed.layout.element_bits = 1;
  CHECK(numbers(to_memory(bits, packed, ByteOrder::kBig)) == std::vector<int>{0x8d, 0x02});
  check_round_trip(bits, packed);
}

TEST_CASE("scalars and empty arrays have images") {
  check_round_trip(array<double>(PrimitiveType::kF64, {}, {1.5}),
                   Shape::scalar(PrimitiveType::kF64));
  check_round_trip(array<float>(PrimitiveType::kF32, {0, 3}, {}),
                   Shape::array(PrimitiveType::kF32, {0, 3}));
}

}  // namespace
}  // namespace hlocc::device
