// The manifest, the set of files by --emit, and writing them without halves.
#include <stdlib.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "models.h"
#include "package/file_set.h"
#include "package/library_files.h"
#include "package/manifest.h"
#include "package/names.h"
#include "package/writer.h"

namespace hlocc::package {
namespace {

namespace fs = std::filesystem;

Artifacts some_artifacts() {
  Artifacts artifacts;
  artifacts.files[ArtifactKind::kArchive] = {std::byte{'a'}};
  artifacts.files[ArtifactKind::kObject] = {std::byte{'o'}};
  artifacts.undefined = {"__aeabi_fadd", "memcpy"};
  artifacts.code_bytes = 100;
  artifacts.weights_bytes = 200;
  artifacts.stack_bytes = 300;
  return artifacts;
}

std::vector<std::string> names_of(const std::vector<File>& files) {
  std::vector<std::string> names;
  for (const File& file : files) names.push_back(file.name);
  return names;
}

TEST_CASE("the manifest has the keys of the contract") {
  const kernel::Signature signature = zoo_signature();
  Target target = *preset("cortex-m4f");
  const auto json = nlohmann::ordered_json::parse(
      write_manifest(signature, plan_of(signature), target, some_artifacts(), {}));
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  CHECK(keys == std::vector<std::string>{"schema",
                                         "arena_bytes",
                                         "arena_align",
                                         "state_bytes",
                                         "weights_bytes",
                                         "code_bytes",
                                         "stack_bytes",
                                         "stack_is_lower_bound",
                                         "model_weights_bytes",
                                         "weights_by_type",
                                         "arguments",
                                         "results",
                                         "calls",
                                         "undefined",
                                         "build",
                                         "target",
                                         "options",
                                         "input_sha256",
                                         "interface",
                                         "run_symbol",
                                         "version"});
  CHECK(json["arguments"][4].dump() ==
        R"({"index":4,"name":"h","type":"f32","shape":[4],"bytes":16,"donated":true,"hlo_name":"",)"
        R"("partner":0,"count":4,"layout":[0],"strides":[1],"c_type":"float",)"
        R"("c_type_per_element":1,"packed_bits":0,"align":4,"region":"state","offset":0,)"
        R"("consumed":false})");
  CHECK(json["arguments"][2]["layout"].dump() == "[0,1]");
  CHECK(json["arguments"][2]["strides"].dump() == "[1,2]");
  CHECK(json["arguments"][3]["c_type_per_element"] == 2);
  CHECK(json["arguments"][1]["packed_bits"] == 4);
  CHECK(json["results"][0]["partner"] == 4);
  CHECK(json["results"][1]["partner"].is_null());
  CHECK(json["run_symbol"] == "zoo_run_" + json["interface"].get<std::string>());
  CHECK(json["target"] == "cortex-m4f");
  CHECK(json["weights_bytes"] == 200);
  CHECK(json["undefined"].size() == 2);
}

TEST_CASE("the manifest says how many threads there may be") {
  const kernel::Signature signature = kws_signature();
  Target target = *preset("cortex-a53");
  for (const int threads : {1, 2, 4}) {
    target.options.threads = threads;
    const auto json = nlohmann::json::parse(
        write_manifest(signature, plan_of(signature), target, some_artifacts(), {}));
    CHECK(json["options"]["threads"] ==
          (threads > 1 ? nlohmann::json(threads) : nlohmann::json(false)));
  }
}

TEST_CASE("the manifest says how floats are passed") {
  const kernel::Signature signature = kws_signature();
  Target target = *preset("cortex-m4f");
  for (const auto& [abi, name] :
       {std::pair(FloatAbi::kDefault, "default"), std::pair(FloatAbi::kSoft, "soft"),
        std::pair(FloatAbi::kSoftfp, "softfp"), std::pair(FloatAbi::kHard, "hard")}) {
    target.float_abi = abi;
    const auto json = nlohmann::json::parse(
        write_manifest(signature, plan_of(signature), target, some_artifacts(), {}));
    CHECK(json["options"]["float_abi"] == name);
  }
}

TEST_CASE("the manifest says which parts and how many queues a device has") {
  const kernel::Signature signature = kws_signature();
  planning::Plan plan = plan_of(signature);
  plan.memories = {{96, 32}};
  plan.steps.push_back({kernel::Submit{.part = "kws_part_1", .queue = 2}, {}});
  plan.steps.push_back({kernel::Submit{.part = "kws_part_0", .queue = 0}, {}});
  const auto json = nlohmann::ordered_json::parse(
      write_manifest(signature, plan, *preset("cortex-m4f"), some_artifacts(), {}));
  CHECK(json["device"].dump() ==
        R"({"bytes":96,"align":32,"queues":3,"parts":["kws_part_0","kws_part_1"]})");
}

TEST_CASE("models share an arena that is large and aligned enough for each") {
  const kernel::Signature signature = kws_signature();
  planning::Plan large = plan_of(signature), strict = large;
  large.arena_bytes = 4096, large.arena_align = 16;
  strict.arena_bytes = 64, strict.arena_align = 64;
  for (const auto& [one, other] : {std::pair(&large, &strict), std::pair(&strict, &large)}) {
    const SharedArena arena = arena_of({{&signature, one, {}}, {&signature, other, {}}});
    CHECK(arena.bytes == 4096);
    CHECK(arena.align == 64);
  }
}

// As much of JSON Schema as docs/schemas/manifest.schema.json says; the keys that are not listed
// are errors, so that nothing is written that is not described.
class Schema {
 public:
  explicit Schema(nlohmann::json root) : root_(std::move(root)) {}

