// Kernels of one skeleton become one kernel: which integers follow from which, what makes kernels
// alike, and that programs compute the same before and after.
#include "kernel/share/share_kernels.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <functional>
#include <random>

#include "kernel/builder.h"
#include "kernel/evaluate/evaluator.h"
#include "kernel/share/relations.h"
#include "kernel/share/skeleton.h"
#include "kernel/verifier.h"
#include "target/target.h"

namespace hlocc::kernel {
namespace {

using Bytes = std::vector<std::byte>;

Target microcontroller() { return *preset("cortex-m4f"); }

Relations relations_of(const std::vector<std::vector<int64_t>>& kernels,
                       std::vector<Use> uses = {}) {
  std::vector<const std::vector<int64_t>*> pointers;
  for (const std::vector<int64_t>& one : kernels) pointers.push_back(&one);
  uses.resize(kernels[0].size(), Use::kNumber);
  return relate(pointers, uses);
}

int64_t value_of(const Relations& relations, size_t integer, size_t kernel) {
  int64_t value = relations.of[integer].offset;
  for (const auto& [parameter, factor] : relations.of[integer].terms)
    value += factor * relations.parameters[parameter][kernel];
  return value;
}

TEST_CASE("integers follow from one another where they can") {
  const std::vector<std::vector<int64_t>> kernels = {
      {4, 64, 128, 60, 7, -64}, {4, 32, 64, 28, 9, -32}, {4, 16, 32, 12, 8, -16}};
  const Relations r = relations_of(kernels);
  CHECK(r.of[0].is_number());
  REQUIRE(r.parameters.size() == 2);
  for (const size_t i : {2, 3, 5}) CHECK(r.of[i].terms[0].parameter == r.of[1].terms[0].parameter);
  CHECK(r.of[4].terms[0].parameter != r.of[1].terms[0].parameter);
  for (size_t i = 0; i < 6; ++i)
    for (size_t k = 0; k < 3; ++k) CHECK(value_of(r, i, k) == kernels[k][i]);
}

TEST_CASE("sums of two parameters need no third") {
  const std::vector<std::vector<int64_t>> kernels = {
      {8, 384, 392, -368}, {32, 768, 800, -704}, {64, 768, 832, -640}, {128, 1000, 1128, -744}};
  const Relations r = relations_of(kernels);
  REQUIRE(r.parameters.size() == 2);
  CHECK(r.parameters[0][0] == 384);
  for (size_t i = 0; i < 4; ++i)
    for (size_t k = 0; k < 4; ++k) CHECK(value_of(r, i, k) == kernels[k][i]);
}

TEST_CASE("scales are multiples, and factors are small") {
  CHECK(relations_of({{8, 16, 4}, {4, 8, 2}}, std::vector<Use>(3, Use::kScale)).parameters.size() ==
        1);
  CHECK(relations_of({{8, 9}, {4, 5}}, std::vector<Use>(2, Use::kScale)).parameters.size() == 2);
  CHECK(relations_of({{8, 9}, {4, 5}}).parameters.size() == 1);
  CHECK(relations_of({{1, 100}, {0, 7}}).parameters.size() == 2);
}

TEST_CASE("factors are no larger than sixteen, of one parameter and of two") {
  const auto parameters = [](int64_t factor) {
    return relations_of({{1, factor}, {3, 3 * factor}}).parameters.size();
  };
  CHECK((parameters(16) == 1 && parameters(-16) == 1));
  CHECK((parameters(17) == 2 && parameters(-17) == 2));
  const auto of_two = [](int64_t a, int64_t b) {
    std::vector<std::vector<int64_t>> kernels;
    for (const auto& [p, q] : {std::pair<int64_t, int64_t>{1, 7}, {2, 3}, {5, 1}, {4, 9}})
      kernels.push_back({p, q, a * p + b * q + 3});
    return relations_of(kernels).parameters.size();
  };
  CHECK((of_two(16, 1) == 2 && of_two(1, 16) == 2 && of_two(-16, -16) == 2));
  CHECK((of_two(17, 1) == 3 && of_two(1, 17) == 3 && of_two(-17, 2) == 3 && of_two(2, -17) == 3));
}

TEST_CASE("nobody asks for the sizes of buffers") {
  CHECK(relations_of({{8, 9}, {4, 5}}, std::vector<Use>(2, Use::kSize)).parameters.empty());
}

TEST_CASE("nothing is calculated with bits") {
  const Relations r = relations_of({{1, 2, 1}, {3, 6, 3}}, {Use::kBits, Use::kBits, Use::kBits});
  CHECK(r.parameters.size() == 2);
  CHECK(r.of[2].terms[0].parameter == r.of[0].terms[0].parameter);
}

TEST_CASE("random integers come back from their relations") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const Use use = round % 3 == 0 ? Use::kScale : round % 3 == 1 ? Use::kBits : Use::kNumber;
    const size_t count = 1 + random() % 5, integers = 1 + random() % 12;
    std::vector<std::vector<int64_t>> kernels(count, std::vector<int64_t>(integers));
    for (auto& kernel : kernels)
      for (int64_t& integer : kernel) integer = static_cast<int64_t>(random() % 7) - 3;
    const Relations r = relations_of(kernels, std::vector<Use>(integers, use));
    for (size_t i = 0; i < integers; ++i)
      for (size_t k = 0; k < count; ++k) CHECK(value_of(r, i, k) == kernels[k][i]);
  }
}

