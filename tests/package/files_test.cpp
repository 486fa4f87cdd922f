// The manifest, the set of files by --emit, and writing them without halves.
#include <stdlib.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "models.h"
#include "package/file_set.h"
#include "package/manifest.h"
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
      write_manifest(signature, plan_of(signature), target, some_artifacts()));
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  CHECK(keys == std::vector<std::string>{"arena_bytes", "arena_align", "state_bytes",
                                         "weights_bytes", "code_bytes", "stack_bytes", "arguments",
                                         "results", "undefined", "target", "options", "version"});
  CHECK(json["arguments"][4].dump() ==
        R"({"index":4,"name":"h","type":"f32","shape":[4],"bytes":16,"donated":true})");
  CHECK(json["target"] == "cortex-m4f");
  CHECK(json["weights_bytes"] == 200);
  CHECK(json["undefined"].size() == 2);
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
  // A file stands where a folder should be: nothing new appears, nothing is left behind.
  const Status status = write_files({{deep, {"y", {std::byte{'2'}}}}, {deep + "/x", {"z", {}}}});
  REQUIRE(!status.ok());
  CHECK(status.error().kind == DiagnosticKind::kFile);
  CHECK(std::distance(fs::directory_iterator(deep), fs::directory_iterator()) == 2);
  fs::remove_all(folder);
}

TEST_CASE("depfiles escape what make would misread") {
  CHECK(make_depfile({"out/kws.h", "out/lib kws.a"}, "a$b.pb") ==
        "out/kws.h out/lib\\ kws.a: a$$b.pb\n");
}

}  // namespace
}  // namespace hlocc::package
