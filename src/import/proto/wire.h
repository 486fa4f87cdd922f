// The protobuf wire format, as much as is needed to walk the outer levels of a file without copying
// them: a field is a number, a wire type and either a number or a span of the input. Snapshots,
// modules, computations and literals are read this way, so that a file's size bounds the memory
// that reading it takes; protobuf itself parses one instruction at a time.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hlocc::import {

using Bytes = std::span<const std::byte>;

enum class WireType : uint8_t { kVarint = 0, kFixed64 = 1, kLength = 2, kFixed32 = 5 };

struct WireField {
  uint32_t number = 0;
  WireType type = WireType::kVarint;
  // Of a varint.
  uint64_t value = 0;
  // Of the other types: the raw bytes.
  Bytes payload;
};

// Walks the fields of one message. `clamp` cuts a payload that runs past the end instead of
// failing: sniffing must tell what a truncated file is.
class WireReader {
 public:
  explicit WireReader(Bytes bytes, bool clamp = false) : rest_(bytes), clamp_(clamp) {}

  // The next field; false at the end and at the first malformed byte.
  bool next(WireField& field);
  bool failed() const { return failed_; }

 private:
  bool take(size_t count, Bytes& out);
  bool fail();

  Bytes rest_;
  bool clamp_;
  bool failed_ = false;
};

// Takes a varint off the front; false if there is none.
bool read_varint(Bytes& bytes, uint64_t& value);

inline std::string_view as_text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

// Appends fields to a message under construction.
class WireWriter {
 public:
  void varint(uint64_t value);
  void varint_field(uint32_t number, uint64_t value);
  void length_field(uint32_t number, Bytes payload);
  std::vector<std::byte> take() && { return std::move(out_); }
  Bytes bytes() const { return out_; }

 private:
  std::vector<std::byte> out_;
};

}  // namespace hlocc::import
