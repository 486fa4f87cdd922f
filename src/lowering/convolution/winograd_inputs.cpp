// Winograd's inputs: each tile's elements, copied with zeros around them where they reach over the
// border, are transformed into one plane of scratch a point.
#include "lowering/convolution/winograd_emission.h"
#include "lowering/convolution/winograd_transforms.h"
#include "lowering/emitter/loop_ops.h"

namespace hlocc::lowering {

using kernel::kNone;
using kernel::Scalar;
using kernel::ValueId;
using kernel::Values;

ValueId Winograd::input(const Place& place, const Affine& r, const Affine& c, const Affine& channel,
                        int lanes) {
  Index index;
  index.at = {place.batch, input_at(0, place.y).plus(r), input_at(1, place.x).plus(c), channel};
  return e_.operand(i_, 0, index.along(3, lanes)).re;
}

void Winograd::over_channels(const std::function<void(Affine, int)>& body) {
  for_each_vector(e_, {inputs()}, e_.preferred_lanes(inputs()),
                  [&](const Index& index) { body(index.at[0], index.lanes); });
}

Affine Winograd::patch_at(const Affine& r, const Affine& c, const Affine& channel) const {
  return r.times(plan_.side()).plus(c).times(inputs()).plus(channel);
}

void Winograd::copy_to_patch(const Place& place) {
  e_.loop(plan_.side(), [&](Affine r) {
    e_.loop(plan_.side(), [&](Affine c) {
      const Affine at[] = {input_at(0, place.y).plus(r), input_at(1, place.x).plus(c)};
      ValueId exists = kNone;
      for (int d = 0; d < 2; ++d) {
        if (starts_outside(d)) exists = both(exists, at_least(at[d], 0));
        if (ends_outside(d)) exists = both(exists, at_most(at[d], input_[d + 1] - 1));
      }
      choose(
          exists,
          [&] {
            over_channels([&](Affine channel, int lanes) {
              b_.store(sums_, patch_at(r, c, channel), input(place, r, c, channel, lanes));
            });
          },
          [&] {
            over_channels([&](Affine channel, int lanes) {
              b_.store(sums_, patch_at(r, c, channel),
                       b_.zero({Scalar::kF32, static_cast<uint16_t>(lanes)}));
            });
          });
    });
  });
}

void Winograd::transform_input(
    const Affine& row,
    const std::function<ValueId(int r, int c, const Affine& channel, int lanes)>& load) {
  const int side = static_cast<int>(plan_.side());
  over_channels([&](Affine channel, int lanes) {
    std::vector<Values> lines(side);
    for (int c = 0; c < side; ++c) {
      Values column;
      for (int r = 0; r < side; ++r) column.push_back(load(r, c, channel, lanes));
      column = transform_input_line(b_, plan_.m, column);
      for (int r = 0; r < side; ++r) lines[r].push_back(column[r]);
    }
    for (int r = 0; r < side; ++r) {
      const Values line = transform_input_line(b_, plan_.m, lines[r]);
      for (int c = 0; c < side; ++c)
        b_.store(transformed_,
                 row.times(inputs()).plus(channel).plus((r * side + c) * input_plane_), line[c]);
    }
  });
}

void Winograd::transform_inputs(const Affine& first, const Affine& count) {
  e_.loop(Affine::constant(0), count, {}, [&](Affine row, std::span<const ValueId>) {
    const Place at = place(first.plus(row));
    choose(
        sees_input_only(at),
        [&] {
          transform_input(row, [&](int r, int c, const Affine& channel, int lanes) {
            return input(at, Affine::constant(r), Affine::constant(c), channel, lanes);
          });
        },
        [&] {
          copy_to_patch(at);
          transform_input(row, [&](int r, int c, const Affine& channel, int lanes) {
            return b_.load(sums_, patch_at(Affine::constant(r), Affine::constant(c), channel),
                           lanes);
          });
        });
    return Values{};
  });
}

}  // namespace hlocc::lowering
