// What is beside the code of a compile: files of a device's compiler, an earlier compile's interface,
// the lines of HLO text, windows of a stream, and what a chip's memories are
// (driver/pipeline/device_parts.cpp, earlier_interface.cpp, debug_text.cpp, windows.cpp,
// memories.cpp).
#include <catch2/catch.hpp>

#include "driver/pipeline/debug_text.h"
#include "driver/pipeline/device_parts.h"
#include "driver/pipeline/earlier_interface.h"
#include "driver/pipeline/memories.h"
#include "driver/pipeline/windows.h"
#include "driver/text_module.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using Artifact = device::DeviceArtifact;

std::string artifacts_told(const std::vector<Artifact>& made, DeviceParts* into = nullptr) {
  DeviceParts out;
  const Status status = add_artifacts(made, "p0", "npu", out);
  if (into != nullptr) *into = out;
  if (!status) return status.error().message;
  std::string text;
  for (const package::File& file : out.files) text += file.name + " ";
  return text;
}

TEST_CASE("files of a device's compiler end in what ends a file's name everywhere") {
  const char* const fine[] = {"a", "z", "0", "9", "_", "bin", "q_8", "abcdefghijklmnop"};
  for (const char* kind : fine) CHECK(artifacts_told({{kind, {}}}) == cat("p0.", kind, " "));
  // The letters beside those of each range.
  const char* const wrong[] = {"", "abcdefghijklmnopq", "`", "{", "/", ":", "A", "a.b", "^", "a b"};
  for (const char* kind : wrong)
    CHECK(artifacts_told({{kind, {}}}) ==
          cat("the compiler of npu makes a file of kind '", kind,
              "', which is no ending of a file, or makes it twice"));
  CHECK(artifacts_told({{"a", {}}, {"b", {}}}) == "p0.a p0.b ");
  CHECK(artifacts_told({{"a", {}}, {"a", {}}}).starts_with("the compiler of npu makes"));
}

TEST_CASE("one artifact of a part may be in the library, as whole words") {
  const auto bytes = [](std::initializer_list<int> all) {
    std::vector<std::byte> out;
    for (const int one : all) out.push_back(static_cast<std::byte>(one));
    return out;
  };
  DeviceParts parts;
  CHECK(artifacts_told({{"a", bytes({1, 0, 0, 0, 2}), true}, {"b", bytes({3})}}, &parts) ==
        "p0.b ");
  CHECK(parts.data["p0"] == std::vector<uint32_t>{1, 2});
  CHECK(artifacts_told({{"a", bytes({1, 0, 0, 0}), true}}, &parts).empty());
  CHECK(parts.data["p0"] == std::vector<uint32_t>{1});
  CHECK(artifacts_told({{"a", bytes({}), true}}, &parts).empty());
  CHECK(parts.data["p0"].empty());
  CHECK(artifacts_told({{"a", bytes({1}), true}, {"b", bytes({1}), true}})
            .starts_with("the compiler of npu makes a file of kind 'b'"));
  CHECK(artifacts_told({{"a", bytes({1}), true}, {"b", bytes({1}), false}}) == "p0.b ");
  CHECK(artifacts_told({{"a", bytes({}), true}, {"b", bytes({1}), true}}).empty());
}

// --- interfaces ---

std::string manifest_with(const std::string& leaves) {
  return cat(R"({"schema": 2, "options": {"name": "acme::Kws"}, "arguments": [)", leaves,
             R"(], "results": []})");
}

// What is said where `earlier` stands on the disk and `now` is written.
std::string change_told(const std::string& earlier, const std::string& now,
                        const char* name = "kws.json") {
  const tests::TemporaryFolder folder;
  folder.write(name, earlier);
  const std::vector<std::string> said =
      changed_interfaces({{folder.path(), {name, hlocc::bytes_of(now)}}});
  std::string text = join(said, "\n");
  if (const size_t at = text.find(folder.path()); at == 0) text.erase(0, folder.path().size() + 1);
  return text;
}

TEST_CASE("an interface that an earlier compile had is named where it was another") {
  const std::string one = R"({"name": "mfcc", "type": "f32", "shape": [1, 490], "donated": false})",
                    two = R"({"type": "s8", "shape": [], "donated": true})",
                    odd = R"({"name": 7, "type": "s8", "shape": [2], "donated": 1})";
  CHECK(change_told(manifest_with(one), manifest_with(one)).empty());
  CHECK(
      change_told(manifest_with(one), manifest_with(two)) ==
      "kws.json was of acme::Kws(mfcc: f32[1,490]) -> () and is now of acme::Kws(s8[] donated) -> "
      "()");
  CHECK(change_told(manifest_with(odd), manifest_with(one))
            .starts_with("kws.json was of acme::Kws(s8[2]) -> () and is"));
  CHECK(change_told(manifest_with(one + ", " + two), manifest_with(""))
            .starts_with("kws.json was of acme::Kws(mfcc: f32[1,490], s8[] donated) -> () and is"));
  // No manifest, and no file.
  for (const char* none : {"", "x", "[]", "{}", R"({"schema": 2})", R"({"options": {}})",
                           R"({"schema": 2, "options": []})"})
    CHECK(change_told(none, manifest_with(one)).empty());
  CHECK(change_told(manifest_with(one), manifest_with(two), "kws.h").empty());
  CHECK(changed_interfaces({{"/nowhere", {"kws.json", hlocc::bytes_of(manifest_with(one))}}})
            .empty());
  // A library of several.
  const std::string several =
      R"({"schema": 2, "options": {"name": "L"}, "models": [{"name": "A", "arguments": [)" + one +
      R"(], "results": []}, {"name": "B", "arguments": [], "results": [)" + two + "]}]}";
  CHECK(
      change_told(several, manifest_with(two))
          .starts_with("kws.json was of A(mfcc: f32[1,490]) -> (), B() -> (s8[] donated) and is"));
}

