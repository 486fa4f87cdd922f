// Shapes and layouts: an array (element type, dimensions, layout), a tuple of shapes, a token or an
// opaque value.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "hlo/primitive_type.h"

namespace hlocc::hlo {

using Dimensions = std::vector<int64_t>;

// An unbounded dynamic dimension, as the proto writes it.
inline constexpr int64_t kUnboundedSize = INT64_MIN;

// The order of elements in memory. minor_to_major[0] varies fastest; empty means row-major, the
// default. element_bits is 0, or the packed width of a sub-byte type (`E(4)`: two to a byte, low
// part first). Tiles and memory spaces of accelerators are accepted and dropped by the readers:
// entry values live in plain memory.
struct Layout {
  Dimensions minor_to_major;
  int element_bits = 0;
  bool operator==(const Layout&) const = default;
};

struct Shape {
  PrimitiveType element_type = PrimitiveType::kTuple;
  // For a dynamic dimension the upper bound; kUnboundedSize where there is none.
  Dimensions dimensions;
  // Empty when all dimensions are static, else one flag a dimension.
  std::vector<bool> dynamic;
  Layout layout;
  std::vector<Shape> tuple;

  static Shape array(PrimitiveType type, Dimensions dimensions);
  static Shape scalar(PrimitiveType type) { return array(type, {}); }
  static Shape make_tuple(std::vector<Shape> elements);
  static Shape token();

  bool is_tuple() const { return element_type == PrimitiveType::kTuple; }
  bool is_token() const { return element_type == PrimitiveType::kToken; }
  bool is_array() const { return is_array_type(element_type); }
  bool is_scalar() const { return is_array() && dimensions.empty(); }
  int rank() const { return static_cast<int>(dimensions.size()); }
  bool is_dynamic(int dimension) const { return !dynamic.empty() && dynamic[dimension]; }
  // Any dynamic dimension here or, for tuples, below.
  bool has_dynamic_dimensions() const;

  // Product of the dimensions (1 for a scalar), INT64_MAX where that is larger, as byte_size() is;
  // arrays only.
  int64_t element_count() const;
  // Bytes in a Literal: element_count() * storage_bytes(); tuples: the sum of their leaves; tokens
  // 0.
  int64_t byte_size() const;

  bool operator==(const Shape&) const = default;
};

// Equal but for layouts (and, in tuples, the layouts of leaves).
bool same_dimensions_and_type(const Shape& a, const Shape& b);
bool same_dimensions(const Shape& a, const Shape& b);

// True if the layout is row-major (or absent). packed element bits don't count here.
bool is_row_major(const Shape& array);
Layout row_major_layout(int rank);
// The layout's minor_to_major, written out when it is empty.
Dimensions minor_to_major(const Shape& array);
// The same from the slowest dimension to the fastest.
Dimensions physical_order(const Shape& array);
// The row-major array whose bytes are those of `array`.
Shape physical_shape(const Shape& array);
// The same shape, at all leaves, with the default layout.
Shape with_default_layout(const Shape& shape);

// Leaves depth first; tokens are left out (they have no value).
std::vector<Shape> leaf_shapes(const Shape& shape);

// HLO text: f32[2,<=3]{1,0:E(4)}, (s32[], f32[2]), token[]. `layouts` false drops {..}.
std::string to_string(const Shape& shape, bool layouts = true);
// For cat(): shapes and types in messages, without layouts.
inline void append_text(std::string& out, const Shape& shape) { out += to_string(shape, false); }
inline void append_text(std::string& out, PrimitiveType type) { out += type_name(type); }

// Row-major strides in elements.
Dimensions row_major_strides(const Dimensions& dimensions);

}  // namespace hlocc::hlo
