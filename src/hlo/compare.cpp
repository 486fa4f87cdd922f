// The rules of compare.h. Floats of every width are compared as doubles, their ulp distance on
// their own codes unfolded from sign-magnitude to a line; complex numbers as two real planes that
// share the magnitude of the expected number.
#include "hlo/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "hlo/small_float.h"

namespace hlocc::hlo {
namespace {

// What a float comparison needs to know of one element.
struct Element {
  double value;
  uint64_t code;
};

// One real plane of a literal: the elements themselves, or the real or imaginary parts.
struct Plane {
  PrimitiveType type;
  const std::byte* data;
  int64_t stride;
  const FloatFormat* format;

  Element at(int64_t i) const {
    const std::byte* p = data + i * stride;
    const auto read = [p](auto value) {
      std::memcpy(&value, p, sizeof value);
      return value;
    };
    if (type == PrimitiveType::kF64) return {read(double{}), read(uint64_t{})};
    if (type == PrimitiveType::kF32) return {read(float{}), read(uint32_t{})};
    const uint32_t code = storage_bytes(type) == 2 ? read(uint16_t{}) : read(uint8_t{});
    return {small_to_float(*format, code), code};
  }
  int code_bits() const { return storage_bytes(type) * 8; }
};

Plane plane_of(const Literal& literal, int part) {
  const PrimitiveType type = real_type(literal.type());
  return {type, literal.bytes().data() + part * storage_bytes(type), storage_bytes(literal.type()),
          small_float_format(type)};
}

// The distance of two codes on the line ..., -2, -1, -0 = +0, 1, 2, ...; saturates.
int64_t ulp_distance(uint64_t a, uint64_t b, int bits) {
  const uint64_t half = uint64_t{1} << (bits - 1);
  const bool a_negative = (a & half) != 0, b_negative = (b & half) != 0;
  const uint64_t a_size = a & (half - 1), b_size = b & (half - 1);
  const uint64_t distance = a_negative == b_negative
                                ? std::max(a_size, b_size) - std::min(a_size, b_size)
                                : a_size + b_size;
  return static_cast<int64_t>(std::min<uint64_t>(distance, INT64_MAX));
}

double smallest_normal(PrimitiveType type) {
  if (type == PrimitiveType::kF64) return 0x1p-1022;
  if (type == PrimitiveType::kF32) return 0x1p-126;
  const FloatFormat& format = *small_float_format(type);
  return std::ldexp(1.0, (format.has_zero ? 1 : 0) - format.bias);
}

bool accept(const Element& g, const Element& e, double magnitude, int64_t ulp, double tiny,
            const CompareRule& rule) {
  const bool both_zero = g.value == 0 && e.value == 0;
  if (rule.signed_zero && both_zero) return std::signbit(g.value) == std::signbit(e.value);
  if (g.value == e.value || (std::isnan(g.value) && std::isnan(e.value))) return true;
  if (!std::isfinite(g.value) || !std::isfinite(e.value)) return false;
  if (rule.denorm && !rule.signed_zero && std::fabs(g.value) < tiny && std::fabs(e.value) < tiny)
    return true;
  if (std::fabs(g.value - e.value) <= rule.atol + rule.rtol * magnitude) return true;
  return rule.ulp && ulp <= *rule.ulp;
}

// "(2, 0, 1)": the place of a linear index.
std::string place(const Dimensions& dimensions, int64_t linear) {
  std::string out = "(";
  const Dimensions strides = row_major_strides(dimensions);
  for (size_t d = 0; d < dimensions.size(); ++d) {
    out += (d > 0 ? ", " : "") + std::to_string(linear / strides[d]);
    linear %= strides[d];
  }
  return out + ")";
}

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

void note_bad(Comparison& out, const Literal& expected, int64_t i, const std::string& got,
              const std::string& want) {
  if (out.bad++ == 0)
    out.first =
        "index " + place(expected.shape().dimensions, i) + " got " + got + " expected " + want;
}

void compare_bits(Comparison& out, const Literal& got, const Literal& expected) {
  const size_t width = storage_bytes(expected.type());
  const auto hex = [&](const Literal& literal, int64_t i) {
    std::string text = "0x";
    char digits[3];
    for (size_t b = width; b-- > 0;) {
      std::snprintf(digits, sizeof digits, "%02x",
                    static_cast<unsigned>(literal.bytes()[i * width + b]));
      text += digits;
    }
    return text;
  };
  for (int64_t i = 0; i < out.elements; ++i)
    if (std::memcmp(got.bytes().data() + i * width, expected.bytes().data() + i * width, width) !=
        0)
      note_bad(out, expected, i, hex(got, i), hex(expected, i));
}

void compare_integers(Comparison& out, const Literal& got, const Literal& expected,
                      const CompareRule& rule) {
  const bool is_u64 = expected.type() == PrimitiveType::kU64;
  const auto as_double = [&](int64_t v) {
    return is_u64 ? static_cast<double>(static_cast<uint64_t>(v)) : double(v);
  };
  const auto text = [&](int64_t v) {
    return is_u64 ? std::to_string(static_cast<uint64_t>(v)) : std::to_string(v);
  };
  for (int64_t i = 0; i < out.elements; ++i) {
    const int64_t g = integer_at(got, i), e = integer_at(expected, i);
    const double distance = std::fabs(as_double(g) - as_double(e));
    out.max_abs = std::max(out.max_abs, distance);
    const double tolerance = rule.atol + rule.rtol * std::fabs(as_double(e));
    if (g != e && (tolerance == 0 || distance > tolerance))
      note_bad(out, expected, i, text(g), text(e));
  }
}

// `part` 0 or 1 of a complex number, 0 of a real one.
Comparison compare_floats(const Literal& got, const Literal& expected, const CompareRule& rule,
                          int part) {
  Comparison out;
  out.elements = expected.element_count();
  const Plane g_plane = plane_of(got, part), e_plane = plane_of(expected, part);
  const Plane re = plane_of(expected, 0), im = plane_of(expected, 1);
  const double tiny = smallest_normal(e_plane.type);
  for (int64_t i = 0; i < out.elements; ++i) {
    const Element g = g_plane.at(i), e = e_plane.at(i);
    double magnitude = std::fabs(e.value);
    if (is_complex(expected.type())) magnitude = std::hypot(re.at(i).value, im.at(i).value);
    if (!std::isfinite(magnitude)) magnitude = 0;
    int64_t ulp = 0;
    if (std::isfinite(g.value) && std::isfinite(e.value)) {
      ulp = ulp_distance(g.code, e.code, e_plane.code_bits());
      const double distance = std::fabs(g.value - e.value);
      out.max_abs = std::max(out.max_abs, distance);
      if (e.value != 0) out.max_rel = std::max(out.max_rel, distance / std::fabs(e.value));
      out.max_ulp = std::max(out.max_ulp, ulp);
    }
    if (!accept(g, e, magnitude, ulp, tiny, rule))
      note_bad(out, expected, i, number(g.value), number(e.value));
  }
  return out;
}

Comparison merge(const Comparison& a, const Comparison& b) {
  Comparison out = a;
  out.bad = std::max(a.bad, b.bad);
  out.max_abs = std::max(a.max_abs, b.max_abs);
  out.max_rel = std::max(a.max_rel, b.max_rel);
  out.max_ulp = std::max(a.max_ulp, b.max_ulp);
  if (out.first.empty()) out.first = b.first;
  return out;
}

}  // namespace

Comparison compare_leaf(const Literal& got, const Literal& expected, const CompareRule& rule) {
  Comparison out;
  out.elements = expected.shape().is_array() ? expected.element_count() : 0;
  if (got.type() != expected.type() || !same_dimensions(got.shape(), expected.shape())) {
    out.first =
        "type/shape " + to_string(got.shape(), false) + " vs " + to_string(expected.shape(), false);
    out.bad = std::max<int64_t>(1, out.elements);
    return out;
  }
  if (rule.bits) {
    compare_bits(out, got, expected);
  } else if (is_float(expected.type())) {
    out = compare_floats(got, expected, rule, 0);
  } else if (is_complex(expected.type())) {
    out = merge(compare_floats(got, expected, rule, 0), compare_floats(got, expected, rule, 1));
  } else {
    compare_integers(out, got, expected, rule);
  }
  out.ok = static_cast<double>(out.bad) <= rule.mismatch_frac * static_cast<double>(out.elements);
  return out;
}

double largest_magnitude(const Literal& literal) {
  double largest = 0;
  for (int part = 0; part < (is_complex(literal.type()) ? 2 : 1); ++part) {
    const Plane plane = plane_of(literal, part);
    for (int64_t i = 0; i < literal.element_count(); ++i)
      if (const double one = std::fabs(plane.at(i).value); std::isfinite(one))
        largest = std::max(largest, one);
  }
  return largest;
}

}  // namespace hlocc::hlo
