// Short names for the instructions that rules append, and questions that many of them ask.
// Builders work on ids of the computation that a Rewriter is building. Lists that are used after
// something was appended are taken by value: a reference to the shape of an instruction does not
// survive that.
#pragma once
#include <span>

#include "hlo/dimensions.h"
#include "support/product.h"
#include "transforms/rewriter.h"

namespace hlocc::transforms {

// --- constants ---
// What HLO's convert makes of all elements.
Literal converted_elements(const Literal& values, PrimitiveType type);
// A scalar of any array type, and an array; numbers are converted as HLO's convert does.
Literal number(PrimitiveType type, double value);
Literal integer(PrimitiveType type, uint64_t value);
Literal integers(PrimitiveType type, Dimensions sizes, std::span<const int64_t> numbers);
// The scalar in every place.
Literal repeated(const Literal& scalar, const Dimensions& sizes);
// A constant, and a constant scalar broadcast to `dimensions`.
InstructionId constant(Rewriter& r, Literal value);
InstructionId splat(Rewriter& r, Literal scalar, Dimensions dimensions);
InstructionId zeros(Rewriter& r, PrimitiveType type, Dimensions dimensions);
// A constant along `mapping`, broadcast to `dimensions`; a splat where all elements are equal.
InstructionId broadcast_constant(Rewriter& r, const Literal& values, const Dimensions& dimensions,
                                 const Dimensions& mapping);
// A value of any shape, tuples and tokens included, of zeros.
InstructionId default_value(Rewriter& r, const Shape& shape);
InstructionId iota(Rewriter& r, PrimitiveType type, const Dimensions& dimensions,
                   int64_t dimension);

// --- instructions ---
InstructionId unary(Rewriter& r, Opcode opcode, InstructionId x);
// sqrt, log, cos, ...: unary ops that carry a result accuracy.
InstructionId math(Rewriter& r, Opcode opcode, InstructionId x);
InstructionId binary(Rewriter& r, Opcode opcode, InstructionId a, InstructionId b);
InstructionId compare(Rewriter& r, InstructionId a, InstructionId b, hlo::Direction direction);
InstructionId select(Rewriter& r, InstructionId pred, InstructionId yes, InstructionId no);
InstructionId convert(Rewriter& r, InstructionId x, PrimitiveType type);
InstructionId bitcast_convert(Rewriter& r, InstructionId x, const Shape& shape);
// The scalar, or the array along `mapping`, in every place of `dimensions`.
InstructionId broadcast(Rewriter& r, InstructionId x, const Dimensions& dimensions,
                        Dimensions mapping = {});
InstructionId reshape(Rewriter& r, InstructionId x, const Dimensions& dimensions);
InstructionId transpose(Rewriter& r, InstructionId x, const Dimensions& permutation);
InstructionId reverse(Rewriter& r, InstructionId x, const Dimensions& dimensions);
InstructionId slice(Rewriter& r, InstructionId x, const Dimensions& starts,
                    const Dimensions& limits);
// Elements [start, limit) along one dimension.
InstructionId slice(Rewriter& r, InstructionId x, int64_t dimension, int64_t start, int64_t limit);
// x with a dimension of size 1 put in at `at`.
InstructionId unsqueeze(Rewriter& r, InstructionId x, int64_t at);
InstructionId concatenate(Rewriter& r, std::vector<InstructionId> parts, int64_t dimension);
InstructionId pad(Rewriter& r, InstructionId x, InstructionId value,
                  std::vector<hlo::PaddingDimension> dimensions);
InstructionId tuple(Rewriter& r, std::vector<InstructionId> elements);
// Element i; of a tuple that is being built, the operand itself.
InstructionId element(Rewriter& r, InstructionId tuple, int64_t i);
// Sum (or another plain reduction) over dimensions, from the identity of `reducer`.
InstructionId reduce(Rewriter& r, Opcode reducer, InstructionId x, Dimensions dimensions);
// A new computation with parameters of these shapes; `body` builds what it returns.
ComputationId new_computation(
    Module& module, const std::string& name, const std::vector<Shape>& parameters,
    const std::function<InstructionId(Rewriter&, const std::vector<InstructionId>&)>& body);
// A computation that applies a binary op to two scalars.
ComputationId binary_computation(Module& module, Opcode opcode, PrimitiveType type);

// --- questions ---
// The literal of a constant, else null.
const Literal* constant_value(const Computation& c, InstructionId id);
// The elements of an array of integers.
std::vector<int64_t> whole_numbers(const Literal& array);
// The scalar that all elements of an array equal, bit for bit; none if it is empty.
std::optional<Literal> equal_elements(const Literal& array);
// The scalar that all elements of a value equal, seen through broadcasts, reshapes and transposes
// of constants.
std::optional<Literal> splat_value(const Computation& c, InstructionId id);
bool is_splat_of(const Rewriter& r, InstructionId id, const Literal& scalar);

// --- small arithmetic on dimension lists ---
using hlo::contains, hlo::counting, hlo::is_counting, hlo::joined, hlo::without_ones;
Dimensions inverse_permutation(const Dimensions& permutation);
// list[order[i]]
Dimensions permuted(const Dimensions& list, const Dimensions& order);

}  // namespace hlocc::transforms
