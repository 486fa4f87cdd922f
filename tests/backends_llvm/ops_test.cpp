// Every op that legalisation keeps, on edge values, scalar and in vectors: the compiled code and
// the evaluator agree.
#include <cmath>
#include <limits>

#include "backends_llvm/jit_kernel.h"
#include "kernel/evaluate/scalar_math.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using namespace kernel;
using enum Scalar;

// Bits of interesting numbers, so many that all lanes see different ones.
std::vector<uint64_t> edge_values(Scalar scalar) {
  if (scalar == kF32 || scalar == kF64) {
    std::vector<uint64_t> bits;
    for (double value : {0.0,
                         -0.0,
                         0.5,
                         -0.5,
                         1.0,
                         -1.5,
                         2.5,
                         -2.5,
                         1e-3,
                         3.75e5,
                         -1e9,
                         16777217.0,
                         1e30,
                         -1e30,
                         4e-39,
                         -0.49999997,
                         std::numeric_limits<double>::infinity(),
                         -std::numeric_limits<double>::infinity(),
                         double{NAN},
                         1e-30})
      bits.push_back(scalar == kF32 ? std::bit_cast<uint32_t>(static_cast<float>(value))
                                    : std::bit_cast<uint64_t>(value));
    return bits;
  }
  if (scalar == kPred) return {0, 1, 1, 0, 1, 0, 0, 1};
  const int width = scalar_bits(scalar);
  const uint64_t top = uint64_t{1} << (width - 1),
                 mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  return {0,          1,   2,       3,    7,        100 & mask,
          top - 1,    top, top + 1, mask, mask - 1, 0x5555555555555555u & mask,
          0x31 & mask};
}

// The values, rotated by `shift`, repeated to `count` elements.
std::vector<std::byte> elements_of(Scalar scalar, int count, int shift, bool finite = false,
                                   bool nonzero = false) {
  std::vector<uint64_t> values = edge_values(scalar);
  if (finite)
    std::erase_if(values, [&](uint64_t bits) {
      const double value = scalar == kF32 ? std::bit_cast<float>(static_cast<uint32_t>(bits))
                                          : std::bit_cast<double>(bits);
      return !std::isfinite(value) || std::abs(value) > 100 || value < 0;
    });
  if (nonzero)
    std::erase_if(values, [&](uint64_t bits) {
      const uint64_t ones = ~uint64_t{0} >> (64 - scalar_bits(scalar));
      return bits == 0 || bits == ones || bits == ~uint64_t{0};
    });
  const int bytes = scalar_bytes(scalar);
  std::vector<std::byte> out;
  for (int i = 0; i < count; ++i) {
    const uint64_t bits = values[(i + shift * (1 + i / values.size())) % values.size()];
    const auto* begin = reinterpret_cast<const std::byte*>(&bits);
    out.insert(out.end(), begin, begin + bytes);
  }
  return out;
}

constexpr int kCount = 64;

struct Sides {
  bool finite = false, nonzero = false;
};

// y[i] = formula(x[i], z[i]) in vectors of `lanes`.
void check_formula(const std::string& name, Scalar in, Scalar out, int lanes, Sides sides,
                   const std::function<ValueId(Builder&, ValueId, ValueId)>& formula) {
  Builder b(cat(name, "_", scalar_name(in), "_", lanes));
  const BufferId x = b.buffer({.name = "x", .element = in, .elements = kCount});
  const BufferId z = b.buffer({.name = "z", .element = in, .elements = kCount});
  const BufferId y =
      b.buffer({.name = "y", .element = out, .elements = kCount, .direction = Direction::kOut});
  b.loop(Loop{.upper = Affine::constant(kCount), .step = lanes}, [&](ValueId i) {
    b.store(y, Affine::of(i),
            formula(b, b.load(x, Affine::of(i), lanes), b.load(z, Affine::of(i), lanes)));
  });
  const Kernel kernel = b.finish();
  INFO(to_text(kernel));
  Buffers buffers = {elements_of(in, kCount, 0, sides.finite),
                     elements_of(in, kCount, 3, sides.finite, sides.nonzero),
                     std::vector<std::byte>(kCount * scalar_bytes(out))};
  const Buffers compiled = run_compiled(kernel, buffers),
                evaluated = run_evaluated(kernel, buffers);
  if (out != kF32 && out != kF64) {
    CHECK(compiled[2] == evaluated[2]);
    return;
  }
  // The bits of a NaN are nobody's promise.
  const auto numbers = [&](const std::vector<std::byte>& bytes) {
    if (out == kF64) return from_bytes<double>(bytes);
    const std::vector<float> narrow = from_bytes<float>(bytes);
    return std::vector<double>(narrow.begin(), narrow.end());
  };
  const std::vector<double> got = numbers(compiled[2]), want = numbers(evaluated[2]);
  for (int i = 0; i < kCount; ++i) {
    INFO("element " << i << ": " << got[i] << " instead of " << want[i]);
    CHECK(((std::isnan(got[i]) && std::isnan(want[i])) ||
           std::bit_cast<uint64_t>(got[i]) == std::bit_cast<uint64_t>(want[i])));
  }
}