// result[r, c] = sum over k of x[r * stride + k - low, c], rows that exist, times a factor.
struct WindowSum {
  int64_t rows, columns, stride, low;
  double factor = 0.5;
  OpKind last = OpKind::kMul;
  int64_t inputs() const { return (rows - 1) * stride + 3 - low; }
};

Kernel window_sum(const WindowSum& w, const std::string& name) {
  Builder b(name);
  const BufferId x = b.buffer({.name = "x", .elements = w.inputs() * w.columns});
  const BufferId y =
      b.buffer({.name = "y", .elements = w.rows * w.columns, .direction = Direction::kOut});
  const BufferId held = b.buffer({.name = "held",
                                  .elements = w.columns,
                                  .direction = Direction::kScratch,
                                  .space = Space::kArena});
  const Type f32{Scalar::kF32, 1};
  Loop columns{.upper = Affine::constant(w.columns), .kept = true};
  Loop rows{.upper = Affine::constant(w.rows), .kept = true};
  b.loop(rows, [&](ValueId r) {
    b.loop(columns, [&](ValueId c) {
      const ValueId start = b.sub(b.mul(r, b.index(w.stride)), b.index(w.low));
      const Affine low =
          Affine::of(b.binary(OpKind::kNativeMax, b.sub(b.index(0), start), b.index(0)));
      const Values sum =
          b.loop(Loop{.lower = low, .upper = Affine::constant(3)}, {b.constant_float(f32, 0)},
                 [&](ValueId k, std::span<const ValueId> carried) {
                   const Affine at = Affine::of(r, w.stride * w.columns)
                                         .plus(Affine::of(k, w.columns))
                                         .plus(Affine::of(c))
                                         .plus(-w.low * w.columns);
                   return Values{b.add(carried[0], b.load(x, at))};
                 });
      b.store(held, Affine::of(c), sum[0]);
    });
    b.loop(columns, [&](ValueId c) {
      b.store(y, Affine::of(r, w.columns).plus(Affine::of(c)),
              b.binary(w.last, b.load(held, Affine::of(c)), b.constant_float(f32, w.factor)));
    });
  });
  Kernel kernel = b.finish();
  kernel.origin = {"hlo." + name};
  return kernel;
}

