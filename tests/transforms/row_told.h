// Schedules of rows, and what loops over them are made of, as text for golden files.
#pragma once
#include <map>
#include <string>

#include "ops/text/literal_text.h"
#include "support/text.h"
#include "transforms/rows/row_schedule.h"
#include "transforms/support.h"

namespace hlocc::tests {

// Cases hold the lines of an entry; these are the reducers that they may name.
inline Module row_case(const std::string& lines) {
  std::string text = "HloModule m\n";
  const std::pair<const char*, const char*> reducers[] = {
      {"most s8", "maximum"},    {"least s8", "minimum"},  {"sum s32", "add"},
      {"times s32", "multiply"}, {"fmost f32", "maximum"}, {"fleast f32", "minimum"},
      {"dsum f64", "add"},       {"fsum f32", "add"},      {"ftimes f32", "multiply"}};
  for (const auto& [name, op] : reducers) {
    const std::vector<std::string> words = split(name, ' ');
    const std::string type = words[1] + "[]";
    text += cat(words[0], " { a = ", type, " parameter(0)\n b = ", type,
                " parameter(1)\n ROOT r = ", type, " ", op, "(a, b) }\n");
  }
  text +=
      "odd { a = s32[] parameter(0)\n b = s32[] parameter(1)\n c = s32[] add(a, b)\n ROOT r = "
      "s32[] "
      "add(c, b) }\n";
  return after(module_from(cat(text, "ENTRY e {\n", lines, "\n}\n")), {transforms::fold_constants});
}

inline std::string stored_told(const hlo::Computation& c, const transforms::RowSchedule& schedule,
                               const transforms::StoredRows& rows) {
  std::string out = cat(c[rows.value].name, " ", rows.rate, "/", rows.period, " [", rows.oldest,
                        "..", rows.lead + rows.rate - 1, "] of ", rows.height);
  if (rows.dimension != 1) out += cat(" along ", rows.dimension);
  if (rows.beyond) {
    out += " beyond ";
    ops::append_literal(out, *rows.beyond);
  }
  out += cat(" making ", rows.making_bytes);
  for (size_t k = 0; k < rows.reads.size(); ++k)
    out += cat(k == 0 ? " from " : ", ", c[schedule.stored[rows.reads[k]].value].name, "[",
               rows.taken[k].low, "..", rows.taken[k].high, "]");
  for (const hlo::InstructionId whole : rows.whole) out += cat(" with ", c[whole].name);
  return out;
}

// Each stored array as "NAME RATE/PERIOD [rows that it keeps] of HEIGHT".
inline std::string schedule_told(const hlo::Computation& c,
                                 const transforms::RowSchedule& schedule) {
  std::string out =
      cat(schedule.iterations, " iterations from ", schedule.first, ", ", schedule.bytes(),
          " bytes, ", schedule.bytes_moved(), " moved", schedule.is_reduced ? ", reduced" : "",
          schedule.is_over_entrance ? ", over the entrance" : "");
  for (const transforms::StoredRows& rows : schedule.stored)
    out += cat("\n    ", stored_told(c, schedule, rows));
  return out;
}

// "340 bytes: 2 conditional, 3 slice": all arrays that are no constants, and what makes them.
inline std::string work_told(const Module& module) {
  std::map<std::string, int> kinds;
  int64_t bytes = 0;
  for (const hlo::Computation& c : module.computations)
    for (const hlo::Instruction& i : c.instructions) {
      if (i.opcode == Opcode::kConstant || i.opcode == Opcode::kParameter ||
          i.opcode == Opcode::kTuple || i.opcode == Opcode::kGetTupleElement)
        continue;
      ++kinds[std::string(hlo::opcode_name(i.opcode))];
      if (i.shape.is_array()) bytes += i.shape.byte_size();
    }
  std::string out = cat(bytes, " bytes");
  for (const auto& [kind, times] : kinds)
    out += cat(out.ends_with("bytes") ? ": " : ", ", times, " ", kind);
  return out;
}

}  // namespace hlocc::tests
