// See less_ram.h.
#include "fuzz/less_ram.h"

#include <sys/resource.h>

#include "driver/pipeline/pipeline.h"
#include "driver/run/execute.h"
#include "driver/verify/child.h"
#include "interpreter/interpreter.h"
#include "ops/check/verifier.h"
#include "package/names.h"
#include "planning/execute.h"
#include "support/text.h"

namespace hlocc::fuzz {
namespace {

using driver::Planned;
using Bytes = std::vector<std::byte>;

std::string outcome(Outcome outcome, const std::string& what) {
  return static_cast<char>('0' + static_cast<int>(outcome)) + what;
}
std::string failed(const Diagnostic& diagnostic, const std::string& who) {
  return outcome(
      diagnostic.kind == DiagnosticKind::kUnsupported ? Outcome::kUnsupported : Outcome::kFailed,
      cat(who, ": ", diagnostic.message));
}

Bytes bytes_of(const Literal& literal) { return {literal.bytes().begin(), literal.bytes().end()}; }

class LessRam {
 public:
  LessRam(const Program& program, uint64_t seed) : program_(program), random_(seed) {}

  std::string run() {
    if (Status valid = ops::verify(program_.module); !valid)
      return outcome(Outcome::kInvalid, valid.error().message);
    const Result<Literal> expected = interpreter::run(program_.module, program_.arguments);
    if (!expected) return failed(expected.error(), "interpreter");
    expected_ = leaves(*expected);
    static const std::vector<std::string> boards = {"cortex-m4f", "cortex-m0", "cortex-m55",
                                                    "rv32imc", "cortex-a53"};
    target_ = *preset(random_.of(boards));
    target_.options.stem = "fuzz";
    target_.options.winograd = false;
    target_.options.keep_arguments = random_.chance(20);
    for (const bool less : {false, true})
      if (std::string what = here(less); !what.empty()) return what;
    if (std::string what = on_the_board(); !what.empty()) return what;
    return outcome(Outcome::kAgree, "");
  }

 private:
  // Winograd's form rounds.
  std::string here(bool less) {
    const std::string who = less ? "here with --optimize=ram" : "here";
    Options options;
    options.optimize_ram = less;
    options.winograd = false;
    const Result<Literal> got =
        driver::execute(program_.module, program_.arguments, driver::default_way(), options);
    if (!got) return failed(got.error(), who);
    std::vector<Bytes> results;
    for (const Literal& leaf : leaves(*got)) results.push_back(bytes_of(leaf));
    return differences(results, who);
  }

  std::string on_the_board() {
    int64_t plain = 0, least = 0;
    if (std::string what = planned("", plain); !what.empty()) return what;
    target_.options.optimize_ram = true;
    if (std::string what = planned(" --optimize=ram", least); !what.empty()) return what;
    if (least > plain)
      return outcome(Outcome::kDiffer, cat(target_.name, " takes ", least,
                                           " bytes with "
                                           "--optimize=ram and ",
                                           plain, " without"));
    target_.options.optimize_ram = false;
    target_.options.ram_budget = random_.between(least, plain);
    int64_t kept = 0;
    const std::string flag = cat(" --ram-budget ", target_.options.ram_budget);
    if (std::string what = planned(flag, kept); !what.empty()) return what;
    if (kept > target_.options.ram_budget)
      return outcome(Outcome::kDiffer, cat(target_.name, flag, " takes ", kept, " bytes"));
    return {};
  }

  // Evaluates the plan; `ram`: arena and instance.
  std::string planned(const std::string& flag, int64_t& ram) {
    const std::string who =
        cat(target_.name, flag, target_.options.keep_arguments ? " --keep-arguments" : "");
    const auto signature = package::make_signature(program_.module, target_.options);
    if (!signature) return failed(signature.error(), who);
    const Result<Planned> made = driver::plan_module(program_.module, *signature, target_, {});
    if (!made) return failed(made.error(), who);
    ram = driver::ram_of(*made, target_);
    std::vector<Bytes> arguments;
    for (const Literal& argument : program_.arguments)
      for (const Literal& leaf : leaves(argument)) arguments.push_back(bytes_of(leaf));
    const auto results = planning::execute(made->program, made->plan, arguments, nullptr,
                                           {.callers_arguments = random_.chance(30)});
    if (!results) return failed(results.error(), who);
    return differences(*results, who);
  }

  std::string differences(const std::vector<Bytes>& got, const std::string& who) const {
    if (got.size() != expected_.size()) return outcome(Outcome::kDiffer, cat(who, ": results"));
    for (size_t leaf = 0; leaf < got.size(); ++leaf) {
      const Bytes should = bytes_of(expected_[leaf]);
      if (got[leaf] == should) continue;
      size_t bad = 0;
      for (size_t i = 0; i < std::min(should.size(), got[leaf].size()); ++i)
        bad += got[leaf][i] != should[i];
      return outcome(Outcome::kDiffer,
                     cat(who, ": result ", leaf, ", ", bad, " of ", should.size(), " bytes"));
    }
    return {};
  }

  const Program& program_;
  Random random_;
  std::vector<Literal> expected_;
  Target target_;
};

}  // namespace

Finding check_less_ram(const Program& program, uint64_t seed, double seconds) {
  const auto limited = [&] {
    const rlim_t most = static_cast<rlim_t>(seconds);
    const rlimit limit = {most, most + 1};
    ::setrlimit(RLIMIT_CPU, &limit);
    return LessRam(program, seed).run();
  };
  const driver::ChildOutcome child = driver::run_in_child(limited, 60 * seconds);
  if (child.finished && !child.output.empty())
    return {static_cast<Outcome>(child.output[0] - '0'), child.output.substr(1)};
  return {Outcome::kFailed, cat(child.failure, " ", child.errors.substr(0, 400))};
}

}  // namespace hlocc::fuzz
