// Small signatures and plans for the tests of package/: enough of a model to be named, described
// and put into a header.
#pragma once
#include <string>
#include <vector>

#include "hlo/module.h"
#include "package/names.h"
#include "planning/plan.h"

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
