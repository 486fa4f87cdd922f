// The three protobuf containers have no magic number; they differ in how deep the module lies. A
// module is recognised by a computation that has a name or an instruction with an opcode in
// printable letters. HLO text is whatever has no control characters: every protobuf of ours has
// tags below 0x20 within its first bytes.
#include "import/sniff.h"

#include <algorithm>

#include "import/onnx/import.h"
#include "import/stablehlo/import.h"
#include "import/tflite/import.h"

namespace hlocc::import {
namespace {

constexpr size_t kTextHead = 4096;

bool starts_printable(Bytes text) {
  return !text.empty() && std::to_integer<unsigned>(text[0]) >= 0x20;
}

bool looks_like_instruction(Bytes bytes) {
  WireReader reader(bytes, true);
  for (WireField field; reader.next(field);)
    if (field.number == 2)
      return field.type == WireType::kLength && starts_printable(field.payload);
  return false;
}

bool looks_like_computation(Bytes bytes) {
  WireReader reader(bytes, true);
  for (WireField field; reader.next(field);) {
    if (field.type != WireType::kLength) continue;
    if (field.number == 1 && starts_printable(field.payload)) return true;
    if (field.number == 2) return looks_like_instruction(field.payload);
  }
  return false;
}

bool looks_like_module(Bytes bytes) {
  WireReader reader(bytes, true);
  for (WireField field; reader.next(field);)
    if (field.number == 3 && field.type == WireType::kLength)
      return looks_like_computation(field.payload);
  return false;
}

// The payload of the first field, if that is field 1: the next container inside.
Bytes first_field(Bytes bytes) {
  WireReader reader(bytes, true);
  WireField field;
  return reader.next(field) && field.number == 1 && field.type == WireType::kLength ? field.payload
                                                                                    : Bytes{};
}

bool is_text(Bytes bytes) {
  const Bytes head = bytes.first(std::min(bytes.size(), kTextHead));
  return std::none_of(head.begin(), head.end(), [](std::byte b) {
    const unsigned c = std::to_integer<unsigned>(b);
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v') || c == 0x7f;
  });
}

}  // namespace

FileKind sniff(Bytes bytes) {
  if (bytes.empty()) return FileKind::kUnknown;
  if (is_text(bytes))
    return stablehlo::is_stablehlo(as_text(bytes)) ? FileKind::kStablehlo : FileKind::kText;
  if (onnx::is_onnx(bytes)) return FileKind::kOnnx;
  const Bytes inner = first_field(bytes);
  if (looks_like_module(first_field(inner))) return FileKind::kSnapshot;
  if (looks_like_module(inner)) return FileKind::kHloProto;
  if (looks_like_module(bytes)) return FileKind::kModuleProto;
  // Last: its four letters may stand in a module's name, and no FlatBuffer is one of the others.
  return tflite::is_tflite(bytes) ? FileKind::kTflite : FileKind::kUnknown;
}

}  // namespace hlocc::import
