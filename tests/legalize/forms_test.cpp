// The legal form of every op: each on all its types and on one lane and several, for rows of every
// kind. It means what the op means: both are evaluated on numbers that matter, but functions whose
// legal form rounds otherwise (accuracy_test.cpp has those). Which expansion a row takes changes no
// number; it changes how many ops of which group the form has, which golden/forms.txt says.
#include <catch2/catch.hpp>

#include "kernel/evaluate/scalar_math.h"
#include "legalize/harness.h"
#include "support/figures.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

// Beside those of the other tests: vectors of every unit, and x86's extensions one after the other.
std::vector<std::pair<std::string, Target>> rows_of_every_kind() {
  std::vector<std::pair<std::string, Target>> rows;
  for (const char* name : {"cortex-m0", "cortex-m4f", "cortex-m33-nofp", "cortex-m55", "rv64gc",
                           "riscv64v-linux", "armv7-linux", "cortex-a53", "cortex-a76-linux",
                           "s390x-linux", "x86_64-linux", "avr-mega2560"})
    rows.emplace_back(name, target_named(name));
  Target x86 = target_named("x86_64-linux");
  const auto add = [&](const char* name, std::initializer_list<Isa> more, int bits) {
    for (const Isa isa : more) x86.isa.add(isa);
    x86.vector_bits = bits;
    rows.emplace_back(name, x86);
  };
  Target rounding = x86;
  rounding.vector_rounding = rounding.vector_saturation = true;
  rows.emplace_back("a vector unit that rounds", rounding);
  add("x86 with SSE4.1", {Isa::kSse41}, 128);
  x86.fma = x86.vector_rounding = true;
  add("x86 with AVX2", {Isa::kAvx2}, 256);
  x86.vector_saturation = true;
  add("x86 with AVX-512", {Isa::kAvx512F, Isa::kAvx512Vnni}, 512);
  Target rootless = target_named("cortex-m33");
  rootless.float_roots = false;
  rows.emplace_back("a unit whose roots have no name", rootless);
  Target tiles = target_named("cortex-a76-linux");
  tiles.isa.add(Isa::kI8mm);
  rows.emplace_back("AArch64 with I8MM", tiles);
  return rows;
}

// By name: how many there are of each op.
void add_ops(tests::Figures& figures, const Region& region) {
  for (const Op& op : region.ops) {
    figures.count(std::string(op_name(op.kind)));
    for (const Region& inner : op.regions) add_ops(figures, inner);
  }
}

std::vector<Scalar> scalars_with(OpKind kind) {
  std::vector<Scalar> found;
  for (int s = 0; s <= static_cast<int>(Scalar::kF64); ++s)
    if (scalar_op(kind, static_cast<Scalar>(s))) found.push_back(static_cast<Scalar>(s));
  return found;
}

// Whether the legal form gives the same bits: functions are near (accuracy_test.cpp), and an index
// has 64 bits before and those of a pointer after (exact_test.cpp has numbers that fit both).
bool is_exact(const std::string& op, const OpTest& test) {
  if (test.name.find("index") != std::string::npos || test.inputs[0] == Scalar::kIndex)
    return false;
  for (const OpKind kind :
       {OpKind::kRsqrt, OpKind::kCbrt, OpKind::kExp,      OpKind::kExpm1, OpKind::kLog,
        OpKind::kLog1p, OpKind::kTanh, OpKind::kLogistic, OpKind::kErf,   OpKind::kErfc,
        OpKind::kSin,   OpKind::kCos,  OpKind::kTan,      OpKind::kAsin,  OpKind::kAcos,
        OpKind::kAtan,  OpKind::kSinh, OpKind::kCosh,     OpKind::kAsinh, OpKind::kAcosh,
        OpKind::kAtanh, OpKind::kPow,  OpKind::kAtan2})
    if (op == op_name(kind)) return false;
  return true;
}

constexpr int kElements = 48;

// Numbers that matter, of each operand in an order of its own.
std::vector<Column> numbers_for(const OpTest& test) {
  std::vector<Column> columns;
  for (const Scalar scalar : test.inputs) {
    const Column all = scalar == Scalar::kPred ? Column{0, 1} : edge_values(scalar, 5);
    Column column;
    for (size_t i = 0; i < kElements; ++i)
      column.push_back(all[(i * (5 + 2 * columns.size()) + columns.size()) % all.size()]);
    columns.push_back(column);
  }
  return columns;
}

void add_forms(const std::string& row, const std::string& op, const OpTest& test,
               const Target& target) {
  const std::vector<Column> numbers = numbers_for(test);
  tests::Figures figures;
  for (const int lanes : {1, 2, 3, 4, 16}) {
    const Kernel legal = legal_kernel_of(test, kElements, lanes, target);
    add_ops(figures, legal.body);
    if (!is_exact(op, test)) continue;
    const Column got = run(legal, test, numbers),
                 meant = run(kernel_of(test, kElements, lanes), test, numbers);
    for (size_t i = 0; i < kElements; ++i)
      if (!same_number(test.output, got[i], meant[i]))
        FAIL_CHECK(row << ", " << test.name << ", " << lanes << " lanes: element " << i << " is "
                       << show(test.output, got[i]) << ", not " << show(test.output, meant[i]));
  }
  tests::add_figures("forms", cat(op, ", ", row), figures);
}

