// Vectors of integers (one entry a kernel) are affine functions of one another exactly if they have
// the same direction: the differences from their first entry, divided by what these have in common.
#include "kernel/share/relations.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>

namespace hlocc::kernel {
namespace {

// An integer over the kernels: first + step * direction, where direction starts with 0.
struct Varying {
  size_t integer = 0;
  int64_t first = 0, step = 0;
};

std::vector<int64_t> column(std::span<const std::vector<int64_t>* const> kernels, size_t integer) {
  std::vector<int64_t> out;
  for (const std::vector<int64_t>* const kernel : kernels) out.push_back((*kernel)[integer]);
  return out;
}

// Makes `values` a direction; its first entry that is not 0 is positive.
Varying reduce(std::vector<int64_t>& values) {
  Varying varying{.first = values[0]};
  for (int64_t& value : values) {
    value -= varying.first;
    varying.step = std::gcd(varying.step, value);
  }
  if (varying.step == 0) return varying;
  for (const int64_t value : values)
    if (value != 0) {
      if (value < 0) varying.step = -varying.step;
      break;
    }
  for (int64_t& value : values) value /= varying.step;
  return varying;
}

// The integer that the others of its direction follow from with the smallest numbers, if there is
// one; else the direction itself, in steps that all have in common.
Varying base_of(const std::vector<Varying>& alike) {
  int64_t common = 0;
  for (const Varying& one : alike) common = std::gcd(common, one.step);
  Varying best{.step = common};
  bool found = false;
  for (const Varying& one : alike) {
    if (std::abs(one.step) != common) continue;
    if (found && std::abs(one.first) >= std::abs(best.first)) continue;
    best = one;
    found = true;
  }
  return best;
}

// `values` as a sum of multiples of two parameters, if small ones will do.
std::optional<Expression> combination(const std::vector<int64_t>& values,
                                      const std::vector<std::vector<int64_t>>& parameters, int p,
                                      int q) {
  constexpr int64_t kLargestFactor = 16;
  const auto difference = [](const std::vector<int64_t>& of, size_t k) { return of[k] - of[0]; };
  const std::vector<int64_t>&one = parameters[p], &other = parameters[q];
  for (size_t k = 1; k < values.size(); ++k)
    for (size_t l = k + 1; l < values.size(); ++l) {
      const int64_t a = difference(one, k), b = difference(other, k), c = difference(one, l),
                    d = difference(other, l), u = difference(values, k), v = difference(values, l);
      const int64_t det = a * d - b * c;
      if (det == 0) continue;
      const int64_t x = (u * d - v * b) / det, y = (a * v - c * u) / det;
      if (std::abs(x) > kLargestFactor || std::abs(y) > kLargestFactor) return std::nullopt;
      const int64_t rest = values[0] - x * one[0] - y * other[0];
      for (size_t n = 0; n < values.size(); ++n)
        if (x * one[n] + y * other[n] + rest != values[n]) return std::nullopt;
      return Expression{{{p, x}, {q, y}}, rest};
    }
  return std::nullopt;
}

// What follows from the parameters so far, or from a new one.
Expression express(const std::vector<int64_t>& values,
                   std::vector<std::vector<int64_t>>& parameters) {
  const int count = static_cast<int>(parameters.size());
  for (int q = 1; q < count; ++q)
    for (int p = 0; p < q; ++p)
      if (const auto found = combination(values, parameters, p, q)) return *found;
  parameters.push_back(values);
  return {{{count, 1}}, 0};
}

// Integers that are bits have parameters of their own.
void relate_bits(std::span<const std::vector<int64_t>* const> kernels,
                 const std::vector<bool>& bits, size_t first, Relations& out) {
  std::map<std::vector<int64_t>, int> known;
  for (size_t i = first; i < out.of.size(); ++i) {
    if (!bits[i]) continue;
    const std::vector<int64_t> values = column(kernels, i);
    out.of[i].offset = values[0];
    if (std::equal(values.begin() + 1, values.end(), values.begin())) continue;
    const auto [at, fresh] = known.emplace(values, static_cast<int>(out.parameters.size()));
    if (fresh) out.parameters.push_back(values);
    out.of[i] = {{{at->second, 1}}, 0};
  }
}

void sort_parameters(Relations& relations) {
  std::vector<int> order(relations.parameters.size()), place(order.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(
      order, [&](int a, int b) { return relations.parameters[a][0] > relations.parameters[b][0]; });
  std::vector<std::vector<int64_t>> sorted;
  for (size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = static_cast<int>(i);
    sorted.push_back(std::move(relations.parameters[order[i]]));
  }
  relations.parameters = std::move(sorted);
  for (Expression& expression : relations.of)
    for (Expression::Term& term : expression.terms) term.parameter = place[term.parameter];
}

}  // namespace

Expression Expression::times(int64_t factor) const {
  Expression out = *this;
  for (Term& term : out.terms) term.factor *= factor;
  out.offset *= factor;
  return out;
}

Relations relate(std::span<const std::vector<int64_t>* const> kernels,
                 const std::vector<bool>& bits, size_t first) {
  Relations out;
  out.of.resize(kernels[0]->size());
  std::map<std::vector<int64_t>, std::vector<Varying>> directions;
  std::vector<std::vector<int64_t>> order;  // directions as they come up
  for (size_t i = first; i < out.of.size(); ++i) {
    if (bits[i]) continue;
    std::vector<int64_t> values = column(kernels, i);
    Varying varying = reduce(values);
    varying.integer = i;
    out.of[i].offset = varying.first;
    if (varying.step == 0) continue;
    std::vector<Varying>& alike = directions[values];
    if (alike.empty()) order.push_back(values);
    alike.push_back(varying);
  }
  for (const std::vector<int64_t>& direction : order) {
    const std::vector<Varying>& alike = directions[direction];
    const Varying base = base_of(alike);
    std::vector<int64_t> values;
    for (const int64_t entry : direction) values.push_back(base.first + base.step * entry);
    const Expression expression = express(values, out.parameters);
    for (const Varying& one : alike) {
      const int64_t factor = one.step / base.step;
      out.of[one.integer] = expression.times(factor);
      out.of[one.integer].offset += one.first - factor * base.first;
    }
  }
  relate_bits(kernels, bits, first, out);
  sort_parameters(out);
  return out;
}

}  // namespace hlocc::kernel
