// See guard.h.
#include "driver/verify/guard.h"

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "support/foreign_text.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using device::kGuardRounds;

// Arena, instance, arguments, results.
int buffers_of(const BatchCase& one) {
  return 2 + static_cast<int>(one.argument_bytes.size() + one.result_bytes.size());
}

std::string sizes_of(const BatchCase& one, const char* between) {
  std::string out = cat(one.arena_bytes, "u", between, "sizeof(", one.name(), "_t)");
  for (const auto* leaves : {&one.argument_bytes, &one.result_bytes})
    for (const int64_t bytes : *leaves) out += cat(between, bytes, "u");
  return out;
}

std::string turns_table() {
  std::string rows;
  for (const device::GuardRound& round : kGuardRounds)
    rows += cat("  {", round.own ? 1 : 0, ", ", round.behind ? 1 : 0, ", ",
                static_cast<int>(round.arena), ", ", static_cast<int>(round.instance), ", ",
                static_cast<int>(round.results), ", ", static_cast<int>(round.around), "},\n");
  return cat("\nstatic const guard_round guard_rounds[] = {\n", rows, "};\n");
}

// Points leaves that are not donated at buffers of their own; the others have no setter.
std::string setters(const BatchCase& one) {
  std::string out;
  const auto set = [&](const char* kind, size_t leaf, size_t buffer) {
    out += cat("      if (status == 0) status = ", one.name(), "_set_", kind, leaf,
               "_data(self, guard_data(", buffer, "));\n");
  };
  const size_t arguments = one.argument_bytes.size();
  for (size_t i = 0; i < arguments; ++i)
    if (!one.argument_donated[i] && one.argument_bytes[i] > 0) set("arg", i, 2 + i);
  for (size_t i = 0; i < one.result_bytes.size(); ++i)
    if (!one.result_donated[i] && one.result_bytes[i] > 0) set("result", i, 2 + arguments + i);
  return out;
}

}  // namespace

std::string write_guard_head(const std::vector<BatchCase>& cases) {
  int most = 0;
  std::string pool;
  for (const BatchCase& one : cases) {
    most = std::max(most, buffers_of(one));
    pool += cat("  unsigned char c", one.number, "[", sizes_of(one, " + "), " + ", buffers_of(one),
                "u * (128u + ", one.arena_align, "u)];\n");
  }
  return cat("#define GUARD_MOST ", most,
             "\n#include \"board_guard.h\"\n#ifndef GUARD_PAGES\nstatic union {\n", pool,
             "} guard_memory BOARD_BULK;\nstatic unsigned char *guard_pool(size_t *bytes) {\n"
             "  *bytes = sizeof guard_memory;\n  return (unsigned char *)&guard_memory;\n}\n"
             "#endif\n",
             turns_table());
}

std::string write_guard_case(const BatchCase& one, const std::string& folder) {
  const std::string name = one.name();
  std::string reads, writes;
  for (size_t i = 0; i < one.argument_bytes.size(); ++i)
    reads += cat("    if (status == 0) status = get(file, ", name, "_arg", i, "_data(self), ",
                 one.argument_bytes[i], "u);\n");
  for (size_t i = 0; i < one.result_bytes.size(); ++i)
    writes +=
        cat("    put(out, ", name, "_result", i, "_data(self), ", one.result_bytes[i], "u);\n");
  return cat(
      "\nstatic void run_", one.number, "(void) {\n  const size_t sizes[] = {", sizes_of(one, ", "),
      "};\n  const int out = board_file_open_write(", c_string(output_file(folder, one)),
      ");\n  unsigned round;\n  for (round = 0; round < ", std::size(kGuardRounds),
      "u; ++round) {\n    const guard_round *now = &guard_rounds[round];\n",
      "    int status = guard_open(sizes, ", buffers_of(one), ", ", one.arena_align,
      "u) ? 0 : 202, finding = 0, file;\n    unsigned char head[3];\n    ", name,
      "_t *self;\n    if (status != 0) break;\n    GUARD_ROUND_IS((int)round);\n"
      "    guard_begin(now, ",
      one.arena_align, "u);\n    self = (", name, "_t *)guard_data(1);\n    status = ", name,
      "_init(self, ", init_arguments(one, name, "guard_data(0)"), ");\n    if (now->own) {\n",
      setters(one), "    }\n    file = board_file_open_read(", c_string(input_file(folder, one)),
      ");\n    if (file < 0) status = 200;\n", reads,
      "    if (file >= 0) board_file_close(file);\n    guard_note();\n    if (status == 0) status "
      "= ",
      name, "_run(self);\n    finding = guard_check(now, ", one.argument_bytes.size(),
      ");\n    head[0] = (unsigned char)status;\n    head[1] = (unsigned char)(finding & 255);\n"
      "    head[2] = (unsigned char)(finding >> 8);\n    put(out, head, 3);\n",
      writes, "    guard_close();\n  }\n  board_file_close(out);\n}\n");
}

int64_t guard_room(const BatchCase& one) {
  int64_t bytes = buffers_of(one) * (128 + one.arena_align);
  for (const auto* leaves : {&one.argument_bytes, &one.result_bytes})
    for (const int64_t size : *leaves) bytes += size;
  return bytes;
}

int64_t guard_file_bytes(const BatchCase& one) {
  int64_t bytes = kGuardHead;
  for (const int64_t size : one.result_bytes) bytes += size;
  return bytes * static_cast<int64_t>(std::size(kGuardRounds));
}

std::vector<device::GuardRecord> read_guard_file(std::span<const std::byte> bytes,
                                                 const BatchCase& one) {
  std::vector<device::GuardRecord> records;
  for (size_t round = 0; round < std::size(kGuardRounds); ++round) {
    device::GuardRecord record{static_cast<int>(bytes[0]),
                               static_cast<int>(bytes[1]) | static_cast<int>(bytes[2]) << 8,
                               {}};
    bytes = bytes.subspan(kGuardHead);
    for (const int64_t size : one.result_bytes) {
      const auto leaf = bytes.first(static_cast<size_t>(size));
      record.results.emplace_back(leaf.begin(), leaf.end());
      bytes = bytes.subspan(leaf.size());
    }
    records.push_back(std::move(record));
  }
  return records;
}

std::string guard_death(const std::string& output, const BatchCase& one) {
  const size_t at = std::min(output.find("hlocc-guard "), output.size());
  int finding = 0, round = 0;
  if (std::sscanf(output.c_str() + at, "hlocc-guard %d %d", &finding, &round) != 2 || finding < 1 ||
      round < 0 || round >= static_cast<int>(std::size(kGuardRounds)))
    return "";
  std::vector<device::GuardRecord> records(static_cast<size_t>(round) + 1);
  records.back().finding = finding;
  return device::judge_guard(records, static_cast<int>(one.argument_bytes.size()));
}

}  // namespace hlocc::driver
