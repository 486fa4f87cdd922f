// See split_launches.h. Of the regions that may be split the one is taken whose longest range is
// the shortest, with what it costs that the ranges' results lie among each other, an outer one
// where two are alike; if its ranges meet, the next.
#include "planning/split_launches.h"

#include <algorithm>
#include <map>

#include "costs/kernel_work.h"
#include "costs/threads.h"
#include "kernel/ranges/prove_ranges.h"

namespace hlocc::planning {
namespace {

using namespace kernel;

// An inner region has to be so much better, because each range goes around the outer loops.
constexpr double kInnerIsWorse = 1.05;

class LaunchSplitter {
 public:
  LaunchSplitter(Program& program, const Target& target)
      : program_(program), target_(target), ranges_(target.options.threads) {}

  void split(Launch& launch) {
    const KernelId id = launch.kernel;
    const double whole = costs::kernel_work(program_.kernels[id], launch.integers, target_).cycles;
    if (!costs::ranges_pay(whole, whole / ranges_, target_)) return;
    const std::vector<Candidate> all = candidates(launch);
    const Candidate* best = nullptr;
    RangesProof proved = RangesProof::kNone;
    double least = 0;
    for (const Candidate& candidate : all) {
      if (best != nullptr && candidate.rank >= least) break;
      if (!costs::ranges_pay(whole, candidate.longest, target_)) continue;
      int64_t changes = 0;
      const RangesProof proof =
          prove_ranges(candidate.split, launch.integers, launch.overlaps, &changes);
      const double fetching = costs::cycles_of_changes(changes, target_);
      if (proof == RangesProof::kNone || (best != nullptr && candidate.rank + fetching >= least) ||
          !costs::ranges_pay(whole, candidate.longest + fetching, target_))
        continue;
      best = &candidate;
      proved = proof;
      least = candidate.rank + fetching;
    }
    if (best != nullptr) take(launch, *best, proved);
  }

 private:
  struct Candidate {
    SplitSite site;
    SplitKernel split;
    double longest = 0, rank = 0;
  };

  void take(Launch& launch, const Candidate& candidate, RangesProof proof) {
    std::erase_if(launch.overlaps, [&](const Overlap& overlap) {
      return proof == RangesProof::kApart || overlap.bytes != 0;
    });
    launch.kernel = added(launch.kernel, candidate);
    launch.ranges = ranges_;
  }

  std::vector<Candidate> candidates(const Launch& launch) const {
    const Kernel& kernel = program_.kernels[launch.kernel];
    std::vector<Candidate> found;
    double worse = 1;
    for (const SplitSite& site : split_sites(kernel)) {
      std::optional<SplitKernel> split = split_kernel(kernel, site, ranges_);
      if (!split) continue;
      const double longest =
          costs::ranges_work(split->kernel, launch.integers, ranges_, target_).cycles;
      found.push_back({site, std::move(*split), longest, longest * worse});
      worse *= kInnerIsWorse;
    }
    std::ranges::stable_sort(found, {}, &Candidate::rank);
    return found;
  }

  KernelId added(KernelId id, const Candidate& candidate) {
    const auto next = static_cast<KernelId>(program_.kernels.size());
    const auto [known, is_new] = added_.emplace(std::pair(id, candidate.site), next);
    if (is_new) {
      program_.kernels.push_back(candidate.split.kernel);
      program_.kernels.back().name += "_range";
    }
    return known->second;
  }

  Program& program_;
  const Target& target_;
  int ranges_;
  std::map<std::pair<KernelId, SplitSite>, KernelId> added_;
};

}  // namespace

void split_launches(Program& program, const Target& target) {
  if (target.options.threads < 2) return;
  LaunchSplitter splitter(program, target);
  for_each_launch(program.steps, [&](Launch& launch) { splitter.split(launch); });
}

}  // namespace hlocc::planning
