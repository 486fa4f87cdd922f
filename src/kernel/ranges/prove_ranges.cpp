// See prove_ranges.h. The kernel's access skeleton runs in the evaluator under a watch; a buffer of
// its own, written where a split loop's iteration begins and ends, tells the watch what is whose.
#include "kernel/ranges/prove_ranges.h"

#include <algorithm>

#include "kernel/evaluate/compiled_kernel.h"
#include "kernel/ranges/access_skeleton.h"
#include "kernel/ranges/operand_places.h"
#include "kernel/ranges/race_watch.h"

namespace hlocc::kernel {
namespace {

constexpr int64_t kEnters = 0, kLeaves = 1;  // elements of the marks' buffer

class FlowWatch : public RaceWatch {
 public:
  FlowWatch(const Kernel& skeleton, const SplitKernel& split, BufferId marks,
            std::span<const std::span<std::byte>> buffers)
      : RaceWatch(skeleton, buffers),
        split_(split),
        marks_(marks),
        scratch_(skeleton.buffers.size()) {
    for (size_t i = 0; i < split.kernel.buffers.size(); ++i) {
      const Buffer& buffer = split.kernel.buffers[i];
      if (buffer.direction != Direction::kScratch) continue;
      const size_t elements =
          static_cast<size_t>(split.slots[i] != 0 ? split.slots[i] : buffer.elements);
      scratch_[i] = {std::vector<int64_t>(elements, kUnwritten), std::vector<uint8_t>(elements, 0)};
    }
  }

  void begin_range(int range) {
    begin(range);
    number_ = range;
    iteration_ = everybodys_ = -1;
    for (Scratch& scratch : scratch_) std::ranges::fill(scratch.writer, kUnwritten);
  }

  bool load(int buffer, int64_t at) override {
    if (++accesses_ > kMostAccesses) return false;
    Scratch& scratch = scratch_[static_cast<size_t>(buffer)];
    if (scratch.writer.empty()) return RaceWatch::load(buffer, at);
    const size_t element = in_slot(buffer, at);
    if (element >= scratch.writer.size()) return false;
    const int64_t writer = scratch.writer[element];
    if (writer == iteration_ || (split_.own_scratch && iteration_ > 0)) return true;
    // Written for all iterations; or between two split loops, and read behind the second.
    scratch.uses[element] |= kReadsEverybodys;
    return writer < 0;
  }

  bool store(int buffer, int64_t at) override {
    if (++accesses_ > kMostAccesses) return false;
    if (buffer == marks_) {
      iteration_ = at == kEnters ? ++iterations_ : --everybodys_;
      return true;
    }
    Scratch& scratch = scratch_[static_cast<size_t>(buffer)];
    if (scratch.writer.empty()) return RaceWatch::store(buffer, at);
    const size_t element = in_slot(buffer, at);
    if (element >= scratch.writer.size()) return false;
    scratch.writer[element] = iteration_;
    if (iteration_ > 0) scratch.uses[element] |= kIterationWrites;
    return true;
  }

  // After all ranges: nothing that an iteration wrote was taken for what each range had written
  // before.
  bool flows() const {
    return std::ranges::all_of(scratch_, [](const Scratch& scratch) {
      return std::ranges::none_of(
          scratch.uses, [](uint8_t uses) { return uses == (kReadsEverybodys | kIterationWrites); });
    });
  }

 private:
  // Iterations count from 1 upwards; what stands beside the split loops, each stretch of it between
  // two loops, from -1 downwards.
  static constexpr int64_t kUnwritten = 0;
  static constexpr uint8_t kReadsEverybodys = 1, kIterationWrites = 2;
  struct Scratch {
    std::vector<int64_t> writer;  // by element
    std::vector<uint8_t> uses;
  };
  // Outside of the range's own slot: no element.
  size_t in_slot(int buffer, int64_t at) const {
    return static_cast<size_t>(at - split_.slots[static_cast<size_t>(buffer)] * number_);
  }

  const SplitKernel& split_;
  BufferId marks_;
  std::vector<Scratch> scratch_;  // by buffer; empty: an operand
  int number_ = 0;
  int64_t iteration_ = -1, iterations_ = 0, everybodys_ = -1, accesses_ = 0;
};

class Proof {
 public:
  Proof(const SplitKernel& split, std::span<const int64_t> integers,
        std::span<const Overlap> overlaps)
      : split_(split), overlaps_(overlaps), integers_({0}) {
    integers_.insert(integers_.end(), integers.begin(), integers.end());
  }

  int64_t changes() const { return changes_; }

  RangesProof run() {
    if (OperandPlaces::may_lie_in_place(overlaps_) && holds(true)) return RangesProof::kInPlace;
    return holds(false) ? RangesProof::kApart : RangesProof::kNone;
  }

 private:
  bool holds(bool in_place) {
    OperandPlaces places(split_.kernel, overlaps_, in_place);
    const std::vector<Buffer>& buffers = split_.kernel.buffers;
    Kernel source = split_.kernel;
    const BufferId marks = static_cast<BufferId>(buffers.size());
    source.buffers.push_back({.name = "marks",
                              .element = Scalar::kS8,
                              .elements = 2,
                              .direction = Direction::kScratch,
                              .space = Space::kStack});
    const ValueId zero = static_cast<ValueId>(source.types.size());
    source.types.push_back({Scalar::kS8, 1});
    source.body.ops.insert(
        source.body.ops.begin(),
        {.kind = OpKind::kConstant, .results = {zero}, .payload = Constant{{0}}});
    const auto mark = [&](ValueId where, int64_t element) -> std::optional<Op> {
      if (where != split_.first && std::ranges::count(split_.counters, where) == 0)
        return std::nullopt;
      return Op{.kind = OpKind::kStore,
                .operands = {zero},
                .payload = Access{marks, Affine::constant(element), 1, zero}};
    };
    const std::optional<Kernel> skeleton = access_skeleton(
        source,
        {[&](BufferId buffer) { return places.is_seen(buffer); }, [](BufferId) { return true; },
         [&](ValueId v) { return mark(v, kEnters); }, [&](ValueId v) { return mark(v, kLeaves); }});
    return skeleton && plays(*skeleton, marks, places.memory());
  }

  bool plays(const Kernel& skeleton, BufferId marks,
             const std::vector<std::span<std::byte>>& bound) {
    FlowWatch watch(skeleton, split_, marks, bound);
    CompiledKernel compiled(skeleton);
    for (int range = 0; range < split_.ranges; ++range) {
      watch.begin_range(range);
      integers_[0] = range;
      if (!compiled.run(bound, integers_, {}, &watch).ok()) return false;
    }
    changes_ = watch.changes();
    return watch.flows();
  }

  const SplitKernel& split_;
  std::span<const Overlap> overlaps_;
  std::vector<int64_t> integers_;
  int64_t changes_ = 0;
};

}  // namespace

RangesProof prove_ranges(const SplitKernel& split, std::span<const int64_t> integers,
                         std::span<const Overlap> overlaps, int64_t* changes) {
  Proof proof(split, integers, overlaps);
  const RangesProof found = proof.run();
  if (changes != nullptr) *changes = proof.changes();
  return found;
}

}  // namespace hlocc::kernel
