// A case of `verify` as a C program that runs on hardware of the user's: inputs and expected
// results as constants, compared on the board by hlocc_selftest.h.
#pragma once
#include <string>
#include <vector>

#include "driver/verify/rules.h"
#include "kernel/program.h"
#include "support/result.h"
#include "target/target.h"

namespace hlocc::driver {

// How a result is held against its array: as bytes, or as integers or f32 that may be apart.
struct ResultCheck {
  enum class Kind : uint8_t { kBytes, kIntegers, kF32 };
  size_t result = 0;
  Kind kind = Kind::kBytes;
  int64_t count = 0, element_bytes = 1;  // of elements
  bool is_signed = false;
  int64_t most = 0;           // that integers may be apart
  double rtol = 0, atol = 0;  // of f32
};

// The pieces that such programs are made of.
struct SelftestParts {
  std::string data;    // arrays in0, out0, ... of bytes, as the target's memory has them
  std::string inputs;  // statements: each input is copied to its argument, by copy()
  std::string run;     // statements that set `status`: run, or begin and a push for each row
  std::string checks;  // calls that hold each result against its array
  int count = 0;       // of those
  // The same as values.
  std::vector<std::vector<std::byte>> arguments, expected;
  std::vector<ResultCheck> rules;
  // A sentence for each result that hlocc_selftest.h cannot judge: the type, or the rule.
  std::vector<std::string> unchecked;
};
SelftestParts selftest_parts(const std::vector<hlo::CompareRule>& rules,
                             const import::Snapshot& snapshot, const kernel::Signature& signature,
                             ByteOrder order);
// Declares hlocc_verify_write(context, text, bytes): to a board of hlocc's (HLOCC_VERIFY_BOARD), a
// function of the user's, semihosting or the standard output; and BOARD_BULK.
const char* selftest_output();

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
