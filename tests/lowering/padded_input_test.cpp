// Convolutions behind a pad with any number (costs/padded_input.h): on chips whose ways bring
// windows to scratch the pad goes with the convolution, results are the interpreter's, and what
// lies just outside of that keeps its pad.
#include "costs/padded_input.h"

#include "lowering/byte_cases.h"
#include "lowering/harness.h"
#include "support/text.h"
#include "transforms/pipeline.h"

namespace hlocc::tests {
namespace {

using hlo::Literal;

struct Padded {
  std::string type = "s8", number = "-77";
  int64_t rows = 6, columns = 5, inputs = 8, outputs = 8, size = 3, stride = 1, batches = 1;
  int64_t low = 1, high = 1;
  bool depthwise = false;
  // What a case adds.
  std::string window, feature_pad = "0_0", interior, filter;

  int64_t padded(int64_t n) const { return n + low + high + (interior.empty() ? 0 : n - 1); }
  int64_t out(int64_t n) const { return (padded(n) - size) / stride + 1; }
};

std::string text_of(const Padded& p) {
  const int64_t features = p.inputs + (p.feature_pad == "0_0" ? 0 : 1);
  const std::string pad = cat(p.low, "_", p.high, p.interior);
  const std::vector<int64_t> filter = {p.size, p.size, p.depthwise ? 1 : features, p.outputs};
  const int64_t more = p.window.empty() ? 0 : 2;
  return cat("x = ", p.type, dims({p.batches, p.rows, p.columns, p.inputs}),
             " parameter(0)\n z = ", p.type, "[] constant(", p.number,
             ")\n w = ", p.filter.empty() ? bytes_constant(filter, p.type) : p.filter,
             "\n p = ", p.type, dims({p.batches, p.padded(p.rows), p.padded(p.columns), features}),
             " pad(x, z), padding=0_0x", pad, "x", pad, "x", p.feature_pad, "\n ROOT r = s32",
             dims({p.batches, p.out(p.rows) + more, p.out(p.columns) + more, p.outputs}),
             " convolution(p, w), window={size=", p.size, "x", p.size, " stride=", p.stride, "x",
             p.stride, p.window, "}, dim_labels=b01f_01io->b01f",
             p.depthwise ? cat(", feature_group_count=", features) : "");
}

// The kernels that are left after all passes, whose program gives what the interpreter gives.
size_t kernels_of(const std::string& text, const Target& target) {
  const hlo::Module module = module_from(text);
  const Result<hlo::Module> passed = transforms::run_passes(module, target);
  REQUIRE(passed.ok());
  const kernel::Program program = lowered(*passed, target);
  const std::vector<Literal> arguments = arguments_for(module);
  const std::vector<Literal> got = run_planned(program, target, arguments);
  const hlo::Comparison same =
      hlo::compare_leaf(got.at(0), result_of_interpreter(module, arguments), {.exact = true});
  if (!same.ok) FAIL(cat(target.name, ": ", same.first, "\n", text, kernel::to_text(program)));
  return program.kernels.size();
}

// Whether what the last product multiplies is no sum of two numbers.
bool begins_with_bias(const std::string& text, const Target& target) {
  const Result<hlo::Module> passed = transforms::run_passes(module_from(text), target);
  const std::string kernel = kernel::to_text(lowered(*passed, target));
  const std::string product = ": s32 = mul ";
  const size_t last = kernel.rfind(product);
  REQUIRE(last != std::string::npos);
  const size_t first = last + product.size();
  const std::string factor = kernel.substr(first, kernel.find(',', first) - first);
  return kernel.find(cat(factor, ": s32 = add ")) == std::string::npos;
}

bool goes_with_windows(const Padded& p, const char* chip) {
  return kernels_of(text_of(p), *preset(chip)) == 1;
}

// A host whose vectors multiply four bytes a lane.
Target with_fours(int bits) {
  Target target = *preset("cortex-a53");
  target.isa = {Isa::kSse2, Isa::kAvxVnni};
  target.vector_bits = bits;
  target.multiply_by_lane = false;
  target.out_of_order = target.masked_vectors = true;
  return target;
}

}  // namespace

TEST_CASE("convolutions of bytes behind a pad with any number", "[lowering]") {
  for (const char* chip : {"cortex-m0", "cortex-m4", "cortex-m55"})
    for (const char* number : {"-128", "-1", "5", "127"})
      for (const int64_t stride : {1, 2})
        for (const int64_t inputs : {3, 4, 17}) {
          CAPTURE(chip, number, stride, inputs);
          CHECK(goes_with_windows({.number = number, .inputs = inputs, .stride = stride}, chip));
          CHECK(goes_with_windows({.number = number,
                                   .inputs = inputs,
                                   .size = 5,
                                   .stride = stride,
                                   .batches = 2,
                                   .low = 0,
                                   .high = 3},
                                  chip));
        }
  // Windows that no pixel has inside, and bytes without sign.
  for (const char* chip : {"cortex-m0", "cortex-m4", "cortex-m55"})
    CHECK(goes_with_windows({.rows = 2, .columns = 2, .size = 4, .low = 2, .high = 1}, chip));
  for (const char* chip : {"cortex-m4", "cortex-m55"})
    CHECK(goes_with_windows({.type = "u8", .number = "200"}, chip));
}

TEST_CASE("depthwise windows behind a pad with any number", "[lowering]") {
  for (const char* number : {"-128", "9", "127"})
    for (const int64_t stride : {1, 2})
      CHECK(goes_with_windows({.number = number,
                               .rows = 9,
                               .columns = 7,
                               .outputs = 8,
                               .stride = stride,
                               .depthwise = true},
                              "cortex-m55"));
}

// Tiles alone at a row's ends, tiles whose taps are known at run time, rows of which no tile lies
// inside, an odd row of taps beside the pairs.
TEST_CASE("depthwise pairs of taps behind a pad with any number", "[lowering]") {
  for (const char* chip : {"cortex-m4", "cortex-m4f"})
    for (const int64_t size : {2, 3, 4, 5})
      for (const int64_t columns : {3, 5, 12, 19})
        for (const int64_t stride : {1, 2})
          for (const int64_t low : {0, 1, 2}) {
            CAPTURE(chip, size, columns, stride, low);
            CHECK(goes_with_windows({.number = low == 1 ? "-128" : "93",
                                     .rows = 7,
                                     .columns = columns,
                                     .size = size,
                                     .stride = stride,
                                     .low = low,
                                     .high = 3 - low,
                                     .depthwise = true},
                                    chip));
          }
  const char* chip = "cortex-m4";
  CHECK(goes_with_windows({.type = "u8", .number = "200", .depthwise = true}, chip));
  CHECK(goes_with_windows({.batches = 2, .depthwise = true}, chip));
  CHECK(goes_with_windows(
      {.rows = 2, .columns = 2, .size = 4, .low = 2, .high = 1, .depthwise = true}, chip));
  // Windows of one row have no pairs, nor do chips without the instruction.
  CHECK(!goes_with_windows({.size = 1, .depthwise = true}, chip));
  CHECK(!goes_with_windows({.depthwise = true}, "cortex-m0"));
  CHECK(!goes_with_windows({.depthwise = true}, "cortex-a53"));
}

TEST_CASE("a pad that two convolutions read goes with both", "[lowering]") {
  const std::string w = bytes_constant({3, 3, 8, 6}, "s8");
  const auto reads = [&](const std::string& name, const char* window, const char* out) {
    return cat(" w", name, " = ", w, "\n c", name, " = s32[1,", out, ",6] convolution(p, w", name,
               "), window={size=3x3", window, "}, dim_labels=b01f_01io->b01f\n");
  };
  const std::string text =
      cat("x = s8[1,6,5,8] parameter(0)\n z = s8[] constant(3)\n p = s8[1,8,7,8] pad(x, z), "
          "padding=0_0x1_1x1_1x0_0\n",
          reads("a", "", "6,5"), reads("b", " stride=2x2", "3,3"),
          " a = s32[1,3,3,6] slice(ca), slice={[0:1], [0:3], [0:3], [0:6]}\n"
          " ROOT r = s32[1,3,3,6] add(a, cb)");
  const Target target = *preset("cortex-m4");
  CHECK(kernels_of(text, target) == 2);
}

// A bias and a clamp behind it: sums begin with the bias, and no addition of it is left.
TEST_CASE("sums that begin with a bias", "[lowering]") {
  struct Case {
    const char* chip;
    bool depthwise;
  };
  const std::string known = "s32[8] constant({1,-20,300,4,-5000,2147483647,-2147483648,60})";
  const auto text_with = [](const Padded& p, const std::string& bias, const char* more) {
    std::string text = text_of(p);
    text.replace(text.find("ROOT r"), 6, "r");
    return cat(text, "\n b = ", bias,
               "\n bb = s32[1,6,5,8] broadcast(b), dimensions={3}\n"
               " a = s32[1,6,5,8] add(r, bb)\n ROOT q = s32[1,6,5,8] multiply(a, ",
               more, ")");
  };
  for (const Case& one :
       {Case{"cortex-m0", false}, Case{"cortex-m4", false}, Case{"cortex-m4", true},
        Case{"cortex-m0", true}, Case{"rv32imc", true}}) {
    CAPTURE(one.chip, one.depthwise);
    const Padded picture{.number = "0", .depthwise = one.depthwise};
    const Target target = *preset(one.chip);
    const std::string text = text_with(picture, known, "a");
    CHECK(kernels_of(text, target) == 1);
    CHECK(begins_with_bias(text, target));
    // It is read elsewhere too, or added along another dimension.
    CHECK(kernels_of(text_with(picture, known, "r"), target) == 1);
    CHECK(!begins_with_bias(text_with(picture, known, "r"), target));
    std::string other =
        text_with({.number = "0", .columns = 8, .depthwise = one.depthwise}, known, "a");
    other.replace(other.find("dimensions={3}"), 14, "dimensions={2}");
    for (size_t at = 0; (at = other.find("[1,6,5,8]", at)) != std::string::npos;)
      other.replace(at, 9, "[1,6,8,8]");
    kernels_of(other, target);
    CHECK(!begins_with_bias(other, target));
  }
  // Vectors that begin with numbers of their columns anyway, and others.
  const std::string text = text_with({.number = "0"}, known, "a");
  for (const bool corrected : {true, false}) {
    const Target target = corrected ? with_fours(256) : *preset("cortex-a53");
    CHECK(kernels_of(text, target) == 1);
    const Result<hlo::Module> passed = transforms::run_passes(module_from(text), target);
    const std::string kernel = kernel::to_text(lowered(*passed, target));
    CHECK((kernel.find("x8 = add") == std::string::npos) == corrected);
  }
}

// Rows of the input come to scratch in blocks, with what stands beside them.
TEST_CASE("rows of pictures that are brought once behind a pad", "[lowering]") {
  for (const int bits : {256, 512})
    for (const int64_t stride : {1, 2})
      for (const int64_t inputs : {3, 4, 17})
        for (const int64_t low : {0, 1, 2}) {
          CAPTURE(bits, stride, inputs, low);
          const Target target = with_fours(bits);
          const Padded p{.rows = 11,
                         .columns = 8,
                         .inputs = inputs,
                         .outputs = 17,
                         .stride = stride,
                         .batches = 2,
                         .low = low,
                         .high = 2 - low};
          CHECK(kernels_of(text_of(p), target) == 1);
          const hlo::Module module = module_from(text_of(p));
          CHECK(kernel::to_text(lowered(module, target)).find("dot_accumulate") !=
                std::string::npos);
        }
  // Windows that no pixel has inside, bytes without sign, one row of pixels, rows of no tile.
  const Target target = with_fours(512);
  CHECK(kernels_of(text_of({.rows = 2, .columns = 3, .size = 4, .low = 3, .high = 2}), target) ==
        1);
  CHECK(kernels_of(text_of({.type = "u8", .number = "200"}), target) == 1);
  CHECK(kernels_of(text_of({.rows = 1, .columns = 1, .low = 4, .high = 4}), target) == 1);
  CHECK(kernels_of(text_of({.rows = 13, .columns = 13}), target) == 1);
  // Signals, and holes in the windows' columns.
  const auto signal = [](const char* window, int out) {
    return cat("x = s8[2,12,4] parameter(0)\n w = ", bytes_constant({3, 4, 16}, "s8"),
               "\n ROOT r = s32[2,", out, ",16] convolution(x, w), window={size=3", window,
               "}, dim_labels=b0f_0io->b0f");
  };
  CHECK(kernels_of(signal("", 10), target) == 1);
  CHECK(kernels_of(signal(" pad=1_1", 12), target) == 1);
  CHECK(kernels_of(signal(" pad=2_0 stride=2", 6), target) == 1);
  const std::string holes =
      cat("x = s8[1,12,8,4] parameter(0)\n w = ", bytes_constant({3, 3, 4, 16}, "s8"),
          "\n ROOT r = s32[1,10,8,16] convolution(x, w), window={size=3x3 pad=1_1x1_1 "
          "rhs_dilate=2x1}, dim_labels=b01f_01io->b01f");
  CHECK(kernels_of(holes, target) == 1);
}

TEST_CASE("pads that stay", "[lowering]") {
  const char* chip = "cortex-m4";
  CHECK(goes_with_windows({}, chip));
  // Zeros of the window beside it, holes, features, a filter that is an argument, and sums by
  // another way: a first layer of one feature by products of one step, chips without an
  // instruction.
  CHECK(!goes_with_windows({.window = " pad=1_1x1_1"}, chip));
  CHECK(!goes_with_windows({.interior = "_1"}, chip));
  CHECK(!goes_with_windows({.feature_pad = "0_1"}, chip));
  CHECK(!goes_with_windows({.filter = "s8[3,3,8,8] parameter(1)"}, chip));
  CHECK(!goes_with_windows({}, "rv32imc"));
  CHECK(!goes_with_windows({}, "riscv64v-linux"));
  // What the pad adds is not known.
  std::string text = text_of({});
  const size_t at = text.find("constant(-77)");
  text.replace(at, std::string("constant(-77)").size(), "parameter(1)");
  CHECK(kernels_of(text, *preset(chip)) > 1);
  // Others read it too.
  text = text_of({});
  text.replace(text.find("ROOT r"), 6, "r");
  text +=
      "\n s = s8[1,6,5,8] slice(p), slice={[0:1], [1:7], [0:5], [0:8]}\n"
      " t = s32[1,6,5,8] convert(s)\n ROOT a = s32[1,6,5,8] add(r, t)";
  CHECK(kernels_of(text, *preset(chip)) > 1);
}

}  // namespace hlocc::tests
