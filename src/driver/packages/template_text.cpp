// See template_text.h. One walk over the text; a section is walked again for each of its elements,
// with that element in front of the values around it.
#include "driver/packages/template_text.h"

#include <vector>

#include "support/check.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// What stands between the delimiters, and where the text goes on behind it.
struct Tag {
  char kind = 0;  // '#', '^', '/', '&', or 0 where the name follows at once
  std::string_view name;
  size_t begin = 0, end = 0;  // of the tag, or of its whole line
};

// A section's tag alone on its line takes the line with it.
void widen_to_line(std::string_view text, Tag& tag) {
  size_t begin = tag.begin, end = tag.end;
  while (begin > 0 && text[begin - 1] == ' ') --begin;
  const bool begins_line = begin == 0 || text[begin - 1] == '\n';
  if (!begins_line || (end < text.size() && text[end] != '\n')) return;
  tag.begin = begin;
  tag.end = std::min(end + 1, text.size());
}

bool find_tag(std::string_view text, size_t from, Tag& tag) {
  tag.begin = text.find("<%", from);
  if (tag.begin == std::string_view::npos) return false;
  size_t name = tag.begin + 2;
  const size_t end = text.find("%>", name);
  HLOCC_CHECK(end != std::string_view::npos, "a tag of a template ends");
  const char first = text[name];
  tag.kind = std::string_view("#^/&").find(first) == std::string_view::npos ? '\0' : first;
  if (tag.kind != 0) ++name;
  tag.name = text.substr(name, end - name);
  tag.end = end + 2;
  if (tag.kind != 0 && tag.kind != '&') widen_to_line(text, tag);
  return true;
}

class Expander {
 public:
  Expander(const TemplateValues& values, Escape escape) : escape_(escape) {
    scopes_.push_back(&values);
  }

  void expand(std::string_view text, std::string& out) {
    Tag tag;
    size_t at = 0;
    while (find_tag(text, at, tag)) {
      out += text.substr(at, tag.begin - at);
      at = tag.end;
      if (tag.kind == '#' || tag.kind == '^') {
        Tag close = end_of(text, tag);
        const std::string_view body = text.substr(tag.end, close.begin - tag.end);
        section(body, tag, out);
        at = close.end;
      } else {
        const std::string value = text_of(tag.name);
        out += tag.kind == '&' ? value : escape_(value);
      }
    }
    out += text.substr(at);
  }

 private:
  // Sections may stand in each other.
  static Tag end_of(std::string_view text, const Tag& open) {
    Tag tag;
    int depth = 1;
    for (size_t at = open.end; find_tag(text, at, tag); at = tag.end) {
      if (tag.kind == '#' || tag.kind == '^') ++depth;
      if (tag.kind == '/' && --depth == 0) return tag;
    }
    HLOCC_CHECK(false, cat("the section ", std::string(open.name), " of a template ends"));
    return tag;
  }

  const TemplateValues& value_of(std::string_view name) const {
    for (size_t i = scopes_.size(); i-- > 0;) {
      const TemplateValues& scope = *scopes_[i];  // what is no object has no members
      if (const auto found = scope.find(name); found != scope.end()) return *found;
    }
    HLOCC_CHECK(false, cat("a template's name has a value: ", std::string(name)));
    return *scopes_[0];
  }

  // "." is the element itself, in lists of texts.
  std::string text_of(std::string_view name) const {
    const TemplateValues& value = name == "." ? *scopes_.back() : value_of(name);
    if (value.is_string()) return value.get<std::string>();
    HLOCC_CHECK(value.is_number() || value.is_boolean(), "a template writes texts and numbers");
    return value.dump();
  }

  static bool is_there(const TemplateValues& value) {
    if (value.is_boolean()) return value.get<bool>();
    return !value.empty() && value != "";
  }

  void section(std::string_view body, const Tag& tag, std::string& out) {
    const TemplateValues& value = value_of(tag.name);
    if (tag.kind == '^') {
      if (!is_there(value)) expand(body, out);
    } else if (value.is_array()) {
      for (const TemplateValues& element : value) within(element, body, out);
    } else if (is_there(value)) {
      within(value, body, out);
    }
  }

  void within(const TemplateValues& scope, std::string_view body, std::string& out) {
    scopes_.push_back(&scope);
    expand(body, out);
    scopes_.pop_back();
  }

  std::vector<const TemplateValues*> scopes_;
  Escape escape_;
};

}  // namespace

std::string expand_template(std::string_view text, const TemplateValues& values, Escape escape) {
  std::string out;
  Expander(values, escape).expand(text, out);
  return out;
}

}  // namespace hlocc::driver
