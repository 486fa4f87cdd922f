// Rules of gather and scatter. Both see the indices as an array of index vectors along
// index_vector_dim; a number equal to the rank means vectors of one element.
#include "ops/gather_scatter.h"

#include "hlo/dimensions.h"
#include "ops/signature.h"

namespace hlocc::ops {
namespace {

using hlo::GatherAttributes, hlo::joined, hlo::ScatterAttributes;

// What gather and scatter call by different names.
struct Indexing {
  const Shape& operand;
  const Shape& indices;
  int64_t index_vector_dim;
  const Dimensions& index_map;
  // Operand dimensions that the windows leave out: collapsed or inserted, and batching.
  const Dimensions& dropped;
  const Dimensions& operand_batching;
  const Dimensions& indices_batching;
};

Status check_indexing(const Indexing& in) {
  HLOCC_TRY(check_type(in.indices, kInts, "the indices"));
  HLOCC_TRY(check(in.index_vector_dim >= 0 && in.index_vector_dim <= in.indices.rank(), kAttribute,
                  "index_vector_dim is ", in.index_vector_dim, ", out of range for indices ",
                  in.indices));
  const int64_t length =
      in.index_vector_dim < in.indices.rank() ? in.indices.dimensions[in.index_vector_dim] : 1;
  HLOCC_TRY(check(static_cast<int64_t>(in.index_map.size()) == length, kAttribute,
                  "index vectors have ", length, " elements, but ", in.index_map.size(),
                  " operand dimensions are named for them"));
  HLOCC_TRY(check_dimensions(joined(in.index_map, in.operand_batching), in.operand.rank(),
                             "indexed and batching dimensions"));
  HLOCC_TRY(
      check_sorted_dimensions(in.dropped, in.operand.rank(), "collapsed or inserted dimensions"));
  HLOCC_TRY(check_sorted_dimensions(in.operand_batching, in.operand.rank(),
                                    "operand batching dimensions"));
  HLOCC_TRY(check_dimensions(joined(in.dropped, in.operand_batching), in.operand.rank(),
                             "collapsed or inserted and batching dimensions"));
  HLOCC_TRY(
      check_dimensions(in.indices_batching, in.indices.rank(), "indices batching dimensions"));
  HLOCC_TRY(check(!contains(in.indices_batching, in.index_vector_dim), kAttribute,
                  "indices batching dimensions contain index_vector_dim"));
  HLOCC_TRY(check_count(in.indices_batching.size(), in.operand_batching.size(),
                        "indices batching dimensions"));
  for (size_t i = 0; i < in.operand_batching.size(); ++i) {
    const int64_t ours = in.operand.dimensions[in.operand_batching[i]];
    const int64_t theirs = in.indices.dimensions[in.indices_batching[i]];
    HLOCC_TRY(check(ours == theirs, kShape, "batching dimensions have different sizes, ", ours,
                    " and ", theirs));
  }
  return {};
}

// The indices without the index vectors: one entry a slice.
Shape slice_grid(const Shape& indices, int64_t index_vector_dim) {
  Shape grid = Shape::array(indices.element_type, {});
  for (int d = 0; d < indices.rank(); ++d)
    if (d != index_vector_dim) append_dimension(grid, indices.dimensions[d], indices.is_dynamic(d));
  return grid;
}

Status check_slice_sizes(const Shape& operand, const GatherAttributes& gather) {
  HLOCC_TRY(check_count(gather.slice_sizes.size(), operand.rank(), "slice_sizes"));
  for (int d = 0; d < operand.rank(); ++d) {
    const int64_t size = gather.slice_sizes[d];
    HLOCC_TRY(check(size >= 0 && size <= operand.dimensions[d], kAttribute, "slice size ", size,
                    " does not fit dimension ", d, " of ", operand));
    const bool dropped =
        contains(gather.collapsed_slice_dims, d) || contains(gather.operand_batching_dims, d);
    HLOCC_TRY(check(!dropped || size <= 1, kAttribute, "slice size ", size,
                    " of collapsed dimension ", d, " must be 0 or 1"));
  }
  return {};
}

Status check_updates(const Site& site, int i, const ScatterAttributes& scatter) {
  const Shape &operand = site.operand(0), &updates = site.operand(i);
  const Shape& indices = site.operand(site.operand_count() / 2);
  const Shape grid = slice_grid(indices, scatter.index_vector_dim);
  const Dimensions window =
      other_dimensions(operand.rank(), scatter.inserted_window_dims, scatter.input_batching_dims);
  HLOCC_TRY(check(updates.rank() == grid.rank() + static_cast<int>(window.size()), kShape,
                  "the updates ", updates, " must have rank ",
                  grid.rank() + static_cast<int>(window.size())));
  HLOCC_TRY(
      check_sorted_dimensions(scatter.update_window_dims, updates.rank(), "update_window_dims"));
  HLOCC_TRY(check_count(scatter.update_window_dims.size(), window.size(), "update_window_dims"));
  for (size_t w = 0; w < window.size(); ++w)
    HLOCC_TRY(
        check(updates.dimensions[scatter.update_window_dims[w]] <= operand.dimensions[window[w]],
              kShape, "the update windows of ", updates, " are larger than the operand ", operand));
  const Dimensions scattered = other_dimensions(updates.rank(), scatter.update_window_dims);
  for (size_t g = 0; g < scattered.size(); ++g)
    HLOCC_TRY(check(updates.dimensions[scattered[g]] == grid.dimensions[g], kShape, "the updates ",
                    updates, " do not have one window for each index vector of ", indices));
  return {};
}

}  // namespace

Result<Shape> infer(Op<Opcode::kGather>, const Site& site) {
  const auto& gather = site.attributes<GatherAttributes>();
  const Shape &operand = site.operand(0), &indices = site.operand(1);
  HLOCC_TRY(check_array(operand, "operand 0"));
  HLOCC_TRY(check_indexing({operand, indices, gather.index_vector_dim, gather.start_index_map,
                            gather.collapsed_slice_dims, gather.operand_batching_dims,
                            gather.start_indices_batching_dims}));
  HLOCC_TRY(check_slice_sizes(operand, gather));
  const Dimensions kept =
      other_dimensions(operand.rank(), gather.collapsed_slice_dims, gather.operand_batching_dims);
  const Shape grid = slice_grid(indices, gather.index_vector_dim);
  HLOCC_TRY(check_count(gather.offset_dims.size(), kept.size(), "offset_dims"));
  const int rank = grid.rank() + static_cast<int>(kept.size());
  HLOCC_TRY(check_sorted_dimensions(gather.offset_dims, rank, "offset_dims"));

  Shape result = Shape::array(operand.element_type, {});
  size_t next_kept = 0;
  int next_grid = 0;
  for (int d = 0; d < rank; ++d) {
    if (contains(gather.offset_dims, d)) {
      const int from = static_cast<int>(kept[next_kept++]);
      const int64_t size = gather.slice_sizes[from];
      append_dimension(result, size, operand.is_dynamic(from) && size == operand.dimensions[from]);
    } else {
      append_dimension(result, grid.dimensions[next_grid], grid.is_dynamic(next_grid));
      ++next_grid;
    }
  }
  return result;
}

Result<Shape> infer(Op<Opcode::kScatter>, const Site& site) {
  const auto& scatter = site.attributes<ScatterAttributes>();
  HLOCC_TRY(check(site.operand_count() % 2 == 1, kArity,
                  "takes N arrays, the indices and N updates, not ", site.operand_count(),
                  " operands"));
  const int count = site.operand_count() / 2;
  HLOCC_TRY(check_array_operands(site));
  HLOCC_TRY(check_same_dimensions(site, 0, count));
  HLOCC_TRY(check_same_dimensions(site, count + 1, site.operand_count()));
  HLOCC_TRY(check_indexing({site.operand(0), site.operand(count), scatter.index_vector_dim,
                            scatter.scatter_dims_to_operand_dims, scatter.inserted_window_dims,
                            scatter.input_batching_dims, scatter.scatter_indices_batching_dims}));
  std::vector<PrimitiveType> types;
  std::vector<Shape> results;
  for (int i = 0; i < count; ++i) {
    types.push_back(site.operand(i).element_type);
    HLOCC_TRY(check_operand_type(site, count + 1 + i, types[i]));
    HLOCC_TRY(check_updates(site, count + 1 + i, scatter));
    results.push_back(with_type(site.operand(i), types[i]));
  }
  HLOCC_TRY(check_reducer(site.called(0), types, "combiner"));
  return one_or_tuple(std::move(results));
}

}  // namespace hlocc::ops
