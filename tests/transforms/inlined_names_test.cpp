// What instructions of inlined functions are called by their metadata, and where they come from.
#include "support/text.h"
#include "transforms/pipeline.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

// "op_name at file:line" of the entry's root, after calls are inlined.
std::string root_of(const std::string& caller, const std::string& inner) {
  const std::string text = cat(
      "HloModule m\nf { a = f32[4] parameter(0)\n ROOT b = f32[4] tanh(a), metadata={", inner,
      "} }\nENTRY e { x = f32[4] parameter(0)\n ROOT y = f32[4] call(x), to_apply=f, metadata={",
      caller, "} }");
  const Module module = rewritten(text, {transforms::inline_calls});
  const hlo::Metadata& metadata = module.entry_computation().root_instruction().metadata;
  return cat(metadata.op_name, " at ", metadata.source_file, ":", metadata.source_line);
}

}  // namespace

TEST_CASE("names of a function are relative to its call, or whole", "[transforms]") {
  const std::string call = "op_name=\"jit(f)/jit(g)\" source_file=\"m.py\" source_line=7";
  CHECK(root_of(call, "op_name=\"tanh\"") == "jit(f)/jit(g)/tanh at m.py:7");
  CHECK(root_of(call, "op_name=\"jit(f)/jit(g)/tanh\"") == "jit(f)/jit(g)/tanh at m.py:7");
  CHECK(root_of(call, "") == "jit(f)/jit(g) at m.py:7");
  CHECK(root_of(call, "op_name=\"tanh\" source_file=\"g.py\" source_line=2") ==
        "jit(f)/jit(g)/tanh at g.py:2");
  CHECK(root_of("", "op_name=\"tanh\" source_file=\"g.py\" source_line=2") == "tanh at g.py:2");
  CHECK(root_of("", "") == " at :0");
}

TEST_CASE("copies that passes number keep the model's name", "[transforms]") {
  const Module module = module_from(
      "HloModule m\nf { a = f32[4] parameter(0)\n ROOT sub.3 = f32[4] tanh(a) }\n"
      "ENTRY e { x = f32[4] parameter(0)\n y = f32[4] call(x), to_apply=f\n"
      "ROOT z = f32[4] call(y), to_apply=f }");
  const Result<Module> made = transforms::prepare(module, *preset("cortex-m4f"), {});
  REQUIRE(made);
  std::vector<std::string> names, own;
  for (const hlo::Instruction& i : made->entry_computation().instructions)
    if (i.opcode == Opcode::kTanh) {
      names.push_back(i.name);
      own.push_back(i.metadata.hlo_name);
    }
  REQUIRE(names.size() == 2);
  CHECK(names[0] != names[1]);
  CHECK(own == std::vector<std::string>{"sub.3", "sub.3"});
}

}  // namespace hlocc::tests
