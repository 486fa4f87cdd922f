// Products of integers that were widened first: which take bytes as they were stored, and what
// stands just outside. The meaning is checked each time.
#include "support/text.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using enum hlo::PrimitiveType;
using transforms::narrow_contractions;

// Whether the contraction of the rewritten entry reads bytes, both sides, or `wide` ones of 16
// bits.
bool in_bytes(const std::string& text, int wide = 0) {
  INFO(text);
  const Module module = rewritten(text, {narrow_contractions});
  const hlo::Computation& entry = module.entry_computation();
  int bytes = 0, products = 0;
  for (const hlo::Instruction& i : entry.instructions) {
    if (i.opcode != Opcode::kDot && i.opcode != Opcode::kConvolution) continue;
    ++products;
    int narrow = 0, halves = 0;
    for (const hlo::InstructionId operand : i.operands) {
      const hlo::PrimitiveType type = entry.instructions[operand].shape.element_type;
      narrow += type == kS8 || type == kU8;
      halves += type == kS16;
    }
    bytes += narrow == 2 - wide && halves == wide;
  }
  REQUIRE(products == 1);
  return bytes == 1;
}

constexpr char kFiveByThree[] =
    "constant({{-128,127,3},{5,-7,0},{99,-100,127},{-128,-128,-128},{1,2,-3}})";

// x[6,5], of the type that the lines give it, times weights.
std::string product_of_widened(const std::string& lines, const std::string& type = "s32",
                               const std::string& weights = kFiveByThree,
                               const std::string& result = "") {
  return cat(lines, "\n w = ", type, "[5,3] ", weights,
             "\n ROOT y = ", result.empty() ? type : result,
             "[6,3] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
}

std::string integers_of(const std::string& name, const std::string& type, int64_t value,
                        const std::string& shape = "[6,5]") {
  return cat(" c", name, " = ", type, "[] constant(", value, ")\n ", name, " = ", type, shape,
             " broadcast(c", name, "), dimensions={}\n");
}

std::string widened_bytes(const std::string& from = "s8", const std::string& to = "s32") {
  return cat("b = ", from, "[6,5] parameter(0)\n x = ", to, "[6,5] convert(b)\n");
}

// With a zero point taken off what was converted.
std::string bytes_less(int64_t zero, const std::string& from = "s8", const std::string& to = "s32",
                       const std::string& op = "subtract(f, z)") {
  return cat("b = ", from, "[6,5] parameter(0)\n f = ", to, "[6,5] convert(b)\n",
             integers_of("z", to, zero), " x = ", to, "[6,5] ", op, "\n");
}

}  // namespace

TEST_CASE("converted sides of a product are bytes again", "[transforms]") {
  CHECK(in_bytes(product_of_widened(widened_bytes())));
  CHECK(in_bytes(product_of_widened(widened_bytes("u8"))));
  CHECK(in_bytes(product_of_widened(widened_bytes("s8", "s64"), "s64")));
  CHECK(in_bytes(product_of_widened(widened_bytes("s8", "s16"), "s16", kFiveByThree, "s32")));
  // Weights that are bytes already, in front of a conversion that folding has not met.
  CHECK(in_bytes(cat(widened_bytes(), " v = s8[5,3] ", kFiveByThree,
                     "\n w = s32[5,3] convert(v)\n ROOT y = s32[6,3] dot(x, w), "
                     "lhs_contracting_dims={1}, rhs_contracting_dims={0}")));
  // Both computed at run time.
  CHECK(in_bytes(cat(widened_bytes(),
                     " v = s8[5,3] parameter(1)\n w = s32[5,3] convert(v)\n ROOT y = "
                     "s32[6,3] dot(x, w), lhs_contracting_dims={1}, "
                     "rhs_contracting_dims={0}")));
  // Sums of 16 bits wrap there; weights beyond a byte are none.
  CHECK_FALSE(
      in_bytes(cat("b = s32[6,5] parameter(0)\n x = s32[6,5] abs(b)\n w = s32[5,3] ", kFiveByThree,
                   "\n ROOT y = s32[6,3] dot(x, w), lhs_contracting_dims={1}, "
                   "rhs_contracting_dims={0}")));
  for (const char* beyond : {"128", "-129"})
    CHECK_FALSE(in_bytes(product_of_widened(
        widened_bytes(), "s32",
        cat("constant({{1,2,3},{5,-7,0},{9,-1,7},{", beyond, ",8,8},{1,2,-3}})"))));
  // A byte with sign that an unsigned type cannot hold.
  CHECK_FALSE(
      in_bytes(product_of_widened(widened_bytes("s8", "u32"), "u32",
                                  "constant({{1,2,3},{5,7,0},{9,1,7},{8,8,8},{1,2,3}})", "s32")));
  CHECK(in_bytes(product_of_widened(widened_bytes("u8", "u32"), "u32",
                                    "constant({{1,2,3},{5,7,0},{9,1,7},{8,8,8},{1,2,3}})", "s32")));
}

