// Storage and tree handling of literals.
#include "hlo/literal.h"

namespace hlocc::hlo {

Literal Literal::zeros(const Shape& shape) {
  HLOCC_CHECK(shape.is_array(), "zeros of a shape that is no array: " + to_string(shape));
  return from_bytes(shape, std::vector<std::byte>(static_cast<size_t>(shape.byte_size())));
}

Literal Literal::from_bytes(const Shape& shape, std::vector<std::byte> bytes) {
  HLOCC_CHECK(static_cast<int64_t>(bytes.size()) == shape.byte_size(),
              "literal bytes do not fit " + to_string(shape));
  Literal literal;
  literal.shape_ = shape;
  literal.bytes_ = std::make_shared<std::vector<std::byte>>(std::move(bytes));
  return literal;
}

Literal Literal::make_tuple(std::vector<Literal> elements) {
  Literal literal;
  for (const Literal& element : elements) literal.shape_.tuple.push_back(element.shape());
  literal.elements_ = std::move(elements);
  return literal;
}

Literal Literal::token() {
  Literal literal;
  literal.shape_ = Shape::token();
  return literal;
}

void Literal::set_shape(Shape shape) {
  HLOCC_CHECK(shape.byte_size() == shape_.byte_size(), "set_shape changes the size of a literal");
  shape_ = std::move(shape);
}

std::span<const std::byte> Literal::bytes() const {
  if (!bytes_) return {};
  return {bytes_->data(), bytes_->size()};
}

std::span<std::byte> Literal::mutable_bytes() {
  if (!bytes_) return {};
  if (bytes_.use_count() > 1) bytes_ = std::make_shared<std::vector<std::byte>>(*bytes_);
  return {bytes_->data(), bytes_->size()};
}

bool Literal::operator==(const Literal& other) const {
  if (!same_dimensions_and_type(shape_, other.shape_)) return false;
  if (is_tuple()) return elements_ == other.elements_;
  const auto a = bytes(), b = other.bytes();
  return a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0;
}

namespace {
void collect(const Literal& literal, std::vector<Literal>& out) {
  if (literal.shape().is_array()) out.push_back(literal);
  for (const Literal& element : literal.elements()) collect(element, out);
}

Literal rebuild(const Shape& shape, std::span<const Literal>& rest) {
  if (shape.is_tuple()) {
    std::vector<Literal> elements;
    for (const Shape& element : shape.tuple) elements.push_back(rebuild(element, rest));
    return Literal::make_tuple(std::move(elements));
  }
  if (!shape.is_array()) return Literal::token();
  HLOCC_CHECK(!rest.empty(), "too few leaves for " + to_string(shape));
  Literal leaf = rest.front();
  rest = rest.subspan(1);
  return leaf;
}
}  // namespace

std::vector<Literal> leaves(const Literal& literal) {
  std::vector<Literal> out;
  collect(literal, out);
  return out;
}

Literal unflatten(const Shape& shape, std::span<const Literal> leaves) {
  return rebuild(shape, leaves);
}

int64_t integer_at(const Literal& literal, int64_t index) {
  const std::byte* at = literal.bytes().data() + index * storage_bytes(literal.type());
  const auto read = [&]<typename T>(T) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return static_cast<int64_t>(value);
  };
  const bool sign = is_signed(literal.type());
  switch (storage_bytes(literal.type())) {
    case 1: return sign ? read(int8_t{}) : read(uint8_t{});
    case 2: return sign ? read(int16_t{}) : read(uint16_t{});
    case 4: return sign ? read(int32_t{}) : read(uint32_t{});
    case 8: return read(int64_t{});
  }
  HLOCC_CHECK(false, "integer_at of " + to_string(literal.shape()));
}

}  // namespace hlocc::hlo
