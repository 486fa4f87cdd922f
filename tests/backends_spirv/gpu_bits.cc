// Runs snapshot cases on the Vulkan device of this machine and compares every result bit by bit
// with what the kernel evaluator makes of the same program at the same places:
//
//   gpu_bits [--device ROW] [--shard I/N] [--shaders FOLDER] [--waits all|none] [--whole]
//            INDEX.json [CASE...]
//
// --device: shaders ask of the device what that row has and no more. --shaders writes each shader
// as CASE.NUMBER.spv, for spirv-val. --waits: each command waits for all before it, or none does,
// whatever the table says, for Khronos' synchronisation layer (silent_layers.sh). --whole: what is left to the host otherwise runs there, too. Cases whose
// results hang on rounding that is not the row's to promise would differ; there are none. One line
// a failing case; ends in "N passed, N failed, N skipped", with 4 where there is no device.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "devices/memory_image.h"
#include "devices/vulkan/gpu_support.h"
#include "driver/pipeline/gpu_program.h"
#include "driver/verify/rules.h"
#include "hlo/leaves.h"
#include "hlocc_vulkan_program.h"
#include "import/reader.h"
#include "planning/execute.h"
#include "support/text.h"

using namespace hlocc;

namespace {

struct Flags {
  std::string device = "vulkan-lavapipe", index, shaders, waits;
  std::vector<std::string> cases;
  int shard = 0, shards = 1;
  bool whole = false;
};

using LeafBytes = std::vector<std::vector<std::byte>>;

Result<LeafBytes> run_on_device(const backends::LaunchTable& table, hlocc_vk_device& device,
                                const LeafBytes& arguments, uint64_t& submissions) {
  hlocc_vk_program program;
  int32_t code = hlocc_vk_open_program(&program, &device, table.words.data(), nullptr, 0);
  if (code != 0) return error(DiagnosticKind::kRun, hlocc_vk_error_name(code));
  // What the evaluator's memory holds before anything is written.
  std::memset(program.memories[0].host, 0xA5, static_cast<size_t>(table.bytes[0]));
  for (uint32_t i = 0; i < arguments.size(); ++i)
    if (!arguments[i].empty())
      std::memcpy(hlocc_vk_bytes(&program, HLOCC_TABLE_HEAD_ARGUMENTS, i), arguments[i].data(),
                  arguments[i].size());
  code = hlocc_vk_run_program(&program);
  submissions = program.submissions;
  LeafBytes results;
  for (uint32_t i = 0; code == 0 && i < table.words[HLOCC_TABLE_HEAD_RESULTS]; ++i) {
    const uint32_t* row =
        hlocc_vk_row(program.table, HLOCC_TABLE_HEAD_RESULTS, i, HLOCC_TABLE_LEAF_SIZE);
    const auto* bytes =
        reinterpret_cast<const std::byte*>(hlocc_vk_bytes(&program, HLOCC_TABLE_HEAD_RESULTS, i));
    results.emplace_back(bytes, bytes + row[HLOCC_TABLE_LEAF_BYTES]);
  }
  hlocc_vk_close_program(&program);
  if (code != 0) return error(DiagnosticKind::kRun, hlocc_vk_error_name(code));
  return results;
}

// Which NaN a calculation gives is the machine's affair: all are made one.
void unite_nans(std::vector<std::byte>& bytes, hlo::PrimitiveType type) {
  static constexpr struct {
    hlo::PrimitiveType type;
    size_t width;
    uint64_t infinity;
  } kFloats[] = {{hlo::PrimitiveType::kF16, 2, 0x7c00},
                 {hlo::PrimitiveType::kBF16, 2, 0x7f80},
                 {hlo::PrimitiveType::kF32, 4, 0x7f800000},
                 {hlo::PrimitiveType::kF64, 8, 0x7ff0000000000000}};
  for (const auto& row : kFloats) {
    if (hlo::real_type(type) != row.type) continue;
    const uint64_t sign = uint64_t{1} << (8 * row.width - 1);
    for (size_t at = 0; at + row.width <= bytes.size(); at += row.width) {
      uint64_t value = 0;
      std::memcpy(&value, &bytes[at], row.width);
      if ((value & (sign - 1)) <= row.infinity) continue;
      value = sign - 1;
      std::memcpy(&bytes[at], &value, row.width);
    }
  }
}

void set_waits(std::vector<uint32_t>& table, uint32_t waits) {
  uint32_t* at = &table[table[HLOCC_TABLE_HEAD_STEPS_AT]];
  const uint32_t* const end = at + table[HLOCC_TABLE_HEAD_STEPS];
  for (; at < end; at += hlocc_vk_step_words(at)) {
    if (at[0] != HLOCC_STEP_SEGMENT) continue;
    for (uint32_t* next = at + 4; next < at + 4 + at[3]; next += hlocc_vk_command_words(next))
      next[1] = waits;
  }
}

void write_shaders(const Flags& flags, const std::string& name,
                   const backends::LaunchTable& table) {
  for (size_t i = 0; i < table.shaders.size(); ++i) {
    std::ofstream file(cat(flags.shaders, "/", name, ".", i, ".spv"), std::ios::binary);
    file.write(reinterpret_cast<const char*>(table.shaders[i].data()),
               static_cast<std::streamsize>(table.shaders[i].size() * 4));
  }
}

Status run_case(const driver::Case& test, const Flags& flags, const GpuDevice& gpu,
                hlocc_vk_device& device) {
  HLOCC_TRY_ASSIGN(const import::Imported imported, import::read_model_file(test.path));
  const auto why_not = [&](const hlo::Instruction& one) {
    return flags.whole ? "" : device::why_not_on_gpu(imported.module, one, gpu);
  };
  for (const hlo::Instruction& one : imported.module.entry_computation().instructions)
    if (const std::string why = why_not(one); !why.empty())
      return error(DiagnosticKind::kUnsupported, cat("a part is the host's: ", why));
  HLOCC_TRY_ASSIGN(driver::GpuProgram made, driver::gpu_program(imported.module, {}, gpu));
  if (!flags.waits.empty()) set_waits(made.table.words, flags.waits == "all");
  if (!flags.shaders.empty()) write_shaders(flags, test.name, made.table);
  LeafBytes arguments;
  for (const hlo::Literal& argument : imported.snapshot->arguments)
    for (const hlo::Literal& leaf : hlo::leaves(argument))
      arguments.push_back(device::to_memory(leaf, made.signature.arguments[arguments.size()].shape,
                                            ByteOrder::kLittle));
  uint64_t submissions = 0;
  HLOCC_TRY_ASSIGN(LeafBytes got, run_on_device(made.table, device, arguments, submissions));
  HLOCC_TRY_ASSIGN(LeafBytes expected,
                   planning::execute(made.planned.program, made.planned.plan, arguments));
  for (size_t i = 0; i < expected.size(); ++i) {
    const hlo::PrimitiveType type = made.signature.results[i].shape.element_type;
    unite_nans(got[i], type);
    unite_nans(expected[i], type);
    const auto [a, b] = std::ranges::mismatch(got[i], expected[i]);
    if (a != got[i].end() || b != expected[i].end())
      return error(DiagnosticKind::kMismatch,
                   cat("result ", i, " differs from byte ", a - got[i].begin(), " on"));
  }
  std::printf(
      "%s: %lld launches, %lld copies, %lld segments, %lld waits, %zu shaders, %llu submissions\n",
      test.name.c_str(), static_cast<long long>(made.table.launches),
      static_cast<long long>(made.table.copies), static_cast<long long>(made.table.segments),
      static_cast<long long>(made.table.waits), made.table.shaders.size(),
      static_cast<unsigned long long>(submissions));
  return {};
}

Flags parse(int argc, char** argv) {
  Flags flags;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--device")
      flags.device = argv[++i];
    else if (word == "--shaders")
      flags.shaders = argv[++i];
    else if (word == "--whole")
      flags.whole = true;
    else if (word == "--waits")
      flags.waits = argv[++i];
    else if (word == "--shard")
      std::sscanf(argv[++i], "%d/%d", &flags.shard, &flags.shards);
    else if (flags.index.empty())
      flags.index = word;
    else
      flags.cases.emplace_back(word);
  }
  return flags;
}

}  // namespace

