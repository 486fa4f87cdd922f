// Completions for bash, zsh and fish.
#include <CLI/CLI.hpp>
#include <ranges>
#include <set>

#include "driver/cli/command_pages.h"
#include "driver/cli/page_flags.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// Words as one argument of compgen's.
std::string quoted(const Strings& words) { return cat("'", join(words, " "), "'"); }

// In zsh's _arguments an item's brackets and colons, and the quotes around it, are special.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (char c : text)
    out += c == '\''                                       ? "'\\''"
           : c == '[' || c == ']' || c == ':' || c == '\\' ? cat("\\", std::string(1, c))
                                                           : std::string(1, c);
  return out;
}

}  // namespace

std::string bash_completion(const CLI::App& app) {
  Strings verbs;
  std::string flags, values;
  std::set<std::string> seen;
  for (const CLI::App* verb : page_verbs(app)) {
    verbs.push_back(verb->get_name());
    const std::vector<PageFlag> all = flags_of(*verb);
    flags += cat("    ", verb->get_name(), ") flags=", quoted(names_of(all)), " ;;\n");
    for (const PageFlag& flag : all) {
      const Strings list = flag.values();
      if (!list.empty() && seen.insert(flag.names.back()).second)
        values += cat("    ", flag.names.back(), ") COMPREPLY=($(compgen -W ", quoted(list),
                      " -- \"$word\")); return ;;\n");
    }
  }
  return cat(
      "# Completion of hlocc for bash, made from its command line.\n_hlocc() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb= flags= i\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    case ${COMP_WORDS[i]} in -*) ;; *) verb=${COMP_WORDS[i]}; break ;; esac\n  done\n"
      "  if [ -z \"$verb\" ]; then\n    COMPREPLY=($(compgen -W ",
      quoted(verbs), " -- \"$word\")\n      $(compgen -W ", quoted(names_of(flags_of(app))),
      " -- \"$word\"))\n    return\n  fi\n  case $before in\n", values, "  esac\n  case $verb in\n",
      flags,
      "  esac\n  case $word in\n    -*) COMPREPLY=($(compgen -W \"$flags\" -- \"$word\")) ; return "
      ";;\n  esac\n"
      "  case $verb in\n    targets) COMPREPLY=($(compgen -W ",
      quoted(target_names()),
      " -- \"$word\")) ;;\n"
      "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n  esac\n}\ncomplete -o filenames -F "
      "_hlocc hlocc\n");
}

std::string zsh_completion(const CLI::App& app) {
  std::string verbs, cases;
  for (const CLI::App* verb : page_verbs(app)) {
    verbs += cat("    '", verb->get_name(), ":", zsh_text(verb->get_description()), "'\n");
    cases += cat("    ", verb->get_name(), ")\n      _arguments");
    for (const PageFlag& flag : flags_of(*verb))
      for (const std::string& name : flag.names) {
        const Strings list = flag.values();
        cases +=
            cat(" \\\n        '*", name, "[", zsh_text(flag.what), "]",
                !flag.takes_value ? ""
                                  : cat(":", zsh_text(flag.value), ":",
                                        list.empty() ? "_files" : cat("(", join(list, " "), ")")),
                "'");
      }
    const std::string operands = verb->get_name() == "targets"
                                     ? cat("target:(", join(target_names(), " "), ")")
                                     : "file:_files";
    cases += cat(" \\\n        '*:", operands, "' ;;\n");
  }
  return cat(
      "#compdef hlocc\n# Completion of hlocc for zsh, made from its command line.\nlocal -a "
      "verbs\nverbs=(\n",
      verbs,
      ")\nif (( CURRENT == 2 )); then\n  _describe verb verbs\nelse\n  local verb=$words[2]\n  "
      "shift words\n  (( CURRENT-- ))\n  case $verb in\n",
      cases, "  esac\nfi\n");
}

namespace {

// Between single quotes, as fish has them.
std::string fish_text(const std::string& text) {
  std::string out = "'";
  for (const char c : text)
    out += c == '\'' || c == '\\' ? cat("\\", std::string(1, c)) : std::string(1, c);
  return out + "'";
}

// -l output -s o, and what stands behind it: one of a list, a file, or nothing.
std::string fish_flag(const PageFlag& flag) {
  std::string out;
  for (const std::string& name : std::views::reverse(flag.names))
    out += name.starts_with("--") ? cat(" -l ", name.substr(2)) : cat(" -s ", name.substr(1));
  if (const Strings list = flag.values(); !list.empty())
    out += cat(" -x -a ", fish_text(join(list, " ")));
  else if (flag.takes_value)
    out += " -r -F";
  return cat(out, " -d ", fish_text(flag.what), "\n");
}

}  // namespace

std::string fish_completion(const CLI::App& app) {
  std::string out =
      "# Completion of hlocc for fish, made from its command line.\ncomplete -c hlocc -f\n";
  for (const PageFlag& flag : flags_of(app))
    out += cat("complete -c hlocc -n __fish_use_subcommand", fish_flag(flag));
  for (const CLI::App* verb : page_verbs(app)) {
    const std::string name = verb->get_name();
    out += cat("complete -c hlocc -n __fish_use_subcommand -a ", name, " -d ",
               fish_text(verb->get_description()), "\n");
    const std::string seen =
        cat("complete -c hlocc -n ", fish_text("__fish_seen_subcommand_from " + name));
    for (const PageFlag& flag : flags_of(*verb)) out += cat(seen, fish_flag(flag));
    out += cat(seen, name == "targets" ? cat(" -a ", fish_text(join(target_names(), " "))) : " -F",
               "\n");
  }
  return out;
}

}  // namespace hlocc::driver
