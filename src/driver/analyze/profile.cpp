// See profile.h: reading dumps, joining them with layers, the table and its JSON.
#include "driver/analyze/profile.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "driver/analyze/layer_text.h"
#include "driver/cli/text_table.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

constexpr std::string_view kDumpMark = "hlocc-steps ";
// More steps than any plan has, and than a day's log holds: numbers of broken dumps do not ask for
// memory, also not in sum.
constexpr uint64_t kMostSteps = 1 << 20;

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  std::string word;
  for (const char c : text) {
    if (c > ' ') {
      word += c;
    } else if (!word.empty()) {
      out.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) out.push_back(std::move(word));
  return out;
}

std::optional<uint64_t> number_of(const std::string& word) {
  uint64_t number = 0;
  const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (failure != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

// The numbers behind these names, in their order: "calls 3 total 120".
std::optional<std::vector<uint64_t>> named_numbers(const std::vector<std::string>& words,
                                                   size_t from,
                                                   const std::vector<std::string>& names) {
  if (words.size() != from + 2 * names.size()) return std::nullopt;
  std::vector<uint64_t> out;
  for (size_t i = 0; i < names.size(); ++i) {
    const std::optional<uint64_t> number = number_of(words[from + 2 * i + 1]);
    if (words[from + 2 * i] != names[i] || !number) return std::nullopt;
    out.push_back(*number);
  }
  return out;
}

class DumpReader {
 public:
  explicit DumpReader(const std::string& file) : file_(file) {}

  Status line(std::string_view text, int number) {
    line_ = number;
    const std::vector<std::string> words = words_of(text);
    if (words.empty()) return refuse("an empty line of a profile");
    if (words[0] == "begin") return begin(words);
    if (words[0] == "step") return step(words);
    if (words[0] == "end" && words.size() == 1) return end();
    return refuse(cat("a profile has no line '", words[0], "'"));
  }

  Result<std::vector<ProfileDump>> take() {
    if (open_)
      return Result<std::vector<ProfileDump>>(
          error(DiagnosticKind::kFormat, "the profile is cut short: its end is missing")
              .at({file_, line_})
              .note("wait for the line `hlocc-steps end` before the log is closed"));
    if (dumps_.empty())
      return Result<std::vector<ProfileDump>>(
          error(DiagnosticKind::kFormat, "holds no profile")
              .at({file_, 0})
              .note("compile with --profile, and call hlocc_steps_dump of hlocc_profile.h; its "
                    "lines begin with `hlocc-steps`"));
    return std::move(dumps_);
  }

 private:
  Status refuse(const std::string& message) const {
    return error(DiagnosticKind::kFormat, message)
        .at({file_, line_})
        .note("lines are as hlocc_steps_dump writes them: docs/runtime_stub.md");
  }

  Status begin(const std::vector<std::string>& words) {
    const auto numbers = named_numbers(words, 5, {"steps", "runs"});
    if (open_) return refuse("a profile begins before the last one has ended");
    if (!numbers || (*numbers)[0] > kMostSteps)
      return refuse("the line that begins a profile is damaged");
    if ((steps_ += (*numbers)[0]) > kMostSteps)
      return error(DiagnosticKind::kLimit, cat("the profiles up to here have ", steps_,
                                               " steps together; ", kMostSteps, " are read"))
          .at({file_, line_})
          .note("cut the log into parts");
    open_ = true;
    dumps_.push_back({words[1], words[2], words[3], words[4], (*numbers)[1],
                      std::vector<StepTicks>((*numbers)[0])});
    return {};
  }

  Status step(const std::vector<std::string>& words) {
    if (!open_) return refuse("a step stands before the profile begins");
    const auto numbers = named_numbers(words, 0, {"step", "calls", "total", "least", "most"});
    if (!numbers) return refuse("the line of a step is damaged");
    const uint64_t number = (*numbers)[0];
    std::vector<StepTicks>& steps = dumps_.back().steps;
    if (number >= steps.size()) return refuse(cat("step ", number, " of ", steps.size(), " steps"));
    StepTicks& ticks = steps[number];
    if (ticks.calls > 0) return refuse(cat("step ", number, " stands there twice"));
    ticks = {(*numbers)[1], (*numbers)[2], (*numbers)[3], (*numbers)[4]};
    if (ticks.calls == 0) return refuse(cat("step ", number, " has no calls"));
    if (ticks.least > ticks.most)
      return refuse(cat("step ", number, " took ", ticks.least, " ticks at least and ", ticks.most,
                        " at most"));
    return {};
  }

  Status end() {
    if (!open_) return refuse("a profile ends that did not begin");
    open_ = false;
    return {};
  }

  const std::string& file_;
  int line_ = 0;
  bool open_ = false;
  uint64_t steps_ = 0;  // of all dumps
  std::vector<ProfileDump> dumps_;
};

int64_t rounded(double number) { return std::llround(number); }

std::string percent_text(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", 100 * share);
  return text;
}

// Calls in a run, which in a loop are many.
double calls_per_run(const Profile& profile, const ProfileRow& row) {
  return profile.dump.runs == 0
             ? 0
             : static_cast<double>(row.ticks.calls) / static_cast<double>(profile.dump.runs);
}

}  // namespace

Result<std::vector<ProfileDump>> read_dumps(std::string_view text, const std::string& file) {
  DumpReader reader(file);
  int number = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++number;
    // In front of it a terminal may have put the time.
    const size_t at = line.find(kDumpMark);
    if (at == std::string_view::npos) continue;
    HLOCC_TRY(reader.line(line.substr(at + kDumpMark.size()), number));
  }
  return reader.take();
}

