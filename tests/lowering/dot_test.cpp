// dot over a dense grid of sizes: every remainder of every tile, every order of dimensions.
#include "lowering/harness.h"
#include "ops/text/printer.h"
#include "transforms/pipeline.h"

namespace hlocc::tests {
namespace {

std::string dot(const std::string& type, std::vector<int64_t> lhs, std::vector<int64_t> rhs,
                std::vector<int64_t> result, const std::string& attributes,
                const std::string& result_type = "") {
  return "a = " + type + dims(lhs) + " parameter(0)\n b = " + type + dims(rhs) +
         " parameter(1)\n ROOT r = " + (result_type.empty() ? type : result_type) + dims(result) +
         " dot(a, b), " + attributes;
}
const std::string kPlain = "lhs_contracting_dims={1}, rhs_contracting_dims={0}";
const std::string kRows = "lhs_contracting_dims={1}, rhs_contracting_dims={1}";

}  // namespace

TEST_CASE("dot of all small sizes", "[lowering]") {
  for (int64_t m = 1; m <= 9; ++m)
    for (int64_t n = 1; n <= 9; ++n)
      for (int64_t k = 1; k <= 9; ++k)
        agrees(dot("f32", {m, k}, {k, n}, {m, n}, kPlain), Passes::kNone);
}

TEST_CASE("dot through the passes", "[lowering]") {
  for (int64_t m : {1, 2, 5, 8})
    for (int64_t n : {1, 3, 4, 9, 17})
      for (int64_t k : {1, 4, 7}) {
        agrees(dot("f32", {m, k}, {k, n}, {m, n}, kPlain));
        agrees(dot("f32", {m, k}, {n, k}, {m, n}, kRows));
        agrees(dot("f32", {k, m}, {k, n}, {m, n},
                   "lhs_contracting_dims={0}, rhs_contracting_dims={0}"));
      }
}

TEST_CASE("dot of wide rows and columns", "[lowering]") {
  for (int64_t n : {15, 16, 17, 31, 32, 33, 40, 65})
    for (int64_t m : {1, 3, 6}) {
      agrees(dot("f32", {m, 11}, {11, n}, {m, n}, kPlain));
      agrees(dot("f32", {m, n}, {n, 5}, {m, 5}, kPlain));
      agrees(dot("f32", {m, n}, {5, n}, {m, 5}, kRows));
    }
}

TEST_CASE("dot of rows with rows", "[lowering]") {
  for (int64_t k : {4, 7, 8, 11, 16, 19, 33})
    for (int64_t m : {1, 2, 5, 7})
      for (int64_t n : {1, 3, 8, 13}) {
        agrees(dot("f32", {m, k}, {n, k}, {m, n}, kRows), Passes::kNone);
        agrees(dot("f32", {2, m, k}, {2, n, k}, {2, m, n},
                   "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
                   "rhs_contracting_dims={2}"));
      }
  // What is added twice at the end of a row must be nothing twice, not infinity times zero.
  agrees(
      "a = f32[3,11] parameter(0)\n i = f32[] constant(inf)\n w = f32[5,11] broadcast(i), "
      "dimensions={}\n o = f32[5,11] parameter(1)\n b = f32[5,11] add(w, o)\n ROOT r = f32[3,5] "
      "dot(a, b), " +
          kRows,
      Passes::kNone);
}

TEST_CASE("dot of sides that lie the other way round", "[lowering]") {
  const std::string left = "lhs_contracting_dims={0}, rhs_contracting_dims={0}",
                    both = "lhs_contracting_dims={0}, rhs_contracting_dims={1}";
  for (int64_t m : {1, 3, 4, 7, 18})
    for (int64_t n : {1, 3, 5, 8, 13})
      for (int64_t k : {1, 5, 19}) {
        agrees(dot("f32", {k, m}, {k, n}, {m, n}, left), Passes::kOnlyAll);
        agrees(dot("f32", {k, m}, {n, k}, {m, n}, both), Passes::kOnlyAll);
        agrees("a = f32" + dims({k, m}) + " parameter(0)\n b = " + constant({k, n}) +
                   "\n ROOT r = f32" + dims({m, n}) + " dot(a, b), " + left,
               Passes::kOnlyAll);
        agrees(dot("f32", {2, k, m}, {2, n, k}, {2, m, n},
                   "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, "
                   "rhs_contracting_dims={2}"),
               Passes::kOnlyAll);
      }
  // Batches and dimensions of both kinds, and precisions that change sides.
  agrees(dot("f32", {3, 5, 2, 4}, {6, 5, 3}, {2, 4, 6},
             "lhs_contracting_dims={0,1}, rhs_contracting_dims={2,1}, "
             "operand_precision={high,highest}"),
         Passes::kOnlyAll);
  agrees(
      "a = f32[9,6] parameter(0)\n b = f32[7,9] parameter(1)\n c = f32[6,7] parameter(2)\n d = "
      "f32[6,7] dot(a, b), " +
          both + "\n ROOT r = f32[6,7] add(d, c)",
      Passes::kOnlyAll);
}

TEST_CASE("dot of few columns that aren't known", "[lowering]") {
  for (int64_t m : {7, 8, 21})
    for (int64_t n : {2, 3, 5, 7})
      for (int64_t k : {40, 61, 96}) {
        agrees(dot("f32", {m, k}, {k, n}, {m, n}, kPlain), Passes::kOnlyAll);
        agrees(dot("f32", {k, m}, {k, n}, {m, n},
                   "lhs_contracting_dims={0}, rhs_contracting_dims={0}"),
               Passes::kOnlyAll);
        agrees(dot("f32", {2, m, k}, {2, k, n}, {2, m, n},
                   "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
                   "rhs_contracting_dims={1}"),
               Passes::kOnlyAll);
        agrees(dot("f32", {2, m, k}, {2, n, k}, {2, m, n},
                   "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
                   "rhs_contracting_dims={2}"),
               Passes::kOnlyAll);
      }
}

TEST_CASE("dot of every element type", "[lowering]") {
  for (const char* type :
       {"f64", "f16", "bf16", "s32", "s8", "u8", "u16", "s64", "c64", "c128", "pred", "s4"}) {
    INFO(type);
    agrees(dot(type, {5, 6}, {6, 9}, {5, 9}, kPlain));
    agrees(dot(type, {3, 7}, {4, 7}, {3, 4}, kRows));
  }
  agrees(dot("s8", {5, 16}, {16, 9}, {5, 9}, kPlain, "s32"));
  agrees(dot("s8", {5, 16}, {9, 16}, {5, 9}, kRows, "s32"));
  agrees(dot("bf16", {5, 6}, {6, 9}, {5, 9}, kPlain, "f32"));
}

TEST_CASE("dot with batches and many contracted dimensions", "[lowering]") {
  const std::string batched =
      "lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}";
  for (int64_t m : {1, 4})
    for (int64_t n : {1, 5, 8}) agrees(dot("f32", {3, m, 4}, {3, 4, n}, {3, m, n}, batched));
  agrees(dot("f32", {4, 2, 3}, {5, 3, 2}, {2, 3, 4, 5},
             "lhs_batch_dims={1,2}, rhs_batch_dims={2,1}, lhs_contracting_dims={}, "
             "rhs_contracting_dims={}"));
  agrees(dot("f32", {2, 3, 4}, {4, 5, 3}, {2, 5},
             "lhs_contracting_dims={1,2}, rhs_contracting_dims={2,0}"));
  agrees(dot("f32", {6}, {6}, {}, "lhs_contracting_dims={0}, rhs_contracting_dims={0}"));
  agrees(dot("f32", {6}, {6, 3}, {3}, "lhs_contracting_dims={0}, rhs_contracting_dims={0}"));
  agrees(dot("f32", {2, 0}, {0, 3}, {2, 3}, kPlain));
}

TEST_CASE("dot with what follows fused", "[lowering]") {
  for (int64_t n : {3, 8, 13})
    agrees("a = f32[5,6] parameter(0)\n b = f32" + dims({6, n}) + " parameter(1)\n c = f32" +
           dims({n}) + " parameter(2)\n" + "d = f32" + dims({5, n}) + " dot(a, b), " + kPlain +
           "\n e = f32" + dims({5, n}) + " broadcast(c), dimensions={1}\n" + "f = f32" +
           dims({5, n}) + " add(d, e)\n z = f32[] constant(0)\n y = f32" + dims({5, n}) +
           " broadcast(z), dimensions={}\n" + "ROOT r = f32" + dims({5, n}) + " maximum(f, y)");
}

TEST_CASE("dot with a right side that a transpose brings", "[lowering]") {
  for (int64_t m : {1, 4, 6})
    for (int64_t n : {1, 5, 8, 17})
      for (int64_t k : {3, 8}) {
        agrees("q = f32" + dims({2, m, k}) + " parameter(0)\n a = f32" + dims({n, 2, k}) +
               " parameter(1)\n t = f32" + dims({2, n, k}) +
               " transpose(a), dimensions={1,0,2}\n ROOT r = f32" + dims({2, m, n}) +
               " dot(q, t), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
               "rhs_contracting_dims={2}");
      }
}

// Heads of attention: slices of one array, cut into heads, are strides to both sides of the
// products.
TEST_CASE("dot of transposed views", "[lowering]") {
  for (int64_t rows : {1, 5, 12, 50})
    for (int64_t inner : {3, 8}) {
      const std::string all = dims({rows, 3 * 2 * inner}), part = dims({rows, 2 * inner}),
                        heads = dims({rows, 2, inner}), turned = dims({2, rows, inner}),
                        scores = dims({2, rows, rows});
      const auto take = [&](const std::string& name, int64_t which) {
        const std::string low = std::to_string(which * 2 * inner),
                          high = std::to_string((which + 1) * 2 * inner);
        return name + "s = f32" + part + " slice(x), slice={[0:" + std::to_string(rows) + "], [" +
               low + ":" + high + "]}\n" + name + "h = f32" + heads + " reshape(" + name + "s)\n" +
               name + " = f32" + turned + " transpose(" + name + "h), dimensions={1,0,2}\n";
      };
      agrees("x = f32" + all + " parameter(0)\n" + take("q", 0) + take("k", 1) + take("v", 2) +
             "p = f32" + scores +
             " dot(q, k), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
             "rhs_contracting_dims={2}\n" +
             "y = f32" + scores + " negate(p)\n o = f32" + turned +
             " dot(y, v), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, "
             "rhs_contracting_dims={1}\n" +
             "ROOT r = f32" + heads + " transpose(o), dimensions={1,0,2}");
    }
  // What else reads the transposed array, and what is computed before it, stays outside.
  agrees(
      "a = f32[6,2,8] parameter(0)\n n = f32[6,2,8] negate(a)\n t = f32[2,6,8] transpose(n), "
      "dimensions={1,0,2}\n"
      " b = f32[2,8,8] parameter(1)\n d = f32[2,6,8] dot(t, b), lhs_batch_dims={0}, "
      "rhs_batch_dims={0}, "
      "lhs_contracting_dims={2}, rhs_contracting_dims={1}\n ROOT r = f32[2,6,8] add(d, t)");
}

TEST_CASE("dot before a long epilogue", "[lowering]") {
  // The bias stays with the dot; the rest, which also reads what it makes itself, is a loop of its
  // own.
  const std::string text = R"(a = f32[5,6] parameter(0)
    b = f32[6,13] parameter(1)
    c = f32[13] parameter(2)
    d = f32[5,13] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
    e = f32[5,13] broadcast(c), dimensions={1}
    f = f32[5,13] add(d, e)
    g = f32[5,13] tanh(f)
    h = f32[5,13] exponential(g)
    i = f32[5,13] multiply(h, f)
    ROOT r = f32[5,13] add(i, e))";
  agrees(text, Passes::kAll, {.rtol = 1e-5, .atol = 1e-6});
}

