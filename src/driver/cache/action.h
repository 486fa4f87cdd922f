// What a compile depends on, as one key, and what it came to, as a record that names its files by
// their content.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/pipeline/compile_target.h"
#include "support/result.h"

namespace hlocc::driver {

// Why the outcome of this command line for this target is not kept: it depends on what no key can
// name (a plug-in, standard input), or it is not all in files (--print-after). Empty: it is kept.
std::string why_not_kept(const CommandLine& line, const Target& target);

// The files beside the model whose content becomes part of what is compiled: those that flags name,
// and those that a model names.
std::vector<std::string> files_beside_model(const CommandLine& line);

// Digests of files, each read once.
class FileDigests {
 public:
  Result<std::string> of(const std::string& path);
  // Of the model and of the files beside it that it names: a line each.
  Result<std::string> of_model(const std::string& path);

 private:
  std::map<std::string, std::string> known_, models_;
};

// The SHA-256 of everything that the files depend on: the model's bytes and those of the files
// that flags and the model name, the target, every flag but those about this run (-o, -q, ...),
// and the tool. Errors: kFile, kEnvironment for files that cannot be read.
Result<std::string> action_key(const CommandLine& line, const Target& target, FileDigests& digests);

// Texts of one outcome; files are named by the SHA-256 of their bytes, in order.
std::string record_of(const CompiledTarget& made, const std::vector<std::string>& digests,
                      const std::string& key);
struct Record {
  CompiledTarget made;  // whose files have names, and no bytes yet
  std::vector<std::string> digests;
};
// Nothing if the text is torn, or is no record, or that of another key.
std::optional<Record> read_record(std::string_view text, const std::string& key);

}  // namespace hlocc::driver
