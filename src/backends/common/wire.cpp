// Writing and reading of the pipe's bytes.
#include "backends/common/wire.h"

#include <bit>
#include <cstring>

#include "support/check.h"

namespace hlocc::backends {
namespace {

constexpr int64_t kKinds = 0
#define HLOCC_DIAGNOSTIC(...) +1
#include "support/diagnostic_kinds.def"
    ;

}  // namespace

void Writer::number(int64_t value) {
  const auto* begin = reinterpret_cast<const std::byte*>(&value);
  out_.insert(out_.end(), begin, begin + sizeof value);
}

void Writer::bytes(std::span<const std::byte> value) {
  number(static_cast<int64_t>(value.size()));
  out_.insert(out_.end(), value.begin(), value.end());
}

void Writer::text(const std::string& value) { bytes(std::as_bytes(std::span(value))); }

void Writer::texts(const std::vector<std::string>& values) {
  number(static_cast<int64_t>(values.size()));
  for (const std::string& value : values) text(value);
}

void Writer::diagnostic(const Diagnostic& value) {
  number(static_cast<int64_t>(value.kind));
  text(value.message);
  text(value.location.file);
  number(value.location.line);
  texts(value.notes);
}

std::span<const std::byte> Reader::take(size_t count) {
  if (count > in_.size()) {
    failed_ = true;
    in_ = {};
    return {};
  }
  const std::span<const std::byte> out = in_.first(count);
  in_ = in_.subspan(count);
  return out;
}

int64_t Reader::number() {
  int64_t value = 0;
  const std::span<const std::byte> bytes = take(sizeof value);
  if (!bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

size_t Reader::count(size_t least) {
  const auto wanted = static_cast<size_t>(number());
  if (wanted <= in_.size() / least) return wanted;
  failed_ = true;
  in_ = {};
  return 0;
}

std::vector<std::byte> Reader::bytes() {
  const std::span<const std::byte> value = take(static_cast<size_t>(number()));
  return {value.begin(), value.end()};
}

std::string Reader::text() {
  const std::span<const std::byte> value = take(static_cast<size_t>(number()));
  return {reinterpret_cast<const char*>(value.data()), value.size()};
}

std::vector<std::string> Reader::texts() {
  std::vector<std::string> values(count());
  for (std::string& value : values) value = text();
  return values;
}

Diagnostic Reader::diagnostic() {
  Diagnostic value;
  const int64_t kind = number();
  failed_ |= kind < 0 || kind >= kKinds;
  if (!failed_) value.kind = static_cast<DiagnosticKind>(kind);
  value.message = text();
  value.location.file = text();
  value.location.line = static_cast<int>(number());
  value.notes = texts();
  return value;
}

std::vector<std::byte> encode(const Artifacts& artifacts) {
  Writer writer;
  writer.number(static_cast<int64_t>(artifacts.files.size()));
  for (const auto& [kind, file] : artifacts.files) {
    writer.number(static_cast<int64_t>(kind));
    writer.number(static_cast<int64_t>(file.pieces().size()));
    for (const auto& piece : file.pieces()) writer.bytes(*piece);
  }
  writer.texts(artifacts.defined);
  writer.texts(artifacts.undefined);
  writer.number(static_cast<int64_t>(artifacts.sections.size()));
  for (const auto& [name, bytes] : artifacts.sections) {
    writer.text(name);
    writer.number(bytes);
  }
  writer.number(static_cast<int64_t>(artifacts.frames.size()));
  for (const StackFrame& frame : artifacts.frames) {
    writer.text(frame.function);
    writer.number(frame.bytes);
  }
  for (int64_t value : {artifacts.code_bytes, artifacts.weights_bytes, artifacts.stack_bytes})
    writer.number(value);
  writer.number(artifacts.stack_is_lower_bound);
  writer.number(static_cast<int64_t>(artifacts.times.size()));
  for (const StageTime& time : artifacts.times) {
    writer.text(time.stage);
    for (double seconds : {time.cpu_seconds, time.wall_seconds})
      writer.number(std::bit_cast<int64_t>(seconds));
  }
  return writer.take();
}

Artifacts decode_artifacts(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  Artifacts artifacts;
  for (size_t count = reader.count(); count > 0; --count) {
    const auto kind = static_cast<ArtifactKind>(reader.number());
    Pieces& file = artifacts.files[kind];
    for (size_t pieces = reader.count(); pieces > 0; --pieces) file.append(reader.bytes());
  }
  artifacts.defined = reader.texts();
  artifacts.undefined = reader.texts();
  for (size_t count = reader.count(); count > 0; --count) {
    const std::string name = reader.text();
    artifacts.sections[name] = reader.number();
  }
  for (size_t count = reader.count(); count > 0; --count) {
    const std::string function = reader.text();
    artifacts.frames.push_back({function, reader.number()});
  }
  artifacts.code_bytes = reader.number();
  artifacts.weights_bytes = reader.number();
  artifacts.stack_bytes = reader.number();
  artifacts.stack_is_lower_bound = reader.number() != 0;
  for (size_t count = reader.count(); count > 0; --count) {
    StageTime time{reader.text()};
    for (double* seconds : {&time.cpu_seconds, &time.wall_seconds})
      *seconds = std::bit_cast<double>(reader.number());
    artifacts.times.push_back(std::move(time));
  }
  // The child that sent it ended well.
  HLOCC_CHECK(!reader.failed(), "the child's answer is cut short");
  return artifacts;
}

}  // namespace hlocc::backends
