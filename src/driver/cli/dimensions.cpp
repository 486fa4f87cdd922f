// See dimensions.h.
#include "driver/cli/dimensions.h"

#include <charconv>

#include "driver/cli/command_words.h"
#include "support/text.h"

namespace hlocc::driver {

Result<std::map<std::string, int64_t>> parse_dimensions(const std::vector<std::string>& requests) {
  std::map<std::string, int64_t> out;
  for (const std::string& request : requests) {
    const size_t equal = request.rfind('=');
    int32_t size = -1;
    bool is_size = false;
    if (equal != std::string::npos && equal > 0) {
      const char* end = request.data() + request.size();
      const auto parsed = std::from_chars(request.data() + equal + 1, end, size);
      is_size = parsed.ec == std::errc() && parsed.ptr == end && size >= 0;
    }
    if (!is_size)
      return usage(cat("--dim ", request,
                       ": it is NAME=SIZE, as in batch=1, or 0=1 for the first dimension of all "
                       "arguments"));
    const std::string name = request.substr(0, equal);
    if (!out.emplace(name, size).second)
      return usage(cat("--dim ", request, ": ", name, " has a size already"));
  }
  return out;
}

}  // namespace hlocc::driver
