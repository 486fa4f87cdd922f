// See analysis_text.h.
#include "driver/analyze/analysis_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "driver/analyze/layer_text.h"
#include "driver/cli/text_table.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using nlohmann::ordered_json;

constexpr size_t kMostValues = 10;  // of the peak, in the text

int64_t whole_number(double number) { return std::llround(number); }

std::string with_digits(double number, const char* format) {
  char text[64];
  std::snprintf(text, sizeof text, format, number);
  return text;
}

std::string time_of(double cycles, double clock) {
  const double seconds = cycles / clock;
  if (seconds >= 1) return with_digits(seconds, "%.2f s");
  if (seconds >= 1e-3) return with_digits(seconds * 1e3, "%.2f ms");
  return with_digits(seconds * 1e6, "%.1f us");
}

std::string stack_of(const Analysis& found) {
  if (!found.has_code) return "not known";
  return cat(found.stack_is_lower_bound ? ">= " : "", found.stack_bytes);
}

std::string code_of(const Analysis& found) {
  return found.has_code ? cat(found.code_bytes) : "not known";
}

std::string layers_text(const Analysis& found, size_t width) {
  std::vector<Column> columns = {{"layer"},           {"shape", false, 1},  {"source", false, 3},
                                 {"MACs", true, 2},   {"weights", true},    {"flash", true},
                                 {"RAM alive", true}, {"read", true, 6},    {"written", true, 6},
                                 {"cycles", true},    {"kernel", false, 4}, {"schedule", false, 5}};
  const bool has_palettes = found.palette_layers > 0;
  if (has_palettes)
    for (const char* title : {"palette bits", "saved", "cycles added"})
      columns.push_back({title, true});
  TextTable lines;
  for (const Layer& layer : found.layers) {
    const LaunchRow& row = layer.launch;
    lines.push_back({layer_text(row), row.origin.shape, source_text(row.origin),
                     cat(whole_number(row.products)), cat(layer.weights_bytes),
                     cat(layer.flash_bytes), cat(layer.alive_bytes),
                     cat(whole_number(row.bytes_read)), cat(whole_number(row.bytes_written)),
                     cat(whole_number(row.cycles)), row.kernel, row.choice.to_string()});
    if (!has_palettes) continue;
    for (const int64_t number : {int64_t{layer.palette_bits}, layer.palette_bytes_saved,
                                 whole_number(layer.palette_cycles_added)})
      lines.back().push_back(layer.palette_bits > 0 ? cat(number) : "");
  }
  return to_text(columns, std::move(lines), width);
}

std::string totals_text(const std::vector<Analysis>& targets, std::optional<double> clock) {
  TextTable lines = {{""},         {"RAM"},         {"  arena"},   {"  instance"},
                     {"stack"},    {"flash"},       {"  weights"}, {"  code"},
                     {"  tables"}, {"kernels run"}, {"MACs"},      {"cycles, estimated"}};
  if (clock) lines.push_back({"time, estimated"});
  for (const Analysis& found : targets) {
    const std::vector<std::string> column = {found.target,
                                             cat(found.ram_bytes()),
                                             cat(found.arena_bytes),
                                             cat(found.instance_bytes),
                                             stack_of(found),
                                             cat(found.has_code ? "" : ">= ", found.flash_bytes()),
                                             cat(found.weights_bytes),
                                             code_of(found),
                                             cat(found.table_bytes),
                                             cat(found.layers.size()),
                                             cat(whole_number(found.products)),
                                             cat(whole_number(found.cycles))};
    for (size_t i = 0; i < column.size(); ++i) lines[i].push_back(column[i]);
    if (clock) lines.back().push_back(time_of(found.cycles, *clock));
  }
  return to_text(lines, 1, targets.size());
}

// Of the arena, what lies between values at the worst step; 0: no offsets of these values, in this
// order of the steps, take less.
int64_t gap_of(const Analysis& found) {
  return std::max<int64_t>(0, found.arena_bytes - found.live_set_bound);
}

