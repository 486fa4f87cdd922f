// The planner: orders steps, puts in all copies that could be needed, finds what is alive when,
// merges what may share memory, and packs the blocks. The given order and the one found are both
// planned to the end, and the better plan is taken.
#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "kernel/program_values.h"
#include "planning/device_memories.h"
#include "planning/draft.h"
#include "planning/early_parts.h"
#include "planning/layout.h"
#include "planning/moved_runs.h"
#include "planning/order.h"
#include "planning/place_pieces.h"
#include "planning/plan.h"
#include "support/rounding.h"

namespace hlocc::planning {
namespace {

using namespace kernel;

// Vectors are loaded from aligned places; scalar chips need words.
int64_t usual_alignment(const Target& target) {
  return target.vector_bits == 0 ? 4 : std::clamp(target.vector_bits / 8, 16, 128);
}

class Planner {
 public:
  Planner(const Program& program, const Target& target, const Steps& steps)
      : program_(program),
        target_(target),
        draft_(insert_copies(program, steps)),
        liveness_(analyse(draft_, target)),
        usual_(usual_alignment(target)) {
    // Compilers for chips of 16 bits align nothing further.
    if (target.pointer_bits == 16) plan_.arena_align = 8;
    find_alignments();
    const int64_t widest = alignment_.empty() ? usual_ : std::ranges::max(alignment_);
    layout_ = find_layout(
        draft_, liveness_, alignment_,
        {.keep_arguments = target.options.keep_arguments, .alignment = std::max(usual_, widest)});
  }

  Plan run() {
    plan_.places.assign(draft_.values.size(), {});
    for (size_t i = 0; i < draft_.values.size(); ++i)
      plan_.places[i].bytes = draft_.values[i].bytes();
    place_constants();
    place_state();
    place_arena();
    if (program_.stream) place_ticket();
    if (!target_.options.memories.empty())
      place_pieces({draft_, liveness_, alignment_, layout_.blocks, target_, ticket_room_}, plan_);
    plan_.memories = place_device_memories(draft_.values, liveness_, plan_.places);
    drop_copies();
    if (program_.stream) place_stream();
    report_leaves();
    count_copies(plan_.steps, false);
    plan_.values = std::move(draft_.values);
    return std::move(plan_);
  }

 private:
  const std::vector<Block>& blocks() const { return layout_.blocks.blocks; }

  // What kernels ask for, else the usual for the target; values smaller than that lie as their
  // elements do.
  void find_alignments() {
    for (const ProgramValue& value : draft_.values) {
      const int64_t element = scalar_bytes(value.element);
      needed_.push_back(element);
      alignment_.push_back(value.bytes() < usual_ ? element : std::max(element, usual_));
    }
    for_each_step(draft_.steps, [&](const Step& step) {
      const auto* launch = std::get_if<Launch>(&step.what);
      if (launch == nullptr) return;
      const Kernel& kernel = program_.kernels[static_cast<size_t>(launch->kernel)];
      size_t operand = 0;
      for (const Buffer& buffer : kernel.buffers) {
        if (buffer.space != Space::kArena) continue;
        const auto value = static_cast<size_t>(launch->operands[operand++]);
        for (int64_t* alignment : {&alignment_[value], &needed_[value]})
          *alignment = std::max<int64_t>(*alignment, buffer.alignment);
      }
    });
  }

  // Equal bytes lie once, if their elements are of one width: on a target of the other byte order
  // they are turned around element by element.
  void place_constants() {
    std::map<std::pair<std::string_view, int>, std::vector<size_t>> same;
    std::vector<const std::vector<size_t>*> order;
    const auto sharing_with = [&](const ProgramValue& value) -> std::vector<size_t>& {
      const auto* bytes = reinterpret_cast<const char*>(value.data->data());
      return same[{std::string_view(bytes, value.data->size()), scalar_bytes(value.element)}];
    };
    for (size_t i = 0; i < draft_.values.size(); ++i)
      if (draft_.values[i].role == ValueRole::kConstant)
        sharing_with(draft_.values[i]).push_back(i);
    for (size_t i = 0; i < draft_.values.size(); ++i) {
      if (draft_.values[i].role != ValueRole::kConstant) continue;
      const std::vector<size_t>& sharing = sharing_with(draft_.values[i]);
      if (sharing.front() == i) order.push_back(&sharing);
    }
    for (const std::vector<size_t>* sharing : order) {
      int64_t alignment = 1;
      for (const size_t i : *sharing) alignment = std::max(alignment, alignment_[i]);
      plan_.constant_align = std::max(plan_.constant_align, alignment);
      const int64_t offset = round_up(plan_.constant_bytes, alignment),
                    bytes = draft_.values[sharing->front()].bytes();
      for (const size_t i : *sharing) plan_.places[i] = {Region::kConstant, offset, bytes};
      // What is empty may lie where another begins.
      int64_t& wanted = plan_.alignment_of_constant[offset];
      wanted = std::max(wanted, alignment);
      plan_.constant_bytes = offset + bytes;
    }
  }

