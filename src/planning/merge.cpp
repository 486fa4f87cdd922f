// See merge.h.
#include "planning/merge.h"

#include <algorithm>
#include <map>

#include "planning/time_index.h"
#include "support/budget.h"
#include "support/check.h"

namespace hlocc::planning {
namespace {

using namespace kernel;

class Merger {
 public:
  Merger(const Draft& draft, const Liveness& liveness, const MergeOptions& options)
      : draft_(draft), liveness_(liveness), options_(options) {
    for (size_t i = 0; i < draft.values.size(); ++i) open(static_cast<Id>(i));
    for (size_t leaf = 0; leaf < draft.finals.size(); ++leaf) {
      Block& block = block_with(draft.finals[leaf]);
      block.result = true;
      block.arena_only |= donated_state(*draft.program, static_cast<int>(leaf)) == kernel::kNone;
    }
    for_each_step(draft.steps, [&](const Step& step) {
      const auto* join = std::get_if<Join>(&step.what);
      if (join == nullptr) return;
      int64_t at = 0;
      for (const Join::Run& run : join->runs) {
        runs_[{run.from, join->to}].push_back({at - run.offset, run.bytes});
        at += run.bytes;
      }
    });
  }

  Blocks run() {
    for (const auto& [a, b] : draft_.together)
      HLOCC_CHECK(join(a, b, 0), "values that must share a place are in each other's way: " +
                                     draft_.value(a).name + " and " + draft_.value(b).name);
    std::vector<Candidate> parts, copies, overlaps;
    for (const Liveness::Part& part : liveness_.parts)
      if (part.distance % options_.alignment == 0)
        parts.push_back({part.from, part.to, part.distance, weight(part.to, part.depth)});
    for (const Liveness::Move& move : liveness_.moves)
      copies.push_back({move.from, move.to, 0, weight(move.to, move.depth)});
    for (size_t i = 0; i < liveness_.in_place.size(); ++i) {
      if (options_.apart.contains(i)) continue;
      const Liveness::InPlace& pair = liveness_.in_place[i];
      const int64_t steps = (pair.ahead + options_.alignment - 1) / options_.alignment;
      overlaps.push_back({pair.operand, pair.result, -steps * options_.alignment,
                          weight(pair.result, pair.depth)});
    }
    for (std::vector<Candidate>* candidates : {&parts, &copies, &overlaps}) {
      std::ranges::stable_sort(*candidates, std::ranges::greater(), &Candidate::weight);
      for (const Candidate& c : *candidates) {
        // What is not joined has a place of its own.
        if (!may_search(kMemberWork * asking(c))) return std::move(blocks_);
        join(c.from, c.to, c.distance);
      }
    }
    return std::move(blocks_);
  }

 private:
  struct Candidate {
    Id from, to;
    int64_t distance, weight;
  };

  // Of a member that is asked who is alive beside it.
  static constexpr int64_t kMemberWork = 100;

  // The members of the smaller block.
  int64_t asking(const Candidate& c) {
    if (blocks_.block_of[static_cast<size_t>(c.from)] < 0 ||
        blocks_.block_of[static_cast<size_t>(c.to)] < 0)
      return 1;
    return static_cast<int64_t>(
        std::min(block_with(c.from).members.size(), block_with(c.to).members.size()));
  }

  // Bytes that a copy moves, with loops taken to iterate eight times.
  int64_t weight(Id value, int depth) const { return bytes(value) << std::min(3 * depth, 24); }
  int64_t bytes(Id value) const { return draft_.value(value).bytes(); }
  Block& block_with(Id value) {
    return blocks_.blocks[static_cast<size_t>(blocks_.block_of[static_cast<size_t>(value)])];
  }
  int64_t offset(Id value) const { return blocks_.offset_of[static_cast<size_t>(value)]; }

