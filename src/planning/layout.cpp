// See layout.h.
#include "planning/layout.h"

#include <algorithm>

namespace hlocc::planning {
namespace {

using namespace kernel;

class Finder {
 public:
  Finder(const Draft& draft, const Liveness& liveness, const std::vector<int64_t>& alignment,
         MergeOptions options)
      : draft_(draft), liveness_(liveness), alignment_(alignment), options_(std::move(options)) {}

  Layout run() {
    Layout best = lay_out(kFullEffort);
    const int64_t bound = widest_step(draft_);
    // Large programs cost more a try, and gain less from it.
    const int values = static_cast<int>(draft_.values.size());
    int tries = is_large(values) ? 0 : std::clamp(kTries * 400 / (values + 1), 4, kTries);
    for (bool better = true; better && tries > 0;) {
      better = false;
      for (size_t i = 0; i < liveness_.in_place.size() && best.bytes > bound && tries > 0; ++i) {
        if (spent_ > kMostSpent) return best;
        const Liveness::InPlace& pair = liveness_.in_place[i];
        if (options_.apart.contains(i) ||
            best.blocks.block_of[static_cast<size_t>(pair.operand)] !=
                best.blocks.block_of[static_cast<size_t>(pair.result)])
          continue;
        --tries;
        options_.apart.insert(i);
        Layout tried = lay_out(kFullEffort / 50);
        if (tried.bytes < best.bytes)
          best = std::move(tried), better = true;
        else
          options_.apart.erase(i);
      }
    }
    return best;
  }

 private:
  static constexpr int kTries = 64;

  // Pairs of blocks looked at in all tries.
  static constexpr int64_t kMostSpent = 4 * kFullEffort;

  Layout lay_out(int64_t effort) {
    Layout layout{.blocks = merge(draft_, liveness_, options_)};
    const auto [items, packed] = arena_items(draft_, liveness_, alignment_, layout.blocks);
    const Packing packing = pack(items, effort);
    spent_ += packing.spent;
    layout.bytes = packing.bytes;
    layout.bound = packing.bound;
    layout.offsets_are_optimal = packing.is_optimal;
    layout.bases.assign(layout.blocks.blocks.size(), 0);
    for (size_t k = 0; k < items.size(); ++k) layout.bases[packed[k]] = packing.bases[k];
    return layout;
  }

  const Draft& draft_;
  const Liveness& liveness_;
  const std::vector<int64_t>& alignment_;
  MergeOptions options_;
  int64_t spent_ = 0;
};

}  // namespace

ArenaItems arena_items(const Draft& draft, const Liveness& liveness,
                       const std::vector<int64_t>& alignment, const Blocks& blocks) {
  ArenaItems out;
  for (size_t b = 0; b < blocks.blocks.size(); ++b) {
    const Block& block = blocks.blocks[b];
    Item item;
    for (const Member& member : block.members) {
      const size_t i = static_cast<size_t>(member.value);
      if (liveness.taken[i].empty() || draft.values[i].bytes() == 0) continue;
      item.parts.push_back({liveness.taken[i], member.offset, draft.values[i].bytes()});
      item.alignment = std::max(item.alignment, alignment[i]);
    }
    if (item.parts.empty() || block.state != kernel::kNone) continue;
    if (draft.value(block.members[0].value).memory != 0) continue;
    out.items.push_back(std::move(item));
    out.blocks.push_back(b);
  }
  return out;
}

Layout find_layout(const Draft& draft, const Liveness& liveness,
                   const std::vector<int64_t>& alignment, MergeOptions options) {
  return Finder(draft, liveness, alignment, std::move(options)).run();
}

int64_t widest_step(const Draft& draft) {
  int64_t widest = 0;
  const auto in_arena = [&](Id id) {
    const ValueRole role = draft.value(id).role;
    return role == ValueRole::kTemporary || role == ValueRole::kArgument;
  };
  for_each_step(draft.steps, [&](const Step& step) {
    const auto* launch = std::get_if<Launch>(&step.what);
    if (launch == nullptr) return;
    std::vector<Id> ids = launch->operands;
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    int64_t bytes = 0;
    for (const Id id : ids) bytes += in_arena(id) ? draft.value(id).bytes() : 0;
    // At best each result lies over an operand.
    std::vector<int> saved;
    for (const Overlap& overlap : launch->overlaps) {
      if (std::ranges::find(saved, overlap.result) != saved.end()) continue;
      saved.push_back(overlap.result);
      bytes -= draft.value(launch->operands[static_cast<size_t>(overlap.result)]).bytes();
    }
    widest = std::max(widest, bytes);
  });
  return widest;
}

}  // namespace hlocc::planning
