// ShapeProto <-> Shape.
#pragma once
#include "hlo.pb.h"
#include "hlo/shape.h"

#include "support/result.h"

namespace hlocc::import {

// `what` begins a message: "result shape of %dot.3".
Result<hlo::Shape> read_shape(const proto::ShapeProto& proto, std::string_view what);
// Whether it, or a part of it, is a buffer; read_shape gives the contents' shape.
bool has_buffer(const proto::ShapeProto& proto);
void write_shape(const hlo::Shape& shape, proto::ShapeProto& proto);

inline hlo::Dimensions to_dimensions(const google::protobuf::RepeatedField<int64_t>& values) {
  return {values.begin(), values.end()};
}
inline void write_dimensions(const hlo::Dimensions& values,
                             google::protobuf::RepeatedField<int64_t>* out) {
  out->Add(values.begin(), values.end());
}

}  // namespace hlocc::import
