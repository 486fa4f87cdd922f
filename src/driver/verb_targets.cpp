// `hlocc targets [NAME]`: the presets, one a line, or everything that is known of one.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "driver/targets.h"
#include "driver/verbs.h"
#include "package/facts_json.h"
#include "support/text.h"

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
  out["dear_flash"] = t.dear_flash;
  out["dear_ram"] = t.dear_ram;
  out["load_reach"] = t.load_reach;
  out["ram_bytes"] = t.ram_bytes;
  out["flash_bytes"] = t.flash_bytes;
  out["may_stay_undefined"] = t.helper_symbols;
  if (!t.assumed.empty()) out["assumed"] = t.assumed;
  return out;
}

void print_row(const Target& t) {
  const std::string vectors =
      t.vector_bits == 0 ? "no vectors" : cat(t.vector_bits, "-bit vectors");
  std::printf("%-15s %-32s %-14s %-12s %s%s\n", t.name.c_str(), t.triple.c_str(), t.cpu.c_str(),
              t.bare_metal       ? "bare metal"
              : t.name == "host" ? "this machine"
                                 : "Linux",
              vectors.c_str(), t.f32_unit ? "" : ", soft float");
}

}  // namespace

Result<int> verb_targets(const CommandLine& line) {
  ordered_json all = ordered_json::array();
  const std::vector<std::string> names =
      line.name.empty() ? preset_names() : std::vector<std::string>{line.name};
  for (const std::string& name : names) {
    HLOCC_TRY_ASSIGN(const Target target, find_target(name));
    if (line.json) {
      all.push_back(describe(target));
    } else if (line.name.empty()) {
      print_row(target);
    } else {
      const ordered_json facts = describe(target);
      for (const auto& [key, value] : facts.items())
        std::printf("%-19s %s\n", key.c_str(),
                    value.is_string() ? value.get<std::string>().c_str() : value.dump().c_str());
    }
  }
  if (line.json) std::printf("%s\n", (line.name.empty() ? all : all[0]).dump(2).c_str());
  return 0;
}

}  // namespace hlocc::driver
