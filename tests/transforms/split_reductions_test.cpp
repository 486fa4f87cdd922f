// Long reductions in two on devices of many threads: which are, what stands just outside, and that
// both mean the same.
#include "support/text.h"
#include "target/gpu.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

Target gpu_target() { return target_of(**find_gpu("vulkan-generic"), {}); }

// After the pass, and what it means compared with what it meant. Sums of small whole numbers are
// exact in any order.
Module split_on(const std::string& text, const Target& target) {
  const Module before = module_from(text);
  Module after = before;
  const Status done = transforms::split_reductions(after, {target});
  REQUIRE(done.ok());
  check_same_meaning(before, after, {.rtol = 1e-4, .atol = 1e-2});
  return after;
}
Module split_reduction(const std::string& type, const std::string& input, const std::string& output,
                       const std::string& dimensions, const std::string& reducer = "add",
                       const std::string& init = "3", const Target& target = gpu_target()) {
  return split_on(cat("HloModule m\n f {\n a = ", type, "[] parameter(0)\n b = ", type,
                      "[] parameter(1)\n ROOT c = ", type, "[] ", reducer,
                      "(a, b)\n }\n ENTRY main {\n x = ", type, "[", input, "] parameter(0)\n i = ",
                      type, "[] constant(", init, ")\n ROOT r = ", type, "[", output,
                      "] reduce(x, i), dimensions={", dimensions, "}, to_apply=f\n }\n"),
                  target);
}
int reductions(const Module& module) { return count_in_entry(module, Opcode::kReduce); }

}  // namespace

TEST_CASE("long reductions are split, short ones and those of many results are not",
          "[transforms]") {
  CHECK(reductions(split_reduction("f32", "5000", "", "0")) == 2);
  CHECK(reductions(split_reduction("f32", "4097", "", "0")) == 2);
  CHECK(reductions(split_reduction("f32", "4096", "", "0")) == 1);
  CHECK(reductions(split_reduction("s32", "3,5000", "3", "1")) == 2);
  CHECK(reductions(split_reduction("s32", "5000,3", "3", "0")) == 2);
  CHECK(reductions(split_reduction("s32", "50,3,100", "3", "0,2")) == 2);
  CHECK(reductions(split_reduction("f32", "5000", "", "0", "maximum")) == 2);
  CHECK(reductions(split_reduction("s32", "5000", "", "0", "minimum")) == 2);
  CHECK(reductions(split_reduction("u32", "5000", "", "0", "and")) == 2);
  // Sums of halves are kept in wider numbers to their end.
  CHECK(reductions(split_reduction("f16", "5000", "", "0", "maximum")) == 1);
  CHECK(reductions(split_reduction("f32", "5000", "", "0", "subtract")) == 1);
  CHECK(reductions(split_reduction("c64", "5000", "", "0", "add", "(3,0)")) == 1);
  CHECK(reductions(split_reduction("f32", "0,5000", "0", "1")) == 1);
  CHECK(reductions(split_reduction("f32", "5000", "", "0", "add", "3", *preset("cortex-m4f"))) ==
        1);
  // 3 * 1500 steps with 70 parts of 65, the last of which has fewer.
  const Module padded = split_reduction("s32", "1500,3", "", "0,1");
  CHECK(count_in_entry(padded, Opcode::kPad) == 1);
  CHECK(count_in_entry(split_reduction("s32", "8192", "", "0"), Opcode::kPad) == 0);
}

TEST_CASE("long reductions of several arrays at once stay", "[transforms]") {
  const Module made = split_on(
      "HloModule m\n f {\n a = s32[] parameter(0)\n b = s32[] parameter(1)\n c = s32[] "
      "parameter(2)\n d = s32[] parameter(3)\n s = s32[] add(a, c)\n t = s32[] maximum(b, d)\n "
      "ROOT r = (s32[], s32[]) tuple(s, t)\n }\n ENTRY main {\n x = s32[5000] parameter(0)\n z "
      "= s32[] constant(0)\n ROOT r = (s32[], s32[]) reduce(x, x, z, z), dimensions={0}, "
      "to_apply=f\n }\n",
      gpu_target());
  CHECK(reductions(made) == 1);
}

TEST_CASE("long products of few results get one more batch", "[transforms]") {
  const auto dots = [](const std::string& left, const std::string& right, const std::string& result,
                       const std::string& attributes, const std::string& type = "f32") {
    const Module made =
        split_on(cat("x = ", type, "[", left, "] parameter(0)\n y = ", type, "[", right,
                     "] parameter(1)\n ROOT r = ", type == "s8" ? "s32" : type, "[", result,
                     "] dot(x, y), ", attributes),
                 gpu_target());
    CHECK(count_in_entry(made, Opcode::kDot) == 1);
    return reductions(made);
  };
  const std::string rows = "lhs_contracting_dims={1}, rhs_contracting_dims={0}";
  CHECK(dots("2,8192", "8192,3", "2,3", rows) == 1);
  CHECK(dots("2,8192", "8192,3", "2,3", rows, "s8") == 1);
  CHECK(dots("2,4096", "4096,3", "2,3", rows) == 0);
  CHECK(dots("8192", "8192", "", "lhs_contracting_dims={0}, rhs_contracting_dims={0}") == 1);
  CHECK(dots("2,8192,3", "4,2,8192", "2,3,4",
             "lhs_batch_dims={0}, rhs_batch_dims={1}, lhs_contracting_dims={1}, "
             "rhs_contracting_dims={2}") == 1);
  // 4,099 is prime: nothing to deal out evenly.
  CHECK(dots("1,4099", "4099,2", "1,2", rows) == 0);
  CHECK(dots("2,8192", "8192,3", "2,3", rows, "f16") == 0);
  CHECK(dots("2,64,128", "64,128,3", "2,3",
             "lhs_contracting_dims={1,2}, rhs_contracting_dims={0,1}") == 0);
  CHECK(dots("2", "3", "2,3", "lhs_contracting_dims={}, rhs_contracting_dims={}") == 0);
}

}  // namespace hlocc::tests
