// Looks at each integer as a column: one entry a kernel. Factors stay small: among few kernels
// nearly everything is an affine function of everything, and numbers that merely happen to fit cost
// more than a parameter.
#include "kernel/share/relations.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <optional>

namespace hlocc::kernel {
namespace {

// The integers that are used so and not equal in all kernels, as columns.
struct Column {
  size_t integer = 0;
  std::vector<int64_t> values;
};
std::vector<Column> varying(std::span<const std::vector<int64_t>* const> kernels,
                            const std::vector<Use>& uses, Use use) {
  std::vector<Column> out;
  for (size_t i = 0; i < uses.size(); ++i) {
    if (uses[i] != use) continue;
    std::vector<int64_t> values;
    for (const std::vector<int64_t>* const kernel : kernels) values.push_back((*kernel)[i]);
    if (!std::equal(values.begin() + 1, values.end(), values.begin()))
      out.push_back({i, std::move(values)});
  }
  return out;
}

constexpr int64_t kLargestFactor = 16;

// factor * parameter + offset, if that is what `values` are and the factor is small. Neither are
// the same in all kernels.
std::optional<Expression> multiple(const std::vector<int64_t>& values,
                                   const std::vector<std::vector<int64_t>>& parameters, int p) {
  const std::vector<int64_t>& base = parameters[p];
  size_t other = 1;
  while (base[other] == base[0]) ++other;
  const int64_t factor = (values[other] - values[0]) / (base[other] - base[0]);
  if (std::abs(factor) > kLargestFactor) return std::nullopt;
  const int64_t offset = values[0] - factor * base[0];
  for (size_t k = 0; k < values.size(); ++k)
    if (factor * base[k] + offset != values[k]) return std::nullopt;
  return Expression{{{p, factor}}, offset};
}

// `values` as a sum of multiples of two parameters, if small ones will do.
std::optional<Expression> combination(const std::vector<int64_t>& values,
                                      const std::vector<std::vector<int64_t>>& parameters, int p,
                                      int q) {
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

Expression fresh(const std::vector<int64_t>& values, Relations& relations) {
  relations.parameters.push_back(values);
  return {{{static_cast<int>(relations.parameters.size()) - 1, 1}}, 0};
}

// Scales: each is a multiple of a parameter. The shortest come first, so that others are multiples
// of them.
void relate_scales(std::vector<Column> scales, Relations& out) {
  std::ranges::stable_sort(scales, {},
                           [](const Column& column) { return std::abs(column.values[0]); });
  for (const Column& column : scales) {
    std::optional<Expression> found;
    for (size_t p = 0; p < out.parameters.size() && !found; ++p) {
      found = multiple(column.values, out.parameters, static_cast<int>(p));
      if (found && found->offset != 0) found.reset();
    }
    out.of[column.integer] = found ? *found : fresh(column.values, out);
  }
}

// Numbers: a multiple of a parameter and a number, a sum of two multiples, or a parameter.
void relate_numbers(const std::vector<Column>& numbers, Relations& out) {
  for (const auto& [integer, values] : numbers) {
    const int count = static_cast<int>(out.parameters.size());
    std::optional<Expression> found;
    for (int p = 0; p < count && !found; ++p) found = multiple(values, out.parameters, p);
    for (int q = 1; q < count; ++q)
      for (int p = 0; p < q && !found; ++p) found = combination(values, out.parameters, p, q);
    out.of[integer] = found ? *found : fresh(values, out);
  }
}

void relate_bits(const std::vector<Column>& bits, Relations& out) {
  std::map<std::vector<int64_t>, Expression> known;
  for (const auto& [integer, values] : bits) {
    const auto [at, is_new] = known.emplace(values, Expression{});
    if (is_new) at->second = fresh(values, out);
    out.of[integer] = at->second;
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

Relations relate(std::span<const std::vector<int64_t>* const> kernels,
                 const std::vector<Use>& uses) {
  Relations out;
  out.of.resize(uses.size());
  for (size_t i = 0; i < uses.size(); ++i) out.of[i].offset = (*kernels[0])[i];
  relate_scales(varying(kernels, uses, Use::kScale), out);
  relate_numbers(varying(kernels, uses, Use::kNumber), out);
  relate_bits(varying(kernels, uses, Use::kBits), out);
  sort_parameters(out);
  return out;
}

}  // namespace hlocc::kernel
