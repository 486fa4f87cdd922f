// See windows.h. A picture has a batch, rows, columns and channels, in one of three orders.
#include "fuzz/windows.h"

#include <algorithm>

namespace hlocc::fuzz {
namespace {

using hlo::WindowDimension;

constexpr PrimitiveType kByte = PrimitiveType::kS8, kSum = PrimitiveType::kS32;

class WindowChain {
 public:
  explicit WindowChain(Builder& b) : b_(b) {
    is_float_ = b.random.chance(30);
    if (b.random.chance(25)) feature_ = 1, rows_ = 2, columns_ = 3;
  }

  std::vector<Id> grow() {
    const bool is_line = b_.random.chance(12);
    Dimensions dims(4, 1);
    dims[axis(rows_)] = b_.random.between(6, 40);
    dims[axis(columns_)] = is_line ? 1 : b_.random.between(2, 14);
    dims[axis(feature_)] = b_.random.between(1, 9);
    Id x = b_.parameter(random_literal(Shape::array(type(), dims), Fill::kSmall, b_.random));
    for (int64_t layers = b_.random.between(2, 7); layers > 0; --layers) {
      const Id next = layer(x);
      // Windows may leave nothing.
      if (next != kNone && b_.shape(next).element_count() > 0) x = next;
    }
    std::vector<Id> results{x};
    if (b_.random.chance(35)) results = {sum_of_rows(x)};
    if (results[0] == kNone) results = {x};
    return results;
  }

 private:
  static size_t axis(int64_t dimension) { return static_cast<size_t>(dimension); }
  PrimitiveType type() const { return is_float_ ? PrimitiveType::kF32 : kByte; }
  int64_t size(Id x, int64_t dimension) const { return b_.dims(x)[axis(dimension)]; }

  Id layer(Id x) {
    switch (b_.random.below(10)) {
      case 0: return pool(x);
      case 1: return padded(x);
      case 2: return residual(x);
      case 3: return side_by_side(x);
      case 4: return doubled(x);
      case 5:
      case 6: return convolved(x, Form::kDepthwise);
      case 7: return convolved(x, Form::kPointwise);
      default: return convolved(x, Form::kDense);
    }
  }

  enum class Form : uint8_t { kDense, kDepthwise, kPointwise, kSame };

  // The windows of rows and columns.
  WindowDimension window(int64_t along, Form form) {
    WindowDimension w;
    w.size = form == Form::kPointwise ? 1 : form == Form::kSame ? 3 : b_.random.between(1, 4);
    if (form == Form::kSame) {
      w.padding_low = w.padding_high = 1;
      return w;
    }
    w.size = std::min(w.size, along);
    w.stride = b_.random.chance(70) ? 1 : b_.random.between(2, 3);
    if (b_.random.chance(65)) {
      w.padding_low = b_.random.between(0, w.size - 1);
      w.padding_high = b_.random.between(0, w.size - 1);
    }
    if (w.size > 1 && b_.random.chance(6)) w.window_dilation = 2;
    return w;
  }

  Id convolved(Id x, Form form) {
    hlo::ConvolutionAttributes a;
    a.input_batch = a.output_batch = 0;
    a.input_feature = a.output_feature = feature_;
    a.input_spatial = a.output_spatial = {rows_, columns_};
    a.kernel_spatial = {0, 1};
    a.kernel_input_feature = 2;
    a.kernel_output_feature = 3;
    const int64_t inputs = size(x, feature_), multiplier = b_.random.chance(85) ? 1 : 2;
    const bool depthwise = form == Form::kDepthwise;
    a.feature_group_count = depthwise ? inputs : 1;
    const int64_t outputs = depthwise             ? inputs * multiplier
                            : form == Form::kSame ? inputs
                                                  : b_.random.between(1, 12);
    a.window.dimensions = {window(size(x, rows_), form), window(size(x, columns_), form)};
    const Dimensions weights = {a.window.dimensions[0].size, a.window.dimensions[1].size,
                                depthwise ? 1 : inputs, outputs};
    const Id known = b_.constant(small(weights));
    const PrimitiveType sums = is_float_ ? PrimitiveType::kF32 : kSum;
    const Id sum =
        b_.emit(Opcode::kConvolution, {x, known}, a, {}, Shape::array(sums, {0, 0, 0, 0}));
    return sum == kNone ? kNone : activated(sum);
  }

  // Weights from -3 to 3.
  Literal small(const Dimensions& dims) {
    Literal out = Literal::zeros(Shape::array(type(), dims));
    for (int64_t i = 0; i < out.element_count(); ++i)
      set_number(out, i, static_cast<double>(b_.random.between(-3, 3)));
    return out;
  }

  Id everywhere(PrimitiveType type, double value, const Dimensions& dims) {
    return b_.emit(Opcode::kBroadcast, {b_.scalar(type, value)}, hlo::DimensionsAttributes{}, {},
                   Shape::array(type, dims));
  }

