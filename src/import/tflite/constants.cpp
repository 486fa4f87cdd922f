// See constants.h. Sparse tensors are walked level by level as their traversal order says; a
// position beyond the tensor ends the walk.
#include "import/tflite/constants.h"

#include "import/build/numbers.h"
#include "import/check_shape.h"
#include "support/budget.h"
#include "support/text.h"

namespace hlocc::import::tflite {
namespace {

using hlo::Literal;
using hlo::Shape;

std::string quoted_name(const Tensor& tensor) { return cat("tensor \"", tensor.name, "\""); }

class SparseWalk {
 public:
  SparseWalk(const Tensor& tensor, size_t width, size_t bytes)
      : tensor_(tensor), sparsity_(*tensor.sparsity), width_(width), out_(bytes) {}

  Result<std::vector<std::byte>> run() {
    const size_t rank = tensor_.shape.size(), levels = sparsity_.levels.size();
    if (sparsity_.order.size() != levels || levels != rank + sparsity_.blocks.size())
      return bad("has another number of levels than dimensions");
    place_.assign(levels, -1);
    for (size_t level = 0; level < levels; ++level) {
      const int32_t dimension = sparsity_.order[level];
      if (dimension < 0 || dimension >= static_cast<int32_t>(levels) || place_[dimension] >= 0)
        return bad("has a traversal order that is no permutation");
      place_[dimension] = static_cast<int64_t>(level);
    }
    for (size_t k = 0; k < sparsity_.blocks.size(); ++k) {
      const SparseLevel& block = sparsity_.levels[place_[rank + k]];
      const int32_t of = sparsity_.blocks[k];
      if (of < 0 || of >= static_cast<int32_t>(rank) || !block.dense || block.size <= 0)
        return bad("has a block of no dimension");
    }
    index_.assign(levels, 0);
    HLOCC_TRY(walk(0, 0));
    return std::move(out_);
  }

 private:
  Diagnostic bad(const std::string& what) const {
    return error(DiagnosticKind::kFormat, cat("the sparsity of ", quoted_name(tensor_), " ", what));
  }

  Status store(int64_t at) {
    const size_t rank = tensor_.shape.size();
    if (static_cast<uint64_t>(at) >= tensor_.data.size() / width_)
      return bad("reaches beyond its data");
    int64_t flat = 0;
    for (size_t d = 0; d < rank; ++d) {
      int64_t index = index_[place_[d]];
      for (size_t k = 0; k < sparsity_.blocks.size(); ++k)
        if (sparsity_.blocks[k] == static_cast<int32_t>(d)) {
          const int64_t level = place_[rank + k];
          index = index * sparsity_.levels[level].size + index_[level];
        }
      if (index < 0 || index >= tensor_.shape[d]) return bad("reaches beyond its shape");
      flat = flat * tensor_.shape[d] + index;
    }
    std::memcpy(out_.data() + flat * width_, tensor_.data.data() + at * width_, width_);
    return {};
  }

  Status walk(size_t level, int64_t before) {
    HLOCC_TRY(charge_work(20, [&] { return quoted_name(tensor_); }));
    if (level == sparsity_.levels.size()) return store(before);
    const SparseLevel& now = sparsity_.levels[level];
    if (now.dense) {
      if (now.size < 0 || before > kMostPlaces || now.size > kMostPlaces)
        return bad("has a size beyond its data");
      for (index_[level] = 0; index_[level] < now.size; ++index_[level])
        HLOCC_TRY(walk(level + 1, before * now.size + index_[level]));
      return {};
    }
    if (before < 0 || before + 1 >= static_cast<int64_t>(now.segments.size()))
      return bad("has too few segments");
    const int64_t begin = now.segments[before], end = now.segments[before + 1];
    if (begin < 0 || end > static_cast<int64_t>(now.indices.size()))
      return bad("has a segment beyond its indices");
    for (int64_t i = begin; i < end; ++i) {
      index_[level] = now.indices[i];
      HLOCC_TRY(walk(level + 1, i));
    }
    return {};
  }

  static constexpr int64_t kMostPlaces = int64_t{1} << 31;

  const Tensor& tensor_;
  const Sparsity& sparsity_;
  const size_t width_;
  std::vector<std::byte> out_;
  std::vector<int64_t> place_;  // of a dimension: its level
  std::vector<int64_t> index_;  // of a level: where the walk is
};

}  // namespace

Result<Shape> shape_of_tensor(const Tensor& tensor) {
  const std::optional<hlo::PrimitiveType> type = element_type(tensor.type);
  if (!type)
    return error(DiagnosticKind::kType, cat(quoted_name(tensor), " has elements of ",
                                            tensor_type_name(tensor.type), ", which HLO lacks"));
  Shape shape = Shape::array(*type, tensor.shape);
  HLOCC_TRY(check_and_normalize(shape, quoted_name(tensor)));
  return shape;
}

Result<Literal> literal_of_tensor(const Tensor& tensor) {
  HLOCC_TRY_ASSIGN(const Shape shape, shape_of_tensor(tensor));
  const auto count = static_cast<size_t>(shape.element_count());
  const auto width = static_cast<size_t>(hlo::storage_bytes(shape.element_type));
  HLOCC_TRY(charge_memory(shape.byte_size(), [&] { return quoted_name(tensor); }));
  HLOCC_TRY(charge_work(shape.byte_size() / 8, [&] { return quoted_name(tensor); }));
  if (tensor.sparsity) {
    HLOCC_TRY_ASSIGN(std::vector<std::byte> dense, SparseWalk(tensor, width, count * width).run());
    return Literal::from_bytes(shape, std::move(dense));
  }
  const int bits = hlo::type_bits(shape.element_type);
  const size_t wanted = bits == 4 ? (count + 1) / 2 : count * width;
  if (tensor.data.size() != wanted || bits == 2)
    return error(DiagnosticKind::kFormat, cat(quoted_name(tensor), " has ", tensor.data.size(),
                                              " bytes for its shape ", shape));
  if (bits == 4)
    return Literal::from_bytes(
        shape, unpacked_nibbles(tensor.data, count, hlo::is_signed(shape.element_type)));
  std::vector<std::byte> bytes(tensor.data.begin(), tensor.data.end());
  if (hlo::is_pred(shape.element_type))
    for (std::byte& b : bytes) b = std::byte{b != std::byte{0}};
  if (tensor.was_unsigned)
    for (std::byte& b : bytes) b ^= std::byte{128};
  return Literal::from_bytes(shape, std::move(bytes));
}

}  // namespace hlocc::import::tflite
