// The hash of the interface: it changes with everything that header and library agree on, and with
// nothing else.
#include "planning/interface.h"

#include <catch2/catch.hpp>
#include <functional>
#include <set>

namespace hlocc::planning {
namespace {

struct Model {
  kernel::Signature signature;
  Plan plan;
  Target target = *preset("cortex-m4f");

  std::string hash() const { return interface_hash(signature, plan, target); }
};

Model small_model() {
  Model m;
  m.signature.prefix = "net_";
  const hlo::Shape shape = hlo::Shape::array(hlo::PrimitiveType::kF32, {4});
  m.signature.arguments = {{.index = 0, .name = "x", .shape = shape},
                           {.index = 1, .name = "y", .shape = shape}};
  m.signature.results = {{.index = 0, .shape = shape}};
  m.plan.argument_places = {{Region::kArena, 0, 16}, {Region::kArena, 16, 16}};
  m.plan.argument_alignments = {4, 4};
  m.plan.result_places = {{Region::kArena, 32, 16}};
  m.plan.arena_bytes = 48;
  return m;
}

TEST_CASE("whatever header and library agree on changes the symbol of run") {
  const std::string before = small_model().hash();
  CHECK(before.size() == 16);
  CHECK(before == small_model().hash());
  CHECK(run_symbol(small_model().signature, small_model().plan, small_model().target) ==
        "net_run_" + before);
  const std::pair<const char*, std::function<void(Model&)>> changes[] = {
      {"arena", [](Model& m) { m.plan.arena_bytes = 64; }},
      {"alignment", [](Model& m) { m.plan.arena_align = 32; }},
      {"state", [](Model& m) { m.plan.state_bytes = 8; }},
      {"places", [](Model& m) { std::swap(m.plan.argument_places[0], m.plan.argument_places[1]); }},
      {"a result's place", [](Model& m) { m.plan.result_places[0].offset = 0; }},
      {"two arguments swapped",
       [](Model& m) { std::swap(m.signature.arguments[0].name, m.signature.arguments[1].name); }},
      {"a type",
       [](Model& m) { m.signature.arguments[0].shape.element_type = hlo::PrimitiveType::kS32; }},
      {"a shape",
       [](Model& m) {
         m.signature.arguments[0].shape.dimensions = {2, 2};
       }},
      {"a layout", [](Model& m) { m.signature.arguments[0].shape.layout.element_bits = 4; }},
      {"a buffer's alignment", [](Model& m) { m.plan.argument_alignments[1] = 16; }},
      {"donation", [](Model& m) { m.signature.arguments[0].donated = true; }},
      {"the calling convention", [](Model& m) { m.target.float_abi = FloatAbi::kSoftfp; }},
      {"pointers", [](Model& m) { m.target.pointer_bits = 64; }},
      {"byte order", [](Model& m) { m.target.byte_order = ByteOrder::kBig; }},
      {"a call",
       [](Model& m) {
         m.plan.steps.push_back({kernel::UserCall{"my_filter", {}, {}}, {}});
       }},
      {"the first state", [](Model& m) {
         m.plan.values.push_back(
             {.role = kernel::ValueRole::kState,
              .data = std::make_shared<const std::vector<std::byte>>(8, std::byte{7})});
         m.plan.places.push_back({Region::kState, 0, 8});
       }}};
  std::set<std::string> seen = {before};
  for (const auto& [what, change] : changes) {
    Model changed = small_model();
    change(changed);
    INFO(what);
    CHECK(seen.insert(changed.hash()).second);
  }
}

TEST_CASE("weights, code and places of temporaries are not part of the interface") {
  Model m = small_model();
  m.plan.constant_bytes = 1000;
  m.plan.values.push_back(
      {.name = "weights",
       .role = kernel::ValueRole::kConstant,
       .data = std::make_shared<const std::vector<std::byte>>(8, std::byte{7})});
  m.plan.places.push_back({Region::kConstant, 0, 8});
  // State that begins with zeros.
  m.plan.values.push_back({.role = kernel::ValueRole::kState});
  m.plan.places.push_back({Region::kState, 0, 8});
  m.plan.steps.push_back({kernel::Launch{}, {{"add.1"}}});
  m.target.cpu = "cortex-m7";
  m.target.options.level = Level::kOs;
  CHECK(m.hash() == small_model().hash());
}

TEST_CASE("functions of the user's are listed once for each list of types") {
  Plan plan;
  plan.values = {{.element = kernel::Scalar::kF32, .elements = 4},
                 {.element = kernel::Scalar::kS32, .elements = 2}};
  plan.steps.push_back({kernel::UserCall{"b", {0, 1}, {0}}, {}});
  plan.steps.push_back({kernel::UserCall{"a", {}, {1}}, {}});
  kernel::WhileStep loop;
  loop.body.push_back({kernel::UserCall{"b", {0, 1}, {0}}, {}});
  plan.steps.push_back({loop, {}});
  const std::vector<UserFunction> functions = user_functions(plan);
  REQUIRE(functions.size() == 2);
  CHECK(functions[0].symbol == "a");
  CHECK(types_of(functions[0]) == "nothing -> s32[2]");
  CHECK(types_of(functions[1]) == "f32[4], s32[2] -> f32[4]");
}

}  // namespace
}  // namespace hlocc::planning
