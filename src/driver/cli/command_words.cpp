// See command_words.h. Flags are CLI11's own: the tree says which there are and which take a value.
#include "driver/cli/command_words.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "support/suggest.h"
#include "support/text.h"

namespace hlocc::driver {

Diagnostic usage(const std::string& message) { return error(DiagnosticKind::kUsage, message); }

namespace {

std::vector<CLI::App*> verbs_of(CLI::App& app) {
  return app.get_subcommands([](CLI::App*) { return true; });
}

std::vector<std::string> verb_names(CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : verbs_of(app)) names.push_back(verb->get_name());
  return names;
}

// The long names of a verb's flags, without dashes.
std::vector<std::string> flag_names(const CLI::App& verb) {
  std::vector<std::string> names;
  for (const CLI::Option* option : verb.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  return names;
}

Diagnostic unknown_verb(CLI::App& app, const std::string& word) {
  Diagnostic out = suggest(usage(cat("there is no verb '", word, "'")), word, verb_names(app));
  if (word == "-" || word.find_first_of("./") != std::string::npos)
    out.notes.push_back(cat("`hlocc compile ", word, "` compiles a model"));
  if (out.notes.empty()) out.notes.push_back("verbs are " + join(verb_names(app), ", "));
  return out;
}

Diagnostic unknown_flag(CLI::App& app, const CLI::App& verb, const std::string& flag) {
  const bool is_root = &verb == &app;
  const std::string where = is_root ? "hlocc" : "hlocc " + verb.get_name();
  const std::string bare = flag.substr(std::min(flag.find_first_not_of('-'), flag.size()));
  Diagnostic out =
      suggest(usage(cat("`", where, "` has no flag ", flag)), bare, flag_names(verb), "--");
  std::vector<std::string> others;
  for (const CLI::App* other : verbs_of(app))
    if (other->get_option_no_throw(flag) != nullptr)
      others.push_back("`hlocc " + other->get_name() + "`");
  if (!others.empty()) out.notes.push_back(cat(flag, " belongs to ", join(others, ", ")));
  if (out.notes.empty()) out.notes.push_back(cat("`", where, " --help` lists the flags"));
  return out;
}

// How many operands a verb takes, and what it calls them.
struct Operands {
  std::string name;
  size_t most = 0;
};
Operands operands_of(const CLI::App& verb) {
  for (const CLI::Option* option : verb.get_options())
    if (option->get_positional())
      return {option->get_name(true), static_cast<size_t>(option->get_items_expected_max())};
  return {};
}

Status check_operands(const CLI::App& verb, const CommandWords& words) {
  const Operands operands = operands_of(verb);
  if (words.operands.size() <= operands.most) return {};
  const std::string all = join(words.operands, " and ");
  if (operands.most == 0) return usage(cat("`hlocc ", verb.get_name(), "` takes no ", all));
  return usage(cat("`hlocc ", verb.get_name(), "` takes one ", operands.name, ", here are ", all));
}

class WordReader {
 public:
  WordReader(CLI::App& app, const std::vector<std::string>& words) : app_(app), words_(words) {}

  Result<CommandWords> read() {
    for (; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (only_operands_ || word.size() < 2 || word[0] != '-')
        HLOCC_TRY(read_operand(word));
      else if (word == "--")
        only_operands_ = true;
      else
        HLOCC_TRY(read_flag(word));
    }
    if (!asks_for_help_) HLOCC_TRY(check_operands(*verb_, out_));
    return std::move(out_);
  }

 private:
  Status read_operand(const std::string& word) {
    if (verb_ != &app_) {
      out_.operands.push_back(word);
      return {};
    }
    for (CLI::App* verb : verbs_of(app_))
      if (verb->get_name() == word) verb_ = verb;
    if (verb_ == &app_) return unknown_verb(app_, word);
    out_.verb = word;
    return {};
  }

  // --flag, --flag=value, --flag value, -f, -fvalue, -f value.
  Status read_flag(const std::string& word) {
    const bool is_long = word.starts_with("--");
    const size_t end = is_long ? std::min(word.find('='), word.size()) : 2;
    const std::string flag = word.substr(0, end);
    const CLI::Option* option = verb_->get_option_no_throw(flag);
    if (option == nullptr) return unknown_flag(app_, *verb_, is_long ? flag : word);
    asks_for_help_ |= option == verb_->get_help_ptr();
    std::vector<std::string>& values = out_.flags[option->get_name()];
    if (option->get_items_expected_max() == 0) return {};
    // `--flag=` is not an empty value: CLI11 would take the next word, or none.
    const bool has_inside = end < word.size();
    const size_t from = is_long ? end + 1 : end;
    if (has_inside ? from == word.size() : ++at_ == words_.size())
      return usage(cat(flag, " needs a value: ", flag, " ", option->get_type_name()));
    values.push_back(has_inside ? word.substr(from) : words_[at_]);
    return {};
  }

  CLI::App& app_;
  const std::vector<std::string>& words_;
  CLI::App* verb_ = &app_;
  size_t at_ = 0;
  bool only_operands_ = false, asks_for_help_ = false;
  CommandWords out_;
};

}  // namespace

Result<CommandWords> read_words(CLI::App& app, const std::vector<std::string>& words) {
  return WordReader(app, words).read();
}

}  // namespace hlocc::driver
