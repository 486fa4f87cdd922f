// The figures of a planned program, or the words with which it is refused: its kernels, what they
// cost, its plan, what is alive at each step, what the caller has to align.
#pragma once
#include "driver/pipeline/pipeline.h"
#include "picked/program_figures.h"
#include "planning/alive.h"
#include "planning/constants_by_type.h"
#include "planning/timed_steps.h"
#include "support/plan_figures.h"
#include "support/text.h"

namespace hlocc::tests {

inline Figures figures_of(const Result<driver::Planned>& made, const Target& chip) {
  Figures figures;
  if (!made) {
    figures.count(cat("refused: ", made.error().message));
    return figures;
  }
  figures = figures_of(made->program, chip);
  figures.add(figures_of(made->plan));
  const planning::Alive alive = planning::find_alive(made->program, made->plan, chip);
  for (size_t i = 0; i < alive.steps.size(); ++i) {
    figures.add("alive bytes", alive.steps[i].bytes);
    figures.add("alive values",
                static_cast<int64_t>(alive.values_at(static_cast<int>(i), made->plan).size()));
  }
  for (const auto& [type, bytes] : planning::constants_by_type(made->plan))
    figures.count(cat("constants of ", type), bytes);
  for (size_t leaf = 0; leaf < made->plan.argument_places.size(); ++leaf)
    figures.add("alignments", made->plan.argument_alignment(leaf));
  figures.add("timed", static_cast<int64_t>(planning::timed_steps(made->plan).size()));
  return figures;
}

}  // namespace hlocc::tests
