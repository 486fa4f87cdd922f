// See hexagon_stack.h. A jump out of a function counts as a call, whose frame it may have left.
#include "driver/doctor/hexagon_stack.h"

#include <algorithm>
#include <map>

#include "driver/doctor/hexagon_packets.h"

namespace hlocc::driver {
namespace {

class Walk {
 public:
  explicit Walk(const ElfFacts& firmware) : firmware_(firmware) {
    for (const ElfSymbol& symbol : firmware.symbols)
      if (symbol.is_function && symbol.is_defined && symbol.section >= 0)
        functions_[symbol.address] = &symbol;
  }

  std::optional<int64_t> depth(uint64_t address) {
    const auto known = depths_.find(address);
    if (known != depths_.end()) return known->second;
    depths_[address] = std::nullopt;  // what calls itself is not known
    const auto function = functions_.find(address);
    if (function == functions_.end() || calls_ == kMostCalls) return std::nullopt;
    ++calls_;
    const std::optional<int64_t> found = depth(*function->second);
    --calls_;
    return depths_[address] = found;
  }

 private:
  // Functions in assembler may have no size: they end where the next one begins.
  uint64_t end_of(const ElfSymbol& function) const {
    const ElfSection& section = firmware_.sections[function.section];
    const auto next = functions_.upper_bound(function.address);
    const uint64_t limit = section.address + section.content.size(),
                   end = function.bytes > 0         ? function.address + function.bytes
                         : next != functions_.end() ? next->first
                                                    : limit;
    return std::min(end, limit);
  }

  std::optional<int64_t> depth(const ElfSymbol& function) {
    const ElfSection& section = firmware_.sections[function.section];
    if (!section.holds(function.address)) return std::nullopt;
    const uint64_t end = end_of(function);
    StackEffect own;
    int64_t deepest = 0;
    for (uint64_t at = function.address; at + 4 <= end;) {
      const HexagonPacket packet = packet_at(section.content, at - section.address);
      for (const HexagonInstruction& instruction : packet.instructions) {
        const StackEffect effect = stack_effect(instruction);
        own.frame = std::max(own.frame, effect.frame);
        own.taken = std::max(own.taken, effect.taken);
        own.alignment = std::max(own.alignment, effect.alignment);
        if (effect.unknown) return std::nullopt;
        const std::optional<int64_t> below = below_of(instruction, at, function.address, end);
        if (!below) return std::nullopt;
        deepest = std::max(deepest, *below);
      }
      at += packet.bytes;
    }
    return own.frame + own.taken + own.alignment + deepest;
  }

  // What the instruction's call takes; 0 where it calls nothing.
  std::optional<int64_t> below_of(const HexagonInstruction& instruction, uint64_t packet,
                                  uint64_t begin, uint64_t end) {
    const HexagonFlow flow = flow_of(instruction);
    if (flow == HexagonFlow::kIndirect) return std::nullopt;
    if (flow != HexagonFlow::kCall && flow != HexagonFlow::kJump) return 0;
    const uint64_t target = branch_target(instruction, packet);
    const bool stays = flow == HexagonFlow::kJump && target >= begin && target < end;
    return stays ? 0 : depth(target);
  }

  // No program nests so many; a file that was made up might.
  static constexpr int kMostCalls = 1000;

  const ElfFacts& firmware_;
  int calls_ = 0;
  std::map<uint64_t, const ElfSymbol*> functions_;
  std::map<uint64_t, std::optional<int64_t>> depths_;
};

}  // namespace

std::optional<int64_t> stack_depth(const ElfFacts& firmware, const ElfSymbol& function) {
  return Walk(firmware).depth(function.address);
}

}  // namespace hlocc::driver
