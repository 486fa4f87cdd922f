// See layer_graph.h: walks the plan's steps, and knows of each value which rows may have made it.
#include "driver/analyze/layer_graph.h"

#include <algorithm>
#include <map>

#include "driver/analyze/graph_tree.h"
#include "driver/analyze/layer_text.h"
#include "planning/step_values.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// More arguments or results than these stand in a cluster of their own.
constexpr size_t kMostLeavesAlone = 8;

std::string hint_of(const LaunchRow& row) {
  std::string out = layer_and_kernel(row);
  if (const std::string way = row.choice.to_string(); !way.empty()) out += ", " + way;
  if (const std::string line = source_text(row.origin); !line.empty()) out += ", " + line;
  return row.origin.hlo.empty() ? out : cat(out, ": ", join(row.origin.hlo, ", "));
}

class GraphWalk {
 public:
  GraphWalk(const kernel::Program& program, const planning::Plan& plan,
            const std::vector<Layer>& layers)
      : program_(program), plan_(plan), layers_(layers), makers_(plan.values.size()) {
    for (const Layer& layer : layers) rows_.emplace(layer.launch.step, &layer);
  }

  LayerGraph done() {
    add_arguments();
    walk(plan_.steps);
    add_results();
    LayerGraph out;
    std::vector<int> places;
    out.nodes = tree_.finish(places);
    for (const GraphEdge& edge : edges_)
      out.edges.push_back(
          {places[static_cast<size_t>(edge.from)], places[static_cast<size_t>(edge.to)]});
    std::ranges::sort(out.edges);
    out.edges.erase(std::ranges::unique(out.edges).begin(), out.edges.end());
    for (const Layer& layer : layers_) {
      out.cycles += layer.launch.times() * layer.launch.cycles;
      out.peak_bytes = std::max(out.peak_bytes, layer.alive_bytes);
    }
    return out;
  }

 private:
  using Makers = std::vector<int>;  // leaves of the tree, sorted

  Makers& makers(planning::Id value) { return makers_[static_cast<size_t>(value)]; }

  void add_makers(Makers& to, planning::Id value) {
    Makers all;
    std::ranges::set_union(to, makers(value), std::back_inserter(all));
    to = std::move(all);
  }

  int add_border(GraphKind kind, const kernel::Leaf& leaf) {
    const char* word = kind == GraphKind::kArgument ? "argument " : "result ";
    GraphNode node{.kind = kind, .shape = to_string(leaf.shape)};
    const std::string name = cat(word, leaf.index, leaf.name.empty() ? "" : " ", leaf.name);
    node.what = cat(name, ": ", node.shape, ", ", leaf.bytes(), " bytes");
    return tree_.add_leaf(std::move(node), name);
  }

  void add_arguments() {
    const std::vector<kernel::Leaf>& leaves = program_.signature.arguments;
    const bool many = leaves.size() > kMostLeavesAlone;
    if (many) tree_.begin(GraphKind::kBranch, cat(leaves.size(), " arguments"));
    for (size_t i = 0; i < leaves.size(); ++i)
      makers(program_.arguments[i]) = {add_border(GraphKind::kArgument, leaves[i])};
    if (many) tree_.end();
  }

  void add_results() {
    const std::vector<kernel::Leaf>& leaves = program_.signature.results;
    const bool many = leaves.size() > kMostLeavesAlone;
    if (many) tree_.begin(GraphKind::kBranch, cat(leaves.size(), " results"));
    for (size_t i = 0; i < leaves.size(); ++i)
      add_edges(program_.results[i], add_border(GraphKind::kResult, leaves[i]));
    if (many) tree_.end();
  }

  void add_edges(planning::Id read, int to) {
    for (const int from : makers(read))
      if (from != to) edges_.push_back({from, to});
  }

  void walk(const kernel::Steps& steps) {
    for (const kernel::Step& step : steps) {
      if (const auto* loop = std::get_if<kernel::WhileStep>(&step.what)) {
        walk_loop(*loop, step.origin);
      } else if (const auto* choice = std::get_if<kernel::ConditionalStep>(&step.what)) {
        walk_choice(*choice, step.origin);
      } else {
        add_step(step);
      }
    }
  }

  void walk_loop(const kernel::WhileStep& loop, const kernel::Origin& origin) {
    for (size_t i = 0; i < loop.carried.size(); ++i)
      makers(loop.carried[i]) = Makers(makers(loop.initial[i]));
    tree_.begin(GraphKind::kLoop, cat("loop ", origin.layer));
    walk(loop.condition);
    walk(loop.body);
    tree_.end();
    // What an iteration made, or, if there is none, what it began with.
    for (size_t i = 0; i < loop.result.size(); ++i) {
      Makers all = makers(loop.next[i]);
      if (all.empty()) add_makers(all, loop.initial[i]);
      makers(loop.result[i]) = std::move(all);
    }
  }

  void walk_choice(const kernel::ConditionalStep& choice, const kernel::Origin& origin) {
    std::vector<Makers> made(choice.results.size());
    for (size_t b = 0; b < choice.branches.size(); ++b) {
      tree_.begin(GraphKind::kBranch, cat("branch ", b, " of ", origin.layer));
      walk(choice.branches[b]);
      tree_.end();
      for (size_t i = 0; i < made.size(); ++i) add_makers(made[i], choice.yields[b][i]);
    }
    for (size_t i = 0; i < made.size(); ++i) makers(choice.results[i]) = std::move(made[i]);
  }

  void add_step(const kernel::Step& step) {
    const std::vector<planning::Id> reads = planning::reads_of(step, program_.kernels);
    Makers now;
    if (const auto found = rows_.find(&step); found != rows_.end()) {
      const int leaf = add_layer(*found->second);
      for (const planning::Id read : reads) add_edges(read, leaf);
      now = {leaf};
    } else {  // takes no time: what it writes is what it reads
      for (const planning::Id read : reads) add_makers(now, read);
    }
    for (const planning::Id written : planning::writes_of(step, program_.kernels))
      makers(written) = now;
  }

  int add_layer(const Layer& layer) {
    const LaunchRow& row = layer.launch;
    GraphNode node{.kind = GraphKind::kLayer,
                   .shape = row.origin.shape,
                   .what = hint_of(row),
                   .cycles = row.times() * row.cycles,
                   .alive_bytes = layer.alive_bytes,
                   .layers = 1};
    const std::string name = layer_name(row);
    return tree_.add_leaf(std::move(node),
                          row.launches || name == row.kernel ? name : cat(name, " ", row.kernel));
  }

  const kernel::Program& program_;
  const planning::Plan& plan_;
  const std::vector<Layer>& layers_;
  std::map<const kernel::Step*, const Layer*> rows_;
  std::vector<Makers> makers_;  // by value
  std::vector<GraphEdge> edges_;
  GraphTreeBuilder tree_;
};

}  // namespace

LayerGraph layer_graph(const kernel::Program& program, const planning::Plan& plan,
                       const std::vector<Layer>& layers) {
  return GraphWalk(program, plan, layers).done();
}

}  // namespace hlocc::driver
