// Rules that many ops share: element type sets, lists of dimensions, equal shapes, and the small
// edits that build results. Each returns a Status whose message says which rule was broken;
// locate() adds the place.
#pragma once
#include <string>

#include "ops/site.h"
#include "support/result.h"
#include "support/text.h"

namespace hlocc::ops {

using enum DiagnosticKind;

// A status built from parts only when the condition does not hold.
template <typename... Parts>
Status check(bool holds, DiagnosticKind kind, const Parts&... parts) {
  if (holds) return {};
  return error(kind, cat(parts...));
}

// Sets of element types, to be or-ed.
enum TypeSet : unsigned {
  kPreds = 1,
  kSignedInts = 2,
  kUnsignedInts = 4,
  kInts = kSignedInts | kUnsignedInts,
  kFloats = 8,
  kComplexes = 16,
  kReals = kInts | kFloats,
  kNumbers = kReals | kComplexes,
  kAnyType = kNumbers | kPreds,
};
constexpr TypeSet operator|(TypeSet a, TypeSet b) {
  return static_cast<TypeSet>(unsigned(a) | unsigned(b));
}

// `what` names the shape in the message: "operand 1", "the result". Also: the shape is an array.
Status check_type(const Shape& shape, TypeSet allowed, std::string_view what);
Status check_array(const Shape& shape, std::string_view what);
Status check_scalar(const Shape& shape, std::string_view what);
// Every operand is an array.
Status check_array_operands(const Site& site);
// Operands [first, last) have the dimensions of `first`.
Status check_same_dimensions(const Site& site, int first, int last);
// Operand i is an array of `type`.
Status check_operand_type(const Site& site, int i, PrimitiveType type);
// Equal up to layout.
Status check_same_shape(const Shape& shape, const Shape& expected, std::string_view what);

// `dims` holds different numbers of [0, rank); `name` is the attribute's.
Status check_dimensions(const Dimensions& dims, int64_t rank, std::string_view name);
// The same, and ascending.
Status check_sorted_dimensions(const Dimensions& dims, int64_t rank, std::string_view name);
Status check_dimension(int64_t dim, int64_t rank, std::string_view name);
Status check_count(size_t count, size_t expected, std::string_view name);
bool contains(const Dimensions& dims, int64_t dim);
// The numbers of [0, rank) that are in none of the two lists.
Dimensions other_dimensions(int64_t rank, const Dimensions& a, const Dimensions& b = {});

// Marks a dimension of an array as dynamic.
void set_dynamic(Shape& shape, int dim);
// Array of `type` with dimensions and dynamic flags of `like`.
Shape with_type(const Shape& like, PrimitiveType type);
// Appends one dimension with its flag.
void append_dimension(Shape& shape, int64_t size, bool dynamic);
// A list of one is the shape itself, more are a tuple: the results of variadic ops.
Shape one_or_tuple(std::vector<Shape> shapes);

// {1,2} in messages. Its append_text is a friend, so that it hides no other here.
struct Listed {
  const Dimensions& dimensions;
  friend void append_text(std::string& out, Listed listed) {
    out += '{';
    out += join(listed.dimensions, ",");
    out += '}';
  }
};

}  // namespace hlocc::ops
