// A place in HLO text and the tokens that start there. The grammar is read without a separate
// lexer, because what a token is depends on where it stands (dim_labels, paddings, JSON): each rule
// takes the characters that it expects.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "support/result.h"

namespace hlocc::import {

// A decimal digit, whatever the locale.
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

class TextCursor {
 public:
  TextCursor(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  // Spaces and comments (/*…*/, //…) go unseen before every token.
  void skip_space();
  bool at_end();
  // The next character that is no space; NUL at the end.
  char peek();
  // Whether the text goes on with these characters (spaces skipped first); `accept` then takes
  // them.
  bool looking_at(std::string_view characters);
  bool accept(std::string_view characters);
  Status expect(std::string_view characters);

  // A word [a-zA-Z_][a-zA-Z0-9_.-]* or nothing; the second takes it.
  std::string_view peek_word();
  std::string_view word();
  // Takes that word and nothing longer.
  bool accept_word(std::string_view expected);
  // A name of an instruction or computation, with or without '%'.
  Result<std::string> name();
  Result<int64_t> integer();
  Result<double> number();
  Result<bool> boolean();
  // "…" or '…' with the escapes of C.
  Result<std::string> quoted();
  // {…} with nested braces and strings, verbatim.
  Result<std::string> braced();
  // Everything up to a space, comma or closing bracket, as it stands: dim_labels, paddings.
  std::string_view raw();
  // Everything up to one of these characters.
  std::string_view until(std::string_view stops);
  // Takes the value of an attribute, whatever it is: up to a comma, a space or a closing bracket
  // outside of all nesting.
  Status skip_value();
  // Takes one bracket with all that is in it.
  Status skip_group();

  size_t position() const { return at_; }
  size_t remaining() const { return text_.size() - at_; }
  std::string_view since(size_t position) const { return text_.substr(position, at_ - position); }
  void rewind(size_t position) { at_ = position; }
  int line();
  // An error of the given kind here; of kind kSyntax, with what was found instead.
  Diagnostic fail(DiagnosticKind kind, std::string message);
  Diagnostic expected(std::string_view what);

 private:
  char character(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  std::string_view take(size_t count);

  std::string_view text_;
  std::string file_;
  size_t at_ = 0;
  // Lines are counted from the last place that somebody asked for.
  size_t counted_at_ = 0;
  int line_ = 1;
};

}  // namespace hlocc::import
