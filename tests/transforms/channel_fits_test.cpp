// One channel far from the others: a large bias, a multiplier of 0, a shift of 31. The layer has as
// many instructions as without it, and the same numbers come out.
#include "transforms/accumulators.h"

namespace hlocc::tests {
namespace {

// Sums of eight products of bytes in four channels, a bias, a scale of 31 bits and a shift each.
struct FarLayer {
  const char *bias = "100, -200, 300, 50", *factors = "1374280448, 2128251264, 1274280449, 1";
  const char* halves = "68719476736, 137438953472, 34359738368, 4611686018427387904";
  const char* shifts = "37, 38, 36, 63";

  std::string text() const {
    const auto each = [](const char* name, const char* type, const char* list) {
      return cat(" c", name, " = ", type, "[4] constant({", list, "})\n ", name, " = ", type,
                 "[64,4] broadcast(c", name, "), dimensions={1}\n");
    };
    const auto every = [](const char* name, const char* number) {
      return cat(" c", name, " = s64[] constant(", number, ")\n ", name, " = s64[64,4] broadcast(c",
                 name, "), dimensions={}\n");
    };
    return cat(
        " x = s8[64,8] parameter(0)\n w = s8[8,4] constant({{101,7,-3,11},{-99,-8,5,2},{87,64,-71,"
        "12},{-128,3,3,4},{15,-90,8,1},{127,127,127,9},{1,-2,-3,8},{-4,80,90,7}})\n xs = s32[64,8]"
        " convert(x)\n ws = s32[8,4] convert(w)\n y = s32[64,4] dot(xs, ws), lhs_contracting_dims="
        "{1}, rhs_contracting_dims={0}\n",
        each("b", "s32", bias), " acc = s32[64,4] add(y, b)\n l = s64[64,4] convert(acc)\n",
        each("f", "s64", factors), " p = s64[64,4] multiply(l, f)\n", each("h", "s64", halves),
        " t = s64[64,4] add(p, h)\n", each("s", "s64", shifts),
        " q = s64[64,4] shift-right-arithmetic(t, s)\n", every("z", "-7"),
        " m = s64[64,4] add(q, z)\n", every("low", "-128"), every("high", "127"),
        " c = s64[64,4] clamp(low, m, high)\n ROOT r = s8[64,4] convert(c)");
  }
};

struct Made {
  size_t instructions = 0;
  int64_t largest_bias = 0;  // of the constants of s32, but those of a fixed-point number
  int long_sums = 0;
};

Made made(const FarLayer& layer, const char* chip) {
  const Module m = requantized(layer.text(), chip);
  check_every_number(layer.text(), m);
  Made out{m.entry_computation().instructions.size(), 0, count_s64(m, Opcode::kAdd)};
  // The sum that reads the product.
  const auto& all = m.entry_computation().instructions;
  for (const hlo::Instruction& i : all) {
    if (i.opcode != Opcode::kAdd || all[i.operands[0]].opcode != Opcode::kDot) continue;
    const hlo::Instruction& bias = all[all[i.operands[1]].operands[0]];
    for (const int32_t b : bias.get<hlo::ConstantAttributes>().value.data<int32_t>())
      out.largest_bias = std::max(out.largest_bias, std::abs(int64_t{b}));
  }
  return out;
}

}  // namespace

TEST_CASE("one channel's large bias is another's that is as good", "[transforms]") {
  for (const char* chip : {"cortex-m0", "cortex-m4f", "cortex-m55", "rv32imc"}) {
    const Made near = made({}, chip);
    CHECK(near.long_sums == 0);
    for (const char* far : {"268435456, -200, 300, 50", "100, -268435456, 300, 50",
                            "100, -200, 2147000000, 50", "100, -200, 300, 268435456"}) {
      INFO(chip << ": " << far);
      const Made layer = made({.bias = far}, chip);
      CHECK(layer.instructions <= near.instructions);
      CHECK(layer.long_sums == 0);
      CHECK(layer.largest_bias < (1 << 20));
    }
  }
}

TEST_CASE("all channels beyond their clamps", "[transforms]") {
  for (const char* chip : {"cortex-m0", "cortex-m4f", "cortex-m55", "rv32imc"}) {
    const Made layer = made({.bias = "-2147000000, 268435456, 2147000000, 268435456"}, chip);
    INFO(chip);
    CHECK(layer.instructions <= made({}, chip).instructions);
    CHECK(layer.long_sums == 0);
  }
}

TEST_CASE("biases that are not far, or whose sums may wrap, stay", "[transforms]") {
  // Sums of the products reach 71,705 in one channel.
  CHECK(made({.bias = "286820, -200, 300, 50"}, "cortex-m4f").largest_bias == 286820);
  CHECK(made({.bias = "286821, -200, 300, 50"}, "cortex-m4f").largest_bias < 286821);
  CHECK(made({.bias = "2147483647, -200, 300, 50"}, "cortex-m4f").largest_bias == 2147483647);
}

TEST_CASE("a far channel that rises where its sums are", "[transforms]") {
  // 2^28 times 2^31 / 2^53 is 64 beyond a clamp that a zero point of -7 leaves at 134.
  const FarLayer rises{.bias = "268435456, -200, 300, 50",
                       .factors = "2147483647, 2128251264, 1274280449, 1",
                       .halves = "4503599627370496, 137438953472, 34359738368, 1",
                       .shifts = "53, 38, 36, 2"};
  for (const char* chip : {"cortex-m0", "cortex-m4f", "cortex-m55"}) {
    INFO(chip);
    CHECK(made(rises, chip).long_sums == 0);
  }
}

TEST_CASE("a channel times zero", "[transforms]") {
  const FarLayer nothing{.factors = "1374280448, 0, 1274280449, 0"},
      falls{.factors = "1374280448, -1, 1274280449, 1"};
  for (const char* chip : {"cortex-m0", "cortex-m4f", "cortex-m55", "rv32imc"}) {
    INFO(chip);
    CHECK(made(nothing, chip).instructions == made({}, chip).instructions);
    CHECK(made(falls, chip).long_sums > 0);
  }
}

// A convolution of four channels, one of which is one number whatever its sums are: between the
// clamps no line with the offset inside leads to it, unless its weights go.
struct FlatLayer {
  const char* factors = "1374280448, 0, 1274280449, 1374280449";
  const char *weights = "constant({{{{101,7,-3,11},{-99,-8,5,2}}}})", *root = "";
  const char* sums = "add(y, b)";

