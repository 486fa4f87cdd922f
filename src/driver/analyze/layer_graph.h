// A plan's layers as a graph: what runs in which order, who reads what whom made, and clusters of
// layers by the parts of their names, by loops and by branches. Rows stand in the order in which
// they run, so that a picture of them (graph_layout.h) needs no more than a line from row to row.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "driver/analyze/layers.h"

namespace hlocc::driver {

// A cluster holds other nodes. Loops and branches are clusters of the program, the others of names:
// "encoder/block_1/dot" stands in the cluster "block_1" of the cluster "encoder".
enum class GraphKind : uint8_t { kCluster, kLoop, kBranch, kLayer, kArgument, kResult };

struct GraphNode {
  GraphKind kind = GraphKind::kLayer;
  std::string name, shape;
  std::string what;  // all that is known, for a pointer that rests on it
  // Nodes stand before those that they hold: `end` is the one behind the last of them.
  int parent = -1, end = 0;
  bool is_open = false;  // what it holds is shown at first
  // Of a layer, or of all that a cluster holds: the sum of expected cycles, the most bytes of the
  // arena that are alive.
  double cycles = 0;
  int64_t alive_bytes = 0;
  int layers = 0;

  bool is_cluster() const { return kind <= GraphKind::kBranch; }
};

// `to` reads what `from` made: a layer, an argument or a result. What a loop hands to its next
// iteration is no edge.
struct GraphEdge {
  int from = 0, to = 0;
  auto operator<=>(const GraphEdge&) const = default;
};

struct LayerGraph {
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;  // sorted, each once
  double cycles = 0;
  int64_t peak_bytes = 0;
};

// Rows that a picture shows at first, at most; a cluster holds at most so many others, more become
// clusters of their own.
inline constexpr int kMostRowsAtFirst = 150, kMostInCluster = 64;

// `layers` are those of the plan, as layers.h has them, with their steps.
LayerGraph layer_graph(const kernel::Program& program, const planning::Plan& plan,
                       const std::vector<Layer>& layers);

}  // namespace hlocc::driver
