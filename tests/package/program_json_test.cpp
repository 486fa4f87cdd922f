// A program's JSON form: every kind of step, values with their memories, arguments and results.
#include "package/program_json.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

namespace hlocc::package {
namespace {

using namespace kernel;
using Json = nlohmann::json;

Program program_of(Steps steps) {
  Program made;
  for (int v = 0; v < 3; ++v) {
    ProgramValue value;
    value.name = std::to_string(v);
    value.element = Scalar::kS32;
    value.elements = 16;
    made.values.push_back(value);
  }
  made.values[2].memory = 1;
  made.arguments = {0};
  made.results = {1};
  made.steps = std::move(steps);
  return made;
}

TEST_CASE("values say their size, and their memory where it is not the first") {
  const Json json = Json::parse(to_json(program_of({})));
  CHECK(json["values"].size() == 3);
  CHECK(json["values"][2]["elements"] == 16);
  CHECK(json["values"][2]["memory"] == 1);
  CHECK_FALSE(json["values"][0].contains("memory"));
  CHECK(json["arguments"][0]["value"] == 0);
  CHECK(json["results"][0]["value"] == 1);
  CHECK(json["steps"].empty());
}

TEST_CASE("each kind of step is named, with the numbers of its values") {
  Launch launch{.kernel = 0, .operands = {0, 1}};
  launch.integers = {7};
  launch.overlaps.push_back({.result = 1, .operand = 0, .bytes = 64});
  WhileStep loop{.initial = {0}, .carried = {1}, .next = {2}, .result = {1}};
  loop.condition_value = 2;
  loop.body.push_back({Copy{1, 2}, {}});
  ConditionalStep choice{.selector = 0, .results = {1}};
  choice.branches.push_back({{Copy{0, 1}, {{"copy.3"}}}});
  choice.yields.push_back({1});
  const Json steps = Json::parse(to_json(program_of({{launch, {{"add.1"}}},
                                                     {loop, {}},
                                                     {choice, {}},
                                                     {UserCall{"fft", {0}, {1}}, {}},
                                                     {Transfer{0, 2, 0}, {}},
                                                     {Submit{"twice", {2}, {2}, 0}, {}},
                                                     {Wait{3}, {}},
                                                     {Join{{{0, 2, 4}}, 1}, {}}})))["steps"];
  CHECK(steps[0]["step"] == "launch");
  CHECK(steps[0]["operands"] == Json({0, 1}));
  CHECK(steps[0]["integers"] == Json({7}));
  CHECK_FALSE(steps[0].contains("ranges"));
  launch.ranges = 2;
  CHECK(Json::parse(to_json(program_of({{launch, {}}})))["steps"][0]["ranges"] == 2);
  CHECK(steps[0]["overlaps"] == Json::parse(R"([{"result": 1, "operand": 0, "bytes": 64}])"));
  CHECK(steps[0]["origin"] == Json({"add.1"}));
  CHECK(steps[1]["condition_value"] == 2);
  CHECK(steps[1]["body"] == Json::parse(R"([{"step": "copy", "from": 1, "to": 2}])"));
  CHECK(steps[2]["branches"][0]["steps"][0]["origin"] == Json({"copy.3"}));
  CHECK(steps[2]["branches"][0]["yields"] == Json({1}));
  CHECK(steps[7] == Json::parse(R"({"step": "join",
      "runs": [{"from": 0, "offset": 2, "bytes": 4}], "to": 1})"));
  CHECK(steps[3] ==
        Json::parse(R"({"step": "call", "symbol": "fft", "operands": [0], "results": [1]})"));
  CHECK(steps[4] == Json::parse(R"({"step": "transfer", "from": 0, "to": 2, "queue": 0})"));
  CHECK(steps[5]["part"] == "twice");
  CHECK(steps[6] == Json::parse(R"({"step": "wait", "queue": 3})"));
}

}  // namespace
}  // namespace hlocc::package
