// The schedules that a fusion may ask for, expanded from schedules.def. They travel through files
// by name.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace hlocc::hlo {

enum class Schedule : uint8_t {
#define HLOCC_SCHEDULE(enumerator, text) enumerator,
#include "hlo/schedules.def"
};

std::string_view schedule_name(Schedule schedule);
std::optional<Schedule> schedule_from_name(std::string_view name);

// Tag for overload sets: `void run(Scheduled<Schedule::kRows>, ...)`.
template <Schedule schedule>
struct Scheduled {};

}  // namespace hlocc::hlo
