// Plans of programs drawn from seeds, and what the validator says of each after a damage drawn from
// a seed, as figures: bytes that are alive at each step, and how often each rule refuses.
#include <map>

#include "planning/alive.h"
#include "planning/constants_by_type.h"
#include "planning/interface.h"
#include "planning/random_programs.h"
#include "planning/timed_steps.h"
#include "support/text.h"

namespace hlocc::planning {
namespace {

Target drawn_target(uint64_t seed) {
  Target target;
  target.options.keep_arguments = seed % 5 == 0;
  target.vector_bits = seed % 3 == 0 ? 128 : seed % 7 == 0 ? 512 : 0;
  if (seed % 4 == 1) target.options.threads = 2;
  return target;
}

TEST_CASE("plans of drawn programs, with functions of others and devices") {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    INFO("seed " << seed);
    const Program program = Generator::wild(seed);
    const Target target = drawn_target(seed);
    const Plan plan = planned(program, target);
    const Alive alive = find_alive(program, plan, target);
    tests::Figures figures;
    for (size_t step = 0; step < alive.steps.size(); ++step) {
      figures.add("alive bytes", alive.steps[step].bytes);
      figures.add("alive values",
                  static_cast<int64_t>(alive.values_at(static_cast<int>(step), plan).size()));
    }
    for (const auto& [type, bytes] : constants_by_type(plan))
      figures.add(cat("constants of ", type), bytes);
    for (size_t leaf = 0; leaf < program.arguments.size(); ++leaf)
      figures.add("alignments", plan.argument_alignment(leaf));
    for (const UserFunction& function : user_functions(plan)) figures.count(types_of(function));
    figures.add("timed", static_cast<int64_t>(timed_steps(plan).size()));
    tests::add_figures("plans", figures);
  }
}

// A list of steps somewhere in the tree.
Steps& drawn_list(Random& random, Steps& steps) {
  if (steps.empty() || random.below(3) == 0) return steps;
  Step& step = steps[static_cast<size_t>(random.below(steps.size()))];
  if (auto* loop = std::get_if<WhileStep>(&step.what))
    return drawn_list(random, random.below(3) == 0 ? loop->condition : loop->body);
  if (auto* choice = std::get_if<ConditionalStep>(&step.what))
    return drawn_list(random,
                      choice->branches[static_cast<size_t>(random.below(choice->branches.size()))]);
  return steps;
}

void sort_by_kind(Steps& steps, std::map<size_t, std::vector<Step*>>& kinds) {
  for (Step& step : steps) {
    kinds[step.what.index()].push_back(&step);
    if (auto* loop = std::get_if<WhileStep>(&step.what)) {
      sort_by_kind(loop->condition, kinds);
      sort_by_kind(loop->body, kinds);
    }
    if (auto* choice = std::get_if<ConditionalStep>(&step.what))
      for (Steps& branch : choice->branches) sort_by_kind(branch, kinds);
  }
}

class DrawnDamage {
 public:
  DrawnDamage(uint64_t seed, const Program& program, Plan& plan)
      : random_(seed), kernels_(static_cast<KernelId>(program.kernels.size())), plan_(plan) {}

  void do_one() {
    switch (random_.below(9)) {
      case 8: value(drawn(plan_.values)); break;
      case 0:
      case 1: place(plan_.places[drawn(plan_.places)]); break;
      case 2: leaf(); break;
      case 3: sum(); break;
      case 4: list(drawn_list(random_, plan_.steps)); break;
      default: {
        // First a kind of step, so that those that are few have their turn.
        std::map<size_t, std::vector<Step*>> kinds;
        sort_by_kind(plan_.steps, kinds);
        if (kinds.empty()) return;
        const auto kind = std::next(kinds.begin(), random_.below(kinds.size()));
        std::visit([&](auto& what) { change(what); }, random_.of(kind->second)->what);
      }
    }
  }

 private:
  template <typename T>
  size_t drawn(const std::vector<T>& all) {
    return static_cast<size_t>(random_.below(all.size()));
  }
  int64_t little() {
    static const std::vector<int64_t> steps = {-64, -16, -4, -1, 1, 4, 16, 64};
    return random_.of(steps);
  }

