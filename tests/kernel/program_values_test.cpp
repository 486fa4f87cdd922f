// Renaming values at all depths, and dropping constants that nobody reads.
#include "kernel/program_values.h"

#include <catch2/catch.hpp>

#include "kernel/window_spacing.h"

namespace hlocc::kernel {
namespace {

ProgramValue value_of(const char* name, ValueRole role) {
  ProgramValue value{.name = name, .elements = 1, .role = role};
  if (role == ValueRole::kConstant)
    value.data = std::make_shared<const std::vector<std::byte>>(4, std::byte{1});
  return value;
}

// unread, in a loop, argument, unread, in a branch, result of the program, temporary.
Program program_with_constants() {
  Program program;
  program.values = {
      value_of("unread", ValueRole::kConstant), value_of("looped", ValueRole::kConstant),
      value_of("given", ValueRole::kArgument),  value_of("unread too", ValueRole::kConstant),
      value_of("chosen", ValueRole::kConstant), value_of("answer", ValueRole::kConstant),
      value_of("made", ValueRole::kTemporary),  value_of("yielded", ValueRole::kTemporary),
      value_of("joined", ValueRole::kTemporary)};
  WhileStep loop;
  loop.condition_value = 2;
  loop.body.push_back({Launch{0, {1, 6}, {}, {}, {{1, 2}}}, {}});
  ConditionalStep choice;
  choice.selector = 2;
  choice.branches = {{{Copy{4, 7}, {}}}};
  choice.yields = {{7}};
  program.steps.push_back({std::move(loop), {}});
  program.steps.push_back({std::move(choice), {}});
  program.steps.push_back({Join{{{7, 0, 4}}, 8}, {}});
  program.arguments = {2};
  program.results = {5, 6};
  return program;
}

}  // namespace

TEST_CASE("windows follow one another as the third word of a stream's state says", "[kernel]") {
  Program program = program_with_constants();
  CHECK(window_spacing(program) == 0);
  ProgramValue state = value_of("stream", ValueRole::kState);
  state.element = Scalar::kS32;
  state.elements = 2;
  // What stands behind its two words is no spacing.
  state.data = std::make_shared<const std::vector<std::byte>>(12, std::byte{1});
  program.stream = {0, static_cast<ProgramValueId>(program.values.size()), 5};
  program.values.push_back(state);
  CHECK(window_spacing(program) == 0);
  space_windows(program, 7);
  CHECK(window_spacing(program) == 7);
  CHECK(window_spacing(program.values.back()) == 7);
  // Loops alone take rows.
  for (const size_t step : {1, 2}) CHECK_FALSE(takes_rows(program, program.steps[step]));
}

TEST_CASE("constants that nobody reads are dropped") {
  Program program = program_with_constants();
  program.stream = StreamSteps{.leaf = 0, .state = 8, .iterations = 1};
  drop_unread_constants(program);
  CHECK(program.stream->state == 6);
  std::vector<std::string> names;
  for (const ProgramValue& value : program.values) names.push_back(value.name);
  CHECK(names == std::vector<std::string>{"looped", "given", "chosen", "answer", "made", "yielded",
                                          "joined"});
  const auto& loop = std::get<WhileStep>(program.steps[0].what);
  const auto& launch = std::get<Launch>(loop.body[0].what);
  CHECK(loop.condition_value == 1);
  CHECK(launch.operands == std::vector<ProgramValueId>{0, 4});
  CHECK(launch.updates[0].from == 1);
  const auto& choice = std::get<ConditionalStep>(program.steps[1].what);
  CHECK(std::get<Copy>(choice.branches[0][0].what).from == 2);
  CHECK(choice.yields[0] == std::vector<ProgramValueId>{5});
  const auto& join = std::get<Join>(program.steps[2].what);
  CHECK(join.to == 6);
  CHECK(join.runs == std::vector<Join::Run>{{5, 0, 4}});
  CHECK(program.arguments == std::vector<ProgramValueId>{1});
  CHECK(program.results == std::vector<ProgramValueId>{3, 4});
}

TEST_CASE("only the argument whose rows come one by one is streamed", "[kernel]") {
  Program program = program_with_constants();
  program.arguments = {6, 2};
  for (const ProgramValueId value : {2, 6}) CHECK_FALSE(program.is_streamed(value));
  program.stream = StreamSteps{.leaf = 1, .state = 8, .iterations = 1};
  CHECK(program.is_streamed(2));
  CHECK_FALSE(program.is_streamed(6));
  CHECK_FALSE(program.is_streamed(0));
}

}  // namespace hlocc::kernel
