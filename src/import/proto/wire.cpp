// Tags, varints and lengths.
#include "import/proto/wire.h"

#include <algorithm>

namespace hlocc::import {

bool read_varint(Bytes& bytes, uint64_t& value) {
  value = 0;
  for (size_t i = 0; i < bytes.size() && i < 10; ++i) {
    const uint64_t byte = std::to_integer<uint64_t>(bytes[i]);
    value |= (byte & 0x7f) << (7 * i);
    if (byte & 0x80) continue;
    bytes = bytes.subspan(i + 1);
    return true;
  }
  return false;
}

bool WireReader::fail() {
  failed_ = true;
  rest_ = {};
  return false;
}

bool WireReader::take(size_t count, Bytes& out) {
  if (count > rest_.size()) {
    if (!clamp_) return fail();
    count = rest_.size();
  }
  out = rest_.first(count);
  rest_ = rest_.subspan(count);
  return true;
}

bool WireReader::next(WireField& field) {
  if (rest_.empty()) return false;
  uint64_t tag = 0;
  if (!read_varint(rest_, tag) || (tag >> 3) == 0 || (tag >> 3) > 0x1fffffff) return fail();
  field.number = static_cast<uint32_t>(tag >> 3);
  field.type = static_cast<WireType>(tag & 7);
  field.payload = {};
  field.value = 0;
  switch (field.type) {
    case WireType::kVarint: return read_varint(rest_, field.value) || fail();
    case WireType::kFixed64: return take(8, field.payload);
    case WireType::kFixed32: return take(4, field.payload);
    case WireType::kLength: {
      uint64_t length = 0;
      return read_varint(rest_, length) ? take(static_cast<size_t>(length), field.payload) : fail();
    }
  }
  // Groups (3, 4) are not in proto3, and 6 and 7 are no wire types.
  return fail();
}

void WireWriter::varint(uint64_t value) {
  for (; value >= 0x80; value >>= 7) out_.push_back(static_cast<std::byte>(value | 0x80));
  out_.push_back(static_cast<std::byte>(value));
}

void WireWriter::varint_field(uint32_t number, uint64_t value) {
  varint(number << 3 | static_cast<uint32_t>(WireType::kVarint));
  varint(value);
}

void WireWriter::length_field(uint32_t number, Bytes payload) {
  varint(number << 3 | static_cast<uint32_t>(WireType::kLength));
  varint(payload.size());
  out_.insert(out_.end(), payload.begin(), payload.end());
}

}  // namespace hlocc::import
