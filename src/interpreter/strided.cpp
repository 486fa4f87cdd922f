// The strided copy, by element width.
#include "interpreter/strided.h"

namespace hlocc::interpreter {
namespace {

struct alignas(8) Wide {
  uint64_t low, high;
};

template <typename Unit>
void copy_units(const Dimensions& box, Unit* to, const StridedView& to_view, const Unit* from,
                const StridedView& from_view) {
  if (product(box) == 0) return;
  if (box.empty()) {
    to[to_view.base] = from[from_view.base];
    return;
  }
  const size_t outer = box.size() - 1;
  const int64_t count = box[outer], to_step = to_view.strides[outer],
                from_step = from_view.strides[outer];
  Dimensions index(outer, 0);
  const Dimensions outer_box(box.begin(), box.end() - 1);
  do {
    Unit* t = to + to_view.base + dot(index, to_view.strides);
    const Unit* f = from + from_view.base + dot(index, from_view.strides);
    for (int64_t i = 0; i < count; ++i) t[i * to_step] = f[i * from_step];
  } while (next_index(index, outer_box));
}

}  // namespace

void strided_copy(const Dimensions& box, int width, std::byte* to, const StridedView& to_view,
                  const std::byte* from, const StridedView& from_view) {
  const auto copy = [&]<typename Unit>(Unit) {
    copy_units(box, reinterpret_cast<Unit*>(to), to_view, reinterpret_cast<const Unit*>(from),
               from_view);
  };
  switch (width) {
    case 1: return copy(uint8_t{});
    case 2: return copy(uint16_t{});
    case 4: return copy(uint32_t{});
    case 8: return copy(uint64_t{});
    default: return copy(Wide{});
  }
}

}  // namespace hlocc::interpreter
