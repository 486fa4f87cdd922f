// Expansions against the interpreter's own meaning of the op.
#include "support/text.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using transforms::expand;

const hlo::CompareRule kCloseMoments{.rtol = 2e-5, .atol = 2e-5};

void expands(const std::string& text, Opcode gone, const hlo::CompareRule& rule = {.bits = true}) {
  INFO(text);
  CHECK(count(rewritten(text, {expand}, rule), gone) == 0);
}

}  // namespace

TEST_CASE("batch norms are sums and elementwise ops", "[transforms]") {
  expands(
      "x = f32[4,3,5] parameter(0)\n s = f32[3] parameter(1)\n o = f32[3] parameter(2)\n"
      "ROOT r = (f32[4,3,5], f32[3], f32[3]) batch-norm-training(x, s, o), epsilon=0.001, "
      "feature_index=1",
      Opcode::kBatchNormTraining, kCloseMoments);
  expands(
      "x = f32[4,3] parameter(0)\n s = f32[3] parameter(1)\n o = f32[3] parameter(2)\n m = f32[3] "
      "parameter(3)\n"
      "w = f32[3] parameter(4)\n v = f32[3] multiply(w, w)\n"
      "ROOT r = f32[4,3] batch-norm-inference(x, s, o, m, v), epsilon=0.5, feature_index=1",
      Opcode::kBatchNormInference, kCloseMoments);
  expands(
      "x = f32[4,3] parameter(0)\n s = f32[4] parameter(1)\n m = f32[4] parameter(2)\n w = f32[4] "
      "parameter(3)\n"
      "v = f32[4] multiply(w, w)\n g = f32[4,3] parameter(4)\n"
      "ROOT r = (f32[4,3], f32[4], f32[4]) batch-norm-grad(x, s, m, v, g), epsilon=0.5, "
      "feature_index=0",
      Opcode::kBatchNormGrad, kCloseMoments);
}

TEST_CASE("topk is a stable sort in total order", "[transforms]") {
  for (const char* largest : {"true", "false"}) {
    expands("x = f32[3,9] parameter(0)\n ROOT r = (f32[3,4], s32[3,4]) topk(x), k=4, largest=" +
                std::string(largest),
            Opcode::kTopK);
    expands("x = s32[12] parameter(0)\n ROOT r = (s32[5], s32[5]) topk(x), k=5, largest=" +
                std::string(largest),
            Opcode::kTopK);
  }
  expands(
      "c = f32[6] constant({1, nan, -0, 0, -nan, 1})\n ROOT r = (f32[6], s32[6]) topk(c), k=6, "
      "largest=true",
      Opcode::kTopK);
}

TEST_CASE("rng-bit-generator is exact", "[transforms]") {
  for (const char* shape : {"u32[6]", "u32[5]", "u32[2,3]", "u32[3,3]", "u32[3,2]", "u32[]",
                            "u64[5]", "u8[7]", "u16[2,2]", "s32[4]", "s64[3]"}) {
    expands("s = u64[2] parameter(0)\n ROOT r = (u64[2], " + std::string(shape) +
                ") rng-bit-generator(s), algorithm=rng_three_fry",
            Opcode::kRngBitGenerator);
    for (const char* state : {"u64[2]", "u64[3]"})
      expands(std::string("s = ") + state + " parameter(0)\n ROOT r = (" + state + ", " + shape +
                  ") rng-bit-generator(s), algorithm=rng_philox",
              Opcode::kRngBitGenerator);
  }
}

TEST_CASE("rng draws from the instance's counter", "[transforms]") {
  expands(
      "a = s32[] parameter(0)\n b = s32[] parameter(1)\n ROOT r = s32[7] rng(a, b), "
      "distribution=rng_uniform",
      Opcode::kRng);
  expands(
      "a = f32[] constant(-1)\n b = f32[] constant(3)\n ROOT r = f32[7] rng(a, b), "
      "distribution=rng_uniform",
      Opcode::kRng, kCloseMoments);
  expands(
      "a = f32[] constant(1)\n b = f32[] constant(2)\n ROOT r = f32[50] rng(a, b), "
      "distribution=rng_normal",
      Opcode::kRng, {.rtol = 1e-3, .atol = 1e-3});
  expands(
      "a = f64[] constant(1)\n b = f64[] constant(2)\n ROOT r = f64[50] rng(a, b), "
      "distribution=rng_normal",
      Opcode::kRng, {.rtol = 1e-12, .atol = 1e-12});
}

