// The loop-level IR. A kernel is a function: buffers and integers in, buffers out. Its body is a
// tree of regions of operations in SSA form; loops carry values, so accumulators stay in registers.
// Nothing here knows HLO or LLVM.
//
//   kernel dense(in %x: f32[64] argument, in %w: f32[640] constant, out %y: f32[10] arena) {
//     loop %n = 0 to 10 step 1 {
//       %sum = loop %k = 0 to 64 step 8 carry(%acc = splat 0) {
//         yield mul_add(load x[%k], load w[64*%n + %k], %acc)
//       }
//       store y[%n], reduce_add %sum
//     }
//   }
#pragma once
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "kernel/choice.h"
#include "kernel/type.h"

namespace hlocc::kernel {

using ValueId = int32_t;
using BufferId = int32_t;
inline constexpr int32_t kNone = -1;

enum class OpKind : uint8_t {
#define HLOCC_KERNEL_OP(enumerator, ...) enumerator,
#include "kernel/ops.def"
};
enum class OpGroup : uint8_t { kUnary, kBinary, kCompare, kVector, kMemory, kControl };
std::string_view op_name(OpKind kind);
int op_operands(OpKind kind);
OpGroup op_group(OpKind kind);

// offset + sum of scale * value, over scalar values of type index (loop counters, integer
// parameters, converted loads).
struct Affine {
  struct Term {
    ValueId value = kNone;
    int64_t scale = 1;
    bool operator==(const Term&) const = default;
  };
  std::vector<Term> terms;
  int64_t offset = 0;

  bool operator==(const Affine&) const = default;
  bool is_constant() const { return terms.empty(); }
  static Affine constant(int64_t offset) { return {{}, offset}; }
  static Affine of(ValueId value, int64_t scale = 1, int64_t offset = 0);
  Affine plus(int64_t more) const;
  Affine plus(const Affine& other) const;  // like terms are merged, zero scales dropped
  Affine times(int64_t factor) const;
};

// Lanes i of a load or store address element `at + i * lane_stride` of the buffer, or `at +
// lanes[i]` when lane_indices is set (a vector of index or s32: a gather). mask: a pred vector (or
// scalar); unset lanes are not touched, a load gives `otherwise` there. All values appear among the
// op's operands too, in this order: stored value, lane indices, mask, otherwise; the fields of `at`
// are not operands.
struct Access {
  BufferId buffer = kNone;
  Affine at;
  int64_t lane_stride = 1;
  ValueId stored = kNone, lane_indices = kNone, mask = kNone, otherwise = kNone;
};

// Floats: ordered, but kNe, which is true with NaN.
enum class Predicate : uint8_t { kEq, kNe, kLt, kLe, kGt, kGe };

// One entry: every lane; else one a lane. The value's bits, low end first (sign-extended integers,
// IEEE bits, pred 0/1).
struct Constant {
  std::vector<uint64_t> lanes;
  bool operator==(const Constant&) const = default;
};
struct Lane {
  int index = 0;
};
struct Shuffle {
  std::vector<int> lanes;
};
// (a * b + rounding) >> shift in 64 bits: rounding from 0 to 2^61, shift from 1 to 63. Of saturate
// the shift alone.
struct RoundedShift {
  int64_t rounding = 0;
  int shift = 0;
};

// How a loop's iterations are dealt out (mapped.h): in order; each to a group of threads; each to a
// thread of the group. Iterations of mapped loops may run at the same time and in any order.
enum class Mapping : uint8_t { kSequential, kGrid, kGroup };
std::string_view mapping_name(Mapping mapping);

// Runs its iterations in order, if it is not mapped.
struct Loop {
  Affine lower, upper;  // runs for lower, lower + step, ... < upper
  int64_t step = 1;
  // Stays a loop though it is known to run never or once: the form that layers share.
  bool kept = false;
  // Lowering's word: what an iteration finds in scratch that other iterations wrote, or none (rows
  // of a tile past the last one), reaches no operand.
  bool own_scratch = false;
  Mapping mapping = Mapping::kSequential;

  bool is_mapped() const { return mapping != Mapping::kSequential; }
};

struct Op;
// arguments: the values the region defines on entry (a loop's counter and carried values). yields:
// what it hands on.
struct Region {
  std::vector<ValueId> arguments;
  std::vector<Op> ops;
  std::vector<ValueId> yields;
};

struct Op {
  OpKind kind = OpKind::kConstant;
  std::vector<ValueId> operands, results;
  std::variant<std::monostate, Constant, Predicate, Lane, Shuffle, Access, Loop, RoundedShift>
      payload;
  std::vector<Region> regions;

  ValueId result() const { return results[0]; }
  const Access& access() const { return std::get<Access>(payload); }
  const Loop& loop() const { return std::get<Loop>(payload); }
};

// Where the bytes of a buffer may live. kStack buffers are scratch that the kernel declares for
// itself (small; of a mapped kernel each thread has its own); kArena scratch is placed by planning.
// kShared buffers are scratch of a group of threads, which begins with none of what others wrote.
enum class Space : uint8_t { kArgument, kResult, kArena, kConstant, kState, kStack, kShared };
enum class Direction : uint8_t {
  kIn,
  kOut,
  kInOut,
  kScratch
};  // kOut may be read back; kInOut: part of the old bytes stays
std::string_view space_name(Space space);
std::string_view direction_name(Direction direction);

struct Buffer {
  std::string name;
  Scalar element = Scalar::kF32;
  int64_t elements = 0;
  Direction direction = Direction::kIn;
  Space space = Space::kArena;
  int alignment = 0;  // bytes; 0: the element's own
};

struct Kernel {
  std::string name;
  std::vector<std::string> origin;  // names of the HLO instructions it computes
  Choice choice;
  // In, out and inout buffers first, in the order of a launch's operands; scratch after them.
  std::vector<Buffer> buffers;
  // Integer parameters: values of type index, bound by the launch.
  std::vector<ValueId> parameters;
  Region body;
  std::vector<Type> types;  // by ValueId

  Type type(ValueId value) const { return types[value]; }
  // Buffers that a launch of a program binds: in, out and inout.
  int operand_buffers() const;
  // Buffers that a launch of a plan binds: these, and the scratch that planning places in the
  // arena, in its order. Scratch in the stack is the kernel's own affair.
  int bound_buffers() const;
};

// One line an op; see the example above. The text is for people and for goldens.
std::string to_text(const Kernel& kernel);
// What the text says but names and origins, for maps: equal keys, equal code.
std::string code_key(const Kernel& kernel);
// Same buffers (but names), parameters and body: identical kernels are emitted once.
bool same_code(const Kernel& a, const Kernel& b);

}  // namespace hlocc::kernel
