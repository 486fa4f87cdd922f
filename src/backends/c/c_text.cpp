// See c_text.h.
#include "backends/c/c_text.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>

#include "kernel/evaluate/scalar_math.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::Scalar;
using kernel::ScalarClass;

constexpr size_t kColumns = 120;

// Words of C, and names that every file has.
constexpr std::string_view kTaken[] = {
    "auto",     "break",   "case",   "char",     "const",    "continue", "default",  "do",
    "double",   "else",    "enum",   "extern",   "float",    "for",      "goto",     "if",
    "inline",   "int",     "long",   "register", "restrict", "return",   "short",    "signed",
    "sizeof",   "static",  "struct", "switch",   "typedef",  "union",    "unsigned", "void",
    "volatile", "while",   "asm",    "typeof",   "NULL",     "self",     "arena",    "memcpy",
    "memset",   "memmove", "i",      "j",        "k",        "l",        "m",        "n",
    "linux",    "unix",    "near",   "far",      "interrupt"};

std::string format(const char* how, double value) {
  char text[64];
  std::snprintf(text, sizeof text, how, value);
  return text;
}

// Whole numbers as people write them, all others exactly, in hexadecimal.
Code float_text(double value, bool single) {
  const bool small = std::fabs(value) < 1e6 && value == std::floor(value);
  const std::string text = format(small ? "%.1f" : "%a", value) + (single ? "f" : "");
  return {text, std::signbit(value) ? Binds::kUnary : Binds::kPrimary};
}

Code signed_text(int64_t value, int bits) {
  const Binds binds = value < 0 ? Binds::kUnary : Binds::kPrimary;
  if (bits <= 16) return {cat(value), binds};
  const bool least = value == (bits == 32 ? INT32_MIN : INT64_MIN);
  if (least) return {cat("INT", bits, "_MIN")};
  // An int has 16 bits at least.
  if (value >= -32767 && value <= 32767) return {cat(value), binds};
  return {cat(value < 0 ? "-" : "", "INT", bits, "_C(", value < 0 ? -value : value, ")"), binds};
}

Code unsigned_text(uint64_t value, int bits) {
  if (bits <= 16) return {cat(value)};
  if (value < 65536) return {cat(value, "u")};
  char text[40];
  std::snprintf(text, sizeof text, "UINT%d_C(0x%llx)", bits,
                static_cast<unsigned long long>(value));
  return {text};
}

}  // namespace

std::string value_type(Scalar scalar) {
  const int bits = 8 * kernel::scalar_bytes(scalar);
  switch (kernel::scalar_class(scalar)) {
    case ScalarClass::kPred: return "_Bool";
    case ScalarClass::kIndex: return "ptrdiff_t";
    case ScalarClass::kSigned: return cat("int", bits, "_t");
    case ScalarClass::kUnsigned: return cat("uint", bits, "_t");
    case ScalarClass::kFloat: break;
  }
  if (scalar == Scalar::kF32) return "float";
  if (scalar == Scalar::kF64) return "double";
  return cat("uint", bits, "_t");
}

std::string memory_type(Scalar scalar) {
  if (scalar == Scalar::kPred) return "uint8_t";
  const std::string type = value_type(scalar);
  if (scalar == Scalar::kIndex || kernel::scalar_bytes(scalar) == 1) return type;
  return cat("hl_", type_suffix(scalar));
}

std::string type_suffix(Scalar scalar) {
  if (scalar == Scalar::kPred || scalar == Scalar::kIndex || scalar == Scalar::kF32 ||
      scalar == Scalar::kF64)
    return std::string(kernel::scalar_name(scalar));
  const int bits = 8 * kernel::scalar_bytes(scalar);
  return cat(kernel::is_signed(scalar) ? "s" : "u", bits);
}

bool is_narrow(Scalar scalar) {
  return scalar != Scalar::kPred && scalar != Scalar::kIndex && kernel::scalar_bytes(scalar) <= 2;
}

Code constant_text(Scalar scalar, uint64_t bits) {
  switch (kernel::scalar_class(scalar)) {
    case ScalarClass::kPred: return {bits != 0 ? "1" : "0"};
    case ScalarClass::kIndex:
      return {index_text(static_cast<int64_t>(bits)),
              static_cast<int64_t>(bits) < 0 ? Binds::kUnary : Binds::kPrimary};
    case ScalarClass::kSigned:
      return signed_text(static_cast<int64_t>(bits), 8 * kernel::scalar_bytes(scalar));
    case ScalarClass::kUnsigned: return unsigned_text(bits, 8 * kernel::scalar_bytes(scalar));
    case ScalarClass::kFloat: break;
  }
  if (scalar != Scalar::kF32 && scalar != Scalar::kF64)
    return unsigned_text(bits, 8 * kernel::scalar_bytes(scalar));
  const double value =
      scalar == Scalar::kF32 ? kernel::from_bits<float>(bits) : kernel::from_bits<double>(bits);
  return std::isfinite(value) ? float_text(value, scalar == Scalar::kF32) : Code{};
}

std::string index_text(int64_t number) {
  if (number >= -32767 && number <= 32767) return cat(number);
  if (number >= -INT64_C(2147483647) && number <= INT64_C(2147483647)) return cat(number, "L");
  return cat(number, "LL");
}

std::string filled(std::string_view text, const std::function<std::string(char)>& letter) {
  std::string out;
  for (; !text.empty(); text.remove_prefix(1)) {
    if (text[0] != '@') {
      out += text[0];
      continue;
    }
    text.remove_prefix(1);
    out += letter(text[0]);
  }
  return out;
}

std::string safe_name(std::string_view wanted) {
  std::string name = to_c_identifier(wanted);
  const bool generated =
      name.starts_with("hl_") || name.starts_with("HL_") ||
      (name.size() > 1 && name[0] == 'v' &&
       std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; }));
  if (generated || std::find(std::begin(kTaken), std::end(kTaken), name) != std::end(kTaken) ||
      name.starts_with("_"))
    name = "b_" + name;
  return name;
}

std::string wrapped(std::string_view lines) {
  std::string out;
  for (size_t begin = 0; begin < lines.size();) {
    const size_t end = std::min(lines.find('\n', begin), lines.size());
    std::string_view line = lines.substr(begin, end - begin);
    begin = end + 1;
    const size_t indent = std::min(line.find_first_not_of(' '), line.size());
    const std::string more(indent + 4, ' ');
    bool first = true;
    while (line.size() + (first ? 0 : more.size()) > kColumns) {
      const size_t room = kColumns - (first ? 0 : more.size());
      const size_t blank = line.rfind(' ', room);
      if (blank == std::string_view::npos || blank <= (first ? indent : 0)) break;
      append_text(out, first ? "" : more);
      append_text(out, line.substr(0, blank));
      out += '\n';
      line = line.substr(blank + 1);
      first = false;
    }
    append_text(out, first ? "" : more);
    append_text(out, line);
    out += '\n';
  }
  return out;
}

}  // namespace hlocc::backends
