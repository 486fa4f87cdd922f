// The loop of `hlocc reduce` with failures and clocks that are made up: how strictly it looks, when
// it stops, and what it says where nothing can be run any more (driver/reduce/loop.cpp).
#include "driver/reduce/loop.h"

#include <catch2/catch.hpp>

#include "driver/text_module.h"
#include "support/require.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// A case whose argument's first value is the number by which tests tell it.
ReduceCase numbered_case(float number) {
  return {module_of_text("HloModule m\nENTRY e {\nROOT x = f32[1] parameter(0)\n}\n"),
          {hlo::Literal::array<float>(hlo::PrimitiveType::kF32, {1}, std::vector<float>{number})},
          {}};
}
float number_of(const ReduceCase& one) { return one.arguments[0].data<float>()[0]; }

// One less each, as long as that fails.
bool one_less(const ReduceCase& now, const Keep& keep) {
  return keep(numbered_case(number_of(now) - 1));
}
bool never(const ReduceCase&, const Keep&) { return false; }
// Asks for two less, and does not say that it was taken.
bool asks_in_vain(const ReduceCase& now, const Keep& keep) {
  CHECK_FALSE(keep.fails(numbered_case(number_of(now) - 2)));
  return false;
}

struct MadeUpWorld {
  std::function<Symptom(float, Strictness)> symptom = [](float, Strictness) { return Symptom(); };
  std::function<double()> seconds = [] { return 0.0; };
  std::vector<std::string> told = {};

  Reducer reducer(float first) {
    return Reducer(
        numbered_case(first),
        {[this](const ReduceCase& one, Strictness how) { return symptom(number_of(one), how); },
         [this] { return seconds(); },
         [this](const ReduceCase& now, int tries, double spent) {
           told.push_back(cat(static_cast<int>(number_of(now)), " try ", tries, " ",
                              static_cast<int>(1000 * spent + 0.5)));
         }});
  }
};

TEST_CASE("the least strict way that shows a failure is kept") {
  for (const Strictness first : {Strictness::kGross, Strictness::kClear, Strictness::kRules}) {
    std::vector<Strictness> asked;
    MadeUpWorld world{[&](float, Strictness how) {
      asked.push_back(how);
      return how == first ? Symptom{"differs", "result0"} : Symptom();
    }};
    Reducer reducer = world.reducer(3);
    CHECK(tests::require(reducer.diagnose("c")) == "differs");
    CHECK(reducer.symptom().detail == "result0");
    CHECK(asked.size() == static_cast<size_t>(first) + 1);
    const ReduceStep steps[] = {one_less};
    asked.clear();
    world.symptom = [&](float, Strictness how) {
      asked.push_back(how);
      return Symptom();
    };
    CHECK(reducer.run(steps).ok());
    CHECK(asked == std::vector<Strictness>{first});
  }
}

TEST_CASE("a case that does not fail is refused, and so is a machine that can run nothing") {
  MadeUpWorld world;
  const Result<std::string> fine = world.reducer(3).diagnose("c");
  REQUIRE_FALSE(fine);
  CHECK(fine.error().kind == DiagnosticKind::kArgument);
  CHECK(fine.error().message == "does not fail: c and interpreter agree on it by verify's rule");
  int asked = 0;
  world.symptom = [&](float, Strictness) {
    ++asked;
    return Symptom{"error[environment]", "no process", true};
  };
  const Result<std::string> broken = world.reducer(3).diagnose("c");
  REQUIRE_FALSE(broken);
  CHECK(broken.error().kind == DiagnosticKind::kEnvironment);
  CHECK(broken.error().message == "cannot run it: no process");
  CHECK(asked == 1);
}

// What fails like 9 does, for the numbers of `fails`.
Symptom like_nine(float number, bool fails) {
  return fails ? Symptom{"differs", cat("at ", static_cast<int>(number))} : Symptom();
}

