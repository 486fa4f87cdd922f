// Programs made from seeds: each is planned, validated, and run on one arena; results must be those
// of the program. Then places are moved at random: a plan that the validator still accepts must
// still compute the same.
#include "planning/moved_runs.h"
#include "planning/random_programs.h"

namespace hlocc::planning {
namespace {

TEST_CASE("plans of random programs compute what the programs compute") {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    Target target;
    target.options.keep_arguments = seed % 5 == 0;
    target.vector_bits = seed % 3 == 0 ? 128 : 0;
    const Plan plan = checked(Generator(seed).run(), target);
    CHECK(plan.arena_bytes >= plan.live_set_bound);
  }
}

TEST_CASE("plans of random programs that join values and take parts of them") {
  int joins = 0, in_place = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    INFO("seed " << seed);
    Target target;
    target.vector_bits = seed % 4 == 0 ? 128 : 0;
    const Plan plan = checked(Generator::joining(seed), target);
    CHECK(plan.arena_bytes >= plan.live_set_bound);
    for_each_step(plan.steps, [&](const Step& step) {
      const auto* join = std::get_if<Join>(&step.what);
      if (join == nullptr) return;
      ++joins;
      in_place += moved_runs(*join, plan.places).empty();
    });
  }
  CHECK(joins > 500);
  CHECK(in_place > joins / 4);
  CHECK(in_place < joins);
}

TEST_CASE("the validator finds places that were moved") {
  int moved = 0, caught = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    const Program program = seed < 200 ? Generator(seed).run() : Generator::joining(seed - 200);
    Plan plan = planned(program);
    Random random(seed + 1000);
    const size_t id = static_cast<size_t>(random.below(plan.places.size()));
    Place& place = plan.places[id];
    if (place.region != Region::kArena || plan.arena_bytes <= place.bytes) continue;
    const int64_t before = place.offset;
    place.offset = random.below(static_cast<size_t>((plan.arena_bytes - place.bytes) / 4 + 1)) * 4;
    if (place.offset == before) continue;
    ++moved;
    if (!validate(program, plan)) {
      ++caught;
      continue;
    }
    std::vector<Bytes> arguments;
    for (const Id argument : program.arguments)
      arguments.push_back(
          Bytes(static_cast<size_t>(program.values[static_cast<size_t>(argument)].bytes()),
                std::byte{7}));
    CHECK(*execute(program, plan, arguments) == *evaluate(program, arguments));
  }
  CHECK(caught > moved / 2);
  CHECK(moved > 100);
}

TEST_CASE("the validator finds steps that were dropped, swapped or bound to another value") {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    INFO("seed " << seed);
    const Program program = Generator(seed).run();
    const Plan good = planned(program);
    if (good.steps.size() < 2) continue;
    Plan dropped = good;
    dropped.steps.erase(dropped.steps.begin());
    if (!std::holds_alternative<Copy>(good.steps.front().what))
      CHECK_FALSE(validate(program, dropped));
    Plan doubled = good;
    doubled.steps.push_back(good.steps.back());
    if (!std::holds_alternative<Copy>(good.steps.back().what))
      CHECK_FALSE(validate(program, doubled));
  }
}

}  // namespace
}  // namespace hlocc::planning
