// Builder: makes kernels. Values are plain ids; the builder folds constants and trivial identities
// as it goes, so that lowering can write formulas without special cases. Loops take a function that
// fills their body.
//
// Everything folded gives the same bits as the op would: no float identity that loses a signed
// zero, no function whose last bit depends on a library. A loop that runs never or once, and an
// `if` of a known condition, leave no trace but their body. A value is visible in the region that
// defines it and in those inside; using it elsewhere is a bug that stops the program.
#pragma once
#include <functional>
#include <map>
#include <span>
#include <tuple>

#include "kernel/evaluate/scalar_math.h"
#include "kernel/kernel.h"

namespace hlocc::kernel {

using Values = std::vector<ValueId>;

class Builder {
 public:
  explicit Builder(std::string name);
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  BufferId buffer(Buffer buffer);
  ValueId parameter();  // an integer parameter of type index
  // The finished kernel; the builder is empty afterwards.
  Kernel finish();

  Type type(ValueId value) const { return kernel_.types[value]; }
  const Kernel& kernel() const { return kernel_; }

  // --- constants ---
  ValueId constant_bits(Type type, uint64_t bits);
  // Converted as HLO converts: rounding for floats, wrapping for integers. Splat over the lanes.
  ValueId constant_float(Type type, double value);
  ValueId constant_int(Type type, int64_t value);
  ValueId constant_lanes(Type type, std::vector<uint64_t> lanes);
  ValueId index(int64_t value) { return constant_int({Scalar::kIndex, 1}, value); }
  ValueId zero(Type type) { return constant_int(type, 0); }
  // The constant's bits, if `value` is a constant with equal lanes.
  std::optional<uint64_t> constant_value(ValueId value) const;

  // --- arithmetic; vector operands lane by lane; a scalar operand beside a vector one is splat ---
  ValueId unary(OpKind kind, ValueId a);
  ValueId binary(OpKind kind, ValueId a, ValueId b);
  ValueId compare(Predicate predicate, ValueId a, ValueId b);
  ValueId select(ValueId pred, ValueId a, ValueId b);
  ValueId convert(ValueId a, Scalar to);
  ValueId bitcast(ValueId a, Scalar to);
  ValueId is_finite(ValueId a);
  ValueId mul_add(ValueId a, ValueId b, ValueId c);
  ValueId mul_shift_right(ValueId a, ValueId b, RoundedShift by);
  ValueId saturate(ValueId a, int shift);
  ValueId add(ValueId a, ValueId b) { return binary(OpKind::kAdd, a, b); }
  ValueId sub(ValueId a, ValueId b) { return binary(OpKind::kSub, a, b); }
  ValueId mul(ValueId a, ValueId b) { return binary(OpKind::kMul, a, b); }
  ValueId div(ValueId a, ValueId b) { return binary(OpKind::kDiv, a, b); }
  ValueId min(ValueId a, ValueId b) { return binary(OpKind::kMin, a, b); }
  ValueId max(ValueId a, ValueId b) { return binary(OpKind::kMax, a, b); }
  ValueId logical_and(ValueId a, ValueId b) { return binary(OpKind::kAnd, a, b); }
  ValueId logical_or(ValueId a, ValueId b) { return binary(OpKind::kOr, a, b); }
  // Any op with one result that the calls above do not name (natives, vectors).
  ValueId op(OpKind kind, Type type, Values operands);

  // --- vectors ---
  ValueId splat(ValueId scalar,
                int lanes);  // a vector of the same lanes passes through; lanes 1: itself
  ValueId lane_index(Type type);
  ValueId extract(ValueId vector, int lane);
  ValueId insert(ValueId vector, ValueId scalar, int lane);
  ValueId shuffle(ValueId a, ValueId b, std::vector<int> lanes);
  ValueId reduce(OpKind kind, ValueId vector);  // kReduce*; a scalar passes through
  ValueId dot_accumulate(ValueId acc, ValueId a, ValueId b);
  ValueId matrix_accumulate(ValueId acc, ValueId a, ValueId b);
  ValueId spread_bytes(ValueId bytes, int word, Scalar to);

  // --- index arithmetic: affine where it can be ---
  ValueId value_of(const Affine& affine);  // materialises as index arithmetic
  // --- memory ---
  ValueId load(BufferId buffer, const Affine& at, int lanes = 1, int64_t lane_stride = 1);
  ValueId gather(BufferId buffer, const Affine& at, ValueId lane_indices);
  ValueId load(Access access, int lanes);
  void store(BufferId buffer, const Affine& at, ValueId value, int64_t lane_stride = 1);
  void store(Access access);  // access.stored is the value
  void prefetch(BufferId buffer, const Affine& at);

  // --- control ---
  using LoopBody = std::function<Values(ValueId counter, std::span<const ValueId> carried)>;
  Values loop(const Loop& loop, Values carried, const LoopBody& body);
  // A loop without carried values.
  void loop(const Loop& loop, const std::function<void(ValueId counter)>& body);
  void loop(int64_t count, const std::function<void(ValueId counter)>& body);  // 0 .. count step 1
  void mapped_loop(Mapping mapping, int64_t count,
                   const std::function<void(ValueId counter)>& body);  // the same, mapped
  void barrier();
  using Branch = std::function<Values()>;
  Values if_else(ValueId pred, const Branch& then_branch, const Branch& else_branch);
  void if_then(ValueId pred, const std::function<void()>& body);
  Values while_loop(Values carried,
                    const std::function<ValueId(std::span<const ValueId>)>& condition,
                    const std::function<Values(std::span<const ValueId>)>& body);

 private:
  struct Scope {
    Region* region;
    int serial;
  };
  ValueId new_value(Type type);
  ValueId append(Op op, Type type);
  void append_op(Op op);
  Region capture(Values arguments, const std::function<Values()>& fill);
  Region capture_loop_body(std::span<const ValueId> carried, const LoopBody& body);
  ValueId broadcast_to(ValueId value, int lanes);
  ValueId make_constant(Type type, std::vector<uint64_t> lanes);
  const std::vector<uint64_t>* constant_of(ValueId value) const;
  uint64_t constant_lane(ValueId value, int lane) const;
  ValueId fold(Type type, const ScalarOp& op, std::span<const ValueId> operands);
  std::optional<ValueId> identity(OpKind kind, ValueId a, ValueId b);
  std::optional<Values> known_loop(const Loop& loop, const Values& carried, const LoopBody& body);
  Affine without_constants(const Affine& affine) const;
  Access checked(Access access) const;
  void check_visible(ValueId value) const;
  void check_bound(const Affine& affine) const;
  Values new_values_like(std::span<const ValueId> values);
  void check_types(std::span<const ValueId> got, std::span<const ValueId> wanted,
                   const char* what) const;

  Kernel kernel_;
  std::vector<Scope> open_;       // the innermost region is where ops go
  std::vector<bool> scope_open_;  // by serial
  std::vector<int> scope_of_;     // by ValueId: the serial of the region that defines it
  std::vector<std::vector<uint64_t>> constants_;  // by ValueId; empty: no constant
  // Constants made so far, so that a visible one is used again.
  std::map<std::tuple<Scalar, int, std::vector<uint64_t>>, Values> made_;
};

}  // namespace hlocc::kernel
