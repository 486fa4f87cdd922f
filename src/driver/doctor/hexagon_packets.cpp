// See hexagon_packets.h. Encodings are those of the V67 Programmer's Reference Manual.
#include "driver/doctor/hexagon_packets.h"

#include <algorithm>
#include <string_view>

#include "driver/doctor/code_bytes.h"

namespace hlocc::driver {
namespace {

constexpr uint32_t kStackPointer = 29, kFramePointer = 30, kLink = 31;
constexpr size_t kMostWords = 4;

// The two short instructions of a duplex, which lie in bits 12:0 and 28:16, and their groups.
struct Short {
  std::string_view group;
  uint32_t bits;
};
struct Duplex {
  Short low, high;
};

Duplex duplex_of(uint32_t word) {
  struct Groups {
    std::string_view low, high;
  };
  static constexpr Groups rows[16] = {{"L1", "L1"}, {"L2", "L1"}, {"L2", "L2"}, {"A", "A"},
                                      {"L1", "A"},  {"L2", "A"},  {"S1", "A"},  {"S2", "A"},
                                      {"S1", "L1"}, {"S1", "L2"}, {"S1", "S1"}, {"S2", "S1"},
                                      {"S2", "L1"}, {"S2", "L2"}, {"S2", "S2"}, {"", ""}};
  const Groups& row = rows[word >> 29 << 1 | (word >> 13 & 1)];
  return {{row.low, word & 0x1FFF}, {row.high, word >> 16 & 0x1FFF}};
}

bool returns(const Short& half) {
  // dealloc_return and jumpr r31, whatever their condition.
  return half.group == "L2" && (half.bits >> 6 == 0x7D || half.bits >> 6 == 0x7F);
}

int64_t frame_of(const Short& half) {
  const bool allocates = half.group == "S2" && half.bits >> 9 == 0xE;
  return allocates ? 8 * (half.bits >> 4 & 31) + 8 : 0;
}

// A signed constant of so many bits, which counts `unit` bytes unless it is extended.
int64_t constant_of(const HexagonInstruction& instruction, uint32_t field, int bits, int unit) {
  if (instruction.extender) return static_cast<int32_t>(*instruction.extender | (field & 0x3F));
  const uint32_t sign = uint32_t{1} << (bits - 1);
  return (static_cast<int64_t>(field ^ sign) - sign) * unit;
}

struct FlowRow {
  uint32_t mask, bits;
  HexagonFlow flow;
};
constexpr FlowRow kFlows[] = {
    {0xFE000000, 0x5A000000, HexagonFlow::kCall},      // call
    {0xFF000000, 0x5D000000, HexagonFlow::kCall},      // if (p) call
    {0xFE000000, 0x58000000, HexagonFlow::kJump},      // jump
    {0xFF000000, 0x5C000000, HexagonFlow::kJump},      // if (p) jump
    {0xFFE00000, 0x50A00000, HexagonFlow::kIndirect},  // callr
    {0xFFE00000, 0x50C00000, HexagonFlow::kIndirect},  // callrh
    {0xFFC00000, 0x51000000, HexagonFlow::kIndirect},  // if (p) callr
    {0xFFE00000, 0x52800000, HexagonFlow::kIndirect},  // jumpr
    {0xFFE00000, 0x52A00000, HexagonFlow::kIndirect},  // hintjr
    {0xFFE00000, 0x52C00000, HexagonFlow::kIndirect},  // jumprh
    {0xFFC00000, 0x53400000, HexagonFlow::kIndirect},  // if (p) jumpr
    {0xFFE00000, 0x96000000, HexagonFlow::kReturn},    // dealloc_return
};

}  // namespace

HexagonPacket packet_at(const std::string& content, size_t at) {
  HexagonPacket out;
  std::optional<uint32_t> extender;
  for (size_t i = 0; i < kMostWords && at + 4 * i + 4 <= content.size(); ++i) {
    const uint32_t word = word_at(content, at + 4 * i), parse = word >> 14 & 3;
    const bool extends = parse != 0 && word >> 28 == 0;
    if (!extends) out.instructions.push_back({word, extender});
    extender =
        extends ? std::optional((word >> 16 & 0xFFF) << 20 | (word & 0x3FFF) << 6) : std::nullopt;
    out.bytes = 4 * i + 4;
    if (parse == 0 || parse == 3) return out;
  }
  return {4, {}};
}

bool is_vector(const HexagonInstruction& instruction) {
  if (instruction.is_duplex()) return false;
  const uint32_t upper = instruction.word >> 27;
  // Arithmetic; loads, stores, gathers; the word of a vector in a register.
  return upper == 0x03 || upper == 0x05 || (instruction.word & 0xFFE02020) == 0x92000020;
}

bool writes_status(const HexagonInstruction& instruction) {
  constexpr uint32_t kSsr = 6;
  return !instruction.is_duplex() && (instruction.word & 0xFF800000) == 0x67000000 &&
         (instruction.word & 0x7F) == kSsr;
}

StackEffect stack_effect(const HexagonInstruction& instruction) {
  StackEffect out;
  const uint32_t word = instruction.word, to = word & 31, from = word >> 16 & 31;
  if (instruction.is_duplex()) {
    const Duplex both = duplex_of(word);
    out.frame = std::max(frame_of(both.low), frame_of(both.high));
  } else if ((word & 0xFFE03800) == 0xA0800000 && from == kStackPointer) {
    out.frame = 8 * (word & 0x7FF) + 8;
  } else if (const uint32_t group = word >> 28;
             to != kStackPointer || (group != 0x7 && group != 0xB && group != 0xF)) {
    return out;
  } else if (group == 0xB && from == kStackPointer) {
    const uint32_t field = (word >> 21 & 0x7F) << 9 | (word >> 5 & 0x1FF);
    out.taken = std::max<int64_t>(0, -constant_of(instruction, field, 16, 1));
  } else if ((word & 0xFFC00000) == 0x76000000 && from == kStackPointer) {
    // Frames are multiples of eight before, too.
    const uint32_t field = (word >> 21 & 1) << 9 | (word >> 5 & 0x1FF);
    out.alignment = std::max<int64_t>(0, -constant_of(instruction, field, 10, 1) - 8);
  } else {
    const bool restores =
        from == kFramePointer && (group == 0xB || (word & 0xFFE00000) == 0x70600000);
    out.unknown = !restores;
  }
  return out;
}

HexagonFlow flow_of(const HexagonInstruction& instruction) {
  if (instruction.is_duplex()) {
    const Duplex both = duplex_of(instruction.word);
    return returns(both.low) || returns(both.high) ? HexagonFlow::kReturn : HexagonFlow::kNext;
  }
  for (const FlowRow& row : kFlows)
    if ((instruction.word & row.mask) == row.bits) {
      const bool is_jump = instruction.word >> 25 == 0x52 >> 1;
      return is_jump && (instruction.word >> 16 & 31) == kLink ? HexagonFlow::kReturn : row.flow;
    }
  return HexagonFlow::kNext;
}

uint64_t branch_target(const HexagonInstruction& instruction, uint64_t packet_address) {
  const uint32_t word = instruction.word;
  // With a condition there is room for 15 bits, without for 22.
  const bool conditional = word >> 26 == 0x5C >> 2;
  const uint32_t field = conditional ? (word >> 22 & 3) << 13 | (word >> 16 & 31) << 8 |
                                           (word >> 13 & 1) << 7 | (word >> 1 & 0x7F)
                                     : (word >> 16 & 0x1FF) << 13 | (word >> 1 & 0x1FFF);
  return (packet_address +
          static_cast<uint64_t>(constant_of(instruction, field, conditional ? 15 : 22, 4))) &
         0xFFFFFFFF;
}

}  // namespace hlocc::driver
