// `hlocc run` as a whole, in the interpreter: what it prints and which files it writes; and what is
// told of a file that is no plug-in (driver/run/verb_run.cpp, plugin.cpp).
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "driver/captured_output.h"
#include "driver/cli/verbs.h"
#include "driver/run/plugin.h"
#include "support/require.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

class RunFolder {
 public:
  RunFolder() {
    line_.models = {folder_.write(
        "m.hlo", std::string("HloModule m\nENTRY e {\n  a = s32[2] constant({1, 2})\n  b = pred[] "
                             "constant(true)\n  ROOT t = (s32[2], pred[]) tuple(a, b)\n}\n"))};
    line_.backend = "interpreter";
  }
  CommandLine& line() { return line_; }
  // Of the file in the folder; empty: none.
  void output(const std::string& name) {
    line_.output = name.empty() ? "" : folder_.path() + "/" + name;
  }
  std::string run() const {
    const tests::CapturedOutput captured(stdout);
    CHECK(tests::require(verb_run(line_)) == 0);
    return captured.text();
  }
  bool has(const std::string& name) const {
    return std::filesystem::is_regular_file(folder_.path() + "/" + name);
  }
  void make(const std::string& name) const {
    std::filesystem::create_directory(folder_.path() + "/" + name);
  }

 private:
  tests::TemporaryFolder folder_;
  CommandLine line_;
};

TEST_CASE("results are printed where no file is asked for, or where both are") {
  RunFolder folder;
  const std::string printed = folder.run();
  CHECK(std::ranges::count(printed, '\n') == 2);
  CHECK(printed.find("s32[2]") != std::string::npos);
  folder.output("r.bin");
  CHECK(folder.run().empty());
  CHECK(folder.has("r.bin"));
  folder.line().print = true;
  CHECK(folder.run() == printed);
}

TEST_CASE("a folder gets an array a file, a file the literal") {
  RunFolder folder;
  folder.make("there");
  for (const char* name : {"there", "there/", "new/"}) {
    INFO(name);
    folder.output(name);
    CHECK(folder.run().empty());
    const std::string inside = cat(std::string(name), "/");
    CHECK(folder.has(inside + "result0.npy"));
    CHECK(folder.has(inside + "result1.npy"));
    CHECK_FALSE(folder.has(inside + "result2.npy"));
  }
  folder.output("new.npy");
  CHECK(folder.run().empty());
  CHECK(folder.has("new.npy"));
}

TEST_CASE("results as JSON, with values where nothing is written or both are asked for") {
  RunFolder folder;
  folder.line().json = true;
  const auto told = [&] {
    const auto json = nlohmann::json::parse(folder.run());
    CHECK(json["results"].size() == 2);
    CHECK(json["results"][0]["shape"] == "s32[2]{0}");
    CHECK(json["files"].size() == (folder.line().output.empty() ? 0 : 1));
    return json["results"][0].contains("values");
  };
  CHECK(told());
  folder.output("r.bin");
  CHECK_FALSE(told());
  folder.line().print = true;
  CHECK(told());
}

TEST_CASE("a file that is no plug-in is the fault of who named it, a broken one the machine's") {
  const tests::TemporaryFolder folder;
  const auto kind = [&](const std::string& path) {
    const std::unique_ptr<device::PlatformManager> manager = make_platforms();
    const auto loaded = find_platform(*manager, {.plugin = path});
    REQUIRE_FALSE(loaded.ok());
    CHECK(loaded.error().message.starts_with("--plugin: "));
    return loaded.error().kind;
  };
  CHECK(kind(folder.path() + "/none.so") == DiagnosticKind::kFile);
  CHECK(kind(folder.write("text.so", std::string("some text"))) == DiagnosticKind::kFile);
  CHECK(kind(folder.write("empty.so", std::string())) == DiagnosticKind::kFile);
  CHECK(kind(folder.write("cut.so", std::string("\x7f"
                                                "EL"))) == DiagnosticKind::kFile);
  CHECK(kind(folder.write("elf.so", std::string("\x7f"
                                                "ELF and no more"))) ==
        DiagnosticKind::kEnvironment);
}

}  // namespace
}  // namespace hlocc::driver
