// See gates.h. Without vectors the sums of a tile go through scratch, so that the code of the gates
// stands there once; in vectors they stay in registers.
#include "lowering/contraction/gates.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "costs/code.h"
#include "lowering/contraction/contraction.h"
#include "lowering/emitter/loop_ops.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;
using kernel::BufferId;
using kernel::Scalar;
using kernel::Values;

namespace {

struct Product {
  InstructionId id;
  std::vector<int64_t> offsets;  // first column of each gate that is asked for
  int64_t depth;
  // Where the left side has been copied to, and where the weights are packed; kNone: they are read
  // where they are.
  BufferId left = kernel::kNone, panels = kernel::kNone;
  // Where a tile's sums wait, if they do.
  BufferId sums = kernel::kNone;
  int gates() const { return static_cast<int>(offsets.size()); }
};

// The products behind the roots, and at which columns they are asked for.
std::vector<Product> products_of(const Group& group) {
  std::map<InstructionId, std::set<int64_t>> offsets;
  std::set<std::pair<InstructionId, int64_t>> seen;
  std::vector<std::pair<InstructionId, int64_t>> todo;
  for (InstructionId root : group.roots) todo.push_back({root, 0});
  while (!todo.empty()) {
    const auto [id, offset] = todo.back();
    todo.pop_back();
    if (!seen.insert({id, offset}).second) continue;
    const Instruction& i = group[id];
    if (i.opcode == Opcode::kDot) {
      offsets[id].insert(offset);
    } else if (i.opcode == Opcode::kSlice) {
      todo.push_back({i.operands[0], offset + i.get<hlo::SliceAttributes>().starts.back()});
    } else if (i.opcode != Opcode::kBroadcast) {
      for (InstructionId operand : i.operands) todo.push_back({operand, offset});
    }
  }
  std::vector<Product> out;
  for (const auto& [id, set] : offsets)
    out.push_back({id, {set.begin(), set.end()}, group[group[id].operands[0]].shape.dimensions[1]});
  return out;
}

bool is_kept(const Group& group, const Product& product) {
  const hlo::Shape& left = group[group[product.id].operands[0]].shape;
  return left.dimensions == group.root().shape.dimensions;
}

class Gates {
 public:
  explicit Gates(Emitter& e) : e_(e), group_(e.group()), products_(products_of(e.group())) {}

  void run() {
    choose_tiles();
    for (Product& product : products_) pack(product);
    for (Product& product : products_) keep_left(product);
    if (through_scratch_)
      for (Product& product : products_)
        product.sums = e_.scratch("sums", sum_type(product),
                                  int64_t{height_} * product.gates() * vectors_ * lanes_);
    Contraction c;
    c.columns = columns_;
    if (group_.serpentine) c.backwards = is_odd_iteration(e_);
    for_each_column(e_, c, [&](const Affine& column, const ColumnRun& run) {
      for (const RowRun& rows : costs::cut_rows(cell().dimensions[0], height_))
        e_.loop(rows.begin, rows.end, rows.height, {},
                [&](Affine row, std::span<const kernel::ValueId>) {
                  run_tile(row, rows.height, column, run);
                  return Values{};
                });
    });
  }

 private:
  const hlo::Shape& cell() const { return group_.root().shape; }
  const Instruction& dot(const Product& product) const { return group_[product.id]; }
  Scalar sum_type(const Product& product) const {
    return accumulator_of(e_.scalar(dot(product).shape));
  }

  void choose_tiles() {
    const int64_t width = cell().dimensions[1];
    int gates = 1;
    bool vectors = true;
    for (const Product& product : products_) gates = std::max(gates, product.gates());
    for (InstructionId root : group_.roots) vectors = vectors && e_.vectorizable(root, 1);
    lanes_ = vectors ? e_.preferred_lanes(width) : 1;
    const bool wide = kernel::scalar_bits(sum_type(products_[0])) > 32;
    const costs::GatesTile tile =
        costs::choose_gates_tile(e_.target(), gates, cell().dimensions[0], width, lanes_, wide);
    height_ = tile.rows;
    vectors_ = tile.vectors;
    columns_ = costs::cut_columns(width, {height_, vectors_, lanes_});
    through_scratch_ = lanes_ == 1 && vectors_ * height_ > 1;
  }

  // Columns of the gates of a tile side by side, step after step, tile after tile.
  void pack(Product& product) {
    const InstructionId right = dot(product).operands[1];
    const hlo::Literal* weights = group_.is_external(right) ? e_.constant_of(right) : nullptr;
    if (weights == nullptr || hlo::type_bits(weights->type()) < 8) return;
    const size_t element = static_cast<size_t>(hlo::storage_bytes(weights->type()));
    const int64_t columns = weights->shape().dimensions[1];
    std::vector<std::byte> out;
    for (const ColumnRun& run : columns_)
      for (int64_t c = run.begin; c < run.end; c += run.step())
        for (int64_t k = 0; k < product.depth; ++k)
          for (int64_t offset : product.offsets) {
            const std::byte* from =
                weights->bytes().data() + static_cast<size_t>(k * columns + offset + c) * element;
            out.insert(out.end(), from, from + static_cast<size_t>(run.step()) * element);
          }
    product.panels = e_.derived_constant("panels", e_.scalar(weights->shape()), std::move(out),
                                         lanes_ * static_cast<int>(element));
  }

