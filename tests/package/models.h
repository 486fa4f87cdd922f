// Small signatures and plans for the tests of package/: enough of a model to be named, described
// and put into a header.
#pragma once
#include <string>
#include <vector>

#include "hlo/module.h"
#include "package/names.h"
#include "planning/plan.h"
#include "target/core_facts.h"

namespace hlocc::package {

// A module whose entry has these parameters and this result; nothing inside, because package/ looks
// at shapes only.
inline hlo::Module module_of(std::vector<hlo::Shape> parameters, hlo::Shape result) {
  hlo::Module module;
  module.name = "jit_predict";
  module.entry_parameters = std::move(parameters);
  module.entry_result = std::move(result);
  return module;
}

// Gives the module an entry whose parameters came from such places in the program.
inline void name_parameters(hlo::Module& module, const std::vector<std::string>& op_names) {
  hlo::Computation entry;
  for (size_t i = 0; i < op_names.size(); ++i) {
    hlo::Instruction parameter = hlo::make_parameter(
        static_cast<int64_t>(i), module.entry_parameters[i], "Arg_" + std::to_string(i) + ".1");
    parameter.metadata.op_name = op_names[i];
    entry.add(std::move(parameter));
  }
  module.entry = 0;
  module.computations = {std::move(entry)};
}

// Arguments, then results, one after the other in the arena; donated leaves in the state.
inline planning::Plan plan_of(const kernel::Signature& signature) {
  planning::Plan plan;
  const auto place = [](int64_t& end, int64_t bytes) {
    const int64_t at = end;
    end = (end + bytes + 15) / 16 * 16;
    return at;
  };
  for (const kernel::Leaf& leaf : signature.arguments) {
    int64_t& end = leaf.donated ? plan.state_bytes : plan.arena_bytes;
    const auto region = leaf.donated ? planning::Region::kState : planning::Region::kArena;
    plan.argument_places.push_back({region, place(end, leaf.bytes()), leaf.bytes()});
  }
  for (const kernel::Leaf& leaf : signature.results) {
    if (leaf.donated)
      plan.result_places.push_back(plan.argument_places[leaf.partner]);
    else
      plan.result_places.push_back(
          {planning::Region::kArena, place(plan.arena_bytes, leaf.bytes()), leaf.bytes()});
  }
  return plan;
}

// A step that calls a function of the user's: f32[4] -> s32[2].
inline void add_user_call(planning::Plan& plan) {
  const auto id = static_cast<kernel::ProgramValueId>(plan.values.size());
  plan.values.push_back({.name = "x", .element = kernel::Scalar::kF32, .elements = 4});
  plan.values.push_back({.name = "y", .element = kernel::Scalar::kS32, .elements = 2});
  plan.places.resize(plan.values.size());
  plan.steps.push_back({kernel::UserCall{"my_filter", {id}, {id + 1}}, {{"call"}}});
}

// This machine, as far as a header can ask.
inline Target this_machine() {
  Target target;
  target.name = "host";
  target.pointer_bits = 64;
  target.bare_metal = false;
  return target;
}

inline CoreNeeds this_core() { return {CoreFamily::kX86_64, {}}; }

// Key-word spotting as in the design: one named argument, one named result.
inline kernel::Signature kws_signature() {
  Options options;
  options.name = "acme::Kws";
  options.argument_names = {{0, "mfcc"}};
  options.result_names = {{0, "probs"}};
  const auto f32 = hlo::PrimitiveType::kF32;
  return *make_signature(
      module_of({hlo::Shape::array(f32, {1, 49, 10})}, hlo::Shape::array(f32, {1, 12})), options);
}

// One with its arena in two memories, of which the fast one holds the result and weights.
inline kernel::Signature two_signature() {
  Options options;
  options.name = "acme::Two";
  options.memories = {{"fast", 4096}, {"slow", 8192}};
  const hlo::Shape f32 = hlo::Shape::array(hlo::PrimitiveType::kF32, {4});
  return *make_signature(module_of({f32}, f32), options);
}
inline planning::Plan in_two_memories(planning::Plan plan) {
  plan.pieces = {{"fast", 16, 32, 4096}, {"slow", 0, 16, 8192}};
  plan.arena_bytes = 48;
  plan.kept = {{0, 32, 16, kernel::kNone}};
  return plan;
}

// One leaf of each kind that the header treats in its own way.
inline kernel::Signature zoo_signature() {
  using hlo::PrimitiveType;
  using hlo::Shape;
  Shape packed = Shape::array(PrimitiveType::kS4, {5});
  packed.layout.element_bits = 4;
  Shape column_major = Shape::array(PrimitiveType::kS16, {2, 3});
  column_major.layout.minor_to_major = {0, 1};
  hlo::Module module =
      module_of({Shape::scalar(PrimitiveType::kF64),
                 Shape::make_tuple({packed, column_major, Shape::token()}),
                 Shape::array(PrimitiveType::kC64, {2}), Shape::array(PrimitiveType::kF32, {4}),
                 Shape::array(PrimitiveType::kPred, {1})},
                Shape::make_tuple({Shape::array(PrimitiveType::kF32, {4}),
                                   Shape::array(PrimitiveType::kBF16, {0, 3}),
                                   Shape::array(PrimitiveType::kU64, {1})}));
  module.aliases.push_back({{0}, 3, {}, false});
  Options options;
  options.name = "Zoo";
  options.argument_names = {{0, "data"}, {4, "h"}};
  options.result_names = {{0, "h"}, {2, "int"}};
  return *make_signature(module, options);
}

}  // namespace hlocc::package
