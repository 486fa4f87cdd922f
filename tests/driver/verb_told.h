// A verb of the command line run inside the test: its exit code, and what it wrote.
#pragma once
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "driver/captured_output.h"
#include "driver/cli/command_line.h"
#include "driver/cli/report.h"
#include "driver/cli/verbs.h"
#include "support/text.h"

namespace hlocc::driver {

struct Told {
  int code = 0;
  std::string out, errors;

  // The first line of `out` that begins so, or "none".
  std::string line(const std::string& begin) const {
    for (const std::string& one : split(out, '\n'))
      if (one.starts_with(begin)) return one;
    return "none";
  }
};

// `words` behind "hlocc", at blanks.
inline Told told_by(const std::string& words) {
  const std::vector<std::string> all = split("hlocc " + words, ' ');
  std::vector<const char*> raw;
  for (const std::string& word : all) raw.push_back(word.c_str());
  Told told;
  const tests::CapturedOutput out(stdout), errors(stderr);
  const Result<CommandLine> line = parse_command_line(static_cast<int>(raw.size()), raw.data());
  if (!line) {
    told.code = report(line.error(), false);
  } else {
    const Result<int> outcome = run_verb(*line);
    told.code = outcome ? *outcome : report(outcome.error(), line->json);
  }
  told.out = out.text();
  told.errors = errors.text();
  return told;
}

// A verb by its own function.
struct VerbCall {
  int code = -1;  // -1: it failed
  std::string output, error;
};
inline VerbCall call_of(Result<int> (*verb)(const CommandLine&), const CommandLine& line) {
  VerbCall out;
  const tests::CapturedOutput captured(stdout);
  const Result<int> code = verb(line);
  if (code.ok())
    out.code = *code;
  else
    out.error = code.error().message;
  out.output = captured.text();
  return out;
}

}  // namespace hlocc::driver
