// Arrays that layers read are nodes, with the rows of other nodes that each of their rows is made
// of. Rows are then made on demand, one after the other, and counted.
#include "transforms/rows/row_floor.h"

#include <algorithm>
#include <map>
#include <set>

#include "transforms/rows/global_pools.h"
#include "transforms/rows/row_schedule.h"

namespace hlocc::transforms {

using hlo::Computation;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::Module;
using hlo::Opcode;

namespace {

constexpr size_t kMostLayers = 1000;
constexpr int64_t kMostLayerRows = 1'000'000, kMostLooks = 1'000'000;

bool is_layer(const Instruction& i) {
  return i.opcode == Opcode::kConvolution || i.opcode == Opcode::kReduceWindow ||
         i.opcode == Opcode::kReduce || i.opcode == Opcode::kDot;
}

// Row y is made of the rows y * stride - low ... + size - 1 of a node, or of all of them.
struct LayerRead {
  size_t node = 0;
  int64_t size = 1, stride = 1, low = 0;
  bool all = false;
  bool operator<(const LayerRead& other) const {
    return std::tie(node, size, stride, low, all) <
           std::tie(other.node, other.size, other.stride, other.low, other.all);
  }
};

struct LayerRows {
  InstructionId id = hlo::kNone;
  int64_t dimension = -1;  // that counts its rows; -1: it is made as a whole
  bool is_sum = false;     // one array, into which the rows that it reads go
  bool is_result = false, is_argument = false;
  int64_t rows = 1, row_bytes = 0;
  std::set<LayerRead> reads;
  std::vector<std::pair<size_t, LayerRead>> readers;
  int64_t made = 0, first = 0;  // rows; those before `first` are gone

  int64_t alive() const {
    if (is_sum) return made > 0 && first == 0 ? row_bytes : 0;
    return std::max<int64_t>(0, made - first) * row_bytes;
  }
};

// The layers of a computation.
class Layers {
 public:
  Layers(const Module& module, const Computation& c) : module_(module), c_(c) {}

  // Empty where they are not known.
  std::vector<LayerRows> find() {
    std::set<InstructionId> ids;
    for (InstructionId id = 0; id < static_cast<InstructionId>(c_.instructions.size()); ++id)
      if (!collect(id, ids)) return {};
    const Instruction& root = c_.root_instruction();
    const std::vector<InstructionId> results =
        root.opcode == Opcode::kTuple ? root.operands : std::vector{c_.root};
    ids.insert(results.begin(), results.end());
    if (ids.size() > kMostLayers) return {};
    for (const InstructionId id : ids) {
      index_[id] = layers_.size();
      layers_.push_back({.id = id, .is_argument = c_[id].opcode == Opcode::kParameter});
    }
    for (const InstructionId id : results) layers_[index_[id]].is_result = true;
    for (size_t l = layers_.size(); l-- > 0;) fill(l);
    for (size_t l = 0; l < layers_.size(); ++l)
      for (const LayerRead& read : layers_[l].reads)
        layers_[read.node].readers.emplace_back(l, read);
    return looks_ > kMostLooks ? std::vector<LayerRows>() : std::move(layers_);
  }

 private:
  // False for what has no rows and no order that shapes tell.
  bool collect(InstructionId id, std::set<InstructionId>& ids) const {
    const Instruction& op = c_[id];
    if (op.opcode == Opcode::kTuple && id == c_.root) return true;
    if (!op.shape.is_array() || op.shape.has_dynamic_dimensions()) return false;
    if (op.opcode == Opcode::kParameter) ids.insert(id);
    if (op.opcode == Opcode::kReduce) ids.insert(id);
    if (!is_layer(op)) return true;
    for (InstructionId read : op.operands) {
      read = smallest(read);
      if (!c_[read].shape.is_scalar() && c_[read].opcode != Opcode::kConstant) ids.insert(read);
    }
    return true;
  }

  bool is_known(InstructionId id) const {
    while (c_[id].opcode == Opcode::kBroadcast) id = c_[id].operands[0];
    return c_[id].opcode == Opcode::kConstant;
  }

  static bool moves(const Instruction& op) {
    return op.opcode == Opcode::kPad || op.opcode == Opcode::kReshape ||
           op.opcode == Opcode::kBroadcast || op.opcode == Opcode::kTranspose ||
           op.opcode == Opcode::kReverse || op.opcode == Opcode::kCopy;
  }

  // Layers take along what moves elements, and what makes more bytes of each.
  InstructionId smallest(InstructionId id) const {
    for (;;) {
      const Instruction& op = c_[id];
      InstructionId from = hlo::kNone;
      if (moves(op)) from = op.operands[0];
      if (is_elementwise(op))
        for (const InstructionId operand : op.operands) {
          if (is_known(operand)) continue;
          if (from != hlo::kNone) return id;
          from = operand;
        }
      if (from == hlo::kNone || c_[from].shape.byte_size() > op.shape.byte_size()) return id;
      id = from;
    }
  }

