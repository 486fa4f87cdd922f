// Weights that are integers times scales, in fewer bytes: which forms are found, and what stands
// just outside.
#include <cstdio>
#include <ctime>
#include <functional>
#include <random>

#include "support/text.h"
#include "target/target.h"
#include "transforms/integers/recovered_weights.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using hlo::PrimitiveType;
using transforms::compress_weights;

struct Form {
  int64_t rows = 64, columns = 16, group = 64;
  int low = -127, high = 127;
  float off = 0;  // what one weight is moved by
};

// Integers times a scale for each group of rows of a column.
std::string weights(const Form& form) {
  std::mt19937 random(3);
  std::string text = "{";
  for (int64_t row = 0; row < form.rows; ++row) {
    text += row == 0 ? "{" : ",{";
    for (int64_t column = 0; column < form.columns; ++column) {
      const float scale = 0.0123f + 0.0047f * static_cast<float>(column) +
                          0.0013f * static_cast<float>(row / form.group);
      const int whole =
          row % form.group == 0
              ? form.high
              : form.low +
                    static_cast<int>(random() % static_cast<unsigned>(form.high - form.low + 1));
      char digits[32];
      std::snprintf(digits, sizeof digits, "%.9g",
                    static_cast<double>(static_cast<float>(whole) * scale +
                                        (row + column == 1 ? form.off : 0)));
      text += (column == 0 ? "" : ",") + std::string(digits);
    }
    text += "}";
  }
  return text + "}";
}

std::string product_with(const Form& form) {
  const std::string sizes = cat("[", form.rows, ",", form.columns, "]");
  return cat(" x = f32[3,", form.rows, "] parameter(0)\n w = f32", sizes, " constant(",
             weights(form), ")\n ROOT y = f32[3,", form.columns,
             "] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
}

// The type in which weights of two dimensions or more are stored; the meaning is checked.
PrimitiveType stored(const std::string& text) {
  INFO(text);
  const Module module = rewritten(text, {compress_weights});
  PrimitiveType type = PrimitiveType::kPred;  // none
  for (const hlo::Instruction& i : module.entry_computation().instructions)
    if (i.opcode == Opcode::kConstant && i.shape.rank() >= 2 &&
        (type == PrimitiveType::kPred || i.shape.element_type != PrimitiveType::kF32))
      type = i.shape.element_type;
  return type;
}

}  // namespace

TEST_CASE("arithmetic of weights is done once, however many read it", "[transforms]") {
  // Sums of sums, each twice the last: 2^13 of the first.
  const std::string sizes = "f32[256,256]";
  std::string text = cat(" x = f32[3,256] parameter(0)\n q = s8[] constant(3)\n b = s8[256,256]",
                         " broadcast(q), dimensions={}\n w0 = ", sizes, " convert(b)\n");
  for (int i = 0; i < 13; ++i) text += cat(" w", i + 1, " = ", sizes, " add(w", i, ", w", i, ")\n");
  text +=
      cat(" ROOT y = f32[3,256] dot(x, w13), lhs_contracting_dims={1}, rhs_contracting_dims={0}");
  const auto begin = std::clock();
  rewritten(text, {compress_weights});
  // 14 arrays take milliseconds; 2^14 took half a minute.
  CHECK(static_cast<double>(std::clock() - begin) < 10.0 * CLOCKS_PER_SEC);
}

TEST_CASE("floats that are integers times scales are stored as integers", "[transforms]") {
  CHECK(stored(product_with({})) == PrimitiveType::kS8);
  CHECK(stored(product_with({.low = -128})) == PrimitiveType::kS8);
  CHECK(stored(product_with({.low = -7, .high = 7})) == PrimitiveType::kS4);
  CHECK(stored(product_with({.low = -8, .high = 7})) == PrimitiveType::kS4);
  CHECK(stored(product_with({.low = -8, .high = 8})) == PrimitiveType::kS8);
  for (const int64_t group : {8, 16, 32}) {
    CHECK(stored(product_with({.group = group, .low = -7, .high = 7})) == PrimitiveType::kS4);
    CHECK(stored(product_with({.group = group})) == PrimitiveType::kS8);
  }
  CHECK(stored(product_with({.rows = 96, .group = 32})) == PrimitiveType::kS8);
}

