// See formats.h; and which targets a format has a place for.
#include "driver/packages/formats.h"

#include <algorithm>

#include "support/suggest.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

const char* holds_all(const Target&, const EcosystemNames&) { return nullptr; }

const char* holds_libraries(const Target& target, const EcosystemNames&) {
  return target.backend == "c" ? "the format holds libraries alone, and it is served by C"
                               : nullptr;
}

const char* unless(bool holds, const char* why) { return holds ? nullptr : why; }

const char* holds_conan(const Target& target, const EcosystemNames& names) {
  if (const char* why = holds_libraries(target, names)) return why;
  return unless(!names.conan.empty(), "Conan has no such arch");
}
const char* holds_vcpkg(const Target& target, const EcosystemNames& names) {
  if (const char* why = holds_libraries(target, names)) return why;
  return unless(!names.vcpkg.empty(), "vcpkg has no such architecture");
}
const char* holds_zephyr(const Target&, const EcosystemNames& names) {
  return unless(!names.kconfig.empty(), "Zephyr has no symbols that say when it is to be taken");
}
const char* holds_idf(const Target&, const EcosystemNames& names) {
  return unless(!names.idf.empty(), "it is no core of an ESP32");
}
const char* holds_arduino(const Target&, const EcosystemNames& names) {
  return unless(!names.arduino.empty(), "Arduino builds firmware");
}
const char* holds_cargo(const Target& target, const EcosystemNames& names) {
  if (const char* why = holds_libraries(target, names)) return why;
  if (target.byte_order == ByteOrder::kBig) return "the crate's test is of little-endian bytes";
  return unless(!names.rust.empty(), "Rust has no such triple");
}
const char* holds_cmsis(const Target& target, const EcosystemNames& names) {
  if (const char* why = holds_libraries(target, names)) return why;
  return unless(!names.cmsis_core.empty(), "packs are for Cortex-M");
}

bool tells_none(const EcosystemNames&, const EcosystemNames&) { return false; }
// By IDF_TARGET, if no chip is of both.
bool tells_idf(const EcosystemNames& one, const EcosystemNames& other) {
  const std::vector<std::string> chips = split(one.idf, ' '), others = split(other.idf, ' ');
  return std::ranges::find_first_of(chips, others) == chips.end();
}

constexpr PackageFormat kFormats[] = {
#define HLOCC_PACKAGE_FORMAT(...) {__VA_ARGS__},
#include "driver/packages/formats.def"
};

}  // namespace

std::span<const PackageFormat> package_formats() { return kFormats; }

std::vector<std::string> format_names() {
  std::vector<std::string> out;
  for (const PackageFormat& format : kFormats) out.emplace_back(format.name);
  return out;
}

Result<const PackageFormat*> find_format(const std::string& name) {
  for (const PackageFormat& format : kFormats)
    if (format.name == name) return &format;
  const std::vector<std::string> names = format_names();
  return suggest(error(DiagnosticKind::kUsage, cat("--format ", name, ": there is no such format")),
                 name, names)
      .note("formats are " + join(names, ", "));
}

}  // namespace hlocc::driver
