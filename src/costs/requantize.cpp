// See requantize.h.
#include "costs/requantize.h"

namespace hlocc::costs {

bool scales_in_floats(const Target& target) {
  return target.vector_bits > 0 && target.float_vectors && !target.has(Isa::kMve);
}

bool rounds_vectors(const Target& target) {
  return (target.has(Isa::kMve) && target.has(Isa::kFpArmv8)) ||
         (target.has(Isa::kAArch64) && target.vector_bits > 0);
}

Rounding float_rounding(const Target& target) {
  return rounds_vectors(target) ? Rounding::kConverted : Rounding::kLastBits;
}

bool has_long_multiply(const Target& target) { return target.hardware_divide; }

bool fixed_point_pays(const Target& target, bool in_floats) {
  // Cores of 64 bits multiply their words as they are; vectors of such words are half as long.
  if (in_floats) return !scales_in_floats(target);
  return target.pointer_bits < 64 || target.vector_bits > 0;
}

bool float_scale_pays(const Target& target, bool in_floats) {
  if (!in_floats || !target.f32_unit) return false;
  return target.vector_bits == 0 || rounds_vectors(target) || scales_in_floats(target);
}

bool offset_goes_inside(const Target& target) { return target.has(Isa::kMve) || target.has_neon(); }

int most_corrections(const Target& target) {
  // Lanes of floats go one by one.
  if (target.has(Isa::kHvx)) return 16;
  // Many of them are less than a float without its unit, and none where one instruction rounds and
  // one more clamps.
  if (!target.f32_unit) return 6;
  if (target.has(Isa::kFpArmv8)) return 0;
  return target.has(Isa::kDsp) ? 4 : 2;
}

bool byte_function_pays(const Target& target, const RequantizeSite& site) {
  // Cores of 64 bits compute with such words; a table is read one element at a time.
  const bool has_vectors = target.vector_bits > 0 && target.float_vectors;
  const bool stays = site.of_two ? scales_in_floats(target) && !site.in_64_bits : has_vectors;
  if (stays) return false;
  return site.in_floats || (site.in_64_bits && (has_vectors || target.pointer_bits < 64));
}

bool float_table_pays(const Target& target, int64_t elements) {
  constexpr int64_t kFewestElements = 16;
  return elements >= kFewestElements && !target.options.for_size();
}

size_t most_exceptions(const Target& target) { return target.f32_unit ? 2 : 4; }

bool sums_in_64_bits_pay(const Target& target) {
  // Vectors, and words of 64 bits, have floats beside them.
  return target.vector_bits == 0 && target.pointer_bits <= 32;
}

namespace {

// --- when each row of requantize_fits.def pays ---
bool integers_pay(const Target& target, const RequantizeSite& site) {
  return fixed_point_pays(target, site.in_floats);
}
bool floats_pay(const Target& target, const RequantizeSite& site) {
  return float_scale_pays(target, site.in_floats);
}
bool steps_pay(const Target& target, const RequantizeSite& site) {
  return integers_pay(target, site) || floats_pay(target, site);
}
bool offset_inside_pays(const Target& target, const RequantizeSite& site) {
  // Products of 64 bits halve the lanes of what is no contraction.
  return offset_goes_inside(target) && (!site.in_floats || site.of_contraction);
}
bool bent_inside_pays(const Target& target, const RequantizeSite& site) {
  // One shift more, and a bend that is a comparison less.
  return target.has(Isa::kSse41) && integers_pay(target, site);
}
bool before_floats_pays(const Target& target, const RequantizeSite& site) {
  return integers_pay(target, site) && floats_pay(target, site) && !rounds_vectors(target);
}
bool ties_pay(const Target& target, const RequantizeSite& site) {
  // One instruction rounds to even where no correction is worth it.
  return integers_pay(target, site) && most_corrections(target) != 0;
}
bool sum_pays(const Target& target, const RequantizeSite&) {
  return target.options.integer_qdq && sums_in_64_bits_pay(target);
}

}  // namespace

std::span<const RequantizeFit> requantize_fits() {
  static constexpr RequantizeFit kFits[] = {
#define HLOCC_REQUANTIZE_FIT(read_as, function, pays) {ReadAs::read_as, pays},
#include "costs/requantize_fits.def"
#undef HLOCC_REQUANTIZE_FIT
  };
  return kFits;
}

}  // namespace hlocc::costs