// The memory that an offset of the arena is in; null where the arena is one.
const planning::ArenaPiece* memory_at(const Analysis& found, int64_t offset) {
  for (const planning::ArenaPiece& piece : found.memories)
    if (offset >= piece.begin && offset - piece.begin < piece.bytes) return &piece;
  return nullptr;
}
std::string place_text(const Analysis& found, int64_t offset) {
  const planning::ArenaPiece* memory = memory_at(found, offset);
  return memory == nullptr ? cat(offset) : cat(offset - memory->begin, " of ", memory->name);
}

std::string peak_text(const Analysis& found, size_t width) {
  if (found.peak < 0) return "";
  const Layer& layer = found.layers[static_cast<size_t>(found.peak)];
  std::string out =
      wrapped("peak     ",
              cat(layer.alive_bytes, " bytes alive in ", layer_and_kernel(layer.launch)), width);
  const std::vector<const AliveValue*> values = found.at_peak();
  for (size_t i = 0; i < std::min(values.size(), kMostValues); ++i) {
    const AliveValue* value = values[i];
    out += wrapped("         ",
                   cat(value->bytes, " bytes at ", place_text(found, value->offset), ": ",
                       value->name, value->is_argument ? ", an argument" : ""),
                   width);
  }
  if (values.size() > kMostValues)
    out += cat("         and ", values.size() - kMostValues, " smaller ones\n");
  if (found.memories.empty()) out += wrapped("arena    ", to_text(found.proof), width);
  if (found.row_floor)
    out += wrapped(
        "rows     ",
        cat(*found.row_floor, " bytes would do if every row were freed at its last reader"), width);
  for (const std::string& cure : found.ram_cures) out += wrapped("RAM      ", cure, width);
  for (const std::string& cure : found.flash_cures) out += wrapped("flash    ", cure, width);
  return out;
}

std::string memories_text(const Analysis& found, size_t width) {
  std::string out;
  for (const planning::ArenaPiece& piece : found.memories)
    out += cat("memory   ", piece.bytes, " of ", piece.room, " bytes in ", piece.name, "\n");
  if (!found.kept.empty())
    out += cat("memory   ", found.kept_bytes(), " bytes of weights are copied there by init\n");
  if (!found.memories.empty())
    out += wrapped("memory   ",
                   cat("accesses wait about ", whole_number(found.waits),
                       " cycles more than in the "
                       "cycles above; ",
                       whole_number(found.waits_in_last), " if all values lay in ",
                       found.memories.back().name, " and all weights in flash"),
                   width);
  return out;
}

std::string curve_text(const Analysis& found) {
  if (found.curve.empty()) return "";
  TextTable lines = {{"curve", "RAM", "arena", "cycles", "of the least", "plan"}};
  for (const CurvePoint& point : found.curve)
    lines.push_back(
        {"", cat(point.ram_bytes), cat(point.arena_bytes), cat(whole_number(point.cycles)),
         with_digits(point.cycles / std::max(1.0, found.curve.back().cycles), "%.2f"), point.plan});
  return to_text(lines, 1, 4) + "\n";
}

std::string notes_text(const Analysis& found) {
  std::string out;
  for (const FlashSection& section : found.sections)
    out += cat("section  ", section.bytes, " bytes of flash in ", section.name, "\n");
  if (found.layers_in_loops > 0)
    out += cat("note     ", found.layers_in_loops,
               " kernels stand in loops of unknown length and count for one iteration each\n");
  return out;
}

void add_points(const Analysis& found, ordered_json& out) {
  for (const CurvePoint& point : found.curve)
    out["curve"].push_back({{"ram_bytes", point.ram_bytes},
                            {"arena_bytes", point.arena_bytes},
                            {"expected_cycles", whole_number(point.cycles)},
                            {"plan", point.plan}});
}

}  // namespace

