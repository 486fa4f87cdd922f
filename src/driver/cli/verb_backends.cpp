// `hlocc backends`: what can be asked for with --backend.
#include <nlohmann/json.hpp>

#include "driver/cli/output.h"
#include "driver/cli/verbs.h"
#include "driver/pipeline/backend_table.h"
#include "support/text.h"

namespace hlocc::driver {

Result<int> verb_backends(const CommandLine& line) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const BackendInfo& row : backends()) {
    nlohmann::ordered_json one;
    one["name"] = row.name;
    one["what"] = row.what;
    one["compile"] = row.compile != nullptr;
    one["run"] = row.runs;
    one["gaps"] = row.gaps;
    one["emit"] = row.emits.empty() ? std::vector<std::string>{} : split(row.emits, ',');
    all.push_back(one);
    if (!line.json)
      print("%-12s %s%s%s; supports every op and type%s%s\n", std::string(row.name).c_str(),
            std::string(row.what).c_str(), row.emits.empty() ? "" : "; --emit ",
            std::string(row.emits).c_str(), row.gaps.empty() ? "" : " but ",
            std::string(row.gaps).c_str());
  }
  if (line.json) print_json({{"backends", all}});
  return 0;
}

}  // namespace hlocc::driver
