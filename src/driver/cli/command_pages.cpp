// See command_pages.h.
#include "driver/cli/command_pages.h"

#include <CLI/CLI.hpp>

#include "driver/cli/command_tree.h"
#include "driver/pipeline/backend_table.h"
#include "package/file_set.h"
#include "package/version.h"
#include "support/text.h"
#include "target/chips.h"

namespace hlocc::driver {
namespace {

using Strings = std::vector<std::string>;

std::vector<const CLI::App*> verbs_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

// What stands behind --target and `hlocc targets`, as far as there is a list.
Strings target_names() {
  Strings out = preset_names();
  for (std::string& chip : chip_names()) out.push_back(std::move(chip));
  return out;
}

struct PageFlag {
  Strings names;  // --target; -O
  std::string value, what;
  bool takes_value = false;

  // What may stand for the value, where that is one of a list.
  Strings values() const {
    Strings out;
    const std::string& name = names.back();
    if (name == "--target") return target_names();
    if (name == "--float-abi") return {"hard", "softfp", "soft"};
    if (name == "-O") return {"0", "1", "2", "3", "s", "z"};
    if (name == "--emit")
      for (const auto& row : package::emit_table()) out.emplace_back(row.name);
    if (name == "--backend")
      for (const BackendInfo& row : backends()) out.emplace_back(row.name);
    return out;
  }
};

std::vector<PageFlag> flags_of(const CLI::App& app) {
  std::vector<PageFlag> flags;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->nonpositional()) continue;
    PageFlag flag;
    for (const std::string& name : option->get_snames()) flag.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) flag.names.push_back("--" + name);
    flag.what = option->get_description();
    flag.takes_value = option->get_items_expected_max() > 0;
    if (flag.takes_value) flag.value = option->get_type_name();
    flags.push_back(std::move(flag));
  }
  return flags;
}

Strings names_of(const std::vector<PageFlag>& flags) {
  Strings names;
  for (const PageFlag& flag : flags)
    names.insert(names.end(), flag.names.begin(), flag.names.end());
  return names;
}

std::string operand_words(const CLI::App& verb) {
  std::string text;
  for (const CLI::Option* option : verb.get_options()) {
    if (!option->get_positional()) continue;
    const std::string many = option->get_items_expected_max() > 1 ? "..." : "";
    text += option->get_required() ? cat(" ", option->get_name(true), many)
                                   : cat(" [", option->get_name(true), many, "]");
  }
  return text;
}

// Text as roff: no hyphenation of what is typed, and no line that a macro would take for itself.
std::string roff(const std::string& text) {
  std::string out = !text.empty() && (text[0] == '.' || text[0] == '\'') ? "\\&" : "";
  for (char c : text) out += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  return out;
}

void append_flags(std::string& out, const CLI::App& app) {
  for (const PageFlag& flag : flags_of(app)) {
    Strings heads;
    for (const std::string& name : flag.names) heads.push_back(cat("\\fB", roff(name), "\\fR"));
    out += cat(".TP\n", join(heads, ", "),
               flag.value.empty() ? "" : cat(" \\fI", roff(flag.value), "\\fR"), "\n",
               roff(flag.what), "\n");
  }
}

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

std::string man_page(const CLI::App& app) {
  std::string out = cat(
      ".TH HLOCC 1 \"\" \"hlocc ", package::version(), "\" \"User Commands\"\n.SH NAME\nhlocc \\- ",
      roff("compiles XLA HLO ahead of time into a static library and one header"),
      "\n.SH SYNOPSIS\n.B hlocc\n.I VERB\n[\\fIFLAG\\fR...] [\\fIMODEL\\fR]\n.SH DESCRIPTION\n",
      roff(app.get_description()),
      ".\nA target is a preset of \\fBhlocc targets\\fR or any LLVM triple. A model is a "
      "serialized HloModuleProto, HloProto or\n"
      "HloSnapshot, or HLO text, told apart by content.\n.SH OPTIONS\n");
  append_flags(out, app);
  for (const CLI::App* verb : verbs_of(app)) {
    out += cat(".SH \"HLOCC ", roff(verb->get_name()), "\"\n\\fBhlocc ", roff(verb->get_name()),
               "\\fR", roff(operand_words(*verb)), " [\\fIFLAG\\fR...]\n.PP\n",
               roff(verb->get_description()), ".\n");
    for (const CLI::Option* option : verb->get_options())
      if (option->get_positional() && !option->get_description().empty())
        out += cat(".TP\n\\fI", roff(option->get_name(true)), "\\fR\n",
                   roff(option->get_description()), "\n");
    append_flags(out, *verb);
  }
  out +=
      ".SH \"EXIT STATUS\"\n.TP\n0\ndone\n.TP\n1\nthe model, or a comparison, is at "
      "fault\n.TP\n2\nthe command line is\n"
      ".TP\n3\na bug of hlocc's\n.TP\n4\nwhat is around it: disk, permission, memory, a tool "
      "or an emulator that is missing\n.SH ENVIRONMENT\n.TP\nHLOCC_TOOLCHAINS\nthe folder "
      "\\fItoolchains\\fR with the boards that\n"
      "\\fBhlocc verify \\-\\-target\\fR runs on, instead of the installed one\n"
      ".TP\nTMPDIR\nthe folder for temporary files, instead of \\fI/tmp\\fR\n";
  return out;
}

std::string bash_completion(const CLI::App& app) {
  Strings verbs;
  std::string flags, values;
  std::set<std::string> seen;
  for (const CLI::App* verb : verbs_of(app)) {
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
  for (const CLI::App* verb : verbs_of(app)) {
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

std::string command_page(std::string_view kind) {
  CommandLine line;
  CommandTexts texts;
  CLI::App app;
  build_command_tree(app, line, texts);
  if (kind == "man") return man_page(app);
  if (kind == "bash") return bash_completion(app);
  if (kind == "zsh") return zsh_completion(app);
  return "";
}

}  // namespace hlocc::driver
