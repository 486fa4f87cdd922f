// One HloComputationProto -> Computation. The module reader has found all computations before, so
// that calls can be resolved in place.
#pragma once
#include <unordered_map>

#include "hlo/module.h"
#include "import/elided.h"
#include "import/proto/wire.h"
#include "support/result.h"

namespace hlocc::import {

// Everything of a computation but its instructions, which stay bytes until they are read one by
// one.
struct ComputationHead {
  std::string name;
  int64_t id = 0, root_id = 0;
  std::vector<Bytes> instructions;
};

struct ModuleContext {
  const hlo::Module& module;
  const std::unordered_map<int64_t, hlo::ComputationId>& computations;
  Elided& elided;
};

Result<ComputationHead> read_computation_head(Bytes bytes, std::string_view file);
// Diagnostics are located.
Result<hlo::Computation> read_computation(const ComputationHead& head,
                                          const ModuleContext& context);

}  // namespace hlocc::import
