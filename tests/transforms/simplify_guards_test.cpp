// Rules of simplify, narrow_integers and share_common at the edge of their conditions: pairs of
// programs, one that the rule takes and one just outside, where it would change results. Each is
// run before and after.
#include "support/text.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using transforms::canonicalize_contractions;
using transforms::narrow_integers;
using transforms::share_common;
using transforms::simplify;

// After the passes the entry holds so many instructions of an opcode.
struct Row {
  std::string lines;
  Opcode opcode;
  int left;
};

void check(const std::vector<Row>& rows, const std::vector<Pass>& passes,
           const hlo::CompareRule& rule = {.bits = true}) {
  for (const Row& row : rows) {
    INFO(row.lines);
    CHECK(count_in_entry(rewritten(row.lines, passes, rule), row.opcode) == row.left);
  }
}

}  // namespace

TEST_CASE("pads of pads", "[transforms]") {
  const auto twice = [](const std::string& inner, int64_t between, const std::string& outer,
                        int64_t out, const std::string& other = "v") {
    return cat(
        "x = s32[5] parameter(0)\n v = s32[] parameter(1)\n w = s32[] parameter(2)\n p = s32[",
        between, "] pad(x, v), padding=", inner, "\n ROOT r = s32[", out, "] pad(p, ", other,
        "), padding=", outer);
  };
  const auto squares = [](const std::string& inner, const std::string& between,
                          const std::string& outer, const std::string& out) {
    return "x = s32[5,3] parameter(0)\n v = s32[] parameter(1)\n p = s32" + between +
           " pad(x, v), padding=" + inner + "\n ROOT r = s32" + out +
           " pad(p, v), padding=" + outer;
  };
  check({{twice("2_1", 8, "1_3", 12), Opcode::kPad, 1},
         {twice("2_1", 8, "-1_-1", 6), Opcode::kPad, 1},
         {twice("2_1_1", 12, "1_1", 14), Opcode::kPad, 1},
         // With another number.
         {twice("2_1", 8, "1_3", 12, "w"), Opcode::kPad, 2},
         // Holes between what was filled.
         {twice("2_1", 8, "0_0_1", 15), Opcode::kPad, 2},
         // One that only crops is a slice.
         {twice("-1_0", 4, "1_0", 5), Opcode::kPad, 1},
         {twice("1_0_1", 10, "-2_0", 8), Opcode::kPad, 1},
         // What was cropped would come back, before and behind.
         {squares("-1_0x1_0", "[4,4]", "1_0x0_0", "[5,4]"), Opcode::kPad, 2},
         {squares("0_-1x1_0", "[4,4]", "0_1x0_0", "[5,4]"), Opcode::kPad, 2},
         {squares("0_0x1_0", "[5,4]", "1_0x-1_0", "[6,3]"), Opcode::kPad, 1},
         // The second crops more than the first filled: holes at the end are cropped too.
         {squares("1_0_1x0_0", "[10,3]", "-2_0x1_0", "[8,4]"), Opcode::kPad, 2},
         {squares("0_1_1x0_0", "[10,3]", "0_-2x1_0", "[8,4]"), Opcode::kPad, 2}},
        {simplify});
}

TEST_CASE("pads that add nothing", "[transforms]") {
  const auto padded = [](const std::string& padding, int64_t out,
                         const std::string& of = "x = s32[5] parameter(0)",
                         const std::string& with = "v = s32[] constant(3)") {
    return cat(of, "\n ", with, "\n ROOT r = s32[", out, "] pad(x, v), padding=", padding);
  };
  const std::string threes =
      "three = s32[] constant(3)\n x = s32[5] broadcast(three), dimensions={}";
  check({{padded("0_0", 5), Opcode::kPad, 0},
         {padded("-1_-2", 2), Opcode::kSlice, 1},
         {padded("-1_1", 5), Opcode::kPad, 1},
         {padded("1_-1", 5), Opcode::kPad, 1},
         {padded("-1_-1_1", 7), Opcode::kPad, 1},
         {padded("2_2_1", 13, threes), Opcode::kPad, 0},
         {padded("2_2_1", 13, threes, "v = s32[] constant(4)"), Opcode::kPad, 1},
         {padded("2_2_1", 13, threes, "v = s32[] parameter(0)"), Opcode::kPad, 1},
         {padded("2_1", 3, "x = s32[0] parameter(0)"), Opcode::kPad, 0}},
        {simplify});
}

