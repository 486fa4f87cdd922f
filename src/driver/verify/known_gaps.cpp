// See known_gaps.h.
#include "driver/verify/known_gaps.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "import/file.h"
#include "support/environment.h"
#include "support/text.h"

namespace hlocc::driver {

Result<KnownGaps> read_known_gaps(const std::string& path, const std::string& index,
                                  const std::vector<Case>& cases) {
  if (path.empty()) return KnownGaps{};
  HLOCC_TRY_ASSIGN(const std::vector<std::byte> bytes, import::read_file(path));
  std::istringstream file(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  std::error_code failure;
  const std::string here =
      std::filesystem::absolute(index, failure).parent_path().filename().string();
  if (failure) return environment_error("cannot find out the current folder", failure.value());
  KnownGaps gaps;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string folder, name, why;
    words >> folder >> name >> std::ws;
    std::getline(words, why);
    if (why.empty())
      return error(DiagnosticKind::kFormat, "a known gap is FOLDER NAME and why")
          .at({path, number});
    if (folder != here) continue;
    if (std::none_of(cases.begin(), cases.end(), [&](const Case& one) { return one.name == name; }))
      return error(DiagnosticKind::kFormat, cat(index, " has no case ", name)).at({path, number});
    gaps[name] = why;
  }
  return gaps;
}

}  // namespace hlocc::driver
