// See grid.h. Two regions of loops become one number: an invocation's is
// outer * (iterations of the inner region) + inner, so that neighbours do neighbouring iterations.
#include "backends/spirv/grid.h"

#include <algorithm>

#include "backends/spirv/iterations.h"
#include "kernel/mapped.h"
#include "kernel/ranges/prove_groups.h"
#include "support/rounding.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using namespace kernel;

// More invocations than this of one region help no device that a row describes.
constexpr int64_t kMostOfRegion = 1024;
// No invocation is busy for longer, where that can be helped: drivers end what seems to hang.
constexpr int64_t kWanted = 32768;
// Passes are dispatches of their own: more of them than this are a program of their own.
constexpr int64_t kMostPasses = 4096;

int64_t trips_at(const Kernel& kernel, const SplitSite& site) {
  const Region* region = &kernel.body;
  for (const int op : site) region = &region->ops[static_cast<size_t>(op)].regions[0];
  int64_t most = 0;
  for (const Op& op : region->ops) {
    if (op.kind != OpKind::kLoop) continue;
    const Affine length = op.loop().upper.plus(op.loop().lower.times(-1));
    if (length.is_constant()) most = std::max(most, ceil_div(length.offset, op.loop().step));
  }
  return most;
}

// How operands of the launch lie that are written.
enum class Meeting : uint8_t { kNone, kInPlace, kOtherwise };
Meeting meeting_of(const Kernel& kernel, const Launch& launch, const planning::Plan& plan) {
  Meeting found = Meeting::kNone;
  for (size_t a = 0; a < launch.operands.size(); ++a) {
    if (kernel.buffers[a].direction == Direction::kIn) continue;
    const planning::Place& x = plan.places[static_cast<size_t>(launch.operands[a])];
    for (size_t b = 0; b < launch.operands.size(); ++b) {
      const planning::Place& y = plan.places[static_cast<size_t>(launch.operands[b])];
      if (a == b || x.region != y.region || x.offset >= y.offset + y.bytes ||
          y.offset >= x.offset + x.bytes)
        continue;
      if (x.offset != y.offset) return Meeting::kOtherwise;
      found = Meeting::kInPlace;
    }
  }
  return found;
}

bool suffices(RangesProof proof, Meeting meeting) {
  if (meeting == Meeting::kOtherwise) return false;
  return proof == RangesProof::kInPlace ||
         (proof == RangesProof::kApart && meeting == Meeting::kNone);
}

// Regions with how many invocations each may be dealt out to, the most first.
struct Deal {
  SplitSite site;
  int ranges = 1;
};
std::vector<Deal> deals_of(const Kernel& kernel) {
  std::vector<Deal> all;
  for (const SplitSite& site : split_sites(kernel)) {
    const int64_t trips = std::min(kMostOfRegion, trips_at(kernel, site));
    all.push_back({site, static_cast<int>(trips)});
  }
  std::ranges::stable_sort(all, [](const Deal& a, const Deal& b) { return a.ranges > b.ranges; });
  return all;
}

void add_op(std::vector<Op>& ops, OpKind kind, ValueId result, std::vector<ValueId> operands) {
  ops.push_back({.kind = kind, .operands = std::move(operands), .results = {result}});
}

// A kernel that was split twice, whose first two parameters, inner and outer, become one.
SplitKernel flattened(const SplitKernel& outer, SplitKernel inner) {
  Kernel& kernel = inner.kernel;
  const ValueId number = static_cast<ValueId>(kernel.types.size()), size = number + 1;
  kernel.types.insert(kernel.types.end(), 2, {Scalar::kIndex, 1});
  std::vector<Op> head;
  add_op(head, OpKind::kConstant, size, {});
  head.back().payload = Constant{{static_cast<uint64_t>(inner.ranges)}};
  add_op(head, OpKind::kNativeRem, kernel.parameters[0], {number, size});
  add_op(head, OpKind::kNativeDiv, kernel.parameters[1], {number, size});
  kernel.body.ops.insert(kernel.body.ops.begin(), head.begin(), head.end());
  kernel.parameters.erase(kernel.parameters.begin());
  kernel.parameters[0] = number;
  inner.counters.insert(inner.counters.end(), outer.counters.begin(), outer.counters.end());
  inner.own_scratch &= outer.own_scratch;
  inner.ranges *= outer.ranges;
  return inner;
}

class GridMaker {
 public:
  GridMaker(const Kernel& kernel, const Launch& launch, Meeting meeting)
      : kernel_(kernel), launch_(launch), meeting_(meeting) {}

  std::optional<SplitKernel> run() const {
    // Scratch in the arena is there once.
    if (kernel_.operand_buffers() != kernel_.bound_buffers()) return std::nullopt;
    for (const Deal& deal : deals_of(kernel_)) {
      std::optional<SplitKernel> once = split_kernel(kernel_, deal.site, deal.ranges);
      if (!once) continue;
      if (std::optional<SplitKernel> twice = split_again(*once)) return twice;
      if (is_proved(*once)) return once;
    }
    return std::nullopt;
  }

