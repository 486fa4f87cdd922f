// The manual page, the page of flags and the completions of shells, made from the tree that parses
// the command line, so that they never tell of another one.
#pragma once
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace hlocc::driver {

// roff for hlocc(1), by man's macros.
std::string man_page(const CLI::App& app);
// For /usr/share/bash-completion/completions, zsh's site-functions and fish's vendor_completions.d:
// verbs, flags of a verb, and the values of those flags that take one of a list.
std::string bash_completion(const CLI::App& app);
std::string zsh_completion(const CLI::App& app);
std::string fish_completion(const CLI::App& app);

// docs/flags.md: operands, flags and examples of each verb.
std::string markdown_page(const CLI::App& app);

// The page of that kind (man, bash, zsh, fish, markdown) for the whole command line; empty for
// another kind.
std::string command_page(std::string_view kind);

}  // namespace hlocc::driver
