// See analysis.h: joins the launch table, what is alive when, and the sections of the object.
#include "driver/analyze/analysis.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "backends/common/kernel_table.h"
#include "driver/analyze/value_names.h"
#include "kernel/instance.h"
#include "planning/alive.h"
#include "planning/timed_steps.h"

namespace hlocc::driver {
namespace {

using planning::Alive;
using planning::AliveStep;

// Bytes of code by row of the table, as the sections of the object say; each function has one of
// its own.
std::vector<int64_t> code_of_kernels(const backends::KernelTable& table,
                                     const Artifacts& artifacts) {
  std::vector<int64_t> bytes;
  for (const backends::EmittedKernel& one : table.emitted) {
    const auto section = artifacts.sections.find(".text." + one.symbol);
    bytes.push_back(section == artifacts.sections.end() ? 0 : section->second);
  }
  return bytes;
}

void add_flash(const backends::Library& library, size_t unit, const Artifacts& artifacts,
               std::vector<Layer>& layers) {
  const backends::KernelTable table = backends::table_of_kernels(library);
  const std::vector<int64_t> code = code_of_kernels(table, artifacts);
  const planning::Plan& plan = *library.units[unit].plan;
  std::set<int> seen_code;
  std::set<int64_t> seen_weights;
  for (Layer& layer : layers) {
    const auto* launch = std::get_if<kernel::Launch>(&layer.launch.step->what);
    if (launch == nullptr) continue;
    const int row = table.of_unit[unit][static_cast<size_t>(launch->kernel)];
    if (seen_code.insert(row).second) layer.flash_bytes += code[static_cast<size_t>(row)];
    std::set<int64_t> own;
    for (const kernel::ProgramValueId operand : launch->operands) {
      const planning::Place& place = plan.places[static_cast<size_t>(operand)];
      if (place.region != planning::Region::kConstant || !own.insert(place.offset).second) continue;
      layer.weights_bytes += place.bytes;
      if (seen_weights.insert(place.offset).second) layer.flash_bytes += place.bytes;
    }
  }
}

// Every stretch of layers in which a value is alive.
std::vector<AliveValue> values_of(const kernel::Program& program, const planning::Plan& plan,
                                  const Alive& alive) {
  const std::vector<std::string> names = value_names(program, plan);
  std::vector<bool> is_layer;
  for (const AliveStep& one : alive.steps) is_layer.push_back(takes_time(*one.step, plan));
  std::vector<AliveValue> out;
  for (const planning::AliveStretch& stretch : in_layers(alive.stretches, is_layer)) {
    const auto id = static_cast<size_t>(stretch.value);
    const kernel::ProgramValue& value = plan.values[id];
    out.push_back({names[id], value.name, stretch.value, value.role == kernel::ValueRole::kArgument,
                   plan.places[id].offset, plan.places[id].bytes, stretch.first, stretch.last});
  }
  std::ranges::sort(out, {}, [](const AliveValue& value) {
    return std::tuple(value.first, -value.bytes, value.id);
  });
  return out;
}

// What a firmware's flash gets of an object; the rest is for linkers and debuggers.
bool is_in_flash(std::string_view section) {
  for (std::string_view family : {".text", ".rodata", ".data", ".srodata", ".sdata", ".lrodata",
                                  ".ARM.exidx", ".ARM.extab", ".eh_frame"})
    if (section.starts_with(family)) return true;
  return false;
}

void add_sections(const backends::Library& library, const Artifacts& artifacts,
                  const Target& target, Analysis& out) {
  const std::string weights = backends::elf_weights_section(library, target);
  out.has_code = !artifacts.sections.empty();
  out.code_bytes = artifacts.code_bytes;
  out.weights_bytes = artifacts.weights_bytes;
  if (!out.has_code) return;  // the user's compiler names the sections
  if (out.code_bytes > 0) out.sections.push_back({".text", out.code_bytes});
  if (out.weights_bytes > 0) out.sections.push_back({weights, out.weights_bytes});
  for (const auto& [name, bytes] : artifacts.sections) {
    if (name == weights || name.starts_with(".text") || !is_in_flash(name)) continue;
    out.sections.push_back({name, bytes});
    out.table_bytes += bytes;
  }
}

}  // namespace

void add_totals(Analysis& out) {
  for (size_t i = 0; i < out.layers.size(); ++i) {
    const Layer& layer = out.layers[i];
    out.palette_layers += layer.palette_bits > 0 ? 1 : 0;
    out.palette_bytes_saved += layer.palette_bytes_saved;
    out.palette_cycles_added += layer.palette_cycles_added;
    out.cycles += layer.launch.times() * layer.launch.cycles;
    out.products += layer.launch.times() * layer.launch.products;
    out.layers_in_loops += layer.launch.runs ? 0 : 1;
    if (out.peak < 0 || layer.alive_bytes > out.layers[static_cast<size_t>(out.peak)].alive_bytes)
      out.peak = static_cast<int>(i);
  }
  const std::vector<const AliveValue*> most = out.at_peak();
  for (size_t i = 0; i < out.layers.size() && !most.empty(); ++i) {
    const int at = static_cast<int>(i);
    if (at < most[0]->first || at > most[0]->last)
      out.next_peak_bytes = std::max(out.next_peak_bytes, out.layers[i].alive_bytes);
  }
}

std::vector<const AliveValue*> Analysis::at_peak() const {
  std::vector<const AliveValue*> out;
  for (const AliveValue& value : values)
    if (peak >= value.first && peak <= value.last) out.push_back(&value);
  std::ranges::stable_sort(
      out, [](const AliveValue* a, const AliveValue* b) { return a->bytes > b->bytes; });
  return out;
}

FlashBytes flash_of(const kernel::Program& program, const planning::Plan& plan,
                    const Artifacts& artifacts, const Target& target) {
  Analysis found;
  add_sections(backends::library_of(program, plan), artifacts, target, found);
  return {found.weights_bytes, found.code_bytes, found.table_bytes};
}

Analysis analyse(const kernel::Program& program, const planning::Plan& plan,
                 const Artifacts& artifacts, const Target& target) {
  return analyse(backends::library_of(program, plan), 0, artifacts, target);
}

Analysis analyse(const backends::Library& library, size_t unit, const Artifacts& artifacts,
                 const Target& target) {
  const kernel::Program& program = *library.units[unit].program;
  const planning::Plan& plan = *library.units[unit].plan;
  Analysis out;
  out.target = target.name;
  out.class_name = program.signature.class_name;
  const Alive alive = planning::find_alive(program, plan, target);
  out.layers = layers_of(program, plan, alive, target);
  add_flash(library, unit, artifacts, out.layers);
  out.values = values_of(program, plan, alive);
  out.graph = layer_graph(program, plan, out.layers);
  out.arena_bytes = std::max<int64_t>(1, plan.arena_bytes);
  out.live_set_bound = plan.live_set_bound;
  out.proof = prove_arena(program, plan, target);
  out.memories = plan.pieces;
  out.kept = plan.kept;
  out.waits = plan.waits;
  out.waits_in_last = plan.waits_in_last;
  out.instance_bytes =
      kernel::instance_layout(program.signature, plan.state_bytes, target.pointer_bits).bytes();
  out.stack_bytes = artifacts.stack_bytes;
  out.stack_is_lower_bound = artifacts.stack_is_lower_bound;
  out.chip_ram = target.ram_bytes;
  out.chip_flash = target.flash_bytes;
  add_sections(library, artifacts, target, out);
  add_totals(out);
  out.ram_cures = cures_of_ram(out, plan, target);
  out.flash_cures = cures_of_flash(out, plan, target);
  return out;
}

Analysis total_of(const std::vector<Analysis>& models) {
  Analysis out = *std::ranges::max_element(models, {}, &Analysis::arena_bytes);
  out.instance_bytes = 0;
  for (const Analysis& one : models) out.instance_bytes += one.instance_bytes;
  return out;
}

}  // namespace hlocc::driver
