// See row_reads.h.
#include "transforms/rows/row_reads.h"

#include <algorithm>
#include <cmath>

#include "hlo/compare.h"
#include "hlo/dimensions.h"
#include "support/product.h"

namespace hlocc::transforms {

using hlo::Computation;
using hlo::Dimensions;
using hlo::Instruction;
using hlo::Literal;
using hlo::Opcode;
using hlo::Shape;

namespace {

using Reads = std::optional<RowReads>;

struct Site {
  const Computation& computation;
  const Instruction& op;
  int64_t row;

  const Instruction& operand(size_t i) const {
    return computation.operand(op, static_cast<int>(i));
  }
  const Shape& shape(size_t i) const { return operand(i).shape; }
  // Every operand as a whole.
  RowReads none() const { return RowReads(op.operands.size()); }
  RowReads first(RowRead read) const {
    RowReads reads = none();
    reads[0] = std::move(read);
    return reads;
  }
};

// Of a scalar.
std::optional<Literal> known_value(const Instruction& i) {
  if (i.opcode != Opcode::kConstant) return std::nullopt;
  return i.get<hlo::ConstantAttributes>().value;
}

// A zero times these is a zero.
bool is_finite_constant(const Instruction& i) {
  if (hlo::is_integer(i.shape.element_type)) return true;
  if (i.opcode != Opcode::kConstant || i.shape.element_type != hlo::PrimitiveType::kF32)
    return false;
  return std::ranges::all_of(i.get<hlo::ConstantAttributes>().value.data<float>(),
                             [](float x) { return std::isfinite(x); });
}

Reads elementwise(const Site& s) {
  RowReads reads = s.none();
  for (size_t i = 0; i < reads.size(); ++i) {
    if (s.shape(i).is_scalar()) continue;
    if (s.shape(i).rank() != s.op.shape.rank()) return std::nullopt;
    reads[i] = RowRead{.dimension = s.row};
  }
  return reads;
}

Reads of_broadcast(const Site& s) {
  const Dimensions& mapping = s.op.get<hlo::DimensionsAttributes>().dimensions;
  const auto found = std::ranges::find(mapping, s.row);
  if (found == mapping.end()) return s.none();
  return s.first({.dimension = found - mapping.begin()});
}

// Along one dimension of a window; rows of a dilated base are not neighbours.
std::optional<RowRead> through(const hlo::WindowDimension& w, int64_t dimension) {
  if (w.base_dilation != 1) return std::nullopt;
  return RowRead{.dimension = dimension,
                 .size = (w.size - 1) * w.window_dilation + 1,
                 .stride = w.stride,
                 .low = w.padding_low};
}

Reads of_convolution(const Site& s) {
  const auto& a = s.op.get<hlo::ConvolutionAttributes>();
  const auto found = std::ranges::find(a.output_spatial, s.row);
  if (found == a.output_spatial.end() || a.batch_group_count != 1) return std::nullopt;
  const auto axis = found - a.output_spatial.begin();
  const hlo::WindowDimension& window = a.window.dimensions[axis];
  std::optional<RowRead> read = through(window, a.input_spatial[axis]);
  if (!read) return std::nullopt;
  if (window.padding_low > 0 || window.padding_high > 0) {
    if (!is_finite_constant(s.operand(1))) return std::nullopt;
    read->beyond = Literal::zeros(Shape::scalar(s.shape(0).element_type));
  }
  return s.first(*std::move(read));
}

Reads of_reduce_window(const Site& s) {
  if (s.op.operands.size() != 2) return std::nullopt;
  const hlo::WindowDimension& window = s.op.get<hlo::WindowAttributes>().window.dimensions[s.row];
  std::optional<RowRead> read = through(window, s.row);
  if (!read) return std::nullopt;
  if (window.padding_low > 0 || window.padding_high > 0) {
    read->beyond = known_value(s.operand(1));
    if (!read->beyond) return std::nullopt;
  }
  return s.first(*std::move(read));
}

Reads of_pad(const Site& s) {
  const hlo::PaddingDimension& row = s.op.get<hlo::PadAttributes>().dimensions[s.row];
  if (row.interior != 0) return std::nullopt;
  RowRead read{.dimension = s.row, .low = row.low};
  if (row.low > 0 || row.high > 0) {
    read.beyond = known_value(s.operand(1));
    if (!read.beyond) return std::nullopt;
  }
  return s.first(std::move(read));
}

Reads of_slice(const Site& s) {
  const auto& a = s.op.get<hlo::SliceAttributes>();
  return s.first({.dimension = s.row, .stride = a.strides[s.row], .low = -a.starts[s.row]});
}

Reads of_concatenate(const Site& s) {
  if (s.op.get<hlo::DimensionsAttributes>().dimensions[0] == s.row) return std::nullopt;
  return RowReads(s.op.operands.size(), RowRead{.dimension = s.row});
}

Reads of_transpose(const Site& s) {
  return s.first({.dimension = s.op.get<hlo::DimensionsAttributes>().dimensions[s.row]});
}

Reads of_reverse(const Site& s) {
  if (hlo::contains(s.op.get<hlo::DimensionsAttributes>().dimensions, s.row)) return std::nullopt;
  return s.first({.dimension = s.row});
}

// Where the same number of elements lies before a dimension of the same size.
Reads of_reshape(const Site& s) {
  const Dimensions &from = s.shape(0).dimensions, &to = s.op.shape.dimensions;
  const int64_t before = product(std::span(to).first(s.row));
  for (size_t d = 0; d < from.size(); ++d)
    if (from[d] == to[s.row] && product(std::span(from).first(d)) == before)
      return s.first({.dimension = static_cast<int64_t>(d)});
  return std::nullopt;
}

// A reduction of other dimensions than the rows.
Reads of_reduce(const Site& s) {
  const Dimensions& gone = s.op.get<hlo::DimensionsAttributes>().dimensions;
  int64_t dimension = 0;
  for (int64_t left = s.row;; ++dimension) {
    if (hlo::contains(gone, dimension)) continue;
    if (left-- == 0) break;
  }
  RowReads reads = s.none();
  for (size_t i = 0; i < reads.size() / 2; ++i) reads[i] = RowRead{.dimension = dimension};
  return reads;
}

// Rows of the left side, which are not contracted.
Reads of_dot(const Site& s) {
  const auto& a = s.op.get<hlo::DotAttributes>();
  if (!a.lhs_batch.empty()) return std::nullopt;
  int64_t left = s.row;
  for (int64_t d = 0; d < s.shape(0).rank(); ++d) {
    if (hlo::contains(a.lhs_contracting, d)) continue;
    if (left-- == 0) return s.first({.dimension = d});
  }
  return std::nullopt;
}

Reads reads_of(const Site& s) {
  switch (s.op.opcode) {
    case Opcode::kBroadcast: return of_broadcast(s);
    case Opcode::kConvolution: return of_convolution(s);
    case Opcode::kReduceWindow: return of_reduce_window(s);
    case Opcode::kPad: return of_pad(s);
    case Opcode::kSlice: return of_slice(s);
    case Opcode::kConcatenate: return of_concatenate(s);
    case Opcode::kTranspose: return of_transpose(s);
    case Opcode::kReverse: return of_reverse(s);
    case Opcode::kReshape: return of_reshape(s);
    case Opcode::kReduce: return of_reduce(s);
    case Opcode::kDot: return of_dot(s);
    case Opcode::kMap:
    case Opcode::kBitcastConvert: return elementwise(s);
    default:
      return hlo::info(s.op.opcode).family == hlo::Family::kElementwise ? elementwise(s)
                                                                        : std::nullopt;
  }
}

void without_padding(hlo::Window& window, int64_t axis) {
  window.dimensions[axis].padding_low = window.dimensions[axis].padding_high = 0;
}

}  // namespace

std::optional<RowReads> row_reads(const Computation& computation, const Instruction& op,
                                  int64_t dimension) {
  const auto is_plain = [](const Shape& shape) {
    return shape.is_array() && !shape.has_dynamic_dimensions();
  };
  if (!is_plain(op.shape) || !op.control_predecessors.empty()) return std::nullopt;
  for (hlo::InstructionId operand : op.operands)
    if (!is_plain(computation[operand].shape)) return std::nullopt;
  return reads_of({computation, op, dimension});
}

Instruction with_rows(const Instruction& op, int64_t dimension, int64_t count) {
  Instruction out = op;
  out.operands.clear();
  out.shape.dimensions[dimension] = count;
  if (op.opcode == Opcode::kConvolution) {
    auto& a = out.get<hlo::ConvolutionAttributes>();
    const auto found = std::ranges::find(a.output_spatial, dimension);
    without_padding(a.window, found - a.output_spatial.begin());
  } else if (op.opcode == Opcode::kReduceWindow) {
    without_padding(out.get<hlo::WindowAttributes>().window, dimension);
  } else if (op.opcode == Opcode::kPad) {
    out.get<hlo::PadAttributes>().dimensions[dimension] = {};
  } else if (op.opcode == Opcode::kSlice) {
    auto& a = out.get<hlo::SliceAttributes>();
    a.starts[dimension] = 0;
    a.limits[dimension] = (count - 1) * a.strides[dimension] + 1;
  }
  return out;
}

bool is_elementwise(const Instruction& op) {
  return hlo::info(op.opcode).family == hlo::Family::kElementwise;
}

}  // namespace hlocc::transforms
