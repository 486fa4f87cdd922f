// See weights.h.
#include "lowering/contraction/weights.h"

#include <algorithm>
#include <numeric>

#include "costs/weights.h"

namespace hlocc::lowering {

bool Weights::can_be_packed(const Emitter& e, hlo::InstructionId right) {
  const hlo::Literal* weights = e.group().is_external(right) ? e.constant_of(right) : nullptr;
  return weights != nullptr && !hlo::is_complex(weights->type()) &&
         hlo::type_bits(weights->type()) >= 8;
}

Weights Weights::pack(Emitter& e, hlo::InstructionId right, int64_t depth, int64_t groups,
                      const std::vector<ColumnRun>& runs) {
  Weights weights;
  if (!can_be_packed(e, right)) return weights;
  const hlo::PrimitiveType type = e.constant_of(right)->type();
  weights.line_ = costs::kLineBytes / hlo::storage_bytes(type);
  // The last columns first: those that are another micro-kernel's.
  std::vector<const costs::MicroKernel*> kernels;
  for (auto run = runs.rbegin(); run != runs.rend(); ++run)
    if (std::ranges::find(kernels, run->kernel) == kernels.end()) kernels.push_back(run->kernel);
  for (const costs::MicroKernel* kernel : kernels) {
    WeightOrder order{
        .right = right,
        .columns = e.constant_of(right)->element_count() / std::max<int64_t>(depth, 1),
        .groups = groups};
    order.steps.resize(depth);
    std::iota(order.steps.begin(), order.steps.end(), 0);
    std::ranges::copy_if(runs, std::back_inserter(order.runs),
                         [&](const ColumnRun& run) { return run.kernel == kernel; });
    if (auto stream = MicroKernelSet{}.emitter(*kernel).pack(e, order))
      weights.packed_.push_back({kernel, *stream});
  }
  return weights;
}

const WeightStream* Weights::stream_of(const Tile& tile) const {
  for (const Packed& packed : packed_)
    if (packed.kernel == tile.kernel) return &packed.stream;
  return nullptr;
}

kernel::ValueId Weights::load(Emitter& e, const Tile& tile, const Affine& group, const Affine& k,
                              int vector) const {
  const WeightStream& stream = *stream_of(tile);
  return tile.emitter->load(e, tile, stream, group.times(stream.of_group).plus(tile.column), k,
                            vector);
}

void Weights::prefetch(Emitter& e, const Tile& tile, const Affine& group, const Affine& row,
                       int64_t rows, const Affine& k, int64_t steps) const {
  const WeightStream* stream = stream_of(tile);
  if (stream == nullptr || tile.k_step > 1 ||
      !costs::prefetch_pays(e.target(), stream->bytes, rows, tile.rows))
    return;
  const int64_t width = int64_t{tile.vectors} * tile.lanes, depth = stream->depth;
  // What a row hints at of the next panel, and a step of a tile.
  const int64_t of_row = (width * depth + rows - 1) / rows,
                of_step = (of_row * tile.rows + depth - 1) / depth;
  const Affine column = group.times(stream->of_group).plus(tile.column);
  const Affine at = column.plus(width).times(depth).plus(row.times(of_row)).plus(k.times(of_step));
  for (int64_t n = 0; n < of_step * steps; n += line_) e.b.prefetch(stream->weights, at.plus(n));
}

}  // namespace hlocc::lowering
