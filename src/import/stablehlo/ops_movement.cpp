// Operations that move elements.
#include <algorithm>

#include "import/stablehlo/ops.h"
#include "support/text.h"

namespace hlocc::import::stablehlo::ops {
namespace {

// [0:1, 0:4:2]: start, limit and stride of each dimension.
hlo::SliceAttributes ranges(const Op& op) {
  hlo::SliceAttributes out;
  TextCursor& cursor = op.attributes.source().cursor;
  op.attributes.read("ranges", [&]() -> Status {
    HLOCC_TRY(cursor.expect("["));
    while (!cursor.accept("]")) {
      HLOCC_TRY_ASSIGN(const int64_t start, cursor.integer());
      HLOCC_TRY(cursor.expect(":"));
      HLOCC_TRY_ASSIGN(const int64_t limit, cursor.integer());
      int64_t stride = 1;
      if (cursor.accept(":")) {
        HLOCC_TRY_ASSIGN(stride, cursor.integer());
      }
      out.starts.push_back(start);
      out.limits.push_back(limit);
      out.strides.push_back(stride);
      cursor.accept(",");
    }
    return {};
  });
  return out;
}

}  // namespace

InstructionId iota(const Op& op) {
  return op.b.add(Opcode::kIota, op.ins(),
                  hlo::IotaAttributes{op.attributes.integer("iota_dimension")}, {}, op.out());
}

InstructionId reshape(const Op& op) {
  return op.b.add(Opcode::kReshape, op.ins(), {}, {}, op.out());
}

InstructionId transpose(const Op& op) {
  return op.b.add(Opcode::kTranspose, op.ins(),
                  hlo::DimensionsAttributes{op.attributes.integers("permutation")});
}

InstructionId reverse(const Op& op) {
  return op.b.add(Opcode::kReverse, op.ins(),
                  hlo::DimensionsAttributes{op.attributes.integers("dimensions")});
}

InstructionId broadcast(const Op& op) {
  const auto added = static_cast<int64_t>(op.attributes.integers("broadcast_sizes").size());
  if (!op.has_inputs(1)) return 0;
  Dimensions mapping = counting(op.rank(0));
  for (int64_t& one : mapping) one += added;
  return op.b.broadcast(op.in(0), op.out().dimensions, mapping);
}

// HLO's broadcast repeats no dimension of one element: those are dropped.
InstructionId broadcast_in_dim(const Op& op) {
  const Dimensions given = op.attributes.integers("broadcast_dimensions");
  if (!op.has_inputs(1)) return 0;
  const Dimensions from = op.sizes(0), &to = op.out().dimensions;
  if (given.size() != from.size()) {
    op.attributes.refuse("broadcast_dimensions",
                         cat("has ", given.size(), " entries for ", from.size(), " dimensions"));
    return 0;
  }
  Dimensions kept, mapping;
  for (size_t i = 0; i < from.size(); ++i) {
    const bool is_inside = given[i] >= 0 && given[i] < static_cast<int64_t>(to.size());
    if (from[i] == 1 && is_inside && to[given[i]] != 1) continue;
    kept.push_back(from[i]);
    mapping.push_back(given[i]);
  }
  return op.b.add(Opcode::kBroadcast, {op.b.reshape(op.in(0), kept)},
                  hlo::DimensionsAttributes{mapping}, {}, op.out());
}

InstructionId concatenate(const Op& op) {
  return op.b.add(Opcode::kConcatenate, op.ins(),
                  hlo::DimensionsAttributes{{op.attributes.integer("dimension")}});
}

InstructionId slice(const Op& op) {
  if (op.attributes.has("ranges")) return op.b.add(Opcode::kSlice, op.ins(), ranges(op));
  return op.b.add(Opcode::kSlice, op.ins(),
                  hlo::SliceAttributes{op.attributes.integers("start_indices"),
                                       op.attributes.integers("limit_indices"),
                                       op.attributes.integers("strides")});
}

InstructionId dynamic_slice(const Op& op) {
  return op.b.add(Opcode::kDynamicSlice, op.ins(),
                  hlo::DynamicSliceAttributes{op.attributes.integers("slice_sizes")});
}

InstructionId pad(const Op& op) {
  const Dimensions low = op.attributes.integers("edge_padding_low"),
                   high = op.attributes.integers("edge_padding_high"),
                   interior = op.attributes.integers("interior_padding");
  if (low.size() != high.size() || low.size() != interior.size()) {
    op.attributes.refuse("edge_padding_low", "has another number of entries than the others");
    return 0;
  }
  hlo::PadAttributes how;
  for (size_t i = 0; i < low.size(); ++i) how.dimensions.push_back({low[i], high[i], interior[i]});
  return op.b.add(Opcode::kPad, op.ins(), std::move(how));
}

InstructionId gather(const Op& op) {
  const Fields numbers = op.attributes.fields("dimension_numbers");
  hlo::GatherAttributes how;
  how.offset_dims = numbers.integers("offset_dims", Dimensions());
  how.collapsed_slice_dims = numbers.integers("collapsed_slice_dims", Dimensions());
  how.start_index_map = numbers.integers("start_index_map", Dimensions());
  how.operand_batching_dims = numbers.integers("operand_batching_dims", Dimensions());
  how.start_indices_batching_dims = numbers.integers("start_indices_batching_dims", Dimensions());
  how.index_vector_dim = numbers.integer("index_vector_dim", 0);
  numbers.finish();
  how.slice_sizes = op.attributes.integers("slice_sizes");
  how.indices_are_sorted = op.attributes.flag("indices_are_sorted", false);
  return op.b.add(Opcode::kGather, op.ins(), std::move(how));
}

InstructionId scatter(const Op& op) {
  const Fields numbers = op.attributes.fields("scatter_dimension_numbers");
  hlo::ScatterAttributes how;
  how.update_window_dims = numbers.integers("update_window_dims", Dimensions());
  how.inserted_window_dims = numbers.integers("inserted_window_dims", Dimensions());
  how.scatter_dims_to_operand_dims = numbers.integers("scatter_dims_to_operand_dims", Dimensions());
  how.input_batching_dims = numbers.integers("input_batching_dims", Dimensions());
  how.scatter_indices_batching_dims =
      numbers.integers("scatter_indices_batching_dims", Dimensions());
  how.index_vector_dim = numbers.integer("index_vector_dim", 0);
  numbers.finish();
  how.indices_are_sorted = op.attributes.flag("indices_are_sorted", false);
  how.unique_indices = op.attributes.flag("unique_indices", false);
  return op.b.add(Opcode::kScatter, op.ins(), std::move(how), {op.region(0, "update")});
}

InstructionId get_dimension_size(const Op& op) {
  return op.b.add(Opcode::kGetDimensionSize, op.ins(),
                  hlo::DimensionsAttributes{{op.attributes.integer("dimension")}});
}

InstructionId set_dimension_size(const Op& op) {
  return op.b.add(Opcode::kSetDimensionSize, op.ins(),
                  hlo::DimensionsAttributes{{op.attributes.integer("dimension")}});
}

}  // namespace hlocc::import::stablehlo::ops