TEST_CASE("four hundred letters of an interface are shown") {
  for (const size_t letters : {399, 400, 401}) {
    const std::string around = "acme::Kws(f[]) -> ()";
    const std::string type(letters - around.size() + 1, 'f');
    const std::string leaf = cat(R"({"shape": [], "type": ")", type, R"("})");
    const std::string whole = cat("acme::Kws(", type, "[]) -> ()");
    REQUIRE(whole.size() == letters);
    CHECK(change_told(manifest_with(leaf), manifest_with("")) ==
          cat("kws.json was of ", letters > 400 ? whole.substr(0, 400) + "..." : whole,
              " and is now of acme::Kws() -> ()"));
  }
}

// --- lines of HLO text ---

TEST_CASE("with -g a module has its own lines, or those of the text that is written") {
  const hlo::Module text =
      module_of_text("HloModule m\nENTRY e {\n ROOT x = f32[2] parameter(0)\n}\n");
  hlo::Module first = text, none = text;
  first.entry_computation().instructions[0].line = 1;
  none.entry_computation().instructions[0].line = 0;
  REQUIRE(text.entry_computation().instructions[0].line > 0);
  struct Row {
    const hlo::Module& module;
    bool debug, writes_text, is_numbered;
  };
  const Row rows[] = {{text, false, false, false}, {text, false, true, false},
                      {none, false, false, false}, {text, true, false, false},
                      {text, true, true, true},    {first, true, false, false},
                      {none, true, false, true},   {none, true, true, true}};
  for (const Row& row : rows) {
    Target target;
    target.options.debug = row.debug;
    std::set<package::Emit> emit = {package::Emit::kHeader};
    if (row.writes_text) emit.insert(package::Emit::kHloText);
    const std::optional<hlo::Module> numbered = with_printed_lines(row.module, target, emit);
    CHECK(numbered.has_value() == row.is_numbered);
    if (numbered) CHECK(numbered->entry_computation().instructions[0].line > 0);
  }
}

TEST_CASE("text is shown where a layer is at a line of it") {
  const kernel::Signature signature{.stem = "kws"};
  const std::string file = kernel::hlo_text_file("kws");
  const auto shows = [&](const std::vector<std::string>& sources) {
    kernel::Step step{.what = kernel::Copy{}};
    for (const std::string& source : sources) step.origin.source.push_back({source, "", 1});
    return shows_text({kernel::Step{.what = kernel::Copy{}}, step}, signature);
  };
  CHECK_FALSE(shows({}));
  CHECK(shows({file}));
  CHECK_FALSE(shows({"model.py"}));
  CHECK_FALSE(shows({"model.py", file}));
}

// --- windows and memories ---

TEST_CASE("windows of a stream lie as far apart as the last --every says") {
  CommandLine line;
  CHECK(window_spacing(line) == 0);
  line.given["--every"] = {};
  CHECK(window_spacing(line) == 0);
  line.given["--every"] = {"1"};
  CHECK(window_spacing(line) == 1);
  line.given["--every"] = {"1", "3"};
  CHECK(window_spacing(line) == 3);
  // Without it nothing is noted in the module.
  const auto notes = [&](std::vector<std::string> every) {
    hlo::Module module =
        module_of_text("HloModule m\nENTRY e {\n ROOT x = f32[2] parameter(0)\n}\n");
    line.given["--every"] = std::move(every);
    space_windows(line, module);
    return module.entry_computation().instructions[0].frontend_attributes.size();
  };
  CHECK(notes({}) == 0);
  CHECK(notes({"1"}) == 1);
}

TEST_CASE("sizes of memories that are left out are the chip's") {
  const auto filled = [](std::vector<MemoryOption> memories, const char* chip) -> std::string {
    Target target;
    target.name = chip;
    const Status status = fill_memories(memories, target);
    if (!status) return status.error().to_string();
    std::string out;
    for (const MemoryOption& one : memories) out += cat(one.name, ":", one.bytes, " ");
    return out;
  };
  CHECK(filled({{"ccm", 0}, {"sram", 0}}, "stm32f407vg") == "ccm:65536 sram:131072 ");
  CHECK(filled({{"ccm", 1}, {"sram", 2}}, "stm32f407vg") == "ccm:1 sram:2 ");
  CHECK(filled({{"fast", 1}, {"slow", 2}}, "cortex-m4f") == "fast:1 slow:2 ");
  CHECK(
      filled({{"fast", 1}, {"slow", 0}}, "cortex-m4f") ==
      "hlocc: error[usage]: --memory slow: it is not known how large that is on cortex-m4f\nnote: "
      "--memory slow:64K says it\n");
  CHECK(filled({{"fast", 0}}, "stm32f407vg").find("\nnote: the memories of stm32f407vg are ") !=
        std::string::npos);
}

}  // namespace
}  // namespace hlocc::driver
