// Editing of modules: names, orders, compaction, side effects.
#include "hlo/module.h"

#include <catch2/catch.hpp>

#include <ctime>

using namespace hlocc::hlo;

namespace {

const Shape scalar = Shape::scalar(PrimitiveType::kF32);
const Shape pred = Shape::scalar(PrimitiveType::kPred);

Computation named(std::string name) {
  Computation computation;
  computation.name = std::move(name);
  return computation;
}

// A module whose computation 0, the entry, is empty.
Module empty_module() {
  Module module;
  module.computations.push_back(named("main"));
  module.entry = 0;
  return module;
}

// Appends a computation f(x) that draws a random number and returns -x.
ComputationId add_effectful(Module& module) {
  Computation computation = named("draws");
  const InstructionId x = computation.add(make_parameter(0, scalar, "x"));
  computation.add(make(Opcode::kRngGetAndUpdateState, Shape::array(PrimitiveType::kU64, {2}), {},
                       RngStateAttributes{1}));
  computation.root = computation.add(make(Opcode::kNegate, scalar, {x}));
  module.computations.push_back(std::move(computation));
  return static_cast<ComputationId>(module.computations.size()) - 1;
}

ComputationId add_pure(Module& module) {
  Computation computation = named("pure" + std::to_string(module.computations.size()));
  const InstructionId x = computation.add(make_parameter(0, scalar, "x"));
  computation.root = computation.add(make(Opcode::kNegate, scalar, {x}));
  module.computations.push_back(std::move(computation));
  return static_cast<ComputationId>(module.computations.size()) - 1;
}

}  // namespace

TEST_CASE("add keeps names unique and enters parameters") {
  Computation c = named("c");
  const InstructionId x = c.add(make_parameter(1, scalar, "x"));
  const InstructionId y = c.add(make_parameter(0, scalar, "x"));
  CHECK(c[x].name == "x");
  CHECK(c[y].name == "x.1");
  CHECK(c.parameters == std::vector<InstructionId>{y, x});
  CHECK(c[c.add(make(Opcode::kAdd, scalar, {x, y}))].name == "add.2");
  Instruction taken = make(Opcode::kNegate, scalar, {x});
  taken.name = "add.2";
  CHECK(c[c.add(taken)].name == "add.2.3");
}

TEST_CASE("add notices instructions that came without it") {
  Computation c = named("c");
  c.add(make_parameter(0, scalar, "x"));
  Instruction direct = make(Opcode::kNegate, scalar, {0});
  direct.name = "direct";
  c.instructions.push_back(direct);
  CHECK(c[c.add(direct)].name == "direct.2");
}

TEST_CASE("appending many instructions of one name stays cheap") {
  Computation c = named("c");
  c.add(make_parameter(0, scalar, "x"));
  const std::clock_t start = std::clock();
  for (int i = 0; i < 100000; ++i) {
    Instruction instruction = make(Opcode::kNegate, scalar, {0});
    instruction.name = "same";
    c.add(std::move(instruction));
  }
  // Of the processor, which a busy machine does not change: 0.05, or minutes if names are tried.
  CHECK(std::clock() - start < 20 * CLOCKS_PER_SEC);
}

TEST_CASE("replace_uses and users") {
  Computation c = named("c");
  const InstructionId x = c.add(make_parameter(0, scalar, "x")),
                      y = c.add(make_parameter(1, scalar, "y"));
  const InstructionId sum = c.add(make(Opcode::kAdd, scalar, {x, x}));
  c.root = c.add(make(Opcode::kMultiply, scalar, {sum, y}));
  CHECK(c.users()[x] == std::vector<InstructionId>{sum});
  Computation twice = named("twice");
  twice.add(make_parameter(0, scalar, "x"));
  for (int n = 0; n < 2; ++n) twice.add(make(Opcode::kNegate, scalar, {0}));
  CHECK(twice.users()[0] == std::vector<InstructionId>{1, 2});
  c.replace_uses(x, y);
  CHECK(c[sum].operands == std::vector<InstructionId>{y, y});
  const InstructionId after = c.add(make(Opcode::kNegate, scalar, {y}));
  c[after].control_predecessors = {sum};
  c.replace_uses(sum, y);
  CHECK(c[after].control_predecessors == std::vector<InstructionId>{y});
  c.replace_uses(c.root, sum);
  CHECK(c.root == sum);
}

TEST_CASE("topological order puts operands first and leaves out what nobody needs") {
  Computation c = named("c");
  const InstructionId x = c.add(make_parameter(0, scalar, "x"));
  const InstructionId user = c.add(make(Opcode::kNegate, scalar, {x}));
  const InstructionId late = c.add(make(Opcode::kAbs, scalar, {x}));
  c.add(make(Opcode::kFloor, scalar, {x}));
  c[user].operands[0] = late;
  c.root = user;
  CHECK(c.topological_order() == std::vector<InstructionId>{x, late, user});
  const InstructionId before = c.add(make(Opcode::kCeil, scalar, {x}));
  c[late].control_predecessors = {before};
  CHECK(c.topological_order() == std::vector<InstructionId>{x, before, late, user});
}