TEST_CASE("slices of slices and of concatenations", "[transforms]") {
  const auto joined = [](int64_t from, int64_t to, int64_t stride) {
    return cat(
        "x = s32[4] parameter(0)\n y = s32[6] parameter(1)\n c = s32[10] concatenate(x, y), "
        "dimensions={0}\n ROOT r = s32[",
        (to - from + stride - 1) / stride, "] slice(c), slice={[", from, ":", to, ":", stride,
        "]}");
  };
  check({{joined(1, 4, 1), Opcode::kConcatenate, 0},
         {joined(4, 10, 2), Opcode::kConcatenate, 0},
         {joined(3, 5, 1), Opcode::kConcatenate, 1},
         {joined(0, 5, 1), Opcode::kConcatenate, 1},
         {joined(3, 10, 3), Opcode::kConcatenate, 1},
         {"x = s32[20] parameter(0)\n a = s32[6] slice(x), slice={[1:18:3]}\n ROOT r = s32[2] "
          "slice(a), slice={[1:5:2]}",
          Opcode::kSlice, 1},
         {"x = s32[20] parameter(0)\n a = s32[6] slice(x), slice={[1:18:3]}\n b = s32[0] slice(a), "
          "slice={[6:6]}\n ROOT r = s32[0] negate(b)",
          Opcode::kSlice, 0},
         {"x = s32[3] parameter(0)\n b = s32[3,4] broadcast(x), dimensions={0}\n ROOT r = s32[2,2] "
          "slice(b), slice={[1:3], [0:4:2]}",
          Opcode::kSlice, 1},
         {"x = s32[] parameter(0)\n b = s32[3,4] broadcast(x), dimensions={}\n ROOT r = s32[2,2] "
          "slice(b), slice={[1:3], [0:4:2]}",
          Opcode::kSlice, 0}},
        {simplify});
}

TEST_CASE("concatenations of one number, of nothing, along other dimensions", "[transforms]") {
  const std::string parts =
      "one = s32[] constant(1)\n two = s32[] constant(2)\n a = s32[2,3] broadcast(one), "
      "dimensions={}\n b = s32[2,3] broadcast(one), dimensions={}\n"
      " c = s32[2,3] broadcast(two), dimensions={}\n e = s32[0,3] parameter(0)\n x = s32[2,3] "
      "parameter(1)\n";
  check({{parts + " ROOT r = s32[4,3] concatenate(a, b), dimensions={0}", Opcode::kConcatenate, 0},
         {parts + " ROOT r = s32[4,3] concatenate(a, c), dimensions={0}", Opcode::kConcatenate, 1},
         {parts + " ROOT r = s32[4,3] concatenate(a, x), dimensions={0}", Opcode::kConcatenate, 1},
         {parts + " ROOT r = s32[2,3] concatenate(e, x), dimensions={0}", Opcode::kConcatenate, 0},
         {parts + " i = s32[4,3] concatenate(x, c), dimensions={0}\n ROOT r = s32[6,3] "
                  "concatenate(i, a), dimensions={0}",
          Opcode::kConcatenate, 1},
         {parts + " i = s32[2,6] concatenate(x, c), dimensions={1}\n j = s32[2,6] concatenate(c, "
                  "x), dimensions={1}\n ROOT r = s32[4,6] concatenate(i, j), dimensions={0}",
          Opcode::kConcatenate, 3}},
        {simplify});
}

