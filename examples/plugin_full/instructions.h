// The device's instruction set and its programs. A machine with registers of 64 bits, one file of
// them a function, and memory that is reached through buffers: a load or a store names one and the
// number of an element. A vendor puts his own here.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/type.h"
#include "support/result.h"

namespace full {

enum class Opcode : uint8_t {
  kConstant,    // d = k
  kMove,        // d = a
  kScaleAdd,    // d = a + k * b, of 64 bits
  kArithmetic,  // d = a op b op c, by `detail` (Arithmetic) in `type`
  kCompare,     // d = a ? b, by `detail` (kernel::Predicate) in `type`
  kConvert,     // d = a in `type`, from the type `detail`
  kSelect,      // d = a != 0 ? b : c
  kLoad,        // d = element b of buffer a, of the memory type `type`
  kStore,       // element b of buffer a = c
  kJump,        // to k
  kJumpIfZero,  // to k if a is 0
  kJumpUnless,  // to k unless a < b, signed
  kLaunch,      // launch k of the program
  kCopy,        // copy k of the program
  kEnd,
};
enum class Arithmetic : uint8_t {
  kAbs,
  kNeg,
  kNot,
  kSqrt,
  kAdd,
  kSub,
  kMul,
  kDiv,
  kRem,
  kMin,
  kMax,
  kAnd,
  kOr,
  kXor,
  kShl,
  kShr,
  kMulAdd,  // floats: rounded once
  kAs,      // the operand's low bits as the type keeps them
};

struct Instruction {
  Opcode op = Opcode::kEnd;
  hlocc::kernel::Scalar type = hlocc::kernel::Scalar::kIndex;
  uint16_t detail = 0;
  int32_t d = 0, a = 0, b = 0;
  int64_t c = 0, k = 0;  // no gaps: the bytes of a program are the same every time
};

// Code of one kernel, or of the steps (function 0). Buffers of its own follow those of the launch.
struct Function {
  std::vector<Instruction> code;
  int64_t registers = 0;
  std::vector<int64_t> scratch;  // bytes each
};

enum class Bank : int64_t { kArena, kState, kConstants };
struct Place {
  Bank bank = Bank::kArena;
  int64_t offset = 0, bytes = 0;
};
struct Launch {
  int64_t function = 0;
  std::vector<Place> buffers;
  std::vector<int64_t> integers;  // the first registers
};
struct Copy {
  Place to, from;
};

// What the device's compiler makes. Function 0's buffers are the banks.
struct Code {
  std::vector<Function> functions;
  std::vector<Launch> launches;
  std::vector<Copy> copies;
  std::vector<std::byte> constants, state;  // state: what it starts with
  int64_t arena_bytes = 0;
  std::vector<Place> arguments, results;
};

// As bytes, which are loaded into the device and are its file ahead of time.
std::vector<std::byte> encode(const Code& code);
hlocc::Result<Code> decode(std::span<const std::byte> bytes);

// The machine's arithmetic; null where it has none.
using Alu = uint64_t (*)(uint64_t a, uint64_t b, uint64_t c);
Alu find_alu(const Instruction& instruction);

}  // namespace full