TEST_CASE("steps are taken as long as one of them makes the case smaller") {
  MadeUpWorld world{[](float number, Strictness) { return like_nine(number, number >= 6); }};
  Reducer reducer = world.reducer(9);
  CHECK(reducer.diagnose("c").ok());
  const ReduceStep steps[] = {never, one_less, never};
  CHECK(reducer.run(steps).ok());
  CHECK(number_of(reducer.now()) == 6);
  CHECK(reducer.symptom().detail == "at 6");
  // Three that fail and one that does not; then all once more, in vain.
  CHECK(reducer.tries() == 5);
  CHECK(world.told ==
        std::vector<std::string>{"9 try 1 0", "8 try 2 0", "7 try 3 1", "6 try 4 1", "6 try 5 1"});
  // Without any that helps they are tried once.
  MadeUpWorld other{[](float number, Strictness) { return like_nine(number, number >= 9); }};
  Reducer idle = other.reducer(9);
  CHECK(idle.diagnose("c").ok());
  const ReduceStep in_vain[] = {asks_in_vain, one_less};
  CHECK(idle.run(in_vain).ok());
  CHECK(idle.tries() == 2);
  CHECK(number_of(idle.now()) == 9);
}

TEST_CASE("another failure is none") {
  MadeUpWorld world{[](float number, Strictness) {
    return number == 9 ? Symptom{"differs", "a"} : Symptom{"signal 11", "b"};
  }};
  Reducer reducer = world.reducer(9);
  CHECK(tests::require(reducer.diagnose("c")) == "differs");
  const ReduceStep steps[] = {one_less};
  CHECK(reducer.run(steps).ok());
  CHECK(number_of(reducer.now()) == 9);
  CHECK(reducer.symptom().detail == "a");
}

TEST_CASE("a step that goes on asking is not heard behind the last try") {
  int asked = 0;
  MadeUpWorld world{[&](float number, Strictness) {
    ++asked;
    return like_nine(number, number >= 9);
  }};
  Reducer reducer = world.reducer(9);
  CHECK(reducer.diagnose("c").ok());
  asked = 0;
  const ReduceStep steps[] = {[](const ReduceCase& now, const Keep& keep) {
    for (int i = 0; i < kMostTries + 5; ++i)
      CHECK_FALSE(keep.fails(numbered_case(number_of(now) - 2)));
    return false;
  }};
  CHECK(reducer.run(steps).ok());
  CHECK(reducer.tries() == kMostTries);
  CHECK(asked == kMostTries);
}

TEST_CASE("tries and time are limited") {
  MadeUpWorld world{[](float number, Strictness) { return like_nine(number, true); }};
  const ReduceStep steps[] = {one_less};
  Reducer all = world.reducer(0);
  CHECK(all.diagnose("c").ok());
  CHECK(all.run(steps).ok());
  CHECK(all.tries() == kMostTries);
  CHECK(number_of(all.now()) == -static_cast<float>(kMostTries));
  CHECK(world.told.back() == cat(1 - kMostTries, " try ", kMostTries, " 1000"));
  // A clock that moves on by the second, and one that stands at the end.
  double now = kMostSeconds - 10;
  world.seconds = [&] { return now; };
  world.symptom = [&](float number, Strictness) {
    now += 1;
    return like_nine(number, true);
  };
  Reducer some = world.reducer(0);
  CHECK(some.diagnose("c").ok());  // one second
  world.told.clear();
  CHECK(some.run(steps).ok());
  CHECK(some.tries() == 9);
  CHECK(world.told.front() == "0 try 1 995");
  CHECK(now == kMostSeconds);
  Reducer none = world.reducer(0);
  CHECK(none.diagnose("c").ok());
  CHECK(none.run(steps).ok());
  CHECK(none.tries() == 0);
}

TEST_CASE("a machine that can run nothing any more ends the loop") {
  MadeUpWorld world{[](float number, Strictness) {
    return number > 7 ? like_nine(number, true) : Symptom{"differs", "too many processes", true};
  }};
  Reducer reducer = world.reducer(9);
  CHECK(reducer.diagnose("c").ok());
  const ReduceStep steps[] = {one_less, one_less};
  const Status status = reducer.run(steps);
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().kind == DiagnosticKind::kEnvironment);
  CHECK(status.error().message == "cannot run it: too many processes");
  CHECK(number_of(reducer.now()) == 8);
  CHECK(reducer.tries() == 2);
}

TEST_CASE("there are six steps, each once") {
  const std::span<const ReduceStep> steps = reduce_steps();
  CHECK(std::vector<ReduceStep>(steps.begin(), steps.end()) ==
        std::vector<ReduceStep>{drop_results, cut_operands, drop_annotations, open_control_flow,
                                shrink_dimensions, simplify_values});
}

}  // namespace
}  // namespace hlocc::driver
