// See chips.h.
#include "target/chips.h"

#include <algorithm>

namespace hlocc {
namespace {

std::vector<Chip> make_chips() {
  std::vector<Chip> out;
  std::string_view family;
#define HLOCC_FAMILY(name) family = name;
#define HLOCC_CHIP(name, core, ram, flash, also, memories) \
  out.push_back({family, name, core, int64_t{ram} << 10, int64_t{flash} << 10, also, memories});
#include "target/chips.def"
#undef HLOCC_FAMILY
#undef HLOCC_CHIP
  return out;
}

// "Nucleo_F401RE" -> "nucleo-f401re".
std::string plain(std::string_view name) {
  std::string out(name);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '_' || c == '.' || c == ' ') c = '-';
  }
  return out;
}

bool fits(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*') {
    for (size_t skipped = 0; skipped <= name.size(); ++skipped)
      if (fits(pattern.substr(1), name.substr(skipped))) return true;
    return false;
  }
  return !name.empty() && (pattern[0] == '?' || pattern[0] == name[0]) &&
         fits(pattern.substr(1), name.substr(1));
}

// How many characters of the name the best of the patterns spells out; -1: none fits.
int64_t spelt_out(std::string_view patterns, std::string_view name) {
  int64_t best = -1;
  for (size_t begin = 0; begin < patterns.size();) {
    const size_t end = std::min(patterns.find(' ', begin), patterns.size());
    const std::string_view pattern = patterns.substr(begin, end - begin);
    if (fits(pattern, name))
      best = std::max<int64_t>(
          best, std::ranges::count_if(pattern, [](char c) { return c != '?' && c != '*'; }));
    begin = end + 1;
  }
  return best;
}

}  // namespace

std::span<const Chip> chips() {
  static const std::vector<Chip>& rows = *new std::vector<Chip>(make_chips());
  return rows;
}

std::vector<std::string> chip_names() {
  std::vector<std::string> out;
  for (const Chip& chip : chips()) out.emplace_back(chip.name);
  return out;
}

const Chip* find_chip(std::string_view name) {
  if (name.size() > 64 || preset(name)) return nullptr;
  const std::string wanted = plain(name);
  const Chip* best = nullptr;
  int64_t most = -1;
  for (const Chip& chip : chips()) {
    if (chip.name == wanted) return &chip;
    if (const int64_t found = spelt_out(chip.also, wanted); found > most) {
      best = &chip;
      most = found;
    }
  }
  return best;
}

std::vector<ChipMemory> memories_of(const Chip& chip) {
  std::vector<ChipMemory> out;
#define HLOCC_CHIP_MEMORIES(pattern, fast, fast_size, slow, slow_size) \
  if (fits(pattern, chip.name))                                        \
    out = {{fast, int64_t{fast_size} << 10}, {slow, int64_t{slow_size} << 10}};
#include "target/chip_memories.def"
#undef HLOCC_CHIP_MEMORIES
  return out;
}

Target on_chip(Target core, const Chip& chip) {
  core.name = chip.name;
  core.ram_bytes = chip.ram_bytes;
  core.flash_bytes = chip.flash_bytes;
  return core;
}

std::string_view family_of(const Target& row) {
  if (row.name == "host") return "this machine";
  if (!row.bare_metal) return "Linux";
  if (row.backend == "c") return "bare metal, by C and a compiler of yours";
  if (row.triple.starts_with("thumb")) return "bare metal, Arm";
  return row.triple.starts_with("riscv") ? "bare metal, RISC-V" : "other";
}

}  // namespace hlocc