 private:
  bool is_proved(const SplitKernel& split) const {
    return suffices(prove_ranges(split, launch_.integers, launch_.overlaps), meeting_);
  }
  std::optional<SplitKernel> split_again(const SplitKernel& once) const {
    if (once.first != kNone) return std::nullopt;
    for (const Deal& deal : deals_of(once.kernel)) {
      std::optional<SplitKernel> inner = split_kernel(once.kernel, deal.site, deal.ranges);
      if (!inner || inner->first != kNone) continue;
      SplitKernel both = flattened(once, std::move(*inner));
      if (is_proved(both)) return both;
    }
    return std::nullopt;
  }

  const Kernel& kernel_;
  const Launch& launch_;
  Meeting meeting_;
};

// Whether something beside the split loops reads what passes before may have written.
bool reads_between(const Kernel& kernel, const Region& region, std::span<const ValueId> split,
                   bool any_buffer) {
  return std::ranges::any_of(region.ops, [&](const Op& op) {
    if (op.kind == OpKind::kLoad)
      return any_buffer || kernel.buffers[op.access().buffer].direction != Direction::kIn;
    if (op.kind == OpKind::kLoop && std::ranges::count(split, op.regions[0].arguments[0]) != 0)
      return false;
    return std::ranges::any_of(op.regions, [&](const Region& inner) {
      return reads_between(kernel, inner, split, any_buffer);
    });
  });
}

// Whether the passes do what the whole does, one after the other: each begins with nothing but what
// operands hold.
bool follow_one_another(const SplitKernel& split, Meeting meeting) {
  const bool scratch = std::ranges::any_of(
      split.kernel.buffers, [](const Buffer& b) { return b.direction == Direction::kScratch; });
  return (!scratch || split.own_scratch) &&
         split.kernel.operand_buffers() == split.kernel.bound_buffers() &&
         !reads_between(split.kernel, split.kernel.body, split.counters, meeting != Meeting::kNone);
}

// In as few passes, in powers of two, as keep each below `iterations`.
std::optional<GridKernel> in_passes(const GridKernel& grid, const Launch& launch, Meeting meeting,
                                    int64_t iterations) {
  std::vector<int64_t> integers = {0};  // the first pass takes the most
  integers.insert(integers.end(), launch.integers.begin(), launch.integers.end());
  for (const SplitSite& site : split_sites(grid.kernel)) {
    const int64_t most_passes = std::min(kMostPasses, trips_at(grid.kernel, site));
    for (int64_t passes = 2; passes <= most_passes; passes *= 2) {
      std::optional<SplitKernel> split = split_kernel(grid.kernel, site, static_cast<int>(passes));
      if (!split || !follow_one_another(*split, meeting)) break;
      Kernel& kernel = split->kernel;
      // The number of the invocation comes first.
      if (grid.invocations > 1) std::swap(kernel.parameters[0], kernel.parameters[1]);
      const std::optional<int64_t> most = most_iterations(kernel, grid.invocations, integers);
      if (most && *most <= iterations)
        return GridKernel{std::move(kernel), grid.invocations, passes};
    }
  }
  return std::nullopt;
}

// A mapped kernel deals itself out; what is left to do is to prove that it may.
Status prove_mapped(const Kernel& kernel, const Launch& launch, Meeting meeting) {
  std::string fault = "its operands lie over one another";
  if (suffices(prove_groups(kernel, launch.integers, launch.overlaps, &fault), meeting)) return {};
  return error(DiagnosticKind::kInternal,
               cat("kernel ", kernel.name, ": groups of threads that may meet: ", fault));
}

}  // namespace

Result<GridKernel> grid_for(const Kernel& kernel, const Launch& launch, const planning::Plan& plan,
                            int64_t iterations) {
  GridKernel out{kernel};
  const Meeting meeting = meeting_of(kernel, launch, plan);
  if (mapped_loops(kernel)) {
    HLOCC_TRY(prove_mapped(kernel, launch, meeting));
    return out;
  }
  if (std::optional<SplitKernel> split = GridMaker(kernel, launch, meeting).run())
    out = {std::move(split->kernel), split->ranges};
  const std::optional<int64_t> most = most_iterations(out.kernel, out.invocations, launch.integers);
  // Half of what is allowed leaves room for what is not foreseen.
  const int64_t wanted = iterations == 0 ? kWanted : std::min(kWanted, iterations / 2);
  if (!most || *most <= wanted) return out;
  if (std::optional<GridKernel> passes = in_passes(out, launch, meeting, wanted)) return *passes;
  if (iterations == 0 || *most < iterations) return out;
  return error(DiagnosticKind::kUnsupported,
               cat("kernel ", kernel.name, ": one invocation's loops take ", *most,
                   " iterations, and this device ends them after ", iterations))
      .note("another --device may have no such limit");
}

}  // namespace hlocc::backends
