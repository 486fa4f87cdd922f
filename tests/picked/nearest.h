// Programs that come nearest to what a mutant needs: which rows reached its condition, and which
// saw original and mutant differ there. The search begins again from those, with a word or a part
// of the chip changed, since what stands behind a rare condition is seldom found from elsewhere.
#pragma once
#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "picked/picked.h"

namespace hlocc::tests {

enum class Nearness : char { kNone, kReached, kDiffered };

class Nearest {
 public:
  explicit Nearest(uint64_t seed) : random_(seed) {}

  void note(long mutant, Nearness nearness, const Picked& row) {
    Entry& entry = entries_[mutant];
    if (nearness < entry.nearness) return;
    if (nearness > entry.nearness) entry = {nearness, 0, {}};
    ++entry.met;
    if (entry.rows.size() < kRows)
      entry.rows.push_back(row);
    else if (const uint64_t at = random_() % entry.met; at < kRows)
      entry.rows[at] = row;
  }
  void forget(long mutant) { entries_.erase(mutant); }

  Nearness nearness(long mutant) const {
    const auto found = entries_.find(mutant);
    return found == entries_.end() ? Nearness::kNone : found->second.nearness;
  }

  // A row of any mutant's, each mutant as often as another; nullptr if there is none.
  const Picked* draw() {
    if (entries_.empty()) return nullptr;
    if (order_.size() != entries_.size()) {
      order_.clear();
      for (const auto& [mutant, entry] : entries_) order_.push_back(mutant);
    }
    const auto found = entries_.find(order_[random_() % order_.size()]);
    if (found == entries_.end()) {
      order_.clear();
      return nullptr;
    }
    return &found->second.rows[random_() % found->second.rows.size()];
  }

 private:
  static constexpr size_t kRows = 12;
  struct Entry {
    Nearness nearness = Nearness::kNone;
    uint64_t met = 0;
    std::vector<Picked> rows;
  };
  std::mt19937_64 random_;
  std::map<long, Entry> entries_;
  std::vector<long> order_;
};

}  // namespace hlocc::tests
