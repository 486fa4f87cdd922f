// Programs drawn from seeds, of the kinds of which conditions of the passes and of lowering are
// many: chains of arithmetic on integers as quantised networks have them, roundings, weights of few
// bytes, ranges, convolutions and blocks of them, products, recurrent cells, reductions, movements
// of data, loops, arrays of run-time size. Bases of picked programs: the same for ever, unlike the
// random modules of the fuzzer, which are to find what nobody thought of and may change.
#pragma once
#include <cstdint>
#include <span>
#include <string>

namespace hlocc::tests {

std::span<const char* const> drawn_kinds();
// The text of a module; not each is a valid one.
std::string drawn_text(const std::string& kind, uint64_t seed);

}  // namespace hlocc::tests
