// What we accept at most. A file may claim anything; these bounds keep reading it cheap and every
// later size computation free of overflow.
#pragma once
#include <cstdint>

namespace hlocc::import {

inline constexpr int64_t kMaxFileBytes = int64_t{1} << 30;
// Of one array, be it a literal or the result of an instruction.
inline constexpr int64_t kMaxArrayBytes = int64_t{1} << 31;
// Of one array with a dimension of 0, were that 1: it has no bytes, but strides.
inline constexpr int64_t kMaxEmptyBytes = int64_t{1} << 52;
inline constexpr int64_t kMaxRank = 256;
// Of shapes in shapes, operands in operands, computations in computations.
inline constexpr int kMaxNesting = 100;
// Of one instruction in a proto without its literal: protobuf's objects are many times larger than
// their bytes.
inline constexpr int64_t kMaxInstructionBytes = int64_t{1} << 24;
inline constexpr int64_t kMaxInstructions = int64_t{1} << 20;
inline constexpr int64_t kMaxTupleElements = int64_t{1} << 20;

}  // namespace hlocc::import
