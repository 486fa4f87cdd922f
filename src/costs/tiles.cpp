// Choosing register tiles by counting what one step of the reduction costs.
#include "costs/tiles.h"

#include <algorithm>

#include "kernel/share/share_kernels.h"

namespace hlocc::costs {

using kernel::Scalar;

namespace {

// Registers that accumulators and operands of that type may take; 0 where arithmetic is a call and
// a tile saves nothing.
int tile_registers(const Target& target, Scalar element, bool vectors) {
  const int bits = std::max(kernel::scalar_bits(element), 32);
  const bool in_float_unit = bits == 64 ? target.f64_unit : target.f32_unit;
  if (vectors) return target.vector_registers;
  // Addresses and counters want registers of the same kind.
  if (!kernel::is_float(element))
    return has_many_registers(target) ? target.scalar_registers - 5 : target.scalar_registers;
  if (!in_float_unit) return 0;
  // Scalars of Hexagon share their registers with addresses, whatever vectors there are.
  const int registers =
      target.has(Isa::kHexagon) ? target.scalar_registers : target.vector_registers;
  // Doubles of a 32-bit unit take two registers each.
  return bits == 64 && target.pointer_bits == 32 ? registers / 2 : registers;
}

// What a step spends on sums of integers that addresses and counters drive out of their registers,
// in instructions: those of a loop over a and b want three registers. Where the row counts low
// registers only, there are others for addresses.
double spill_cost(const Target& target, Scalar element, int wanted) {
  constexpr int kForAddresses = 3, kFewest = 12;
  constexpr double kSpill = 1.25;
  if (kernel::is_float(element) || target.scalar_registers < kFewest || has_many_registers(target))
    return 0;
  return kSpill * std::max(0, wanted - (target.scalar_registers - kForAddresses));
}

// Lanes that vectors of the element have on the target, no more than there are columns.
int tile_lanes(const Target& target, Scalar element, int64_t columns) {
  const int bits = std::max(kernel::scalar_bits(element), 32);
  if (kernel::is_float(element) && !target.float_vectors && bits != 64) return 1;
  int lanes = std::max(1, target.lanes(bits));
  while (lanes > columns) lanes /= 2;
  // LLVM 19 has no constants of truth values for fewer lanes than a register of HVX.
  if (element == Scalar::kPred && target.has(Isa::kHvx) && lanes < target.lanes(bits)) return 1;
  return std::max(lanes, 1);
}

// The same where masks cost nothing: columns that fill no smaller vector either are the first ones
// of a larger one.
int masked_lanes(const Target& target, Scalar element, int64_t columns) {
  const int lanes = tile_lanes(target, element, columns),
            bits = std::max(kernel::scalar_bits(element), 32);
  const bool larger = lanes > 1 && columns > lanes && 2 * lanes * bits <= target.vector_bits;
  return larger ? 2 * lanes : lanes;
}

// Registers that the a side of a tile takes: a vector of steps a row where lanes are multiplied
// with, none where scalar registers are, else one that each element is spread over.
int a_registers(const Target& target, int rows, bool vectors) {
  if (!vectors) return 1;
  if (target.multiply_by_lane) return rows;
  return target.multiply_by_scalar ? 0 : 1;
}

// Whether what one row is multiplied by is read when it is wanted, so that up to sixteen columns
// find registers. Sixteen floats would take 4 % fewer instructions than eight, and half as much
// code again.
bool takes_wide_rows(const Target& target, Scalar element, bool vectors) {
  return !vectors && !kernel::is_float(element) && has_many_registers(target);
}

// What code for tiles of another height costs where flash is constrained, as a factor of the time
// that it saves.
constexpr double kDearCode = 1.1;

// What one step of a tile costs, in instructions: multiply-adds, loads of a and of b, a share of
// the loop. Fewer than eight sums in flight wait for one another where arithmetic is pipelined.
double step_cost(const Target& target, int rows, int vectors, int lanes) {
  const double cells = rows * vectors, multiply = target.fma ? 1 : 2;
  const double waiting = target.vector_bits > 0 ? std::max(1.0, 8 / cells) : 1;
  const double a_loads =
      target.multiply_by_lane && lanes > 1 ? static_cast<double>(rows) / lanes : rows;
  return cells * multiply * (target.pipelined ? waiting : 1) + a_loads + vectors + 0.75;
}

// Half the cycles that a step keeps a core of two units for multiply-adds busy, with two loads and
// four instructions a cycle; at least the four cycles that a sum waits for its last step. Loads are
// never quite free, least those of many rows. Vectors of weights that come from the second cache
// take two cycles each, and those are all that is read `once`.
double busy(const Target& target, int rows, int vectors, int lanes, Scalar element, int64_t depth,
            bool once) {
  const double cells = rows * vectors * (target.fma ? 1 : 2), loads = rows + vectors;
  const int64_t bytes = int64_t{vectors} * lanes * std::max(kernel::scalar_bits(element), 32) / 8;
  const double most = std::max(
      {8.0 / sums_a_cell(target, rows * vectors), cells, loads, (cells + loads + 0.75) / 2});
  const double lines =
      once || bytes * depth > target.cache(0) ? static_cast<double>(bytes) / 64 : 0;
  return std::max(most, 4 * lines) + 0.4 * lines + 0.6 * rows + 0.3 * vectors;
}

}  // namespace

bool has_many_registers(const Target& target) { return target.scalar_registers > 20; }

int sums_a_cell(const Target& target, int cells) {
  if (!target.out_of_order || target.options.for_size()) return 1;
  return cells == 1 ? 8 : cells == 2 ? 4 : cells < 8 ? 2 : 1;
}

TileSize choose_tile(const Target& target, Scalar element, int64_t rows, int64_t columns,
                     int64_t depth, bool masks) {
  TileSize tile;
  const bool wider = masks && target.masked_vectors;
  if (target.out_of_order && !target.options.for_size())
    tile.lanes =
        wider ? masked_lanes(target, element, columns) : tile_lanes(target, element, columns);
  if (tile.lanes == 1 || kernel::scalar_bits(element) < 32)
    return choose_tile(target, element, rows, columns);
  tile.even = true;
  tile.masked = wider && tile.lanes > 1;
  // What a tile takes besides its steps: sums that start at nothing and are stored, a branch that
  // was not foreseen.
  constexpr double kTile = 30, kSum = 2;
  // Where there are many registers, some elements of a are spread while others are multiplied.
  const int spread = target.vector_registers >= 32 ? 3 : 1;
  double best = 0;
  for (int mr = 1; mr <= std::min<int64_t>(rows, 14); ++mr)
    for (int nv = 1; nv <= 8; ++nv) {
      if (mr * nv + nv + spread > target.vector_registers) continue;
      double cost = 0;
      for (const RowRun& r : cut_rows(rows, mr, true))
        for (const ColumnRun& c : cut_columns(columns, {mr, nv, tile.lanes, true, tile.masked})) {
          const double tiles = static_cast<double>((r.end - r.begin) / r.height) *
                               static_cast<double>((c.end - c.begin) / c.step());
          cost += tiles * (busy(target, r.height, c.vectors, c.lanes, element, depth, rows <= mr) *
                               static_cast<double>(depth) +
                           kTile + kSum * r.height * c.vectors);
        }
      if (best != 0 && cost >= best) continue;
      best = cost;
      tile.rows = mr;
      tile.vectors = nv;
    }
  return tile;
}

TileSize choose_tile(const Target& target, Scalar element, int64_t rows, int64_t columns) {
  TileSize tile;
  tile.lanes = tile_lanes(target, element, columns);
  const bool vectors = target.vector_bits > 0 && (tile.lanes > 1 || columns == 1);
  const int registers = tile_registers(target, element, vectors);
  if (registers == 0) return tile;
  if (target.options.for_size()) {
    // Four columns share what is loaded of a, for a few instructions more; no other tile beside
    // them.
    if (target.options.level == Level::kOs && registers >= 12 && columns % (4 * tile.lanes) == 0)
      tile.vectors = 4;
    return tile;
  }
  const bool wide_rows = takes_wide_rows(target, element, vectors);
  double best = 0;
  for (int mr = 1; mr <= std::min<int64_t>(rows, 12); ++mr)
    for (int nv = 1; nv <= (wide_rows ? 16 : 8); nv *= 2) {
      const int b = wide_rows && mr == 1 ? std::min(nv, 2) : nv;
      if (mr * nv + b + a_registers(target, mr, tile.lanes > 1) > std::max(registers, 4) ||
          (nv > 1 && int64_t{nv} * tile.lanes > columns))
        continue;
      const double spills = vectors ? 0 : spill_cost(target, element, mr * nv + nv + 1);
      double cost = 0;
      for (const RowRun& r : cut_rows(rows, mr))
        for (const ColumnRun& c : cut_columns(columns, {mr, nv, tile.lanes}))
          cost += static_cast<double>((r.end - r.begin) / r.height) *
                  static_cast<double>((c.end - c.begin) / c.step()) *
                  (step_cost(target, r.height, c.vectors, c.lanes) + spills);
      // A lower tile at the end is code of its own.
      if (rows % mr != 0) cost *= kernel::shares_kernels(target) ? kDearCode : 1.02;
      if (best != 0 && cost >= best) continue;
      best = cost;
      tile.rows = mr;
      tile.vectors = nv;
    }
  return tile;
}

std::optional<TileSize> choose_overlapping_tile(const Target& target, Scalar element, int64_t rows,
                                                int64_t columns, int64_t cells) {
  // A number that tiles of every height divide.
  constexpr int64_t kDivisible = 27720;
  if (!target.flash_constrained || target.vector_bits > 0 || target.options.for_size())
    return std::nullopt;
  const TileSize tile = choose_tile(target, element, kDivisible, columns);
  // Rows that are made twice, and the look for the end, want half as many cells more.
  const bool pays = 2 * tile.rows * tile.vectors >= 3 * cells &&
                    cut_rows_overlapping(rows, tile.rows)[0].overlapping;
  return pays ? std::optional(tile) : std::nullopt;
}

TileSize choose_depthwise_tile(const Target& target, Scalar element, int64_t pixels,
                               int64_t channels, int64_t multiplier, bool masks) {
  TileSize tile;
  // One narrower vector is better than a mask.
  const int64_t left = channels % tile_lanes(target, element, channels);
  const bool masked =
      masks && target.masked_vectors && !target.options.for_size() && (left & (left - 1)) != 0;
  tile.lanes =
      masked ? masked_lanes(target, element, channels) : tile_lanes(target, element, channels);
  const int registers = tile_registers(target, element, tile.lanes > 1);
  // One vector alone must not end between the features of an input.
  if ((target.options.for_size() || registers == 0) && tile.lanes % multiplier != 0) tile.lanes = 1;
  if (target.options.for_size() || registers == 0) return tile;
  tile.masked = tile.even = masked && tile.lanes > 1;
  // Neighbouring pixels share inputs, so a tile is a stretch of a row; stretches of equal length,
  // as long as the registers hold a sum for each pixel beside a filter value and an input.
  int longest = registers >= 32 ? 8 : registers >= 12 ? 6 : 5;
  // Vectors that the features of as many inputs fill: four of each fill two by half as many.
  const int filled = static_cast<int>(multiplier == 4 ? 2 : multiplier);
  if (tile.lanes > 1 && multiplier > 1)
    longest = std::clamp((registers - 1) / filled - 2, 1, longest);
  const int64_t stretches = (pixels + longest - 1) / longest;
  tile.rows = static_cast<int>((pixels + stretches - 1) / stretches);
  if (tile.lanes > 1 && multiplier > 1) {
    tile.vectors = filled;
  } else if (tile.rows * 3 + 1 <= registers && target.pipelined &&
             int64_t{2} * tile.lanes <= channels) {
    tile.vectors = 2;
  }
  return tile;
}

int64_t steps_an_iteration(const Target& target, int64_t count, int cells, bool whole_vectors,
                           int lanes, bool floats) {
  if (target.options.for_size()) return 1;
  // Short sums are spelled out; where flash is constrained, only those that are hardly longer than
  // an iteration of the others.
  if (count * cells <= (kernel::shares_kernels(target) ? 32 : 64)) return count;
  if (whole_vectors) return lanes;
  // Integers' steps share the sums' registers.
  constexpr int kManyCells = 9;
  const bool four = target.vector_bits > 0 || (target.f32_unit && (floats || cells < kManyCells));
  const int wanted = four ? 4 : 2;
  for (int steps = wanted; steps > 1; --steps)
    if (count % steps == 0) return steps;
  if (count % 5 == 0) return 5;
  return count >= 16 ? wanted : 1;
}

}  // namespace hlocc::costs
