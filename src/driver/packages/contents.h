// What a package holds, in memory: what was compiled, the values that its templates are filled
// with, and all of its files.
#pragma once
#include <vector>

#include "driver/packages/golden.h"
#include "driver/packages/spec.h"
#include "driver/packages/template_text.h"
#include "driver/pipeline/compile_target.h"
#include "package/file_set.h"

namespace hlocc::driver {

// One model, for all targets in their order.
struct PackagedModel {
  std::vector<CompiledTarget> targets;
  GoldenTest test;
};

// "package", "version", "models", "targets" and so on: docs/design/015_packages.md lists them.
TemplateValues package_values(const PackageSpec& spec, const PackageFlags& flags,
                              const std::vector<PackagedModel>& models);

// Paths from the package's folder; the package's manifest is the last. In order, each once.
std::vector<package::File> package_files(const PackageSpec& spec, const TemplateValues& values,
                                         std::vector<PackagedModel> models);

// What a package says of itself: format, names, sizes by target, each file with its SHA-256.
nlohmann::ordered_json package_manifest(const TemplateValues& values,
                                        const std::vector<package::File>& files);

}  // namespace hlocc::driver