  void check(const nlohmann::json& value, const nlohmann::json& rule, const std::string& path) {
    INFO(path << ": " << value.dump());
    if (rule.contains("const")) CHECK(value == rule["const"]);
    if (rule.contains("enum")) CHECK(holds(rule["enum"], value));
    if (rule.contains("type")) CHECK(has_type(value, rule["type"]));
    if (rule.contains("minimum")) CHECK(value >= rule["minimum"]);
    if (rule.contains("pattern"))
      CHECK(std::regex_match(value.get<std::string>(),
                             std::regex(rule["pattern"].get<std::string>())));
    if (rule.contains("oneOf"))
      CHECK(std::count_if(rule["oneOf"].begin(), rule["oneOf"].end(), [&](const auto& one) {
              return std::all_of(one["required"].begin(), one["required"].end(),
                                 [&](const auto& key) { return value.contains(key); });
            }) == 1);
    if (rule.contains("items"))
      for (const nlohmann::json& item : value) check(item, rule["items"], path + "[]");
    check_keys(value, rule, path);
  }

 private:
  static bool holds(const nlohmann::json& list, const nlohmann::json& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
  }
  static bool has_type(const nlohmann::json& value, const nlohmann::json& type) {
    if (type.is_array())
      return std::any_of(type.begin(), type.end(),
                         [&](const auto& one) { return has_type(value, one); });
    if (type == "integer") return value.is_number_integer();
    return type == std::string(value.type_name());
  }

  // Rules of a leaf and those that an argument adds, as one list.
  nlohmann::json with_base(const nlohmann::json& rule) const {
    if (!rule.contains("$ref")) return rule;
    nlohmann::json all =
        with_base(root_[nlohmann::json::json_pointer(rule["$ref"].get<std::string>().substr(1))]);
    for (const auto& [key, value] : rule.items())
      if (all[key].is_array())
        all[key].insert(all[key].end(), value.begin(), value.end());
      else if (key != "$ref")
        all[key].update(value);
    return all;
  }

  void check_keys(const nlohmann::json& value, const nlohmann::json& given,
                  const std::string& path) {
    const nlohmann::json rule = with_base(given);
    if (!rule.contains("properties") || value.is_null()) return;
    for (const nlohmann::json& key : rule.value("required", nlohmann::json::array())) {
      INFO(key);
      CHECK(value.contains(key.get<std::string>()));
    }
    for (const auto& [key, member] : value.items()) {
      INFO(path << "." << key);
      REQUIRE(rule["properties"].contains(key));
      check(member, rule["properties"][key], path + "." + key);
    }
  }

