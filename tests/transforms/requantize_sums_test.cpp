// Sums of scaled accumulators as one sum in 64 bits: spellings, chips, and what stays in floats.
#include <algorithm>

#include "support/text.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

constexpr char kSums[] = "f32[4096,3]";
// A number beside the middle of two may be rounded to either; floats that cancel are off by more.
constexpr hlo::CompareRule kBesideTies{.atol = 2};

// Accumulators in +-`most`: each column all over the range, in steps that share no factor.
std::string accumulator(const std::string& name, int most, int step) {
  const auto line = [&](const std::string& what, const std::string& lines) {
    return cat(" ", name, what, " = ", lines, "\n");
  };
  return cat(line("i", "s32[4096,3] iota(), iota_dimension=0"),
             line("c", cat("s32[] constant(", step, ")")),
             line("k", cat("s32[4096,3] broadcast(", name, "c), dimensions={}")),
             line("m", cat("s32[4096,3] multiply(", name, "i, ", name, "k)")),
             line("a", cat("s32[4096,3] add(", name, "m, moved)")),
             line("l", cat("s32[] constant(", -most, ")")),
             line("h", cat("s32[] constant(", most, ")")),
             line("", cat("s32[4096,3] clamp(", name, "l, ", name, "a, ", name, "h)")),
             line("f", cat(kSums, " convert(", name, ")")));
}

std::string splat_line(const std::string& name, const std::string& value) {
  return cat(" ", name, "0 = f32[] constant(", value, ")\n ", name, " = ", kSums, " broadcast(",
             name, "0), dimensions={}\n");
}
std::string columns_line(const std::string& name, const std::string& values, int dimension = 1,
                         int count = 3) {
  return cat(" ", name, "0 = f32[", count, "] constant({", values, "})\n ", name, " = ", kSums,
             " broadcast(", name, "0), dimensions={", dimension, "}\n");
}
std::string step_line(const std::string& name, const std::string& operation) {
  return cat(" ", name, " = ", kSums, " ", operation, "\n");
}

std::string accumulators() {
  return cat(" n = s32[] parameter(0)\n moved = s32[4096,3] broadcast(n), dimensions={}\n",
             accumulator("x", 200000, 97), accumulator("y", 300000, -139));
}

struct Sum {
  std::string x_scales = ".0007123,.00091,.00083", y_scales = ".0005,.000613,.00072",
              bias = ".31,-1.2,.7", scale = ".0613", middle, type = "s8", low = "-128",
              high = "127", zero = "3", rounded = "round-nearest-even(q)";
};
std::string sum_text(const Sum& sum) {
  return cat(accumulators(), columns_line("sx", sum.x_scales), columns_line("sy", sum.y_scales),
             columns_line("b", sum.bias), splat_line("s", sum.scale), splat_line("z", sum.zero),
             step_line("px", "multiply(xf, sx)"), step_line("py", "multiply(sy, yf)"),
             step_line("p", "add(px, py)"), step_line("v", "add(b, p)"), sum.middle,
             step_line("q", cat("divide(", sum.middle.empty() ? "v" : "w", ", s)")),
             step_line("r", sum.rounded), step_line("t", "add(r, z)"), " low = f32[] constant(",
             sum.low, ")\n high = f32[] constant(", sum.high, ")\n",
             step_line("e", "clamp(low, t, high)"), " ROOT out = ", sum.type,
             "[4096,3] convert(e)");
}

// Whether no float is left; the meaning is checked.
bool one_sum(const std::string& text, const Target& target) {
  INFO(text);
  Module module = module_from(text);
  REQUIRE(transforms::requantize(module, {target}));
  check_same_meaning(module_from(text), module, kBesideTies);
  const auto& all = module.entry_computation().instructions;
  return std::none_of(all.begin(), all.end(), [](const hlo::Instruction& i) {
    return i.shape.element_type == hlo::PrimitiveType::kF32;
  });
}
bool one_sum(const std::string& text, std::string_view chip = "cortex-m0") {
  return one_sum(text, *preset(chip));
}

}  // namespace

