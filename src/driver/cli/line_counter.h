// Where a JSON file's values stand. The JSON library tells where parsing stopped but not where a
// value is: this iterator counts the lines that its lexer has read.
#pragma once
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

namespace hlocc::driver {

// An input iterator over a text; each line's end that it passes adds one to `*line`.
class LineCounter {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  LineCounter(const char* at, int* line) : at_(at), line_(line) {}
  reference operator*() const { return *at_; }
  LineCounter& operator++() {
    if (*at_++ == '\n') ++*line_;
    return *this;
  }
  LineCounter operator++(int) {
    LineCounter before = *this;
    ++*this;
    return before;
  }
  bool operator==(const LineCounter& other) const { return at_ == other.at_; }
  bool operator!=(const LineCounter& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  int* line_;
};

// What the library says of text that is no JSON, less its own number and place: behind
// "[json.exception.parse_error.101] parse error at line 1, column 2: ".
inline std::string without_json_place(std::string text) {
  for (const char* front : {"] ", ": "})
    if (const size_t at = text.find(front); at != std::string::npos)
      text.erase(0, at + std::string_view(front).size());
  return text;
}

}  // namespace hlocc::driver