  void open(Id value) {
    const ValueRole role = draft_.value(value).role;
    blocks_.offset_of.push_back(0);
    const bool has_block = role != ValueRole::kConstant && !draft_.program->is_streamed(value);
    blocks_.block_of.push_back(has_block ? static_cast<int>(blocks_.blocks.size()) : -1);
    if (!has_block) return;
    Block block{.members = {{value, 0}}};
    if (role == ValueRole::kState) block.state = value;
    block.argument = block.arena_only = role == ValueRole::kArgument;
    blocks_.blocks.push_back(std::move(block));
    extents_.push_back({0, bytes(value)});
    TimeIndex::Tree tree;
    for (const Interval& interval : liveness_.taken[static_cast<size_t>(value)])
      index_.insert(tree, interval, value);
    trees_.push_back(tree);
  }

  // Puts `to` at `distance` from `from`, and with it all that is in its block, if nothing speaks
  // against it.
  bool join(Id from, Id to, int64_t distance) {
    const int a = blocks_.block_of[static_cast<size_t>(from)],
              b = blocks_.block_of[static_cast<size_t>(to)];
    if (a < 0 || b < 0) return false;
    const int64_t shift = offset(from) + distance - offset(to);
    if (a == b) return shift == 0;
    Block &left = blocks_.blocks[static_cast<size_t>(a)],
          &right = blocks_.blocks[static_cast<size_t>(b)];
    if (!may_join(left, right) || !fits_state(a, b, shift) || in_the_way(a, b, shift)) return false;
    // The block that holds state keeps its offsets: they are places.
    if (right.state != kernel::kNone ||
        (left.state == kernel::kNone && right.members.size() > left.members.size()))
      absorb(b, a, -shift);
    else
      absorb(a, b, shift);
    return true;
  }

  bool may_join(const Block& a, const Block& b) const {
    if (a.state != kernel::kNone && b.state != kernel::kNone) return false;
    if ((a.state != kernel::kNone && b.arena_only) || (b.state != kernel::kNone && a.arena_only))
      return false;
    // Two leaves are two buffers to the caller, whatever they hold.
    if (a.result && b.result) return false;
    if (a.argument && b.argument) return false;
    return !(options_.keep_arguments && (a.argument || b.argument));
  }

  // What lies in the state's place must not reach beyond it.
  bool fits_state(int left, int right, int64_t shift) const {
    const Id left_state = blocks_.blocks[static_cast<size_t>(left)].state,
             right_state = blocks_.blocks[static_cast<size_t>(right)].state;
    if (left_state == kernel::kNone && right_state == kernel::kNone) return true;
    const bool in_right = right_state != kernel::kNone;
    const Extent& guest = extents_[static_cast<size_t>(in_right ? left : right)];
    const int64_t move = in_right ? -shift : shift;
    return guest.begin + move >= 0 &&
           guest.end + move <= bytes(in_right ? right_state : left_state);
  }

  // Members that are alive together and share bytes are; those of the smaller block look for others
  // at their times.
  bool in_the_way(int left, int right, int64_t shift) const {
    const bool swapped =
        trees_[static_cast<size_t>(right)].size > trees_[static_cast<size_t>(left)].size;
    const Block& few = blocks_.blocks[static_cast<size_t>(swapped ? left : right)];
    const TimeIndex::Tree many = trees_[static_cast<size_t>(swapped ? right : left)];
    const int64_t move = swapped ? -shift : shift;
    return std::ranges::any_of(few.members, [&](const Member& member) {
      const auto clashes = [&](Id other) {
        return clash(member.value, member.offset + move, other, offset(other));
      };
      return std::ranges::any_of(
          liveness_.taken[static_cast<size_t>(member.value)],
          [&](const Interval& times) { return index_.any_meeting(many, times, clashes); });
    });
  }

  bool clash(Id a, int64_t a_at, Id b, int64_t b_at) const {
    if (a_at + bytes(a) <= b_at || b_at + bytes(b) <= a_at || bytes(a) == 0 || bytes(b) == 0)
      return false;
    if (hold_the_same(a, a_at, b, b_at))
      return moves_over_itself(a, a_at, b, b_at) || moves_over_itself(b, b_at, a, a_at);
    std::vector<int> except;
    permitted(a, a_at, b, b_at, except);
    permitted(b, b_at, a, a_at, except);
    return meet(liveness_.taken[static_cast<size_t>(a)], liveness_.taken[static_cast<size_t>(b)],
                except);
  }

