// Blocks of rows and columns to channels or batches, and back.
#include "import/build/numbers.h"
#include "import/tflite/ops.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

Result<int64_t> block_size(const Op& op) {
  HLOCC_TRY(op.require(1, 1));
  HLOCC_TRY(op.require_rank(0, 4));
  const int64_t block = op.options.number<int32_t>(schema::BlockOptions::block_size);
  if (block < 1 || block > INT16_MAX) return op.wrong(cat("blocks of ", block));
  return block;
}

// Integers in pairs: of each spatial dimension the low and the high one.
struct Blocks {
  std::vector<int64_t> sizes, pairs;
};
Result<Blocks> blocks_of(const Op& op) {
  HLOCC_TRY(op.require(3, 3));
  Blocks out;
  HLOCC_TRY_ASSIGN(out.sizes, op.integers(1, "the blocks"));
  HLOCC_TRY_ASSIGN(out.pairs, op.integers(2, "the paddings or crops"));
  const auto rank = static_cast<size_t>(op.b.rank(op.value(0)));
  if (out.sizes.size() + 1 > rank || out.pairs.size() != 2 * out.sizes.size())
    return op.wrong("blocks for another number of dimensions");
  for (const int64_t size : out.sizes)
    if (size < 1 || size > INT16_MAX) return op.wrong(cat("blocks of ", size));
  for (const int64_t one : out.pairs)
    if (one < 0) return op.wrong("a negative padding or crop");
  return out;
}

}  // namespace

Status depth_to_space(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const int64_t k, block_size(op));
  const Dimensions x = op.sizes(0);
  if (x[3] % (k * k) != 0) return op.wrong("channels that are no blocks");
  const int64_t depth = x[3] / (k * k);
  const InstructionId parts = b.reshape(op.value(0), {x[0], x[1], x[2], k, k, depth});
  return op.set(
      b.reshape(b.transpose(parts, {0, 1, 3, 2, 4, 5}), {x[0], x[1] * k, x[2] * k, depth}));
}

Status space_to_depth(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const int64_t k, block_size(op));
  const Dimensions x = op.sizes(0);
  if (x[1] % k != 0 || x[2] % k != 0) return op.wrong("sides that are no blocks");
  const InstructionId parts = b.reshape(op.value(0), {x[0], x[1] / k, k, x[2] / k, k, x[3]});
  return op.set(
      b.reshape(b.transpose(parts, {0, 1, 3, 2, 4, 5}), {x[0], x[1] / k, x[2] / k, k * k * x[3]}));
}

Status space_to_batch_nd(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Blocks blocks, blocks_of(op));
  const size_t spatial = blocks.sizes.size();
  InstructionId x = op.value(0);
  std::vector<hlo::PaddingDimension> by(static_cast<size_t>(b.rank(x)));
  for (size_t d = 0; d < spatial; ++d) by[d + 1] = {blocks.pairs[2 * d], blocks.pairs[2 * d + 1]};
  const bool is_quantized = op.in(0).quantization.is_there();
  if (is_quantized) HLOCC_TRY(op.require_quantized(op.out()));
  x = b.pad(x, b.number(op.type(0), is_quantized ? op.out().zero_point() : 0), std::move(by));
  const Dimensions sizes = b.sizes(x);
  Dimensions parts = {sizes[0]}, order, merged = {sizes[0]}, rest;
  for (size_t d = 0; d < spatial && !b.failure(); ++d) {
    if (sizes[d + 1] % blocks.sizes[d] != 0) return op.wrong("sides that are no blocks");
    parts.insert(parts.end(), {sizes[d + 1] / blocks.sizes[d], blocks.sizes[d]});
    merged[0] *= blocks.sizes[d];
    merged.push_back(sizes[d + 1] / blocks.sizes[d]);
    order.push_back(static_cast<int64_t>(2 * d + 2));
    rest.push_back(static_cast<int64_t>(2 * d + 1));
  }
  order.push_back(0);
  order.insert(order.end(), rest.begin(), rest.end());
  for (size_t d = spatial + 1; d < sizes.size() && !b.failure(); ++d) {
    order.push_back(static_cast<int64_t>(parts.size()));
    parts.push_back(sizes[d]);
    merged.push_back(sizes[d]);
  }
  return op.set(b.reshape(b.transpose(b.reshape(x, parts), order), merged));
}

Status batch_to_space_nd(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const Blocks blocks, blocks_of(op));
  const size_t spatial = blocks.sizes.size();
  const InstructionId x = op.value(0);
  const Dimensions sizes = b.sizes(x);
  Dimensions parts = blocks.sizes, order = {static_cast<int64_t>(spatial)}, merged;
  int64_t batch = sizes[0];
  for (const int64_t block : blocks.sizes) batch = batch % block == 0 ? batch / block : -1;
  if (batch < 0) return op.wrong("batches that are no blocks");
  parts.insert(parts.end(), {batch});
  parts.insert(parts.end(), sizes.begin() + 1, sizes.end());
  merged.push_back(batch);
  Dimensions starts = {0}, limits = {batch};
  for (size_t d = 1; d < sizes.size(); ++d) {
    order.push_back(static_cast<int64_t>(spatial + d));
    const int64_t block = d <= spatial ? blocks.sizes[d - 1] : 1;
    if (d <= spatial) order.push_back(static_cast<int64_t>(d - 1));
    merged.push_back(sizes[d] * block);
    starts.push_back(d <= spatial ? blocks.pairs[2 * d - 2] : 0);
    limits.push_back(merged[d] - (d <= spatial ? blocks.pairs[2 * d - 1] : 0));
    if (starts[d] > limits[d]) return op.wrong("crops beyond the result");
  }
  const InstructionId whole = b.reshape(b.transpose(b.reshape(x, parts), order), merged);
  return op.set(b.slice(whole, starts, limits, Dimensions(sizes.size(), 1)));
}

}  // namespace hlocc::import::tflite::ops