std::string to_text(const std::vector<Analysis>& targets, std::optional<double> clock,
                    size_t width) {
  std::string out;
  if (targets.size() > 1) out += totals_text(targets, clock);
  for (const Analysis& found : targets) {
    out += cat(out.empty() ? "" : "\n", found.class_name, " for ", found.target, "\n",
               layers_text(found, width), "\n");
    if (targets.size() == 1) out += totals_text(targets, clock) + "\n";
    out += curve_text(found) + peak_text(found, width) + memories_text(found, width) +
           notes_text(found);
  }
  return out;
}

namespace {

// With --memory: what each memory holds, and in which of them values and kept weights are.
void add_memories(const Analysis& found, ordered_json& out) {
  if (found.memories.empty()) return;
  for (size_t i = 0; i < found.values.size(); ++i)
    if (const planning::ArenaPiece* memory = memory_at(found, found.values[i].offset)) {
      out["values"][i]["memory"] = memory->name;
      out["values"][i]["offset"] = found.values[i].offset - memory->begin;
    }
  for (const planning::ArenaPiece& piece : found.memories)
    out["memories"].push_back(
        {{"name", piece.name}, {"arena_bytes", piece.bytes}, {"room", piece.room}});
  out["expected_waits"] = whole_number(found.waits);
  out["expected_waits_in_last"] = whole_number(found.waits_in_last);
  out["kept_weights_bytes"] = found.kept_bytes();
  out["kept_weights"] = ordered_json::array();
  for (const planning::KeptConstant& kept : found.kept) {
    const planning::ArenaPiece* memory = memory_at(found, kept.to);
    out["kept_weights"].push_back(
        {{"memory", memory->name}, {"offset", kept.to - memory->begin}, {"bytes", kept.bytes}});
  }
}

ordered_json layer_json(const Layer& layer) {
  const LaunchRow& row = layer.launch;
  ordered_json one = {{"kernel", row.kernel}};
  add_origin(row.origin, one);
  one["schedule"] = row.choice.to_string();
  one["tile"] = row.choice.tile.to_string();
  one["macs"] = whole_number(row.products);
  one["weights_bytes"] = layer.weights_bytes;
  one["flash_bytes"] = layer.flash_bytes;
  one["alive_bytes"] = layer.alive_bytes;
  one["bytes_read"] = whole_number(row.bytes_read);
  one["bytes_written"] = whole_number(row.bytes_written);
  one["expected_cycles"] = whole_number(row.cycles);
  if (layer.palette_bits > 0)
    one["palette"] = {{"bits", layer.palette_bits},
                      {"bytes_saved", layer.palette_bytes_saved},
                      {"expected_cycles_added", whole_number(layer.palette_cycles_added)}};
  one["in_loop"] = row.in_loop;
  one["runs"] = row.runs ? nlohmann::ordered_json(*row.runs) : nullptr;
  return one;
}

}  // namespace