TEST_CASE("floats that are no such products stay", "[transforms]") {
  CHECK(stored(product_with({.off = 1e-6f})) == PrimitiveType::kF32);
  CHECK(stored(product_with({.group = 4})) == PrimitiveType::kF32);
  CHECK(stored(product_with({.high = 300})) == PrimitiveType::kF32);
  // The fewest weights that are worth it.
  CHECK(stored(product_with({.rows = 64, .columns = 16})) == PrimitiveType::kS8);
  CHECK(stored(product_with({.rows = 93, .columns = 11, .group = 93})) == PrimitiveType::kF32);
  // Somebody else reads the floats.
  const std::string both = product_with({});
  CHECK(stored(both.substr(0, both.find(" ROOT")) +
               " n = f32[64,16] negate(w)\n y = f32[3,16] dot(x, w), lhs_contracting_dims={1}, "
               "rhs_contracting_dims={0}\n ROOT r = (f32[3,16], f32[64,16]) tuple(y, n)") ==
        PrimitiveType::kF32);
}

TEST_CASE("only the right sides of products of matrices are weights", "[transforms]") {
  // Numbers of 16 bits times a number, reshaped, and a product with them: whether they become one
  // array of bytes of the shape that the product has.
  const auto shrunk = [](const std::string& left, const std::string& right,
                         const std::string& result, const std::string& attributes) {
    std::string numbers;
    for (int n = 0; n < 1024; ++n) numbers += cat(n == 0 ? "" : ",", n * 37 % 251 - 125);
    const std::string text =
        cat(" x = ", left, " parameter(0)\n q = s16[1024] constant({", numbers,
            "})\n f = f32[1024] convert(q)\n s = f32[] constant(0.25)\n"
            " b = f32[1024] broadcast(s), dimensions={}\n m = f32[1024] multiply(f, b)\n",
            right.substr(0, 3) == "f32"
                ? cat(" w = ", right, " reshape(m)\n")
                : cat(" h = bf16[1024] convert(m)\n w = ", right, " reshape(h)\n"),
            " ROOT y = ", result, " dot(x, w), ", attributes);
    const Module module = rewritten(text, {compress_weights}, {.rtol = 1e-4, .atol = 1e-2});
    return module.entry_computation()[root(module).operands[1]].opcode == Opcode::kMultiply;
  };
  const std::string plain = "lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  CHECK(shrunk("f32[3,64]", "f32[64,16]", "f32[3,16]", plain));
  // The left side turned, of one row, too; a batch; a vector; rows of two dimensions; other types.
  const std::string turned = "lhs_contracting_dims={0}, rhs_contracting_dims={0}";
  CHECK(!shrunk("f32[64,3]", "f32[64,16]", "f32[3,16]", turned));
  CHECK(!shrunk("f32[64,1]", "f32[64,16]", "f32[1,16]", turned));
  CHECK(!shrunk("f32[64,16,3]", "f32[64,16]", "f32[64,3]",
                "lhs_batch_dims={0}, rhs_batch_dims={0}, " + plain.substr(0, 26) +
                    " rhs_contracting_dims={1}"));
  CHECK(!shrunk("f32[3,1024,2]", "f32[1024]", "f32[3,2]", plain));
  CHECK(!shrunk("f32[3,64,2]", "f32[64,16]", "f32[3,2,16]", plain));
  CHECK(!shrunk("bf16[3,64]", "f32[64,16]", "f32[3,16]", plain));
  CHECK(!shrunk("f32[3,64]", "bf16[64,16]", "f32[3,16]", plain));
  CHECK(!shrunk("f32[3,64]", "f32[64,16]", "f64[3,16]", plain));
}

TEST_CASE("where flash is not dear, floats stay as they are", "[transforms]") {
  Module module = module_from(product_with({}));
  const Target target = *preset("cortex-a53");
  REQUIRE(compress_weights(module, {target}));
  CHECK(count(module, Opcode::kConvert) == 0);
  // Moved ones too.
  std::string moved = product_with({});
  moved.replace(moved.find("dot(x, w)"), 9, "dot(x, v)");
  moved.insert(moved.find(" ROOT"), " u = f32[1,64,16] reshape(w)\n v = f32[64,16] reshape(u)\n");
  Module other = module_from(moved);
  REQUIRE(compress_weights(other, {target}));
  CHECK(count(other, Opcode::kConvert) == 0);
}

