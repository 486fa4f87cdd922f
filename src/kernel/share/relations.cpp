// Vectors of integers (one entry a kernel) are affine functions of one another exactly if they have
// the same direction: the differences from their first entry, divided by what these have in common.
#include "kernel/share/relations.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>

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

}  // namespace

Relations relate(std::span<const std::vector<int64_t>* const> kernels,
                 const std::vector<bool>& bits, size_t first) {
  Relations out;
  out.of.resize(kernels[0]->size());
  std::map<std::vector<int64_t>, std::vector<Varying>> directions;
  std::map<std::vector<int64_t>, int> of_bits;
  std::vector<std::vector<int64_t>> order;  // directions as they come up
  for (size_t i = first; i < out.of.size(); ++i) {
    std::vector<int64_t> values = column(kernels, i);
    if (bits[i]) {
      if (std::equal(values.begin() + 1, values.end(), values.begin())) {
        out.of[i].offset = values[0];
        continue;
      }
      const auto [known, fresh] =
          of_bits.emplace(values, static_cast<int>(out.parameters.size()));
      if (fresh) out.parameters.push_back(std::move(values));
      out.of[i] = {known->second, 1, 0};
      continue;
    }
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
    const int parameter = static_cast<int>(out.parameters.size());
    std::vector<int64_t>& values = out.parameters.emplace_back();
    for (const int64_t entry : direction) values.push_back(base.first + base.step * entry);
    for (const Varying& one : alike) {
      const int64_t factor = one.step / base.step;
      out.of[one.integer] = {parameter, factor, one.first - factor * base.first};
    }
  }
  return out;
}

}  // namespace hlocc::kernel
