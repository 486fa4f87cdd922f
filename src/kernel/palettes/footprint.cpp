// See footprint.h.
#include "kernel/palettes/footprint.h"

#include <algorithm>

#include "kernel/mapped.h"

namespace hlocc::kernel {
namespace {

void add_results_of(const Region& region, std::vector<ValueId>& out) {
  for (const Op& op : region.ops) out.insert(out.end(), op.results.begin(), op.results.end());
}

}  // namespace

std::optional<LoopRange> known_range(const Loop& loop) {
  if (!loop.lower.is_constant() || !loop.upper.is_constant()) return std::nullopt;
  const int64_t first = loop.lower.offset, count = iterations_of(loop);
  if (count == 0) return std::nullopt;
  return LoopRange{count, first, first + (count - 1) * loop.step};
}

bool Footprints::reads(const Op& op) const {
  if (op.kind == OpKind::kLoad) return op.access().buffer == buffer_;
  return std::ranges::any_of(op.regions, [&](const Region& region) {
    return std::ranges::any_of(region.ops, [&](const Op& inner) { return reads(inner); });
  });
}

std::optional<Footprint> Footprints::of(const Op& op) const {
  if (!reads(op)) return std::nullopt;
  if (op.kind == OpKind::kLoad) return of_load(op);
  std::optional<Footprint> all;
  for (const Region& region : op.regions) {
    const std::optional<Footprint> one = of(region);
    if (!one) continue;
    const Footprint seen =
        outside(*one, region.arguments, op.kind == OpKind::kLoop ? &op : nullptr);
    all = all ? joined(*all, seen) : seen;
  }
  return all;
}

std::optional<Footprint> Footprints::of(const Region& region) const {
  std::vector<ValueId> defined;
  add_results_of(region, defined);
  std::optional<Footprint> all;
  for (const Op& op : region.ops) {
    const std::optional<Footprint> one = of(op);
    if (!one) continue;
    const Footprint seen = outside(*one, defined, nullptr);
    all = all ? joined(*all, seen) : seen;
  }
  return all;
}

Footprint Footprints::whole() const {
  return {Affine{}, kernel_.buffers[static_cast<size_t>(buffer_)].elements};
}

Footprint Footprints::joined(const Footprint& a, const Footprint& b) const {
  if (a.first.terms != b.first.terms) return whole();
  const int64_t first = std::min(a.first.offset, b.first.offset),
                end = std::max(a.first.offset + a.elements, b.first.offset + b.elements);
  return {{a.first.terms, first}, end - first};
}

Footprint Footprints::of_load(const Op& op) const {
  const Access& access = op.access();
  // Lanes that a mask leaves out may lie behind the buffer.
  if (access.lane_indices != kNone || access.mask != kNone) return whole();
  const int64_t reach = (kernel_.type(op.result()).lanes - 1) * access.lane_stride;
  return {access.at.plus(std::min<int64_t>(reach, 0)), std::abs(reach) + 1};
}

Footprint Footprints::outside(Footprint inner, const std::vector<ValueId>& defined,
                              const Op* loop) const {
  Footprint out{Affine::constant(inner.first.offset), inner.elements};
  for (const Affine::Term& term : inner.first.terms) {
    if (std::ranges::find(defined, term.value) == defined.end()) {
      out.first = out.first.plus(Affine::of(term.value, term.scale));
      continue;
    }
    const bool counts = loop != nullptr && term.value == loop->regions[0].arguments[0];
    const std::optional<LoopRange> range = counts ? known_range(loop->loop()) : std::nullopt;
    if (!range) return whole();
    const int64_t a = term.scale * range->first, b = term.scale * range->last;
    out.first = out.first.plus(std::min(a, b));
    out.elements += std::max(a, b) - std::min(a, b);
  }
  return out;
}

}  // namespace hlocc::kernel
