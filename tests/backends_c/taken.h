// Which ops VectorValues takes on the chips of its tests, and rows of a table: a kernel, and its ops
// as small_kernels.h writes them.
#pragma once
#include <catch2/catch.hpp>

#include "backends/c/vector_values.h"
#include "backends_c/rows.h"
#include "backends_c/small_kernels.h"

namespace hlocc::backends::small {

constexpr Type s32x4{Scalar::kS32, 4}, u32x4{Scalar::kU32, 4}, f32x4{Scalar::kF32, 4},
    s8x4{Scalar::kS8, 4}, u8x4{Scalar::kU8, 4}, s8x8{Scalar::kS8, 8};

inline std::string taken(const Target& row, const Make& make, int unreadable = -1) {
  const Kernel kernel = kernel_of(make);
  std::vector<bool> readable(kernel.buffers.size(), true);
  if (unreadable >= 0) readable[static_cast<size_t>(unreadable)] = false;
  const VectorValues values(kernel, readable, row);
  return marked(kernel.body, [&](const Op& op) { return values.takes(op); });
}

inline Target mve() { return target_for_c(*preset("cortex-m55")); }
inline Target neon() { return target_for_c(*preset("cortex-a53")); }
inline Target x86(int bits) {
  using enum Isa;
  if (bits == 128) return x86_row_of_c(128, {kSse2});
  if (bits == 256) return x86_row_of_c(256, {kSse2, kAvx2});
  return x86_row_of_c(512, {kSse2, kAvx2, kAvxVnni, kAvx512Vnni});
}
// AVX-VNNI, whose sixteen bytes are no quarter of a register.
inline Target x86_fours() { return x86_row_of_c(256, {Isa::kSse2, Isa::kAvx2, Isa::kAvxVnni}); }

struct TakenRow {
  const char* what;
  Target row;
  Make make;
  const char* ops;
  int unreadable = -1;  // a buffer that is read or written by parts
};
inline void check_taken(std::initializer_list<TakenRow> rows) {
  for (const TakenRow& row : rows) {
    INFO(row.what);
    CHECK(taken(row.row, row.make, row.unreadable) == row.ops);
  }
}

}  // namespace hlocc::backends::small
