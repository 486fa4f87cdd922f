// The picture of a plan's layers, from names to pixels: which clusters the parts of names make, what
// they sum up and which of them are open (driver/analyze/graph_tree.cpp), where rows and lines stand
// (graph_layout.cpp), and what each row says and in which colours (graph_picture.cpp).
#include <algorithm>
#include <catch2/catch.hpp>

#include "driver/analyze/graph_layout.h"
#include "driver/analyze/graph_picture.h"
#include "driver/analyze/graph_tree.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using GraphWords = std::vector<std::string>;

// Leaves by their names; "loop NAME" and "branch NAME" begin a cluster, "end" closes it.
std::vector<GraphNode> tree_of(const GraphWords& words, std::vector<int>* places = nullptr) {
  GraphTreeBuilder builder;
  for (const std::string& word : words) {
    if (word == "end")
      builder.end();
    else if (word.starts_with("loop "))
      builder.begin(GraphKind::kLoop, word.substr(5));
    else if (word.starts_with("branch "))
      builder.begin(GraphKind::kBranch, word.substr(7));
    else
      builder.add_leaf({.cycles = 1, .layers = 1}, word);
  }
  std::vector<int> own;
  return builder.finish(places == nullptr ? own : *places);
}

// "f {a b}": what a cluster holds stands in braces; loops and branches say what they are.
std::string graph_tree_text(const std::vector<GraphNode>& nodes, int first, int end) {
  std::string out;
  for (int i = first; i < end; i = nodes[static_cast<size_t>(i)].end) {
    const GraphNode& node = nodes[static_cast<size_t>(i)];
    out += cat(out.empty() ? "" : " ",
               node.kind == GraphKind::kLoop     ? "loop "
               : node.kind == GraphKind::kBranch ? "branch "
                                                 : "",
               node.name);
    if (node.end > i + 1) out += cat(" {", graph_tree_text(nodes, i + 1, node.end), "}");
  }
  return out;
}

std::string graph_tree_text(const std::vector<GraphNode>& nodes) {
  return graph_tree_text(nodes, 0, static_cast<int>(nodes.size()));
}

TEST_CASE("clusters of a graph are made of the parts of names and of the program's own") {
  struct Row {
    GraphWords leaves;
    const char* tree;
  };
  const Row rows[] = {
      {{}, ""},
      {{"a"}, "a"},
      {{"a", "b"}, "a b"},
      {{"f/a", "f/b"}, "f {a b}"},
      // One node needs no cluster around it.
      {{"f/a"}, "f/a"},
      {{"f/g/h/a"}, "f/g/h/a"},
      {{"f/g/a", "f/g/b"}, "f/g {a b}"},
      {{"f/g/a", "f/h/b"}, "f {g/a h/b}"},
      {{"f/g/a", "f/b"}, "f {g/a b}"},
      {{"f/a", "f/g/b", "f/g/c"}, "f {a g {b c}}"},
      {{"f/g/a", "f/g/b", "f/h/c", "f/h/d", "i"}, "f {g {a b} h {c d}} i"},
      // Only neighbours stand in one cluster: rows are in the order in which they run.
      {{"f/a", "b", "f/c"}, "f/a b f/c"},
      {{"f/a", "g/b", "f/c"}, "f/a g/b f/c"},
      {{"g/f/a", "f/b"}, "g/f/a f/b"},
      // Eight parts make clusters, those behind stay in the name.
      {{"1/2/3/4/5/6/7/8/a", "1/2/3/4/5/6/7/8/b"}, "1/2/3/4/5/6/7/8 {a b}"},
      {{"1/2/3/4/5/6/7/8/9/a", "1/2/3/4/5/6/7/8/9/b"}, "1/2/3/4/5/6/7/8 {9/a 9/b}"},
      // Loops and branches are shown even where they hold one node, but not where they hold none.
      {{"loop w", "a", "end"}, "loop w {a}"},
      {{"loop w", "end"}, ""},
      {{"a", "loop w", "end", "b"}, "a b"},
      {{"loop w", "f/a", "f/b", "end"}, "loop w {f {a b}}"},
      {{"loop w", "f/a", "end", "f/b"}, "loop w {f/a} f/b"},
      {{"f/a", "loop w", "f/b", "end", "f/c"}, "f/a loop w {f/b} f/c"},
      {{"loop w", "branch t", "a", "end", "branch e", "b", "end", "end"},
       "loop w {branch t {a} branch e {b}}"},
      {{"loop w", "branch t", "end", "end"}, ""},
      {{"loop w", "f/a", "branch t", "f/b", "f/c", "end", "f/d", "end"},
       "loop w {f/a branch t {f {b c}} f/d}"},
  };
  for (const Row& row : rows) {
    INFO(join(row.leaves, ", "));
    CHECK(graph_tree_text(tree_of(row.leaves)) == row.tree);
  }
}

