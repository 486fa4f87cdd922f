// Depthwise convolutions of bytes by windows in scratch (costs/depthwise_windows.h): over a grid of
// kernels, strides, paddings and channels, the greatest and least bytes among them, each row gives
// what the interpreter gives, forced and as chosen; and what lies just outside of its claims goes
// another way.
#include "costs/depthwise_windows.h"

#include "kernel/evaluate/evaluator.h"
#include "lowering/byte_cases.h"
#include "lowering/convolution/convolution_row.h"
#include "lowering/harness.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

using hlo::Literal;

struct Picture {
  int64_t rows = 9, columns = 7, channels = 8, kernel_rows = 3, kernel_columns = 3;
  int64_t stride = 1, low = 1, high = 1, batches = 1;
  std::string left = "s8", right = "s8";

  int64_t out(int64_t extent, int64_t size) const {
    return (extent + low + high - size) / stride + 1;
  }
};

std::string depthwise(const Picture& p, const std::string& more = "", const std::string& w = "") {
  const std::string pad = cat(p.low, "_", p.high);
  return cat(
      "x = ", p.left, dims({p.batches, p.rows, p.columns, p.channels}), " parameter(0)\n w = ",
      w.empty() ? bytes_constant({p.kernel_rows, p.kernel_columns, 1, p.channels}, p.right) : w,
      "\n ROOT r = s32",
      dims({p.batches, p.out(p.rows, p.kernel_rows), p.out(p.columns, p.kernel_columns),
            p.channels}),
      " convolution(x, w), window={size=", p.kernel_rows, "x", p.kernel_columns,
      " stride=", p.stride, "x", p.stride, " pad=", pad, "x", pad, more,
      "}, dim_labels=b01f_01io->b01f, feature_group_count=", p.channels);
}

std::string way_on(const std::string& text, const Target& target) {
  return lowered(module_from(text), target).kernels.front().choice.to_string();
}

// Lowered as the target chooses, and run at planned places.
void gives_the_same(const std::string& text, const Target& target) {
  const hlo::Module module = module_from(text);
  const std::vector<Literal> arguments = arguments_for(module);
  const kernel::Program program = lowered(module, target);
  const std::vector<Literal> got = run_planned(program, target, arguments);
  const hlo::Comparison same =
      hlo::compare_leaf(got.at(0), result_of_interpreter(module, arguments), {.exact = true});
  if (!same.ok) FAIL(cat(same.first, "\n", text, "\n", kernel::to_text(program)));
}

// The entry's convolution by the row, be it the cheapest or not. False: the row does not serve it.
bool forced_gives_the_same(const std::string& text, const Target& target, kernel::MicroKernel row) {
  const hlo::Module module = module_from(text);
  const hlo::Computation& entry = module.entry_computation();
  const lowering::Group group = lowering::single_group(module, entry, entry.root);
  lowering::Emitter emitter(group, target, "convolution");
  lowering::Convolution c = lowering::convolution_of(emitter, entry.root);
  const auto plan = costs::WindowsPlan::of(c, target, row);
  if (!plan) return false;
  lowering::emit(c, *plan);
  CHECK(emitter.choice.micro_kernel == row);
  const auto derived = emitter.derived();
  const kernel::Kernel kernel = emitter.finish();
  const std::vector<Literal> arguments = arguments_for(module);
  std::vector<std::vector<std::byte>> bytes;
  size_t next = 0;
  for (int n = 0; n < kernel.bound_buffers(); ++n) {
    const kernel::Buffer& buffer = kernel.buffers[n];
    // What lies in memory before the kernel runs is nothing that it may count on.
    bytes.emplace_back(buffer.elements * kernel::scalar_bytes(buffer.element), std::byte{0x55});
    if (buffer.name.starts_with("derived")) bytes.back() = *derived[next++].data;
  }
  std::ranges::copy(arguments[0].bytes(), bytes[0].begin());
  const std::vector<std::span<std::byte>> spans(bytes.begin(), bytes.end());
  if (const Status done = kernel::evaluate(kernel, spans, {}); !done)
    FAIL(done.error().to_string());
  const Literal expected = result_of_interpreter(module, arguments);
  for (size_t n = 0; n < bytes.size(); ++n)
    if (kernel.buffers[n].direction == kernel::Direction::kOut &&
        !std::ranges::equal(bytes[n], expected.bytes()))
      FAIL(cat(kernel::micro_kernel_name(row), "\n", text, "\n", kernel::to_text(kernel)));
  return true;
}

