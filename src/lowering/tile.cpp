// Choosing register tiles by counting what one step of the reduction costs, and cutting rows and columns into runs of them.
#include "lowering/tile.h"

#include <algorithm>

#include "kernel/share/share_kernels.h"

namespace hlocc::lowering {

using kernel::Scalar;

namespace {

// Registers that accumulators and operands of that type may take; 0 where arithmetic is a call and a tile saves nothing.
int tile_registers(const Target& target, Scalar element, bool vectors) {
  const int bits = std::max(kernel::scalar_bits(element), 32);
  const bool in_float_unit = kernel::is_float(element) && (bits == 64 ? target.f64_unit : target.f32_unit);
  if (vectors) return target.vector_registers;
  // Addresses and counters want registers of the same kind.
  if (!kernel::is_float(element)) return target.scalar_registers > 20 ? target.scalar_registers - 5 : target.scalar_registers;
  if (!in_float_unit) return 0;
  // Doubles of a 32-bit unit take two registers each.
  return bits == 64 && target.pointer_bits == 32 ? target.vector_registers / 2 : target.vector_registers;
}

// Lanes that vectors of the element have on the target, no more than there are columns.
int tile_lanes(const Target& target, Scalar element, int64_t columns) {
  const int bits = std::max(kernel::scalar_bits(element), 32);
  if (target.vector_bits == 0 || (kernel::is_float(element) && !target.float_vectors && bits != 64)) return 1;
  int lanes = std::max(1, target.lanes(bits));
  while (lanes > columns) lanes /= 2;
  return std::max(lanes, 1);
}

// Registers that the a side of a tile takes: a vector of steps a row where lanes are multiplied with, none where scalar
// registers are, else one that each element is spread over.
int a_registers(const Target& target, int rows, bool vectors) {
  if (!vectors) return 1;
  if (target.multiply_by_lane) return rows;
  return target.multiply_by_scalar ? 0 : 1;
}

// What code for tiles of another height costs where flash is dear, as a factor of the time that it saves.
constexpr double kDearCode = 1.1;

// What one step of a tile costs, in instructions: multiply-adds, loads of a and of b, a share of the loop. Fewer than eight
// sums in flight wait for one another where arithmetic is pipelined.
double step_cost(const Target& target, int rows, int vectors, int lanes) {
  const double cells = rows * vectors, multiply = target.fma ? 1 : 2;
  const double waiting = target.vector_bits > 0 && cells < 8 ? 8 / cells : 1;
  const double a_loads = target.multiply_by_lane && lanes > 1 ? static_cast<double>(rows) / lanes : rows;
  return cells * multiply * (target.cache ? waiting : 1) + a_loads + vectors + 0.75;
}

}  // namespace

TileSize choose_tile(const Target& target, Scalar element, int64_t rows, int64_t columns) {
  TileSize tile;
  tile.lanes = tile_lanes(target, element, columns);
  const bool vectors = target.vector_bits > 0 && (tile.lanes > 1 || columns == 1);
  const int registers = tile_registers(target, element, vectors);
  if (registers == 0) return tile;
  if (target.options.for_size()) {
    // Four columns share what is loaded of a, for a few instructions more; no other tile beside them.
    if (target.options.level == Level::kOs && registers >= 12 && columns % (4 * tile.lanes) == 0) tile.vectors = 4;
    return tile;
  }
  double best = 0;
  for (int mr = 1; mr <= std::min<int64_t>(rows, 12); ++mr)
    for (int nv = 1; nv <= 8; nv *= 2) {
      if (mr * nv + nv + a_registers(target, mr, tile.lanes > 1) > std::max(registers, 4) || (nv > 1 && int64_t{nv} * tile.lanes > columns)) continue;
      double cost = 0;
      for (const RowRun& r : cut_rows(rows, mr))
        for (const ColumnRun& c : cut_columns(columns, {mr, nv, tile.lanes}))
          cost += static_cast<double>((r.end - r.begin) / r.height) * static_cast<double>((c.end - c.begin) / c.step()) *
                  step_cost(target, r.height, c.vectors, c.lanes);
      // A lower tile at the end is code of its own.
      if (rows % mr != 0) cost *= kernel::shares_kernels(target) ? kDearCode : 1.02;
      if (best != 0 && cost >= best) continue;
      best = cost;
      tile.rows = mr;
      tile.vectors = nv;
    }
  return tile;
}

TileSize choose_depthwise_tile(const Target& target, Scalar element, int64_t pixels, int64_t channels) {
  TileSize tile;
  tile.lanes = tile_lanes(target, element, channels);
  const int registers = tile_registers(target, element, tile.lanes > 1);
  if (target.options.for_size() || registers == 0) return tile;
  // Neighbouring pixels share inputs, so a tile is a stretch of a row; stretches of equal length, as long as the
  // registers hold a sum for each pixel beside a filter value and an input.
  const int longest = registers >= 32 ? 8 : registers >= 12 ? 6 : 5;
  const int64_t stretches = (pixels + longest - 1) / longest;
  tile.rows = static_cast<int>((pixels + stretches - 1) / stretches);
  if (tile.rows * 3 + 1 <= registers && target.cache && int64_t{2} * tile.lanes <= channels) tile.vectors = 2;
  return tile;
}

std::vector<RowRun> cut_rows(int64_t count, int height) {
  std::vector<RowRun> runs;
  const int64_t whole = count / height * height;
  if (whole > 0) runs.push_back({0, whole, height});
  if (whole < count) runs.push_back({whole, count, static_cast<int>(count - whole)});
  return runs;
}

std::vector<RowRun> cut_rows_overlapping(int64_t count, int height) {
  const int64_t made = (count + height - 1) / height * height;
  if (made == count || count < height || (made - count) * 16 > count) return cut_rows(count, height);
  return {{.begin = 0, .end = count, .height = height, .overlapping = true}};
}

std::vector<RowRun> cut_rows_with_border(int64_t count, int64_t first, int64_t last, int height, int most) {
  std::vector<RowRun> runs;
  const auto edge = [&](int64_t begin, int64_t end) {
    if (end - begin > most * height) {
      if (end > begin) runs.push_back({begin, end, 1, true});
      return;
    }
    for (; begin < end; begin += height) {
      const int64_t stop = std::min(end, begin + height);
      runs.push_back({begin, stop, static_cast<int>(stop - begin)});
    }
  };
  if (count <= height) return {{0, count, static_cast<int>(count)}};
  int64_t start = first > 0 ? std::min(count, (first + height - 1) / height * height) : 0;
  // Bordered rows come one by one: no more of them than there must be.
  if (start > most * height) start = first;
  int64_t whole = start + std::max<int64_t>(0, last - start) / height * height;
  edge(0, start);
  if (whole > start) runs.push_back({start, whole, height});
  if (count - whole > most * height && last > whole) {
    runs.push_back({whole, last, static_cast<int>(last - whole)});
    whole = last;
  }
  edge(whole, count);
  return runs;
}

std::optional<std::vector<RowRun>> cut_rows_alike(int64_t count, int64_t first, int64_t last, int longest, bool cuts_single) {
  if (count == 0 || last <= first) return std::nullopt;
  int64_t height = count;
  while (height % 2 == 0) height /= 2;
  while (count % (2 * height) == 0 && 2 * height <= longest) height *= 2;
  const bool left = first > 0, right = last < count;
  const int64_t before = !left ? 0 : right ? (height + 1) / 2 : height, after = right ? height - before : 0;
  // A tile that could stand alone is not cut in two.
  if (left && right && count == height && !cuts_single) return std::nullopt;
  if (height < 3 || height > longest || before < first || after < count - last) return std::nullopt;
  std::vector<RowRun> runs;
  if (left) runs.push_back({0, before, static_cast<int>(before)});
  runs.push_back({before, count - after, static_cast<int>(height), false, true});
  if (right) runs.push_back({count - after, count, static_cast<int>(after)});
  return runs;
}

std::vector<ColumnRun> cut_columns(int64_t count, TileSize tile) {
  std::vector<ColumnRun> runs;
  int64_t begin = 0;
  int vectors = tile.vectors, lanes = tile.lanes;
  while (begin < count) {
    const int64_t step = int64_t{vectors} * lanes;
    const int64_t end = begin + (count - begin) / step * step;
    if (end > begin) runs.push_back({begin, end, vectors, lanes});
    begin = end;
    if (vectors > 1) {
      vectors /= 2;
    } else {
      lanes = std::max(1, lanes / 2);
    }
  }
  return runs;
}

kernel::ValueId multiply_accumulate(Emitter& e, kernel::ValueId acc, kernel::ValueId a, kernel::ValueId b) {
  const Scalar type = e.b.type(acc).scalar;
  if (type == Scalar::kPred) return e.b.logical_or(acc, e.b.logical_and(a, b));
  return e.b.mul_add(a, b, acc);
}

}  // namespace hlocc::lowering
