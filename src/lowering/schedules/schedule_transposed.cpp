// Elements that are read along another dimension than they are written: square blocks of lanes by
// lanes, turned in registers. A transpose alone sees its dimensions merged, so that small feature
// maps are long rows. Blocks at the ends have masks, or reach back over the block before them; only
// where neither will do are elements moved one by one.
#include <algorithm>
#include <limits>

#include "lowering/emitter/loop_ops.h"
#include "lowering/program/in_place.h"

namespace hlocc::lowering {

using hlo::Dimensions;
using hlo::InstructionId;
using kernel::ValueId;

namespace {

// Shorter sides than this are not worth a block.
constexpr int64_t kShortest = 2;

// r[i][l] of square blocks of lanes becomes r[l][i]: in each round neighbours at half the last
// distance swap halves.
void transpose_lanes(Emitter& e, std::vector<ValueId>& rows) {
  const int lanes = static_cast<int>(rows.size());
  for (int distance = lanes / 2; distance >= 1; distance /= 2) {
    std::vector<int> low(lanes), high(lanes);
    for (int l = 0; l < lanes; ++l) {
      low[l] = l & distance ? lanes + l - distance : l;
      high[l] = l & distance ? lanes + l : l + distance;
    }
    for (int i = 0; i < lanes; ++i) {
      if (i & distance) continue;
      const ValueId a = rows[i], b = rows[i + distance];
      rows[i] = e.b.shuffle(a, b, low);
      rows[i + distance] = e.b.shuffle(a, b, high);
    }
  }
}

// What is moved: the result's dimensions, the one that reading runs along, and an element of it,
// read and written.
struct Turned {
  Dimensions dimensions;
  int from = kernel::kNone;
  std::function<Element(const Index&)> read;
  std::function<void(const Index&, Element)> write;

  int64_t rows() const { return dimensions[from]; }
  int64_t columns() const { return dimensions.back(); }
};

// A root with elements in vectors along a dimension that is not the last.
Turned turned_root(Emitter& e) {
  const InstructionId root = e.group().roots[0];
  const hlo::Shape& shape = e.shape(root);
  Turned turned;
  turned.dimensions = shape.dimensions;
  for (int d = 0; d + 1 < shape.rank() && turned.from == kernel::kNone; ++d)
    if (shape.dimensions[d] >= kShortest && e.vectorizable(root, d)) turned.from = d;
  turned.read = [&e, root](const Index& index) { return e.element(root, index); };
  turned.write = [&e, root](const Index& index, Element value) {
    e.store(e.output_buffer(0), e.shape(root), index, value);
  };
  return turned;
}

// A transpose of an input and nothing else: dimensions that stay side by side count as one.
Turned turned_alone(Emitter& e, const hlo::Instruction& transpose) {
  const Dimensions& order = transpose.get<hlo::DimensionsAttributes>().dimensions;
  const hlo::Shape& from = e.shape(transpose.operands[0]);
  // Dimensions of one position stand nowhere.
  Dimensions kept;
  for (int64_t d : order)
    if (from.dimensions[d] != 1) kept.push_back(d);
  std::vector<std::pair<int64_t, int64_t>> runs;  // first dimension of the operand, positions
  int64_t before = -2;
  for (int64_t d : kept) {
    bool next = before >= 0 && before < d;
    for (int64_t between = before + 1; next && between < d; ++between)
      next = from.dimensions[between] == 1;
    if (next) {
      runs.back().second *= from.dimensions[d];
    } else {
      runs.emplace_back(d, from.dimensions[d]);
    }
    before = d;
  }
  Dimensions sources, operand, map;
  for (const auto& run : runs) sources.push_back(run.first);
  std::sort(sources.begin(), sources.end());
  Turned turned;
  operand.resize(runs.size());
  for (size_t d = 0; d < runs.size(); ++d) {
    map.push_back(std::lower_bound(sources.begin(), sources.end(), runs[d].first) -
                  sources.begin());
    operand[map[d]] = runs[d].second;
    turned.dimensions.push_back(runs[d].second);
    if (map[d] + 1 == static_cast<int64_t>(runs.size()) && d + 1 < runs.size())
      turned.from = static_cast<int>(d);
  }
  const hlo::Shape in = hlo::Shape::array(from.element_type, operand),
                   out = hlo::Shape::array(from.element_type, turned.dimensions);
  turned.read = [&e, in, map, input = transpose.operands[0]](const Index& index) {
    Index at = index;
    for (size_t d = 0; d < map.size(); ++d) at.at[map[d]] = index.at[d];
    if (index.lane_dim != kernel::kNone) at.lane_dim = static_cast<int>(map[index.lane_dim]);
    return e.load(e.input_buffer(input), in, at);
  };
  turned.write = [&e, out](const Index& index, Element value) {
    e.store(e.output_buffer(0), out, index, value);
  };
  return turned;
}

class Blocks {
 public:
  Blocks(Emitter& e, const Turned& turned, int lanes)
      : e_(e),
        turned_(turned),
        lanes_(lanes),
        masks_(e.masks_pass()),
        again_(in_place_pairs(e.group()).empty()) {}