TEST_CASE("leaves of a graph are found again where they stand") {
  std::vector<int> places;
  const std::vector<GraphNode> nodes =
      tree_of({"x", "f/a", "f/b", "loop w", "c", "end", "g/d"}, &places);
  CHECK(graph_tree_text(nodes) == "x f {a b} loop w {c} g/d");
  CHECK(places == std::vector<int>{0, 2, 3, 5, 6});
  std::vector<int> inside;
  tree_of({"f/a", "f/b"}, &inside);
  CHECK(inside == std::vector<int>{1, 2});
  std::vector<int> parents, ends;
  for (const GraphNode& node : nodes) parents.push_back(node.parent), ends.push_back(node.end);
  CHECK(parents == std::vector<int>{-1, -1, 1, 1, -1, 4, -1});
  CHECK(ends == std::vector<int>{1, 4, 3, 4, 6, 6, 7});
}

GraphWords numbered(int count, const std::string& before = "") {
  GraphWords out;
  for (int i = 0; i < count; ++i) out.push_back(cat(before, i));
  return out;
}

TEST_CASE("a cluster of a graph holds 64 nodes, more become runs of neighbours") {
  const auto outermost = [](const std::vector<GraphNode>& nodes) {
    GraphWords out;
    for (size_t i = 0; i < nodes.size(); i = static_cast<size_t>(nodes[i].end))
      out.push_back(cat(nodes[i].name, " ", nodes[i].layers));
    return out;
  };
  CHECK(tree_of(numbered(64)).size() == 64);
  CHECK(outermost(tree_of(numbered(65))) == GraphWords{"0 to 63 64", "64 to 64 1"});
  CHECK(outermost(tree_of(numbered(130))) ==
        GraphWords{"0 to 63 64", "64 to 127 64", "128 to 129 2"});
  CHECK(outermost(tree_of(numbered(64 * 64))).size() == 64);
  // Runs of runs are called by the first and the last leaf.
  CHECK(outermost(tree_of(numbered(64 * 64 + 1))) ==
        GraphWords{"0 to 4095 4096", "4096 to 4096 1"});
  CHECK(outermost(tree_of(numbered(65, "f/"))) == GraphWords{"f 65"});
}

TEST_CASE("a cluster of a graph has the cycles of all that it holds and the most bytes alive") {
  GraphTreeBuilder builder;
  builder.begin(GraphKind::kLoop, "w");
  builder.add_leaf({.cycles = 5, .alive_bytes = 70, .layers = 1}, "f/a");
  builder.add_leaf({.cycles = 7, .alive_bytes = 30, .layers = 1}, "f/b");
  builder.add_leaf({.cycles = 1, .alive_bytes = 60, .layers = 1}, "c");
  builder.end();
  std::vector<int> places;
  const std::vector<GraphNode> nodes = builder.finish(places);
  REQUIRE(graph_tree_text(nodes) == "loop w {f {a b} c}");
  CHECK(nodes[0].cycles == 13);
  CHECK(nodes[0].alive_bytes == 70);
  CHECK(nodes[0].layers == 3);
  CHECK(nodes[1].cycles == 12);
  CHECK(nodes[1].alive_bytes == 70);
  CHECK(nodes[1].layers == 2);
  CHECK(nodes[4].cycles == 1);
}

