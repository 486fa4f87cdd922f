// Protobuf messages of HLO built field by field, for what our writer never writes.
#pragma once
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "import/proto/wire.h"

namespace hlocc::import {

inline std::vector<std::byte> message(
    std::initializer_list<std::pair<uint32_t, std::string>> fields) {
  WireWriter out;
  for (const auto& [number, payload] : fields) out.length_field(number, as_bytes(payload));
  return std::move(out).take();
}
inline std::string number_field(uint32_t number, uint64_t value) {
  WireWriter out;
  out.varint_field(number, value);
  return std::string(as_text(out.bytes()));
}
inline std::string text_field(uint32_t number, std::string_view payload) {
  WireWriter out;
  out.length_field(number, as_bytes(payload));
  return std::string(as_text(out.bytes()));
}

// Fields of instructions, computations and modules.
inline std::string shape(int type, std::initializer_list<int64_t> dimensions = {}) {
  std::string out = number_field(2, static_cast<uint64_t>(type));
  for (int64_t size : dimensions) out += number_field(3, static_cast<uint64_t>(size));
  return out;
}
inline std::string instruction(std::string_view name, std::string_view opcode, int64_t id,
                               const std::string& shape, const std::string& more = {}) {
  return text_field(2, text_field(1, name) + text_field(2, opcode) + text_field(3, shape) +
                           number_field(35, static_cast<uint64_t>(id)) + more);
}
inline std::string computation(std::string_view name, int64_t id, int64_t root,
                               const std::string& instructions) {
  return text_field(3, text_field(1, name) + instructions +
                           number_field(5, static_cast<uint64_t>(id)) +
                           number_field(6, static_cast<uint64_t>(root)));
}
inline std::string module_bytes(const std::string& computations, int64_t entry = 1) {
  return text_field(1, "m") + computations + number_field(6, static_cast<uint64_t>(entry));
}
inline constexpr int kF32 = 11, kS32 = 4;

}  // namespace hlocc::import
