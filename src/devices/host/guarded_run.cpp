// See guarded_run.h. The instance is filled here as the header's `init` fills it, independently of
// HostProgram.
#include "devices/host/guarded_run.h"

#include <algorithm>
#include <cstring>

#include "devices/host/guarded_memory.h"
#include "support/text.h"

namespace hlocc::device {
namespace {

using planning::Region;

class Rounds {
 public:
  Rounds(const HostCode& code, int (*run)(void*), std::span<const std::vector<std::byte>> arguments)
      : code_(code),
        run_(run),
        arguments_(arguments),
        layout_{static_cast<int>(sizeof(void*)), static_cast<int>(code.arguments.size()),
                static_cast<int>(code.results.size()), code.state_bytes},
        memory_(sizes(), static_cast<int>(code.arguments.size())) {}

  bool is_there() const { return memory_.is_there(); }

  GuardRecord take(const GuardRound& round) {
    memory_.begin_round(round);
    init();
    if (round.own) point_at_own();
    for (size_t i = 0; i < arguments_.size(); ++i)
      std::copy(arguments_[i].begin(), arguments_[i].end(), at(layout_.argument_slot(int(i))));
    GuardRecord record;
    record.status = run_(memory_.data(1));
    record.finding = memory_.check(round);
    for (size_t i = 0; round.own && record.finding == 0 && i < arguments_.size(); ++i)
      if (is_own(code_.arguments[i].place) &&
          !std::equal(arguments_[i].begin(), arguments_[i].end(), own_argument(i)))
        record.finding = guard_finding(2 + static_cast<int>(i), GuardHarm::kChanged);
    for (size_t i = 0; i < code_.results.size(); ++i) {
      const std::byte* from = at(layout_.result_slot(static_cast<int>(i)));
      record.results.emplace_back(from, from + code_.results[i].place.bytes);
    }
    return record;
  }

 private:
  static bool is_own(const planning::Place& place) { return place.region == Region::kArena; }

  std::vector<GuardedMemory::Size> sizes() const {
    std::vector<GuardedMemory::Size> out = {{code_.arena_bytes, code_.arena_align},
                                            {layout_.bytes(), 8}};
    for (const HostCode::LeafPlace& leaf : code_.arguments)
      out.push_back({leaf.place.bytes, code_.arena_align});
    for (const HostCode::LeafPlace& leaf : code_.results)
      out.push_back({leaf.place.bytes, code_.arena_align});
    return out;
  }

  std::byte* own_argument(size_t i) const { return memory_.data(2 + static_cast<int>(i)); }
  std::byte* own_result(size_t i) const {
    return memory_.data(2 + static_cast<int>(code_.arguments.size() + i));
  }
  std::byte* home(const planning::Place& place) const {
    return (place.region == Region::kState ? memory_.data(1) + layout_.state_offset()
                                           : memory_.data(0)) +
           place.offset;
  }
  void point(int64_t slot, std::byte* to) { std::memcpy(memory_.data(1) + slot, &to, sizeof to); }
  std::byte* at(int64_t slot) const {
    std::byte* to;
    std::memcpy(&to, memory_.data(1) + slot, sizeof to);
    return to;
  }

  void init() {
    point(layout_.arena_slot(), memory_.data(0));
    for (size_t i = 0; i < code_.arguments.size(); ++i)
      point(layout_.argument_slot(static_cast<int>(i)), home(code_.arguments[i].place));
    for (size_t i = 0; i < code_.results.size(); ++i)
      point(layout_.result_slot(static_cast<int>(i)), home(code_.results[i].place));
    std::byte* const state = memory_.data(1) + layout_.state_offset();
    std::fill(state, memory_.data(1) + std::max(layout_.bytes(), layout_.state_offset()),
              std::byte{0});
    for (const HostCode::Initial& initial : code_.initial_state)
      std::copy(initial.bytes.begin(), initial.bytes.end(), state + initial.offset);
  }

  // An empty leaf has no bytes that could lie elsewhere.
  void point_at_own() {
    for (size_t i = 0; i < code_.arguments.size(); ++i)
      if (is_own(code_.arguments[i].place))
        point(layout_.argument_slot(static_cast<int>(i)), own_argument(i));
    for (size_t i = 0; i < code_.results.size(); ++i)
      if (is_own(code_.results[i].place))
        point(layout_.result_slot(static_cast<int>(i)), own_result(i));
  }

  const HostCode& code_;
  int (*run_)(void*);
  std::span<const std::vector<std::byte>> arguments_;
  kernel::InstanceLayout layout_;
  GuardedMemory memory_;
};

}  // namespace

Result<std::vector<GuardRecord>> run_guarded(const HostCode& code, const LinkObject& link,
                                             std::span<const std::vector<std::byte>> arguments) {
  HLOCC_TRY_ASSIGN(const std::unique_ptr<backends::LinkedObject> object, link(code.object));
  void* run = object->address(code.run_symbol);
  if (run == nullptr)
    return error(DiagnosticKind::kInternal, cat("the object does not define ", code.run_symbol));
  Rounds rounds(code, reinterpret_cast<int (*)(void*)>(run), arguments);
  if (!rounds.is_there())
    return error(DiagnosticKind::kLimit,
                 cat("out of memory: an arena of ", code.arena_bytes, " bytes between guards"));
  std::vector<GuardRecord> records;
  for (const GuardRound& round : kGuardRounds) records.push_back(rounds.take(round));
  return records;
}

}  // namespace hlocc::device
