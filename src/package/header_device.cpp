// What the header of a model with parts on a device has more: the functions of hlocc_device.h that
// init and close call, and the arrays of the library that the driver is handed.
#include "package/header_parts.h"
#include "support/text.h"

namespace hlocc::package {
namespace {

// As runtime_stub/hlocc_device.h declares them.
constexpr std::string_view kDriver = R"(
/* The driver of the device, which the library defines weakly (hlocc_device.h). */
int32_t hlocc_device_open(void *instance, const char *const *parts, const void *const *data,
                          const size_t *bytes, int32_t count, size_t device_bytes);
void hlocc_device_close(void *instance);
const char *hlocc_device_error_msg(int32_t code);
)";

constexpr std::string_view kClose = R"(, @MDEVICE_BYTES));
}
/* Gives back what the driver holds for the instance: before the instance goes, or to init anew. */
static inline void @pclose(@pt *self) {
  if (self) hlocc_device_close(self);
}
)";

constexpr std::string_view kMessages =
    R"(  if (code == @MERROR_DEVICE) return "no driver of the device";
  if (code > @MERROR_DEVICE) {
    const char *said = hlocc_device_error_msg(code);
    if (said) return said;
  }
)";

}  // namespace

std::string device_functions(const HeaderFacts& facts) {
  const planning::DeviceData& parts = facts.plan->device_data;
  if (parts.empty()) return "";
  std::string out(kDriver), names, data, bytes;
  for (const auto& [part, words] : parts) {
    const char* const comma = names.empty() ? "" : ", ";
    if (!words.empty()) out += cat("extern const uint32_t ", part, "[", words.size(), "];\n");
    names += cat(comma, "\"", part, "\"");
    data += comma + (words.empty() ? "0" : part);
    bytes += words.empty() ? cat(comma, "0") : cat(comma, "sizeof ", part);
  }
  out +=
      cat("static inline int @popen_device_(@pt *self) {\n  static const char *const parts[] = {",
          names, "};\n  static const void *const data[] = {", data,
          "};\n  static const size_t bytes[] = {", bytes,
          "};\n  return @MCAST_(int, hlocc_device_open(self, parts, data, bytes, ", parts.size(),
          kClose);
  return out;
}

std::string device_messages(const HeaderFacts& facts) {
  return facts.plan->device_data.empty() ? "" : std::string(kMessages);
}

std::string device_members(const HeaderFacts& facts) {
  if (facts.plan->device_data.empty()) return "";
  return cat(
      "  /* What the driver of the device holds is given back; Init opens it anew. */\n"
      "  void Close() {\n    ",
      facts.prefix(), "close(&self_);\n    ready_ = false;\n    error_ = ", facts.macro(),
      "ERROR_NULL;\n  }\n");
}

}  // namespace hlocc::package
