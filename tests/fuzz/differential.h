// One program, two ways: the interpreter says what is right, the code generator is held against it.
#pragma once
#include <string>

#include "fuzz/builder.h"
#include "hlo/compare.h"

namespace hlocc::fuzz {

enum class Outcome : uint8_t {
  kAgree,
  kInvalid,      // the verifier refuses what the generator made
  kUnsupported,  // a diagnostic says that hlocc lacks something
  kDiffer,
  kFailed,  // crash, hang, or any other diagnostic
};

struct Finding {
  Outcome outcome = Outcome::kAgree;
  std::string what;
};

// In what units results may differ.
struct Tolerance {
  // No value: as far as noise on inexact operations carries the result (see noise.h).
  std::optional<hlo::CompareRule> rule;
  // Only the interpreter: does it run at all?
  bool interpreter_only = false;
  // What is held against it, by its name in `hlocc backends`.
  std::string backend = "cpu";
};

// In a child process, which a crash ends and which may take `seconds`.
Finding check(const Program& program, const Tolerance& tolerance, double seconds);

// One program a result of the entry.
std::vector<Program> split(const Program& program);

// Writes NAME.snapshot.pb with the interpreter's results and NAME.json with what may differ, for
// `hlocc verify`. False where the interpreter gives no result. `only_steady`: not where a result
// hangs on roundings so much that even code for this machine would not pass.
bool write_case(const Program& program, const std::string& folder, const std::string& name,
                bool only_steady = false);

}  // namespace hlocc::fuzz
