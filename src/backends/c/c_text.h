// C as text: names of types, constants, expressions with their precedence, lines that are cut at
// 120 columns.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "kernel/type.h"

namespace hlocc::backends {

// The C type in which a value of the scalar is kept: _Bool for pred, ptrdiff_t for index, small
// floats as their codes.
std::string value_type(kernel::Scalar scalar);
// The type through which memory is read and written: the value's, a byte for pred; types of several
// bytes by the names of the prelude, which may alias others.
std::string memory_type(kernel::Scalar scalar);
// "s32", "f32": how helpers' names end.
std::string type_suffix(kernel::Scalar scalar);
// Integers that C would compute in a wider `int`.
bool is_narrow(kernel::Scalar scalar);

// How tightly the outermost operator of an expression binds.
enum class Binds : uint8_t { kChoice, kOr, kCompare, kSum, kProduct, kUnary, kPrimary };
struct Code {
  std::string text;
  Binds binds = Binds::kPrimary;
  // In parentheses where it binds less tightly than `least`.
  std::string at(Binds least) const { return binds < least ? "(" + text + ")" : text; }
};

// A constant's bits as a C constant of the type; floats that are no numbers have no such text:
// empty.
Code constant_text(kernel::Scalar scalar, uint64_t bits);
// A number in an index expression.
std::string index_text(int64_t number);

// The text with what each letter behind an '@' stands for in place of both.
std::string filled(std::string_view text, const std::function<std::string(char)>& letter);

// Text that is a name in C and is none of C's own words; `taken` for names that the file uses
// itself.
std::string safe_name(std::string_view wanted);
// Cuts lines at blanks, so that none is longer than 120 columns; what is cut off is indented by
// four more than the line.
std::string wrapped(std::string_view lines);

}  // namespace hlocc::backends
