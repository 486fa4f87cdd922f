// What a file of `hlocc matrix` means: its cells by name, or the line that is wrong and why
// (driver/matrix/spec.cpp, draft.cpp, draft_rules.cpp, located_json.cpp); what moved between two
// runs (gates.cpp) and what several shards come to (merge.cpp).
#include "driver/matrix/spec.h"

#include <catch2/catch.hpp>

#include "driver/matrix/gates.h"
#include "driver/matrix/merge.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// A folder for the file m.json and for those that it extends.
class MatrixFolder {
 public:
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  Result<MatrixSpec> read(const std::string& text) const {
    write("m.json", text);
    return read_matrix(cat(folder_.path(), "/m.json"), "");
  }
  // Paths without the folder.
  std::string bare(std::string text) const {
    const std::string folder = folder_.path() + "/";
    for (size_t at = 0; (at = text.find(folder)) != std::string::npos;)
      text.erase(at, folder.size());
    return text;
  }

 private:
  tests::TemporaryFolder folder_;
};

// The cells' names, or "LINE: MESSAGE" and notes.
std::string cells_of(const MatrixFolder& folder, const std::string& text) {
  const Result<MatrixSpec> spec = folder.read(text);
  if (!spec) {
    const Diagnostic& why = spec.error();
    std::string out = cat(why.location.line, ": ", why.message);
    for (const std::string& note : why.notes) out += "; " + note;
    return folder.bare(out.substr(0, out.find("; a target is a preset")));
  }
  std::vector<std::string> out;
  for (const MatrixCell& cell : spec->cells) out.push_back(cell.id());
  return join(out, " ");
}

// A matrix of the model "a" on the host, with more members.
std::string with(const std::string& more) {
  return cat(R"({"models": {"a": "a.pb"}, "targets": ["host"])", more.empty() ? "" : ",\n", more,
             "}");
}

TEST_CASE("cells of a matrix are models by targets by axes") {
  const MatrixFolder folder;
  const std::pair<std::string, std::string> rows[] = {
      {with(""), "a/host"},
      {R"({"models": {"a": "a.pb", "b": "b.pb"}, "targets": ["host", "cortex-m0"]})",
       "a/host a/cortex-m0 b/host b/cortex-m0"},
      {with(R"("axes": {"O": ["s", 3], "fast-math": [true, false]})"),
       "a/host/O=s/fast-math=true a/host/O=s/fast-math=false a/host/O=3/fast-math=true "
       "a/host/O=3/fast-math=false"},
      {with(R"("axes": {"O": ["s", "z"]}, "exclude": [{"O": "s"}])"), "a/host/O=z"},
      {with(R"("axes": {"O": ["s", "z"]}, "exclude": [{"O": "?"}])"),
       "0: has no cells: no models, no targets, or all excluded"},
      {with(R"("exclude": [{"model": "b*"}])"), "a/host"},
      {with(R"("exclude": [{"model": "a", "target": "cortex*"}])"), "a/host"},
      {R"({"models": {"a": "a.pb"}})", "0: has no cells: no models, no targets, or all excluded"},
      {R"({"targets": ["host"]})", "0: has no cells: no models, no targets, or all excluded"},
      // The last of a name counts, and stands last.
      {R"({"models": {"a": "a.pb"}, "targets": ["host", "cortex-m0", {"target": "host"}]})",
       "a/cortex-m0 a/host"},
      // An inclusion adds flags to cells, or is a cell of its own.
      {with(R"("include": [{"model": "a", "O": "s"}])"), "a/host"},
      {with(R"("include": [{"model": "a", "target": "cortex-m0"}])"), "a/host a/cortex-m0"},
      {with(R"("axes": {"O": ["s"]}, "include": [{"model": "a", "target": "host", "O": "z"}])"),
       "a/host/O=s a/host/O=z"},
      {with("\"include\": [\n{\"model\": \"b\"}]"),
       "3: no cell is like that, and a cell of its own has a \"model\" and a \"target\""},
      {with("\"include\": [\n{\"target\": \"cortex-m0\"}]"),
       "3: no cell is like that, and a cell of its own has a \"model\" and a \"target\""},
      {with("\"include\": [\n{\"model\": \"zebra\", \"target\": \"host\"}]"),
       "3: there is no model 'zebra'; models are a"},
      // Files of one name in one folder.
      {R"({"models": {"a": "x.pb", "b": "x.pb"}, "targets": ["host"]})",
       "1: a/host and b/host would both write matrix/host/x.h; give one of the models another "
       "\"name\", or what they differ in an axis"},
      {R"({"models": {"a": "x.pb", "b": {"path": "x.pb", "name": "B"}}, "targets": ["host"]})",
       "a/host b/host"},
  };
  for (const auto& [text, cells] : rows) {
    INFO(text);
    CHECK(cells_of(folder, text) == cells);
  }
}

