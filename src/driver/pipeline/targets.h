// From --target, --cpu, --features, --float-abi and --backend to the complete Target that the
// pipeline works for.
#pragma once
#include <set>

#include "driver/cli/command_line.h"
#include "package/file_set.h"
#include "target/target.h"

namespace hlocc::driver {

// A preset, `host`, or any LLVM triple; the row is complete.
Result<Target> find_target(const std::string& name);

// The target of that name with the command line's changes and options; `assumed` says what was
// guessed.
Result<Target> resolve_target(const std::string& name, const CommandLine& line);

// The header, and a library or C as the target's backend makes it.
std::set<package::Emit> default_files(const Target& target);
// What --emit asks for; without it the default.
std::set<package::Emit> emitted_files(const CommandLine& line, const Target& target);

}  // namespace hlocc::driver
