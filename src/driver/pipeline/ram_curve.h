// RAM against cycles: the plans of a model between the fastest and the smallest.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "driver/pipeline/decisions.h"

namespace hlocc::driver {

struct CurvePoint {
  int64_t ram_bytes = 0, arena_bytes = 0;  // RAM is arena and instance
  double cycles = 0;                       // expected
  std::string plan;                        // what it has beside the fastest one, in words
};
inline constexpr size_t kMostCurvePoints = 10;

// By RAM, the least first; none takes as much RAM as another and more cycles. As many attempts as
// points at most, two of a module that is not searched (kMostSearchedInstructions); the first
// failure ends it.
Result<std::vector<CurvePoint>> ram_curve(const Attempting& attempt, size_t instructions,
                                          const Target& target);

}  // namespace hlocc::driver
