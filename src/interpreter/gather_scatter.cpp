// gather and scatter. Both walk scatter/gather positions ("batch" indices) outside and a window
// inside; a start index is a vector that lies along index_vector_dim of the index operand.
#include <algorithm>

#include "interpreter/families.h"
#include "interpreter/indices.h"
#include "interpreter/scalar_function.h"
#include "interpreter/strided.h"

namespace hlocc::interpreter {
namespace {

using hlo::Instruction;

// The index operand read vector by vector.
class StartIndices {
 public:
  StartIndices(const Literal& indices, int64_t vector_dim) : indices_(indices) {
    const Dimensions& extents = indices.shape().dimensions;
    const Dimensions strides = hlo::row_major_strides(extents);
    const int rank = static_cast<int>(extents.size());
    batch_dims_ = others(rank, {vector_dim});
    batch_strides_ = pick(strides, batch_dims_);
    vector_stride_ = vector_dim < rank ? strides[vector_dim] : 0;
  }
  // Component k of the vector at a batch position.
  int64_t component(const Dimensions& batch, int64_t k) const {
    return index_at(indices_, dot(batch, batch_strides_) + k * vector_stride_);
  }
  // The index operand's dimension as a position in the batch (which leaves index_vector_dim out).
  int64_t batch_position(int64_t dimension) const {
    return std::find(batch_dims_.begin(), batch_dims_.end(), dimension) - batch_dims_.begin();
  }

 private:
  const Literal& indices_;
  Dimensions batch_dims_, batch_strides_;
  int64_t vector_stride_;
};

}  // namespace

Result<Literal> evaluate(Op<Opcode::kGather>, Context&, const Instruction& instruction,
                         Operands operands) {
  const auto& gather = instruction.get<hlo::GatherAttributes>();
  const Shape& shape = instruction.shape;
  const Dimensions& extents = operands[0].shape().dimensions;
  const StartIndices starts(operands[1], gather.index_vector_dim);
  const Dimensions batch_dims = others(shape.rank(), gather.offset_dims);
  const Dimensions batch_box = pick(shape.dimensions, batch_dims);
  // Dimensions of the operand that the window keeps, in the order of offset_dims.
  const Dimensions window_dims = others(static_cast<int>(extents.size()),
                                        gather.collapsed_slice_dims, gather.operand_batching_dims);
  const Dimensions strides = hlo::row_major_strides(extents),
                   result_strides = hlo::row_major_strides(shape.dimensions);
  const Dimensions batch_strides = pick(result_strides, batch_dims);
  StridedView to{0, pick(result_strides, gather.offset_dims)}, from{0, pick(strides, window_dims)};
  const Dimensions window = pick(gather.slice_sizes, window_dims);
  Literal result = Literal::zeros(shape);
  // A collapsed dimension may be empty: then there is nothing to gather, and zeros stay.
  if (shape.element_count() == 0 || operands[0].element_count() == 0) return result;
  std::byte* out = result.mutable_bytes().data();
  Dimensions batch(batch_box.size(), 0);
  do {
    from.base = 0;
    for (size_t k = 0; k < gather.start_index_map.size(); ++k) {
      const int64_t d = gather.start_index_map[k];
      from.base += clamp_index(starts.component(batch, static_cast<int64_t>(k)),
                               extents[d] - gather.slice_sizes[d]) *
                   strides[d];
    }
    for (size_t k = 0; k < gather.operand_batching_dims.size(); ++k)
      from.base += batch[starts.batch_position(gather.start_indices_batching_dims[k])] *
                   strides[gather.operand_batching_dims[k]];
    to.base = dot(batch, batch_strides);
    strided_copy(window, hlo::storage_bytes(shape.element_type), out, to,
                 operands[0].bytes().data(), from);
  } while (next_index(batch, batch_box));
  return result;
}

namespace {

// The geometry of a scatter: for each update position its window's place in the operand.
struct ScatterWindows {
  const hlo::ScatterAttributes& scatter;
  const Dimensions extents;  // of the operand, which scatter moves away
  const StartIndices starts;
  Dimensions batch_dims, window_dims;  // of the updates; of the operand
  Dimensions batch_box, window;

