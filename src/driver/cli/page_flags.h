// Verbs and flags of the tree as the man page and the completions need them.
#pragma once
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace hlocc::driver {

using Strings = std::vector<std::string>;

struct PageFlag {
  Strings names;  // --target; -O
  std::string value, what;
  bool takes_value = false;

  // What may stand for the value, where that is one of a list.
  Strings values() const;
};

std::vector<const CLI::App*> page_verbs(const CLI::App& app);
std::vector<PageFlag> flags_of(const CLI::App& app);
// What stands behind the verb: " MODEL...", " [CHIP]".
std::string operand_words(const CLI::App& verb);
// All names of all flags.
Strings names_of(const std::vector<PageFlag>& flags);
// What stands behind --target and `hlocc targets`, as far as there is a list.
Strings target_names();

}  // namespace hlocc::driver