TEST_CASE("dequantisations take one form, whichever way they are written", "[transforms]") {
  std::string numbers;
  for (int row = 0; row < 8; ++row) {
    numbers += row == 0 ? "{" : ",{";
    for (int n = 0; n < 64; ++n) numbers += cat(n == 0 ? "" : ",", (row * 37 + n * 11) % 16 - 8);
    numbers += "}";
  }
  const std::string turned =
      cat(" x = f32[3,64] parameter(0)\n q = s4[8,64] constant({", numbers,
          "})\n f = f32[8,64] convert(q)\n s = f32[8] constant({1,2,3,4,5,6,7,8})\n"
          " b = f32[8,64] broadcast(s), dimensions={0}\n w = f32[8,64] multiply(f, b)\n"
          " ROOT y = f32[3,8] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={1}");
  const Module module = rewritten(turned, {compress_weights});
  CHECK(root(module).get<hlo::DotAttributes>().rhs_contracting == hlo::Dimensions{0});
  CHECK(stored(turned) == PrimitiveType::kS4);
  // One number for all weights takes less than any table of them.
  const std::string one =
      " x = f32[3,64] parameter(0)\n c = f32[] constant(0.5)\n"
      " w = f32[64,8] broadcast(c), dimensions={}\n"
      " ROOT y = f32[3,8] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  CHECK(stored(one) == PrimitiveType::kPred);
}

TEST_CASE("tables that a gather reads rows of", "[transforms]") {
  const auto lookup = [](const Form& form, const std::string& slice = "1,16",
                         const std::string& result = "5,16") {
    return cat(" i = s32[5,1] parameter(0)\n t = f32[64,16] constant(", weights(form),
               ")\n ROOT y = f32[", result,
               "] gather(t, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
               "index_vector_dim=1, slice_sizes={",
               slice, "}");
  };
  CHECK(stored(lookup({})) == PrimitiveType::kS8);
  CHECK(stored(lookup({.low = -7, .high = 7})) == PrimitiveType::kS4);
  CHECK(stored(lookup({.group = 32})) == PrimitiveType::kF32);
  CHECK(stored(lookup({}, "1,15", "5,15")) == PrimitiveType::kF32);
  // Rows that are not the ones looked up, or not left out.
  const auto instead = [](std::string text, std::string_view was, std::string_view is) {
    text.replace(text.find(was), was.size(), is);
    return text;
  };
  CHECK(stored(instead(lookup({}), "start_index_map={0}", "start_index_map={1}")) ==
        PrimitiveType::kF32);
  const std::string column =
      cat(" i = s32[5,1] parameter(0)\n t = f32[1024,1] constant(",
          weights({.rows = 1024, .columns = 1, .group = 1024}),
          ")\n ROOT y = f32[5,1] gather(t, i), offset_dims={1}, collapsed_slice_dims={0}, "
          "start_index_map={0}, index_vector_dim=1, slice_sizes={1,1}");
  CHECK(stored(column) == PrimitiveType::kS8);
  CHECK(stored(instead(column, "collapsed_slice_dims={0}", "collapsed_slice_dims={1}")) ==
        PrimitiveType::kF32);
}

TEST_CASE("tables with a scale for each row", "[transforms]") {
  const auto lookup = [](int bits, const std::string& indices, const std::string& result,
                         const std::string& attributes, float off = 0) {
    std::mt19937 random(5);
    std::string numbers;
    for (int row = 0; row < 64; ++row) {
      numbers += row == 0 ? "{" : ",{";
      for (int column = 0; column < 16; ++column) {
        const int whole = static_cast<int>(random() % (1u << bits)) - (1 << (bits - 1));
        char digits[32];
        std::snprintf(digits, sizeof digits, "%.9g",
                      static_cast<double>(static_cast<float>(whole) *
                                              (0.0123f + 0.0047f * static_cast<float>(row)) +
                                          (row + column == 0 ? off : 0)));
        numbers += (column == 0 ? "" : ",") + std::string(digits);
      }
      numbers += "}";
    }
    return cat(" i = s32", indices, " parameter(0)\n t = f32[64,16] constant({", numbers,
               "})\n ROOT y = f32", result, " gather(t, i), ", attributes,
               ", collapsed_slice_dims={0}, start_index_map={0}, slice_sizes={1,16}");
  };
  const std::string plain = "offset_dims={1}, index_vector_dim=1";
  CHECK(stored(lookup(8, "[5,1]", "[5,16]", plain)) == PrimitiveType::kS8);
  CHECK(stored(lookup(4, "[5,1]", "[5,16]", plain)) == PrimitiveType::kS4);
  CHECK(stored(lookup(8, "[2,5]", "[2,5,16]", "offset_dims={2}, index_vector_dim=2")) ==
        PrimitiveType::kS8);
  CHECK(stored(lookup(8, "[1]", "[16]", "offset_dims={0}, index_vector_dim=0")) ==
        PrimitiveType::kS8);
  CHECK(stored(lookup(8, "[5,1]", "[5,16]", plain, 1e-4f)) == PrimitiveType::kF32);
}

