// The types and functions of vectors: a register of MVE, NEON or x86 by its intrinsics, where the
// compiler says that it has them, and beside it a struct of lanes, each of which is computed as a
// scalar is.
#pragma once
#include <string>

#include "backends/c/prelude.h"
#include "backends/c/vector_values.h"

namespace hlocc::backends {

// The C type: "hl_s32x4".
std::string vector_type(kernel::Type type);

class VectorFunctions {
 public:
  VectorFunctions(const Target& target, Prelude& prelude);

  std::string type(kernel::Type type);
  // Of an op that computes lane by lane: operands, a shift's amount as a number. from: the type of
  // the last operand.
  std::string of(const kernel::Op& op, kernel::Type type, kernel::Type from);
  std::string splat(kernel::Type type);    // (number)
  std::string load(kernel::Type type);     // (from)
  std::string store(kernel::Type type);    // (to, vector)
  std::string insert(kernel::Type type);   // (vector, number, lane)
  std::string extract(kernel::Type type);  // (vector, lane)
  // (from): bytes as numbers of 32 bits; (to, vector): their low bytes.
  std::string widen(kernel::Scalar byte, kernel::Type words);
  std::string narrow(kernel::Scalar byte, kernel::Type words);
  // (vector): the same that storing and reading its low bytes gives.
  std::string low(kernel::Scalar byte, kernel::Type words);
  // (from): eight bytes, of which a register holds each in 16 bits.
  std::string eight(kernel::Scalar byte);
  // (to, stride, vector): low bytes of numbers of 16 or 32 bits, `stride` apart.
  std::string scatter(kernel::Scalar byte, kernel::Type numbers);
  std::string mul_add_by(kernel::Type type);  // (number, b, c)
  // (vector): to the nearest integer, ties to even, as a float; numbers of 32 bits of floats, where
  // NaN gives zero and what is too large the largest.
  std::string round(kernel::Type type);
  std::string saturate(kernel::Type type);
  std::string dot(kernel::Type type);  // (sum, a, b)
  // (from): four bytes, or two numbers of 16 bits, as memory has them; (unit): as each lane's. And
  // (sum, a, b): what each lane's unit of one gives with that of the other.
  std::string unit();
  std::string spread_unit(kernel::Type type);
  std::string dot_units(kernel::Type sum, kernel::Type left, kernel::Type right);
  // (a, b, rounding, shift): a product of 64 bits, rounded and shifted, on x86 by 32 at least.
  std::string scaled(kernel::Type type);

 private:
  std::string add(const std::string& name, const std::string& head, const std::string& unit,
                  const std::string& portable);
  std::string by_lanes(kernel::Type type, const std::string& lane);

  const Target& target_;
  Prelude& prelude_;
  const VectorUnit unit_;
};

bool has_vector_function(kernel::OpKind kind, kernel::Type type, kernel::Type from);

}  // namespace hlocc::backends
