// Guards of shared kernels: what makes two kernels differ after all, what pays, what a neutral
// number may be left out of, and what the shared kernel is called.
#include <bit>
#include <catch2/catch.hpp>
#include <cstring>

#include "kernel/builder.h"
#include "kernel/evaluate/evaluator.h"
#include "kernel/share/relations.h"
#include "kernel/share/share_kernels.h"
#include "kernel/verifier.h"
#include "target/target.h"

namespace hlocc::kernel {
namespace {

constexpr Type kFloat{Scalar::kF32, 1}, kCounter{Scalar::kIndex, 1};

// A program of kernels of one argument and one result, each launched once.
Program one_launch_each(std::vector<Kernel> kernels) {
  Program p;
  for (Kernel& kernel : kernels) {
    const auto first = static_cast<ProgramValueId>(p.values.size());
    const int leaf = static_cast<int>(p.arguments.size());
    for (const int n : {0, 1}) {
      const Buffer& buffer = kernel.buffers[static_cast<size_t>(n)];
      ProgramValue value{
          .name = buffer.name, .element = buffer.element, .elements = buffer.elements};
      if (n == 0) value.role = ValueRole::kArgument, value.leaf = leaf;
      (n == 0 ? p.signature.arguments : p.signature.results)
          .push_back({.shape = hlo::Shape::array(hlo_type_of(buffer.element), {buffer.elements})});
      (n == 0 ? p.arguments : p.results).push_back(first + n);
      p.values.push_back(std::move(value));
    }
    p.steps.push_back({Launch{.kernel = leaf, .operands = {first, first + 1}}, {}});
    p.kernels.push_back(std::move(kernel));
  }
  return p;
}

std::vector<std::vector<std::byte>> evaluated(const Program& program) {
  const Status sound = verify(program);
  INFO((sound.ok() ? "" : sound.error().to_string()));
  REQUIRE(sound.ok());
  std::vector<std::vector<std::byte>> arguments;
  for (const ProgramValueId id : program.arguments) {
    std::vector<float> numbers(static_cast<size_t>(program.values[id].elements));
    for (size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = i % 3 == 0 ? -0.0F : static_cast<float>(i);
    auto& bytes = arguments.emplace_back(static_cast<size_t>(
        program.values[id].elements * scalar_bytes(program.values[id].element)));
    std::memcpy(bytes.data(), numbers.data(), std::min(bytes.size(), numbers.size() * 4));
  }
  auto results = evaluate(program, arguments);
  REQUIRE(results.ok());
  return *results;
}

// How many kernels are left; they compute what they did.
size_t left_of(std::vector<Kernel> kernels, Target target = *preset("cortex-m4f"),
               Program* shared = nullptr) {
  Program program = one_launch_each(std::move(kernels));
  const auto before = evaluated(program);
  share_kernels(program, target);
  CHECK(evaluated(program) == before);
  if (shared != nullptr) *shared = program;
  return program.kernels.size();
}

using Body = std::function<void(Builder&, BufferId x, BufferId y)>;
Kernel made(int64_t elements, const Body& body, const std::string& name = "made_1") {
  Builder b(name);
  const BufferId x = b.buffer({.name = "x", .elements = elements});
  const BufferId y = b.buffer({.name = "y", .elements = elements, .direction = Direction::kOut});
  body(b, x, y);
  return b.finish();
}
// y[i] = change(x[i]) for i below `rows` of 64, from x[first] on.
Kernel rows(int64_t count, int64_t first, const std::function<ValueId(Builder&, ValueId)>& change,
            const std::string& name = "made_1") {
  return made(
      64,
      [&](Builder& b, BufferId x, BufferId y) {
        b.loop(Loop{.upper = Affine::constant(count), .kept = true}, [&](ValueId i) {
          b.store(y, Affine::of(i), change(b, b.load(x, Affine::of(i, 1, first))));
        });
      },
      name);
}
ValueId negation(Builder& b, ValueId x) { return b.unary(OpKind::kNeg, x); }
ValueId negation_twice(Builder& b, ValueId x) {
  return b.unary(OpKind::kAbs, b.unary(OpKind::kNeg, x));
}

}  // namespace

TEST_CASE("parameters that begin alike keep their order") {
  const std::vector<std::vector<int64_t>> kernels = {{5, 5}, {1, 2}, {3, 9}};
  std::vector<const std::vector<int64_t>*> pointers;
  for (const std::vector<int64_t>& one : kernels) pointers.push_back(&one);
  const Relations r = relate(pointers, {Use::kNumber, Use::kNumber});
  CHECK(r.parameters == std::vector<std::vector<int64_t>>{{5, 1, 3}, {5, 2, 9}});
}

TEST_CASE("kernels are shared where that saves bytes") {
  // Of two kernels 16 bytes and four an op, for sixteen an integer: a loop, a load, a negation and a
  // store are as much as two integers; one more op is more.
  CHECK(left_of({rows(2, 40, negation), rows(3, 7, negation)}) == 2);
  CHECK(left_of({rows(2, 40, negation_twice), rows(3, 7, negation_twice)}) == 1);
  CHECK(left_of({rows(2, 40, negation), rows(3, 41, negation)}) == 1);  // one integer
}

TEST_CASE("blocks of threads have kernels of their own") {
  Target target = *preset("cortex-m4f");
  const std::vector<Kernel> two{rows(2, 3, negation), rows(3, 3, negation)};
  CHECK(left_of(two, target) == 1);
  target.style = KernelStyle::kSimt;
  CHECK(left_of(two, target) == 2);
}

TEST_CASE("a shared kernel is called after all of them") {
  const auto name_of = [](const char* one, const char* other) {
    Program shared;
    CHECK(left_of({rows(2, 3, negation, one), rows(3, 3, negation, other)}, *preset("cortex-m4f"),
                  &shared) == 1);
    return shared.kernels[0].name;
  };
  CHECK(name_of("negate_2", "negate_4") == "negate_2_4");
  CHECK(name_of("negate_2", "invert_4") == "negate_2_invert_4");
  CHECK(name_of("negate", "negate_4") == "negate_negate_4");
}

TEST_CASE("constants that are no words are no numbers") {
  const auto with = [](const std::function<ValueId(Builder&)>& constant) {
    return made(4, [&](Builder& b, BufferId x, BufferId y) {
      const ValueId value = constant(b);
      const int lanes = b.type(value).lanes;
      const ValueId read = b.load(x, Affine::constant(0), lanes);
      const ValueId sum = b.add(b.convert(read, b.type(value).scalar), value);
      b.store(y, Affine::constant(0), b.convert(sum, Scalar::kF32));
    });
  };
  const auto count = [&](Type type) {
    return left_of({with([&](Builder& b) { return b.constant_int(type, 3); }),
                    with([&](Builder& b) { return b.constant_int(type, 90); }),
                    with([&](Builder& b) { return b.constant_int(type, 70); })});
  };
  CHECK(count(kFloat) == 1);
  CHECK(count({Scalar::kS32, 1}) == 1);
  CHECK(count({Scalar::kF32, 4}) == 3);
  CHECK(count({Scalar::kF64, 1}) == 3);
  CHECK(count({Scalar::kS16, 1}) == 3);
  CHECK(count({Scalar::kS8, 1}) == 3);
}

TEST_CASE("only integers of addresses have neutral numbers") {
  // x + 0.0 makes 0 of -0, and the bits of 2^-149 are those of 1.
  const auto with = [](OpKind kind, float by) {
    return [=](Builder& b, ValueId x) {
      return b.unary(OpKind::kAbs,
                     b.binary(kind, x, b.constant_bits(kFloat, std::bit_cast<uint32_t>(by))));
    };
  };
  for (const auto& change :
       {with(OpKind::kAdd, 0.0F), with(OpKind::kMul, std::bit_cast<float>(1))}) {
    const auto plain = [&](Builder& b, ValueId x) {
      return b.div(b.constant_float(kFloat, 1), change(b, x));
    };
    CHECK(left_of({rows(20, 3, plain), rows(30, 3, plain)}) == 1);
  }
}

TEST_CASE("a neutral number is the op's own, and of a sum or a product") {
  // max(0, i + k), the lesser of a product of counters and 1, and the same behind a load.
  for (const bool loads : {false, true}) {
    const auto kernel = [&](int64_t count) {
      return made(64, [&](Builder& b, BufferId x, BufferId y) {
        const Loop loop{.upper = Affine::constant(count), .kept = true};
        b.loop(loop, [&](ValueId i) {
          b.loop(loop, [&](ValueId k) {
            if (loads) b.store(y, Affine::constant(63), b.load(x, Affine::of(k)));
            const ValueId product = b.mul(i, k);
            const ValueId least = b.op(OpKind::kNativeMin, kCounter, {product, b.index(1)});
            const ValueId most = b.op(OpKind::kNativeMax, kCounter, {b.index(0), b.add(i, k)});
            b.store(y, Affine::of(most).plus(Affine::of(least, 16)),
                    b.load(x, Affine::of(product)));
          });
        });
      });
    };
    CHECK(left_of({kernel(5), kernel(6)}) == 1);
  }
}

TEST_CASE("neutral numbers leave no ops, and negative factors are multiplied with") {
  const auto kernel = [](int64_t count, int64_t first) {
    return made(64, [&](Builder& b, BufferId x, BufferId y) {
      b.loop(Loop{.upper = Affine::constant(count), .kept = true}, [&](ValueId i) {
        const ValueId at =
            b.op(OpKind::kNativeMax, kCounter, {b.value_of(Affine::of(i, 1, first)), b.index(0)});
        b.store(y, Affine::of(i), b.load(x, Affine::of(at)));
      });
    });
  };
  const auto ops_of = [](const Program& program, OpKind kind) {
    int count = 0;
    const std::function<void(const Region&)> visit = [&](const Region& region) {
      for (const Op& op : region.ops) {
        count += op.kind == kind ? 1 : 0;
        for (const Region& inner : op.regions) visit(inner);
      }
    };
    visit(program.kernels[0].body);
    return count;
  };
  Program shared;
  CHECK(left_of({kernel(5, 0), kernel(9, 0)}, *preset("cortex-m4f"), &shared) == 1);
  CHECK(ops_of(shared, OpKind::kMul) == 0);
  CHECK(ops_of(shared, OpKind::kAdd) == 0);
  // What is added is 20 less the count.
  CHECK(left_of({kernel(5, 15), kernel(9, 11)}, *preset("cortex-m4f"), &shared) == 1);
  CHECK(shared.kernels[0].parameters.size() == 1);
  CHECK(left_of({kernel(5, 9), kernel(9, 17)}, *preset("cortex-m4f"), &shared) == 1);
  CHECK(shared.kernels[0].parameters.size() == 1);
}

TEST_CASE("buffers are as large as the largest, but the kernel's own memory") {
  const auto kernel = [](int64_t elements, Space space) {
    Builder b("made");
    const BufferId x = b.buffer({.name = "x", .elements = elements, .space = space});
    const BufferId y = b.buffer({.name = "y", .elements = 4, .direction = Direction::kOut});
    const BufferId s = b.buffer(
        {.name = "s", .elements = 6, .direction = Direction::kScratch, .space = Space::kStack});
    b.loop(Loop{.upper = Affine::constant(3), .kept = true}, [&](ValueId i) {
      b.store(s, Affine::of(i), b.load(x, Affine::of(i)));
      b.store(y, Affine::of(i), b.unary(OpKind::kNeg, b.load(s, Affine::of(i))));
    });
    return b.finish();
  };
  for (const Space space : {Space::kArena, Space::kConstant}) {
    Program shared;
    CHECK(left_of({kernel(4, space), kernel(9, space)}, *preset("cortex-m4f"), &shared) == 1);
    CHECK(shared.kernels[0].buffers[0].elements == 9);
    CHECK(shared.kernels[0].buffers[2].elements == 6);
  }
}

TEST_CASE("what is divided by stays a number") {
  const auto by = [](int64_t divisor) {
    return [=](Builder& b, ValueId x) {
      const ValueId whole = b.convert(x, Scalar::kS32);
      return b.convert(b.div(whole, b.constant_int({Scalar::kS32, 1}, divisor)), Scalar::kF32);
    };
  };
  CHECK(left_of({rows(5, 3, by(7)), rows(9, 3, by(7))}) == 1);
  CHECK(left_of({rows(5, 3, by(7)), rows(9, 3, by(9))}) == 2);
}

}  // namespace hlocc::kernel
