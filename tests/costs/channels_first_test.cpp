// Convolutions with channels first: what just stands outside of each condition, and where they pay.
#include "costs/channels_first.h"

#include <catch2/catch.hpp>

#include "costs/chips.h"
#include "costs/convolution.h"
#include "support/golden.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

using hlo::PrimitiveType;
using hlo::Shape;

// A convolution of planes, [batch, feature, rows, columns] on both sides.
struct Form {
  hlo::ConvolutionAttributes attributes;
  Shape input, filter, output;
  costs::ConvolutionForm form() const { return {attributes, input, filter, output}; }
};

struct FormSize {
  int64_t inputs = 8, outputs = 8, high = 3, wide = 3, rows = 12, columns = 12, groups = 1;
};

Form form(const FormSize& s) {
  Form p;
  p.attributes.window.dimensions = {{.size = s.high}, {.size = s.wide}};
  p.attributes.input_feature = p.attributes.output_feature = 1;
  p.attributes.kernel_input_feature = 1;
  p.attributes.input_spatial = p.attributes.kernel_spatial = p.attributes.output_spatial = {2, 3};
  p.attributes.feature_group_count = s.groups;
  const auto f32 = PrimitiveType::kF32;
  p.input = Shape::array(f32, {1, s.inputs, s.rows + s.high - 1, s.columns + s.wide - 1});
  p.filter = Shape::array(f32, {s.outputs, s.inputs / s.groups, s.high, s.wide});
  p.output = Shape::array(f32, {1, s.outputs, s.rows, s.columns});
  return p;
}

// One change of a convolution that has planes and is served.
struct FormRow {
  const char* what;
  void (*change)(Form&);
  bool has, serves;
};

hlo::WindowDimension& high(Form& p) { return p.attributes.window.dimensions[0]; }
hlo::WindowDimension& wide(Form& p) { return p.attributes.window.dimensions[1]; }

}  // namespace

TEST_CASE("which convolutions have planes, and which are served", "[costs]") {
  const FormRow rows[] = {
      {"as it is", [](Form&) {}, true, true},
      {"input's batch elsewhere", [](Form& p) { p.attributes.input_batch = 1; }, false, false},
      {"input's features last", [](Form& p) { p.attributes.input_feature = 3; }, false, false},
      {"input turned",
       [](Form& p) {
         p.attributes.input_spatial = {3, 2};
       },
       false, false},
      {"output's batch elsewhere", [](Form& p) { p.attributes.output_batch = 1; }, false, false},
      {"output's features last", [](Form& p) { p.attributes.output_feature = 3; }, false, false},
      {"output turned",
       [](Form& p) {
         p.attributes.output_spatial = {3, 2};
       },
       false, false},
      {"groups of the batch", [](Form& p) { p.attributes.batch_group_count = 2; }, false, false},
      {"input's features nowhere", [](Form& p) { p.attributes.input_feature = 0; }, false, false},
      {"output's features nowhere", [](Form& p) { p.attributes.output_feature = 0; }, false, false},
      {"groups of features", [](Form& p) { p.attributes.feature_group_count = 2; }, true, true},
      {"f64 input", [](Form& p) { p.input.element_type = PrimitiveType::kF64; }, false, false},
      {"f16 filter", [](Form& p) { p.filter.element_type = PrimitiveType::kF16; }, false, false},
      {"s32 output", [](Form& p) { p.output.element_type = PrimitiveType::kS32; }, false, false},
      {"no input", [](Form& p) { p.input.dimensions[1] = 0; }, false, false},
      {"no output", [](Form& p) { p.output.dimensions[0] = 0; }, false, false},
      {"sizes of the run",
       [](Form& p) {
         p.input.dynamic = {true, false, false, false};
       },
       false, false},
      {"the largest window", [](Form& p) { high(p).size = wide(p).size = 8; }, true, true},
      {"a larger one, high", [](Form& p) { high(p).size = 9; }, true, false},
      {"a larger one, wide", [](Form& p) { wide(p).size = 9; }, true, false},
      {"holes between inputs", [](Form& p) { high(p).base_dilation = 2; }, true, false},
      {"holes between columns", [](Form& p) { wide(p).base_dilation = 2; }, true, false},
      {"holes in the window", [](Form& p) { high(p).window_dilation = 2; }, true, true},
      {"reversed", [](Form& p) { wide(p).window_reversal = true; }, true, false},
      {"cut", [](Form& p) { high(p).padding_low = -1; }, true, false},
      {"cut at the end", [](Form& p) { high(p).padding_high = -1; }, true, true},
      {"the largest pads", [](Form& p) { high(p).padding_low = wide(p).padding_high = 8; }, true,
       true},
      {"a larger pad before", [](Form& p) { wide(p).padding_low = 9; }, true, false},
      {"a larger pad behind", [](Form& p) { wide(p).padding_high = 9; }, true, false},
      {"every second row", [](Form& p) { high(p).stride = 2; }, true, true},
      {"every second column", [](Form& p) { wide(p).stride = 2; }, true, false},
  };
  for (const FormRow& row : rows) {
    INFO(row.what);
    Form p = form({});
    row.change(p);
    CHECK(costs::is_channels_first(p.form(), chip("wide")) == row.has);
    CHECK(costs::serves_channels_first(p.form(), chip("wide")) == row.serves);
  }
  for (const auto& [name, target] : all_chips()) {
    INFO(name);
    CHECK(costs::is_channels_first(form({}).form(), target) ==
          (target.out_of_order && target.masked_vectors && !target.options.for_size()));
  }
}

