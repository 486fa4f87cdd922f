// See layers.h.
#include "driver/analyze/layers.h"

#include <algorithm>
#include <map>

#include "planning/timed_steps.h"

namespace hlocc::driver {
namespace {

// What a step is called that launches no kernel.
struct NameOfStep {
  std::string operator()(const kernel::Copy&) const { return "copy"; }
  std::string operator()(const kernel::Join&) const { return "copy"; }
  std::string operator()(const kernel::UserCall& call) const { return call.symbol; }
  std::string operator()(const kernel::Transfer&) const { return "transfer"; }
  std::string operator()(const kernel::Submit& submit) const { return submit.part; }
  std::string operator()(const kernel::Wait&) const { return "wait"; }
  template <typename Other>
  std::string operator()(const Other&) const {
    return "";
  }
};

void add_palettes(const kernel::Step& step, Layer& layer) {
  const auto* launch = std::get_if<kernel::Launch>(&step.what);
  if (launch == nullptr) return;
  for (const kernel::PaletteUse& use : launch->palettes) {
    layer.palette_bits = std::max(layer.palette_bits, use.bits);
    layer.palette_bytes_saved += use.bytes_saved;
    layer.palette_cycles_added += use.cycles_added;
  }
}

}  // namespace

std::vector<Layer> layers_of(const kernel::Program& program, const planning::Plan& plan,
                             const planning::Alive& alive, const Target& target) {
  std::map<const kernel::Step*, LaunchRow> launches;
  for (LaunchRow& row : launch_table(program, plan.steps, target))
    launches.emplace(row.step, std::move(row));
  std::vector<Layer> layers;
  for (const planning::AliveStep& one : alive.steps) {
    if (!planning::takes_time(*one.step, plan)) continue;
    Layer layer{.alive_bytes = one.bytes};
    add_palettes(*one.step, layer);
    if (const auto found = launches.find(one.step); found != launches.end()) {
      layer.launch = found->second;
    } else {
      layer.launch.kernel = std::visit(NameOfStep(), one.step->what);
      layer.launch.origin = one.step->origin;
      layer.launch.step = one.step;
      layer.launch.launches = false;
    }
    layers.push_back(std::move(layer));
  }
  return layers;
}

std::vector<planning::AliveStretch> in_layers(std::vector<planning::AliveStretch> stretches,
                                              const std::vector<bool>& is_layer) {
  std::vector<int> layers_before = {0};  // by step
  for (const bool layer : is_layer) layers_before.push_back(layers_before.back() + (layer ? 1 : 0));
  std::ranges::sort(stretches, {}, [](const planning::AliveStretch& stretch) {
    return std::pair(stretch.value, stretch.first);
  });
  std::vector<planning::AliveStretch> out;
  for (const planning::AliveStretch& stretch : stretches) {
    const int first = layers_before[static_cast<size_t>(stretch.first)],
              last = layers_before[static_cast<size_t>(stretch.last) + 1] - 1;
    if (first > last) continue;
    if (!out.empty() && out.back().value == stretch.value && out.back().last == first - 1)
      out.back().last = last;
    else
      out.push_back({stretch.value, first, last});
  }
  return out;
}

}  // namespace hlocc::driver
