// The value layer: what a formula sees of an element. Every element type is computed in one of
// thirteen C++ types (its value type): pred in bool, the sub-byte integers in their byte, all
// floats narrower than f32 in float, the rest in itself. A Literal is read as value types and
// written back by these classes, which round or wrap at the end; no formula knows of formats.
#pragma once
#include <complex>
#include <memory>
#include <type_traits>
#include <vector>

#include "hlo/literal.h"
#include "hlo/small_float.h"

namespace hlocc::interpreter {

using hlo::Dimensions;
using hlo::Literal;
using hlo::PrimitiveType;
using hlo::Shape;

template <typename T>
inline constexpr bool is_complex_value = false;
template <typename T>
inline constexpr bool is_complex_value<std::complex<T>> = true;
template <typename T>
concept IntegerValue = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <typename T>
concept FloatValue = std::is_floating_point_v<T>;
template <typename T>
concept ComplexValue = is_complex_value<T>;

// Calls visitor(std::type_identity<V>{}) with the value type of an array element type.
template <typename Visitor>
decltype(auto) visit_value_type(PrimitiveType type, Visitor&& visitor) {
  using enum PrimitiveType;
  switch (type) {
    case kPred: return visitor(std::type_identity<bool>{});
    case kS1:
    case kS2:
    case kS4:
    case kS8: return visitor(std::type_identity<int8_t>{});
    case kS16: return visitor(std::type_identity<int16_t>{});
    case kS32: return visitor(std::type_identity<int32_t>{});
    case kS64: return visitor(std::type_identity<int64_t>{});
    case kU1:
    case kU2:
    case kU4:
    case kU8: return visitor(std::type_identity<uint8_t>{});
    case kU16: return visitor(std::type_identity<uint16_t>{});
    case kU32: return visitor(std::type_identity<uint32_t>{});
    case kU64: return visitor(std::type_identity<uint64_t>{});
    case kF64: return visitor(std::type_identity<double>{});
    case kC64: return visitor(std::type_identity<std::complex<float>>{});
    case kC128: return visitor(std::type_identity<std::complex<double>>{});
    default: break;
  }
  HLOCC_CHECK(hlo::is_float(type), "a value of no array type");
  return visitor(std::type_identity<float>{});
}

// Bytes of the value type.
int value_bytes(PrimitiveType type);
// True where value type and storage are the same bytes, so that a view needs no conversion.
// Sub-byte integers count: only writing them has to wrap.
inline bool is_native(PrimitiveType type) { return hlo::small_float_format(type) == nullptr; }

// An integer cut to `bits` and sign- or zero-extended again.
template <IntegerValue T>
T wrap_to(T value, int bits) {
  const int drop = static_cast<int>(sizeof(T)) * 8 - bits;
  using U = std::make_unsigned_t<T>;
  return static_cast<T>(static_cast<T>(static_cast<U>(static_cast<U>(value) << drop)) >> drop);
}

// Makes computed values representable in `type`, in place: small floats are rounded, sub-byte
// integers wrapped.
void settle(PrimitiveType type, void* values, int64_t count);
inline bool needs_settling(PrimitiveType type) {
  return !is_native(type) || (hlo::is_integer(type) && hlo::type_bits(type) < 8);
}

// Small floats <-> float arrays.
void decode_small(PrimitiveType type, const std::byte* codes, float* values, int64_t count);
void encode_small(PrimitiveType type, const float* values, std::byte* codes, int64_t count);

// The elements of a literal as values: a view where storage allows it, else a converted copy.
template <typename V>
class Values {
 public:
  explicit Values(const Literal& literal) : size_(literal.element_count()) {
    if (is_native(literal.type())) {
      data_ = reinterpret_cast<const V*>(literal.bytes().data());
      return;
    }
    if constexpr (std::is_same_v<V, float>) {
      owned_ = std::make_unique<float[]>(static_cast<size_t>(size_));
      decode_small(literal.type(), literal.bytes().data(), owned_.get(), size_);
      data_ = owned_.get();
    }
  }
  const V& operator[](int64_t i) const { return data_[i]; }
  const V* data() const { return data_; }
  int64_t size() const { return size_; }

 private:
  const V* data_ = nullptr;
  int64_t size_;
  std::unique_ptr<V[]> owned_;
};

// A result under construction: written as values, settled into a literal by take(). Starts as
// zeros.
template <typename V>
class Output {
 public:
  explicit Output(const Shape& shape) : literal_(Literal::zeros(shape)) {
    if (is_native(shape.element_type)) {
      data_ = reinterpret_cast<V*>(literal_.mutable_bytes().data());
    } else {
      owned_ = std::make_unique<V[]>(static_cast<size_t>(shape.element_count()));
      data_ = owned_.get();
    }
  }
  V& operator[](int64_t i) { return data_[i]; }
  V* data() { return data_; }
  int64_t size() const { return literal_.element_count(); }

  Literal take() && {
    if constexpr (std::is_same_v<V, float>) {
      if (owned_)
        encode_small(literal_.type(), owned_.get(), literal_.mutable_bytes().data(), size());
    }
    if (is_native(literal_.type())) settle(literal_.type(), data_, size());
    return std::move(literal_);
  }

 private:
  Literal literal_;
  V* data_;
  std::unique_ptr<V[]> owned_;
};

// Every element converted by static_cast (complex to real drops the imaginary part): for ops that
// compute in one wide type.
template <typename To>
std::vector<To> values_as(const Literal& literal) {
  return visit_value_type(literal.type(), [&]<typename V>(std::type_identity<V>) {
    const Values<V> from(literal);
    std::vector<To> to(static_cast<size_t>(from.size()));
    for (int64_t i = 0; i < from.size(); ++i) {
      if constexpr (is_complex_value<V> && !is_complex_value<To>) {
        to[i] = static_cast<To>(from[i].real());
      } else if constexpr (is_complex_value<V>) {
        to[i] = To(from[i].real(), from[i].imag());
      } else if constexpr (is_complex_value<To>) {
        to[i] = To(static_cast<typename To::value_type>(from[i]));
      } else {
        to[i] = static_cast<To>(from[i]);
      }
    }
    return to;
  });
}

// The reverse: wide results become a literal of the shape's type, rounded or wrapped once.
template <typename From>
Literal literal_from(const Shape& shape, const std::vector<From>& values) {
  return visit_value_type(shape.element_type, [&]<typename V>(std::type_identity<V>) {
    Output<V> out(shape);
    for (int64_t i = 0; i < out.size(); ++i) {
      if constexpr (is_complex_value<From>) {
        if constexpr (is_complex_value<V>)
          out[i] = V(static_cast<typename V::value_type>(values[i].real()),
                     static_cast<typename V::value_type>(values[i].imag()));
        else
          out[i] = static_cast<V>(values[i].real());
      } else if constexpr (is_complex_value<V>) {
        out[i] = V(static_cast<typename V::value_type>(values[i]));
      } else {
        out[i] = static_cast<V>(values[i]);
      }
    }
    return std::move(out).take();
  });
}

// One element at a time, moved between a literal and a slot that holds its value type.
class ElementAccess {
 public:
  explicit ElementAccess(PrimitiveType type);
  void load(const std::byte* storage, int64_t index, void* slot) const;
  void store(std::byte* storage, int64_t index, const void* slot) const;

 private:
  const hlo::FloatFormat* format_;
  int width_;
};

}  // namespace hlocc::interpreter
