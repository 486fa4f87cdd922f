// Types of ops that hold numbers of lanes: constants, lanes taken and put, shuffles, each with the
// first number that is out of range.
#include "kernel/op_types.h"

#include <catch2/catch.hpp>

namespace hlocc::kernel {
namespace {

constexpr Type kOne{Scalar::kF32, 1}, kFour{Scalar::kF32, 4};

// Whether the op may have such a result of such operands.
bool fits(OpKind kind, decltype(Op::payload) payload, Type result,
          std::vector<Type> operands = {}) {
  Op op{.kind = kind, .payload = std::move(payload)};
  return !type_error(op, result, operands).has_value();
}

TEST_CASE("a constant has one lane or as many as its type", "[kernel]") {
  CHECK(fits(OpKind::kConstant, Constant{{0}}, kOne));
  CHECK(fits(OpKind::kConstant, Constant{{0}}, kFour));
  CHECK(fits(OpKind::kConstant, Constant{{0, 1, 2, 3}}, kFour));
  CHECK_FALSE(fits(OpKind::kConstant, Constant{{}}, kOne));
  CHECK_FALSE(fits(OpKind::kConstant, Constant{{0, 1}}, kOne));
  CHECK_FALSE(fits(OpKind::kConstant, Constant{{0, 1}}, kFour));
  CHECK_FALSE(fits(OpKind::kConstant, Constant{{0, 1, 2, 3, 4}}, kFour));
  CHECK_FALSE(fits(OpKind::kConstant, Lane{0}, kOne));
  CHECK(fits(OpKind::kConstant, Constant{{255}}, {Scalar::kU8, 1}));
  CHECK_FALSE(fits(OpKind::kConstant, Constant{{256}}, {Scalar::kU8, 1}));
}

TEST_CASE("a lane is one of the vector's", "[kernel]") {
  for (const int lane : {0, 3}) {
    CHECK(fits(OpKind::kExtract, Lane{lane}, kOne, {kFour}));
    CHECK(fits(OpKind::kInsert, Lane{lane}, kFour, {kFour, kOne}));
  }
  for (const int lane : {-1, -2, 4, 5}) {
    CHECK_FALSE(fits(OpKind::kExtract, Lane{lane}, kOne, {kFour}));
    CHECK_FALSE(fits(OpKind::kInsert, Lane{lane}, kFour, {kFour, kOne}));
  }
  CHECK_FALSE(fits(OpKind::kExtract, Constant{{0}}, kOne, {kFour}));
  CHECK_FALSE(fits(OpKind::kExtract, Lane{0}, kFour, {kFour}));
  CHECK_FALSE(fits(OpKind::kInsert, Lane{0}, kFour, {kFour, kFour}));
}

TEST_CASE("a shuffle takes lanes of two vectors that are alike", "[kernel]") {
  const auto shuffled = [](std::vector<int> lanes, Type other = kFour) {
    return fits(OpKind::kShuffle, Shuffle{std::move(lanes)}, kFour, {kFour, other});
  };
  CHECK(shuffled({0, 7, -1, 3}));
  CHECK_FALSE(shuffled({0, 8, -1, 3}));
  CHECK_FALSE(shuffled({0, 9, -1, 3}));
  CHECK_FALSE(shuffled({0, 7, -2, 3}));
  CHECK_FALSE(shuffled({0, 7, 3}));
  CHECK_FALSE(shuffled({0, 7, -1, 3}, kOne));
  CHECK_FALSE(shuffled({0, 7, -1, 3}, {Scalar::kF64, 4}));
  CHECK_FALSE(fits(OpKind::kShuffle, Lane{0}, kFour, {kFour, kFour}));
}

TEST_CASE("a product of s32 is rounded and shifted in 64 bits", "[kernel]") {
  const Type word{Scalar::kS32, 1}, words{Scalar::kS32, 4};
  const auto shifts = [](int64_t rounding, int shift, Type type = {Scalar::kS32, 4}) {
    return fits(OpKind::kMulShiftRight, RoundedShift{rounding, shift}, type, {type, type});
  };
  for (const int shift : {1, 63}) CHECK(shifts(0, shift));
  for (const int shift : {-1, 0, 64}) CHECK_FALSE(shifts(0, shift));
  CHECK(shifts(int64_t{1} << 61, 40));
  CHECK_FALSE(shifts((int64_t{1} << 61) + 1, 40));
  CHECK_FALSE(shifts(-1, 40));
  CHECK(shifts(1, 40, word));
  CHECK_FALSE(shifts(1, 40, {Scalar::kU32, 4}));
  CHECK_FALSE(fits(OpKind::kMulShiftRight, RoundedShift{0, 32}, words, {words, word}));
  CHECK_FALSE(fits(OpKind::kMulShiftRight, Lane{0}, words, {words, words}));
}

TEST_CASE("bytes saturate from as many s32, shifted by up to 24", "[kernel]") {
  const Type words{Scalar::kS32, 4}, bytes{Scalar::kS8, 4};
  const auto shifts = [&](int shift) {
    return fits(OpKind::kSaturate, RoundedShift{0, shift}, bytes, {words});
  };
  for (const int shift : {0, 24}) CHECK(shifts(shift));
  for (const int shift : {-1, 25}) CHECK_FALSE(shifts(shift));
  CHECK_FALSE(fits(OpKind::kSaturate, RoundedShift{1, 3}, bytes, {words}));
  CHECK_FALSE(fits(OpKind::kSaturate, Lane{0}, bytes, {words}));
  CHECK_FALSE(fits(OpKind::kSaturate, RoundedShift{0, 3}, {Scalar::kU8, 4}, {words}));
  CHECK_FALSE(fits(OpKind::kSaturate, RoundedShift{0, 3}, bytes, {{Scalar::kU32, 4}}));
  CHECK_FALSE(fits(OpKind::kSaturate, RoundedShift{0, 3}, bytes, {{Scalar::kS32, 8}}));
}

TEST_CASE("four bytes are spread of a word of the vector", "[kernel]") {
  const Type bytes{Scalar::kS8, 8}, halves{Scalar::kS16, 4};
  const auto of = [&](int word) { return fits(OpKind::kSpreadBytes, Lane{word}, halves, {bytes}); };
  for (const int word : {0, 1}) CHECK(of(word));
  for (const int word : {-1, 2}) CHECK_FALSE(of(word));
  CHECK(fits(OpKind::kSpreadBytes, Lane{1}, {Scalar::kU16, 4}, {{Scalar::kU8, 8}}));
  CHECK_FALSE(fits(OpKind::kSpreadBytes, Lane{1}, halves, {{Scalar::kS8, 7}}));
  CHECK_FALSE(fits(OpKind::kSpreadBytes, RoundedShift{}, halves, {bytes}));
  CHECK_FALSE(fits(OpKind::kSpreadBytes, Lane{0}, {Scalar::kS16, 8}, {bytes}));
  CHECK_FALSE(fits(OpKind::kSpreadBytes, Lane{0}, {Scalar::kS32, 4}, {bytes}));
  CHECK_FALSE(fits(OpKind::kSpreadBytes, Lane{0}, halves, {{Scalar::kS16, 8}}));
}

TEST_CASE("doubled high products are of s32 alone", "[kernel]") {
  const auto doubles = [](Scalar scalar) {
    const Type type{scalar, 4};
    return fits(OpKind::kMulHiDoubled, {}, type, {type, type});
  };
  CHECK(doubles(Scalar::kS32));
  for (const Scalar scalar :
       {Scalar::kU32, Scalar::kS16, Scalar::kS64, Scalar::kIndex, Scalar::kF32, Scalar::kPred})
    CHECK_FALSE(doubles(scalar));
}

}  // namespace

TEST_CASE("bytes are integers of eight bits", "[kernel]") {
  for (const Scalar byte : {Scalar::kS8, Scalar::kU8}) CHECK(is_byte(byte));
  for (const Scalar other : {Scalar::kPred, Scalar::kS4, Scalar::kU16, Scalar::kF8E4M3FN})
    CHECK_FALSE(is_byte(other));
}

}  // namespace hlocc::kernel