TEST_CASE("what is no matrix is told with its line") {
  const MatrixFolder folder;
  const std::string flag = "' is a string, a number, true or false, or several in an array, not ";
  const std::pair<std::string, std::string> rows[] = {
      {"[]", "1: is an array; a matrix is an object"},
      {"\n7", "2: is a number; a matrix is an object"},
      {with("\"model\": {}"), "2: there is no 'model' here; did you mean `models`?"},
      {with("\"zzz\": {}"),
       "2: there is no 'zzz' here; there are $schema, extends, output, models, targets, axes, "
       "options, include, exclude, verify, gates"},
      {with("\"$schema\": 7"), "a/host"},
      {with("\"output\": 7"), "2: 'output' is a folder, not a number"},
      {with("\"output\": \"\""), "2: 'output' is a folder, not a string"},
      {"{\"models\": []}", "1: 'models' is an object of models by name, not an array"},
      {"{\"models\": {\"\": \"a\"}}", "1: '': a model's name is of letters, digits and . _ -"},
      {"{\"models\": {\"a/b\": \"a\"}}",
       "1: 'a/b': a model's name is of letters, digits and . _ -"},
      {R"({"models": {"a_b-c.1": "x"}, "targets": ["host"]})", "a_b-c.1/host"},
      {"{\"models\": {\"a\": 7}}", "1: 'a' is a file, or an object with a \"path\""},
      {"{\"models\": {\"a\": \"\"}}", "1: 'a' is a file, or an object with a \"path\""},
      {"{\"models\": {\"a\": {\"path\": 7}}}", "1: 'path' is a file, not a number"},
      {"{\"models\": {\"a\": {\"path\": \"x\", \"verify\": \"y\"}}}",
       "1: 'verify' is an array of strings, not a string"},
      {"{\"models\": {\"a\": {\"path\": \"x\", \"verify\": [7]}}}",
       "1: 'verify' is an array of strings, not a number"},
      {"{\"models\": {\"a\": {\"path\": \"x\", \"verify\": [\"\"]}}}",
       "1: 'verify' is an array of strings, not a string"},
      {"{\"targets\": {}}", "1: 'targets' is an array, not an object"},
      {"{\"targets\": [7]}", "1: a target is its name, or an object with a \"target\""},
      {"{\"targets\": [{}]}", "1: a target is its name, or an object with a \"target\""},
      {"{\"targets\": [{\"target\": 7}]}", "1: 'target' is a string, not a number"},
      {"{\"targets\": [\n\"host\",\n\"cortex-m44\"], \"models\": {\"a\": \"a\"}}",
       "3: --target cortex-m44: there is no such target; did you mean `cortex-m4`?"},
      {with("\"axes\": []"), "2: 'axes' is an object of arrays, not an array"},
      {with("\"axes\": {\"O\": \"s\"}"), "2: 'O' is an array of values, not a string"},
      {with("\"axes\": {\"O\": []}"), "2: 'O' is an array of values, not an array"},
      {with("\"options\": []"), "2: 'options' is an object of flags, not an array"},
      {with("\"options\": {\"O\": \"\"}"), "2: 'O" + flag + "a string"},
      {with("\"options\": {\"O\": null}"), "2: 'O" + flag + "null"},
      {with("\"options\": {\"target\": \"host\"}"), "2: 'target' is no option of a cell"},
      {with("\"options\": {\"shared-arena\": true}"), "2: 'shared-arena' is no option of a cell"},
      {with("\"options\": {\"o\": \"x\"}"), "2: 'o' is no option of a cell"},
      {with("\"options\": {\"json\": true}"), "2: 'json' is no option of a cell"},
      {with("\"options\": {\"O\": \"9\"}"), "2: -O9: levels are -O0 -O1 -O2 -O3 -Os -Oz"},
      {with("\"options\": {\"O\": false}"), "a/host"},
      {with("\"options\": {\"profile\": true,\n\"optimise\": \"ram\"}"),
       "3: `hlocc compile` has no flag --optimise; did you mean `--optimize`?"},
      {with("\"options\": {\"profile\": true,\n\"x\": true}"),
       "3: `hlocc compile` has no flag -x; `hlocc compile --help` lists the flags"},
      {with("\"axes\": {\"O\": [\"s\"],\n\"ra\": [\"4K\"]}"),
       "3: `hlocc compile` has no flag --ra; did you mean `--ram`?"},
      {with("\"include\": {}"), "2: 'include' is an array of objects, not an object"},
      {with("\"include\": [7]"), "2: 'include' is of objects, not a number"},
      {with("\"exclude\": {}"), "2: 'exclude' is an array of objects, not an object"},
      {with("\"exclude\": [7]"), "2: 'exclude' is of objects, not a number"},
      {with("\"exclude\": [{\"O\": \"s\"}]"), "2: there is no 'O' here; there are model, target"},
      {with("\"exclude\": [{\"model\": []}]"), "2: 'model' is a string or a number, not an array"},
      {with("\"include\": [{\"model\": \"a\", \"verify\": 7}]"),
       "2: 'verify' is true or false, not a number"},
      {with("\"verify\": 1"), "2: 'verify' is true or false, not a number"},
      {with("\"gates\": []"), "2: 'gates' is an object of percentages, not an array"},
      {with("\"gates\": {\"rom\": 1}"), "2: there is no 'rom' here; did you mean `ram`?"},
      {with("\"gates\": {\"ram\": \"1\"}"), "2: 'ram' is a percentage, not a string"},
      {with("\"gates\": {\"ram\": -1}"), "2: 'ram' is a percentage, not a number"},
      {with("\"gates\": {\"ram\": 0}"), "a/host"},
      {with("\"extends\": \"x\""), "2: 'extends' is an array of files, not a string"},
      {with("\"extends\": [7]"), "2: 'extends' is an array of files, not a number"},
      {with("\"extends\": [\"\"]"), "2: 'extends' is an array of files, not a string"},
      {with("\"verify\": true,\n\"verify\": true"), "3: 'verify' stands there twice"},
  };
  for (const auto& [text, told] : rows) {
    INFO(text);
    CHECK(cells_of(folder, text) == told);
  }
  CHECK(cells_of(folder, "{\n\"a\": ").starts_with("2: is no JSON: "));
  std::string deep = "1";
  for (int i = 0; i < 31; ++i) deep = cat("[", deep, "]");
  CHECK(cells_of(folder, with(cat("\"$schema\": ", deep))) == "a/host");
  CHECK(cells_of(folder, with(cat("\"$schema\": [", deep, "]"))) ==
        "2: is nested deeper than 32 levels");
}