  // What a value is, and its place with it.
  void value(size_t id) {
    kernel::ProgramValue& value = plan_.values[id];
    static const std::vector<ValueRole> roles = {ValueRole::kTemporary, ValueRole::kConstant,
                                                 ValueRole::kState, ValueRole::kArgument};
    switch (random_.below(3)) {
      case 0: plan_.places[id].memory = value.memory = random_.below(5) - 2; break;
      case 1: value.role = random_.of(roles); break;
      default: value.elements = random_.below(3); plan_.places[id].bytes = value.bytes();
    }
  }
  void place(Place& place) {
    switch (random_.below(6)) {
      case 0:
      case 1: place.offset += little(); break;
      case 2: place = plan_.places[drawn(plan_.places)]; break;
      case 3: place.offset = plan_.places[drawn(plan_.places)].offset; break;
      case 4:
        random_.below(2) == 0 ? place.bytes += little() : place.memory += little() > 0 ? 1 : -1;
        break;
      default: place.region = static_cast<Region>(random_.below(3));
    }
  }
  void leaf() {
    switch (random_.below(5)) {
      case 0: place(plan_.result_places[drawn(plan_.result_places)]); break;
      case 1: plan_.result_places.pop_back(); break;
      case 2:
        if (!plan_.argument_places.empty())
          place(plan_.argument_places[drawn(plan_.argument_places)]);
        break;
      case 3:
        random_.below(2) == 0 ? plan_.argument_places.pop_back()
                              : plan_.argument_place_reused.pop_back();
        break;
      default: plan_.argument_place_reused.flip();
    }
  }
  void sum() {
    int64_t* const sums[] = {&plan_.arena_bytes, &plan_.state_bytes, &plan_.constant_bytes};
    const int at = random_.below(5);
    if (at < 3) *sums[at] += little();
    if (at == 3 && !plan_.memories.empty()) plan_.memories[drawn(plan_.memories)].bytes += little();
    if (at == 4) random_.below(2) == 0 ? plan_.places.pop_back() : plan_.values.pop_back();
  }
  void list(Steps& steps) {
    if (steps.empty()) return;
    const size_t at = drawn(steps), other = drawn(steps);
    switch (random_.below(4)) {
      case 0: steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(at)); break;
      case 1: std::swap(steps[at], steps[other]); break;
      case 2:
        steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(other), Step(steps[at]));
        break;
      default: steps[at].what = Copy{any(), any()};
    }
  }

  Id any() { return static_cast<Id>(random_.below(plan_.values.size() + 2)) - 1; }
  void id(Id& one) { one = any(); }
  void one_of(std::vector<Id>& ids) {
    if (ids.empty()) return;
    if (random_.below(6) == 0) return ids.pop_back();
    id(ids[drawn(ids)]);
  }
  void change(Launch& launch) {
    switch (random_.below(7)) {
      case 0: launch.integers.push_back(1); break;
      case 1: launch.ranges = 2; break;
      case 2: launch.kernel = (launch.kernel + 1) % kernels_; break;
      case 3: launch.updates.clear(); break;
      case 4:
        if (!launch.updates.empty()) id(launch.updates[0].from);
        break;
      default: one_of(launch.operands);
    }
  }
  void change(Copy& copy) { id(random_.below(2) == 0 ? copy.from : copy.to); }
  void change(Join& join) {
    Join::Run& run = join.runs[drawn(join.runs)];
    switch (random_.below(4)) {
      case 0: id(join.to); break;
      case 1: run.offset += little(); break;
      case 2: run.bytes += little(); break;
      default: id(run.from);
    }
  }
  void change(UserCall& call) {
    if (random_.below(6) == 0) call.symbol += "x";
    one_of(random_.below(2) == 0 ? call.operands : call.results);
  }
  void change(Transfer& transfer) {
    const int at = random_.below(3);
    at == 0 ? id(transfer.from) : at == 1 ? id(transfer.to) : static_cast<void>(++transfer.queue);
  }
  void change(Submit& submit) {
    switch (random_.below(4)) {
      case 0: submit.part += "x"; break;
      case 1: ++submit.queue; break;
      case 2: one_of(submit.operands); break;
      default: one_of(submit.results);
    }
  }
  void change(Wait& wait) { wait.queue = random_.below(4); }
  void change(WhileStep& loop) {
    std::vector<Id>* const edges[] = {&loop.initial, &loop.carried, &loop.next, &loop.result};
    if (const int at = random_.below(5); at < 4)
      id((*edges[at])[drawn(*edges[at])]);
    else
      id(loop.condition_value);
  }
  void change(ConditionalStep& choice) {
    if (random_.below(4) == 0) return id(choice.selector);
    if (random_.below(2) == 0) return id(choice.results[drawn(choice.results)]);
    std::vector<Id>& yields = choice.yields[drawn(choice.yields)];
    id(yields[drawn(yields)]);
  }

  Random random_;
  KernelId kernels_;
  Plan& plan_;
};

// A message without its numbers and names: "plan: value # has a place of another size".
std::string rule_of(const std::string& message) {
  std::string rule;
  bool is_name = false;
  for (const char c : message) {
    if (c == '(') is_name = true;
    if (c == '(') rule.pop_back();  // the blank
    const bool digit = c >= '0' && c <= '9';
    if (!is_name && (!digit || rule.empty() || rule.back() != '#')) rule += digit ? '#' : c;
    if (c == ')') is_name = false;
  }
  return rule;
}

TEST_CASE("what the validator says of drawn damages") {
  tests::Figures said;
  for (uint64_t seed = 0; seed < 160; ++seed) {
    INFO("seed " << seed);
    const Program program = seed >= 120     ? Generator::joining(seed)
                            : seed % 2 == 0 ? Generator::wild(seed)
                                            : Generator(seed).run();
    const Result<Plan> good = plan(program, drawn_target(seed));
    REQUIRE(good.ok());
    for (uint64_t n = 0; n < 20; ++n) {
      Plan bad = *good;
      DrawnDamage(1000 * seed + n, program, bad).do_one();
      const Status status = validate(program, bad);
      said.count(status ? "well" : rule_of(status.error().message));
    }
  }
  tests::add_figures("plans", said);
}

}  // namespace
}  // namespace hlocc::planning
