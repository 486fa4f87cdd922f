// See graph_layout.h.
#include "driver/analyze/graph_layout.h"

#include <algorithm>
#include <set>

#include "support/text.h"

namespace hlocc::driver {
namespace {

class LaneLayout {
 public:
  explicit LaneLayout(const LayerGraph& graph) : graph_(graph) {
    out_.rows.resize(graph.nodes.size());
  }

  GraphLayout done() {
    find_shown();
    place_rows();
    add_lines();
    return std::move(out_);
  }

 private:
  GraphRow& row(int node) { return out_.rows[static_cast<size_t>(node)]; }
  const GraphNode& node(int i) const { return graph_.nodes[static_cast<size_t>(i)]; }

  // Which row stands for each node: its own, or that of the cluster that is folded over it.
  void find_shown() {
    for (int i = 0; i < static_cast<int>(graph_.nodes.size()); ++i) {
      const int parent = node(i).parent;
      row(i).is_shown = parent < 0 || (row(parent).is_shown && node(parent).is_open);
      stands_for_.push_back(row(i).is_shown ? i : stands_for_[static_cast<size_t>(parent)]);
      position_.push_back(static_cast<int>(shown_.size()));
      if (row(i).is_shown) shown_.push_back(i);
    }
  }

  void close_clusters(int next, int& y) {
    while (!open_.empty() && node(open_.back()).end <= next) {
      GraphRow& cluster = row(open_.back());
      open_.pop_back();
      cluster.height = y - cluster.y;
      y += kGraphGap;
    }
  }

  void place_rows() {
    int y = kGraphTop;
    for (const int i : shown_) {
      close_clusters(i, y);
      const int indents = std::min(static_cast<int>(open_.size()), kMostIndents);
      const GraphNode& one = node(i);
      row(i).x = kGraphIndent * indents;
      row(i).right = 2 * indents + 2;
      row(i).y = y;
      const bool is_head = one.is_open;
      const bool is_low = is_head || one.kind >= GraphKind::kArgument;
      row(i).height = is_head ? kGraphHead : is_low ? kGraphBorder : kGraphRow;
      y += row(i).height + kGraphGap;
      if (is_head) open_.push_back(i);
    }
    close_clusters(static_cast<int>(graph_.nodes.size()), y);
    out_.height = y;
  }

  int position(int node) const { return position_[static_cast<size_t>(node)]; }

  void add_lines() {
    std::set<std::pair<int, int>> next;  // positions, the first's and the second's
    std::vector<std::set<int>> readers(shown_.size());
    for (const GraphEdge& edge : graph_.edges) {
      const int from = position(stands_for_[static_cast<size_t>(edge.from)]),
                to = position(stands_for_[static_cast<size_t>(edge.to)]);
      if (to == from + 1) next.insert({from, to});
      if (to > from + 1) readers[static_cast<size_t>(from)].insert(to);
    }
    std::vector<int> lane_of(shown_.size(), -1), ends;
    for (size_t p = 0; p < readers.size(); ++p) {
      if (readers[p].empty()) continue;
      size_t lane = 0;
      while (lane < ends.size() && ends[lane] >= static_cast<int>(p)) ++lane;
      lane = std::min<size_t>(lane, kGraphLanes - 1);
      if (lane == ends.size()) ends.push_back(0);
      ends[lane] = std::max(ends[lane], *readers[p].rbegin());
      lane_of[p] = static_cast<int>(lane);
    }
    const int gutter = 2 + kGraphLane * (static_cast<int>(ends.size()) + 1);
    for (const int i : shown_) row(i).x += gutter;
    out_.lanes.resize(kGraphLanes);
    for (const auto& [from, to] : next) draw_step(from, to);
    for (size_t p = 0; p < readers.size(); ++p)
      if (lane_of[p] >= 0)
        draw_trunk(static_cast<int>(p), readers[p], gutter - kGraphLane * (lane_of[p] + 1),
                   out_.lanes[static_cast<size_t>(lane_of[p])]);
  }

  GraphRow& at(int position) { return row(shown_[static_cast<size_t>(position)]); }

  void draw_step(int from, int to) {
    const int x = std::max(at(from).x, at(to).x) + 16, y = at(to).y;
    out_.steps += cat("M", x, " ", at(from).y + at(from).height, "V", y, "M", x - 3, " ", y - 4,
                      "L", x, " ", y, "L", x + 3, " ", y - 4);
  }

  void draw_trunk(int from, const std::set<int>& to, int x, std::string& path) {
    const int last = at(*to.rbegin()).y + 8;
    path += cat("M", at(from).x, " ", at(from).y + at(from).height - 8, "H", x, "V", last);
    for (const int reader : to) {
      const int end = at(reader).x, y = at(reader).y + 8;
      path += cat("M", x, " ", y, "H", end, "M", end - 4, " ", y - 3, "L", end, " ", y, "L",
                  end - 4, " ", y + 3);
    }
  }

  const LayerGraph& graph_;
  GraphLayout out_;
  std::vector<int> stands_for_, position_, shown_, open_;
};

}  // namespace

GraphLayout lay_out(const LayerGraph& graph) { return LaneLayout(graph).done(); }

}  // namespace hlocc::driver
