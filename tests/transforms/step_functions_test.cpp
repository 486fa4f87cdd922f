// Chains as step functions: what the interpreter makes of every number is what the thresholds say,
// in every channel, and numbers that wrap on the way have none.
#include "interpreter/interpreter.h"
#include "transforms/integers/monotone_chain.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using transforms::MonotoneChain, transforms::Range, transforms::StepFunction;

constexpr int kShorts = 1 << 16;

// Of all numbers of 16 bits in two channels: `lines` make a value y, 8 bits of which are the root.
std::string chain_text(const std::string& lines) {
  return " x = s16[65536,2] parameter(0)\n" + lines + "\n ROOT out = s8[65536,2] convert(y)";
}

std::optional<std::vector<StepFunction>> functions_of(const std::string& text, const Range& range) {
  Module module = module_from(text);
  std::optional<transforms::IntegerRanges> ranges;
  std::optional<std::vector<StepFunction>> found;
  const transforms::Rule rule = [&](transforms::Rewriter& r, const hlo::Instruction& i) {
    if (!ranges) ranges.emplace(r);
    if (i.opcode != Opcode::kConvert || i.shape.element_type != hlo::PrimitiveType::kS8)
      return hlo::kNone;
    const std::optional<MonotoneChain> chain = transforms::monotone_chain(r, i, *ranges);
    REQUIRE(chain);
    CHECK(chain->range == Range{-32768, 32767});
    const std::vector<Range> all(static_cast<size_t>(chain->channels), range);
    found = transforms::step_functions(r, *chain, all, 1 << 22);
    return hlo::kNone;
  };
  REQUIRE(transforms::Rewriter(module, module.entry, rule).run().ok());
  return found;
}

// By the function alone.
int64_t value_at(const StepFunction& f, int64_t x) {
  int64_t value = f.first;
  for (const StepFunction::Step& step : f.steps)
    if (step.at <= x) value = step.after;
  return value;
}

void check_every_step(const std::string& text) {
  const auto functions = functions_of(text, {-32768, 32767});
  REQUIRE(functions);
  const Module module = module_from(text);
  Literal numbers = Literal::zeros(module.entry_computation().instructions[0].shape);
  for (int64_t at = 0; at < 2 * kShorts; ++at)
    numbers.mutable_data<int16_t>()[static_cast<size_t>(at)] = static_cast<int16_t>(at / 2 - 32768);
  const Result<Literal> values = interpreter::run(module, std::vector{numbers});
  REQUIRE(values.ok());
  int64_t apart = 0;
  for (int64_t at = 0; at < 2 * kShorts; ++at) {
    const StepFunction& f = (*functions)[functions->size() == 1 ? 0 : static_cast<size_t>(at % 2)];
    apart += value_at(f, at / 2 - 32768) != hlo::integer_at(*values, at);
  }
  CHECK(apart == 0);
  for (const StepFunction& f : *functions)
    for (const StepFunction::Step& step : f.steps) CHECK(step.before < step.after);
}

std::string clamped_chain(const std::string& lines, const std::string& type) {
  const std::string wide = type + "[65536,2]";
  return lines + "\n low = " + type + "[] constant(-128)\n high = " + type +
         "[] constant(127)\n y = " + wide + " clamp(low, q, high)";
}

const std::string kScaledFloats =
    " f = f32[65536,2] convert(x)\n cs = f32[2] constant({0.0123, 0.5})\n"
    " s = f32[65536,2] broadcast(cs), dimensions={1}\n"
    " p = f32[65536,2] multiply(f, s)\n";
const std::string kScaledWords =
    " l = s64[65536,2] convert(x)\n cm = s64[2] constant({1374280448, 3})\n"
    " m = s64[65536,2] broadcast(cm), dimensions={1}\n"
    " p = s64[65536,2] multiply(l, m)\n";

}  // namespace