TEST_CASE("kernels that differ in integers alone have one skeleton") {
  const auto key = [](const WindowSum& w) { return skeleton_of(window_sum(w, "w"), 32, 2).key; };
  const std::string one = key({4, 5, 1, 1});
  CHECK(one == key({9, 7, 2, 1}));
  // No border and no stride: what they would add is there all the same.
  CHECK(one == key({9, 7, 3, 0}));
  CHECK(one == key({1, 1, 1, 0, 0.25}));
  // A factor that is a number elsewhere.
  CHECK(one == key({3, 3, 2, 1, 3}));
  CHECK(one != key({4, 5, 1, 1, 0.5, OpKind::kAdd}));
}

// Each launched once, from an argument to a result of its own.
Program launched(std::vector<Kernel> kernels) {
  Program p;
  for (Kernel& kernel : kernels) {
    const int leaf = static_cast<int>(p.arguments.size());
    const auto first = static_cast<ProgramValueId>(p.values.size());
    p.values.push_back({.name = "x",
                        .elements = kernel.buffers[0].elements,
                        .role = ValueRole::kArgument,
                        .leaf = leaf});
    p.values.push_back({.name = "y", .elements = kernel.buffers[1].elements});
    p.arguments.push_back(first);
    p.results.push_back(first + 1);
    p.steps.push_back(
        {Launch{.kernel = static_cast<KernelId>(leaf), .operands = {first, first + 1}}, {}});
    p.kernels.push_back(std::move(kernel));
  }
  const auto leaf_of = [&](ProgramValueId id) {
    return Leaf{.shape = hlo::Shape::array(hlo::PrimitiveType::kF32, {p.values[id].elements})};
  };
  for (const ProgramValueId id : p.arguments) p.signature.arguments.push_back(leaf_of(id));
  for (const ProgramValueId id : p.results) p.signature.results.push_back(leaf_of(id));
  return p;
}

Program program_of(const std::vector<WindowSum>& sums) {
  std::vector<Kernel> kernels;
  for (const WindowSum& w : sums)
    kernels.push_back(window_sum(w, "sum_" + std::to_string(kernels.size())));
  return launched(std::move(kernels));
}

std::vector<Bytes> results_of(const Program& program) {
  for (const Kernel& kernel : program.kernels)
    if (const Status status = verify(kernel); !status) FAIL(status.error().to_string());
  if (const Status status = verify(program); !status) FAIL(status.error().to_string());
  std::mt19937 random(3);
  std::vector<Bytes> arguments;
  for (const ProgramValueId id : program.arguments) {
    std::vector<float> numbers(static_cast<size_t>(program.values[id].elements));
    for (float& number : numbers) number = static_cast<float>(random() % 1000);
    Bytes& bytes = arguments.emplace_back(numbers.size() * 4);
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
  }
  auto results = evaluate(program, arguments);
  if (!results) FAIL(results.error().to_string());
  return *results;
}

TEST_CASE("a kernel that many layers share is called after the first sixteen") {
  for (const int layers : {16, 17, 40}) {
    std::vector<WindowSum> sums;
    for (int i = 0; i < layers; ++i) sums.push_back({4 + i, 5 + i % 3, 1, 1});
    Program program = program_of(sums);
    share_kernels(program, microcontroller());
    REQUIRE(program.kernels.size() == 1);
    const std::string name = "sum_0_1_2_3_4_5_6_7_8_9_10_11_12_13_14_15";
    const std::string more = layers > 16 ? "_and_" + std::to_string(layers - 16) : "";
    CHECK(program.kernels[0].name == name + more);
    CHECK(program.kernels[0].origin.size() == static_cast<size_t>(layers));
  }
}

TEST_CASE("layers share a kernel and compute what they did") {
  Program program = program_of({{4, 5, 1, 1}, {9, 7, 2, 1}, {3, 6, 3, 0, 0.125}});
  const std::vector<Bytes> before = results_of(program);
  share_kernels(program, microcontroller());
  REQUIRE(program.kernels.size() == 1);
  CHECK(results_of(program) == before);
  CHECK(program.kernels[0].name == "sum_0_1_2");
  CHECK(program.kernels[0].origin ==
        std::vector<std::string>{"hlo.sum_0", "hlo.sum_1", "hlo.sum_2"});
  CHECK(program.kernels[0].buffers[0].elements == 19 * 7 - 7);
  // Scratch is as large as the launch needs.
  CHECK(std::get<Launch>(program.steps[0].what).scratch == std::vector<int64_t>{5});
  CHECK(std::get<Launch>(program.steps[1].what).scratch == std::vector<int64_t>{7});
}