ordered_json to_json(const Analysis& found, std::optional<double> clock) {
  ordered_json out = {{"target", found.target},
                      {"class", found.class_name},
                      {"ram_bytes", found.ram_bytes()},
                      {"arena_bytes", found.arena_bytes},
                      {"instance_bytes", found.instance_bytes},
                      {"live_set_bound", found.live_set_bound},
                      {"arena_gap_bytes", gap_of(found)}};
  add_proof(found.proof, out);
  out["row_floor"] = found.row_floor ? ordered_json(*found.row_floor) : nullptr;
  out.update({{"flash_bytes", found.flash_bytes()},
              {"weights_bytes", found.weights_bytes},
              {"code_bytes", nullptr},
              {"stack_bytes", nullptr},
              {"stack_is_lower_bound", found.stack_is_lower_bound},
              {"macs", whole_number(found.products)},
              {"expected_cycles", whole_number(found.cycles)},
              {"palette_layers", found.palette_layers},
              {"palette_bytes_saved", found.palette_bytes_saved},
              {"palette_cycles_added", whole_number(found.palette_cycles_added)}});
  if (found.has_code) {
    out["code_bytes"] = found.code_bytes;
    out["stack_bytes"] = found.stack_bytes;
  }
  if (clock) out["expected_seconds"] = found.cycles / *clock;
  out["sections"] = ordered_json::object();
  for (const FlashSection& section : found.sections) out["sections"][section.name] = section.bytes;
  out["layers"] = ordered_json::array();
  for (const Layer& layer : found.layers) out["layers"].push_back(layer_json(layer));
  out["values"] = ordered_json::array();
  for (const AliveValue& value : found.values)
    out["values"].push_back({{"name", value.name},
                             {"hlo", value.hlo},
                             {"argument", value.is_argument},
                             {"offset", value.offset},
                             {"bytes", value.bytes},
                             {"first_layer", value.first},
                             {"last_layer", value.last}});
  out["peak_layer"] = found.peak;
  out["ram_cures"] = found.ram_cures;
  out["flash_cures"] = found.flash_cures;
  add_memories(found, out);
  add_points(found, out);
  return out;
}

namespace {

std::string memory_lines(const Analysis& found) {
  std::vector<std::string> each;
  for (const planning::ArenaPiece& piece : found.memories)
    each.push_back(cat(piece.bytes, " in ", piece.name));
  const std::string memories =
      each.empty() ? "" : cat(found.target, ": of the arena ", join(each, ", "), "\n");
  return cat(found.target, ": RAM ", found.ram_bytes(), " bytes (arena ", found.arena_bytes,
             ", instance ", found.instance_bytes, "), stack ", stack_of(found), "\n", found.target,
             ": flash ", found.has_code ? "" : ">= ", found.flash_bytes(), " bytes (weights ",
             found.weights_bytes, ", code ", code_of(found),
             found.table_bytes > 0 ? cat(", tables ", found.table_bytes) : "", ")\n", memories);
}

std::string cycles_line(const std::string& name, const Analysis& found) {
  std::string out = cat(name, ": about ", whole_number(found.cycles), " cycles",
                        found.layers_in_loops > 0 ? " (loops of unknown length counted once)" : "");
  if (found.peak >= 0) {
    const Layer& layer = found.layers[static_cast<size_t>(found.peak)];
    out += cat("; most RAM is alive in ", layer_and_kernel(layer.launch));
  }
  if (const std::string proof = short_text(found.proof); !proof.empty()) out += cat("; ", proof);
  return out + "\n";
}

}  // namespace

std::string palettes_line(const std::string& name, const Analysis& found) {
  if (found.palette_layers == 0) return "";
  const double before = found.cycles - found.palette_cycles_added;
  const double more = before > 0 ? 100 * found.palette_cycles_added / before : 0;
  return cat(name, ": palettes take ", found.palette_bytes_saved, " bytes off the weights of ",
             found.palette_layers, found.palette_layers == 1 ? " layer" : " layers", ", for ",
             whole_number(found.palette_cycles_added), " of these cycles (+",
             with_digits(more, "%.1f"), " %)\n");
}

std::string summary(const Analysis& found) {
  return cat(memory_lines(found), cycles_line(found.target, found),
             palettes_line(found.target, found));
}

std::string summary(const Analysis& total, const std::vector<Analysis>& models) {
  std::string out = memory_lines(total);
  if (total.shared_weights_bytes > 0)
    out += cat(total.target, ": models share ", total.shared_weights_bytes, " bytes of weights\n");
  for (const Analysis& one : models)
    out += cat(cycles_line(cat(one.target, ": ", one.class_name, ": arena ", one.arena_bytes), one),
               palettes_line(cat(one.target, ": ", one.class_name), one));
  return out;
}

}  // namespace hlocc::driver
