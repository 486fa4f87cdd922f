// See plugin.h.
#include "driver/run/plugin.h"

#include <dlfcn.h>

#include <cstdio>

#include "hlocc/device/plugin.h"
#include "support/environment.h"
#include "support/text.h"

namespace hlocc::driver {

namespace {

// A file that is not there, or is no shared library, is the fault of who named it. What else a
// library needs (a driver's, say) is missing here.
Diagnostic why_not_loaded(const std::string& file, const std::string& path,
                          const std::string& why) {
  std::FILE* opened = std::fopen(file.c_str(), "rb");
  if (opened == nullptr) {
    Diagnostic out = cannot_read(file);
    out.message = cat("--plugin: ", out.message);
    return out;
  }
  char magic[4] = {};
  const bool is_elf = std::fread(magic, 1, 4, opened) == 4 && std::string_view(magic, 4) ==
                                                                  "\x7f"
                                                                  "ELF";
  std::fclose(opened);
  // The loader begins with the path that it was given, unless it is another file that it misses.
  const size_t at = why.starts_with(path + ": ") ? path.size() + 2 : 0;
  return error(is_elf ? DiagnosticKind::kEnvironment : DiagnosticKind::kFile,
               cat("--plugin: ", why.substr(at)))
      .at({file, 0});
}

}  // namespace

Result<device::Platform*> load_plugin(const std::string& file, device::PlatformManager& manager) {
  // Without a slash the loader would look for it elsewhere.
  const std::string path = file.find('/') == std::string::npos ? "./" + file : file;
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return why_not_loaded(file, path, ::dlerror());
  auto* enter =
      reinterpret_cast<decltype(&hlocc_plugin_register)>(::dlsym(handle, "hlocc_plugin_register"));
  if (enter == nullptr)
    return error(DiagnosticKind::kFile, "--plugin: it does not define hlocc_plugin_register")
        .at({file, 0})
        .note("HLOCC_PLUGIN of hlocc/device/plugin.h does");
  const size_t before = manager.ListPlatforms().size();
  const char* abi = enter(HLOCC_PLUGIN_ABI, &manager);
  if (abi == nullptr || std::string_view(abi) != HLOCC_PLUGIN_ABI)
    return error(DiagnosticKind::kTarget,
                 cat("--plugin: it was built for the headers ", abi == nullptr ? "of none" : abi,
                     ", and this is ", HLOCC_PLUGIN_ABI))
        .at({file, 0})
        .note("build it against this hlocc's headers");
  const std::vector<device::Platform*> platforms = manager.ListPlatforms();
  if (platforms.size() == before)
    return error(DiagnosticKind::kFile, "--plugin: it registers no platform").at({file, 0});
  return platforms[before];
}

Result<device::Platform*> find_platform(device::PlatformManager& manager,
                                        const PlatformChoice& where) {
  const std::string backend = where.backend.empty() ? "" : platform_of(where.backend);
  if (where.plugin.empty()) return manager.PlatformWithName(backend);
  HLOCC_TRY_ASSIGN(device::Platform * first, load_plugin(where.plugin, manager));
  if (backend.empty()) return first;
  return manager.PlatformWithName(backend);
}

}  // namespace hlocc::driver
