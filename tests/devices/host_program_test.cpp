// Functions of this machine as programs: where a caller's buffers are read and written, what lies in
// an instance, who works on ranges.
#include "devices/host/host_program.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <memory>
#include <set>
#include <thread>
#include <tuple>

#include "devices/host/guard.h"
#include "devices/host/host_threads.h"
#include "kernel/program.h"
#include "support/require.h"

namespace hlocc::device {
namespace {

using planning::Region;
using tests::require;

// The instance of a program of two arguments, two results and 16 bytes of state.
struct TwoSlots {
  unsigned char *arena, *arguments[2], *results[2];
  unsigned char state[16];
};
// Which buffers a run was given, and what it found in them.
struct Seen {
  TwoSlots slots;
  unsigned char arguments[2], state[16];
};
Seen& last_run() {
  static Seen seen;
  return seen;
}
int look(void* instance) {
  auto* slots = static_cast<TwoSlots*>(instance);
  Seen& seen = last_run();
  seen.slots = *slots;
  for (int i = 0; i < 2; ++i) seen.arguments[i] = slots->arguments[i][0];
  std::copy(std::begin(slots->state), std::end(slots->state), std::begin(seen.state));
  slots->results[0][0] = 70;
  slots->results[1][0] = 71;
  slots->state[15] = 9;
  return slots->arguments[0][0] == 99 ? 5 : 0;
}

class LookingObject : public backends::LinkedObject {
 public:
  void* address(const std::string&) override { return reinterpret_cast<void*>(look); }
};

// The second argument and the second result lie in the state, at 0 and at 8.
std::unique_ptr<HostProgram> looking(int64_t alignment) {
  HostCode code{.run_symbol = "run", .arena_bytes = 100, .arena_align = 128, .state_bytes = 16};
  code.arguments = {{{Region::kArena, 32, 8}, alignment}, {{Region::kState, 0, 1}, 1}};
  code.results = {{{Region::kArena, 64, 8}, 1}, {{Region::kState, 8, 8}, 1}};
  code.initial_state = {{4, {std::byte{3}, std::byte{4}}}, {12, {std::byte{5}}}};
  const LinkObject link =
      [](std::span<const std::byte>) -> Result<std::unique_ptr<backends::LinkedObject>> {
    return std::unique_ptr<backends::LinkedObject>(new LookingObject());
  };
  return require(HostProgram::load(code, link));
}

struct Callers {
  alignas(64) std::array<std::byte, 16> first = {}, second = {}, result = {}, state = {};
  // With the first argument `off` bytes from where it is aligned.
  Status call(HostProgram& program, size_t off = 0) {
    std::byte* const in[] = {first.data() + off, second.data()};
    std::byte* const out[] = {result.data(), state.data()};
    return program.call(in, out);
  }
};

TEST_CASE("an argument is read where it is if it is aligned, else at home") {
  const auto program = looking(4);
  Callers callers;
  callers.first[0] = std::byte{11};
  callers.first[2] = std::byte{12};
  callers.second[0] = std::byte{21};
  const auto lies_at = [](const std::byte* place) {
    return last_run().slots.arguments[0] == reinterpret_cast<const unsigned char*>(place);
  };
  REQUIRE(callers.call(*program).ok());
  CHECK(lies_at(callers.first.data()));
  CHECK(last_run().arguments[0] == 11);
  REQUIRE(callers.call(*program, 4).ok());
  CHECK(lies_at(callers.first.data() + 4));
  REQUIRE(callers.call(*program, 2).ok());
  CHECK(last_run().slots.arguments[0] == last_run().slots.arena + 32);
  CHECK(last_run().arguments[0] == 12);
  // The arena is as aligned as it says, and what lies in the state is copied there.
  CHECK(reinterpret_cast<uintptr_t>(last_run().slots.arena) % 128 == 0);
  CHECK(last_run().arguments[1] == 21);
  CHECK(last_run().slots.arguments[1] !=
        reinterpret_cast<const unsigned char*>(callers.second.data()));
}

TEST_CASE("results are written where the caller has them, those of the state copied there") {
  const auto program = looking(1);
  Callers callers;
  REQUIRE(callers.call(*program).ok());
  CHECK(last_run().slots.results[0] == reinterpret_cast<unsigned char*>(callers.result.data()));
  CHECK(callers.result[0] == std::byte{70});
  CHECK(last_run().slots.results[1] !=
        reinterpret_cast<const unsigned char*>(callers.state.data()));
  CHECK(callers.state[0] == std::byte{71});
  CHECK(callers.state[7] == std::byte{9});
  CHECK(callers.state[8] == std::byte{0});
}

TEST_CASE("state begins as it is said, and stays from call to call") {
  const auto program = looking(1);
  Callers callers;
  REQUIRE(callers.call(*program).ok());
  const unsigned char* state = last_run().state;
  CHECK((state[12] == 5 && state[15] == 0));
  REQUIRE(callers.call(*program).ok());
  CHECK(last_run().state[15] == 9);
}

TEST_CASE("as many buffers as leaves, and a code that is no 0 is an error") {
  const auto program = looking(1);
  Callers callers;
  std::byte* const two[] = {callers.first.data(), callers.second.data()};
  std::byte* const one[] = {callers.first.data()};
  CHECK(program->call(two, two).ok());
  for (const Status& status : {program->call(one, two), program->call(two, one)}) {
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().kind == DiagnosticKind::kArgument);
  }
  callers.first[0] = std::byte{99};
  const Status failed = callers.call(*program);
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.error().message == "run returned 5");
}

