// See memories.h.
#include "driver/pipeline/memories.h"

#include <algorithm>

#include "costs/memories.h"
#include "driver/cli/command_values.h"
#include "driver/cli/command_words.h"
#include "driver/pipeline/budgets.h"
#include "package/identifiers.h"
#include "support/number.h"
#include "support/text.h"
#include "target/chips.h"

namespace hlocc::driver {
namespace {

constexpr size_t kMostMemories = 8;

// Names that differ in capitals and underscores alone would be one name in the header.
std::string folded(const std::string& name) {
  std::string out = to_upper(name);
  std::erase(out, '_');
  return out;
}

Result<MemoryOption> parse_memory(const std::string& word) {
  const std::vector<std::string> parts = split(word, ':');
  MemoryOption out;
  if (!parts.empty()) out.name = parts[0];
  if (!is_c_identifier(out.name) || out.name[0] == '_')
    return usage(cat("--memory ", word, ": ", out.name.empty() ? "a memory" : out.name,
                     out.name.empty() ? " needs a name" : " is no name for the header"))
        .note("letters, digits and _, a letter first: fast:64K gives ..._ARENA_FAST_BYTES");
  if (parts.size() > 3) return usage(cat("--memory ", word, ": a memory is NAME:BYTES:WAITS"));
  if (parts.size() > 1) {
    HLOCC_TRY_ASSIGN(out.bytes, parse_bytes(parts[1], "--memory"));
    if (out.bytes == 0) return usage(cat("--memory ", word, ": a memory has a byte at least"));
  }
  if (parts.size() > 2) {
    const std::optional<int64_t> waits = to_integer(parts[2]);
    if (!waits || *waits < 0 || *waits > 1000)
      return usage(cat("--memory ", word, ": waits are cycles from 0 to 1000"));
    out.waits = static_cast<double>(*waits);
  }
  return out;
}

Status check_order(const std::string& text, const std::vector<MemoryOption>& memories) {
  const std::vector<double> waits = costs::waits_of(memories);
  for (size_t i = 1; i < memories.size(); ++i)
    if (waits[i] < waits[i - 1])
      return usage(cat("--memory ", text, ": ", memories[i].name, " is faster than ",
                       memories[i - 1].name, ", which stands before it"))
          .note(
              "the fastest memory is the first, and the last one takes the rest; NAME:BYTES:WAITS "
              "says how many cycles an access waits");
  return {};
}

}  // namespace

Result<std::vector<MemoryOption>> parse_memories(const std::string& text) {
  std::vector<MemoryOption> out;
  for (const std::string& word : split(text, ',')) {
    HLOCC_TRY_ASSIGN(MemoryOption memory, parse_memory(word));
    for (const MemoryOption& other : out)
      if (folded(other.name) == folded(memory.name))
        return usage(cat("--memory ", text, ": two memories are called ", memory.name));
    out.push_back(std::move(memory));
  }
  if (out.size() < 2)
    return usage(cat("--memory ", text, ": that is one memory, and there is nothing to choose"))
        .note("--memory fast:64K,slow:512K; --ram checks what one memory holds");
  if (out.size() > kMostMemories)
    return usage(cat("--memory ", text, ": there are at most ", kMostMemories, " memories"));
  HLOCC_TRY(check_order(text, out));
  return out;
}

Status check_memories(const CommandLine& line) {
  const std::vector<MemoryOption>& memories = line.options.memories;
  const std::string& weights = line.options.weights_memory;
  if (memories.empty()) {
    if (line.given.contains("--weights-in"))
      return usage("--weights-in needs --memory, which says what memories there are")
          .note("hlocc compile MODEL --memory fast:64K,slow:512K --weights-in fast");
    return {};
  }
  if (!line.device.empty() || !line.plugin.empty() || line.backend == "vulkan")
    return usage("--memory and a device beside the target do not go together")
        .note("a device may not reach every memory; without --memory the arena is one");
  if (line.verb == Verb::kVerify && line.targets.empty())
    return usage("--memory needs a --target")
        .note("hlocc verify SNAPSHOT --target cortex-m4f --memory fast:64K,slow:512K");
  if (line.given.contains("--curve"))
    return usage("--curve and --memory do not go together")
        .note("the curve is of RAM in one piece");
  if (!line.given.contains("--weights-in")) return {};
  const auto named = std::ranges::find(memories, weights, &MemoryOption::name);
  if (named == memories.end())
    return usage(cat("--weights-in ", weights, ": --memory has none of that name"))
        .note(cat("its memories are ", memories_text(memories)));
  if (line.compile.shared_arena)
    return usage("--weights-in and --shared-arena do not go together")
        .note("another model would write over the weights; compile the models one by one");
  return {};
}

Status fill_memories(std::vector<MemoryOption>& memories, const Target& target) {
  const Chip* chip = find_chip(target.name);
  const std::vector<ChipMemory> known =
      chip == nullptr ? std::vector<ChipMemory>() : memories_of(*chip);
  for (MemoryOption& memory : memories) {
    const auto found = std::ranges::find(known, std::string_view(memory.name), &ChipMemory::name);
    if (memory.bytes > 0) continue;
    if (found != known.end()) {
      memory.bytes = found->bytes;
      continue;
    }
    std::vector<std::string> names;
    for (const ChipMemory& one : known) names.emplace_back(one.name);
    return usage(cat("--memory ", memory.name, ": it is not known how large that is on ",
                     target.name))
        .note(names.empty() ? cat("--memory ", memory.name, ":64K says it")
                            : cat("the memories of ", chip->name, " are ", join(names, ", ")));
  }
  return {};
}

}  // namespace hlocc::driver