  ScatterWindows(const hlo::ScatterAttributes& scatter, const Literal& operand,
                 const Literal& indices, const Literal& updates)
      : scatter(scatter),
        extents(operand.shape().dimensions),
        starts(indices, scatter.index_vector_dim) {
    const Dimensions& shape = updates.shape().dimensions;
    batch_dims = others(static_cast<int>(shape.size()), scatter.update_window_dims);
    window_dims = others(static_cast<int>(extents.size()), scatter.inserted_window_dims,
                         scatter.input_batching_dims);
    batch_box = pick(shape, batch_dims);
    window = pick(shape, scatter.update_window_dims);
  }

  // Where the window of a batch position starts; false if any of it lies outside, then it is
  // skipped as a whole.
  bool start(const Dimensions& batch, Dimensions& start) const {
    std::fill(start.begin(), start.end(), 0);
    for (size_t k = 0; k < scatter.scatter_dims_to_operand_dims.size(); ++k)
      start[scatter.scatter_dims_to_operand_dims[k]] =
          starts.component(batch, static_cast<int64_t>(k));
    for (size_t k = 0; k < scatter.input_batching_dims.size(); ++k)
      start[scatter.input_batching_dims[k]] =
          batch[starts.batch_position(scatter.scatter_indices_batching_dims[k])];
    for (size_t d = 0; d < extents.size(); ++d)
      if (start[d] < 0 || start[d] >= extents[d]) return false;
    for (size_t k = 0; k < window_dims.size(); ++k)
      if (start[window_dims[k]] > extents[window_dims[k]] - window[k]) return false;
    return true;
  }
};

}  // namespace

// result[place] = f(result[place], update), one update after the other in row-major order; N
// operands go together.
Result<Literal> evaluate(Op<Opcode::kScatter>, Context& context, const Instruction& instruction,
                         Operands operands) {
  const size_t n = operands.size() / 2;
  const ScatterWindows windows(instruction.get<hlo::ScatterAttributes>(), operands[0], operands[n],
                               operands[n + 1]);
  ScalarFunction combine(context, instruction.called[0]);
  std::vector<Literal> results(std::make_move_iterator(operands.begin()),
                               std::make_move_iterator(operands.begin() + n));
  std::vector<std::byte*> data;
  std::vector<ElementAccess> access;
  for (Literal& result : results) {
    data.push_back(result.mutable_bytes().data());
    access.emplace_back(result.type());
  }
  const Dimensions extents = results[0].shape().dimensions;
  const Dimensions strides = hlo::row_major_strides(extents);
  const Dimensions update_strides = hlo::row_major_strides(operands[n + 1].shape().dimensions);
  const Dimensions batch_strides = pick(update_strides, windows.batch_dims);
  const Dimensions window_update_strides = pick(update_strides, windows.scatter.update_window_dims);
  const Dimensions window_strides = pick(strides, windows.window_dims);
  if (operands[n + 1].element_count() > 0) {
    Dimensions batch(windows.batch_box.size(), 0), start(extents.size(), 0);
    do {
      if (!windows.start(batch, start)) continue;
      const int64_t to_base = dot(start, strides), from_base = dot(batch, batch_strides);
      Dimensions offset(windows.window.size(), 0);
      do {
        const int64_t to = to_base + dot(offset, window_strides),
                      from = from_base + dot(offset, window_update_strides);
        for (size_t i = 0; i < n; ++i) {
          access[i].load(data[i], to, combine.argument(static_cast<int>(i)));
          access[i].load(operands[n + 1 + i].bytes().data(), from,
                         combine.argument(static_cast<int>(n + i)));
        }
        HLOCC_TRY(combine.call());
        for (size_t i = 0; i < n; ++i)
          access[i].store(data[i], to, combine.result(static_cast<int>(i)));
      } while (next_index(offset, windows.window));
    } while (next_index(batch, windows.batch_box));
  }
  if (!instruction.shape.is_tuple()) {
    results[0].set_shape(instruction.shape);
    return std::move(results[0]);
  }
  return Literal::make_tuple(std::move(results));
}

}  // namespace hlocc::interpreter
