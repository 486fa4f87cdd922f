// See run_pieces.h.
#include "backends/common/run_pieces.h"

#include "support/text.h"

namespace hlocc::backends {
namespace {

constexpr size_t kMostInOne = 2000;  // steps, arguments and results of a run that is not cut

size_t leaf_steps(const kernel::Steps& steps) {
  size_t count = 0;
  kernel::for_each_step(steps, [&](const kernel::Step&) { ++count; });
  return count;
}

size_t leaf_steps(const kernel::Step& step) {
  size_t count = 1;
  if (const auto* loop = std::get_if<kernel::WhileStep>(&step.what))
    count += leaf_steps(loop->condition) + leaf_steps(loop->body);
  if (const auto* choice = std::get_if<kernel::ConditionalStep>(&step.what))
    for (const kernel::Steps& branch : choice->branches) count += 1 + leaf_steps(branch);
  return count;
}

}  // namespace

bool runs_in_pieces(const kernel::Program& program, const planning::Plan& plan) {
  const size_t size = leaf_steps(plan.steps) + program.arguments.size() + program.results.size();
  return size > kMostInOne && !kernel::uses_queues(plan.steps);
}

std::vector<RunPiece> pieces_of(const kernel::Steps& steps) {
  std::vector<RunPiece> pieces;
  size_t room = 0;
  for (size_t i = 0; i < steps.size(); ++i) {
    const size_t size = leaf_steps(steps[i]);
    if (size > kMostStepsInPiece) {
      pieces.push_back({i, i + 1, true});
      room = 0;
      continue;
    }
    if (size > room) {
      pieces.push_back({i, i, false});
      room = kMostStepsInPiece;
    }
    pieces.back().end = i + 1;
    room -= size;
  }
  return pieces;
}

std::string piece_prefix(std::string_view run_symbol) { return cat(run_symbol, "_piece"); }

}  // namespace hlocc::backends
