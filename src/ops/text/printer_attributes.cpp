// One overload of `append_value` for each type of field; the visitor decides whether a field is
// printed at all.
#include "ops/text/printer_attributes.h"

#include <algorithm>
#include <charconv>

#include "ops/text/printer.h"
#include "ops/text/printer_fields.h"
#include "support/text.h"

namespace hlocc::ops {
namespace {
using hlo::Dimensions;

void append_list(std::string& out, const Dimensions& values) {
  out += cat("{", join(values, ","), "}");
}

void append_value(std::string& out, int64_t value) { append_text(out, value); }
void append_value(std::string& out, int value) { append_text(out, value); }
void append_value(std::string& out, bool value) { append_text(out, value); }
template <std::floating_point T>
void append_value(std::string& out, T value) {
  char buffer[64];
  out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}
void append_value(std::string& out, const std::string& text) { out += quoted(text); }
void append_value(std::string& out, const Word& word) { out += word.value; }
void append_value(std::string& out, const Dimensions& values) { append_list(out, values); }
void append_value(std::string& out, const ListOfOne& one) { out += cat("{", one.value, "}"); }
void append_value(std::string& out, const Named& named) {
  const bool known = named.value >= 0 && named.value < static_cast<int>(named.names.size());
  out += known ? std::string(named.names[named.value]) : std::to_string(named.value);
}
void append_value(std::string& out, const PrecisionList& list) {
  std::vector<std::string_view> names;
  for (int value : list.values) names.push_back(kPrecisionNames[std::clamp(value, 0, 2)]);
  out += cat("{", join(names, ","), "}");
}

void append_value(std::string& out, const SliceRanges& ranges) {
  const hlo::SliceAttributes& a = ranges.slice;
  out += '{';
  for (size_t i = 0; i < a.starts.size(); ++i) {
    if (i > 0) out += ", ";
    out += cat("[", a.starts[i], ":", a.limits[i]);
    if (a.strides[i] != 1) out += cat(":", a.strides[i]);
    out += ']';
  }
  out += '}';
}

// 1_1x2_2_0: the interior number stands everywhere or nowhere.
void append_value(std::string& out, const std::vector<hlo::PaddingDimension>& pads) {
  const bool interior =
      std::any_of(pads.begin(), pads.end(), [](const auto& p) { return p.interior != 0; });
  for (size_t i = 0; i < pads.size(); ++i) {
    out += cat(i > 0 ? "x" : "", pads[i].low, "_", pads[i].high);
    if (interior) out += cat("_", pads[i].interior);
  }
}

// " stride=2x2", left out when every dimension has the default.
template <typename Member>
void append_window_part(std::string& out, const hlo::Window& window, std::string_view name,
                        Member member) {
  const auto is_default = [&](const hlo::WindowDimension& d) {
    return d.*member == hlo::WindowDimension().*member;
  };
  if (std::all_of(window.dimensions.begin(), window.dimensions.end(), is_default)) return;
  out += cat(" ", name, "=");
  for (size_t i = 0; i < window.dimensions.size(); ++i)
    out += cat(i > 0 ? "x" : "", static_cast<int64_t>(window.dimensions[i].*member));
}

void append_window_padding(std::string& out, const hlo::Window& window) {
  const auto is_default = [](const hlo::WindowDimension& d) {
    return d.padding_low == 0 && d.padding_high == 0;
  };
  if (std::all_of(window.dimensions.begin(), window.dimensions.end(), is_default)) return;
  out += " pad=";
  for (size_t i = 0; i < window.dimensions.size(); ++i)
    out += cat(i > 0 ? "x" : "", window.dimensions[i].padding_low, "_",
               window.dimensions[i].padding_high);
}

void append_value(std::string& out, const hlo::Window& window) {
  using D = hlo::WindowDimension;
  Dimensions sizes;
  for (const D& d : window.dimensions) sizes.push_back(d.size);
  out += cat("{size=", join(sizes, "x"));
  append_window_part(out, window, "stride", &D::stride);
  append_window_padding(out, window);
  append_window_part(out, window, "lhs_dilate", &D::base_dilation);
  append_window_part(out, window, "rhs_dilate", &D::window_dilation);
  append_window_part(out, window, "rhs_reversal", &D::window_reversal);
  out += '}';
}

// The labels of one of the three arrays: two letters and the spatial digits, each at its dimension.
// Dimensions that no label claims are '?'.
std::string labels(int64_t first, char first_label, int64_t second, char second_label,
                   const Dimensions& spatial) {
  std::vector<std::string> out(spatial.size() + 2, "?");
  const auto put = [&](int64_t dimension, std::string label) {
    if (dimension < 0 || dimension >= 256) return;
    if (dimension >= static_cast<int64_t>(out.size())) out.resize(dimension + 1, "?");
    out[dimension] = std::move(label);
  };
  put(first, {first_label});
  put(second, {second_label});
  for (size_t i = 0; i < spatial.size(); ++i) put(spatial[i], std::to_string(i));
  return join(out, "");
}

void append_value(std::string& out, const DimLabels& dim_labels) {
  const hlo::ConvolutionAttributes& a = dim_labels.convolution;
  out += cat(labels(a.input_batch, 'b', a.input_feature, 'f', a.input_spatial), "_",
             labels(a.kernel_input_feature, 'i', a.kernel_output_feature, 'o', a.kernel_spatial),
             "->", labels(a.output_batch, 'b', a.output_feature, 'f', a.output_spatial));
}

void append_value(std::string& out, const hlo::ResultAccuracyAttributes& a) {
  if (a.atol == 0 && a.rtol == 0 && a.ulps == 0) {
    out += cat("{mode=", kAccuracyModeNames[a.mode != 0], "}");
    return;
  }
  out += "{tolerance={atol=";
  append_value(out, a.atol);
  out += ",rtol=";
  append_value(out, a.rtol);
  out += cat(",ulps=", a.ulps, "}}");
}

void append_value(std::string& out, const std::vector<hlo::Shape>& shapes) {
  std::vector<std::string> texts;
  for (const hlo::Shape& shape : shapes) texts.push_back(to_string(shape));
  out += cat("{", join(texts, ", "), "}");
}

void append_value(std::string& out, const std::vector<std::vector<int64_t>>& groups) {
  out += '{';
  for (size_t i = 0; i < groups.size(); ++i) {
    if (i > 0) out += ',';
    append_list(out, groups[i]);
  }
  out += '}';
}

void append_value(std::string& out, const std::vector<std::pair<int64_t, int64_t>>& pairs) {
  out += '{';
  for (size_t i = 0; i < pairs.size(); ++i)
    out += cat(i > 0 ? "," : "", "{", pairs[i].first, ",", pairs[i].second, "}");
  out += '}';
}

void append_value(std::string& out,
                  const std::vector<hlo::CustomCallAttributes::Aliasing>& aliasing) {
  out += '{';
  for (size_t i = 0; i < aliasing.size(); ++i) {
    if (i > 0) out += ", ";
    append_list(out, aliasing[i].output_index);
    out += cat(": (", aliasing[i].operand, ", ");
    append_list(out, aliasing[i].operand_index);
    out += ')';
  }
  out += '}';
}

bool is_default(const Named& named) { return named.value == 0; }
bool is_default(const PrecisionList& list) {
  return std::all_of(list.values.begin(), list.values.end(), [](int value) { return value == 0; });
}
bool is_default(const Word& word) { return word.value.empty(); }
template <typename T>
bool is_default(const T& field) {
  return field == T{};
}
bool equals(const Named& named, int value) { return named.value == value; }
bool equals(int64_t field, int64_t value) { return field == value; }

struct FieldPrinter {
  std::string& out;
  hlo::Opcode printed_opcode;
  hlo::PrimitiveType first_operand;

  template <typename T>
  void required(std::string_view name, const T& field) {
    out += cat(", ", name, "=");
    append_value(out, field);
  }
  template <typename T>
  void printed(std::string_view name, const T& field) {
    required(name, field);
  }
  template <typename T>
  void optional(std::string_view name, const T& field) {
    if (!is_default(field)) required(name, field);
  }
  template <typename T, typename D>
  void optional(std::string_view name, const T& field, D standard) {
    if (!equals(field, standard)) required(name, field);
  }
  hlo::Opcode opcode() const { return printed_opcode; }
  hlo::ComparisonType comparison_type() const { return default_comparison_type(first_operand); }
};

}  // namespace

void append_attributes(std::string& out, const hlo::Instruction& instruction,
                       hlo::PrimitiveType first_operand) {
  FieldPrinter printer{out, instruction.opcode, first_operand};
  // Fields are visited as variables because the parser sets them; nothing is changed here.
  std::visit(
      [&](const auto& held) {
        visit_fields(const_cast<std::remove_cvref_t<decltype(held)>&>(held), printer);
      },
      instruction.attributes);
}

}  // namespace hlocc::ops
