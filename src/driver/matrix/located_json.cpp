// See located_json.h.
#include "driver/matrix/located_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "driver/cli/line_counter.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

constexpr size_t kMostLevels = 32;

// Takes the events of the parser. `open_` has the path to the container that is being read, which
// is stable: only the innermost one grows.
class TreeReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  using Kind = LocatedJson::Kind;

  TreeReader(std::string file, const int& line) : file_(std::move(file)), line_(line) {}

  bool null() override { return add(Kind::kNull); }
  bool boolean(bool value) override { return add(value ? Kind::kTrue : Kind::kFalse); }
  bool number_integer(number_integer_t value) override {
    return add(Kind::kNumber, std::to_string(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return add(Kind::kNumber, std::to_string(value));
  }
  bool number_float(number_float_t, const string_t& text) override {
    return add(Kind::kNumber, text);
  }
  bool string(string_t& text) override { return add(Kind::kString, text); }
  bool binary(binary_t&) override { return fail("holds binary data"); }
  bool start_object(std::size_t) override { return open(Kind::kObject); }
  bool start_array(std::size_t) override { return open(Kind::kArray); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    key_line_ = line_;
    LocatedJson& object = *open_.back();
    if (object.find(name) != nullptr) return fail(cat("'", name, "' stands there twice"));
    object.members.push_back({name, {}});
    return true;
  }
  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception& problem) override {
    return fail("is no JSON: " + without_json_place(problem.what()));
  }

  Result<LocatedJson> take() {
    if (failure_) return std::move(*failure_);
    return std::move(root_);
  }

 private:
  bool fail(const std::string& message) {
    failure_ = error(DiagnosticKind::kFormat, message).at({file_, line_});
    return false;
  }

  // Where the next value goes.
  LocatedJson* place() {
    if (open_.empty()) return &root_;
    LocatedJson& into = *open_.back();
    if (into.is_object()) return &into.members.back().value;
    return &into.items.emplace_back();
  }

  LocatedJson* make(Kind kind, std::string text) {
    // A number's last character is known by the one behind it, which may be on the next line.
    const bool is_member = !open_.empty() && open_.back()->is_object();
    LocatedJson* out = place();
    out->kind = kind;
    out->text = std::move(text);
    out->line = is_member && kind == Kind::kNumber ? key_line_ : line_;
    return out;
  }

  bool add(Kind kind, std::string text = "") {
    make(kind, std::move(text));
    return true;
  }
  bool open(Kind kind) {
    if (open_.size() >= kMostLevels)
      return fail(cat("is nested deeper than ", kMostLevels, " levels"));
    open_.push_back(make(kind, ""));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  std::string file_;
  const int& line_;
  int key_line_ = 1;
  LocatedJson root_;
  std::vector<LocatedJson*> open_;
  std::optional<Diagnostic> failure_;
};

}  // namespace

const LocatedJson* LocatedJson::find(std::string_view name) const {
  const auto found =
      std::ranges::find_if(members, [&](const auto& member) { return member.name == name; });
  return found == members.end() ? nullptr : &found->value;
}

const char* LocatedJson::what() const {
  static constexpr const char* kWords[] = {"null",     "false",    "true",     "a number",
                                           "a string", "an array", "an object"};
  return kWords[static_cast<size_t>(kind)];
}

Result<LocatedJson> read_located_json(std::string_view text, const std::string& file) {
  int line = 1;
  TreeReader reader(file, line);
  nlohmann::json::sax_parse(LineCounter(text.data(), &line),
                            LineCounter(text.data() + text.size(), nullptr), &reader);
  return reader.take();
}

}  // namespace hlocc::driver
