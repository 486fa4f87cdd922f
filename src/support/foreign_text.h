// Names, file names and notes come from elsewhere and may be any bytes. What each kind of text that
// is made of them cannot hold is replaced here and nowhere else: bytes that are no UTF-8, control
// characters, those that turn the direction of a line, and what has a meaning in that text. (JSON
// that is parsed and written by nlohmann's library goes through package/json_text.h.)
#pragma once
#include <string>
#include <string_view>

namespace hlocc {

// The length of the UTF-8 sequence that `text` begins with; 0 where none does: stray, overlong or
// cut-off bytes, surrogates, and what is beyond U+10FFFF.
size_t utf8_length(std::string_view text);

// For a terminal: what it would not print, or take for a command, is written as \xNN; line breaks
// and tabs stay.
std::string for_terminal(std::string_view text);

// The same for one line of a text: line breaks and tabs are written as \xNN, too.
std::string for_line(std::string_view text);

// JSON that is UTF-8, with what for_terminal() would escape as \uNNNN: it parses to the same.
std::string json_for_terminal(std::string_view json);

// For the text and the quoted attributes of a page.
std::string for_html(std::string_view text);

// For a comment of C: printable ASCII in which nothing ends the comment, continues a line or is a
// trigraph; what cannot be there is a '?'.
std::string for_c_comment(std::string_view text);

// A literal of C that stands for exactly these bytes, quotes included.
std::string c_string(std::string_view text);

}  // namespace hlocc
