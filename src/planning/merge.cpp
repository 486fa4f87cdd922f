// See merge.h.
#include "planning/merge.h"

#include <algorithm>

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
  }

  Blocks run() {
    for (const auto& [a, b] : draft_.together)
      HLOCC_CHECK(join(a, b, 0), "values that must share a place are in each other's way: " +
                                     draft_.value(a).name + " and " + draft_.value(b).name);
    std::vector<Candidate> copies, overlaps;
    for (const Liveness::Move& move : liveness_.moves)
      copies.push_back({move.from, move.to, 0, weight(move.to, move.depth)});
    for (size_t i = 0; i < liveness_.in_place.size(); ++i) {
      if (options_.apart.contains(i)) continue;
      const Liveness::InPlace& pair = liveness_.in_place[i];
      const int64_t steps = (pair.ahead + options_.alignment - 1) / options_.alignment;
      overlaps.push_back({pair.operand, pair.result, -steps * options_.alignment,
                          weight(pair.result, pair.depth)});
    }
    for (std::vector<Candidate>* candidates : {&copies, &overlaps}) {
      std::ranges::stable_sort(*candidates, std::ranges::greater(), &Candidate::weight);
      for (const Candidate& c : *candidates) {
        // What is not joined has a place of its own.
        if (!may_search(kPairWork * pairs(c))) return std::move(blocks_);
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

  // Of two members that are compared.
  static constexpr int64_t kPairWork = 20;

  int64_t pairs(const Candidate& c) {
    if (blocks_.block_of[static_cast<size_t>(c.from)] < 0 ||
        blocks_.block_of[static_cast<size_t>(c.to)] < 0)
      return 1;
    return static_cast<int64_t>(block_with(c.from).members.size() *
                                block_with(c.to).members.size());
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
    blocks_.block_of.push_back(
        role == ValueRole::kConstant ? -1 : static_cast<int>(blocks_.blocks.size()));
    if (role == ValueRole::kConstant) return;
    Block block{.members = {{value, 0}}};
    if (role == ValueRole::kState) block.state = value;
    block.argument = block.arena_only = role == ValueRole::kArgument;
    blocks_.blocks.push_back(std::move(block));
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
    if (!may_join(left, right) || !fits_state(left, right, shift) || in_the_way(left, right, shift))
      return false;
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
  bool fits_state(const Block& left, const Block& right, int64_t shift) const {
    const bool in_right = right.state != kernel::kNone;
    if (left.state == kernel::kNone && !in_right) return true;
    const Block& guest = in_right ? left : right;
    const int64_t move = in_right ? -shift : shift,
                  room = bytes(in_right ? right.state : left.state);
    return std::ranges::all_of(guest.members, [&](const Member& m) {
      return m.offset + move >= 0 && m.offset + move + bytes(m.value) <= room;
    });
  }

  bool in_the_way(const Block& left, const Block& right, int64_t shift) const {
    for (const Member& a : left.members)
      for (const Member& b : right.members)
        if (clash(a.value, a.offset, b.value, b.offset + shift)) return true;
    return false;
  }

  bool clash(Id a, int64_t a_at, Id b, int64_t b_at) const {
    if (a_at + bytes(a) <= b_at || b_at + bytes(b) <= a_at || bytes(a) == 0 || bytes(b) == 0)
      return false;
    if (a_at == b_at && hold_the_same(a, b)) return false;
    std::vector<int> except;
    permitted(a, a_at, b, b_at, except);
    permitted(b, b_at, a, a_at, except);
    return meet(liveness_.taken[static_cast<size_t>(a)], liveness_.taken[static_cast<size_t>(b)],
                except);
  }

  // Copies of one value hold the same bytes; of state that is changed in place they do so only for
  // a while.
  bool hold_the_same(Id a, Id b) const {
    const Id root = draft_.root(a);
    const ProgramValue& value = draft_.value(root);
    return root == draft_.root(b) &&
           !(value.role == ValueRole::kState && value.leaf == kernel::kNone);
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
    if (keeper.state == kernel::kNone) keeper.state = guest.state;
    keeper.arena_only |= guest.arena_only;
    keeper.argument |= guest.argument;
    keeper.result |= guest.result;
    guest = {};
  }

  const Draft& draft_;
  const Liveness& liveness_;
  MergeOptions options_;
  Blocks blocks_;
};

}  // namespace

Blocks merge(const Draft& draft, const Liveness& liveness, const MergeOptions& options) {
  return Merger(draft, liveness, options).run();
}

}  // namespace hlocc::planning
