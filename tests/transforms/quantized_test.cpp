// What is read of quantised values: which integers hold them, their scale, zero point and range,
// once a value; just outside of each rule nothing is.
#include "transforms/integers/quantized.h"

#include "support/text.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using transforms::Quantized, transforms::QuantizedValues, transforms::Range;
using enum hlo::PrimitiveType;

struct ReadValue {
  std::optional<Quantized> value;
  std::string whole;  // the name of what holds it
  bool is_read_once = false;
};

// Of the operand of the root, which negates it.
ReadValue read_value(const std::string& lines, const std::string& type,
                     const std::string& sizes = "[4,6]") {
  Module module = module_from(lines + "\n ROOT out = " + type + sizes + " negate(y)");
  std::optional<QuantizedValues> values;
  ReadValue out;
  const transforms::Rule rule = [&](transforms::Rewriter& r, const hlo::Instruction& i) {
    if (!values) values.emplace(r);
    if (i.opcode != Opcode::kNegate) return hlo::kNone;
    const Quantized* const value = values->of(i.operands[0]);
    out = {};
    out.is_read_once = value == values->of(i.operands[0]);
    if (value == nullptr) return hlo::kNone;
    out.value = *value;
    if (value->whole != hlo::kNone) out.whole = r[value->whole].name;
    return hlo::kNone;
  };
  REQUIRE(transforms::Rewriter(module, module.entry, rule).run().ok());
  return out;
}

std::string every(const char* name, const char* type, const char* number) {
  return cat(" c", name, " = ", type, "[] constant(", number, ")\n ", name, " = ", type,
             "[4,6] broadcast(c", name, "), dimensions={}\n");
}

}  // namespace

TEST_CASE("floats that are bytes less a zero point, times a scale", "[transforms]") {
  const std::string q = " q = s8[4,6] parameter(0)\n f = f32[4,6] convert(q)\n",
                    zero = every("z", "f32", "-3"), scale = every("s", "f32", "0.25");
  const ReadValue plain = read_value(
      q + zero + scale + " d = f32[4,6] subtract(f, z)\n y = f32[4,6] multiply(d, s)", "f32");
  REQUIRE(plain.value);
  CHECK(plain.is_read_once);
  CHECK(plain.whole == "q");
  CHECK(plain.value->stored == kS8);
  CHECK(plain.value->scales == std::vector{0.25});
  CHECK(plain.value->zero() == -3);
  CHECK(plain.value->range == Range{-125, 130});
  CHECK(plain.value->most() == 130);
  // Divided, moved, a number less them.
  const ReadValue moved =
      read_value(q + scale +
                     " d = f32[4,6] divide(f, s)\n t = f32[6,4] transpose(d), dimensions={1,0}\n"
                     " r = f32[4,6] reshape(t)\n" +
                     every("m", "f32", "8") + " y = f32[4,6] subtract(m, r)",
                 "f32");
  REQUIRE(moved.value);
  CHECK(moved.value->scales == std::vector{4.0});
  CHECK(moved.value->steps.size() == 3);
  CHECK(moved.value->range == Range{-125, 130});
  // Zeros are added; others are not of the integers.
  const auto padded = [&](const char* number) {
    return read_value(cat(q, scale, " d = f32[4,6] multiply(f, s)\n p = f32[] constant(", number,
                          ")\n y = f32[6,6] pad(d, p), padding=1_1x0_0"),
                      "f32", "[6,6]");
  };
  CHECK(padded("0").value);
  CHECK_FALSE(padded("0.25").value);
  // Half a zero point, a second one, a falling scale, a scale a column.
  for (const char* const lines :
       {" d = f32[4,6] multiply(f, s)\n y = f32[4,6] add(d, s)",
        " a = f32[4,6] add(f, z)\n b = f32[4,6] negate(a)\n y = f32[4,6] add(b, z)",
        " n = f32[4,6] negate(s)\n y = f32[4,6] multiply(f, n)",
        " cc = f32[6] constant({1,2,3,4,5,6})\n c = f32[4,6] broadcast(cc), dimensions={1}\n"
        " y = f32[4,6] multiply(f, c)"})
    CHECK_FALSE(read_value(q + zero + every("s", "f32", "0.5") + lines, "f32").value);
}

