// See rust_values.h.
#include "driver/packages/rust_values.h"

#include <cstdio>

#include "kernel/instance.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

struct RustType {
  std::string_view c, rust;
  int bytes;
};
constexpr RustType kTypes[] = {
    {"float", "f32", 4},   {"double", "f64", 8},   {"int8_t", "i8", 1},   {"uint8_t", "u8", 1},
    {"int16_t", "i16", 2}, {"uint16_t", "u16", 2}, {"int32_t", "i32", 4}, {"uint32_t", "u32", 4},
    {"int64_t", "i64", 8}, {"uint64_t", "u64", 8}};

const RustType& type_of(const TemplateValues& leaf) {
  for (const RustType& row : kTypes)
    if (leaf["c_type"] == row.c) return row;
  return kTypes[3];
}

// arg_mfcc, result0: as the header calls it.
std::string name_of(const TemplateValues& leaf, bool is_argument) {
  const std::string name = leaf["name"].get<std::string>();
  const char* kind = is_argument ? "arg" : "result";
  return name.empty() ? cat(kind, leaf["index"].get<int64_t>()) : cat(kind, "_", name);
}

void add_leaves(TemplateValues& out, const TemplateValues& leaves, bool is_argument,
                bool has_state) {
  for (const TemplateValues& leaf : leaves) {
    const RustType& type = type_of(leaf);
    const bool in_state = leaf["region"] == "state" && has_state;
    const int64_t index = leaf["index"].get<int64_t>();
    out.push_back({{"is_argument", is_argument},
                   {"number_of", index},
                   {"slot", cat(is_argument ? "arguments" : "results", "[", index, "]")},
                   {"place", in_state ? "in_state" : "in_arena"},
                   {"offset", leaf["offset"]},
                   {"rust_name", name_of(leaf, is_argument)},
                   {"rust_type", type.rust},
                   {"rust_count", leaf["bytes"].get<int64_t>() / type.bytes},
                   {"shape", cat(leaf["type"].get<std::string>(), leaf["shape"].dump())}});
  }
}

std::string rust_array(const std::string& name, const std::vector<std::byte>& bytes) {
  std::string out = cat("#[rustfmt::skip]\nstatic ", name, ": [u8; ", bytes.size(), "] = [");
  for (size_t i = 0; i < bytes.size(); ++i)
    out += cat(i % 32 == 0 ? "\n    " : " ", static_cast<int>(bytes[i]), ",");
  return out + "\n];\n";
}

std::string rust_float(double value) {
  char text[48];
  std::snprintf(text, sizeof text, "%.9e", value);
  return text;
}

std::string check_of(const ResultCheck& check, const std::string& got,
                     const std::string& expected) {
  switch (check.kind) {
    case ResultCheck::Kind::kBytes: return cat("bytes(", got, ") == ", expected);
    case ResultCheck::Kind::kIntegers:
      return cat("beside(bytes(", got, "), &", expected, ", ", check.element_bytes, ", ",
                 check.is_signed, ", ", check.most, ")");
    case ResultCheck::Kind::kF32: break;
  }
  return cat("near(", got, ", &", expected, ", ", rust_float(check.rtol), ", ",
             rust_float(check.atol), ")");
}

}  // namespace

TemplateValues rust_part(const TemplateValues& manifest, int pointer_bits) {
  const kernel::InstanceLayout layout{
      pointer_bits / 8, static_cast<int>(manifest["arguments"].size()),
      static_cast<int>(manifest["results"].size()), manifest["state_bytes"].get<int64_t>()};
  const bool has_state = layout.state_bytes > 0;
  const int64_t padding =
      has_state ? layout.state_offset() - layout.result_slot(layout.results) : 0;
  TemplateValues out = {{"arena_align", manifest["arena_align"]},
                        {"run_symbol", manifest["run_symbol"]},
                        {"argument_count", layout.arguments},
                        {"result_count", layout.results},
                        {"has_padding", padding > 0},
                        {"padding", padding},
                        {"has_state", has_state},
                        {"state_words", (layout.state_bytes + 7) / 8},
                        {"instance_bytes", layout.bytes()},
                        {"initial_state", TemplateValues::array()},
                        {"leaves", TemplateValues::array()}};
  if (manifest.contains("initial_state"))
    for (const TemplateValues& piece : manifest["initial_state"])
      out["initial_state"].push_back(
          {{"offset", piece["offset"]},
           {"bytes", cat(join(piece["bytes"].get<std::vector<int>>(), "u8, "), "u8")},
           {"count", piece["bytes"].size()}});
  add_leaves(out["leaves"], manifest["arguments"], true, has_state);
  add_leaves(out["leaves"], manifest["results"], false, has_state);
  return out;
}

TemplateValues rust_test(const SelftestParts& test, const TemplateValues& manifest) {
  std::string data, inputs, checks;
  for (size_t i = 0; i < test.arguments.size(); ++i) {
    data += rust_array(cat("IN", i), test.arguments[i]);
    inputs += cat("    fill(model.", name_of(manifest["arguments"][i], true), "(), &IN", i, ");\n");
  }
  for (size_t i = 0; i < test.rules.size(); ++i) {
    const size_t result = test.rules[i].result;
    data += rust_array(cat("OUT", result), test.expected[i]);
    checks += cat(
        "\n        && ",
        check_of(test.rules[i], cat("model.", name_of(manifest["results"][result], false), "()"),
                 cat("OUT", result)));
  }
  return {{"rust_data", data}, {"rust_inputs", inputs}, {"rust_checks", checks}};
}

}  // namespace hlocc::driver
