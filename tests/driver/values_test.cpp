// NpyFiles that a user gives for arguments and results: under which names, from which files, and what
// is said of those that do not fit.
#include "driver/run/values.h"

#include <catch2/catch.hpp>

#include "driver/text_module.h"
#include "import/npy.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using hlo::Literal, hlo::PrimitiveType;

Literal f32s(std::vector<float> values) {
  return Literal::array<float>(PrimitiveType::kF32, {static_cast<int64_t>(values.size())}, values);
}
Literal s32s(std::vector<int32_t> values) {
  return Literal::array<int32_t>(PrimitiveType::kS32, {static_cast<int64_t>(values.size())},
                                 values);
}

// Leaves: 0 gain, 1 and 2 of state, 3 which HLO numbered.
const char* const kModel = R"(HloModule m
ENTRY e {
  gain = f32[2] parameter(0)
  state = (s32[1], s32[1]) parameter(1)
  param.2 = s32[1] parameter(2)
  first = s32[1] get-tuple-element(state), index=0
  sum = s32[1] add(first, param.2)
  twice = f32[2] add(gain, gain)
  ROOT r = (f32[2], s32[1]) tuple(twice, sum)
})";

class NpyFiles {
 public:
  NpyFiles() {
    folder_.write("f.npy", import::write_npy(f32s({3, 4})));
    folder_.write("s.npy", import::write_npy(s32s({7})));
    folder_.write("bad.npy", import::write_npy(s32s({7, 8})));
  }
  std::string given(const std::string& name, const std::string& file) const {
    return cat(name, "=", folder_.path(), "/", file);
  }

 private:
  tests::TemporaryFolder folder_;
};

import::Imported gain_model(std::optional<import::Snapshot> snapshot = {}){
    return {module_of_text(kModel), std::move(snapshot)};
}  // namespace
import::Snapshot full_snapshot(){
    return {{f32s({1, 2}), Literal::make_tuple({s32s({5}), s32s({6})}), s32s({9})}, Literal()};
}  // namespace hlocc::driver

template <typename T>
std::string told_of(const Result<T>& result) {
  if (result.ok()) return "";
  std::string text = result.error().message;
  for (const std::string& note : result.error().notes) text += "\n" + note;
  return text;
}

TEST_CASE("an argument is given by its name, its number or both") {
  const NpyFiles values;
  const auto gathered = [&](const std::string& name, const char* file) {
    return gather_arguments(gain_model(full_snapshot()), {values.given(name, file)});
  };
  for (const char* name : {"gain", "arg0", "0"}) {
    INFO(name);
    const auto arguments = tests::require(gathered(name, "f.npy"));
    REQUIRE(arguments.size() == 3);
    CHECK(arguments[0] == f32s({3, 4}));
    CHECK(arguments[1] == Literal::make_tuple({s32s({5}), s32s({6})}));
  }
  for (const char* name : {"arg2", "2", "state.1"}) {
    INFO(name);
    CHECK(tests::require(gathered(name, "s.npy"))[1] ==
          Literal::make_tuple({s32s({5}), s32s({7})}));
  }
  for (const char* name : {"arg3", "3", "param.2"}) {
    INFO(name);
    CHECK(tests::require(gathered(name, "s.npy"))[2] == s32s({7}));
  }
  // A tuple has no file, and nothing is called by no name.
  for (const char* name : {"state", "", "4"}) {
    INFO(name);
    CHECK(told_of(gathered(name, "s.npy"))
              .starts_with(cat("--input ", values.given(name, "s.npy"),
                               ": the model has no argument ", name)));
  }
  CHECK(told_of(gathered("gian", "f.npy")).find("did you mean `gain`?") != std::string::npos);
  CHECK(told_of(gather_arguments(gain_model(full_snapshot()), {"gain"})) ==
        "--input gain: it is NAME=FILE.npy");
  CHECK(told_of(gathered("gain", "bad.npy")) != "");
  const auto nowhere = gathered("gain", "none.npy");
  REQUIRE_FALSE(nowhere.ok());
  CHECK(nowhere.error().location.file.ends_with("/none.npy"));
}

TEST_CASE("arguments without a value are named") {
  const NpyFiles values;
  const std::string all = told_of(gather_arguments(gain_model(), {}));
  CHECK(all.starts_with("the model has no values for its arguments: gain (f32[2]"));
  const std::string last = told_of(gather_arguments(
      gain_model(),
      {values.given("0", "f.npy"), values.given("1", "s.npy"), values.given("2", "s.npy")}));
  CHECK(last.starts_with("the model has no values for its arguments: arg3 (s32[1]"));
  const auto given =
      gather_arguments(gain_model(), {values.given("0", "f.npy"), values.given("1", "s.npy"),
                                      values.given("2", "s.npy"), values.given("3", "s.npy")});
  CHECK(tests::require(given)[1] == Literal::make_tuple({s32s({7}), s32s({7})}));
  // What a snapshot has too much of is no argument's.
  import::Snapshot longer = full_snapshot();
  longer.arguments.push_back(s32s({1}));
  CHECK(tests::require(gather_arguments(gain_model(longer), {})).size() == 3);
}