TEST_CASE("random programs compute what they did") {
  std::mt19937 random(11);
  const auto pick = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
  };
  for (int round = 0; round < 60; ++round) {
    std::vector<WindowSum> sums;
    for (int64_t n = pick(2, 5); n > 0; --n)
      sums.push_back({pick(1, 6), pick(1, 6), pick(1, 3), pick(0, 1),
                      0.25 * static_cast<double>(pick(1, 3)),
                      pick(0, 3) == 0 ? OpKind::kAdd : OpKind::kMul});
    Program program = program_of(sums);
    const std::vector<Bytes> before = results_of(program);
    share_kernels(program, microcontroller());
    CHECK(program.kernels.size() <= 2);
    CHECK(results_of(program) == before);
  }
}

// y[m] and z[m] = sums of n elements.
Kernel two_sums(int64_t n, Scalar scalar) {
  Builder b("sums");
  const BufferId x = b.buffer({.name = "x", .element = scalar, .elements = 2 * n});
  const BufferId y =
      b.buffer({.name = "y", .element = scalar, .elements = 2, .direction = Direction::kOut});
  const ValueId zero = b.zero({scalar, 1});
  const Values sums = b.loop(Loop{.upper = Affine::constant(n)}, {zero, zero},
                             [&](ValueId i, std::span<const ValueId> carried) {
                               return Values{b.add(carried[0], b.load(x, Affine::of(i))),
                                             b.add(carried[1], b.load(x, Affine::of(i).plus(n)))};
                             });
  for (const int64_t m : {0, 1}) b.store(y, Affine::constant(m), sums[m]);
  return b.finish();
}

// y[m] of many = what is there + the sum of n elements, which begin at m * n.
Kernel many_sums(int64_t many, int64_t n, int64_t bias) {
  Builder b("sums");
  const Type s32{Scalar::kS32, 1};
  const BufferId x = b.buffer({.name = "x", .element = s32.scalar, .elements = many * n});
  const BufferId y = b.buffer(
      {.name = "y", .element = s32.scalar, .elements = many, .direction = Direction::kOut});
  const Values sums =
      b.loop(Loop{.upper = Affine::constant(n)}, Values(static_cast<size_t>(many), b.zero(s32)),
             [&](ValueId i, std::span<const ValueId> carried) {
               Values next;
               for (const ValueId sum : carried)
                 next.push_back(b.add(
                     sum, b.load(x, Affine::of(i).plus(static_cast<int64_t>(next.size()) * n))));
               return next;
             });
  for (int64_t m = 0; m < many; ++m)
    b.store(y, Affine::constant(m), b.add(sums[m], b.constant_int(s32, bias)));
  return b.finish();
}

// Two sums, spelled out: the last element is left out where the first is negative.
Kernel two_short_sums(int64_t n, Scalar scalar) {
  Builder b("sums");
  const BufferId x = b.buffer({.name = "x", .element = scalar, .elements = 2 * n});
  const BufferId y =
      b.buffer({.name = "y", .element = scalar, .elements = 2, .direction = Direction::kOut});
  Values sums = {b.load(x, Affine::constant(0)), b.load(x, Affine::constant(n))};
  const auto add_row = [&](int64_t at) {
    Values added;
    for (const int64_t m : {0, 1})
      added.push_back(b.add(sums[m], b.load(x, Affine::constant(at + m * n))));
    return added;
  };
  for (const int64_t at : {1, 2, 3}) sums = add_row(at);
  sums = b.if_else(
      b.compare(Predicate::kLt, sums[0], b.zero({scalar, 1})), [&] { return sums; },
      [&] { return add_row(n - 1); });
  for (const int64_t m : {0, 1}) b.store(y, Affine::constant(m), sums[m]);
  return b.finish();
}