void check_op(OpKind kind, Scalar scalar, Sides sides = {}) {
  for (int lanes : {1, 8})
    check_formula(to_c_identifier(op_name(kind)), scalar, scalar, lanes, sides,
                  [&](Builder& b, ValueId x, ValueId z) {
                    return op_operands(kind) == 1 ? b.unary(kind, x) : b.binary(kind, x, z);
                  });
}

constexpr Scalar kIntegers[] = {kS8, kU8, kS16, kU16, kS32, kU32, kS64, kU64};

TEST_CASE("float arithmetic agrees with the evaluator") {
  using enum OpKind;
  for (Scalar scalar : {kF32, kF64})
    for (OpKind kind : {OpKind::kAbs, kNeg, kSqrt, kAdd, kSub, kMul, kDiv, kNativeMin, kNativeMax})
      check_op(kind, scalar);
}

TEST_CASE("rounding that the host keeps agrees with the evaluator") {
  for (Scalar scalar : {kF32, kF64})
    for (OpKind kind : {OpKind::kFloor, OpKind::kCeil, OpKind::kTrunc, OpKind::kRoundEven})
      check_op(kind, scalar);
}

TEST_CASE("integer arithmetic agrees with the evaluator") {
  using enum OpKind;
  for (Scalar scalar : kIntegers)
    for (OpKind kind : {OpKind::kAbs, kNeg, kNot, kClz, kAdd, kSub, kMul, kAnd, kOr, kXor,
                        kNativeMin, kNativeMax})
      check_op(kind, scalar);
  for (Scalar scalar : kIntegers)
    for (OpKind kind : {kNativeDiv, kNativeRem}) check_op(kind, scalar, {.nonzero = true});
}

TEST_CASE("upper words of products agree with the evaluator") {
  for (const int lanes : {4, 8, 16})
    check_formula("mulhi", kS32, kS32, lanes, {},
                  [](Builder& b, ValueId x, ValueId z) { return b.binary(OpKind::kMulHi, x, z); });
  for (const int lanes : {1, 2, 4, 8, 16})
    for (const Scalar side : {kS32, kU32})
      for (const int shift : {31, 32, 33})
        check_formula(cat("upper", shift), side, kS32, lanes, {},
                      [&](Builder& b, ValueId x, ValueId z) {
                        const ValueId product = b.mul(b.convert(x, kS64), b.convert(z, kS64));
                        const ValueId by = b.constant_int(b.type(product), shift);
                        return b.convert(b.binary(OpKind::kNativeShr, product, by), kS32);
                      });
}

TEST_CASE("truth values agree with the evaluator") {
  for (OpKind kind :
       {OpKind::kNot, OpKind::kAnd, OpKind::kOr, OpKind::kXor, OpKind::kAdd, OpKind::kMul})
    check_op(kind, kPred);
}