TEST_CASE("results are what is given, and otherwise what the interpreter computes") {
  const NpyFiles values;
  const std::vector<Literal> arguments = full_snapshot().arguments;
  const auto expected = [&](const std::vector<std::string>& requests) {
    return gather_expected(gain_model(), arguments, requests);
  };
  CHECK(tests::require(expected({})) == Literal::make_tuple({f32s({2, 4}), s32s({14})}));
  for (const char* name : {"1", "result1"})
    CHECK(tests::require(expected({values.given(name, "s.npy")})) ==
          Literal::make_tuple({f32s({2, 4}), s32s({7})}));
  CHECK(tests::require(expected({values.given("0", "f.npy"), values.given("1", "s.npy")})) ==
        Literal::make_tuple({f32s({3, 4}), s32s({7})}));
  CHECK(told_of(expected({values.given("gain", "f.npy")})).find("the model has no result gain") !=
        std::string::npos);
}

// By leaf "v" where there is a value, "-" where not; or what was said.
std::string frozen_leaves(const std::vector<std::string>& requests,
                          const std::optional<import::Snapshot>& from) {
  const auto result = frozen_values(module_of_text(kModel), requests, from);
  if (!result.ok()) return told_of(result);
  std::string out;
  for (const auto& value : *result) out += value ? 'v' : '-';
  return out;
}

TEST_CASE("patterns of --freeze take what stands in the snapshot") {
  const import::Snapshot from = full_snapshot();
  const std::pair<const char*, const char*> rows[] = {
      {"gain", "v---"}, {"g*", "v---"},      {"*n", "v---"},  {"g*i*", "v---"},
      {"*", "vvvv"},    {"state.*", "-vv-"}, {"*.1", "--v-"}, {"arg*", "vvvv"},
      {"*2", "--vv"},   {"gain*", "v---"},   {"**n", "v---"}};
  for (const auto& [pattern, taken] : rows) {
    INFO(pattern);
    CHECK(frozen_leaves({pattern}, from) == taken);
  }
  CHECK(frozen_leaves({"gain", "*.0"}, from) == "vv--");
  for (const char* pattern : {"gai", "*gai", "x*", "g*x", "*x*", "a=b*", ""}) {
    INFO(pattern);
    CHECK(frozen_leaves({pattern}, from)
              .starts_with(
                  cat("--freeze ", pattern, ": no argument is called so\narguments are gain, ")));
  }
}

TEST_CASE("--freeze with files, with and without a snapshot") {
  const NpyFiles values;
  const std::string file = values.given("gain", "f.npy");
  CHECK(frozen_leaves({file}, {}) == "v---");
  CHECK(frozen_leaves({file}, full_snapshot()) == "v---");
  CHECK(frozen_leaves({"state.0", file}, full_snapshot()) == "vv--");
  const auto read = frozen_values(module_of_text(kModel), {file}, full_snapshot());
  CHECK(*tests::require(read)[0] == f32s({3, 4}));
  CHECK(frozen_leaves({values.given("gian", "f.npy")}, {}).find("the model has no argument gian") !=
        std::string::npos);
  CHECK(frozen_leaves({"gain"}, {}) ==
        "--freeze gain: it says no values\n--freeze NAME=FILE.npy, or --freeze 'PATTERN' --from "
        "SNAPSHOT");
}

TEST_CASE("a snapshot of another model does not fit") {
  const auto with = [](Literal gain) { return import::Snapshot{{std::move(gain)}, Literal()}; };
  const std::string no_value =
      "--freeze gain: the snapshot of --from has no value of the shape f32[2]";
  CHECK(frozen_leaves({"gain"}, with(f32s({1, 2}))) == "v---");
  CHECK(frozen_leaves({"gain"}, with(f32s({1, 2, 3}))).starts_with(no_value));
  CHECK(frozen_leaves({"gain"}, with(s32s({1, 2}))).starts_with(no_value));
  CHECK(frozen_leaves({"gain"}, import::Snapshot{}).starts_with(no_value));
  CHECK(frozen_leaves({"3"}, with(f32s({1, 2}))).find("has no value of the shape s32[1]") !=
        std::string::npos);
}

}  // namespace
}  // namespace hlocc::driver
