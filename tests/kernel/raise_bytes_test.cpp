// Raising of what begins with bytes: which are spread on which chip, what stands just outside, and
// that raised and expanded kernels give the same bits.
#include <catch2/catch.hpp>
#include <functional>
#include <optional>
#include <string>

#include "kernel/builder.h"
#include "kernel/evaluate/evaluator.h"
#include "kernel/legalize/legalize.h"
#include "kernel/raise/raise.h"
#include "kernel/verifier.h"

namespace hlocc::kernel::bytes {
namespace {

using enum Scalar;
using enum OpKind;

Target chip(const char* name) {
  const std::optional<Target> row = preset(name);
  REQUIRE(row);
  return *row;
}

std::vector<std::byte> run(const Kernel& kernel) {
  std::vector<std::vector<std::byte>> held;
  std::vector<std::span<std::byte>> buffers;
  for (const Buffer& buffer : kernel.buffers) {
    std::vector<std::byte> bytes;
    for (int64_t i = 0; i < buffer.elements * scalar_bytes(buffer.element); ++i)
      bytes.push_back(static_cast<std::byte>(i % 4 == 3   ? (i / 4 % 3 == 0 ? 0 : i * 89)
                                             : i % 7 == 0 ? 0x80
                                                          : i * 37));
    held.push_back(std::move(bytes));
  }
  for (std::vector<std::byte>& one : held) buffers.emplace_back(one);
  REQUIRE(evaluate(kernel, buffers, {}));
  return held.back();
}

// The raised kernel's text. Whatever it is, it computes the same, and so do its expansions for other
// chips.
std::string raised(const Kernel& plain, const char* name) {
  const Kernel now = raise(plain, chip(name));
  REQUIRE(verify(now));
  const std::vector<std::byte> wanted = run(plain);
  CHECK(run(now) == wanted);
  for (const char* other : {"cortex-m0", "cortex-m4f", "cortex-m55", "riscv64v-linux", name}) {
    const Result<Kernel> legal = legalize(now, chip(other));
    REQUIRE(legal);
    CHECK(verify_legal(*legal, chip(other)));
    CHECK(run(*legal) == wanted);
  }
  return to_text(now);
}
bool has(const std::string& text, const std::string& word) {
  return text.find(word) != std::string::npos;
}

// y = bytes of x in some order, as 16 bits.
struct Spread {
  int from = 8;
  std::vector<int> lanes = {4, 6, 5, 7};
  Scalar byte = kS8, to = kS16;
  bool constant = false;
};

Kernel spread(const Spread& how) {
  Builder b("spread");
  const BufferId x = b.buffer({.name = "x", .element = how.byte, .elements = 16});
  const BufferId y =
      b.buffer({.name = "y", .element = how.to, .elements = 8, .direction = Direction::kInOut});
  const Type type{how.byte, static_cast<uint16_t>(how.from)};
  const ValueId bytes =
      how.constant ? b.constant_int(type, 7) : b.load(x, Affine::constant(0), how.from);
  b.store(y, Affine::constant(0), b.convert(b.shuffle(bytes, bytes, how.lanes), how.to));
  return b.finish();
}

TEST_CASE("words of bytes are spread where two halves are multiplied at once", "[kernel]") {
  for (const Scalar byte : {kS8, kU8})
    for (const Scalar to : {kS16, kU16}) {
      const auto text = [&](Spread how, const char* name) {
        how.byte = byte;
        how.to = to;
        return raised(spread(how), name);
      };
      const std::string second = text({}, "cortex-m4f");
      CHECK(has(second, "spread_bytes"));
      CHECK(has(second, "lane 1"));
      CHECK_FALSE(has(second, "shuffle"));
      CHECK(has(text({.from = 4, .lanes = {0, 2, 1, 3}}, "cortex-m33"), "lane 0"));
      for (const char* name : {"cortex-m3", "cortex-m55", "cortex-a53", "x86_64-linux"})
        CHECK_FALSE(has(text({}, name), "spread_bytes"));
    }
}

TEST_CASE("bytes in other orders and of parts of words are widened as they are", "[kernel]") {
  const auto spreads = [](const Spread& how) {
    return has(raised(spread(how), "cortex-m4f"), "spread_bytes");
  };
  CHECK(spreads({}));
  CHECK_FALSE(spreads({.lanes = {4, 5, 6, 7}}));
  CHECK_FALSE(spreads({.lanes = {4, 6, 5, 3}}));
  CHECK_FALSE(spreads({.lanes = {2, 4, 3, 5}}));
  CHECK_FALSE(spreads({.lanes = {8, 10, 9, 11}}));  // of the second operand
  CHECK_FALSE(spreads({.lanes = {-1, 6, 5, 7}}));
  CHECK_FALSE(spreads({.lanes = {0, 2, 1, 3, 4, 6, 5, 7}}));
  CHECK_FALSE(spreads({.from = 6, .lanes = {0, 2, 1, 3}}));  // no whole words
  CHECK_FALSE(spreads({.to = kS32}));
  CHECK_FALSE(spreads({.constant = true}));
}

}  // namespace
}  // namespace hlocc::kernel::bytes
