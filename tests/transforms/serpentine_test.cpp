// Which product of a loop, or of a program that is called in a loop, reads its weights to and fro:
// the largest of a cell speaks for all, and what stands just outside.
#include "support/text.h"
#include "transforms/fusion/fuse.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

// With caches that these weights are large for, and products by a vector's elements too dear to
// keep cells apart.
const Target& chip() {
  static const auto& one = *new Target([] {
    Target target = *preset("cortex-a53");
    target.multiply_by_lane = false;
    target.cache_bytes = {512, 16 << 10, 1 << 20};
    return target;
  }());
  return one;
}

// An array's text: ones.
std::string ones(const std::vector<int>& sizes, size_t at = 0) {
  if (at == sizes.size()) return "1";
  std::string text = "{";
  for (int n = 0; n < sizes[at]; ++n) text += cat(n > 0 ? "," : "", ones(sizes, at + 1));
  return text + "}";
}

int serpentines(const std::string& text) {
  Module module = module_from(text);
  REQUIRE(transforms::fuse(module, {chip()}));
  int found = 0;
  for (const hlo::Computation& c : module.computations)
    for (const hlo::Instruction& i : c.instructions)
      found += i.opcode == Opcode::kFusion && i.get<hlo::FusionAttributes>().serpentine;
  return found;
}

// A program that counts, of a tuple (floats, counter).
std::string counting(const std::string& floats, const std::string& lines, const std::string& root) {
  return cat("HloModule m\nENTRY e {\n s = (", floats, ", s32[]) parameter(0)\n x = ", floats,
             " get-tuple-element(s), index=0\n i = s32[] get-tuple-element(s), index=1\n"
             " one = s32[] constant(1)\n n = s32[] add(i, one)\n",
             lines, "\n ROOT t = ", root, " }");
}

// A cell of two products: of `first` and `second` inputs, with weights that are known or not.
std::string cell(int first, bool first_known, int second, bool second_known) {
  const auto weights = [](const char* name, int inputs, bool known, int index) {
    return cat(" ", name, " = f32[", inputs, ",16] ",
               known ? cat("constant(", ones({inputs, 16}), ")")
                     : cat("get-tuple-element(s), index=", index),
               "\n");
  };
  const auto product = [](const char* name, const char* input, const char* weights, int inputs) {
    return cat(" ", input, " = f32[2,", inputs, "] constant(", ones({2, inputs}), ")\n ", name,
               " = f32[2,16] dot(", input, ", ", weights,
               "), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n");
  };
  return cat("HloModule m\nENTRY e {\n s = (s32[], f32[", first, ",16], f32[", second,
             ",16]) parameter(0)\n i = s32[] get-tuple-element(s), index=0\n"
             " one = s32[] constant(1)\n n = s32[] add(i, one)\n",
             weights("w", first, first_known, 1), weights("v", second, second_known, 2),
             product("d", "x", "w", first), product("e", "y", "v", second),
             " f = f32[2,16] add(d, e)\n p = f32[2,8] slice(f), slice={[0:2], [0:8]}\n"
             " q = f32[2,8] slice(f), slice={[0:2], [8:16]}\n"
             " m = f32[2,8] multiply(p, q)\n ROOT t = (s32[], f32[2,8]) tuple(n, m) }");
}

}  // namespace

