// See depth.h.
#include "costs/depth.h"

#include <algorithm>

#include "costs/micro_kernels.h"
#include "costs/tiles.h"

namespace hlocc::costs {
namespace {

// K steps that an iteration takes.
int64_t k_steps_an_iteration(const MicroKernel& kernel, int cells, const Target& target,
                             int64_t k_steps) {
  // As many k steps of vectors are spelled out without a loop, whose counter takes a sum's
  // register.
  constexpr int kMostSpelledOut = 8;
  // Four k steps of a tile of eight sums are a hundred instructions, to which the loop adds five;
  // nine would be 2 % faster and a quarter more code. Of a core that issues two instructions at
  // once the tile's sums change places between iterations.
  const bool large = cells >= 6 && !target.dual_issue;
  const int64_t most = kernel.left != LeftForm::kInterleaved ? 5 : large ? 4 : 10;
  // Loads of bytes reach 32 of them.
  if (target.options.for_size() || kernel.right == RightForm::kBiased) return 1;
  // Vectors of the left side that all columns read would be held in more registers than there are.
  if (target.vector_bits > 0 && target.vector_registers <= 8)
    return k_steps <= kMostSpelledOut ? k_steps : k_steps % 3 == 0 ? 3 : 2;
  for (int64_t several = most; several > 1; --several)
    if (k_steps % several == 0) return several;
  return std::min<int64_t>(k_steps, 4);
}

// Full iterations, and one of what is left.
std::vector<DepthRun> iterations_of(int64_t count, int64_t steps) {
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
  cut.runs = iterations_of(form.count, steps);
  return cut;
}

DepthCut cut_in_vectors(const MicroKernel&, const DepthForm& form, const Target& target) {
  const int64_t k_step = form.k_step, whole = form.count / k_step * k_step,
                pairs = target.options.for_size() ? 0 : form.count / (2 * k_step) * (2 * k_step);
  DepthCut cut{.runs = {{0, pairs, 2 * k_step}, {pairs, whole, k_step}}};
  if (whole < form.count)
    cut.runs.push_back({form.count - k_step, form.count, k_step, k_step - (form.count - whole)});
  return cut;
}

DepthCut cut_in_k_steps(const MicroKernel& kernel, const DepthForm& form, const Target& target) {
  const int64_t k_steps = form.count / form.k_step,
                several = k_steps_an_iteration(kernel, form.cells, target, k_steps),
                steps = several * form.k_step;
  DepthCut cut{.runs = iterations_of(k_steps * form.k_step, steps)};
  DepthRun& first = cut.runs[0];
  if (kernel.left != LeftForm::kBiased && begins_apart(target, k_steps) &&
      first.end > first.steps) {
    first.begin = steps;
    cut.runs.insert(cut.runs.begin(), {0, steps, steps});
  }
  return cut;
}

bool spells_out_segments(const Target& target, int64_t k_steps) {
  // Windows of 3x3 by sixteen features. Beyond, loads of weights do not reach from one pointer.
  constexpr int64_t kMost = 9;
  return target.has(Isa::kMve) && !target.options.for_size() && k_steps <= kMost;
}

bool begins_apart(const Target& target, int64_t k_steps) {
  // Of longer ones the zeros are too little to be worth the code.
  constexpr int64_t kMost = 12;
  return target.has(Isa::kMve) && !target.options.for_size() && k_steps <= kMost;
}

}  // namespace hlocc::costs
