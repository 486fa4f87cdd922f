// The reduction of one register tile, by any micro-kernel: iterations of a loop as costs/depth.h
// cuts them.
#include <algorithm>

#include "lowering/contraction/contraction.h"

namespace hlocc::lowering {

using kernel::Type;
using kernel::ValueId;

namespace {

// `value` in the first lanes' stead zero.
ValueId without_first(Emitter& e, ValueId value, int64_t lanes) {
  const Type type = e.b.type(value);
  std::vector<uint64_t> keep(type.lanes);
  for (int lane = 0; lane < type.lanes; ++lane) keep[lane] = lane >= lanes;
  return e.b.select(e.b.constant_lanes({kernel::Scalar::kPred, type.lanes}, keep), value,
                    e.b.zero(type));
}

class TileReduction {
 public:
  TileReduction(Emitter& e, const Tile& tile, const Operands& operands, costs::DepthCut cut)
      : e_(e), tile_(tile), operands_(operands), cut_(std::move(cut)) {}

  Accumulators run(Accumulators sums) {
    const size_t cells = sums.size();
    if (cut_.sums > 1) sums.resize(cells * cut_.sums, e_.b.zero(e_.b.type(sums[0])));
    for (const costs::DepthRun& run : cut_.runs) sums = iterations(run, std::move(sums));
    for (int several = cut_.sums; several > 1; several /= 2) {
      const size_t half = static_cast<size_t>(several) / 2 * cells;
      for (size_t n = 0; n < half; ++n) sums[n] = e_.b.add(sums[n], sums[half + n]);
      sums.resize(half);
    }
    return sums;
  }

 private:
  Accumulators iterations(const costs::DepthRun& run, Accumulators sums) {
    if (run.end - run.begin == run.steps)
      return iteration(run, operands_.from.plus(run.begin), std::move(sums));
    // Counted in k steps, so that the places of packed weights are known to be multiples of them.
    const int64_t k_step = operands_.stream == nullptr ? 1 : tile_.k_step;
    return e_.loop(
        run.begin / k_step, run.end / k_step, run.steps / k_step, std::move(sums),
        [&](Affine n, std::span<const ValueId> in) {
          return iteration(run, operands_.from.plus(n.times(k_step)), {in.begin(), in.end()});
        });
  }

  Accumulators iteration(const costs::DepthRun& run, const Affine& k, Accumulators sums) {
    if (operands_.ahead) operands_.ahead(k, run.steps);
    const Operands operands = operands_of(run, k);
    const auto cells = static_cast<int64_t>(sums.size()) / cut_.sums;
    for (int64_t n = 0; n < run.steps; n += tile_.k_step) {
      const auto first = sums.begin() + n % cut_.sums * cells;
      const Accumulators next =
          tile_.emitter->step(e_, tile_, {first, first + cells}, operands, k.plus(n));
      std::ranges::copy(next, first);
    }
    return sums;
  }

  // What the steps of an iteration from k on read.
  Operands operands_of(const costs::DepthRun& run, const Affine& k) {
    Operands operands = operands_;
    if (cut_.whole_vectors && run.steps == tile_.lanes) {
      std::vector<Element> rows;
      for (int r = 0; r < tile_.rows; ++r) rows.push_back(operands_.a(r, k, tile_.lanes));
      operands.a = [this, k, rows](int r, const Affine& at, int) {
        return e_.extract(rows[static_cast<size_t>(r)],
                          static_cast<int>(at.plus(k.times(-1)).offset));
      };
    }
    // An infinite weight must not meet steps that were taken before: both sides are zero there.
    if (run.repeated > 0) {
      operands.a = [this, &run](int r, const Affine& at, int lanes) {
        return Element{without_first(e_, operands_.a(r, at, lanes).re, run.repeated)};
      };
      operands.b = [this, &run](int v, const Affine& at) {
        return Element{without_first(e_, operands_.b(v, at).re, run.repeated)};
      };
    }
    return operands;
  }

  Emitter& e_;
  const Tile& tile_;
  const Operands& operands_;
  costs::DepthCut cut_;
};

}  // namespace

Accumulators reduce(Emitter& e, const Tile& tile, int64_t count, Accumulators sums,
                    const Operands& operands) {
  if (count == 0) return sums;
  const costs::DepthForm form{.count = count,
                              .k_step = tile.k_step,
                              .cells = tile.cells(),
                              .lanes = tile.lanes,
                              .sum = e.b.type(sums[0]).scalar,
                              .is_complex = tile.is_complex,
                              .left_contiguous = operands.a_contiguous,
                              .wanted = operands.steps};
  return TileReduction(e, tile, operands, tile.kernel->cut(*tile.kernel, form, e.target()))
      .run(std::move(sums));
}

Accumulators reduce(Emitter& e, const Tile& tile, const Affine& low, const Affine& high,
                    Accumulators sums, const Operands& operands) {
  HLOCC_CHECK(tile.k_step == 1, "steps of several at a border known at run time");
  return e.loop(low, high, std::move(sums), [&](Affine k, std::span<const ValueId> in) {
    return tile.emitter->step(e, tile, {in.begin(), in.end()}, operands, k);
  });
}

}  // namespace hlocc::lowering