  void fill(size_t l) {
    LayerRows& layer = layers_[l];
    const Instruction& op = c_[layer.id];
    layer.row_bytes = op.shape.byte_size();
    if (op.opcode == Opcode::kReduce && op.operands.size() == 2) {
      const int64_t rows = reduced_rows(c_, op);
      const auto& from = c_.operand(op, 0).shape.dimensions;
      layer.is_sum = rows >= 0 && from[rows] > 1;
      if (layer.is_sum) {
        layer.rows = from[rows];
        return walk(l, op.operands[0], rows, {});
      }
    }
    if (layer.dimension < 0 && !refused_.contains(l) && op.shape.rank() > 2) layer.dimension = 1;
    if (layer.dimension >= 0 && !layer.is_argument && !row_reads(c_, op, layer.dimension))
      layer.dimension = -1;
    if (layer.dimension >= 0) {
      layer.rows = std::max<int64_t>(1, op.shape.dimensions[layer.dimension]);
      layer.row_bytes /= layer.rows;
    }
    if (!layer.is_argument) walk_operands(l, layer.id, layer.dimension, {});
  }

  void walk_operands(size_t l, InstructionId id, int64_t dimension, const LayerRead& rows) {
    const Instruction& op = c_[id];
    const auto reads = dimension < 0 ? std::nullopt : row_reads(c_, op, dimension);
    for (size_t i = 0; i < op.operands.size(); ++i) {
      if (!reads || !(*reads)[i]) {
        walk(l, op.operands[i], -1, {.all = true});
        continue;
      }
      const RowRead& read = *(*reads)[i];
      walk(l, op.operands[i], read.dimension,
           {.size = (rows.size - 1) * read.stride + read.size,
            .stride = rows.stride * read.stride,
            .low = rows.low * read.stride + read.low});
    }
  }

  // `rows` of the value along `dimension`, or all of it.
  void walk(size_t l, InstructionId id, int64_t dimension, LayerRead rows) {
    if (++looks_ > kMostLooks) return;
    const auto found = index_.find(id);
    if (found == index_.end()) return walk_operands(l, id, dimension, rows);
    rows.node = found->second;
    LayerRows& from = layers_[rows.node];
    rows.all = rows.all || dimension < 0;
    if (!rows.all) {
      if (from.dimension < 0 && !refused_.contains(rows.node)) from.dimension = dimension;
      // Two layers that take rows along two dimensions: as a whole.
      if (from.dimension != dimension) refused_.insert(rows.node), from.dimension = -1;
    }
    layers_[l].reads.insert(rows);
  }

  const Module& module_;
  const Computation& c_;
  std::map<InstructionId, size_t> index_;
  std::set<size_t> refused_;
  std::vector<LayerRows> layers_;
  int64_t looks_ = 0;
};

// Makes the rows of results, and what they ask for before.
class Demand {
 public:
  explicit Demand(std::vector<LayerRows> layers) : layers_(std::move(layers)) {}

  std::optional<int64_t> most_alive() {
    int64_t rows = 0;
    for (LayerRows& layer : layers_) {
      rows += layer.rows;
      if (!layer.is_argument || (layer.readers.empty() && !layer.is_result)) continue;
      layer.made = layer.rows;
      alive_ += layer.alive();
    }
    if (rows > kMostLayerRows) return std::nullopt;
    most_ = alive_;
    for (size_t l = 0; l < layers_.size(); ++l)
      if (layers_[l].is_result) make(l, layers_[l].rows);
    return most_;
  }

 private:
  // The rows before `end`.
  void make(size_t l, int64_t end) {
    while (layers_[l].made < end) {
      for (const LayerRead& read : layers_[l].reads) {
        const LayerRows& from = layers_[read.node];
        const int64_t last = layers_[l].made * read.stride - read.low + read.size;
        make(read.node, is_whole(read) ? from.rows : std::clamp<int64_t>(last, 0, from.rows));
      }
      count(l, [&](LayerRows& layer) { ++layer.made; });
      most_ = std::max(most_, alive_ + (layers_[l].alive() == 0 ? layers_[l].row_bytes : 0));
      for (const LayerRead& read : layers_[l].reads) free_rows(read.node);
      free_rows(l);
    }
  }

  bool is_whole(const LayerRead& read) const {
    return read.all || layers_[read.node].is_sum || layers_[read.node].dimension < 0;
  }

  template <typename Change>
  void count(size_t l, const Change& change) {
    alive_ -= layers_[l].alive();
    change(layers_[l]);
    alive_ += layers_[l].alive();
  }

  // Those that no reader asks for any more.
  void free_rows(size_t l) {
    if (layers_[l].is_result) return;
    int64_t first = layers_[l].rows;
    for (const auto& [reader, read] : layers_[l].readers) {
      const LayerRows& by = layers_[reader];
      if (by.made == by.rows) continue;
      first = std::min(first, is_whole(read) ? 0 : by.made * read.stride - read.low);
    }
    count(l, [&](LayerRows& layer) {
      layer.first = std::clamp<int64_t>(first, 0, layer.rows);
      if (layer.is_sum && layer.made < layer.rows) layer.first = 0;
    });
  }

  std::vector<LayerRows> layers_;
  int64_t alive_ = 0, most_ = 0;
};

}  // namespace

std::optional<int64_t> row_floor(Module module) {
  if (reduce_global_pools(module, module.entry)) hlo::compact(module);
  std::vector<LayerRows> layers = Layers(module, module.entry_computation()).find();
  if (layers.empty()) return std::nullopt;
  return Demand(std::move(layers)).most_alive();
}

}  // namespace hlocc::transforms
