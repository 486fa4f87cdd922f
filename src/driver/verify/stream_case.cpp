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
static_assert(kStreamRecords == 1 + std::size(kPushWays));

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

std::string begin_of(const BatchCase& one, const std::string& function, const std::string& name,
                     const char* member, const std::string& folder) {
  return cat("static void ", function, " {\n  ", name, "_t *self = &instance.", member, one.number,
             ";\n  unsigned char first;\n  int status = ", name, "_init(self, arena), file;\n",
             input_of(one, name, folder));
}

std::string plain_function(const BatchCase& one, const std::string& folder) {
  const std::string name = plain_name(one);
  const size_t leaf = one.stream->leaf;
  return cat(begin_of(one, cat("plain_", one.number, "(int out)"), name, "p", folder),
             "  if (status == 0) {\n    stream_move((unsigned char *)", name, "_arg", leaf,
             "_data(self), stream_rows, ", one.argument_bytes[leaf], "u);\n    status = ", name,
             "_run(self);\n  }\n", results_of(one, name), "}\n");
}

std::string push_function(const BatchCase& one, const std::string& folder) {
  const std::string name = one.name(), macros = to_upper(name);
  const BatchStream& stream = *one.stream;
  const std::string row = cat(stream.row_bytes, "u"), rows = cat(stream.rows, "u");
  return cat(
      begin_of(one, cat("push_", one.number, "(int out, size_t most)"), name, "c", folder),
      "  size_t at = 0;\n  if (status == 0) status = ", name,
      "_begin(self);\n  while (status == 0 && at < ", rows, ") {\n    size_t count = ", rows,
      " - at;\n    if (most != 0) count = stream_drawn(most < count ? most : count);\n    if (",
      macros, "_ARG", stream.leaf, "_BYTES % ", macros, "_ARG", stream.leaf,
      "_ALIGN != 0) count = 1;\n    if (", name, "_rows_left(self) != ", rows, " - at || ", name,
      "_end(self) == 0) {\n      status = 203;\n      break;\n    }\n"
      "    stream_move(stream_piece, stream_rows + at * ",
      row, ", count * ", row, ");\n    status = ", name, "_push_arg", stream.leaf,
      "(self, (const void *)stream_piece, count);\n    stream_wipe(stream_piece, count * ", row,
      ");\n    at += count;\n  }\n  if (status == 0) status = ", name, "_end(self);\n",
      results_of(one, name), "}\n");
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

int64_t stream_file_bytes(const BatchCase& one) {
  int64_t bytes = 1;
  for (const int64_t size : one.result_bytes) bytes += size;
  return bytes * kStreamRecords;
}

std::vector<hlo::CompareRule> stream_rules(std::vector<hlo::CompareRule> rules,
                                           const kernel::Signature& plain) {
  for (size_t i = 0; i < rules.size(); ++i) {
    const hlo::PrimitiveType type = plain.results[i].shape.element_type;
    if (!hlo::is_float(type) && !hlo::is_complex(type)) rules[i] = {.bits = true};
  }
  return rules;
}

std::string judge_stream(std::span<const std::byte> file, const kernel::Signature& plain,
                         ByteOrder order, const std::vector<hlo::CompareRule>& rules,
                         const std::vector<std::string>& labels) {
  const size_t bytes = 1 + bytes_of_leaves(plain);
  const hlo::Literal expected = results_at(file.subspan(1), plain, order);
  for (size_t i = 0; i < std::size(kPushWays); ++i) {
    const std::span<const std::byte> record = file.subspan((1 + i) * bytes, bytes);
    const std::string way = cat("rows pushed ", kPushWays[i].words, ": ");
    if (record[0] != std::byte{0}) return cat(way, "push returned ", static_cast<int>(record[0]));
    const std::string different =
        compare_results(results_at(record.subspan(1), plain, order), expected, rules, labels);
    if (!different.empty()) return cat(way, different, " from the plain run");
  }
  return "";
}

}  // namespace hlocc::driver
