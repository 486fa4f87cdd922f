// reduce-window as pooling, and reductions in tiles: every border and remainder, and maxima that
// are taken in the order of bits, with NaNs of both signs, infinities and zeros of both signs among
// them.
#include "lowering/harness.h"

namespace hlocc::tests {
namespace {

const char* const kReducers =
    "HloModule test\n"
    "greatest {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT m = f32[] maximum(a, "
    "b)\n}\n"
    "least {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT m = f32[] minimum(b, a)\n}\n"
    "sum {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT m = f32[] add(a, b)\n}\n"
    "last {\n a = f32[] parameter(0)\n ROOT b = f32[] parameter(1)\n}\n";

std::string module(const std::string& body) {
  return std::string(kReducers) + "ENTRY main {\n" + body + "\n}\n";
}

std::string pool(int64_t high, int64_t wide, int64_t features, int64_t size, int64_t stride,
                 int64_t low_pad, int64_t high_pad, const std::string& reducer,
                 const std::string& initial) {
  const auto result = [&](int64_t n) { return (n + low_pad + high_pad - size) / stride + 1; };
  const std::string s = std::to_string(size), t = std::to_string(stride),
                    pad = std::to_string(low_pad) + "_" + std::to_string(high_pad);
  return module("x = f32" + dims({2, high, wide, features}) +
                " parameter(0)\n i = f32[] constant(" + initial + ")\n ROOT r = f32" +
                dims({2, result(high), result(wide), features}) +
                " reduce-window(x, i), window={size=1x" + s + "x" + s + "x1 stride=1x" + t + "x" +
                t + "x1 pad=0_0x" + pad + "x" + pad + "x0_0}, to_apply=" + reducer);
}

std::string reduction(const std::vector<int64_t>& shape, const std::vector<int64_t>& reduced,
                      const std::string& reducer, const std::string& initial) {
  std::vector<int64_t> kept;
  for (int64_t d = 0; d < static_cast<int64_t>(shape.size()); ++d)
    if (std::find(reduced.begin(), reduced.end(), d) == reduced.end()) kept.push_back(shape[d]);
  return module("x = f32" + dims(shape) + " parameter(0)\n i = f32[] constant(" + initial +
                ")\n ROOT r = f32" + dims(kept) + " reduce(x, i), dimensions=" + list(reduced) +
                ", to_apply=" + reducer);
}

}  // namespace

TEST_CASE("pooling of every size", "[lowering]") {
  for (int64_t features : {1, 3, 4, 9, 33})
    for (int64_t wide : {3, 5, 8, 13}) {
      agrees(pool(5, wide, features, 2, 2, 0, 0, "greatest", "-inf"), Passes::kNone);
      agrees(pool(5, wide, features, 3, 2, 1, 1, "greatest", "-inf"));
      agrees(pool(4, wide, features, 3, 1, 1, 1, "sum", "0.5"), Passes::kNone);
      agrees(pool(7, wide, features, 3, 3, 0, 2, "least", "1"), Passes::kNone);
      agrees(pool(3, wide, features, 3, 1, 4, 3, "last", "7"), Passes::kNone);
    }
}

TEST_CASE("pooling of a scalar", "[lowering]") {
  agrees(
      module("x = f32[] parameter(0)\n i = f32[] constant(2)\n ROOT r = f32[] reduce-window(x, i), "
             "window={}, to_apply=sum"));
}

TEST_CASE("reductions of every length", "[lowering]") {
  for (int64_t n : {1, 2, 5, 16, 63, 64, 70, 200})
    for (const char* reducer : {"greatest", "least", "sum", "last"}) {
      agrees(reduction({3, n}, {1}, reducer, "0.25"), Passes::kNone);
      agrees(reduction({n, 9}, {0}, reducer, "0.25"), Passes::kNone);
      agrees(reduction({2, 3, n}, {0, 2}, reducer, "0.25"), Passes::kNone);
      agrees(reduction({n}, {0}, reducer, "0.25"), Passes::kNone);
    }
}

TEST_CASE("maxima of special numbers", "[lowering]") {
  for (const char* reducer : {"greatest", "least"})
    for (const char* numbers :
         {"{0,-0,-0,0,-0,0,-0,-0}", "{-0,-0,-0,-0,-0,-0,-0,-0}", "{1,nan,2,3,4,5,6,7}",
          "{-nan,1,2,3,-5,6,7,8}", "{-inf,-inf,-1e38,-inf,-inf,-inf,-inf,-inf}",
          "{inf,-inf,0,-0,1e-45,-1e-45,1e-38,-1e-38}", "{1,2,3,4,5,6,7,-nan}",
          "{-1e-45,-0,-1e-45,-1e-38,-2,-3,-4,-5}"})
      for (const char* operation : {"reduce(x, i), dimensions={0}, to_apply=",
                                    "reduce-window(x, i), window={size=8}, to_apply="})
        agrees(module("x = f32[8] constant(" + std::string(numbers) +
                      ")\n n = f32[] constant(-inf)\n p = f32[] constant(inf)\n i = f32[] " +
                      (reducer == std::string("greatest") ? "copy(n)" : "copy(p)") +
                      "\n ROOT r = f32" + (operation[6] == '-' ? "[1] " : "[] ") + operation +
                      reducer),
               Passes::kNone);
}

}  // namespace hlocc::tests
