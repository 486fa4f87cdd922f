// Raising: what becomes one op on which chip, what stands just outside, and that neither the raised
// kernel nor what legalisation expands it into for a chip without the instruction gives other bits.
#include "kernel/raise/raise.h"

#include <catch2/catch.hpp>
#include <functional>
#include <optional>
#include <string>

#include "kernel/builder.h"
#include "kernel/evaluate/evaluator.h"
#include "kernel/legalize/legalize.h"
#include "kernel/verifier.h"

namespace hlocc::kernel {
namespace {

constexpr int kLanesInAll = 16;
constexpr Scalar kS32 = Scalar::kS32, kS64 = Scalar::kS64;

// A preset; "NAME in C": with what C's rule adds of vectors; "NAME with SSE4.1".
Target chip(std::string name) {
  std::optional<Target> row = preset(name.substr(0, name.find(' ')));
  REQUIRE(row);
  row->vector_scaling = name.ends_with(" in C");
  if (name.ends_with(" with SSE4.1")) row->isa.add(Isa::kSse41);
  return *row;
}

// z = make(x, y), `lanes` at a time.
using Pair = std::function<ValueId(Builder&, ValueId x, ValueId y)>;
Kernel kernel_of(const Pair& make, int lanes = 4, Scalar from = kS32) {
  Builder b("pairs");
  const BufferId x = b.buffer({.name = "x", .element = from, .elements = kLanesInAll});
  const BufferId y = b.buffer({.name = "y", .element = from, .elements = kLanesInAll});
  const BufferId z = b.buffer(
      {.name = "z", .element = kS32, .elements = kLanesInAll, .direction = Direction::kOut});
  b.loop({Affine::constant(0), Affine::constant(kLanesInAll), lanes}, [&](ValueId at) {
    b.store(z, Affine::of(at),
            make(b, b.load(x, Affine::of(at), lanes), b.load(y, Affine::of(at), lanes)));
  });
  return b.finish();
}

// As quantised networks write it: (x * y + rounding) >> shift in 64 bits.
Pair scaled(int64_t rounding, int64_t shift) {
  return [=](Builder& b, ValueId x, ValueId y) {
    const Type wide = b.type(x).with(kS64);
    ValueId product = b.mul(b.convert(x, kS64), b.convert(y, kS64));
    if (rounding != 0) product = b.add(product, b.constant_int(wide, rounding));
    const ValueId shifted = b.binary(OpKind::kShrArithmetic, product, b.constant_int(wide, shift));
    return b.convert(shifted, kS32);
  };
}
Pair scaled_by(std::vector<uint64_t> factors) {
  return [=](Builder& b, ValueId x, ValueId) {
    const Type wide = b.type(x).with(kS64);
    const ValueId product = b.mul(b.convert(x, kS64), b.constant_lanes(wide, factors));
    return b.convert(b.binary(OpKind::kShrArithmetic, product, b.constant_int(wide, 33)), kS32);
  };
}

std::vector<int32_t> run(const Kernel& kernel) {
  std::vector<int32_t> x = {0,         1,          -1,         INT32_MIN, INT32_MAX, INT32_MIN,
                            INT32_MAX, 1 << 30,    -(1 << 30), 12345,     -98765,    1073741823,
                            7,         0x55555555, -3,         2000000011};
  std::vector<int32_t> y = {INT32_MIN, INT32_MAX, INT32_MIN,  INT32_MIN, INT32_MAX, INT32_MAX,
                            1 << 30,   3,         1073741824, 1 << 30,   -77,       1518500249,
                            INT32_MIN, -1,        -5,         2000000011};
  std::vector<int32_t> z(kLanesInAll);
  const auto bytes = [](std::vector<int32_t>& values) {
    return std::as_writable_bytes(std::span(values));
  };
  const std::span<std::byte> buffers[] = {bytes(x), bytes(y), bytes(z)};
  REQUIRE(evaluate(kernel, buffers, {}));
  return z;
}

// What it became on the chip: "mulhi", "mul_shift_right" or "". Whatever it is, it computes the
// same, and so do its expansions for chips that have nothing of the kind.
std::string raised(const Pair& make, const char* name, int lanes = 4) {
  const Kernel plain = kernel_of(make, lanes), now = raise(plain, chip(name));
  REQUIRE(verify(now));
  const std::vector<int32_t> wanted = run(plain);
  CHECK(run(now) == wanted);
  for (const char* other : {"cortex-m0", "cortex-m4f", "riscv64v-linux", name}) {
    const Result<Kernel> legal = legalize(now, chip(other));
    REQUIRE(legal);
    CHECK(verify_legal(*legal, chip(other)));
    CHECK(run(*legal) == wanted);
  }
  const std::string text = to_text(now);
  // Its parts go with it.
  for (const char* op : {"mulhi", "mul_shift_right"}) {
    if (text.find(op) == std::string::npos) continue;
    CHECK(text.find("s64x") == std::string::npos);
    return op;
  }
  return "";
}

TEST_CASE("high products become what the chip has of them", "[kernel]") {
  constexpr int64_t kWord = int64_t{1} << 32;
  for (const int shift : {32, 39, 63}) {
    INFO(shift);
    CHECK(raised(scaled(0, shift), "cortex-m55") == "mulhi");
    CHECK(raised(scaled(64 * kWord, shift), "cortex-m55") == "mulhi");
    CHECK(raised(scaled(int64_t{1} << (shift - 2), shift), "cortex-a53 in C") == "mul_shift_right");
  }
  for (const char* neon : {"cortex-a53", "armv7-linux", "cortex-a7-linux"})
    CHECK(raised(scaled(64 * kWord, 39), neon) == "mulhi");
  for (const int lanes : {4, 8, 16})
    CHECK(raised(scaled(0, 40), "x86_64-linux with SSE4.1", lanes) == "mulhi");
  CHECK(raised(scaled(0, 1), "cortex-a53 in C") == "mul_shift_right");
  CHECK(raised(scaled(1 << 30, 31), "cortex-a53 in C") == "mul_shift_right");
  CHECK(raised(scaled(0, 40), "x86_64-linux in C") == "mul_shift_right");
  CHECK(raised(scaled_by({0x7fffffff, 1, 0, 0xffffffff80000000}), "cortex-m55") == "mulhi");
  CHECK(raised(scaled_by({5}), "cortex-a53 in C") == "mul_shift_right");
}

TEST_CASE("what stands just outside of high products stays", "[kernel]") {
  // Lower words count: of the shift, of what is added.
  CHECK(raised(scaled(0, 31), "cortex-m55").empty());
  CHECK(raised(scaled(int64_t{1} << 31, 32), "cortex-m55").empty());
  // What is added may overflow with the product, or is less than nothing.
  CHECK(raised(scaled(int64_t{1} << 61, 39), "cortex-m55").empty());
  CHECK(raised(scaled(int64_t{1} << 61, 39), "cortex-a53 in C") == "mul_shift_right");
  CHECK(raised(scaled((int64_t{1} << 61) + 1, 39), "cortex-a53 in C").empty());
  CHECK(raised(scaled(-1, 39), "cortex-a53 in C").empty());
  // No shift, one of the width.
  CHECK(raised(scaled(0, 0), "cortex-a53 in C").empty());
  CHECK(raised(scaled(0, 64), "cortex-a53 in C").empty());
  // A factor of more than 32 bits.
  CHECK(raised(scaled_by({0x80000000, 1, 0, 5}), "cortex-m55").empty());
  CHECK(raised(scaled_by({0xffffffff7fffffff}), "cortex-a53 in C").empty());
  // Lanes that fill no register; scalars; chips that claim nothing.
  CHECK(raised(scaled(0, 40), "cortex-m55", 8).empty());
  CHECK(raised(scaled(0, 40), "cortex-a53 in C", 2).empty());
  CHECK(raised(scaled(0, 40), "cortex-a53 in C", 8).empty());
  CHECK(raised(scaled(0, 40), "x86_64-linux in C", 8).empty());
  CHECK(raised(scaled(0, 40), "cortex-a53 in C", 1).empty());
  CHECK(raised(scaled(0, 40), "cortex-a53", 8).empty());
  CHECK(raised(scaled(0, 40), "cortex-a53", 2).empty());
  CHECK(raised(scaled(1 << 30, 40), "cortex-a53").empty());
  CHECK(raised(scaled(0, 40), "x86_64-linux with SSE4.1", 2).empty());
  CHECK(raised(scaled(0, 40), "x86_64-linux").empty());
  CHECK(raised(scaled(0, 40), "riscv64v-linux").empty());
  CHECK(raised(scaled(0, 40), "cortex-m4f").empty());
  CHECK(raised(scaled(0, 40), "s390x-linux").empty());
}

// (x * y + rounding) >> shift, both made by the test; a builder would leave out zeros.
using Wide = std::function<ValueId(Builder&, ValueId x, ValueId y)>;
Pair scaled_of(const Wide& rounding, const Wide& shift, const Wide& factor, Scalar scalar = kS64) {
  return [=](Builder& b, ValueId x, ValueId y) {
    const Type wide = b.type(x).with(scalar);
    if (scalar != kS64) b.constant_int(b.type(x).with(kS64), 1);
    const ValueId left = b.convert(x, scalar), right = b.convert(y, scalar);
    ValueId value = b.mul(left, factor ? factor(b, left, right) : right);
    if (rounding) value = b.op(OpKind::kAdd, wide, {value, rounding(b, left, right)});
    return b.convert(b.op(OpKind::kShrArithmetic, wide, {value, shift(b, left, right)}), kS32);
  };
}

TEST_CASE("numbers of a high product are constants, alike in all lanes", "[kernel]") {
  const auto number = [](int64_t n) {
    return [n](Builder& b, ValueId x, ValueId) { return b.constant_int(b.type(x), n); };
  };
  const auto of_lanes = [](std::vector<uint64_t> lanes) {
    return [lanes](Builder& b, ValueId x, ValueId) { return b.constant_lanes(b.type(x), lanes); };
  };
  const Wide same = [](Builder&, ValueId, ValueId y) { return y; },
             sum = [](Builder&b, ValueId x, ValueId y) { return b.add(x, y); };
  const auto became = [](const Pair& make) { return raised(make, "cortex-a53 in C"); };
  CHECK(became(scaled_of({}, number(40), {})) == "mul_shift_right");
  CHECK(became(scaled_of(number(0), number(40), {})) == "mul_shift_right");
  CHECK(became(scaled_of({}, number(0), {})).empty());
  CHECK(became(scaled_of({}, number(-1), {})).empty());
  CHECK(became(scaled_of({}, of_lanes({32, 33, 34, 35}), {})).empty());
  CHECK(became(scaled_of(of_lanes({1, 2, 3, 4}), number(40), {})).empty());
  CHECK(became(scaled_of({}, same, {})).empty());
  CHECK(became(scaled_of(same, number(40), {})).empty());
  CHECK(became(scaled_of({}, number(40), sum)).empty());
  CHECK(became(scaled_of({}, number(40), {}, Scalar::kU64)).empty());
}

TEST_CASE("what a loop carries is made by no op", "[kernel]") {
  const Pair carried = [](Builder& b, ValueId x, ValueId y) {
    const Values last = b.loop(Loop{.upper = Affine::constant(2)}, {b.convert(x, kS64), y},
                               [&b](ValueId, std::span<const ValueId> now) {
                                 return Values{b.add(now[0], now[0]), b.convert(now[0], kS32)};
                               });
    return last[1];
  };
  CHECK(raised(carried, "cortex-a53 in C").empty());
}

TEST_CASE("a product that others read is not raised", "[kernel]") {
  const auto seen = [](int which) {
    return [which](Builder& b, ValueId x, ValueId y) {
      const Type wide = b.type(x).with(kS64);
      const ValueId product = b.mul(b.convert(x, kS64), b.convert(y, kS64));
      const ValueId sum = b.add(product, b.constant_int(wide, int64_t{1} << 34));
      const ValueId high = b.binary(OpKind::kShrArithmetic, sum, b.constant_int(wide, 35));
      const ValueId parts[] = {product, sum, high};
      return b.add(b.convert(high, kS32),
                   which == 3 ? b.convert(b.convert(x, kS64), kS32)
                              : b.convert(b.binary(OpKind::kShrArithmetic, parts[which],
                                                   b.constant_int(wide, 3)),
                                          kS32));
    };
  };
  for (const int which : {0, 1, 2})
    CHECK(raise(kernel_of(seen(which)), chip("cortex-a53 in C")).types ==
          kernel_of(seen(which)).types);
  const std::string text = to_text(raise(kernel_of(seen(3)), chip("cortex-a53 in C")));
  CHECK(text.find("mul_shift_right") != std::string::npos);
}

TEST_CASE("numbers without sign are no high products of s32", "[kernel]") {
  const auto of_unsigned = [](Builder& b, ValueId x, ValueId y) {
    const ValueId product = b.mul(b.convert(x, kS64), b.convert(y, kS64));
    const Type wide = b.type(product);
    return b.convert(b.binary(OpKind::kShrArithmetic, product, b.constant_int(wide, 40)), kS32);
  };
  const Kernel plain = kernel_of(of_unsigned, 4, Scalar::kU32);
  CHECK(to_text(raise(plain, chip("cortex-m55"))) == to_text(plain));
}

TEST_CASE("mulhi of whole vectors is kept where a chip has it", "[kernel]") {
  const auto high = [](Builder& b, ValueId x, ValueId y) { return b.binary(OpKind::kMulHi, x, y); };
  const Kernel plain = kernel_of(high);
  const auto legal = [&](const char* name) {
    const Result<Kernel> out = legalize(plain, chip(name));
    REQUIRE(out);
    CHECK(run(*out) == run(plain));
    return to_text(*out).find("mulhi") != std::string::npos;
  };
  CHECK(legal("cortex-m55"));
  CHECK(legal("cortex-a53"));
  CHECK_FALSE(legal("cortex-a53 in C"));
  CHECK_FALSE(legal("x86_64-linux"));
  CHECK_FALSE(legal("cortex-m4f"));
}

}  // namespace
}  // namespace hlocc::kernel
