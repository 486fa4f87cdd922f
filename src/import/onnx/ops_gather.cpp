// Operators that take elements by indices which are computed when the model runs, and put elements
// to such places.
#include <algorithm>

#include "import/onnx/indices.h"
#include "import/onnx/ops.h"
#include "support/text.h"

namespace hlocc::import::onnx::ops {
namespace {

using enum PrimitiveType;

// What is done with the element that is there already; nothing: it is replaced.
Result<std::optional<Opcode>> combination(const Op& op) {
  const std::string how = op.text("reduction", "none");
  if (how == "none") return std::optional<Opcode>();
  if (how == "add") return std::optional(Opcode::kAdd);
  if (how == "mul") return std::optional(Opcode::kMultiply);
  if (how == "max") return std::optional(Opcode::kMaximum);
  if (how == "min") return std::optional(Opcode::kMinimum);
  return op.wrong(cat("reduction is \"", how, "\""));
}

// Tuples of indices, the last dimension of `indices`, each counted from the front of its dimension
// of x; `first` is the dimension of the first.
InstructionId tuples_from_front(Builder& b, InstructionId indices, const Dimensions& x,
                                int64_t first) {
  if (b.failure()) return 0;
  const int64_t last = b.rank(indices) - 1, width = b.size(indices, last);
  if (width == 0) return b.convert(indices, kS32);
  std::vector<InstructionId> parts;
  for (int64_t k = 0; k < width; ++k)
    parts.push_back(from_front(b, b.slice(indices, last, k, k + 1), x[first + k]));
  return b.concatenate(std::move(parts), last);
}

}  // namespace

Status gather(const Op& op) {
  Builder& b = op.b;
  const InstructionId x = op.value(0);
  HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(op.integer("axis"), b.rank(x)));
  if (!hlo::is_integer(op.type(1))) return op.unsupported_types();
  return op.set(b.take(x, from_front(b, op.value(1), b.size(x, axis)), axis));
}

Status gather_elements(const Op& op) {
  Builder& b = op.b;
  const InstructionId x = op.value(0);
  HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(op.integer("axis"), b.rank(x)));
  HLOCC_TRY(op.require_rank(1, b.rank(x)));
  return op.set(elements_along(b, x, op.value(1), axis));
}

Status gather_nd(const Op& op) {
  Builder& b = op.b;
  const InstructionId x = op.value(0);
  const Dimensions sizes = op.sizes(0), at = op.sizes(1);
  const int64_t batch = op.integer("batch_dims");
  const auto rank = static_cast<int64_t>(sizes.size());
  if (batch < 0 || batch >= static_cast<int64_t>(at.size()) || batch + at.back() > rank ||
      at.back() < 0)
    return op.wrong(cat("batch_dims ", batch, " for indices ", b.shape(op.value(1))));
  InstructionId indices = tuples_from_front(b, op.value(1), sizes, batch);
  // A number of a batch is an index, too.
  for (int64_t d = batch; d-- > 0;) {
    Dimensions one = at;
    one.back() = 1;
    indices = b.concatenate({b.iota(kS32, one, d), indices}, static_cast<int64_t>(at.size()) - 1);
  }
  hlo::GatherAttributes how;
  how.index_vector_dim = static_cast<int64_t>(at.size()) - 1;
  how.slice_sizes = sizes;
  for (int64_t d = 0; d < batch + at.back(); ++d) {
    how.collapsed_slice_dims.push_back(d);
    how.start_index_map.push_back(d);
    how.slice_sizes[d] = 1;
  }
  for (int64_t d = batch + at.back(); d < rank; ++d)
    how.offset_dims.push_back(how.index_vector_dim + d - batch - at.back());
  return op.set(b.add(Opcode::kGather, {x, indices}, std::move(how)));
}

Status scatter_elements(const Op& op) {
  Builder& b = op.b;
  const InstructionId x = op.value(0);
  HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(op.integer("axis"), b.rank(x)));
  HLOCC_TRY_ASSIGN(const std::optional<Opcode> combine, combination(op));
  HLOCC_TRY(op.require_rank(1, b.rank(x)));
  if (op.sizes(1) != op.sizes(2) || op.type(0) != op.type(2))
    return op.wrong("updates of another shape than the indices, or of another type");
  const Dimensions sizes = b.sizes(x);
  const int64_t count = b.shape(op.value(1)).element_count();
  const InstructionId places = flat_places(b, sizes, from_front(b, op.value(1), sizes[axis]), axis);
  hlo::ScatterAttributes how;
  how.inserted_window_dims = how.scatter_dims_to_operand_dims = {0};
  how.index_vector_dim = 1;
  const InstructionId done =
      b.scatter(b.reshape(x, {b.shape(x).element_count()}), b.reshape(places, {count, 1}),
                b.reshape(op.value(2), {count}), std::move(how), combine);
  return op.set(b.reshape(done, sizes));
}

Status scatter_nd(const Op& op) {
  Builder& b = op.b;
  const Dimensions sizes = op.sizes(0), at = op.sizes(1), updates = op.sizes(2);
  HLOCC_TRY_ASSIGN(const std::optional<Opcode> combine, combination(op));
  const auto rank = static_cast<int64_t>(sizes.size());
  if (at.empty() || at.back() > rank || op.type(0) != op.type(2))
    return op.wrong(cat("indices ", b.shape(op.value(1))));
  hlo::ScatterAttributes how;
  how.index_vector_dim = static_cast<int64_t>(at.size()) - 1;
  for (int64_t d = 0; d < at.back(); ++d) {
    how.inserted_window_dims.push_back(d);
    how.scatter_dims_to_operand_dims.push_back(d);
  }
  for (int64_t d = at.back(); d < rank; ++d)
    how.update_window_dims.push_back(how.index_vector_dim + d - at.back());
  return op.set(b.scatter(op.value(0), tuples_from_front(b, op.value(1), sizes, 0), op.value(2),
                          std::move(how), combine));
}

Status one_hot(const Op& op) {
  Builder& b = op.b;
  const std::optional<double> given = op.known_number(1);
  if (!given)
    return op.known(1) ? op.wrong("the depth is no single number") : op.not_known(1, "the depth");
  const auto depth = static_cast<int64_t>(std::clamp(*given, -1.0, INT32_MAX + 1.0));
  if (depth < 0 || depth > INT32_MAX) return op.wrong(cat("a depth of ", depth));
  Dimensions sizes = op.sizes(0);
  const auto rank = static_cast<int64_t>(sizes.size());
  HLOCC_TRY_ASSIGN(const int64_t axis, op.axis(op.integer("axis", -1), rank + 1));
  HLOCC_TRY(op.require_rank(2, 1));
  if (op.sizes(2) != Dimensions{2}) return op.wrong("values are not two");
  sizes.insert(sizes.begin() + axis, depth);
  Dimensions mapping = counting(rank + 1);
  mapping.erase(mapping.begin() + axis);
  // Indices may be floats here.
  const bool is_float = hlo::is_float(op.type(0));
  const InstructionId at =
      from_front(b, is_float ? b.convert(op.value(0), kS32) : op.value(0), depth);
  const InstructionId is_on =
      b.compare(b.broadcast(at, sizes, mapping), b.iota(kS32, sizes, axis), hlo::Direction::kEq);
  const auto value = [&](int64_t i) {
    return b.broadcast(b.reshape(b.slice(op.value(2), 0, i, i + 1), {}), sizes, {});
  };
  return op.set(b.select(is_on, value(1), value(0)));
}

}  // namespace hlocc::import::onnx::ops