// Windows of those rows and columns with steps and borders of each kind.
void sweep(const Target& target, const std::vector<std::pair<int64_t, int64_t>>& windows,
           int64_t channels) {
  for (const auto& [rows, columns] : windows)
    for (const int64_t stride : {1, 2})
      for (const int64_t pad : {0, 1, 2})
        gives_the_same(depthwise({.channels = channels,
                                  .kernel_rows = rows,
                                  .kernel_columns = columns,
                                  .stride = stride,
                                  .low = pad,
                                  .high = pad > 0 ? pad - 1 : 0}),
                       target);
}

bool takes(const std::string& text) {
  return forced_gives_the_same(text, *preset("cortex-m55"), kernel::MicroKernel::kDotAccumulate16);
}

}  // namespace

TEST_CASE("depthwise convolutions of bytes by windows", "[lowering]") {
  const Target target = *preset("cortex-m55");
  for (const auto& [rows, columns] :
       std::vector<std::pair<int64_t, int64_t>>{{3, 3}, {1, 3}, {3, 1}, {5, 5}, {2, 4}, {7, 3}})
    for (const int64_t stride : {1, 2})
      for (const int64_t pad : {0, 1, 2})
        for (const int64_t channels : {4, 8, 13}) {
          const std::string text = depthwise({.channels = channels,
                                              .kernel_rows = rows,
                                              .kernel_columns = columns,
                                              .stride = stride,
                                              .low = pad,
                                              .high = pad > 0 ? pad - 1 : 0});
          gives_the_same(text, target);
          CHECK(takes(text));
        }
  // Batches, a border at the end alone, channels that are not taken whole, bytes without sign,
  // pictures of one pixel, columns that no window sees, and scratch that is too large for the
  // stack.
  for (const Picture& picture : std::vector<Picture>{{.batches = 3},
                                                     {.low = 0, .high = 1},
                                                     {.channels = 7},
                                                     {.left = "u8", .right = "u8"},
                                                     {.rows = 1, .columns = 1},
                                                     {.rows = 8,
                                                     .columns = 8,
                                                     .kernel_rows = 1,
                                                     .kernel_columns = 2,
                                                     .stride = 4,
                                                     .low = 0,
                                                     .high = 0},
                                                     {.rows = 5, .columns = 60, .channels = 12}}) {
    gives_the_same(depthwise(picture), target);
    CHECK(takes(depthwise(picture)));
  }
}

TEST_CASE("depthwise convolutions of bytes by pairs of rows", "[lowering]") {
  for (const char* chip : {"cortex-m4", "cortex-m4f", "cortex-m7"}) {
    const Target target = *preset(chip);
    sweep(target, {{3, 3}, {2, 1}, {5, 5}, {4, 2}, {7, 3}}, 8);
    // Bytes without sign on either side, batches, rows in which no window lies inside, long ones.
    for (const Picture& picture : std::vector<Picture>{{.left = "u8"},
                                                       {.right = "u8"},
                                                       {.left = "u8", .right = "u8"},
                                                       {.batches = 3},
                                                       {.rows = 2, .columns = 2},
                                                       {.columns = 60, .channels = 3},
                                                       {.columns = 48, .stride = 2}})
      gives_the_same(depthwise(picture), target);
    gives_the_same(cat("x = s8[1,11,9,8] parameter(0)\n w = ", bytes_constant({3, 3, 1, 8}, "s8"),
                       "\n ROOT r = s32[1,10,9,8] convolution(x, w), window={size=3x3 "
                       "pad=1_0x1_1 rhs_dilate=1x1}, dim_labels=b01f_01io->b01f, "
                       "feature_group_count=8"),
                   target);
  }
}

