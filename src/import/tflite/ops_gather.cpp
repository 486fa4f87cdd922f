// Parts of arrays at places that are computed: gathers, embeddings, and parts that are replaced.
#include "import/build/numbers.h"
#include "import/tflite/ops.h"
#include "import/tflite/quantize.h"

namespace hlocc::import::tflite::ops {
namespace {

using enum PrimitiveType;

}  // namespace

// Rows along an axis by their numbers, which lie within it.
Status gather(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(2, 2));
  if (op.options.number<int32_t>(schema::GatherOptions::batch_dims) != 0)
    return op.unsupported("batch dimensions");
  const InstructionId x = op.value(0), indices = op.value(1);
  HLOCC_TRY_ASSIGN(const int64_t axis,
                   op.axis(op.options.number<int32_t>(schema::GatherOptions::axis), b.rank(x)));
  if (op.type(1) != kS32 && op.type(1) != kS64) return op.unsupported_types();
  HLOCC_TRY(require_same_scale(op, op.in(0), op.out()));
  return op.set(b.take(x, indices, axis));
}

Status gather_nd(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(2, 2));
  const InstructionId x = op.value(0), indices = op.value(1);
  if (op.type(1) != kS32 && op.type(1) != kS64) return op.unsupported_types();
  if (b.rank(indices) < 1) return op.wrong("indices of no dimension");
  const int64_t batch = b.rank(indices) - 1, depth = b.size(indices, batch);
  if (depth > b.rank(x)) return op.wrong("indices of more dimensions than the operand has");
  HLOCC_TRY(require_same_scale(op, op.in(0), op.out()));
  hlo::GatherAttributes how;
  how.slice_sizes = b.sizes(x);
  for (int64_t d = 0; d < depth; ++d) how.slice_sizes[d] = 1;
  how.collapsed_slice_dims = how.start_index_map = counting(depth);
  how.index_vector_dim = batch;
  for (int64_t d = depth; d < b.rank(x); ++d) how.offset_dims.push_back(batch + d - depth);
  return op.set(b.add(Opcode::kGather, {x, indices}, std::move(how)));
}

// Rows of a table; INT8 ones may be read as reals.
Status embedding_lookup(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(2, 2));
  HLOCC_TRY(op.require_rank(0, 1));
  const PrimitiveType type = op.type(1);
  if (op.type(0) != kS32 || (type != kF32 && type != kS8)) return op.unsupported_types();
  if (b.rank(op.value(1)) < 2) return op.wrong("the table has less than two dimensions");
  const InstructionId rows = b.take(op.value(1), op.value(0), 0);
  if (type == kF32 || op.out().type != 0) return op.set(rows);
  HLOCC_TRY(op.require_quantized(op.in(1)));
  if (op.in(1).quantization.is_per_channel()) return op.unsupported("scales by channel");
  if (op.in(1).zero_point() != 0) return op.wrong("the table's zero point is not 0");
  return op.set(b.with(Opcode::kMultiply, b.convert(rows, kF32), op.in(1).scale()));
}

// Starts beyond the array are clamped.
Status dynamic_update_slice(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(3, 3));
  HLOCC_TRY(op.require_rank(2, 1));
  const InstructionId x = op.value(0), starts = op.value(2);
  if (op.type(2) != kS32 && op.type(2) != kS64) return op.unsupported_types();
  const int rank = b.rank(x);
  if (b.sizes(starts) != Dimensions({rank})) return op.wrong("has not one start a dimension");
  HLOCC_TRY(require_same_scale(op, op.in(0), op.out()));
  HLOCC_TRY(require_same_scale(op, op.in(1), op.out()));
  std::vector<InstructionId> operands = {x, op.value(1)};
  for (int d = 0; d < rank; ++d)
    operands.push_back(b.reshape(b.slice(starts, 0, d, d + 1), Dimensions()));
  return op.set(b.add(Opcode::kDynamicUpdateSlice, std::move(operands)));
}

}  // namespace hlocc::import::tflite::ops
