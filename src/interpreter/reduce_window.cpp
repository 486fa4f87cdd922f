// reduce-window. A known reducer is separable: one dimension after the other is folded, and a
// window that reaches to the edge (a cumulative sum) is a running fold, so that nothing is
// quadratic. Any other computation visits every element of every window.
#include <limits>

#include "interpreter/accumulate.h"
#include "interpreter/families.h"
#include "interpreter/monoid.h"
#include "interpreter/taps.h"
#include "ops/window_math.h"

namespace hlocc::interpreter {
namespace {

using hlo::Instruction;
using hlo::WindowDimension;

// What leaves every value as it is. -0 is the neutral sum: it keeps the sign of zeros.
template <typename Formula, typename Acc>
Acc neutral() {
  if constexpr (std::is_same_v<Formula, Multiply>) return Acc(1);
  if constexpr (std::is_same_v<Formula, And>) return Acc(~uint64_t{0});
  if constexpr (std::is_same_v<Formula, Add> && (FloatValue<Acc> || ComplexValue<Acc>))
    return -Acc(0);
  if constexpr (std::is_same_v<Formula, Maximum> && FloatValue<Acc>)
    return -std::numeric_limits<Acc>::infinity();
  if constexpr (std::is_same_v<Formula, Minimum> && FloatValue<Acc>)
    return std::numeric_limits<Acc>::infinity();
  if constexpr (std::is_same_v<Formula, Maximum> && std::is_integral_v<Acc>)
    return std::numeric_limits<Acc>::min();
  if constexpr (std::is_same_v<Formula, Minimum> && std::is_integral_v<Acc>)
    return std::numeric_limits<Acc>::max();
  return Acc(0);
}

// A line of values with a stride between neighbours.
template <typename T>
struct Line {
  T* data;
  int64_t stride;
  T& operator[](int64_t i) const { return data[i * stride]; }
};

// True if every window starts at or before the first element and consecutive ones grow by `stride`
// elements.
bool is_prefix(const WindowDimension& w, int64_t outputs) {
  return w.window_dilation == 1 && w.base_dilation == 1 &&
         (outputs - 1) * w.stride - w.padding_low <= 0;
}
bool is_suffix(const WindowDimension& w, int64_t inputs) {
  return w.window_dilation == 1 && w.base_dilation == 1 && w.size - w.padding_low >= inputs;
}

template <typename Formula, typename Acc>
void fold_line(const WindowDimension& w, const DimensionTaps& taps, Line<const Acc> in,
               int64_t inputs, Line<Acc> out) {
  const int64_t outputs = static_cast<int64_t>(taps.size());
  if (is_prefix(w, outputs)) {
    Acc sum = neutral<Formula, Acc>();
    for (int64_t o = 0, next = 0; o < outputs; ++o) {
      const int64_t end = std::min(o * w.stride - w.padding_low + w.size, inputs);
      for (; next < end; ++next) sum = Formula{}(sum, in[next]);
      out[o] = sum;
    }
    return;
  }
  if (is_suffix(w, inputs)) {
    Acc sum = neutral<Formula, Acc>();
    for (int64_t o = outputs - 1, next = inputs - 1; o >= 0; --o) {
      const int64_t begin = std::max<int64_t>(o * w.stride - w.padding_low, 0);
      for (; next >= begin; --next) sum = Formula{}(sum, in[next]);
      out[o] = sum;
    }
    return;
  }
  for (int64_t o = 0; o < outputs; ++o) {
    Acc sum = neutral<Formula, Acc>();
    for (const Tap& tap : taps[o]) sum = Formula{}(sum, in[tap.input]);
    out[o] = sum;
  }
}

// Folds dimension d: `box` holds the extents of `values` and gets the new one.
template <typename Formula, typename Acc>
std::vector<Acc> fold_dimension(const std::vector<Acc>& values, Dimensions& box, int64_t d,
                                const WindowDimension& w, int64_t outputs) {
  const int64_t inputs = box[d];
  const DimensionTaps taps = is_prefix(w, outputs) || is_suffix(w, inputs)
                                 ? DimensionTaps(outputs)
                                 : taps_of(w, inputs, outputs);
  const int64_t inner = product({box.begin() + d + 1, box.end()}),
                outer = product({box.begin(), box.begin() + d});
  box[d] = outputs;
  std::vector<Acc> result(static_cast<size_t>(outer * outputs * inner));
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < inner; ++i)
      fold_line<Formula, Acc>(w, taps, {values.data() + o * inputs * inner + i, inner}, inputs,
                              {result.data() + o * outputs * inner + i, inner});
  return result;
}

Literal reduce_window_monoid(Opcode opcode, const Shape& shape, const hlo::Window& window,
                             const Literal& input, const Literal& init) {
  return visit_monoid(
      opcode, shape.element_type, [&]<typename Formula, typename Acc>(Monoid<Formula, Acc>) {
        Dimensions box = input.shape().dimensions;
        std::vector<Acc> folded = values_as<Acc>(input);
        for (size_t d = 0; d < box.size(); ++d)
          if (!ops::is_trivial(window.dimensions[d]))
            folded = fold_dimension<Formula, Acc>(folded, box, static_cast<int64_t>(d),
                                                  window.dimensions[d], shape.dimensions[d]);
        const Acc start = values_as<Acc>(init)[0];
        for (Acc& value : folded) value = Formula{}(start, value);
        return literal_from(shape, folded);
      });
}

}  // namespace

Result<Literal> evaluate(Op<Opcode::kReduceWindow>, Context& context,
                         const Instruction& instruction, Operands operands) {
  const hlo::Window& window = instruction.get<hlo::WindowAttributes>().window;
  const size_t n = operands.size() / 2;
  if (const std::optional<Opcode> monoid = plain_monoid(context.module, instruction, operands))
    return reduce_window_monoid(*monoid, instruction.shape, window, operands[0], operands[1]);

  const Dimensions extents = operands[0].shape().dimensions;
  const Dimensions strides = hlo::row_major_strides(extents);
  const Dimensions outputs = hlo::leaf_shapes(instruction.shape)[0].dimensions;
  std::vector<DimensionTaps> taps;
  for (size_t d = 0; d < extents.size(); ++d)
    taps.push_back(taps_of(window.dimensions[d], extents[d], outputs[d]));
  ScalarFunction reducer(context, instruction.called[0]);
  ScalarColumns inputs(operands.first(n));
  ScalarRows accumulators(instruction.shape, operands.subspan(n));
  if (product(outputs) == 0) return std::move(accumulators).take(instruction.shape);
  Dimensions position(extents.size(), 0);
  int64_t out = 0;
  do {
    Dimensions counts(extents.size()), tap(extents.size(), 0);
    for (size_t d = 0; d < counts.size(); ++d)
      counts[d] = static_cast<int64_t>(taps[d][position[d]].size());
    if (product(counts) > 0) {
      do {
        int64_t in = 0;
        for (size_t d = 0; d < tap.size(); ++d)
          in += taps[d][position[d]][tap[d]].input * strides[d];
        accumulators.load(out, reducer, 0);
        inputs.load(in, reducer, static_cast<int>(n));
        HLOCC_TRY(reducer.call());
        accumulators.store(out, reducer);
      } while (next_index(tap, counts));
    }
    ++out;
  } while (next_index(position, outputs));
  return std::move(accumulators).take(instruction.shape);
}

}  // namespace hlocc::interpreter