TEST_CASE("which depthwise convolutions are pairs of rows", "[lowering]") {
  const auto in_pairs = [](const std::string& text, const Target& target) {
    return kernel::to_text(lowered(module_from(text), target)).find("dot_accumulate") !=
           std::string::npos;
  };
  const Target m4 = *preset("cortex-m4");
  CHECK(in_pairs(depthwise({}), m4));
  CHECK(in_pairs(depthwise({}), *preset("cortex-m33")));
  CHECK(in_pairs(depthwise({.kernel_rows = 2, .kernel_columns = 8}), m4));
  // One row of taps, a wide window, a high one, rows of which none lies inside, weights that come
  // as an argument, numbers that are no bytes.
  CHECK(!in_pairs(depthwise({.kernel_rows = 1}), m4));
  CHECK(!in_pairs(depthwise({.columns = 9, .kernel_rows = 2, .kernel_columns = 9}), m4));
  CHECK(!in_pairs(depthwise({.kernel_rows = 9, .kernel_columns = 2}), m4));
  CHECK(!in_pairs(depthwise({.rows = 1}), m4));
  CHECK(!in_pairs(depthwise({}, "", "s8[3,3,1,8] parameter(1)"), m4));
  CHECK(!in_pairs("x = s16[1,9,7,8] parameter(0)\n w = " + constant({3, 3, 1, 8}, "s16") +
                      "\n ROOT r = s32[1,7,5,8] convolution(x, w), window={size=3x3}, "
                      "dim_labels=b01f_01io->b01f, feature_group_count=8",
                  m4));
  for (const char* other : {"cortex-m3", "rv32imc"})
    CHECK(!in_pairs(depthwise({}), *preset(other)));
  Target small = m4;
  small.options.level = Level::kOs;
  CHECK(!in_pairs(depthwise({}), small));
}

TEST_CASE("depthwise convolutions of bytes by fours of rows", "[lowering]") {
  const Target target = *preset("hexagon-v67-hvx");
  for (const int64_t channels : {8, 16, 64})
    sweep(target, {{3, 3}, {2, 1}, {4, 2}, {3, 5}}, channels);
  // Bytes without sign on either side, batches, rows in which no window lies inside, one row, long
  // ones, borders at the end alone, features that are several vectors and a part of one.
  for (const Picture& picture : std::vector<Picture>{{.left = "u8"},
                                                     {.right = "u8"},
                                                     {.left = "u8", .right = "u8"},
                                                     {.batches = 3},
                                                     {.rows = 2, .columns = 2},
                                                     {.rows = 1, .columns = 1},
                                                     {.columns = 60, .channels = 24},
                                                     {.low = 0, .high = 1},
                                                     {.columns = 48, .channels = 72, .stride = 2}})
    gives_the_same(depthwise(picture), target);
}

