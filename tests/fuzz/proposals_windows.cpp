// Windows: reducers whose order of operands shows, over windows of every kind, and filters and
// pools so large that most of a picture is border.
#include <algorithm>

#include "fuzz/proposals.h"

namespace hlocc::fuzz {
namespace {

// Associative, with a neutral element to start from, but not commutative: so that a sum in any
// grouping is one number, as long as elements keep their order.
struct Ordered {
  std::vector<PrimitiveType> types;
  std::vector<double> neutral;
  ComputationId reducer = kNone;
};

// The later of two numbers that is not zero.
Ordered later(Builder& b, PrimitiveType type) {
  Ordered out{{type}, {0}};
  b.begin({Shape::scalar(type), Shape::scalar(type)});
  const Id none = b.emit(Opcode::kCompare, {1, b.scalar(type, 0)},
                         hlo::CompareAttributes{hlo::Direction::kEq, comparison_type(type, false)});
  out.reducer = b.finish(b.emit(Opcode::kSelect, {none, 0, 1}));
  return out;
}

// x -> a * x + b, one after the other: what a scan of a linear recurrence composes.
Ordered affine(Builder& b, PrimitiveType type) {
  Ordered out{{type, type}, {1, 0}};
  b.begin({Shape::scalar(type), Shape::scalar(type), Shape::scalar(type), Shape::scalar(type)});
  const Id scale = b.emit(Opcode::kMultiply, {0, 2});
  const Id offset = b.emit(Opcode::kAdd, {b.emit(Opcode::kMultiply, {2, 1}), 3});
  out.reducer = b.finish(b.emit(Opcode::kTuple, {scale, offset}, {}));
  return out;
}

hlo::WindowDimension cumulative(Builder& b, int64_t size) {
  hlo::WindowDimension window;
  window.size = size;
  (b.random.chance(50) ? window.padding_low : window.padding_high) = size - 1;
  return window;
}

hlo::WindowDimension large(Builder& b, int64_t size) {
  hlo::WindowDimension window;
  window.size = b.random.between(1, std::min<int64_t>(size + 3, 9));
  window.stride = b.random.between(1, 4);
  window.padding_low = b.random.chance(60) ? window.size / 2 : b.random.between(0, window.size);
  window.padding_high = b.random.chance(60) ? window.padding_low : b.random.between(0, window.size);
  if (b.random.chance(15)) window.window_dilation = 2;
  return window;
}

Id ordered_windows(Builder& b, PrimitiveType type) {
  // Floats would round otherwise in another grouping.
  if (type == PrimitiveType::kPred || is_complex(type) || !is_integer(type))
    type = b.random.chance(50) ? PrimitiveType::kS32 : PrimitiveType::kU8;
  const Id x = b.value(type, 1, 3);
  const int64_t along = b.random.below(b.rank(x));
  if (b.shape(x).element_count() == 0) return kNone;
  const Ordered of = b.random.chance(50) ? later(b, type) : affine(b, type);
  std::vector<Id> operands = {x};
  for (size_t i = 1; i < of.types.size(); ++i)
    operands.push_back(b.value_like(of.types[i], b.dims(x)));
  for (size_t i = 0; i < of.types.size(); ++i)
    operands.push_back(b.scalar(of.types[i], of.neutral[i]));
  hlo::WindowAttributes attributes;
  attributes.window.dimensions.resize(b.dims(x).size());
  const int64_t size = b.dims(x)[static_cast<size_t>(along)];
  attributes.window.dimensions[static_cast<size_t>(along)] =
      b.random.chance(60) ? cumulative(b, size) : large(b, size);
  const Id out = b.emit(Opcode::kReduceWindow, operands, attributes, {of.reducer});
  return out == kNone || of.types.size() == 1 ? out : element(b, out, b.random.below(2));
}

Id large_pool(Builder& b, PrimitiveType type) {
  if (type == PrimitiveType::kPred || is_complex(type)) return kNone;
  const Id x = b.value_like(
      type, {1, b.random.between(3, 13), b.random.between(3, 13), b.random.between(1, 3)});
  if (x == kNone) return kNone;
  hlo::WindowAttributes attributes;
  attributes.window.dimensions.resize(4);
  for (size_t d : {1, 2}) attributes.window.dimensions[d] = large(b, b.dims(x)[d]);
  return b.emit(Opcode::kReduceWindow, {x, initial_value(b, type)}, attributes,
                {random_reducer(b, {type})});
}

Id large_filter(Builder& b, PrimitiveType type) {
  if (type == PrimitiveType::kPred || is_complex(type)) return kNone;
  const bool depthwise = b.random.chance(60);
  const int64_t inputs = b.random.between(1, 5), multiplier = b.random.chance(70) ? 1 : 2,
                outputs = depthwise ? inputs * multiplier : b.random.between(1, 5);
  const Dimensions image = {1, b.random.between(3, 14), b.random.between(3, 14), inputs};
  hlo::ConvolutionAttributes conv;
  for (size_t d : {1, 2}) conv.window.dimensions.push_back(large(b, image[d]));
  conv.feature_group_count = depthwise ? inputs : 1;
  conv.input_batch = 0, conv.input_feature = 3, conv.input_spatial = {1, 2};
  conv.kernel_input_feature = 2, conv.kernel_output_feature = 3, conv.kernel_spatial = {0, 1};
  conv.output_batch = 0, conv.output_feature = 3, conv.output_spatial = {1, 2};
  const Dimensions filter = {conv.window.dimensions[0].size, conv.window.dimensions[1].size,
                             depthwise ? 1 : inputs, outputs};
  int64_t elements = 1, taps = 1;
  for (int64_t size : image) elements *= size;
  for (int64_t size : filter) taps *= size;
  if (std::max(elements, taps) > b.max_elements()) return kNone;
  return b.emit(Opcode::kConvolution, {b.value_like(type, image), b.value_like(type, filter)}, conv,
                {}, Shape::array(type, {}));
}

}  // namespace

void add_windows(std::vector<Proposal>& rows) {
  rows.push_back({"window in order", 4, ordered_windows});
  rows.push_back({"window of a pool", 3, large_pool});
  rows.push_back({"window of a filter", 4, large_filter});
}

}  // namespace hlocc::fuzz
