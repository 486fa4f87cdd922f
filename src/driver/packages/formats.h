// The formats of `hlocc package` as values; formats.def is the table.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"
#include "target/ecosystems.h"
#include "target/target.h"

namespace hlocc::driver {

// Why a format has no place for a target, a sentence without its stop; null: it has.
using Holds = const char* (*)(const Target& target, const EcosystemNames& names);

// Whether the format's build system tells two targets apart where no compiler does.
using Tells = bool (*)(const EcosystemNames& one, const EcosystemNames& other);

struct PackageFormat {
  std::string_view name, title;
  Holds holds;
  Tells tells;
  std::string_view headers, code, manifests, stub, boards;
  std::string_view templates;
  std::string_view validated, built, ran;
};

std::span<const PackageFormat> package_formats();
std::vector<std::string> format_names();
// Error: kUsage.
Result<const PackageFormat*> find_format(const std::string& name);

}  // namespace hlocc::driver
