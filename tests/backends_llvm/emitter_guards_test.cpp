// What the emitter's own conditions tell apart, as LLVM's IR: each instruction, mark and call on
// both sides of what decides about it. ops_test.cpp and control_test.cpp say that it computes the
// right numbers.
#include "backends/cpu/program_module.h"
#include "backends/llvm/emit/kernel_emitter.h"
#include "backends/llvm/emit/math_call.h"
#include "backends/llvm/generic_target.h"
#include "backends/llvm/target_machine.h"
#include "backends_llvm/functions_of.h"
#include "backends_llvm/jit_kernel.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Target/TargetMachine.h"

namespace hlocc::backends {
namespace {

using namespace kernel;
using enum Scalar;

bool holds(std::string_view text, std::string_view word) { return text.find(word) != text.npos; }
int times(std::string_view text, std::string_view word) {
  int found = 0;
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++found;
  return found;
}

constexpr int kElements = 1024;
BufferId buffer(Builder& b, const char* name, Scalar scalar, bool written = false) {
  return b.buffer({.name = name,
                   .element = scalar,
                   .elements = kElements,
                   .direction = written ? Direction::kInOut : Direction::kIn,
                   .alignment = 4});
}

// `make` of x and w, stored.
using Make = std::function<ValueId(Builder&, ValueId x, ValueId w)>;
Kernel kernel_of(Type type, Scalar to, const Make& make) {
  Builder b("made");
  const BufferId x = buffer(b, "x", type.scalar), w = buffer(b, "w", type.scalar),
                 y = buffer(b, "y", to, true);
  const ValueId left = b.load(x, Affine::constant(0), type.lanes),
                right = b.load(w, Affine::constant(0), type.lanes);
  b.store(y, Affine::constant(0), make(b, left, right));
  return b.finish();
}
std::string text_of_made(const char* chip, Type type, Scalar to, const Make& make) {
  return functions_of(kernel_of(type, to, make), target_of(chip));
}

TEST_CASE("instructions of one chip have no form on another") {
  const auto is_refused = [](const char* chip, Type type, Scalar to, const Make& make) {
    return holds(text_of_made(chip, type, to, make), "has no form in LLVM");
  };
  const Make saturated = [](Builder& b, ValueId x, ValueId) { return b.saturate(x, 3); };
  const Make doubled = [](Builder& b, ValueId x, ValueId w) {
    return b.op(OpKind::kMulHiDoubled, b.type(x), {x, w});
  };
  const Make spread = [](Builder& b, ValueId x, ValueId) { return b.spread_bytes(x, 0, kS16); };
  const Make zeros = [](Builder& b, ValueId x, ValueId) {
    return b.op(OpKind::kClz, b.type(x), {x});
  };
  for (const char* chip : {"cortex-m55", "cortex-a53"})
    CHECK_FALSE(is_refused(chip, {kS32, 4}, kS8, saturated));
  for (const char* chip : {"cortex-m4", "x86_64-linux"})
    CHECK(is_refused(chip, {kS32, 4}, kS8, saturated));
  for (const char* chip : {"cortex-a53", "armv7-linux"})
    CHECK_FALSE(is_refused(chip, {kS32, 4}, kS32, doubled));
  for (const char* chip : {"cortex-m4", "x86_64-linux"})
    CHECK(is_refused(chip, {kS32, 4}, kS32, doubled));
  CHECK_FALSE(is_refused("cortex-m4", {kS8, 4}, kS16, spread));
  for (const char* chip : {"cortex-m3", "cortex-m55", "x86_64-linux"})
    CHECK(is_refused(chip, {kS8, 4}, kS16, spread));
  CHECK_FALSE(is_refused("cortex-m4", {kS32, 1}, kS32, zeros));
  CHECK(is_refused("cortex-m4", {kF32, 1}, kF32, zeros));
}

TEST_CASE("the nearest integer is one instruction of NEON's for four floats of 32 bits") {
  const Make nearest = [](Builder& b, ValueId x, ValueId) {
    const ValueId rounded = b.op(OpKind::kRoundEven, b.type(x), {x});
    return b.op(OpKind::kConvert, b.type(x).with(kS32), {rounded});
  };
  CHECK(holds(text_of_made("cortex-a53", {kF32, 4}, kS32, nearest), "fcvtns"));
  CHECK_FALSE(holds(text_of_made("cortex-a53", {kF64, 4}, kS32, nearest), "fcvtns"));
  CHECK_FALSE(holds(text_of_made("cortex-a53", {kF32, 2}, kS32, nearest), "fcvtns"));
  CHECK_FALSE(holds(text_of_made("x86_64-linux", {kF32, 4}, kS32, nearest), "fcvtns"));
}

TEST_CASE("bytes in words are spread to halves, and nothing else is") {
  const auto to = [](Scalar scalar) {
    return [scalar](Builder& b, ValueId x, ValueId) {
      return b.op(OpKind::kConvert, b.type(x).with(scalar), {x});
    };
  };
  CHECK(holds(text_of_made("cortex-m4", {kS8, 4}, kS16, to(kS16)), "sxtb16"));
  CHECK(holds(text_of_made("cortex-m4", {kU8, 4}, kS16, to(kS16)), "uxtb16"));
  CHECK_FALSE(holds(text_of_made("cortex-m4", {kS8, 4}, kU8, to(kU8)), "xtb16"));
  CHECK_FALSE(holds(text_of_made("cortex-m4", {kS8, 4}, kS32, to(kS32)), "xtb16"));
  CHECK_FALSE(holds(text_of_made("cortex-m4", {kS16, 2}, kU16, to(kU16)), "xtb16"));
}

TEST_CASE("x86 widens to 16 bits what is not of both sides of such") {
  const auto product = [](Scalar left, Scalar right) {
    Builder b("dot");
    const BufferId x = buffer(b, "x", left), w = buffer(b, "w", right),
                   y = buffer(b, "y", kS32, true);
    b.store(y, Affine::constant(0),
            b.dot_accumulate(b.load(y, Affine::constant(0), 4), b.load(x, Affine::constant(0), 8),
                             b.load(w, Affine::constant(0), 8)));
    return functions_of(b.finish(), target_of("x86_64-linux"));
  };
  CHECK(times(product(kS16, kS16), "sext <8 x i8>") == 0);
  CHECK(times(product(kS8, kS16), "sext <8 x i8>") == 1);
  CHECK(times(product(kS16, kS8), "sext <8 x i8>") == 1);
  CHECK(times(product(kS8, kS8), "sext <8 x i8>") == 2);
  for (const auto& [left, right] : {std::pair{kS8, kS16}, {kS16, kS8}})
    CHECK(holds(product(left, right), "pmadd.wd(<8 x i16>"));
}

TEST_CASE("RISC-V clamps by one branch between zero and a number, not another value") {
  const auto clamp = [](OpKind inner, OpKind outer, bool by_number) {
    return [=](Builder& b, ValueId x, ValueId w) {
      const Type type = b.type(x);
      const ValueId first =
          b.op(inner, type, {x, b.constant_int(type, inner == OpKind::kMax ? 0 : 9)});
      return b.op(outer, type,
                  {first, by_number ? b.constant_int(type, outer == OpKind::kMax ? 0 : 9) : w});
    };
  };
  for (const auto& [inner, outer] :
       {std::pair{OpKind::kMax, OpKind::kMin}, {OpKind::kMin, OpKind::kMax}})
    for (const bool by_number : {true, false})
      CHECK(holds(text_of_made("rv32imc", {kS32, 1}, kS32, clamp(inner, outer, by_number)),
                  "bltu") == by_number);
}

TEST_CASE("Hexagon interleaves two vectors into one of twice the lanes") {
  const auto woven = [](int lanes, int from) {
    return [=](Builder& b, ValueId x, ValueId w) {
      std::vector<int> order;
      for (int n = 0; n < lanes; ++n)
        order.push_back(n >= 2 * from ? 0 : n % 2 == 0 ? n / 2 : from + n / 2);
      return b.shuffle(x, w, order);
    };
  };
  const auto is_one = [](const std::string& text) { return holds(text, "V6.vshuffvdd"); };
  CHECK(is_one(text_of_made("hexagon-v67-hvx", {kU8, 32}, kU8, woven(64, 32))));
  CHECK_FALSE(is_one(text_of_made("hexagon-v67-hvx", {kU8, 32}, kU8, woven(128, 32))));
  CHECK_FALSE(is_one(text_of_made("hexagon-v67-hvx", {kF32, 32}, kF32, woven(64, 32))));
}

TEST_CASE("lanes by an index each are gathered, whatever the stride says") {
  Builder b("gathered");
  const BufferId x = buffer(b, "x", kF32), y = buffer(b, "y", kF32, true);
  const ValueId lanes = b.op(OpKind::kLaneIndex, {kS32, 4}, {});
  b.store(
      y, Affine::constant(0),
      b.load(
          Access{.buffer = x, .at = Affine::constant(3), .lane_stride = 0, .lane_indices = lanes},
          4));
  std::vector<float> values(kElements);
  for (int n = 0; n < kElements; ++n) values[static_cast<size_t>(n)] = static_cast<float>(n);
  check_agreement(b.finish(), {to_bytes(values), to_bytes(values)});
}

int ops_in(const Region& region) {
  int count = 0;
  for (const Op& op : region.ops) {
    ++count;
    for (const Region& inner : op.regions) count += ops_in(inner);
  }
  return count;
}

TEST_CASE("what selects vectors of MVE keeps its constants out from more than 100 ops on") {
  for (const int fill : {90, 91, 92, 93, 94, 95, 96, 97, 98}) {
    const Kernel kernel = kernel_of({kS32, 4}, kS32, [fill](Builder& b, ValueId x, ValueId w) {
      ValueId value = b.select(b.compare(Predicate::kLt, x, w), x, w);
      for (int n = 0; n < fill; ++n) value = b.op(OpKind::kXor, b.type(x), {value, n % 2 ? x : w});
      return value;
    });
    const int ops = ops_in(kernel.body);
    INFO(ops);
    CHECK(holds(functions_of(kernel, target_of("cortex-m55")), "execute-only") == (ops > 100));
    if (fill == 90) CHECK(ops < 100);
    if (fill == 98) CHECK(ops > 101);
  }
}

// --- functions that are called ---

TEST_CASE("vectors call a function for as many lanes as the chip's vectors have") {
  const auto made = [](const char* chip, Type type) {
    Target target = target_of(chip);
    target.options.level = Level::kOs;
    return functions_of(
        kernel_of(type, type.scalar,
                  [](Builder& b, ValueId x, ValueId) { return b.unary(OpKind::kExp, x); }),
        target);
  };
  const std::string pairs = made("x86_64-linux", {kF64, 4}), ones = made("cortex-m4f", {kF32, 4});
  CHECK(times(pairs, "call <2 x double> @") == 2);
  CHECK_FALSE(holds(pairs, "insertelement <4 x <2 x"));
  CHECK(times(ones, "call float @") == 4);
  CHECK(holds(ones, "insertelement <4 x float>"));
}

TEST_CASE("a function that cannot be made is none") {
  const Target& target = target_of("cortex-m4");
  const auto machine = tests::require(make_target_machine(target));
  const auto make = [&](OpKind kind, Scalar scalar, llvm::Type* type_of(llvm::LLVMContext&)) {
    llvm::LLVMContext context;
    llvm::Module module("made", context);
    prepare_module(module, target, *machine);
    llvm::Type* const type = type_of(context);
    llvm::Function* const caller =
        llvm::Function::Create(llvm::FunctionType::get(type, {type}, false),
                               llvm::Function::ExternalLinkage, "caller", module);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", caller));
    llvm::Value* const operand = caller->getArg(0);
    return call_math_function(builder, {kind, scalar, 1}, {&operand, 1}, target, *machine) !=
           nullptr;
  };
  CHECK(make(OpKind::kExp, kF32, [](llvm::LLVMContext& c) { return llvm::Type::getFloatTy(c); }));
  // Legalisation knows no such op; it keeps another, which has no form.
  CHECK_FALSE(make(OpKind::kExp, kS32,
                   [](llvm::LLVMContext& c) -> llvm::Type* { return llvm::Type::getInt32Ty(c); }));
  CHECK_FALSE(
      make(OpKind::kClz, kF32, [](llvm::LLVMContext& c) { return llvm::Type::getFloatTy(c); }));
}

// --- tiles ---

// A vector that is read in each iteration of a loop, or once of scratch.
struct Tile {
  Scalar scalar = kS8;
  int lanes = 4, alignment = 4;
  bool masked = false, branch = false, scratch = false;
};
Kernel tile_of(const Tile& tile, int products = 8) {
  Builder b("tile");
  const auto lanes = static_cast<uint16_t>(tile.lanes);
  const BufferId m = buffer(b, "m", kPred), y = buffer(b, "y", tile.scalar, true);
  const BufferId x = b.buffer({.name = "x",
                               .element = tile.scalar,
                               .elements = kElements,
                               .direction = tile.scratch ? Direction::kScratch : Direction::kIn,
                               .space = tile.scratch ? Space::kStack : Space::kArena,
                               .alignment = tile.alignment});
  const auto copy = [&](const Affine& from) {
    const ValueId mask = tile.masked ? b.load(m, Affine::constant(0), lanes) : kNone;
    b.store(y, Affine::constant(0), b.load(Access{.buffer = x, .at = from, .mask = mask}, lanes));
  };
  if (tile.scratch) {
    copy(Affine::constant(0));
  } else {
    b.loop(8, [&](ValueId i) {
      const Affine from = Affine::of(i, std::max<int64_t>(lanes, 4));
      if (tile.branch)
        b.if_then(b.extract(b.load(m, Affine::of(i), 2), 0), [&] { copy(from); });
      else
        copy(from);
    });
  }
  Kernel kernel = b.finish();
  kernel.choice.products = products;
  kernel.choice.micro_kernel = MicroKernel::kDotAccumulate2;
  return kernel;
}

TEST_CASE("words of a tile whose registers are tied have pointers of their own") {
  const auto is_tied = [](const Kernel& kernel, const char* chip = "cortex-m4") {
    return holds(functions_of(kernel, target_of(chip)), "asm \"\", \"=r,0\"");
  };
  CHECK(is_tied(tile_of({})));
  CHECK_FALSE(is_tied(tile_of({}), "cortex-m7"));
  CHECK_FALSE(is_tied(tile_of({}, 7)));
  CHECK(is_tied(tile_of({.lanes = 8})));
  CHECK_FALSE(is_tied(tile_of({.lanes = 16})));
  CHECK(is_tied(tile_of({.scalar = kS16, .lanes = 2})));
  CHECK_FALSE(is_tied(tile_of({.scalar = kF32, .lanes = 1})));
  CHECK_FALSE(is_tied(tile_of({.alignment = 2})));
  CHECK_FALSE(is_tied(tile_of({.masked = true})));
  CHECK_FALSE(is_tied(tile_of({.branch = true})));
  CHECK_FALSE(is_tied(tile_of({.scratch = true})));
}

TEST_CASE("a product is tied to a sum that has a place") {
  Builder b("sum");
  const BufferId x = buffer(b, "x", kS16), w = buffer(b, "w", kS16), y = buffer(b, "y", kS32, true);
  b.store(y, Affine::constant(0),
          b.dot_accumulate(b.load(y, Affine::constant(0)), b.load(x, Affine::constant(0), 8),
                           b.load(w, Affine::constant(0), 8)));
  Kernel kernel = b.finish();
  const std::string loose = functions_of(kernel, target_of("cortex-m4"));
  CHECK(times(loose, "@llvm.arm.smlad") == 4);
  kernel.choice.products = 8;
  kernel.choice.micro_kernel = MicroKernel::kDotAccumulate2;
  const std::string tied = functions_of(kernel, target_of("cortex-m4"));
  CHECK(times(tied, "@llvm.arm.smlad") == 1);
  CHECK(times(tied, "asm \"smlad $0, $1, $2, $0\"") == 3);
}

// Arguments that are said to be alone, and loads that are marked.
std::pair<int, int> marked_loads(std::vector<bool> unshared) {
  Builder b("marked");
  const BufferId x = buffer(b, "x", kS16), y = buffer(b, "y", kS16, true);
  b.loop(4, [&](ValueId i) {
    b.store(y, Affine::of(i, 8),
            b.add(b.load(x, Affine::of(i, 8), 8), b.load(y, Affine::of(i, 8), 8)));
  });
  Kernel kernel = b.finish();
  kernel.choice.products = 8;
  kernel.choice.micro_kernel = MicroKernel::kDotAccumulate16;
  const Target& target = target_of("cortex-m55");
  const auto machine = tests::require(make_target_machine(target));
  llvm::LLVMContext context;
  llvm::Module module("marked", context);
  prepare_module(module, target, *machine);
  llvm::Function* const function =
      tests::require(emit_kernel(module, kernel, {"marked", unshared, true}, target, *machine));
  int alone = 0, marked = 0;
  for (const llvm::Argument& argument : function->args()) alone += argument.hasNoAliasAttr();
  for (const llvm::BasicBlock& block : *function)
    for (const llvm::Instruction& instruction : block)
      marked += llvm::isa<llvm::LoadInst>(instruction) &&
                instruction.hasMetadata(llvm::LLVMContext::MD_alias_scope);
  return {alone, marked};
}

TEST_CASE("what a kernel of MVE's sums only reads, and shares with no other, is marked") {
  CHECK(marked_loads({}) == std::pair(2, 1));
  CHECK(marked_loads({true, true}) == std::pair(2, 1));
  CHECK(marked_loads({true, false}) == std::pair(1, 1));
  CHECK(marked_loads({false, true}) == std::pair(1, 0));
  CHECK(marked_loads({false, false}) == std::pair(0, 0));
}

}  // namespace
}  // namespace hlocc::backends
