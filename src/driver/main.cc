// The program hlocc: parses the command line, hands it to its verb, turns what comes back into an
// exit code.
#include <cstdio>

#include "driver/command_line.h"
#include "driver/report.h"
#include "driver/verbs.h"

int main(int argc, char** argv) {
  using namespace hlocc::driver;
  const bool json = wants_json(argc, argv);
  hlocc::Result<CommandLine> line = parse_command_line(argc, argv);
  if (!line) return report(line.error(), json);
  if (!line->answer.empty()) return std::fputs(line->answer.c_str(), stdout) < 0;
  hlocc::Result<int> outcome = run_verb(*line);
  return outcome ? *outcome : report(locate_in_config(outcome.error(), line->config), json);
}