TEST_CASE("scan is a loop over slices", "[transforms]") {
  for (const char* reverse : {"true", "false"})
    expands(std::string(R"(HloModule m
step { x = f32[2] parameter(0)
 c = f32[2] parameter(1)
 n = f32[2] add(x, c)
 o = f32[2] multiply(n, x)
 ROOT r = (f32[2], f32[2]) tuple(o, n) }
ENTRY e { x = f32[2,5] parameter(0)
 c = f32[2] parameter(1)
 ROOT r = (f32[2,5], f32[2]) scan(x, c), dimensions={1}, num_carries=1, is_reverse=)") +
                reverse + ", to_apply=step }",
            Opcode::kScan);
}

TEST_CASE("ragged dots are dots and masks", "[transforms]") {
  const hlo::CompareRule close{.rtol = 1e-6, .atol = 1e-6};
  expands(
      "x = f32[7,4] parameter(0)\n y = f32[3,4,5] parameter(1)\n g = s32[3] constant({2, 0, 4})\n"
      "ROOT r = f32[7,5] ragged-dot(x, y, g), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
      "lhs_ragged_dims={0},"
      " rhs_group_dims={0}",
      Opcode::kRaggedDot, close);
  expands(
      "x = f32[4,7] parameter(0)\n y = f32[7,5] parameter(1)\n g = s32[3] constant({2, 1, 3})\n"
      "ROOT r = f32[3,4,5] ragged-dot(x, y, g), lhs_contracting_dims={1}, "
      "rhs_contracting_dims={0}, lhs_ragged_dims={1}",
      Opcode::kRaggedDot, close);
  expands(
      "x = f32[6,2,4] parameter(0)\n y = f32[6,4,5] parameter(1)\n g = s32[2] constant({2, 3})\n"
      "ROOT r = f32[6,2,5] ragged-dot(x, y, g), lhs_batch_dims={0}, rhs_batch_dims={0}, "
      "lhs_contracting_dims={2},"
      " rhs_contracting_dims={1}, lhs_ragged_dims={0}",
      Opcode::kRaggedDot, close);
}

TEST_CASE("ragged dots with sizes for each index in front of the ragged one", "[transforms]") {
  const hlo::CompareRule close{.rtol = 1e-6, .atol = 1e-6};
  const std::string sizes = " g = s32[2,3] constant({{1,2,3}, {4,0,2}})\n ROOT r = ";
  expands("x = f32[2,7,5] parameter(0)\n y = f32[2,3,5,4] parameter(1)\n" + sizes +
              "f32[2,7,4] ragged-dot(x, y, g), lhs_batch_dims={0}, rhs_batch_dims={0}, "
              "lhs_contracting_dims={2}, rhs_contracting_dims={2}, lhs_ragged_dims={1}, "
              "rhs_group_dims={1}",
          Opcode::kRaggedDot, close);
  expands("x = f32[2,7,5] parameter(0)\n y = f32[3,5,4] parameter(1)\n" + sizes +
              "f32[2,7,4] ragged-dot(x, y, g), lhs_contracting_dims={2}, rhs_contracting_dims={1}, "
              "lhs_ragged_dims={1}, rhs_group_dims={0}",
          Opcode::kRaggedDot, close);
  expands("x = f32[2,5,7] parameter(0)\n y = f32[7,2,4] parameter(1)\n" + sizes +
              "f32[3,2,5,4] ragged-dot(x, y, g), lhs_batch_dims={0}, rhs_batch_dims={1}, "
              "lhs_contracting_dims={2}, rhs_contracting_dims={0}, lhs_ragged_dims={2}",
          Opcode::kRaggedDot, close);
  expands("x = f32[2,7,3] parameter(0)\n y = f32[7,2,4] parameter(1)\n" + sizes +
              "f32[3,3,4] ragged-dot(x, y, g), lhs_contracting_dims={0,1}, "
              "rhs_contracting_dims={1,0}, lhs_ragged_dims={1}",
          Opcode::kRaggedDot, close);
  expands("x = f32[2,7,3,5] parameter(0)\n y = f32[2,7,5,4] parameter(1)\n" + sizes +
              "f32[2,7,3,4] ragged-dot(x, y, g), lhs_batch_dims={0,1}, rhs_batch_dims={0,1}, "
              "lhs_contracting_dims={3}, rhs_contracting_dims={2}, lhs_ragged_dims={1}",
          Opcode::kRaggedDot, close);
}

TEST_CASE("scaled dots are dots of scaled operands", "[transforms]") {
  for (const char* const type : {"f8e4m3fn", "bf16", "f32"})
    expands(
        cat("x = ", type,
            "[3,8] parameter(0)\n y = f8e5m2[5,8] parameter(1)\n s = f8e4m3fn[3,2] parameter(2)\n"
            " t = f32[5,1] parameter(3)\n ROOT r = f32[3,5] scaled-dot(x, y, s, t), "
            "lhs_contracting_dims={1}, rhs_contracting_dims={1}"),
        Opcode::kScaledDot, {.rtol = 1e-5, .atol = 1e-5});
}

TEST_CASE("contractions of mixed types are converted around one of a kind", "[transforms]") {
  const hlo::CompareRule close{.rtol = 0.01, .atol = 0.01};
  for (const char* const types :
       {"bf16 s8 f32", "s8 bf16 bf16", "f32 f32 s32", "f32 s32 c64", "s32 s32 c128"}) {
    INFO(types);
    const std::vector<std::string> t = split(types, ' ');
    const Module before = module_from(
        cat("x = ", t[0], "[3,4] parameter(0)\n y = ", t[1], "[4,5] parameter(1)\n ROOT r = ", t[2],
            "[3,5] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}"));
    const Module result = after(before, {transforms::expand});
    check_same_meaning(before, result, close);
    CHECK(count(result, Opcode::kConvert) > 0);
  }
  // Of one kind, nothing is converted.
  const Module alike = module_from(
      "x = f16[3,4] parameter(0)\n y = f32[4,5] parameter(1)\n ROOT r = bf16[3,5] dot(x, y), "
      "lhs_contracting_dims={1}, rhs_contracting_dims={0}");
  CHECK(count(after(alike, {transforms::expand}), Opcode::kConvert) == 0);
}

TEST_CASE("annotations are identities and TopK calls are topk; other calls stay", "[transforms]") {
  CHECK(root(rewritten("x = f32[4] parameter(0)\n ROOT r = f32[4] custom-call(x), "
                       "custom_call_target=\"Sharding\"",
                       {expand}))
            .opcode == Opcode::kParameter);
  // One that changes the shape annotates nothing.
  for (const char* result : {"f32[2,2]", "s32[4]"})
    CHECK(root(after(module_from(cat("x = f32[4] parameter(0)\n ROOT r = ", result,
                                     " custom-call(x), custom_call_target=\"Sharding\"")),
                     {expand}))
              .opcode == Opcode::kCustomCall);
  expands(
      "x = f32[4] parameter(0)\n ROOT r = (f32[2], s32[2]) custom-call(x), "
      "custom_call_target=\"TopK\"",
      Opcode::kCustomCall);
  // What is called otherwise and gives such things, or is called so and gives none, is a function
  // of the user's.
  CHECK(
      root(after(module_from("x = f32[4] parameter(0)\n ROOT r = (f32[2], s32[2]) custom-call(x), "
                             "custom_call_target=\"BottomK\""),
                 {expand}))
          .opcode == Opcode::kCustomCall);
  for (const char* result :
       {"(f32[5], s32[5])", "(f16[2], s32[2])", "(f32[2], u32[2])", "(f32[2], s32[3])",
        "(f32[2,1], s32[2,1])", "(f32[2])", "(f32[2], s32[2], s32[2])", "f32[2]"})
    CHECK(root(after(module_from(cat("x = f32[4] parameter(0)\n ROOT r = ", result,
                                     " custom-call(x), custom_call_target=\"TopK\"")),
                     {expand}))
              .opcode == Opcode::kCustomCall);
  // So is one of a single number, of a tuple, of two arrays, and one that gives tuples.
  for (const char* call :
       {"x = f32[] parameter(0)\n ROOT r = (f32[], s32[]) custom-call(x)",
        "x = (f32[]) parameter(0)\n ROOT r = (f32[], s32[]) custom-call(x)",
        "x = f32[4] parameter(0)\n ROOT r = (f32[2], s32[2]) custom-call(x, x)",
        "x = f32[4] parameter(0)\n ROOT r = ((f32[2]), s32[2]) custom-call(x)",
        "x = f32[2,8] parameter(0)\n ROOT r = (f32[3,2], s32[2,2]) custom-call(x)",
        "x = f32[2,8] parameter(0)\n ROOT r = (f32[2,2], s32[3,2]) custom-call(x)",
        "ROOT r = (f32[2], s32[2]) custom-call()"})
    CHECK(root(after(module_from(cat(call, ", custom_call_target=\"TopK\"")), {expand})).opcode ==
          Opcode::kCustomCall);
  CHECK(root(after(module_from("ROOT r = f32[4] custom-call(), custom_call_target=\"Sharding\""),
                   {expand}))
            .opcode == Opcode::kCustomCall);
  const Module user = after(
      module_from(
          "x = f32[4] parameter(0)\n ROOT r = f32[4] custom-call(x), custom_call_target=\"mine\""),
      {expand});
  CHECK(root(user).opcode == Opcode::kCustomCall);
}

}  // namespace hlocc::tests
