// sort and topk. The sort is a bottom-up merge sort of indices: stable, O(n log n), and safe with
// comparators that are no order at all (plain less-than on NaN).
#include <algorithm>
#include <limits>
#include <numeric>

#include "interpreter/families.h"
#include "interpreter/monoid.h"
#include "interpreter/strided.h"
#include "interpreter/total_order.h"

namespace hlocc::interpreter {
namespace {

using hlo::Instruction;

// Merges runs of growing width; `less(a, b)` compares the elements at two indices.
template <typename Less>
void merge_sort(std::vector<int64_t>& order, Less less) {
  const int64_t count = static_cast<int64_t>(order.size());
  std::vector<int64_t> merged(order.size());
  for (int64_t width = 1; width < count; width *= 2) {
    for (int64_t begin = 0; begin < count; begin += 2 * width) {
      const int64_t middle = std::min(begin + width, count),
                    end = std::min(begin + 2 * width, count);
      int64_t left = begin, right = middle;
      for (int64_t to = begin; to < end; ++to) {
        const bool take_right = left == middle || (right < end && less(order[right], order[left]));
        merged[to] = take_right ? order[right++] : order[left++];
      }
    }
    order.swap(merged);
  }
}

// Numbers that rise as the elements do, in the total order of floats; or fall, for `descending`.
std::vector<int64_t> order_keys(const Literal& array, bool descending) {
  std::vector<int64_t> keys(static_cast<size_t>(array.element_count()));
  visit_value_type(array.type(), [&]<typename V>(std::type_identity<V>) {
    if constexpr (!is_complex_value<V>) {
      const Values<V> values(array);
      for (int64_t i = 0; i < values.size(); ++i) {
        const auto key = static_cast<int64_t>(total_order_key(values[i]));
        keys[i] = std::is_same_v<V, uint64_t> ? key ^ std::numeric_limits<int64_t>::min() : key;
      }
    }
  });
  if (descending)
    for (int64_t& key : keys) key = ~key;
  return keys;
}

}  // namespace

// The comparator takes (a0, b0, a1, b1, ...): the elements of every operand at two places.
Result<Literal> evaluate(Op<Opcode::kSort>, Context& context, const Instruction& instruction,
                         Operands operands) {
  const int64_t dimension = instruction.get<hlo::SortAttributes>().dimension;
  const Dimensions extents = operands[0].shape().dimensions;
  const int64_t count = extents[dimension], stride = hlo::row_major_strides(extents)[dimension];
  ScalarFunction comparator(context, instruction.called[0]);
  std::vector<ElementAccess> access;
  std::vector<Literal> results;
  for (const Literal& operand : operands) {
    access.emplace_back(operand.type());
    results.push_back(Literal::zeros(operand.shape()));
  }
  Status failed;
  const int64_t lines = count == 0 ? 0 : product(extents) / count;
  for (int64_t line = 0; line < lines; ++line) {
    const int64_t base = line / stride * stride * count + line % stride;
    std::vector<int64_t> order(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; ++i) order[i] = base + i * stride;
    merge_sort(order, [&](int64_t a, int64_t b) {
      if (!failed) return false;
      for (size_t i = 0; i < operands.size(); ++i) {
        access[i].load(operands[i].bytes().data(), a, comparator.argument(static_cast<int>(2 * i)));
        access[i].load(operands[i].bytes().data(), b,
                       comparator.argument(static_cast<int>(2 * i + 1)));
      }
      failed = comparator.call();
      return *static_cast<const bool*>(comparator.result(0));
    });
    if (!failed) return std::move(failed).error();
    for (size_t r = 0; r < results.size(); ++r) {
      const size_t width = static_cast<size_t>(hlo::storage_bytes(results[r].type()));
      std::byte* to = results[r].mutable_bytes().data();
      for (int64_t i = 0; i < count; ++i)
        std::memcpy(to + (base + i * stride) * width, operands[r].bytes().data() + order[i] * width,
                    width);
    }
  }
  return instruction.shape.is_tuple() ? Literal::make_tuple(std::move(results))
                                      : std::move(results[0]);
}

// The k largest (or smallest) of each row, best first; of equal ones the first comes first.
Result<Literal> evaluate(Op<Opcode::kTopK>, Context&, const Instruction& instruction,
                         Operands operands) {
  const auto& topk = instruction.get<hlo::TopKAttributes>();
  const Literal& operand = operands[0];
  if (hlo::is_complex(operand.type()))
    return unsupported(instruction, "an order of complex numbers");
  const int64_t count = operand.shape().dimensions.back();
  const int64_t rows = count == 0 ? 0 : operand.element_count() / count;
  const std::vector<int64_t> keys = order_keys(operand, topk.largest);
  const size_t width = static_cast<size_t>(hlo::storage_bytes(operand.type()));
  Literal best = Literal::zeros(instruction.shape.tuple[0]);
  Output<int32_t> indices(instruction.shape.tuple[1]);
  std::byte* to = best.mutable_bytes().data();
  std::vector<int32_t> order(static_cast<size_t>(count));
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t* line = keys.data() + row * count;
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int32_t a, int32_t b) { return line[a] < line[b]; });
    for (int64_t i = 0; i < topk.k; ++i, to += width) {
      std::memcpy(to, operand.bytes().data() + (row * count + order[i]) * width, width);
      indices[row * topk.k + i] = order[i];
    }
  }
  return Literal::make_tuple({std::move(best), std::move(indices).take()});
}

}  // namespace hlocc::interpreter
