// See graph_tree.h.
#include "driver/analyze/graph_tree.h"

#include <algorithm>
#include <queue>

#include "support/text.h"

namespace hlocc::driver {
namespace {

// Names come from the model's file and may have any number of parts: those behind stay in the name.
constexpr size_t kMostNameParts = 8;

bool is_of_names(const GraphTree& tree) { return tree.node.kind == GraphKind::kCluster; }

// A cluster of names that holds one node is that node, with the cluster's name before its own.
void join_single(GraphTree& tree) {
  for (GraphTree& inside : tree.inside) join_single(inside);
  if (!is_of_names(tree) || tree.inside.size() != 1) return;
  GraphTree only = std::move(tree.inside[0]);
  if (!only.inside.empty() && !is_of_names(only)) {
    tree.inside[0] = std::move(only);
    return;
  }
  only.node.name = cat(tree.node.name, "/", only.node.name);
  tree = std::move(only);
}

// Runs of neighbours become clusters until few enough are left.
void cut_large(GraphTree& tree) {
  for (GraphTree& inside : tree.inside) cut_large(inside);
  while (tree.inside.size() > kMostInCluster) {
    std::vector<GraphTree> runs;
    for (size_t i = 0; i < tree.inside.size(); i += kMostInCluster) {
      const size_t end = std::min(tree.inside.size(), i + kMostInCluster);
      GraphTree run{.node = {.kind = GraphKind::kCluster}};
      for (size_t k = i; k < end; ++k) run.inside.push_back(std::move(tree.inside[k]));
      const GraphTree &first = run.inside.front(), &last = run.inside.back();
      run.first = first.first.empty() ? first.node.name : first.first;
      run.last = last.last.empty() ? last.node.name : last.last;
      run.node.name = cat(run.first, " to ", run.last);
      runs.push_back(std::move(run));
    }
    tree.inside = std::move(runs);
  }
}

void flatten(GraphTree& tree, int parent, std::vector<GraphNode>& nodes, std::vector<int>& places) {
  const int at = static_cast<int>(nodes.size());
  if (tree.leaf >= 0) places[static_cast<size_t>(tree.leaf)] = at;
  tree.node.parent = parent;
  nodes.push_back(std::move(tree.node));
  for (GraphTree& inside : tree.inside) flatten(inside, at, nodes, places);
  nodes[static_cast<size_t>(at)].end = static_cast<int>(nodes.size());
}

void add_sums(std::vector<GraphNode>& nodes) {
  for (size_t i = nodes.size(); i-- > 0;) {
    if (nodes[i].parent < 0) continue;
    GraphNode& parent = nodes[static_cast<size_t>(nodes[i].parent)];
    parent.cycles += nodes[i].cycles;
    parent.alive_bytes = std::max(parent.alive_bytes, nodes[i].alive_bytes);
    parent.layers += nodes[i].layers;
  }
}

// The costliest clusters first, as long as there is room for what they hold.
void open_dearest(std::vector<GraphNode>& nodes) {
  const auto at = [&](int i) -> GraphNode& { return nodes[static_cast<size_t>(i)]; };
  const auto is_cheaper = [&](int a, int b) {
    return at(a).cycles != at(b).cycles ? at(a).cycles < at(b).cycles : a > b;
  };
  std::priority_queue<int, std::vector<int>, decltype(is_cheaper)> closed(is_cheaper);
  int rows = 0;
  const auto show = [&](int first, int end) {
    for (int i = first; i < end; i = at(i).end) {
      ++rows;
      if (at(i).is_cluster()) closed.push(i);
    }
  };
  show(0, static_cast<int>(nodes.size()));
  while (!closed.empty()) {
    const int cluster = closed.top();
    closed.pop();
    int inside = 0;
    for (int i = cluster + 1; i < at(cluster).end; i = at(i).end) ++inside;
    if (rows + inside > kMostRowsAtFirst) continue;
    at(cluster).is_open = true;
    show(cluster + 1, at(cluster).end);
  }
}

}  // namespace

void GraphTreeBuilder::open(GraphKind kind, const std::string& name) {
  open_.push_back({.node = {.kind = kind, .name = name}});
}

void GraphTreeBuilder::close() {
  GraphTree done = std::move(open_.back());
  open_.pop_back();
  if (!done.inside.empty()) open_.back().inside.push_back(std::move(done));
}

int GraphTreeBuilder::add_leaf(GraphNode node, const std::string& name) {
  std::vector<std::string> parts = split(name, '/');
  const size_t levels = std::min(parts.size() - 1, kMostNameParts);
  // The innermost cluster of the program, and what is open of names inside it.
  size_t base = open_.size() - 1;
  while (base > 0 && open_[base].node.kind == GraphKind::kCluster) --base;
  size_t same = 0;
  while (same < levels && base + 1 + same < open_.size() &&
         open_[base + 1 + same].node.name == parts[same])
    ++same;
  while (open_.size() > base + 1 + same) close();
  for (; same < levels; ++same) open(GraphKind::kCluster, parts[same]);
  parts.erase(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(levels));
  node.name = join(parts, "/");
  open_.back().inside.push_back({.node = std::move(node), .leaf = leaves_});
  return leaves_++;
}

void GraphTreeBuilder::begin(GraphKind kind, const std::string& name) {
  close_names();
  open(kind, name);
}

void GraphTreeBuilder::end() {
  close_names();
  close();
}

std::vector<GraphNode> GraphTreeBuilder::finish(std::vector<int>& places) {
  close_names();
  GraphTree root = std::move(open_[0]);
  root.node.kind = GraphKind::kBranch;  // not to be joined with what it holds
  join_single(root);
  cut_large(root);
  std::vector<GraphNode> nodes;
  places.assign(static_cast<size_t>(leaves_), 0);
  for (GraphTree& inside : root.inside) flatten(inside, -1, nodes, places);
  add_sums(nodes);
  open_dearest(nodes);
  return nodes;
}

}  // namespace hlocc::driver
