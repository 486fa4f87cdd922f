// hlocc(1), by man's macros.
#include <CLI/CLI.hpp>

#include "driver/cli/command_examples.h"
#include "driver/cli/command_pages.h"
#include "driver/cli/page_flags.h"
#include "package/version.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// Text as roff: no hyphenation of what is typed, and no line that a macro would take for itself.
std::string roff(const std::string& text) {
  std::string out = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
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

// A command line for each thing that is done often, below the flags.
void append_examples(std::string& out) {
  out += ".SH EXAMPLES\n";
  for (const CommandExample& example : command_examples())
    out += cat(".TP\n\\fB", roff(std::string(example.line)), "\\fR\n",
               roff(std::string(example.what)), "\n");
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
      "HloSnapshot, HLO text, StableHLO text as JAX prints it, or a model of another format that "
      "docs/formats.md names, told apart by content.\n.SH OPTIONS\n");
  append_flags(out, app);
  for (const CLI::App* verb : page_verbs(app)) {
    out += cat(".SH \"HLOCC ", roff(verb->get_name()), "\"\n\\fBhlocc ", roff(verb->get_name()),
               "\\fR", roff(operand_words(*verb)), " [\\fIFLAG\\fR...]\n.PP\n",
               roff(verb->get_description()), ".\n");
    for (const CLI::Option* option : verb->get_options())
      if (option->get_positional() && !option->get_description().empty())
        out += cat(".TP\n\\fI", roff(option->get_name(true)), "\\fR\n",
                   roff(option->get_description()), "\n");
    append_flags(out, *verb);
  }
  append_examples(out);
  out +=
      ".SH \"EXIT STATUS\"\n.TP\n0\ndone\n.TP\n1\nthe model, or a comparison, is at "
      "fault\n.TP\n2\nthe command line is\n"
      ".TP\n3\na bug of hlocc's\n.TP\n4\nwhat is around it: disk, permission, memory, a tool "
      "or an emulator that is missing\n.SH ENVIRONMENT\n.TP\nHLOCC_TOOLCHAINS\nthe folder "
      "\\fItoolchains\\fR with the boards that\n"
      "\\fBhlocc verify \\-\\-target\\fR runs on, instead of the installed one\n"
      ".TP\nTMPDIR\nthe folder for temporary files, instead of \\fI/tmp\\fR\n"
      ".TP\nNO_COLOR\nset and not empty: no colours on a terminal\n"
      ".TP\nTERM\nnot set, or \\fIdumb\\fR: no colours and no line of progress\n";
  return out;
}

}  // namespace hlocc::driver
