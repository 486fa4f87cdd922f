// Reduce, reduce-window and select-and-scatter: one or several operands, any reducer, windows with
// every kind of padding and dilation, cumulative windows.
#include "fuzz/proposals.h"

namespace hlocc::fuzz {
namespace {

std::vector<PrimitiveType> operand_types(Builder& b, PrimitiveType type) {
  std::vector<PrimitiveType> types = {type};
  if (b.random.chance(30))
    for (int64_t more = b.random.between(1, 2); more > 0; --more)
      types.push_back(b.random.chance(60) ? PrimitiveType::kS32 : b.random.of(all_types()));
  return types;
}

// Operands of those types with the dimensions of x, then initial values; the result, or an element
// of it.
Id reduction(Builder& b, Opcode opcode, Id x, Attributes attributes) {
  const std::vector<PrimitiveType> types = operand_types(b, b.type(x));
  const ComputationId reducer = random_reducer(b, types);
  std::vector<Id> operands = {x};
  for (size_t i = 1; i < types.size(); ++i) operands.push_back(b.value_like(types[i], b.dims(x)));
  for (PrimitiveType type : types) operands.push_back(initial_value(b, type));
  const Id out = b.emit(opcode, operands, std::move(attributes), {reducer});
  return out == kNone || types.size() == 1
             ? out
             : element(b, out, b.random.below(static_cast<int64_t>(types.size())));
}

Id reduce(Builder& b, PrimitiveType type) {
  const Id x = b.value(type);
  hlo::DimensionsAttributes which;
  for (int d = 0; d < b.rank(x); ++d)
    if (b.random.chance(60)) which.dimensions.push_back(d);
  return reduction(b, Opcode::kReduce, x, which);
}

hlo::WindowDimension random_window(Builder& b) {
  hlo::WindowDimension window;
  window.size = b.random.chance(40) ? 1 : b.random.between(1, 4);
  window.stride = b.random.chance(60) ? 1 : b.random.between(1, 3);
  window.padding_low = b.random.chance(50) ? 0 : b.random.between(-1, 3);
  window.padding_high = b.random.chance(50) ? window.padding_low : b.random.between(-1, 3);
  window.window_dilation = b.random.chance(80) ? 1 : b.random.between(1, 3);
  window.base_dilation = b.random.chance(80) ? 1 : b.random.between(1, 3);
  return window;
}

Id reduce_window(Builder& b, PrimitiveType type) {
  const Id x = b.value(type, 0, 3);
  hlo::WindowAttributes attributes;
  for (int d = 0; d < b.rank(x); ++d) attributes.window.dimensions.push_back(random_window(b));
  return reduction(b, Opcode::kReduceWindow, x, attributes);
}

// cumsum and its kin, in either direction.
Id cumulative(Builder& b, PrimitiveType type) {
  const Id x = b.value(type, 1, 3);
  hlo::WindowAttributes attributes;
  attributes.window.dimensions.resize(b.dims(x).size());
  const int64_t along = b.random.below(b.rank(x)), size = b.dims(x)[static_cast<size_t>(along)];
  if (size == 0) return kNone;
  hlo::WindowDimension& window = attributes.window.dimensions[static_cast<size_t>(along)];
  window.size = size;
  (b.random.chance(70) ? window.padding_low : window.padding_high) = size - 1;
  return reduction(b, Opcode::kReduceWindow, x, attributes);
}

Id select_and_scatter(Builder& b, PrimitiveType type) {
  if (is_complex(type)) return kNone;
  const Id x = b.value(type, 0, 3);
  hlo::WindowAttributes attributes;
  Dimensions source;
  for (int64_t size : b.dims(x)) {
    hlo::WindowDimension window;
    window.size = b.random.between(1, 3);
    window.stride = b.random.between(1, 3);
    window.padding_low = b.random.chance(60) ? 0 : b.random.between(0, window.size - 1);
    window.padding_high = b.random.chance(60) ? 0 : b.random.between(0, window.size - 1);
    const int64_t padded = size + window.padding_low + window.padding_high;
    source.push_back(padded < window.size ? 0 : (padded - window.size) / window.stride + 1);
    attributes.window.dimensions.push_back(window);
  }
  b.begin({Shape::scalar(type), Shape::scalar(type)});
  const ComputationId select = b.finish(
      b.emit(Opcode::kCompare, {0, 1},
             hlo::CompareAttributes{b.random.chance(60) ? hlo::Direction::kGe : hlo::Direction::kLt,
                                    comparison_type(type, false)}));
  const ComputationId scatter = b.binary(Opcode::kAdd, type);
  const Id source_id = b.value_like(type, source);
  return b.emit(Opcode::kSelectAndScatter, {x, source_id, initial_value(b, type)}, attributes,
                {select, scatter});
}

}  // namespace

void add_reductions(std::vector<Proposal>& rows) {
  rows.push_back({"reduce", 14, reduce});
  rows.push_back({"reduce-window", 10, reduce_window});
  rows.push_back({"cumulative reduce-window", 3, cumulative});
  rows.push_back({"select-and-scatter", 4, select_and_scatter});
}

}  // namespace hlocc::fuzz
