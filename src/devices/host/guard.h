// What `verify --guard` tries of a program's memory, and what that shows. The program runs several
// times with the same arguments; each time its arena, its instance and the buffers of its results
// hold something else before, as does what stands around them: pages that must not be touched, or
// red zones on boards. Whatever it is, results have the same bits, and nothing around changes. The
// JIT (guarded_run.h) and the programs of ahead-of-time cases (toolchains/boards/board_guard.h)
// take the same rounds and report with the same numbers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hlocc::device {

// What memory holds before a run: zeros, ones, or bits of signalling NaNs.
enum class GuardFill : uint8_t { kZeros, kOnes, kSignalling };

struct GuardRound {
  // Each argument and result that is not donated has a buffer of its own; else all lie in the
  // arena.
  bool own = false;
  // Buffers end where a page ends that may not be touched; else they begin where one ends.
  bool behind = false;
  GuardFill arena, instance, results, around;
};
// One thing differs from the first round at a time, so that what changes the bits has a name.
inline constexpr GuardRound kGuardRounds[] = {
    {false, false, GuardFill::kZeros, GuardFill::kZeros, GuardFill::kZeros, GuardFill::kZeros},
    {false, true, GuardFill::kOnes, GuardFill::kZeros, GuardFill::kZeros, GuardFill::kZeros},
    {true, true, GuardFill::kSignalling, GuardFill::kZeros, GuardFill::kZeros, GuardFill::kZeros},
    {false, false, GuardFill::kZeros, GuardFill::kOnes, GuardFill::kZeros, GuardFill::kZeros},
    {true, false, GuardFill::kZeros, GuardFill::kSignalling, GuardFill::kZeros, GuardFill::kZeros},
    {true, false, GuardFill::kZeros, GuardFill::kZeros, GuardFill::kOnes, GuardFill::kZeros},
    {true, true, GuardFill::kZeros, GuardFill::kZeros, GuardFill::kSignalling, GuardFill::kZeros},
    {false, true, GuardFill::kZeros, GuardFill::kZeros, GuardFill::kZeros, GuardFill::kOnes},
    {true, true, GuardFill::kZeros, GuardFill::kZeros, GuardFill::kZeros, GuardFill::kSignalling},
};

// Byte `i` of memory that holds a fill; numbers of 8 bytes are aligned to 8.
std::byte guard_byte(GuardFill fill, size_t i, bool little_endian);

// Buffers by number: 0 is the arena, 1 the instance, then the arguments, then the results. A
// finding is 0, or 1 + 4 * buffer + what happened to it.
enum class GuardHarm : uint8_t {
  kBefore,   // a write to the bytes before it
  kBehind,   // a write to the bytes behind it
  kChanged,  // an argument's own buffer, which is the caller's, was written to
};
int guard_finding(int buffer, GuardHarm harm);
// In words: "a write behind argument 1".
std::string describe_finding(int finding, int arguments);

// What one round gave.
struct GuardRecord {
  int status = 0, finding = 0;
  std::vector<std::vector<std::byte>> results;  // a leaf each
};

// The first thing that is wrong in the records of all rounds; empty if nothing is.
std::string judge_guard(std::span<const GuardRecord> records, int arguments);

}  // namespace hlocc::device
