// What the passes make of whole models, chip by chip: the groups that they form and the
// instructions that are left. Which ops share a kernel changes no result, and so nothing else would
// show that a condition of the costs was turned round. A change of what is fused is a change of
// golden/choices.txt (written anew with HLOCC_REGENERATE=1).
#include <filesystem>
#include <map>

#include "import/reader.h"
#include "support/golden.h"
#include "support/text.h"
#include "transforms/pipeline.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

// "dot 3, fusion 2: add convolution" and so on: the entry's instructions by opcode, its groups by
// schedule with what each holds.
std::string summary(const Module& module) {
  std::map<std::string, int> counts;
  for (const hlo::Instruction& i : module.entry_computation().instructions) {
    std::string key(hlo::opcode_name(i.opcode));
    if (i.opcode == Opcode::kFusion) {
      std::map<std::string, int> inside;
      for (const hlo::Instruction& inner : module.computations[i.called[0]].instructions)
        if (inner.opcode != Opcode::kParameter)
          ++inside[std::string(hlo::opcode_name(inner.opcode))];
      const auto& fusion = i.get<hlo::FusionAttributes>();
      key = cat("fusion ", hlo::schedule_name(fusion.schedule),
                fusion.serpentine ? " serpentine" : "", "(");
      for (const auto& [name, count] : inside)
        key += cat(key.back() == '(' ? "" : " ", name, count > 1 ? cat("*", count) : "");
      key += ")";
    }
    ++counts[key];
  }
  std::string text;
  for (const auto& [key, count] : counts) text += cat("  ", count, " ", key, "\n");
  return text;
}

}  // namespace

TEST_CASE("what becomes of models is golden", "[transforms]") {
  namespace fs = std::filesystem;
  std::vector<fs::path> models;
  for (const auto& entry : fs::directory_iterator(HLOCC_TEST_DATA "/models"))
    if (entry.path().string().ends_with(".snapshot.pb")) models.push_back(entry.path());
  std::sort(models.begin(), models.end());
  REQUIRE(models.size() > 10);
  std::string all;
  for (const fs::path& path : models) {
    const auto imported = import::read_model_file(path.string());
    REQUIRE(imported.ok());
    for (const char* name : {"cortex-m0", "cortex-m4f", "cortex-a53"}) {
      const auto passed = transforms::run_passes(imported->module, *preset(name));
      REQUIRE(passed.ok());
      all += cat(path.filename().stem().stem().string(), " on ", name, "\n", summary(*passed));
    }
  }
  check_golden("golden/choices.txt", all);
}

}  // namespace hlocc::tests
