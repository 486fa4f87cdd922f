// --config: what a file may say, how its mistakes are located, what overrules it.
#include "driver/cli/config.h"

#include <CLI/CLI.hpp>
#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "driver/cli/command_line.h"
#include "driver/cli/command_tree.h"
#include "driver/doctor/doctor.h"
#include "support/temporary_folder.h"

namespace hlocc::driver {
namespace {

// A file with this content, for as long as it lives.
class ConfigFile {
 public:
  explicit ConfigFile(const std::string& text) : path_(folder_.write("config.json", text)) {}
  const std::string& path() const { return path_; }

 private:
  tests::TemporaryFolder folder_;
  std::string path_;
};

Result<CommandLine> parse(const std::string& text, std::vector<const char*> more = {}) {
  const ConfigFile file(text);
  std::vector<const char*> words = {"hlocc", "compile", "m.pb", "--config", file.path().c_str()};
  words.insert(words.end(), more.begin(), more.end());
  return parse_command_line(static_cast<int>(words.size()), words.data());
}

CommandLine accepted(const std::string& text, std::vector<const char*> more = {}) {
  Result<CommandLine> line = parse(text, std::move(more));
  INFO((line.ok() ? "" : line.error().to_string()));
  REQUIRE(line.ok());
  return *line;
}

void check_refused(const std::string& text, int line, const std::string& told) {
  const Result<CommandLine> parsed = parse(text);
  INFO(text);
  REQUIRE(!parsed.ok());
  INFO(parsed.error().to_string());
  CHECK(parsed.error().location.line == line);
  CHECK(parsed.error().location.file.ends_with(".json"));
  CHECK(parsed.error().to_string().find(told) != std::string::npos);
}

TEST_CASE("a file says what flags say") {
  const CommandLine line = accepted(R"({
    "$schema": "config.schema.json",
    "name": "acme::Kws", "target": ["cortex-m4f", "host"], "features": "-a,+b", "float-abi": "softfp",
    "O": "s", "emit": ["lib", "asm"], "arg": {"0": "mfcc", "1": "gain"}, "result": ["0=probs"],
    "keep-arguments": true, "no-winograd": false, "weights-section": ".flash2"
  })");
  CHECK(line.models == std::vector<std::string>{"m.pb"});
  CHECK(line.options.name == "acme::Kws");
  CHECK(line.targets == std::vector<std::string>{"cortex-m4f", "host"});
  CHECK(line.features == "-a,+b");
  CHECK(line.float_abi == FloatAbi::kSoftfp);
  CHECK(line.options.level == Level::kOs);
  CHECK(line.compile.emit ==
        std::set<package::Emit>{package::Emit::kLibrary, package::Emit::kAssembly});
  CHECK(line.compile.argument_names.at("1") == "gain");
  CHECK(line.compile.result_names.at("0") == "probs");
  CHECK(line.options.keep_arguments);
  CHECK(line.options.winograd);
  CHECK(line.options.weights_section == ".flash2");
  CHECK(accepted("{}").targets.empty());
  CHECK(accepted(R"({"O": 3})").options.level == Level::kO3);
}

TEST_CASE("the command line overrules the file") {
  const char* text = R"({"target": ["cortex-m4f", "host"], "O": "s", "name": "A"})";
  const CommandLine line = accepted(text, {"--target", "rv32imc", "-O1"});
  CHECK(line.targets == std::vector<std::string>{"rv32imc"});
  CHECK(line.options.level == Level::kO1);
  CHECK(line.options.name == "A");
}

TEST_CASE("there is one file at most") {
  const ConfigFile file(R"({"name": "A"})");
  const Result<CommandLine> twice = parse("{}", {"--config", file.path().c_str()});
  REQUIRE(!twice.ok());
  CHECK(twice.error().message == "--config is given twice");
}

TEST_CASE("mistakes are located") {
  check_refused("{\n \"name\": \"A\",\n \"tagret\": \"host\"\n}", 3, "did you mean `target`?");
  check_refused("{\n\n \"keep-arguments\": \"yes\"}", 3, "is true or false");
  check_refused("{\n \"name\": [\"A\"]}", 2, "is a string or a number, not an array");
  check_refused("{\n \"name\": true}", 2, "is a string or a number");
  check_refused("{\n \"name\": \"\"}", 2, "'name' is empty");
  check_refused("{\n \"name\": null}", 2, "not null");
  check_refused("{\n \"arg\": {\"0\": {\"1\": \"x\"}}}", 2, "not an object");
  check_refused("{\n \"target\": [[\"host\"]]}", 2, "not an array");
  check_refused("{\n \"target\": {\"a\": \"b\"}}", 2, "not an object");
  check_refused("{\n \"name\": \"A\",\n \"name\": \"B\"}", 3, "twice");
  check_refused("{\n \"depfile\": \"d\"}", 2, "belongs on the command line");
  check_refused("{\n \"name\": \"A\"\n \"O\": 2}", 3, "is no JSON");
  check_refused("[\n1]", 1, "a config file is an object");
  check_refused("", 1, "is no JSON");
  // What only the flag's own check finds.
  check_refused("{\n \"emit\": [\"lib\",\n \"haeder\"]}", 3, "did you mean `header`?");
  check_refused("{\n \"O\": 9}", 2, "levels are");
  check_refused("{\n \"O\": 9\n\n}", 2, "levels are");
  check_refused("{\n \"arg\":\n {\"-1\": \"y\"}}", 3, "--arg -1=y");
  check_refused("{\n \"weights-section\": \"a b\"}", 2, "no assembler");
}

TEST_CASE("each kind of value where it has no place, and beside it where it has one") {
  for (const char* whole : {"\"x\"", "3", "-3", "2.5", "true", "null"})
    check_refused(whole, 1, "a config file is an object of options");
  check_refused("{\n \"target\": [true]}", 2,
                "'target' is a string or an array of strings, not true");
  check_refused("{\n \"target\": [null]}", 2, "not null");
  check_refused("{\n \"target\": [{\"a\": \"b\"}]}", 2, "not an object");
  check_refused("{\n \"target\": [\"\"]}", 2, "'target' is empty");
  check_refused("{\n \"arg\": {\"0\": true}}", 2, "'arg' is an object of names, not true or false");
  check_refused("{\n \"arg\": {\"0\": [\"x\"]}}", 2, "not an array");
  check_refused("{\n \"arg\": {\"0\": \"\"}}", 2, "'0' is empty");
  check_refused("{\n \"keep-arguments\": 3}", 2, "is true or false, not a number");
  check_refused("{\n \"keep-arguments\": [true]}", 2, "is true or false, not an array");
  check_refused("{\n \"keep-arguments\": {}}", 2, "is true or false, not an object");
  check_refused("{\n \"$schema\": null}", 2, "'$schema' is a string, not null");
  check_refused("{\n \"$schema\": [1]}", 2, "'$schema' is a string, not an array");
  check_refused("{\n \"$schema\": {}}", 2, "'$schema' is a string, not an object");
  check_refused("{\n \"zzzzzz\": 1}", 2, "options are ");
  check_refused("{\n \"MODEL\": \"m.pb\"}", 2, "there is no option 'MODEL'");
  check_refused("{\n \"arg\": [{\"0\": \"x\"}]}", 2, "not an object");
  check_refused("{\"O\": 9\n}", 1, "levels are");
  for (const char* any : {"3", "-3", "2.5", "true", "\"\""})
    CHECK(accepted(std::string("{\"$schema\": ") + any + ", \"name\": \"A\"}").options.name == "A");
  // What follows an array or an object is an option again.
  CHECK(accepted(R"({"target": ["host"], "name": "A", "emit": ["lib"]})").options.name == "A");
  CHECK(accepted(R"({"arg": {"0": "x"}, "name": "A"})").options.name == "A");
  CHECK(accepted(R"({"arg": {"0": 7}})").compile.argument_names.at("0") == "7");
}

TEST_CASE("nesting without end is refused") {
  constexpr int kDeep = 200000;
  const auto repeat = [](std::string_view piece) {
    std::string out;
    for (int i = 0; i < kDeep; ++i) out += piece;
    return out;
  };
  for (const char* piece : {"[", "{\"arg\":", "{\"name\":[", "{\"$schema\":{"}) {
    check_refused(repeat(piece), 1, "");
    CHECK(!read_manifest(repeat(piece), "m.json").ok());
    CHECK(!read_header(repeat(piece), "m.h").ok());
  }
  // A manifest is read whole, whatever stands in what is none of ours.
  std::string deep = "{\"x\":";
  for (int i = 0; i < kDeep; ++i) deep += "[";
  for (int i = 0; i < kDeep; ++i) deep += "]";
  CHECK(read_manifest(deep + "}", "m.json").ok());
}

TEST_CASE("later errors find their line too") {
  const std::vector<ConfigValue> values = {{"--target", "cortex-m44", {"c.json", 3}},
                                           {"--cpu", "cortex-a53", {"c.json", 4}}};
  const auto line_of = [&](const std::string& message) {
    return locate_in_config(error(DiagnosticKind::kTarget, message), values).location.line;
  };
  CHECK(line_of("--target cortex-m44: there is no such target") == 3);
  CHECK(line_of("the processor 'cortex-a53' is of armv8-a") == 4);
  CHECK(line_of("--cpu: something") == 4);
  CHECK(line_of("--cpu") == 4);
  CHECK(line_of("--cpu other: there is none") == 4);
  CHECK(line_of("--cpus") == 0);
  // A flag without a value is quoted by no pair of quotes.
  CHECK(locate_in_config(error(DiagnosticKind::kTarget, "the name '' is none"),
                         {{"--keep-arguments", "", {"c.json", 3}}})
            .location.line == 0);
  CHECK(line_of("another matter") == 0);
  CHECK(locate_in_config(error(DiagnosticKind::kFile, "--target").at({"m.pb", 0}), values)
            .location.file == "m.pb");
}

TEST_CASE("the schema lists what a file may say") {
  std::ifstream file(HLOCC_TEST_DATA "/../../docs/schemas/config.schema.json");
  const nlohmann::json schema = nlohmann::json::parse(file);
  CHECK(schema["additionalProperties"] == false);
  std::set<std::string> described;
  for (const auto& [key, row] : schema["properties"].items()) {
    CHECK(row.contains("description"));
    if (key != "$schema") described.insert(key);
  }
  CommandLine line;
  CommandTexts texts;
  CLI::App app;
  build_command_tree(app, line, texts);
  const std::vector<std::string> keys = config_keys(*app.get_subcommand("compile"));
  CHECK(described == std::set<std::string>(keys.begin(), keys.end()));
}

}  // namespace
}  // namespace hlocc::driver
