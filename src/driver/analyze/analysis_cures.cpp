// What would lower RAM and flash, one function a cure: each looks at the facts and says a sentence
// or nothing, so that what is advised is always still possible.
#include <algorithm>
#include <set>

#include "driver/analyze/analysis.h"
#include "kernel/palettes/palette.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

struct Facts {
  const Analysis& found;
  const planning::Plan& plan;
  const Target& target;
};

bool is_float(const Facts& facts, const AliveValue& value) {
  return facts.plan.values[static_cast<size_t>(value.id)].element == kernel::Scalar::kF32;
}

std::string keep_arguments(const Facts& facts) {
  if (!facts.target.options.keep_arguments) return "";
  int64_t bytes = 0;
  for (const AliveValue* value : facts.found.at_peak())
    if (value->is_argument) bytes += value->bytes;
  return bytes == 0 ? ""
                    : cat("leave --keep-arguments away: ", bytes,
                          " bytes of arguments are alive at the peak");
}

// The largest value of the peak, where the bytes beside it show that it alone makes the peak.
std::string largest_value(const Facts& facts) {
  const std::vector<const AliveValue*> most = facts.found.at_peak();
  // An argument is as large as it is.
  if (most.empty() || most[0]->is_argument || facts.found.layers.size() < 2) return "";
  const int64_t peak = facts.found.layers[static_cast<size_t>(facts.found.peak)].alive_bytes;
  if (facts.found.next_peak_bytes >= peak) return "";
  return cat("a smaller ", most[0]->name, " (", most[0]->bytes,
             " bytes: fewer channels, or a larger stride before it) lowers the peak by up to ",
             peak - facts.found.next_peak_bytes, " bytes");
}

std::string quantize_values(const Facts& facts) {
  int64_t bytes = 0;
  for (const AliveValue* value : facts.found.at_peak())
    if (is_float(facts, *value)) bytes += value->bytes;
  const int64_t peak = facts.found.peak < 0
                           ? 0
                           : facts.found.layers[static_cast<size_t>(facts.found.peak)].alive_bytes;
  return peak == 0 || bytes < peak / 2
             ? ""
             : "an int8 model holds the float values of the peak in a quarter of their bytes";
}

std::string packing_gap(const Facts& facts) {
  const int64_t gap = facts.plan.arena_bytes - facts.plan.live_set_bound;
  return gap <= 0 || !facts.plan.pieces.empty()
             ? ""
             : cat(gap, " bytes of the arena are gaps between values (no order packs below ",
                   facts.plan.live_set_bound, ")");
}

std::string level_for_size(const Facts& facts) {
  return facts.target.options.for_size() || facts.found.code_bytes == 0
             ? ""
             : cat("-Os makes less of the ", facts.found.code_bytes, " bytes of code");
}

std::string direct_convolutions(const Facts& facts) {
  int64_t bytes = 0;
  for (const Layer& layer : facts.found.layers)
    if (layer.launch.choice.algorithm == kernel::Algorithm::kWinograd) bytes += layer.weights_bytes;
  return bytes == 0 || !facts.target.options.winograd
             ? ""
             : cat("--no-winograd stores 3x3 weights as they are; their transformed form takes ",
                   bytes, " bytes");
}

std::string quantize_weights(const Facts& facts) {
  int64_t bytes = 0;
  std::set<int64_t> seen;
  for (size_t i = 0; i < facts.plan.values.size(); ++i) {
    const kernel::ProgramValue& value = facts.plan.values[i];
    if (value.role == kernel::ValueRole::kConstant && value.element == kernel::Scalar::kF32 &&
        seen.insert(facts.plan.places[i].offset).second)
      bytes += value.bytes();
  }
  return bytes < 1024 || bytes < facts.found.weights_bytes / 2
             ? ""
             : cat("int8 weights take a quarter of these ", bytes, " bytes of f32");
}

std::string palettes(const Facts& facts) {
  if (facts.target.options.weights_compression != WeightsCompression::kNone) return "";
  constexpr int64_t kFewest = 1024;
  int64_t bytes = 0;
  for (const kernel::ProgramValue& value : facts.plan.values)
    if (value.role == kernel::ValueRole::kConstant && value.bytes() >= kFewest)
      if (const std::optional<kernel::Palette> palette = kernel::palette_of(value))
        bytes += std::max<int64_t>(0, value.bytes() - palette->bytes());
  return bytes == 0 ? ""
                    : cat("leave --weights-compression none away: palettes take up to ", bytes,
                          " bytes off the weights");
}

std::string weights_elsewhere(const Facts& facts) {
  const Options& options = facts.target.options;
  if (facts.found.weights_bytes < 1024 || options.weights_external ||
      !options.weights_section.empty())
    return "";
  return "--weights-section NAME puts the weights into a memory of their own (external flash)";
}

using Cure = std::string (*)(const Facts&);

std::vector<std::string> ask(const std::vector<Cure>& table, const Facts& facts) {
  std::vector<std::string> out;
  for (const Cure cure : table)
    if (std::string sentence = cure(facts); !sentence.empty()) out.push_back(std::move(sentence));
  return out;
}

}  // namespace

std::vector<std::string> cures_of_ram(const Analysis& found, const planning::Plan& plan,
                                      const Target& target) {
  return ask({keep_arguments, largest_value, quantize_values, packing_gap}, {found, plan, target});
}

std::vector<std::string> cures_of_flash(const Analysis& found, const planning::Plan& plan,
                                        const Target& target) {
  return ask({level_for_size, direct_convolutions, quantize_weights, palettes, weights_elsewhere},
             {found, plan, target});
}

}  // namespace hlocc::driver
