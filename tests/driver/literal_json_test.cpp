// Values as `run --json` writes them: arrays of the literal's dimensions, words for what JSON has no
// number for (driver/run/literal_json.h).
#include "driver/run/literal_json.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "driver/text_module.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

std::string json_of_constant(const std::string& type, const std::string& value) {
  const hlo::Module module =
      module_of_text(cat("HloModule m\nENTRY e { ROOT c = ", type, " constant(", value, ") }"));
  const hlo::Instruction& root = module.entry_computation().root_instruction();
  return literal_json(root.get<hlo::ConstantAttributes>().value).dump();
}

TEST_CASE("literals are JSON") {
  const struct {
    const char *type, *value, *json;
  } all[] = {{"s32[]", "-7", "-7"},
             {"f32[2]", "{0.5, -0}", "[0.5,-0.0]"},
             {"f32[3]", "{inf, -inf, nan}", "[\"inf\",\"-inf\",\"nan\"]"},
             {"pred[2]", "{true, false}", "[true,false]"},
             {"s8[2,2]", "{{1, 2}, {3, 4}}", "[[1,2],[3,4]]"},
             {"u64[1]", "{18446744073709551615}", "[18446744073709551615]"},
             {"c64[2]", "{(1, 2), (inf, -0.5)}", "[[1,2],[\"inf\",-0.5]]"},
             {"f32[0]", "{}", "[]"},
             {"f32[2]", "{nan(0x400001), 1}", "[\"nan(0x400001)\",1]"},
             {"f32[]", "nan(0x400001)", "\"nan(0x400001)\""}};
  for (const auto& one : all) {
    INFO(one.type << " " << one.value);
    CHECK(json_of_constant(one.type, one.value) == one.json);
  }
}

}  // namespace
}  // namespace hlocc::driver
