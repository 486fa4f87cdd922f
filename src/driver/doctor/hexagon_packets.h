// Hexagon's code as packets: up to four words that issue together, of which one may extend the next
// one's constant and the last may be two short instructions (a duplex). Tells what the doctor asks
// of an instruction: whether it is the vector unit's (HVX), what it takes of the stack, and where
// it goes. What it does not know is none of these.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hlocc::driver {

struct HexagonInstruction {
  uint32_t word = 0;
  std::optional<uint32_t> extender;  // the upper 26 bits of its constant, in place
  bool is_duplex() const { return (word >> 14 & 3) == 0; }
};

struct HexagonPacket {
  size_t bytes = 0;  // no packet is longer than 16; of words that end in none one is passed over
  std::vector<HexagonInstruction> instructions;
};

// The packet at `at` of a section's content, of which at least a word is there.
HexagonPacket packet_at(const std::string& content, size_t at);

bool is_vector(const HexagonInstruction& instruction);
// Whether it writes SSR, whose bits XA and XE give a thread the vector unit.
bool writes_status(const HexagonInstruction& instruction);

// What it does to the stack pointer.
struct StackEffect {
  int64_t frame = 0;      // bytes of allocframe, with the two registers that it saves
  int64_t taken = 0;      // bytes by which r29 is lowered otherwise
  int64_t alignment = 0;  // bytes that rounding r29 down may take
  bool unknown = false;   // r29 becomes something that is not known
};
StackEffect stack_effect(const HexagonInstruction& instruction);

enum class HexagonFlow : uint8_t {
  kNext,
  kCall,      // to a known place, always or not
  kJump,      // the same
  kReturn,    // to r31, with dealloc_return or without
  kIndirect,  // to what a register holds: a call, or a jump by a table
};
HexagonFlow flow_of(const HexagonInstruction& instruction);
// Where a call or jump leads, in a packet at that address.
uint64_t branch_target(const HexagonInstruction& instruction, uint64_t packet_address);

}  // namespace hlocc::driver
