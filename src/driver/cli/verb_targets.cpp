// `hlocc targets [NAME]`: presets and chips by families, one a line, or all that is known of one.
#include <nlohmann/json.hpp>

#include "driver/cli/gpu_rows.h"
#include "driver/cli/output.h"
#include "driver/cli/text_table.h"
#include "driver/cli/verbs.h"
#include "driver/pipeline/targets.h"
#include "package/build_lines.h"
#include "package/facts_json.h"
#include "package/json_text.h"
#include "support/text.h"
#include "target/chips.h"

namespace hlocc::driver {
namespace {

using nlohmann::ordered_json;

ordered_json describe(const Target& t) {
  static constexpr const char* styles[] = {"scalar", "simd", "simt"};
  ordered_json out;
  out["name"] = t.name;
  out["triple"] = t.triple;
  out["cpu"] = t.cpu;
  out["features"] = t.features;
  out["abi"] = t.abi;
  out["float_abi"] = package::float_abi_name(t.float_abi);
  out["backend"] = t.backend;
  out["board"] = t.board;
  out["bare_metal"] = t.bare_metal;
  out["byte_order"] = t.byte_order == ByteOrder::kLittle ? "little" : "big";
  out["pointer_bits"] = t.pointer_bits;
  out["style"] = styles[static_cast<int>(t.style)];
  out["vector_bits"] = t.vector_bits;
  out["float_vectors"] = t.float_vectors;
  out["vector_registers"] = t.vector_registers;
  out["scalar_registers"] = t.scalar_registers;
  out["f32_unit"] = t.f32_unit;
  out["f64_unit"] = t.f64_unit;
  out["fma"] = t.fma;
  out["hardware_divide"] = t.hardware_divide;
  ordered_json isa = ordered_json::array();
  for (const IsaInfo& info : kIsaTable)
    if (t.has(info.isa)) isa.push_back(info.name);
  out["isa"] = std::move(isa);
  out["multiply_by_lane"] = t.multiply_by_lane;
  out["multiply_by_scalar"] = t.multiply_by_scalar;
  out["out_of_order"] = t.out_of_order;
  out["dual_issue"] = t.dual_issue;
  out["masked_vectors"] = t.masked_vectors;
  out["cache_bytes"] = t.cache_bytes;
  out["flash_constrained"] = t.flash_constrained;
  out["ram_constrained"] = t.ram_constrained;
  out["load_reach"] = t.load_reach;
  out["ram_bytes"] = t.ram_bytes;
  out["flash_bytes"] = t.flash_bytes;
  out["may_stay_undefined"] = t.helper_symbols;
  if (!t.assumed.empty()) out["assumed"] = t.assumed;
  return out;
}

std::vector<std::string> cells_of(const Target& t) {
  return {"  " + t.name, t.triple, t.cpu, t.vector_bits == 0 ? "none" : cat(t.vector_bits, " bits"),
          t.f64_unit   ? "f32 f64"
          : t.f32_unit ? "f32"
                       : "soft"};
}

// Lines of a family each, under its name.
using Families = std::vector<std::pair<std::string, TextTable>>;

void print_families(const std::string& title, const std::vector<std::string>& heads,
                    const Families& families, size_t first_number, size_t last_number) {
  TextTable all = {heads};
  for (const auto& [name, lines] : families) all.insert(all.end(), lines.begin(), lines.end());
  std::vector<std::string> text = split(to_text(all, first_number, last_number), '\n');
  for (std::string& line : text) line.erase(line.find_last_not_of(' ') + 1);
  print("%s\n%s\n", title.c_str(), text[0].c_str());
  size_t at = 1;
  for (const auto& [name, lines] : families) {
    print("%s\n", name.c_str());
    for (size_t i = 0; i < lines.size(); ++i) print("%s\n", text[at++].c_str());
  }
}

TextTable& lines_of(Families& families, const std::string& name) {
  for (auto& [other, lines] : families)
    if (other == name) return lines;
  return families.emplace_back(name, TextTable()).second;
}

std::string kilobytes(int64_t bytes) { return bytes == 0 ? "-" : cat(bytes >> 10, "K"); }

Status print_all() {
  Families presets, boards;
  for (const std::string& name : preset_names()) {
    HLOCC_TRY_ASSIGN(const Target target, find_target(name));
    lines_of(presets, std::string(family_of(target))).push_back(cells_of(target));
  }
  for (const Chip& chip : chips())
    lines_of(boards, std::string(chip.family))
        .push_back({cat("  ", chip.name), std::string(chip.core), kilobytes(chip.ram_bytes),
                    kilobytes(chip.flash_bytes), std::string(chip.memories)});
  print_families("Presets", {"  name", "triple", "processor", "vectors", "float units"}, presets, 9,
                 9);
  print_families("\nChips and boards, which set a preset, --ram and --flash",
                 {"  name", "preset", "RAM", "flash", ""}, boards, 2, 3);
  print_families("\nGPUs beside them, for --backend vulkan --device NAME",
                 {"  name", "arithmetic", "memory", "group", "shared", ""},
                 {{"Vulkan", gpu_table()}}, 3, 4);
  return {};
}

void print_facts(const ordered_json& facts) {
  for (const auto& [key, value] : facts.items())
    print("%-19s %s\n", key.c_str(),
          value.is_string() ? value.get<std::string>().c_str()
                            : package::json_text(value, true).c_str());
}

// Of one row; false if it is no GPU's name.
bool print_gpu(const CommandLine& line) {
  const Result<const GpuDevice*> gpu = find_gpu(line.name);
  if (!gpu) return false;
  if (line.json)
    print_json(gpu_json(**gpu));
  else
    print_facts(gpu_json(**gpu));
  return true;
}

void add_chip(ordered_json& facts, const Chip& chip) {
  facts["core"] = chip.core;
  facts["family"] = chip.family;
  facts["also"] = split(chip.also, ' ');
  facts["memories"] = chip.memories;
}

}  // namespace

Result<int> verb_targets(const CommandLine& line) {
  if (line.name.empty() && !line.json) {
    HLOCC_TRY(print_all());
    return 0;
  }
  if (print_gpu(line)) return 0;
  ordered_json all = ordered_json::array(), gpus = ordered_json::array();
  for (const GpuDevice& gpu : gpu_devices()) gpus.push_back(gpu_json(gpu));
  std::vector<std::string> names = {line.name};
  if (line.name.empty()) {
    names = preset_names();
    for (std::string& chip : chip_names()) names.push_back(std::move(chip));
  }
  std::string builds;
  for (const std::string& name : names) {
    HLOCC_TRY_ASSIGN(const Target target, find_target(name));
    const std::vector<package::BuildLine> lines = package::build_lines(target, {"", "NAME"});
    all.push_back(describe(target));
    if (line.json)
      all.back()["build"] = package::build_json(lines);
    else
      builds = package::to_text(lines);
    if (const Chip* chip = find_chip(name)) add_chip(all.back(), *chip);
  }
  if (line.json) {
    print_json(line.name.empty() ? ordered_json{{"targets", all}, {"devices", gpus}} : all[0]);
  } else {
    print_facts(all[0]);
    if (!builds.empty()) print("build\n%s", builds.c_str());
  }
  return 0;
}

}  // namespace hlocc::driver
