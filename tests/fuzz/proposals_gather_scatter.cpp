// Gather and scatter: every split of dimensions into indexed, collapsed, batching and window ones,
// index vectors along any dimension or along none, indices in and out of bounds.
#include <algorithm>

#include "fuzz/proposals.h"

namespace hlocc::fuzz {
namespace {

// What gather and scatter share: indices, and how operand dimensions are named for them.
struct Indexing {
  Id indices = kNone;
  int64_t index_vector_dim = 0;
  Dimensions index_map, dropped, operand_batching, indices_batching;
  // Sizes of the windows, one an operand dimension; and the batch dimensions of the result.
  Dimensions window, batch;
};

bool contains(const Dimensions& dims, int64_t d) {
  return std::find(dims.begin(), dims.end(), d) != dims.end();
}

PrimitiveType index_type(Builder& b) {
  static const std::vector<PrimitiveType> types = {
      PrimitiveType::kS32, PrimitiveType::kS32, PrimitiveType::kS64, PrimitiveType::kU32,
      PrimitiveType::kS8,  PrimitiveType::kU8,  PrimitiveType::kS16, PrimitiveType::kU64};
  return b.random.of(types);
}

Indexing random_indexing(Builder& b, const Dimensions& operand) {
  Indexing out;
  const int rank = static_cast<int>(operand.size());
  out.batch = b.random_dims(0, 2);
  Dimensions order;
  for (int d = 0; d < rank; ++d) order.push_back(d);
  b.random.shuffle(order);
  int64_t largest = 1;
  for (int64_t d : order) {
    const int64_t size = operand[static_cast<size_t>(d)];
    if (size > 0 && b.random.chance(15)) {
      out.operand_batching.push_back(d);
    } else if (b.random.chance(60)) {
      out.index_map.push_back(d);
      largest = std::max(largest, size);
    }
    // A point of an empty dimension would be read from nowhere.
    if (!contains(out.operand_batching, d) && size > 0 && b.random.chance(40))
      out.dropped.push_back(d);
  }
  std::sort(out.dropped.begin(), out.dropped.end());
  std::sort(out.operand_batching.begin(), out.operand_batching.end());
  for (int d = 0; d < rank; ++d) {
    const int64_t size = operand[static_cast<size_t>(d)];
    const bool point = contains(out.dropped, d) || contains(out.operand_batching, d);
    out.window.push_back(point ? std::min<int64_t>(size, 1)
                         : b.random.chance(40)
                             ? size
                             : b.random.between(std::min<int64_t>(size, 1), size));
  }
  // Each batching dimension of the operand walks along one of the indices.
  for (int64_t d : out.operand_batching) {
    const int64_t at = b.random.below(static_cast<int64_t>(out.batch.size()) + 1);
    for (int64_t& other : out.indices_batching)
      if (other >= at) ++other;
    out.batch.insert(out.batch.begin() + at, operand[static_cast<size_t>(d)]);
    out.indices_batching.push_back(at);
  }
  Dimensions dims = out.batch;
  const int64_t length = static_cast<int64_t>(out.index_map.size());
  out.index_vector_dim = static_cast<int64_t>(dims.size());
  if (length != 1 || b.random.chance(60)) {
    out.index_vector_dim =
        b.random.chance(70) ? out.index_vector_dim : b.random.below(out.index_vector_dim + 1);
    dims.insert(dims.begin() + out.index_vector_dim, length);
    for (int64_t& other : out.indices_batching)
      if (other >= out.index_vector_dim) ++other;
  }
  const PrimitiveType type = index_type(b);
  out.indices = b.random.chance(90) ? b.indices(type, dims, -1, largest) : b.fresh(type, dims);
  return out;
}

// Where the window dimensions stand among those of the result.
Dimensions window_places(Builder& b, size_t windows, size_t batch) {
  Dimensions all, out;
  for (size_t d = 0; d < windows + batch; ++d) all.push_back(static_cast<int64_t>(d));
  b.random.shuffle(all);
  out.assign(all.begin(), all.begin() + static_cast<int64_t>(windows));
  std::sort(out.begin(), out.end());
  return out;
}

Id gather(Builder& b, PrimitiveType type) {
  const Id x = b.value(type);
  const Indexing in = random_indexing(b, b.dims(x));
  hlo::GatherAttributes gather;
  gather.collapsed_slice_dims = in.dropped;
  gather.start_index_map = in.index_map;
  gather.operand_batching_dims = in.operand_batching;
  gather.start_indices_batching_dims = in.indices_batching;
  gather.index_vector_dim = in.index_vector_dim;
  gather.slice_sizes = in.window;
  gather.offset_dims = window_places(
      b, in.window.size() - in.dropped.size() - in.operand_batching.size(), in.batch.size());
  return b.emit(Opcode::kGather, {x, in.indices}, gather);
}

Id scatter(Builder& b, PrimitiveType type) {
  const Id x = b.value(type);
  const Indexing in = random_indexing(b, b.dims(x));
  hlo::ScatterAttributes scatter;
  scatter.inserted_window_dims = in.dropped;
  scatter.scatter_dims_to_operand_dims = in.index_map;
  scatter.input_batching_dims = in.operand_batching;
  scatter.scatter_indices_batching_dims = in.indices_batching;
  scatter.index_vector_dim = in.index_vector_dim;
  Dimensions windows;
  for (size_t d = 0; d < in.window.size(); ++d)
    if (!contains(in.dropped, static_cast<int64_t>(d)) &&
        !contains(in.operand_batching, static_cast<int64_t>(d)))
      windows.push_back(in.window[d]);
  scatter.update_window_dims = window_places(b, windows.size(), in.batch.size());
  Dimensions updates;
  size_t next_window = 0, next_batch = 0;
  for (size_t d = 0; d < windows.size() + in.batch.size(); ++d)
    updates.push_back(contains(scatter.update_window_dims, static_cast<int64_t>(d))
                          ? windows[next_window++]
                          : in.batch[next_batch++]);
  std::vector<PrimitiveType> types = {type};
  for (int64_t more = b.random.chance(20) ? b.random.between(1, 2) : 0; more > 0; --more)
    types.push_back(b.random.chance(50) ? PrimitiveType::kS32 : type);
  std::vector<Id> operands, update_ids;
  for (PrimitiveType t : types) {
    operands.push_back(operands.empty() ? x : b.value_like(t, b.dims(x)));
    update_ids.push_back(b.value_like(t, updates));
  }
  ComputationId reducer = kNone;
  if (types.size() == 1 && b.random.chance(25)) {
    b.begin({Shape::scalar(type), Shape::scalar(type)});
    reducer = b.finish(1);
  } else {
    reducer = random_reducer(b, types);
  }
  operands.push_back(in.indices);
  operands.insert(operands.end(), update_ids.begin(), update_ids.end());
  const Id out = b.emit(Opcode::kScatter, operands, scatter, {reducer});
  return out == kNone || types.size() == 1
             ? out
             : element(b, out, b.random.below(static_cast<int64_t>(types.size())));
}

}  // namespace

void add_gather_scatter(std::vector<Proposal>& rows) {
  rows.push_back({"gather", 10, gather});
  rows.push_back({"scatter", 10, scatter});
}

}  // namespace hlocc::fuzz