TEST_CASE("floats that were rounded and clamped to bytes", "[transforms]") {
  const auto rounded = [](const char* low, const char* high, const char* around = "maximum") {
    return read_value(
        cat(" x = f32[4,6] parameter(0)\n", every("l", "f32", low), every("h", "f32", high),
            " n = f32[4,6] round-nearest-even(x)\n m = f32[4,6] minimum(n, h)\n"
            " y = f32[4,6] ",
            around, "(m, l)"),
        "f32");
  };
  const ReadValue byte = rounded("-128", "127");
  REQUIRE(byte.value);
  CHECK(byte.value->stored == kS8);
  CHECK(byte.whole == "y");
  CHECK(rounded("0", "255").value->stored == kU8);
  CHECK_FALSE(rounded("-1", "128").value);
  CHECK_FALSE(rounded("0", "256").value);
  CHECK_FALSE(rounded("0.5", "127").value);
  CHECK_FALSE(rounded("9", "8").value);
  CHECK_FALSE(rounded("0", "127", "minimum").value);
}

TEST_CASE("integers that were widened from bytes", "[transforms]") {
  const auto widened = [](const char* stored, const char* wide, const char* zero) {
    return read_value(cat(" q = ", stored, "[4,6] parameter(0)\n w = ", wide, "[4,6] convert(q)\n",
                          every("z", wide, zero), " y = ", wide, "[4,6] subtract(w, z)"),
                      wide);
  };
  const ReadValue byte = widened("u8", "s32", "128");
  REQUIRE(byte.value);
  CHECK(byte.value->stored == kU8);
  CHECK(byte.value->zero() == 128);
  CHECK(byte.value->range == Range{-128, 127});
  CHECK(byte.value->scales == std::vector{1.0});
  // What wraps in the wide type is something else.
  CHECK(widened("s8", "s16", "-32640").value);
  CHECK_FALSE(widened("s8", "s16", "-32641").value);
  CHECK_FALSE(widened("u8", "s8", "0").value);
  CHECK_FALSE(widened("s32", "s64", "0").value);
  // A pad of the wide type is stored as one of the bytes.
  const auto padded = [](const char* number) {
    return read_value(cat(" q = u8[4,6] parameter(0)\n w = s32[4,6] convert(q)\n",
                          every("z", "s32", "128"), " d = s32[4,6] subtract(w, z)\n p = s32[] ",
                          "constant(", number, ")\n y = s32[6,6] pad(d, p), padding=1_1x0_0"),
                      "s32", "[6,6]");
  };
  CHECK(padded("-128").value);
  CHECK(padded("127").value);
  for (const char* const number : {"-129", "128"}) CHECK_FALSE(padded(number).value);
  // Known numbers are bytes if all are.
  const auto known = [](const char* numbers) {
    return read_value(cat(" y = s32[3] constant({", numbers, "})"), "s32", "[3]");
  };
  REQUIRE(known("-128, 0, 127").value);
  CHECK(known("-128, 0, 127").value->known->type() == kS8);
  CHECK_FALSE(known("-128, 0, 128").value);
}

TEST_CASE("weights that are bytes times a scale, read once a dimension", "[transforms]") {
  Module module = module_from(
      " w = f32[2,3] constant({{0.5, 2, -9}, {63.5, 254, -381}})\n ROOT out = f32[2,3] negate(w)");
  const transforms::Rule rule = [&](transforms::Rewriter& r, const hlo::Instruction& i) {
    if (i.opcode != Opcode::kNegate) return hlo::kNone;
    QuantizedValues values(r);
    const hlo::InstructionId w = i.operands[0];
    const Quantized* const columns = values.weights(w, 1);
    REQUIRE(columns != nullptr);
    CHECK(columns == values.weights(w, 1));
    CHECK(columns->scales == std::vector{0.5, 2.0, 3.0});
    CHECK(columns->dimension == 1);
    CHECK(columns->known->data<int8_t>()[5] == -127);
    CHECK(columns->range == Range{-127, 127});
    // One scale for all has no bytes for them.
    CHECK(values.weights(w, std::nullopt) == nullptr);
    return hlo::kNone;
  };
  REQUIRE(transforms::Rewriter(module, module.entry, rule).run().ok());
}

}  // namespace hlocc::tests