TEST_CASE("which depthwise convolutions are fours of rows", "[lowering]") {
  const auto in_fours = [](const std::string& text, const Target& target) {
    return way_on(text, target) == "depthwise, dot_accumulate_4_across";
  };
  const Target hvx = *preset("hexagon-v67-hvx");
  for (const int64_t channels : {32, 40, 256})
    CHECK(in_fours(depthwise({.channels = channels}), hvx));
  // Fewer features than lanes, where pixels are skipped: else all elements of a row are one line.
  CHECK(way_on(depthwise({.columns = 60}), hvx) == "flat");
  for (const int64_t channels : {8, 16, 24})
    CHECK(in_fours(depthwise({.channels = channels, .stride = 2}), hvx));
  CHECK(in_fours(depthwise({.kernel_rows = 4, .kernel_columns = 8, .stride = 2, .low = 4}), hvx));
  CHECK(in_fours(depthwise({.kernel_rows = 2, .stride = 2}), hvx));
  // Features that fill no words, one row of taps, five of them, a wide window, weights that come as
  // an argument.
  CHECK(!in_fours(depthwise({.channels = 12, .stride = 2}), hvx));
  CHECK(!in_fours(depthwise({.kernel_rows = 1, .stride = 2}), hvx));
  CHECK(!in_fours(depthwise({.kernel_rows = 5, .stride = 2}), hvx));
  CHECK(!in_fours(depthwise({.columns = 9, .kernel_rows = 2, .kernel_columns = 9, .stride = 2}),
                  hvx));
  CHECK(!in_fours(depthwise({.channels = 32}, "", "s8[3,3,1,32] parameter(1)"), hvx));
  for (const char* other : {"hexagon-v67", "cortex-m55", "cortex-a76-linux"})
    CHECK(!in_fours(depthwise({.stride = 2}), *preset(other)));
  Target small = hvx;
  small.options.level = Level::kOs;
  CHECK(!in_fours(depthwise({.stride = 2}), small));
}

TEST_CASE("windows behind which more follows", "[lowering]") {
  const std::string text = depthwise({.channels = 12}) + "\n";
  const std::string before = text.substr(0, text.find("ROOT r")),
                    convolution = text.substr(text.find("r = s32"));
  const Target target = *preset("cortex-m55");
  // A sum that may lie where one of its terms lay: nothing is made twice.
  gives_the_same(before + convolution +
                     " y = s8[1,9,7,12] parameter(1)\n z = s32[1,9,7,12] convert(y)\n"
                     " ROOT s = s32[1,9,7,12] add(r, z)\n",
                 target);
}

TEST_CASE("which depthwise convolutions are windows", "[lowering]") {
  const Target m55 = *preset("cortex-m55");
  CHECK(way_on(depthwise({}), m55) == "windows, dot_accumulate_16");
  CHECK(takes(depthwise({})));
  // Two taps are not worth the way through scratch.
  const std::string few = depthwise({.kernel_rows = 1, .kernel_columns = 2, .low = 0, .high = 0});
  CHECK(takes(few));
  CHECK(way_on(few, m55) != "windows, dot_accumulate_16");
  // Three channels; bytes with sign by others; holes; weights that come as an argument; numbers
  // that are no bytes.
  CHECK(!takes(depthwise({.channels = 3})));
  CHECK(!takes(depthwise({.left = "u8"})));
  CHECK(!takes(cat("x = s8[1,11,9,8] parameter(0)\n w = ", bytes_constant({3, 3, 1, 8}, "s8"),
                   "\n ROOT r = s32[1,7,5,8] convolution(x, w), window={size=3x3 rhs_dilate=2x2}, "
                   "dim_labels=b01f_01io->b01f, feature_group_count=8")));
  CHECK(!takes(depthwise({}, "", "s8[3,3,1,8] parameter(1)")));
  CHECK(!takes("x = s16[1,9,7,8] parameter(0)\n w = " + constant({3, 3, 1, 8}, "s16") +
               "\n ROOT r = s32[1,7,5,8] convolution(x, w), window={size=3x3}, "
               "dim_labels=b01f_01io->b01f, feature_group_count=8"));
  for (const char* other : {"cortex-m4f", "cortex-a53"})
    CHECK(!forced_gives_the_same(depthwise({}), *preset(other),
                                 kernel::MicroKernel::kDotAccumulate16));
  Target small = m55;
  small.options.level = Level::kOs;
  CHECK(way_on(depthwise({}), small) != "windows, dot_accumulate_16");
}

}  // namespace hlocc::tests
