// Row tiles: a depthwise convolution between 1x1 ones in blocks of rows, over windows, strides,
// paddings, sizes and epilogues; and which chains become such a group.
#include "lowering/harness.h"
#include "support/text.h"
#include "transforms/pipeline.h"

namespace hlocc::tests {
namespace {

struct Chain {
  int64_t batch = 1, height = 8, width = 8, inputs = 3, features = 8, outputs = 5;
  int64_t size = 3, stride = 1, low = 1, high = 1;
  bool expand = true, clamp = true, residual = false;
  // Of the convolution in front: its window and stride.
  int64_t front = 1, front_stride = 1;

  int64_t result(int64_t n) const {
    return n + low + high < size ? 0 : (n + low + high - size) / stride + 1;
  }
};

// The lines of the chain; parameters in the order in which they are read. The result is `p`.
std::string lines(const Chain& c) {
  int parameters = 0;
  std::string text;
  const auto parameter = [&](const std::string& name, const std::vector<int64_t>& sizes) {
    text += cat(" ", name, " = f32", dims(sizes), " parameter(", parameters++, ")\n");
  };
  const auto epilogue = [&](const std::string& name, const std::vector<int64_t>& sizes,
                            bool clamp) {
    const std::string type = "f32" + dims(sizes);
    parameter("bias_" + name, {sizes[3]});
    text +=
        cat(" spread_", name, " = ", type, " broadcast(bias_", name, "), dimensions={3}\n ", name,
            clamp ? "_biased" : "", " = ", type, " add(conv_", name, ", spread_", name, ")\n");
    if (clamp)
      text += cat(" zero_", name, " = ", type, " broadcast(zero), dimensions={}\n six_", name,
                  " = ", type, " broadcast(six), dimensions={}\n ", name, " = ", type,
                  " clamp(zero_", name, ", ", name, "_biased, six_", name, ")\n");
  };
  const auto dense = [&](const std::string& from, const std::string& name,
                         const std::vector<int64_t>& sizes, int64_t inputs, bool clamp,
                         int64_t size, int64_t stride) {
    parameter("w_" + name, {size, size, inputs, sizes[3]});
    const std::string pad = cat((size - 1) / 2, "_", size / 2);
    text += cat(" conv_", name, " = f32", dims(sizes), " convolution(", from, ", w_", name,
                "), window={size=", size, "x", size, " stride=", stride, "x", stride, " pad=", pad,
                "x", pad, "}, dim_labels=b01f_01io->b01f\n");
    epilogue(name, sizes, clamp);
  };
  text = " zero = f32[] constant(0)\n six = f32[] constant(6)\n";
  parameter("x", {c.batch, c.height * c.front_stride, c.width * c.front_stride,
                  c.expand ? c.inputs : c.features});
  if (c.expand)
    dense("x", "e", {c.batch, c.height, c.width, c.features}, c.inputs, c.clamp, c.front,
          c.front_stride);
  const std::vector<int64_t> middle = {c.batch, c.result(c.height), c.result(c.width), c.features};
  const std::string pad = cat(c.low, "_", c.high);
  parameter("w_d", {c.size, c.size, 1, c.features});
  text += cat(" conv_d = f32", dims(middle), " convolution(", c.expand ? "e" : "x",
              ", w_d), window={size=", c.size, "x", c.size, " stride=", c.stride, "x", c.stride,
              " pad=", pad, "x", pad,
              "}, dim_labels=b01f_01io->b01f, feature_group_count=", c.features, "\n");
  epilogue("d", middle, c.clamp);
  const std::vector<int64_t> last = {c.batch, middle[1], middle[2], c.outputs};
  dense("d", "p", last, c.features, false, 1, 1);
  if (!c.residual) return text;
  parameter("residual", last);
  return text + cat(" sum = f32", dims(last), " add(p, residual)\n");
}

std::string result_of(const Chain& c) {
  return "f32" + dims({c.batch, c.result(c.height), c.result(c.width), c.outputs});
}

// The chain as one fusion of the schedule.
std::string fused(const Chain& c) {
  const std::string body = lines(c);
  std::string outer, list;
  for (size_t at = body.find(" parameter("); at != std::string::npos;
       at = body.find(" parameter(", at + 1)) {
    const size_t begin = body.rfind("\n", at) + 1;
    const std::string line = body.substr(begin, body.find("\n", at) - begin);
    outer += line + "\n";
    list += (list.empty() ? "" : ", ") + line.substr(1, line.find(" =") - 1);
  }
  std::string root = body;
  root.replace(root.rfind(c.residual ? " sum = " : " p = "), 1, " ROOT ");
  return "HloModule test\ntiles {\n" + root + "}\nENTRY main {\n" + outer +
         " ROOT r = " + result_of(c) + " fusion(" + list +
         "), kind=kCustom, calls=tiles, frontend_attributes={hlocc_schedule=\"row_tiles\"}\n}\n";
}

void agrees_fused(const Chain& c) {
  if (c.result(c.height) < 1 || c.result(c.width) < 1) return;
  if (c.expand && c.size - c.stride - c.low < 0) return;
  agrees(fused(c), Passes::kNone);
}

// How many convolutions the groups of the schedule hold after all passes.
int fused_row_tiles(const std::string& text, const std::string& machine,
                    const Decisions& decisions = {}) {
  for (const Machine& m : machines()) {
    if (m.name != machine) continue;
    Target target = m.target;
    target.decisions = decisions;
    const auto passed = transforms::run_passes(module_from(text), target);
    if (!passed) FAIL(passed.error().to_string());
    int count = 0;
    for (const hlo::Instruction& i : passed->entry_computation().instructions) {
      if (i.opcode != hlo::Opcode::kFusion ||
          i.get<hlo::FusionAttributes>().schedule != hlo::Schedule::kRowTiles)
        continue;
      for (const hlo::Instruction& inner : passed->computations[i.called[0]].instructions)
        count += inner.opcode == hlo::Opcode::kConvolution;
    }
    return count;
  }
  return -1;
}

const Chain kLarge{.height = 64, .width = 60, .inputs = 8, .features = 32, .outputs = 8};

}  // namespace

TEST_CASE("row tiles with every window", "[lowering]") {
  for (int64_t size : {3, 5})
    for (int64_t stride : {1, 2})
      for (int64_t low : {0, 1, 2})
        for (int64_t high : {0, 2})
          for (bool expand : {false, true}) {
            Chain c{.batch = 1,
                    .height = 7 + high,
                    .width = 6,
                    .inputs = 2,
                    .features = 5,
                    .outputs = 3};
            c.size = size, c.stride = stride, c.low = low, c.high = high, c.expand = expand;
            agrees_fused(c);
          }
}

TEST_CASE("row tiles of every size", "[lowering]") {
  for (int64_t height : {1, 2, 3, 4, 7, 12})
    for (int64_t width : {1, 3, 8, 19})
      for (bool expand : {false, true}) {
        // Several tiles of several rows, once with each of both.
        if (width == 19 && (height == 4 || height == 7) != expand) continue;
        Chain c{.batch = height % 2 + 1, .height = height, .width = width};
        c.expand = expand, c.residual = width == 3;
        agrees_fused(c);
        c.stride = 2, c.low = 0;
        agrees_fused(c);
      }
}

TEST_CASE("row tiles behind a first layer", "[lowering]") {
  for (int64_t front : {2, 3})
    for (int64_t stride : {1, 2})
      for (int64_t height : {2, 5, 8}) {
        Chain c{.batch = 2, .height = height, .width = 7};
        c.front = front, c.front_stride = stride;
        agrees_fused(c);
        c.stride = 2, c.low = 0;
        agrees_fused(c);
      }
}

TEST_CASE("row tiles of other features", "[lowering]") {
  for (int64_t features : {2, 4, 16, 33})
    for (int64_t outputs : {1, 4, 24})
      for (int64_t inputs : {1, 12}) {
        Chain c{.batch = 2,
                .height = 6,
                .width = 5,
                .inputs = inputs,
                .features = features,
                .outputs = outputs};
        c.clamp = features != 4, c.residual = outputs == 4, c.expand = features != 33;
        agrees_fused(c);
      }
}

TEST_CASE("large pictures become row tiles where there is a cache", "[lowering]") {
  const auto module = [](const Chain& c, const std::string& end) { return lines(c) + end; };
  const std::string root = " ROOT r = " + result_of(kLarge) + " negate(p)\n";
  CHECK(fused_row_tiles(module(kLarge, root), "cortex-a53") == 3);
  CHECK(fused_row_tiles(module(kLarge, root), "cortex-m4f") == 0);
  CHECK(fused_row_tiles(module(kLarge, root), "cortex-m4f", {.row_strips = true}) == 3);
  Chain first = kLarge;
  first.front = 3, first.front_stride = 2, first.inputs = 3;
  CHECK(fused_row_tiles(module(first, root), "cortex-a53") == 3);
  first.inputs = 8;
  CHECK(fused_row_tiles(module(first, root), "cortex-a53") == 2);
  Chain plain = kLarge;
  plain.expand = false;
  CHECK(fused_row_tiles(module(plain, root), "cortex-a53") == 2);
  // Small ones stay near anyway.
  Chain small = kLarge;
  small.height = 16;
  CHECK(fused_row_tiles(module(small, " ROOT r = " + result_of(small) + " negate(p)\n"),
                        "cortex-a53") == 0);
  CHECK(fused_row_tiles(module(small, " ROOT r = " + result_of(small) + " negate(p)\n"),
                        "cortex-a53", {.row_strips = true}) == 3);
  // What others read too has to be in memory.
  const std::string e = "f32" + dims({1, 64, 60, 32});
  CHECK(fused_row_tiles(
            module(kLarge, " ROOT r = (" + result_of(kLarge) + ", " + e + ") tuple(p, e)\n"),
            "cortex-a53") == 2);
  CHECK(fused_row_tiles(
            module(kLarge, " ROOT r = (" + result_of(kLarge) + ", " + e + ") tuple(p, d)\n"),
            "cortex-a53") == 0);
  // Padding beyond what the next rows bring.
  Chain wide = kLarge;
  wide.stride = 2, wide.low = 2;
  CHECK(fused_row_tiles(module(wide, " ROOT r = " + result_of(wide) + " negate(p)\n"),
                        "cortex-a53") == 0);
}

}  // namespace hlocc::tests