TEST_CASE("flags of a cell: options, then the model's, the target's, the axes' and inclusions") {
  const MatrixFolder folder;
  const Result<MatrixSpec> spec = folder.read(R"({
    "output": "out",
    "models": {"a": {"path": "a.pb", "O": "1", "verify": true}, "b": {"path": "/b.pb",
      "verify": ["x.pb", "/y.pb"]}, "c": {"path": "c.pb", "verify": false}},
    "targets": ["host", {"target": "cortex-m0", "O": "2"}],
    "options": {"O": "0", "profile": true, "arg": {"0": "x", "1": "y"}, "result": ["0=r"]},
    "axes": {"ram-budget": ["1K", "2K"]},
    "include": [{"model": "b", "O": "z"}, {"model": "c", "target": "host", "verify": true}],
    "exclude": [{"target": "cortex-m0", "ram-budget": "2K"}]})");
  INFO((spec ? "" : spec.error().to_string()));
  REQUIRE(spec);
  std::vector<std::string> out;
  for (const MatrixCell& cell : spec->cells)
    out.push_back(folder.bare(cat(cell.id(), " ", level_name(cell.line.options.level), " ",
                                  cell.line.options.ram_budget, " ", cell.line.output, " ",
                                  join(cell.snapshots, ","))));
  CHECK(out == std::vector<std::string>{
                   "a/host/ram-budget=1K -O1 1024 out/host/ram-budget-1K a.pb",
                   "a/host/ram-budget=2K -O1 2048 out/host/ram-budget-2K a.pb",
                   "a/cortex-m0/ram-budget=1K -O2 1024 out/cortex-m0/ram-budget-1K a.pb",
                   "b/host/ram-budget=1K -Oz 1024 out/host/ram-budget-1K x.pb,/y.pb",
                   "b/host/ram-budget=2K -Oz 2048 out/host/ram-budget-2K x.pb,/y.pb",
                   "b/cortex-m0/ram-budget=1K -Oz 1024 out/cortex-m0/ram-budget-1K x.pb,/y.pb",
                   "c/host/ram-budget=1K -O0 1024 out/host/ram-budget-1K c.pb",
                   "c/host/ram-budget=2K -O0 2048 out/host/ram-budget-2K c.pb",
                   "c/cortex-m0/ram-budget=1K -O2 1024 out/cortex-m0/ram-budget-1K "});
  const CommandLine& line = spec->cells[0].line;
  CHECK(line.options.profile);
  CHECK(line.compile.argument_names == std::map<std::string, std::string>{{"0", "x"}, {"1", "y"}});
  CHECK(line.compile.result_names.at("0") == "r");
  // -o of the command line overrules the file's; without both it is "matrix".
  folder.write("m.json", with(""));
  CHECK(folder.read(with(""))->cells[0].line.output == "matrix/host");
}

