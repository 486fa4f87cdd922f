// See reduction_lanes.h.
#include "costs/reduction_lanes.h"

#include <algorithm>
#include <bit>

#include "costs/micro_kernels.h"

namespace hlocc::costs {
namespace {

// Half a cycle a vector of steps and column, and some for adding up its lanes, against a share of
// half a cycle a step for each vector that the columns take across.
bool saves(int64_t columns, int64_t vectors, int64_t depth, int across, double adding_up,
           double share) {
  return static_cast<double>(columns) * (0.5 * static_cast<double>(vectors) + adding_up) <
         share * 0.5 * static_cast<double>(across * depth);
}

// Whether `last` columns are faster so than as the lanes of one more vector.
bool pays_along(const Target& target, int64_t depth, int64_t contiguous, int64_t last, bool alone,
                int lanes) {
  const int64_t vectors = depth / contiguous * ((contiguous + lanes - 1) / lanes);
  // Without masks those columns take a vector for each bit of their number.
  int across = 0;
  for (int64_t left = last; left > 0; left &= left - 1) ++across;
  if (target.masked_vectors) across = 1;
  // Beside others they want the left side once more.
  return saves(last, vectors, depth, across, last == 1 ? 6 : 4, alone ? 0.85 : 0.7);
}

// Columns whose sums fit the registers where tiles are so high as others want them.
int widest_beside(const Target& target, int height, int lanes) {
  return std::clamp((target.vector_registers - 1) / (height + 1), 1, std::min(lanes, 8));
}

// Whether tiles may have columns of any number.
bool any_width(const Target& target, bool masks) {
  return target.out_of_order && masks && target.vector_registers >= 16;
}

}  // namespace

InnerTile choose_inner_tile(const Target& target, int64_t rows, int64_t columns, int lanes,
                            bool masks) {
  if (target.options.for_size()) return {};
  constexpr int64_t kFewColumns = 16;
  if (any_width(target, masks) && columns <= kFewColumns) {
    // Nearly square, so that loads hide behind multiply-adds; tiles of nearly one width.
    constexpr int64_t kWidest = 6;
    const int64_t most = std::min<int64_t>({kWidest, lanes, target.vector_registers / 2 - 1}),
                  tiles = (columns + most - 1) / most;
    const int64_t width = (columns + tiles - 1) / tiles;
    const int64_t height = std::max<int64_t>(1, target.vector_registers * 3 / 4 / width);
    return {static_cast<int>(std::min<int64_t>({rows, height, 8})), static_cast<int>(width)};
  }
  static constexpr InnerTile shapes[] = {{6, 4}, {4, 4}, {2, 4}, {6, 2}, {4, 2}, {2, 2}, {1, 8},
                                         {1, 4}, {1, 2}, {8, 1}, {4, 1}, {2, 1}, {1, 1}};
  const int registers = std::max(target.vector_registers, 8);
  // What only one row reads is read as it is used.
  const auto wanted = [](const InnerTile& t) {
    return t.rows * t.columns + (t.rows == 1 ? 1 : t.columns) + 1;
  };
  for (const InnerTile& shape : shapes)
    if (wanted(shape) <= registers && shape.rows <= std::max<int64_t>(rows, 1) &&
        shape.columns <= columns && shape.columns <= lanes)
      return shape;
  return {};
}

ReductionLanes choose_reduction_lanes(const Target& target, kernel::Scalar accumulator,
                                      int64_t depth, int64_t contiguous, int64_t columns) {
  const int bits = std::max(kernel::scalar_bits(accumulator), 32);
  if (accumulator == kernel::Scalar::kPred || bits > 64 ||
      (kernel::is_float(accumulator) && !target.float_vectors && bits != 64))
    return {};
  int lanes = target.lanes(bits);
  // Columns that neither a vector nor a mask holds would take several narrow vectors.
  const bool ragged = columns < lanes && !target.masked_vectors;
  // Adding up the lanes of several columns must pay.
  if ((columns * 2 <= lanes || ragged) && (columns == 1 || depth >= int64_t{8} * lanes)) {
    while (lanes > contiguous) lanes /= 2;
    return lanes > 1 && columns <= lanes ? ReductionLanes{lanes, columns} : ReductionLanes{};
  }
  // Beside others only a few: the left side is read once more, from rows that may begin anywhere.
  const int64_t last = columns % lanes;
  const bool alone = columns < lanes, few = alone || last * 4 <= lanes;
  if (last == 0 || !few || contiguous < lanes || !target.out_of_order || target.options.for_size())
    return {};
  return pays_along(target, depth, contiguous, last, alone, lanes) ? ReductionLanes{lanes, last}
                                                                   : ReductionLanes{};
}

std::vector<ColumnRun> cut_reduction_lanes(const Target& target, ReductionLanes chosen,
                                           int64_t columns, int height, bool masks) {
  std::vector<ColumnRun> runs;
  if (chosen.columns == 0) return runs;
  int64_t begin = columns - chosen.columns;
  const auto add = [&](int64_t tiles, int64_t width) {
    const int64_t end = begin + tiles * width;
    if (end > begin)
      runs.push_back({.begin = begin,
                      .end = end,
                      .vectors = static_cast<int>(width),
                      .kernel = &inner_product(),
                      .k_step = chosen.lanes});
    begin = end;
  };
  int64_t width = begin == 0
                      ? choose_inner_tile(target, height, columns, chosen.lanes, masks).columns
                      : widest_beside(target, height, chosen.lanes);
  if (any_width(target, masks)) {
    const int64_t tiles = (chosen.columns + width - 1) / width;
    width = (chosen.columns + tiles - 1) / tiles;
    add(chosen.columns - tiles * (width - 1), width);
    if (width > 1) add((columns - begin) / (width - 1), width - 1);
    return runs;
  }
  for (width = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(width))); begin < columns;
       width /= 2)
    add((columns - begin) / width, width);
  return runs;
}

bool wants_rows(const Target& target, int64_t rows, int64_t depth, int64_t columns) {
  constexpr int64_t kFewestRows = 8;
  if (!target.out_of_order || !target.masked_vectors || target.options.for_size()) return false;
  const int64_t lanes = target.lanes(32);
  if (columns < 2 || rows < kFewestRows) return false;
  // A transpose must pay too.
  return saves(columns, (depth + lanes - 1) / lanes, depth, 1, 4, 0.8);
}

}  // namespace hlocc::costs
