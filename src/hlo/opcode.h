// Opcodes and what the table says of each, expanded from opcodes.def.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace hlocc::hlo {

enum class Opcode : uint8_t {
#define HLOCC_OPCODE(enumerator, ...) enumerator,
#include "hlo/opcodes.def"
};

// Families are the house numbers of ops/, interpreter/ and lowering/.
enum class Family : uint8_t {
  kElementwise,
  kSource,
  kDataMovement,
  kGatherScatter,
  kDynamic,
  kStructure,
  kDot,
  kConvolution,
  kReduce,
  kWindow,
  kSort,
  kFft,
  kLinearAlgebra,
  kBatchNorm,
  kRandom,
  kControlFlow,
  kCollective,
};

// How a stage serves an op; see opcodes.def.
enum class Service : uint8_t {
  kTodo,
  kRejected,
  kInterpreted,
  kIndexOp,
  kLoopOp,
  kStep,
  kRewritten,
  kIdentity
};

struct OpcodeInfo {
  Opcode opcode;
  std::string_view name;
  Family family;
  int min_operands, max_operands;  // max -1: any number
  int called;                      // called computations, -1: any number
  Service interpreter, lowering;
};

const OpcodeInfo& info(Opcode opcode);
inline std::string_view opcode_name(Opcode opcode) { return info(opcode).name; }
std::optional<Opcode> opcode_from_name(std::string_view name);
// Number of rows; opcodes are 0 .. opcode_count() - 1.
int opcode_count();

// Tag for overload sets: `Result<Literal> evaluate(Op<Opcode::kDot>, ...)`.
template <Opcode opcode>
struct Op {};

}  // namespace hlocc::hlo