TEST_CASE("comparisons and choices agree with the evaluator") {
  for (Scalar scalar : {kS8, kU8, kS32, kU32, kS64, kU64, kF32, kF64}) {
    for (int p = 0; p < 6; ++p) {
      const auto predicate = static_cast<Predicate>(p);
      for (int lanes : {1, 4})
        check_formula(cat("compare", p), scalar, kPred, lanes, {},
                      [&](Builder& b, ValueId x, ValueId z) { return b.compare(predicate, x, z); });
      check_formula(cat("select", p), scalar, scalar, 8, {}, [&](Builder& b, ValueId x, ValueId z) {
        return b.select(b.compare(predicate, x, z), z, x);
      });
    }
  }
}

TEST_CASE("conversions agree with the evaluator") {
  constexpr Scalar all[] = {kPred, kS8, kU8, kS16, kU16, kS32, kU32, kS64, kU64, kF32, kF64};
  for (Scalar from : all)
    for (Scalar to : all) {
      if (from == to) continue;
      const bool truncates = is_float(from) && !is_float(to);
      for (int lanes : {1, 4})
        check_formula(cat("to_", scalar_name(to)), from, to, lanes, {},
                      [&](Builder& b, ValueId x, ValueId) { return b.convert(x, to); });
      if (truncates && to != kPred)
        check_formula(cat("truncate_", scalar_name(to)), from, to, 4, {.finite = true},
                      [&](Builder& b, ValueId x, ValueId) {
                        return b.op(OpKind::kNativeConvert, b.type(x).with(to), {x});
                      });
    }
}

TEST_CASE("mul_add of integers wraps, and of floats rounds once or twice") {
  for (int lanes : {1, 8})
    check_formula("mul_add", kS32, kS32, lanes, {},
                  [](Builder& b, ValueId x, ValueId z) { return b.mul_add(x, z, x); });
  Builder b("mul_add");
  const BufferId x = b.buffer({.name = "x", .element = kF32, .elements = 3});
  const BufferId y =
      b.buffer({.name = "y", .element = kF32, .elements = 1, .direction = Direction::kOut});
  const auto at = [&](int i) { return b.load(x, Affine::constant(i)); };
  b.store(y, Affine::constant(0), b.mul_add(at(0), at(1), at(2)));
  const float a = 1.0f + 0x1p-12f, c = -1.0f;
  const Buffers out = run_compiled(b.finish(), {to_bytes<float>({a, a, c}), to_bytes<float>({0})});
  const float got = from_bytes<float>(out[1])[0];
  CHECK((got == std::fma(a, a, c) || got == a * a + c));
  if (host_target().fma) CHECK(got == std::fma(a, a, c));
}

TEST_CASE("lanes are splat, numbered, picked, mixed and folded") {
  constexpr OpKind folds[] = {OpKind::kReduceAdd, OpKind::kReduceMul, OpKind::kReduceMin,
                              OpKind::kReduceMax};
  for (Scalar scalar : {kF32, kS32, kU8}) {
    for (int lanes : {2, 3, 4, 6, 8, 16}) {
      Builder b(cat("lanes_", lanes));
      const BufferId x = b.buffer({.name = "x", .element = scalar, .elements = 2 * lanes});
      const BufferId y = b.buffer({.name = "y",
                                   .element = scalar,
                                   .elements = 4 * lanes + 8,
                                   .direction = Direction::kInOut});
      const ValueId one = b.load(x, Affine::constant(0), lanes),
                    two = b.load(x, Affine::constant(lanes), lanes);
      std::vector<int> mixed;
      for (int i = 0; i < lanes; ++i) mixed.push_back((i * 5 + 1) % (2 * lanes));
      b.store(y, Affine::constant(0), b.shuffle(one, two, mixed));
      b.store(y, Affine::constant(lanes), b.splat(b.extract(one, lanes - 1), lanes));
      b.store(y, Affine::constant(2 * lanes), b.insert(two, b.extract(one, 1), lanes / 2));
      if (!is_float(scalar))
        b.store(y, Affine::constant(3 * lanes),
                b.lane_index({scalar, static_cast<uint16_t>(lanes)}));
      for (int i = 0; i < 4; ++i)
        b.store(y, Affine::constant(4 * lanes + i), b.reduce(folds[i], one));
      Buffers buffers;
      if (scalar == kF32) {
        std::vector<float> numbers;
        for (int i = 0; i < 2 * lanes; ++i)
          numbers.push_back(0.3f + 1.7f * static_cast<float>(i % 5));
        buffers = {to_bytes(numbers), std::vector<std::byte>(4 * (4 * lanes + 8))};
      } else {
        buffers = {elements_of(scalar, 2 * lanes, 1),
                   std::vector<std::byte>(scalar_bytes(scalar) * (4 * lanes + 8))};
      }
      check_agreement(b.finish(), buffers);
    }
  }
}

