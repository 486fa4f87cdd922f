// See stream_case.h. Rows are pushed from a buffer that is written over afterwards, so that a
// library which reads a row later gets another.
#include "driver/verify/stream_case.h"

#include <algorithm>
#include <iterator>

#include "devices/memory_image.h"
#include "support/foreign_text.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// How many rows a call pushes at most; 0: as many as are missing.
struct PushWay {
  const char* words;
  int64_t (*most)(int64_t rows);
};
constexpr PushWay kPushWays[] = {
    {"one at a time", [](int64_t) -> int64_t { return 1; }},
    {"in pieces of drawn sizes", [](int64_t rows) -> int64_t { return 2 + rows / 4; }},
    {"all at once", [](int64_t) -> int64_t { return 0; }}};
// Where windows follow one another: the rows of the case go round, so that each is another.
constexpr int64_t kFollowing = 4;

int64_t windows_of(const BatchCase& one) { return one.stream->every > 0 ? kFollowing : 1; }

constexpr const char* kStreamHelpers = R"(
static uint32_t stream_seed = 1;
static size_t stream_drawn(size_t most) {
  stream_seed = stream_seed * 1664525u + 1013904223u;
  return 1 + (size_t)(stream_seed >> 8) % most;
}
static void stream_move(unsigned char *to, const unsigned char *from, size_t bytes) {
  while (bytes-- != 0) *to++ = *from++;
}
static void stream_wipe(unsigned char *what, size_t bytes) {
  while (bytes-- != 0) *what++ = 0xa5;
}
)";

// The case's input file, up to `status`; the streamed argument goes to stream_rows.
std::string input_of(const BatchCase& one, const std::string& name, const std::string& folder) {
  std::string out = cat("  file = board_file_open_read(", c_string(input_file(folder, one)),
                        ");\n  if (file < 0) status = 200;\n");
  for (size_t i = 0; i < one.argument_bytes.size(); ++i)
    out += cat("  if (status == 0) status = get(file, ",
               i == one.stream->leaf ? "stream_rows" : cat(name, "_arg", i, "_data(self)"), ", ",
               one.argument_bytes[i], "u);\n");
  return out + "  if (file >= 0) board_file_close(file);\n";
}

std::string results_of(const BatchCase& one, const std::string& name) {
  std::string out = "  first = (unsigned char)status;\n  put(out, &first, 1);\n";
  for (size_t i = 0; i < one.result_bytes.size(); ++i)
    out += cat("  put(out, ", name, "_result", i, "_data(self), ", one.result_bytes[i], "u);\n");
  return out;
}

// Up to the loop over windows, which the caller closes. The plain library's arguments may be gone
// after a run (`is_plain`); the other's stay.
std::string begin_of(const BatchCase& one, const std::string& function, const std::string& name,
                     bool is_plain, const std::string& folder) {
  const std::string input = input_of(one, name, folder);
  return cat(
      "static void ", function, " {\n  ", name, "_t *self = &instance.", is_plain ? "p" : "c",
      one.number, ";\n  unsigned char first;\n  size_t at = 0, window;\n  int status = ", name,
      "_init(self, ", init_arguments(one, name, "arena"), "), file;\n", is_plain ? "" : input,
      "  for (window = 0; window < ", windows_of(one), "u; ++window) {\n", is_plain ? input : "");
}

// Rows go round: what is copied begins with row `at` and ends before it.
std::string plain_function(const BatchCase& one, const std::string& folder) {
  const std::string name = plain_name(one);
  const BatchStream& stream = *one.stream;
  const int64_t bytes = one.argument_bytes[stream.leaf];
  const std::string to = cat("(unsigned char *)", name, "_arg", stream.leaf, "_data(self)"),
                    part = cat("at * ", stream.row_bytes, "u");
  return cat(begin_of(one, cat("plain_", one.number, "(int out)"), name, true, folder),
             "  if (status == 0) {\n    stream_move(", to, ", stream_rows + ", part, ", ", bytes,
             "u - ", part, ");\n    stream_move(", to, " + ", bytes, "u - ", part,
             ", stream_rows, ", part, ");\n    status = ", name, "_run(self);\n  }\n",
             results_of(one, name), "  at = (at + ", stream.every, "u) % ", stream.rows,
             "u;\n  }\n}\n");
}