  void run() {
    Dimensions outer = turned_.dimensions;
    outer[turned_.from] = outer.back() = 1;
    e_.loop_over(outer, [&](const std::vector<Affine>& at) {
      at_ = at;
      along(turned_.rows(), [&](const Affine& row, int rows) {
        if (rows == 0)
          return one_by_one(turned_.rows() / lanes_ * lanes_, turned_.rows(), 0, turned_.columns());
        along(turned_.columns(), [&](const Affine& column, int columns) {
          columns == 0 ? columns_left(row) : block(row, column, rows, columns);
        });
      });
    });
  }

 private:
  // Blocks of `extent` positions: body(first, active lanes), of which 0 means: what is left, one by
  // one.
  void along(int64_t extent, const std::function<void(const Affine&, int)>& body) {
    const int64_t whole = extent / lanes_ * lanes_;
    e_.loop(
        whole, [&](Affine at) { body(at, lanes_); }, lanes_);
    if (whole == extent) return;
    if (masks_) return body(Affine::constant(whole), static_cast<int>(extent - whole));
    if (again_) return body(Affine::constant(extent - lanes_), lanes_);
    body(Affine::constant(whole), 0);
  }

  Index place(const Affine& row, const Affine& column, int lane_dim) const {
    Index index;
    index.at = at_;
    index.at[turned_.from] = row;
    index.at.back() = column;
    index.lane_dim = lane_dim;
    index.lanes = lane_dim == kernel::kNone ? 1 : lanes_;
    return index;
  }

  void block(const Affine& row, const Affine& column, int rows, int columns) {
    const auto masked = [&](int active, const std::function<void()>& body) {
      e_.with_active_lanes(active < lanes_ ? active : 0, lanes_, body);
    };
    std::vector<ValueId> block;
    masked(rows, [&] {
      for (int c = 0; c < columns; ++c)
        block.push_back(
            e_.splat(turned_.read(place(row, column.plus(c), turned_.from)), lanes_).re);
    });
    block.resize(lanes_, block[0]);
    transpose_lanes(e_, block);
    masked(columns, [&] {
      for (int r = 0; r < rows; ++r)
        turned_.write(place(row.plus(r), column, static_cast<int>(at_.size()) - 1), {block[r]});
    });
  }

  void move(const Affine& row, const Affine& column) {
    const Index index = place(row, column, kernel::kNone);
    turned_.write(index, turned_.read(index));
  }
  void one_by_one(int64_t first_row, int64_t last_row, int64_t first_column, int64_t last_column) {
    e_.loop(first_row, last_row, 1, {}, [&](Affine row, std::span<const ValueId>) {
      e_.loop(first_column, last_column, 1, {}, [&](Affine column, std::span<const ValueId>) {
        move(row, column);
        return kernel::Values{};
      });
      return kernel::Values{};
    });
  }
  // Of rows that a block has.
  void columns_left(const Affine& row) {
    e_.loop(turned_.columns() / lanes_ * lanes_, turned_.columns(), 1, {},
            [&](Affine column, std::span<const ValueId>) {
              for (int r = 0; r < lanes_; ++r) move(row.plus(r), column);
              return kernel::Values{};
            });
  }

  Emitter& e_;
  const Turned& turned_;
  const int lanes_;
  const bool masks_, again_;
  std::vector<Affine> at_;
};

}  // namespace

bool schedule_transposed(Emitter& e) {
  const Group& group = e.group();
  if (group.roots.size() != 1 || e.target().options.for_size() ||
      hlo::is_complex(group.root().shape.element_type))
    return false;
  const hlo::Instruction& root = group.root();
  const bool alone = root.opcode == hlo::Opcode::kTranspose && group.is_external(root.operands[0]);
  const Turned turned = alone ? turned_alone(e, root) : turned_root(e);
  if (turned.from == kernel::kNone) return false;
  const int64_t shorter = std::min(turned.rows(), turned.columns());
  if (shorter < kShortest) return false;
  int lanes = e.preferred_lanes(std::numeric_limits<int64_t>::max());
  // Masked blocks may be larger than what they move, others not.
  const int64_t most = e.masks_pass() ? 2 * shorter - 1 : shorter;
  while (lanes > most) lanes /= 2;
  if (lanes < 2) return false;
  Blocks(e, turned, lanes).run();
  return true;
}

}  // namespace hlocc::lowering