  nlohmann::json root_;
};

TEST_CASE("the manifest is as its schema says") {
  std::ifstream file(std::string(HLOCC_TEST_DATA) + "/../../docs/schemas/manifest.schema.json");
  const nlohmann::json rules = nlohmann::json::parse(file);
  const kernel::Signature signature = zoo_signature();
  planning::Plan plan = plan_of(signature);
  add_user_call(plan);
  Target target = *preset("cortex-m4f");
  const auto manifest = nlohmann::json::parse(
      write_manifest(signature, plan, target, some_artifacts(), {std::string(64, 'a'), {"x"}}));
  Schema(rules).check(manifest, rules, "manifest");
  CHECK(
      manifest["calls"].dump() ==
      R"([{"operands":[{"count":4,"type":"f32"}],"results":[{"count":2,"type":"s32"}],"symbol":"my_filter"}])");
  // So is that of a library of two models.
  const kernel::Signature both = *make_library_signature("acme::Both");
  const Origin origin{std::string(64, 'b'), {}};
  const auto shared = nlohmann::json::parse(write_library_manifest(
      both, {{&signature, &plan, origin}, {&signature, &plan, origin}}, target, some_artifacts()));
  Schema(rules).check(shared, rules, "shared");
  CHECK(shared["models"].size() == 2);
  CHECK(shared["arena_bytes"] == manifest["arena_bytes"]);
  CHECK(shared["state_bytes"] == 2 * manifest["state_bytes"].get<int>());
  // Every key stands in the text, too.
  std::ifstream page(std::string(HLOCC_TEST_DATA) + "/../../docs/manifest.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  for (const auto& [key, value] : manifest.items())
    CHECK_THAT(text, Catch::Contains("`" + key + "`"));
  for (const auto& [key, value] : shared["models"][0].items())
    CHECK_THAT(text, Catch::Contains("`" + key + "`"));
  for (const auto& [key, value] : manifest["arguments"][0].items())
    CHECK_THAT(text, Catch::Contains("`" + key + "`"));
}

TEST_CASE("HLO's text is called as lines of it say") {
  CHECK(file_name(Emit::kHloText, "kws", {}) == kernel::hlo_text_file("kws"));
}

TEST_CASE("--emit decides about files") {
  const kernel::Signature signature = kws_signature();
  const planning::Plan plan = plan_of(signature);
  const Target target = *preset("cortex-m4f");
  Result<std::vector<File>> files =
      make_files(signature, plan, target, some_artifacts(), {Emit::kLibrary, Emit::kHeader});
  REQUIRE(files.ok());
  CHECK(names_of(*files) == std::vector<std::string>{"libkws.a", "kws.h", "kws.json"});
  files = make_files(signature, plan, target, some_artifacts(), {Emit::kObject});
  REQUIRE(files.ok());
  CHECK(names_of(*files) == std::vector<std::string>{"kws.o", "kws.json"});
  Artifacts microsoft = some_artifacts();
  microsoft.microsoft_names = true;
  files = make_files(signature, plan, target, microsoft, {Emit::kLibrary, Emit::kHeader});
  REQUIRE(files.ok());
  CHECK(names_of(*files) == std::vector<std::string>{"kws.lib", "kws.h", "kws.json"});
  planning::Plan calling = plan;
  add_user_call(calling);
  CHECK(make_files(signature, calling, target, some_artifacts(), {Emit::kHeader}).ok());
  std::get<kernel::UserCall>(calling.steps.back().what).symbol = "register";
  files = make_files(signature, calling, target, some_artifacts(), {Emit::kHeader});
  REQUIRE(!files.ok());
  CHECK(files.error().message.find("\"register\", which is a keyword") != std::string::npos);
  files = make_files(signature, plan, target, some_artifacts(), {Emit::kLlvmIr});
  REQUIRE(!files.ok());
  CHECK(files.error().kind == DiagnosticKind::kUnsupported);
}

TEST_CASE("files are written whole or not at all") {
  std::string pattern = (fs::temp_directory_path() / "hlocc_writer_XXXXXX").string();
  const fs::path folder = ::mkdtemp(pattern.data());
  const std::string deep = folder / "a" / "b";
  REQUIRE(write_files({{deep, {"x", {std::byte{'1'}}}}, {deep, {"empty", {}}}}).ok());
  CHECK(fs::file_size(folder / "a" / "b" / "x") == 1);
  CHECK(fs::file_size(folder / "a" / "b" / "empty") == 0);
  // By its path, in a folder that is there or made.
  REQUIRE(write_file(folder / "c" / "one", bytes_of("12")).ok());
  CHECK(fs::file_size(folder / "c" / "one") == 2);
  // A file stands where a folder should be: nothing new appears, nothing is left behind.
  const Status status = write_files({{deep, {"y", {std::byte{'2'}}}}, {deep + "/x", {"z", {}}}});
  REQUIRE(!status.ok());
  CHECK(status.error().kind == DiagnosticKind::kEnvironment);
  CHECK(std::distance(fs::directory_iterator(deep), fs::directory_iterator()) == 2);
  fs::remove_all(folder);
}

TEST_CASE("bytes that cannot be written are no success") {
  CHECK_FALSE(write_bytes("/nonexistent/x", bytes_of("1")));
  // What is buffered fails when the file is closed, what is large before.
  for (const size_t size : {size_t{1}, size_t{1} << 20})
    CHECK_FALSE(write_bytes("/dev/full", bytes_of(std::string(size, 'x'))));
  CHECK(write_bytes("/dev/null", bytes_of("1")));
}

TEST_CASE("files that hold what they should stay as they are, others are written anew") {
  std::string pattern = (fs::temp_directory_path() / "hlocc_writer_XXXXXX").string();
  const fs::path folder = ::mkdtemp(pattern.data());
  const auto put = [&](const std::string& bytes) {
    REQUIRE(write_file(folder / "x", bytes_of(bytes)).ok());
    std::ifstream file(folder / "x", std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  CHECK(put("abc") == "abc");
  const fs::file_time_type old = fs::file_time_type::clock::now() - std::chrono::hours(5);
  fs::last_write_time(folder / "x", old);
  CHECK(put("abc") == "abc");
  CHECK(fs::last_write_time(folder / "x") == old);
  for (const char* other : {"abd", "abb", "abcd", "ab", ""}) {
    CHECK(put(other) == other);
    CHECK(put("abc") == "abc");
  }
  fs::remove_all(folder);
}

TEST_CASE("what another --emit left behind is not linked") {
  std::string pattern = (fs::temp_directory_path() / "hlocc_writer_XXXXXX").string();
  const fs::path folder = ::mkdtemp(pattern.data());
  for (const char* name : {"libkws.a", "kws.lib", "kws.o", "kws.obj", "kws.h", "kws.json"})
    REQUIRE(write_file(folder / name, bytes_of("x")).ok());
  CHECK(remove_compiled(folder, "kws").size() == 4);
  for (const char* name : {"libkws.a", "kws.lib", "kws.o", "kws.obj"})
    CHECK_FALSE(fs::exists(folder / name));
  // Beside a manifest that is none of ours the header is somebody else's.
  CHECK((fs::exists(folder / "kws.h") && fs::exists(folder / "kws.json")));
  REQUIRE(write_file(folder / "kws.json", bytes_of("{\"run_symbol\": \"kws_run\"}")).ok());
  CHECK(remove_compiled(folder, "kws").empty());
  REQUIRE(write_file(folder / "libkws.a", bytes_of("x")).ok());
  CHECK(remove_compiled(folder, "kws") ==
        std::vector<std::string>{folder / "libkws.a", folder / "kws.h", folder / "kws.json"});
  fs::remove_all(folder);
}

TEST_CASE("depfiles escape what make would misread") {
  CHECK(make_depfile({"out/kws.h", "out/lib kws.a"}, {"a$b.pb"}) ==
        "out/kws.h out/lib\\ kws.a: a$$b.pb\n");
  CHECK(make_depfile({"run#2/kws.h"}, {"C:\\kws.pb"}) == "run\\#2/kws.h: C:\\\\kws.pb\n");
}

}  // namespace
}  // namespace hlocc::package
