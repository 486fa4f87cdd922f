// What hlocc_profile.h's hlocc_steps_dump wrote on a board, beside what is known of the model:
// `hlocc profile DUMP --model MODEL`. The format is docs/runtime_stub.md's.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/analyze/analysis.h"
#include "support/result.h"

namespace hlocc::driver {

struct StepTicks {
  uint64_t calls = 0, total = 0, least = 0, most = 0;  // ticks of the board's counter
};

// One model's part of a dump.
struct ProfileDump {
  std::string model, target, level, hash;  // planning/timed_steps.h: profile_identity
  uint64_t runs = 0;
  std::vector<StepTicks> steps;  // by number; what never ran has no calls
};

// All parts, in their order. Lines of others may stand between and before: only what follows
// "hlocc-steps " on a line is read. Errors: kFormat, with the line.
Result<std::vector<ProfileDump>> read_dumps(std::string_view text, const std::string& file);

// A step with what was counted and what was expected of it.
struct ProfileRow {
  int number = 0;
  std::string kernel, layer;  // layer_text.h
  kernel::Origin origin;
  StepTicks ticks;
  double per_run = 0, share = 0;  // ticks of a run; of the sum over all steps, 0 to 1
  double expected_cycles = 0;     // of one call
};
struct Profile {
  ProfileDump dump;
  std::vector<ProfileRow> rows;
  double ticks_of_run = 0;
};
// `layers`: those of the plan that the dump is of, as many as it has steps.
Profile join_profile(const ProfileDump& dump, const std::vector<Layer>& layers);

// `clock`: ticks a second, for times beside the ticks.
std::string to_text(const Profile& profile, std::optional<double> clock, size_t width = 0);
nlohmann::ordered_json to_json(const Profile& profile, std::optional<double> clock);
// One page that needs no network: the steps of a run one after the other, and the table.
std::string to_page(const Profile& profile, std::optional<double> clock);

}  // namespace hlocc::driver
