// See hlocc/device/platform.h.
#include "hlocc/device/platform.h"
#include "support/suggest.h"
#include "support/text.h"

namespace hlocc::device {

Status PlatformManager::RegisterPlatform(std::unique_ptr<Platform> platform) {
  for (const std::unique_ptr<Platform>& held : platforms_)
    if (held->Name() == platform->Name())
      return error(DiagnosticKind::kArgument,
                   cat("there is a platform ", platform->Name(), " already"));
  platforms_.push_back(std::move(platform));
  return {};
}

Result<Platform*> PlatformManager::PlatformWithName(const std::string& name) const {
  std::vector<std::string> names;
  for (const std::unique_ptr<Platform>& platform : platforms_) {
    if (platform->Name() == name) return platform.get();
    names.push_back(platform->Name());
  }
  return suggest(error(DiagnosticKind::kTarget, cat("there is no platform ", name)), name, names)
      .note(cat("there is ", join(names, ", ")));
}

std::vector<Platform*> PlatformManager::ListPlatforms() const {
  std::vector<Platform*> all;
  for (const std::unique_ptr<Platform>& platform : platforms_) all.push_back(platform.get());
  return all;
}

}  // namespace hlocc::device
