// See selftest_source.h.
#include "driver/verify/selftest_source.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "devices/memory_image.h"
#include "hlo/compare.h"
#include "support/sha256.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

constexpr const char* kSelftestHead = R"(#include "hlocc_selftest.h"

/* Where the lines go: the board of hlocc's that this is linked for; a function of yours,
 * -DHLOCC_VERIFY_WRITE=uart_write, void uart_write(const char *text, size_t bytes); a debugger that
 * serves semihosting; or, with a C library, its standard output. */
#if defined(HLOCC_VERIFY_BOARD)
#include "board.h"
#define HLOCC_VERIFY_WRITE board_write
#elif defined(HLOCC_VERIFY_WRITE)
void HLOCC_VERIFY_WRITE(const char *text, size_t bytes);
#elif !defined(HLOCC_HAS_SEMIHOSTING)
#include <stdio.h>
#define HLOCC_VERIFY_WRITE hlocc_verify_stdout
static void hlocc_verify_stdout(const char *text, size_t bytes) {
  fwrite(text, 1, bytes, stdout);
  fflush(stdout);
}
#endif
#ifdef HLOCC_VERIFY_WRITE
static void hlocc_verify_write(void *context, const char *text, size_t bytes) {
  (void)context;
  HLOCC_VERIFY_WRITE(text, bytes);
}
#else
#define hlocc_verify_write hlocc_write_semihosting
#endif
#ifndef BOARD_BULK
#define BOARD_BULK
#endif

)";

// Constants by bytes, so that any type, any byte order and NaNs are what they are.
std::string bytes_array(const std::string& name, const std::vector<std::byte>& bytes) {
  std::string out = cat("static const unsigned char ", name, "[] __attribute__((aligned(8))) = {");
  for (size_t i = 0; i < bytes.size(); ++i)
    out += cat(i % 32 == 0 ? "\n    " : " ", static_cast<int>(bytes[i]), ",");
  return out + (bytes.empty() ? "0};\n" : "\n};\n");
}

std::string exact_float(double value) {
  char text[48];
  std::snprintf(text, sizeof text, "%.9ef", value);
  return text;
}

// Of 8, 16 or 32 bits, one a unit of storage.
bool is_plain_integer(hlo::PrimitiveType type, int64_t bytes_of_element) {
  return (hlo::is_pred(type) || hlo::is_integer(type)) && bytes_of_element <= 4;
}

// Nothing where a rule is none that can be held on a board.
std::optional<ResultCheck> check_of(const kernel::Leaf& leaf, const hlo::CompareRule& rule) {
  using Kind = ResultCheck::Kind;
  const int64_t count = leaf.shape.element_count(), bytes = leaf.bytes();
  ResultCheck out{static_cast<size_t>(leaf.index), Kind::kBytes, bytes};
  if (rule.mismatch_frac > 0 || (rule.signed_zero && !rule.bits)) return std::nullopt;
  if (rule.bits || bytes == 0) return out;
  const hlo::PrimitiveType type = leaf.shape.element_type;
  if (count > 0 && bytes % count == 0 && is_plain_integer(type, bytes / count)) {
    out.kind = Kind::kIntegers;
    out.count = count;
    out.element_bytes = bytes / count;
    out.is_signed = hlo::is_signed(type);
    if (!rule.exact)
      out.most = std::max<int64_t>(rule.ulp.value_or(0), std::llround(std::floor(rule.atol)));
    return out;
  }
  if (type == hlo::PrimitiveType::kF32) {
    out.kind = Kind::kF32;
    out.count = count;
    out.element_bytes = 4;
    if (rule.exact) return out;
    // n units in the last place are at most n * 2^-23 of a number.
    out.rtol = std::max(rule.rtol, static_cast<double>(rule.ulp.value_or(0)) * 0x1p-23);
    out.atol = rule.atol;
    return out;
  }
  // Of the other types only the same bytes can be told on the board.
  if (rule.exact || (!rule.ulp && rule.rtol == 0 && rule.atol == 0)) return out;
  return std::nullopt;
}

// The call that holds the result against the array.
std::string call_of(const ResultCheck& check, const std::string& got, const std::string& expected) {
  const std::string head = cat("&test, \"result", check.result, "\", ", got, ", ");
  switch (check.kind) {
    case ResultCheck::Kind::kBytes:
      return cat("hlocc_selftest_bytes(", head, expected, ", ", check.count, "u)");
    case ResultCheck::Kind::kIntegers:
      return cat("hlocc_selftest_integers(", head, expected, ", ", check.count, "u, ",
                 check.element_bytes, "u, ", check.is_signed ? 1 : 0, ", ", check.most, "u)");
    case ResultCheck::Kind::kF32: break;
  }
  return cat("hlocc_selftest_f32(", head, "(const float *)(const void *)", expected, ", ",
             check.count, "u, ", exact_float(check.rtol), ", ", exact_float(check.atol), ")");
}

// The leaf with all its rows.
hlo::Shape shape_of_all_rows(const kernel::Signature& signature, size_t leaf) {
  hlo::Shape out = signature.arguments[leaf].shape;
  if (signature.stream && signature.stream->leaf == static_cast<int>(leaf))
    out.dimensions[signature.stream->axis] = signature.stream->rows;
  return out;
}

