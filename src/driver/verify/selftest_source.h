// A case of `verify` as a C program that runs on hardware of the user's: inputs and expected
// results as constants, compared on the board by hlocc_selftest.h.
#pragma once
#include <string>

#include "driver/verify/rules.h"
#include "kernel/program.h"
#include "support/result.h"
#include "target/target.h"

namespace hlocc::driver {

struct SelftestSource {
  std::string text;   // of selftest.c
  std::string title;  // what the program calls the test: the case and a hash of what it compares
  int checks = 0;     // that pass if all is right
};
// Error: kUnsupported where a result's type or rule is none that hlocc_selftest.h knows.
Result<SelftestSource> write_selftest(const Case& one, const import::Imported& imported,
                                      const kernel::Signature& signature, const Target& target);

// What a board's output says of the test `title`, which must pass `checks` checks; empty: it
// passed.
std::string read_selftest(const std::string& output, const std::string& title, int checks);

}  // namespace hlocc::driver
