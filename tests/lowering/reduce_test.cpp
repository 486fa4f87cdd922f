// reduce over every set of dimensions, and windows.
#include "lowering/harness.h"

namespace hlocc::tests {
namespace {

std::string with_reducer(const std::string& type, const std::string& op, const std::string& lines) {
  return "HloModule test\nf { p = " + type + "[] parameter(0)\n q = " + type +
         "[] parameter(1)\n ROOT r = " + type + "[] " + op + "(p, q) }\nENTRY main {\n" + lines +
         "\n}\n";
}

std::string reduction(const std::string& type, const std::string& op,
                      const std::vector<int64_t>& sizes, unsigned subset) {
  std::vector<int64_t> left, over;
  for (size_t d = 0; d < sizes.size(); ++d)
    (subset >> d & 1 ? over : left).push_back(subset >> d & 1 ? static_cast<int64_t>(d) : sizes[d]);
  return with_reducer(type, op,
                      "a = " + type + dims(sizes) + " parameter(0)\n b = " + type +
                          "[] parameter(1)\n ROOT r = " + type + dims(left) +
                          " reduce(a, b), dimensions=" + list(over) + ", to_apply=f");
}

}  // namespace

TEST_CASE("reduce over every set of dimensions", "[lowering]") {
  for (const std::vector<int64_t>& sizes :
       {std::vector<int64_t>{2, 3, 4}, {5, 1, 9}, {3, 2, 17}, {1, 1, 8}})
    for (unsigned subset = 0; subset < 8; ++subset) agrees(reduction("f32", "add", sizes, subset));
  for (unsigned subset = 0; subset < 16; ++subset)
    agrees(reduction("s32", "add", {2, 3, 2, 5}, subset));
}

TEST_CASE("reduce of lines of every length", "[lowering]") {
  for (int64_t n = 0; n <= 40; ++n) {
    agrees(reduction("f32", "add", {n}, 1), Passes::kNone);
    agrees(reduction("f32", "maximum", {3, n}, 2), Passes::kNone);
    agrees(reduction("s32", "add", {n, 3}, 1), Passes::kNone);
  }
}

TEST_CASE("reduce with every plain reducer", "[lowering]") {
  for (const char* op : {"add", "multiply", "maximum", "minimum"})
    for (const char* type : {"f32", "f64", "s32", "u8", "s8", "s64"})
      for (unsigned subset : {1u, 2u, 3u})
        agrees(reduction(type, op, {5, 9}, subset), Passes::kAll, {.rtol = 1e-5, .atol = 1e-6});
  for (const char* op : {"and", "or", "xor"})
    for (const char* type : {"pred", "s32", "u8"})
      for (unsigned subset : {1u, 2u, 3u}) agrees(reduction(type, op, {5, 9}, subset));
  for (const char* type : {"f16", "bf16", "c64"}) agrees(reduction(type, "add", {4, 6}, 2));
}

TEST_CASE("reduce of truth values", "[lowering]") {
  for (const char* op : {"and", "or", "maximum", "minimum"})
    for (const char* shape : {"8,32", "3,7"}) {
      const std::string name = op, rows(1, shape[0]);
      agrees(
          "HloModule t\nboth { a = pred[] parameter(0)\n b = pred[] parameter(1)\n ROOT r = "
          "pred[] " +
          name + "(a, b) }\nENTRY main { x = pred[" + shape +
          "] parameter(0)\n z = pred[] parameter(1)\n ROOT r = pred[" + rows +
          "] reduce(x, z), dimensions={1}, to_apply=both }");
    }
}

TEST_CASE("reducers that see an element's bits as another type", "[lowering]") {
  struct Row {
    std::string type, seen, op;
  };
  for (const Row& row : {Row{"pred", "s8", "xor"},
                         {"pred", "u8", "or"},
                         {"u8", "s8", "add"},
                         {"s32", "u32", "maximum"},
                         {"c64", "c64", "add"}})
    agrees("HloModule t\nf { p = " + row.type + "[] parameter(0)\n q = " + row.type +
           "[] parameter(1)\n a = " + row.seen + "[] bitcast-convert(p)\n b = " + row.seen +
           "[] bitcast-convert(q)\n s = " + row.seen + "[] " + row.op + "(a, b)\n ROOT r = " +
           row.type + "[] bitcast-convert(s) }\nENTRY main { x = " + row.type +
           "[4,9] parameter(0)\n z = " + row.type + "[] parameter(1)\n ROOT r = " + row.type +
           "[4] reduce(x, z), dimensions={1}, to_apply=f }");
}

TEST_CASE("reduce of several values at once", "[lowering]") {
  const std::string argmax =
      "HloModule test\nf { v = f32[] parameter(0)\n i = s32[] parameter(1)\n w = f32[] "
      "parameter(2)\n j = s32[] parameter(3)\n"
      "g = pred[] compare(v, w), direction=GT\n e = pred[] compare(v, w), direction=EQ\n l = "
      "pred[] compare(i, j), direction=LT\n"
      "k = pred[] and(e, l)\n t = pred[] or(g, k)\n x = f32[] select(t, v, w)\n y = s32[] "
      "select(t, i, j)\n"
      "ROOT r = (f32[], s32[]) tuple(x, y) }\nENTRY main {\n a = f32[4,7] parameter(0)\n i = "
      "s32[4,7] iota(), iota_dimension=";
  for (const char* dimension : {"0", "1"})
    agrees(argmax + dimension +
           "\n m = f32[] constant(-inf)\n z = s32[] constant(0)\n ROOT r = (f32" +
           (dimension[0] == '0' ? "[7], s32[7]" : "[4], s32[4]") +
           ") reduce(a, i, m, z), dimensions={" + dimension + "}, to_apply=f\n}\n");
}

TEST_CASE("reduce with work before and after", "[lowering]") {
  for (int64_t n : {3, 8, 19}) {
    const std::string whole = "f32" + dims({5, n});
    agrees(with_reducer("f32", "add",
                        "a = " + whole + " parameter(0)\n m = " + whole +
                            " multiply(a, a)\n z = f32[] constant(0)\n"
                            "s = f32[5] reduce(m, z), dimensions={1}, to_apply=f\n b = " +
                            whole +
                            " broadcast(s), dimensions={0}\n"
                            "ROOT r = " +
                            whole + " subtract(a, b)"));
  }
}

TEST_CASE("reduce-window with every window", "[lowering]") {
  for (const char* op : {"add", "maximum"})
    for (int size : {1, 2, 3})
      for (int stride : {1, 2})
        for (int low : {0, 1})
          for (int high : {0, 2})
            for (int dilate : {1, 2})
              for (int base : {1, 2}) {
                const int padded = 6 * base - base + 1 + low + high,
                          window = (size - 1) * dilate + 1;
                const int count = (padded - window) / stride + 1;
                const std::string n = std::to_string(count);
                agrees(
                    with_reducer(
                        "f32", op,
                        "a = f32[2,6,3] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[2," +
                            n + ",3] reduce-window(a, b), window={size=1x" + std::to_string(size) +
                            "x1 stride=1x" + std::to_string(stride) + "x1 pad=0_0x" +
                            std::to_string(low) + "_" + std::to_string(high) +
                            "x0_0 lhs_dilate=1x" + std::to_string(base) + "x1 rhs_dilate=1x" +
                            std::to_string(dilate) + "x1}, to_apply=f"),
                    Passes::kNone);
              }
}

TEST_CASE("pooling", "[lowering]") {
  for (const char* op : {"add", "maximum"})
    for (int features : {1, 4, 9}) {
      const std::string c = std::to_string(features);
      agrees(with_reducer(
          "f32", op,
          "a = f32[1,6,6," + c + "] parameter(0)\n z = f32[] constant(0)\n ROOT r = f32[1,3,3," +
              c + "] reduce-window(a, z), window={size=1x2x2x1 stride=1x2x2x1}, to_apply=f"));
      agrees(with_reducer(
          "s8", op,
          "a = s8[1,5,6," + c + "] parameter(0)\n z = s8[] constant(0)\n ROOT r = s8[1,5,6," + c +
              "] reduce-window(a, z), window={size=1x3x3x1 pad=0_0x1_1x1_1x0_0}, to_apply=f"));
    }
}

TEST_CASE("select-and-scatter", "[lowering]") {
  for (const char* window : {"size=1x2x1 stride=1x2x1", "size=1x3x1 stride=1x2x1 pad=0_0x1_0x0_0"})
    agrees(
        "HloModule test\nge { p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT r = pred[] "
        "compare(p, q), direction=GE }\n"
        "add { p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT r = f32[] add(p, q) }\n"
        "ENTRY main { a = f32[2,6,3] parameter(0)\n s = f32[2,3,3] parameter(1)\n z = f32[] "
        "constant(0)\n"
        "ROOT r = f32[2,6,3] select-and-scatter(a, s, z), window={" +
        std::string(window) + "}, select=ge, scatter=add }");
}

TEST_CASE("mean, mean of squares and maximum in one pass", "[lowering][reduce]") {
  // The variance reads the mean of the same kernel.
  for (const std::vector<int64_t>& sizes :
       {std::vector<int64_t>{5, 3}, {4, 8}, {7, 17}, {1, 33}, {64, 1}})
    for (int64_t reduced : {0, 1}) {
      const std::string whole = "f32" + dims(sizes),
                        left = "f32[" + std::to_string(sizes[1 - reduced]) + "]";
      const std::string along = ", dimensions={" + std::to_string(reduced) + "}, to_apply=";
      const std::string text =
          "HloModule test\nadd { p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT r = f32[] "
          "add(p, q) }\n"
          "max { p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT r = f32[] maximum(p, q) "
          "}\nENTRY main {\n x = " +
          whole + " parameter(0)\n z = f32[] constant(0)\n l = f32[] constant(-8)\n q = " + whole +
          " multiply(x, x)\n s = " + left + " reduce(x, z)" + along + "add\n t = " + left +
          " reduce(q, z)" + along + "add\n m = " + left + " reduce(x, l)" + along +
          "max\n ss = " + left + " multiply(s, s)\n v = " + left + " subtract(t, ss)\n ROOT r = (" +
          left + ", " + left + ", " + left + ") tuple(s, v, m) }\n";
      agrees(text);
    }
}

}  // namespace hlocc::tests
