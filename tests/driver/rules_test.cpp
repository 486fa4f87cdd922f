// Where comparison rules come from.
#include "driver/verify/rules.h"

#include <stdlib.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <complex>
#include <filesystem>
#include <fstream>

#include "driver/verify/known_gaps.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

namespace fs = std::filesystem;
using hlo::Literal, hlo::PrimitiveType;

class RulesFolder {
 public:
  RulesFolder() {
    std::string pattern = (fs::temp_directory_path() / "hlocc_rules_XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~RulesFolder() { fs::remove_all(path_); }
  std::string write(const char* name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

 private:
  fs::path path_;
};

TEST_CASE("an index holds one rule or one for each result") {
  const RulesFolder folder;
  const std::string path = folder.write("index.json",
                                        R"({"cases": [{"name": "a", "tolerance": {"ulp": 3}},
                    {"name": "b", "tolerance": [{"exact": true}, {"rtol": 1e-3, "atol": 2, "denorm": false}]}]})");
  const Result<std::vector<Case>> cases = read_index(path);
  REQUIRE(cases.ok());
  REQUIRE(cases->size() == 2);
  CHECK((*cases)[0].path == fs::path(path).parent_path().string() + "/a.snapshot.pb");
  CHECK((*cases)[0].rules[0].ulp == 3);
  CHECK((*cases)[1].rules.size() == 2);
  CHECK((*cases)[1].rules[1].rtol == 1e-3);
  CHECK((*cases)[1].rules[1].atol == 2);
  CHECK(!(*cases)[1].rules[1].denorm);
  CHECK((*cases)[1].rules[0].denorm);
  const Result<Case> named = case_of_snapshot("elsewhere/a.snapshot.pb", *cases);
  CHECK(named->rules[0].ulp == 3);
}

TEST_CASE("a member that no rule has is an error, in an index and beside a snapshot") {
  const RulesFolder folder;
  const auto refused = [&](const std::string& tolerance) {
    const std::string path = folder.write(
        "index.json", cat(R"({"cases": [{"name": "a", "tolerance": )", tolerance, "}]}"));
    const Result<std::vector<Case>> cases = read_index(path);
    return cases.ok() ? std::string() : cases.error().to_string();
  };
  CHECK(refused(R"({"ulp": 3, "note": "why"})").empty());
  for (const char* wrong : {R"({"rtoll": 1e-3})", R"([{"ulp": 3}, {"rtoll": 1e-3}])"}) {
    CHECK_THAT(refused(wrong), Catch::Contains("index.json: error[format]: case a: a tolerance has "
                                               "no member rtoll"));
    CHECK_THAT(refused(wrong), Catch::Contains("did you mean `rtol`"));
  }
  folder.write("m.json", R"({"results": [{"tolerance": {"ulps": 1}}]})");
  CHECK_FALSE(case_of_snapshot(folder.write("m.snapshot.pb", ""), {}).ok());
}

TEST_CASE("a rule file beside the snapshot speaks for it") {
  const RulesFolder folder;
  folder.write("m.json",
               R"({"results": [{"tolerance": {"rtol": 0.5}}, {"tolerance": {"bits": true}}]})");
  const Result<Case> one = case_of_snapshot(folder.write("m.snapshot.pb", ""), {});
  REQUIRE(one.ok());
  CHECK(one->name == "m");
  REQUIRE(one->rules.size() == 2);
  CHECK(one->rules[0].rtol == 0.5);
  CHECK(one->rules[1].bits);
}

TEST_CASE("a file beside the snapshot that holds no rules speaks for none") {
  const RulesFolder folder;
  for (const char* text : {"", "no json", "[]", "7", "{}", R"({"results": []})",
                           R"({"results": [{}, 7, {"name": "a"}]})"}) {
    INFO(text);
    folder.write("m.json", text);
    const Result<Case> one = case_of_snapshot(folder.write("m.snapshot.pb", ""), {});
    REQUIRE(one.ok());
    CHECK(one->rules.empty());
  }
}

TEST_CASE("the bound of sums begins with two terms, and is finer for numbers of 64 bits") {
  const auto bound = [](const Literal& expected, int64_t terms) {
    return default_rule(expected, terms).atol;
  };
  const Literal single = Literal::scalar<float>(PrimitiveType::kF32, 2),
                pair = Literal::scalar<std::complex<float>>(PrimitiveType::kC64, {2, 0}),
                fine = Literal::scalar<double>(PrimitiveType::kF64, 2),
                fine_pair = Literal::scalar<std::complex<double>>(PrimitiveType::kC128, {2, 0});
  CHECK(bound(single, 1) == 0);
  CHECK(bound(single, 2) == Approx(std::sqrt(2.0) * 0x1p-23).margin(0));
  CHECK(bound(pair, 4) == Approx(2 * 0x1p-23).margin(0));
  CHECK(bound(fine, 4) == Approx(2 * 0x1p-52).margin(0));
  CHECK(bound(fine_pair, 4) == Approx(2 * 0x1p-52).margin(0));
  CHECK(bound(Literal::scalar<int32_t>(PrimitiveType::kS32, 2), 4) == 0);
}

TEST_CASE("broken indices are refused") {
  const RulesFolder folder;
  CHECK(read_index(folder.write("x", "no json")).error().kind == DiagnosticKind::kFormat);
  CHECK(read_index(folder.write("x", "[]")).error().kind == DiagnosticKind::kFormat);
  for (const char* row : {"{}", "7", "[]", R"({"name": 7})", R"({"names": "a"})"})
    CHECK(read_index(folder.write("x", cat(R"({"cases": [)", row, "]}"))).error().message ==
          "case 0 has no name");
  CHECK(read_index("no/such/file").error().kind == DiagnosticKind::kFile);
}

TEST_CASE("known gaps are of the index's folder, and the line of a stale one is named") {
  const RulesFolder folder;
  const std::string index =
      folder.write("index.json", R"({"cases": [{"name": "a", "tolerance": {}}]})");
  const std::string here = fs::path(index).parent_path().filename().string();
  const Result<std::vector<Case>> cases = read_index(index);
  REQUIRE(cases.ok());
  const std::string known = "# chip\n\nelsewhere b no room\n" + here + " a  no such op\n";
  const Result<KnownGaps> gaps = read_known_gaps(folder.write("gaps", known), index, *cases);
  REQUIRE(gaps.ok());
  CHECK(*gaps == KnownGaps{{"a", "no such op"}});
  const auto line_of = [&](const std::string& more) {
    const Result<KnownGaps> read =
        read_known_gaps(folder.write("gaps", known + more), index, *cases);
    REQUIRE(!read.ok());
    CHECK(read.error().kind == DiagnosticKind::kFormat);
    return read.error().location.line;
  };
  CHECK(line_of(here + " b gone\n") == 5);
  CHECK(line_of("\n" + here + " a\n") == 6);
}

TEST_CASE("without rules integers are exact and floats near") {
  const Literal integers = Literal::scalar<int32_t>(PrimitiveType::kS32, 1000000);
  CHECK(compare_results(integers, integers, {}).empty());
  CHECK(!compare_results(Literal::scalar<int32_t>(PrimitiveType::kS32, 1000001), integers, {})
             .empty());
  const Literal floats = Literal::scalar<float>(PrimitiveType::kF32, 1.0f);
  CHECK(
      compare_results(Literal::scalar<float>(PrimitiveType::kF32, 1.000005f), floats, {}).empty());
  CHECK(
      !compare_results(Literal::scalar<float>(PrimitiveType::kF32, 1.00002f), floats, {}).empty());
  CHECK(compare_results(Literal::make_tuple({floats}), floats, {}).empty());
  CHECK(compare_results(Literal::make_tuple({floats, floats}), floats, {}) ==
        "2 results instead of 1");
}

TEST_CASE("a list of rules has one for each result") {
  const auto f32 = [](float x) { return Literal::scalar<float>(PrimitiveType::kF32, x); };
  const hlo::CompareRule exact{.exact = true}, near{.rtol = 1e-2};
  const Literal expected = Literal::make_tuple({f32(1), f32(1)});
  const Literal first = Literal::make_tuple({f32(1.001f), f32(1)}),
                second = Literal::make_tuple({f32(1), f32(1.001f)});
  CHECK(!compare_results(first, expected, {exact, near}).empty());
  CHECK(compare_results(second, expected, {exact, near}).empty());
  CHECK(compare_results(first, expected, {near, exact}).empty());
  CHECK(!compare_results(second, expected, {near, exact}).empty());
  // One rule is for all; a list that is too short leaves the others to the default.
  CHECK(compare_results(first, expected, {near}).empty());
  CHECK(compare_results(second, expected, {near}).empty());
  const Literal third = Literal::make_tuple({f32(1), f32(1), f32(1.001f)});
  CHECK(
      !compare_results(third, Literal::make_tuple({f32(1), f32(1), f32(1)}), {near, near}).empty());
}

}  // namespace
}  // namespace hlocc::driver
