// What the names of targets and the flags beside them come to: presets with another core, rows that
// a user's own compiler serves, chips with their memories, names that are none, and the files that
// each backend makes (driver/pipeline/targets.cpp).
#include "driver/pipeline/targets.h"

#include <catch2/catch.hpp>

#include "support/require.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using ChangeOfLine = std::function<void(CommandLine&)>;

Result<Target> resolved(const std::string& name, const ChangeOfLine& change) {
  CommandLine line;
  change(line);
  return resolve_target(name, line);
}

const ChangeOfLine kNoFlags = [](CommandLine&) {};
const ChangeOfLine kCpu = [](CommandLine& line) { line.has_cpu = true, line.cpu = "cortex-m7"; };
const ChangeOfLine kFeatures = [](CommandLine& line) {
  line.has_features = true, line.features = "+dsp";
};
const ChangeOfLine kAbi = [](CommandLine& line) { line.float_abi = FloatAbi::kSoft; };

std::string refusal_of(const std::string& name, const ChangeOfLine& change = kNoFlags) {
  const Result<Target> target = resolved(name, change);
  return target ? "" : target.error().message;
}

ChangeOfLine backend_of(const char* backend) {
  return [backend](CommandLine& line) { line.backend = backend; };
}

TEST_CASE("what is no target is told what was meant, where one instruction set is near") {
  CHECK(refusal_of("") == "--target : there is no such target");
  CHECK(find_target("").error().message == "--target : there is no such target");
  const auto meant = [](const char* name) -> std::string {
    const Result<Target> target = resolved(name, kNoFlags);
    REQUIRE_FALSE(target);
    CHECK(target.error().message == cat("--target ", name, ": there is no such target"));
    const std::string note = target.error().notes[0];
    return note.starts_with("did you mean") ? note : "";
  };
  CHECK(meant("cortex-m4g") == "did you mean `cortex-m4`?");
  CHECK(meant("wasm33") == "did you mean `wasm32`?");
  CHECK(meant("nothing-like-it").empty());
  // As near are those of other versions of one instruction set.
  CHECK(meant("cortex-m9") == "did you mean `cortex-m0`?");
  CHECK(meant("arm11v7-linux") == "did you mean `armv7-linux`?");
}

TEST_CASE("a row that a compiler of the user's serves takes no flags of LLVM's") {
  const std::string taken =
      "--cpu, --features and --float-abi change nothing in C: xtensa-lx106 is compiled by a "
      "compiler of yours, which takes them";
  for (const ChangeOfLine& change : {kCpu, kFeatures, kAbi})
    CHECK(refusal_of("xtensa-lx106", change) == taken);
  CHECK(refusal_of("xtensa-lx106").empty());
  CHECK(refusal_of("xtensa-lx106", backend_of("c")).empty());
  CHECK(refusal_of("xtensa-lx106", backend_of("cpu")) ==
        "--backend cpu: xtensa-lx106 is served by --backend c alone");
}

TEST_CASE("a chip is its core with its memories, unless a budget stands for them") {
  struct Row {
    int64_t ram, flash, ram_bytes, flash_bytes;
  };
  const Row rows[] = {
      {-1, -1, 128 << 10, 1 << 20}, {0, -1, 0, 1 << 20}, {-1, 0, 128 << 10, 0}, {1, 2, 1, 2}};
  for (const Row& row : rows) {
    const Target target = tests::require(resolved("stm32f407vg", [&](CommandLine& line) {
      line.budgets.ram = row.ram, line.budgets.flash = row.flash;
    }));
    CHECK(target.ram_bytes == row.ram_bytes);
    CHECK(target.flash_bytes == row.flash_bytes);
    CHECK(target.name == "stm32f407vg");
  }
}

