// Raising of what ends in bytes or begins with them: which stores saturate and which bytes are
// spread on which chip, what stands just outside, and that raised and expanded kernels give the
// same bits.
#include <catch2/catch.hpp>
#include <functional>
#include <optional>
#include <string>

#include "kernel/builder.h"
#include "kernel/evaluate/evaluator.h"
#include "kernel/legalize/legalize.h"
#include "kernel/raise/raise.h"
#include "kernel/verifier.h"
#include "support/text.h"

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

// y = x clamped, of s32, and stored as bytes.
struct Clamp {
  int64_t low = -128, high = 127;
  int shift = 3, lanes = 4;
  Scalar to = kS8;
  int64_t stride = 1;
  bool high_first = false, number_first = false, native = false, masked = false, read_twice = false;
};

Kernel clamped(const Clamp& how) {
  Builder b("clamped");
  const BufferId x = b.buffer({.name = "x", .element = kS32, .elements = 64});
  const BufferId y =
      b.buffer({.name = "y", .element = how.to, .elements = 256, .direction = Direction::kInOut});
  b.loop({Affine::constant(0), Affine::constant(64), how.lanes}, [&](ValueId at) {
    ValueId value = b.load(x, Affine::of(at), how.lanes);
    const auto bounded = [&](OpKind op, OpKind native, int64_t bound) {
      const ValueId number = b.constant_int(b.type(value), bound);
      const OpKind kind = how.native ? native : op;
      value = how.number_first ? b.binary(kind, number, value) : b.binary(kind, value, number);
    };
    if (how.shift > 0)
      value = b.binary(how.native ? kNativeShr : kShrArithmetic, value,
                       b.constant_int(b.type(value), how.shift));
    const ValueId shifted = value;
    if (how.high_first) bounded(kMin, kNativeMin, how.high);
    bounded(kMax, kNativeMax, how.low);
    if (!how.high_first) bounded(kMin, kNativeMin, how.high);
    const ValueId byte = b.convert(value, how.to);
    Access access{.buffer = y, .at = Affine::of(at), .lane_stride = how.stride, .stored = byte};
    if (how.masked) access.mask = b.compare(Predicate::kGt, shifted, b.zero(b.type(shifted)));
    b.store(access);
    if (how.read_twice)
      b.store(y, Affine::of(at, 1, 128), b.convert(b.add(value, shifted), how.to));
  });
  return b.finish();
}

TEST_CASE("clamps to bytes that are stored saturate on MVE and NEON", "[kernel]") {
  for (const char* name : {"cortex-m55", "cortex-a53", "armv7-linux"})
    for (const bool flag : {false, true}) {
      INFO(name);
      const auto text = [&](const Clamp& how) { return raised(clamped(how), name); };
      CHECK(has(text({.high_first = flag, .native = flag}), "rounding 0 shift 3"));
      CHECK(has(text({.shift = 0, .number_first = flag}), "shift 0"));
      CHECK(has(text({.shift = 24, .native = flag}), "shift 24"));
      // Its parts go with it, but for what others read.
      CHECK_FALSE(has(text({.native = flag}), "shr"));
      CHECK_FALSE(has(text({.native = flag}), "max"));
      CHECK(has(text({.native = flag, .read_twice = true}), "saturate"));
      CHECK(has(text({.native = flag, .read_twice = true}), "max"));
      // More than two instructions shift is shifted apart.
      const std::string more = text({.shift = 25, .native = flag});
      CHECK((has(more, "saturate") && has(more, "shift 0") && has(more, "shr")));
    }
}

TEST_CASE("clamps just outside of bytes, other stores and other chips keep their clamp",
          "[kernel]") {
  const auto saturates = [](const Clamp& how, const char* name = "cortex-m55") {
    return has(raised(clamped(how), name), "saturate");
  };
  CHECK(saturates({}));
  CHECK_FALSE(saturates({.low = -127}));
  CHECK_FALSE(saturates({.low = -129}));
  CHECK_FALSE(saturates({.high = 126}));
  CHECK_FALSE(saturates({.high = 128}));
  CHECK_FALSE(saturates({.lanes = 8}));
  CHECK_FALSE(saturates({.lanes = 1}));
  CHECK_FALSE(saturates({.to = kU8}));
  CHECK_FALSE(saturates({.to = kS16}));
  CHECK_FALSE(saturates({.stride = 2}));
  CHECK_FALSE(saturates({.masked = true}));
  for (const char* name : {"cortex-m4f", "cortex-m0", "x86_64-linux", "riscv64v-linux"})
    CHECK_FALSE(saturates({}, name));
  Target in_c = chip("cortex-m55");
  in_c.dot_loops = true;
  CHECK_FALSE(has(to_text(raise(clamped({}), in_c)), "saturate"));
}

