// What is told of shared libraries that are no plug-ins of this hlocc, each made by the C compiler;
// and verbs on a plug-in that leaves its work to a function of the test (driver/run/plugin.cpp,
// driver/analyze/device_table.cpp, verb_inspect.cpp, driver/verify/verb_verify.cpp).
#include "driver/run/plugin.h"

#include <catch2/catch.hpp>

#include <set>

#include "devices/chosen_platform.h"
#include "driver/pipeline/host_compiler.h"
#include "driver/set_variable.h"
#include "driver/verb_told.h"
#include "driver/verify/child.h"
#include "import/writer.h"
#include "support/temporary_folder.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// A library of this C in the folder.
std::string plugin_of(const tests::TemporaryFolder& folder, const std::string& source) {
  const std::string library = folder.path() + "/plugin.so";
  std::vector<std::string> command = host_compiler();
  for (const std::string& word : {std::string("-shared"), std::string("-fPIC"), std::string("-o"),
                                  library, folder.write("plugin.c", source)})
    command.push_back(word);
  const ChildOutcome made = run_program(command);
  INFO(made.output);
  REQUIRE(made.finished);
  return library;
}

// The error of a library of this C: its kind and message.
std::string plugin_refusal(const std::string& source) {
  const tests::TemporaryFolder folder;
  const std::string library = plugin_of(folder, source);
  const std::unique_ptr<device::PlatformManager> manager = make_platforms();
  const size_t before = manager->ListPlatforms().size();
  const auto loaded = find_platform(*manager, {.plugin = library});
  REQUIRE_FALSE(loaded.ok());
  CHECK(manager->ListPlatforms().size() == before);
  CHECK(loaded.error().location.file == library);
  return cat(diagnostic_kind_name(loaded.error().kind), " ", loaded.error().message);
}

std::string plugin_that_returns(const std::string& answer) {
  return cat("const char *hlocc_plugin_register(const char *abi, void *manager) { return ", answer,
             "; }\n");
}

TEST_CASE("a library that is no plug-in of these headers is refused") {
  CHECK(plugin_refusal("int other(void) { return 1; }\n") ==
        "file --plugin: it does not define hlocc_plugin_register");
  const std::string built = "target --plugin: it was built for the headers ";
  CHECK(plugin_refusal(plugin_that_returns("0")).starts_with(built + "of none, and this is "));
  CHECK(plugin_refusal(plugin_that_returns("\"old\"")).starts_with(built + "old, and this is "));
  CHECK(plugin_refusal(plugin_that_returns("abi")) == "file --plugin: it registers no platform");
}

// A device "chosen" that takes these ops, computed by the interpreter.
std::set<hlo::Opcode> chosen_ops;
void register_chosen(device::PlatformManager* manager) {
  device::Platform* inner = tests::require(manager->PlatformWithName("interpreter"));
  CHECK(
      manager
          ->RegisterPlatform(std::make_unique<device::ChosenPlatform>(
              *inner, [](const hlo::Instruction& one) { return chosen_ops.contains(one.opcode); }))
          .ok());
}

// Its plug-in finds the function by an address in the environment.
struct ChosenPlugin {
  tests::TemporaryFolder folder;
  std::string library = plugin_of(
      folder,
      "#include <stdlib.h>\nconst char *hlocc_plugin_register(const char *abi, void *manager) {\n"
      "  ((void (*)(void *))strtoull(getenv(\"HLOCC_TEST_REGISTER\"), 0, 10))(manager);\n"
      "  return abi;\n}\n");
  tests::SetVariable address{"HLOCC_TEST_REGISTER",
                             cat(reinterpret_cast<uintptr_t>(&register_chosen))};
  std::string model = folder.write(
      "whole.hlo",
      std::string("HloModule m\nENTRY e {\n x = f32[2] parameter(0)\n y = f32[2] sine(x)\n w = "
                  "f32[2,2] constant({{1,2},{3,4}})\n ROOT d = f32[2] dot(y, w), "
                  "lhs_contracting_dims={0}, rhs_contracting_dims={0}\n}\n"));

  Told inspect(const std::string& words) const {
    return told_by(cat("inspect ", model, " --plugin ", library, words));
  }
};

TEST_CASE("inspect tells what a plug-in's device takes, and the plan of the rest") {
  const ChosenPlugin plugin;
  chosen_ops = {hlo::Opcode::kSin};
  const Told some = plugin.inspect("");
  CHECK(some.line("plan").starts_with("plan     host: "));
  CHECK(some.line("device").starts_with("device   chosen: 1 parts, "));
  CHECK(some.line("runs     y").starts_with("runs     y (sine) on chosen in "));
  CHECK(some.line("runs     d") == "runs     d (dot) on host: not chosen");
  chosen_ops.insert(hlo::Opcode::kDot);
  const Told all = plugin.inspect("");
  CHECK(all.line("plan") == "plan     none: chosen takes the whole model");
  CHECK(all.line("runs     y") == "runs     y (sine) on chosen");
  CHECK(all.line("device") == "none");
  // For a chip its parts are called by a plan.
  const Told ahead = plugin.inspect(" --target cortex-m4f");
  CHECK(ahead.line("plan").starts_with("plan     cortex-m4f: "));
  CHECK(ahead.line("device").starts_with("device   chosen: 1 parts, "));
}

TEST_CASE("verify runs cases on a plug-in's device, or beside it") {
  // Its code is the interpreter's, which says so.
  const ChosenPlugin plugin;
  chosen_ops = {hlo::Opcode::kConstant, hlo::Opcode::kNegate};
  const hlo::Module module = device::module_of(
      "HloModule m\nENTRY e {\n c = s32[] constant(-3)\n ROOT n = s32[] negate(c)\n}\n");
  const std::string three = plugin.folder.write(
      "three.pb", import::write_snapshot(
                      module, {{}, hlo::Literal::scalar<int32_t>(hlo::PrimitiveType::kS32, 3)}));
  const auto told = [&](const std::string& words) {
    return told_by(cat("verify ", three, " --plugin ", plugin.library, words)).out;
  };
  CHECK(told("").ends_with("1 passed, 0 failed, 0 skipped\n"));
  CHECK(told("").starts_with("ops: interpreter "));
  CHECK(told(" --backend c").starts_with("ops: c "));
}

}  // namespace
}  // namespace hlocc::driver
