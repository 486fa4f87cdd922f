// One convolution being emitted in Winograd's form: the class whose stages have a file each.
// winograd.cpp has the loops over blocks, the geometry and the products, winograd_inputs.cpp and
// winograd_outputs.cpp what comes before and after them.
#pragma once
#include "lowering/contraction/contraction.h"
#include "lowering/convolution/winograd.h"

namespace hlocc::lowering {

class Winograd {
 public:
  Winograd(Emitter& emitter, hlo::InstructionId id, const WinogradPlan& plan,
           hlo::InstructionId pool);
  void run();

 private:
  // Where a tile stands: its image and its first output.
  struct Place {
    Affine batch, y, x;
  };
  // Outputs along each side of what is handed on at a time: a window of the pool, or one output.
  int side_of_cell() const {
    return pool_ == hlo::kNone
               ? 1
               : static_cast<int>(
                     e_.instruction(pool_).get<hlo::WindowAttributes>().window.dimensions[1].size);
  }
  // Those that the pool does not leave over.
  hlo::Dimensions used_outputs() const;
  int64_t inputs() const { return input_[3]; }
  int64_t panel_width() const { return int64_t{plan_.tile.vectors} * plan_.tile.lanes; }
  int64_t tile_rows() const { return ceil_div(output_[1], plan_.m); }
  int64_t tile_columns() const { return ceil_div(output_[2], plan_.m); }
  Place place(const Affine& tile);

  // --- the border ---
  // Tiles of dimension d (0 rows, 1 columns) may begin before the input's first element, or end
  // behind its last.
  bool starts_outside(int d) const { return window_[d].padding_low > 0; }
  bool ends_outside(int d) const;
  bool has_input_border() const;
  bool has_output_border() const { return output_[1] % plan_.m != 0 || output_[2] % plan_.m != 0; }
  // Long epilogues are emitted once, in a loop over the tile's outputs.
  bool spells_outputs() const { return inner_instructions(e_.group()).size() <= 12; }
  kernel::ValueId both(kernel::ValueId a, kernel::ValueId b) {
    return a == kernel::kNone ? b : b == kernel::kNone ? a : b_.logical_and(a, b);
  }
  kernel::ValueId at_least(const Affine& at, int64_t low);
  kernel::ValueId at_most(const Affine& at, int64_t high);
  // Runs `inside` or `outside` as `condition` says; kNone is true.
  void choose(kernel::ValueId condition, const std::function<void()>& inside,
              const std::function<void()>& outside);
  Affine input_at(int d, const Affine& output) const {
    return output.plus(-window_[d].padding_low);
  }
  kernel::ValueId sees_input_only(const Place& place);
  kernel::ValueId makes_output_only(const Place& place);

  // --- inputs ---
  kernel::ValueId input(const Place& place, const Affine& r, const Affine& c, const Affine& channel,
                        int lanes);
  // Calls body(channel, lanes) for all input channels, in vectors.
  void over_channels(const std::function<void(Affine, int)>& body);
  Affine patch_at(const Affine& r, const Affine& c, const Affine& channel) const;
  void copy_to_patch(const Place& place);
  // Transforms one tile, whose elements `load` gives, into row `row` of the planes.
  void transform_input(
      const Affine& row,
      const std::function<kernel::ValueId(int r, int c, const Affine& channel, int lanes)>& load);
  void transform_inputs(const Affine& first, const Affine& count);

  // --- products ---
  // All sums of one panel. The last rows of a block that is not full hold what was there before;
  // their sums are not read.
  void multiply(const ColumnRun& run, const Affine& column, const Affine& count);
  kernel::Values multiply_tile(const Tile& tile, const Affine& left, const Affine& right);

  // --- outputs ---
  // Output (r, c) of a tile, or the window of the pool that begins there; `value(y, x)` is an
  // output of it.
  void finish(const Place& place, const Affine& r, const Affine& c, const Affine& feature,
              int lanes, const std::function<kernel::ValueId(int y, int x)>& value);
  // The m * m outputs of the tile in row `row` of the sums, for one vector of the panel.
  std::vector<kernel::Values> output_tile(const Affine& row, const Affine& lane, int64_t width,
                                          int lanes);
  // Stores the outputs of the tile that exist, one at a time.
  void finish_by_patch(const Place& place, const Affine& feature, int lanes,
                       const std::vector<kernel::Values>& outputs);
  void transform_outputs(const ColumnRun& run, const Affine& column, const Affine& first,
                         const Affine& count);

  Emitter& e_;
  kernel::Builder& b_;
  const hlo::InstructionId id_, pool_;  // kNone: no pool
  const hlo::Instruction& i_;
  const WinogradPlan plan_;
  const hlo::Dimensions input_, output_;  // [batch, row, column, feature]
  const std::vector<hlo::WindowDimension>& window_;
  kernel::BufferId filter_ = kernel::kNone, transformed_ = kernel::kNone, sums_ = kernel::kNone,
                   edge_ = kernel::kNone;
  int64_t input_plane_ = 0, sum_plane_ = 0;  // elements from one point's plane to the next
};

}  // namespace hlocc::lowering
