// How constant weights are laid out: packed in panels in the order in which tiles read them, or as
// they lie.
#pragma once
#include <cstdint>

#include "hlo/shape.h"
#include "target/target.h"

namespace hlocc::costs {

// Bytes of a line of a cache.
inline constexpr int64_t kLineBytes = 64;

// Whether weights [depth, columns] of that type are worth panels of their own where the order of
// memory would do too.
bool panels_pay(const Target& target, int64_t depth, int64_t columns, hlo::PrimitiveType type);
// Whether the next panel is hinted at while `rows` rows, `tile_rows` at a time, walk down one of
// weights of so many bytes.
bool prefetch_pays(const Target& target, int64_t weight_bytes, int64_t rows, int64_t tile_rows);
// Whether constants of four bits lie two to a byte.
bool packs_nibbles(const Target& target);
// Whether products of bytes read such constants: vectors take bytes as they lie.
bool products_read_nibbles(const Target& target);
// Whether a table of 256 pairs of floats gives the numbers of a byte faster than two conversions.
bool looks_nibbles_up(const Target& target);
// Whether weights that a product makes of smaller ones are made panel by panel in scratch, for so
// many rows; else in registers.
bool makes_panels(const Target& target, int64_t rows);
// Whether convolutions make their filters of smaller ones in the same way, some features at a time.
bool makes_filters(const Target& target);
// How many channels kernels take at once: where some are not computed, what is left is a multiple.
int64_t channels_at_once(const Target& target);
// Whether every column of weights [columns, depth] begins a line.
bool columns_begin_lines(const Target& target);

}  // namespace hlocc::costs
