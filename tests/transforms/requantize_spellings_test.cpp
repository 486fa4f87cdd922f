// Spellings of one requantisation: sums to bytes with one rounding or two, each in the words of
// several exporters. All become the same, and what differs from one in one place stays.
#include "transforms/accumulators.h"

namespace hlocc::tests {
namespace {

// AccumulatorLines over arrays of all accumulators in three channels; operands are names.
class AccumulatorLines {
 public:
  AccumulatorLines() : text_(numbers(3)) {}

  // One number in every place, or one for each channel.
  AccumulatorLines& every(const char* name, const char* type, const char* number) {
    return broadcast(name, type, cat(type, "[] constant(", number, ")"), "");
  }
  AccumulatorLines& each(const char* name, const char* type, const char* list) {
    return broadcast(name, type, cat(type, "[3] constant({", list, "})"), "1");
  }
  AccumulatorLines& add(const char* name, const char* type, std::string_view operation) {
    text_ += cat(" ", name, " = ", type, shape(), " ", operation, "\n");
    return *this;
  }
  // The zero point, a clamp, the byte.
  std::string bytes(const char* whole) {
    every("zero", "s32", "-7").every("low", "s32", "-128").every("high", "s32", "127");
    add("moved", "s32", cat("add(", whole, ", zero)")).add("cut", "s32", "clamp(low, moved, high)");
    return cat(text_, " ROOT r = s8", shape(), " convert(cut)\n");
  }
  std::string text(std::string_view root) { return cat(text_, " ROOT r = s8", shape(), " ", root); }

 private:
  static std::string shape() { return cat("[", kNumbers, ",3]"); }
  AccumulatorLines& broadcast(const char* name, const char* type, std::string_view of,
                              const char* mapping) {
    text_ += cat(" c", name, " = ", of, "\n");
    return add(name, type, cat("broadcast(c", name, "), dimensions={", mapping, "}"));
  }

  std::string text_;
};

AccumulatorLines product() {
  AccumulatorLines lines;
  lines.add("x", "s64", "convert(acc)").each("f", "s64", "1374280448, 2128251264, 1274280449");
  return lines.add("p", "s64", "multiply(x, f)").every("nil", "s64", "0");
}

// --- one rounding ---
std::string plain() {
  AccumulatorLines lines = product();
  lines.each("mid", "s64", "68719476736, 137438953472, 34359738368");
  lines.each("by", "s64", "37, 38, 36").add("sum", "s64", "add(p, mid)");
  lines.add("y", "s64", "shift-right-arithmetic(sum, by)");
  return lines.add("whole", "s32", "convert(y)").bytes("whole");
}
// A nudge by sign in front of a division, which cuts to zero.
std::string divided(const char* direction = "GE", const char* last = "-34359738367") {
  AccumulatorLines lines = product();
  lines.each("mid", "s64", "68719476736, 137438953472, 34359738368");
  lines.each("below", "s64", cat("-68719476735, -137438953471, ", last).c_str());
  lines.each("unit", "s64", "137438953472, 274877906944, 68719476736");
  lines.add("is", "pred", cat("compare(p, nil), direction=", direction));
  lines.add("nudge", "s64", "select(is, mid, below)").add("sum", "s64", "add(nudge, p)");
  lines.add("y", "s64", "divide(sum, unit)");
  return lines.add("whole", "s32", "convert(y)").bytes("whole");
}

AccumulatorLines scaled() {
  AccumulatorLines lines;
  lines.add("x", "f32", "convert(acc)").each("f", "f32", "0.0123457, 0.0110391, 0.0185371");
  return lines.add("p", "f32", "multiply(x, f)").every("least", "f32", "-121");
}
std::string to_even() {
  AccumulatorLines lines = scaled();
  lines.every("most", "f32", "134").add("near", "f32", "clamp(least, p, most)");
  lines.add("y", "f32", "round-nearest-even(near)");
  return lines.add("whole", "s32", "convert(y)").bytes("whole");
}
// The last bits of a float so large that they are an integer.
std::string bits(const char* magic = "12582912", const char* number = "-1262485504") {
  AccumulatorLines lines = scaled();
  lines.every("most", "f32", "134").add("near", "f32", "clamp(least, p, most)");
  lines.every("magic", "f32", magic).add("large", "f32", "add(near, magic)");
  lines.add("b", "s32", "bitcast-convert(large)").every("less", "s32", number);
  return lines.add("whole", "s32", "add(b, less)").bytes("whole");
}

// --- two: a high word, and what rounds its halves away from zero ---
struct Second {
  const char *more = "shift-right-arithmetic(word, last)", *up = "add(word, mid)",
             *sum = "add(up, more)", *shifted = "shift-right-arithmetic(sum, by)";
  const char *last = "31", *compared = "LT", *below = "-32, -64, -16";

