// Literal: the value of a constant, an argument or a result. Arrays hold their elements dense and
// row-major whatever the layout of the shape says (readers and writers at the border reorder), in
// this machine's byte order, one storage unit an element: pred 0/1, sub-byte types one a byte (s4
// sign-extended, u4 zero-extended), complex as (re, im). Bytes are shared and copied on write,
// because weights travel through many modules.
#pragma once
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "hlo/shape.h"
#include "support/check.h"

namespace hlocc::hlo {

class Literal {
 public:
  // An empty tuple.
  Literal() = default;
  // An array of zeros. `shape` must be a static array shape.
  static Literal zeros(const Shape& shape);
  static Literal from_bytes(const Shape& shape, std::vector<std::byte> bytes);
  static Literal make_tuple(std::vector<Literal> elements);
  static Literal token();
  template <typename T>
  static Literal scalar(PrimitiveType type, T value) {
    Literal literal = zeros(Shape::scalar(type));
    literal.mutable_data<T>()[0] = value;
    return literal;
  }
  template <typename T>
  static Literal array(PrimitiveType type, Dimensions dimensions, std::span<const T> values) {
    Literal literal = zeros(Shape::array(type, std::move(dimensions)));
    HLOCC_CHECK(values.size_bytes() == literal.bytes().size(),
                "literal data of another size than its shape");
    if (!values.empty())
      std::memcpy(literal.mutable_bytes().data(), values.data(), values.size_bytes());
    return literal;
  }

  const Shape& shape() const { return shape_; }
  // Changes dimensions, layout or dynamic flags without touching bytes; the byte size must stay.
  void set_shape(Shape shape);
  PrimitiveType type() const { return shape_.element_type; }
  bool is_tuple() const { return shape_.is_tuple(); }
  int64_t element_count() const { return shape_.element_count(); }

  std::span<const std::byte> bytes() const;
  std::span<std::byte> mutable_bytes();

  // Typed views; sizeof(T) must be storage_bytes(type()).
  template <typename T>
  std::span<const T> data() const {
    check_width(sizeof(T));
    return {reinterpret_cast<const T*>(bytes().data()), bytes().size() / sizeof(T)};
  }
  template <typename T>
  std::span<T> mutable_data() {
    check_width(sizeof(T));
    std::span<std::byte> all = mutable_bytes();
    return {reinterpret_cast<T*>(all.data()), all.size() / sizeof(T)};
  }

  const std::vector<Literal>& elements() const { return elements_; }
  std::vector<Literal>& elements() { return elements_; }

  // The runtime sizes of a literal with dynamic dimensions: one per dimension; empty when all are
  // full.
  std::vector<int32_t> dynamic_sizes;

  // Same shape (layouts apart) and same bytes.
  bool operator==(const Literal& other) const;

 private:
  void check_width(size_t width) const {
    HLOCC_CHECK(width == static_cast<size_t>(storage_bytes(type())),
                "literal viewed as another type");
  }
  Shape shape_;
  std::shared_ptr<std::vector<std::byte>> bytes_;
  std::vector<Literal> elements_;
};

// Array leaves depth first, tokens left out.
std::vector<Literal> leaves(const Literal& literal);
// The tree of `shape` filled with leaves in that order; tokens become tokens.
Literal unflatten(const Shape& shape, std::span<const Literal> leaves);

// An integer or pred element as int64 (u64 wraps); the literal must be of such a type.
int64_t integer_at(const Literal& literal, int64_t index);

}  // namespace hlocc::hlo
