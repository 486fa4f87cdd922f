// See graph_picture.h. Boxes are as wide as the reader's window, by CSS; a program that knows no
// such widths draws them 300 pixels wide.
#include "driver/analyze/graph_picture.h"

#include <cmath>
#include <cstdio>

#include "driver/analyze/graph_layout.h"
#include "driver/analyze/graph_style.h"
#include "support/foreign_text.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// From which share of the run's cycles, and of the most bytes alive, each colour is.
constexpr double kCycleShades[] = {0, 0.01, 0.03, 0.1, 0.3};
constexpr double kByteShades[] = {0, 0.2, 0.4, 0.6, 0.8};

int shade_of(double share, const double (&from)[5]) {
  int shade = 0;
  while (shade < 4 && share >= from[shade + 1]) ++shade;
  return shade;
}

double share_of(double part, double whole) { return whole > 0 ? part / whole : 0; }

// 1234567 -> 1 234 567; plain blanks, since the text stands in one line.
std::string in_groups(double number) {
  std::string digits = cat(static_cast<int64_t>(std::llround(number))), out;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ' ';
    out += digits[i];
  }
  return out;
}

std::string percent_of(double part, double whole) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", 100 * share_of(part, whole));
  return text;
}

std::string figures_of(const GraphNode& node, const LayerGraph& graph) {
  std::string out = cat(in_groups(node.cycles), " cycles (", percent_of(node.cycles, graph.cycles),
                        " %), ", in_groups(static_cast<double>(node.alive_bytes)), " B alive");
  if (node.is_cluster()) out += cat(", ", node.layers, node.layers == 1 ? " layer" : " layers");
  return node.shape.empty() ? out : cat(out, ", ", node.shape);
}

std::string hint_text(const GraphNode& node, const LayerGraph& graph) {
  if (node.kind >= GraphKind::kArgument) return node.what;
  return node.what.empty() ? cat(node.name, ": ", figures_of(node, graph))
                           : cat(node.what, "; ", figures_of(node, graph));
}

const char* class_of(GraphKind kind) {
  switch (kind) {
    case GraphKind::kCluster:
    case GraphKind::kLoop:
    case GraphKind::kBranch: return "cluster";
    case GraphKind::kLayer: return "layer";
    case GraphKind::kArgument:
    case GraphKind::kResult: return "border";
  }
  return "";
}

std::string row_of(const GraphNode& node, const GraphRow& row, const LayerGraph& graph) {
  const int heat = shade_of(share_of(node.cycles, graph.cycles), kCycleShades);
  const int bytes = shade_of(
      share_of(static_cast<double>(node.alive_bytes), static_cast<double>(graph.peak_bytes)),
      kByteShades);
  std::string out =
      cat("<g class=\"row ", class_of(node.kind), node.is_open ? " open" : "", "\" data-in=\"",
          node.parent, "\" data-end=\"", node.end, "\" transform=\"translate(", row.x, " ", row.y,
          ")\"", row.is_shown ? "" : " style=\"display:none\"");
  if (node.is_cluster())
    out += cat(" role=\"button\" tabindex=\"0\" aria-expanded=\"", node.is_open, "\"");
  out += cat("><title>", for_html(hint_text(node, graph)), "</title><rect class=\"box c", heat,
             "\" width=\"300\" height=\"", row.height, "\" style=\"width:calc(100% - ",
             row.x + row.right, "px)\"/>");
  const bool is_border = node.kind >= GraphKind::kArgument;
  if (!is_border)
    out += cat("<rect class=\"bytes b", bytes, "\" width=\"7\" height=\"", row.height, "\"/>");
  if (node.is_cluster()) out += "<path class=\"mark\" d=\"M14 7l8 5l-8 5z\"/>";
  out += cat("<text class=\"name\" x=\"", node.is_cluster() ? 28 : 14, "\" y=\"17\">",
             for_html(is_border ? cat(node.name, ": ", node.shape) : node.name), "</text>");
  if (!is_border)
    out += cat("<text class=\"figures\" x=\"14\" y=\"34\">", for_html(figures_of(node, graph)),
               "</text>");
  return out + "</g>\n";
}

// What the colours say, and the two words that open and fold everything.
std::string legend() {
  std::string out;
  const auto line = [&](int y, const char* family, const char* text) {
    for (int shade = 0; shade < 5; ++shade)
      out += cat("<rect class=\"swatch ", family, shade, "\" x=\"", 8 + 22 * shade, "\" y=\"", y,
                 "\" width=\"20\" height=\"12\"/>");
    out += cat("<text class=\"figures\" x=\"124\" y=\"", y + 10, "\">", text, "</text>\n");
  };
  line(28, "c", "cycles, from 0, 1, 3, 10, 30 % of all");
  line(46, "b", "bytes alive, from 0, 20, 40, 60, 80 % of the peak");
  for (const auto& [x, word] : {std::pair{8, "open all"}, std::pair{80, "fold all"}})
    out += cat("<text class=\"figures all\" role=\"button\" tabindex=\"0\" x=\"", x, "\" y=\"70\">",
               word, "</text>");
  return out;
}

std::string edges_of(const LayerGraph& graph) {
  std::string out;
  for (const GraphEdge& edge : graph.edges)
    out += cat(out.empty() ? "" : " ", edge.from, " ", edge.to);
  return out;
}

std::string graph_script() {
  return cat("\n(() => {\nconst TOP = ", kGraphTop, ", GAP = ", kGraphGap, ", ROW = ", kGraphRow,
             ", HEAD = ", kGraphHead, ", BORDER = ", kGraphBorder, ", INDENT = ", kGraphIndent,
             ", MOST = ", kMostIndents, ", LANE = ", kGraphLane, ", LANES = ", kGraphLanes, ";",
             kGraphScript, "})();\n");
}

}  // namespace

std::string to_svg(const LayerGraph& graph, const std::string& title, SvgPlace place) {
  const GraphLayout layout = lay_out(graph);
  const std::string name = for_html(title);
  std::string out =
      cat("<svg class=\"layers-graph\"",
          place == SvgPlace::kFile ? " xmlns=\"http://www.w3.org/2000/svg\"" : "",
          " width=\"100%\" height=\"", layout.height, "\" role=\"group\" aria-label=\"layers of ",
          name, "\" data-edges=\"", edges_of(graph), "\">\n<style>", kGraphStyle,
          "</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n"
          "<text class=\"name\" x=\"8\" y=\"18\">",
          name, "</text>\n", legend());
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    out += row_of(graph.nodes[i], layout.rows[i], graph);
  out += cat("<path class=\"line steps\" d=\"", layout.steps, "\"/>\n");
  for (size_t i = 0; i < layout.lanes.size(); ++i)
    out += cat("<path class=\"line lane", i % 5, "\" d=\"", layout.lanes[i], "\"/>\n");
  return cat(out, "<script>", "<![CDATA[", graph_script(), "]]></script>\n</svg>\n");
}

}  // namespace hlocc::driver
