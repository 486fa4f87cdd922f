// A requantisation in plain numbers: arrays of integers times a factor each, and an offset,
// rounded, clamped. Models spell it in many ways, and chips compute it in as many; this is what
// both come to.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hlocc::costs {

enum class Rounding : uint8_t {
#define HLOCC_ROUNDING(enumerator, function) enumerator,
#define HLOCC_FLOAT_ROUNDING(enumerator, function, most) enumerator,
#include "costs/roundings.def"
};

// --- what fixed-point numbers are rounded to, a row each ---
inline int64_t down(int64_t sum, int shift) { return sum >> shift; }
inline int64_t halves_to_even(int64_t sum, int shift) {
  return (sum + (int64_t{1} << (shift - 1)) - 1 + ((sum >> shift) & 1)) >> shift;
}
inline int64_t halves_to_odd(int64_t sum, int shift) {
  return (sum + (int64_t{1} << (shift - 1)) - ((sum >> shift) & 1)) >> shift;
}
// By enumerator; null for floats.
inline constexpr int64_t (*kRoundings[])(int64_t sum, int shift) = {
#define HLOCC_ROUNDING(enumerator, function) function,
#define HLOCC_FLOAT_ROUNDING(enumerator, function, most) nullptr,
#include "costs/roundings.def"
};
// `sum` / 2^shift in integers.
inline int64_t rounded_shift(int64_t sum, int shift, Rounding rounding) {
  return kRoundings[static_cast<size_t>(rounding)](sum, shift);
}

// Those of fixed-point numbers that settle ties, all but down; searches try them in this order.
inline constexpr Rounding kAllShiftRoundings[] = {
#define HLOCC_ROUNDING(enumerator, function) Rounding::enumerator,
#include "costs/roundings.def"
};
inline constexpr std::span<const Rounding> kTieRoundings = std::span(kAllShiftRoundings).subspan(1);

// What rounded floats stay nearer to zero than, by enumerator; 0: it rounds no floats.
inline constexpr float kMostRounded[] = {
#define HLOCC_ROUNDING(enumerator, function) 0,
#define HLOCC_FLOAT_ROUNDING(enumerator, function, most) most,
#include "costs/roundings.def"
};
constexpr float most_rounded(Rounding rounding) {
  return kMostRounded[static_cast<size_t>(rounding)];
}
// A float that much greater has the integer in its last bits, rounded to even.
constexpr float kRounder = 0x1.8p23f;

// How products of more than 32 bits are computed; all of one array give
// floor((x * 2^before * factor + offset * 2^part) / 2^shift).
struct FixedForm {
  // 0: the high word of a long multiplication, ((x << before) * factor >> 32) + offset, shifted by
  // shift - 32; part is 32. Else the factor is cut into so many pieces of 32-bit multiplications,
  // the lowest first: ((x * f0 >> bits) + x * f1 >> bits) + x * f2 + offset, shifted by
  // shift - part; part is bits * (pieces - 1), before is 0.
  int pieces = 0;
  int before = 0, bits = 0;
  // In each channel so many x may count as x + 1: floats round on the way, which moves thresholds
  // that fall nearly on a number.
  int corrections = 0;
  // Another offset where x is negative: halves away from zero bend the line.
  bool bent = false;
  // The offset is part of what is multiplied, ((x << before) + offset) * factor >> 32, and so one
  // number with a bias; bent where that high word is below `turn`.
  bool inside = false;
  // Products and their sum in 64 bits, as they are; one piece.
  bool wide = false;

  int part() const { return pieces == 0 ? 32 : bits * (pieces - 1); }
};

// A number for each channel, or one for all.
using ChannelIntegers = std::vector<int64_t>;

// clamp(round(sum of arrays * factors + offset)) + zero.
struct Requantization {
  // --- affine ---
  FixedForm form;
  std::vector<ChannelIntegers> factors;      // of each array; none: offsets are the result
  std::vector<float> scales;                 // in place of factors, of one array in floats
  ChannelIntegers offsets;                   // of floats, added to what is rounded
  std::vector<ChannelIntegers> corrections;  // form.corrections: the x that count as x + 1
  ChannelIntegers bends;  // of form.bent, what comes on top of each offset or high word
  int64_t turn = 0;       // of form.inside
  // One number of the first array, or of the second, that has an offset of its own; the last that
  // holds counts.
  struct Exception {
    bool of_first;
    int64_t number, offset;
  };
  std::vector<Exception> exceptions;
  // --- rounding ---
  Rounding rounding = Rounding::kDown;
  int shift = 0;
  // --- clamp ---
  int64_t low = 0, high = 0;  // what comes out at most, less the zero point
  int64_t zero = 0;
  // What each byte gives, by its bits: in place of all of the above.
  std::vector<int64_t> table;
};

}  // namespace hlocc::costs
