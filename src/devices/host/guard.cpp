// See guard.h.
#include "devices/host/guard.h"

#include "support/text.h"

namespace hlocc::device {
namespace {

constexpr const char* kFillNames[] = {"zeros", "0xff", "signalling bits"};

std::string buffer_name(int buffer, int arguments) {
  if (buffer == 0) return "the arena";
  if (buffer == 1) return "the instance";
  if (buffer < 2 + arguments) return cat("argument ", buffer - 2);
  return cat("result ", buffer - 2 - arguments);
}

// What of a round differs from the first one.
std::string differs_in(const GuardRound& round) {
  const struct {
    GuardFill fill;
    const char* name;
  } rows[] = {{round.arena, "the arena"},
              {round.instance, "the instance"},
              {round.results, "the results' buffers"},
              {round.around, "what is around the buffers"}};
  std::string out;
  for (const auto& row : rows)
    if (row.fill != GuardFill::kZeros)
      out = cat(row.name, " held ", kFillNames[static_cast<int>(row.fill)], " before");
  return cat(out.empty() ? "all held zeros before" : out,
             round.own ? ", arguments and results in buffers of their own" : "");
}

}  // namespace

std::byte guard_byte(GuardFill fill, size_t i, bool little_endian) {
  // Of f64, of f32 in its last four bytes, and of f16 in its last two.
  constexpr uint64_t kSignalling = 0x7ff400017fa07da0;
  if (fill != GuardFill::kSignalling)
    return fill == GuardFill::kOnes ? std::byte{0xff} : std::byte{0};
  const size_t place = little_endian ? i % 8 : 7 - i % 8;
  return static_cast<std::byte>(kSignalling >> (8 * place) & 0xff);
}

int guard_finding(int buffer, GuardHarm harm) { return 1 + 4 * buffer + static_cast<int>(harm); }

std::string describe_finding(int finding, int arguments) {
  constexpr const char* kHarms[] = {"an access before ", "an access behind ", "a write to "};
  const int number = finding - 1;
  return cat(kHarms[number % 4], buffer_name(number / 4, arguments),
             number % 4 == static_cast<int>(GuardHarm::kChanged) ? ", which is the caller's" : "");
}

std::string judge_guard(std::span<const GuardRecord> records, int arguments) {
  for (size_t i = 0; i < records.size(); ++i) {
    const GuardRecord& record = records[i];
    const std::string when = cat(" (", differs_in(kGuardRounds[i]), ")");
    if (record.finding != 0) return cat(describe_finding(record.finding, arguments), when);
    if (record.status != 0) return cat("run returned ", record.status, when);
    for (size_t leaf = 0; leaf < record.results.size(); ++leaf)
      if (record.results[leaf] != records[0].results[leaf])
        return cat("the bits of result ", leaf, " changed", when);
  }
  return "";
}

}  // namespace hlocc::device
