// See panels.h.
#include "lowering/contraction/panels.h"

#include <cstring>

#include "costs/weights.h"

namespace hlocc::lowering {

namespace {

bool is_plain(hlo::PrimitiveType type) {
  return (hlo::is_float(type) || hlo::is_integer(type)) && hlo::type_bits(type) >= 8;
}

// Column c of a panel that begins at column `begin` and is `width` wide goes to begin * depth + k *
// width + c - begin; groups lie behind each other, each as long as its runs.
std::vector<std::byte> packed(std::span<const std::byte> rows, int64_t depth, int64_t columns,
                              int64_t groups, int64_t element, const std::vector<ColumnRun>& runs) {
  const int64_t of_group = runs.back().end;
  std::vector<std::byte> out(groups * of_group * depth * element);
  for (int64_t group = 0; group < groups; ++group)
    for (const ColumnRun& run : runs)
      for (int64_t c = run.begin; c < run.end; c += run.step()) {
        const int64_t begin = group * of_group + c, from = group * (columns / groups) + c,
                      bytes = run.step() * element;
        const int64_t known = run.active > 0 ? bytes - (run.lanes - run.active) * element : bytes;
        for (int64_t k = 0; k < depth; ++k)
          std::memcpy(out.data() + begin * depth * element + k * bytes,
                      rows.data() + (k * columns + from) * element, known);
      }
  return out;
}

}  // namespace

std::optional<Panels> Panels::pack(Emitter& e, hlo::InstructionId right, int64_t depth,
                                   int64_t groups, const std::vector<ColumnRun>& all_runs) {
  std::vector<ColumnRun> runs;
  std::copy_if(all_runs.begin(), all_runs.end(), std::back_inserter(runs),
               [](const ColumnRun& run) { return run.k_lanes == 1; });
  if (e.target().options.for_size() || !e.group().is_external(right)) return std::nullopt;
  const hlo::Literal* weights = e.constant_of(right);
  if (weights == nullptr || !is_plain(weights->type()) || runs.empty()) return std::nullopt;
  const int64_t element = hlo::storage_bytes(weights->type()),
                columns = weights->shape().dimensions.back();
  const bool one_panel = groups == 1 && runs.size() == 1 && runs[0].step() == columns;
  const int missing = runs.back().active > 0 ? runs.back().lanes - runs.back().active : 0;
  if (one_panel ||
      (missing == 0 && !costs::panels_pay(e.target(), depth, columns, weights->type())))
    return std::nullopt;
  HLOCC_CHECK(depth * columns == weights->element_count() &&
                  (runs.back().end - missing) * groups <= columns,
              "panels of other weights");
  Panels panels;
  panels.of_group_ = runs.back().end;
  panels.depth_ = depth;
  panels.bytes_ = depth * columns * element;
  panels.line_ = costs::kLineBytes / element;
  panels.buffer_ =
      e.derived_constant("panels", e.scalar(weights->shape()),
                         packed(weights->bytes(), depth, columns, groups, element, runs),
                         runs[0].lanes * static_cast<int>(element));
  return panels;
}

void Panels::prefetch(Emitter& e, const Contraction::Tile& tile, const Affine& column,
                      const Affine& row, int64_t rows, const Affine& k, int64_t steps) const {
  if (!costs::prefetch_pays(e.target(), bytes_, rows, tile.rows)) return;
  const int64_t width = int64_t{tile.vectors} * tile.lanes;
  // What a row hints at of the next panel, and a step of a tile.
  const int64_t of_row = (width * depth_ + rows - 1) / rows,
                of_step = (of_row * tile.rows + depth_ - 1) / depth_;
  const Affine at = column.plus(width).times(depth_).plus(row.times(of_row)).plus(k.times(of_step));
  for (int64_t n = 0; n < of_step * steps; n += line_) e.b.prefetch(buffer_, at.plus(n));
}

}  // namespace hlocc::lowering
