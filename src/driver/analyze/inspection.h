// What `inspect` finds out about a module.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/analyze/device_table.h"
#include "driver/analyze/layer_graph.h"
#include "driver/cli/command_line.h"
#include "driver/pipeline/stage_clock.h"
#include "hlo/module.h"
#include "kernel/program.h"
#include "planning/interface.h"

namespace hlocc::driver {

struct PlanFacts {
  std::string target;
  int64_t arena_bytes = 0, live_set_bound = 0, state_bytes = 0, weights_bytes = 0;
  int kernels = 0, copies = 0, copies_in_loops = 0;
  // Beside the host: how many parts the device has, and how much of its memory a run needs.
  int parts = 0;
  int64_t device_bytes = 0;
  std::map<std::string, int64_t> weights_by_type;  // bytes by the text of the type
};

struct Inspection {
  std::map<std::string, int64_t> histogram;  // op name -> how often it stands in the module
  // Multiply-accumulates of dots and convolutions ; the body of a loop counts once.
  int64_t macs = 0;
  int64_t longest_accumulation = 1;  // the most terms of one sum (ops/accumulation.h)
  // Of what the host computes; nothing if that cannot be compiled, or is nothing.
  std::optional<PlanFacts> plan;
  std::vector<planning::UserFunction> calls;  // functions of the user's
  std::vector<LaunchRow> launches;            // of the plan, in its order
  std::optional<LayerGraph> graph;            // for --graph
  std::vector<std::string> unsupported;
};

// `placement`: where a device computes what; null: the host computes all.
Result<Inspection> inspect_module(const hlo::Module& module, const kernel::Signature& signature,
                                  const CommandLine& line, const Placement* placement,
                                  StageClock* clock = nullptr);

}  // namespace hlocc::driver