// The names of those of some clusters, each of so many leaves and cycles, that are open at first.
std::string open_of(const std::vector<std::pair<int, double>>& clusters) {
  GraphTreeBuilder builder;
  char name = 'a';
  for (const auto& [leaves, cycles] : clusters) {
    for (int i = 0; i < leaves; ++i)
      builder.add_leaf({.cycles = i == 0 ? cycles : 0, .layers = 1}, cat(name, "/", i));
    ++name;
  }
  std::vector<int> places;
  GraphWords out;
  for (const GraphNode& node : builder.finish(places))
    if (node.is_open) out.push_back(node.name);
  return join(out, " ");
}

TEST_CASE("the costliest clusters of a graph are open while 150 rows have room") {
  CHECK(open_of({{49, 1}, {49, 1}, {49, 1}}) == "a b c");
  // One row more than there is room for: of equal ones the last stays closed.
  CHECK(open_of({{49, 1}, {49, 1}, {50, 1}}) == "a b");
  CHECK(open_of({{49, 1}, {50, 1}, {49, 1}}) == "a b");
  CHECK(open_of({{50, 1}, {50, 2}, {50, 3}}) == "b c");
  CHECK(open_of({{50, 3}, {50, 1}, {50, 2}}) == "a c");
  // A smaller one behind it may find room.
  CHECK(open_of({{60, 5}, {60, 4}, {60, 3}, {20, 1}}) == "a b d");
  // A cluster inside an open one is as good as any; inside a closed one it stays closed.
  const std::vector<GraphNode> nested = tree_of({"f/g/a", "f/g/b", "f/c"});
  REQUIRE(graph_tree_text(nested) == "f {g {a b} c}");
  CHECK(nested[0].is_open);
  CHECK(nested[1].is_open);
  CHECK_FALSE(nested[2].is_open);
}

// --- rows and lines ---

// Layers and clusters of a name each, "f" of two layers "a" and "b" behind an argument.
LayerGraph small_graph(bool is_open) {
  LayerGraph out;
  const auto add = [&](GraphKind kind, const char* name, int parent, int end) {
    out.nodes.push_back({.kind = kind, .name = name, .parent = parent, .end = end});
  };
  add(GraphKind::kArgument, "x", -1, 1);
  add(GraphKind::kCluster, "f", -1, 4);
  add(GraphKind::kLayer, "a", 1, 3);
  add(GraphKind::kLayer, "b", 1, 4);
  add(GraphKind::kLayer, "c", -1, 5);
  add(GraphKind::kResult, "y", -1, 6);
  out.nodes[1].is_open = is_open;
  return out;
}

// "x,y+height-right" of each row that is shown.
std::string rows_text(const LayerGraph& graph, const GraphLayout& layout) {
  GraphWords out;
  for (size_t i = 0; i < layout.rows.size(); ++i) {
    const GraphRow& row = layout.rows[i];
    if (row.is_shown)
      out.push_back(
          cat(graph.nodes[i].name, " ", row.x, ",", row.y, "+", row.height, "-", row.right));
  }
  return join(out, " ");
}

