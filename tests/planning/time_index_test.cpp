// Trees of intervals and the bytes that ranges cover, against lists of them.
#include "planning/time_index.h"

#include <algorithm>
#include <set>

#include "planning/coverage.h"
#include "random_programs.h"

namespace hlocc::planning {
namespace {

TEST_CASE("a tree of intervals finds those that a list finds, united or not") {
  Random random(7);
  TimeIndex index;
  std::vector<TimeIndex::Tree> trees(3);
  std::vector<std::vector<Interval>> lists(3);
  const auto drawn = [&] {
    const int begin = static_cast<int>(random.below(60));
    return Interval{begin, begin + 1 + static_cast<int>(random.below(9))};
  };
  const auto check = [&](size_t which) {
    for (int i = 0; i < 50; ++i) {
      const Interval asked = drawn();
      std::multiset<Id> found, expected;
      index.any_meeting(trees[which], asked, [&](Id id) { return found.insert(id), false; });
      for (size_t k = 0; k < lists[which].size(); ++k)
        if (lists[which][k].begin < asked.end && asked.begin < lists[which][k].end)
          expected.insert(static_cast<Id>(k));
      CHECK(found == expected);
      CHECK(index.any_meeting(trees[which], asked, [](Id) { return true; }) == !expected.empty());
    }
  };
  for (size_t which : {0u, 1u}) {
    for (Id k = 0; k < 40; ++k) {
      lists[which].push_back(drawn());
      index.insert(trees[which], lists[which].back(), k);
    }
    check(which);
  }
  // What is added to another list has its numbers.
  for (Id k = 0; k < 10; ++k) {
    lists[0].push_back(drawn());
    index.insert(trees[2], lists[0].back(), static_cast<Id>(lists[0].size() - 1));
  }
  trees[0] = index.united(trees[2], trees[0]);
  CHECK(trees[0].size == 50);
  check(0);
}

TEST_CASE("covered bytes count once while ranges come and go") {
  Random random(11);
  std::vector<std::pair<int64_t, int64_t>> ranges;
  std::vector<int64_t> ends;
  for (int i = 0; i < 30; ++i) {
    const int64_t from = static_cast<int64_t>(random.below(50)) - 20;
    ranges.emplace_back(from, from + static_cast<int64_t>(random.below(12)));
    ends.insert(ends.end(), {ranges.back().first, ranges.back().second});
  }
  Coverage coverage(ends);
  std::vector<bool> there(ranges.size(), false);
  for (int i = 0; i < 200; ++i) {
    const size_t which = random.below(ranges.size());
    there[which] = !there[which];
    coverage.change(ranges[which].first, ranges[which].second, there[which] ? 1 : -1);
    std::set<int64_t> bytes;
    for (size_t k = 0; k < ranges.size(); ++k)
      for (int64_t at = ranges[k].first; there[k] && at < ranges[k].second; ++at) bytes.insert(at);
    CHECK(coverage.bytes() == static_cast<int64_t>(bytes.size()));
  }
}

}  // namespace
}  // namespace hlocc::planning