// Rows are pushed one by one, as they would arrive.
std::string run_of(const kernel::Signature& signature) {
  const std::string& p = signature.prefix;
  if (!signature.stream) return cat("    status = ", p, "run(&model);\n");
  const int leaf = signature.stream->leaf;
  const std::string macro = cat(signature.macro_prefix, "ARG", leaf, "_");
  const std::string bytes = cat(signature.arguments[leaf].bytes(), "u");
  return cat("    static unsigned char row[", bytes, "] __attribute__((aligned(", macro,
             "ALIGN)));\n    size_t at;\n    status = ", p,
             "begin(&model);\n    for (at = 0; status == 0 && at < ", signature.stream->rows,
             "u; ++at) {\n      copy(row, in", leaf, " + at * ", bytes, ", ", bytes,
             ");\n      status = ", p, "push_arg", leaf,
             "(&model, (const void *)row, 1);\n    }\n    if (status == 0) status = ", p,
             "end(&model);\n");
}

std::string last_of(const std::string& output) {
  const std::string plain = printable_end(output, 200);
  return plain.empty() ? "nothing was printed" : cat("it ends with: ", plain);
}

}  // namespace

const char* selftest_output() { return kSelftestHead; }

SelftestParts selftest_parts(const std::vector<hlo::CompareRule>& rules,
                             const import::Snapshot& snapshot, const kernel::Signature& signature,
                             ByteOrder order) {
  const std::string& p = signature.prefix;
  SelftestParts out;
  out.run = run_of(signature);
  size_t leaf = 0;
  for (const hlo::Literal& argument : snapshot.arguments)
    for (const hlo::Literal& value : leaves(argument)) {
      const kernel::Leaf& into = signature.arguments[leaf];
      const std::string name = cat("in", leaf);
      out.arguments.push_back(device::to_memory(value, shape_of_all_rows(signature, leaf), order));
      out.data += bytes_array(name, out.arguments.back());
      if (!signature.stream || signature.stream->leaf != into.index)
        out.inputs +=
            cat("  copy(", p, "arg", leaf, "_data(&model), ", name, ", ", into.bytes(), "u);\n");
      ++leaf;
    }
  const std::vector<hlo::Literal> expected = leaves(snapshot.result);
  for (size_t i = 0; i < signature.results.size(); ++i) {
    const kernel::Leaf& result = signature.results[i];
    const auto check = check_of(result, rule_of(rules, i, expected[i]));
    if (!check) {
      out.unchecked.push_back(cat("result", i, " of ", result.shape,
                                  " has a rule that hlocc_selftest.h can't hold on the board"));
      continue;
    }
    out.expected.push_back(device::to_memory(expected[i], result.shape, order));
    out.rules.push_back(*check);
    out.data += bytes_array(cat("out", i), out.expected.back());
    out.checks +=
        cat("  ", call_of(*check, cat(p, "result", i, "_data(&model)"), cat("out", i)), ";\n");
    ++out.count;
  }
  return out;
}

Result<SelftestSource> write_selftest(const Case& one, const import::Imported& imported,
                                      const kernel::Signature& signature, const Target& target) {
  const std::string& p = signature.prefix;
  const SelftestParts parts =
      selftest_parts(all_rules(one.rules, imported.module, imported.snapshot->result),
                     *imported.snapshot, signature, target.byte_order);
  if (!parts.unchecked.empty()) return error(DiagnosticKind::kUnsupported, parts.unchecked[0]);
  const std::string &data = parts.data, &inputs = parts.inputs, &checks = parts.checks;
  SelftestSource out;
  // A board that answers with what was flashed before answers with another title.
  out.title =
      cat(to_c_identifier(one.name), "-", sha256(cat(data, checks, target.name)).substr(0, 8));
  out.checks = 1 + parts.count;
  out.text = cat(
      "#include \"", signature.stem, ".h\"\n", kSelftestHead, data, "\nstatic unsigned char arena[",
      signature.macro_prefix, "ARENA_BYTES] BOARD_BULK __attribute__((aligned(",
      signature.macro_prefix, "ARENA_ALIGN)));\nstatic ", p,
      "t model;\n\nstatic inline void copy(void *to, const unsigned char *from, size_t bytes) {\n"
      "  size_t i;\n  for (i = 0; i < bytes; ++i) ((unsigned char *)to)[i] = from[i];\n}\n\n"
      "int main(void) {\n  hlocc_selftest test;\n  hlocc_selftest_begin(&test, \"",
      out.title, "\", hlocc_verify_write, 0);\n  int status = ", p, "init(&model, ",
      signature.memories.empty() ? "arena" : cat(signature.macro_prefix, "ARENAS_IN(arena)"),
      ");\n", "  if (status == 0) {\n", inputs, parts.run,
      "  }\n  hlocc_selftest_true(&test, \"run\", status == 0);\n", checks,
      "  return hlocc_selftest_end(&test);\n}\n");
  return out;
}

std::string read_selftest(const std::string& output, const std::string& title, int checks) {
  bool began = false, other = false;
  std::string failed;
  for (const std::string& line : split(output, '\n')) {
    const size_t at = line.find("hlocc-selftest ");
    if (at == std::string::npos) continue;
    std::string text = line.substr(at);
    while (!text.empty() && (text.back() == '\r' || text.back() == ' ')) text.pop_back();
    const std::string begin = cat("hlocc-selftest begin ", title);
    if (text.starts_with("hlocc-selftest begin ")) {
      began = text == begin;
      other = other || !began;
      failed.clear();
    }
    if (!began) continue;
    if (text.starts_with("hlocc-selftest FAIL ") && failed.empty()) failed = text.substr(15);
    if (!text.starts_with("hlocc-selftest end ")) continue;
    if (text == cat("hlocc-selftest end ", title, " passed ", checks, " failed 0") &&
        failed.empty())
      return "";
    return failed.empty() ? cat("the board says: ", text) : cat("on the board: ", failed);
  }
  if (began) return cat("the board stopped in the middle of the test; ", last_of(output));
  if (other)
    return cat("the board answered with another test than ", title, ": was this program flashed?");
  return cat("the board printed no line of hlocc-selftest; ", last_of(output));
}

}  // namespace hlocc::driver
