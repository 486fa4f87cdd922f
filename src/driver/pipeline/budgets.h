// Budgets of the command line: `--ram 64K --flash 256K --stack 2K` and what exceeds them, and the
// limits of the tool itself.
#pragma once
#include <vector>

#include "driver/analyze/analysis.h"
#include "support/budget.h"
#include "support/diagnostic.h"
#include "support/result.h"

namespace hlocc::driver {

// Bytes; -1: none is set.
struct Budgets {
  int64_t ram = -1, flash = -1, stack = -1;
};

// "65536", "64K", "1.5M", "64KiB": K, M and G are powers of 1024. Errors: kUsage, which names
// `flag`.
Result<int64_t> parse_bytes(const std::string& text, const char* flag);
// "80MHz", "32.768kHz", "1.2GHz", "16000000": cycles a second. Errors: kUsage.
Result<double> parse_clock(const std::string& text, const char* flag);

// "work=40G,memory=8G", or one of the two; units of work by K, M, G as bytes. Errors: kUsage.
Result<Limits> parse_limits(const std::string& text);

// The three largest values of the peak, in words; with the layer in which it is. Empty where
// nothing is in memory.
std::string largest_values(const Analysis& found);
std::string what_holds(const Analysis& found);

// A diagnostic (kBudget) for each budget that is exceeded, with the largest values and the cures as
// notes. Where none is set the chip's own memories count, if `chip` asks for them.
std::vector<Diagnostic> over_budget(const Analysis& found, const Budgets& budgets, bool chip);

}  // namespace hlocc::driver
