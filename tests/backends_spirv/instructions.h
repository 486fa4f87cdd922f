// The instructions of shaders, for tests that count them.
#pragma once
#include <algorithm>
#include <vector>

#include "backends/spirv/module_writer.h"

namespace hlocc::backends {

// The instructions of a module, each without the word that has its length.
struct Instruction {
  Spv op;
  std::vector<uint32_t> words;
};
inline std::vector<Instruction> instructions_of(const SpirvWords& words) {
  std::vector<Instruction> all;
  for (size_t at = 5; at < words.size(); at += words[at] >> 16)
    all.push_back({static_cast<Spv>(words[at] & 0xffff),
                   {words.begin() + static_cast<ptrdiff_t>(at) + 1,
                    words.begin() + static_cast<ptrdiff_t>(at + (words[at] >> 16))}});
  return all;
}
inline int64_t count(const SpirvWords& words, Spv op) {
  return std::ranges::count_if(instructions_of(words),
                               [&](const Instruction& one) { return one.op == op; });
}

}  // namespace hlocc::backends