TEST_CASE("slices at known places are clamped as they run", "[transforms]") {
  const auto at = [](const std::string& type, const std::string& start) {
    return "x = s32[9] parameter(0)\n s = " + type + "[] constant(" + start +
           ")\n ROOT r = s32[3] dynamic-slice(x, s), dynamic_slice_sizes={3}";
  };
  for (const auto& [type, start] : {std::pair("s32", "2"),
                                    {"s32", "-4"},
                                    {"s32", "7"},
                                    {"s64", "99999999999"},
                                    {"u64", "18446744073709551615"},
                                    {"u8", "255"},
                                    {"s8", "-1"}}) {
    INFO(type << " " << start);
    check({{at(type, start), Opcode::kDynamicSlice, 0}}, {simplify});
  }
  check({{"x = s32[9] parameter(0)\n s = s32[] parameter(1)\n ROOT r = s32[3] dynamic-slice(x, s), "
          "dynamic_slice_sizes={3}",
          Opcode::kDynamicSlice, 1},
         // One place for each start, none where there is no room.
         {"x = s32[9,4] parameter(0)\n s = s32[] parameter(1)\n k = s32[] constant(2)\n ROOT r = "
          "s32[3,4] dynamic-slice(x, k, s), dynamic_slice_sizes={3,4}",
          Opcode::kDynamicSlice, 0},
         {"x = s32[9,4] parameter(0)\n s = s32[] parameter(1)\n k = s32[] constant(2)\n ROOT r = "
          "s32[3,3] dynamic-slice(x, k, s), dynamic_slice_sizes={3,3}",
          Opcode::kDynamicSlice, 1},
         {"x = s32[9,4] parameter(0)\n u = s32[9,4] parameter(1)\n k = s32[] constant(2)\n ROOT r "
          "= s32[9,4] dynamic-update-slice(x, u, k, k)",
          Opcode::kDynamicUpdateSlice, 0},
         {"x = s32[9,4] parameter(0)\n u = s32[0,4] parameter(1)\n k = s32[] constant(2)\n ROOT r "
          "= s32[9,4] dynamic-update-slice(x, u, k, k)",
          Opcode::kDynamicUpdateSlice, 0},
         {"x = s32[9,4] parameter(0)\n u = s32[9,3] parameter(1)\n k = s32[] constant(2)\n ROOT r "
          "= s32[9,4] dynamic-update-slice(x, u, k, k)",
          Opcode::kDynamicUpdateSlice, 1}},
        {simplify});
}

TEST_CASE("reductions of one element", "[transforms]") {
  const auto reduced = [](const std::string& type, const std::string& op, const std::string& start,
                          int64_t size) {
    return "HloModule m\nf { a = " + type + "[] parameter(0)\n b = " + type +
           "[] parameter(1)\n ROOT r = " + type + "[] " + op + "(a, b) }\nENTRY e { x = " + type +
           cat("[5,", size, "]") + " parameter(0)\n s = " + type + "[] " + start +
           "\n ROOT r = " + type + "[5] reduce(x, s), dimensions={1}, to_apply=f }";
  };
  check({{reduced("s32", "add", "constant(0)", 1), Opcode::kReduce, 0},
         {reduced("s32", "add", "constant(0)", 2), Opcode::kReduce, 1},
         {reduced("s32", "add", "constant(1)", 1), Opcode::kReduce, 1},
         {reduced("s32", "add", "parameter(1)", 1), Opcode::kReduce, 1},
         // Not an operation that has an identity.
         {reduced("s32", "subtract", "constant(0)", 1), Opcode::kReduce, 1},
         // 0 + -0 is 0.
         {reduced("f32", "add", "constant(0)", 1), Opcode::kReduce, 1},
         {reduced("f32", "maximum", "constant(-inf)", 1), Opcode::kReduce, 0},
         {reduced("f32", "maximum", "constant(0)", 1), Opcode::kReduce, 1}},
        {simplify});
}

