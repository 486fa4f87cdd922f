// See differential.h.
#include "fuzz/differential.h"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>

#include "driver/pipeline/pipeline.h"
#include "driver/run/execute.h"
#include "driver/verify/child.h"
#include "driver/verify/rules.h"
#include "fuzz/noise.h"
#include "hlo/small_float.h"
#include "import/writer.h"
#include "interpreter/interpreter.h"
#include "ops/check/verifier.h"
#include "package/names.h"
#include "support/text.h"

namespace hlocc::fuzz {
namespace {

constexpr int kNoisyRuns = 4;
// Results may differ by this multiple of what those runs show.
constexpr double kSlack = 8;

// What noise does to each number of a result: how far it moves, infinite where it comes and goes.
using Spread = std::vector<double>;

double smallest(PrimitiveType type) {
  type = real_type(type);
  if (const hlo::FloatFormat* format = hlo::small_float_format(type))
    return hlo::small_to_float(*format, 1);
  return type == PrimitiveType::kF64 ? 0x1p-1074 : type == PrimitiveType::kF32 ? 0x1p-149 : 0;
}

// One spread a leaf; empty where nothing is inexact.
std::vector<Spread> spreads_of(const Program& program, const std::vector<Literal>& expected) {
  std::vector<Spread> out;
  for (int run = 0; run < kNoisyRuns; ++run) {
    const std::optional<hlo::Module> noisy = with_noise(program.module, static_cast<uint64_t>(run));
    if (!noisy) return {};
    const Result<Literal> result = interpreter::run(*noisy, program.arguments);
    if (!result) return {};
    const std::vector<Literal> shaken = leaves(*result);
    out.resize(expected.size());
    for (size_t leaf = 0; leaf < expected.size(); ++leaf) {
      const std::vector<double> was = numbers(expected[leaf]), is = numbers(shaken[leaf]);
      out[leaf].resize(was.size(), smallest(expected[leaf].type()));
      for (size_t i = 0; i < was.size(); ++i) {
        const bool finite = std::isfinite(was[i]) && std::isfinite(is[i]);
        const double moved = finite ? std::fabs(was[i] - is[i])
                             : was[i] == is[i] || (std::isnan(was[i]) && std::isnan(is[i]))
                                 ? 0
                                 : HUGE_VAL;
        out[leaf][i] = std::max(out[leaf][i], moved);
      }
    }
  }
  // Noise may cancel in an element; where it moves its neighbours, its last place is open too.
  for (size_t leaf = 0; leaf < out.size(); ++leaf) {
    const double least = smallest(expected[leaf].type()),
                 unit = unit_in_last_place(expected[leaf].type());
    const std::vector<double> was = numbers(expected[leaf]);
    if (std::all_of(out[leaf].begin(), out[leaf].end(), [&](double one) { return one <= least; }))
      continue;
    for (size_t i = 0; i < was.size(); ++i)
      if (std::isfinite(was[i])) out[leaf][i] = std::max(out[leaf][i], unit * std::fabs(was[i]));
  }
  // The parts of a complex number share their error.
  for (size_t leaf = 0; leaf < out.size(); ++leaf)
    for (size_t i = 0; is_complex(expected[leaf].type()) && i + 1 < out[leaf].size(); i += 2)
      out[leaf][i] = out[leaf][i + 1] = std::max(out[leaf][i], out[leaf][i + 1]);
  return out;
}

// Same bits, or both NaN.
bool identical(const Literal& got, const Literal& expected) {
  return compare_leaf(got, expected, {.exact = true, .signed_zero = true, .denorm = false}).ok;
}

std::string text_of(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", number);
  return text;
}

std::string beyond(const Literal& got, const Literal& expected, const Spread& spread,
                   bool may_overflow, bool may_underflow) {
  const std::vector<double> is = numbers(got), should = numbers(expected);
  for (size_t i = 0; i < is.size(); ++i) {
    if (is[i] == should[i] || (std::isnan(is[i]) && std::isnan(should[i]))) continue;
    if (may_overflow && !(std::isfinite(is[i]) && std::isfinite(should[i]))) continue;
    if (may_underflow && (is[i] == 0 || should[i] == 0)) continue;
    if (spread[i] == HUGE_VAL || std::fabs(is[i] - should[i]) <= kSlack * spread[i]) continue;
    return cat("number ", i, " got ", text_of(is[i]), " expected ", text_of(should[i]), " +- ",
               text_of(spread[i]));
  }
  return {};
}

std::string differences(const Program& program, const Tolerance& tolerance, const Literal& got,
                        const Literal& expected) {
  const std::vector<Literal> gots = leaves(got), expecteds = leaves(expected);
  std::vector<Spread> spreads;
  bool have_spreads = false;
  for (size_t i = 0; i < gots.size(); ++i) {
    if (identical(gots[i], expecteds[i])) continue;
    const hlo::Comparison exact =
        compare_leaf(gots[i], expecteds[i],
                     tolerance.rule.value_or(
                         hlo::CompareRule{.exact = true, .signed_zero = true, .denorm = false}));
    if (exact.ok) continue;
    std::string what = exact.first;
    if (!tolerance.rule) {
      if (!have_spreads) spreads = spreads_of(program, expecteds);
      have_spreads = true;
      if (!spreads.empty())
        what = beyond(gots[i], expecteds[i], spreads[i], sums_floats(program.module),
                      multiplies_floats(program.module));
      if (what.empty()) continue;
    }
    return cat("result ", i, " ", expecteds[i].shape(), " ", what, " (", exact.bad, " of ",
               exact.elements, ")");
  }
  return {};
}

std::string told(Outcome outcome, const std::string& what) {
  return static_cast<char>('0' + static_cast<int>(outcome)) + what;
}

std::string told(const Diagnostic& diagnostic, std::string_view who) {
  const bool lacks = diagnostic.kind == DiagnosticKind::kUnsupported;
  return told(lacks ? Outcome::kUnsupported : Outcome::kFailed, cat(who, ": ", diagnostic.message));
}

// Lowered, shared and planned for a microcontroller, up to the code: where kernels are shared,
// stages and their verifiers see programs that this machine has not.
Status plan_for_board(const Program& program) {
  static constexpr const char* boards[] = {"cortex-m4f", "cortex-m0", "rv32imc"};
  Target target = *preset(boards[program.module.entry_computation().instructions.size() % 3]);
  target.options.stem = "fuzz";
  HLOCC_TRY_ASSIGN(const kernel::Signature signature,
                   package::make_signature(program.module, target.options));
  HLOCC_TRY_ASSIGN(const driver::Planned planned,
                   driver::plan_module(program.module, signature, target, {}));
  return {};
}

std::string compare_ways(const Program& program, const Tolerance& tolerance) {
  if (Status valid = ops::verify(program.module); !valid)
    return told(Outcome::kInvalid, valid.error().message);
  const Result<Literal> expected = interpreter::run(program.module, program.arguments);
  if (!expected) return told(expected.error(), "interpreter");
  if (tolerance.interpreter_only) return told(Outcome::kAgree, "");
  const Result<Literal> got =
      driver::execute(program.module, program.arguments, tolerance.backend, {});
  if (!got) return told(got.error(), tolerance.backend);
  if (Status planned = plan_for_board(program); !planned) return told(planned.error(), "board");
  const std::string what = differences(program, tolerance, *got, *expected);
  return told(what.empty() ? Outcome::kAgree : Outcome::kDiffer, what);
}

}  // namespace

Finding check(const Program& program, const Tolerance& tolerance, double seconds) {
  // Seconds of the processor; what waits for ever is ended by the clock.
  const auto limited = [&] {
    const rlim_t most = static_cast<rlim_t>(seconds);
    const rlimit limit = {most, most + 1};
    ::setrlimit(RLIMIT_CPU, &limit);
    return compare_ways(program, tolerance);
  };
  const driver::ChildOutcome child = driver::run_in_child(limited, 60 * seconds);
  if (child.finished && !child.output.empty())
    return {static_cast<Outcome>(child.output[0] - '0'), child.output.substr(1)};
  return {Outcome::kFailed, cat(child.failure, " ", child.errors.substr(0, 400))};
}

std::vector<Program> split(const Program& program) {
  std::vector<Program> out;
  const Id root = program.module.entry_computation().root;
  const size_t results = program.module.entry_result.tuple.size();
  for (size_t i = 0; i < results; ++i) {
    Program one = program;
    hlo::Module& module = one.module;
    Computation& entry = module.entry_computation();
    entry[root].operands = {entry[root].operands[i]};
    entry[root].shape.tuple = {entry[root].shape.tuple[i]};
    module.entry_result.tuple = {module.entry_result.tuple[i]};
    module.aliases.clear();
    hlo::compact(module);
    out.push_back(std::move(one));
  }
  return out;
}

namespace {

hlo::CompareRule rule_of(const Literal& expected, const Spread* spread) {
  hlo::CompareRule rule{.exact = spread == nullptr};
  if (!spread) return rule;
  double most = 0, unstable = 0;
  for (double one : *spread) {
    if (one == HUGE_VAL)
      ++unstable;
    else
      most = std::max(most, one);
  }
  const bool rounded = is_float(expected.type()) || is_complex(expected.type());
  rule.rtol = rounded ? kSlack * unit_in_last_place(expected.type()) : 0;
  rule.atol = kSlack * most;
  rule.mismatch_frac = spread->empty() ? 0 : unstable / static_cast<double>(spread->size());
  return rule;
}

std::string text_of(const hlo::CompareRule& rule) {
  if (rule.exact) return "{\"exact\": true}";
  return cat("{\"rtol\": ", text_of(rule.rtol), ", \"atol\": ", text_of(rule.atol),
             ", \"mismatch_frac\": ", text_of(rule.mismatch_frac), "}");
}

std::vector<hlo::CompareRule> rules_of(const Program& program, const Literal& expected) {
  const std::vector<Literal> results = leaves(expected);
  const std::vector<Spread> spreads = spreads_of(program, results);
  std::vector<hlo::CompareRule> rules;
  for (size_t i = 0; i < results.size(); ++i)
    rules.push_back(rule_of(results[i], spreads.empty() ? nullptr : &spreads[i]));
  return rules;
}

// The rules are coarser than check(): where even the JIT breaks them, they say nothing of others,
// and an infinity that went into a sum may be NaN in another order.
bool keeps_rules(const Program& program, const Literal& expected,
                 const std::vector<hlo::CompareRule>& rules) {
  if (sums_floats(program.module))
    for (const Literal& leaf : leaves(expected))
      for (const double number : numbers(leaf))
        if (!std::isfinite(number)) return false;
  const Result<Literal> got = driver::execute(program.module, program.arguments, "cpu", {});
  return got.ok() && driver::compare_results(*got, expected, rules).empty();
}

}  // namespace

bool write_case(const Program& program, const std::string& folder, const std::string& name,
                bool only_steady) {
  const auto write = [&](std::string& bytes) -> std::string {
    const Result<Literal> expected = interpreter::run(program.module, program.arguments);
    if (!expected) return {};
    const std::vector<std::byte> snapshot =
        import::write_snapshot(program.module, {program.arguments, *expected});
    const std::vector<hlo::CompareRule> rules = rules_of(program, *expected);
    if (only_steady && !keeps_rules(program, *expected, rules)) return "done";
    bytes = "{\"tolerance\": [";
    for (size_t i = 0; i < rules.size(); ++i) bytes += cat(i ? ", " : "", text_of(rules[i]));
    std::filesystem::create_directories(folder);
    std::ofstream(cat(folder, "/", name, ".snapshot.pb"), std::ios::binary)
        .write(reinterpret_cast<const char*>(snapshot.data()),
               static_cast<std::streamsize>(snapshot.size()));
    std::ofstream(cat(folder, "/", name, ".json")) << bytes << "]}\n";
    return "done";
  };
  const driver::ChildOutcome child = driver::run_in_child(
      [&] {
        std::string rules;
        return write(rules);
      },
      3600);
  if (child.output == "done") return true;
  // The interpreter dies of it: a snapshot with an empty result still shows the module.
  const std::vector<std::byte> module =
      import::write_snapshot(program.module, {program.arguments, {}});
  std::filesystem::create_directories(folder);
  std::ofstream(cat(folder, "/", name, ".snapshot.pb"), std::ios::binary)
      .write(reinterpret_cast<const char*>(module.data()),
             static_cast<std::streamsize>(module.size()));
  return false;
}

}  // namespace hlocc::fuzz
