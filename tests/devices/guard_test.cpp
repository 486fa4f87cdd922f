// The JIT's side of `verify --guard`: what a function does to its memory is found, and named.
#include "devices/host/guarded_run.h"

#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include "driver/verify/child.h"
#include "support/require.h"

namespace hlocc::device {
namespace {

using tests::require;

// The instance of a program of one argument and one result, and no state.
struct Slots {
  unsigned char* arena;
  unsigned char* argument;
  unsigned char* result;
};
constexpr int kArena = 128, kBytes = 8;

class GuardedFunction : public backends::LinkedObject {
 public:
  explicit GuardedFunction(int (*run)(Slots*)) : run_(run) {}
  void* address(const std::string&) override { return reinterpret_cast<void*>(run_); }

 private:
  int (*run_)(Slots*);
};

// Copies, and does something else as well.
template <typename Harm>
int copy_and(Slots* slots, Harm harm) {
  for (int i = 0; i < kBytes; ++i) slots->result[i] = slots->argument[i];
  harm(slots);
  return 0;
}

// In a child, since a touch of a guard ends it.
std::string said_of(int (*run)(Slots*)) {
  HostCode code{.run_symbol = "run", .arena_bytes = kArena, .arena_align = 64};
  code.arguments.push_back({{planning::Region::kArena, 0, kBytes}, 1});
  code.results.push_back({{planning::Region::kArena, 64, kBytes}, 1});
  const LinkObject link =
      [&](std::span<const std::byte>) -> Result<std::unique_ptr<backends::LinkedObject>> {
    return std::unique_ptr<backends::LinkedObject>(new GuardedFunction(run));
  };
  const std::vector<std::byte> argument(kBytes, std::byte{5});
  const driver::ChildOutcome child = driver::run_in_child(
      [&] {
        return judge_guard(require(run_guarded(code, link, {&argument, 1})), 1);
      },
      3600);
  return child.finished ? child.output : child.errors;
}

TEST_CASE("what keeps to its memory passes") {
  CHECK(said_of([](Slots* slots) {
          return copy_and(slots, [](Slots* s) {
            for (int i = 72; i < kArena; ++i) s->arena[i] = 1;
          });
        }).empty());
}

TEST_CASE("what a run does around its buffers is found") {
  const struct {
    int (*run)(Slots*);
    const char* said;
  } rows[] = {
      {[](Slots* s) { return copy_and(s, [](Slots* a) { a->arena[-1] ^= 1; }); },
       "an access before the arena"},
      {[](Slots* s) { return copy_and(s, [](Slots* a) { a->arena[kArena] ^= 1; }); },
       "an access behind the arena"},
      {[](Slots* s) { return copy_and(s, [](Slots* a) { a->result[-65] ^= 1; }); },
       "an access before "},
      {[](Slots* s) { return copy_and(s, [](Slots* a) { a->result[64] ^= 1; }); },
       "an access behind "},
      {[](Slots* s) { return copy_and(s, [](Slots* a) { a->argument[0] ^= 1; }); },
       "a write to argument 0, which is the caller's"},
      {[](Slots* s) { return copy_and(s, [](Slots* a) { a[1].arena = nullptr; }); },
       "an access behind the instance"},
      {[](Slots* s) { return copy_and(s, [](Slots* a) { a->result[0] ^= a->arena[100] >> 7; }); },
       "the bits of result 0 changed (the arena held 0xff before"},
      {[](Slots* s) {
         const bool is_own = s->result != s->arena + 64;
         const unsigned char held = is_own ? s->result[0] : 0;
         const int code = copy_and(s, [](Slots*) {});
         s->result[0] ^= held >> 7;
         return code;
       },
       "the bits of result 0 changed (the results' buffers held 0xff before"},
      // Only where no guard is: in a buffer of its own that ends at one.
      {[](Slots* s) {
         return copy_and(s, [](Slots* a) {
           const bool is_own = a->result != a->arena + 64;
           if (is_own && reinterpret_cast<uintptr_t>(a->result) % 4096 != 0) a->result[-1] ^= 1;
         });
       },
       "an access before result 0"},
      {[](Slots* s) {
         return copy_and(s, [](Slots* a) {
           const bool is_own = a->result != a->arena + 64;
           if (is_own && reinterpret_cast<uintptr_t>(a->result) % 4096 == 0) a->result[8] ^= 1;
         });
       },
       "an access behind result 0"},
      {[](Slots* s) { return s->arena == nullptr ? 0 : 9; }, "run returned 9"},
  };
  for (const auto& row : rows) {
    INFO(row.said);
    CHECK_THAT(said_of(row.run), Catch::StartsWith(row.said));
  }
}

// The instance of a program whose argument lies in its state.
struct StateSlots {
  unsigned char *arena, *argument, *result;
  unsigned char state[kBytes];
};

TEST_CASE("an argument that is state may change") {
  HostCode code{.run_symbol = "run", .arena_bytes = kArena, .arena_align = 64, .state_bytes = 8};
  code.arguments.push_back({{planning::Region::kState, 0, kBytes}, 1});
  code.results.push_back({{planning::Region::kArena, 64, kBytes}, 1});
  const LinkObject link =
      [](std::span<const std::byte>) -> Result<std::unique_ptr<backends::LinkedObject>> {
    return std::unique_ptr<backends::LinkedObject>(new GuardedFunction([](Slots* slots) {
      auto* all = reinterpret_cast<StateSlots*>(slots);
      for (int i = 0; i < kBytes; ++i) all->result[i] = ++all->argument[i];
      return all->argument == all->state ? 0 : 1;
    }));
  };
  const std::vector<std::byte> argument(kBytes, std::byte{5});
  const driver::ChildOutcome child = driver::run_in_child(
      [&] {
        return judge_guard(require(run_guarded(code, link, {&argument, 1})), 1);
      },
      3600);
  REQUIRE(child.finished);
  CHECK(child.output.empty());
}

TEST_CASE("a fault that no guard made is the program's own") {
  CHECK(said_of([](Slots* slots) {
          return copy_and(slots, [](Slots*) { *reinterpret_cast<volatile int*>(16) = 1; });
        }).empty());
}

TEST_CASE("signalling bits are those of floats in either byte order") {
  for (const bool little : {true, false}) {
    uint64_t word = 0;
    for (size_t i = 0; i < 8; ++i)
      word |= static_cast<uint64_t>(guard_byte(GuardFill::kSignalling, i, little))
              << (8 * (little ? i : 7 - i));
    CHECK(word == 0x7ff400017fa07da0);
  }
}

}  // namespace
}  // namespace hlocc::device