TEST_CASE("files of a matrix that extend others") {
  const MatrixFolder folder;
  folder.write("base.json", R"({"models": {"a": "a.pb", "b": "b.pb"}, "targets": ["host"],
                                "gates": {"ram": 5, "flash": 7}, "verify": true})");
  CHECK(cells_of(folder, R"({"extends": ["base.json"]})") == "a/host b/host");
  CHECK(cells_of(folder, R"({"extends": ["base.json"], "models": {"c": "c.pb"}})") ==
        "a/host b/host c/host");
  const Result<MatrixSpec> spec =
      folder.read(R"({"verify": false, "gates": {"ram": 6.5}, "extends": ["base.json"]})");
  REQUIRE(spec);
  CHECK(spec->gates.ram == 6.5);
  CHECK(spec->gates.flash == 7);
  CHECK_FALSE(spec->gates.stack);
  CHECK(spec->cells[0].snapshots.empty());
  CHECK(spec->files.size() == 2);
  CHECK(folder.read(R"({"extends": ["base.json"]})")->cells[0].snapshots.size() == 1);
  CHECK(cells_of(folder, "{\n\"extends\": [\"m.json\"]}") ==
        "2: m.json extends itself: m.json, which extends m.json");
  folder.write("other.json", R"({"extends": ["m.json"]})");
  CHECK(cells_of(folder, R"({"extends": ["other.json"]})") ==
        "1: m.json extends itself: m.json, which extends other.json, which extends m.json");
  // Twice is no circle.
  folder.write("other.json", R"({"extends": ["base.json"]})");
  CHECK(cells_of(folder, R"({"extends": ["other.json", "base.json"]})") == "a/host b/host");
}

// --- what moved ---

CellResult cell_of(const char* id, double ram, std::vector<CellLayer> layers = {}) {
  CellResult out;
  out.id = id;
  out.status = CellStatus::kCompiled;
  out.sizes = {{"ram_bytes", ram}, {"stack_bytes", nullptr}, {"expected_cycles", 1000}};
  out.layers = std::move(layers);
  return out;
}

TEST_CASE("a gate of a matrix breaks beyond its percentage") {
  const auto broken = [](double before, double after, double gate) {
    return broken_gates({cell_of("a", before)}, {cell_of("a", after)}, {.ram = gate});
  };
  CHECK(broken(100, 105, 5).empty());
  CHECK(broken(100, 106, 5) == std::vector<std::string>{"a: RAM grew from 100 to 106, +6.0 %"});
  CHECK(broken(100, 90, 0).empty());
  CHECK(broken(100, 101, 0).size() == 1);
  CHECK(broken(0, 1, 50) == std::vector<std::string>{"a: RAM grew from 0 to 1, +0.0 %"});
  CHECK(broken_gates({cell_of("a", 1)}, {cell_of("a", 9)}, {.flash = 1}).empty());
  CHECK(broken_gates({cell_of("b", 1)}, {cell_of("a", 9)}, {.ram = 1}).empty());
  CellResult failed = cell_of("a", 1);
  failed.status = CellStatus::kFailed;
  CHECK(broken_gates({failed}, {cell_of("a", 9)}, {.ram = 1}).empty());
  CHECK(broken_gates({cell_of("a", 1)}, {failed}, {.ram = 1}).empty());
}

