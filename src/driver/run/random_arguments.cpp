// See random_arguments.h.
#include "driver/run/random_arguments.h"

#include <algorithm>
#include <cstring>

#include "hlo/small_float.h"
#include "support/split_mix.h"

namespace hlocc::driver {
namespace {

using hlo::PrimitiveType;

// In [-1, 1).
double real_of(uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1p-52 - 1; }

// The bits of one element, in the low bytes (this machine's order is set by memcpy below).
template <typename T>
void put(std::byte*& at, T value) {
  std::memcpy(at, &value, sizeof value);
  at += sizeof value;
}

void put_real(std::byte*& at, PrimitiveType type, double value) {
  if (type == PrimitiveType::kF64) return put(at, value);
  if (type == PrimitiveType::kF32) return put(at, static_cast<float>(value));
  const uint32_t code = hlo::float_to_small(*hlo::small_float_format(type), value);
  if (hlo::storage_bytes(type) == 2) return put(at, static_cast<uint16_t>(code));
  put(at, static_cast<uint8_t>(code));
}

void put_integer(std::byte*& at, PrimitiveType type, uint64_t value) {
  // Two-bit types end at 1 (signed) or 3.
  value %= uint64_t{1} << std::min(3, hlo::type_bits(type) - (hlo::is_signed(type) ? 1 : 0));
  switch (hlo::storage_bytes(type)) {
    case 1: return put(at, static_cast<uint8_t>(value));
    case 2: return put(at, static_cast<uint16_t>(value));
    case 4: return put(at, static_cast<uint32_t>(value));
    default: return put(at, value);
  }
}

hlo::Literal random_array(const hlo::Shape& shape, SplitMix64& random) {
  hlo::Literal out = hlo::Literal::zeros(shape);
  const PrimitiveType type = shape.element_type, real = hlo::real_type(type);
  const bool complex = hlo::is_complex(type), floating = complex || hlo::is_float(type);
  std::byte* at = out.mutable_bytes().data();
  for (int64_t i = 0; i < out.element_count() * (complex ? 2 : 1); ++i) {
    if (floating)
      put_real(at, real, real_of(random.next()));
    else
      put_integer(at, type, random.next() >> 32);
  }
  return out;
}

}  // namespace

std::vector<hlo::Literal> random_arguments(const hlo::Module& module) {
  SplitMix64 random(1);
  std::vector<hlo::Literal> out;
  for (const hlo::Shape& parameter : module.entry_parameters) {
    std::vector<hlo::Literal> leaves;
    for (const hlo::Shape& leaf : leaf_shapes(parameter))
      leaves.push_back(random_array(leaf, random));
    out.push_back(unflatten(parameter, leaves));
  }
  return out;
}

}  // namespace hlocc::driver
