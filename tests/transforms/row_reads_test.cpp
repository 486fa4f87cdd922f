// Which rows of its operands each op takes for rows of its result (transforms/rows/row_reads.h): a
// line an op, with the dimension that counts the result's rows.
#include "transforms/rows/row_reads.h"

#include "support/text.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

// "0: 3 by 2 from -1, beyond 0; whole": of the first operand, along its dimension 0, three rows
// from y * 2 - 1 on, and zeros where there are none; the second one as a whole.
std::string reads_told(const std::string& lines, int64_t dimension) {
  const Module module = module_from(
      cat("HloModule m\nmost { a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] "
          "maximum(a, b) }\nkeyed { a = f32[] parameter(0)\n i = s32[] parameter(1)\n b = f32[] "
          "parameter(2)\n j = s32[] parameter(3)\n m = f32[] maximum(a, b)\n k = s32[] maximum(i, "
          "j)\n ROOT t = (f32[], s32[]) tuple(m, k) }\nENTRY e {\n",
          lines, "\n}\n"));
  const hlo::Computation& entry = module.entry_computation();
  const auto reads = transforms::row_reads(entry, entry.root_instruction(), dimension);
  if (!reads) return "none";
  std::string out;
  for (const auto& read : *reads) {
    out += out.empty() ? "" : "; ";
    if (!read) {
      out += "whole";
      continue;
    }
    out += cat(read->dimension, ": ", read->size, " by ", read->stride, " from ", -read->low);
    if (read->beyond)
      out += cat(", beyond ", read->beyond->type() == PrimitiveType::kF32
                                  ? static_cast<int>(read->beyond->data<float>()[0])
                                  : 0);
  }
  return out;
}

struct RowOfOp {
  std::string lines;
  int64_t dimension;
  const char* told;
};

void check_reads(const std::vector<RowOfOp>& rows) {
  for (const RowOfOp& row : rows) {
    INFO(row.lines << "\nalong " << row.dimension);
    CHECK(reads_told(row.lines, row.dimension) == row.told);
  }
}

const std::string kX = "x = f32[6,4] parameter(0)\n", kK = "k = f32[] constant(2)\n";

}  // namespace

TEST_CASE("rows of ops by elements, of scalars and of constants") {
  check_reads({
      {kX + "ROOT y = f32[6,4] negate(x)", 0, "0: 1 by 1 from 0"},
      {kX + "ROOT y = f32[6,4] negate(x)", 1, "1: 1 by 1 from 0"},
      {kX + "z = f32[6,4] parameter(1)\nROOT y = f32[6,4] add(x, z)", 0,
       "0: 1 by 1 from 0; 0: 1 by 1 from 0"},
      {kX + "p = pred[] parameter(1)\nROOT y = f32[6,4] select(p, x, x)", 0,
       "whole; 0: 1 by 1 from 0; 0: 1 by 1 from 0"},
      {kX + "i = f32[] parameter(1)\nROOT y = f32[6,4] clamp(i, x, i)", 1,
       "whole; 1: 1 by 1 from 0; whole"},
      {kX + "ROOT y = s32[6,4] bitcast-convert(x)", 0, "0: 1 by 1 from 0"},
      {"x = s64[6] parameter(0)\nROOT y = s32[6,2] bitcast-convert(x)", 0, "none"},
      {kX + "ROOT y = f32[6,4] map(x, x), dimensions={0,1}, to_apply=most", 0,
       "0: 1 by 1 from 0; 0: 1 by 1 from 0"},
      {kX + "i = s32[] constant(1)\nROOT y = f32[2,4] dynamic-slice(x, i, i), "
            "dynamic_slice_sizes={2,4}",
       0, "none"},
      {kX + "z = f32[6,4] negate(x)\nROOT y = f32[6,4] negate(x), control-predecessors={z}", 0,
       "none"},
      {kX + "s = s32[] parameter(1)\nq = f32[<=6,4] set-dimension-size(x, s), "
            "dimensions={0}\nROOT y = f32[<=6,4] negate(q)",
       1, "none"},
      {"t = (f32[6,4]) parameter(0)\nROOT y = f32[6,4] get-tuple-element(t), index=0", 0, "none"},
      {kX + "ROOT y = (f32[6,4]) tuple(x)", 0, "none"},
  });
}

