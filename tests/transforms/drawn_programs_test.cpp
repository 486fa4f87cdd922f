// Drawn programs (picked/drawn.h) through the passes that they are drawn for, the interpreter
// before and after. What becomes of them is a digest.
#include "interpreter/interpreter.h"
#include "picked/drawn.h"
#include "picked/picked.h"
#include "support/digests.h"
#include "support/text.h"
#include "transforms/integers/integer_ranges.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

// How many of the programs the passes take. The interpreter may refuse arguments: a slice may be
// larger than a run-time size.
int keep_their_meaning(const std::string& kind, uint64_t count, const std::vector<Pass>& passes) {
  int taken = 0;
  const Target target = *preset("cortex-m4f");
  for (uint64_t seed = 0; seed < count; ++seed) {
    const std::string text = drawn_text(kind, seed);
    INFO(kind << " " << seed << "\n" << text);
    const Result<Module> before = parsed(text);
    if (!before) continue;
    Module tried = *before;
    Status status;
    for (Pass pass : passes)
      if (status) status = pass(tried, {target});
    if (!status) add_digest("fits", 1, status.error().to_string());
    if (!status) continue;
    ++taken;
    const Module made = after(*before, passes);
    for (uint32_t draw = 1; draw <= 3; ++draw) {
      const std::vector<Literal> arguments = random_arguments(*before, draw);
      const Result<Literal> expected = interpreter::run(*before, arguments);
      if (!expected) continue;
      const Result<Literal> got = interpreter::run(made, arguments);
      REQUIRE(got.ok());
      const std::vector<Literal> wanted = hlo::leaves(*expected), found = hlo::leaves(*got);
      for (size_t i = 0; i < wanted.size(); ++i) {
        const hlo::Comparison comparison = hlo::compare_leaf(found[i], wanted[i], {.bits = true});
        INFO("result " << i << ": " << comparison.first);
        CHECK(comparison.ok);
      }
    }
  }
  return taken;
}

__int128 number_at(const Literal& literal, int64_t at) {
  const std::byte* const from = literal.bytes().data();
  const auto read = [&]<typename T>(T) { return __int128{reinterpret_cast<const T*>(from)[at]}; };
  const bool sign = hlo::is_signed(literal.type());
  switch (hlo::storage_bytes(literal.type())) {
    case 1: return sign ? read(int8_t{}) : read(uint8_t{});
    case 2: return sign ? read(int16_t{}) : read(uint16_t{});
    case 4: return sign ? read(int32_t{}) : read(uint32_t{});
    default: return sign ? read(int64_t{}) : read(uint64_t{});
  }
}

}  // namespace

TEST_CASE("most drawn programs are valid ones", "[transforms]") {
  for (const char* const kind : drawn_kinds()) {
    int valid = 0;
    for (uint64_t seed = 0; seed < 40; ++seed) valid += parsed(drawn_text(kind, seed)).ok();
    INFO(kind << ": " << valid);
    CHECK(valid >= 20);
  }
}

TEST_CASE("drawn programs of run-time sizes mean the same with plain sizes", "[transforms]") {
  CHECK(keep_their_meaning("sizes", 400, {transforms::resolve_dynamic_shapes}) > 250);
}

TEST_CASE("drawn roundings mean the same when they are fixed-point numbers", "[transforms]") {
  CHECK(keep_their_meaning("roundings", 1200, {transforms::requantize}) > 800);
}

TEST_CASE("numbers lie in the ranges that are known of them", "[transforms]") {
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const std::string text = drawn_text("ranges", seed);
    INFO("seed " << seed << "\n" << text);
    Result<Module> module = parsed(text);
    if (!module) continue;
    std::vector<transforms::Range> ranges;
    std::string words;
    std::optional<transforms::IntegerRanges> all;
    const transforms::Rule rule = [&](transforms::Rewriter& r, const hlo::Instruction& i) {
      if (!all) all.emplace(r);
      if (i.opcode != Opcode::kTuple) return hlo::kNone;
      for (const hlo::InstructionId id : i.operands) {
        ranges.push_back(all->of(id));
        words += cat(static_cast<int64_t>(ranges.back().low), "..",
                     static_cast<uint64_t>(ranges.back().high), "\n");
      }
      return hlo::kNone;
    };
    Module walked = *module;
    REQUIRE(transforms::Rewriter(walked, walked.entry, rule).run().ok());
    add_digest("fits", ranges.size(), words);
    const Result<Literal> values = interpreter::run(*module, random_arguments(*module, 1));
    REQUIRE(values.ok());
    const std::vector<Literal> results = hlo::leaves(*values);
    REQUIRE(results.size() == ranges.size());
    for (size_t n = 0; n < results.size(); ++n)
      for (int64_t at = 0; at < results[n].element_count(); ++at) {
        const __int128 number = number_at(results[n], at);
        if (!(ranges[n].low <= number && number <= ranges[n].high)) FAIL("result " << n);
      }
  }
}

}  // namespace hlocc::tests
