// Values in devices' memories, transfers between memories and waits: planned, executed, and each
// rule of the validator about them with a plan that it refuses and one just outside that it takes.

#include "planning/order.h"
#include "programs.h"

namespace hlocc::planning {
namespace {

// A program maker that knows queues.
class QueueMaker : public ProgramMaker {
 public:
  Id moved(Id from, int memory, int queue) {
    const Id to = value(elements(from));
    program.values.back().memory = memory;
    steps->push_back({Transfer{from, to, queue}, {}});
    return to;
  }
  Id submit(Id x, int queue) {
    const Id y = value(elements(x));
    program.values.back().memory = program.values[static_cast<size_t>(x)].memory;
    steps->push_back({Submit{"twice", {x}, {y}, queue}, {}});
    return y;
  }
  void wait(int queue) { steps->push_back({Wait{queue}, {}}); }
};

// The device of these tests doubles.
Status twice(const std::string& part, std::span<const std::span<std::byte>> operands,
             std::span<const std::span<std::byte>> results) {
  if (part != "twice") return error(DiagnosticKind::kInternal, "no part " + part);
  for (size_t i = 0; i < operands[0].size(); i += 4) {
    int32_t v;
    std::memcpy(&v, &operands[0][i], 4);
    v *= 2;
    std::memcpy(&results[0][i], &v, 4);
  }
  return {};
}

// x goes to memory 1, is doubled there and comes back while the host scales y.
struct Offload : QueueMaker {
  Id x, y, near, done, back, scaled;
  Offload() {
    x = argument(16);
    y = argument(16);
    near = moved(x, 1, 0);
    done = submit(near, 0);
    back = moved(done, 0, 0);
    scaled = scale(y);
    wait(0);
    result(combine(back, scaled));
  }
};

Plan good_plan(const Program& program) {
  const Plan made = planned(program);
  std::vector<Bytes> arguments;
  for (const Id id : program.arguments) {
    std::vector<int32_t> values(static_cast<size_t>(program.values[id].elements), 7 + id);
    arguments.push_back(bytes_of(values));
  }
  const auto expected = evaluate(program, arguments, nullptr, twice);
  if (!expected) FAIL(expected.error().to_string());
  for (const bool callers : {false, true}) {
    const auto got =
        execute(program, made, arguments, nullptr, {.callers_arguments = callers, .part = twice});
    if (!got) FAIL(got.error().to_string());
    CHECK(*got == *expected);
  }
  return made;
}

void refused(const Program& program, const Plan& plan, const std::string& words) {
  const Status status = validate(program, plan);
  INFO(to_text(plan));
  REQUIRE_FALSE(status);
  INFO(status.error().message);
  CHECK(status.error().message.find(words) != std::string::npos);
}

size_t index_of_wait(const Plan& plan) {
  for (size_t i = 0; i < plan.steps.size(); ++i)
    if (std::holds_alternative<Wait>(plan.steps[i].what)) return i;
  FAIL("no wait");
  return 0;
}

Step taken(Plan& plan, size_t at) {
  Step step = plan.steps[at];
  plan.steps.erase(plan.steps.begin() + static_cast<std::ptrdiff_t>(at));
  return step;
}
void put(Plan& plan, size_t at, Step step) {
  plan.steps.insert(plan.steps.begin() + static_cast<std::ptrdiff_t>(at), std::move(step));
}

TEST_CASE("a part on a device runs beside the host and gives what it gives alone") {
  const Offload m;
  const Plan plan = good_plan(m.program);
  REQUIRE(plan.memories.size() == 1);
  CHECK(plan.memories[0].bytes == 128);
  CHECK(plan.memories[0].align == 64);
  CHECK(plan.places[m.near].memory == 1);
  CHECK(plan.places[m.near].offset != plan.places[m.done].offset);
  CHECK(plan.places[m.back].memory == 0);
  // What comes back is written while the host works: it lies over nothing that the host has.
  CHECK(plan.arena_bytes == 3 * 64);
}

TEST_CASE("values of a device share its memory when one is done before the other begins") {
  QueueMaker m;
  const Id x = m.argument(16);
  const Id first = m.moved(x, 1, 0);
  const Id back = m.moved(first, 0, 0);
  m.wait(0);
  const Id second = m.moved(back, 1, 0);
  const Id end = m.moved(second, 0, 0);
  m.wait(0);
  m.result(end);
  const Plan plan = good_plan(m.program);
  CHECK(plan.memories[0].bytes == 64);
}

TEST_CASE("a value that nobody makes has no room in a device's memory") {
  QueueMaker m;
  const Id x = m.argument(16);
  m.value(1000);
  m.program.values.back().memory = 1;
  const Id back = m.moved(m.moved(x, 1, 0), 0, 0);
  m.wait(0);
  m.result(back);
  CHECK(good_plan(m.program).memories[0].bytes == 64);
}

TEST_CASE("a missing wait is refused") {
  const Offload m;
  Plan plan = good_plan(m.program);
  taken(plan, index_of_wait(plan));
  refused(m.program, plan, "still writing");
}

TEST_CASE("a list of steps that ends with work in a queue is refused") {
  QueueMaker m;
  const Id x = m.argument(16);
  m.moved(x, 1, 3);
  m.wait(3);
  m.result(m.scale(x));
  Plan plan = good_plan(m.program);
  const Step wait = taken(plan, index_of_wait(plan));
  Plan late = plan;
  // At the end it is early enough, unless the host has written over what is being sent.
  late.steps.push_back(wait);
  refused(m.program, plan, "writes bytes of value 0 (v0) that queue 3 is still reading");
  refused(m.program, late, "still reading");
  plan.places[m.program.results[0]].offset = plan.result_places[0].offset = 64;
  plan.argument_place_reused[0] = false;
  plan.arena_bytes = 128;
  refused(m.program, plan, "before queue 3 is waited for");
  plan.steps.push_back(wait);
  CHECK(validate(m.program, plan).ok());
}

TEST_CASE("a read before the transfer's wait is refused, one after it is not") {
  const Offload m;
  Plan plan = good_plan(m.program);
  const size_t at = index_of_wait(plan);
  // The step before the wait reads nothing of the queue's: it may come after.
  Plan other = plan;
  put(other, at - 1, taken(other, at));
  CHECK(validate(m.program, other).ok());
  // The one after reads what comes back.
  put(plan, at + 1, taken(plan, at));
  refused(m.program, plan, "reads bytes of value 4 (v4) that queue 0 is still writing");
}

TEST_CASE("a wait for another queue doesn't help") {
  const Offload m;
  Plan plan = good_plan(m.program);
  std::get<Wait>(plan.steps[index_of_wait(plan)].what).queue = 1;
  refused(m.program, plan, "still writing");
}

TEST_CASE("writing over what a queue works with is refused, beside it is not") {
  const Offload m;
  const Plan plan = good_plan(m.program);
  // The host scales y into the place that is coming back.
  Plan over = plan;
  over.places[m.scaled] = over.places[m.back];
  refused(m.program, over, "that queue 0 is still writing");
  // Into the place of x, which is being sent.
  over = plan;
  over.places[m.scaled] = over.places[m.x];
  refused(m.program, over, "that queue 0 is still reading");
  // Over half of it.
  over.places[m.scaled].offset += 32;
  over.arena_bytes += 64;
  refused(m.program, over, "that queue 0 is still");
  // Behind all of it.
  over.places[m.scaled].offset = plan.arena_bytes;
  CHECK(validate(m.program, over).ok());
}

TEST_CASE("two queues keep out of each other's way, one queue's work follows in order") {
  QueueMaker m;
  const Id x = m.argument(16);
  const Id a = m.moved(x, 1, 0);
  const Id b = m.moved(x, 1, 1);
  const Id c = m.moved(a, 0, 0);
  const Id d = m.moved(b, 0, 1);
  m.wait(0);
  m.wait(1);
  m.result(c);
  m.result(d);
  Plan plan = good_plan(m.program);
  CHECK(plan.memories[0].bytes == 128);
  Plan shared = plan;
  shared.places[b] = shared.places[a];
  refused(m.program, shared, "that queue 0 is still");
  // Reading what another queue brings wants a wait, too.
  QueueMaker n;
  const Id y = n.argument(16);
  const Id there = n.moved(y, 1, 0);
  n.wait(0);
  n.result(n.moved(there, 0, 1));
  n.wait(1);
  Plan waited = good_plan(n.program);
  taken(waited, index_of_wait(waited));
  refused(n.program, waited, "that queue 0 is still writing");
}

TEST_CASE("the validator refuses queue steps that are not the program's") {
  const Offload m;
  const Plan good = good_plan(m.program);
  const auto change = [&](auto damage, const char* words) {
    Plan plan = good;
    damage(plan);
    refused(m.program, plan, words);
  };
  change([](Plan& p) { std::get<Transfer>(p.steps[0].what).queue = 2; }, "another transfer");
  change([](Plan& p) { p.steps.erase(p.steps.begin()); }, "reads value");
  change([&](Plan& p) { std::get<Transfer>(p.steps[0].what).from = m.y; }, "reads value");
  change([](Plan& p) { std::get<Transfer>(p.steps[0].what).from = 99; }, "no value");
  change([&](Plan& p) { std::get<Transfer>(p.steps[2].what).from = m.y; }, "one memory");
  change([&](Plan& p) { std::get<Transfer>(p.steps[0].what).to = m.done; }, "does not have");
  change([](Plan& p) { std::get<Submit>(p.steps[1].what).part = "thrice"; }, "another part");
  change([&](Plan& p) { std::get<Submit>(p.steps[1].what).results = {m.near}; }, "does not have");
  change([](Plan& p) { std::get<Submit>(p.steps[1].what).operands.pop_back(); }, "another part");
  // A result more, of the plan's own.
  change(
      [&](Plan& p) {
        std::get<Submit>(p.steps[1].what).results.push_back(static_cast<Id>(p.values.size()));
        p.values.push_back(p.values[static_cast<size_t>(m.done)]);
        p.places.push_back(p.places[static_cast<size_t>(m.done)]);
      },
      "another part");
  change([](Plan& p) { std::get<Submit>(p.steps[1].what).queue = 1; }, "another part");
  change([&](Plan& p) { p.places[m.done] = p.places[m.near]; }, "over its operand");
  change([&](Plan& p) { p.places[m.near].memory = 2; }, "in memory 2 instead of 1");
  change([&](Plan& p) { p.memories.clear(); }, "there is no memory 1");
  change([&](Plan& p) { p.memories[0].bytes = 64; }, "outside of its region");
  change([&](Plan& p) { std::get<Launch>(p.steps[3].what).operands[0] = m.near; },
         "in a device's memory");
  change([&](Plan& p) { put(p, 1, {Copy{m.near, m.scaled}, {}}); }, "in a device's memory");
}

struct QueueLoop : QueueMaker {
  Id x, carried;
  WhileStep loop;
  QueueLoop() {
    x = argument(16);
    carried = value(16);
    const Id out = value(16);
    loop = {.initial = {x}, .carried = {carried}, .next = {}, .result = {out}};
    steps = &loop.condition;
    loop.condition_value = less(carried, 100);
    steps = &loop.body;
    const Id there = submit(moved(carried, 1, 0), 0);
    loop.next = {moved(there, 0, 0)};
    wait(0);
    steps = &program.steps;
  }
};

TEST_CASE_METHOD(QueueLoop, "a loop's turn uses a queue and waits for it") {
  steps->push_back({loop, {}});
  result(loop.result[0]);
  Plan plan = good_plan(program);
  for (Step& step : plan.steps)
    if (auto* planned = std::get_if<WhileStep>(&step.what)) {
      std::erase_if(planned->body,
                    [](const Step& s) { return std::holds_alternative<Wait>(s.what); });
    }
  refused(program, plan, "still");
}

TEST_CASE_METHOD(QueueLoop, "a loop's turn keeps off a queue that is at work outside") {
  const Id early = moved(x, 1, 0);
  steps->push_back({loop, {}});
  wait(0);
  result(loop.result[0]);
  REQUIRE(verify(program).ok());
  const auto made = plan(program, {});
  REQUIRE(made);
  refused(program, *made, "at work for steps outside");
  // With a queue of its own it may.
  std::get<Transfer>(program.steps[0].what).queue = 1;
  std::get<Wait>(program.steps[2].what).queue = 1;
  good_plan(program);
  CHECK(early != kernel::kNone);
}

TEST_CASE("the evaluator's queues work as late as they may") {
  // Without its wait the host reads garbage and not, by luck, what was sent; and the end is seen.
  Offload m;
  std::erase_if(m.program.steps,
                [](const Step& s) { return std::holds_alternative<Wait>(s.what); });
  const std::vector<Bytes> arguments(2, bytes_of(std::vector<int32_t>(16, 1)));
  const auto got = evaluate(m.program, arguments, nullptr, twice);
  REQUIRE_FALSE(got);
  CHECK(got.error().message == "the steps end while queue 0 has work left");
  m.wait(0);  // too late
  const auto late = evaluate(m.program, arguments, nullptr, twice);
  REQUIRE(late);
  CHECK((*late)[0] != bytes_of(std::vector<int32_t>(16, 2 - 2 * 4)));
  const auto without = evaluate(Offload().program, arguments);
  REQUIRE_FALSE(without);
  CHECK(without.error().message.find("part twice is a device's") != std::string::npos);
}

TEST_CASE("the program verifier keeps the host's steps out of devices' memories") {
  const auto wrong = [](auto make, const std::string& words) {
    QueueMaker m;
    const Id x = m.argument(16);
    const Id there = m.moved(x, 1, 0);
    make(m, x, there);
    const Status status = verify(m.program);
    REQUIRE_FALSE(status);
    INFO(status.error().message);
    CHECK(status.error().message.find(words) != std::string::npos);
  };
  using M = QueueMaker;
  wrong([](M& m, Id, Id there) { m.scale(there); }, "where only transfers");
  wrong([](M& m, Id, Id there) { m.copy(there); }, "where only transfers");
  wrong([](M& m, Id, Id there) { m.result(there); }, "where only transfers");
  wrong([](M& m, Id x, Id) { m.moved(x, 0, 0); }, "inside of memory 0");
  wrong([](M& m, Id x, Id) { m.moved(x, 1, -1); }, "no queue -1");
  wrong([](M& m, Id, Id) { m.wait(-1); }, "no queue -1");
  wrong([](M& m, Id x, Id) { m.submit(x, 0); }, "does not lie in a device's memory");
  wrong([](M& m, Id x, Id) { m.program.values[x].memory = 1; }, "argument in memory 1");
  wrong(
      [](M& m, Id x, Id there) {
        const Id other = m.moved(x, 2, 0);
        m.submit(there, 0);
        std::get<Submit>(m.steps->back().what).operands.push_back(other);
      },
      "values in memories 1 and 2");
}

// What was waited for before is given to the queue again, and held until the next wait.
TEST_CASE("operands of a queue's work are alive until its wait") {
  QueueMaker m;
  const Id x = m.argument(16);
  const Id y = m.argument(16);
  const Id near = m.moved(x, 1, 0);
  m.wait(0);
  const Id done = m.submit(near, 0);
  const Id other = m.moved(y, 1, 1);
  m.wait(0);
  const Id back = m.moved(done, 0, 0), other_back = m.moved(other, 0, 1);
  m.wait(0);
  m.wait(1);
  m.result(back);
  m.result(other_back);
  CHECK(good_plan(m.program).memories[0].bytes == 3 * 64);
}

TEST_CASE("the text of a program shows memories, transfers and waits") {
  const Offload m;
  const std::string text = to_text(m.program);
  CHECK(text.find("value %v2: s32[16] temporary in memory 1\n") != std::string::npos);
  CHECK(text.find("  transfer %v2 = %v0 on queue 0\n"
                  "  submit twice(%v2) -> %v3 on queue 0\n"
                  "  transfer %v4 = %v3 on queue 0\n") != std::string::npos);
  CHECK(text.find("  wait for queue 0\n") != std::string::npos);
  const std::string plan = to_text(planned(m.program));
  CHECK(plan.find("memory 1: 128 align 64\n") != std::string::npos);
  CHECK(plan.find("  memory 1 0 .. 64  ") != std::string::npos);
}

TEST_CASE("steps around queues stay in the order given") {
  Offload m;
  CHECK(uses_queues(m.program.steps));
  CHECK(to_text(order_steps(m.program), m.program.kernels, m.program.values) ==
        to_text(m.program.steps, m.program.kernels, m.program.values));
}

}  // namespace
}  // namespace hlocc::planning