Profile join_profile(const ProfileDump& dump, const std::vector<Layer>& layers) {
  Profile out{dump, {}, 0};
  const double runs = static_cast<double>(std::max<uint64_t>(dump.runs, 1));
  for (size_t i = 0; i < layers.size() && i < dump.steps.size(); ++i) {
    const LaunchRow& launch = layers[i].launch;
    ProfileRow row{static_cast<int>(i), launch.kernel, layer_text(launch), launch.origin,
                   dump.steps[i]};
    row.per_run = static_cast<double>(row.ticks.total) / runs;
    row.expected_cycles = launch.cycles;
    out.ticks_of_run += row.per_run;
    out.rows.push_back(std::move(row));
  }
  for (ProfileRow& row : out.rows)
    row.share = out.ticks_of_run > 0 ? row.per_run / out.ticks_of_run : 0;
  return out;
}

std::string to_text(const Profile& profile, std::optional<double> clock, size_t width) {
  static const std::vector<Column> columns = {
      {"layer"},           {"step", true},       {"calls", true},     {"ticks a run", true},
      {"%", true},         {"least", true, 3},   {"most", true, 3},   {"expected", true},
      {"shape", false, 2}, {"source", false, 1}, {"kernel", false, 4}};
  TextTable lines;
  for (const ProfileRow& row : profile.rows) {
    char calls[32];
    std::snprintf(calls, sizeof calls, "%g", calls_per_run(profile, row));
    lines.push_back({row.layer, cat(row.number), calls, cat(rounded(row.per_run)),
                     percent_text(row.share), cat(row.ticks.least), cat(row.ticks.most),
                     cat(rounded(row.expected_cycles)), row.origin.shape, source_text(row.origin),
                     row.kernel});
  }
  std::string out =
      cat(profile.dump.model, " on ", profile.dump.target, " at ", profile.dump.level, ", ",
          profile.dump.runs, " runs\n", driver::to_text(columns, std::move(lines), width));
  out += cat("sum      ", rounded(profile.ticks_of_run), " ticks a run",
             clock ? cat(", ", milliseconds(profile.ticks_of_run, *clock)) : "", "\n");
  return out + "note     expected: cycles of one call, as `hlocc analyze` estimates them\n";
}

nlohmann::ordered_json to_json(const Profile& profile, std::optional<double> clock) {
  nlohmann::ordered_json out = {{"model", profile.dump.model},
                                {"target", profile.dump.target},
                                {"level", profile.dump.level},
                                {"runs", profile.dump.runs},
                                {"ticks_of_run", rounded(profile.ticks_of_run)}};
  if (clock) out["seconds_of_run"] = profile.ticks_of_run / *clock;
  out["steps"] = nlohmann::ordered_json::array();
  for (const ProfileRow& row : profile.rows) {
    nlohmann::ordered_json one = {{"step", row.number}, {"kernel", row.kernel}};
    add_origin(row.origin, one);
    one["calls"] = row.ticks.calls;
    one["total"] = row.ticks.total;
    one["least"] = row.ticks.least;
    one["most"] = row.ticks.most;
    one["share"] = row.share;
    one["expected_cycles"] = rounded(row.expected_cycles);
    out["steps"].push_back(std::move(one));
  }
  return out;
}

}  // namespace hlocc::driver
