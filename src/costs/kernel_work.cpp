// See kernel_work.h. One walk over a kernel's regions: numbers that hang on counters are followed
// with the counter's middle value, everything else is counted by the table of op_cycles.
#include "costs/kernel_work.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "costs/threads.h"
#include "kernel/legalize/packed_words.h"

namespace hlocc::costs {
namespace {

using namespace kernel;

// Cycles of one machine operation of that kind in a pipeline that starts one a cycle; kinds that
// are not listed take one. `soft`: of floats that the target has no unit for, a call.
struct OpCycles {
  OpKind kind;
  double cycles, soft;
};
constexpr OpCycles kCycles[] = {
    {OpKind::kConstant, 0, 0},       {OpKind::kLaneIndex, 0, 0},     {OpKind::kBitcast, 0, 0},
    {OpKind::kPrefetch, 1, 1},       {OpKind::kAdd, 1, 60},          {OpKind::kSub, 1, 60},
    {OpKind::kMul, 1, 50},           {OpKind::kMulAdd, 1, 110},      {OpKind::kNativeFma, 1, 160},
    {OpKind::kNativeScale, 2, 30},   {OpKind::kNativeDiv, 12, 200},  {OpKind::kDiv, 12, 200},
    {OpKind::kNativeRem, 14, 400},   {OpKind::kRem, 14, 400},        {OpKind::kSqrt, 14, 300},
    {OpKind::kNativeConvert, 1, 40}, {OpKind::kConvert, 1, 40},      {OpKind::kCompare, 1, 30},
    {OpKind::kNativeMax, 1, 32},     {OpKind::kNativeMin, 1, 32},    {OpKind::kMulHi, 2, 2},
    {OpKind::kFloor, 2, 40},         {OpKind::kCeil, 2, 40},         {OpKind::kRoundEven, 2, 40},
    {OpKind::kTrunc, 2, 40},         {OpKind::kMulShiftRight, 9, 9}, {OpKind::kSaturate, 2, 2},
    {OpKind::kMulHiDoubled, 2, 2},
};
// A function of floats that is called rather than written out.
constexpr double kFunction = 60;
constexpr double kSoftwareDivide = 40;  // of integers
// What an iteration of a loop costs beside its body: counter, comparison, branch.
constexpr double kIteration = 3, kIterationAhead = 0.5;
// Operations that a core that runs ahead begins in a cycle.
constexpr double kIssue = 2.5;

bool is_function(OpKind kind) { return kind >= OpKind::kRsqrt && kind <= OpKind::kAtanh; }
bool is_product(OpKind kind) {
  return kind == OpKind::kMul || kind == OpKind::kMulAdd || kind == OpKind::kNativeFma ||
         kind == OpKind::kMulHi || kind == OpKind::kMulHiDoubled || kind == OpKind::kMulShiftRight;
}

class Counter {
 public:
  Counter(const Kernel& kernel, std::span<const int64_t> integers, const Target& target)
      : kernel_(kernel), target_(target), number_(kernel.types.size()) {
    for (size_t i = 0; i < kernel.parameters.size() && i < integers.size(); ++i)
      number_[kernel.parameters[i]] = static_cast<double>(integers[i]);
  }

  KernelWork run() {
    region(kernel_.body, 1);
    if (target_.out_of_order) work_.cycles /= kIssue;
    return work_;
  }
  // By buffer of the kernel; of two branches both count.
  std::vector<double> accesses() {
    accesses_.assign(kernel_.buffers.size(), 0);
    region(kernel_.body, 1);
    return accesses_;
  }

 private:
  using Number = std::optional<double>;

  Number value_of(const Affine& affine) const {
    double sum = static_cast<double>(affine.offset);
    for (const Affine::Term& term : affine.terms) {
      if (!number_[term.value]) return std::nullopt;
      sum += *number_[term.value] * static_cast<double>(term.scale);
    }
    return sum;
  }

