// What a child process does with one case of `verify --target`: compiles it, so that it may crash,
// and later compares what the program wrote.
#pragma once
#include <string>

#include "driver/verify/ahead.h"
#include "driver/verify/main.h"
#include "driver/verify/rules.h"
#include "driver/verify/verdict.h"
#include "target/target.h"

namespace hlocc::driver {

struct CompiledCase {
  BatchCase facts;
  int64_t flash_bytes = 0, ram_bytes = 0;
};

// Compiles a case (with `options.stream` once more for rows that are pushed), and writes its
// files and its input into the folder. Gives the facts of it as text.
Result<std::string> compile_case(const Case& one, BatchCase facts, Target target,
                                 const AheadOptions& options, const std::string& folder);
CompiledCase read_facts(int number, const std::string& text);

// What differs, and the digest of the results.
Result<CaseOutcome> compare_case(const Case& one, const BatchCase& facts, const Target& target,
                                 const std::string& folder, bool guard);

}  // namespace hlocc::driver
