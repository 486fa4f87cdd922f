// Winograd's outputs: sums are transformed back and handed, one by one or by windows of a pool, to
// what is fused behind the convolution; tiles that reach over the border leave by a patch.
#include "lowering/convolution/winograd_emission.h"
#include "lowering/convolution/winograd_transforms.h"
#include "lowering/schedules/pooled_rows.h"

namespace hlocc::lowering {

using kernel::kNone;
using kernel::ValueId;
using kernel::Values;

ValueId Winograd::makes_output_only(const Place& place) {
  ValueId condition = kNone;
  if (output_[1] % plan_.m != 0)
    condition = both(condition, at_most(place.y, output_[1] - plan_.m));
  if (output_[2] % plan_.m != 0)
    condition = both(condition, at_most(place.x, output_[2] - plan_.m));
  return condition;
}

void Winograd::finish(const Place& place, const Affine& r, const Affine& c, const Affine& feature,
                      int lanes, const std::function<ValueId(int y, int x)>& value) {
  const auto at = [&](const Affine& y, const Affine& x) {
    Index index;
    index.at = {place.batch, y, x, feature};
    return index.along(3, lanes);
  };
  const Affine y = place.y.plus(r), x = place.x.plus(c);
  if (pool_ == hlo::kNone) return e_.store_roots(id_, at(y, x), {value(0, 0)});
  const int side = side_of_cell();
  std::vector<Element> elements;
  for (int dy = 0; dy < side; ++dy)
    for (int dx = 0; dx < side; ++dx) {
      const Index index = at(y.plus(dy), x.plus(dx));
      e_.bind(id_, index, {value(dy, dx)});
      elements.push_back(e_.operand(e_.instruction(pool_), 0, index));
      e_.unbind(id_);
    }
  pool_elements(e_, pool_, at(e_.divmod(y, side).first, e_.divmod(x, side).first), elements);
}

std::vector<Values> Winograd::output_tile(const Affine& row, const Affine& lane, int64_t width,
                                          int lanes) {
  const int side = static_cast<int>(plan_.side());
  std::vector<Values> lines(plan_.m);
  for (int c = 0; c < side; ++c) {
    Values column;
    for (int r = 0; r < side; ++r)
      column.push_back(
          b_.load(sums_, row.times(width).plus(lane).plus((r * side + c) * sum_plane_), lanes));
    column = transform_output_line(b_, plan_.m, column);
    for (int r = 0; r < plan_.m; ++r) lines[r].push_back(column[r]);
  }
  for (Values& line : lines) line = transform_output_line(b_, plan_.m, line);
  return lines;
}

void Winograd::finish_by_patch(const Place& place, const Affine& feature, int lanes,
                               const std::vector<Values>& outputs) {
  for (int r = 0; r < plan_.m; ++r)
    for (int c = 0; c < plan_.m; ++c)
      b_.store(edge_, Affine::constant((r * plan_.m + c) * lanes), outputs[r][c]);
  const int side = side_of_cell();
  e_.loop(
      plan_.m,
      [&](Affine r) {
        e_.loop(
            plan_.m,
            [&](Affine c) {
              ValueId exists = kNone;
              if (output_[1] % plan_.m != 0)
                exists = both(exists, at_most(place.y.plus(r), output_[1] - side));
              if (output_[2] % plan_.m != 0)
                exists = both(exists, at_most(place.x.plus(c), output_[2] - side));
              const auto value = [&](int y, int x) {
                return b_.load(edge_, r.plus(y).times(plan_.m).plus(c).plus(x).times(lanes), lanes);
              };
              choose(
                  exists, [&] { finish(place, r, c, feature, lanes, value); }, [] {});
            },
            side);
      },
      side);
}

void Winograd::transform_outputs(const ColumnRun& run, const Affine& column, const Affine& first,
                                 const Affine& count) {
  e_.loop(Affine::constant(0), count, {}, [&](Affine row, std::span<const ValueId>) {
    const Place at = place(first.plus(row));
    const ValueId whole = makes_output_only(at);
    e_.loop(0, run.step(), run.lanes, {}, [&](Affine lane, std::span<const ValueId>) {
      const std::vector<Values> outputs = output_tile(row, lane, run.step(), run.lanes);
      const Affine feature = column.plus(lane);
      const auto by_patch = [&] { finish_by_patch(at, feature, run.lanes, outputs); };
      if (!spells_outputs()) return by_patch(), Values{};
      choose(
          whole,
          [&] {
            for (int r = 0; r < plan_.m; r += side_of_cell())
              for (int c = 0; c < plan_.m; c += side_of_cell())
                finish(at, Affine::constant(r), Affine::constant(c), feature, run.lanes,
                       [&](int y, int x) { return outputs[r + y][c + x]; });
          },
          by_patch);
      return Values{};
    });
    return Values{};
  });
}

}  // namespace hlocc::lowering
