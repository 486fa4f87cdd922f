// Which way round the sides of a product should lie: transforms/canonicalize/canonicalize_dot.cpp
// asks. Sides are f32 and not known at compile time, if not said otherwise.
#pragma once
#include <cstdint>

#include "target/target.h"

namespace hlocc::costs {

// A right side [columns, depth] is better brought to [depth, columns]. `is_made`: a transpose makes
// it, so that the order of its elements is free, whatever its type; `is_f32`: its type.
bool is_better_moved(const Target& target, int64_t rows, int64_t depth, bool is_made, bool is_f32);
// A left side may lie as [depth, rows] without harm: a step of a tile takes neighbours in memory.
bool reads_turned(const Target& target);
// It stays so: not where rows or columns are few, whose lanes would rather run along the reduction.
bool stays_turned(const Target& target, int64_t rows, int64_t columns);
// The product is better made the other way round, with a transpose of the result alone: a known
// right side that is narrow, or one that lies the other way round too, and a smaller left one.
bool is_better_turned(int64_t rows, int64_t depth, int64_t columns, bool right_is_known);

}  // namespace hlocc::costs