TEST_CASE("widening dot products agree with the evaluator") {
  constexpr std::pair<Scalar, Scalar> pairs[] = {{kS8, kS8}, {kU8, kS8}, {kU8, kU8}, {kS16, kS16}};
  // Lanes, and whether all of them have one unit of the left side.
  constexpr std::pair<int, bool> forms[] = {{1, false}, {4, false}, {8, false}, {16, false},
                                            {4, true},  {8, true},  {16, true}};
  for (const auto& [left, right] : pairs)
    for (const auto& [lanes, repeated] : forms)
      for (int group : {2, 4, 16}) {
        Builder b(cat("dot_", scalar_name(left), "_", scalar_name(right), "_", lanes, "_", group,
                      repeated ? "_repeated" : ""));
        const int count = lanes * group;
        const BufferId x = b.buffer({.name = "x", .element = left, .elements = count});
        const BufferId w = b.buffer({.name = "w", .element = right, .elements = count});
        const BufferId y = b.buffer(
            {.name = "y", .element = kS32, .elements = lanes, .direction = Direction::kInOut});
        const ValueId acc = b.load(y, Affine::constant(0), lanes);
        ValueId units = b.load(x, Affine::constant(0), repeated ? group : count);
        if (repeated) {
          std::vector<int> from;
          for (int lane = 0; lane < count; ++lane) from.push_back(lane % group);
          units = b.shuffle(units, units, from);
        }
        b.store(y, Affine::constant(0),
                b.dot_accumulate(acc, units, b.load(w, Affine::constant(0), count)));
        check_agreement(b.finish(), {elements_of(left, count, 2), elements_of(right, count, 5),
                                     elements_of(kS32, lanes, 1)});
      }
}

TEST_CASE("sums of products of bytes have all of their products") {
  // Where the machine has VPDPBUSD, LLVM finds it here by itself.
  for (const Scalar left : {kS8, kU8})
    for (const int lanes : {4, 8, 16, 32}) {
      Builder b(cat("sum_", scalar_name(left), "_", lanes));
      const BufferId x = b.buffer({.name = "x", .element = left, .elements = lanes});
      const BufferId w = b.buffer({.name = "w", .element = kS8, .elements = lanes});
      const BufferId y =
          b.buffer({.name = "y", .element = kS32, .elements = 1, .direction = Direction::kOut});
      const auto wide = [&](BufferId of) {
        return b.convert(b.load(of, Affine::constant(0), lanes), kS32);
      };
      b.store(y, Affine::constant(0), b.reduce(OpKind::kReduceAdd, b.mul(wide(x), wide(w))));
      check_agreement(b.finish(), {elements_of(left, lanes, 2), elements_of(kS8, lanes, 5),
                                   std::vector<std::byte>(4)});
    }
}

TEST_CASE("an op that LLVM has no form for is named") {
  Builder b("needs_legalisation");
  const BufferId y =
      b.buffer({.name = "y", .element = kF16, .elements = 1, .direction = Direction::kInOut});
  b.store(y, Affine::constant(0), b.unary(OpKind::kTanh, b.load(y, Affine::constant(0))));
  kernel::Kernel kernel = b.finish();
  kernel.origin = {"tanh.7"};
  const Status emitted = try_emit(kernel);
  REQUIRE(!emitted);
  const std::string text = const_cast<Status&>(emitted).error().to_string();
  CHECK_THAT(text, Catch::Contains("needs_legalisation") && Catch::Contains("tanh(f16) -> f16") &&
                       Catch::Contains("tanh.7"));
}

}  // namespace
}  // namespace hlocc::backends
