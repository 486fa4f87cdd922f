// See timing.h. The fastest sample is what the machine can do; the median is what it did.
#include "driver/run/timing.h"

#include <algorithm>
#include <chrono>

#include "support/text.h"

namespace hlocc::driver {
namespace {

constexpr double kShortestSample = 200, kLongestRun = 1e6;
constexpr int64_t kFewestSamples = 5, kMostSamples = 1 << 20;

Result<double> sample(const std::function<Status()>& call, int64_t calls, const Stopwatch& clock) {
  const double begin = clock();
  for (int64_t i = 0; i < calls; ++i) HLOCC_TRY(call());
  return clock() - begin;
}

}  // namespace

double steady_clock_us() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::micro>(now).count();
}

Result<Timing> time_calls(const std::function<Status()>& call, int samples, const Stopwatch& clock,
                          const TellSamples& tell) {
  Timing out;
  out.calls_a_sample = 1;
  // The first call finds cold caches: it never decides.
  HLOCC_TRY(call());
  for (;;) {
    HLOCC_TRY_ASSIGN(double took, sample(call, out.calls_a_sample, clock));
    // Once more: the machine may have done something else meanwhile.
    if (took >= kShortestSample) {
      HLOCC_TRY_ASSIGN(const double again, sample(call, out.calls_a_sample, clock));
      took = std::min(took, again);
    }
    if (took >= kShortestSample || out.calls_a_sample >= kMostSamples) break;
    out.calls_a_sample *= 2;
  }
  std::vector<double> times;
  const double begin = clock();
  const auto enough = [&] {
    const int64_t taken = static_cast<int64_t>(times.size());
    if (samples > 0) return taken >= samples;
    return taken >= kMostSamples || (taken >= kFewestSamples && clock() - begin >= kLongestRun);
  };
  const auto share = [&] {
    const auto taken = static_cast<double>(times.size());
    return samples == 0 ? std::min((clock() - begin) / kLongestRun, taken / kFewestSamples)
                        : taken / samples;
  };
  while (!enough()) {
    if (tell) tell(static_cast<int64_t>(times.size()), share());
    HLOCC_TRY_ASSIGN(const double took, sample(call, out.calls_a_sample, clock));
    times.push_back(took / static_cast<double>(out.calls_a_sample));
  }
  std::sort(times.begin(), times.end());
  out.samples = static_cast<int64_t>(times.size());
  out.min_us = times.front();
  out.median_us = times[times.size() / 2];
  return out;
}

std::string sample_words(int64_t taken, int samples) {
  return cat("sample ", taken + 1, samples > 0 ? cat(" of ", samples) : "");
}

}  // namespace hlocc::driver