int main(int argc, char** argv) {
  const Flags flags = parse(argc, argv);
  const auto cases = driver::read_index(flags.index);
  const auto gpu = find_gpu(flags.device);
  if (!cases || !gpu) {
    std::fputs((!cases ? cases.error() : gpu.error()).to_string().c_str(), stderr);
    return 1;
  }
  hlocc_vk_device device;
  if (const int32_t code = hlocc_vk_open_device(&device); code != 0) {
    std::printf("skipped: %s\n", hlocc_vk_error_name(code));
    return 4;
  }
  const GpuDevice clamp = clamped(
      **gpu, gpu_of(device.properties.device_type == HLOCC_VK_PROCESSOR, device.properties.vendor));
  int passed = 0, failed = 0, skipped = 0, number = 0;
  for (const driver::Case& test : *cases) {
    if (number++ % flags.shards != flags.shard) continue;
    if (!flags.cases.empty() && std::ranges::count(flags.cases, test.name) == 0) continue;
    const Status status = run_case(test, flags, clamp, device);
    const bool lacks = !status.ok() && status.error().kind == DiagnosticKind::kUnsupported;
    if (!status.ok())
      std::printf("%s %s: %s", lacks ? "skipped" : "FAILED", test.name.c_str(),
                  status.error().to_string().c_str());
    ++(status.ok() ? passed : lacks ? skipped : failed);
  }
  hlocc_vk_close_device(&device);
  std::printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
  return failed == 0 ? 0 : 1;
}
