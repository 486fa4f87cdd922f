// What a package is to hold, read off the command line and checked before anything is compiled.
#pragma once
#include <string>
#include <vector>

#include "driver/cli/command_line.h"
#include "driver/packages/formats.h"
#include "kernel/program.h"
#include "target/core_facts.h"

namespace hlocc::driver {

struct PackageModel {
  std::string path;
  kernel::Signature names;  // without leaves
};

struct PackageTarget {
  Target target;
  CoreNeeds core;
  std::string id;         // the name as a C identifier
  std::string condition;  // of the preprocessor: this target's library is the one to take
};

struct PackageSpec {
  const PackageFormat* format = nullptr;
  kernel::Signature names;  // the package's: of --name, or those of its one model
  std::vector<PackageModel> models;
  // Those that ask more of a core stand before those that ask less, so that the first whose
  // condition holds is the best.
  std::vector<PackageTarget> targets;
};

// What a package says of itself, and by which a folder is known to hold one.
inline constexpr const char* kPackageManifest = "hlocc_package.json";

// Errors: kUsage for formats that there are not, names that would meet, versions and addresses that
// are none, a folder that holds something else; kTarget for targets that the format has no place
// for, and for those that no compiler tells apart.
Result<PackageSpec> read_package(const CommandLine& line);

// The command line of one model's compile.
CommandLine compile_line(const CommandLine& line, const PackageModel& model);

}  // namespace hlocc::driver
