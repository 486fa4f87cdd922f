// See hook_writer.h.
#include "backends/c/hook_writer.h"

#include <cstdio>

#include "backends/common/device_hooks.h"
#include "backends/common/run_checks.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

// "(void)a; (void)b;" of "int a, int *b".
std::string unused(const std::string& parameters) {
  std::string out;
  for (const std::string& one : split(parameters, ','))
    out += cat(" (void)", one.substr(one.find_last_of(" *") + 1), ";");
  return out;
}

}  // namespace

std::string hook_definitions(const planning::Plan& plan, const Options& options) {
  std::string declared, defined;
  if (options.profile) {
    const std::string head = cat("void ", kProfileHook, "(const char *identity, int32_t step)");
    declared += cat("\n/* hlocc_profile.h; where no one counts, this. */\n", head, ";\n");
    defined += cat("__attribute__((weak)) ", head, " { (void)identity; (void)step; }\n");
  }
  if (has_ranges(plan)) {
    const std::string head =
        cat("void ", kThreadsHook, "(int32_t count, void (*body)(void *, int32_t), void *context)");
    declared += cat("\n/* hlocc_threads.h; where there is one thread, this. */\n", head, ";\n");
    defined += cat("__attribute__((weak)) ", head,
                   " {\n  int32_t range;\n  for (range = 0; range < count; ++range) {\n    "
                   "body(context, range);\n  }\n}\n");
  }
  if (kernel::uses_queues(plan.steps)) {
    declared += "\n/* hlocc_device.h; where there is no driver, these. */\n";
    for (const DeviceHook& hook : device_hooks()) {
      const std::string head = cat(hook.result, " ", hook.name, "(", hook.parameters, ")");
      declared += head + ";\n";
      defined += cat("__attribute__((weak)) ", head, " {", unused(std::string(hook.parameters)),
                     hook.result == "void" ? "" : cat(" return ", hook.otherwise, ";"), " }\n");
    }
  }
  if (declared.empty()) return "";
  return cat(declared, "#if defined(__GNUC__) || defined(__clang__)\n", defined, "#endif\n");
}

std::string device_arrays(const planning::Plan& plan) {
  constexpr size_t kWordsInLine = 8;
  std::string out;
  char digits[16];
  for (const auto& [part, data] : plan.device_data) {
    if (data.empty()) continue;
    out += cat("\n/* What the driver of the device is handed of ", part, " (hlocc_device.h). */\n",
               "const uint32_t ", part, "[", data.size(), "] = {");
    for (size_t i = 0; i < data.size(); ++i) {
      std::snprintf(digits, sizeof digits, "0x%x,", data[i]);
      out += i % kWordsInLine == 0 ? "\n  " : " ";
      out += digits;
    }
    out += "\n};\n";
  }
  return out;
}

}  // namespace hlocc::backends