// The sanitizer ends a process that asks for so much.
#ifndef __SANITIZE_ADDRESS__
TEST_CASE("an instance that has no room is none") {
  const LinkObject link =
      [](std::span<const std::byte>) -> Result<std::unique_ptr<backends::LinkedObject>> {
    return std::unique_ptr<backends::LinkedObject>(new LookingObject());
  };
  for (const auto& [arena, state] :
       {std::pair{int64_t{1} << 60, int64_t{16}}, {64, int64_t{1} << 60}}) {
    HostCode code{
        .run_symbol = "run", .arena_bytes = arena, .arena_align = 64, .state_bytes = state};
    const Status status = require(HostProgram::load(code, link))->call({}, {});
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().kind == DiagnosticKind::kLimit);
  }
}
#endif

struct Ranges {
  std::array<std::thread::id, kernel::kMostRanges + 8> by;
  std::array<std::atomic<int>, kernel::kMostRanges + 8> times = {};
};
void note_range(void* context, int32_t range) {
  auto* ranges = static_cast<Ranges*>(context);
  ranges->by[static_cast<size_t>(range)] = std::this_thread::get_id();
  ++ranges->times[static_cast<size_t>(range)];
}

// How many threads worked on so many ranges; each was done once.
size_t threads_of(int count) {
  Ranges ranges;
  const auto parallel_for =
      reinterpret_cast<void (*)(int32_t, void (*)(void*, int32_t), void*)>(parallel_for_here());
  parallel_for(count, note_range, &ranges);
  for (size_t i = 0; i < ranges.times.size(); ++i)
    CHECK(ranges.times[i] == (i < static_cast<size_t>(count) ? 1 : 0));
  return std::set<std::thread::id>(ranges.by.begin(), ranges.by.begin() + count).size();
}

TEST_CASE("each range has a thread to itself, up to as many as there may be") {
  // More than before, fewer than before, the most, and more than that.
  for (const int count : {2, 3, 2, 5, kernel::kMostRanges})
    CHECK(threads_of(count) == size_t(count));
  CHECK(threads_of(kernel::kMostRanges + 1) == 1);
  CHECK(threads_of(1) == 1);
}

// Of two runs at once one takes its ranges alone.
void hold_on(void* context, int32_t range) {
  auto* turns = static_cast<std::atomic<int>*>(context);
  if (range != 0) return;
  ++*turns;
  while (*turns < 2) std::this_thread::yield();
}

TEST_CASE("a run beside another one has no threads") {
  std::atomic<int> turns = 0;
  const auto parallel_for =
      reinterpret_cast<void (*)(int32_t, void (*)(void*, int32_t), void*)>(parallel_for_here());
  std::thread first([&] { parallel_for(3, hold_on, &turns); });
  while (turns < 1) std::this_thread::yield();
  // More threads than the pool has, which is at work.
  CHECK(threads_of(6) == 1);
  turns = 2;
  first.join();
  CHECK(threads_of(3) == 3);
}

TEST_CASE("of a plan's values those of the state that have bytes at first are initial state") {
  const auto bytes = [](int first) {
    return std::make_shared<const std::vector<std::byte>>(2, std::byte(first));
  };
  planning::Plan plan;
  plan.arena_bytes = 256, plan.arena_align = 64, plan.state_bytes = 24;
  using kernel::ValueRole;
  // A constant, state of zeros, an argument of the state's, a counter.
  for (const auto& [role, offset, first] : {std::tuple{ValueRole::kConstant, 4, 1},
                                            {ValueRole::kState, 8, 0},
                                            {ValueRole::kArgument, 12, 0},
                                            {ValueRole::kState, 16, 7}}) {
    plan.values.push_back({.role = role, .data = first == 0 ? nullptr : bytes(first)});
    plan.places.push_back({Region::kState, offset, 2});
  }
  kernel::Program program;
  program.arguments = {2};
  plan.argument_places = {{Region::kArena, 32, 8}};
  plan.argument_alignments = {16};
  plan.result_places = {{Region::kArena, 64, 8}, {Region::kState, 8, 2}};
  const HostCode made = host_code({std::byte{1}}, "run", program, plan);
  // The bytes that are sent to another process hold the same.
  for (const HostCode& code : {made, require(decode_host_code(encode(made)))}) {
    REQUIRE(code.initial_state.size() == 1);
    CHECK(code.initial_state[0].offset == 16);
    CHECK(code.initial_state[0].bytes == std::vector<std::byte>(2, std::byte{7}));
    REQUIRE((code.arguments.size() == 1 && code.results.size() == 2));
    CHECK((code.arguments[0].place.offset == 32 && code.arguments[0].alignment == 16));
    CHECK((code.results[1].place.region == Region::kState && code.results[1].place.offset == 8));
    CHECK((code.arena_bytes == 256 && code.arena_align == 64 && code.state_bytes == 24));
    CHECK((code.object.size() == 1 && code.run_symbol == "run"));
  }
}

TEST_CASE("findings name the buffer") {
  for (const auto& [buffer, name] : {std::pair{0, "the arena"},
                                     {1, "the instance"},
                                     {2, "argument 0"},
                                     {3, "argument 1"},
                                     {4, "result 0"},
                                     {5, "result 1"}})
    CHECK(describe_finding(guard_finding(buffer, GuardHarm::kBehind), 2) ==
          std::string("an access behind ") + name);
}

}  // namespace
}  // namespace hlocc::device