  void place_state() {
    for (const Block& block : blocks()) {
      if (block.state == kernel::kNone) continue;
      int64_t alignment = 1, origin = 0;
      for (const Member& member : block.members) {
        alignment = std::max(alignment, alignment_[static_cast<size_t>(member.value)]);
        if (member.value == block.state) origin = member.offset;
      }
      const int64_t base = round_up(plan_.state_bytes, alignment) - origin;
      for (const Member& member : block.members) set_place(member, Region::kState, base);
      plan_.state_bytes = base + origin + draft_.value(block.state).bytes();
    }
  }

  void place_arena() {
    plan_.arena_bytes = layout_.bytes;
    plan_.live_set_bound = layout_.bound;
    plan_.offsets_are_optimal = layout_.offsets_are_optimal;
    for (size_t b = 0; b < blocks().size(); ++b) {
      if (blocks()[b].state != kernel::kNone) continue;
      for (const Member& member : blocks()[b].members) {
        set_place(member, Region::kArena, layout_.bases[b]);
        plan_.arena_align =
            std::max(plan_.arena_align, alignment_[static_cast<size_t>(member.value)]);
      }
    }
  }

  // A word in front of all else, which another user of the arena in between is likely to write.
  void place_ticket() {
    int64_t room = static_cast<int64_t>(sizeof(uint32_t));
    for (size_t i = 0; i < plan_.places.size(); ++i)
      if (is_in_arena(i)) room = std::max(room, alignment_[i]);
    for (size_t i = 0; i < plan_.places.size(); ++i)
      if (is_in_arena(i)) plan_.places[i].offset += room;
    plan_.arena_bytes += room;
    ticket_room_ = room;
  }
  void place_stream() {
    const StreamSteps& stream = *program_.stream;
    plan_.stream = {plan_.places[static_cast<size_t>(stream.state)].offset, stream.iterations, 0};
  }

  bool is_in_arena(size_t value) const {
    const Place& place = plan_.places[value];
    return place.region == Region::kArena && place.memory == 0 && place.bytes > 0 &&
           !program_.is_streamed(static_cast<Id>(value));
  }

  void set_place(const Member& member, Region region, int64_t base) {
    const size_t i = static_cast<size_t>(member.value);
    const int64_t bytes = draft_.values[i].bytes();
    plan_.places[i] = {region, bytes == 0 ? 0 : base + member.offset, bytes};
  }

  // Copies inside one place are not done; readers of the copy read the original. An argument's
  // copy stays, because the caller may have brought the argument in a buffer of its own.
  void drop_copies() {
    plan_.steps = draft_.steps;
    std::map<Id, Id> original;
    for (const Liveness::Move& move : liveness_.moves)
      if (layout_.blocks.same_place(move.from, move.to) &&
          draft_.value(move.from).role != ValueRole::kArgument)
        original[move.to] = move.from;
    const auto resolve = [&](Id id) {
      for (auto found = original.find(id); found != original.end(); found = original.find(id))
        id = found->second;
      return id;
    };
    drop(plan_.steps, original);
    kernel::replace_values(plan_.steps, resolve);
    for (Id& final : draft_.finals) final = resolve(final);
  }

  static void drop(Steps& steps, const std::map<Id, Id>& original) {
    std::erase_if(steps, [&](const Step& step) {
      const auto* copy = std::get_if<Copy>(&step.what);
      return copy != nullptr && original.contains(copy->to);
    });
    for (Step& step : steps) {
      if (auto* loop = std::get_if<WhileStep>(&step.what))
        drop(loop->condition, original), drop(loop->body, original);
      if (auto* choice = std::get_if<ConditionalStep>(&step.what))
        for (Steps& branch : choice->branches) drop(branch, original);
    }
  }