  std::string text() const {
    const auto each = [](const char* name, const char* type, const char* list) {
      return cat(" c", name, " = ", type, "[4] constant({", list, "})\n ", name, " = ", type,
                 "[1,8,8,4] broadcast(c", name, "), dimensions={3}\n");
    };
    const auto every = [](const char* name, const char* number) {
      return cat(" c", name, " = s64[] constant(", number, ")\n ", name,
                 " = s64[1,8,8,4] broadcast(c", name, "), dimensions={}\n");
    };
    return cat(
        " x = s8[1,8,8,2] parameter(0)\n w = s8[1,1,2,4] ", weights,
        "\n y = s32[1,8,8,4] convolution(x, w), window={size=1x1}, dim_labels=b01f_01io->b01f\n",
        each("b", "s32", "100, -200, 300, 50"), " acc = s32[1,8,8,4] ", sums,
        "\n l = s64[1,8,8,4] convert(acc)\n", each("f", "s64", factors),
        " p = s64[1,8,8,4] multiply(l, f)\n", every("h", "1099511627776"),
        " t = s64[1,8,8,4] add(p, h)\n", every("s", "36"),
        " q = s64[1,8,8,4] shift-right-arithmetic(t, s)\n", every("z", "-7"),
        " m = s64[1,8,8,4] add(q, z)\n", every("low", "-128"), every("high", "127"),
        " c = s64[1,8,8,4] clamp(low, m, high)\n n = s8[1,8,8,4] convert(c)\n", root);
  }
};

// Whether the offset is a part of what is multiplied: nothing is added to a high word.
bool is_inside(const FlatLayer& layer, const char* chip = "cortex-m55") {
  const Module m = requantized(layer.text(), chip);
  check_same_meaning(module_from(layer.text()), m);
  const auto& all = m.entry_computation().instructions;
  return std::ranges::any_of(all, [&](const hlo::Instruction& i) {
    return i.opcode == Opcode::kMaximum &&
           all[i.operands[0]].opcode == Opcode::kShiftRightArithmetic &&
           all[all[i.operands[0]].operands[0]].opcode == Opcode::kConvert;
  });
}

TEST_CASE("a flat channel has no weights where the offset is to go inside", "[transforms]") {
  const FlatLayer none{.factors = "1374280448, 974280449, 1274280449, 1374280449",
                       .root = " ROOT r = s8[1,8,8,4] copy(n)"};
  const auto with = [&](auto change) {
    FlatLayer layer = none;
    layer.factors = FlatLayer{}.factors;
    change(layer);
    return layer;
  };
  for (const char* chip : {"cortex-m55", "cortex-a53"}) {
    INFO(chip);
    CHECK(is_inside(none, chip));
    CHECK(is_inside(with([](FlatLayer&) {}), chip));
    CHECK(is_inside(with([](FlatLayer& l) { l.factors = "0, 1374280448, 0, 1274280449"; }), chip));
  }
  // Others read the sums, or the weights are not known.
  CHECK_FALSE(is_inside(with([](FlatLayer& l) {
    l.root = " lows = s8[1,8,8,4] convert(y)\n ROOT r = s8[1,8,8,4] add(n, lows)";
  })));
  CHECK_FALSE(is_inside(with([](FlatLayer& l) { l.weights = "parameter(1)"; })));
  // Others read the sums with their biases, or there are none.
  CHECK_FALSE(is_inside(with([](FlatLayer& l) {
    l.root = " lows = s8[1,8,8,4] convert(acc)\n ROOT r = s8[1,8,8,4] add(n, lows)";
  })));
  CHECK_FALSE(is_inside(with([](FlatLayer& l) { l.sums = "copy(y)"; })));
}

}  // namespace hlocc::tests