  // Index arithmetic that bounds of loops come from.
  Number result_of(const Op& op) const {
    const auto at = [&](size_t i) -> Number { return number_[op.operands[i]]; };
    if (op.kind == OpKind::kConstant && !is_float(kernel_.type(op.result()).scalar))
      return static_cast<double>(static_cast<int64_t>(std::get<Constant>(op.payload).lanes[0]));
    if (op.operands.empty() || !at(0)) return std::nullopt;
    if (op.kind == OpKind::kConvert || op.kind == OpKind::kNativeConvert) return at(0);
    if (op.kind == OpKind::kSelect) return *at(0) != 0 ? at(1) : at(2);
    if (op.operands.size() != 2 || !at(1)) return std::nullopt;
    const double a = *at(0), b = *at(1);
    switch (op.kind) {
      case OpKind::kAdd: return a + b;
      case OpKind::kSub: return a - b;
      case OpKind::kMul: return a * b;
      case OpKind::kMin:
      case OpKind::kNativeMin: return std::min(a, b);
      case OpKind::kMax:
      case OpKind::kNativeMax: return std::max(a, b);
      case OpKind::kNativeDiv: return b == 0 ? Number() : std::floor(a / b);
      case OpKind::kCompare: return holds(std::get<Predicate>(op.payload), a, b) ? 1.0 : 0.0;
      default: return std::nullopt;
    }
  }
  static bool holds(Predicate predicate, double a, double b) {
    switch (predicate) {
      case Predicate::kEq: return a == b;
      case Predicate::kNe: return a != b;
      case Predicate::kLt: return a < b;
      case Predicate::kLe: return a <= b;
      case Predicate::kGt: return a > b;
      case Predicate::kGe: return a >= b;
    }
    return false;
  }

  void region(const Region& region, double times) {
    for (const Op& op : region.ops) {
      if (op.kind == OpKind::kLoop) {
        loop(op, times);
      } else if (op.kind == OpKind::kIf) {
        branches(op, times);
      } else if (op.kind == OpKind::kWhile) {
        work_.cycles += kIteration * times;
        for (const Region& inner : op.regions) this->region(inner, times);
      } else {
        count(op, times);
        if (op.results.size() == 1) number_[op.result()] = result_of(op);
      }
    }
  }

  void loop(const Op& op, double times) {
    const Loop& loop = op.loop();
    const Number lower = value_of(loop.lower), upper = value_of(loop.upper);
    double iterations = 1;
    if (lower && upper)
      iterations = std::max(0.0, std::ceil((*upper - *lower) / static_cast<double>(loop.step)));
    if (lower)
      number_[op.regions[0].arguments[0]] =
          *lower + std::floor(iterations / 2) * static_cast<double>(loop.step);
    work_.cycles += times * iterations * (target_.out_of_order ? kIterationAhead : kIteration);
    region(op.regions[0], times * iterations);
  }

  void branches(const Op& op, double times) {
    work_.cycles += times;
    const Number taken = number_[op.operands[0]];
    const KernelWork before = work_;
    KernelWork costliest = before;
    for (size_t i = 0; i < op.regions.size(); ++i) {
      if (taken && (*taken != 0) != (i == 0)) continue;
      work_ = before;
      region(op.regions[i], times);
      if (work_.cycles >= costliest.cycles) costliest = work_;
    }
    work_ = costliest;
  }

  // Registers that a value fills; machines without vectors take its lanes one by one.
  double pieces(Type type) const {
    const int bits = std::max(scalar_bits(type.scalar), 8);
    if (type.lanes == 1)
      return is_float(type.scalar) ? 1 : std::ceil(bits / static_cast<double>(word_bits()));
    if (in_words(type)) return std::ceil(type.lanes * bits / 32.0);
    if (target_.vector_bits == 0) return type.lanes;
    return std::ceil(static_cast<double>(type.lanes) * bits / target_.vector_bits);
  }
  bool in_words(Type type) const { return is_held_in_words(target_, type); }
  int word_bits() const { return std::max(target_.pointer_bits, 32); }
  bool is_soft(Type type) const {
    if (!is_float(type.scalar)) return false;
    if (type.lanes > 1 && target_.float_vectors) return false;
    return !(type.scalar == Scalar::kF64 ? target_.f64_unit : target_.f32_unit);
  }

  double cycles_of(const Op& op, Type type) const {
    const bool soft = is_soft(type);
    if (is_function(op.kind)) return kFunction * (soft ? 30 : 1);
    if (op.kind >= OpKind::kReduceAdd && op.kind <= OpKind::kReduceOr) {
      const Type whole = kernel_.type(op.operands[0]);
      return pieces(whole) + std::log2(static_cast<double>(whole.lanes));
    }
    const bool divides = op.kind == OpKind::kNativeDiv || op.kind == OpKind::kNativeRem;
    if (divides && !is_float(type.scalar) && !target_.hardware_divide) return kSoftwareDivide;
    for (const OpCycles& row : kCycles)
      if (row.kind == op.kind)
        return soft                                                                   ? row.soft
               : row.kind == OpKind::kMulAdd && !target_.fma && is_float(type.scalar) ? 2
                                                                                      : row.cycles;
    return 1;
  }