TEST_CASE("where registers are few, loops that carry integer sums share at -Os only") {
  const auto kernels_left = [](auto kernel, Scalar scalar, Level level, const char* chip) {
    Program program;
    program.kernels = {kernel(8, scalar), kernel(12, scalar), kernel(16, scalar)};
    Target target = *preset(chip);
    target.options.level = level;
    share_kernels(program, target);
    return program.kernels.size();
  };
  CHECK(kernels_left(two_sums, Scalar::kF32, Level::kO2, "cortex-m4f") == 1);
  CHECK(kernels_left(two_sums, Scalar::kS32, Level::kO2, "cortex-m4f") == 3);
  CHECK(kernels_left(two_sums, Scalar::kS32, Level::kOs, "cortex-m4f") == 1);
  CHECK(kernels_left(two_sums, Scalar::kS32, Level::kO2, "rv32imafc") == 1);
  CHECK(kernels_left(two_short_sums, Scalar::kS32, Level::kO2, "cortex-m4f") == 1);
}

TEST_CASE("loops whose sums fill many registers keep their numbers, and share all else") {
  const auto kernels_left = [](int64_t many, Level level, const char* chip) {
    Program program;
    program.kernels = {many_sums(many, 8, 1), many_sums(many, 12, 2), many_sums(many, 8, 3)};
    Target target = *preset(chip);
    target.options.level = level;
    share_kernels(program, target);
    return program.kernels.size();
  };
  CHECK(kernels_left(11, Level::kO2, "rv32imafc") == 1);
  CHECK(kernels_left(12, Level::kO2, "rv32imafc") == 2);
  CHECK(kernels_left(12, Level::kOs, "rv32imafc") == 1);
}

// y[i] = x[max(i * stride + first, 0)]
Kernel clamped(int64_t rows, int64_t stride, int64_t first) {
  Builder b("clamped_" + std::to_string(rows));
  const BufferId x = b.buffer({.name = "x", .elements = rows * stride + first});
  const BufferId y = b.buffer({.name = "y", .elements = rows, .direction = Direction::kOut});
  b.loop(Loop{.upper = Affine::constant(rows), .kept = true}, [&](ValueId i) {
    const ValueId at = b.add(b.mul(i, b.index(stride)), b.index(first));
    b.store(y, Affine::of(i), b.load(x, Affine::of(b.binary(OpKind::kNativeMax, at, b.index(0)))));
  });
  return b.finish();
}

TEST_CASE("only products with 1 and sums with 0 are left out of a shared kernel") {
  for (const int64_t stride : {1, 2, 3})
    for (const int64_t first : {0, 1, 2}) {
      Program program = launched({clamped(5, stride, first), clamped(9, stride, first)});
      const std::vector<Bytes> before = results_of(program);
      share_kernels(program, microcontroller());
      CHECK(program.kernels.size() == 1);
      CHECK(results_of(program) == before);
    }
}

TEST_CASE("strides that are the same in all layers stay, whatever they are") {
  for (const int64_t stride : {1, 2, 3})
    for (const int64_t low : {0, 1, 2}) {
      Program program = program_of({{4, 5, stride, low}, {9, 7, stride, low}});
      const std::vector<Bytes> before = results_of(program);
      share_kernels(program, microcontroller());
      CHECK(program.kernels.size() == 1);
      CHECK(results_of(program) == before);
    }
}

TEST_CASE("numbers of floats are bits, those of indices are numbers") {
  const Skeleton skeleton = skeleton_of(window_sum({4, 5, 1, 1}, "w"), 32, 2);
  const auto is_float_constant = [&](const Op& op) {
    return op.kind == OpKind::kConstant && skeleton.kernel.type(op.result()).scalar == Scalar::kF32;
  };
  int floats = 0, others = 0;
  const std::function<void(const Region&)> visit = [&](const Region& region) {
    for (const Op& op : region.ops) {
      for (const Region& inner : op.regions) visit(inner);
      if (op.kind != OpKind::kConstant || !skeleton.numbered[op.result()]) continue;
      const auto place = static_cast<size_t>(std::get<Constant>(op.payload).lanes[0]);
      CHECK((skeleton.uses[place] == Use::kBits) == is_float_constant(op));
      ++(is_float_constant(op) ? floats : others);
    }
  };
  visit(skeleton.kernel.body);
  CHECK((floats > 0 && others > 0));
}

