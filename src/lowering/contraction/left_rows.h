// The rows of a tile as a micro-kernel reads them: brought to scratch unit by unit, as bytes, bytes
// that are 128 too great, or numbers of 16 bits. What lies apart in memory (the window of a pixel,
// what a padding adds) lies side by side there, so that one loop over the reduction serves all.
#pragma once
#include "costs/micro_kernels.h"
#include "lowering/contraction/tile.h"

namespace hlocc::lowering {

class LeftRows {
 public:
  // Scratch for so many rows of `depth` steps. Ask for derived constants before.
  LeftRows(Emitter& e, const costs::MicroChoice& choice, int rows, int64_t depth);

  // Steps [from, from + lanes) of what is copied.
  using Load = std::function<kernel::ValueId(const Affine& from, int lanes)>;
  // Copies `count` steps to step base + extra on of a row. Where segments fill units
  // (costs/micro_kernels.h), `base` is a multiple of them. `lanes`: whether neighbours are loaded
  // together.
  void copy(const Affine& row, const Affine& base, int64_t extra, int64_t count, bool lanes,
            const Load& load) const;
  // All steps of a row are that number.
  void fill(const Affine& row, int64_t number) const;
  // What sums of a row begin with because of weights that are 128 too great.
  void add_up(const Affine& row) const;
  // Steps [k, k + lanes), all of one unit.
  kernel::ValueId steps(const Affine& row, const Affine& k, int lanes) const;
  kernel::BufferId terms() const { return terms_; }

 private:
  Affine place(const Affine& row, const Affine& base, int64_t extra) const;
  void put(const Affine& row, const Affine& base, int64_t extra, kernel::ValueId value) const;
  kernel::ValueId in_form(kernel::ValueId value) const;
  std::vector<int> widths() const;

  Emitter& e_;
  costs::LeftForm form_;
  int unit_, rows_;
  int64_t depth_;
  bool by_units_;
  kernel::Scalar element_;
  bool in_stack_;
  kernel::BufferId buffer_, terms_ = kernel::kNone;
};

}  // namespace hlocc::lowering
