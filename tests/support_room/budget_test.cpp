// What is counted, what is refused, and what it is compared with.
#include "support/budget.h"

#include <catch2/catch.hpp>

#include "support/text.h"

using namespace hlocc;

namespace {

std::string a_name() { return "%dot.3"; }

}  // namespace

TEST_CASE("without a budget nothing is limited") {
  CHECK(current_budget() == nullptr);
  CHECK(charge_work(INT64_MAX, a_name));
  CHECK(charge_memory(INT64_MAX, a_name));
  CHECK(may_search(INT64_MAX));
  CHECK(may_hold(INT64_MAX));
}

TEST_CASE("work that is needed ends behind its limit, and says what grew and what helps") {
  Budget budget({.work = 100});
  const BudgetScope scope(&budget);
  const WorkingOn working("pass simplify");
  CHECK(charge_work(100, a_name));
  const Status over = charge_work(1, a_name);
  REQUIRE(!over);
  CHECK(over.error().kind == DiagnosticKind::kLimit);
  CHECK(over.error().message == "%dot.3 takes more than the 100 units of work that are allowed");
  REQUIRE(over.error().notes.size() == 2);
  CHECK(over.error().notes[0] == "while working on pass simplify");
  CHECK(over.error().notes[1] == "--limits work=200 allows twice as much");
  budget.add_input(1);
  REQUIRE(charge_work(0, a_name).error().notes.size() == 3);
  CHECK(charge_work(0, a_name).error().notes[0] == "the input has 1 bytes");
}

TEST_CASE("what may be left out takes half") {
  Budget budget({.work = 100, .memory = 100});
  const BudgetScope scope(&budget);
  CHECK(may_search(50));
  CHECK(!may_search(1));
  CHECK(charge_work(49, a_name));
  CHECK(may_hold(50));
  CHECK(!may_hold(51));
}

TEST_CASE("memory is refused before it is taken") {
  Budget budget({.memory = 1000});
  const BudgetScope scope(&budget);
  budget.hold(600);
  CHECK(charge_memory(400, a_name));
  const Status over = charge_memory(401, a_name);
  REQUIRE(!over);
  CHECK(over.error().message == "%dot.3 takes more than the 1000 bytes of memory that are allowed");
  budget.hold(-100);
  CHECK(charge_memory(401, a_name));
  CHECK(budget.most_memory() == 600);
}

TEST_CASE("whoever does not ask is stopped an eighth later") {
  Budget budget({.work = 8000, .memory = 8000});
  budget.spend(9000);
  CHECK(budget.work_is_over());
  CHECK(!budget.work_is_far_over());
  budget.spend(1);
  CHECK(budget.work_is_far_over());
  budget.hold(8900);
  CHECK(!budget.memory_is_far_over(100));
  CHECK(budget.memory_is_far_over(101));
}

TEST_CASE("the words of a refusal are not stopped, however far beyond the limit it came") {
  Budget budget({.work = 8000});
  const BudgetScope scope(&budget);
  CHECK(!charge_work(50'000, a_name));
  CHECK(!budget.work_is_far_over());
  budget.spend(1000);
  CHECK(!budget.work_is_far_over());
  // A second refusal allows no more: the first one counts.
  CHECK(!charge_work(1, a_name));
  CHECK(budget.work_is_far_over());
}

TEST_CASE("what can't answer is counted and not refused") {
  Budget budget({.work = 100, .memory = 100});
  const BudgetScope scope(&budget);
  {
    const UnrefusedScope counted;
    CHECK(charge_work(101, a_name));
    CHECK(charge_memory(101, a_name));
    CHECK(!may_search(0));
  }
  CHECK(!charge_work(0, a_name));
  CHECK(!charge_memory(101, a_name));
}

TEST_CASE("an allocation is memory, and work of whoever asked for it") {
  Budget budget;
  budget.allocated(1 << 20);
  CHECK(budget.memory() == 1 << 20);
  CHECK(budget.work() > (1 << 20) / 100);
}

TEST_CASE("limits that nobody set grow with the input, and work with the number of targets") {
  Budget one, three({}, 3);
  const int64_t nothing = one.work_limit(), no_memory = one.memory_limit();
  one.add_input(1 << 20);
  three.add_input(1 << 20);
  CHECK(one.work_limit() > nothing);
  CHECK(one.memory_limit() > no_memory);
  CHECK(three.work_limit() == 3 * one.work_limit());
  CHECK(three.memory_limit() == one.memory_limit());
  Budget fixed({.work = 5, .memory = 7}, 3);
  fixed.add_input(1 << 20);
  CHECK(fixed.work_limit() == 5);
  CHECK(fixed.memory_limit() == 7);
  const Budget least({.work = 1, .memory = 1});
  CHECK(least.work_limit() == 1);
  CHECK(least.memory_limit() == 1);
}

TEST_CASE("a file fits into memory twice, however little is made of it") {
  Budget budget, fixed({.memory = 7});
  const int64_t least = budget.memory_limit();
  budget.make_room_for_file(least / 2);
  CHECK(budget.memory_limit() == least);
  CHECK(budget.work_limit() == fixed.work_limit());
  budget.make_room_for_file(least / 2 + 1);
  CHECK(budget.memory_limit() > least);
  // The largest counts; what is compiled of it comes on top.
  budget.make_room_for_file(least);
  budget.make_room_for_file(1);
  CHECK(budget.memory_limit() == 2 * least);
  const int64_t work = budget.work_limit();
  budget.add_input(least);
  CHECK(budget.memory_limit() > 3 * least);
  CHECK(budget.work_limit() > work);
  fixed.make_room_for_file(least);
  CHECK(fixed.memory_limit() == 7);
}

TEST_CASE("numbers that no machine has do not wrap") {
  Budget budget;
  const BudgetScope scope(&budget);
  budget.spend(INT64_MAX);
  budget.spend(INT64_MAX);
  CHECK(budget.work_is_far_over());
  budget.add_input(INT64_MAX);
  budget.add_input(INT64_MAX);
  budget.make_room_for_file(INT64_MAX);
  CHECK(budget.work_limit() > 0);
  CHECK(budget.memory_limit() > 0);
  CHECK(!charge_memory(INT64_MAX, a_name));
}

TEST_CASE("scopes nest, and what is run inside one may be unlimited") {
  Budget outer({.work = 1});
  const BudgetScope scope(&outer);
  {
    const BudgetScope none(nullptr);
    CHECK(charge_work(100, a_name));
  }
  CHECK(current_budget() == &outer);
  CHECK(outer.work() == 0);
}
