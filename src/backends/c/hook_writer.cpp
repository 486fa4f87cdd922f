// See hook_writer.h.
#include "backends/c/hook_writer.h"

#include "backends/common/run_checks.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

struct CHook {
  const char *result, *name, *parameters;
};

constexpr CHook kCHooks[] = {
    {"int32_t", "put",
     "void *instance, int32_t queue, int32_t memory, size_t offset, const void *from, size_t "
     "bytes"},
    {"int32_t", "get",
     "void *instance, int32_t queue, int32_t memory, size_t offset, void *to, size_t bytes"},
    {"int32_t", "submit",
     "void *instance, int32_t queue, int32_t memory, const char *part, const size_t *offsets, "
     "int32_t operands, int32_t results"},
    {"int32_t", "wait", "void *instance, int32_t queue"},
    {"void", "clean", "const void *from, size_t bytes"},
    {"void", "invalidate", "void *from, size_t bytes"},
};

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
    declared += cat("\n/* hlocc_profile.h; where nobody counts, this. */\n", head, ";\n");
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
    for (const CHook& hook : kCHooks) {
      const std::string head =
          cat(hook.result, " hlocc_device_", hook.name, "(", hook.parameters, ")");
      const bool fails = std::string_view(hook.result) != "void";
      declared += head + ";\n";
      defined += cat("__attribute__((weak)) ", head, " {", unused(hook.parameters),
                     fails ? cat(" return ", kErrorDevice, ";") : "", " }\n");
    }
  }
  if (declared.empty()) return "";
  return cat(declared, "#if defined(__GNUC__) || defined(__clang__)\n", defined, "#endif\n");
}

}  // namespace hlocc::backends