  std::string text() const {
    AccumulatorLines lines = product();
    lines.every("half31", "s64", "1073741824").every("by31", "s64", "31");
    lines.add("sum31", "s64", "add(p, half31)");
    lines.add("upper", "s64", "shift-right-arithmetic(sum31, by31)");
    lines.add("word", "s32", "convert(upper)").each("mid", "s32", "32, 64, 16");
    lines.each("by", "s32", "6, 7, 5").each("unit", "s32", "64, 128, 32");
    lines.each("below", "s32", below).every("last", "s32", last).every("none32", "s32", "0");
    lines.every("first", "s32", "1").add("signs", "s32", "shift-right-arithmetic(word, last)");
    lines.add("is", "pred", cat("compare(word, none32), direction=", compared));
    lines.add("more", "s32", more).add("up", "s32", up).add("sum", "s32", sum);
    return lines.add("whole", "s32", shifted).bytes("whole");
  }
};

// What is left beside the fixed-point number's own instructions.
int left_over(const std::string& text, const char* chip) {
  const Module m = requantized(text, chip);
  check_every_number(text, m);
  int count = 0;
  for (const Opcode opcode : {Opcode::kSelect, Opcode::kDivide, Opcode::kBitcastConvert})
    count += count_in_entry(m, opcode);
  return count + count_s64(m, Opcode::kAdd) + computes_in(m, hlo::PrimitiveType::kF32);
}

// What gemmlowp's SaturatingRoundingDoublingHighMul and RoundingDivideByPOT compute. `mask` and
// `half` are what the shifts are told by.
struct DoublingHigh {
  const char *above = "1073741824", *below = "-1073741823", *high = "divide(sum, width)";
  const char *mask = "subtract(power, unit)", *half = "shift-right-arithmetic(mask, unit)";
  const char *negative = "LT", *more = "GT", *limit = "add(mid, down)";
  const char* shifts = "{6, 7, 0}";

