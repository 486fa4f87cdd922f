// Planes for drawn tables of pairs: what is found equals the table at every pair, in sums of 32
// bits, and is found again (golden/fits.txt). Tables are small, as the search does not depend on
// their size; those of all bytes are in requantize_pairs_test.cpp.
#include <catch2/catch.hpp>
#include <cmath>

#include "support/digests.h"
#include "support/drawing.h"
#include "support/text.h"
#include "transforms/integers/affine_fit.h"

namespace hlocc::tests {
namespace {

using namespace transforms;
using costs::Requantization;

double drawn_slope(Drawing& draw) {
  const int64_t sign = draw.one_in(4) ? -1 : 1;
  if (draw.one_in(3))
    return static_cast<double>(sign * (1 + draw.below(16))) /
           static_cast<double>(1 << draw.below(6));
  return static_cast<double>(sign * (1 + draw.below(1 << 20))) / (1 << (18 + draw.below(3)));
}

ByteTable drawn_table(Drawing& draw) {
  ByteTable table;
  const int64_t first = draw.below(256) - 128, second = draw.below(256) - 128;
  table.firsts = {first, first + 1 + draw.below(20)};
  table.seconds = {second, second + draw.below(20)};
  const double a = drawn_slope(draw), b = drawn_slope(draw),
               c = static_cast<double>(draw.below(512) - 256) / draw.of({1, 2, 8, 7}) -
                   a * static_cast<double>(first) - b * static_cast<double>(second);
  const int64_t rounding = draw.below(3), low = draw.one_in(3) ? -5 : -128,
                high = draw.one_in(3) ? 9 : 127;
  // One row or column that stands a little apart.
  const bool is_apart = draw.one_in(3), of_first = draw.yes();
  const int64_t apart =
      of_first ? first + draw.below(table.rows()) : second + draw.below(table.columns());
  const double by = static_cast<double>(draw.below(9) - 4) / 8;
  for (int64_t x = first; x <= table.firsts.high; ++x)
    for (int64_t y = second; y <= table.seconds.high; ++y) {
      double sum = a * static_cast<double>(x) + b * static_cast<double>(y) + c;
      if (is_apart && (of_first ? x : y) == apart) sum += by;
      const double whole = rounding == 0   ? std::nearbyint(sum)
                           : rounding == 1 ? std::round(sum)
                                           : std::floor(sum);
      table.values.push_back(static_cast<int16_t>(
          std::clamp<double>(whole, static_cast<double>(low), static_cast<double>(high))));
    }
  if (draw.one_in(20)) table.values[static_cast<size_t>(draw.below(std::ssize(table.values)))] += 1;
  return table;
}

// A table of few pairs, and what the search may take: where one bound more or less tells.
struct PlaneQuestion {
  ByteTable table;
  size_t most_exceptions = 0;
  int64_t most_compared = 0;

