// Where `run` of a large program is cut: compilers take more than twice the time for a function of
// twice the size, so that steps beyond some hundred are functions of their own, which `run` calls.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/program.h"
#include "planning/plan.h"

namespace hlocc::backends {

// Of a list of steps, [begin, end); alone: a step that is too large for a piece, whose own lists
// are cut.
struct RunPiece {
  size_t begin, end;
  bool alone;
};

inline constexpr size_t kMostStepsInPiece = 256;
inline constexpr int kMostBranchesInOne = 64;

// True for programs of thousands of steps, arguments and results, but where queues are used: a step
// that fails leaves `run`.
bool runs_in_pieces(const kernel::Program& program, const planning::Plan& plan);

// One piece for all if they are few.
std::vector<RunPiece> pieces_of(const kernel::Steps& steps);

// What the names of its functions begin with.
std::string piece_prefix(std::string_view run_symbol);

}  // namespace hlocc::backends
