// The cost rule. Everything is counted in iterations of a register tile's multiply-add, vector by
// vector, because the direct form is nothing else: 9 products an output. Against that stand
//   - the products: (m + 2)^2 a tile, with the rows that fill up the last register tile of a block,
//   - the start and end of a register tile, which the shorter sums meet more often,
//   - the transforms, by the number of their loads, sums and stores, and the copies of border
//   tiles,
//   - the transformed filter, 16/9 (m = 2) or 4 times (m = 4) the bytes of the plain one, read once
//   a block: free while it
//     fits a near cache, costly once it comes from memory; so F(4) loses where a map is small and
//     features are many,
//   - the scratch of a block, when it outgrows the near cache.
// Blocks are as small as that allows, because their scratch lies in the arena.
#include "costs/winograd.h"

#include <algorithm>

namespace hlocc::costs {

namespace {

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
// The part of the direct form's cost that Winograd must stay under to be worth its bytes and its
// error.
constexpr double kWorthwhile = 0.8, kWorthwhileWithoutCache = 0.75;
// A convolution of fewer iterations is over too soon to be worth scratch and a larger filter.
constexpr double kLeastMultiplyAdds = 1 << 15;
// Iterations that every further byte of flash must save where there is no cache.
constexpr double kTurnsAByte = 25;
// Larger transformed filters than this make larger libraries than their users expect, bytes.
constexpr int64_t kLargestFilter = 32 << 20;
// With fewer input features the sums are too short to pay for any transform.
constexpr int64_t kLeastInputs = 8;
// What a larger block must leave of the cost.
constexpr double kLargerBlock = 0.95, kLargerBlockWithoutCache = 0.9;

// Scratch that a convolution may take beside the largest maps of the program, bytes.
constexpr int64_t kScratch = 512 << 10;

// Bytes that one iteration reads when so many are in use: all of them from a near cache, a vector
// from one further away, a few from a cache that all cores share or from memory.
struct Cache {
  int64_t holds;
  double bytes_an_iteration;
};
double iterations_to_read(double bytes, int64_t in_use, int lanes, const Target& target) {
  const Cache further[] = {{target.cache(1), lanes * 4.0}, {target.cache(2), 6}};
  if (in_use <= target.cache(1) / 4) return 0;
  for (const Cache& cache : further)
    if (in_use <= cache.holds) return bytes / cache.bytes_an_iteration;
  return bytes / 2;
}

// Iterations that reading a filter of so many bytes takes, `times` one after the other. The first
// time it comes from where the run before left it beside all other constants.
double reading(int64_t filter, int64_t times, int lanes, const ProgramSize& program,
               const Target& target) {
  if (!target.has_cache()) return 0;
  const auto bytes = static_cast<double>(filter);
  return iterations_to_read(bytes, std::max(filter, program.constants), lanes, target) +
         static_cast<double>(times - 1) * iterations_to_read(bytes, filter, lanes, target);
}

// Vectors that cover so many features, narrower ones at the end.
int64_t pieces(int64_t features, int lanes) {
  int64_t count = features / lanes;
  for (int64_t rest = features % lanes; rest > 0; rest &= rest - 1) ++count;
  return count;
}

// Tiles that see beyond the input, as they do with the usual padding: the outermost ones.
int64_t border_tiles(const WinogradSize& s, int m) {
  const int64_t rows = ceil_div(s.height, m), columns = ceil_div(s.width, m),
                inner = s.is_inside_rows ? rows : std::max<int64_t>(rows - 2, 0);
  return s.batch * (rows * columns - inner * std::max<int64_t>(columns - 2, 0));
}

double direct_cost(const WinogradSize& s, int lanes, const ProgramSize& program,
                   const Target& target) {
  return static_cast<double>(s.pixels() * 9 * s.inputs * pieces(s.outputs, lanes)) +
         reading(9 * s.inputs * s.outputs * 4, 1, lanes, program, target);
}

int64_t scratch_bytes(const WinogradSize& s, const WinogradPlan& plan) {
  return plan.points() * plan.block * (s.inputs + int64_t{plan.tile.vectors} * plan.tile.lanes) * 4;
}

// Iterations that a block's scratch takes: transformed inputs are written once and read for each
// panel, sums written and read.
double scratch_traffic(const WinogradSize& s, const WinogradPlan& plan, int64_t tiles,
                       const Target& target) {
  if (!target.has_cache()) return 0;
  const int64_t panels = ceil_div(s.outputs, int64_t{plan.tile.vectors} * plan.tile.lanes);
  const int64_t bytes = tiles * plan.points() * 4 * (s.inputs * (1 + panels) + 2 * s.outputs);
  return iterations_to_read(static_cast<double>(bytes), scratch_bytes(s, plan), plan.tile.lanes,
                            target);
}

// Multiply-adds, and the loads that a multiply-add shares with its neighbours; fewer than eight
// sums wait for one another where arithmetic is pipelined.
double tile_step_cost(const TileSize& tile, const Target& target) {
  const double cells = tile.rows * tile.vectors;
  return (target.vector_bits > 0 ? std::max(1.0, 8 / cells) : 1) + 1.0 / tile.rows +
         1.0 / tile.vectors;
}

// `direct` is the tile that the direct form would use.
double winograd_cost(const WinogradSize& s, const WinogradPlan& plan, int64_t tiles,
                     const TileSize& direct, const ProgramSize& program, const Target& target) {
  const Transform& transform = plan.m == 2 ? kF2 : kF4;
  const int64_t blocks = ceil_div(tiles, plan.block), last = tiles - (blocks - 1) * plan.block;
  const int64_t rows = (blocks - 1) * plan.block + ceil_div(last, plan.tile.rows) * plan.tile.rows;
  const double vectors = static_cast<double>(pieces(s.outputs, plan.tile.lanes));
  const double step = tile_step_cost(plan.tile, target) / tile_step_cost(direct, target);
  const double products = static_cast<double>(plan.points() * rows) * vectors *
                          (static_cast<double>(s.inputs) * step + kTileEnd);
  const double channels = static_cast<double>(pieces(s.inputs, plan.tile.lanes));
  const double transforms =
      kOperation *
      (static_cast<double>(tiles) * (transform.input * channels + transform.output * vectors) +
       static_cast<double>(border_tiles(s, plan.m) * plan.points()) * (kCopy * channels + kGuard));
  return products + transforms + scratch_traffic(s, plan, tiles, target) +
         reading(plan.points() * s.inputs * s.outputs * 4, blocks, plan.tile.lanes, program,
                 target);
}

// Where there is no cache, scratch stays below half of the maps that the convolution reads and
// writes: then it adds little to the largest layers, whose maps decide on the arena, and has room
// beside the small ones. Elsewhere it has the room that larger layers need anyway, but where loops
// over rows are to make do with less no more than those maps.
int64_t scratch_limit(const WinogradSize& s, const ProgramSize& program, const Target& target) {
  if (target.ram_constrained) return s.map_bytes() / 2;
  if (target.decisions.rows_above) return s.map_bytes();
  return std::max(kScratch, program.maps - s.map_bytes());
}

// The most that Winograd's form may cost. Bytes of flash are there once.
double cost_limit(const WinogradSize& s, const WinogradPlan& plan, const ProgramSize& program,
                  const Target& target) {
  const double direct = direct_cost(s, plan.tile.lanes, program, target);
  if (direct < kLeastMultiplyAdds) return 0;
  if (!target.flash_constrained) return direct * kWorthwhile;
  const double more_bytes = static_cast<double>((plan.points() - 9) * s.inputs * s.outputs * 4);
  return std::min(direct * kWorthwhileWithoutCache,
                  direct - kTurnsAByte * more_bytes / s.executions);
}

}  // namespace

ProgramSize program_size(const hlo::Module& module) {
  ProgramSize size;
  const auto bytes_of = [](const hlo::Shape& shape) {
    int64_t bytes = 0;
    for (const hlo::Shape& leaf : hlo::leaf_shapes(shape))
      if (leaf.is_array()) bytes += leaf.element_count() * hlo::storage_bytes(leaf.element_type);
    return bytes;
  };
  for (const hlo::Computation& computation : module.computations)
    for (const hlo::Instruction& i : computation.instructions) {
      int64_t maps = bytes_of(i.shape);
      if (i.opcode == hlo::Opcode::kConstant) {
        size.constants += maps;
        continue;
      }
      // Tuples and what takes them apart move no bytes.
      if (!i.shape.is_array()) continue;
      for (const hlo::InstructionId operand : i.operands) {
        const hlo::Instruction& from = computation[operand];
        if (from.opcode != hlo::Opcode::kConstant && from.shape.is_array())
          maps += bytes_of(from.shape);
      }
      size.maps = std::max(size.maps, maps);
    }
  return size;
}

std::optional<WinogradPlan> plan_winograd(const WinogradSize& s, const ProgramSize& program,
                                          const Target& target) {
  const Level level = target.options.level;
  if (!target.uses_winograd() || (level != Level::kO2 && level != Level::kO3)) return std::nullopt;
  if (s.inputs < kLeastInputs) return std::nullopt;
  // Without an FPU sums cost as much as products.
  if (!target.f32_unit && (target.vector_bits == 0 || !target.float_vectors)) return std::nullopt;
  const double larger_block = target.ram_constrained ? kLargerBlockWithoutCache : kLargerBlock;
  const TileSize direct = choose_tile(target, kernel::Scalar::kF32, s.width, s.outputs);
  std::optional<WinogradPlan> best;
  double least = 0;
  for (int m : {2, 4}) {
    // Flash is constrained where there is no cache: four times the weights are too many.
    if (m == 4 && target.flash_constrained) continue;
    if ((m + 2) * (m + 2) * s.inputs * s.outputs * 4 > kLargestFilter) continue;
    const int64_t tiles = s.batch * ceil_div(s.height, m) * ceil_div(s.width, m);
    const TileSize whole = choose_tile(target, kernel::Scalar::kF32, tiles, s.outputs);
    WinogradPlan plan{m, whole, 0};
    const double limit = cost_limit(s, plan, program, target);
    // Lower register tiles make do with less scratch, which counts where there is little memory.
    for (plan.tile.rows = target.ram_constrained ? std::min(2, whole.rows) : whole.rows;
         plan.tile.rows <= whole.rows; ++plan.tile.rows) {
      const int64_t most = ceil_div(tiles, plan.tile.rows) * plan.tile.rows;
      for (plan.block = plan.tile.rows; plan.block <= most; plan.block += plan.tile.rows) {
        if (scratch_bytes(s, plan) > scratch_limit(s, program, target)) break;
        const double cost = winograd_cost(s, plan, tiles, direct, program, target);
        // A larger block must earn its scratch.
        if (cost > limit || (best && cost > larger_block * least)) continue;
        best = plan;
        least = cost;
      }
    }
  }
  return best;
}

}  // namespace hlocc::costs
