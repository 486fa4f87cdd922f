// Shapes on the wire. Reading recurses into tuples; protobuf's own limit on nesting has bounded the
// depth before.
#include "import/proto/shape.h"

#include <algorithm>
#include <string>

#include "import/check_shape.h"
#include "import/limits.h"
#include "support/text.h"

namespace hlocc::import {
namespace {
// Numbers of xla_data.proto that we know by name only, to refuse them by name.
struct RefusedType {
  int number;
  std::string_view name;
};
constexpr RefusedType refused_types[] = {{35, "f6e3m2fn"}, {36, "f6e2m3fn"}};
// b(...): its one element is its contents.
constexpr int kBufferNumber = 34;

Diagnostic refuse_type(int number, std::string_view what) {
  if (number == 0) return error(DiagnosticKind::kShape, cat(what, " has no element type"));
  for (const RefusedType& row : refused_types)
    if (row.number == number)
      return error(DiagnosticKind::kType,
                   cat(what, " has the element type ", row.name, ", which is not supported"));
  return error(DiagnosticKind::kType, cat(what, " has the unknown element type number ", number));
}
}  // namespace

Result<hlo::Shape> read_shape(const proto::ShapeProto& proto, std::string_view what) {
  if (proto.element_type() == kBufferNumber && proto.tuple_shapes_size() == 1)
    return read_shape(proto.tuple_shapes(0), what);
  const auto type = hlo::type_from_proto_number(proto.element_type());
  if (!type) return refuse_type(proto.element_type(), what);
  hlo::Shape shape;
  shape.element_type = *type;
  if (shape.is_tuple()) {
    if (proto.tuple_shapes_size() > kMaxTupleElements)
      return error(DiagnosticKind::kLimit,
                   cat(what, " is a tuple of ", proto.tuple_shapes_size(), " elements; at most ",
                       kMaxTupleElements, " are accepted"));
    shape.tuple.reserve(proto.tuple_shapes_size());
    for (const proto::ShapeProto& element : proto.tuple_shapes()) {
      HLOCC_TRY_ASSIGN(hlo::Shape read, read_shape(element, what));
      shape.tuple.push_back(std::move(read));
    }
    return shape;
  }
  if (!shape.is_array()) return shape;
  shape.dimensions = to_dimensions(proto.dimensions());
  shape.dynamic.assign(proto.is_dynamic_dimension().begin(), proto.is_dynamic_dimension().end());
  shape.layout.minor_to_major = to_dimensions(proto.layout().minor_to_major());
  shape.layout.element_bits = static_cast<int>(proto.layout().element_size_in_bits());
  HLOCC_TRY(check_and_normalize(shape, what));
  return shape;
}

bool has_buffer(const proto::ShapeProto& proto) {
  return proto.element_type() == kBufferNumber ||
         std::any_of(proto.tuple_shapes().begin(), proto.tuple_shapes().end(), has_buffer);
}

void write_shape(const hlo::Shape& shape, proto::ShapeProto& proto) {
  proto.set_element_type(hlo::type_proto_number(shape.element_type));
  for (const hlo::Shape& element : shape.tuple) write_shape(element, *proto.add_tuple_shapes());
  if (!shape.is_array()) return;
  write_dimensions(shape.dimensions, proto.mutable_dimensions());
  // XLA writes one flag a dimension, static or not.
  for (int i = 0; i < shape.rank(); ++i) proto.add_is_dynamic_dimension(shape.is_dynamic(i));
  write_dimensions(hlo::minor_to_major(shape), proto.mutable_layout()->mutable_minor_to_major());
  proto.mutable_layout()->set_element_size_in_bits(shape.layout.element_bits);
  proto.mutable_layout()->set_tail_padding_alignment_in_elements(1);
}

}  // namespace hlocc::import