TEST_CASE("names decide nothing") {
  Program one = program_of({{4, 5, 1, 1}, {9, 7, 2, 1}}), other = one;
  for (Kernel& kernel : other.kernels) kernel.name = "z" + kernel.name;
  share_kernels(one, microcontroller());
  share_kernels(other, microcontroller());
  CHECK(same_code(one.kernels[0], other.kernels[0]));
}

TEST_CASE("numbers stay numbers where flash is not dear") {
  const Program program = program_of({{4, 5, 1, 1}, {9, 7, 2, 1}});
  for (const char* const name : {"cortex-a53", "armv7-linux"}) {
    Program same = program;
    share_kernels(same, *preset(name));
    CHECK(same.kernels.size() == 2);
  }
  Target fast = microcontroller();
  fast.options.level = Level::kO3;
  Program same = program;
  share_kernels(same, fast);
  CHECK(same.kernels.size() == 2);
}

// y = -x[0:2], of a buffer of n elements.
Kernel negated_part(int64_t n, const std::string& name) {
  Builder b(name);
  const BufferId x = b.buffer({.name = "x", .elements = n});
  const BufferId y = b.buffer({.name = "y", .elements = 2, .direction = Direction::kOut});
  b.loop(Loop{.upper = Affine::constant(2), .kept = true}, [&](ValueId i) {
    const ValueId value = b.load(x, Affine::of(i));
    b.store(y, Affine::of(i), b.sub(b.zero({Scalar::kF32, 1}), value));
  });
  return b.finish();
}

TEST_CASE("kernels that differ in the sizes of their buffers alone are one") {
  Program p;
  for (const int64_t n : {4, 9, 5}) {
    const int leaf = static_cast<int>(p.arguments.size());
    const auto first = static_cast<ProgramValueId>(p.values.size());
    p.values.push_back({.name = "x", .elements = n, .role = ValueRole::kArgument, .leaf = leaf});
    p.values.push_back({.name = "y", .elements = 2});
    p.arguments.push_back(first);
    p.results.push_back(first + 1);
    p.steps.push_back(
        {Launch{.kernel = static_cast<KernelId>(leaf), .operands = {first, first + 1}}, {}});
    p.kernels.push_back(negated_part(n, "part_" + std::to_string(leaf)));
    p.signature.arguments.push_back({.shape = hlo::Shape::array(hlo::PrimitiveType::kF32, {n})});
    p.signature.results.push_back({.shape = hlo::Shape::array(hlo::PrimitiveType::kF32, {2})});
  }
  const std::vector<Bytes> before = results_of(p);
  share_kernels(p, microcontroller());
  REQUIRE(p.kernels.size() == 1);
  CHECK(p.kernels[0].parameters.empty());
  CHECK(p.kernels[0].buffers[0].elements == 9);
  CHECK(results_of(p) == before);
  // The buffers say the largest value, no less and no more.
  for (const int64_t other : {8, 10}) {
    Program wrong = p;
    wrong.kernels[0].buffers[0].elements = other;
    CHECK_FALSE(verify(wrong).ok());
  }
}

TEST_CASE("a launch cannot ask for more scratch than its kernel has") {
  Program program = program_of({{4, 5, 1, 1}});
  std::get<Launch>(program.steps[0].what).scratch = {6};
  CHECK_FALSE(verify(program).ok());
  std::get<Launch>(program.steps[0].what).scratch = {5, 5};
  CHECK_FALSE(verify(program).ok());
  std::get<Launch>(program.steps[0].what).scratch = {4};
  CHECK(verify(program).ok());
}

}  // namespace
}  // namespace hlocc::kernel