  // Copies of one value hold the same bytes, and so do a whole and its parts; of state that is
  // changed in place they do so only for a while.
  bool hold_the_same(Id a, int64_t a_at, Id b, int64_t b_at) const {
    const Id root = draft_.root(a), other = draft_.root(b);
    if (draft_.joined.contains(root) || draft_.joined.contains(other)) {
      const int64_t begin = std::max(a_at, b_at),
                    shared = std::min(a_at + bytes(a), b_at + bytes(b)) - begin;
      return draft_.runs_of(a, begin - a_at, shared) == draft_.runs_of(b, begin - b_at, shared);
    }
    const ProgramValue& value = draft_.value(root);
    return a_at == b_at && root == other &&
           !(value.role == ValueRole::kState && value.leaf == kernel::kNone);
  }

  // A run of a join that does not lie where it belongs is copied, and never to bytes of its own: a
  // whole of several equal parts holds the same at other places, too.
  bool moves_over_itself(Id from, int64_t from_at, Id to, int64_t to_at) const {
    const auto found = runs_.find({from, to});
    if (found == runs_.end()) return false;
    return std::ranges::any_of(found->second, [&](const RunOfJoin& run) {
      const int64_t moved = to_at + run.distance - from_at;
      return moved != 0 && -run.bytes < moved && moved < run.bytes;
    });
  }

  void permitted(Id operand, int64_t operand_at, Id result, int64_t result_at,
                 std::vector<int>& except) const {
    const auto found = liveness_.permits.find({operand, result});
    if (found == liveness_.permits.end()) return;
    for (const Permit& permit : found->second)
      if (permit.exact ? result_at == operand_at : result_at <= operand_at - permit.ahead)
        except.push_back(permit.time);
  }

  void absorb(int into, int from, int64_t shift) {
    Block &keeper = blocks_.blocks[static_cast<size_t>(into)],
          &guest = blocks_.blocks[static_cast<size_t>(from)];
    for (const Member& member : guest.members) {
      keeper.members.push_back({member.value, member.offset + shift});
      blocks_.block_of[static_cast<size_t>(member.value)] = into;
      blocks_.offset_of[static_cast<size_t>(member.value)] = member.offset + shift;
    }
    Extent& extent = extents_[static_cast<size_t>(into)];
    const Extent& added = extents_[static_cast<size_t>(from)];
    extent = {std::min(extent.begin, added.begin + shift), std::max(extent.end, added.end + shift)};
    trees_[static_cast<size_t>(into)] =
        index_.united(trees_[static_cast<size_t>(into)], trees_[static_cast<size_t>(from)]);
    if (keeper.state == kernel::kNone) keeper.state = guest.state;
    keeper.arena_only |= guest.arena_only;
    keeper.argument |= guest.argument;
    keeper.result |= guest.result;
    guest = {};
  }

  const Draft& draft_;
  const Liveness& liveness_;
  // The bytes that a block's members reach.
  struct Extent {
    int64_t begin, end;
  };

  // By (from, to) of joins: where each run of `from` is wanted beside where it lies in it.
  struct RunOfJoin {
    int64_t distance, bytes;
  };

  MergeOptions options_;
  Blocks blocks_;
  std::map<std::pair<Id, Id>, std::vector<RunOfJoin>> runs_;
  std::vector<Extent> extents_;         // by block
  std::vector<TimeIndex::Tree> trees_;  // by block: the times of its members
  TimeIndex index_;
};

}  // namespace

Blocks merge(const Draft& draft, const Liveness& liveness, const MergeOptions& options) {
  return Merger(draft, liveness, options).run();
}

}  // namespace hlocc::planning
