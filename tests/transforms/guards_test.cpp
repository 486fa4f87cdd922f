// What stands just outside the condition of a rewrite: there the result would change, and the
// rewrite must not happen.
#include "support/text.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using transforms::narrow_integers;
using transforms::simplify;
using transforms::unroll;

// (acc * 1 + offset) >> shifts for an accumulator of any s32, or of 20 bits: what a shift by one
// number for all would need.
std::string shifted(const std::string& accumulator, const std::string& offsets,
                    const std::string& shifts) {
  const bool has_offset = !offsets.empty();
  return "bits = u32[6,2] parameter(0)\n any = s32[6,2] bitcast-convert(bits)\n twelve = s32[] "
         "constant(12)\n"
         " t = s32[6,2] broadcast(twelve), dimensions={}\n few = s32[6,2] "
         "shift-right-arithmetic(any, t)\n w = s64[6,2] convert(" +
         accumulator +
         ")\n f = s64[2] constant({2000000001, 1500000001})\n fs = s64[6,2] broadcast(f), "
         "dimensions={1}\n p = s64[6,2] multiply(w, fs)\n" +
         (has_offset
              ? " o = s64[2] constant(" + offsets +
                    ")\n os = s64[6,2] broadcast(o), dimensions={1}\n q = s64[6,2] add(p, os)\n"
              : "") +
         " h = s64[2] constant(" + shifts +
         ")\n hs = s64[6,2] broadcast(h), dimensions={1}\n ROOT r = s64[6,2] "
         "shift-right-arithmetic(" +
         (has_offset ? "q" : "p") + ", hs)";
}

// The shift amounts became one.
bool is_uniform(const std::string& text) {
  const Module m = rewritten(text, {narrow_integers});
  const hlo::Instruction& by = m.entry_computation()[root(m).operands[1]];
  return by.opcode == Opcode::kBroadcast && m.entry_computation()[by.operands[0]].shape.is_scalar();
}

}  // namespace

TEST_CASE("shifts become one only where nothing overflows", "[transforms]") {
  CHECK(is_uniform(shifted("few", "", "{31, 35}")));
  CHECK(!is_uniform(shifted("any", "", "{31, 35}")));
  CHECK(is_uniform(shifted("few", "{1073741824, 17179869184}", "{31, 35}")));
  // 2^62 times 2^4.
  CHECK(!is_uniform(shifted("few", "{4611686018427387904, 17179869184}", "{31, 35}")));
  CHECK(!is_uniform(shifted("few", "{-4611686018427387904, 17179869184}", "{31, 35}")));
  // Shifts that a word does not have.
  CHECK(!is_uniform(shifted("few", "", "{63, 62}")));
  CHECK(!is_uniform(shifted("few", "", "{-1, 5}")));
}

TEST_CASE("what pads an array belongs to its range", "[transforms]") {
  const auto padded = [](const std::string& value) {
    return count_s64(
        rewritten("x = s8[5] parameter(0)\n w = s64[5] convert(x)\n v = s64[] constant(" + value +
                      ")\n p = s64[9] pad(w, v), padding=2_2\n ROOT r = s64[9] add(p, p)",
                  {narrow_integers}),
        Opcode::kAdd);
  };
  CHECK(padded("7") == 0);
  CHECK(padded("5000000000") == 1);
  CHECK(padded("-5000000000") == 1);
}