TEST_CASE("rows of ops that move elements") {
  check_reads({
      {kK + "ROOT y = f32[6,4] broadcast(k), dimensions={}", 0, "whole"},
      {"r = f32[4] parameter(0)\nROOT y = f32[6,4] broadcast(r), dimensions={1}", 0, "whole"},
      {"r = f32[4] parameter(0)\nROOT y = f32[6,4] broadcast(r), dimensions={1}", 1,
       "0: 1 by 1 from 0"},
      {"r = f32[4,6] parameter(0)\nROOT y = f32[4,5,6] broadcast(r), dimensions={0,2}", 2,
       "1: 1 by 1 from 0"},
      {kX + "ROOT y = f32[4,6] transpose(x), dimensions={1,0}", 0, "1: 1 by 1 from 0"},
      {kX + "ROOT y = f32[6,4] reverse(x), dimensions={0}", 0, "none"},
      {kX + "ROOT y = f32[6,4] reverse(x), dimensions={0}", 1, "1: 1 by 1 from 0"},
      {kX + "ROOT y = f32[2,4] slice(x), slice={[1:5:2], [0:4]}", 0, "0: 1 by 2 from 1"},
      {kX + "ROOT y = f32[6,2] slice(x), slice={[0:6], [2:4]}", 0, "0: 1 by 1 from 0"},
      {kX + "ROOT y = f32[6,8] concatenate(x, x), dimensions={1}", 0,
       "0: 1 by 1 from 0; 0: 1 by 1 from 0"},
      {kX + "ROOT y = f32[6,8] concatenate(x, x), dimensions={1}", 1, "none"},
      {kX + "ROOT y = f32[6,2,2] reshape(x)", 0, "0: 1 by 1 from 0"},
      {kX + "ROOT y = f32[6,2,2] reshape(x)", 1, "none"},
      {kX + "ROOT y = f32[1,6,4] reshape(x)", 1, "0: 1 by 1 from 0"},
      // Of the size of another dimension, behind another number of elements.
      {"x = f32[2,4,2] parameter(0)\nROOT y = f32[4,2,2] reshape(x)", 1, "none"},
      {"x = f32[2,4,2] parameter(0)\nROOT y = f32[4,2,2] reshape(x)", 2, "2: 1 by 1 from 0"},
      {kX + "ROOT y = f32[24] reshape(x)", 0, "none"},
  });
}

TEST_CASE("rows of pads, with what lies beyond where there are such rows") {
  const auto padded = [](const char* sizes, const char* padding, const char* value = "k") {
    return cat(kX, kK, "v = f32[] parameter(1)\nROOT y = f32[", sizes, "] pad(x, ", value,
               "), padding=", padding);
  };
  check_reads({
      {padded("9,4", "1_2x0_0"), 0, "0: 1 by 1 from -1, beyond 2; whole"},
      {padded("8,4", "0_2x0_0"), 0, "0: 1 by 1 from 0, beyond 2; whole"},
      {padded("7,4", "0_1x0_0"), 0, "0: 1 by 1 from 0, beyond 2; whole"},
      {padded("7,4", "1_0x0_0"), 0, "0: 1 by 1 from -1, beyond 2; whole"},
      {padded("4,4", "-1_-1x0_0"), 0, "0: 1 by 1 from 1; whole"},
      {padded("6,6", "0_0x1_1"), 0, "0: 1 by 1 from 0; whole"},
      {padded("11,4", "0_0_1x0_0"), 0, "none"},
      {padded("6,7", "0_0x0_0_1"), 0, "0: 1 by 1 from 0; whole"},
      {padded("7,4", "0_1x0_0", "v"), 0, "none"},
      {padded("7,4", "1_0x0_0", "v"), 0, "none"},
      {padded("6,5", "0_0x0_1", "v"), 0, "0: 1 by 1 from 0; whole"},
  });
}

TEST_CASE("rows of windows, with what lies beyond where there are such rows") {
  const auto pooled = [](const char* sizes, const char* window, const char* start = "k") {
    return cat(kX, kK, "v = f32[] parameter(1)\nROOT y = f32[", sizes, "] reduce-window(x, ", start,
               "), window={", window, "}, to_apply=most");
  };
  check_reads({
      {pooled("4,4", "size=3x1"), 0, "0: 3 by 1 from 0; whole"},
      {pooled("6,2", "size=1x3"), 0, "0: 1 by 1 from 0; whole"},
      {pooled("3,4", "size=2x1 stride=2x1"), 0, "0: 2 by 2 from 0; whole"},
      {pooled("2,4", "size=3x1 rhs_dilate=2x1"), 0, "0: 5 by 1 from 0; whole"},
      {pooled("6,4", "size=3x1 pad=1_1x0_0"), 0, "0: 3 by 1 from -1, beyond 2; whole"},
      {pooled("5,4", "size=3x1 pad=1_0x0_0"), 0, "0: 3 by 1 from -1, beyond 2; whole"},
      {pooled("5,4", "size=3x1 pad=0_1x0_0"), 0, "0: 3 by 1 from 0, beyond 2; whole"},
      {pooled("5,4", "size=3x1 pad=0_1x0_0", "v"), 0, "none"},
      {pooled("4,4", "size=3x1", "v"), 0, "0: 3 by 1 from 0; whole"},
      {pooled("9,4", "size=3x1 lhs_dilate=2x1"), 0, "none"},
      {pooled("4,7", "size=3x1 lhs_dilate=1x2"), 0, "0: 3 by 1 from 0; whole"},
      {kX + kK +
           "i = s32[6,4] parameter(1)\nj = s32[] constant(0)\nq = (f32[4,4], s32[4,4]) "
           "reduce-window(x, i, k, j), window={size=3x1}, to_apply=keyed\nROOT y = f32[4,4] "
           "get-tuple-element(q), index=0",
       0, "none"},
  });
}

