// `hlocc bench MODEL`: the time of one call on this machine, putting its arguments in included, as
// a library's user pays it.
#include <nlohmann/json.hpp>

#include "driver/cli/output.h"
#include "driver/cli/progress.h"
#include "driver/cli/verbs.h"
#include "driver/pipeline/freeze.h"
#include "driver/run/execute.h"
#include "driver/run/random_arguments.h"
#include "driver/run/timing.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

nlohmann::ordered_json to_json(const Timing& timing, double prepare_seconds,
                               const std::string& backend, const CommandLine& line, bool snapshot) {
  nlohmann::ordered_json out;
  out["backend"] = backend;
  out["level"] = level_name(line.options.level);
  out["arguments"] = snapshot ? "snapshot" : "random";
  out["prepare_seconds"] = prepare_seconds;
  out["samples"] = timing.samples;
  out["calls_a_sample"] = timing.calls_a_sample;
  out["min_us"] = timing.min_us;
  out["median_us"] = timing.median_us;
  out["instances_per_second"] = timing.calls_per_second();
  return out;
}

void print_steps(const device::ExecutionProfile& profile) {
  for (const device::ProfiledStep& step : profile.steps)
    print("%12.3f us  %-12s %s\n", step.microseconds, step.device.c_str(), step.name.c_str());
}

nlohmann::ordered_json to_json(const device::ExecutionProfile& profile) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const device::ProfiledStep& step : profile.steps)
    rows.push_back({{"name", step.name}, {"device", step.device}, {"us", step.microseconds}});
  return rows;
}

}  // namespace

Result<int> verb_bench(const CommandLine& line) {
  Progress progress(line);
  progress.now_at("reading");
  HLOCC_TRY_ASSIGN(const import::Imported imported, load_frozen(line, line.models[0]));
  const std::vector<hlo::Literal> arguments =
      imported.snapshot ? imported.snapshot->arguments : random_arguments(imported.module);
  const std::string backend = way_of(line);
  const double begin = steady_clock_us();
  progress.now_at("compiling");
  HLOCC_TRY_ASSIGN(const std::unique_ptr<Prepared> prepared,
                   prepare(imported.module, arguments, platform_choice(line), line.options));
  const double prepare_seconds = (steady_clock_us() - begin) * 1e-6;
  const auto tell = [&](int64_t taken, double share) {
    progress.now_at(sample_words(taken, line.bench.repeat), {share});
  };
  HLOCC_TRY_ASSIGN(const Timing timing, time_calls([&] { return prepared->call(); },
                                                   line.bench.repeat, steady_clock_us, tell));
  device::ExecutionProfile profile;
  if (line.bench.steps) {
    HLOCC_TRY_ASSIGN(profile, prepared->profile());
  }
  progress.wipe();
  if (line.json) {
    auto all = to_json(timing, prepare_seconds, backend, line, imported.snapshot.has_value());
    if (line.bench.steps) all["steps"] = to_json(profile);
    print_json(all);
    return 0;
  }
  print("min %.3f us, median %.3f us, %.1f instances/s (%lld samples of %lld calls, %s%s)\n",
        timing.min_us, timing.median_us, timing.calls_per_second(),
        static_cast<long long>(timing.samples), static_cast<long long>(timing.calls_a_sample),
        backend.c_str(), imported.snapshot ? "" : ", random arguments");
  print_steps(profile);
  return 0;
}

}  // namespace hlocc::driver
