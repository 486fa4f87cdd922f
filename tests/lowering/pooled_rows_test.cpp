// Convolutions and the pools behind them in blocks of rows: windows, paddings, sizes, reducers,
// types and epilogues; and which become such a group.
#include "lowering/harness.h"
#include "lowering/program/lower.h"
#include "support/text.h"
#include "transforms/pipeline.h"

namespace hlocc::tests {
namespace {

struct Pooled {
  int64_t batch = 1, height = 12, width = 11, inputs = 2, features = 5;
  int64_t window = 3, stride = 1;                 // of the convolution, padded as it was
  int64_t size = 2, step = 2, low = 0, high = 0;  // of the pool
  int64_t column_low = 0, column_high = 0;
  std::string type = "f32", reducer = "maximum", init = "-inf";
  bool clamp = true, scaled = false, constant_filter = false;

  int64_t convolved(int64_t n) const { return (n - 1) / stride + 1; }
  int64_t pooled(int64_t n, int64_t before, int64_t after) const {
    const int64_t extent = convolved(n) + before + after;
    return extent < size ? 0 : (extent - size) / step + 1;
  }
  std::string result() const {
    return type + dims({batch, pooled(height, low, high), pooled(width, column_low, column_high),
                        features});
  }
};

std::string text_of(const Pooled& p) {
  const std::string map =
      p.type + dims({p.batch, p.convolved(p.height), p.convolved(p.width), p.features});
  const std::string pad = cat((p.window - 1) / 2, "_", p.window / 2);
  const std::vector<int64_t> filter = {p.window, p.window, p.inputs, p.features};
  // What rounds down is seen by the last windows: the padding of a stride keeps the number of
  // results.
  std::string text =
      cat("HloModule test\nreduce {\n a = ", p.type, "[] parameter(0)\n b = ", p.type,
          "[] parameter(1)\n ROOT r = ", p.type, "[] ", p.reducer,
          "(a, b)\n}\nENTRY main {\n x = ", p.type, dims({p.batch, p.height, p.width, p.inputs}),
          " parameter(0)\n bias = ", p.type, "[", p.features, "] parameter(1)\n w = ",
          p.constant_filter ? constant(filter) : cat(p.type, dims(filter), " parameter(2)"),
          "\n c = ", map, " convolution(x, w), window={size=", p.window, "x", p.window,
          " stride=", p.stride, "x", p.stride, " pad=", pad, "x", pad,
          "}, dim_labels=b01f_01io->b01f\n spread = ", map,
          " broadcast(bias), dimensions={3}\n biased = ", map, " add(c, spread)\n zero = ", p.type,
          "[] constant(0)\n zeros = ", map, " broadcast(zero), dimensions={}\n clamped = ", map,
          " maximum(biased, zeros)\n init = ", p.type, "[] constant(", p.init, ")\n");
  text += cat(p.scaled ? " " : " ROOT ", "pool = ", p.result(), " reduce-window(",
              p.clamp ? "clamped" : "biased", ", init), window={size=1x", p.size, "x", p.size,
              "x1 stride=1x", p.step, "x", p.step, "x1 pad=0_0x", p.low, "_", p.high, "x",
              p.column_low, "_", p.column_high, "x0_0}, to_apply=reduce\n");
  if (p.scaled)
    text +=
        cat(" four = ", p.type, "[] constant(4)\n fours = ", p.result(),
            " broadcast(four), dimensions={}\n ROOT r = ", p.result(), " divide(pool, fours)\n");
  return text + "}\n";
}

// The same over signals [batch, position, feature]: the height alone.
std::string signal_of(const Pooled& p) {
  const std::string map = p.type + dims({p.batch, p.convolved(p.height), p.features});
  const std::string result =
      p.type + dims({p.batch, p.pooled(p.height, p.low, p.high), p.features});
  return cat(
      "HloModule test\nreduce {\n a = ", p.type, "[] parameter(0)\n b = ", p.type,
      "[] parameter(1)\n ROOT r = ", p.type, "[] ", p.reducer,
      "(a, b)\n}\nENTRY main {\n x = ", p.type, dims({p.batch, p.height, p.inputs}),
      " parameter(0)\n w = ", p.type, dims({p.window, p.inputs, p.features}),
      " parameter(1)\n bias = ", p.type, "[", p.features, "] parameter(2)\n c = ", map,
      " convolution(x, w), window={size=", p.window, " stride=", p.stride,
      " pad=", (p.window - 1) / 2, "_", p.window / 2, "}, dim_labels=b0f_0io->b0f\n spread = ", map,
      " broadcast(bias), dimensions={2}\n biased = ", map, " add(c, spread)\n init = ", p.type,
      "[] constant(", p.init, ")\n ROOT pool = ", result,
      " reduce-window(biased, init), window={size=1x", p.size, "x1 stride=1x", p.step,
      "x1 pad=0_0x", p.low, "_", p.high, "x0_0}, to_apply=reduce\n}\n");
}

// Whether the program's convolution and pool become one group.
bool fuses_pooled_rows(const std::string& text, const std::string& machine, bool winograd = true) {
  for (const Machine& m : machines()) {
    if (m.name != machine) continue;
    Target target = m.target;
    target.options.winograd = winograd;
    const auto passed = transforms::run_passes(module_from(text), target);
    if (!passed) FAIL(passed.error().to_string());
    for (const hlo::Instruction& i : passed->entry_computation().instructions)
      if (i.opcode == hlo::Opcode::kFusion &&
          i.get<hlo::FusionAttributes>().schedule == hlo::Schedule::kRowTiles)
        return true;
    return false;
  }
  FAIL("no machine " << machine);
  return false;
}

void check(const Pooled& p) {
  CAPTURE(text_of(p));
  if (p.pooled(p.height, p.low, p.high) < 1 || p.pooled(p.width, p.column_low, p.column_high) < 1)
    return;
  REQUIRE(fuses_pooled_rows(text_of(p), "cortex-m4f", false));
  agrees(text_of(p));
}

}  // namespace

TEST_CASE("pooled rows with every window", "[lowering]") {
  for (int64_t size : {2, 3, 4})
    for (int64_t step : {1, 2, 3})
      for (int64_t low : {0, 1})
        for (int64_t high : {0, 1}) {
          if (size - step - low < 0) continue;
          Pooled p;
          p.window = 1 + 4 * low, p.size = size, p.step = step, p.low = low, p.high = high;
          p.column_low = high, p.column_high = low;
          check(p);
        }
}

TEST_CASE("pooled rows of every size", "[lowering]") {
  for (int64_t height : {4, 5, 6, 9, 17})
    for (int64_t width : {2, 3, 8, 19})
      for (int64_t features : {2, 4, 16, 33}) {
        // The largest ones alone say nothing new.
        if (height == 17 && width == 19 && features > 4) continue;
        Pooled p;
        p.batch = height % 2 + 1, p.height = height, p.width = width, p.features = features,
        p.window = 5;
        p.clamp = width != 3, p.scaled = features == 4;
        check(p);
      }
}

TEST_CASE("pooled rows behind strided convolutions", "[lowering]") {
  for (int64_t window : {2, 3, 7})
    for (int64_t height : {12, 13}) {
      Pooled p;
      p.window = window, p.height = height, p.inputs = 3, p.features = 8, p.size = 3, p.low = 1,
      p.high = 1, p.column_low = 1, p.column_high = 1;
      p.stride = 2, p.width = 15;
      check(p);
    }
}

TEST_CASE("pooled rows of other reducers and types", "[lowering]") {
  for (const char* type : {"f32", "f64", "bf16", "s32", "s8", "u8"})
    for (const auto& [reducer, init] :
         {std::pair("add", "0"), {"maximum", "0"}, {"minimum", "3"}, {"multiply", "1"}}) {
      // Products of four round in bf16, and in another order than the interpreter's.
      if (std::string_view(type) == "bf16" && std::string_view(reducer) == "multiply") continue;
      Pooled p;
      p.type = type, p.reducer = reducer, p.init = init, p.window = 2;
      p.scaled = std::string_view(reducer) == "add";
      check(p);
    }
}

TEST_CASE("pooled signals", "[lowering]") {
  for (int64_t size : {2, 3, 4})
    for (int64_t step : {1, 2, 3, 4})
      for (int64_t low : {0, 1})
        for (int64_t height : {8, 11, 32, 33}) {
          if (size - step - low < 0) continue;
          Pooled p;
          p.window = height == 32 ? 3 : 2 + 3 * low, p.size = size, p.step = step,
          p.low = p.high = low, p.height = height;
          p.stride = height == 33 ? 2 : 1, p.batch = height == 11 ? 2 : 1,
          p.features = height == 8 ? 16 : 5;
          if (p.pooled(height, low, low) < 1) continue;
          CAPTURE(signal_of(p));
          REQUIRE(fuses_pooled_rows(signal_of(p), "cortex-m4f"));
          agrees(signal_of(p));
        }
}

// With a cache blocks are as large as it holds, and the last is smaller.
TEST_CASE("pooled rows in large blocks", "[lowering]") {
  for (int64_t low : {0, 1}) {
    Pooled p;
    p.height = 131, p.width = 60, p.features = 16, p.inputs = 1, p.window = 2, p.size = 2 + low,
    p.low = p.column_low = low;
    CHECK(fuses_pooled_rows(text_of(p), "cortex-a53"));
    agrees(text_of(p), Passes::kOnlyAll);
    p.height = 7001, p.size = 2 + low, p.step = 2;
    CHECK(fuses_pooled_rows(signal_of(p), "cortex-a53"));
    agrees(signal_of(p), Passes::kOnlyAll);
  }
}

TEST_CASE("pools of Winograd's tiles", "[lowering]") {
  for (int64_t height : {24, 25, 26, 27})
    for (int64_t width : {32, 33, 35})
      for (int64_t features : {16, 24}) {
        if ((height + width + features / 8) % 2 != 0) continue;
        Pooled p;
        p.height = height, p.width = width, p.inputs = 16, p.features = features,
        p.batch = height == 26 ? 2 : 1;
        p.scaled = height == 25, p.clamp = width != 33, p.constant_filter = true;
        p.reducer = width == 35 ? "add" : "maximum", p.init = width == 35 ? "0" : "-inf";
        const std::string text = text_of(p);
        CHECK(fuses_pooled_rows(text_of(p), "cortex-m4f"));
        CHECK(stores("winograd filter", text, "cortex-m4f"));
        agrees(text, Passes::kOnlyAll, {.rtol = 1e-5, .atol = 2e-3});
      }
}

TEST_CASE("which convolutions hand their rows to a pool", "[lowering]") {
  Pooled p;
  p.window = 5;
  CHECK(fuses_pooled_rows(text_of(p), "cortex-m4f"));
  CHECK_FALSE(fuses_pooled_rows(text_of(p), "cortex-a53"));
  Pooled large = p;
  large.height = large.width = 64, large.features = 32;
  CHECK(fuses_pooled_rows(text_of(large), "cortex-a53"));
  // Few rows: the ring would hold half of them.
  Pooled low = p;
  low.height = 3;
  CHECK_FALSE(fuses_pooled_rows(text_of(low), "cortex-m4f"));
  // Windows that begin two rows before the picture.
  Pooled padded = p;
  padded.low = 1;
  CHECK_FALSE(fuses_pooled_rows(text_of(padded), "cortex-m4f"));
}

TEST_CASE("a schedule of rows without its convolutions is refused", "[lowering]") {
  const auto refusal = [](const std::string& body) {
    const hlo::Module module = module_from(
        "HloModule test\nreduce {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = "
        "f32[] maximum(a, b)\n}\n"
        "tiles {\n x = f32[1,8,8,4] parameter(0)\n low = f32[] constant(-inf)\n ROOT r = " +
        body +
        "\n}\nENTRY main {\n x = f32[1,8,8,4] parameter(0)\n ROOT r = f32[1,4,4,4] fusion(x), "
        "kind=kCustom, calls=tiles, "
        "frontend_attributes={hlocc_schedule=\"row_tiles\"}\n}\n");
    const auto program = lowering::lower(module, signature_of(module), machines()[0].target);
    REQUIRE(!program);
    return program.error().to_string();
  };
  CHECK_THAT(refusal("f32[1,4,4,4] reduce-window(x, low), window={size=1x2x2x1 stride=1x2x2x1}, "
                     "to_apply=reduce"),
             Catch::Contains("a group of pooled rows without a convolution"));
  CHECK_THAT(refusal("f32[1,4,4,4] slice(x), slice={[0:1], [0:4], [0:4], [0:4]}"),
             Catch::Contains("a group of row tiles with another number of convolutions"));
}

}  // namespace hlocc::tests
