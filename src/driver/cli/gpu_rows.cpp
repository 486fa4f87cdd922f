// See gpu_rows.h.
#include "driver/cli/gpu_rows.h"

#include "support/text.h"

namespace hlocc::driver {
namespace {

using nlohmann::ordered_json;

ordered_json controls_json(const FloatControls& controls) {
  return {{"denormals", controls.denormals},
          {"specials", controls.specials},
          {"rounding", controls.rounding}};
}

std::string words_of(std::initializer_list<std::pair<bool, const char*>> facts) {
  std::vector<std::string> words;
  for (const auto& [holds, word] : facts)
    if (holds) words.emplace_back(word);
  return words.empty() ? "-" : join(words, " ");
}

}  // namespace

ordered_json gpu_json(const GpuDevice& gpu) {
  ordered_json out;
  out["name"] = gpu.name;
  out["what"] = gpu.what;
  out["f64"] = gpu.f64;
  out["i64"] = gpu.i64;
  out["storage8"] = gpu.storage8;
  out["storage16"] = gpu.storage16;
  out["exact_division"] = gpu.exact_division;
  out["f32_controls"] = controls_json(gpu.f32_controls);
  out["f64_controls"] = controls_json(gpu.f64_controls);
  out["folds_zeros"] = gpu.folds_zeros;
  out["group"] = gpu.group;
  out["shared_bytes"] = gpu.shared_bytes;
  out["push_words"] = gpu.push_words;
  out["storage_bytes"] = gpu.storage_bytes;
  out["iterations"] = gpu.iterations;
  return out;
}

TextTable gpu_table() {
  TextTable lines;
  for (const GpuDevice& gpu : gpu_devices())
    lines.push_back(
        {cat("  ", gpu.name),
         words_of(
             {{true, "f32"}, {gpu.f64, "f64"}, {gpu.i64, "i64"}, {gpu.exact_division, "exact /"}}),
         words_of({{gpu.storage8, "8"}, {gpu.storage16, "16"}, {true, "32 bits"}}), cat(gpu.group),
         cat(gpu.shared_bytes >> 10, "K"), std::string(gpu.what)});
  return lines;
}

}  // namespace hlocc::driver
