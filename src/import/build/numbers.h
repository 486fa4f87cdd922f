// Literals from plain numbers, for readers of other formats.
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "hlo/literal.h"

namespace hlocc::import {

// A scalar. Integers must hold the number; floats are rounded to the type (f16 and bf16 from f32).
hlo::Literal literal_of(hlo::PrimitiveType type, double value);
// Integers of an integer type that holds them, row-major.
hlo::Literal literal_of(hlo::PrimitiveType type, const std::vector<int64_t>& values,
                        const hlo::Dimensions& sizes);
// f32 or f64, rounded to it.
hlo::Literal literal_of_reals(hlo::PrimitiveType type, const std::vector<double>& values,
                              const hlo::Dimensions& sizes);
// All elements of an array of f32 or f64, f16 or bf16; nothing of other types.
std::optional<std::vector<double>> reals_of(const hlo::Literal& literal);
// All elements of an array of integers or pred.
std::vector<int64_t> integers_of(const hlo::Literal& literal);
// Of so many integers of 4 bits, two to a byte and the low half first: a byte each.
std::vector<std::byte> unpacked_nibbles(std::span<const std::byte> packed, size_t count,
                                        bool is_signed);

}  // namespace hlocc::import
