// --config FILE.json: the flags of `hlocc compile` as a file that lies beside the model. A key is a
// flag's name without dashes; `docs/schemas/config.schema.json` describes the file for editors.
//
//   { "name": "acme::Kws", "target": "cortex-m4f", "O": "s", "arg": {"0": "mfcc"} }
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "support/result.h"

namespace CLI {
class App;
}

namespace hlocc::driver {

// One value as it would stand on the command line, and where it stands in the file.
struct ConfigValue {
  std::string flag;   // --target, -O
  std::string value;  // empty: the flag takes none
  Location where;

  // One word for CLI11: --target=cortex-m4f, -Os, --keep-arguments.
  std::string word() const;
};

// Whether a key is a flag about one run of the tool and not about the model: no file has it.
bool is_about_one_run(std::string_view key);

// `text` is the file's content; `verb` says which flags there are and what they take. Errors are
// located: kFormat for what is no JSON, kUsage for what is no flag or no value of it.
Result<std::vector<ConfigValue>> read_config(std::string_view text, const std::string& file,
                                             const CLI::App& verb);

// The keys of such a file, in the order of `verb`'s flags.
std::vector<std::string> config_keys(const CLI::App& verb);

// A diagnostic about a flag or its value, with the line of the file that it came from; as it was if
// it is about something else.
Diagnostic locate_in_config(Diagnostic diagnostic, const std::vector<ConfigValue>& values);

}  // namespace hlocc::driver
