// The shared rules.
#include "ops/check/checks.h"

#include <algorithm>

namespace hlocc::ops {
namespace {

constexpr TypeSet class_bit(hlo::TypeClass type_class) {
  switch (type_class) {
    case hlo::TypeClass::kPred: return kPreds;
    case hlo::TypeClass::kSigned: return kSignedInts;
    case hlo::TypeClass::kUnsigned: return kUnsignedInts;
    case hlo::TypeClass::kFloat: return kFloats;
    case hlo::TypeClass::kComplex: return kComplexes;
    case hlo::TypeClass::kOther: return TypeSet{};
  }
  return TypeSet{};
}

// "pred, integer or float".
std::string describe(TypeSet set) {
  std::vector<std::string> names;
  if (set & kPreds) names.push_back("pred");
  if ((set & kInts) == kInts)
    names.push_back("integer");
  else if (set & kSignedInts)
    names.push_back("signed integer");
  else if (set & kUnsignedInts)
    names.push_back("unsigned integer");
  if (set & kFloats) names.push_back("float");
  if (set & kComplexes) names.push_back("complex");
  return join(names, " or ");
}

}  // namespace

Status check_array(const Shape& shape, std::string_view what) {
  return check(shape.is_array(), kShape, what, " is ", shape, " and must be an array");
}

Status check_type(const Shape& shape, TypeSet allowed, std::string_view what) {
  HLOCC_TRY(check_array(shape, what));
  if (class_bit(type_class(shape.element_type)) & allowed) return {};
  return error(kType, cat(what, " has element type ", shape.element_type, " and must be ",
                          describe(allowed)));
}

Status check_scalar(const Shape& shape, std::string_view what) {
  return check(shape.is_scalar(), kShape, what, " is ", shape, " and must be a scalar");
}

Status check_array_operands(const Site& site) {
  for (int i = 0; i < site.operand_count(); ++i)
    HLOCC_TRY(check_array(site.operand(i), cat("operand ", i)));
  return {};
}

Status check_same_dimensions(const Site& site, int first, int last) {
  for (int i = first + 1; i < last; ++i)
    HLOCC_TRY(check(same_dimensions(site.operand(i), site.operand(first)), kShape, "operand ", i,
                    " is ", site.operand(i), ", which has other dimensions than operand ", first,
                    ", ", site.operand(first)));
  return {};
}

Status check_operand_type(const Site& site, int i, PrimitiveType type) {
  const Shape& shape = site.operand(i);
  HLOCC_TRY(check_array(shape, cat("operand ", i)));
  return check(shape.element_type == type, kType, "operand ", i, " has element type ",
               shape.element_type, " and must have ", type);
}

Status check_same_shape(const Shape& shape, const Shape& expected, std::string_view what) {
  return check(same_dimensions_and_type(shape, expected), kShape, what, " is ", shape,
               " and must be ", expected);
}

Status check_dimension(int64_t dim, int64_t rank, std::string_view name) {
  return check(dim >= 0 && dim < rank, kAttribute, name, " is ", dim, ", out of range for rank ",
               rank);
}

Status check_dimensions(const Dimensions& dims, int64_t rank, std::string_view name) {
  std::vector<bool> seen(static_cast<size_t>(std::max<int64_t>(rank, 0)), false);
  for (int64_t dim : dims) {
    HLOCC_TRY(check(dim >= 0 && dim < rank, kAttribute, name, "=", Listed{dims},
                    " is out of range for rank ", rank));
    HLOCC_TRY(
        check(!seen[dim], kAttribute, name, "=", Listed{dims}, " names dimension ", dim, " twice"));
    seen[dim] = true;
  }
  return {};
}

Status check_sorted_dimensions(const Dimensions& dims, int64_t rank, std::string_view name) {
  HLOCC_TRY(check_dimensions(dims, rank, name));
  return check(std::is_sorted(dims.begin(), dims.end()), kAttribute, name, "=", Listed{dims},
               " must ascend");
}

Status check_count(size_t count, size_t expected, std::string_view name) {
  return check(count == expected, kAttribute, name, " has ", count, " entries and needs ",
               expected);
}

bool contains(const Dimensions& dims, int64_t dim) {
  return std::find(dims.begin(), dims.end(), dim) != dims.end();
}

Dimensions other_dimensions(int64_t rank, const Dimensions& a, const Dimensions& b) {
  Dimensions rest;
  for (int64_t dim = 0; dim < rank; ++dim)
    if (!contains(a, dim) && !contains(b, dim)) rest.push_back(dim);
  return rest;
}

void set_dynamic(Shape& shape, int dim) {
  shape.dynamic.resize(shape.dimensions.size(), false);
  shape.dynamic[dim] = true;
}

Shape with_type(const Shape& like, PrimitiveType type) {
  Shape shape = Shape::array(type, like.dimensions);
  for (int i = 0; i < like.rank(); ++i)
    if (like.is_dynamic(i)) set_dynamic(shape, i);
  return shape;
}

void append_dimension(Shape& shape, int64_t size, bool dynamic) {
  shape.dimensions.push_back(size);
  if (!shape.dynamic.empty()) shape.dynamic.push_back(false);
  if (dynamic) set_dynamic(shape, shape.rank() - 1);
}

Shape one_or_tuple(std::vector<Shape> shapes) {
  if (shapes.size() == 1) return std::move(shapes[0]);
  return Shape::make_tuple(std::move(shapes));
}

}  // namespace hlocc::ops
