// Ops that move elements: shapes, pads, slices, joins.
#include <algorithm>

#include "import/build/numbers.h"
#include "import/tflite/ops.h"
#include "import/tflite/quantize.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

using enum PrimitiveType;

// The sizes with the one that is -1 put in.
Result<Dimensions> completed(const Op& op, Dimensions sizes, int64_t count) {
  const auto open = std::find(sizes.begin(), sizes.end(), -1);
  if (open == sizes.end()) return sizes;
  int64_t rest = 1;
  for (const int64_t size : sizes)
    if (size != -1) rest = size < 0 || rest > INT32_MAX ? 0 : rest * size;
  if (rest == 0 || count % rest != 0)
    return op.wrong(cat("shape [", join(sizes, ","), "] for ", count, " elements"));
  *open = count / rest;
  return sizes;
}

}  // namespace

Status reshape(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, 2));
  const InstructionId x = op.value(0);
  const int64_t count = b.shape(x).element_count();
  Dimensions wanted = op.out().shape;
  if (op.has(1)) {
    HLOCC_TRY_ASSIGN(wanted, op.integers(1, "the shape"));
  } else if (op.options.has(schema::ReshapeOptions::new_shape)) {
    const auto given = op.options.numbers<int32_t>(schema::ReshapeOptions::new_shape);
    wanted.assign(given.begin(), given.end());
  }
  // A vector of one zero is how early converters wrote a scalar.
  if (wanted == Dimensions{0} && op.out().shape.empty()) wanted = {};
  HLOCC_TRY_ASSIGN(const Dimensions sizes, completed(op, std::move(wanted), count));
  return op.set(b.reshape(x, sizes));
}

Status pad(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(2, 3));
  const InstructionId x = op.value(0);
  const Dimensions sizes = b.sizes(x);
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> paddings, op.integers(1, "the padding"));
  if (b.failure()) return {};
  if (paddings.size() != 2 * sizes.size()) return op.wrong("paddings for another number of sides");
  std::vector<hlo::PaddingDimension> dimensions;
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (paddings[2 * d] < 0 || paddings[2 * d + 1] < 0) return op.wrong("a negative padding");
    dimensions.push_back({paddings[2 * d], paddings[2 * d + 1], 0});
  }
  InstructionId value = b.number(op.type(0), 0);
  if (op.has(2)) {
    if (op.type(2) != op.type(0)) return op.unsupported_types();
    value = b.reshape(op.value(2), {});
  } else if (op.in(0).quantization.is_there()) {
    value = b.number(op.type(0), op.out().zero_point());
  }
  return op.set(b.pad(x, value, std::move(dimensions)));
}

}  // namespace hlocc::import::tflite::ops
