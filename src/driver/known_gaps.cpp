// See known_gaps.h.
#include "driver/known_gaps.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/text.h"

namespace hlocc::driver {

Result<KnownGaps> read_known_gaps(const std::string& path, const std::string& index,
                                  const std::vector<Case>& cases) {
  if (path.empty()) return KnownGaps{};
  std::ifstream file(path);
  if (!file)
    return error(DiagnosticKind::kFile, cat("cannot read the known gaps ", path)).at({path, 0});
  const std::string here = std::filesystem::absolute(index).parent_path().filename().string();
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