TEST_CASE("converts there and back", "[transforms]") {
  const auto through = [](const std::string& from, const std::string& over, const std::string& to) {
    return "x = " + from + "[50] parameter(0)\n y = " + over + "[50] convert(x)\n ROOT r = " + to +
           "[50] convert(y)";
  };
  check(
      {{through("s8", "s32", "s8"), Opcode::kConvert, 0},
       {through("s32", "s8", "s32"), Opcode::kConvert, 2},
       // Integers through wider ones need no second step; through others of the same width they do.
       {through("s8", "s32", "s64"), Opcode::kConvert, 1},
       {through("s8", "u8", "s32"), Opcode::kConvert, 2},
       {through("u32", "s32", "s64"), Opcode::kConvert, 2},
       {through("s8", "u32", "s64"), Opcode::kConvert, 2},
       // A fraction does not survive an integer, nor a wide one a float.
       {through("f32", "s32", "f32"), Opcode::kConvert, 2},
       {through("s64", "f64", "s64"), Opcode::kConvert, 2},
       {through("s32", "f32", "s32"), Opcode::kConvert, 2},
       {through("u32", "f32", "f64"), Opcode::kConvert, 2},
       {through("f64", "f32", "f64"), Opcode::kConvert, 2},
       {through("f32", "f64", "f32"), Opcode::kConvert, 0},
       // Saturation of one, wrapping of the other.
       {through("f32", "f64", "s32"), Opcode::kConvert, 2},
       {through("pred", "s32", "pred"), Opcode::kConvert, 0}},
      {simplify});
}

TEST_CASE("division becomes a multiplication only where both round alike", "[transforms]") {
  const auto divided = [](const std::string& type, const std::string& by) {
    return "x = " + type + "[50] parameter(0)\n d = " + type + "[] constant(" + by +
           ")\n b = " + type + "[50] broadcast(d), dimensions={}\n ROOT r = " + type +
           "[50] divide(x, b)";
  };
  check({{divided("f32", "0.5"), Opcode::kDivide, 0},
         {divided("f32", "-4"), Opcode::kDivide, 0},
         {divided("f64", "1024"), Opcode::kDivide, 0},
         {divided("f32", "6"), Opcode::kDivide, 1},
         {divided("f32", "0"), Opcode::kDivide, 1},
         {divided("f32", "inf"), Opcode::kDivide, 1},
         // 2^-127 and 2^-128 are subnormal; so is 1 / 2^127.
         {divided("f32", "5.877471754111438e-39"), Opcode::kDivide, 1},
         {divided("f32", "1.7014118346046923e+38"), Opcode::kDivide, 1},
         {divided("f32", "8.507059173023462e+37"), Opcode::kDivide, 0},
         {divided("s32", "4"), Opcode::kDivide, 1}},
        {simplify});
}

TEST_CASE("neutral elements of other operations are none", "[transforms]") {
  const auto with = [](const std::string& type, const std::string& op, const std::string& number,
                       bool swapped = false) {
    return "x = " + type + "[50] parameter(0)\n d = " + type + "[] constant(" + number +
           ")\n b = " + type + "[50] broadcast(d), dimensions={}\n ROOT r = " + type + "[50] " +
           op + (swapped ? "(b, x)" : "(x, b)");
  };
  check({{with("s32", "subtract", "0"), Opcode::kSubtract, 0},
         {with("s32", "subtract", "0", true), Opcode::kSubtract, 1},
         {with("s32", "divide", "1", true), Opcode::kDivide, 1},
         {with("s32", "multiply", "0"), Opcode::kMultiply, 0},
         {with("f32", "multiply", "0"), Opcode::kMultiply, 1},
         {with("f32", "add", "0"), Opcode::kAdd, 1},
         {with("f32", "maximum", "0"), Opcode::kMaximum, 1},
         {with("u32", "maximum", "0"), Opcode::kMaximum, 0},
         {with("s32", "maximum", "0"), Opcode::kMaximum, 1},
         {with("s32", "minimum", "2147483647"), Opcode::kMinimum, 0},
         {with("s32", "minimum", "2147483646"), Opcode::kMinimum, 1},
         {with("s32", "and", "-1"), Opcode::kAnd, 0},
         {with("s32", "and", "1"), Opcode::kAnd, 1},
         {with("s32", "or", "-1"), Opcode::kOr, 0},
         {with("s32", "or", "0"), Opcode::kOr, 0},
         {with("s32", "or", "1"), Opcode::kOr, 1},
         {with("s32", "shift-left", "0"), Opcode::kShiftLeft, 0},
         {with("s32", "shift-left", "0", true), Opcode::kShiftLeft, 1},
         {with("f32", "power", "1"), Opcode::kPower, 0},
         {with("f32", "power", "2"), Opcode::kPower, 0},
         {with("f32", "power", "1", true), Opcode::kPower, 1},
         {with("f32", "power", "3"), Opcode::kPower, 1}},
        {simplify}, {.rtol = 1e-6});
  const auto same = [](const std::string& type, const std::string& op) {
    return "x = " + type + "[50] parameter(0)\n ROOT r = " + type + "[50] " + op + "(x, x)";
  };
  check({{same("s32", "subtract"), Opcode::kSubtract, 0},
         {same("f32", "subtract"), Opcode::kSubtract, 1},
         {same("s32", "xor"), Opcode::kXor, 0},
         {same("s32", "or"), Opcode::kOr, 0},
         {same("f32", "maximum"), Opcode::kMaximum, 0},
         {same("s32", "divide"), Opcode::kDivide, 1}},
        {simplify});
}

