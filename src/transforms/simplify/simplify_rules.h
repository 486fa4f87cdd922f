// The rules of simplify, by theme. Each gives what stands for the instruction, or kNone. All are
// exact: bit for bit what the instruction gave, signed zeros, infinities and NaN included.
#pragma once
#include <span>

#include "transforms/rewriter.h"

namespace hlocc::transforms {

struct SimplifyRule {
  Opcode opcode;
  InstructionId (*rule)(Rewriter& rewriter, const Instruction& instruction);
};

std::span<const SimplifyRule> arithmetic_rules();
std::span<const SimplifyRule> movement_rules();
std::span<const SimplifyRule> slicing_rules();
std::span<const SimplifyRule> control_rules();

}  // namespace hlocc::transforms
