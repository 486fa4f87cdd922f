// A program in this process: what its arguments may be, what its state begins with, what it calls.
#include "backends/common/loaded_program.h"

#include <catch2/catch.hpp>

#include "support/require.h"

namespace hlocc::backends {
namespace {

using planning::Bytes;
using planning::Place;
using planning::Plan;
using planning::Region;
using tests::require;

// The instance of a program of two arguments, one result and 8 bytes of state.
struct Slots {
  unsigned char *arena, *arguments[2], *result;
  unsigned char state[8];
};
// The result is the first argument's byte, the sum of the state, and the state's first byte.
int add_up(void* instance) {
  auto* slots = static_cast<Slots*>(instance);
  slots->result[0] = slots->arguments[0][0];
  slots->result[1] = 0;
  for (const unsigned char byte : slots->state) slots->result[1] += byte;
  slots->result[2] = slots->state[0];
  return slots->arguments[0][0] == 99 ? 4 : 0;
}

class AddingObject : public LinkedObject {
 public:
  explicit AddingObject(std::string refusal) : refusal_(std::move(refusal)) {}
  void* address(const std::string& symbol) override {
    return symbol == "run" ? reinterpret_cast<void*>(add_up) : nullptr;
  }
  std::string refusal() const override { return refusal_; }

 private:
  std::string refusal_;
};

// An argument of a byte in the arena, one of four in the state, a result of three bytes.
struct Adding {
  kernel::Program program;
  Plan plan;
  Adding() {
    program.signature.arguments.resize(2);
    program.signature.results.resize(1);
    plan.arena_bytes = 64;
    plan.state_bytes = 8;
    plan.argument_places = {{.offset = 16, .bytes = 1}, {Region::kState, 0, 4}};
    plan.result_places = {{.offset = 32, .bytes = 3}};
  }
  std::unique_ptr<LoadedProgram> load() const {
    return require(load_program(std::make_unique<AddingObject>(""), "run", program, plan));
  }
};

Bytes of_bytes(std::initializer_list<int> values) {
  Bytes out;
  for (const int value : values) out.push_back(static_cast<std::byte>(value));
  return out;
}

TEST_CASE("an empty argument keeps the state, and is too short elsewhere") {
  const Adding adding;
  const auto loaded = adding.load();
  const std::vector<Bytes> whole = {of_bytes({7}), of_bytes({1, 2, 3, 4})};
  CHECK(require(loaded->run(whole))[0] == of_bytes({7, 10, 1}));
  CHECK(require(loaded->run(std::vector<Bytes>{of_bytes({8}), {}}))[0] == of_bytes({8, 10, 1}));
  for (const auto& wrong : std::vector<std::vector<Bytes>>{{{}, whole[1]},
                                                           {of_bytes({7}), of_bytes({1})},
                                                           {of_bytes({7, 8}), whole[1]},
                                                           {whole[0]}}) {
    const auto refused = loaded->run(wrong);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().kind == DiagnosticKind::kArgument);
  }
  const auto failed = loaded->run(std::vector<Bytes>{of_bytes({99}), {}});
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.error().message == "run returned 4");
}

TEST_CASE("state begins with the bytes of states alone") {
  Adding adding;
  const auto data = std::make_shared<const Bytes>(of_bytes({5, 6}));
  using kernel::ValueRole;
  adding.plan.values = {
      {.name = "zeros", .elements = 4, .role = ValueRole::kState},
      {.name = "state", .elements = 2, .role = ValueRole::kState, .data = data},
      {.name = "weights", .elements = 2, .role = ValueRole::kConstant, .data = data}};
  adding.plan.places = {{Region::kState, 0, 4}, {Region::kState, 4, 2}, {Region::kConstant, 0, 2}};
  CHECK(require(adding.load()->run(std::vector<Bytes>{of_bytes({0}), {}}))[0] ==
        of_bytes({0, 11, 0}));
}

TEST_CASE("code that has no run is ours to mend, unless the system refused it") {
  const Adding adding;
  const auto kind = [&](const std::string& refusal) {
    const auto loaded = load_program(std::make_unique<AddingObject>(refusal), "another",
                                     adding.program, adding.plan);
    REQUIRE_FALSE(loaded.ok());
    return loaded.error().kind;
  };
  CHECK(kind("") == DiagnosticKind::kInternal);
  CHECK(kind("no memory that may be executed") == DiagnosticKind::kEnvironment);
}

TEST_CASE("the first function of the user's is named that is not here to run") {
  Plan plan;
  plan.steps = {{kernel::Copy{0, 0}, {}}};
  CHECK(check_callable(plan).ok());
  plan.steps.push_back({kernel::UserCall{"first", {}, {}}, {}});
  plan.steps.push_back({kernel::UserCall{"second", {}, {}}, {}});
  const Status refused = check_callable(plan);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message.find("\"first\"") != std::string::npos);
}

}  // namespace
}  // namespace hlocc::backends