TEST_CASE("operations that undo or repeat themselves", "[transforms]") {
  const auto chain = [](const std::string& type, const std::string& first,
                        const std::string& second) {
    return "x = " + type + "[50] parameter(0)\n y = " + type + "[50] " + first +
           "(x)\n ROOT r = " + type + "[50] " + second + "(y)";
  };
  check({{chain("f32", "negate", "negate"), Opcode::kNegate, 0},
         {chain("s32", "not", "not"), Opcode::kNot, 0},
         {chain("s32", "not", "negate"), Opcode::kNot, 1},
         {chain("f32", "abs", "abs"), Opcode::kAbs, 1},
         {chain("f32", "floor", "ceil"), Opcode::kCeil, 1},
         {chain("f32", "floor", "floor"), Opcode::kFloor, 1},
         {chain("f32", "negate", "abs"), Opcode::kNegate, 1}},
        {simplify});
  // The absolute value of a complex number is none.
  check({{"x = c64[5] parameter(0)\n a = f32[5] abs(x)\n ROOT r = f32[5] abs(a)", Opcode::kAbs, 2}},
        {simplify}, {.rtol = 1e-5});
}

TEST_CASE("views of views", "[transforms]") {
  check(
      {// Of a square array: the sizes alone don't tell.
       {"x = s32[4,4] parameter(0)\n ROOT r = s32[4,4] broadcast(x), dimensions={1,0}",
        Opcode::kTranspose, 1},
       {"x = s32[4,4] parameter(0)\n ROOT r = s32[4,4] broadcast(x), dimensions={0,1}",
        Opcode::kBroadcast, 0},
       {"x = s32[4,4] parameter(0)\n t = s32[4,4] transpose(x), dimensions={1,0}\n ROOT r = "
        "s32[4,4] transpose(t), dimensions={1,0}",
        Opcode::kTranspose, 0},
       {"x = s32[1,4,1] parameter(0)\n ROOT r = s32[4,1,1] transpose(x), dimensions={1,0,2}",
        Opcode::kTranspose, 0},
       {"x = s32[2,4,1] parameter(0)\n ROOT r = s32[4,1,2] transpose(x), dimensions={1,2,0}",
        Opcode::kTranspose, 1},
       {"x = s32[4] parameter(0)\n b = s32[4,3] broadcast(x), dimensions={0}\n ROOT r = s32[4,1,3] "
        "reshape(b)",
        Opcode::kReshape, 0},
       {"x = s32[4] parameter(0)\n b = s32[4,3] broadcast(x), dimensions={0}\n ROOT r = s32[3,4] "
        "reshape(b)",
        Opcode::kReshape, 1},
       {"x = s32[4] parameter(0)\n b = s32[4,4] broadcast(x), dimensions={0}\n ROOT r = s32[4,4] "
        "reverse(b), dimensions={1}",
        Opcode::kReverse, 0},
       {"x = s32[4] parameter(0)\n b = s32[4,4] broadcast(x), dimensions={0}\n ROOT r = s32[4,4] "
        "reverse(b), dimensions={0}",
        Opcode::kReverse, 1},
       {"x = s32[1,4] parameter(0)\n ROOT r = s32[1,4] reverse(x), dimensions={0}",
        Opcode::kReverse, 0},
       {"x = s32[2,3,4] parameter(0)\n t = s32[4,2,3] transpose(x), dimensions={2,0,1}\n q = "
        "s32[4,1,2,3] reshape(t)\n ROOT r = s32[2,3,4,1] transpose(q), dimensions={2,3,0,1}",
        Opcode::kTranspose, 0},
       {"x = s32[2,3,4] parameter(0)\n t = s32[4,2,3] transpose(x), dimensions={2,0,1}\n q = "
        "s32[4,6] reshape(t)\n ROOT r = s32[6,4] transpose(q), dimensions={1,0}",
        Opcode::kTranspose, 2}},
      {simplify});
}

