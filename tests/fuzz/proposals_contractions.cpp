// Dot and convolution: dimension numbers in any order, groups, dilations, and types of all kinds
// mixed.
#include <algorithm>

#include "fuzz/proposals.h"

namespace hlocc::fuzz {
namespace {

// Contractions of any two types into any third: complex, float and integer mixed.
PrimitiveType any_type(Builder& b) {
  static const std::vector<PrimitiveType> types = {
      PrimitiveType::kF32, PrimitiveType::kBF16, PrimitiveType::kF16, PrimitiveType::kS8,
      PrimitiveType::kS4,  PrimitiveType::kS32,  PrimitiveType::kU8,  PrimitiveType::kPred,
      PrimitiveType::kF64, PrimitiveType::kC64};
  return b.random.of(types);
}

// The operands' own type, or one that holds their products.
PrimitiveType result_type(Builder& b, PrimitiveType type) {
  if (b.random.chance(5)) return any_type(b);
  if (b.random.chance(60)) return type;
  if (is_complex(type)) return PrimitiveType::kC128;
  if (is_float(type)) return type == PrimitiveType::kF64 ? type : PrimitiveType::kF32;
  if (type == PrimitiveType::kPred) return b.random.chance(50) ? PrimitiveType::kS32 : type;
  if (hlo::type_bits(type) <= 16)
    return is_signed(type) || b.random.chance(50) ? PrimitiveType::kS32 : PrimitiveType::kU32;
  return type;
}

// Another operand type now and then: s8 with u8, bf16 with f32.
PrimitiveType other_type(Builder& b, PrimitiveType type) {
  static const std::vector<PrimitiveType> integers = {PrimitiveType::kS8, PrimitiveType::kU8,
                                                      PrimitiveType::kS4, PrimitiveType::kS32};
  static const std::vector<PrimitiveType> floats = {PrimitiveType::kF16, PrimitiveType::kBF16,
                                                    PrimitiveType::kF32};
  if (b.random.chance(8)) return any_type(b);
  if (b.random.chance(85) || is_complex(type) || type == PrimitiveType::kPred) return type;
  return b.random.of(is_float(type) ? floats : integers);
}

Id dot(Builder& b, PrimitiveType type) {
  const Id x = b.value(type, 0, 4);
  hlo::DotAttributes dot;
  Dimensions rhs;
  for (int d = 0; d < b.rank(x); ++d) {
    const int64_t kind = b.random.below(100);
    if (kind < 20)
      dot.lhs_batch.push_back(d);
    else if (kind < 60)
      dot.lhs_contracting.push_back(d);
  }
  b.random.shuffle(dot.lhs_contracting);
  b.random.shuffle(dot.lhs_batch);
  // The other operand: those dimensions and free ones, in any order.
  std::vector<int64_t> roles;  // lhs batch i: i; lhs contracting i: 100 + i; free: -1
  for (size_t i = 0; i < dot.lhs_batch.size(); ++i) roles.push_back(static_cast<int64_t>(i));
  for (size_t i = 0; i < dot.lhs_contracting.size(); ++i)
    roles.push_back(100 + static_cast<int64_t>(i));
  for (int64_t free = b.random.between(0, 2); free > 0; --free) roles.push_back(-1);
  b.random.shuffle(roles);
  dot.rhs_batch.resize(dot.lhs_batch.size());
  dot.rhs_contracting.resize(dot.lhs_contracting.size());
  for (size_t d = 0; d < roles.size(); ++d) {
    const int64_t role = roles[d];
    if (role < 0) {
      rhs.push_back(b.random_size());
    } else if (role < 100) {
      dot.rhs_batch[static_cast<size_t>(role)] = static_cast<int64_t>(d);
      rhs.push_back(b.dims(x)[static_cast<size_t>(dot.lhs_batch[static_cast<size_t>(role)])]);
    } else {
      dot.rhs_contracting[static_cast<size_t>(role - 100)] = static_cast<int64_t>(d);
      rhs.push_back(
          b.dims(x)[static_cast<size_t>(dot.lhs_contracting[static_cast<size_t>(role - 100)])]);
    }
  }
  int64_t elements = 1;
  for (int64_t size : rhs) elements *= size;
  if (elements > 2000) return kNone;
  const Id y = b.value_like(other_type(b, type), rhs);
  return b.emit(Opcode::kDot, {x, y}, dot, {}, Shape::array(result_type(b, type), {}));
}

hlo::WindowDimension random_window(Builder& b, int64_t size) {
  hlo::WindowDimension window;
  window.size = size;
  window.stride = b.random.chance(60) ? 1 : b.random.between(1, 3);
  window.padding_low = b.random.chance(40) ? 0 : b.random.between(-1, 3);
  window.padding_high = b.random.chance(40) ? window.padding_low : b.random.between(-1, 3);
  window.window_dilation = b.random.chance(80) ? 1 : b.random.between(1, 3);
  window.base_dilation = b.random.chance(80) ? 1 : b.random.between(1, 3);
  window.window_reversal = b.random.chance(10);
  return window;
}

// Three orders of (first, second, spatial...): a shuffled array of their sizes, and where each
// went.
struct Labels {
  int64_t first = 0, second = 0;
  Dimensions spatial, dims;
};

Labels labelled(Builder& b, int64_t first, int64_t second, const Dimensions& spatial) {
  Dimensions order;
  for (size_t d = 0; d < spatial.size() + 2; ++d) order.push_back(static_cast<int64_t>(d));
  if (b.random.chance(50)) b.random.shuffle(order);
  Labels out;
  out.dims.resize(order.size());
  out.first = order[0];
  out.second = order[1];
  out.dims[static_cast<size_t>(order[0])] = first;
  out.dims[static_cast<size_t>(order[1])] = second;
  for (size_t i = 0; i < spatial.size(); ++i) {
    out.spatial.push_back(order[i + 2]);
    out.dims[static_cast<size_t>(order[i + 2])] = spatial[i];
  }
  return out;
}

struct DrawnConvolution {
  hlo::ConvolutionAttributes attributes;
  Dimensions image, kernel, result;  // `result`: its rank alone counts
};
DrawnConvolution draw_convolution(Builder& b) {
  const int rank = static_cast<int>(b.random.of(std::vector<int>{0, 1, 1, 2, 2, 2, 3}));
  hlo::ConvolutionAttributes conv;
  int64_t per_group = b.random.between(1, 4), outputs = b.random.between(1, 4),
          batch = b.random.between(1, 2);
  if (b.random.chance(30))
    conv.feature_group_count = b.random.between(2, 5);
  else if (b.random.chance(15))
    conv.batch_group_count = b.random.between(2, 3);
  if (conv.feature_group_count > 1 && b.random.chance(60)) per_group = 1;  // depthwise
  Dimensions image, kernel;
  for (int d = 0; d < rank; ++d) {
    image.push_back(b.random.between(b.random.chance(3) ? 0 : 1, 9));
    kernel.push_back(b.random.between(1, 4));
    conv.window.dimensions.push_back(random_window(b, kernel.back()));
  }
  const Labels in =
      labelled(b, batch * conv.batch_group_count, per_group * conv.feature_group_count, image);
  const Labels k =
      labelled(b, per_group, outputs * conv.feature_group_count * conv.batch_group_count, kernel);
  const Labels out = labelled(b, 0, 0, Dimensions(static_cast<size_t>(rank), 0));
  conv.input_batch = in.first, conv.input_feature = in.second, conv.input_spatial = in.spatial;
  conv.kernel_input_feature = k.first, conv.kernel_output_feature = k.second,
  conv.kernel_spatial = k.spatial;
  conv.output_batch = out.first, conv.output_feature = out.second,
  conv.output_spatial = out.spatial;
  return {conv, in.dims, k.dims, out.dims};
}

Id convolution(Builder& b, PrimitiveType type) {
  const DrawnConvolution drawn = draw_convolution(b);
  const Id x = b.value_like(type, drawn.image);
  const Id w = b.value_like(other_type(b, type), drawn.kernel);
  return b.emit(Opcode::kConvolution, {x, w}, drawn.attributes, {},
                Shape::array(result_type(b, type), drawn.result));
}

Id spread_whole(Builder& b, PrimitiveType type, int64_t value, const Dimensions& dims) {
  const Id one = b.scalar(type, static_cast<double>(value));
  return b.emit(Opcode::kBroadcast, {one}, hlo::DimensionsAttributes{}, {},
                Shape::array(type, dims));
}

// Bytes that were converted, less a zero point, and moved or padded before or behind it.
Id widened_side(Builder& b, PrimitiveType type, const Dimensions& dims) {
  const PrimitiveType stored = b.random.of(
      std::vector{PrimitiveType::kS8, PrimitiveType::kS8, PrimitiveType::kU8, PrimitiveType::kS16});
  Dimensions inner = dims;
  std::vector<hlo::PaddingDimension> pads(dims.size());
  const bool padded = b.random.chance(30) && dims[0] > 1;
  if (padded) {
    inner[0] -= 1;
    pads[0].low = 1;
  }
  Id x = b.emit(Opcode::kConvert, {b.value_like(stored, inner)}, {}, {}, Shape::array(type, inner));
  const auto pad = [&] {
    const Id number = b.scalar(type, static_cast<double>(b.random.between(-130, 130)));
    x = b.emit(Opcode::kPad, {x, number}, hlo::PadAttributes{pads});
  };
  const bool first = b.random.chance(50);
  if (padded && first) pad();
  if (x != kNone && b.random.chance(70))
    x = b.emit(b.random.chance(70) ? Opcode::kSubtract : Opcode::kAdd,
               {x, spread_whole(b, type, b.random.between(-140, 260), b.dims(x))});
  if (padded && !first && x != kNone) pad();
  return x;
}

// A convolution of integers that were bytes.
Id widened(Builder& b, PrimitiveType) {
  const DrawnConvolution drawn = draw_convolution(b);
  const PrimitiveType type = b.random.chance(80) ? PrimitiveType::kS32 : PrimitiveType::kS64;
  const Id x = widened_side(b, type, drawn.image);
  Id w = kNone;
  if (b.random.chance(80)) {
    Literal weights = Literal::zeros(Shape::array(type, drawn.kernel));
    const int64_t most = b.random.chance(90) ? 127 : 128;
    for (int64_t n = 0; n < weights.element_count(); ++n)
      set_number(weights, n, static_cast<double>(b.random.between(-128, most)));
    w = b.constant(std::move(weights));
  } else {
    w = widened_side(b, type, drawn.kernel);
  }
  return x == kNone || w == kNone ? kNone
                                  : b.emit(Opcode::kConvolution, {x, w}, drawn.attributes, {},
                                           Shape::array(type, drawn.result));
}

}  // namespace

void add_contractions(std::vector<Proposal>& rows) {
  rows.push_back({"dot", 14, dot});
  rows.push_back({"convolution", 12, convolution});
}

void add_widened(std::vector<Proposal>& rows) { rows.push_back({"widened", 0, widened}); }

}  // namespace hlocc::fuzz