TEST_CASE("zero points of groups are a product of their own", "[transforms]") {
  struct Zeroed {
    std::string type = "u4";
    int groups = 4, group = 16, columns = 8, rows = 1;
    bool turned = false;
    std::string part = "subtract(f, zb)";
    // Which groups have the numbers of the one before.
    std::string zeros_alike = "", scales_alike = "";
    bool known = true;
    std::string floats = "f32";
  };
  const auto products = [](const Zeroed& z, std::string_view chip = "cortex-m4f") {
    const hlo::Dimensions sizes = z.turned ? hlo::Dimensions{z.columns, z.groups, z.group}
                                           : hlo::Dimensions{z.groups, z.group, z.columns};
    const int bits = z.type.back() == '4' ? 4 : 8, low = z.type[0] == 'u' ? 0 : -(1 << (bits - 1));
    std::mt19937 random(7);
    const std::function<std::string(const hlo::Dimensions&, size_t, int, int, std::string_view)>
        numbers = [&](const hlo::Dimensions& of, size_t d, int from, int count,
                      std::string_view alike) -> std::string {
      if (d == of.size())
        return cat(from + static_cast<int>(random() % static_cast<unsigned>(count)));
      std::string text = "{", last;
      for (int64_t n = 0; n < of[d]; ++n) {
        if (d > 0 || alike.find(static_cast<char>('0' + n)) == alike.npos)
          last = numbers(of, d + 1, from, count, alike);
        text += (n == 0 ? "" : ",") + last;
      }
      return text + "}";
    };
    const std::string shape = cat("[", sizes[0], ",", sizes[1], ",", sizes[2], "]"),
                      along = z.turned ? "{0,1}" : "{0,2}";
    const hlo::Dimensions few{sizes[0], z.turned ? sizes[1] : sizes[2]};
    const std::string of_few = cat("[", few[0], ",", few[1], "]");
    const int depth = z.groups * z.group;
    std::string text =
        cat(" x = f32[", z.rows, ",", depth, "] parameter(0)\n q = ", z.type, shape, " constant(",
            numbers(sizes, 0, low, 1 << bits, ""), ")\n f = f32", shape, " convert(q)\n z = f32",
            of_few,
            z.known ? cat(" constant(", numbers(few, 0, low + 2, 10, z.zeros_alike), ")")
                    : std::string(" parameter(1)"),
            "\n zb = f32", shape, " broadcast(z), dimensions=", along, "\n d = f32", shape, " ",
            z.part, "\n s = f32", of_few, " constant(", numbers(few, 0, 1, 9, z.scales_alike),
            ")\n sb = f32", shape, " broadcast(s), dimensions=", along, "\n m = f32", shape,
            " multiply(d, sb)\n w = f32[", z.turned ? z.columns : depth, ",",
            z.turned ? depth : z.columns, "] reshape(m)\n ROOT y = f32[", z.rows, ",", z.columns,
            "] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={", z.turned ? 1 : 0, "}");
    const size_t first = text.find(" q = "), last = text.find(" ROOT y");
    for (size_t at = first; z.floats != "f32" && (at = text.find("f32", at)) < last; ++at)
      text.replace(at, 3, z.floats);
    INFO(text);
    Module module = module_from(text);
    REQUIRE(compress_weights(module, {*preset(chip)}));
    check_same_meaning(module_from(text), module, {.rtol = 1e-5, .atol = 1e-3});
    // Bytes that fit are not packed.
    for (const hlo::Instruction& i : module.entry_computation().instructions)
      CHECK((bits == 4 || i.shape.element_type != PrimitiveType::kS4));
    return count(module, Opcode::kDot);
  };
  for (const char* type : {"u4", "s4", "u8", "s8"}) {
    CHECK(products({.type = type}) == 3);
    CHECK(products({.type = type, .turned = true}) == 3);
    CHECK(products({.type = type}, "cortex-a53") == 3);
  }
  CHECK(products({.groups = 1, .group = 64}) == 3);
  // Groups are as large as both have them alike.
  CHECK(products({.zeros_alike = "123"}) == 3);
  CHECK(products({.scales_alike = "123"}) == 3);
  CHECK(products({.groups = 3, .group = 32, .zeros_alike = "1", .scales_alike = "1"}) == 3);
  // Zero points that are not known, numbers that are no integers, or too large ones.
  CHECK(products({.known = false}) == 1);
  CHECK(products({.type = "f8e4m3fn"}) == 1);
  CHECK(products({.type = "s16"}) == 1);
  CHECK(products({.type = "f32", .part = "subtract(q, zb)"}) == 1);
  // Many rows, groups of no size that is known, few weights, another order.
  CHECK(products({.rows = 2}) == 1);
  CHECK(products({.groups = 8, .group = 12}) == 1);
  CHECK(products({.columns = 3}) == 1);
  CHECK(products({.part = "subtract(zb, f)"}) == 1);
  CHECK(products({.floats = "f16"}) == 1);
  CHECK(products({.part = "add(f, zb)"}) == 1);
}

