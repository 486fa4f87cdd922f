// What is known of a compiled model before anything is flashed: a row for each layer, what lies in
// the arena over time, RAM, flash, stack and expected cycles. `hlocc analyze` prints it, `compile`
// its last lines, and budgets are held against it. All of it is read off the program, the plan and
// what the backend made; nothing is guessed but the cycles, which are costs/'s estimates.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backends/common/library.h"
#include "driver/analyze/arena_proof.h"
#include "driver/analyze/layer_graph.h"
#include "driver/analyze/layers.h"
#include "driver/pipeline/ram_curve.h"
#include "planning/plan.h"
#include "target/artifacts.h"
#include "target/target.h"

namespace hlocc::driver {

// A value in the arena from the layer `first` to the layer `last`; one that lives twice (in a loop)
// stands there twice.
struct AliveValue {
  std::string name;  // in the model's words (value_names.h)
  std::string hlo;   // the HLO instruction's, or that of a kernel's scratch (conv.held)
  kernel::ProgramValueId id = kernel::kNone;
  bool is_argument = false;
  int64_t offset = 0, bytes = 0;
  int first = 0, last = 0;
};

struct FlashSection {
  std::string name;
  int64_t bytes = 0;
};

struct Analysis {
  std::string target, class_name;
  std::vector<Layer> layers;
  std::vector<AliveValue> values;
  LayerGraph graph;
  // RAM is arena and instance (kernel/instance.h, state in it).
  int64_t arena_bytes = 0, instance_bytes = 0, live_set_bound = 0;
  ArenaProof proof;
  std::optional<int64_t> row_floor;  // what the model would take row by row, where it is known
  // Flash. Without `has_code` the user's compiler makes the code, and code and stack are not known.
  int64_t weights_bytes = 0, code_bytes = 0, table_bytes = 0;
  std::vector<FlashSection> sections;  // of the flash, by name; code as one
  bool has_code = false;
  int64_t stack_bytes = 0;
  bool stack_is_lower_bound = false;
  double cycles = 0, products = 0;  // sums over the layers
  int layers_in_loops = 0;          // of loops that end by what is not known; counted once each
  int peak = -1;                    // the first layer with the most bytes alive; -1: no layers
  int64_t next_peak_bytes = 0;      // the most that is alive beside the peak's own largest value
  std::vector<std::string> ram_cures, flash_cures;  // sentences: what would lower them
  int64_t chip_ram = 0, chip_flash = 0;             // the chip's, where its row knows; else 0
  std::vector<CurvePoint> curve;                    // with --curve
  // With --memory: what each memory holds of the arena, the weights that init copies there, and the
  // cycles that accesses are expected to wait beside `cycles`.
  std::vector<planning::ArenaPiece> memories;
  std::vector<planning::KeptConstant> kept;
  double waits = 0, waits_in_last = 0;
  // Of a library: weights that several models have and that lie once, as often as they would again.
  int64_t shared_weights_bytes = 0;
  // Weights that are palettes: layers that read some, what they take off the flash, and what is
  // among the cycles for them.
  int palette_layers = 0;
  int64_t palette_bytes_saved = 0;
  double palette_cycles_added = 0;

  // A plan may take less where it is no matter of rows: elements lie over what they are made of.
  void set_row_floor(std::optional<int64_t> bytes) {
    if (bytes && *bytes <= arena_bytes) row_floor = bytes;
  }
  int64_t ram_bytes() const { return arena_bytes + instance_bytes; }
  int64_t kept_bytes() const {
    int64_t bytes = 0;
    for (const planning::KeptConstant& one : kept) bytes += one.bytes;
    return bytes;
  }
  int64_t flash_bytes() const { return weights_bytes + code_bytes + table_bytes; }
  // The values that are alive in the layer of the peak, largest first.
  std::vector<const AliveValue*> at_peak() const;
};

// Fills in what the layers and values come to: sums over the layers, the peak and the bytes beside
// its largest value.
void add_totals(Analysis& out);

// What weights, code and tables take of the flash alone.
struct FlashBytes {
  int64_t weights = 0, code = 0, tables = 0;
  int64_t bytes() const { return weights + code + tables; }
};
FlashBytes flash_of(const kernel::Program& program, const planning::Plan& plan,
                    const Artifacts& artifacts, const Target& target);

Analysis analyse(const kernel::Program& program, const planning::Plan& plan,
                 const Artifacts& artifacts, const Target& target);
// One model of a library of several: layers, RAM and cycles are its own, flash and stack the
// library's.
Analysis analyse(const backends::Library& library, size_t unit, const Artifacts& artifacts,
                 const Target& target);
// The library as a whole: the arena of the model that needs most of it, the instances of all.
Analysis total_of(const std::vector<Analysis>& models);

// Sentences that name what to change. Only what this model and this command line can still change
// is said.
std::vector<std::string> cures_of_ram(const Analysis& found, const planning::Plan& plan,
                                      const Target& target);
std::vector<std::string> cures_of_flash(const Analysis& found, const planning::Plan& plan,
                                        const Target& target);

}  // namespace hlocc::driver