TEST_CASE("zero points of a side go behind the product", "[transforms]") {
  for (const int64_t zero : {1, -128, 127, -1, 1000}) {
    CHECK(in_bytes(product_of_widened(bytes_less(zero))));
    CHECK(in_bytes(product_of_widened(bytes_less(zero, "u8"))));
    CHECK(in_bytes(product_of_widened(bytes_less(zero, "s8", "s32", "add(f, z)"))));
    CHECK(in_bytes(product_of_widened(bytes_less(zero, "s8", "s32", "add(z, f)"))));
  }
  CHECK(in_bytes(product_of_widened(bytes_less(-128, "s8", "s16"), "s16", kFiveByThree, "s32")));
  // 16 bits would have wrapped.
  CHECK(in_bytes(product_of_widened(bytes_less(32640, "s8", "s16"), "s16", kFiveByThree, "s32")));
  CHECK_FALSE(
      in_bytes(product_of_widened(bytes_less(32641, "s8", "s16"), "s16", kFiveByThree, "s32")));
  CHECK(in_bytes(product_of_widened(bytes_less(-32640, "s8", "s16"), "s16", kFiveByThree, "s32")));
  CHECK_FALSE(
      in_bytes(product_of_widened(bytes_less(-32641, "s8", "s16"), "s16", kFiveByThree, "s32")));
  // A byte from a number, two zero points, one for each column: no such thing.
  CHECK_FALSE(in_bytes(product_of_widened(bytes_less(3, "s8", "s32", "subtract(z, f)"))));
  CHECK_FALSE(in_bytes(product_of_widened(
      cat("b = s8[6,5] parameter(0)\n f = s32[6,5] convert(b)\n", integers_of("z", "s32", 3),
          integers_of("t", "s32", 4), " g = s32[6,5] subtract(f, z)\n x = s32[6,5] add(g, t)\n"))));
  CHECK_FALSE(in_bytes(product_of_widened(
      "b = s8[6,5] parameter(0)\n f = s32[6,5] convert(b)\n c = s32[5] constant({1,2,3,4,5})\n z = "
      "s32[6,5] broadcast(c), dimensions={1}\n x = s32[6,5] subtract(f, z)\n")));
  // With zero points of a weight's or nobody's knowledge of the other side.
  CHECK_FALSE(in_bytes(cat(bytes_less(3),
                           " v = s8[5,3] parameter(1)\n w = s32[5,3] convert(v)\n ROOT "
                           "y = s32[6,3] dot(x, w), lhs_contracting_dims={1}, "
                           "rhs_contracting_dims={0}")));
  // The known side to the left.
  CHECK(in_bytes(cat(bytes_less(9),
                     " w = s32[3,5] constant({{1,2,3,4,5},{-1,-2,-3,-4,-128},"
                     "{7,8,9,127,0}})\n ROOT y = s32[3,6] dot(w, x), "
                     "lhs_contracting_dims={1}, rhs_contracting_dims={1}")));
}

TEST_CASE("bytes are taken where that pays", "[transforms]") {
  const std::string known = product_of_widened(widened_bytes()),
                    unknown = cat(widened_bytes(),
                                  " v = s8[5,3] parameter(1)\n w = s32[5,3] "
                                  "convert(v)\n ROOT y = s32[6,3] dot(x, w), "
                                  "lhs_contracting_dims={1}, "
                                  "rhs_contracting_dims={0}");
  const auto changes = [](const std::string& text, const Target& target) {
    Module module = module_from(text);
    REQUIRE(narrow_contractions(module, {target}));
    const hlo::Instruction& y = root(module);
    return y.opcode != Opcode::kDot ||
           module.entry_computation().instructions[y.operands[0]].shape.element_type == kS8;
  };
  // Little RAM, or no vectors.
  for (const char* chip : {"cortex-m4f", "cortex-m55", "rv32imc", "rv64gc"}) {
    CHECK(changes(known, *preset(chip)));
    CHECK(changes(unknown, *preset(chip)));
  }
  // Vectors that multiply bytes, or do not.
  Target target = *preset("riscv64v-linux");
  CHECK_FALSE(changes(known, target));
  CHECK_FALSE(changes(unknown, target));
  target = *preset("cortex-a53");
  CHECK(changes(known, target));
  CHECK_FALSE(changes(unknown, target));
  target.isa.add(Isa::kDotprod);
  CHECK(changes(known, target));
  CHECK_FALSE(changes(unknown, target));
  CHECK_FALSE(changes(known, *preset("riscv64v-linux")));
}

