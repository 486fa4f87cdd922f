// See byte_stores.h. One row an instruction.
#include "kernel/legalize/byte_stores.h"

#include <algorithm>

namespace hlocc::kernel {
namespace {

struct ByteScatter {
  Isa extension;
  int lanes;
  int64_t farthest;  // bytes from the first lane to the last one
};
// VSTRB.32 and VSTRB.16. Offsets of the latter have 16 bits; the former is given no more.
constexpr ByteScatter kByteScatters[] = {{Isa::kMve, 4, 0xffff}, {Isa::kMve, 8, 0xffff}};

}  // namespace

bool scatters_bytes(const Access& access, Type type, const Target& target) {
  const bool is_scatter = is_byte(type.scalar) && access.mask == kNone &&
                          access.lane_indices == kNone && access.lane_stride > 1;
  return is_scatter && std::ranges::any_of(kByteScatters, [&](const ByteScatter& row) {
           return target.has(row.extension) && type.lanes == row.lanes &&
                  access.lane_stride <= row.farthest / (row.lanes - 1);
         });
}

}  // namespace hlocc::kernel
