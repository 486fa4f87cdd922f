// See config.h.
#include "driver/cli/config.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "driver/cli/line_counter.h"
#include "support/suggest.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using nlohmann::json;

std::string key_of(const CLI::Option& option) {
  const std::string name = option.get_name();
  return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

const CLI::Option* option_of(const CLI::App& verb, const std::string& key) {
  for (const CLI::Option* option : verb.get_options())
    if (!option->get_positional() && key_of(*option) == key && !is_about_one_run(key))
      return option;
  return nullptr;
}

// Takes the events of the parser; the first thing that is wrong ends it.
class ConfigReader : public nlohmann::json_sax<json> {
 public:
  ConfigReader(const CLI::App& verb, std::string file, const int& line)
      : verb_(verb), file_(std::move(file)), line_(line) {}

  bool null() override { return refuse("null"); }
  bool boolean(bool value) override {
    if (option_ == nullptr) return skip_or_refuse("true or false");
    if (takes_value()) return refuse("true or false");
    if (value) add("");
    return true;
  }
  bool number_integer(number_integer_t value) override { return number(std::to_string(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& text) override { return number(text); }
  bool string(string_t& text) override { return scalar(text, "a string"); }
  bool binary(binary_t&) override { return refuse("binary data"); }

  bool start_object(std::size_t) override {
    if (++depth_ == 1) return true;
    if (depth_ == 2 && !is_array_ && takes_many() && takes_pairs()) return true;
    return refuse("an object");
  }
  bool key(string_t& name) override {
    key_line_ = line_;
    if (depth_ > 1) {
      pair_ = name;
      return true;
    }
    if (std::find(seen_.begin(), seen_.end(), name) != seen_.end())
      return fail(cat("'", name, "' stands there twice"));
    seen_.push_back(name);
    key_ = name;
    option_ = option_of(verb_, name);
    if (option_ != nullptr || name == "$schema") return true;
    if (is_about_one_run(name))
      return fail(cat("'", name, "' belongs on the command line, not in a file"));
    failure_ = suggest(usage(cat("there is no option '", name, "'")), name, config_keys(verb_));
    if (failure_->notes.empty())
      failure_->notes.push_back("options are " + join(config_keys(verb_), ", "));
    return false;
  }
  bool end_object() override {
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override {
    if (depth_ != 1 || is_array_ || !takes_many()) return refuse("an array");
    is_array_ = true;
    return true;
  }
  bool end_array() override {
    is_array_ = false;
    return true;
  }
  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception& problem) override {
    failure_ = error(DiagnosticKind::kFormat, "is no JSON: " + without_json_place(problem.what()))
                   .at({file_, line_});
    return false;
  }

  Result<std::vector<ConfigValue>> take() {
    if (failure_) return std::move(*failure_);
    return std::move(values_);
  }

 private:
  bool takes_value() const { return option_->get_items_expected_max() > 0; }
  bool takes_many() const { return option_ != nullptr && option_->get_items_expected_max() > 1; }
  // --arg and --result, whose values are I=NAME.
  bool takes_pairs() const { return option_->get_type_name().find('=') != std::string::npos; }

  Diagnostic usage(const std::string& message) const {
    return error(DiagnosticKind::kUsage, message).at({file_, line_});
  }
  bool fail(const std::string& message) {
    failure_ = usage(message);
    return false;
  }
  bool refuse(const std::string& found) {
    if (depth_ == 0) return fail(cat("is ", found, "; a config file is an object of options"));
    if (option_ == nullptr) return fail(cat("'", key_, "' is a string, not ", found));
    const std::string wanted = !takes_value()  ? "true or false"
                               : !takes_many() ? "a string or a number"
                               : takes_pairs() ? "an object of names"
                                               : "a string or an array of strings";
    return fail(cat("'", key_, "' is ", wanted, ", not ", found));
  }
  // What has no option is $schema, which may be whatever an editor wants, or no object.
  bool skip_or_refuse(const std::string& found) { return depth_ > 0 ? true : refuse(found); }

  // A number's last character is known by the one behind it, which may be a line's end: its key has
  // the line.
  bool number(const std::string& text) {
    return scalar(text, "a number", is_array_ ? 0 : key_line_);
  }
  bool scalar(const std::string& text, const std::string& found, int line = 0) {
    if (option_ == nullptr) return skip_or_refuse(found);
    if (!takes_value()) return refuse(found);
    if (text.empty()) return fail(cat("'", depth_ > 1 ? pair_ : key_, "' is empty"));
    add(depth_ > 1 ? cat(pair_, "=", text) : text, line);
    return true;
  }
  void add(std::string value, int line = 0) {
    values_.push_back({option_->get_name(), std::move(value), {file_, line > 0 ? line : line_}});
  }

  const CLI::App& verb_;
  std::string file_;
  const int& line_;
  int depth_ = 0, key_line_ = 1;
  bool is_array_ = false;
  std::string key_, pair_;
  const CLI::Option* option_ = nullptr;
  std::vector<std::string> seen_;
  std::vector<ConfigValue> values_;
  std::optional<Diagnostic> failure_;
};

// How well a diagnostic fits a value: it begins with the flag and the value, quotes the value, or
// begins with the flag.
int fit(const std::string& message, const ConfigValue& value) {
  const auto begins_with = [&](const std::string& front) {
    if (!message.starts_with(front)) return false;
    const char next = message.size() > front.size() ? message[front.size()] : ':';
    return next == ':' || next == ' ';
  };
  if (message.ends_with(cat(" has no flag ", value.flag))) return 3;
  const int by_flag = begins_with(value.flag) ? 1 : 0;
  if (value.value.empty()) return by_flag;
  const std::string gap = value.flag.starts_with("--") ? " " : "";
  if (begins_with(value.flag + gap + value.value)) return 3;
  return message.find(cat("'", value.value, "'")) != std::string::npos ? 2 : by_flag;
}

}  // namespace

bool is_about_one_run(std::string_view key) {
  static constexpr std::string_view names[] = {"help", "config", "o", "depfile", "time-report",
                                               "json", "q",      "v", "cache",   "cache-verify"};
  return std::find(std::begin(names), std::end(names), key) != std::end(names);
}

std::string ConfigValue::word() const {
  if (value.empty()) return flag;
  return flag.starts_with("--") ? cat(flag, "=", value) : flag + value;
}

std::vector<std::string> config_keys(const CLI::App& verb) {
  std::vector<std::string> keys;
  for (const CLI::Option* option : verb.get_options())
    if (!option->get_positional() && !is_about_one_run(key_of(*option)))
      keys.push_back(key_of(*option));
  return keys;
}

Result<std::vector<ConfigValue>> read_config(std::string_view text, const std::string& file,
                                             const CLI::App& verb) {
  int line = 1;
  ConfigReader reader(verb, file, line);
  json::sax_parse(LineCounter(text.data(), &line), LineCounter(text.data() + text.size(), nullptr),
                  &reader);
  return reader.take();
}

Diagnostic locate_in_config(Diagnostic diagnostic, const std::vector<ConfigValue>& values) {
  if (!diagnostic.location.file.empty()) return diagnostic;
  int best = 0;
  for (const ConfigValue& value : values) {
    const int now = fit(diagnostic.message, value);
    if (now <= best) continue;
    best = now;
    diagnostic.location = value.where;
  }
  return diagnostic;
}

}  // namespace hlocc::driver