  void keep_left(Product& product) {
    if (!is_kept(group_, product)) return;
    const hlo::Shape& shape = e_.shape(dot(product).operands[0]);
    product.left = e_.scratch("left", e_.scalar(shape), shape.element_count());
    for_each_vector(e_, shape.dimensions, e_.preferred_lanes(shape.dimensions[1]),
                    [&](const Index& index) {
                      e_.store(product.left, shape, index, e_.operand(dot(product), 0, index));
                    });
  }

  Element left(const Product& product, const Affine& row, const Affine& k, int lanes) {
    Index index;
    index.at = {row, k};
    index.along(1, lanes);
    const InstructionId operand = dot(product).operands[0];
    const Element x = product.left == kernel::kNone
                          ? e_.element(operand, index)
                          : e_.load(product.left, e_.shape(operand), index);
    return {e_.b.convert(x.re, sum_type(product))};
  }

  // Vector number `vector` of the tile, those of a gate side by side.
  Element right(const Product& product, const Affine& column, const ColumnRun& run, const Affine& k,
                int vector) {
    if (product.panels != kernel::kNone) {
      const int64_t step = run.step() * product.gates();
      const Affine at = column.times(product.gates() * product.depth)
                            .plus(k.times(step))
                            .plus(int64_t{vector} * run.lanes);
      return {e_.b.convert(e_.b.load(product.panels, at, run.lanes), sum_type(product))};
    }
    Index index;
    index.at = {k, column.plus(product.offsets[vector / run.vectors] +
                               int64_t{vector % run.vectors} * run.lanes)};
    index.along(1, run.lanes);
    return {e_.b.convert(e_.operand(dot(product), 1, index).re, sum_type(product))};
  }

  Values sums_of(const Product& product, const Affine& row, int height, const Affine& column,
                 const ColumnRun& run) {
    const Tile tile{row, column, height, product.gates() * run.vectors, run.lanes};
    Operands operands;
    operands.a_contiguous = true;
    operands.a = [&](int r, const Affine& k, int lanes) {
      return left(product, row.plus(r), k, lanes);
    };
    operands.b = [&](int vector, const Affine& k) {
      return right(product, column, run, k, vector);
    };
    const kernel::Type type{sum_type(product), static_cast<uint16_t>(run.lanes)};
    const Values zero(static_cast<size_t>(height) * tile.vectors, e_.b.zero(type));
    return reduce(e_, tile, product.depth, zero, operands);
  }

  void run_tile(const Affine& row, int height, const Affine& column, const ColumnRun& run) {
    std::vector<Values> sums;
    for (const Product& product : products_) {
      sums.push_back(sums_of(product, row, height, column, run));
      if (!through_scratch_) continue;
      for (size_t n = 0; n < sums.back().size(); ++n)
        e_.b.store(product.sums, Affine::constant(static_cast<int64_t>(n) * run.lanes),
                   sums.back()[n]);
    }
    if (through_scratch_) return finish_from_scratch(row, height, column, run);
    for (int r = 0; r < height; ++r)
      for (int v = 0; v < run.vectors; ++v)
        finish(
            row.plus(r), column.plus(int64_t{v} * run.lanes), run.lanes, [&](size_t p, int gate) {
              return sums[p]
                         [static_cast<size_t>((r * products_[p].gates() + gate) * run.vectors + v)];
            });
  }

  void finish_from_scratch(const Affine& row, int height, const Affine& column,
                           const ColumnRun& run) {
    e_.loop(height, [&](Affine r) {
      e_.loop(run.vectors, [&](Affine v) {
        finish(row.plus(r), column.plus(v.times(run.lanes)), run.lanes, [&](size_t p, int gate) {
          const Product& product = products_[p];
          const Affine vector = r.times(int64_t{product.gates()} * run.vectors)
                                    .plus(v)
                                    .plus(int64_t{gate} * run.vectors);
          return e_.b.load(product.sums, vector.times(run.lanes), run.lanes);
        });
      });
    });
  }

  // The results of one vector of columns: sum(product, gate) gives its sums.
  void finish(const Affine& row, const Affine& column, int lanes,
              const std::function<kernel::ValueId(size_t, int)>& sum) {
    const auto index_at = [&](int64_t offset) {
      Index index;
      index.at = {row, column.plus(offset)};
      return index.along(1, lanes);
    };
    for (size_t p = 0; p < products_.size(); ++p) {
      const Product& product = products_[p];
      Emitter::Places places;
      for (int gate = 0; gate < product.gates(); ++gate)
        places.push_back({index_at(product.offsets[gate]),
                          {e_.b.convert(sum(p, gate), e_.scalar(dot(product).shape))}});
      e_.bind(product.id, std::move(places));
    }
    e_.store_roots(index_at(0));
    for (const Product& product : products_) e_.unbind(product.id);
  }

  Emitter& e_;
  const Group& group_;
  std::vector<Product> products_;
  std::vector<ColumnRun> columns_;
  int lanes_ = 1, vectors_ = 1, height_ = 1;
  bool through_scratch_ = false;
};

}  // namespace

bool is_gate_group(const Group& group) { return group.schedule == hlo::Schedule::kGates; }

void schedule_gates(Emitter& emitter) { Gates(emitter).run(); }

std::set<InstructionId> kept_operands(const Group& group) {
  std::set<InstructionId> kept;
  if (!is_gate_group(group)) return kept;
  for (const Product& product : products_of(group))
    if (is_kept(group, product)) kept.insert(group[product.id].operands[0]);
  return kept;
}

}  // namespace hlocc::lowering
