// Drawn programs and drawn items, with what planning makes of them and calls optimal, written for
// tests/nightly/solver.py, which asks a solver of integer programs for better.
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "planning/drawn_items.h"
#include "planning/order_bound.h"

namespace hlocc::planning {
namespace {

using nlohmann::json;

json to_json(const Step& step, const Program& program) {
  json out = {{"reads", reads_of(step, program.kernels)},
              {"writes", writes_of(step, program.kernels)},
              {"shared", json::array()},
              {"scratch", 0}};
  if (const auto* copy = std::get_if<Copy>(&step.what)) out["copy"] = {copy->from, copy->to};
  const auto* launch = std::get_if<Launch>(&step.what);
  if (launch == nullptr) return out;
  const auto operand = [&](int i) { return launch->operands[static_cast<size_t>(i)]; };
  // (operand, result, bytes ahead, in the very place)
  for (const Overlap& o : launch->overlaps)
    out["shared"].push_back({operand(o.operand), operand(o.result), o.bytes, false});
  for (const Update& u : launch->updates)
    out["shared"].push_back({u.from, operand(u.result), 0, true});
  int64_t scratch = 0;
  for (const Buffer& buffer :
       arena_scratch(program.kernels[static_cast<size_t>(launch->kernel)], *launch))
    scratch += buffer.elements * scalar_bytes(buffer.element);
  out["scratch"] = scratch;
  return out;
}

json program_case(uint64_t seed) {
  const Program program = Generator::flat(seed);
  Target target;
  target.vector_bits = 0;  // places are multiples of a word
  const Plan plan = planned_and_valid(program, target);
  const std::optional<OrderBound> bound = order_bound(program, {});
  REQUIRE(bound);
  json out = {{"seed", seed},
              {"results", program.results},
              {"arguments", program.arguments},
              {"arena", plan.arena_bytes},
              {"bound", bound->bytes},
              {"exact", bound->is_exact},
              {"steps", json::array()}};
  for (const ProgramValue& value : program.values) out["bytes"].push_back(value.bytes());
  for (const Step& step : program.steps) out["steps"].push_back(to_json(step, program));
  return out;
}

json packing_case(uint64_t seed) {
  Random random(seed);
  const std::vector<Item> items = drawn_items(random, 3 + random.below(8), 12);
  const Packing packing = pack(items);
  json out = {{"seed", seed},
              {"packed", packing.bytes},
              {"bound", packing.bound},
              {"optimal", packing.is_optimal},
              {"items", json::array()}};
  for (const Item& item : items) {
    json parts = json::array();
    for (const Rectangle& part : item.parts) {
      json times = json::array();
      for (const Interval& t : part.times) times.push_back({t.begin, t.end});
      parts.push_back({{"times", times}, {"offset", part.offset}, {"bytes", part.bytes}});
    }
    out["items"].push_back({{"alignment", item.alignment}, {"parts", parts}});
  }
  return out;
}

TEST_CASE("drawn programs and items for a solver", "[.solver]") {
  const char* file = std::getenv("HLOCC_SOLVER_FILE");
  REQUIRE(file != nullptr);
  std::ofstream out(file);
  for (uint64_t seed = 0; seed < 200; ++seed) {
    out << json{{"program", program_case(seed)}}.dump() << "\n";
    out << json{{"packing", packing_case(seed)}}.dump() << "\n";
  }
  REQUIRE(out.good());
}

}  // namespace
}  // namespace hlocc::planning