  std::string text() const {
    const std::string shape = cat("[", kNumbers, ",3]"), s = "s64" + shape, w = "s32" + shape;
    const auto every = [&](const char* type, const char* name, const char* value) {
      return cat(" c", name, " = ", type, "[] constant(", value, ")\n ", name, " = ", type, shape,
                 " broadcast(c", name, "), dimensions={}\n");
    };
    return cat(
        numbers(3), every("s64", "zero", "0"), every("s64", "above", above),
        every("s64", "below", below), every("s64", "width", high[0] == 'd' ? "2147483648" : "31"),
        every("s32", "nil", "0"), every("s32", "unit", "1"), every("s32", "low", "-128"),
        every("s32", "top", "127"), " x = ", s,
        " convert(acc)\n f = s64[3] constant({1374280448, 2128251264, 12742804})\n fs = ", s,
        " broadcast(f), dimensions={1}\n p = ", s, " multiply(x, fs)\n is = pred", shape,
        " compare(p, zero), direction=GE\n nudge = ", s, " select(is, above, below)\n sum = ", s,
        " add(p, nudge)\n quotient = ", s, " ", high, "\n y = ", w,
        " convert(quotient)\n cby = s32[3] constant(", shifts, ")\n by = ", w,
        " broadcast(cby), dimensions={1}\n power = ", w, " shift-left(unit, by)\n mask = ", w, " ",
        mask, "\n rest = ", w, " and(y, mask)\n less = pred", shape,
        " compare(y, nil), direction=", negative, "\n down = ", w, " convert(less)\n mid = ", w,
        " ", half, "\n limit = ", w, " ", limit, "\n over = pred", shape,
        " compare(rest, limit), direction=", more, "\n up = ", w, " convert(over)\n cut = ", w,
        " shift-right-arithmetic(y, by)\n near = ", w, " add(cut, up)\n t = ", w,
        " maximum(near, low)\n c = ", w, " minimum(t, top)\n ROOT r = s8", shape, " convert(c)");
  }
  // Multiplications in 64 bits on a core that has none, and comparisons that are left.
  std::pair<int, int> left() const {
    const Module m = requantized(text(), "cortex-m0");
    check_every_number(text(), m);
    return {count_s64(m, Opcode::kMultiply), count_in_entry(m, Opcode::kSelect)};
  }
};

}  // namespace

TEST_CASE("one rounding in several spellings", "[transforms]") {
  for (const char* chip : {"cortex-m0", "cortex-m4f", "cortex-m55", "rv32imc"}) {
    INFO(chip);
    CHECK(left_over(plain(), chip) == 0);
    CHECK(left_over(divided(), chip) == 0);
    const Module same = requantized(plain(), chip), other = requantized(divided(), chip);
    CHECK(same.entry_computation().instructions.size() ==
          other.entry_computation().instructions.size());
  }
  for (const char* chip : {"cortex-m0", "cortex-m4f", "rv32imc"}) {
    INFO(chip);
    CHECK(left_over(to_even(), chip) == 0);
    CHECK(left_over(bits(), chip) == 0);
  }
  // The other sign's numbers; a channel whose sums would fall at zero.
  CHECK(left_over(divided("LT"), "cortex-m4f") > 0);
  CHECK(left_over(divided("GE", "34359738369"), "cortex-m4f") > 0);
  // Bits of floats that are no integers, or that lie on both sides of zero.
  CHECK(left_over(bits("0.5", "-1"), "cortex-m4f") > 0);
  CHECK(left_over(bits("100", "-1"), "cortex-m4f") > 0);
}

TEST_CASE("halves away from zero in several spellings", "[transforms]") {
  const char* const divided = "divide(sum, unit)";
  const Second spellings[] = {
      {},
      {.up = "add(more, mid)", .sum = "add(word, up)"},
      {.more = "convert(is)", .sum = "subtract(up, more)"},
      {.more = "and(signs, first)", .sum = "subtract(up, more)"},
      {.more = "select(is, below, mid)", .sum = "add(word, more)", .shifted = divided},
  };
  for (const char* chip : {"cortex-m0", "cortex-m4f", "cortex-m55", "rv32imc"})
    for (const Second& spelling : spellings) {
      INFO(chip << " " << spelling.more);
      // Where the offset is inside, what a line bends by is selected.
      const int bends = std::string_view(chip) == "cortex-m55" ? 1 : 0;
      CHECK(left_over(spelling.text(), chip) == bends);
    }
  // Not the sign's bit; not what is below zero; a channel whose sums would fall there; the value
  // taken off, and twice.
  const Second others[] = {
      {.last = "30"},
      {.more = "convert(is)", .sum = "subtract(up, more)", .compared = "LE"},
      {.more = "select(is, below, mid)",
       .sum = "add(word, more)",
       .shifted = divided,
       .below = "-32, 65, -16"},
      {.up = "subtract(mid, word)"},
      {.up = "add(word, word)"},
  };
  for (const Second& other : others) {
    INFO(other.more << " " << other.up);
    CHECK(left_over(other.text(), "cortex-m4f") > 0);
  }
}

TEST_CASE("rounding doubling high multiplications and rounding divisions", "[transforms]") {
  const std::pair<int, int> none(0, 0);
  CHECK(DoublingHigh{}.left() == none);
  CHECK(DoublingHigh{.high = "shift-right-arithmetic(sum, width)"}.left() == none);
  const Module m = requantized(DoublingHigh{}.text(), "cortex-m4f");
  CHECK(count_s64(m, Opcode::kDivide) == 0);
  check_every_number(DoublingHigh{}.text(), m);
  // Halves of what is negative go the other way: an offset of its own.
  CHECK(count_in_entry(requantized(DoublingHigh{}.text(), "cortex-m0"), Opcode::kAnd) == 1);
  CHECK(count_in_entry(requantized(DoublingHigh{.shifts = "{0, 0, 0}"}.text(), "cortex-m0"),
                       Opcode::kAnd) == 0);
  // Spellings that differ in one place are left as they are.
  CHECK(DoublingHigh{.above = "-1073741824"}.left() != none);
  // What is below zero may wrap: the sum of -1 is then the largest number.
  CHECK(DoublingHigh{.below = "-9223372036854775808"}.left() != none);
  CHECK(DoublingHigh{.below = "-9223372036854775807"}.left() != none);
  CHECK(DoublingHigh{.mask = "add(power, unit)"}.left() != none);
  CHECK(DoublingHigh{.mask = "subtract(power, by)"}.left() != none);
  CHECK(DoublingHigh{.half = "shift-right-arithmetic(mask, by)"}.left() != none);
  CHECK(DoublingHigh{.half = "subtract(mask, unit)"}.left() != none);
  CHECK(DoublingHigh{.negative = "GE"}.left() != none);
  CHECK(DoublingHigh{.more = "GE"}.left() != none);
  // Half of one bit is 0, which is not added; half of two is 1.
  CHECK(DoublingHigh{.limit = "convert(less)", .shifts = "{1, 1, 1}"}.left() == none);
  CHECK(DoublingHigh{.limit = "convert(less)", .shifts = "{2, 1, 1}"}.left() != none);
}

}  // namespace hlocc::tests