TEST_CASE("filters with a scale a feature", "[transforms]") {
  // Sums of integers and a number, times scales: one constant of bytes, where flash is constrained.
  const auto sums = [](std::string_view chip, std::string_view labels = "b01f_01io->b01f",
                       int inputs = 8, bool floats = false) {
    const std::string shape = cat("[2,3,", inputs, ",16]");
    std::string numbers = "{";
    for (int y = 0, n = 0; y < 2; ++y) {
      numbers += y == 0 ? "{" : ",{";
      for (int x = 0; x < 3; ++x) {
        numbers += x == 0 ? "{" : ",{";
        for (int i = 0; i < inputs; ++i) {
          numbers += i == 0 ? "{" : ",{";
          for (int o = 0; o < 16; ++o) numbers += cat(o == 0 ? "" : ",", (n++ * 37) % 250 - 126);
          numbers += "}";
        }
        numbers += "}";
      }
      numbers += "}";
    }
    numbers += "}";
    const bool turned = labels.find("oi") != labels.npos;
    const std::string scaled =
        floats ? cat(" w = f32", shape, " constant(", numbers, ")\n")
               : cat(" q = s8", shape, " constant(", numbers, ")\n f = f32", shape,
                     " convert(q)\n n = f32[] constant(1)\n nb = f32", shape,
                     " broadcast(n), dimensions={}\n d = f32", shape,
                     " add(f, nb)\n s = f32[16] constant({1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7})\n",
                     " sb = f32", shape, " broadcast(s), dimensions={3}\n w = f32", shape,
                     " multiply(d, sb)\n");
    const std::string text = cat(" x = f32[1,5,5,", turned ? 16 : inputs, "] parameter(0)\n",
                                 scaled, " ROOT y = f32[1,4,3,", turned ? inputs : 16,
                                 "] convolution(x, w), window={size=2x3}, dim_labels=", labels);
    INFO(text);
    Module module = module_from(text);
    REQUIRE(compress_weights(module, {*preset(chip)}));
    check_same_meaning(module_from(text), module, {.rtol = 1e-5, .atol = 1e-3});
    return std::pair(count(module, Opcode::kAdd), count(module, Opcode::kMultiply));
  };
  CHECK(sums("cortex-m4f") == std::pair(0, 1));
  CHECK(sums("rv32imc") == std::pair(0, 1));
  // Elsewhere they are as they were: a machine with caches, features that are not last, few
  // weights, floats.
  CHECK(sums("cortex-a53") == std::pair(1, 1));
  CHECK(sums("cortex-m4f", "b01f_01oi->b01f") == std::pair(1, 1));
  CHECK(sums("cortex-m4f", "b01f_01io->b01f", 2) == std::pair(1, 1));
  CHECK(sums("cortex-m4f", "b01f_01io->b01f", 12, true) == std::pair(0, 0));
}

TEST_CASE("scales of groups of rows", "[transforms]") {
  std::mt19937 random(9);
  std::vector<float> numbers;
  for (int row = 0; row < 24; ++row)
    for (int column = 0; column < 3; ++column)
      numbers.push_back(static_cast<float>(static_cast<int>(random() % 16) - 8) *
                        (0.1f + 0.07f * static_cast<float>(row / 8 * 3 + column)));
  const Literal floats = Literal::array<float>(PrimitiveType::kF32, {24, 3}, numbers);
  const auto found = transforms::scaled_groups(floats, 4, 8);
  REQUIRE(found);
  CHECK(found->whole.type() == PrimitiveType::kS4);
  CHECK(found->scales.shape().dimensions == hlo::Dimensions{3, 3});
  for (size_t n = 0; n < numbers.size(); ++n)
    CHECK(static_cast<float>(found->whole.data<int8_t>()[n]) *
              found->scales.data<float>()[n / 24 * 3 + n % 3] ==
          numbers[n]);
  CHECK(!transforms::scaled_groups(floats, 4, 24));
  CHECK(!transforms::scaled_groups(floats, 4, 16));
  CHECK(transforms::scaled_groups(floats, 8, 8));
}

}  // namespace hlocc::tests