// 0, 97, -62, 35, -124, -27, 70, -89, 8, 105: ten turns, where 97 and 194 would be two.
TEST_CASE("a counter that wraps is not counted", "[transforms]") {
  const auto turns = [](const std::string& type, const std::string& first, const std::string& step,
                        const std::string& limit, const std::string& direction,
                        const std::string& op = "add") {
    const std::string state = "(" + type + "[], s32[])";
    return rewritten(
        "HloModule m\nbody { p = " + state + " parameter(0)\n i = " + type +
            "[] get-tuple-element(p), index=0\n a = s32[] get-tuple-element(p), index=1\n step = " +
            type + "[] constant(" + step + ")\n n = " + type + "[] " + op +
            "(i, step)\n three = s32[] constant(3)\n c = s32[] multiply(a, three)\n ROOT r = " +
            state + " tuple(n, c) }\ncondition { p = " + state + " parameter(0)\n i = " + type +
            "[] get-tuple-element(p), index=0\n last = " + type + "[] constant(" + limit +
            ")\n ROOT r = pred[] compare(i, last), direction=" + direction +
            " }\nENTRY e { first = " + type + "[] constant(" + first +
            ")\n x = s32[] parameter(0)\n t = " + state + " tuple(first, x)\n ROOT l = " + state +
            " while(t), condition=condition, body=body }",
        {unroll});
  };
  CHECK(count(turns("s8", "0", "97", "100", "LT"), Opcode::kWhile) == 1);
  CHECK(count(turns("s8", "0", "-97", "-100", "GT"), Opcode::kWhile) == 1);
  CHECK(count(turns("s8", "0", "50", "100", "LT"), Opcode::kWhile) == 0);
  CHECK(count(turns("s8", "100", "10", "125", "LT"), Opcode::kWhile) == 1);
  CHECK(count(turns("u8", "0", "100", "250", "LE"), Opcode::kWhile) == 1);
  CHECK(count(turns("s16", "0", "20000", "30000", "LT"), Opcode::kWhile) == 1);
  // Types narrower than the byte that they are stored in.
  CHECK(count(turns("s4", "-5", "5", "5", "LE"), Opcode::kWhile) == 1);
  CHECK(count(turns("u4", "0", "7", "15", "LT"), Opcode::kWhile) == 1);
  CHECK(count(turns("u4", "0", "5", "15", "LT"), Opcode::kWhile) == 0);
  CHECK(count(turns("s4", "-8", "3", "7", "LT"), Opcode::kWhile) == 0);
  // Numbers that are counted here in 60 bits; the step of a loop that never turns is not asked.
  CHECK(count(turns("s64", "0", "1152921504606846976", "1", "LT"), Opcode::kWhile) == 0);
  CHECK(count(turns("s64", "0", "1152921504606846977", "1", "LT"), Opcode::kWhile) == 1);
  CHECK(count(turns("s64", "5", "1152921504606846977", "1", "LT"), Opcode::kWhile) == 1);
  CHECK(count(turns("s64", "5", "1152921504606846976", "1", "LT"), Opcode::kWhile) == 0);
  CHECK(count(turns("s64", "1152921504606846976", "-1", "1152921504606846975", "GT"),
              Opcode::kWhile) == 0);
  CHECK(count(turns("s64", "1152921504606846977", "-1", "1152921504606846976", "GT"),
              Opcode::kWhile) == 1);
  // Unsigned numbers do not count below 0.
  CHECK(count(turns("u8", "10", "3", "1", "GE", "subtract"), Opcode::kWhile) == 1);
  CHECK(count(turns("u8", "10", "3", "2", "GE", "subtract"), Opcode::kWhile) == 0);
  CHECK(count(turns("s8", "10", "3", "1", "GE", "subtract"), Opcode::kWhile) == 0);
}

TEST_CASE("a number that is not itself", "[transforms]") {
  const auto compared = [](const std::string& type, const std::string& direction) {
    return root(rewritten(
                    "x = " + type +
                        "[9] parameter(0)\n ROOT r = pred[9] compare(x, x), direction=" + direction,
                    {simplify}))
        .opcode;
  };
  for (const char* direction : {"EQ", "NE", "LT", "LE", "GT", "GE"}) {
    for (const char* type : {"f32", "f64", "f16", "bf16", "f8e5m2"})
      CHECK(compared(type, direction) == Opcode::kCompare);
    for (const char* type : {"s32", "u8", "pred"})
      CHECK(compared(type, direction) != Opcode::kCompare);
  }
  CHECK(compared("c64", "EQ") == Opcode::kCompare);
}

}  // namespace hlocc::tests
