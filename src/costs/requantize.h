// When integers take the place of what quantised networks compute of accumulators in floats or in
// 64 bits (scale, round, add a zero point, clamp), and with which means.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "costs/requantization.h"
#include "target/target.h"

namespace hlocc::costs {

// Vectors of floats scale as fast as integers would; MVE's take more instructions (design/007).
bool scales_in_floats(const Target& target);
// Vectors of floats are converted to the nearest integers in one instruction.
bool rounds_vectors(const Target& target);
Rounding float_rounding(const Target& target);
// Two words are multiplied to one of twice their bits. Cores without a divider (Armv6-M, AVR) have
// no such multiplication either.
bool has_long_multiply(const Target& target);

// A fixed-point number in place of what is computed `in_floats`, or else in 64 bits.
bool fixed_point_pays(const Target& target, bool in_floats);
// One scale in floats, rounded, may be what it is computed with.
bool float_scale_pays(const Target& target, bool in_floats);
// The offset of a fixed-point number is added in front of the product, where a bias is added
// anyway: an instruction and a stream of constants less, where no instruction adds to a high word.
bool offset_goes_inside(const Target& target);
// Corrections of a fixed-point number that are worth it: each is a comparison and an addition. Up
// to kCheaperThanFloats of them it takes less than a float.
int most_corrections(const Target& target);
inline constexpr int kCheaperThanFloats = 1;

// What the model computes a requantisation with, and of what: of two arrays of bytes, of the sums
// of a contraction.
struct RequantizeSite {
  bool of_two = false, in_floats = false, in_64_bits = false;
  bool of_contraction = false;
};
// A table, or a sum of two products, in place of a function of one or two arrays of bytes.
bool byte_function_pays(const Target& target, const RequantizeSite& site);
// A table of floats in place of a function of bytes that takes many instructions.
bool float_table_pays(const Target& target, int64_t elements);
// Numbers whose offset differs from all others', in a sum of two products: each is a comparison and
// a selection.
size_t most_exceptions(const Target& target);
// A sum of several accumulators with a scale each, in 64 bits.
bool sums_in_64_bits_pay(const Target& target);

// --- what takes the place of a requantisation ---
// What it was read as: one array, known by its steps; one of bytes or two, by all their values; a
// sum of several in floats.
enum class ReadAs : uint8_t { kSteps, kBytes, kPairs, kSums };
// The rows of requantize_fits.def.
struct RequantizeFit {
  ReadAs read_as;
  bool (*pays)(const Target& target, const RequantizeSite& site);
};
std::span<const RequantizeFit> requantize_fits();

}  // namespace hlocc::costs
