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

}  // namespace hlocc::driver