TEST_CASE("rows of a graph stand below one another, those of an open cluster inside it") {
  const LayerGraph closed = small_graph(false), open = small_graph(true);
  const GraphLayout folded = lay_out(closed), unfolded = lay_out(open);
  CHECK(rows_text(closed, folded) == "x 9,76+24-2 f 9,108+42-2 c 9,158+42-2 y 9,208+24-2");
  CHECK(folded.height == 240);
  // The cluster's own box reaches around the two: from 108 to behind the last one's gap.
  CHECK(rows_text(open, unfolded) ==
        "x 9,76+24-2 f 9,108+132-2 a 17,140+42-4 b 17,190+42-4 c 9,248+42-2 y 9,298+24-2");
  CHECK(unfolded.height == 330);
  CHECK(folded.steps.empty());
  CHECK(folded.lanes == GraphWords(10));
  // The last row may be a cluster.
  LayerGraph last = open;
  last.nodes.resize(4);
  CHECK(lay_out(last).height == 248);
  CHECK(lay_out(LayerGraph{}).height == 76);
}

TEST_CASE("rows of a graph are indented by six clusters at most") {
  LayerGraph deep;
  for (int i = 0; i < 9; ++i)
    deep.nodes.push_back({.kind = i < 8 ? GraphKind::kCluster : GraphKind::kLayer,
                          .name = "n",
                          .parent = i - 1,
                          .end = 9,
                          .is_open = i < 8});
  std::string xs;
  for (const GraphRow& row : lay_out(deep).rows) xs += cat(row.x, "-", row.right, " ");
  CHECK(xs == "9-2 17-4 25-6 33-8 41-10 49-12 57-14 57-14 57-14 ");
}

TEST_CASE("what the next row of a graph reads has an arrow, what is read below a lane") {
  LayerGraph graph = small_graph(false);
  graph.edges = {{0, 2}, {2, 3}, {3, 4}};  // x to a, a to b inside f, b to c
  const GraphLayout folded = lay_out(graph);
  // a and b are f's while it is closed: x to f, f to c, and none inside.
  CHECK(folded.steps == "M25 100V108M22 104L25 108L28 104M25 150V158M22 154L25 158L28 154");
  CHECK(folded.lanes == GraphWords(10));
  graph.nodes[1].is_open = true;
  const GraphLayout unfolded = lay_out(graph);
  // x is read two rows below; the arrow of b leads to where its cluster ends.
  CHECK(rows_text(graph, unfolded).starts_with("x 16,76+24-2 f 16,108+132-2 a 24,"));
  CHECK(unfolded.lanes[0] == "M16 92H9V148M9 148H24M20 145L24 148L20 151");
  CHECK(unfolded.steps == "M40 182V190M37 186L40 190L43 186M40 232V248M37 244L40 248L43 244");
}

// A graph of layers, one a row.
LayerGraph plain_graph(int layers, std::vector<GraphEdge> edges) {
  LayerGraph out{.edges = std::move(edges)};
  for (int i = 0; i < layers; ++i) out.nodes.push_back({.name = "n", .parent = -1, .end = i + 1});
  return out;
}

// How many lanes hold a line.
int lanes_of(const LayerGraph& graph) {
  int out = 0;
  for (const std::string& lane : lay_out(graph).lanes) out += !lane.empty();
  return out;
}

TEST_CASE("lines of a graph share a lane where they do not meet") {
  CHECK(lanes_of(plain_graph(4, {{0, 1}, {1, 2}})) == 0);
  CHECK(lanes_of(plain_graph(4, {{0, 2}})) == 1);
  CHECK(lanes_of(plain_graph(4, {{0, 2}, {0, 3}})) == 1);
  CHECK(lanes_of(plain_graph(5, {{0, 2}, {1, 3}})) == 2);
  // The second begins where the first ends, and one row below it.
  CHECK(lanes_of(plain_graph(6, {{0, 2}, {2, 4}})) == 2);
  CHECK(lanes_of(plain_graph(6, {{0, 2}, {3, 5}})) == 1);
  // The third takes the lane that is free again; the fourth finds the longer one taken.
  CHECK(lanes_of(plain_graph(9, {{0, 7}, {1, 3}, {4, 6}})) == 2);
  CHECK(lanes_of(plain_graph(9, {{0, 7}, {1, 3}, {4, 6}, {5, 8}})) == 3);
  // Ten lanes there are: the eleventh line goes where the tenth does.
  std::vector<GraphEdge> edges;
  for (int i = 0; i < 11; ++i) edges.push_back({i, 20 + i});
  const GraphLayout crowded = lay_out(plain_graph(31, edges));
  CHECK(crowded.rows[0].x == 2 + 7 * 11);
  // Each line has three strokes: down, across and its arrow.
  CHECK(std::ranges::count(crowded.lanes[8], 'M') == 3);
  CHECK(std::ranges::count(crowded.lanes[9], 'M') == 6);
}