TEST_CASE("activations of 16 bits beside bytes", "[transforms]") {
  CHECK(in_bytes(product_of_widened(widened_bytes("s16")), 1));
  CHECK(in_bytes(product_of_widened(widened_bytes("s16", "s64"), "s64"), 1));
  // Weights of 16 bits that hold bytes are bytes.
  CHECK(in_bytes(product_of_widened("x = s16[6,5] parameter(0)\n", "s16", kFiveByThree, "s32"), 1));
  // Weights of 16 bits that hold bytes are bytes; those of others, a zero point, and two sides of
  // 16 bits stay as they are.
  CHECK_FALSE(in_bytes(product_of_widened(bytes_less(3, "s16")), 1));
  CHECK_FALSE(in_bytes(product_of_widened(widened_bytes("u16")), 1));
  const auto two = [](const std::string& type) {
    return cat(widened_bytes("s16"), " v = ", type,
               "[5,3] parameter(1)\n w = s32[5,3] convert(v)\n "
               "ROOT y = s32[6,3] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
  };
  CHECK_FALSE(in_bytes(two("s16"), 2));
  CHECK_FALSE(in_bytes(two("s8"), 1));
  const auto deep = [](int64_t depth) {
    std::string numbers;
    for (int64_t n = 0; n < depth; ++n) numbers += n == 0 ? "{-128}" : ",{-128}";
    return cat("b = s16[1,", depth, "] parameter(0)\n x = s64[1,", depth, "] convert(b)\n w = s64[",
               depth, ",1] constant({", numbers,
               "})\n ROOT y = s64[1,1] dot(x, w), lhs_contracting_dims={1}, "
               "rhs_contracting_dims={0}");
  };
  // 2^15 by 2^7: 255 of them stay below 2^31 with room for another bit.
  CHECK(in_bytes(deep(255), 1));
  CHECK_FALSE(in_bytes(deep(256), 1));
}

TEST_CASE("sums of 64 bits that 32 hold", "[transforms]") {
  CHECK(in_bytes(product_of_widened(bytes_less(256, "s8", "s64"), "s64")));
  CHECK_FALSE(in_bytes(product_of_widened(bytes_less(257, "s8", "s64"), "s64")));
  CHECK(in_bytes(product_of_widened(bytes_less(-256, "s8", "s64"), "s64")));
  CHECK_FALSE(in_bytes(product_of_widened(bytes_less(-257, "s8", "s64"), "s64")));
  const auto deep = [](int64_t depth) {
    return cat("b = s8[1,", depth, "] parameter(0)\n x = s64[1,", depth, "] convert(b)\n v = s8[",
               depth, ",2] parameter(1)\n w = s64[", depth,
               ",2] convert(v)\n ROOT y = s64[1,2] dot(x, w), lhs_contracting_dims={1}, "
               "rhs_contracting_dims={0}");
  };
  CHECK(in_bytes(deep(16383)));
  CHECK_FALSE(in_bytes(deep(16384)));
}

TEST_CASE("what moves elements, or pads, moves bytes", "[transforms]") {
  const auto behind = [](const std::string& view, int64_t zero) {
    return cat("b = s8[5,6] parameter(0)\n f = s32[5,6] convert(b)\n",
               integers_of("z", "s32", zero, "[5,6]"), " g = s32[5,6] subtract(f, z)\n", view);
  };
  for (const int64_t zero : {0, 5}) {
    CHECK(in_bytes(
        product_of_widened(behind(" x = s32[6,5] transpose(g), dimensions={1,0}\n", zero))));
    CHECK(in_bytes(product_of_widened(behind(" x = s32[6,5] reshape(g)\n", zero))));
    CHECK(in_bytes(product_of_widened(
        behind(" r = s32[5,6] reverse(g), dimensions={0}\n x = s32[6,5] reshape(r)\n", zero))));
    CHECK(in_bytes(product_of_widened(
        behind(" s = s32[5,3] slice(g), slice={[0:5],[1:4]}\n n = s32[] constant(0)\n p = "
               "s32[5,6] pad(s, n), padding=0_0x2_1\n x = s32[6,5] reshape(p)\n",
               zero))));
  }
  // What a pad adds counts as it stands in front of the zero point: a byte, or none.
  const auto padded = [&](int64_t added, int64_t zero, bool inside) {
    const std::string pad = cat(" n = s32[] constant(", added, ")\n");
    if (!inside)
      return product_of_widened(behind(cat(" s = s32[5,5] slice(g), slice={[0:5],[0:5]}\n", pad,
                                           " x = s32[6,5] pad(s, n), padding=0_1x0_0\n"),
                                       zero));
    return product_of_widened(cat("b = s8[5,5] parameter(0)\n f = s32[5,5] convert(b)\n", pad,
                                  " p = s32[6,5] pad(f, n), padding=1_0x0_0\n",
                                  integers_of("z", "s32", zero), " x = s32[6,5] subtract(p, z)\n"));
  };
  CHECK(in_bytes(padded(0, 127, false)));
  CHECK_FALSE(in_bytes(padded(0, 128, false)));
  CHECK(in_bytes(padded(-1, 128, false)));
  CHECK(in_bytes(padded(0, -128, false)));
  CHECK_FALSE(in_bytes(padded(0, -129, false)));
  CHECK(in_bytes(padded(127, 1000, true)));
  CHECK_FALSE(in_bytes(padded(128, 1000, true)));
  // A pad whose number is not known, and what moves nothing.
  CHECK_FALSE(in_bytes(product_of_widened(
      behind(" s = s32[5,5] slice(g), slice={[0:5],[0:5]}\n n = s32[] parameter(1)\n x = s32[6,5] "
             "pad(s, n), padding=0_1x0_0\n",
             0))));
  CHECK_FALSE(
      in_bytes(product_of_widened(behind(" a = s32[5,6] abs(g)\n x = s32[6,5] reshape(a)\n", 0))));
}

TEST_CASE("convolutions of widened bytes", "[transforms]") {
  const auto convolution = [](int64_t zero, const std::string& window, const std::string& result,
                              const std::string& more = "", int64_t features = 2,
                              const std::string& type = "s8") {
    std::string numbers;
    for (int n = 0; n < 9; ++n) {
      numbers += n % 3 == 0 ? cat(n == 0 ? "{" : "},{") : ",";
      numbers += more.empty() ? cat("{{", n * 13 - 60, ",", 90 - n * 20, "},{", n, ",-128}}")
                              : cat("{{", n * 13 - 60, ",", 90 - n * 20, "}}");
    }
    const int64_t inner = more.empty() ? features : 1;
    return cat("b = ", type, "[1,5,4,", features, "] parameter(0)\n f = s32[1,5,4,", features,
               "] convert(b)\n", integers_of("z", "s32", zero, cat("[1,5,4,", features, "]")),
               " x = s32[1,5,4,", features, "] subtract(f, z)\n w = s32[3,3,", inner,
               ",2] constant({", numbers, "}})\n ROOT y = s32", result,
               " convolution(x, w), window={size=3x3 ", window, "}, dim_labels=b01f_01io->b01f",
               more);
  };
  for (const int64_t zero : {0, 7, -128}) {
    CHECK(in_bytes(convolution(zero, "pad=0_0x0_0", "[1,3,2,2]")));
    CHECK(in_bytes(convolution(zero, "pad=1_1x1_1", "[1,5,4,2]")));
    CHECK(in_bytes(convolution(zero, "stride=2x2 pad=1_0x0_1", "[1,2,2,2]")));
    CHECK(in_bytes(convolution(zero, "pad=-1_1x1_1", "[1,3,4,2]")));
    CHECK(in_bytes(convolution(zero, "pad=2_2x2_2 rhs_dilate=2x2", "[1,5,4,2]")));
    CHECK(in_bytes(convolution(zero, "pad=1_1x1_1", "[1,5,4,2]", ", feature_group_count=2")));
  }
  // Holes between pixels are no pads; without a zero point they are no matter.
  CHECK(in_bytes(convolution(0, "pad=1_1x1_1 lhs_dilate=2x2", "[1,9,7,2]")));
  CHECK_FALSE(in_bytes(convolution(7, "pad=1_1x1_1 lhs_dilate=2x2", "[1,9,7,2]")));
  // A zero point that is no byte pads nothing.
  CHECK(in_bytes(convolution(200, "pad=0_0x0_0", "[1,3,2,2]")));
  CHECK_FALSE(in_bytes(convolution(200, "pad=1_1x1_1", "[1,5,4,2]")));
  CHECK(in_bytes(convolution(200, "pad=1_1x1_1", "[1,5,4,2]", "", 2, "u8")));
}

TEST_CASE("zero points of batches stay", "[transforms]") {
  const auto batched = [](int64_t zero) {
    return cat("b = s8[2,3,4] parameter(0)\n f = s32[2,3,4] convert(b)\n",
               integers_of("z", "s32", zero, "[2,3,4]"),
               " x = s32[2,3,4] subtract(f, z)\n w = s32[2,4,1] "
               "constant({{{1},{2},{3},{4}},{{-5},{6},{7},{8}}})\n ROOT y = s32[2,3,1] dot(x, w), "
               "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
               "rhs_contracting_dims={1}");
  };
  CHECK(in_bytes(batched(0)));
  CHECK_FALSE(in_bytes(batched(3)));
}

}  // namespace hlocc::tests
