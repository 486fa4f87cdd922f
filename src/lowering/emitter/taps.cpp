// See taps.h.
#include "lowering/emitter/taps.h"

#include <algorithm>

#include "support/rounding.h"

namespace hlocc::lowering {

using kernel::Scalar;
using kernel::Type;
using kernel::ValueId;

Taps taps_on_input(Emitter& e, const hlo::WindowDimension& w, int64_t input, int64_t output,
                   const Affine& o) {
  const int64_t last = input - 1;
  const Affine start = o.times(w.stride).plus(-w.padding_low);
  if (start.is_constant()) {
    const int64_t low = std::clamp<int64_t>(ceil_div(-start.offset, w.window_dilation), 0, w.size);
    const int64_t high =
        std::clamp<int64_t>(floor_div(last - start.offset, w.window_dilation) + 1, low, w.size);
    return {Affine::constant(low), Affine::constant(high)};
  }
  if (w.padding_low <= 0 &&
      (output - 1) * w.stride - w.padding_low + (w.size - 1) * w.window_dilation <= last)
    return {Affine::constant(0), Affine::constant(w.size)};
  // low = clamp(ceil(-start / dilation)), high = clamp(floor((last - start) / dilation) + 1),
  // without signed division: with dilation 1 both are plain differences; else both numerators are
  // made non-negative first.
  kernel::Builder& b = e.b;
  const ValueId at = b.value_of(start);
  const Type type{Scalar::kIndex, 1};
  const auto divide = [&](ValueId x) {
    return w.window_dilation == 1
               ? x
               : b.op(kernel::OpKind::kNativeDiv, type, {x, b.index(w.window_dilation)});
  };
  const ValueId before = b.max(b.sub(b.index(0), at), b.index(0));
  const ValueId low = b.min(divide(b.add(before, b.index(w.window_dilation - 1))), b.index(w.size));
  const ValueId after = b.max(b.sub(b.index(last + w.window_dilation), at), b.index(0));
  const ValueId high = b.max(b.min(divide(after), b.index(w.size)), low);
  return {Affine::of(low), Affine::of(high)};
}

Tap tap_of(Emitter& e, const hlo::WindowDimension& w, int64_t input, int64_t output,
           const Affine& o, const Affine& t) {
  kernel::Builder& b = e.b;
  const Affine at = o.times(w.stride).plus(t.times(w.window_dilation)).plus(-w.padding_low);
  const int64_t span = input == 0 ? 0 : (input - 1) * w.base_dilation + 1;
  const int64_t furthest =
      (output - 1) * w.stride + (w.size - 1) * w.window_dilation - w.padding_low;
  Tap tap{at};
  const auto require = [&](ValueId c) {
    tap.valid = tap.valid == kernel::kNone ? c : b.logical_and(tap.valid, c);
  };
  if (w.padding_low > 0) require(b.compare(kernel::Predicate::kGe, b.value_of(at), b.index(0)));
  if (furthest >= span) require(b.compare(kernel::Predicate::kLt, b.value_of(at), b.index(span)));
  if (w.base_dilation > 1) {
    const ValueId value = b.value_of(at);
    const Type type{Scalar::kIndex, 1};
    const ValueId place = b.op(kernel::OpKind::kNativeDiv, type, {value, b.index(w.base_dilation)});
    require(b.compare(kernel::Predicate::kEq, b.mul(place, b.index(w.base_dilation)), value));
    tap.position = Affine::of(place);
  }
  return tap;
}

}  // namespace hlocc::lowering
