// `compile` as a whole verb: folders of one target and of several, a target that is named twice, what
// is said, a rule for make, one file to stdout, and what an earlier compile left behind
// (driver/pipeline/verb_compile.cpp, shared_library.cpp, earlier_interface.cpp, load.cpp).
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/shared_library.h"
#include "driver/text_module.h"
#include "driver/verb_told.h"
#include "import/writer.h"
#include "support/temporary_folder.h"

namespace hlocc::driver {
namespace {

namespace fs = std::filesystem;

std::string sine_of(int elements) {
  return cat("HloModule m\nENTRY e {\n x = f32[", elements, "] parameter(0)\n ROOT y = f32[",
             elements, "] sine(x)\n}\n");
}

struct CompileFolder {
  tests::TemporaryFolder folder;
  std::string model = folder.write("kws.hlo", sine_of(2)), out = folder.path() + "/out";

  Told compile(const std::string& flags) const {
    return told_by("compile " + model + " --backend c -o " + out + flags);
  }
  bool has(const std::string& name) const { return fs::exists(out + "/" + name); }
  std::string text(const std::string& name) const {
    std::ifstream file(folder.path() + "/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_CASE("one target's files lie in the folder, those of several in folders of their own") {
  const std::string m4 = " --target cortex-m4f", m0 = " --target cortex-m0";
  const CompileFolder one, twice, several;
  CHECK(one.compile(m4).code == kExitDone);
  CHECK(one.has("kws.c"));
  CHECK(twice.compile(m4 + m4).code == kExitDone);
  CHECK(twice.has("kws.c"));
  CHECK_FALSE(twice.has("cortex-m4f"));
  CHECK(several.compile(m4 + m0).code == kExitDone);
  CHECK(several.has("cortex-m4f/kws.c"));
  CHECK(several.has("cortex-m0/kws.h"));
  CHECK_FALSE(several.has("kws.c"));
  const Told none = one.compile(" --target no-such");
  CHECK(none.code == 2);
  CHECK(none.errors.starts_with("hlocc: error[target]: --target no-such"));
  CHECK(one.compile(m4 + " --print-after no-such").code == 2);
}

TEST_CASE("a compile says its sizes, as lines or as JSON, unless it is to be quiet") {
  const CompileFolder folder;
  const std::string target = " --target cortex-m4f";
  const Told plain = folder.compile(target);
  CHECK(plain.out.starts_with("cortex-m4f: RAM "));
  CHECK(plain.line("build with it") == "build with it:");
  CHECK(folder.compile(target + " -q").out.empty());
  const Told json = folder.compile(target + " --json");
  CHECK(json.out.starts_with("{\n  \"schema\": 2,\n  \"models\": ["));
  CHECK(json.out.find("\"target\": \"cortex-m4f\"") != std::string::npos);
  CHECK(folder.compile(target).errors.find("total") == std::string::npos);
  CHECK(folder.compile(target + " --time-report").errors.find("total") != std::string::npos);
  const Told printed = folder.compile(target + " --print-after import");
  CHECK(printed.out.starts_with("HloModule"));
  CHECK(printed.out.find("RAM") == std::string::npos);
}

TEST_CASE("a backend makes what is not made of the module, of kernels or of figures") {
  using package::Emit;
  const std::vector<std::pair<Emit, std::set<ArtifactKind>>> rows = {
      {Emit::kHeader, {}},
      {Emit::kHloText, {}},
      {Emit::kKernelText, {}},
      {Emit::kReport, {}},
      {Emit::kLibrary, {ArtifactKind::kArchive}},
      {Emit::kObject, {ArtifactKind::kObject}},
      {Emit::kCSource, {ArtifactKind::kCSource}}};
  for (const auto& [emit, kinds] : rows) {
    INFO(static_cast<int>(emit));
    CHECK(artifacts_for({emit}) == kinds);
  }
  CHECK(artifacts_for({Emit::kHeader, Emit::kCSource, Emit::kReport}) ==
        std::set{ArtifactKind::kCSource});
}

TEST_CASE("the decisions of a compile are printed, and a backend that is none is named") {
  const CompileFolder folder;
  const std::string target = " --target cortex-m4f";
  const Told decisions = folder.compile(target + " --print-after decisions");
  CHECK(decisions.code == kExitDone);
  CHECK(decisions.out.find("arena ") != std::string::npos);
  CHECK(decisions.out.find("kept") != std::string::npos);
  CHECK(decisions.out.find("HloModule") == std::string::npos);
  const Told none =
      told_by("compile " + folder.model + " --backend nothing -o " + folder.out + target);
  CHECK(none.code == 2);
  CHECK(none.errors.find("--backend nothing: there is no such backend") != std::string::npos);
}

TEST_CASE("without -g no text is written beside a model, whatever files its layers name") {
  const CompileFolder folder;
  folder.folder.write("kws.hlo",
                      "HloModule m\nENTRY e {\n x = f32[2] parameter(0)\n ROOT y = f32[2] "
                      "sine(x), metadata={source_file=\"kws.hlo.txt\" source_line=3}\n}\n");
  for (const char* flags : {"", " -g"}) {
    CHECK(folder.compile(cat(" --target cortex-m4f", flags)).code == kExitDone);
    CHECK_FALSE(folder.has("kws.hlo.txt"));
  }
}

// A model that is no text, whose layer stands at this line of a program.
std::string write_proto(const CompileFolder& folder, const char* source) {
  const hlo::Module module = module_of_text(
      cat("HloModule m\nENTRY e {\n x = f32[2] parameter(0)\n ROOT y = f32[2] sine(x)", source,
          "\n}\n"));
  const hlo::Literal zeros = hlo::Literal::zeros(module.entry_result);
  return folder.folder.write("kws.pb", import::write_snapshot(module, {{zeros}, zeros}));
}

TEST_CASE("with -g the text of a model that has no lines of its own is written beside it") {
  for (const bool has_lines : {false, true}) {
    const CompileFolder folder;
    const std::string words = cat(
        "compile ",
        write_proto(folder, has_lines ? ", metadata={source_file=\"model.py\" source_line=3}" : ""),
        " --backend c --target cortex-m4f -g");
    CHECK(told_by(cat(words, " -o ", folder.out)).code == kExitDone);
    CHECK(folder.has("kws.hlo.txt") == !has_lines);
    // That would be a second file where there is to be one.
    const Told one = told_by(words + " -o - --emit c");
    CHECK(one.code == (has_lines ? kExitDone : 2));
    CHECK((one.errors.find("here are kws.c, kws.hlo.txt") == std::string::npos) == has_lines);
  }
}

TEST_CASE("what an earlier compile wrote is removed where that has a name and a folder") {
  const tests::TemporaryFolder folder;
  const auto left = [&](const std::string& model, const std::string& output) {
    for (const char* name : {"-/kws.o", "-/.o", "out/kws.o", "out/.o"})
      folder.write(name, std::string("old"));
    CommandLine line;
    line.models = {model};
    line.output = output;
    const std::filesystem::path before = fs::current_path();
    fs::current_path(folder.path());
    (void)remove_stale(line, error(DiagnosticKind::kFormat, "why"));
    fs::current_path(before);
    std::string out;
    for (const char* name : {"-/kws.o", "-/.o", "out/kws.o", "out/.o"})
      if (fs::exists(cat(folder.path(), "/", name))) out += cat(name, " ");
    return out;
  };
  CHECK(left("kws.pb", "out") == "-/kws.o -/.o out/.o ");
  CHECK(left("-", "out") == "-/kws.o -/.o out/kws.o out/.o ");
  CHECK(left("kws.pb", "-") == "-/kws.o -/.o out/kws.o out/.o ");
}

TEST_CASE("a rule for make is written where it is asked for") {
  const CompileFolder folder;
  const std::string rule = folder.folder.path() + "/kws.d";
  CHECK(folder.compile(" --target cortex-m4f").code == kExitDone);
  CHECK_FALSE(fs::exists(rule));
  CHECK(folder.compile(" --target cortex-m4f --depfile " + rule).code == kExitDone);
  const std::string text = folder.text("kws.d");
  CHECK(text.find(folder.out + "/kws.c") != std::string::npos);
  CHECK(text.find(folder.model) != std::string::npos);
}

TEST_CASE("one file goes to stdout, and several do not") {
  const CompileFolder folder;
  const std::string start = "compile " + folder.model + " --backend c --target cortex-m4f -o - ";
  const Told one = told_by(start + "--emit header");
  CHECK(one.code == kExitDone);
  CHECK(one.out.find("KWS_H") != std::string::npos);
  const Told both = told_by(start + "--emit c,header");
  CHECK(both.code == 2);
  CHECK(both.out.empty());
  CHECK(both.errors.find("writes one file of one target to the standard output") !=
        std::string::npos);
}

TEST_CASE("after a failure the library of an earlier compile is gone, in each target's folder") {
  const std::string m4 = " --target cortex-m4f", m0 = " --target cortex-m0";
  for (const std::string& targets : {m4, m4 + m0}) {
    const CompileFolder folder;
    const std::string place = targets == m4 ? "" : "cortex-m0/";
    // A library of that name, beside the header and the manifest of a compile.
    const auto compiled = [&](const std::string& name, const std::string& stem) {
      REQUIRE(folder.compile(targets + name).code == kExitDone);
      folder.folder.write(cat("out/", place, "lib", stem, ".a"), std::string("x"));
    };
    const auto failed = [&](const std::string& name) {
      const Told told = folder.compile(targets + name + " --ram 1");
      CHECK(told.code == kExitInput);
      return told.errors.find("note: what an earlier compile wrote is removed: ") !=
             std::string::npos;
    };
    compiled("", "kws");
    CHECK(failed(""));
    for (const char* gone : {"libkws.a", "kws.h", "kws.json"})
      CHECK_FALSE(folder.has(place + gone));
    CHECK_FALSE(failed(""));
    // By the name of the class, where that is given.
    const std::string named = " --name acme::Other";
    compiled(named, "other");
    CHECK_FALSE(failed(""));
    CHECK(folder.has(place + "libother.a"));
    CHECK(failed(named));
    CHECK_FALSE(folder.has(place + "libother.a"));
  }
}

TEST_CASE("a model of other arguments at the place of an earlier one is said, unless quiet") {
  const std::string target = " --target cortex-m4f";
  const auto said = [&](const std::string& flags) {
    const CompileFolder folder;
    REQUIRE(folder.compile(target).code == kExitDone);
    folder.folder.write("kws.hlo", sine_of(3));
    return folder.compile(target + flags).errors;
  };
  const std::string part =
      "kws.json was of Kws(x: f32[2]) -> (f32[2]) and is now of Kws(x: f32[3]) -> "
      "(f32[3]): code for the earlier one does not fit\n";
  CHECK(said("").find(part) != std::string::npos);
  CHECK(said(" -q").empty());
  CHECK(said(" --json").empty());
}

// Rows of `frames`, three at a time, summed over all windows.
const char* const kStreamModel = R"(HloModule m
add { a = f32[] parameter(0)
 b = f32[] parameter(1)
 ROOT r = f32[] add(a, b) }
ENTRY e {
 frames = f32[1,8,2,1] parameter(0)
 w = f32[3,1,1,1] constant({{{{1}}},{{{2}}},{{{3}}}})
 c = f32[1,6,2,1] convolution(frames, w), window={size=3x1 pad=0_0x0_0}, dim_labels=b01f_01io->b01f
 z = f32[] constant(0)
 ROOT s = f32[1,1] reduce(c, z), dimensions={1,2}, to_apply=add
})";

TEST_CASE("the state of a stream says how far its windows lie apart, where --every does") {
  const CompileFolder folder;
  folder.folder.write("kws.hlo", std::string(kStreamModel));
  const auto state = [&](const std::string& flags) {
    const Told told = folder.compile(" --target cortex-m4f --stream frames" + flags);
    INFO(told.errors);
    CHECK(told.code == kExitDone);
    const std::string manifest = folder.text("out/kws.json");
    const size_t at = manifest.find("\"state_bytes\": ");
    REQUIRE(at != std::string::npos);
    return manifest.substr(at, manifest.find(',', at) - at);
  };
  CHECK(state("") == "\"state_bytes\": 8");
  CHECK(state(" --every 1") == "\"state_bytes\": 12");
  CHECK(state(" --every 2") == "\"state_bytes\": 12");
}

TEST_CASE("an operand names a model where what is in front of = is a name of C") {
  struct Row {
    const char *word, *name, *path;
  };
  const Row rows[] = {{"kws.pb", "", "kws.pb"}, {"Kws=kws.pb", "Kws", "kws.pb"},
                      {"a/b=c", "", "a/b=c"},   {"=c", "", "=c"},
                      {"_a=", "_a", ""},        {"A=b=c", "A", "b=c"}};
  for (const Row& row : rows) {
    const ModelOperand operand = read_operand(row.word);
    CHECK(operand.name == row.name);
    CHECK(operand.path == row.path);
  }
}

}  // namespace
}  // namespace hlocc::driver
