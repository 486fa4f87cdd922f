// Literals: storage, sharing, trees.
#include "hlo/literal.h"

#include <catch2/catch.hpp>

using namespace hlocc::hlo;
using enum PrimitiveType;

namespace {
Literal vector_of(std::vector<int32_t> values) {
  return Literal::array<int32_t>(kS32, {static_cast<int64_t>(values.size())}, values);
}
}  // namespace

TEST_CASE("values come back as they went in") {
  const Literal literal = vector_of({1, -2, 3});
  CHECK(literal.data<int32_t>()[1] == -2);
  CHECK(literal.element_count() == 3);
  CHECK(Literal::scalar<float>(kF32, 2.5f).data<float>()[0] == 2.5f);
  CHECK(Literal::zeros(Shape::array(kF64, {2})).data<double>()[1] == 0.0);
  CHECK(Literal::zeros(Shape::array(kF64, {0})).bytes().empty());
  CHECK(Literal::token().shape().is_token());
  CHECK(Literal().is_tuple());
}

TEST_CASE("copies share bytes until one is written") {
  const Literal original = vector_of({1, 2});
  Literal copy = original;
  CHECK(copy.bytes().data() == original.bytes().data());
  copy.mutable_data<int32_t>()[0] = 7;
  CHECK(original.data<int32_t>()[0] == 1);
  CHECK(copy.data<int32_t>()[0] == 7);
  // What nobody shares is written where it is.
  const std::byte* place = copy.bytes().data();
  CHECK(copy.mutable_bytes().data() == place);
  CHECK(Literal().mutable_bytes().empty());
}

TEST_CASE("equality looks at shapes without layouts, and at bytes") {
  CHECK(vector_of({1, 2}) == vector_of({1, 2}));
  CHECK(!(vector_of({1, 2}) == vector_of({1, 3})));
  CHECK(!(vector_of({1, 3}) == vector_of({1, 2})));
  CHECK(!(vector_of({1}) == vector_of({1, 0})));
  CHECK(!(Literal::scalar<int32_t>(kS32, 0) == Literal::scalar<uint32_t>(kU32, 0)));
  Literal other = vector_of({1, 2});
  Shape shape = other.shape();
  shape.layout.minor_to_major = {0};
  other.set_shape(shape);
  CHECK(other == vector_of({1, 2}));
  CHECK(Literal::make_tuple({other}) == Literal::make_tuple({vector_of({1, 2})}));
  CHECK(!(Literal::make_tuple({other}) == Literal::make_tuple({other, other})));
}

TEST_CASE("set_shape reinterprets the same bytes") {
  Literal literal = vector_of({1, 2, 3, 4});
  literal.set_shape(Shape::array(kS32, {2, 2}));
  CHECK(literal.data<int32_t>()[3] == 4);
  CHECK(literal.shape().rank() == 2);
}

TEST_CASE("leaves and unflatten are inverse, and leave tokens out") {
  const Literal tree =
      Literal::make_tuple({vector_of({1}), Literal::token(),
                           Literal::make_tuple({vector_of({2}), Literal()}), vector_of({3})});
  const std::vector<Literal> flat = leaves(tree);
  REQUIRE(flat.size() == 3);
  CHECK(flat[1] == vector_of({2}));
  CHECK(unflatten(tree.shape(), flat) == tree);
  CHECK(leaves(vector_of({5})).size() == 1);
}

TEST_CASE("integer_at widens with the type's own sign") {
  CHECK(integer_at(Literal::scalar<int8_t>(kS8, -1), 0) == -1);
  CHECK(integer_at(Literal::scalar<uint8_t>(kU8, 255), 0) == 255);
  CHECK(integer_at(Literal::scalar<int16_t>(kS16, -300), 0) == -300);
  CHECK(integer_at(Literal::scalar<uint16_t>(kU16, 65535), 0) == 65535);
  CHECK(integer_at(Literal::scalar<uint32_t>(kU32, 0xFFFFFFFF), 0) == 0xFFFFFFFF);
  CHECK(integer_at(Literal::scalar<uint64_t>(kU64, UINT64_MAX), 0) == -1);
  CHECK(integer_at(Literal::scalar<uint8_t>(kPred, 1), 0) == 1);
  CHECK(integer_at(vector_of({4, 5}), 1) == 5);
}