TEST_CASE("compact renumbers operands, predecessors, parameters and root") {
  Computation c = named("c");
  c.add(make(Opcode::kConstant, scalar, {}, ConstantAttributes{Literal::zeros(scalar)}));
  const InstructionId x = c.add(make_parameter(0, scalar, "x"));
  const InstructionId y = c.add(make_parameter(1, scalar, "y"));
  c.root = c.add(make(Opcode::kAdd, scalar, {y, x}));
  c[c.root].control_predecessors = {x};
  compact(c);
  REQUIRE(c.instructions.size() == 3);
  CHECK(c.root_instruction().operands == std::vector<InstructionId>{1, 0});
  CHECK(c.root_instruction().control_predecessors == std::vector<InstructionId>{0});
  CHECK(c.parameters == std::vector<InstructionId>{0, 1});
  CHECK(c[c.add(make_parameter(2, scalar, "x"))].name == "x.3");
}

TEST_CASE("a long chain needs no deep stack") {
  Computation c = named("c");
  InstructionId last = c.add(make_parameter(0, scalar, "x"));
  for (int i = 0; i < 200000; ++i) last = c.add(make(Opcode::kNegate, scalar, {last}));
  c.root = last;
  CHECK(c.topological_order().size() == 200001);
}

TEST_CASE("effects inside called bodies keep their callers") {
  Module module = empty_module();
  const ComputationId draws = add_effectful(module), pure = add_pure(module);
  Computation& main = module.entry_computation();
  const InstructionId x = main.add(make_parameter(0, scalar, "x"));
  const InstructionId drawing =
      main.add(make(Opcode::kCall, scalar, {x}, CallAttributes{}, {draws}));
  const InstructionId idle = main.add(make(Opcode::kCall, scalar, {x}, CallAttributes{}, {pure}));
  main.root = x;
  CHECK(has_side_effect(module, main[drawing]));
  CHECK(!has_side_effect(module, main[idle]));
  CHECK(!has_side_effect(module, main[x]));
  CHECK(main.topological_order(module) == std::vector<InstructionId>{x, drawing});
  const Computation& drawn = module.computations[static_cast<size_t>(draws)];
  CHECK(has_side_effect(module, drawn[1]));
  CHECK(drawn.topological_order() == std::vector<InstructionId>{0, 1, 2});
  // Without the module both calls may have effects.
  CHECK(main.topological_order().size() == 3);
  compact(module);
  REQUIRE(module.computations.size() == 2);
  CHECK(module.computations[0].name == "draws");
  CHECK(module.computations[0].instructions.size() == 3);
  CHECK(module.entry == 1);
  CHECK(module.entry_computation()[1].called == std::vector<ComputationId>{0});
}

TEST_CASE("effects count through several levels, in loops and branches") {
  Module module = empty_module();
  const ComputationId draws = add_effectful(module);
  Computation outer = named("outer");
  const InstructionId y = outer.add(make_parameter(0, scalar, "y"));
  outer.root = outer.add(make(Opcode::kCall, scalar, {y}, CallAttributes{}, {draws}));
  module.computations.push_back(std::move(outer));
  Computation never = named("never");
  never.add(make_parameter(0, scalar, "z"));
  never.root =
      never.add(make(Opcode::kConstant, pred, {}, ConstantAttributes{Literal::zeros(pred)}));
  module.computations.push_back(std::move(never));
  Computation& main = module.entry_computation();
  const InstructionId x = main.add(make_parameter(0, scalar, "x"));
  const InstructionId loop = main.add(make(Opcode::kWhile, scalar, {x}, NoAttributes{}, {2, 3}));
  main.root = x;
  CHECK(has_side_effect(module, main[loop]));
  compact(module);
  CHECK(module.entry_computation().instructions.size() == 2);
  CHECK(module.computations.size() == 4);
}

TEST_CASE("computations come callees first, and unreached ones go") {
  Module module = empty_module();
  const ComputationId inner = add_pure(module);
  Computation middle = named("middle");
  const InstructionId y = middle.add(make_parameter(0, scalar, "y"));
  middle.root = middle.add(make(Opcode::kCall, scalar, {y}, CallAttributes{}, {inner}));
  module.computations.push_back(std::move(middle));
  add_pure(module);
  Computation& main = module.entry_computation();
  const InstructionId x = main.add(make_parameter(0, scalar, "x"));
  main.root = main.add(make(Opcode::kCall, scalar, {x}, CallAttributes{}, {2}));
  CHECK(computation_order(module) == std::vector<ComputationId>{inner, 2, 0});
  compact(module);
  CHECK(module.computations.size() == 3);
  CHECK(module.entry == 2);
  // A call that nobody uses and that does nothing goes, and what only it called goes with it.
  module.entry_computation().root = module.entry_computation().parameters[0];
  compact(module);
  CHECK(module.computations.size() == 1);
}

TEST_CASE("a custom call with a side effect stays") {
  Module module = empty_module();
  Computation& main = module.entry_computation();
  main.root = main.add(make_parameter(0, scalar, "x"));
  CustomCallAttributes log;
  log.target = "log";
  main.add(make(Opcode::kCustomCall, scalar, {0}, log));
  log.has_side_effect = true;
  main.add(make(Opcode::kCustomCall, scalar, {0}, log));
  compact(module);
  // The reference to the entry is gone with the old list of computations.
  const Computation& kept = module.entry_computation();
  REQUIRE(kept.instructions.size() == 2);
  CHECK(kept[1].get<CustomCallAttributes>().has_side_effect);
}
