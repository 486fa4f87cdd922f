// Has the Vulkan driver of this machine compile the shaders of snapshot cases, as init does: twice,
// the second time with what it made of them the first time.
//
//   gpu_compile [--device ROW] INDEX.json [CASE...]
//
// Nothing runs, so that a driver without its GPU does: RADV's null device, which
// RADV_FORCE_FAMILY asks for, has AMD's compiler and no memory. A line a case; ends in "N compiled,
// N failed, N skipped", with 4 where there is no device.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

#include "devices/vulkan/gpu_support.h"
#include "driver/pipeline/gpu_program.h"
#include "driver/verify/rules.h"
#include "hlocc_vulkan_program.h"
#include "import/reader.h"
#include "support/text.h"

using namespace hlocc;

namespace {

// Without the question for memory.
int32_t open_compiler(hlocc_vk_device& device) {
  std::memset(&device, 0, sizeof device);
  int32_t error = hlocc_vk_load(&device);
  if (error == 0) error = hlocc_vk_choose(&device);
  if (error == 0) error = hlocc_vk_start(&device);
  if (error != 0) hlocc_vk_close_device(&device);
  return error;
}

struct Compiled {
  double milliseconds = 0;
  std::vector<std::byte> kept;  // what the driver made of the shaders
};

Result<Compiled> compile(hlocc_vk_device& device, const backends::LaunchTable& table,
                         const std::vector<std::byte>& kept) {
  hlocc_vk_program program = {};
  program.device = &device;
  program.table = table.words.data();
  const auto begin = std::chrono::steady_clock::now();
  int32_t code = hlocc_vk_make_layout(&program);
  if (code == 0)
    code = hlocc_vk_make_pipelines(&program, kept.empty() ? nullptr : kept.data(), kept.size());
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  Compiled out{took.count(), {}};
  size_t bytes = 0;
  if (code == 0 && program.cache != 0 &&
      device.vk.GetPipelineCacheData(device.device, program.cache, &bytes, nullptr) == 0) {
    out.kept.resize(bytes);
    device.vk.GetPipelineCacheData(device.device, program.cache, &bytes, out.kept.data());
  }
  hlocc_vk_close_program(&program);
  if (code != 0) return error(DiagnosticKind::kRun, hlocc_vk_error_name(code));
  return out;
}

Status compile_case(const driver::Case& test, const GpuDevice& gpu, hlocc_vk_device& device) {
  HLOCC_TRY_ASSIGN(const import::Imported imported, import::read_model_file(test.path));
  for (const hlo::Instruction& one : imported.module.entry_computation().instructions)
    if (const std::string why = device::why_not_on_gpu(imported.module, one, gpu); !why.empty())
      return error(DiagnosticKind::kUnsupported, cat("a part is the host's: ", why));
  HLOCC_TRY_ASSIGN(const driver::GpuProgram made, driver::gpu_program(imported.module, {}, gpu));
  std::fprintf(stderr, "case %s, %zu shaders\n", test.name.c_str(), made.table.shaders.size());
  HLOCC_TRY_ASSIGN(const Compiled cold, compile(device, made.table, {}));
  std::fprintf(stderr, "cached\n");
  HLOCC_TRY_ASSIGN(const Compiled cached, compile(device, made.table, cold.kept));
  std::printf("%s: %zu shaders, cold %.2f ms, cached %.2f ms, %zu bytes kept\n", test.name.c_str(),
              made.table.shaders.size(), cold.milliseconds, cached.milliseconds, cold.kept.size());
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  std::string row = "vulkan-radv";
  if (words.size() > 1 && words[0] == "--device") {
    row = words[1];
    words.erase(words.begin(), words.begin() + 2);
  }
  const auto cases = driver::read_index(words.empty() ? "" : words[0]);
  const auto gpu = find_gpu(row);
  if (!cases || !gpu) {
    std::fputs((!cases ? cases.error() : gpu.error()).to_string().c_str(), stderr);
    return 1;
  }
  hlocc_vk_device device;
  if (const int32_t code = open_compiler(device); code != 0) {
    std::printf("skipped: %s\n", hlocc_vk_error_name(code));
    return 4;
  }
  std::printf("%s\n", device.properties.name);
  int compiled = 0, failed = 0, skipped = 0;
  for (const driver::Case& test : *cases) {
    if (words.size() > 1 && std::count(words.begin() + 1, words.end(), test.name) == 0) continue;
    const Status status = compile_case(test, **gpu, device);
    const bool lacks = !status.ok() && status.error().kind == DiagnosticKind::kUnsupported;
    if (!status.ok())
      std::printf("%s %s: %s", lacks ? "skipped" : "FAILED", test.name.c_str(),
                  status.error().to_string().c_str());
    ++(status.ok() ? compiled : lacks ? skipped : failed);
  }
  hlocc_vk_close_device(&device);
  std::printf("%d compiled, %d failed, %d skipped\n", compiled, failed, skipped);
  return failed == 0 ? 0 : 1;
}