void add_one(const std::string& row, OpKind kind, Scalar scalar, const Target& target) {
  const std::string op(op_name(kind));
  if (op_operands(kind) == 1) return add_forms(row, op, unary_test(kind, scalar), target);
  add_forms(row, op, binary_test(kind, scalar), target);
  // By a known number.
  for (const int known : {0, 2, 3}) {
    const OpTest test{
        cat(op, " by ", known), {scalar}, scalar, [=](Builder& b, std::span<const ValueId> in) {
          const Type type = b.type(in[0]);
          return b.binary(
              kind, in[0],
              is_float(scalar) ? b.constant_float(type, known) : b.constant_int(type, known));
        }};
    add_forms(row, op, test, target);
  }
}

// A case for each row, so that each is short.
void add_numbers(std::string_view named) {
  const auto rows = rows_of_every_kind();
  const auto row = std::ranges::find(rows, named, &std::pair<std::string, Target>::first);
  REQUIRE(row != rows.end());
  for (int k = 0; k <= static_cast<int>(OpKind::kShrArithmetic); ++k)
    for (const Scalar scalar : scalars_with(static_cast<OpKind>(k)))
      add_one(row->first, static_cast<OpKind>(k), scalar, row->second);
}

}  // namespace

#define HLOCC_ROW(name) \
  TEST_CASE("the legal form of ops on numbers: " name) { add_numbers(name); }
HLOCC_ROW("cortex-m0")
HLOCC_ROW("cortex-m4f")
HLOCC_ROW("cortex-m33-nofp")
HLOCC_ROW("cortex-m55")
HLOCC_ROW("rv64gc")
HLOCC_ROW("riscv64v-linux")
HLOCC_ROW("armv7-linux")
HLOCC_ROW("cortex-a53")
HLOCC_ROW("cortex-a76-linux")
HLOCC_ROW("s390x-linux")
HLOCC_ROW("x86_64-linux")
HLOCC_ROW("avr-mega2560")
HLOCC_ROW("a vector unit that rounds")
HLOCC_ROW("x86 with SSE4.1")
HLOCC_ROW("x86 with AVX2")
HLOCC_ROW("x86 with AVX-512")
HLOCC_ROW("a unit whose roots have no name")
HLOCC_ROW("AArch64 with I8MM")
#undef HLOCC_ROW

TEST_CASE("the legal form of conversions and comparisons") {
  for (const auto& [row, target] : rows_of_every_kind())
    for (int s = 0; s <= static_cast<int>(Scalar::kF64); ++s) {
      const Scalar scalar = static_cast<Scalar>(s);
      for (int t = 0; t <= static_cast<int>(Scalar::kF64); ++t)
        add_forms(row, "convert", convert_test(scalar, static_cast<Scalar>(t)), target);
      // Of a type that no buffer has.
      const OpTest inside{cat("convert inside to ", scalar_name(scalar)),
                          {Scalar::kF32},
                          Scalar::kF32,
                          [=](Builder& b, std::span<const ValueId> in) {
                            return b.convert(b.convert(in[0], scalar), Scalar::kF32);
                          }};
      add_forms(row, "convert inside", inside, target);
      for (const Predicate predicate : {Predicate::kEq, Predicate::kLt})
        add_forms(row, "compare", compare_test(predicate, scalar), target);
    }
}

TEST_CASE("the legal form of what works on several lanes") {
  for (const auto& [row, target] : rows_of_every_kind()) {
    for (int k = static_cast<int>(OpKind::kReduceAdd); k <= static_cast<int>(OpKind::kReduceOr);
         ++k)
      for (int s = 0; s <= static_cast<int>(Scalar::kF64); ++s) {
        const OpKind kind = static_cast<OpKind>(k);
        const Scalar scalar = static_cast<Scalar>(s);
        const bool of_bits = kind == OpKind::kReduceAnd || kind == OpKind::kReduceOr;
        if (of_bits && is_float(scalar)) continue;
        const OpTest test{std::string(op_name(kind)),
                          {scalar},
                          scalar,
                          [=](Builder& b, std::span<const ValueId> in) {
                            return b.splat(b.reduce(kind, in[0]), b.type(in[0]).lanes);
                          }};
        add_forms(row, test.name, test, target);
      }
    using enum Scalar;
    for (const auto& [sum, element] :
         {std::pair{kS32, kS8}, {kS32, kU8}, {kS32, kS16}, {kF32, kF32}, {kF32, kBF16}}) {
      const Type sums{sum, 4}, units{element, 16};
      const OpTest test{
          "matrix_accumulate", {sum}, sum, [=](Builder& b, std::span<const ValueId> in) {
            const ValueId made = b.matrix_accumulate(b.zero(sums), b.zero(units), b.zero(units));
            return b.add(in[0], b.splat(b.extract(made, 0), b.type(in[0]).lanes));
          }};
      add_forms(row, "matrix_accumulate", test, target);
    }
    const OpTest fma{"fma", {kF32, kF32, kF32}, kF32, [](Builder& b, std::span<const ValueId> in) {
                       return b.op(OpKind::kNativeFma, b.type(in[0]), {in[0], in[1], in[2]});
                     }};
    add_forms(row, "fma", fma, target);
  }
}

}  // namespace hlocc::kernel
