// What tests of kernels in ranges are made of.
#pragma once
#include <vector>

#include "kernel/builder.h"
#include "kernel/ranges/split_kernel.h"

namespace hlocc::kernel {

inline constexpr int64_t kPieceCount = 24;
inline constexpr Type kPieceType{Scalar::kS32, 1};
using Sites = std::vector<SplitSite>;

// x is read; y and z are written.
struct Pieces {
  Builder b{"pieces"};
  BufferId x, y, z;
  explicit Pieces(Space of_x = Space::kArena) {
    const auto add = [&](const char* name, Direction direction, Space space) {
      return b.buffer({.name = name,
                       .element = Scalar::kS32,
                       .elements = kPieceCount,
                       .direction = direction,
                       .space = space});
    };
    x = add("x", Direction::kIn, of_x);
    y = add("y", Direction::kOut, Space::kArena);
    z = add("z", Direction::kOut, Space::kArena);
  }
  BufferId scratch(const char* name, int64_t elements, Space space) {
    return b.buffer({.name = name,
                     .element = Scalar::kS32,
                     .elements = elements,
                     .direction = Direction::kScratch,
                     .space = space});
  }
  void copy(ValueId i) { b.store(y, Affine::of(i), b.load(x, Affine::of(i))); }
  ValueId from_data() { return b.convert(b.load(x, Affine::constant(0)), Scalar::kIndex); }
};

}  // namespace hlocc::kernel