// A call for more rows than are missing takes none.
std::string push_function(const BatchCase& one, const std::string& folder) {
  const std::string name = one.name(), macro = cat(to_upper(name), "_ARG", one.stream->leaf);
  const BatchStream& stream = *one.stream;
  const std::string row = cat(stream.row_bytes, "u"), rows = cat(stream.rows, "u"),
                    push =
                        cat(name, "_push_arg", stream.leaf, "(self, (const void *)stream_piece, ");
  return cat(
      begin_of(one, cat("push_", one.number, "(int out, size_t most)"), name, false, folder),
      "  size_t missing = window == 0 ? ", rows, " : ", stream.every,
      "u;\n  if (status == 0 && window == 0) status = ", name,
      "_begin(self);\n  while (status == 0 && missing != 0) {\n    size_t count = missing, i;\n"
      "    if (most != 0) count = stream_drawn(most < count ? most : count);\n    if (",
      macro, "_BYTES % ", macro, "_ALIGN != 0) count = 1;\n    if ((at < ", rows, " && (", name,
      "_rows_left(self) != ", rows, " - at || ", name, "_end(self) == 0)) || ", push,
      "missing + 1) == 0) {\n      status = 203;\n      break;\n    }\n"
      "    for (i = 0; i < count; ++i)\n      stream_move(stream_piece + i * ",
      row, ", stream_rows + (at + i) % ", rows, " * ", row, ", ", row, ");\n    status = ", push,
      "count);\n    stream_wipe(stream_piece, count * ", row,
      ");\n    at += count;\n    missing -= count;\n  }\n  if (status == 0) status = ", name,
      "_end(self);\n", results_of(one, name), "  }\n}\n");
}

size_t bytes_of_leaves(const kernel::Signature& plain) {
  size_t bytes = 0;
  for (const kernel::Leaf& leaf : plain.results) bytes += static_cast<size_t>(leaf.bytes());
  return bytes;
}

hlo::Literal results_at(std::span<const std::byte> bytes, const kernel::Signature& plain,
                        ByteOrder order) {
  std::vector<hlo::Literal> out;
  for (const kernel::Leaf& leaf : plain.results) {
    const auto size = static_cast<size_t>(leaf.bytes());
    out.push_back(device::from_memory(bytes.first(size), leaf.shape, order));
    bytes = bytes.subspan(size);
  }
  return hlo::Literal::make_tuple(std::move(out));
}

}  // namespace

std::string plain_name(const BatchCase& one) { return one.name() + "_plain"; }

std::string write_stream_head(const std::vector<BatchCase>& cases) {
  int64_t most = 0;
  for (const BatchCase& one : cases)
    if (one.stream) most = std::max(most, one.stream->rows * one.stream->row_bytes);
  if (most == 0) return "";
  const std::string buffer = cat("[", most, "] BOARD_BULK __attribute__((aligned(64)))");
  return cat("\nstatic unsigned char stream_rows", buffer, ";\nstatic unsigned char stream_piece",
             buffer, ";\n", std::string(kStreamHelpers));
}

std::string write_stream_case(const BatchCase& one, const std::string& folder) {
  std::string calls;
  for (const PushWay& way : kPushWays)
    calls += cat("  push_", one.number, "(out, ", way.most(one.stream->rows), "u);\n");
  return cat("\n", plain_function(one, folder), push_function(one, folder), "static void run_",
             one.number, "(void) {\n  const int out = board_file_open_write(",
             c_string(output_file(folder, one)), ");\n  plain_", one.number, "(out);\n", calls,
             "  board_file_close(out);\n}\n");
}

int64_t stream_room(const BatchCase& one) {
  return one.stream ? 2 * one.stream->rows * one.stream->row_bytes : 0;
}

int64_t stream_records(const BatchCase& one) {
  return windows_of(one) * static_cast<int64_t>(1 + std::size(kPushWays));
}

int64_t stream_file_bytes(const BatchCase& one) {
  int64_t bytes = 1;
  for (const int64_t size : one.result_bytes) bytes += size;
  return bytes * stream_records(one);
}

std::vector<hlo::CompareRule> stream_rules(std::vector<hlo::CompareRule> rules,
                                           const kernel::Signature& plain) {
  for (size_t i = 0; i < rules.size(); ++i) {
    const hlo::PrimitiveType type = plain.results[i].shape.element_type;
    if (!hlo::is_float(type) && !hlo::is_complex(type)) rules[i] = {.bits = true};
  }
  return rules;
}

std::string judge_stream(std::span<const std::byte> file, const BatchCase& one,
                         const kernel::Signature& plain, ByteOrder order,
                         const std::vector<hlo::CompareRule>& rules,
                         const std::vector<std::string>& labels) {
  const size_t bytes = 1 + bytes_of_leaves(plain), windows = static_cast<size_t>(windows_of(one));
  for (size_t i = 0; i < std::size(kPushWays) * windows; ++i) {
    const size_t window = i % windows;
    const std::span<const std::byte> record = file.subspan((windows + i) * bytes, bytes);
    const std::string way = cat("rows pushed ", kPushWays[i / windows].words,
                                windows > 1 ? cat(", window ", window) : "", ": ");
    if (record[0] != std::byte{0}) return cat(way, "push returned ", static_cast<int>(record[0]));
    const std::string different =
        compare_results(results_at(record.subspan(1), plain, order),
                        results_at(file.subspan(window * bytes + 1), plain, order), rules, labels);
    if (!different.empty()) return cat(way, different, " from the plain run");
  }
  return "";
}

}  // namespace hlocc::driver
