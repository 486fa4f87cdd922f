// What the evaluator's nodes do that takes more than one lane, or more than one operation, at once.
#include <algorithm>

#include "kernel/evaluate/compiled_kernel.h"

namespace hlocc::kernel {

void CompiledKernel::reduce(const Node& node) {
  std::vector<uint64_t> lanes(registers_.begin() + node.operand[0],
                              registers_.begin() + node.operand[0] + node.lanes);
  while (lanes.size() > 1) {
    const size_t half = (lanes.size() + 1) / 2;
    for (size_t i = 0; i + half < lanes.size(); ++i) lanes[i] = node.op(lanes[i], lanes[i + half]);
    lanes.resize(half);
  }
  registers_[static_cast<size_t>(node.result)] = lanes[0];
}

void CompiledKernel::dot(const Node& node) {
  uint64_t* const r = registers_.data();
  for (int i = 0; i < node.lanes; ++i) {
    uint64_t sum = r[node.operand[0] + i];
    for (int j = i * node.group; j < (i + 1) * node.group; ++j)
      sum += r[node.operand[1] + j] * r[node.operand[2] + j];
    r[node.result + i] = canonical_bits(Scalar::kS32, sum);
  }
}

void CompiledKernel::saturate(const Node& node) {
  uint64_t* const r = registers_.data();
  for (int i = 0; i < node.lanes; ++i) {
    const int64_t shifted = static_cast<int64_t>(r[node.operand[0] + i]) >> node.by.shift;
    r[node.result + i] = static_cast<uint64_t>(std::clamp<int64_t>(shifted, INT8_MIN, INT8_MAX));
  }
}

void CompiledKernel::mul_shift(const Node& node) {
  uint64_t* const r = registers_.data();
  for (int i = 0; i < node.lanes; ++i) {
    const uint64_t product = r[node.operand[0] + i] * r[node.operand[1] + i];
    const auto sum = static_cast<int64_t>(product + static_cast<uint64_t>(node.by.rounding));
    r[node.result + i] = canonical_bits(Scalar::kS32, static_cast<uint64_t>(sum >> node.by.shift));
  }
}

void CompiledKernel::matrix(const Node& node) {
  uint64_t* const r = registers_.data();
  const auto at = [&](int operand, int row, int step) {
    const uint64_t bits = r[node.operand[operand] + row * node.group + step];
    return node.widen ? node.widen(bits, 0, 0) : bits;
  };
  for (int i = 0; i < node.rows; ++i)
    for (int j = 0; j < node.columns; ++j) {
      const int lane = i * node.columns + j;
      uint64_t sum = r[node.operand[0] + lane];
      for (int l = 0; l < node.group; ++l)
        sum = node.op ? node.op(at(1, i, l), at(2, j, l), sum) : sum + at(1, i, l) * at(2, j, l);
      r[node.result + lane] = node.op ? sum : canonical_bits(Scalar::kS32, sum);
    }
}

}  // namespace hlocc::kernel
