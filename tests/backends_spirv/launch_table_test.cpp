// What a launch table refuses: memories that have more bytes than a device lets a shader see.
#include "backends/spirv/launch_table.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "backends_spirv/kernels.h"
#include "driver/pipeline/gpu_program.h"
#include "import/text/module.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

// A model whose largest memory is the arena, or the state.
std::string sine_of(const std::string& aliases) {
  return cat("HloModule m", aliases,
             "\nENTRY main {\n  x = f32[640] parameter(0)\n  ROOT y = f32[640] sine(x)\n}\n");
}
// One whose constants have 5,120 bytes.
std::string product_with_a_constant() {
  std::string row = "{1";
  for (int i = 2; i <= 640; ++i) row += cat(", ", i);
  row += "}";
  return cat(
      "HloModule m\nENTRY main {\n  x = f32[2] parameter(0)\n  c = f32[2,640] constant({", row,
      ", ", row,
      "})\n  ROOT y = f32[640] dot(x, c), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n}\n");
}

Result<driver::GpuProgram> program_of(const std::string& text, int64_t storage_bytes) {
  import::Elided elided;
  const hlo::Module module = tests::require(import::read_module_text(text, "m", elided));
  GpuDevice device = lavapipe();
  device.storage_bytes = storage_bytes;
  return driver::gpu_program(module, {}, device);
}

TEST_CASE("a memory with more bytes than shaders see is refused by its name") {
  const std::pair<const char*, std::string> models[] = {
      {"arena", sine_of("")},
      {"state", sine_of(", input_output_alias={ {}: (0, {}, may-alias) }")},
      {"constants", product_with_a_constant()}};
  for (size_t i = 0; i < std::size(models); ++i) {
    const auto& [name, text] = models[i];
    const LaunchTable table = tests::require(program_of(text, 1 << 20)).table;
    INFO(name << " has " << table.bytes[i]);
    REQUIRE(table.bytes[i] == *std::ranges::max_element(table.bytes));
    CHECK(program_of(text, table.bytes[i]).ok());
    const auto refused = program_of(text, table.bytes[i] - 1);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == DiagnosticKind::kLimit);
    CHECK(refused.error().message.find(cat("the model's ", name, " has")) != std::string::npos);
    CHECK(refused.error().notes.size() == 1);
  }
}

}  // namespace
}  // namespace hlocc::backends