// What x becomes before it is clamped and stored; in which order its lanes are stored.
using Before = std::function<ValueId(Builder&, ValueId x, ValueId w)>;
std::string stored_behind(const Before& before, bool by_index = false) {
  Builder b("stored");
  const BufferId x = b.buffer({.name = "x", .element = kS32, .elements = 4});
  const BufferId w = b.buffer({.name = "w", .element = kS32, .elements = 4});
  const BufferId y =
      b.buffer({.name = "y", .element = kS8, .elements = 4, .direction = Direction::kInOut});
  const ValueId value =
      before(b, b.load(x, Affine::constant(0), 4), b.load(w, Affine::constant(0), 4));
  b.constant_int({kS32, 4}, 127);
  const auto number = [&](int64_t n) { return b.constant_int(b.type(value), n); };
  Access access{.buffer = y, .at = Affine::constant(0)};
  access.stored = b.convert(b.min(b.max(value, number(-128)), number(127)), kS8);
  if (by_index) access.lane_indices = b.constant_lanes({kS32, 4}, {3, 1, 2, 0});
  b.store(access);
  return raised(b.finish(), "cortex-m55");
}

TEST_CASE("shifts go into a saturation by a number that it has", "[kernel]") {
  const auto by = [](int64_t amount) {
    return [amount](Builder& b, ValueId x, ValueId) {
      return b.op(kShrArithmetic, b.type(x), {x, b.constant_int(b.type(x), amount)});
    };
  };
  const auto keeps_shift = [](const std::string& text) {
    CHECK(has(text, "saturate"));
    return has(text, "shr");
  };
  CHECK_FALSE(keeps_shift(stored_behind(by(1))));
  CHECK_FALSE(keeps_shift(stored_behind(by(0))));
  CHECK(keeps_shift(stored_behind(by(-1))));
  CHECK(keeps_shift(stored_behind([](Builder& b, ValueId x, ValueId w) {
    return b.op(kShrArithmetic, b.type(x), {x, w});
  })));
  CHECK(keeps_shift(stored_behind([](Builder& b, ValueId x, ValueId) {
    return b.op(kShrArithmetic, b.type(x), {x, b.constant_lanes(b.type(x), {1, 2, 3, 4})});
  })));
  CHECK_FALSE(has(stored_behind(by(1), /*by_index=*/true), "saturate"));
  const Before widened = [](Builder& b, ValueId x, ValueId) { return b.convert(x, kS64); };
  CHECK_FALSE(has(stored_behind(widened), "saturate"));
}

// y = x times a number, shifted by 32 and by more, clamped to bytes.
Kernel scaled(int shift, int64_t low = -128, bool read_twice = false) {
  Builder b("scaled");
  const BufferId x = b.buffer({.name = "x", .element = kS32, .elements = 4});
  const BufferId z =
      b.buffer({.name = "z", .element = kS32, .elements = 4, .direction = Direction::kInOut});
  const BufferId y =
      b.buffer({.name = "y", .element = kS8, .elements = 4, .direction = Direction::kInOut});
  const ValueId value = b.load(x, Affine::constant(0), 4);
  const Type wide = b.type(value).with(kS64);
  const ValueId product = b.mul(b.convert(value, kS64), b.constant_int(wide, INT32_MIN));
  const ValueId scaled =
      b.convert(b.binary(kShrArithmetic, product, b.constant_int(wide, 32 + shift)), kS32);
  if (read_twice) b.store(z, Affine::constant(0), scaled);
  const auto number = [&](int64_t n) { return b.constant_int(b.type(scaled), n); };
  b.store(y, Affine::constant(0), b.convert(b.min(b.max(scaled, number(low)), number(127)), kS8));
  return b.finish();
}

TEST_CASE("a high product's shift goes into the saturation behind it", "[kernel]") {
  const std::string text = raised(scaled(7), "cortex-m55");
  CHECK(has(text, "mulhi"));
  CHECK_FALSE(has(text, "mulhi_doubled"));
  CHECK(has(text, "shift 7"));
  CHECK_FALSE(has(text, "shr"));
}

TEST_CASE("high products in front of a saturation are doubled on NEON", "[kernel]") {
  for (const char* name : {"cortex-a53", "armv7-linux"}) {
    INFO(name);
    for (const int shift : {0, 7, 23}) {
      const std::string text = raised(scaled(shift), name);
      CHECK(has(text, "mulhi_doubled"));
      CHECK(has(text, cat("shift ", shift + 1)));
      CHECK_FALSE((has(text, "mulhi ") || has(text, "shr")));
    }
    // There the lowest number times itself would be another byte.
    CHECK_FALSE(has(raised(scaled(24), name), "mulhi_doubled"));
    CHECK_FALSE(has(raised(scaled(7, -127), name), "mulhi_doubled"));
    const std::string both = raised(scaled(0, -128, true), name);
    CHECK((has(both, "mulhi ") && has(both, "mulhi_doubled")));
  }
  CHECK_FALSE(has(raised(scaled(7), "x86_64-linux"), "mulhi_doubled"));
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
  CHECK_FALSE(spreads({.to = kU8}));
  CHECK_FALSE(spreads({.constant = true}));
}

}  // namespace
}  // namespace hlocc::kernel::bytes