TEST_CASE("tuples taken apart in another order are others", "[transforms]") {
  const auto loop = [](const std::string& end) {
    return "HloModule m\nbody { p = (s32[], s32[]) parameter(0)\n a = s32[] get-tuple-element(p), "
           "index=0\n b = s32[] get-tuple-element(p), index=1\n"
           " one = s32[] constant(1)\n n = s32[] add(a, one)\n c = s32[] add(b, n)\n ROOT r = "
           "(s32[], s32[]) tuple(n, c) }\n"
           "cond { p = (s32[], s32[]) parameter(0)\n a = s32[] get-tuple-element(p), index=0\n k = "
           "s32[] constant(9)\n ROOT r = pred[] compare(a, k), direction=LT }\n"
           "ENTRY e { x = s32[] parameter(0)\n y = s32[] parameter(1)\n t = (s32[], s32[]) "
           "tuple(x, y)\n l = (s32[], s32[]) while(t), condition=cond, body=body\n"
           " u = (s32[], s32[]) tuple(y, x)\n m = (s32[], s32[]) while(u), condition=cond, "
           "body=body\n"
           " a = s32[] get-tuple-element(l), index=0\n b = s32[] get-tuple-element(l), index=1\n c "
           "= s32[] get-tuple-element(m), index=1\n" +
           end + " }";
  };
  check(
      {{loop("ROOT r = (s32[], s32[]) tuple(a, b)"), Opcode::kTuple, 1},  // the one before the loop
       {loop("ROOT r = (s32[], s32[]) tuple(b, a)"), Opcode::kTuple, 2},
       {loop("ROOT r = (s32[], s32[]) tuple(a, c)"), Opcode::kTuple, 3},
       {loop("ROOT r = (s32[], s32[], s32[]) tuple(a, b, c)"), Opcode::kTuple, 3}},
      {simplify});
}

TEST_CASE("branches that are known", "[transforms]") {
  const auto choice = [](const std::string& selector) {
    return "HloModule m\na { p = s32[] parameter(0)\n k = s32[] constant(10)\n ROOT r = s32[] "
           "add(p, k) }\nb { p = s32[] parameter(0)\n k = s32[] constant(20)\n ROOT r = s32[] "
           "add(p, k) }\n"
           "c { p = s32[] parameter(0)\n k = s32[] constant(30)\n ROOT r = s32[] multiply(p, k) "
           "}\nENTRY e { x = s32[] parameter(0)\n y = s32[] parameter(1)\n s = s32[] " +
           selector + "\n ROOT r = s32[] conditional(s, x, y, x), branch_computations={a, b, c} }";
  };
  check({{choice("constant(0)"), Opcode::kAdd, 1},
         {choice("constant(1)"), Opcode::kAdd, 1},
         {choice("constant(2)"), Opcode::kMultiply, 1},
         {choice("constant(3)"), Opcode::kMultiply, 1},
         {choice("constant(-1)"), Opcode::kMultiply, 1},
         {choice("parameter(2)"), Opcode::kConditional, 1}},
        {simplify});
}

