// Shaders word by word: what a module asks of a device, and what it is decorated with.
#include <algorithm>
#include <catch2/catch.hpp>

#include "backends/spirv/shader.h"
#include "backends_spirv/instructions.h"
#include "backends_spirv/kernels.h"
#include "hlocc_launch_table.h"

namespace hlocc::backends {
namespace {

using kernel::Affine;
using kernel::Scalar;

bool asks_for(const SpirvWords& words, Capability capability) {
  return std::ranges::any_of(instructions_of(words), [&](const Instruction& one) {
    return one.op == Spv::kCapability && one.words[0] == static_cast<uint32_t>(capability);
  });
}
bool is_exact(const SpirvWords& words, SpirvId id) {
  return std::ranges::any_of(instructions_of(words), [&](const Instruction& one) {
    return one.op == Spv::kDecorate && one.words[0] == id &&
           one.words[1] == static_cast<uint32_t>(Decoration::kNoContraction);
  });
}

Shader doubled(Scalar element, const ShaderForm& form = {1, {0, 0}},
               const GpuDevice& device = lavapipe()) {
  XY m(element);
  const kernel::ValueId x = m.read(Affine::constant(3));
  m.write(Affine::constant(5), m.b.add(x, m.b.mul(x, x)));
  return tests::require(write_shader(legal(m.b.finish()), form, device));
}

TEST_CASE("a module of SPIR-V 1.3 asks for what it uses and for nothing else") {
  const SpirvWords words = doubled(Scalar::kF32).words;
  CHECK(words[0] == kSpirvMagic);
  CHECK(words[1] == kSpirvVersion);
  CHECK(asks_for(words, Capability::kShader));
  for (const auto& [scalar, capability, needs] :
       {std::tuple(Scalar::kF64, Capability::kFloat64, HLOCC_TABLE_NEEDS_F64),
        std::tuple(Scalar::kS64, Capability::kInt64, HLOCC_TABLE_NEEDS_I64),
        std::tuple(Scalar::kU8, Capability::kStorageBuffer8BitAccess, HLOCC_TABLE_NEEDS_STORAGE8),
        std::tuple(Scalar::kS16, Capability::kStorageBuffer16BitAccess,
                   HLOCC_TABLE_NEEDS_STORAGE16)}) {
    const Shader made = doubled(scalar);
    CHECK_FALSE(asks_for(words, capability));
    CHECK(asks_for(made.words, capability));
    CHECK((made.needs & static_cast<uint32_t>(needs)) != 0);
    CHECK((doubled(Scalar::kU32).needs & static_cast<uint32_t>(needs)) == 0);
  }
  // Modes of floats are for modules with floats, of the width that they have.
  CHECK(asks_for(words, Capability::kRoundingModeRte));
  CHECK_FALSE(asks_for(doubled(Scalar::kS32).words, Capability::kRoundingModeRte));
  CHECK_FALSE(asks_for(words, Capability::kDenormPreserve));
}

TEST_CASE("ids are below the bound, which the last label takes") {
  const SpirvWords words = doubled(Scalar::kF32).words;
  for (const Instruction& one : instructions_of(words))
    if (one.op == Spv::kLabel) CHECK(one.words[0] < words[3]);
}

TEST_CASE("float arithmetic is rounded by itself, integers need no word of it") {
  for (const auto& [scalar, add, mul, exact] :
       {std::tuple(Scalar::kF32, Spv::kFAdd, Spv::kFMul, true),
        std::tuple(Scalar::kF64, Spv::kFAdd, Spv::kFMul, true),
        std::tuple(Scalar::kS32, Spv::kIAdd, Spv::kIMul, false)}) {
    const SpirvWords words = doubled(scalar).words;
    int found = 0;
    for (const Instruction& one : instructions_of(words))
      if (one.op == add || one.op == mul) {
        found += is_exact(words, one.words[1]);
      }
    CHECK(found == (exact ? 2 : 0));
  }
}

TEST_CASE("small integers are held in 32 bits and brought back into their range") {
  GpuDevice plain = lavapipe();
  plain.folds_zeros = false;
  const auto made = [&](Scalar scalar) { return doubled(scalar, {1, {0, 0}}, plain).words; };
  CHECK(count(made(Scalar::kS8), Spv::kBitFieldSExtract) == 2);
  CHECK(count(made(Scalar::kU16), Spv::kBitwiseAnd) == 2);
  CHECK(count(made(Scalar::kU32), Spv::kBitwiseAnd) == 0);
}

TEST_CASE("loops that end by data have all lanes of a group, of which one invocation works") {
  const auto made = [](bool by_data, int group) {
    XY m(Scalar::kS32);
    const kernel::ValueId end = m.read(Affine::constant(0)),
                          one = m.b.constant_int({Scalar::kS32, 1}, 1);
    const auto next = [&](std::span<const kernel::ValueId> carried) {
      return kernel::Values{m.b.add(carried[0], one)};
    };
    kernel::Values last = {end};
    if (by_data)
      last = m.b.while_loop(
          {one},
          [&](std::span<const kernel::ValueId> carried) {
            return m.b.compare(kernel::Predicate::kLt, carried[0], end);
          },
          next);
    m.write(Affine::constant(1), last[0]);
    GpuDevice device = lavapipe();
    device.group = group;
    return tests::require(write_shader(legal(m.b.finish()), {1, {0, 0}}, device));
  };
  CHECK(made(false, 128).group == 1);
  CHECK(made(true, 128).group == 16);
  CHECK(made(true, 8).group == 8);
  CHECK(made(true, 128).groups == 1);
  // The others go round the work.
  CHECK(count(made(true, 128).words, Spv::kULessThan) == 1);
  CHECK(count(made(false, 128).words, Spv::kULessThan) == 0);
}

TEST_CASE("64-bit integers are pairs of words where a device has none") {
  GpuDevice narrow = lavapipe();
  narrow.i64 = false;
  const Shader pairs = doubled(Scalar::kS64, {1, {0, 0}}, narrow);
  CHECK_FALSE(asks_for(pairs.words, Capability::kInt64));
  CHECK(count(pairs.words, Spv::kUMulExtended) == 1);
  CHECK(count(doubled(Scalar::kS64).words, Spv::kUMulExtended) == 0);
  CHECK((pairs.needs & static_cast<uint32_t>(HLOCC_TABLE_NEEDS_I64)) == 0);
}

TEST_CASE("elements that a device cannot see are parts of words") {
  GpuDevice words = lavapipe();
  words.storage8 = words.storage16 = false;
  for (const auto& [scalar, capability] :
       {std::pair(Scalar::kS8, Capability::kStorageBuffer8BitAccess),
        std::pair(Scalar::kU16, Capability::kStorageBuffer16BitAccess)}) {
    const Shader made = doubled(scalar, {1, {0, 0}}, words);
    CHECK_FALSE(asks_for(made.words, capability));
    // Cleared and set; others in the word stay.
    CHECK(count(made.words, Spv::kAtomicAnd) == 1);
    CHECK(count(made.words, Spv::kAtomicOr) == 1);
    CHECK(count(doubled(scalar).words, Spv::kAtomicAnd) == 0);
  }
  CHECK(count(doubled(Scalar::kS32, {1, {0, 0}}, words).words, Spv::kAtomicAnd) == 0);
}

TEST_CASE("the first parameter of a grid is the invocation, and spare ones do nothing") {
  XY m(Scalar::kF32, 100);
  const kernel::ValueId number = m.b.parameter();
  m.write(Affine::of(number), m.read(Affine::of(number)));
  const kernel::Kernel kernel = legal(m.b.finish());
  const Shader grid = tests::require(write_shader(kernel, {100, {0, 0}}, lavapipe()));
  CHECK(grid.group == 64);
  CHECK(grid.groups == 2);
  CHECK(grid.parameters == 2);
  CHECK(count(grid.words, Spv::kSelectionMerge) == 1);
  const Shader one = tests::require(write_shader(kernel, {1, {0, 0}}, lavapipe()));
  CHECK(one.group == 1);
  CHECK(one.parameters == 3);
  CHECK(count(one.words, Spv::kSelectionMerge) == 0);
  const Shader few = tests::require(write_shader(kernel, {24, {0, 0}}, lavapipe()));
  CHECK(few.group == 24);
  CHECK(few.groups == 1);
}

TEST_CASE("a mapped kernel has its own groups, shared memory and barriers") {
  const Shader made =
      tests::require(write_shader(legal(turned_in_groups()), {1, {0, 0}}, lavapipe()));
  CHECK(made.group == 4);
  CHECK(made.groups == 3);
  CHECK(made.parameters == 2);
  CHECK(count(made.words, Spv::kControlBarrier) == 1);
  CHECK(count(made.words, Spv::kLoopMerge) == 0);
  CHECK(count(made.words, Spv::kSelectionMerge) == 0);
  const auto shared = [](const SpirvWords& words) {
    return std::ranges::count_if(instructions_of(words), [](const Instruction& one) {
      return one.op == Spv::kVariable && one.words[2] == static_cast<uint32_t>(Storage::kWorkgroup);
    });
  };
  CHECK(shared(made.words) == 1);
  CHECK(shared(doubled(Scalar::kF32).words) == 0);
  CHECK(count(doubled(Scalar::kF32).words, Spv::kControlBarrier) == 0);
}

TEST_CASE("counters of nested mapped loops come of one number, with their begins and steps") {
  XY m(Scalar::kS32, 64);
  kernel::Loop outer{.lower = Affine::constant(1), .upper = Affine::constant(7), .step = 2};
  outer.mapping = kernel::Mapping::kGrid;
  m.b.loop(outer, [&](kernel::ValueId i) {
    m.b.mapped_loop(kernel::Mapping::kGrid, 5, [&](kernel::ValueId j) {
      const Affine at = Affine::of(i, 5).plus(Affine::of(j));
      m.write(at, m.read(at));
    });
  });
  const Shader made = tests::require(write_shader(legal(m.b.finish()), {1, {0, 0}}, lavapipe()));
  CHECK(made.group == 1);
  CHECK(made.groups == 15);
  CHECK(count(made.words, Spv::kUMod) == 1);
  CHECK(count(made.words, Spv::kUDiv) == 1);
}

TEST_CASE("what a launch cannot push lies in the constants") {
  GpuDevice device = lavapipe();
  device.push_words = 2;
  CHECK_FALSE(doubled(Scalar::kF32, {1, {0, 0}}, device).in_memory);
  device.push_words = 1;
  CHECK(doubled(Scalar::kF32, {1, {0, 0}}, device).in_memory);
}

TEST_CASE("zeros are hidden where a driver reckons with them, and there alone") {
  XY m(Scalar::kF32);
  const kernel::ValueId x = m.read(Affine::constant(0));
  m.write(Affine::constant(0), m.b.mul(x, m.b.constant_float({Scalar::kF32, 1}, 0)));
  const kernel::Kernel kernel = legal(m.b.finish());
  GpuDevice device = lavapipe();
  CHECK(count(tests::require(write_shader(kernel, {1, {0, 0}}, device)).words, Spv::kBitcast) == 2);
  device.folds_zeros = false;
  CHECK(count(tests::require(write_shader(kernel, {1, {0, 0}}, device)).words, Spv::kBitcast) == 0);
}

TEST_CASE("words beside the bits of f64 are as wide, and equal operands are hidden, too") {
  GpuDevice device = lavapipe();
  device.f64 = true;
  const SpirvWords wide = doubled(Scalar::kF64, {1, {0, 0}}, device).words;
  CHECK(count(wide, Spv::kUConvert) == 1);
  CHECK(count(doubled(Scalar::kF32, {1, {0, 0}}, device).words, Spv::kUConvert) == 0);
  CHECK(count(doubled(Scalar::kF32, {1, {0, 0}}, device).words, Spv::kBitwiseOr) == 1);
  device.folds_zeros = false;
  CHECK(count(doubled(Scalar::kF32, {1, {0, 0}}, device).words, Spv::kBitwiseOr) == 0);
}

TEST_CASE("a kernel without buffers pushes nothing and hides nothing") {
  kernel::Builder b("made");
  const Shader made = tests::require(write_shader(b.finish(), {1, {}}, lavapipe()));
  CHECK(made.parameters == 0);
  CHECK(count(made.words, Spv::kAccessChain) == 0);
  CHECK(std::ranges::none_of(instructions_of(made.words), [](const Instruction& one) {
    return one.op == Spv::kVariable &&
           one.words[2] == static_cast<uint32_t>(Storage::kPushConstant);
  }));
}

TEST_CASE("places are multiplied by what is not 1, and by -1, too") {
  const auto products = [](int64_t scale, int64_t offset) {
    XY m(Scalar::kF32);
    m.b.loop(24, [&](kernel::ValueId i) {
      m.write(Affine::of(i), m.read(Affine::of(i, scale, offset)));
    });
    return count(tests::require(write_shader(legal(m.b.finish()), {1, {0, 0}}, lavapipe())).words,
                 Spv::kIMul);
  };
  CHECK(products(1, 0) == 0);
  CHECK(products(-1, 23) == 1);
  CHECK(products(0, 5) == 0);
}

TEST_CASE("small elements are widened for memory that others see, and for it alone") {
  const auto conversions = [](kernel::Direction direction, kernel::Space space) {
    kernel::Builder b("made");
    const kernel::BufferId x = b.buffer({.name = "x", .element = Scalar::kU8, .elements = 24}),
                           y = b.buffer({.name = "y",
                                         .element = Scalar::kU8,
                                         .elements = 24,
                                         .direction = direction,
                                         .space = space});
    b.store(y, Affine::constant(2), b.load(x, Affine::constant(1)));
    return count(tests::require(write_shader(legal(b.finish()), {1, {0, 0}}, lavapipe())).words,
                 Spv::kUConvert);
  };
  CHECK(conversions(kernel::Direction::kOut, kernel::Space::kArena) ==
        conversions(kernel::Direction::kScratch, kernel::Space::kStack) + 1);
}

TEST_CASE("vectors and ops without a row are refused by name") {
  kernel::Builder b("made");
  const kernel::BufferId y = b.buffer(
      {.name = "y", .element = Scalar::kF32, .elements = 4, .direction = kernel::Direction::kOut});
  b.store(y, Affine::constant(0), b.constant_float({Scalar::kF32, 4}, 1));
  const auto vectors = write_shader(b.finish(), {1, {0}}, lavapipe());
  REQUIRE_FALSE(vectors.ok());
  CHECK(vectors.error().kind == DiagnosticKind::kUnsupported);
  CHECK(vectors.error().message == "kernel made: no SPIR-V for constant of f32x4");
  XY m(Scalar::kF32);
  m.write(Affine::constant(0), m.b.unary(kernel::OpKind::kTanh, m.read(Affine::constant(0))));
  const auto tanh = write_shader(m.b.finish(), {1, {0, 0}}, lavapipe());
  REQUIRE_FALSE(tanh.ok());
  CHECK(tanh.error().message == "kernel made: no SPIR-V for tanh of f32");
}

}  // namespace
}  // namespace hlocc::backends