TEST_CASE("weights of products between matrices are read in a serpentine", "[transforms]") {
  const std::string numbers = ", lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  const std::string product =
      cat(" w = f32[16,16] constant(", ones({16, 16}), ")\n d = f32[2,16] dot(x, w)", numbers);
  CHECK(serpentines(counting("f32[2,16]", product, "(f32[2,16], s32[]) tuple(d, n)")) == 1);
  // The counter is not handed on.
  CHECK(serpentines(counting("f32[2,16]", product, "(f32[2,16]) tuple(d)")) == 0);
  CHECK(serpentines(counting("f32[32]",
                             cat(" w = f32[32,4] constant(", ones({32, 4}),
                                 ")\n d = f32[4] dot(x, w), lhs_contracting_dims={0}, "
                                 "rhs_contracting_dims={0}"),
                             "(f32[4], s32[]) tuple(d, n)")) == 0);
  CHECK(serpentines(counting("f32[2,2,128]",
                             cat(" w = f32[128] constant(", ones({128}),
                                 ")\n d = f32[2,2] dot(x, w), lhs_contracting_dims={2}, "
                                 "rhs_contracting_dims={0}"),
                             "(f32[2,2], s32[]) tuple(d, n)")) == 0);
  CHECK(serpentines(counting("f32[16]",
                             cat(" w = f32[16,2,4] constant(", ones({16, 2, 4}),
                                 ")\n d = f32[2,4] dot(x, w), lhs_contracting_dims={0}, "
                                 "rhs_contracting_dims={0}"),
                             "(f32[2,4], s32[]) tuple(d, n)")) == 0);
}

TEST_CASE("what does not count turns does not turn a serpentine", "[transforms]") {
  // A state, what is counted in it, and the root, of which d is the product.
  const auto counted = [](const std::string& state, const std::string& lines,
                          const std::string& root, const std::string& floats) {
    return serpentines(
        cat("HloModule m\nENTRY e {\n s = ", state, " parameter(0)\n x = f32[2,16] ", floats,
            "\n w = f32[16,16] constant(", ones({16, 16}),
            ")\n d = f32[2,16] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n "
            "one = s32[] constant(1)\n",
            lines, "\n ROOT t = ", root, " }"));
  };
  const std::string state = "(s32[], f32[2,16])", second = "get-tuple-element(s), index=1",
                    counter = " i = s32[] get-tuple-element(s), index=0\n";
  CHECK(counted(state, counter + " n = s32[] add(i, one)", "(s32[], f32[2,16]) tuple(n, d)",
                second) == 1);
  // Another sum with an odd number; one of arrays.
  CHECK(counted(state, counter + " k = s32[] multiply(i, i)\n n = s32[] add(k, one)",
                "(s32[], f32[2,16]) tuple(n, d)", second) == 0);
  CHECK(counted("(s32[2], f32[2,16])",
                " i = s32[2] get-tuple-element(s), index=0\n ones = s32[2] constant({1,1})\n n = "
                "s32[2] add(i, ones)",
                "(s32[2], f32[2,16]) tuple(n, d)", second) == 0);
  // A counter inside of another tuple; one that the results have no place for, and no tuple of
  // them.
  CHECK(counted("((s32[], s32[]), f32[2,16])",
                " u = (s32[], s32[]) get-tuple-element(s), index=0\n i = s32[] "
                "get-tuple-element(u), index=0\n n = s32[] add(i, one)",
                "(s32[], f32[2,16]) tuple(n, d)", second) == 0);
  const std::string added =
      "\n f = f32[] convert(n)\n b = f32[2,16] broadcast(f), dimensions={}\n a = f32[2,16] add(d, "
      "b)";
  CHECK(counted("(f32[2,16], s32[])",
                " i = s32[] get-tuple-element(s), index=1\n n = s32[] add(i, one)" + added,
                "(f32[2,16]) tuple(a)", "get-tuple-element(s), index=0") == 0);
  CHECK(counted(state,
                counter + " n = s32[] add(i, one)\n p = f32[1,1] slice(d), slice={[0:1], [0:1]}\n"
                          " q = f32[] reshape(p)\n c = s32[] convert(q)",
                "s32[] add(n, c)", second) == 0);
}

TEST_CASE("the largest product of a cell says how weights are read", "[transforms]") {
  CHECK(serpentines(cell(16, true, 8, false)) == 1);
  CHECK(serpentines(cell(8, false, 16, true)) == 1);
  CHECK(serpentines(cell(8, true, 16, false)) == 0);
  CHECK(serpentines(cell(16, false, 8, true)) == 0);
  // Of two alike, the later one.
  CHECK(serpentines(cell(16, false, 16, true)) == 1);
  CHECK(serpentines(cell(16, true, 16, false)) == 0);
}

}  // namespace hlocc::tests
