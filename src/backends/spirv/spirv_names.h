// The numbers of SPIR-V 1.3 that compute shaders need: instructions, capabilities, decorations and
// what else is a word of its own in a module.
#pragma once
#include <cstdint>

namespace hlocc::backends {

enum class Spv : uint16_t {
#define HLOCC_SPV(name, number) k##name = number,
#include "backends/spirv/instructions.def"
};

// Of GLSL.std.450.
enum class Glsl : uint8_t { kFAbs = 4, kSAbs = 5, kSqrt = 31 };

enum class Capability : uint16_t {
  kShader = 1,
  kFloat64 = 10,
  kInt64 = 11,
  kStorageBuffer16BitAccess = 4433,
  kStorageBuffer8BitAccess = 4448,
  kDenormPreserve = 4464,
  kSignedZeroInfNanPreserve = 4466,
  kRoundingModeRte = 4467,
};

enum class Decoration : uint8_t {
  kBlock = 2,
  kArrayStride = 6,
  kBuiltIn = 11,
  kAliased = 20,
  kBinding = 33,
  kDescriptorSet = 34,
  kOffset = 35,
  kNoContraction = 42,
};

enum class Storage : uint8_t {
  kInput = 1,
  kWorkgroup = 4,
  kFunction = 7,
  kPushConstant = 9,
  kBuffer = 12
};

enum class Mode : uint16_t {
  kLocalSize = 17,
  kDenormPreserve = 4459,
  kSignedZeroInfNanPreserve = 4461,
  kRoundingModeRte = 4462,
};

inline constexpr uint32_t kSpirvMagic = 0x07230203, kSpirvVersion = 0x00010300;
inline constexpr uint32_t kLogicalAddressing = 0, kGlsl450Memory = 1, kComputeModel = 5;
// Numbers in three dimensions: of a group, of an invocation within its group, of an invocation.
enum class BuiltIn : uint8_t {
  kWorkgroupId = 26,
  kLocalInvocationId = 27,
  kGlobalInvocationId = 28
};
// Of atomic operations: among all invocations of the device, ordering nothing else.
inline constexpr int64_t kDeviceScope = 1, kGroupScope = 2, kRelaxed = 0;
// Acquires and releases the memory of a group.
inline constexpr int64_t kOrdersGroupMemory = 0x108;

}  // namespace hlocc::backends