TEST_CASE("rows of convolutions, with zeros beyond where the filter is finite") {
  const auto convolved = [](const char* result, const char* window, const char* more = "",
                            const char* filter = "constant({{{{1}}},{{{2}}},{{{3}}}})") {
    return cat("x = f32[1,6,5,1] parameter(0)\nw = f32[3,1,1,1] ", filter, "\nROOT y = f32[",
               result, "] convolution(x, w), window={", window, "}, dim_labels=b01f_01io->b01f",
               more);
  };
  const char* open = "parameter(1)";
  const char* infinite = "constant({{{{1}}},{{{inf}}},{{{3}}}})";
  check_reads({
      {convolved("1,4,5,1", "size=3x1"), 1, "1: 3 by 1 from 0; whole"},
      {convolved("1,4,5,1", "size=3x1"), 2, "2: 1 by 1 from 0; whole"},
      {convolved("1,4,5,1", "size=3x1"), 0, "none"},
      {convolved("1,4,5,1", "size=3x1"), 3, "none"},
      {convolved("1,6,5,1", "size=3x1 pad=1_1x0_0"), 1, "1: 3 by 1 from -1, beyond 0; whole"},
      {convolved("1,5,5,1", "size=3x1 pad=0_1x0_0"), 1, "1: 3 by 1 from 0, beyond 0; whole"},
      {convolved("1,5,5,1", "size=3x1 pad=1_0x0_0"), 1, "1: 3 by 1 from -1, beyond 0; whole"},
      {convolved("1,6,5,1", "size=3x1 pad=1_1x0_0", "", open), 1, "none"},
      {convolved("1,6,5,1", "size=3x1 pad=1_1x0_0", "", infinite), 1, "none"},
      {convolved("1,4,5,1", "size=3x1", "", open), 1, "1: 3 by 1 from 0; whole"},
      {convolved("1,9,5,1", "size=3x1 lhs_dilate=2x1"), 1, "none"},
      {"x = f32[2,6,5,1] parameter(0)\nw = f32[3,1,1,2] parameter(1)\nROOT y = f32[1,4,5,2] "
       "convolution(x, w), window={size=3x1}, dim_labels=b01f_01io->b01f, batch_group_count=2",
       1, "none"},
      {"x = s8[1,6,5,1] parameter(0)\nw = s8[3,1,1,1] parameter(1)\nROOT y = s8[1,6,5,1] "
       "convolution(x, w), window={size=3x1 pad=1_1x0_0}, dim_labels=b01f_01io->b01f",
       1, "1: 3 by 1 from -1, beyond 0; whole"},
  });
}

TEST_CASE("rows of reductions and of products of matrices") {
  const std::string box = "x = f32[2,6,4] parameter(0)\n";
  check_reads({
      {box + kK + "ROOT y = f32[6,4] reduce(x, k), dimensions={0}, to_apply=most", 0,
       "1: 1 by 1 from 0; whole"},
      {box + kK + "ROOT y = f32[2,4] reduce(x, k), dimensions={1}, to_apply=most", 1,
       "2: 1 by 1 from 0; whole"},
      {box + kK + "ROOT y = f32[2,4] reduce(x, k), dimensions={1}, to_apply=most", 0,
       "0: 1 by 1 from 0; whole"},
      {kX + "w = f32[4,3] parameter(1)\nROOT y = f32[6,3] dot(x, w), lhs_contracting_dims={1}, "
            "rhs_contracting_dims={0}",
       0, "0: 1 by 1 from 0; whole"},
      {kX + "w = f32[4,3] parameter(1)\nROOT y = f32[6,3] dot(x, w), lhs_contracting_dims={1}, "
            "rhs_contracting_dims={0}",
       1, "none"},
      {kX + "w = f32[6,3] parameter(1)\nROOT y = f32[4,3] dot(x, w), lhs_contracting_dims={0}, "
            "rhs_contracting_dims={0}",
       0, "1: 1 by 1 from 0; whole"},
      {box + "w = f32[2,4,3] parameter(1)\nROOT y = f32[2,6,3] dot(x, w), lhs_batch_dims={0}, "
             "rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}",
       1, "none"},
  });
}

}  // namespace hlocc::tests