TEST_CASE("what looks alike is computed once, what differs in one thing is not", "[transforms]") {
  const std::string two = "x = f32[8] parameter(0)\n y = f32[8] parameter(1)\n";
  check({{two + " a = f32[8] add(x, y)\n b = f32[8] add(x, y)\n ROOT r = f32[8] multiply(a, b)",
          Opcode::kAdd, 1},
         {two + " a = f32[8] subtract(x, y)\n b = f32[8] subtract(y, x)\n ROOT r = f32[8] "
                "multiply(a, b)",
          Opcode::kSubtract, 2},
         {two + " a = f32[4] slice(x), slice={[0:4]}\n b = f32[4] slice(x), slice={[4:8]}\n ROOT r "
                "= f32[4] multiply(a, b)",
          Opcode::kSlice, 2},
         {two + " a = pred[8] compare(x, y), direction=LT\n b = pred[8] compare(x, y), "
                "direction=LE\n ROOT r = pred[8] xor(a, b)",
          Opcode::kCompare, 2},
         {"z = f32[] constant(0)\n n = f32[] constant(-0)\n ROOT r = (f32[], f32[]) tuple(z, n)",
          Opcode::kConstant, 2},
         {"z = s32[] constant(0)\n n = s32[] constant(0)\n ROOT r = (s32[], s32[]) tuple(z, n)",
          Opcode::kConstant, 1}},
        {share_common});
  // Reducers that differ in their operation, in the order of operands, or not at all.
  const auto reduced = [](const std::string& f, const std::string& g) {
    const auto reducer = [](const std::string& name, const std::string& root) {
      return name + " { a = s32[] parameter(0)\n b = s32[] parameter(1)\n ROOT r = s32[] " + root +
             " }\n";
    };
    return "HloModule m\n" + reducer("f", f) + reducer("g", g) +
           "ENTRY e { x = s32[8] parameter(0)\n z = s32[] constant(0)\n"
           " a = s32[8] reduce-window(x, z), window={size=8 pad=7_0}, to_apply=f\n b = s32[8] "
           "reduce-window(x, z), window={size=8 pad=7_0}, to_apply=g\n ROOT r = s32[8] subtract(a, "
           "b) }";
  };
  check({{reduced("add(a, b)", "add(a, b)"), Opcode::kReduceWindow, 1},
         {reduced("add(a, b)", "maximum(a, b)"), Opcode::kReduceWindow, 2},
         {reduced("subtract(a, b)", "subtract(b, a)"), Opcode::kReduceWindow, 2}},
        {share_common});
}

// The window takes a pad with zeros; other pads stay.
TEST_CASE("pads in front of convolutions", "[transforms]") {
  const auto padded = [](const std::string& padding, const std::string& dims,
                         const std::string& value, const std::string& dilate,
                         const std::string& out, int64_t features = 3) {
    return "x = f32[2,6,3] parameter(0)\n w = f32[2," + cat(features) +
           ",4] parameter(1)\n v = f32[] " + value + "\n p = f32" + dims +
           " pad(x, v), padding=" + padding + "\n ROOT r = f32" + out +
           " convolution(p, w), window={size=2" + dilate + "}, dim_labels=b0f_0io->b0f";
  };
  const hlo::CompareRule close{.rtol = 1e-5, .atol = 1e-5};
  check({{padded("0_0x1_2x0_0", "[2,9,3]", "constant(0)", "", "[2,8,4]"), Opcode::kPad, 0},
         {padded("0_0x1_2x0_0", "[2,9,3]", "constant(1)", "", "[2,8,4]"), Opcode::kPad, 1},
         {padded("0_0x1_2x0_0", "[2,9,3]", "constant(-0)", "", "[2,8,4]"), Opcode::kPad, 1},
         {padded("0_0x1_2x0_0", "[2,9,3]", "parameter(2)", "", "[2,8,4]"), Opcode::kPad, 1},
         // Of the batch, of the features.
         {padded("1_0x1_2x0_0", "[3,9,3]", "constant(0)", "", "[3,8,4]"), Opcode::kPad, 1},
         {padded("0_0x1_2x1_0", "[2,9,4]", "constant(0)", "", "[2,8,4]", 4), Opcode::kPad, 1},
         // Dilated after: other steps.
         {padded("0_0x1_2x0_0", "[2,9,3]", "constant(0)", " lhs_dilate=2", "[2,16,4]"),
          Opcode::kPad, 1},
         // Crops of what the holes were put into.
         {padded("0_0x-1_0_1x0_0", "[2,10,3]", "constant(0)", "", "[2,9,4]"), Opcode::kPad, 1},
         {padded("0_0x0_-1_1x0_0", "[2,10,3]", "constant(0)", "", "[2,9,4]"), Opcode::kPad, 1},
         {padded("0_0x0_-1x0_0", "[2,5,3]", "constant(0)", "", "[2,4,4]"), Opcode::kPad, 0}},
        {canonicalize_contractions}, close);
}

