// The tree of a graph's clusters while it is made: leaves are added in their order with the parts
// of their names, structural clusters are opened and closed around them.
#pragma once
#include <string>
#include <vector>

#include "driver/analyze/layer_graph.h"

namespace hlocc::driver {

struct GraphTree {
  GraphNode node;
  int leaf = -1;  // the number that add_leaf() gave; -1: a cluster
  // Of a run of neighbours that is a cluster because there are so many: its ends.
  std::string first, last;
  std::vector<GraphTree> inside;
};

class GraphTreeBuilder {
 public:
  GraphTreeBuilder() : open_(1) {}

  // A leaf whose name, up to its last '/', says in which clusters it stands. Returns its number.
  int add_leaf(GraphNode node, const std::string& name);
  // Clusters of the program's structure; one that stays empty vanishes.
  void begin(GraphKind kind, const std::string& name);
  void end();

  // The graph's nodes: clusters of one node become that node, large ones are cut, sums are made,
  // and what is worth most is opened. `places` is where each leaf stands now, by its number.
  std::vector<GraphNode> finish(std::vector<int>& places);

 private:
  void open(GraphKind kind, const std::string& name);
  void close();
  void close_names() {
    while (open_.back().node.kind == GraphKind::kCluster && open_.size() > 1) close();
  }

  std::vector<GraphTree> open_;  // the clusters that are open, from the outside in
  int leaves_ = 0;
};

}  // namespace hlocc::driver
