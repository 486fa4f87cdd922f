// See device_parts.h.
#include "driver/pipeline/device_parts.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "devices/partition/partition.h"
#include "driver/run/platforms.h"
#include "driver/run/plugin.h"
#include "package/names.h"
#include "support/text.h"
#include "target/gpu.h"

namespace hlocc::driver {
namespace {

// What can end a file's name everywhere.
bool is_file_ending(const std::string& kind) {
  return !kind.empty() && kind.size() <= 16 && std::ranges::all_of(kind, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// Words as this machine has them; the last one is filled up with zeros.
std::vector<uint32_t> as_words(std::span<const std::byte> bytes) {
  std::vector<uint32_t> words((bytes.size() + sizeof(uint32_t) - 1) / sizeof(uint32_t));
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

Status add_part(const device::Part& part, const device::Platform& platform, const Options& options,
                DeviceParts& out) {
  const Result<std::vector<device::DeviceArtifact>> made =
      platform.GetCompiler().CompileAheadOfTime(part.module, {options});
  if (!made)
    return Diagnostic(made.error())
        .note(cat("in a part for ", platform.Name(), ": ", join(part.instructions, ", ")));
  return add_artifacts(*made, part.symbol, platform.Name(), out);
}

}  // namespace

Status add_artifacts(const std::vector<device::DeviceArtifact>& made, const std::string& symbol,
                     std::string_view device, DeviceParts& out) {
  std::vector<uint32_t>& data = out.data[symbol];
  std::set<std::string> kinds;
  for (const device::DeviceArtifact& artifact : made) {
    if (!is_file_ending(artifact.kind) || !kinds.insert(artifact.kind).second ||
        (artifact.in_library && !data.empty()))
      return error(DiagnosticKind::kRun,
                   cat("the compiler of ", device, " makes a file of kind '", artifact.kind,
                       "', which is no ending of a file, or makes it twice"))
          .note("this is a mistake of the plug-in's");
    if (artifact.in_library)
      data = as_words(artifact.bytes);
    else
      out.files.push_back({cat(symbol, ".", artifact.kind), artifact.bytes});
  }
  return {};
}

Result<DeviceParts> parts_for_device(const hlo::Module& module, const PlatformChoice& where,
                                     const Target& target) {
  const Options& options = target.options;
  const std::unique_ptr<device::PlatformManager> manager = make_platforms(where.device, true);
  // Drivers of GPUs read numbers as the processor beside them writes them.
  if (where.plugin.empty() && target.byte_order == ByteOrder::kBig)
    return error(DiagnosticKind::kUnsupported,
                 cat(target.name, " has its bytes the other way around than GPUs have"));
  HLOCC_TRY_ASSIGN(device::Platform * platform, find_platform(*manager, where));
  HLOCC_TRY_ASSIGN(const kernel::Signature signature, package::make_signature(module, options));
  HLOCC_TRY_ASSIGN(device::Partition cut,
                   partition_module(module, platform->GetCompiler(), platform->Name(),
                                    signature.prefix + "part_"));
  DeviceParts out{.host = std::move(cut.host), .device = platform->Name()};
  if (where.plugin.empty()) {
    HLOCC_TRY_ASSIGN(const GpuDevice* gpu, find_gpu(where.device));
    out.note = note_of_subnormals(*gpu);
  }
  for (const device::PlacedInstruction& one : cut.placed)
    ++(one.device == platform->Name() ? out.instructions : out.of_host);
  for (const device::Part& part : cut.parts) HLOCC_TRY(add_part(part, *platform, options, out));
  return out;
}

}  // namespace hlocc::driver
