// See chips.h.
#include "costs/chips.h"

#include <algorithm>

#include "support/check.h"

namespace hlocc::tests {
namespace {

std::vector<Chip> make_fast_chips() {
  std::vector<Chip> chips;
  for (const char* name :
       {"cortex-m0", "cortex-m4", "cortex-m4f", "cortex-m7", "cortex-m55", "rv32imc", "rv32imafc",
        "rv64gc", "cortex-a53", "riscv64v-linux", "armv7-linux", "s390x-linux"})
    chips.push_back({name, *preset(name)});
  // As a host has.
  Target wide = *preset("cortex-a53");
  wide.vector_bits = 256;
  wide.vector_registers = 16;
  wide.multiply_by_lane = false;
  wide.out_of_order = wide.masked_vectors = true;
  chips.push_back({"wide", wide});
  // The same with one fact turned round, so that each clause of a condition decides somewhere.
  const auto but = [&](const char* name, const auto& change) {
    Target other = wide;
    change(other);
    chips.push_back({name, std::move(other)});
  };
  but("in order", [](Target& t) { t.out_of_order = false; });
  but("without masks", [](Target& t) { t.masked_vectors = false; });
  but("without vectors", [](Target& t) { t.vector_bits = 0; });
  but("without float vectors", [](Target& t) { t.float_vectors = false; });
  but("without FMA", [](Target& t) { t.fma = false; });
  but("without cache", [](Target& t) { t.cache_bytes.clear(); });
  but("lanes multiply", [](Target& t) { t.multiply_by_lane = true; });
  but("scalars multiply", [](Target& t) { t.multiply_by_scalar = true; });
  but("11 registers", [](Target& t) { t.vector_registers = 11; });
  but("12 registers", [](Target& t) { t.vector_registers = 12; });
  but("15 registers", [](Target& t) { t.vector_registers = 15; });
  but("31 registers", [](Target& t) { t.vector_registers = 31; });
  but("20 scalars", [](Target& t) { t.scalar_registers = 20, t.vector_bits = 0; });
  but("21 scalars", [](Target& t) { t.scalar_registers = 21, t.vector_bits = 0; });
  wide.vector_registers = 32;
  wide.vector_bits = 512;
  chips.push_back({"wider", wide});
  // Products of four bytes, which are of any width with one of two extensions.
  wide.isa.add(Isa::kSse2);
  wide.isa.add(Isa::kAvx512Vnni);
  chips.push_back({"fours of 512 bits", wide});
  wide.isa.add(Isa::kAvx512Vl);
  chips.push_back({"fours", wide});
  return chips;
}

}  // namespace

const std::vector<Chip>& fast_chips() {
  static const std::vector<Chip>& chips = *new std::vector<Chip>(make_fast_chips());
  return chips;
}

std::vector<Chip> all_chips() {
  std::vector<Chip> chips = fast_chips();
  for (size_t n = 0; n < fast_chips().size(); ++n) {
    Chip small = fast_chips()[n];
    small.target.options.level = n % 2 == 0 ? Level::kOs : Level::kOz;
    small.name += " small";
    chips.push_back(std::move(small));
  }
  return chips;
}

std::string by_chip(const std::vector<Chip>& chips,
                    const std::function<std::string(const Target&)>& text) {
  std::vector<std::pair<std::string, std::string>> answers;  // and the chips that give them
  for (const Chip& chip : chips) {
    std::string answer = text(chip.target);
    const auto known = std::find_if(answers.begin(), answers.end(),
                                    [&](const auto& other) { return other.first == answer; });
    if (known == answers.end())
      answers.emplace_back(std::move(answer), chip.name);
    else
      known->second += ", " + chip.name;
  }
  std::string all;
  for (const auto& [answer, names] : answers) all += names + ":\n" + answer;
  return all;
}

const Target& chip(const std::string& name) {
  const auto found = std::find_if(fast_chips().begin(), fast_chips().end(),
                                  [&](const Chip& c) { return c.name == name; });
  HLOCC_CHECK(found != fast_chips().end(), "no such chip");
  return found->target;
}

}  // namespace hlocc::tests
