// Which way the kernels of each op go on a GPU: docs/vulkan_ops.md, made of all op cases and models
// that the tests have, for a row that shares memory.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <map>

#include "backends/spirv/grid.h"
#include "backends/spirv/iterations.h"
#include "backends_spirv/kernels.h"
#include "devices/vulkan/gpu_support.h"
#include "driver/pipeline/gpu_program.h"
#include "driver/verify/rules.h"
#include "import/reader.h"
#include "kernel/mapped.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

enum Way { kInGroups, kByIteration, kInPasses, kOneInvocation, kOnHost, kWays };
using Counts = std::map<std::string, std::array<int, kWays>>;

// What one invocation may be busy with; kernels beyond it are listed, or have no known end.
constexpr int64_t kWanted = 32768;
struct Page {
  Counts counts;
  std::map<std::string, std::string> long_ones;  // iterations of an invocation, by kernel and case
};

Way way_of(const GridKernel& grid) {
  if (kernel::mapped_loops(grid.kernel)) return kInGroups;
  if (grid.passes > 1) return kInPasses;
  return grid.invocations > 1 ? kByIteration : kOneInvocation;
}

// The op that decides over a kernel, or the schedule of a fusion.
std::string hero_of(const kernel::Choice& choice) {
  if (choice.op) return std::string(hlo::opcode_name(*choice.op));
  const bool plain = !choice.schedule || *choice.schedule == hlo::Schedule::kPlain;
  return plain ? "elements" : std::string(hlo::schedule_name(*choice.schedule));
}

void count_case(const driver::Case& test, const GpuDevice& gpu, Page& page) {
  const auto imported = tests::require(import::read_model_file(test.path));
  for (const hlo::Instruction& one : imported.module.entry_computation().instructions)
    if (one.opcode != hlo::Opcode::kParameter &&
        !device::why_not_on_gpu(imported.module, one, gpu).empty()) {
      ++page.counts[std::string(hlo::opcode_name(one.opcode))][kOnHost];
      return;
    }
  driver::GpuProgram made = tests::require(driver::gpu_program(imported.module, {}, gpu));
  kernel::Program& program = made.planned.program;
  kernel::for_each_launch(program.steps, [&](kernel::Launch& launch) {
    const kernel::Kernel& kernel = program.kernels[static_cast<size_t>(launch.kernel)];
    const auto grid = tests::require(grid_for(kernel, launch, made.planned.plan, gpu.iterations));
    ++page.counts[hero_of(kernel.choice)][way_of(grid)];
    if (grid.passes > 1) return;
    const auto most = most_iterations(grid.kernel, grid.invocations, launch.integers);
    if (!most || *most > kWanted)
      page.long_ones[cat("`", test.name, "`, kernel `", kernel.name, "` (", hero_of(kernel.choice),
                         ")")] = most ? cat(*most) : "as many as the data want";
  });
}

std::string page_of(Page page) {
  Counts& counts = page.counts;
  std::string out =
      "# Ops on a GPU\n\nWhich way the kernels of each op go, in all op cases and models of "
      "`tests/data`, for the row `vulkan-nvidia` (`docs/vulkan.md` says what the ways are). This "
      "page is\ngenerated: run `build/test_backends_spirv '*vulkan_ops*'` with "
      "`HLOCC_REGENERATE=1` "
      "in the environment to write it anew.\n\nOps that are no row here are computed inside of "
      "other kernels (*elements*, `ops.md`: index op), are turned into others before\n(rewritten), "
      "or are the host's steps (`while`, `conditional`, `call`).\n\n| op | in groups that share "
      "memory | an iteration, or some, an invocation | in passes | one invocation | on the host "
      "|\n|---|---|---|---|---|---|\n";
  const auto row = [&](const std::string& name) {
    out += cat("| ", name);
    for (const int count : counts[name]) out += count == 0 ? " | " : cat(" | ", count);
    out += " |\n";
    counts.erase(name);
  };
  for (int i = 0; i < hlo::opcode_count(); ++i) {
    const hlo::OpcodeInfo& info = hlo::info(static_cast<hlo::Opcode>(i));
    if (info.lowering == hlo::Service::kLoopOp) row(std::string(info.name));
  }
  while (!counts.empty()) row(counts.begin()->first);
  out += cat("\nAn invocation's loops take at most ", kWanted, " iterations together but for ",
             page.long_ones.empty() ? "none of these kernels.\n" : "these kernels:\n");
  for (const auto& [name, iterations] : page.long_ones)
    out += cat("- ", name, ": ", iterations, "\n");
  return out;
}

TEST_CASE("docs/vulkan_ops.md says which way each op goes") {
  const GpuDevice& gpu = *tests::require(find_gpu("vulkan-nvidia"));
  Page page;
  for (const char* corpus : {"ops", "models"})
    for (const driver::Case& test :
         tests::require(driver::read_index(cat(HLOCC_TEST_DATA, "/", corpus, "/index.json"))))
      count_case(test, gpu, page);
  const std::string path = std::string(HLOCC_TEST_DATA) + "/../../docs/vulkan_ops.md";
  const std::string text = page_of(std::move(page));
  if (std::getenv("HLOCC_REGENERATE") != nullptr) std::ofstream(path, std::ios::binary) << text;
  std::ifstream file(path, std::ios::binary);
  const std::string written{std::istreambuf_iterator<char>(file), {}};
  INFO("docs/vulkan_ops.md is out of date: run this test with HLOCC_REGENERATE=1");
  CHECK(written == text);
}

}  // namespace
}  // namespace hlocc::backends