TEST_CASE("dot with large weights in a loop", "[lowering]") {
  // Every other turn walks the weights backwards; the counter starts and steps as it likes.
  for (const char* step : {"1", "3", "2"})
    for (int64_t columns : {96, 104}) {
      const std::string h = "f32" + dims({1, columns}), w = "f32" + dims({columns, columns}),
                        state = "(s32[], " + h + ")";
      std::string weights = "{";
      for (int64_t r = 0; r < columns; ++r)
        for (int64_t c = 0; c < columns; ++c)
          weights += (c > 0 ? "," : r > 0 ? "},{" : "{") + std::to_string((r * 7 + c * 5) % 17 - 8);
      weights += "}}";
      const std::string text =
          "HloModule test\nbody { p = " + state +
          " parameter(0)\n i = s32[] get-tuple-element(p), index=0\n h = " + h +
          " get-tuple-element(p), index=1\n one = s32[] constant(" + step +
          ")\n next = s32[] add(i, one)\n w = " + w + " constant(" + weights +
          ")\n small = f32[] constant(0.01)\n s = " + h +
          " broadcast(small), dimensions={}\n d = " + h + " dot(h, w), " + kPlain + "\n e = " + h +
          " multiply(d, s)\n ROOT r = " + state + " tuple(next, e) }\ncondition { p = " + state +
          " parameter(0)\n i = s32[] get-tuple-element(p), index=0\n n = s32[] constant(9)\n "
          "ROOT r = pred[] compare(i, n), direction=LT }\nENTRY main { i = s32[] constant(0)\n h "
          "= " +
          h + " parameter(0)\n t = " + state + " tuple(i, h)\n ROOT r = " + state +
          " while(t), condition=condition, body=body }\n";
      agrees(text, Passes::kOnlyAll, {.rtol = 1e-4, .atol = 1e-6});
      Result<hlo::Module> module = transforms::run_passes(module_from(text), *preset("cortex-a53"));
      if (!module) FAIL(module.error().to_string());
      CHECK((ops::to_text(*module).find("serpentine") != std::string::npos) ==
            (step != std::string("2")));
    }
}

}  // namespace hlocc::tests
