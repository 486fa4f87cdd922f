// The rows that reports have for a plan: a layer for each step that takes time.
#pragma once
#include <cstdint>
#include <vector>

#include "driver/analyze/launch_table.h"
#include "planning/alive.h"

namespace hlocc::driver {

// A launch, or another step of the plan that takes its time: then the kernel is called "copy", the
// symbol of a function of the user's, or what a device does, and the figures are zero.
struct Layer {
  LaunchRow launch;
  // Constants that it reads, and what comes into flash on its account: its kernel's code and those
  // of its constants that no layer before it uses. Bytes.
  int64_t weights_bytes = 0, flash_bytes = 0;
  int64_t alive_bytes = 0;  // of the arena, while it runs
  // Of weights that are palettes (kernel::PaletteUse): the most bits of an index, 0 where there are
  // none, the bytes that they save and the cycles that they add in all its runs.
  int palette_bits = 0;
  int64_t palette_bytes_saved = 0;
  double palette_cycles_added = 0;
};

// In the order of the plan, `alive` of it. What comes into flash is not known yet.
std::vector<Layer> layers_of(const kernel::Program& program, const planning::Plan& plan,
                             const planning::Alive& alive, const Target& target);

// Stretches of steps as stretches of layers, `is_layer` by step: what is alive in no layer is left
// out, and stretches of a value with no layer between them are one. By value, then by layer.
std::vector<planning::AliveStretch> in_layers(std::vector<planning::AliveStretch> stretches,
                                              const std::vector<bool>& is_layer);

}  // namespace hlocc::driver