TEST_CASE("sums of two scaled accumulators are one sum in 64 bits", "[transforms]") {
  for (const char* chip : {"cortex-m0", "cortex-m4f", "rv32imc"})
    CHECK(one_sum(sum_text({}), chip));
  CHECK(one_sum(sum_text({.type = "u8", .low = "0", .high = "255", .zero = "128"})));
  CHECK(one_sum(sum_text({.scale = ".00061", .type = "s16", .low = "-32768", .high = "32767"})));
  CHECK(one_sum(sum_text({.x_scales = "-.0007123,.00091,.00083"})));
  CHECK(one_sum(sum_text({.x_scales = "0,.00091,.00083"})));
  CHECK(one_sum(sum_text({.middle = cat(splat_line("k", "0"), step_line("w", "maximum(k, v)"))})));
  CHECK(one_sum(sum_text({.middle = cat(splat_line("k", "6"), step_line("w", "minimum(v, k)"))})));
  CHECK(one_sum(sum_text({.middle = step_line("w", "subtract(v, px)")})));
  // Two and four kinds of clamps: the inner bounds are within the outer ones.
  CHECK(one_sum(sum_text({.middle = cat(" from = f32[] constant(-2)\n to = f32[] constant(3)\n",
                                        step_line("w", "clamp(from, v, to)"))})));
}

TEST_CASE("what is no sum of scaled accumulators stays in floats", "[transforms]") {
  // Vectors, words of 64 bits, and where that is asked for.
  CHECK(!one_sum(sum_text({}), "cortex-a53"));
  CHECK(!one_sum(sum_text({}), "cortex-m55"));
  CHECK(!one_sum(sum_text({}), "rv64gc"));
  Target target = *preset("cortex-m0");
  target.options.integer_qdq = false;
  CHECK(!one_sum(sum_text({}), target));
  // Other roundings, zero points that are none, 32 bits, clamps that are no numbers.
  CHECK(!one_sum(sum_text({.rounded = "floor(q)"})));
  CHECK(!one_sum(sum_text({.zero = "3.5"})));
  CHECK(!one_sum(sum_text({.type = "s32"})));
  CHECK(!one_sum(sum_text({.middle = step_line("w", "maximum(v, b)")})));
  CHECK(!one_sum(sum_text({.middle = step_line("w", "multiply(v, px)")})));
  CHECK(!one_sum(sum_text({.middle = step_line("w", "tanh(v)")})));
  // Ties of numbers of few bits; a factor beside others that are 128 times as large is none.
  CHECK(!one_sum(sum_text({.x_scales = ".5,.5,.5", .y_scales = ".25,.25,.25", .scale = "1"})));
  CHECK(one_sum(sum_text({.x_scales = ".5,.5,.51", .y_scales = ".251,.25,.25", .scale = "1.1"})));
  CHECK(one_sum(sum_text({.x_scales = ".0007123,.000011,.00083"})));
  CHECK(!one_sum(sum_text({.x_scales = ".0007123,.000003,.00083"})));
  // Sums beyond 32 bits behind the shift.
  CHECK(one_sum(sum_text({.scale = ".000001"})));
  CHECK(!one_sum(sum_text({.scale = ".0000001"})));
  // Of accumulators that are never negative.
  const auto from_zero = [](std::string text) {
    for (const char* low : {"constant(-200000)", "constant(-300000)"})
      text.replace(text.find(low), std::string_view(low).size(), "constant(0)");
    return text;
  };
  CHECK(one_sum(from_zero(sum_text({.scale = ".000001"}))));
  CHECK(!one_sum(from_zero(sum_text({.scale = ".0000001"}))));
  // Numbers along two dimensions.
  std::string two = sum_text({});
  const std::string scales = columns_line("sy", Sum{}.y_scales);
  two.replace(two.find(scales), scales.size(),
              cat(" sy0 = f32[4096] iota(), iota_dimension=0\n sy = ", kSums,
                  " broadcast(sy0), dimensions={0}\n"));
  CHECK(!one_sum(two));
}

TEST_CASE("one accumulator comes from floats with a bias, or as a product of arrays",
          "[transforms]") {
  const auto one = [](const std::string& sum, const std::string& bias) {
    return cat(accumulators(), sum, columns_line("sx", ".0071,.0091,.0083"),
               columns_line("b", bias), splat_line("s", ".0613"),
               step_line("p", "multiply(af, sx)"), step_line("v", "add(b, p)"),
               step_line("q", "divide(v, s)"), step_line("r", "round-nearest-even(q)"),
               " low = f32[] constant(-30000)\n high = f32[] constant(30000)\n",
               step_line("e", "clamp(low, r, high)"), " ROOT out = s16[4096,3] convert(e)");
  };
  const std::string plain = step_line("af", "convert(x)");
  CHECK(one_sum(one(plain, ".31,-1.2,.7")));
  CHECK(!one_sum(one(plain, "0,0,0")));
  const std::string product =
      cat(" u = s16[4096,3] convert(x)\n w = s32[4096,3] convert(u)\n"
          " d = s8[4096,3] convert(y)\n g = s32[4096,3] convert(d)\n"
          " m = s32[4096,3] multiply(w, g)\n",
          step_line("af", "convert(m)"));
  CHECK(one_sum(one(product, "0,0,0")));
}

}  // namespace hlocc::tests