// --- the picture ---

// What stands in `text` behind `before`, up to `after`.
std::string text_between(const std::string& text, const std::string& before, const char* after) {
  const size_t at = text.find(before);
  if (at == std::string::npos) return "none";
  const size_t from = at + before.size();
  return text.substr(from, text.find(after, from) - from);
}

// "CLASS COLOUR OF CYCLES, OF BYTES" of the only row.
std::string graph_colours_of(const GraphNode& node, double cycles, int64_t peak) {
  const LayerGraph graph{.nodes = {node}, .cycles = cycles, .peak_bytes = peak};
  const std::string svg = to_svg(graph, "m", SvgPlace::kFile);
  return cat(text_between(svg, "<g class=\"row ", "\""), " ", text_between(svg, "\"box ", "\""),
             " ", text_between(svg, "\"bytes ", "\""));
}

TEST_CASE("colours of a graph's rows are shares of the cycles and of the peak") {
  const auto layer = [](double cycles, int64_t bytes) {
    return graph_colours_of({.end = 1, .cycles = cycles, .alive_bytes = bytes}, 1000, 1000);
  };
  CHECK(layer(0, 0) == "layer c0 b0");
  CHECK(layer(9, 199) == "layer c0 b0");
  CHECK(layer(10, 200) == "layer c1 b1");
  CHECK(layer(29, 399) == "layer c1 b1");
  CHECK(layer(30, 400) == "layer c2 b2");
  CHECK(layer(99, 599) == "layer c2 b2");
  CHECK(layer(100, 600) == "layer c3 b3");
  CHECK(layer(299, 799) == "layer c3 b3");
  CHECK(layer(300, 800) == "layer c4 b4");
  CHECK(layer(1000, 1000) == "layer c4 b4");
  // Of nothing there are no shares.
  CHECK(graph_colours_of({.end = 1, .cycles = 5, .alive_bytes = 5}, 0, 0) == "layer c0 b0");
  CHECK(graph_colours_of({.kind = GraphKind::kCluster, .end = 1}, 1, 1) == "cluster c0 b0");
  CHECK(graph_colours_of({.kind = GraphKind::kLoop, .end = 1, .is_open = true}, 1, 1) ==
        "cluster open c0 b0");
  CHECK(graph_colours_of({.kind = GraphKind::kBranch, .end = 1}, 1, 1) == "cluster c0 b0");
  // What goes in and out costs nothing.
  CHECK(graph_colours_of({.kind = GraphKind::kArgument, .end = 1}, 1, 1) == "border c0 none");
  CHECK(graph_colours_of({.kind = GraphKind::kResult, .end = 1}, 1, 1) == "border c0 none");
}

struct GraphRowWords {
  std::string title, name, figures;
};

GraphRowWords graph_words_of(const GraphNode& node) {
  const LayerGraph graph{.nodes = {node}, .cycles = 4000000, .peak_bytes = 1};
  const std::string svg = to_svg(graph, "m", SvgPlace::kFile);
  const std::string row = text_between(svg, "<g class=\"row ", "</g>");
  return {text_between(row, "<title>", "<"),
          text_between(text_between(row, "class=\"name\"", "/text"), ">", "<"),
          text_between(text_between(row, "class=\"figures\"", "/text"), ">", "<")};
}

