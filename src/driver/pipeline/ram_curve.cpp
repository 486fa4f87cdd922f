// See ram_curve.h. Loops over rows are what takes less RAM for more cycles, so the attempts are
// those of several limits above which arrays go row by row, and one without Winograd's form.
#include "driver/pipeline/ram_curve.h"

#include <algorithm>

#include "support/text.h"

namespace hlocc::driver {
namespace {

std::string words_of(const Decisions& decisions) {
  if (decisions.rows_above == 0) return "as few rows as can be";
  if (decisions.rows_above) return cat("row by row above ", *decisions.rows_above, " bytes");
  return decisions.winograd ? "as it comes" : "no Winograd";
}

// Of points by RAM, then by cycles, those that are faster than all before them.
std::vector<CurvePoint> faster_and_faster(std::vector<CurvePoint> all) {
  std::ranges::stable_sort(
      all, {}, [](const CurvePoint& point) { return std::pair(point.ram_bytes, point.cycles); });
  std::vector<CurvePoint> out;
  for (CurvePoint& point : all)
    if (out.empty() || point.cycles < out.back().cycles) out.push_back(std::move(point));
  return out;
}

}  // namespace

Result<std::vector<CurvePoint>> ram_curve(const Attempting& attempt, size_t instructions,
                                          const Target& target) {
  std::vector<CurvePoint> points;
  const auto add = [&](const Decisions& decisions) -> Status {
    HLOCC_TRY_ASSIGN(const std::optional<Planned> planned, attempt(decisions));
    if (!planned) return {};
    const Score score = score_of(*planned, target);
    points.push_back({ram_of(*planned, target), score.arena, score.cycles, words_of(decisions)});
    return {};
  };
  Decisions decisions = first_decisions(instructions, target);
  HLOCC_TRY(add(decisions));
  decisions.rows_above = 0;
  HLOCC_TRY(add(decisions));
  const int64_t most = points[0].arena_bytes, least = points.back().arena_bytes;
  if (instructions <= kMostSearchedInstructions && least < most) {
    constexpr int64_t kBetween = kMostCurvePoints - 3;
    for (int64_t k = 1; k <= kBetween; ++k) {
      decisions.rows_above = least + (most - least) * k / (kBetween + 1);
      HLOCC_TRY(add(decisions));
    }
    decisions.rows_above.reset();
    decisions.winograd = false;
    HLOCC_TRY(add(decisions));
  }
  return faster_and_faster(std::move(points));
}

}  // namespace hlocc::driver