TEST_CASE("planes want a known and finite filter, and both sides in memory", "[costs]") {
  const Form p = form({});
  const hlo::Module module;
  const hlo::Literal zeros = hlo::Literal::zeros(p.filter);
  hlo::Literal nans = zeros;
  std::ranges::fill(nans.mutable_bytes(), std::byte{0xff});
  const costs::ConvolutionSite site{.form = p.form(),
                                    .module = module,
                                    .filter = &zeros,
                                    .filter_in_memory = true,
                                    .input_in_memory = true,
                                    .masks_pass = true};
  const auto has_plan = [&](const auto& change) {
    costs::ConvolutionSite changed = site;
    change(changed);
    return costs::ChannelsFirstPlan::of(changed, chip("wide")).has_value();
  };
  using Site = costs::ConvolutionSite;
  CHECK(has_plan([](Site&) {}));
  CHECK_FALSE(has_plan([](Site& s) { s.filter = nullptr; }));
  CHECK_FALSE(has_plan([&](Site& s) { s.filter = &nans; }));
  CHECK_FALSE(has_plan([](Site& s) { s.filter_in_memory = false; }));
  CHECK_FALSE(has_plan([](Site& s) { s.input_in_memory = false; }));
  CHECK_FALSE(has_plan([](Site& s) { s.masks_pass = false; }));
}

TEST_CASE("where planes pay is golden", "[costs]") {
  std::string all;
  const auto line = [&](const std::string& what, void (*change)(Form&), FormSize s) {
    for (const char* name : {"wide", "wider"})
      for (int64_t inputs : {1, 2, 7, 8, 16, 48}) {
        all += cat(what, " ", name, " ", inputs, ": ");
        for (int64_t outputs : {1, 4, 5, 7, 8, 15, 16, 40}) {
          for (int64_t columns : {4, 8, 9, 16, 33}) {
            s.inputs = inputs;
            s.outputs = outputs;
            s.columns = s.rows = columns;
            Form p = form(s);
            change(p);
            all += sign(costs::channels_first_pays(p.form(), chip(name)));
          }
          all += ' ';
        }
        all += '\n';
      }
  };
  const auto none = [](Form&) {};
  line("1x1", none, {.high = 1, .wide = 1});
  line("3x3", none, {});
  line("3x1", none, {.wide = 1});
  line("1x3", none, {.high = 1});
  line("5x3", none, {.high = 5});
  line("3x5", none, {.wide = 5});
  line("5x5", none, {.high = 5, .wide = 5});
  line("2x13", none, {.high = 2, .wide = 13});
  line("3x3 by two", [](Form& p) { high(p).stride = 2; }, {});
  line("3x3 holes between rows", [](Form& p) { high(p).window_dilation = 2; }, {});
  line("3x3 holes between columns", [](Form& p) { wide(p).window_dilation = 2; }, {});
  for (int64_t groups : {2, 8, 16})
    for (int64_t outputs : {8, 16, 64, 80, 160}) {
      all += cat(groups, " groups, ", outputs, ": ");
      for (int64_t inputs : {8, 16, 64, 256})
        for (int64_t columns : {4, 8, 9, 33}) {
          if (inputs < groups || outputs < groups) continue;
          const Form p = form({.inputs = inputs,
                               .outputs = outputs,
                               .rows = columns,
                               .columns = columns,
                               .groups = groups});
          all += sign(costs::channels_first_pays(p.form(), chip("wide")));
          all += sign(costs::channels_first_pays(p.form(), chip("wider")));
        }
      all += '\n';
    }
  check_golden("golden/channels_first.txt", all);
}

TEST_CASE("tiles of planes and products of pixels are golden", "[costs]") {
  const auto text = [](const Target& target) {
    std::string all;
    for (int64_t taps : {1, 9, 27, 28, 29, 64, 128, 129, 256, 257})
      for (int64_t width : {1, 2, 3, 4, 5, 8, 9, 16, 17}) {
        if (taps != 9 && width > 1) continue;
        all += cat("  ", taps, " taps, width ", width, ":");
        for (int64_t outputs : {1, 2, 3, 9, 10, 18, 19, 64}) {
          const costs::ChannelsFirstTile t =
              costs::choose_channels_first_tile(target, taps, outputs, width);
          all += cat(" ", t.height, "x", t.outputs, "x", t.lanes);
        }
        all += '\n';
      }
    all += "  product: ";
    for (int64_t pixels : {1, 4, 7, 8, 9, 15, 16, 17, 49, 196})
      for (int64_t inputs : {1, 4, 32})
        for (int64_t outputs : {1, 4, 12, 64})
          all += sign(costs::product_pays(target, pixels, inputs, outputs));
    return all + '\n';
  };
  std::vector<Chip> chips = all_chips();
  std::erase_if(chips, [](const Chip& c) { return c.target.vector_bits == 0; });
  check_golden("golden/channels_first_tiles.txt", by_chip(chips, text));
}

}  // namespace hlocc::tests
