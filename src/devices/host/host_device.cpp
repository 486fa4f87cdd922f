// See host_device.h. A loaded program's number is its address.
#include "devices/host/host_device.h"

namespace hlocc::device {

Result<uint64_t> HostDevice::Load(std::span<const std::byte> code) {
  HLOCC_TRY_ASSIGN(const HostCode decoded, decode_host_code(code));
  HLOCC_TRY_ASSIGN(std::unique_ptr<HostProgram> program, HostProgram::load(decoded, link_));
  return reinterpret_cast<uint64_t>(program.release());
}

Status HostDevice::Unload(uint64_t code) {
  delete reinterpret_cast<HostProgram*>(code);
  return {};
}

Status HostDevice::Launch(uint64_t code, std::span<const DeviceMemory> buffers,
                          std::span<const int64_t>) {
  HostProgram& program = *reinterpret_cast<HostProgram*>(code);
  std::vector<std::byte*> pointers;
  pointers.reserve(buffers.size());
  for (const DeviceMemory& buffer : buffers) pointers.push_back(Address(buffer));
  const std::span<std::byte* const> all(pointers);
  if (all.size() != program.arguments() + program.results())
    return error(DiagnosticKind::kArgument, "a launch with too few buffers");
  return program.call(all.first(program.arguments()), all.last(program.results()));
}

}  // namespace hlocc::device
