// See chain_channel.h.
#include "transforms/integers/chain_channel.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hlocc::transforms {
namespace {

using Kind = ChainStep::Kind;
using Move = ChainChannel::Move;

double in_type(double value, PrimitiveType type) {
  return type == PrimitiveType::kF32 ? static_cast<double>(static_cast<float>(value)) : value;
}

double as_real(int64_t value, PrimitiveType type) {
  return type == PrimitiveType::kF32 ? static_cast<double>(static_cast<float>(value))
                                     : static_cast<double>(value);
}

// Sums, products and quotients of two floats, rounded to double and then to float, are rounded as
// in one step: 53 bits are at least 2 * 24 + 2.
double real_step(const Move& m, double x) {
  switch (m.kind) {
    case Kind::kConvert: return in_type(x, m.type);
    case Kind::kAdd: return in_type(x + m.real, m.type);
    case Kind::kMultiply: return in_type(x * m.real, m.type);
    case Kind::kDivide: return in_type(x / m.real, m.type);
    case Kind::kMaximum: return std::max(x, m.real);
    case Kind::kMinimum: return std::min(x, m.real);
    case Kind::kRoundEven: return std::nearbyint(x);
    case Kind::kRoundAway: return std::round(x);
    default: return std::floor(x);
  }
}

// False where 64 bits do not hold the result.
bool whole_step(const Move& m, int64_t& x) {
  switch (m.kind) {
    case Kind::kAdd: return !__builtin_add_overflow(x, m.whole, &x);
    case Kind::kMultiply: return !__builtin_mul_overflow(x, m.whole, &x);
    case Kind::kNudge: return !__builtin_add_overflow(x, x < 0 ? m.if_negative : m.whole, &x);
    case Kind::kMaximum: x = std::max(x, m.whole); return true;
    case Kind::kMinimum: x = std::min(x, m.whole); return true;
    case Kind::kDivide: x /= m.whole; return true;
    case Kind::kShift: x >>= m.whole; return true;
    case Kind::kRoundingShift:
      if (m.whole > 0)
        x = static_cast<int64_t>((x + (__int128{1} << (m.whole - 1)) - (x < 0)) >> m.whole);
      return true;
    default: return true;
  }
}

// Floats are truncated and saturate, integers that do not fit would wrap.
int64_t truncated(const Move& m, double x) {
  const double cut = std::trunc(x);
  if (cut <= static_cast<double>(m.low)) return m.low;
  if (cut >= static_cast<double>(m.high)) return m.high;
  return static_cast<int64_t>(cut);
}

}  // namespace

ChainChannel::ChainChannel(const MonotoneChain& chain, int64_t channel) {
  bool is_real = false;
  for (const ChainStep& step : chain.steps) {
    const bool to_real = is_real_type(step.type);
    const Range all = to_real ? Range{} : range_of_type(step.type);
    moves_.push_back({step.kind, step.type, is_real, to_real,
                      step.real.empty() ? 0 : of_channel(step.real, channel),
                      step.whole.empty() ? 0 : of_channel(step.whole, channel),
                      step.if_negative.empty() ? 0 : of_channel(step.if_negative, channel),
                      static_cast<int64_t>(all.low), static_cast<int64_t>(all.high)});
    is_real = to_real;
  }
}

std::optional<int64_t> ChainChannel::at(int64_t x) const {
  double real = 0;
  for (const Move& m : moves_) {
    if (m.to_real) {
      real = m.from_real ? real_step(m, real) : as_real(x, m.type);
      if (!std::isfinite(real)) return std::nullopt;
      continue;
    }
    if (m.kind == Kind::kBits) {
      if (std::signbit(real)) return std::nullopt;
      x = std::bit_cast<int32_t>(static_cast<float>(real));
    } else if (m.from_real)
      x = truncated(m, real);
    else if (!whole_step(m, x))
      return std::nullopt;
    if (x < m.low || x > m.high) return std::nullopt;
  }
  return x;
}

}  // namespace hlocc::transforms
