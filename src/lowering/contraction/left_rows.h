// The rows of a tile as a micro-kernel reads them: brought to scratch k step by k step, as bytes,
// bytes that are 128 too great, or numbers of 16 bits. What lies apart in memory (the window of a
// pixel, what a padding adds) lies side by side there, so that one loop over the reduction serves
// all.
#pragma once
#include <array>

#include "costs/micro_kernels.h"
#include "lowering/contraction/tile.h"

namespace hlocc::lowering {

class LeftRows {
 public:
  // Scratch for so many rows of `depth` steps. Ask for derived constants before. `in_pairs`: for
  // columns that the rows of a tile share, in pairs of neighbours.
  LeftRows(Emitter& e, const costs::MicroChoice& choice, int rows, int64_t depth,
           bool in_pairs = false);

  // Steps [from, from + lanes) of what is copied.
  using Load = std::function<kernel::ValueId(const Affine& from, int lanes)>;
  // Copies `count` steps to step base + extra on of a row. Where segments fill k steps
  // (costs/micro_kernels.h), `base` is a multiple of them. `lanes`: whether neighbours are loaded
  // together.
  void copy(const Affine& row, const Affine& base, int64_t extra, int64_t count, bool lanes,
            const Load& load) const;
  // The same for a whole tile whose rows all lie in memory.
  void copy_rows(int rows, int64_t count,
                 const std::function<kernel::ValueId(int, const Affine&, int)>& load) const;
  // Columns of `count` steps that a tile's rows share, in pairs: column n beside column n + apart,
  // `count` * n steps from `base` on. Only pairs whose first `used` columns see.
  struct Columns {
    int64_t count = 0, columns = 0, apart = 1;
    std::function<bool(int64_t)> used;
    std::function<kernel::ValueId(int64_t column, const Affine& from, int lanes)> load;
  };
  void copy_columns(const Affine& base, const Columns& columns) const;
  // All steps of a row are that number.
  void fill(const Affine& row, int64_t number) const;
  // So many steps from `base` on are, where rows may begin anywhere.
  void fill(const Affine& base, int64_t count, int64_t number) const;
  // What sums of a row begin with because of weights that are 128 too great.
  void add_up(const Affine& row) const;
  // Steps [k, k + lanes), all of one k step.
  kernel::ValueId steps(const Affine& row, const Affine& k, int lanes) const;
  // Half of the k step at step k, which has two steps, of `count` rows from an even one on.
  kernel::ValueId halves(int row, const Affine& k, int half, int count) const;
  // Both halves of one row.
  std::array<kernel::ValueId, 2> k_step(int row, const Affine& k) const;
  kernel::BufferId terms() const { return terms_; }

 private:
  Affine place(const Affine& row, const Affine& base, int64_t extra) const;
  void put(const Affine& row, const Affine& base, int64_t extra, kernel::ValueId value) const;
  kernel::ValueId in_form(kernel::ValueId value) const;
  kernel::ValueId filling(int64_t number, int lanes) const;
  // K steps of neighbours in pairs, half by half, so that what belongs together is stored together.
  void put_k_steps(const Affine& place, const std::vector<kernel::ValueId>& k_steps) const;
  Affine place_of_half(const Affine& row, const Affine& base, int64_t half) const;
  std::vector<int> widths() const;

  Emitter& e_;
  costs::LeftForm form_;
  int k_step_, rows_;
  int64_t depth_;
  bool by_k_steps_, in_pairs_;
  kernel::Scalar element_;
  bool in_stack_;
  kernel::BufferId buffer_, terms_ = kernel::kNone;
};

}  // namespace hlocc::lowering
