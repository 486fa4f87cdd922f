// The text that C's writer makes of small kernels: the statements of a body on one line.
#pragma once
#include "backends_c/taken.h"

namespace hlocc::backends::small {

inline std::string replaced(std::string text, std::string_view old, std::string_view by) {
  for (size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size())
    text.replace(at, old.size(), by);
  return text;
}

// The statements between the braces of the kernel on one line; a loop over lanes is `lanes N { }`.
inline std::string body_of(const Target& row, const Make& make) {
  const Kernel kernel = kernel_of(make);
  const std::vector<bool> unshared(kernel.buffers.size(), true);
  Prelude prelude(row.constants_apart, row.has(Isa::kHexagon));
  const auto math = [](OpKind kind, Scalar) { return cat("f_", op_name(kind)); };
  const Result<std::string> made =
      write_kernel(kernel, {kernel.name, unshared, {}, row, prelude, math, false});
  if (!made) return made.error().message;
  const size_t first = made->find("{\n") + 1, last = made->rfind('}');
  std::string out = replaced(made->substr(first, last - first), "\n", " ");
  while (out.find("  ") != std::string::npos) out = replaced(out, "  ", " ");
  while (out.starts_with(" (void)")) out.erase(0, out.find(';') + 1);
  out = replaced(out, "HL_LANES for (ptrdiff_t l = 0; l < ", "lanes ");
  out = replaced(out, "; ++l)", "");
  return out.substr(1, out.size() - 2);
}

inline Target m3() { return target_for_c(*preset("cortex-m3")); }
inline Target armv7() { return target_for_c(*preset("armv7-linux")); }

struct TextRow {
  const char* what;
  Target row;
  Make make;
  const char* text;
};
inline void check_text(std::initializer_list<TextRow> rows) {
  for (const TextRow& row : rows) {
    INFO(row.what);
    CHECK(body_of(row.row, row.make) == row.text);
  }
}

}  // namespace hlocc::backends::small
