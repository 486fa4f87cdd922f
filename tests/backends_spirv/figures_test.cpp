// What programs and drawn kernels become on devices that stand on both sides of each condition of
// the writers, in figures: instructions of the shaders by name, launches, copies, waits and words of
// the table. That shaders compute what the evaluator computes is for gpu_bits to see, on a device.
#include "support/figures.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <map>

#include "backends/spirv/grid.h"
#include "backends/spirv/shader.h"
#include "backends/spirv/spirv_names.h"
#include "backends_spirv/kernels.h"
#include "devices/vulkan/gpu_support.h"
#include "driver/pipeline/gpu_program.h"
#include "driver/verify/rules.h"
#include "forms/drawn.h"
#include "import/reader.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

// What Vulkan promises of all devices; small elements in memory, and passes; words of 64 bits.
constexpr const char* kDevices[] = {"vulkan-generic", "vulkan-v3d", "vulkan-nvidia"};

const std::map<uint32_t, std::string> kNames = {
#define HLOCC_SPV(name, number) {number, #name},
#include "backends/spirv/instructions.def"
};

// Instructions by name, and what their words say together: numbers of constants, builtins, modes.
void count_shader(const SpirvWords& words, tests::Figures& figures) {
  int64_t constants = 0, modes = 0;
  for (size_t at = 5; at < words.size(); at += words[at] >> 16) {
    const uint32_t instruction = words[at] & 0xffff;
    const auto op = static_cast<Spv>(instruction);
    figures.count(kNames.at(instruction));
    if (op == Spv::kConstant) constants += words[at + 3];
    if (op == Spv::kDecorate || op == Spv::kExecutionMode) modes += words[at + 2];
  }
  figures.add("shaders", 1);
  figures.add("constants", constants);
  figures.add("modes", modes);
}

tests::Figures figures_of_table(const LaunchTable& table) {
  tests::Figures figures;
  figures.add("words", static_cast<int64_t>(table.words.size()));
  figures.add("launches", table.launches);
  figures.add("copies", table.copies);
  figures.add("segments", table.segments);
  figures.add("waits", table.waits);
  for (const auto& shader : table.shaders) count_shader(shader, figures);
  return figures;
}

bool is_for_gpu(const hlo::Module& module, const GpuDevice& gpu) {
  return std::ranges::all_of(module.entry_computation().instructions,
                             [&](const hlo::Instruction& one) {
                               return one.opcode == hlo::Opcode::kParameter ||
                                      device::why_not_on_gpu(module, one, gpu).empty();
                             });
}

void add_cases(const std::string& index,
               const std::function<std::string(const std::string&)>& line) {
  for (const char* name : {"vulkan-v3d", "vulkan-nvidia"}) {
    const GpuDevice& gpu = *tests::require(find_gpu(name));
    for (const driver::Case& test : tests::require(driver::read_index(index))) {
      const auto imported = tests::require(import::read_model_file(test.path));
      if (!is_for_gpu(imported.module, gpu)) continue;
      const auto made = driver::gpu_program(imported.module, {}, gpu);
      if (made.ok())
        tests::add_figures("programs", cat(name, " ", line(test.name)),
                           figures_of_table(made->table));
    }
  }
}

TEST_CASE("shaders of op cases have these figures") {
  add_cases(std::string(HLOCC_TEST_DATA) + "/ops/index.json",
            [](const std::string& name) { return name.substr(0, name.find('_')); });
}

TEST_CASE("shaders of regressions have these figures") {
  add_cases(std::string(HLOCC_TEST_DATA) + "/regressions/index.json",
            [](const std::string& name) { return cat("regressions ", name.substr(0, 1)); });
}

TEST_CASE("shaders of cases for GPUs have these figures") {
  add_cases(std::string(HLOCC_TEST_DATA) + "/../backends_spirv/cases/index.json",
            [](const std::string& name) { return name; });
}

// A drawn kernel as it is launched, in as many passes as the device wants of it.
tests::Figures figures_of_drawn(uint64_t seed, const GpuDevice& gpu) {
  const kernel::Kernel made =
      tests::require(kernel::legalize(drawn_kernel(seed, Drawn::kScalars), target_of(gpu, {})));
  kernel::Launch launch = launch_of(made);
  launch.integers.assign(made.parameters.size(), 3);
  tests::Figures figures;
  const auto grid = grid_for(made, launch, apart(made), gpu.iterations);
  if (!grid.ok()) return figures;
  ShaderForm form{grid->invocations, {}};
  for (int i = 0; i < made.bound_buffers(); ++i) form.memories.push_back(i % 3);
  const Shader shader = tests::require(write_shader(grid->kernel, form, gpu));
  count_shader(shader.words, figures);
  figures.add("parameters", shader.parameters);
  figures.add("in memory", shader.in_memory ? 1 : 0);
  figures.add("groups", shader.groups);
  figures.add("passes", grid->passes);
  figures.add("needs", shader.needs);
  return figures;
}

TEST_CASE("shaders of drawn kernels have these figures") {
  for (const char* name : kDevices)
    for (uint64_t seed = 0; seed < 120; ++seed)
      tests::add_figures("drawn", cat(name, " ", seed / 8),
                         figures_of_drawn(seed, *tests::require(find_gpu(name))));
}

}  // namespace
}  // namespace hlocc::backends
