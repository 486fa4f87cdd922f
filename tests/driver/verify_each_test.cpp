// --verify-each: the module is verified after every pass, whichever verb asks for it. An
// instruction of the wrong shape that no result needs is what the verifier refuses and passes drop.
#include <catch2/catch.hpp>

#include "driver/cli/command_line.h"
#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/targets.h"
#include "import/models.h"
#include "package/names.h"

namespace hlocc::driver {
namespace {

CommandLine line_with(const char* verb, bool each) {
  std::vector<const char*> words = {"hlocc", verb, "model.pb", "--target", "cortex-m4f"};
  if (std::string_view(verb) == "profile") words.insert(words.end(), {"--model", "m.pb"});
  if (each) words.push_back("--verify-each");
  Result<CommandLine> line = parse_command_line(static_cast<int>(words.size()), words.data());
  INFO((line.ok() ? "" : line.error().message));
  REQUIRE(line.ok());
  return *line;
}

Result<Planned> planned(const hlo::Module& module, const CommandLine& line) {
  Result<Target> target = resolve_target(line.targets[0], line);
  REQUIRE(target.ok());
  target->options.stem = "m";
  Result<kernel::Signature> signature = package::make_signature(module, target->options);
  REQUIRE(signature.ok());
  return plan_module(module, *signature, *target, {});
}

TEST_CASE("every verb that has --verify-each verifies after each pass", "[driver]") {
  hlo::Module module = import::module_from(
      "HloModule m\nENTRY e {\n x = f32[4] parameter(0)\n idle = f32[4] negate(x)\n"
      " both = (f32[4], f32[4]) tuple(x, idle)\n one = f32[4] get-tuple-element(both), index=0\n"
      " ROOT r = f32[4] add(one, one)\n}\n");
  const hlo::Module sound = module;
  for (hlo::Instruction& one : module.computations[0].instructions)
    if (one.name == "idle") one.shape = hlo::Shape::array(hlo::PrimitiveType::kF32, {5});
  for (const char* verb : {"compile", "verify", "inspect", "analyze", "profile"}) {
    INFO(verb);
    CHECK(planned(sound, line_with(verb, true)).ok());
    CHECK(planned(module, line_with(verb, false)).ok());
    const Result<Planned> refused = planned(module, line_with(verb, true));
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == DiagnosticKind::kInternal);
    CHECK(refused.error().message.find("after normalize_layouts") != std::string::npos);
  }
}

}  // namespace
}  // namespace hlocc::driver
