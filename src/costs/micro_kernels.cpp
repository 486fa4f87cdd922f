// The table of micro-kernels. Cycles are counted as instructions that a tile's steps take: loads,
// products, what a loop adds, what it takes to bring the left side to scratch, and to finish a sum.
#include "costs/micro_kernels.h"

#include <algorithm>
#include <cmath>

#include "costs/reduction_lanes.h"
#include "costs/tiles.h"
#include "kernel/legalize/packed_words.h"
#include "support/check.h"
#include "support/rounding.h"
#include "support/text.h"

namespace hlocc::costs {
namespace {

using kernel::Scalar;

// Bytes by known bytes, summed in 32 bits; a single step has nothing that several could be taken
// of.
bool is_product_with_bytes(const ContractionForm& form) {
  return is_byte(form.right) && form.right_known && form.sum == Scalar::kS32 && form.rows > 0 &&
         form.columns > 0 && form.depth > 1;
}
bool is_byte_product(const ContractionForm& form) {
  return is_byte(form.left) && is_product_with_bytes(form);
}
// The same with a left side of 16 bits, as networks with wider activations have it.
bool is_half_product(const ContractionForm& form) {
  return form.left == Scalar::kS16 && is_product_with_bytes(form);
}

bool has_vnni(const Target& target) {
  return target.has(Isa::kAvxVnni) || (target.has(Isa::kAvx512Vnni) && target.has(Isa::kAvx512Vl));
}

// Lanes of sums across columns that instructions of up to `most` bits serve.
int lanes_across(const Target& target, int64_t columns, int most) {
  int lanes = std::min(target.lanes(32), most / 32);
  while (lanes > columns && lanes > 4) lanes /= 2;
  return lanes;
}

double tiles_of(int64_t count, int64_t size) { return static_cast<double>(ceil_div(count, size)); }

// What all rows of k steps share: `step` for one k step of a tile, `bring` for one k step of one
// row.
struct StepCost {
  double step = 0, bring = 0, sum = 0;  // sum: to begin and hand on one vector of sums
};
MicroCost cost_of(const ContractionForm& form, const MicroTile& tile, int k_step, StepCost per,
                  int left_bytes, int right_bytes) {
  const double k_steps = tiles_of(form.depth, k_step), rows = tiles_of(form.rows, tile.rows),
               columns = tiles_of(form.columns, int64_t{tile.vectors} * tile.lanes);
  constexpr double kTile = 8;
  MicroCost cost;
  cost.cycles = rows * columns * (k_steps * per.step + kTile + per.sum * tile.rows * tile.vectors) +
                static_cast<double>(form.rows) * k_steps * per.bring;
  const int64_t depth = round_up(form.depth, k_step);
  cost.scratch = left_bytes * depth * tile.rows;
  cost.weights = right_bytes * depth * form.columns;
  return cost;
}

template <typename Cost>
MicroTile cheapest(const ContractionForm& form, int lanes, int most_rows,
                   std::span<const int> widths, const Cost& cost) {
  MicroTile best{1, 1, lanes};
  double least = -1;
  for (int rows = 1; rows <= std::min<int64_t>(most_rows, form.rows); ++rows)
    for (const int vectors : widths) {
      const MicroTile tile{rows, vectors, lanes};
      if (int64_t{vectors - 1} * lanes >= form.columns) continue;
      const double cycles = cost(tile);
      if (cycles < 0 || (least >= 0 && cycles >= least)) continue;
      least = cycles;
      best = tile;
    }
  return best;
}

// Rows of a tile that are brought to scratch, with `bytes` a step. A half more than is allowed may
// pass: that is for the products that take most.
int rows_in_scratch(const ContractionForm& form, int most, int64_t bytes, const Target& target) {
  const std::optional<int64_t>& allowed = target.decisions.packed_bytes;
  const int64_t row = bytes * form.depth;
  if (!allowed || 2 * most * row <= 3 * *allowed) return most;
  return static_cast<int>(std::clamp<int64_t>(*allowed / row, 1, most));
}

// Of Armv6-M, which loads bytes with sign from the sum of two registers only, where one holds what
// others need: bytes without sign come from a pointer and a number.
bool has_few_registers(const Target& target) {
  return target.vector_bits == 0 && target.pointer_bits == 32 && target.scalar_registers < 8;
}

// --- outer product: what everything else falls back to ---
bool claims_all(const ContractionForm&, const Target&) { return true; }
MicroTile outer_tile(const ContractionForm& form, const Target& target) {
  const TileSize size = choose_tile(target, form.sum, form.rows, form.columns);
  return {size.rows, size.vectors, size.lanes};
}
MicroCost outer_cost(const ContractionForm& form, const MicroTile& tile, const Target& target) {
  // Bytes are widened one by one; vectors of 32-bit products take two instructions.
  const double cells = tile.rows * tile.vectors,
               products = target.vector_bits > 0 || has_few_registers(target) ? 2 * cells : cells,
               loads = has_few_registers(target)
                           ? 3.5 * (tile.rows + tile.vectors)
                           : tile.rows * (tile.lanes > 1 ? 2 : 1) + tile.vectors;
  return cost_of(form, tile, 1, {.step = products + loads + 0.75, .sum = 1}, 0, 1);
}

// --- inner product: lanes along the reduction, for columns too few to fill a vector ---
bool claims_inner(const ContractionForm& form, const Target& target) {
  if (form.rows == 0 || form.columns == 0 || !form.left_contiguous) return false;
  return choose_reduction_lanes(target, form.sum, form.depth, form.depth, form.columns).columns ==
         form.columns;
}
MicroTile inner_tile(const ContractionForm& form, const Target& target) {
  const int lanes =
      choose_reduction_lanes(target, form.sum, form.depth, form.depth, form.columns).lanes;
  const InnerTile tile = choose_inner_tile(target, form.rows, form.columns, lanes, false);
  return {tile.rows, tile.columns, 1, lanes};
}
MicroCost inner_cost(const ContractionForm& form, const MicroTile& tile, const Target&) {
  // Integers are multiplied and added one after the other, bytes are widened. The lanes of each
  // sum are added up.
  constexpr double kAddUp = 4;
  const double cells = tile.rows * tile.vectors, loads = tile.rows + tile.vectors,
               step = (kernel::is_float(form.sum) ? 1 : 2) * cells +
                      (is_byte(form.left) ? 2 : 1) * loads + 0.75;
  return cost_of(form, tile, tile.k_step, {.step = step, .sum = kAddUp}, 0, 1);
}

// --- two products of 16 bits an instruction, on a core without vectors ---
bool claims_pairs(const ContractionForm& form, const Target& target) {
  return is_byte_product(form) && kernel::has_packed_words(target);
}
// One row alone is worth twice its bytes of scratch in the stack, but not in the arena.
bool claims_pairs_in_scratch(const ContractionForm& form, const Target& target) {
  if (is_half_product(form)) return kernel::has_packed_words(target) && form.rows > 1;
  const bool lies_well = form.left_contiguous && form.depth % 4 == 0;
  return claims_pairs(form, target) &&
         (form.rows > 1 || !lies_well || 2 * form.depth <= kScratchInStack);
}
// Numbers for which a tile has no register: beside its sums and the halves of its columns, two
// halves of a row, two pointers and the counter. One row alone has two columns' words or halves.
double missing_registers(const MicroTile& tile, const Target& target) {
  const int right = tile.rows == 1 ? std::min(tile.vectors, 2) + 1 : 2 * tile.vectors,
            wanted = tile.rows * tile.vectors + right + 5;
  return std::max(0, wanted - target.scalar_registers - 2);
}
// Four steps: a double word a row; a word and two halves of spread bytes a column.
StepCost pairs_step(const MicroTile& tile, double spills) {
  constexpr double kLoop = 1;
  return {.step = tile.rows + 2.5 * tile.vectors + 2 * tile.rows * tile.vectors + kLoop + spills,
          .bring = 8,
          .sum = 1};
}
// Half a k step after the other: sums, two halves of the right side, two of the left one and two
// pointers. Of two columns a word is loaded and spread each half.
MicroCost pairs_cost(const ContractionForm& form, const MicroTile& tile, const Target& target) {
  if (tile.rows == 1)
    return cost_of(form, tile, 4, pairs_step(tile, missing_registers(tile, target)), 2, 1);
  constexpr double kLoop = 0.6;
  const int cells = tile.rows * tile.vectors;
  const double missing = std::max(0, cells + 6 - target.scalar_registers - 2),
               left = 2.0 * ((tile.rows + 1) / 2) * ((tile.vectors + 1) / 2),
               right = 3.0 * tile.vectors;
  return cost_of(form, tile, 4,
                 {.step = left + right + 2 * cells + kLoop + 2 * missing, .bring = 8, .sum = 1}, 2,
                 1);
}
MicroTile cheapest_of_pairs(const ContractionForm& form, const Target& target, int most_rows,
                            decltype(pairs_cost)* cost) {
  static constexpr int kWidths[] = {1, 2, 4};
  if (target.options.for_size()) return {1, form.columns % 2 == 0 ? 2 : 1, 1};
  return cheapest(form, 1, most_rows, kWidths,
                  [&](const MicroTile& tile) { return cost(form, tile, target).cycles; });
}
// Bytes of scratch of rows that share steps, as numbers of 16 bits.
int64_t bytes_of_shared(const ContractionForm& form, int rows, bool in_pairs) {
  return in_pairs ? 4 * (form.depth + (rows - 2) * form.further)
                  : 2 * (form.depth + (rows - 1) * form.further);
}
bool rows_share(const ContractionForm& form, int rows, const Target& target) {
  return form.further > 0 && form.line % rows == 0 &&
         bytes_of_shared(form, rows, false) <= *target.decisions.packed_bytes;
}
MicroTile pairs_tile(const ContractionForm& form, const Target& target) {
  if (target.decisions.packed_bytes && !target.options.for_size()) {
    if (rows_share(form, 4, target)) return cheapest_of_pairs(form, target, 4, pairs_cost);
    // Both k steps of two rows, which one load brings each, and two columns find registers.
    if (rows_share(form, 2, target)) return {2, form.columns > 1 ? 2 : 1, 1};
  }
  return cheapest_of_pairs(form, target, rows_in_scratch(form, 4, 2, target), pairs_cost);
}

// --- the same from bytes where they lie: both sides are spread again and again ---
bool claims_pairs_in_place(const ContractionForm& form, const Target& target) {
  return claims_pairs(form, target) && form.left_contiguous && form.depth % 4 == 0;
}
MicroCost pairs_in_place_cost(const ContractionForm& form, const MicroTile& tile,
                              const Target& target) {
  constexpr double kSpill = 1.25;
  StepCost step = pairs_step(tile, kSpill * missing_registers(tile, target));
  step.step += 2 * tile.rows;
  step.bring = 0;
  return cost_of(form, tile, 4, step, 0, 1);
}
MicroTile pairs_in_place_tile(const ContractionForm& form, const Target& target) {
  return cheapest_of_pairs(form, target, 4, pairs_in_place_cost);
}

// --- two products of 16 bits a lane ---
bool claims_pairs_across(const ContractionForm& form, const Target& target) {
  return (is_byte_product(form) || is_half_product(form)) && target.has(Isa::kSse2) &&
         target.vector_bits >= 128 && !target.options.for_size() && form.columns >= 4;
}
StepCost across_step(const MicroTile& tile, const Target& target, double product, double bring) {
  const double cells = tile.rows * tile.vectors, loads = tile.rows + tile.vectors;
  // A sum waits for its last step; two k steps multiply, two load.
  const double waits = target.out_of_order ? 4 : 1;
  return {.step = std::max({waits, cells * product, loads * 0.75, (cells * product + loads) / 2}),
          .bring = bring,
          .sum = 1};
}
MicroTile across_tile(const ContractionForm& form, const Target& target, int most_bits,
                      int temporaries, int k_step, double product) {
  static constexpr int kWidths[] = {1, 2, 3, 4};
  const int lanes = lanes_across(target, form.columns, most_bits);
  return cheapest(form, lanes, 8, kWidths, [&](const MicroTile& tile) {
    if (tile.rows * tile.vectors + tile.vectors + temporaries > target.vector_registers)
      return -1.0;
    return cost_of(form, tile, k_step, across_step(tile, target, product, 1), 1, 1).cycles;
  });
}
MicroTile pairs_across_tile(const ContractionForm& form, const Target& target) {
  return across_tile(form, target, 256, 2, 2, 1);
}
MicroCost pairs_across_cost(const ContractionForm& form, const MicroTile& tile,
                            const Target& target) {
  return cost_of(form, tile, 2, across_step(tile, target, 1, 0.5), 2, 2);
}

// --- four products of bytes a lane ---
bool claims_fours_across(const ContractionForm& form, const Target& target) {
  const bool serves =
      target.has(Isa::kHvx) || (target.has(Isa::kDotprod) && form.left == form.right);
  return is_byte_product(form) && serves && !target.options.for_size() && form.columns >= 4;
}
bool claims_fours_offset(const ContractionForm& form, const Target& target) {
  return is_byte_product(form) && has_vnni(target) && form.right == Scalar::kS8 &&
         !target.options.for_size() && form.columns >= 4;
}
MicroTile fours_across_tile(const ContractionForm& form, const Target& target) {
  return across_tile(form, target, 1024, 1, 4, 0.5);
}
MicroCost fours_across_cost(const ContractionForm& form, const MicroTile& tile,
                            const Target& target) {
  return cost_of(form, tile, 4, across_step(tile, target, 0.5, 0.5), 1, 1);
}

// --- tiles of two rows and two columns, eight steps of bytes ---
bool claims_tiles(const ContractionForm& form, const Target& target) {
  return is_byte_product(form) && target.has(Isa::kI8mm) && form.left == form.right &&
         !target.options.for_size() && form.rows > 1 && form.columns % 2 == 0;
}
MicroCost tiles_cost(const ContractionForm& form, const MicroTile& tile, const Target& target) {
  const double cells = tile.rows / 2.0 * tile.vectors;
  // Two rows of a k step lie in one register, put together there.
  const double loads = 1.5 * tile.rows + tile.vectors, waits = target.out_of_order ? 4 : 1;
  const double step = std::max({waits, cells * 0.5, loads * 0.75, (cells * 0.5 + loads) / 2});
  // The sums of a row lie in halves of registers.
  return cost_of(form, tile, 8, {.step = step, .bring = 0.5, .sum = 2}, 1, 1);
}
MicroTile tiles_tile(const ContractionForm& form, const Target& target) {
  MicroTile best{2, 1, 2};
  double least = tiles_cost(form, best, target).cycles;
  for (int rows = 2; rows <= std::min<int64_t>(8, form.rows); rows += 2)
    for (const int vectors : {1, 2, 4}) {
      const MicroTile tile{rows, vectors, 2};
      if (vectors * 2 > form.columns ||
          rows / 2 * vectors + rows / 2 + vectors + 1 > target.vector_registers)
        continue;
      const double cycles = tiles_cost(form, tile, target).cycles;
      if (cycles >= least) continue;
      least = cycles;
      best = tile;
    }
  return best;
}

// --- sixteen products of bytes into one sum, which is a scalar register ---
bool claims_sixteens(const ContractionForm& form, const Target& target) {
  return is_byte_product(form) && target.has(Isa::kMve) && form.left == form.right;
}
// A vector a row and column, as far as sums find registers: the even ones of fourteen. Four sums
// of a row are finished as one vector.
MicroCost sixteens_cost(const ContractionForm& form, const MicroTile& tile, const Target&) {
  constexpr int kSums = 8;
  constexpr double kFinish = 12;
  const int cells = tile.rows * tile.vectors;
  const double spills = 2.0 * std::max(0, cells - kSums);
  return cost_of(form, tile, 16,
                 {.step = cells + tile.rows + tile.vectors + 0.5 + spills,
                  .bring = 3,
                  .sum = 1 + kFinish / std::min(tile.vectors, 4)},
                 1, 1);
}
MicroTile sixteens_tile(const ContractionForm& form, const Target& target) {
  static constexpr int kWidths[] = {1, 2, 4};
  if (target.options.for_size()) return {1, form.columns % 4 == 0 ? 4 : 1, 1};
  const bool in_place = form.left_contiguous && form.depth % 16 == 0;
  const int64_t bytes = kernel::scalar_bits(form.left) / 8;
  const int most = in_place ? 4 : rows_in_scratch(form, 4, bytes, target);
  return cheapest(form, 1, most, kWidths, [&](const MicroTile& tile) {
    return tile.rows * tile.vectors > 8 ? -1.0 : sixteens_cost(form, tile, target).cycles;
  });
}

// --- eight products of 16 bits, of which the right ones are widened as they are loaded ---
bool claims_eights(const ContractionForm& form, const Target& target) {
  return is_half_product(form) && target.has(Isa::kMve);
}
MicroCost eights_cost(const ContractionForm& form, const MicroTile& tile, const Target& target) {
  // As sixteen bytes, twice.
  ContractionForm twice = form;
  twice.depth = 2 * form.depth;
  MicroCost cost = sixteens_cost(twice, tile, target);
  cost.weights /= 2;
  return cost;
}

// --- sixteen products of bytes into four sums along the reduction ---
// SMULL, SMLAL2, SADALP. SDOT takes four products a lane.
bool claims_pairwise(const ContractionForm& form, const Target& target) {
  return is_byte_product(form) && target.has_neon() && !target.has(Isa::kDotprod) &&
         form.left == Scalar::kS8 && form.right == Scalar::kS8 && form.depth >= 8;
}
MicroCost pairwise_cost(const ContractionForm& form, const MicroTile& tile, const Target&) {
  constexpr double kProducts = 3, kFinish = 2;
  const int cells = tile.rows * tile.vectors;
  return cost_of(
      form, tile, 16,
      {.step = kProducts * cells + tile.rows + tile.vectors + 0.5, .bring = 2, .sum = kFinish}, 1,
      1);
}
MicroTile pairwise_tile(const ContractionForm& form, const Target& target) {
  static constexpr int kWidths[] = {1, 2, 4, 8};
  constexpr int kTemporaries = 3;
  if (target.options.for_size()) return {1, form.columns % 4 == 0 ? 4 : 1, 1};
  return cheapest(form, 1, 4, kWidths, [&](const MicroTile& tile) {
    const int registers = tile.rows * tile.vectors + tile.vectors + kTemporaries;
    return registers > target.vector_registers ? -1.0 : pairwise_cost(form, tile, target).cycles;
  });
}

// --- bytes without sign on both sides, one product after the other ---
// Four sums, a number of each side and two pointers are all registers there are. What the weights
// are too great by is 128 times the sum of a row, with which its sums begin.
bool claims_offsets(const ContractionForm& form, const Target& target) {
  // A row of two k steps is worth bringing to scratch.
  return is_byte_product(form) && form.right == Scalar::kS8 && has_few_registers(target) &&
         form.depth >= 16 && !target.options.for_size();
}
MicroTile offsets_tile(const ContractionForm& form, const Target&) {
  return {1, form.columns >= 4 ? 4 : form.columns >= 2 ? 2 : 1, 1};
}
MicroCost offsets_cost(const ContractionForm& form, const MicroTile& tile, const Target&) {
  constexpr int kKStep = 8;
  constexpr double kLoop = 5, kBring = 6.5;
  MicroCost cost = cost_of(
      form, tile, kKStep,
      {.step = kKStep * (1 + 3.0 * tile.vectors) + kLoop, .bring = kKStep * kBring, .sum = 3}, 1,
      1);
  cost.scratch += 4 * tile.rows;
  return cost;
}

// A row for each of kernel/micro_kernels.def, in its order.
constexpr MicroKernel kTable[] = {
    {kernel::MicroKernel::kOuterProduct, 1, LeftForm::kInPlace, RightForm::kBytes, claims_all,
     outer_tile, outer_cost, cut_in_steps},
    {kernel::MicroKernel::kInnerProduct, 0, LeftForm::kInPlace, RightForm::kBytes, claims_inner,
     inner_tile, inner_cost, cut_in_vectors},
    {kernel::MicroKernel::kDotAccumulate2, 4, LeftForm::kInterleaved, RightForm::kBytes,
     claims_pairs_in_scratch, pairs_tile, pairs_cost},
    {kernel::MicroKernel::kDotAccumulate2InPlace, 4, LeftForm::kInPlace, RightForm::kBytes,
     claims_pairs_in_place, pairs_in_place_tile, pairs_in_place_cost},
    {kernel::MicroKernel::kDotAccumulate2Across, 2, LeftForm::kHalves, RightForm::kHalves,
     claims_pairs_across, pairs_across_tile, pairs_across_cost},
    {kernel::MicroKernel::kDotAccumulate4Across, 4, LeftForm::kBytes, RightForm::kBytes,
     claims_fours_across, fours_across_tile, fours_across_cost},
    {kernel::MicroKernel::kDotAccumulate4Offset, 4, LeftForm::kBiased, RightForm::kBytes,
     claims_fours_offset, fours_across_tile, fours_across_cost},
    {kernel::MicroKernel::kMatrixAccumulate8, 8, LeftForm::kBytes, RightForm::kBytes, claims_tiles,
     tiles_tile, tiles_cost},
    {kernel::MicroKernel::kDotAccumulate16, 16, LeftForm::kBytes, RightForm::kBytes,
     claims_sixteens, sixteens_tile, sixteens_cost},
    {kernel::MicroKernel::kDotAccumulate8, 8, LeftForm::kBytes, RightForm::kBytes, claims_eights,
     sixteens_tile, eights_cost},
    {kernel::MicroKernel::kPairwiseAccumulate16, 16, LeftForm::kBytes, RightForm::kBytes,
     claims_pairwise, pairwise_tile, pairwise_cost},
    {kernel::MicroKernel::kMultiplyAccumulateOffset, 8, LeftForm::kBiased, RightForm::kBiased,
     claims_offsets, offsets_tile, offsets_cost},
};
#define HLOCC_MICRO_KERNEL(Name, text)                                       \
  static_assert(kTable[static_cast<int>(kernel::MicroKernel::k##Name)].id == \
                kernel::MicroKernel::k##Name);
#include "kernel/micro_kernels.def"

// Signed bytes are brought in the row's form; those that need no other lie well where they are.
LeftForm left_of(const MicroKernel& row, const ContractionForm& form) {
  if (row.left == LeftForm::kInPlace || are_halves(row.left)) return row.left;
  if (row.left == LeftForm::kBiased && form.left == Scalar::kS8) return row.left;
  const bool lies_well = form.left_contiguous && form.depth % row.k_step == 0;
  return lies_well && row.right != RightForm::kBiased ? LeftForm::kInPlace : LeftForm::kBytes;
}

MicroChoice choice_of(const MicroKernel& row, const ContractionForm& form, const Target& target) {
  MicroChoice choice{&row, left_of(row, form), form.left, row.tile(form, target)};
  if (row.k_step > 0) choice.tile.k_step = row.k_step;
  choice.cost = row.cost(form, choice.tile, target);
  if (choice.left == LeftForm::kInPlace) choice.cost.scratch = 0;
  return choice;
}

}  // namespace

std::span<const MicroKernel> micro_kernels() { return kTable; }
const MicroKernel& outer_product() { return kTable[0]; }
const MicroKernel& inner_product() { return kTable[1]; }

std::string MicroChoice::to_string() const {
  return cat(kernel->name(), " ", tile.rows, "x", tile.vectors * tile.lanes, ", ",
             static_cast<int64_t>(std::llround(cost.cycles)), " cycles");
}

bool segments_fill_k_steps(const MicroKernel& kernel, const Target& target) {
  return kernel.left == LeftForm::kInterleaved || (target.load_reach > 0 && kernel.k_step <= 4);
}

bool rows_lie_in_pairs(const ContractionForm& form, int rows, const Target& target) {
  const std::optional<int64_t>& allowed = target.decisions.packed_bytes;
  // Of two rows alone both halves of each come as fast, in fewer bytes.
  if (allowed && rows == 2) return false;
  return rows % 2 == 0 && (!allowed || bytes_of_shared(form, rows, true) <= *allowed);
}

bool products_of_bytes_pay(const Target& target, bool one_known) {
  if (target.ram_constrained || target.vector_bits == 0) return true;
  constexpr ContractionForm kLarge = {.left = Scalar::kS8,
                                      .right = Scalar::kS8,
                                      .sum = Scalar::kS32,
                                      .rows = 64,
                                      .depth = 64,
                                      .columns = 64,
                                      .left_contiguous = true,
                                      .right_known = true};
  return one_known && choose_micro_kernel(kLarge, target).kernel->takes_k_steps();
}

MicroChoice choose_micro_kernel(const ContractionForm& form, const Target& target,
                                std::optional<kernel::MicroKernel> wanted,
                                std::span<const MicroKernel> table) {
  std::optional<MicroChoice> best;
  for (const MicroKernel& row : table) {
    if (!row.claims(form, target)) continue;
    const MicroChoice choice = choice_of(row, form, target);
    if (row.id == wanted) return choice;
    if (!best || choice.cost.cycles < best->cost.cycles) best = choice;
  }
  HLOCC_CHECK(best.has_value(), "a contraction that no micro-kernel claims");
  return *best;
}

}  // namespace hlocc::costs
