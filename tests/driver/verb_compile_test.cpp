// `compile` as a whole verb: folders of one target and of several, a target that is named twice, what
// is said, a rule for make, one file to stdout, and what an earlier compile left behind
// (driver/pipeline/verb_compile.cpp, shared_library.cpp, earlier_interface.cpp, load.cpp).
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <functional>

#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/shared_library.h"
#include "driver/pipeline/targets.h"
#include "driver/text_module.h"
#include "driver/verb_told.h"
#include "package/names.h"
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
  CHECK(one.compile(" --target no-such").code == 2);
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

// Two convolutions, whose picture between them need not be there as a whole.
std::string convolutions() {
  const auto nested = [](std::vector<int> sizes) {
    int next = 0;
    const std::function<std::string(size_t)> part = [&](size_t at) -> std::string {
      if (at == sizes.size()) return cat(next++ % 7);
      std::vector<std::string> parts;
      for (int i = 0; i < sizes[at]; ++i) parts.push_back(part(at + 1));
      return cat("{", join(parts, ","), "}");
    };
    return part(0);
  };
  return cat("HloModule m\nENTRY e {\n y = f32[1,8,8,2] parameter(0)\n v = f32[1,1,2,8] constant(",
             nested({1, 1, 2, 8}), ")\n w = f32[3,3,8,2] constant(", nested({3, 3, 8, 2}),
             ")\n e = f32[1,8,8,8] convolution(y, v), window={size=1x1}, "
             "dim_labels=b01f_01io->b01f\n ROOT p = f32[1,8,8,2] convolution(e, w), "
             "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f\n}\n");
}

TEST_CASE("less RAM has its price among the lines of a compile, where it was asked for") {
  const CompileFolder folder;
  folder.folder.write("kws.hlo", convolutions());
  const std::string begin = "cortex-m4f: arena ", target = " --target cortex-m4f";
  CHECK(folder.compile(target).line(begin) == "none");
  const std::string price = folder.compile(target + " --optimize=ram").line(begin);
  CHECK(price.find(" bytes for 2560: ") != std::string::npos);
}

TEST_CASE("what comes to the program of an earlier attempt is not tried again") {
  const CompileFolder folder;
  folder.folder.write("kws.hlo", convolutions());
  const std::pair<const char*, const char*> rows[] = {
      {"--optimize=ram", "as it comes; loops over rows; more rows at a time"},
      {"--ram-budget 1400",
       "as it comes; rows in strips; loops over rows, to the budget; loops over rows, to the "
       "budget"},
      {"--ram-budget 1", "as it comes; rows in strips; loops over rows, to the budget"},
      {"--memory fast:1K,slow:1K", "as it comes; rows in strips; loops over rows"},
      {"--stream y=1", "as it comes; another end of the streamed chain"}};
  for (const auto& [flags, moves] : rows) {
    INFO(flags);
    const Told told = folder.compile(cat(" --target cortex-m4f --print-after decisions ", flags));
    std::vector<std::string> tried;
    for (const std::string& one : split(told.out, '\n'))
      if (const size_t end = one.find(" ("); end != std::string::npos)
        tried.push_back(one.substr(0, end));
    CHECK(join(tried, "; ") == moves);
  }
}

TEST_CASE("windows of a stream that follow one another are counted in its instance") {
  const CompileFolder folder;
  folder.folder.write("kws.hlo", std::string("HloModule m\nENTRY e {\n x = f32[4,2] parameter(0)\n "
                                             "ROOT y = f32[4,2] sine(x)\n}\n"));
  const auto instance = [&](const char* flags) {
    const std::string line =
        folder.compile(cat(" --target cortex-m4f --stream x", flags)).line("cortex-m4f: RAM");
    return line.substr(line.find("instance"), 11);
  };
  CHECK(instance("") == "instance 24");
  CHECK(instance(" --every 1") == "instance 32");
  CHECK(instance(" --every 2") == "instance 32");
}

TEST_CASE("launches are split for two threads, and not for one") {
  const CompileFolder folder;
  const auto is_split = [&](const char* threads) {
    const std::string flags = cat(" --target cortex-m4f --time-report --threads ", threads);
    return folder.compile(flags).errors.find("\nsplit ") != std::string::npos;
  };
  CHECK_FALSE(is_split("1"));
  CHECK(is_split("2"));
}

TEST_CASE("how few rows a model can do with is asked where it is shown, and not of streams") {
  Target target = tests::require(find_target("cortex-m4f"));
  target.options.stem = "kws";
  const hlo::Module module = module_of_text(convolutions());
  const auto is_known = [&](bool wants, std::optional<StreamOption> stream) {
    target.options.stream = std::move(stream);
    const kernel::Signature signature =
        tests::require(package::make_signature(module, target.options));
    Watch watch;
    watch.wants_row_floor = wants;
    return tests::require(plan_module(module, signature, target, watch)).row_floor.has_value();
  };
  CHECK(is_known(true, {}));
  CHECK_FALSE(is_known(false, {}));
  CHECK_FALSE(is_known(true, StreamOption{0, 1}));
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
