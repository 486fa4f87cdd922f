// See text_windows.h.
#include "import/text_windows.h"

#include <charconv>

#include "import/text_list.h"
#include "support/text.h"

namespace hlocc::import {

using hlo::Dimensions;

namespace {

// Numbers with one character between them: "3x3".
Result<Dimensions> split_numbers(TextCursor& cursor, std::string_view text, char separator) {
  Dimensions numbers;
  for (const std::string& part : split(text, separator)) {
    int64_t number = 0;
    const auto [end, failure] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (failure != std::errc() || end != part.data() + part.size())
      return cursor.fail(DiagnosticKind::kSyntax, cat("'", text, "' is no list of numbers"));
    numbers.push_back(number);
  }
  return numbers;
}

// size=3x3, stride=2x2, pad=0_1x0_1, ...
Status set_window_part(TextCursor& cursor, std::string_view part, std::string_view text,
                       hlo::Window& window) {
  using D = hlo::WindowDimension;
  struct Row {
    std::string_view name;
    int64_t D::*member;
  };
  static constexpr Row rows[] = {{"size", &D::size},
                                 {"stride", &D::stride},
                                 {"lhs_dilate", &D::base_dilation},
                                 {"rhs_dilate", &D::window_dilation}};
  const std::vector<std::string> parts = split(text, 'x');
  if (window.dimensions.empty()) window.dimensions.resize(parts.size());
  if (window.dimensions.size() != parts.size())
    return cursor.fail(DiagnosticKind::kAttribute,
                       cat("window ", part, "=", text, " has another number of dimensions"));
  for (size_t i = 0; i < parts.size(); ++i) {
    HLOCC_TRY_ASSIGN(const Dimensions numbers, split_numbers(cursor, parts[i], '_'));
    hlo::WindowDimension& d = window.dimensions[i];
    if (part == "pad" && numbers.size() == 2) {
      d.padding_low = numbers[0], d.padding_high = numbers[1];
      continue;
    }
    if (numbers.size() != 1 || part == "pad")
      return cursor.fail(DiagnosticKind::kSyntax, cat("window ", part, "=", text, " is malformed"));
    if (part == "rhs_reversal") d.window_reversal = numbers[0] != 0;
    for (const Row& row : rows)
      if (row.name == part) d.*row.member = numbers[0];
  }
  return {};
}

// Labels of one array: the dimensions of the two letters, and of the digits in their order. '?' is
// a dimension without a role.
bool set_labels(std::string_view labels, char first_label, int64_t& first, char second_label,
                int64_t& second, Dimensions& spatial) {
  size_t known = 0;
  first = second = -1;
  for (char label : labels) known += label >= '0' && label <= '9';
  spatial.assign(known, -1);
  for (size_t i = 0; i < labels.size(); ++i) {
    const char label = labels[i];
    if (label == '?') continue;
    const size_t digit = static_cast<size_t>(label - '0');
    int64_t* place = label == first_label    ? &first
                     : label == second_label ? &second
                     : digit < known         ? &spatial[digit]
                                             : nullptr;
    if (place == nullptr || *place >= 0) return false;
    *place = static_cast<int64_t>(i);
  }
  return first >= 0 && second >= 0;
}

}  // namespace

Status parse_value(TextCursor& cursor, std::vector<hlo::PaddingDimension>& pads) {
  const std::string_view text = cursor.raw();
  if (text.empty()) return {};
  for (const std::string& dimension : split(text, 'x')) {
    HLOCC_TRY_ASSIGN(const Dimensions numbers, split_numbers(cursor, dimension, '_'));
    if (numbers.size() != 2 && numbers.size() != 3)
      return cursor.fail(DiagnosticKind::kSyntax,
                         cat("'", text, "' is no padding: it takes low_high or low_high_interior"));
    pads.push_back({numbers[0], numbers[1], numbers.size() == 3 ? numbers[2] : 0});
  }
  return {};
}

Status parse_value(TextCursor& cursor, hlo::Window& window) {
  static constexpr std::string_view parts[] = {"size",       "stride",     "pad",
                                               "lhs_dilate", "rhs_dilate", "rhs_reversal"};
  return parse_list(cursor, [&]() -> Status {
    const std::string part(cursor.word());
    if (!ops::find_name(parts, part)) return cursor.expected(cat("one of ", join(parts, ", ")));
    HLOCC_TRY(cursor.expect("="));
    return set_window_part(cursor, part, cursor.raw(), window);
  });
}

Status parse_value(TextCursor& cursor, ops::DimLabels dim_labels) {
  hlo::ConvolutionAttributes& a = dim_labels.convolution;
  const std::string_view text = cursor.raw();
  const size_t bar = text.find('_'), arrow = text.find("->");
  const bool sound =
      bar != std::string_view::npos && arrow != std::string_view::npos && bar < arrow &&
      set_labels(text.substr(0, bar), 'b', a.input_batch, 'f', a.input_feature, a.input_spatial) &&
      set_labels(text.substr(bar + 1, arrow - bar - 1), 'i', a.kernel_input_feature, 'o',
                 a.kernel_output_feature, a.kernel_spatial) &&
      set_labels(text.substr(arrow + 2), 'b', a.output_batch, 'f', a.output_feature,
                 a.output_spatial);
  if (sound) return {};
  return cursor.fail(DiagnosticKind::kAttribute,
                     cat("'", text, "' are no dimension labels like b01f_01io->b01f"));
}

}  // namespace hlocc::import
