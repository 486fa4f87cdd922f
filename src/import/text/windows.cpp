// See windows.h.
#include "import/text/windows.h"

#include <charconv>
#include <optional>

#include "import/text/list.h"
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

// Numbers of several digits stand side by side, "b0123456789101112f": with more than ten, those
// from ten on have two. Each is there once, so that mostly one reading is left; the first in order
// is taken.
class SpatialLabels {
 public:
  explicit SpatialLabels(std::string_view labels) : labels_(labels) {
    size_t digits = 0;
    for (const char label : labels) digits += is_digit(label);
    count_ = digits <= 10 ? digits : 10 + (digits - 10) / 2;
    taken_.resize(count_);
  }
  size_t count() const { return count_; }
  // The length of each label, letters and numbers; none where no reading is sound.
  std::optional<std::vector<size_t>> lengths() {
    if (!read(0)) return std::nullopt;
    return lengths_;
  }

 private:
  bool read(size_t at) {
    if (at == labels_.size()) return true;
    if (++steps_ > 10000) return false;
    if (!is_digit(labels_[at])) return take(at, 1);
    size_t number = 0;
    for (size_t length = 1; length <= 2 && at + length <= labels_.size(); ++length) {
      const char digit = labels_[at + length - 1];
      if (!is_digit(digit)) break;
      number = 10 * number + static_cast<size_t>(digit - '0');
      if (number >= count_ || taken_[number] || (length == 2 && number < 10)) continue;
      taken_[number] = true;
      if (take(at, length)) return true;
      taken_[number] = false;
    }
    return false;
  }
  bool take(size_t at, size_t length) {
    lengths_.push_back(length);
    if (read(at + length)) return true;
    lengths_.pop_back();
    return false;
  }

  std::string_view labels_;
  size_t count_ = 0;
  int steps_ = 0;
  std::vector<bool> taken_;
  std::vector<size_t> lengths_;
};

// Labels of one array: the dimensions of the two letters, and of the numbers in their order. '?' is
// a dimension without a role.
bool set_labels(std::string_view labels, char first_label, int64_t& first, char second_label,
                int64_t& second, Dimensions& spatial) {
  SpatialLabels numbers(labels);
  first = second = -1;
  spatial.assign(numbers.count(), -1);
  const std::optional<std::vector<size_t>> lengths = numbers.lengths();
  if (!lengths) return false;
  int64_t dimension = 0;
  for (const size_t length : *lengths) {
    const std::string_view label = labels.substr(0, length);
    labels.remove_prefix(length);
    int64_t* place = nullptr;
    if (is_digit(label[0])) {
      size_t number = 0;
      std::from_chars(label.data(), label.data() + label.size(), number);
      place = &spatial[number];
    } else if (label[0] == first_label || label[0] == second_label) {
      place = label[0] == first_label ? &first : &second;
    }
    const bool sound = label[0] == '?' || (place != nullptr && *place < 0);
    if (!sound) return false;
    if (place != nullptr) *place = dimension;
    ++dimension;
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
