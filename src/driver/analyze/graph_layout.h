// Where each row of a layer graph stands, in pixels, and how the lines between them run. Rows go
// down the page in the order in which they run; what is read by the next row has an arrow of its
// own, what is read further down a line in a lane to the left. The picture's script (graph_style.h)
// does the same again when a cluster is opened or folded, and a test holds the two against each
// other.
#pragma once
#include <string>
#include <vector>

#include "driver/analyze/layer_graph.h"

namespace hlocc::driver {

// In pixels. `kGraphLanes` is how many lanes there are; lines that find none share the last.
inline constexpr int kGraphTop = 76, kGraphGap = 8, kGraphRow = 42, kGraphHead = 24,
                     kGraphBorder = 24, kGraphIndent = 8, kMostIndents = 6, kGraphLane = 7,
                     kGraphLanes = 10;

struct GraphRow {
  bool is_shown = false;
  // The row ends `right` left of the picture's right border.
  int x = 0, y = 0, height = 0, right = 0;
};

struct GraphLayout {
  std::vector<GraphRow> rows;      // by node
  std::string steps;               // an SVG path: arrows to the next row
  std::vector<std::string> lanes;  // one each
  int height = 0;
};

// Of the clusters that are open in `graph`.
GraphLayout lay_out(const LayerGraph& graph);

}  // namespace hlocc::driver
