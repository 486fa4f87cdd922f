// See formats.h; and which targets a format has a place for.
#include "driver/packages/formats.h"

#include "support/suggest.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

const char* holds_all(const Target&) { return nullptr; }

const char* holds_libraries(const Target& target) {
  return target.backend == "c" ? "names libraries alone, and what is compiled for it is C"
                               : nullptr;
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
