// Contractions, convolutions, and what reduces arrays or windows of them.
#include <algorithm>

#include "import/stablehlo/ops.h"
#include "ops/text/printer_names.h"
#include "support/text.h"

namespace hlocc::import::stablehlo::ops {
namespace {

hlo::PrecisionConfig precision_of(const Op& op) {
  constexpr std::string_view kPrecisions[] = {"DEFAULT", "HIGH", "HIGHEST"};
  hlo::PrecisionConfig out;
  for (const std::string& word : op.attributes.words("precision_config")) {
    const auto found = std::ranges::find(kPrecisions, word);
    if (found == std::end(kPrecisions)) op.attributes.refuse("precision_config", cat("is ", word));
    out.operand_precision.push_back(static_cast<int>(found - kPrecisions));
  }
  return out;
}

// Algorithms by the types that they round operands to and add up in, how many parts an operand is
// split into, and products they need; the name is xla_data.proto's.
struct Algorithm {
  std::string_view left, right, sum;
  int64_t parts, products;
  bool may_be_imprecise;
  std::string_view name;
};
constexpr Algorithm algorithms[] = {
    {"f8E5M2", "f8E5M2", "f32", 1, 1, false, "dot_any_f8_any_f8_f32"},
    {"f8E5M2", "f8E5M2", "f32", 1, 1, true, "dot_any_f8_any_f8_f32_fast_accum"},
    {"f16", "f16", "f16", 1, 1, false, "dot_f16_f16_f16"},
    {"f16", "f16", "f32", 1, 1, false, "dot_f16_f16_f32"},
    {"bf16", "bf16", "bf16", 1, 1, false, "dot_bf16_bf16_bf16"},
    {"bf16", "bf16", "f32", 1, 1, false, "dot_bf16_bf16_f32"},
    {"bf16", "bf16", "f32", 1, 3, false, "dot_bf16_bf16_f32_x3"},
    {"bf16", "bf16", "f32", 1, 6, false, "dot_bf16_bf16_f32_x6"},
    {"bf16", "bf16", "f32", 1, 9, false, "dot_bf16_bf16_f32_x9"},
    {"tf32", "tf32", "f32", 1, 1, false, "dot_tf32_tf32_f32"},
    {"tf32", "tf32", "f32", 1, 3, false, "dot_tf32_tf32_f32_x3"},
    {"f32", "f32", "f32", 1, 1, false, "dot_f32_f32_f32"},
    {"f64", "f64", "f64", 1, 1, false, "dot_f64_f64_f64"},
};

// #stablehlo.dot_algorithm<lhs_precision_type = tf32, ...>
int algorithm_of(const Op& op) {
  if (!op.attributes.has("algorithm")) return 0;
  const Fields fields = op.attributes.fields("algorithm");
  const std::string left = fields.word("lhs_precision_type"),
                    right = fields.word("rhs_precision_type"),
                    sum = fields.word("accumulation_type");
  const int64_t left_parts = fields.integer("lhs_component_count", 1),
                right_parts = fields.integer("rhs_component_count", 1),
                products = fields.integer("num_primitive_operations", 1);
  const bool imprecise = fields.flag("allow_imprecise_accumulation", false);
  fields.finish();
  for (const Algorithm& one : algorithms) {
    if (one.left != left || one.right != right || one.sum != sum || one.parts != left_parts ||
        one.parts != right_parts || one.products != products || one.may_be_imprecise != imprecise)
      continue;
    return *hlocc::ops::find_name(hlocc::ops::kAlgorithmNames, one.name);
  }
  op.attributes.refuse("algorithm", cat("of ", left, ", ", right, " and ", sum, " with ", products,
                                        " products has no equivalent in HLO"));
  return 0;
}

Shape of_type(const Op& op) {
  return Shape::array(op.out().element_type, Dimensions(op.out().dimensions.size(), 1));
}

// Sizes and steps of a window; what is left out is one, or none.
struct WindowLists {
  Dimensions sizes, strides, padding, base_dilations, window_dilations, reversal;
};

hlo::Window window_of(const Op& op, const WindowLists& lists) {
  hlo::Window out;
  const size_t rank = lists.sizes.size();
  const auto fits = [&](const Dimensions& list, size_t each) {
    return list.empty() || list.size() == rank * each;
  };
  if (!fits(lists.strides, 1) || !fits(lists.padding, 2) || !fits(lists.base_dilations, 1) ||
      !fits(lists.window_dilations, 1) || !fits(lists.reversal, 1)) {
    op.fail(DiagnosticKind::kAttribute,
            cat("strides, padding or dilations are not those of ", rank, " dimensions"));
    return out;
  }
  const auto at = [](const Dimensions& list, size_t i, int64_t otherwise) {
    return list.empty() ? otherwise : list[i];
  };
  for (size_t i = 0; i < rank; ++i)
    out.dimensions.push_back({.size = lists.sizes[i],
                              .stride = at(lists.strides, i, 1),
                              .padding_low = at(lists.padding, 2 * i, 0),
                              .padding_high = at(lists.padding, 2 * i + 1, 0),
                              .window_dilation = at(lists.window_dilations, i, 1),
                              .base_dilation = at(lists.base_dilations, i, 1),
                              .window_reversal = at(lists.reversal, i, 0) != 0});
  return out;
}

// One list of [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f].
Status read_labels(TextCursor& cursor, std::string_view first, std::string_view second,
                   int64_t& first_at, int64_t& second_at, Dimensions& spatial) {
  HLOCC_TRY(cursor.expect("["));
  std::vector<int64_t> seen;
  first_at = second_at = -1;
  int64_t at = 0;
  for (; !cursor.accept("]"); ++at) {
    if (cursor.accept_word(first)) {
      first_at = at;
    } else if (cursor.accept_word(second)) {
      second_at = at;
    } else {
      HLOCC_TRY_ASSIGN(const int64_t number, cursor.integer());
      if (number < 0 || number > 64) return cursor.expected("the number of a dimension");
      if (static_cast<int64_t>(spatial.size()) <= number) spatial.resize(number + 1, -1);
      spatial[number] = at;
    }
    cursor.accept(",");
  }
  const bool has_all = first_at >= 0 && second_at >= 0 && at == std::ssize(spatial) + 2 &&
                       std::ranges::find(spatial, -1) == spatial.end();
  return has_all ? Status() : Status(cursor.expected("each label once in front of here"));
}

void read_dimension_numbers(const Op& op, hlo::ConvolutionAttributes& out) {
  TextCursor& cursor = op.attributes.source().cursor;
  op.attributes.read("dimension_numbers", [&]() -> Status {
    const bool is_attribute = cursor.accept("#");
    if (is_attribute) {
      cursor.word();
      HLOCC_TRY(cursor.expect("<"));
    }
    HLOCC_TRY(read_labels(cursor, "b", "f", out.input_batch, out.input_feature, out.input_spatial));
    HLOCC_TRY(cursor.expect("x"));
    HLOCC_TRY(read_labels(cursor, "i", "o", out.kernel_input_feature, out.kernel_output_feature,
                          out.kernel_spatial));
    HLOCC_TRY(cursor.expect("->"));
    HLOCC_TRY(
        read_labels(cursor, "b", "f", out.output_batch, out.output_feature, out.output_spatial));
    return is_attribute ? cursor.expect(">") : Status();
  });
}

// window = {stride = [1], ...} of the pretty form, or five attributes.
WindowLists convolution_window(const Op& op) {
  const auto lists = [](const Fields& from, const char* stride, const char* pad, const char* left,
                        const char* right, const char* reversal) {
    const Dimensions none;
    WindowLists out;
    out.strides = from.integers(stride, none);
    out.padding = from.integers(pad, none);
    out.base_dilations = from.integers(left, none);
    out.window_dilations = from.integers(right, none);
    out.reversal = from.integers(reversal, none);
    return out;
  };
  if (!op.attributes.has("window"))
    return lists(op.attributes, "window_strides", "padding", "lhs_dilation", "rhs_dilation",
                 "window_reversal");
  const Fields window = op.attributes.fields("window");
  WindowLists out = lists(window, "stride", "pad", "lhs_dilate", "rhs_dilate", "reverse");
  window.finish();
  return out;
}

}  // namespace

InstructionId dot(const Op& op) {
  if (!op.has_inputs(2)) return 0;
  hlo::DotAttributes how;
  how.lhs_contracting = {op.rank(0) - 1};
  how.rhs_contracting = {0};
  how.precision = precision_of(op);
  return op.b.add(Opcode::kDot, op.ins(), std::move(how), {}, of_type(op));
}

InstructionId dot_general(const Op& op) {
  hlo::DotAttributes how;
  if (op.attributes.has("dot_dimension_numbers")) {
    const Fields numbers = op.attributes.fields("dot_dimension_numbers");
    how.lhs_contracting = numbers.integers("lhs_contracting_dimensions", Dimensions());
    how.rhs_contracting = numbers.integers("rhs_contracting_dimensions", Dimensions());
    how.lhs_batch = numbers.integers("lhs_batching_dimensions", Dimensions());
    how.rhs_batch = numbers.integers("rhs_batching_dimensions", Dimensions());
    numbers.finish();
  } else {
    std::tie(how.lhs_batch, how.rhs_batch) = op.attributes.pair("batching_dims");
    std::tie(how.lhs_contracting, how.rhs_contracting) = op.attributes.pair("contracting_dims");
  }
  how.precision = precision_of(op);
  how.precision.algorithm = algorithm_of(op);
  return op.b.add(Opcode::kDot, op.ins(), std::move(how), {}, of_type(op));
}

InstructionId convolution(const Op& op) {
  hlo::ConvolutionAttributes how;
  read_dimension_numbers(op, how);
  WindowLists window = convolution_window(op);
  how.feature_group_count = op.attributes.integer("feature_group_count");
  how.batch_group_count = op.attributes.integer("batch_group_count");
  how.precision = precision_of(op);
  if (!op.has_inputs(2)) return 0;
  for (const int64_t at : how.kernel_spatial)
    window.sizes.push_back(at < op.rank(1) ? op.sizes(1)[at] : 1);
  how.window = window_of(op, window);
  return op.b.add(Opcode::kConvolution, op.ins(), std::move(how), {}, of_type(op));
}

InstructionId reduce(const Op& op) {
  return op.b.add(Opcode::kReduce, op.ins(),
                  hlo::DimensionsAttributes{op.attributes.integers("dimensions")},
                  {op.region(0, "reducer")});
}

InstructionId reduce_window(const Op& op) {
  const Dimensions none;
  const WindowLists lists{.sizes = op.attributes.integers("window_dimensions"),
                          .strides = op.attributes.integers("window_strides", none),
                          .padding = op.attributes.integers("padding", none),
                          .base_dilations = op.attributes.integers("base_dilations", none),
                          .window_dilations = op.attributes.integers("window_dilations", none)};
  return op.b.add(Opcode::kReduceWindow, op.ins(), hlo::WindowAttributes{window_of(op, lists)},
                  {op.region(0, "reducer")});
}

InstructionId select_and_scatter(const Op& op) {
  const Dimensions none;
  const WindowLists lists{.sizes = op.attributes.integers("window_dimensions", none),
                          .strides = op.attributes.integers("window_strides", none),
                          .padding = op.attributes.integers("padding", none)};
  const ComputationId choose = op.region(0, "select"), add = op.region(1, "scatter");
  return op.b.add(Opcode::kSelectAndScatter, op.ins(), hlo::WindowAttributes{window_of(op, lists)},
                  {choose, add});
}

InstructionId sort(const Op& op) {
  if (op.inputs() == 0 || op.b.failure()) {
    op.fail(DiagnosticKind::kArity, "has no operands");
    return 0;
  }
  int64_t dimension = op.attributes.integer("dimension", -1);
  if (dimension < 0) dimension += op.rank(0);
  const bool is_stable = op.attributes.flag("is_stable", false);
  return op.b.add(Opcode::kSort, op.ins(), hlo::SortAttributes{dimension, is_stable},
                  {op.region(0, "comparator")});
}

InstructionId map(const Op& op) {
  return op.b.add(Opcode::kMap, op.ins(),
                  hlo::MapAttributes{op.attributes.integers("dimensions"), ""},
                  {op.region(0, "mapped")});
}

}  // namespace hlocc::import::stablehlo::ops
