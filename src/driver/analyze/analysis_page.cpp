// See analysis_page.h. Boxes of the memory map are placed in percent, so that the picture fits any
// width while its letters keep their size.
#include "driver/analyze/analysis_page.h"

#include <algorithm>
#include <cmath>

#include "driver/analyze/graph_picture.h"
#include "driver/analyze/layer_text.h"
#include "driver/analyze/page_parts.h"
#include "driver/cli/text_table.h"
#include "support/foreign_text.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// Values that the picture shows at most: the largest ones.
constexpr size_t kMostBoxes = 1500;

std::string layer_table(const Analysis& found) {
  std::string out = "<div class=\"scroll\"><table class=\"layers\"><thead><tr>";
  out += head_cell("#", true);
  for (const char* name : {"layer", "shape", "source", "kernel", "schedule"})
    out += head_cell(name, false);
  for (const char* name : {"MACs", "weights", "flash", "RAM alive", "read", "written", "cycles"})
    out += head_cell(name, true);
  out += "</tr></thead><tbody>\n";
  for (size_t i = 0; i < found.layers.size(); ++i) {
    const Layer& layer = found.layers[i];
    const LaunchRow& row = layer.launch;
    out += static_cast<int>(i) == found.peak ? "<tr class=\"peak\">" : "<tr>";
    out += cell(static_cast<int64_t>(i)) + layer_cell(layer_text(row), row.origin) +
           cell(row.origin.shape) + cell(source_text(row.origin)) + cell(row.kernel) +
           cell(row.choice.to_string());
    for (const double number :
         {row.products, static_cast<double>(layer.weights_bytes),
          static_cast<double>(layer.flash_bytes), static_cast<double>(layer.alive_bytes),
          row.bytes_read, row.bytes_written, row.cycles})
      out += cell(static_cast<int64_t>(std::llround(number)));
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

// Time runs to the right, addresses upwards.
std::string memory_map(const Analysis& found) {
  const double layers = static_cast<double>(found.layers.size());
  const double bytes = static_cast<double>(found.arena_bytes);
  std::vector<const AliveValue*> boxes;
  for (const AliveValue& value : found.values) boxes.push_back(&value);
  std::ranges::stable_sort(
      boxes, [](const AliveValue* a, const AliveValue* b) { return a->bytes > b->bytes; });
  if (boxes.size() > kMostBoxes) boxes.resize(kMostBoxes);
  std::string out =
      cat("<div class=\"map\" role=\"img\" aria-label=\"the arena over time: ", boxes.size(),
          " values in ", found.layers.size(), " layers\">\n");
  for (const AliveValue* value : boxes) {
    const bool at_peak = found.peak >= value->first && found.peak <= value->last;
    out += cat("<div class=\"", value->is_argument ? "argument" : "", at_peak ? " atpeak" : "",
               "\" style=\"left:", percent(value->first, layers),
               ";width:", percent(value->last - value->first + 1, layers),
               ";bottom:", percent(static_cast<double>(value->offset), bytes),
               ";height:", percent(static_cast<double>(value->bytes), bytes), "\">",
               for_html(value->name), " ", grouped(value->bytes), "</div>\n");
  }
  out += cat("</div><div class=\"axis\"><span>layer 0</span><span>addresses 0 to ",
             grouped(found.arena_bytes), ", upwards</span><span>layer ",
             found.layers.empty() ? 0 : found.layers.size() - 1, "</span></div>\n");
  return out;
}

// Bytes alive, a bar a layer.
std::string alive_bars(const Analysis& found) {
  const double most =
      static_cast<double>(found.layers[static_cast<size_t>(found.peak)].alive_bytes);
  std::string out = "<div class=\"alive\" role=\"img\" aria-label=\"bytes alive by layer\">";
  for (size_t i = 0; i < found.layers.size(); ++i)
    out += cat("<i", static_cast<int>(i) == found.peak ? " class=\"peak\"" : "",
               " style=\"height:", percent(static_cast<double>(found.layers[i].alive_bytes), most),
               "\"></i>");
  return out + "</div>\n";
}

std::string peak_part(const Analysis& found) {
  if (found.peak < 0) return "<p>Nothing runs: results are arguments or constants.</p>\n";
  const Layer& layer = found.layers[static_cast<size_t>(found.peak)];
  std::string out =
      cat("<p>The most is alive in layer ", found.peak, ", <b>",
          for_html(layer_and_kernel(layer.launch)), "</b>: ", grouped(layer.alive_bytes),
          " of the arena's ", grouped(found.arena_bytes), " bytes. The arena is ",
          found.memories.empty() ? for_html(to_text(found.proof))
                                 : cat("in ", found.memories.size(), " memories"),
          ".",
          found.row_floor ? cat(" If every row were freed at its last reader, ",
                                grouped(*found.row_floor), " bytes would do.")
                          : "",
          "</p>\n");
  out +=
      memory_map(found) + alive_bars(found) + "<h3>Alive at the peak</h3><ul class=\"peakvalues\">";
  const std::vector<const AliveValue*> values = found.at_peak();
  for (size_t i = 0; i < std::min<size_t>(values.size(), 10); ++i)
    out += cat("<li>", for_html(values[i]->name), ": ", grouped(values[i]->bytes), " bytes at ",
               grouped(values[i]->offset), values[i]->is_argument ? ", an argument" : "", "</li>");
  if (values.size() > 10) out += cat("<li>and ", values.size() - 10, " smaller ones</li>");
  return out + "</ul>\n";
}

std::string bar(const std::string& name, double part, double whole, const std::string& text) {
  return cat("<span>", for_html(name),
             "</span><span><span class=\"track\"><b style=\"width:", percent(part, whole),
             "\"></b></span>", text, "</span>");
}

std::string flash_part(const Analysis& found) {
  if (!found.has_code)
    return cat("<p>", grouped(found.weights_bytes),
               " bytes of weights; your compiler makes the code.</p>\n");
  std::string out = "<div class=\"bars flash\">";
  for (const FlashSection& section : found.sections)
    out += bar(section.name, static_cast<double>(section.bytes),
               static_cast<double>(found.flash_bytes()), grouped(section.bytes) + " bytes");
  return out + "</div>\n";
}

std::string cures_part(const Analysis& found) {
  std::string out;
  for (const std::string& cure : found.ram_cures) out += cat("<li>RAM: ", for_html(cure), "</li>");
  for (const std::string& cure : found.flash_cures)
    out += cat("<li>flash: ", for_html(cure), "</li>");
  return out.empty() ? ""
                     : cat("<h3>What would lower them</h3><ul class=\"cures\">", out, "</ul>\n");
}

// RAM to the right, cycles upwards, both from nothing; then the same as a table.
std::string curve_part(const Analysis& found) {
  if (found.curve.empty()) return "";
  constexpr int64_t kWidth = 600, kHeight = 240, kRoom = 12;
  const double ram = static_cast<double>(found.curve.back().ram_bytes),
               cycles = found.curve.front().cycles;
  std::string line, dots, rows;
  for (const CurvePoint& point : found.curve) {
    const auto x = std::llround(static_cast<double>(point.ram_bytes) / std::max(1.0, ram) * kWidth);
    const auto y = std::llround(kHeight - point.cycles / std::max(1.0, cycles) * kHeight);
    const std::string words = cat(grouped(point.ram_bytes), " bytes of RAM, ",
                                  grouped(std::llround(point.cycles)), " cycles");
    line += cat(line.empty() ? "" : " ", x, ",", y);
    dots += cat("<circle cx=\"", x, "\" cy=\"", y, "\" r=\"5\" fill=\"currentColor\"><title>",
                words, "</title></circle>");
    rows +=
        cat("<tr>", cell(point.ram_bytes), cell(point.arena_bytes),
            cell(static_cast<int64_t>(std::llround(point.cycles))), cell(point.plan), "</tr>\n");
  }
  std::string head;
  for (const char* name : {"RAM", "arena", "cycles"}) head += head_cell(name, true);
  return cat("<h3>RAM against cycles</h3>\n<svg class=\"curve\" width=\"100%\" viewBox=\"", -kRoom,
             " ", -kRoom, " ", kWidth + 2 * kRoom, " ", kHeight + 2 * kRoom,
             "\" role=\"img\" aria-label=\"", found.curve.size(),
             " plans: RAM to the right, cycles upwards\">"
             "<path d=\"M0,0V",
             kHeight, "H", kWidth,
             "\" fill=\"none\" stroke=\"currentColor\" opacity=\"0.4\"/><polyline points=\"", line,
             "\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\"/>", dots,
             "</svg>\n<div class=\"scroll\"><table class=\"layers\"><thead><tr>", head,
             head_cell("plan", false), "</tr></thead><tbody>\n", rows, "</tbody></table></div>\n");
}

std::string graph_part(const Analysis& found) {
  return cat("<details class=\"graph\" id=\"graph-", for_html(found.target),
             "\"><summary>Layers as a graph</summary>\n",
             to_svg(found.graph, cat(found.class_name, " on ", found.target), SvgPlace::kPage),
             "</details>\n");
}

std::string target_part(const Analysis& found, std::optional<double> clock) {
  std::string out =
      cat("<h2 id=\"", for_html(found.target), "\">", for_html(found.target), "</h2>\n");
  out += cat("<p>RAM ", grouped(found.ram_bytes()), " bytes (arena ", grouped(found.arena_bytes),
             ", instance ", grouped(found.instance_bytes), "), flash ",
             found.has_code ? "" : "at least ", grouped(found.flash_bytes()), ", stack ",
             found.has_code
                 ? cat(found.stack_is_lower_bound ? "at least " : "", grouped(found.stack_bytes))
                 : "not known",
             ", about ", grouped(std::llround(found.cycles)), " cycles",
             clock ? cat(" (", milliseconds(found.cycles, *clock), ")") : "", ". ",
             found.layers.empty()
                 ? ""
                 : cat("<a href=\"#graph-", for_html(found.target), "\">Layers as a graph</a>"),
             "</p>\n");
  if (found.layers_in_loops > 0)
    out += cat("<p class=\"faint\">", found.layers_in_loops,
               " kernels stand in loops of unknown length and count for one iteration each.</p>\n");
  out += "<h3>The arena over time</h3>\n" + peak_part(found);
  out += curve_part(found);
  out += "<h3>Flash by section</h3>\n" + flash_part(found) + cures_part(found);
  out += "<h3>Layers</h3>\n" + layer_table(found);
  return found.layers.empty() ? out : out + graph_part(found);
}

std::string comparison(const std::vector<Analysis>& targets) {
  if (targets.size() < 2) return "";
  struct Figure {
    const char* name;
    double (*of)(const Analysis&);
  };
  static constexpr Figure figures[] = {
      {"RAM, bytes", [](const Analysis& a) { return static_cast<double>(a.ram_bytes()); }},
      {"Flash, bytes", [](const Analysis& a) { return static_cast<double>(a.flash_bytes()); }},
      {"Cycles, estimated", [](const Analysis& a) { return a.cycles; }}};
  std::string out = "<h2>Targets side by side</h2>\n";
  for (const Figure& figure : figures) {
    double most = 0;
    for (const Analysis& found : targets) most = std::max(most, figure.of(found));
    out += cat("<h3>", figure.name, "</h3><div class=\"bars targets\">");
    for (const Analysis& found : targets)
      out += bar(found.target, figure.of(found), most, grouped(std::llround(figure.of(found))));
    out += "</div>\n";
  }
  return out;
}

}  // namespace

std::string to_page(const std::vector<Analysis>& targets, std::optional<double> clock) {
  std::string body =
      "<p class=\"faint\">By hlocc, before anything was flashed. Cycles are estimates.</p>\n";
  body += comparison(targets);
  for (const Analysis& found : targets) body += target_part(found, clock);
  return page_around(targets.empty() ? "" : targets[0].class_name, body);
}

}  // namespace hlocc::driver
