// The numbers of SPIR-V 1.3 that compute shaders need: instructions, capabilities, decorations and
// what else is a word of its own in a module.
#pragma once
#include <cstdint>

namespace hlocc::backends {

enum class Spv : uint16_t {
  kExtension = 10,
  kExtInstImport = 11,
  kExtInst = 12,
  kMemoryModel = 14,
  kEntryPoint = 15,
  kExecutionMode = 16,
  kCapability = 17,
  kTypeVoid = 19,
  kTypeBool = 20,
  kTypeInt = 21,
  kTypeFloat = 22,
  kTypeVector = 23,
  kTypeArray = 28,
  kTypeRuntimeArray = 29,
  kTypeStruct = 30,
  kTypePointer = 32,
  kTypeFunction = 33,
  kConstantTrue = 41,
  kConstantFalse = 42,
  kConstant = 43,
  kConstantComposite = 44,
  kFunction = 54,
  kFunctionEnd = 56,
  kVariable = 59,
  kLoad = 61,
  kStore = 62,
  kAccessChain = 65,
  kDecorate = 71,
  kMemberDecorate = 72,
  kCompositeConstruct = 80,
  kCompositeExtract = 81,
  kConvertFToU = 109,
  kConvertFToS = 110,
  kConvertSToF = 111,
  kConvertUToF = 112,
  kUConvert = 113,
  kSConvert = 114,
  kFConvert = 115,
  kBitcast = 124,
  kSNegate = 126,
  kFNegate = 127,
  kIAdd = 128,
  kFAdd = 129,
  kISub = 130,
  kFSub = 131,
  kIMul = 132,
  kFMul = 133,
  kUDiv = 134,
  kSDiv = 135,
  kFDiv = 136,
  kUMod = 137,
  kSRem = 138,
  kUMulExtended = 151,
  kLogicalEqual = 164,
  kLogicalNotEqual = 165,
  kLogicalOr = 166,
  kLogicalAnd = 167,
  kLogicalNot = 168,
  kSelect = 169,
  kIEqual = 170,
  kINotEqual = 171,
  kUGreaterThan = 172,
  kSGreaterThan = 173,
  kUGreaterThanEqual = 174,
  kSGreaterThanEqual = 175,
  kULessThan = 176,
  kSLessThan = 177,
  kULessThanEqual = 178,
  kSLessThanEqual = 179,
  kFOrdEqual = 180,
  kFUnordNotEqual = 183,
  kFOrdLessThan = 184,
  kFOrdGreaterThan = 186,
  kFOrdLessThanEqual = 188,
  kFOrdGreaterThanEqual = 190,
  kShiftRightLogical = 194,
  kShiftRightArithmetic = 195,
  kShiftLeftLogical = 196,
  kBitwiseOr = 197,
  kBitwiseXor = 198,
  kBitwiseAnd = 199,
  kNot = 200,
  kBitFieldSExtract = 202,
  kControlBarrier = 224,
  kAtomicAnd = 240,
  kAtomicOr = 241,
  kLoopMerge = 246,
  kSelectionMerge = 247,
  kLabel = 248,
  kBranch = 249,
  kBranchConditional = 250,
  kReturn = 253,
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
