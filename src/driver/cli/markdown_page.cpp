// docs/flags.md: operands, flags and examples of each verb, as tables.
#include <CLI/CLI.hpp>

#include "driver/cli/command_examples.h"
#include "driver/cli/command_pages.h"
#include "driver/cli/page_flags.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// A cell of a table: a bar would end it, and a bracket begin a tag.
std::string cell(const std::string& text) {
  std::string out;
  for (char c : text) out += c == '|' ? "\\|" : c == '<' ? "&lt;" : std::string(1, c);
  return out;
}

std::string table_row(const std::string& typed, const std::string& what) {
  return cat("| `", cell(typed), "` | ", cell(what), " |\n");
}

std::string flag_rows(const CLI::App& app) {
  std::string out = "| flag | |\n|---|---|\n";
  for (const PageFlag& flag : flags_of(app))
    out += table_row(cat(join(flag.names, ", "), flag.value.empty() ? "" : cat(" ", flag.value)),
                     flag.what);
  return out;
}

std::string operand_rows(const CLI::App& verb) {
  std::string rows;
  for (const CLI::Option* option : verb.get_options())
    if (option->get_positional() && !option->get_description().empty())
      rows += table_row(option->get_name(true), option->get_description());
  return rows.empty() ? "" : cat("| operand | |\n|---|---|\n", rows, "\n");
}

std::string examples_of(const std::string& verb) {
  std::string out;
  for (const CommandExample& example : command_examples())
    if (example.verb == verb)
      out += cat("- `", std::string(example.line), "`: ", std::string(example.what), "\n");
  return out;
}

std::string section(const CLI::App& verb) {
  return cat("\n## hlocc ", verb.get_name(), "\n\n", verb.get_description(), ".\n\n    hlocc ",
             verb.get_name(), operand_words(verb), " [FLAG...]\n\n", operand_rows(verb),
             flag_rows(verb), "\n", examples_of(verb.get_name()));
}

}  // namespace

std::string markdown_page(const CLI::App& app) {
  std::string out =
      "# Verbs and their flags\n\nMade of the table that parses the command line: `command_pages "
      "markdown`. What verbs have in common: [command line](command_line.md).\n\n    hlocc VERB "
      "[FLAG...] [MODEL]\n\n";
  out += flag_rows(app);
  for (const CLI::App* verb : page_verbs(app)) out += section(*verb);
  return out;
}

}  // namespace hlocc::driver