TEST_CASE("results with other bits break a gate, where both are known") {
  const auto told = [](const char* before, const char* after) {
    CellResult a = cell_of("a", 1), b = cell_of("a", 1);
    a.verdict = CellVerdict{"passed", "", before};
    b.verdict = CellVerdict{"passed", "", after};
    return join(broken_gates({a}, {b}, {}), "") + difference_text({a}, {b}, 0);
  };
  CHECK(told("x", "x") == "nothing moved\n");
  CHECK(told("x", "") == "nothing moved\n");
  CHECK(told("", "x") == "nothing moved\n");
  CHECK(told("x", "y") ==
        "a: results have other bits than the baseline'sa: results have other bits\n");
}

TEST_CASE("what moved between two runs, with the layers behind it") {
  const std::vector<CellResult> before = {
      cell_of("a", 100, {{"conv", 10, 5}, {"conv", 20, 5}, {"gone", 0, 7}}), cell_of("b", 1)};
  const std::vector<CellResult> after = {
      cell_of("a", 110, {{"conv", 10, 5}, {"conv", 50, 4}, {"new", 3, 0}}), cell_of("c", 1)};
  CHECK(difference_text(before, after, 0) ==
        "cell    figure  before  after    change\n"
        "a       RAM        100    110   +10.0 %\n"
        "  conv  cycles      20     50  +150.0 %\n"
        "  gone  flash        7      0  -100.0 %\n"
        "  new   cycles       0      3          \n"
        "  conv  flash        5      4   -20.0 %\n"
        "c: new\nb: gone\n");
  CHECK(difference_text(before, before, 0) == "nothing moved\n");
  CHECK(difference_text({}, {cell_of("c", 1)}, 0) == "c: new\n");
  std::vector<CellLayer> old, now;
  for (int i = 0; i < 9; ++i)
    old.push_back({cat("l", i), 1, 1}), now.push_back({cat("l", i), 2, 1});
  const std::string many = difference_text({cell_of("a", 1, old)}, {cell_of("a", 1, now)}, 0);
  CHECK(many.find("  l7 ") != std::string::npos);
  CHECK(many.find("  l8 ") == std::string::npos);
  CHECK(many.find("  and 1 more") != std::string::npos);
  old.pop_back(), now.pop_back();
  CHECK(difference_text({cell_of("a", 1, old)}, {cell_of("a", 1, now)}, 0).find("more") ==
        std::string::npos);
  const nlohmann::ordered_json json = difference_json(before, after);
  CHECK(json["cells"].dump() == R"([{"id":"a","figure":"RAM","before":100.0,"after":110.0}])");
  CHECK(json["new"].dump() == R"(["c"])");
  CHECK(json["gone"].dump() == R"(["b"])");
  CHECK(json["layers"].size() == 4);
  CHECK(json["layers"][0].dump() ==
        R"({"layer":"conv","figure":"cycles","before":20.0,"after":50.0,"id":"a"})");
}

TEST_CASE("shards of a matrix make one report") {
  CellResult left = cell_of("a", 1), done = cell_of("a", 2), alone = cell_of("b", 3);
  left.status = CellStatus::kLeftOut;
  const auto statuses = [](const MatrixReport& report) {
    std::string out;
    for (const CellResult& cell : report.cells) out += cat(cell.id, " ", name_of(cell.status), ";");
    return out;
  };
  CHECK(statuses(merged({{{left, alone}}, {{done}}})) == "a compiled;b compiled;");
  CHECK(statuses(merged({{{done}}, {{left, alone}}})) == "a compiled;b compiled;");
  CHECK(statuses(merged({{{left}}})) == "a left out;");
  CHECK(merged({{{done}, {"x"}}, {{}, {"y"}}}).broken_gates == std::vector<std::string>{"x", "y"});
  // The shard of a cell has to be among the reports.
  left.shard = done.shard = 1;
  CHECK(statuses(merged({{{left}, {}, 0}, {{done}, {}, 1}})) == "a compiled;");
  const MatrixReport missing = merged({{{left}, {}, 0}});
  CHECK(statuses(missing) == "a failed;");
  CHECK(missing.cells[0].failure->message == "no report of shard 1");
}

}  // namespace
}  // namespace hlocc::driver
