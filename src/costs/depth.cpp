// See depth.h.
#include "costs/depth.h"

#include <algorithm>

#include "costs/micro_kernels.h"
#include "costs/tiles.h"

namespace hlocc::costs {
namespace {

// Units that a turn takes.
int64_t units_a_turn(const MicroKernel& kernel, int cells, const Target& target, int64_t units) {
  // As many units of vectors are spelled out without a loop, whose counter takes a sum's register.
  constexpr int kMostSpelledOut = 8;
  // Four units of a tile of eight sums are a hundred instructions, to which the loop adds five;
  // nine would be 2 % faster and a quarter more code. Of a core that issues two instructions at
  // once the tile's sums change places between turns.
  const bool large = cells >= 6 && !target.dual_issue;
  const int64_t most = kernel.left != LeftForm::kExchanged ? 5 : large ? 4 : 10;
  // Loads of bytes reach 32 of them.
  if (target.options.for_size() || kernel.right == RightForm::kOffset) return 1;
  // Vectors of the left side that all columns read would be held in more registers than there are.
  if (target.vector_bits > 0 && target.vector_registers <= 8)
    return units <= kMostSpelledOut ? units : units % 3 == 0 ? 3 : 2;
  for (int64_t several = most; several > 1; --several)
    if (units % several == 0) return several;
  return std::min<int64_t>(units, 4);
}

// Full turns, and one of what is left.
std::vector<DepthRun> turns_of(int64_t count, int64_t steps) {
  const int64_t whole = count / steps * steps;
  std::vector<DepthRun> runs = {{0, whole, steps}};
  if (whole < count) runs.push_back({whole, count, count - whole});
  return runs;
}

}  // namespace

DepthCut cut_in_steps(const MicroKernel&, const DepthForm& form, const Target& target) {
  DepthCut cut;
  const int lanes = target.lanes(32);
  // Where an instruction multiplies by one lane of a register.
  cut.whole_vectors = target.multiply_by_lane && form.left_contiguous && !form.is_complex &&
                      form.lanes == lanes && form.count >= lanes &&
                      form.sum == kernel::Scalar::kF32;
  const bool given = form.wanted > 0 && form.count % form.wanted == 0 && !cut.whole_vectors &&
                     !target.options.for_size();
  const int several = sums_a_cell(target, form.cells);
  if (!cut.whole_vectors && !given && !form.is_complex && form.count >= 2 * several &&
      kernel::is_float(form.sum))
    cut.sums = several;
  int64_t steps = given ? form.wanted
                        : steps_an_iteration(target, form.count, form.cells, cut.whole_vectors,
                                             lanes, kernel::is_float(form.sum));
  if (steps < form.count && steps % cut.sums != 0) steps = cut.sums;
  cut.runs = turns_of(form.count, steps);
  return cut;
}

DepthCut cut_in_vectors(const MicroKernel&, const DepthForm& form, const Target& target) {
  const int64_t unit = form.unit, whole = form.count / unit * unit,
                pairs = target.options.for_size() ? 0 : form.count / (2 * unit) * (2 * unit);
  DepthCut cut{.runs = {{0, pairs, 2 * unit}, {pairs, whole, unit}}};
  if (whole < form.count)
    cut.runs.push_back({form.count - unit, form.count, unit, unit - (form.count - whole)});
  return cut;
}

DepthCut cut_in_units(const MicroKernel& kernel, const DepthForm& form, const Target& target) {
  const int64_t units = form.count / form.unit,
                several = units_a_turn(kernel, form.cells, target, units),
                steps = several * form.unit;
  DepthCut cut{.runs = turns_of(units * form.unit, steps)};
  DepthRun& first = cut.runs[0];
  if (kernel.left != LeftForm::kOffset && begins_apart(target, units) && first.end > first.steps) {
    first.begin = steps;
    cut.runs.insert(cut.runs.begin(), {0, steps, steps});
  }
  return cut;
}

bool begins_apart(const Target& target, int64_t units) {
  // Of longer ones the zeros are too little to be worth the code.
  constexpr int64_t kMost = 12;
  return target.has(Isa::kMve) && !target.options.for_size() && units <= kMost;
}

}  // namespace hlocc::costs
