// The first stage, for every verb: a file, or standard input, becomes a module that keeps the rules
// of HLO.
#pragma once
#include "driver/cli/command_line.h"
#include "import/reader.h"

namespace hlocc::driver {

// `sha256`, where given, becomes the hash of the bytes.
Result<import::Imported> load_model(const std::string& path,
                                    import::Constants constants = import::Constants::kNeeded,
                                    std::string* sha256 = nullptr,
                                    const import::Choices& choices = {});

// An error that has no place, and is none of the command line's, is the model's.
Diagnostic located_in(const std::string& path, Diagnostic why);

// --arg and --result of the command line, for this module, into the options.
Status name_leaves(const hlo::Module& module, const CommandLine& line, Options& options);

}  // namespace hlocc::driver
