// Look-ups in the table of schedules.
#include "hlo/schedule.h"

namespace hlocc::hlo {
namespace {
constexpr std::string_view kNames[] = {
#define HLOCC_SCHEDULE(enumerator, text) text,
#include "hlo/schedules.def"
};
}  // namespace

std::string_view schedule_name(Schedule schedule) { return kNames[static_cast<int>(schedule)]; }

std::optional<Schedule> schedule_from_name(std::string_view name) {
  uint8_t at = 0;
  for (std::string_view known : kNames) {
    if (known == name) return static_cast<Schedule>(at);
    ++at;
  }
  return std::nullopt;
}

}  // namespace hlocc::hlo