TEST_CASE("rows of a graph say cycles, bytes and shapes") {
  struct Row {
    GraphNode node;
    const char *title, *name, *figures;
  };
  const Row rows[] = {
      {{.name = "a<b",
        .shape = "f32[2]",
        .what = "dot at m.py:7",
        .cycles = 1234567,
        .alive_bytes = 999},
       "dot at m.py:7; 1 234 567 cycles (30.9 %), 999 B alive, f32[2]",
       "a&lt;b",
       "1 234 567 cycles (30.9 %), 999 B alive, f32[2]"},
      {{.name = "a", .cycles = 999.5, .alive_bytes = 1000},
       "a: 1 000 cycles (0.0 %), 1 000 B alive",
       "a",
       "1 000 cycles (0.0 %), 1 000 B alive"},
      {{.kind = GraphKind::kCluster, .name = "f", .cycles = 4e6, .alive_bytes = 0, .layers = 1},
       "f: 4 000 000 cycles (100.0 %), 0 B alive, 1 layer",
       "f",
       "4 000 000 cycles (100.0 %), 0 B alive, 1 layer"},
      {{.kind = GraphKind::kLoop, .name = "w", .cycles = 100, .alive_bytes = 123456, .layers = 2},
       "w: 100 cycles (0.0 %), 123 456 B alive, 2 layers",
       "w",
       "100 cycles (0.0 %), 123 456 B alive, 2 layers"},
      {{.kind = GraphKind::kArgument, .name = "x", .shape = "s8[4]", .what = "argument 0"},
       "argument 0",
       "x: s8[4]",
       "none"},
      {{.kind = GraphKind::kResult, .name = "y", .shape = "s8[4]"}, "", "y: s8[4]", "none"},
  };
  for (const Row& row : rows) {
    GraphNode node = row.node;
    node.end = 1;
    const GraphRowWords words = graph_words_of(node);
    CHECK(words.title == row.title);
    CHECK(words.name == row.name);
    CHECK(words.figures == row.figures);
  }
}

TEST_CASE("a picture of a graph names itself, its edges and what is hidden") {
  LayerGraph graph = small_graph(false);
  graph.edges = {{0, 2}, {2, 3}};
  const std::string file = to_svg(graph, "m & n", SvgPlace::kFile),
                    page = to_svg(graph, "m & n", SvgPlace::kPage);
  CHECK(
      file.starts_with("<svg class=\"layers-graph\" xmlns=\"http://www.w3.org/2000/svg\" "
                       "width=\"100%\" height=\"240\" role=\"group\" aria-label=\"layers of m "
                       "&amp; n\" data-edges=\"0 2 2 3\">\n"));
  CHECK(page.starts_with("<svg class=\"layers-graph\" width="));
  // Clusters are buttons, folded or open, with a mark; what they hold is hidden while they are
  // folded.
  const std::string f = text_between(file, "<g class=\"row cluster", "</g>"),
                    a = text_between(file, "<g class=\"row layer", "</g>");
  CHECK(
      f.starts_with("\" data-in=\"-1\" data-end=\"4\" transform=\"translate(9 108)\" "
                    "role=\"button\" tabindex=\"0\" aria-expanded=\"false\">"));
  CHECK(text_between(f, "class=\"name\" ", ">") == "x=\"28\" y=\"17\"");
  CHECK(text_between(f, "class=\"mark\" ", "/>") == "d=\"M14 7l8 5l-8 5z\"");
  CHECK(text_between(a, "\" ", ">").ends_with("style=\"display:none\""));
  CHECK(text_between(a, "class=\"name\" ", ">") == "x=\"14\" y=\"17\"");
  CHECK(text_between(a, "class=\"mark\" ", "/>") == "none");
  const std::string open = to_svg(small_graph(true), "m", SvgPlace::kFile);
  CHECK(text_between(open, "aria-expanded=\"", "\"") == "true");
  CHECK(open.find("display:none") == std::string::npos);
}

}  // namespace
}  // namespace hlocc::driver
