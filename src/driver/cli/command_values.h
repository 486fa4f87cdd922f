// From the texts of single flags to values: what the command line and the public function of
// include/hlocc/compile.h both read. Errors are kUsage and name the flag.
#pragma once
#include "driver/cli/command_line.h"

namespace hlocc::driver {

// "2", "s"; empty: as it was.
Status parse_level(const std::string& text, Options& options);
Status parse_float_abi(const std::string& text, FloatAbi& abi);
// "0=mfcc" or "s['gain']=gain", once for each leaf.
Status parse_names(const std::vector<std::string>& requested, const char* flag,
                   std::map<std::string, std::string>& names);
Status parse_emit(const std::vector<std::string>& kinds, CompileFlags& out);
Status parse_shard(const std::string& text, CommandLine& out);
Status check_section(const std::string& flag, const std::string& name);
Status parse_tolerance(const char* flag, const std::string& text, bool is_given,
                       std::optional<double>& out);

}  // namespace hlocc::driver