  void count(const Op& op, double times) {
    if (const auto* access = std::get_if<Access>(&op.payload)) return memory(op, *access, times);
    if (op.results.empty()) return;
    // Comparisons and conversions cost by what they read.
    const bool by_operand = op.kind == OpKind::kCompare || op.kind == OpKind::kNativeConvert ||
                            op.kind == OpKind::kConvert;
    Type type = kernel_.type(op.result());
    if (by_operand && is_float(kernel_.type(op.operands[0]).scalar))
      type = kernel_.type(op.operands[0]);
    if (op.kind == OpKind::kDotAccumulate) return dots(op, times);
    if (op.kind == OpKind::kMatrixAccumulate) {
      const Type a = kernel_.type(op.operands[1]), b = kernel_.type(op.operands[2]);
      work_.products += times * std::sqrt(static_cast<double>(type.lanes) * a.lanes * b.lanes);
      work_.cycles += times * pieces(a) * pieces(b);
      return;
    }
    if (is_product(op.kind) && type.scalar != Scalar::kIndex) work_.products += times * type.lanes;
    // Words are taken as they lie.
    if (op.kind == OpKind::kShuffle && in_words(type)) return;
    // Addresses are folded into accesses.
    if (type.scalar == Scalar::kIndex && op.kind != OpKind::kNativeDiv) return;
    work_.cycles += times * pieces(type) * cycles_of(op, type);
  }

  // Where bytes and halves are held in words, an instruction takes two products, once bytes of both
  // sides are spread.
  void dots(const Op& op, double times) {
    const Type left = kernel_.type(op.operands[1]), right = kernel_.type(op.operands[2]);
    // With ones it adds up what were products before.
    if (number_[op.operands[2]] != 1.0) work_.products += times * left.lanes;
    work_.cycles += times * pieces(left);
    if (!in_words(left)) return;
    for (const Type side : {left, right})
      if (scalar_bits(side.scalar) == 8) work_.cycles += times * pieces(side) * 2;
    if (scalar_bits(left.scalar) == 8) work_.cycles += times * pieces(left);
  }

  void memory(const Op& op, const Access& access, double times) {
    if (op.kind == OpKind::kPrefetch) {
      work_.cycles += times;
      return;
    }
    const bool loads = op.kind == OpKind::kLoad;
    const Type type = kernel_.type(loads ? op.result() : access.stored);
    const double bytes = times * type.lanes * scalar_bytes(type.scalar);
    (loads ? work_.bytes_read : work_.bytes_written) += bytes;
    const bool scattered = access.lane_indices != kNone || std::abs(access.lane_stride) > 1;
    work_.cycles += times * (scattered ? type.lanes : pieces(type));
    if (accesses_.empty()) return;
    const double words = std::ceil(type.lanes * scalar_bytes(type.scalar) / 4.0);
    accesses_[access.buffer] += times * (scattered ? type.lanes : std::max(pieces(type), words));
  }

  const Kernel& kernel_;
  const Target& target_;
  std::vector<Number> number_;  // by value: what is known of index values, in the middle of loops
  KernelWork work_;
  std::vector<double> accesses_;  // empty: they are not asked for
};

}  // namespace

KernelWork kernel_work(const Kernel& kernel, std::span<const int64_t> integers,
                       const Target& target) {
  return Counter(kernel, integers, target).run();
}

KernelWork ranges_work(const Kernel& kernel, std::span<const int64_t> integers, int ranges,
                       const Target& target) {
  std::vector<int64_t> with_range = {0};
  with_range.insert(with_range.end(), integers.begin(), integers.end());
  KernelWork all;
  for (int range = 0; range < ranges; ++range) {
    with_range[0] = range;
    const KernelWork one = kernel_work(kernel, with_range, target);
    all.products += one.products;
    all.bytes_read += one.bytes_read;
    all.bytes_written += one.bytes_written;
    all.cycles = std::max(all.cycles, one.cycles);
  }
  return all;
}

KernelWork launch_work(const Kernel& kernel, const Launch& launch, const Target& target) {
  if (launch.ranges == 1) return kernel_work(kernel, launch.integers, target);
  KernelWork all = ranges_work(kernel, launch.integers, launch.ranges, target);
  all.cycles += cycles_to_start_threads(target);
  return all;
}

std::vector<double> buffer_accesses(const Kernel& kernel, const Launch& launch,
                                    const Target& target) {
  if (launch.ranges == 1) return Counter(kernel, launch.integers, target).accesses();
  std::vector<int64_t> with_range = {0};
  with_range.insert(with_range.end(), launch.integers.begin(), launch.integers.end());
  std::vector<double> all(kernel.buffers.size(), 0);
  for (int range = 0; range < launch.ranges; ++range) {
    with_range[0] = range;
    const std::vector<double> one = Counter(kernel, with_range, target).accesses();
    for (size_t i = 0; i < all.size(); ++i) all[i] += one[i];
  }
  return all;
}

}  // namespace hlocc::costs