  std::optional<Requantization> plane() const {
    return fit_affine(table, most_exceptions, most_compared);
  }
};
PlaneQuestion plane_question(uint64_t seed) {
  Drawing draw(seed);
  PlaneQuestion question;
  ByteTable& table = question.table;
  const int64_t first = draw.below(9) - 4, second = draw.below(9) - 4;
  table.firsts = {first, first + 1 + draw.below(5)};
  table.seconds = {second, second + 1 + draw.below(5)};
  const int64_t unit = int64_t{1} << draw.below(4), least = -draw.below(8),
                most = 1 + draw.below(40);
  const int64_t a = draw.below(20 * unit) - 6 * unit, b = draw.below(20 * unit) - 6 * unit,
                c = draw.below(16 * unit), bend = draw.one_in(3) ? draw.below(9) - 4 : 0;
  for (int64_t x = first; x <= table.firsts.high; ++x)
    for (int64_t y = second; y <= table.seconds.high; ++y) {
      const int64_t moved = x == first + 1 ? bend : y == second && draw.one_in(2) ? bend / 2 : 0;
      const double sum = static_cast<double>(a * x + b * y + c + moved) / static_cast<double>(unit);
      const double whole = draw.one_in(30) ? sum + 1 : std::nearbyint(sum);
      table.values.push_back(static_cast<int16_t>(
          std::clamp<double>(whole, static_cast<double>(least), static_cast<double>(most))));
    }
  question.most_exceptions = static_cast<size_t>(draw.of({0, 1, 2, 4, 8}));
  question.most_compared = draw.one_in(3) ? 1 + draw.below(1 << (4 + draw.below(20))) : 1 << 27;
  return question;
}

std::string text_of(const std::optional<Requantization>& fit) {
  if (!fit) return "none\n";
  std::string text =
      cat(fit->factors[0][0], " ", fit->factors[1][0], " ", fit->offsets[0], " >> ", fit->shift,
          " ", fit->low, "..", fit->high, " ", static_cast<int>(fit->rounding), "\n");
  for (const Requantization::Exception& e : fit->exceptions)
    text += cat(e.of_first ? "x" : "y", e.number, ": ", e.offset, "\n");
  return text;
}

// What the instructions compute, by the words of fit.h; fails the test where a sum overflows.
int64_t computed(const Requantization& fit, int64_t x, int64_t y) {
  int64_t sum = fit.offsets[0];
  for (const Requantization::Exception& e : fit.exceptions)
    if ((e.of_first ? x : y) == e.number) sum = e.offset;
  sum += x * fit.factors[0][0] + y * fit.factors[1][0];
  const int64_t half = int64_t{1} << (fit.shift - 1);
  if (std::abs(sum) + half > int64_t{INT32_MAX}) FAIL("overflows");
  int64_t whole = sum >> fit.shift;
  if (fit.rounding != costs::Rounding::kDown) {
    const int64_t rest = sum - (whole << fit.shift);
    const bool up_at_half = (whole & 1) == (fit.rounding == costs::Rounding::kHalvesToEven ? 1 : 0);
    whole += rest > half || (rest == half && up_at_half) ? 1 : 0;
  }
  return std::clamp(whole, fit.low, fit.high);
}

void check_fit(const Requantization& fit, const ByteTable& table) {
  bool equal = true;
  for (int64_t x = static_cast<int64_t>(table.firsts.low); x <= table.firsts.high; ++x)
    for (int64_t y = static_cast<int64_t>(table.seconds.low); y <= table.seconds.high; ++y)
      equal = equal && computed(fit, x, y) == table.at(x, y);
  CHECK(equal);
}

}  // namespace

TEST_CASE("planes of drawn tables", "[transforms]") {
  Drawing draw(4);
  std::string texts;
  size_t found = 0;
  for (int n = 0; n < 400; ++n) {
    INFO("question " << n);
    const ByteTable table = drawn_table(draw);
    const size_t most = static_cast<size_t>(draw.of({0, 1, 2, 4}));
    const std::optional<Requantization> fit = fit_affine(table, most);
    found += fit.has_value();
    texts += text_of(fit);
    if (!fit) continue;
    CHECK(fit->exceptions.size() <= most);
    check_fit(*fit, table);
  }
  CHECK(!fit_affine({}, 4));
  add_digest("fits", found, texts);
}

// Found by a search among some thousands: each shows a condition that the drawn ones do not.
TEST_CASE("planes of picked tables", "[transforms]") {
  std::string texts;
  for (const uint64_t seed : {1, 5, 48, 64, 200, 251, 572, 707, 1085}) {
    INFO("seed " << seed);
    const PlaneQuestion question = plane_question(seed);
    const std::optional<Requantization> fit = question.plane();
    texts += text_of(fit);
    if (fit) check_fit(*fit, question.table);
  }
  add_digest("fits", 1, texts);
}

}  // namespace hlocc::tests
