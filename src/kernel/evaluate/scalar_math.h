// What each op of ops.def does to one lane, as plain functions on bits: the single place where the
// meaning of the IR's arithmetic stands. The builder folds constants with it and the evaluator runs
// kernels with it, so that a folded kernel can't differ from one that was run.
//
// Bits are those of Constant: integers sign- or zero-extended to 64 bits by their class, floats as
// their code, pred 0/1.
#pragma once
#include <bit>
#include <cstdint>

#include "hlo/small_float.h"
#include "kernel/kernel.h"

namespace hlocc::kernel {

// One op on one type. Floats narrower than f32 are computed in f32 and rounded once, as HLO does:
// `in` and `out` name the format of operands and result where they are such floats.
struct ScalarOp {
  uint64_t (*apply)(uint64_t a, uint64_t b, uint64_t c) = nullptr;
  const hlo::FloatFormat* in = nullptr;
  const hlo::FloatFormat* out = nullptr;
  bool wide = false;  // `apply` hands `out` a double instead of a float

  explicit operator bool() const { return apply != nullptr; }
  uint64_t operator()(uint64_t a, uint64_t b = 0, uint64_t c = 0) const {
    return in == nullptr && out == nullptr ? apply(a, b, c) : apply_small(a, b, c);
  }

 private:
  uint64_t apply_small(uint64_t a, uint64_t b, uint64_t c) const;
};

// The op on operands of type `scalar`: kUnary and kBinary ops, native ones too, kMulAdd, kNativeFma
// and kIsFinite. An op that the type does not have (floor of s32) gives an empty one. Native ops
// give a garish number where their result is undefined, so that a legalisation that lets it through
// is seen.
ScalarOp scalar_op(OpKind kind, Scalar scalar);
ScalarOp compare_op(Predicate predicate, Scalar scalar);
// kind is kConvert or kNativeConvert.
ScalarOp convert_op(OpKind kind, Scalar from, Scalar to);

// Bits as the scalar keeps them: truncated to its width, then extended by its class.
uint64_t canonical_bits(Scalar scalar, uint64_t bits);
// Whether the result is the same on every machine: no function whose last bit depends on a library.
bool folds_exactly(OpKind kind);

// The bits of a number in a type, converted as HLO converts; integers wrap.
uint64_t bits_of_double(Scalar scalar, double value);
uint64_t bits_of_int(Scalar scalar, int64_t value);

inline constexpr uint64_t kUndefinedBits = 0x5a5a5a5a5a5a5a5aull;

// --- for the files that implement the table ---
using LaneFunction = uint64_t (*)(uint64_t, uint64_t, uint64_t);
LaneFunction integer_function(OpKind kind, Scalar scalar);
LaneFunction float_function(OpKind kind, Scalar scalar);  // f32 or f64

template <typename F>
F from_bits(uint64_t bits) {
  if constexpr (sizeof(F) == 4)
    return std::bit_cast<F>(static_cast<uint32_t>(bits));
  else
    return std::bit_cast<F>(bits);
}
template <typename F>
uint64_t to_bits(F value) {
  if constexpr (sizeof(F) == 4)
    return std::bit_cast<uint32_t>(value);
  else
    return std::bit_cast<uint64_t>(value);
}

}  // namespace hlocc::kernel
