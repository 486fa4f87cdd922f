// Shaders on each side of what their writer asks: which buffers are bound, which elements are parts
// of words and of which size, conversions and bits that no device has.
#include <catch2/catch.hpp>

#include "backends/spirv/shader.h"
#include "backends_spirv/instructions.h"
#include "backends_spirv/kernels.h"

namespace hlocc::backends {
namespace {

using kernel::Affine;
using kernel::OpKind;
using kernel::Scalar;

TEST_CASE("scratch of the shader's own is no part of words") {
  GpuDevice words = lavapipe();
  words.storage8 = false;
  XY m(Scalar::kS8);
  const kernel::BufferId held = m.b.buffer({.name = "held",
                                            .element = Scalar::kS8,
                                            .elements = 2,
                                            .direction = kernel::Direction::kScratch,
                                            .space = kernel::Space::kStack});
  m.b.store(held, Affine::constant(1), m.read(Affine::constant(0)));
  m.write(Affine::constant(0), m.b.load(held, Affine::constant(1)));
  const Shader made = tests::require(write_shader(legal(m.b.finish()), {1, {0, 0}}, words));
  CHECK(count(made.words, Spv::kAtomicAnd) == 1);
}

TEST_CASE("zeros are hidden by the place of a buffer, where there is one") {
  kernel::Builder b("made");
  const kernel::ValueId number = b.parameter();
  const kernel::BufferId held = b.buffer({.name = "held",
                                          .elements = 2,
                                          .direction = kernel::Direction::kScratch,
                                          .space = kernel::Space::kStack});
  b.store(held, Affine::of(number), b.zero({Scalar::kF32, 1}));
  const kernel::Kernel kernel = legal(b.finish());
  GpuDevice folds = lavapipe(), plain = lavapipe();
  folds.folds_zeros = true;
  plain.folds_zeros = false;
  CHECK(tests::require(write_shader(kernel, {1, {}}, folds)).words ==
        tests::require(write_shader(kernel, {1, {}}, plain)).words);
}

TEST_CASE("parts of words are counted by four bytes or by two") {
  GpuDevice words = lavapipe();
  words.storage8 = words.storage16 = false;
  const auto has_number = [&](Scalar element, uint32_t number) {
    XY m(element);
    m.write(Affine::constant(0), m.read(Affine::constant(0)));
    const Shader made = tests::require(write_shader(legal(m.b.finish()), {1, {0, 0}}, words));
    return std::ranges::any_of(instructions_of(made.words), [&](const Instruction& one) {
      return one.op == Spv::kConstant && one.words[2] == number;
    });
  };
  // A byte's number is shifted by 2 and by 3, a half's by 1 and by 4.
  CHECK(has_number(Scalar::kU8, 3));
  CHECK_FALSE(has_number(Scalar::kU8, 4));
  CHECK(has_number(Scalar::kU16, 4));
  CHECK_FALSE(has_number(Scalar::kU16, 3));
}

TEST_CASE("all operands are bound, wherever they lie") {
  const auto made = [](kernel::Space space) {
    kernel::Builder b("made");
    const kernel::BufferId x = b.buffer({.name = "x", .elements = 4, .space = space}),
                           y = b.buffer({.name = "y",
                                         .elements = 4,
                                         .direction = kernel::Direction::kOut,
                                         .space = space});
    b.store(y, Affine::constant(0), b.load(x, Affine::constant(0)));
    return tests::require(write_shader(legal(b.finish()), {1, {0, 0}}, lavapipe())).words;
  };
  CHECK(made(kernel::Space::kConstant) == made(kernel::Space::kArena));
}

TEST_CASE("an index becomes a pair of words with its sign") {
  GpuDevice narrow = lavapipe();
  narrow.i64 = false;
  const auto signs = [&](Scalar from) {
    kernel::Builder b("made");
    const kernel::ValueId x = from == Scalar::kIndex ? b.parameter() : b.zero({from, 1});
    const kernel::BufferId y = b.buffer({.name = "y",
                                         .element = Scalar::kS64,
                                         .elements = 1,
                                         .direction = kernel::Direction::kOut});
    b.store(y, Affine::constant(0), b.op(OpKind::kNativeConvert, {Scalar::kS64, 1}, {x}));
    return count(tests::require(write_shader(b.finish(), {1, {0}}, narrow)).words,
                 Spv::kShiftRightArithmetic);
  };
  CHECK(signs(Scalar::kIndex) == 1);
  CHECK(signs(Scalar::kS32) == 1);
  CHECK(signs(Scalar::kU32) == 0);
}

TEST_CASE("truth values have no bits that other types could take") {
  const auto bits = [](Scalar from, Scalar to) {
    kernel::Builder b("made");
    b.op(OpKind::kBitcast, {to, 1}, {b.zero({from, 1})});
    const auto made = write_shader(b.finish(), {1, {}}, lavapipe());
    return made.ok() ? count(made->words, Spv::kBitcast) : -1;
  };
  CHECK(bits(Scalar::kPred, Scalar::kPred) == 0);
  CHECK(bits(Scalar::kPred, Scalar::kS8) == -1);
  CHECK(bits(Scalar::kS8, Scalar::kPred) == -1);
  CHECK(bits(Scalar::kS32, Scalar::kF32) == 1);
}

}  // namespace
}  // namespace hlocc::backends