TEST_CASE("64-bit arithmetic that fits only seemingly", "[transforms]") {
  const auto wide = [](const std::string& lines, Opcode opcode) {
    int found = 0;
    const hlo::Module module = rewritten(lines, {narrow_integers});
    for (const hlo::Instruction& i : module.entry_computation().instructions)
      found += i.opcode == opcode && i.shape.element_type == hlo::PrimitiveType::kS64;
    return found;
  };
  const auto shifted = [](const std::string& amount) {
    return "x = s64[6] parameter(0)\n k = s64[] constant(" + amount +
           ")\n b = s64[6] broadcast(k), dimensions={}\n s = s64[6] shift-right-arithmetic(x, b)\n "
           "ROOT r = s64[6] add(s, s)";
  };
  CHECK(wide(shifted("40"), Opcode::kAdd) == 0);
  CHECK(wide(shifted("30"), Opcode::kAdd) == 1);
  // Unsigned: all ones, whatever the sign.
  CHECK(wide(shifted("-1"), Opcode::kAdd) == 1);
  // Two more halves than 31 bits have room for.
  CHECK(wide("x = s32[6] parameter(0)\n w = s64[6] convert(x)\n n = s64[6] negate(w)\n ROOT r = "
             "s64[6] copy(n)",
             Opcode::kNegate) == 1);
  CHECK(wide("x = s8[6] parameter(0)\n w = s64[6] convert(x)\n n = s64[6] negate(w)\n ROOT r = "
             "s64[6] copy(n)",
             Opcode::kNegate) == 0);
  const auto reduced = [](const std::string& op, int64_t count, const std::string& start) {
    return cat(
        "HloModule m\nf { a = s64[] parameter(0)\n b = s64[] parameter(1)\n ROOT r = s64[] ", op,
        "(a, b) }\nENTRY e { bits = u32[", count, "] parameter(0)\n y = s32[", count,
        "] bitcast-convert(bits)\n k = s32[] constant(10)\n kb = s32[", count,
        "] broadcast(k), dimensions={}\n few = s32[", count,
        "] shift-right-arithmetic(y, kb)\n w = s64[", count, "] convert(few)\n z = s64[] constant(",
        start,
        ")\n s = s64[] reduce(w, z), dimensions={0}, to_apply=f\n ROOT r = s64[] add(s, s) }");
  };
  CHECK(wide(reduced("add", 300, "0"), Opcode::kAdd) == 0);
  CHECK(wide(reduced("add", 600, "0"), Opcode::kAdd) == 1);
  CHECK(wide(reduced("add", 3, "1073741824"), Opcode::kAdd) == 1);
  CHECK(wide(reduced("maximum", 600, "0"), Opcode::kAdd) == 0);
  CHECK(wide(reduced("maximum", 600, "1073741824"), Opcode::kAdd) == 1);
  CHECK(wide(reduced("multiply", 3, "1"), Opcode::kAdd) == 1);
  CHECK(wide(reduced("xor", 3, "0"), Opcode::kAdd) == 1);
}

}  // namespace hlocc::tests
