// See value_uses.h.
#include "backends/c/value_uses.h"

#include <algorithm>
#include <ranges>

namespace hlocc::backends {
namespace {

constexpr int kAgainAndAgain = -3;  // a region of no definition

}  // namespace

ValueUses::ValueUses(const kernel::Kernel& kernel)
    : needed_(kernel.types.size()), rows_(kernel.types.size()) {
  find_needed(kernel.body);
  visit(kernel.body);
}

bool ValueUses::is_dead(const kernel::Op& op) const {
  return op.regions.empty() && !op.results.empty() &&
         std::ranges::none_of(op.results, [&](kernel::ValueId id) { return needed_[id]; });
}

void ValueUses::need(const kernel::Affine& affine) {
  for (const kernel::Affine::Term& term : affine.terms) needed_[term.value] = true;
}

// From the end: what needs a value stands behind it.
void ValueUses::find_needed(const kernel::Region& region) {
  for (const kernel::ValueId id : region.yields) needed_[id] = true;
  for (const kernel::Op& op : std::views::reverse(region.ops)) {
    if (is_dead(op)) continue;
    for (const kernel::ValueId id : op.operands) needed_[id] = true;
    if (const auto* access = std::get_if<kernel::Access>(&op.payload)) need(access->at);
    if (const auto* loop = std::get_if<kernel::Loop>(&op.payload)) {
      need(loop->lower);
      need(loop->upper);
    }
    for (const kernel::Region& inner : op.regions) find_needed(inner);
  }
}

void ValueUses::use(kernel::ValueId id, int region, int writes) {
  Row& row = rows_[static_cast<size_t>(id)];
  ++row.count;
  row.used_in = region;
  row.used_after = writes;
}

void ValueUses::use(const kernel::Affine& affine, int region, int writes) {
  for (const kernel::Affine::Term& term : affine.terms) use(term.value, region, writes);
}

void ValueUses::visit(const kernel::Region& region) {
  const int here = regions_++;
  int writes = 0;
  for (const kernel::Op& op : region.ops) {
    if (is_dead(op)) continue;
    for (const kernel::ValueId id : op.operands) use(id, here, writes);
    if (const auto* access = std::get_if<kernel::Access>(&op.payload))
      use(access->at, here, writes);
    if (const auto* loop = std::get_if<kernel::Loop>(&op.payload)) {
      use(loop->lower, here, writes);
      use(loop->upper, kAgainAndAgain, writes);
    }
    for (const kernel::Region& inner : op.regions) visit(inner);
    if (op.kind == kernel::OpKind::kStore || !op.regions.empty()) ++writes;
    for (const kernel::ValueId id : op.results) {
      rows_[static_cast<size_t>(id)].defined_in = here;
      rows_[static_cast<size_t>(id)].defined_after = writes;
    }
  }
  for (const kernel::ValueId id : region.yields) use(id, here, writes);
}

bool ValueUses::moves_to_use(kernel::ValueId id) const {
  const Row& row = rows_[static_cast<size_t>(id)];
  return row.count == 1 && row.defined_in == row.used_in;
}

bool ValueUses::memory_stays_until_use(kernel::ValueId id) const {
  const Row& row = rows_[static_cast<size_t>(id)];
  return moves_to_use(id) && row.defined_after == row.used_after;
}

}  // namespace hlocc::backends
