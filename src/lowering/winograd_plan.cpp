// The cost rule. Everything is counted in turns of a register tile's multiply-add, vector by vector, because the direct form
// is nothing else: 9 products an output. Against that stand
//   - the products: (m + 2)^2 a tile, with the rows that fill up the last register tile of a block,
//   - the start and end of a register tile, which the shorter sums meet more often,
//   - the transforms, by the number of their loads, sums and stores, and the copies of border tiles,
//   - the transformed filter, 16/9 (m = 2) or 4 times (m = 4) the bytes of the plain one, read once a block: free while it
//     fits a near cache, dear once it comes from memory. So F(4) loses where a map is small and features are many.
// Blocks are as small as that allows, because their scratch lies in the arena.
#include "lowering/winograd_plan.h"

#include <algorithm>

namespace hlocc::lowering {

namespace {

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

// Loads, sums and stores for one tile and one vector of features.
struct Transform {
  int input, output;
};
constexpr Transform kF2{16 + 32 + 16, 16 + 24 + 4}, kF4{36 + 12 * 12 + 36, 36 + 10 * 10 + 16};
// Copying a vector of a border tile's inputs, and finding out whether a pixel exists.
constexpr double kCopy = 3, kGuard = 8;
// A transform's operation beside a tile's multiply-add, which brings its share of loads along.
constexpr double kOperation = 0.7;
// Zeroing, storing and the loop of one register tile, a vector of sums.
constexpr double kTileEnd = 2;
// The part of the direct form's cost that Winograd must stay under to be worth its bytes and its error.
constexpr double kWorthwhile = 0.8, kWorthwhileWithoutCache = 0.75;
// Turns that every further byte of flash must save where there is no cache.
constexpr double kTurnsAByte = 25;
// With fewer input features the sums are too short to pay for any transform.
constexpr int64_t kLeastInputs = 8;
// What a larger block must leave of the cost.
constexpr double kLargerBlock = 0.95, kLargerBlockWithoutCache = 0.9;

// Turns that reading so many bytes of constants takes: from a cache nearby, from a far one (a vector a turn), from memory.
double reading(int64_t constants, double bytes, int lanes, const Target& target) {
  if (!target.cache || constants <= 256 << 10) return 0;
  return bytes / (constants <= 4 << 20 ? lanes * 4 : 2);
}

// Vectors that cover so many features, narrower ones at the end.
int64_t pieces(int64_t features, int lanes) {
  int64_t count = features / lanes;
  for (int64_t rest = features % lanes; rest > 0; rest &= rest - 1) ++count;
  return count;
}

// Tiles that see beyond the input, as they do with the usual padding: the outermost ones.
int64_t border_tiles(const WinogradSize& s, int m) {
  const int64_t rows = ceil_div(s.height, m), columns = ceil_div(s.width, m);
  return s.batch * (rows * columns - std::max<int64_t>(rows - 2, 0) * std::max<int64_t>(columns - 2, 0));
}

double direct_cost(const WinogradSize& s, int lanes, const Target& target) {
  const int64_t filter = 9 * s.inputs * s.outputs;
  return static_cast<double>(s.batch * s.height * s.width * 9 * s.inputs * pieces(s.outputs, lanes)) +
         reading(filter * 4, filter * 4.0, lanes, target);
}

// Multiply-adds and their loads, a multiply-add.
double tile_step_cost(const TileSize& tile) { return 1 + 1.0 / tile.rows + 1.0 / tile.vectors; }

// `whole` is the tile that the direct form would use.
double winograd_cost(const WinogradSize& s, const WinogradPlan& plan, int64_t tiles, const TileSize& whole, const Target& target) {
  const Transform& transform = plan.m == 2 ? kF2 : kF4;
  const int64_t blocks = ceil_div(tiles, plan.block), last = tiles - (blocks - 1) * plan.block;
  const int64_t rows = (blocks - 1) * plan.block + ceil_div(last, plan.tile.rows) * plan.tile.rows;
  const double vectors = static_cast<double>(pieces(s.outputs, plan.tile.lanes));
  const double step = tile_step_cost(plan.tile) / tile_step_cost(whole);
  const double products = static_cast<double>(plan.points() * rows) * vectors * (static_cast<double>(s.inputs) * step + kTileEnd);
  const double channels = static_cast<double>(pieces(s.inputs, plan.tile.lanes));
  const double transforms =
      kOperation * (static_cast<double>(tiles) * (transform.input * channels + transform.output * vectors) +
                    static_cast<double>(border_tiles(s, plan.m) * plan.points()) * (kCopy * channels + kGuard));
  const int64_t filter = plan.points() * s.inputs * s.outputs * 4;
  return products + transforms + reading(filter, static_cast<double>(filter) * static_cast<double>(blocks), plan.tile.lanes, target);
}

int64_t scratch_bytes(const WinogradSize& s, const WinogradPlan& plan) {
  return plan.points() * plan.block * (s.inputs + int64_t{plan.tile.vectors} * plan.tile.lanes) * 4;
}

// Where there is no cache, scratch stays below half of the maps that the convolution reads and writes: then it adds little to
// the largest layers, whose maps decide on the arena, and has room beside the small ones.
int64_t scratch_limit(const WinogradSize& s, const Target& target) {
  if (target.cache) return 512 << 10;
  return s.batch * s.height * s.width * (s.inputs + s.outputs) * 4 / 2;
}

// The most that Winograd's form may cost.
double cost_limit(const WinogradSize& s, const WinogradPlan& plan, const Target& target) {
  const double direct = direct_cost(s, plan.tile.lanes, target);
  if (target.cache) return direct * kWorthwhile;
  const double more_bytes = static_cast<double>((plan.points() - 9) * s.inputs * s.outputs * 4);
  return std::min(direct * kWorthwhileWithoutCache, direct - kTurnsAByte * more_bytes);
}

}  // namespace

std::optional<WinogradPlan> plan_winograd(const WinogradSize& s, const Target& target) {
  const Level level = target.options.level;
  if (!target.options.winograd || (level != Level::kO2 && level != Level::kO3)) return std::nullopt;
  if (s.inputs < kLeastInputs) return std::nullopt;
  // Without an FPU sums cost as much as products.
  if (!target.f32_unit && (target.vector_bits == 0 || !target.float_vectors)) return std::nullopt;
  const double larger_block = target.cache ? kLargerBlock : kLargerBlockWithoutCache;
  std::optional<WinogradPlan> best;
  double least = 0;
  for (int m : {2, 4}) {
    // Flash is dear where there is no cache: four times the weights are too many.
    if (m == 4 && !target.cache) continue;
    const int64_t tiles = s.batch * ceil_div(s.height, m) * ceil_div(s.width, m);
    const TileSize whole = choose_tile(target, kernel::Scalar::kF32, tiles, s.outputs);
    WinogradPlan plan{m, whole, 0};
    const double limit = cost_limit(s, plan, target);
    // Lower register tiles make do with less scratch, which counts where there is little memory.
    for (plan.tile.rows = target.cache ? whole.rows : std::min(2, whole.rows); plan.tile.rows <= whole.rows; ++plan.tile.rows) {
      const int64_t most = ceil_div(tiles, plan.tile.rows) * plan.tile.rows;
      for (plan.block = plan.tile.rows; plan.block <= most; plan.block += plan.tile.rows) {
        if (scratch_bytes(s, plan) > scratch_limit(s, target)) break;
        const double cost = winograd_cost(s, plan, tiles, whole, target);
        // A larger block must earn its scratch.
        if (cost > limit || (best && cost > larger_block * least)) continue;
        best = plan;
        least = cost;
      }
    }
  }
  return best;
}

}  // namespace hlocc::lowering
