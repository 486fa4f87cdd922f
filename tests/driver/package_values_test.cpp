// What a package's templates are filled with, and which files are in it: layouts and arrays of
// crates, values of its test from a snapshot, from files or drawn, orders of bytes, boards
// (driver/packages/rust_values.cpp, golden.cpp, values.cpp, files.cpp, spec.cpp).
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "driver/packages/golden.h"
#include "driver/packages/rust_values.h"
#include "driver/text_module.h"
#include "driver/verb_told.h"
#include "import/npy.h"
#include "support/temporary_folder.h"

namespace hlocc::driver {
namespace {

using hlo::Literal, hlo::PrimitiveType;

// --- crates ---

TemplateValues leaf_of(const char* region, const char* c_type, int bytes, const char* name) {
  return {{"region", region}, {"c_type", c_type}, {"bytes", bytes}, {"index", 0},
          {"offset", 16},     {"name", name},     {"type", "f32"},  {"shape", {bytes}}};
}

TemplateValues manifest_of_state(int state_bytes) {
  return {{"arguments", {leaf_of("state", "float", 8, "x"), leaf_of("arena", "bool", 3, "")}},
          {"results", {leaf_of("state", "int16_t", 8, "")}},
          {"state_bytes", state_bytes},
          {"arena_align", 16},
          {"run_symbol", "kws_run"}};
}

TEST_CASE("a crate's instance has state where the model has a byte of it") {
  for (const int bytes : {0, 1, 8, 9}) {
    INFO(bytes);
    const TemplateValues part = rust_part(manifest_of_state(bytes), 32);
    CHECK(part["has_state"] == (bytes > 0));
    CHECK(part["state_words"] == (bytes + 7) / 8);
    CHECK(part["leaves"][0]["place"] == (bytes > 0 ? "in_state" : "in_arena"));
    CHECK(part["leaves"][1]["place"] == "in_arena");
    CHECK(part["leaves"][2]["place"] == (bytes > 0 ? "in_state" : "in_arena"));
  }
  const TemplateValues part = rust_part(manifest_of_state(8), 32);
  CHECK(part["leaves"][0]["rust_name"] == "arg_x");
  CHECK(part["leaves"][0]["rust_type"] == "f32");
  CHECK(part["leaves"][0]["rust_count"] == 2);
  CHECK(part["leaves"][1]["rust_name"] == "arg0");
  CHECK(part["leaves"][1]["rust_type"] == "u8");
  CHECK(part["leaves"][2]["rust_name"] == "result0");
  CHECK(part["leaves"][2]["rust_type"] == "i16");
}

TEST_CASE("bytes of a crate's test stand thirty-two in a line") {
  SelftestParts parts;
  parts.arguments = {std::vector<std::byte>(33, std::byte{7})};
  const std::string data = rust_test(parts, manifest_of_state(0))["rust_data"].get<std::string>();
  std::string expected = "#[rustfmt::skip]\nstatic IN0: [u8; 33] = [\n    7,";
  for (int i = 1; i < 32; ++i) expected += " 7,";
  CHECK(data == expected + "\n    7,\n];\n");
}

// --- the test's values ---

Literal pair_of(float a, float b) {
  return Literal::array<float>(PrimitiveType::kF32, {2}, std::vector<float>{a, b});
}

TEST_CASE("a package's test has the snapshot's values, those of files, or drawn ones") {
  tests::TemporaryFolder folder;
  const std::string given = cat("x=", folder.write("x.npy", import::write_npy(pair_of(3, 4)))),
                    other = cat("0=", folder.write("y.npy", import::write_npy(pair_of(5, 6))));
  const hlo::Module module = module_of_text(
      "HloModule m\nENTRY e {\n x = f32[2] parameter(0)\n ROOT y = f32[2] negate(x)\n}\n");
  const import::Snapshot kept{{pair_of(1, 2)}, pair_of(8, 9)};
  struct Row {
    bool has_snapshot, has_input, has_expected;
    Literal argument, result;
  };
  const Row rows[] = {{true, false, false, pair_of(1, 2), pair_of(8, 9)},
                      {true, true, false, pair_of(3, 4), pair_of(-3, -4)},
                      {true, false, true, pair_of(1, 2), pair_of(5, 6)},
                      {true, true, true, pair_of(3, 4), pair_of(5, 6)},
                      {false, true, false, pair_of(3, 4), pair_of(-3, -4)},
                      {false, true, true, pair_of(3, 4), pair_of(5, 6)}};
  const auto made = [&](bool has_snapshot, bool has_input, bool has_expected) {
    CommandLine line;
    if (has_input) line.values.inputs = {given};
    if (has_expected) line.values.expected = {other};
    const import::Imported imported{
        module, has_snapshot ? std::optional<import::Snapshot>(kept) : std::nullopt};
    PackageModel model;
    model.path = folder.path() + "/m.pb";
    model.names.class_name = "Kws";
    return tests::require(golden_test(line, model, imported)).little;
  };
  const auto bytes = [](const Literal& value) {
    return std::vector<std::byte>(value.bytes().begin(), value.bytes().end());
  };
  for (const Row& row : rows) {
    INFO(row.has_snapshot << row.has_input << row.has_expected);
    const SelftestParts parts = made(row.has_snapshot, row.has_input, row.has_expected);
    REQUIRE(parts.arguments.size() == 1);
    CHECK(parts.arguments[0] == bytes(row.argument));
    CHECK(parts.expected[0] == bytes(row.result));
  }
  // Drawn ones are held against what the interpreter makes of them, or what is given.
  for (const bool has_expected : {false, true}) {
    const SelftestParts parts = made(false, false, has_expected);
    CHECK(parts.arguments[0].size() == 8);
    CHECK((parts.expected[0] == bytes(pair_of(5, 6))) == has_expected);
  }
}

// --- files ---

struct MadePackage {
  tests::TemporaryFolder folder;
  Told told;

