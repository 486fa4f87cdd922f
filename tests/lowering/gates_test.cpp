// Cells of recurrent networks: gates behind products, over every width of a gate, rows, depths, in
// loops and outside.
#include "lowering/harness.h"
#include "planning/plan.h"
#include "transforms/pipeline.h"

namespace hlocc::tests {
namespace {

struct Cell {
  int64_t rows, depth, width;
  std::string type = "f32";
};

std::string array(const Cell& cell, int64_t rows, int64_t columns) {
  return cell.type + dims({rows, columns});
}

// `name` is columns [n width, (n + 1) width) of `from`.
std::string gate(const Cell& cell, const std::string& name, const std::string& from, int64_t n) {
  const std::string begin = std::to_string(n * cell.width),
                    end = std::to_string((n + 1) * cell.width);
  return " " + name + " = " + array(cell, cell.rows, cell.width) + " slice(" + from +
         "), slice={[0:" + std::to_string(cell.rows) + "], [" + begin + ":" + end + "]}\n";
}

std::string product(const Cell& cell, const std::string& name, const std::string& left,
                    const std::string& right, int64_t gates) {
  return " " + name + " = " + array(cell, cell.rows, gates * cell.width) + " dot(" + left + ", " +
         right + "), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";
}

std::string weights(const Cell& cell, const std::string& name, int64_t depth, int64_t gates) {
  return " " + name + " = " + constant({depth, gates * cell.width}, cell.type) + "\n";
}

// The lines of an LSTM's step from x, h and c to hh and cc; sums of products with a bias, four
// gates, two results.
std::string lstm(const Cell& cell) {
  const std::string sums = array(cell, cell.rows, 4 * cell.width),
                    one = array(cell, cell.rows, cell.width);
  std::string lines = weights(cell, "w", cell.depth, 4) + weights(cell, "u", cell.width, 4);
  lines += " b = " + constant({4 * cell.width}, cell.type) + "\n bb = " + sums +
           " broadcast(b), dimensions={1}\n";
  lines += product(cell, "xw", "x", "w", 4) + product(cell, "hu", "h", "u", 4);
  lines += " s0 = " + sums + " add(xw, hu)\n s = " + sums + " add(s0, bb)\n";
  for (const auto& [name, n] : {std::pair("i", 0), {"f", 1}, {"g", 2}, {"o", 3}})
    lines += gate(cell, name, "s", n);
  for (const char* name : {"i", "f", "o"})
    lines += std::string(" s") + name + " = " + one + " logistic(" + name + ")\n";
  lines += " tg = " + one + " tanh(g)\n fc = " + one + " multiply(sf, c)\n ig = " + one +
           " multiply(si, tg)\n";
  lines += " cc = " + one + " add(fc, ig)\n tc = " + one + " tanh(cc)\n hh = " + one +
           " multiply(so, tc)\n";
  return lines;
}

// Products that are asked for apart: the last gate multiplies a part of one of them.
std::string gru(const Cell& cell) {
  const std::string one = array(cell, cell.rows, cell.width);
  std::string lines = weights(cell, "w", cell.depth, 3) + weights(cell, "u", cell.width, 3);
  lines += product(cell, "xw", "x", "w", 3) + product(cell, "hu", "h", "u", 3);
  for (const auto& [name, n] : {std::pair("r", 0), {"z", 1}, {"n", 2}})
    lines +=
        gate(cell, std::string("x") + name, "xw", n) + gate(cell, std::string("h") + name, "hu", n);
  lines += " ar = " + one + " add(xr, hr)\n r = " + one + " logistic(ar)\n az = " + one +
           " add(xz, hz)\n z = " + one + " logistic(az)\n";
  lines += " rn = " + one + " multiply(r, hn)\n an = " + one + " add(xn, rn)\n n = " + one +
           " tanh(an)\n";
  lines += " d = " + one + " subtract(h, n)\n zd = " + one + " multiply(z, d)\n hh = " + one +
           " add(n, zd)\n";
  return lines;
}

std::string step(const Cell& cell, const std::string& lines, bool has_c) {
  const std::string one = array(cell, cell.rows, cell.width);
  std::string text = "HloModule test\nENTRY main {\n x = " + array(cell, cell.rows, cell.depth) +
                     " parameter(0)\n h = " + one + " parameter(1)\n";
  if (has_c) text += " c = " + one + " parameter(2)\n";
  text += lines;
  return text + (has_c ? " ROOT out = (" + one + ", " + one + ") tuple(hh, cc) }\n"
                       : " ROOT out = " + one + " negate(hh) }\n");
}

// Turns of a loop that counts them, x the same in each.
std::string loop(const Cell& cell) {
  const std::string one = array(cell, cell.rows, cell.width),
                    x = array(cell, cell.rows, cell.depth);
  const std::string state = "(s32[], " + one + ", " + one + ", " + x + ")";
  std::string text =
      "HloModule test\nbody { p = " + state +
      " parameter(0)\n t = s32[] get-tuple-element(p), index=0\n h = " + one +
      " get-tuple-element(p), index=1\n c = " + one + " get-tuple-element(p), index=2\n x = " + x +
      " get-tuple-element(p), index=3\n k = s32[] constant(1)\n tt = s32[] add(t, k)\n" +
      lstm(cell) + " ROOT r = " + state + " tuple(tt, hh, cc, x) }\n";
  text += "condition { p = " + state +
          " parameter(0)\n t = s32[] get-tuple-element(p), index=0\n n = s32[] constant(5)\n" +
          " ROOT r = pred[] compare(t, n), direction=LT }\n";
  return text + "ENTRY main { t = s32[] constant(0)\n x = " + x + " parameter(0)\n h = " + one +
         " parameter(1)\n c = " + one + " parameter(2)\n s = " + state +
         " tuple(t, h, c, x)\n ROOT r = " + state + " while(s), condition=condition, body=body }\n";
}

// The schedules of the module's fusions that are not plain.
std::vector<std::string> schedules(const std::string& text, const Target& target) {
  Result<hlo::Module> module = transforms::run_passes(module_from(text), target);
  if (!module) FAIL(module.error().to_string());
  std::vector<std::string> out;
  for (const hlo::Computation& c : module->computations)
    for (const hlo::Instruction& i : c.instructions)
      if (i.opcode == hlo::Opcode::kFusion &&
          i.get<hlo::FusionAttributes>().schedule != hlo::Schedule::kPlain) {
        const auto& fusion = i.get<hlo::FusionAttributes>();
        out.push_back(std::string(hlo::schedule_name(fusion.schedule)) +
                      (fusion.serpentine ? " serpentine" : ""));
      }
  return out;
}

using Names = std::vector<std::string>;
const hlo::CompareRule kClose = {.rtol = 1e-5, .atol = 1e-5};

}  // namespace

TEST_CASE("a step of a recurrent network is one kernel", "[lowering]") {
  const Cell cell{1, 10, 16};
  for (const std::string& text : {step(cell, lstm(cell), true), step(cell, gru(cell), false)}) {
    CHECK(schedules(text, machines()[0].target) == Names{"gates"});
    CHECK(schedules(text, machines()[2].target) == Names{"gates"});
    // Where vectors are multiplied by a lane it does not pay.
    CHECK(schedules(text, machines()[1].target).empty());
  }
  // 128 KB of weights exceed the nearest cache.
  CHECK(schedules(loop({1, 10, 64}), machines()[2].target) == Names{"gates serpentine"});
  CHECK(schedules(loop({1, 10, 64}), machines()[0].target) == Names{"gates"});
}

TEST_CASE("gates of every width", "[lowering]") {
  for (int64_t width : {1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 20, 31, 33}) {
    const Cell cell{1, 5, width};
    agrees(step(cell, lstm(cell), true), Passes::kOnlyAll, kClose);
    agrees(step(cell, gru(cell), false), Passes::kOnlyAll, kClose);
  }
}

TEST_CASE("gates of several rows and every depth", "[lowering]") {
  for (int64_t rows : {1, 2, 3, 4, 5})
    for (int64_t depth : {1, 2, 7, 8, 13}) {
      const Cell cell{rows, depth, 8};
      agrees(step(cell, lstm(cell), true), Passes::kOnlyAll, kClose);
      agrees(step(cell, gru(cell), false), Passes::kOnlyAll, kClose);
    }
}

TEST_CASE("gates of other types", "[lowering]") {
  for (const auto& [type, tolerance] : {std::pair("f64", 1e-5), {"f16", 3e-2}, {"bf16", 2e-1}}) {
    const Cell cell{1, 6, 12, type};
    const hlo::CompareRule rule = {.rtol = tolerance, .atol = tolerance};
    agrees(step(cell, lstm(cell), true), Passes::kOnlyAll, rule);
    agrees(step(cell, gru(cell), false), Passes::kOnlyAll, rule);
  }
}

TEST_CASE("a loop's hidden state is read before it is written", "[lowering]") {
  for (int64_t width : {4, 9, 64}) agrees(loop({1, 10, width}), Passes::kOnlyAll, kClose);
  agrees(loop({3, 4, 8}), Passes::kOnlyAll, kClose);
}

TEST_CASE("a recurrent loop copies nothing", "[lowering]") {
  // The counter changes after all have read it; h and c change in place.
  for (const Machine& machine : {machines()[0], machines()[2]}) {
    const Result<hlo::Module> module =
        transforms::run_passes(module_from(loop({1, 10, 64})), machine.target);
    REQUIRE(module.ok());
    const Result<planning::Plan> plan =
        planning::plan(lowered(*module, machine.target), machine.target);
    REQUIRE(plan.ok());
    CHECK(plan->copies_in_loops == 0);
  }
}

TEST_CASE("products that others read too stay apart", "[lowering]") {
  const Cell cell{1, 6, 8};
  std::string text = step(cell, gru(cell), false);
  const std::string sums = array(cell, 1, 24);
  text.replace(text.find("ROOT out"), 8, "all = " + sums + " abs(xw)\n other");
  text.replace(text.rfind("}"), 1,
               "ROOT out = (" + array(cell, 1, 8) + ", " + sums + ") tuple(other, all) }");
  agrees(text, Passes::kOnlyAll, kClose);
  // A gate that is turned around is not one at its own index.
  std::string reversed = step(cell, gru(cell), false);
  const std::string slice = "xn = " + array(cell, 1, 8) + " slice";
  reversed.replace(reversed.find(" " + slice), slice.size() + 1,
                   " xnr = " + array(cell, 1, 8) + " slice");
  reversed.replace(reversed.find(" ar ="), 5,
                   " xn = " + array(cell, 1, 8) + " reverse(xnr), dimensions={1}\n ar =");
  CHECK(schedules(reversed, machines()[0].target).empty());
  agrees(reversed, Passes::kOnlyAll, kClose);
}

}  // namespace hlocc::tests