  // A bias, a shift back to bytes and a clamp; floats stay small by a clamp.
  Id activated(Id sum) {
    const PrimitiveType type = b_.type(sum);
    const Dimensions dims = b_.dims(sum);
    if (b_.random.chance(70)) {
      Literal bias = Literal::zeros(Shape::array(type, {dims[axis(feature_)]}));
      for (int64_t i = 0; i < bias.element_count(); ++i)
        set_number(bias, i, static_cast<double>(b_.random.between(-40, 40)));
      const Id spread =
          b_.emit(Opcode::kBroadcast, {b_.constant(std::move(bias))},
                  hlo::DimensionsAttributes{{feature_}}, {}, Shape::array(type, dims));
      sum = b_.emit(Opcode::kAdd, {sum, spread});
    }
    if (!is_float_)
      sum = b_.emit(Opcode::kShiftRightArithmetic,
                    {sum, everywhere(type, static_cast<double>(b_.random.between(0, 5)), dims)});
    const double low = b_.random.chance(50) ? 0 : is_float_ ? -64 : -128;
    sum = b_.emit(Opcode::kMaximum, {sum, everywhere(type, low, dims)});
    sum = b_.emit(Opcode::kMinimum, {sum, everywhere(type, is_float_ ? 64 : 127, dims)});
    return is_float_ ? sum : b_.emit(Opcode::kConvert, {sum}, {}, {}, Shape::array(kByte, dims));
  }

  Id pool(Id x) {
    hlo::WindowAttributes a;
    a.window.dimensions.resize(4);
    for (const int64_t d : {rows_, columns_}) {
      WindowDimension& w = a.window.dimensions[axis(d)];
      w = window(size(x, d), Form::kDense);
      w.window_dilation = 1;
    }
    const Opcode op = b_.random.chance(60) ? Opcode::kMaximum : Opcode::kMinimum;
    const double none = (op == Opcode::kMaximum ? -1 : 1) * 128 + (op == Opcode::kMinimum ? -1 : 0);
    return b_.emit(Opcode::kReduceWindow, {x, b_.scalar(type(), none)}, a, {b_.binary(op, type())});
  }

  Id padded(Id x) {
    hlo::PadAttributes a;
    a.dimensions.resize(4);
    for (const int64_t d : {rows_, columns_})
      a.dimensions[axis(d)] = {b_.random.between(0, 2), b_.random.between(0, 2),
                               b_.random.chance(10) ? 1 : 0};
    return b_.emit(Opcode::kPad,
                   {x, b_.scalar(type(), static_cast<double>(b_.random.between(-3, 3)))}, a);
  }

  // x and a branch of one or two layers of its size, added up.
  Id residual(Id x) {
    Id y = convolved(x, Form::kSame);
    if (y != kNone && b_.random.chance(50)) y = convolved(y, Form::kSame);
    if (y == kNone || b_.dims(y) != b_.dims(x)) return kNone;
    if (is_float_) return activated(b_.emit(Opcode::kAdd, {x, y}));
    const auto wide = [&](Id id) {
      return b_.emit(Opcode::kConvert, {id}, {}, {}, Shape::array(kSum, b_.dims(id)));
    };
    return activated(b_.emit(Opcode::kAdd, {wide(x), wide(y)}));
  }

  Id side_by_side(Id x) {
    const Id y = convolved(x, Form::kSame);
    if (y == kNone) return kNone;
    return b_.emit(Opcode::kConcatenate, {x, y}, hlo::DimensionsAttributes{{feature_}});
  }

  // Each row, each column or both twice.
  Id doubled(Id x) {
    const Dimensions from = b_.dims(x);
    Dimensions apart, to = from, mapping;
    for (int64_t d = 0; d < 4; ++d) {
      mapping.push_back(static_cast<int64_t>(apart.size()));
      apart.push_back(from[axis(d)]);
      if ((d != rows_ && d != columns_) || b_.random.chance(20)) continue;
      apart.push_back(2);
      to[axis(d)] *= 2;
    }
    const Id copies = b_.emit(Opcode::kBroadcast, {x}, hlo::DimensionsAttributes{mapping}, {},
                              Shape::array(type(), apart));
    return copies == kNone ? kNone
                           : b_.emit(Opcode::kReshape, {copies}, {}, {}, Shape::array(type(), to));
  }

  Id sum_of_rows(Id x) {
    const PrimitiveType sums = is_float_ ? PrimitiveType::kF32 : kSum;
    if (!is_float_) x = b_.emit(Opcode::kConvert, {x}, {}, {}, Shape::array(sums, b_.dims(x)));
    return b_.emit(Opcode::kReduce, {x, b_.scalar(sums, 0)},
                   hlo::DimensionsAttributes{{rows_, columns_}}, {b_.binary(Opcode::kAdd, sums)});
  }

  Builder& b_;
  bool is_float_ = false;
  int64_t feature_ = 3, rows_ = 1, columns_ = 2;
};

}  // namespace

Program random_windows(uint64_t seed) {
  Random random(seed);
  Knobs knobs;
  knobs.max_elements = 40'000;
  knobs.fill = Fill::kSmall;
  knobs.layouts = false;
  Builder b(random, knobs);
  return b.take(WindowChain(b).grow());
}

}  // namespace hlocc::fuzz