  explicit MadePackage(const std::string& flags) {
    const std::string model = folder.write(
        "kws.hlo",
        "HloModule m\nENTRY e {\n x = f32[2] parameter(0)\n ROOT y = f32[2] sine(x)\n}\n");
    told = told_by("package " + model + " --backend c -o " + folder.path() + "/p" + flags);
  }
  bool has(const std::string& name) const {
    return std::filesystem::exists(folder.path() + "/p/" + name);
  }
  std::string text(const std::string& name) const {
    std::ifstream file(folder.path() + "/p/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_CASE("a package's test has its arrays in the orders of bytes that its targets have") {
  const std::string m4 = " --target cortex-m4f", big = " --target s390x-linux";
  for (const std::string& targets : {m4, big, m4 + big}) {
    INFO(targets);
    const MadePackage made(" --format make" + targets);
    REQUIRE(made.told.code == kExitDone);
    const std::string test = made.text("example/kws_selftest.c");
    REQUIRE(test.find("in0") != std::string::npos);
    CHECK((test.find("#if __BYTE_ORDER__") != std::string::npos) == (targets == m4 + big));
  }
}

TEST_CASE("files of boards are in a package for targets that have a board") {
  const MadePackage board(" --format meson --target cortex-m4f"),
      none(" --format meson --target riscv32-unknown-elf"),
      without(" --format zephyr --target cortex-m4f");
  REQUIRE(board.told.code == kExitDone);
  CHECK(board.has("toolchains/boards/board.h"));
  CHECK(board.has("toolchains/boards/board_memory.c"));
  CHECK(board.has("toolchains/cortex-m4f.cmake"));
  CHECK_FALSE(board.has("toolchains/boards/board_linux.c"));
  CHECK(board.has("include/hlocc_selftest.h"));
  const std::string links = board.text("example/meson.build");
  CHECK(links.find("-Wl,--defsym=__flash_origin=") != std::string::npos);
  CHECK(links.find("-Wl,--defsym=__flash_size=") != std::string::npos);
  REQUIRE(without.told.code == kExitDone);
  CHECK_FALSE(without.has("toolchains"));
#ifdef HLOCC_LLVM
  INFO(none.told.errors);
  REQUIRE(none.told.code == kExitDone);
  CHECK_FALSE(none.has("toolchains/boards"));
#endif
}

TEST_CASE("of an earlier package goes what its manifest names in the folder, and nothing else") {
  const struct {
    const char* manifest;
    bool stays;
  } rows[] = {{R"({"files": [{"path": "old.txt"}]})", false},
              {R"({"files": [{"bytes": 1}, {"path": 7}, {"path": "old.txt"}]})", false},
              {R"({"files": [{"path": "p/../old.txt"}]})", true},
              {R"({"files": [{"path": "/old.txt"}]})", true},
              {R"({"files": {"a": {"path": "old.txt"}}})", true},
              {R"({"files": ["old.txt"]})", true},
              {R"({"file": [{"path": "old.txt"}]})", true},
              {R"([{"path": "old.txt"}])", true},
              {"old.txt", true}};
  for (const auto& row : rows) {
    INFO(row.manifest);
    const tests::TemporaryFolder folder;
    const std::string model = folder.write(
        "kws.hlo",
        "HloModule m\nENTRY e {\n x = f32[2] parameter(0)\n ROOT y = f32[2] sine(x)\n}\n");
    const std::string old = folder.write("p/old.txt", std::string("old"));
    folder.write("p/p/other.txt", std::string("other"));
    folder.write("p/hlocc_package.json", std::string(row.manifest));
    CHECK(told_by(cat("package ", model, " --backend c --format make --target cortex-m4f -o ",
                      folder.path(), "/p"))
              .code == kExitDone);
    CHECK(std::filesystem::exists(old) == row.stays);
    CHECK(std::filesystem::exists(folder.path() + "/p/README.md"));
  }
}

TEST_CASE("several memories are for formats other than cargo") {
  const Told made = MadePackage(" --format make --target cortex-m4f --memory fast:1K,slow:8K").told;
  INFO(made.errors);
  CHECK(made.code == kExitDone);
#ifdef HLOCC_LLVM
  CHECK(MadePackage(" --format cargo --target cortex-m4f --memory fast:1K,slow:8K")
            .told.errors.find("--format cargo and --memory do not go together") !=
        std::string::npos);
#endif
}

}  // namespace
}  // namespace hlocc::driver
