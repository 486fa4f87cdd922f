// Values for arguments and constants: every element type, from small integers that keep sums exact
// to the edge values where implementations part ways.
#pragma once
#include <vector>

#include "fuzz/random.h"
#include "hlo/literal.h"

namespace hlocc::fuzz {

// All element types that programs compute with, but for those of one bit.
const std::vector<hlo::PrimitiveType>& all_types();

// How a literal is filled.
enum class Fill : uint8_t {
  kSmall,   // integers near zero: products and sums are exact in most types
  kNormal,  // fractions in (-4, 4), integers of the whole range
  kEdges,   // edge values, and now and then random bits
};

// Element `index` becomes the value, rounded or wrapped into the literal's type.
void set_number(hlo::Literal& literal, int64_t index, double value, double imaginary = 0);
// As doubles; a complex element is two numbers. Integers of 64 bits are rounded.
std::vector<double> numbers(const hlo::Literal& literal);

// The edge values of a type, one after the other: every code of types up to 8 bits.
hlo::Literal edge_values(hlo::PrimitiveType type);
// Complex numbers of moderate size.
hlo::Literal moderate_values(hlo::PrimitiveType type);
// Every code of a type of up to 16 bits; of wider ones the edge values and many random bits.
hlo::Literal dense_values(hlo::PrimitiveType type, Random& random, int64_t random_count);

hlo::Literal random_literal(const hlo::Shape& shape, Fill fill, Random& random);

}  // namespace hlocc::fuzz
