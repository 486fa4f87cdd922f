// Data movement, alone and fused: slices, pads, concatenations, transposes, reshapes, run-time
// positions.
#include "lowering/harness.h"

namespace hlocc::tests {

TEST_CASE("transposes of every order", "[lowering]") {
  const std::vector<int64_t> sizes{3, 4, 9};
  for (const std::vector<int64_t>& order :
       {std::vector<int64_t>{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
    std::vector<int64_t> to;
    for (int64_t d : order) to.push_back(sizes[d]);
    for (const char* type : {"f32", "s8", "c64"})
      agrees(std::string("a = ") + type + dims(sizes) + " parameter(0)\n ROOT r = " + type +
             dims(to) + " transpose(a), dimensions=" + list(order));
  }
}

TEST_CASE("slices, reverses and pads", "[lowering]") {
  for (int64_t start : {0, 1, 3})
    for (int64_t stride : {1, 2, 3}) {
      const int64_t n = (11 - start + stride - 1) / stride;
      const std::string at = std::to_string(start), by = std::to_string(stride);
      agrees("a = f32[11,5] parameter(0)\n ROOT r = f32" + dims({n, 4}) + " slice(a), slice={[" +
             at + ":11:" + by + "], [1:5]}");
      agrees("a = f32[5,11] parameter(0)\n ROOT r = f32" + dims({4, n}) +
             " slice(a), slice={[1:5], [" + at + ":11:" + by + "]}");
      // In the middle of elementwise work.
      agrees("a = f32[5,11] parameter(0)\n s = f32" + dims({4, n}) + " slice(a), slice={[1:5], [" +
             at + ":11:" + by + "]}\n" + "ROOT r = f32" + dims({4, n}) + " add(s, s)");
    }
  for (const char* over : {"{0}", "{1}", "{0,1}"})
    agrees("a = f32[5,9] parameter(0)\n b = f32[5,9] reverse(a), dimensions=" + std::string(over) +
           "\n ROOT r = f32[5,9] add(a, b)");
  agrees(
      "a = f32[5,6] parameter(0)\n z = f32[] parameter(1)\n ROOT r = f32[8,9] pad(a, z), "
      "padding=1_2x3_0");
  agrees(
      "a = f32[5,6] parameter(0)\n z = f32[] parameter(1)\n ROOT r = f32[9,16] pad(a, z), "
      "padding=0_0_1x3_2_1");
  agrees(
      "a = f32[5,6] parameter(0)\n z = f32[] parameter(1)\n ROOT r = f32[3,7] pad(a, z), "
      "padding=-1_-1x2_-1");
  agrees(
      "a = s8[3] parameter(0)\n z = s8[] parameter(1)\n p = s8[8] pad(a, z), padding=2_3\n ROOT r "
      "= s8[8] add(p, p)");
}

TEST_CASE("chains of views are read with strides", "[lowering]") {
  for (const char* type : {"f32", "c64", "f64"}) {
    const std::string t = type;
    const auto shape = [&](const std::string& dimensions) { return t + "[" + dimensions + "]"; };
    // A slice whose rows stay whole merges; one that cuts them does not.
    for (const std::string columns : {"8", "5"})
      agrees("a = " + shape("3,16,8") + " parameter(0)\n s = " + shape("3,8," + columns) +
             " slice(a), slice={[0:3], [8:16], [0:" + columns +
             "]}\n m = " + shape("3," + std::to_string(8 * std::stoi(columns))) +
             " reshape(s)\n ROOT r = " + shape("3," + std::to_string(8 * std::stoi(columns))) +
             " add(m, m)");
    // Merged, offset, backwards.
    agrees("a = " + shape("2,4,10") + " parameter(0)\n m = " + shape("2,40") +
           " reshape(a)\n s = " + shape("2,39") +
           " slice(m), slice={[0:2], [1:40]}\n b = " + shape("2,39") +
           " reverse(s), dimensions={1}\n ROOT r = " + shape("2,39") + " add(s, b)");
    // Turned and split; strided; with dimensions of one element between.
    agrees("a = " + shape("12,18") + " parameter(0)\n p = " + shape("18,12") +
           " transpose(a), dimensions={1,0}\n q = " + shape("2,9,1,12") +
           " reshape(p)\n s = " + shape("2,3,1,12") +
           " slice(q), slice={[0:2], [1:9:3], [0:1], [0:12]}\n b = " + shape("2,3,1,12") +
           " reverse(s), dimensions={0,2}\n ROOT r = " + shape("2,3,1,12") + " multiply(b, b)");
  }
}

TEST_CASE("complex vectors", "[lowering]") {
  for (const char* size : {"1", "4", "7", "8", "19"}) {
    const std::string c = std::string("c64[3,") + size + "]",
                      f = std::string("f32[3,") + size + "]";
    agrees("a = " + c + " parameter(0)\n b = " + c + " parameter(1)\n m = " + c +
           " multiply(a, b)\n ROOT r = " + c + " subtract(m, a)");
    agrees("a = " + c + " parameter(0)\n x = " + f + " real(a)\n y = " + f + " imag(a)\n p = " + f +
           " multiply(x, y)\n ROOT r = " + c + " complex(p, x)");
    agrees("a = " + c + " parameter(0)\n k = c64[3] parameter(1)\n b = " + c +
           " broadcast(k), dimensions={0}\n p = pred[3," + size +
           "] compare(a, b), direction=NE\n ROOT r = " + c + " select(p, a, b)");
  }
}

TEST_CASE("concatenations", "[lowering]") {
  for (int64_t n : {0, 1, 4, 9}) {
    agrees("a = f32" + dims({3, n}) + " parameter(0)\n b = f32[3,5] parameter(1)\n ROOT r = f32" +
           dims({3, 2 * n + 5}) + " concatenate(a, b, a), dimensions={1}");
    agrees("a = f32" + dims({n, 3}) + " parameter(0)\n b = f32[5,3] parameter(1)\n ROOT r = f32" +
           dims({n + 5, 3}) + " concatenate(a, b), dimensions={0}");
    // Parts that are computed, of one shape: one loop writes them all.
    const std::string one = "f32" + dims({2, n});
    agrees("a = " + one + " parameter(0)\n b = " + one + " parameter(1)\n s = " + one +
           " add(a, b)\n d = " + one + " subtract(a, b)\n p = " + one +
           " multiply(a, b)\n ROOT r = f32" + dims({2, 3 * n}) +
           " concatenate(s, d, p), dimensions={1}");
    agrees("a = " + one + " parameter(0)\n b = " + one + " parameter(1)\n s = " + one +
           " add(a, b)\n c = f32" + dims({2, 2 * n}) +
           " concatenate(s, b), dimensions={1}\n ROOT r = f32" + dims({2, 2 * n}) +
           " multiply(c, c)");
  }
}

TEST_CASE("reshapes and broadcasts in the middle", "[lowering]") {
  agrees(
      "a = f32[4,6] parameter(0)\n b = f32[4,6] add(a, a)\n c = f32[3,8] reshape(b)\n d = f32[8] "
      "parameter(1)\n"
      "e = f32[3,8] broadcast(d), dimensions={1}\n ROOT r = f32[3,8] multiply(c, e)");
  agrees(
      "a = f32[4,6] parameter(0)\n b = f32[6,4] transpose(a), dimensions={1,0}\n c = f32[24] "
      "reshape(b)\n ROOT r = f32[24] add(c, c)");
  agrees("a = f32[5] parameter(0)\n ROOT r = f32[3,5,2] broadcast(a), dimensions={1}");
  agrees(
      "a = f32[3,7] parameter(0)\n i = f32[3,7] iota(), iota_dimension=1\n ROOT r = f32[3,7] "
      "add(a, i)");
  agrees("a = f32[6] parameter(0)\n ROOT r = u8[6,4] bitcast-convert(a)");
  // In vectors, alone and among elementwise ops.
  agrees("a = f32[3,19] parameter(0)\n ROOT r = u32[3,19] bitcast-convert(a)");
  agrees(
      "a = u32[2,37] parameter(0)\n b = u32[2,37] add(a, a)\n c = f32[2,37] bitcast-convert(b)\n d "
      "= f32[2,37] abs(c)\n "
      "ROOT r = s32[2,37] bitcast-convert(d)");
  agrees("a = u8[6,4] parameter(0)\n ROOT r = s32[6] bitcast-convert(a)");
}

TEST_CASE("slices at run-time positions", "[lowering]") {
  for (const char* type : {"s32", "u8", "s64"}) {
    const std::string scalar = std::string(type) + "[]";
    agrees("a = f32[5,9] parameter(0)\n i = " + scalar + " parameter(1)\n j = " + scalar +
           " parameter(2)\n ROOT r = f32[2,4] dynamic-slice(a, i, j), dynamic_slice_sizes={2,4}");
    agrees("a = f32[5,9] parameter(0)\n u = f32[2,4] parameter(1)\n i = " + scalar +
           " parameter(2)\n j = " + scalar +
           " parameter(3)\n ROOT r = f32[5,9] dynamic-update-slice(a, u, i, j)");
  }
  agrees(
      "a = f32[5,9] parameter(0)\n b = f32[5,9] add(a, a)\n u = f32[2,4] parameter(1)\n v = "
      "f32[2,4] multiply(u, u)\n"
      "i = s32[] parameter(2)\n c = f32[5,9] dynamic-update-slice(b, v, i, i)\n ROOT r = f32[5,9] "
      "subtract(c, b)");
}

TEST_CASE("updates of nothing's size, of one number, and that vectors can't read", "[lowering]") {
  agrees(
      "a = s32[] parameter(0)\n u = s32[] parameter(1)\n m = s32[] negate(u)\n"
      "ROOT r = s32[] dynamic-update-slice(a, m)");
  agrees(
      "a = f32[5,9] parameter(0)\n u = f32[2,8] parameter(1)\n v = f32[2,8] reverse(u), "
      "dimensions={1}\n i = s32[] parameter(2)\n ROOT r = f32[5,9] dynamic-update-slice(a, v, i, "
      "i)");
  agrees(
      "a = f32[0,3] parameter(0)\n z = f32[] parameter(1)\n ROOT r = f32[2,3] pad(a, z), "
      "padding=2_0x0_0");
  agrees(
      "a = f32[0,3] parameter(0)\n z = f32[] parameter(1)\n ROOT r = f32[2,3] pad(a, z), "
      "padding=1_1x0_0");
}

TEST_CASE("gather and scatter", "[lowering]") {
  for (const char* type : {"s32", "s8", "u8", "s64"}) {
    const std::string indices = std::string(type) + "[5]";
    agrees("a = f32[6,4] parameter(0)\n i = " + indices +
           " parameter(1)\n ROOT r = f32[5,4] gather(a, i), offset_dims={1},"
           " collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}");
    for (const char* op : {"add", "maximum"})
      agrees(
          "HloModule test\nf { p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT r = f32[] " +
          std::string(op) + "(p, q) }\nENTRY main { a = f32[6,4] parameter(0)\n i = " + indices +
          " parameter(1)\n u = f32[5,4] parameter(2)\n"
          "ROOT r = f32[6,4] scatter(a, i, u), update_window_dims={1}, inserted_window_dims={0}, "
          "scatter_dims_to_operand_dims={0},"
          " index_vector_dim=1, to_apply=f }");
  }
  agrees(
      "a = f32[6,7] parameter(0)\n i = s32[2,3,2] parameter(1)\n ROOT r = f32[2,3,2,3] gather(a, "
      "i), offset_dims={2,3},"
      " collapsed_slice_dims={}, start_index_map={1,0}, index_vector_dim=2, slice_sizes={2,3}");
  agrees(
      "a = f32[3,7] parameter(0)\n i = s32[3,2,1] parameter(1)\n ROOT r = f32[3,2] gather(a, i), "
      "offset_dims={},"
      " collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, "
      "start_indices_batching_dims={0},"
      " index_vector_dim=2, slice_sizes={1,1}");
  agrees(
      "HloModule test\nf { p = s32[] parameter(0)\n ROOT q = s32[] parameter(1) }\nENTRY main { a "
      "= s32[6,7] parameter(0)\n"
      "i = s32[4,2] parameter(1)\n u = s32[4,2,3] parameter(2)\n ROOT r = s32[6,7] scatter(a, i, "
      "u), update_window_dims={1,2},"
      " inserted_window_dims={}, scatter_dims_to_operand_dims={0,1}, index_vector_dim=1, "
      "to_apply=f }");
}

TEST_CASE("sorts", "[lowering]") {
  const std::string less =
      "HloModule test\nless { p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT r = pred[] "
      "compare(p, q), direction=LT }\n";
  for (int64_t n : {0, 1, 2, 3, 5, 8, 17, 33}) {
    agrees(less + "ENTRY main { a = f32" + dims({3, n}) + " parameter(0)\n ROOT r = f32" +
           dims({3, n}) + " sort(a), dimensions={1}, to_apply=less }");
    agrees(less + "ENTRY main { a = f32" + dims({n, 3}) + " parameter(0)\n ROOT r = f32" +
           dims({n, 3}) + " sort(a), dimensions={0}, to_apply=less }");
    // Stable: the second key tells equal ones apart.
    agrees(
        "HloModule test\nless { p = f32[] parameter(0)\n q = f32[] parameter(1)\n i = s32[] "
        "parameter(2)\n j = s32[] parameter(3)\n"
        "ROOT r = pred[] compare(p, q), direction=GT }\nENTRY main { a = f32" +
        dims({n}) + " parameter(0)\n i = s32" + dims({n}) +
        " iota(), iota_dimension=0\n ROOT r = (f32" + dims({n}) + ", s32" + dims({n}) +
        ") sort(a, i), dimensions={0}, is_stable=true, to_apply=less }");
  }
}

TEST_CASE("transposes in blocks of lanes", "[lowering]") {
  for (int64_t rows : {3, 4, 7, 8, 9, 16, 19})
    for (int64_t columns : {4, 5, 8, 12, 17}) {
      agrees("a = f32" + dims({rows, columns}) + " parameter(0)\n ROOT r = f32" +
                 dims({columns, rows}) + " transpose(a), dimensions={1,0}",
             Passes::kNone);
      // Through a slice and a cut row, with a batch between.
      agrees("a = f32" + dims({rows, 3 * columns}) + " parameter(0)\n s = f32" +
             dims({rows, 2 * columns}) + " slice(a), slice={[0:" + std::to_string(rows) + "], [" +
             std::to_string(columns) + ":" + std::to_string(3 * columns) + "]}\n v = f32" +
             dims({rows, 2, columns}) + " reshape(s)\n ROOT r = f32" + dims({2, columns, rows}) +
             " transpose(v), dimensions={1,2,0}");
    }
  for (const char* type : {"f64", "f16", "s32", "s8", "pred", "c64"})
    agrees(std::string("a = ") + type + "[9,2,17] parameter(0)\n ROOT r = " + type +
           "[17,2,9] transpose(a), dimensions={2,1,0}");
}

TEST_CASE("transposes of pictures, whose rows and columns are one side", "[lowering]") {
  for (int64_t channels : {2, 3, 5, 8, 17})
    for (int64_t wide : {1, 3, 7, 8}) {
      const std::string first = dims({2, channels, 5, wide}), last = dims({2, 5, wide, channels});
      agrees("a = f32" + first + " parameter(0)\n ROOT r = f32" + last +
                 " transpose(a), dimensions={0,2,3,1}",
             Passes::kNone);
      agrees("a = f32" + last + " parameter(0)\n ROOT r = f32" + first +
                 " transpose(a), dimensions={0,3,1,2}",
             Passes::kNone);
    }
  agrees(
      "a = f32[3,1,5,1,6,2] parameter(0)\n ROOT r = f32[6,2,1,3,5,1] transpose(a), "
      "dimensions={4,5,1,0,2,3}",
      Passes::kNone);
}

TEST_CASE("blocks that reach back don't read what they have written", "[lowering]") {
  // The sum may lie where b does.
  for (int64_t rows : {5, 9, 11})
    agrees("a = f32" + dims({rows, 13}) + " parameter(0)\n b = f32" + dims({13, rows}) +
           " parameter(1)\n c = f32" + dims({13, rows}) + " negate(b)\n t = f32" +
           dims({13, rows}) + " transpose(a), dimensions={1,0}\n ROOT r = f32" + dims({13, rows}) +
           " add(t, c)");
}

TEST_CASE("rows cut by a reshape", "[lowering]") {
  for (int64_t part : {3, 4, 8, 12})
    for (int64_t parts : {1, 2, 5})
      agrees("a = f32" + dims({6, part * parts}) + " parameter(0)\n v = f32" +
             dims({6, parts, part}) + " reshape(a)\n ROOT r = f32" + dims({parts, 6, part}) +
             " transpose(v), dimensions={1,0,2}");
}

}  // namespace hlocc::tests
