// The command line: parses it, hands it to its verb, turns what comes back into an exit code. The
// program (launch.cc) and the shared library have it both.
#include "driver/cli/command_line.h"
#include "driver/cli/output.h"
#include "driver/cli/report.h"
#include "driver/cli/verbs.h"
#include "hlocc/c_api.h"
#include "hlocc_commit.h"
#include "support/lost_exceptions.h"
#include "support/out_of_memory.h"
#ifdef HLOCC_LLVM
#include "backends/llvm/object/no_memory.h"
#endif

namespace hlocc::driver {
namespace {

int run(int argc, char** argv, bool json) {
  Result<CommandLine> line = parse_command_line(argc, argv);
  if (!line) return report(line.error(), json);
  line->tool = hlocc_version();
  if (line->asks_for_version) {
    print_program(line->tool + "\n");
    return kExitDone;
  }
  if (!line->answer.empty()) {
    print_program(line->answer);
    return kExitDone;
  }
  Result<int> outcome = run_verb(*line);
  return outcome ? *outcome : report(locate_in_config(outcome.error(), line->config), json);
}

}  // namespace
}  // namespace hlocc::driver

const char* hlocc_version() {
  static const std::string text = hlocc::driver::version_line(HLOCC_COMMIT, HLOCC_LLVM_VERSION);
  return text.c_str();
}

int hlocc_main(int argc, char** argv) {
  using namespace hlocc::driver;
  hlocc::end_at_lost_exceptions();
  hlocc::end_when_out_of_memory();
#ifdef HLOCC_LLVM
  hlocc::backends::end_llvm_when_out_of_memory();
#endif
  const bool json = wants_json(argc, argv);
  return finish_output(run(argc, argv, json), json);
}
