// Sums of products: kept where the chip has the instruction, expanded elsewhere; with the same bits.
#include <catch2/catch.hpp>

#include "kernel/evaluate/evaluator.h"
#include "kernel/legalize/dot_instructions.h"
#include "kernel/legalize/legalize.h"
#include "kernel/verifier.h"
#include "legalize/harness.h"

namespace hlocc::kernel {
namespace {

struct Dot {
  int lanes, group;
  Scalar left, right;
};

Kernel dot_of(const Dot& dot, int64_t factor = 0) {
  Builder b("dot");
  const auto count = static_cast<uint16_t>(dot.lanes * dot.group);
  const BufferId x = b.buffer({.name = "x", .element = dot.left, .elements = count});
  const BufferId w = b.buffer({.name = "w", .element = dot.right, .elements = count});
  const BufferId y = b.buffer({.name = "y",
                               .element = Scalar::kS32,
                               .elements = dot.lanes,
                               .direction = Direction::kInOut});
  const ValueId right = factor == 0 ? b.load(w, Affine::constant(0), count)
                                    : b.constant_int({dot.right, count}, factor);
  b.store(y, Affine::constant(0),
          b.dot_accumulate(b.load(y, Affine::constant(0), dot.lanes),
                           b.load(x, Affine::constant(0), count), right));
  return b.finish();
}

// Numbers of both signs and the ends of their types; sums that wrap.
std::vector<std::byte> numbers(const Buffer& buffer, int seed) {
  std::vector<std::byte> out;
  for (int64_t i = 0; i < buffer.elements * scalar_bytes(buffer.element); ++i)
    out.push_back(static_cast<std::byte>(i % 3 == 0 ? 0x80 : i % 5 == 0 ? 0xff : i * 37 + seed));
  return out;
}

std::vector<std::byte> run(const Kernel& kernel) {
  std::vector<std::vector<std::byte>> held;
  std::vector<std::span<std::byte>> buffers;
  for (const Buffer& buffer : kernel.buffers)
    held.push_back(numbers(buffer, 11 * static_cast<int>(held.size())));
  for (std::vector<std::byte>& one : held) buffers.emplace_back(one);
  REQUIRE(evaluate(kernel, buffers, {}));
  return held.back();
}

// Whether legalisation keeps the op; whatever it makes of it computes the same.
bool is_kept(const Kernel& plain, const Target& target) {
  const Result<Kernel> legal = legalize(plain, target);
  REQUIRE(legal);
  CHECK(verify_legal(*legal, target));
  CHECK(run(*legal) == run(plain));
  return to_text(*legal).find("dot_accumulate") != std::string::npos;
}

TEST_CASE("sums of products are expanded where no instruction does them", "[legalize]") {
  using enum Scalar;
  const Dot fours{4, 4, kS8, kS8}, mixed{4, 4, kU8, kS8}, pairs{4, 2, kS16, kS16},
      vector{1, 16, kS8, kS8}, word{1, 4, kU8, kS8}, halves{1, 2, kS16, kS16},
      odd{3, 5, kU16, kS16}, one{1, 1, kS8, kU8}, across{2, 1, kU16, kU16};
  const std::pair<const char*, std::vector<Dot>> chips[] = {{"cortex-m0", {}},
                                                            {"cortex-m4", {vector, word, halves}},
                                                            {"cortex-m55", {vector, word, halves}},
                                                            {"x86_64-linux", {fours, mixed, pairs}},
                                                            {"cortex-a53", {}},
                                                            {"riscv64v-linux", {}}};
  for (const auto& [chip, kept] : chips)
    for (const Dot& dot : {fours, mixed, pairs, vector, word, halves, odd, one, across}) {
      INFO(chip << " " << dot.lanes << " x " << dot.group << " " << scalar_name(dot.left));
      const bool wanted = std::ranges::any_of(kept, [&](const Dot& each) {
        return each.lanes == dot.lanes && each.group == dot.group && each.left == dot.left &&
               each.right == dot.right;
      });
      CHECK(is_kept(dot_of(dot), target_named(chip)) == wanted);
      // A backend that writes loops keeps all of them.
      Target loops = target_named(chip);
      loops.dot_loops = true;
      CHECK(is_kept(dot_of(dot), loops));
    }
}

TEST_CASE("a product with ones is kept where neighbours are added up", "[legalize]") {
  const Dot pairs{4, 2, Scalar::kS16, Scalar::kS16};
  for (const char* chip : {"cortex-a53", "armv7-linux"}) {
    CHECK(is_kept(dot_of(pairs, 1), target_named(chip)));
    CHECK_FALSE(is_kept(dot_of(pairs, 2), target_named(chip)));
    CHECK_FALSE(is_kept(dot_of(pairs, -1), target_named(chip)));
  }
  CHECK_FALSE(is_kept(dot_of(pairs, 1), target_named("cortex-m0")));
}

}  // namespace
}  // namespace hlocc::kernel