  void report_leaves() {
    const std::vector<bool> written = written_arguments();
    for (size_t i = 0; i < program_.arguments.size(); ++i) {
      const auto argument = static_cast<size_t>(program_.arguments[i]);
      plan_.argument_places.push_back(plan_.places[argument]);
      plan_.argument_place_reused.push_back(written[i]);
      plan_.argument_alignments.push_back(needed_[argument]);
    }
    for (const Id final : draft_.finals)
      plan_.result_places.push_back(plan_.places[static_cast<size_t>(final)]);
  }

  // By argument: true if another value is written where it lies. Of the values that are placed as
  // many overlap it as begin before its end, less those that end before it begins.
  std::vector<bool> written_arguments() const {
    using Where = std::pair<int, Region>;
    struct Ends {
      std::vector<int64_t> begins, ends;
    };
    std::map<Where, Ends> all;
    std::map<std::pair<Id, int64_t>, int64_t> same;  // by root and offset: copies in one place
    for (size_t i = 0; i < draft_.values.size(); ++i) {
      const Place& place = plan_.places[i];
      if (liveness_.taken[i].empty() || place.bytes == 0) continue;
      Ends& ends = all[{place.memory, place.region}];
      ends.begins.push_back(place.offset);
      ends.ends.push_back(place.offset + place.bytes);
      const Id root = draft_.root(static_cast<Id>(i));
      const Place& original = plan_.places[static_cast<size_t>(root)];
      if (original.memory == place.memory && original.region == place.region)
        ++same[{root, place.offset}];
    }
    for (auto& [where, ends] : all) std::ranges::sort(ends.begins), std::ranges::sort(ends.ends);
    std::vector<bool> written;
    for (const Id argument : program_.arguments) {
      const Place& place = plan_.places[static_cast<size_t>(argument)];
      const auto found = all.find({place.memory, place.region});
      if (place.bytes == 0 || found == all.end() || program_.is_streamed(argument)) {
        written.push_back(false);
        continue;
      }
      const auto& [begins, ends] = found->second;
      const auto before_end = std::ranges::lower_bound(begins, place.offset + place.bytes);
      const auto before_begin = std::ranges::upper_bound(ends, place.offset);
      const auto copies = same.find({argument, place.offset});
      written.push_back((before_end - begins.begin()) - (before_begin - ends.begin()) >
                        (copies == same.end() ? 0 : copies->second));
    }
    return written;
  }

  void count_copies(const Steps& steps, bool in_loop) {
    for (const Step& step : steps) {
      if (const auto* copy = std::get_if<Copy>(&step.what);
          copy != nullptr && !layout_.blocks.same_place(copy->from, copy->to)) {
        ++plan_.copies;
        plan_.copies_in_loops += in_loop ? 1 : 0;
      }
      if (const auto* join = std::get_if<Join>(&step.what)) {
        const int moved = static_cast<int>(moved_runs(*join, plan_.places).size());
        plan_.copies += moved;
        plan_.copies_in_loops += in_loop ? moved : 0;
      }
      const bool loop = std::holds_alternative<WhileStep>(step.what);
      for_each_block(step, [&](const Steps& block) { count_copies(block, in_loop || loop); });
    }
  }

  const Program& program_;
  const Target& target_;
  Draft draft_;
  Liveness liveness_;
  int64_t usual_;
  // By value: where it is placed, and what kernels cannot do without.
  std::vector<int64_t> alignment_, needed_;
  Layout layout_;
  Plan plan_;
  int64_t ticket_room_ = 0;
};

}  // namespace

Result<Plan> plan(const Program& program, const Target& target) {
  const Steps ordered = with_early_parts(order_steps(program), program.kernels);
  // Orders that differ from the given one have a lower peak.
  if (is_large(program.values.size())) return Planner(program, target, ordered).run();
  const Steps as_given = with_early_parts(program.steps, program.kernels);
  Plan given = Planner(program, target, as_given).run();
  if (to_text(ordered, program.kernels, program.values) ==
      to_text(as_given, program.kernels, program.values))
    return given;
  Plan other = Planner(program, target, ordered).run();
  const auto cost = [](const Plan& p) {
    return std::tuple(p.missing_bytes(), p.arena_bytes, p.copies_in_loops, p.copies);
  };
  return cost(other) < cost(given) ? std::move(other) : std::move(given);
}

}  // namespace hlocc::planning
