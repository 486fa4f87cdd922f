// Shape arithmetic and its text form.
#include "hlo/shape.h"

#include <algorithm>

#include "support/checked_math.h"
#include "support/text.h"

namespace hlocc::hlo {

Shape Shape::array(PrimitiveType type, Dimensions dimensions) {
  Shape shape;
  shape.element_type = type;
  shape.dimensions = std::move(dimensions);
  return shape;
}

Shape Shape::make_tuple(std::vector<Shape> elements) {
  Shape shape;
  shape.tuple = std::move(elements);
  return shape;
}

Shape Shape::token() {
  Shape shape;
  shape.element_type = PrimitiveType::kToken;
  return shape;
}

bool Shape::has_dynamic_dimensions() const {
  for (bool d : dynamic)
    if (d) return true;
  for (const Shape& element : tuple)
    if (element.has_dynamic_dimensions()) return true;
  return false;
}

int64_t Shape::element_count() const {
  int64_t count = 1;
  for (int64_t d : dimensions) count = checked_multiply(count, d).value_or(INT64_MAX);
  return count;
}

int64_t Shape::byte_size() const {
  if (is_array())
    return checked_multiply(element_count(), storage_bytes(element_type)).value_or(INT64_MAX);
  int64_t bytes = 0;
  for (const Shape& element : tuple)
    bytes = checked_add(bytes, element.byte_size()).value_or(INT64_MAX);
  return bytes;
}

bool same_dimensions(const Shape& a, const Shape& b) { return a.dimensions == b.dimensions; }

bool same_dimensions_and_type(const Shape& a, const Shape& b) {
  if (a.element_type != b.element_type || a.dimensions != b.dimensions ||
      a.tuple.size() != b.tuple.size())
    return false;
  for (int i = 0; i < a.rank(); ++i)
    if (a.is_dynamic(i) != b.is_dynamic(i)) return false;
  for (size_t i = 0; i < a.tuple.size(); ++i)
    if (!same_dimensions_and_type(a.tuple[i], b.tuple[i])) return false;
  return true;
}

Layout row_major_layout(int rank) {
  Layout layout;
  for (int i = rank - 1; i >= 0; --i) layout.minor_to_major.push_back(i);
  return layout;
}

bool is_row_major(const Shape& array) {
  const Dimensions& order = array.layout.minor_to_major;
  return order.empty() || order == row_major_layout(array.rank()).minor_to_major;
}

Dimensions minor_to_major(const Shape& array) {
  return array.layout.minor_to_major.empty() ? row_major_layout(array.rank()).minor_to_major
                                             : array.layout.minor_to_major;
}

Dimensions physical_order(const Shape& array) {
  Dimensions order = minor_to_major(array);
  std::reverse(order.begin(), order.end());
  return order;
}

Shape physical_shape(const Shape& array) {
  Dimensions sizes;
  for (const int64_t d : physical_order(array))
    sizes.push_back(array.dimensions[static_cast<size_t>(d)]);
  return Shape::array(array.element_type, std::move(sizes));
}

Shape with_default_layout(const Shape& shape) {
  Shape out = shape;
  out.layout = {};
  for (Shape& element : out.tuple) element = with_default_layout(element);
  return out;
}

namespace {
void collect_leaves(const Shape& shape, std::vector<Shape>& leaves) {
  if (shape.is_array()) leaves.push_back(shape);
  for (const Shape& element : shape.tuple) collect_leaves(element, leaves);
}
}  // namespace

std::vector<Shape> leaf_shapes(const Shape& shape) {
  std::vector<Shape> leaves;
  collect_leaves(shape, leaves);
  return leaves;
}

std::string to_string(const Shape& shape, bool layouts) {
  if (shape.is_tuple()) {
    std::string out = "(";
    for (size_t i = 0; i < shape.tuple.size(); ++i) {
      if (i > 0) out += ", ";
      out += to_string(shape.tuple[i], layouts);
    }
    return out + ")";
  }
  std::string out = std::string(type_name(shape.element_type)) + "[";
  for (int i = 0; i < shape.rank(); ++i) {
    if (i > 0) out += ",";
    if (shape.dimensions[i] == kUnboundedSize) {
      out += "?";
      continue;
    }
    if (shape.is_dynamic(i)) out += "<=";
    out += std::to_string(shape.dimensions[i]);
  }
  out += "]";
  // Tokens have neither.
  if (!layouts || (shape.dimensions.empty() && shape.layout.element_bits == 0)) return out;
  out += "{" + join(minor_to_major(shape), ",");
  if (shape.layout.element_bits > 0) out += ":E(" + std::to_string(shape.layout.element_bits) + ")";
  return out + "}";
}

Dimensions row_major_strides(const Dimensions& dimensions) {
  Dimensions strides(dimensions.size(), 1);
  for (int i = static_cast<int>(dimensions.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * dimensions[i + 1];
  return strides;
}

}  // namespace hlocc::hlo