TEST_CASE("several memories are for processors that have them, and backends that know them") {
  const auto memories = [](const char* backend, bool weights) -> ChangeOfLine {
    return [=](CommandLine& line) {
      line.backend = backend;
      line.options.memories = {{"fast", 64}, {"slow", 64}};
      if (weights) line.options.weights_memory = "fast";
    };
  };
  CHECK(refusal_of("cortex-m4f", memories("c", false)).empty());
  CHECK(refusal_of("cortex-m4f", memories("c", true)).empty());
  CHECK(refusal_of("cortex-m4f", memories("vulkan", false)) ==
        "--memory: the backend vulkan knows one arena");
  CHECK(refusal_of("cortex-m4f", backend_of("vulkan")).empty());
  CHECK(refusal_of("avr-mega2560", memories("c", false)).empty());
  CHECK(refusal_of("avr-mega2560", memories("c", true)) ==
        "--weights-in: avr-mega2560 reads weights by instructions of flash alone");
  CHECK(refusal_of("cortex-m4f", [](CommandLine& line) {
          line.options.memories = {{"fast", 64}, {"slow", 0}};
        }) == "--memory slow: it is not known how large that is on cortex-m4f");
}

std::string files_text(const std::set<package::Emit>& files) {
  std::string out;
  for (const package::EmitInfo& row : package::emit_table())
    if (files.contains(row.emit)) out += cat(row.name, " ");
  return out;
}

TEST_CASE("each backend makes its first kind of file, and a header where it has one") {
  const std::pair<const char*, const char*> rows[] = {
#ifdef HLOCC_LLVM
      {"cpu", "lib header "},
#endif
      {"c", "header c "},
      {"interpreter", ""},
      {"host", ""},
      {"none", ""}};
  for (const auto& [backend, files] : rows) {
    Target target;
    target.backend = backend;
    INFO(backend);
    CHECK(files_text(default_files(target)) == files);
    CommandLine line;
    CHECK(emitted_files(line, target) == default_files(target));
    line.compile.has_emit = true;
    line.compile.emit = {package::Emit::kHloText};
    CHECK(files_text(emitted_files(line, target)) == "hlo ");
  }
}

#ifdef HLOCC_LLVM

std::string isa_text(const Target& target) {
  std::string out;
  for (const IsaInfo& info : kIsaTable)
    if (target.has(info.isa)) out += cat(info.name, " ");
  return out;
}

TEST_CASE("a preset keeps its name with another core, and a triple is asked of LLVM") {
  const Target plain = tests::require(resolved("cortex-m4f", kNoFlags)),
               other = tests::require(resolved("cortex-m4f", kCpu)),
               more = tests::require(resolved("cortex-m4f", kFeatures)),
               soft = tests::require(resolved("cortex-m4f", kAbi)),
               triple = tests::require(resolved("thumbv7em-none-eabi", kCpu));
  CHECK(plain.cpu == "cortex-m4");
  CHECK(plain.float_abi == FloatAbi::kHard);
  CHECK(other.cpu == "cortex-m7");
  CHECK(more.cpu == "cortex-m4");
  CHECK(more.features.ends_with("+dsp"));
  CHECK_FALSE(plain.features.ends_with("+dsp"));
  CHECK(soft.float_abi == FloatAbi::kSoft);
  for (const Target& target : {other, more, soft}) {
    CHECK(target.name == "cortex-m4f");
    CHECK(target.board == plain.board);
  }
  CHECK(triple.name == "thumbv7em-none-eabi");
  CHECK(triple.cpu == "cortex-m7");
  // A triple that LLVM knows is no misspelt preset.
  const std::string refused = refusal_of("thumbv7em-none-eabi", [](CommandLine& line) {
    line.has_cpu = true, line.cpu = "no-such-cpu";
  });
  CHECK_FALSE(refused.empty());
  CHECK(refused.find("there is no such target") == std::string::npos);
  CHECK(resolved("host", kNoFlags)->name == "host");
}

TEST_CASE("the backend c knows of the chip what C can say") {
  const Target own = tests::require(resolved("cortex-m55", kNoFlags)),
               in_c = tests::require(resolved("cortex-m55", backend_of("c"))),
               walked = tests::require(resolved("cortex-m55", backend_of("interpreter")));
  CHECK(own.backend == "cpu");
  CHECK_FALSE(isa_text(own).empty());
  CHECK(in_c.backend == "c");
  CHECK(isa_text(walked).empty());
  const Target board =
      tests::require(resolved("cortex-m4f", [](CommandLine& line) { line.board = "my-board"; }));
  CHECK(board.board == "my-board");
}

#endif

}  // namespace
}  // namespace hlocc::driver
