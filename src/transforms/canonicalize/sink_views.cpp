// sink_views: transposes, and reshapes that only put in dimensions of size 1, move behind the
// elementwise ops, pads, windows and reductions that follow them. Contractions in canonical form
// stand between transposes; where a program keeps channels first, those meet their inverse only if
// what lies between (bias, activation, pooling) lets them through.
#include <algorithm>

#include "transforms/build.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

// A view of a value: elements in another order of dimensions, or with dimensions of size 1 added.
struct View {
  Opcode opcode;
  Dimensions from, to;     // dimensions before and after
  Dimensions permutation;  // of a transpose

  InstructionId apply(Rewriter& r, InstructionId x) const {
    return opcode == Opcode::kTranspose ? transpose(r, x, permutation) : reshape(r, x, to);
  }
  InstructionId undo(Rewriter& r, InstructionId x) const {
    return opcode == Opcode::kTranspose ? transpose(r, x, inverse_permutation(permutation))
                                        : reshape(r, x, from);
  }
  bool operator==(const View&) const = default;
};

std::optional<View> view_of(const Rewriter& r, InstructionId id) {
  const Instruction& i = r[id];
  if (i.opcode != Opcode::kTranspose && i.opcode != Opcode::kReshape) return std::nullopt;
  View view{i.opcode, r.shape(i.operands[0]).dimensions, i.shape.dimensions, {}};
  if (i.opcode == Opcode::kTranspose) {
    view.permutation = i.get<hlo::DimensionsAttributes>().dimensions;
  } else if (view.from.size() >= view.to.size() ||
             without_ones(view.from) != without_ones(view.to)) {
    return std::nullopt;
  }
  return view;
}

std::optional<View> transpose_of(const Rewriter& r, InstructionId id) {
  std::optional<View> view = view_of(r, id);
  return view && view->opcode == Opcode::kTranspose ? view : std::nullopt;
}

// What a view can be undone on for nothing: constants fold, broadcasts only change their mapping.
bool is_free(const Rewriter& r, InstructionId id) {
  return r[id].opcode == Opcode::kConstant || r[id].opcode == Opcode::kBroadcast;
}

// f(view(x), view(y), c) is view(f(x, y, undone c)).
InstructionId elementwise(Rewriter& r, const Instruction& i) {
  std::optional<View> common;
  for (InstructionId operand : i.operands) {
    if (r.shape(operand).rank() == 0 || is_free(r, operand)) continue;
    const std::optional<View> view = view_of(r, operand);
    if (!view || (common && !(*common == *view))) return kNone;
    common = view;
  }
  if (!common) return kNone;
  Instruction inner = i;
  for (InstructionId& operand : inner.operands) {
    if (r.shape(operand).rank() == 0) continue;
    operand = is_free(r, operand) ? common->undo(r, operand) : r[operand].operands[0];
  }
  inner.shape.dimensions = common->from;
  return common->apply(r, r.add(std::move(inner)));
}

// List entries by dimension of the transposed array, as entries by dimension of the array itself.
template <typename T>
std::vector<T> untransposed(const std::vector<T>& list, const Dimensions& permutation) {
  std::vector<T> own(list.size());
  for (size_t d = 0; d < list.size(); ++d) own[permutation[d]] = list[d];
  return own;
}

InstructionId pad_of_transpose(Rewriter& r, const Instruction& i) {
  const std::optional<View> view = transpose_of(r, i.operands[0]);
  if (!view) return kNone;
  const auto dimensions = untransposed(i.get<hlo::PadAttributes>().dimensions, view->permutation);
  return view->apply(r, pad(r, r[i.operands[0]].operands[0], i.operands[1], dimensions));
}

InstructionId slice_of_transpose(Rewriter& r, const Instruction& i) {
  const std::optional<View> view = transpose_of(r, i.operands[0]);
  if (!view) return kNone;
  hlo::SliceAttributes slice = i.get<hlo::SliceAttributes>();
  for (Dimensions* list : {&slice.starts, &slice.limits, &slice.strides})
    *list = untransposed(*list, view->permutation);
  return view->apply(r, r.add(Opcode::kSlice, {r[i.operands[0]].operands[0]}, std::move(slice)));
}

InstructionId concatenate_of_transposes(Rewriter& r, const Instruction& i) {
  std::optional<View> common;
  std::vector<InstructionId> parts;
  for (InstructionId operand : i.operands) {
    const std::optional<View> view = transpose_of(r, operand);
    if (!view || (common && common->permutation != view->permutation)) return kNone;
    common = view;
    parts.push_back(r[operand].operands[0]);
  }
  const int64_t dimension = i.get<hlo::DimensionsAttributes>().dimensions[0];
  return common->apply(r, concatenate(r, std::move(parts), common->permutation[dimension]));
}

