// How long a call takes: samples of so many calls each that the clock does not weigh in them.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "support/result.h"

namespace hlocc::driver {

struct Timing {
  int64_t samples = 0, calls_a_sample = 0;
  double min_us = 0, median_us = 0;  // of one call
  double calls_per_second() const { return median_us > 0 ? 1e6 / median_us : 0; }
};

// Where time comes from, in microseconds: a test brings its own.
using Stopwatch = std::function<double()>;
double steady_clock_us();

// Warms up, doubles the calls of a sample until one takes 200 us, and takes `samples` samples (0:
// as many as a second takes, at least five). `tell` hears between samples how many there are, and
// which share of all that is.
using TellSamples = std::function<void(int64_t taken, double share)>;
Result<Timing> time_calls(const std::function<Status()>& call, int samples,
                          const Stopwatch& clock = steady_clock_us,
                          const TellSamples& tell = nullptr);

// "sample 3 of 7", or "sample 3" where nobody says how many: while the one behind `taken` is taken.
std::string sample_words(int64_t taken, int samples);

}  // namespace hlocc::driver
