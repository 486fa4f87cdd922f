// See strided_view.h.
#include "lowering/emitter/strided_view.h"

#include "hlo/dimensions.h"

namespace hlocc::lowering {

using hlo::Dimensions;
using hlo::Instruction;
using hlo::Opcode;

namespace {

StridedView sliced(const hlo::SliceAttributes& slice, StridedView view) {
  for (size_t d = 0; d < view.strides.size(); ++d) {
    view.offset += slice.starts[d] * view.strides[d];
    if (!slice.strides.empty()) view.strides[d] *= slice.strides[d];
  }
  return view;
}

// The distance of neighbours when the dimensions of a run are counted as one; none where rows have
// gaps between them.
std::optional<int64_t> joint_stride(const Dimensions& sizes, const Dimensions& strides,
                                    size_t begin, size_t end) {
  int64_t count = 1, stride = 0;
  for (size_t d = end; d-- > begin;) {
    if (sizes[d] == 1) continue;
    if (count == 1) stride = strides[d];
    if (strides[d] != stride * count) return std::nullopt;
    count *= sizes[d];
  }
  return stride;
}

std::optional<StridedView> reshaped(const Dimensions& from, const Dimensions& to,
                                    const StridedView& view) {
  StridedView out{view.input, view.offset, Dimensions(to.size(), 0)};
  for (const ReshapeRun& run : reshape_runs(from, to)) {
    const std::optional<int64_t> stride =
        joint_stride(from, view.strides, run.from_begin, run.from_end);
    if (!stride) return std::nullopt;
    int64_t count = *stride;
    for (size_t d = run.to_end; d-- > run.to_begin;) {
      out.strides[d] = count;
      count *= to[d];
    }
  }
  return out;
}

}  // namespace

StridedView whole_view(hlo::InstructionId input, const hlo::Shape& shape) {
  StridedView view{input, 0, hlo::row_major_strides(shape.dimensions)};
  for (size_t d = 0; d < view.strides.size(); ++d)
    if (shape.dimensions[d] == 1) view.strides[d] = 0;
  return view;
}

std::optional<StridedView> view_through(const Instruction& instruction, const hlo::Shape& from,
                                        const StridedView& operand) {
  const Dimensions& to = instruction.shape.dimensions;
  std::optional<StridedView> view = operand;
  switch (instruction.opcode) {
    case Opcode::kSlice: view = sliced(instruction.get<hlo::SliceAttributes>(), operand); break;
    case Opcode::kReshape: view = reshaped(from.dimensions, to, operand); break;
    case Opcode::kTranspose: {
      const Dimensions& map = instruction.get<hlo::DimensionsAttributes>().dimensions;
      for (size_t d = 0; d < map.size(); ++d) view->strides[d] = operand.strides[map[d]];
      break;
    }
    case Opcode::kReverse:
      for (int64_t d : instruction.get<hlo::DimensionsAttributes>().dimensions) {
        view->offset += view->strides[d] * (to[d] - 1);
        view->strides[d] *= -1;
      }
      break;
    default: return std::nullopt;
  }
  if (view)
    for (size_t d = 0; d < to.size(); ++d)
      if (to[d] == 1) view->strides[d] = 0;
  return view;
}

std::vector<ReshapeRun> reshape_runs(const hlo::Dimensions& from, const hlo::Dimensions& to) {
  std::vector<ReshapeRun> runs;
  size_t i = 0, j = 0;
  // Of no elements any dimensions make any others.
  if (hlo::contains(from, 0)) return {{0, from.size(), 0, to.size()}};
  while (i < from.size() || j < to.size()) {
    ReshapeRun run{i, i, j, j};
    int64_t a = 1, b = 1;
    if (i < from.size()) a = from[i++];
    if (j < to.size()) b = to[j++];
    while (a != b) {
      if (a < b)
        a *= from[i++];
      else
        b *= to[j++];
    }
    run.from_end = i;
    run.to_end = j;
    runs.push_back(run);
  }
  return runs;
}

}  // namespace hlocc::lowering