// The same view on all inputs of a variadic op.
std::optional<View> common_transpose(const Rewriter& r, const Instruction& i, size_t inputs) {
  std::optional<View> common = transpose_of(r, i.operands[0]);
  for (size_t k = 1; common && k < inputs; ++k)
    if (transpose_of(r, i.operands[k]) != common) return std::nullopt;
  return common;
}

// Each array of a result through the view.
InstructionId viewed(Rewriter& r, const View& view, InstructionId result) {
  if (!r.shape(result).is_tuple()) return view.apply(r, result);
  std::vector<InstructionId> elements;
  for (size_t k = 0; k < r.shape(result).tuple.size(); ++k)
    elements.push_back(view.apply(r, element(r, result, static_cast<int64_t>(k))));
  return tuple(r, std::move(elements));
}

InstructionId window_of_transpose(Rewriter& r, const Instruction& i) {
  const size_t inputs = i.operands.size() / 2;
  const std::optional<View> view = common_transpose(r, i, inputs);
  if (!view) return kNone;
  Instruction inner = i;
  for (size_t k = 0; k < inputs; ++k) inner.operands[k] = r[i.operands[k]].operands[0];
  hlo::Window& window = inner.get<hlo::WindowAttributes>().window;
  window.dimensions = untransposed(window.dimensions, view->permutation);
  const auto turn = [&](Shape& shape) {
    shape.dimensions = untransposed(shape.dimensions, view->permutation);
  };
  if (inner.shape.is_tuple())
    std::for_each(inner.shape.tuple.begin(), inner.shape.tuple.end(), turn);
  else
    turn(inner.shape);
  return viewed(r, *view, r.add(std::move(inner)));
}

// The reduced dimensions vanish from the permutation of what is left.
InstructionId reduce_of_transpose(Rewriter& r, const Instruction& i) {
  const size_t inputs = i.operands.size() / 2;
  const std::optional<View> view = common_transpose(r, i, inputs);
  if (!view) return kNone;
  Dimensions reduced, kept;
  for (int64_t d = 0; d < static_cast<int64_t>(view->to.size()); ++d)
    (contains(i.get<hlo::DimensionsAttributes>().dimensions, d) ? reduced : kept)
        .push_back(view->permutation[d]);
  std::sort(reduced.begin(), reduced.end());
  View left{Opcode::kTranspose, {}, {}, {}};
  for (int64_t dimension : kept)
    left.permutation.push_back(
        std::count_if(kept.begin(), kept.end(), [&](int64_t other) { return other < dimension; }));
  Instruction inner = i;
  for (size_t k = 0; k < inputs; ++k) inner.operands[k] = r[i.operands[k]].operands[0];
  inner.get<hlo::DimensionsAttributes>().dimensions = reduced;
  const auto turn = [&](Shape& shape) {
    shape.dimensions = untransposed(shape.dimensions, left.permutation);
  };
  if (inner.shape.is_tuple())
    std::for_each(inner.shape.tuple.begin(), inner.shape.tuple.end(), turn);
  else
    turn(inner.shape);
  return viewed(r, left, r.add(std::move(inner)));
}

struct SinkRule {
  Opcode opcode;
  InstructionId (*rule)(Rewriter&, const Instruction&);
};
constexpr SinkRule sink_rules[] = {
    {Opcode::kPad, pad_of_transpose},
    {Opcode::kSlice, slice_of_transpose},
    {Opcode::kConcatenate, concatenate_of_transposes},
    {Opcode::kReduceWindow, window_of_transpose},
    {Opcode::kReduce, reduce_of_transpose},
};

InstructionId sink_op(Rewriter& r, const Instruction& i) {
  if (hlo::info(i.opcode).family == hlo::Family::kElementwise) return elementwise(r, i);
  for (const SinkRule& row : sink_rules)
    if (row.opcode == i.opcode) return row.rule(r, i);
  return kNone;
}

}  // namespace

Status sink_views(hlo::Module& module, const PassContext& context) {
  // What cancels in one round lets others through in the next.
  constexpr int max_rounds = 3;
  for (int round = 0; round < max_rounds; ++round) {
    HLOCC_TRY_ASSIGN(const bool changed, rewrite(module, sink_op));
    HLOCC_TRY(simplify(module, context));
    if (!changed) break;
  }
  return {};
}

}  // namespace hlocc::transforms