TEST_CASE("chains are what the interpreter makes of every number", "[transforms]") {
  check_every_step(
      chain_text(clamped_chain(kScaledFloats + " q = f32[65536,2] round-nearest-even(p)", "f32")));
  check_every_step(chain_text(clamped_chain(kScaledFloats + " q = f32[65536,2] floor(p)", "f32")));
  // By more than one at a time; all at once; nothing.
  for (const char* const scale : {"{40, 300}", "{1e9, 1e-9}", "{0, 0}"}) {
    std::string steep = kScaledFloats;
    steep.replace(steep.find("{0.0123, 0.5}"), 13, scale);
    check_every_step(
        chain_text(clamped_chain(steep + " q = f32[65536,2] round-nearest-afz(p)", "f32")));
  }
  const std::string shifted =
      " cb = s64[2] constant({37, 9})\n b = s64[65536,2] broadcast(cb), dimensions={1}\n"
      " q = s64[65536,2] shift-right-arithmetic(p, b)";
  check_every_step(chain_text(clamped_chain(kScaledWords + shifted, "s64")));
  // Another number is added to what is negative.
  const std::string nudged =
      " c0 = s64[] constant(0)\n zero = s64[65536,2] broadcast(c0), dimensions={}\n"
      " neg = pred[65536,2] compare(p, zero), direction=LT\n cu = s64[] constant(8)\n"
      " up = s64[65536,2] broadcast(cu), dimensions={}\n cd = s64[] constant(-7)\n"
      " down = s64[65536,2] broadcast(cd), dimensions={}\n"
      " n = s64[65536,2] select(neg, down, up)\n t = s64[65536,2] add(p, n)\n"
      " c16 = s64[] constant(16)\n sixteen = s64[65536,2] broadcast(c16), dimensions={}\n"
      " q = s64[65536,2] divide(t, sixteen)";
  check_every_step(chain_text(clamped_chain(kScaledWords + nudged, "s64")));
}

TEST_CASE("chains that wrap or leave the finite numbers have no steps", "[transforms]") {
  const auto text = [](const std::string& factor, const std::string& offset) {
    return chain_text(clamped_chain(" l = s64[65536,2] convert(x)\n cm = s64[] constant(" + factor +
                                        ")\n m = s64[65536,2] broadcast(cm), dimensions={}\n"
                                        " p = s64[65536,2] multiply(l, m)\n co = s64[] constant(" +
                                        offset +
                                        ")\n o = s64[65536,2] broadcast(co), dimensions={}\n"
                                        " q = s64[65536,2] add(p, o)",
                                    "s64"));
  };
  // 2^63 - 1 is 32767 * 281483566907400 + 7; 2^63 is 32768 * 2^48.
  const Range all{-32768, 32767};
  CHECK(functions_of(text("281474976710656", "0"), all));
  CHECK_FALSE(functions_of(text("281474976710657", "0"), all));
  CHECK(functions_of(text("281474976710657", "0"), {-32767, 32767}));
  CHECK_FALSE(functions_of(text("281474976710656", "-1"), all));
  CHECK(functions_of(text("281474976710656", "1"), all));
  const auto scaled = [](const std::string& scale) {
    return chain_text(clamped_chain(" f = f32[65536,2] convert(x)\n cs = f32[] constant(" + scale +
                                        ")\n s = f32[65536,2] broadcast(cs), dimensions={}\n"
                                        " p = f32[65536,2] multiply(f, s)\n"
                                        " q = f32[65536,2] floor(p)",
                                    "f32"));
  };
  CHECK(functions_of(scaled("1e34"), all));
  CHECK_FALSE(functions_of(scaled("2e34"), all));
}

TEST_CASE("more thresholds than may be evaluated are none", "[transforms]") {
  const std::string text =
      chain_text(clamped_chain(kScaledFloats + " q = f32[65536,2] round-nearest-even(p)", "f32"));
  Module module = module_from(text);
  std::optional<transforms::IntegerRanges> ranges;
  bool all = false, fewer = true;
  const transforms::Rule rule = [&](transforms::Rewriter& r, const hlo::Instruction& i) {
    if (!ranges) ranges.emplace(r);
    if (i.opcode != Opcode::kConvert || i.shape.element_type != hlo::PrimitiveType::kS8)
      return hlo::kNone;
    const auto chain = transforms::monotone_chain(r, i, *ranges);
    REQUIRE(chain);
    const std::vector<Range> both(2, chain->range);
    // 255 steps a channel.
    all = transforms::step_functions(r, *chain, both, 2 * 8 * 256).has_value();
    fewer = transforms::step_functions(r, *chain, both, 2 * 8 * 256 - 1).has_value();
    return hlo::kNone;
  };
  REQUIRE(transforms::Rewriter(module, module.entry, rule).run().ok());
  CHECK(all);
  CHECK_FALSE(fewer);
}

}  // namespace hlocc::tests
