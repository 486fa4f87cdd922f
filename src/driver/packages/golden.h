// The test that a package brings: a model's arguments and what the interpreter, or the snapshot,
// has for results, as arrays of C for each order of bytes.
#pragma once
#include <string>
#include <vector>

#include "driver/cli/command_line.h"
#include "driver/packages/spec.h"
#include "driver/verify/selftest_source.h"
#include "import/reader.h"
#include "support/result.h"

namespace hlocc::driver {

struct GoldenTest {
  SelftestParts little, big;
  std::vector<kernel::Leaf> arguments, results;
};

// The values are the snapshot's, those of --input and --expect, or drawn ones. Errors: as
// `snapshot` has them.
Result<GoldenTest> golden_test(const CommandLine& line, const PackageModel& model,
                               const import::Imported& imported);

}  // namespace hlocc::driver
