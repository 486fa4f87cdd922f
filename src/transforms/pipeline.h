// The pipeline: which passes run, in which order. A table, so that tests, `--print-after` and
// documentation name the same passes.
#pragma once
#include <functional>
#include <string_view>
#include <vector>

#include "transforms/pass.h"

namespace hlocc::transforms {

struct PassInfo {
  std::string_view name;
  Status (*run)(hlo::Module& module, const PassContext& context);
};

// The table in its order; a pass may stand in it more than once.
const std::vector<PassInfo>& passes();
// The different names, in order of first use: what --print-after accepts.
std::vector<std::string_view> pass_names();

// Called after each pass with its name and the module as it then is; a failed status ends the
// pipeline.
using Observer = std::function<Status(std::string_view pass, const hlo::Module& module)>;

// All passes; or first those that decisions have no say in, then fusion, so that several decisions
// can be tried on what the former made.
Result<hlo::Module> run_passes(hlo::Module module, const Target& target,
                               const Observer& observer = {});
Result<hlo::Module> prepare(hlo::Module module, const Target& target,
                            const Observer& observer = {});
Result<hlo::Module> form_groups(hlo::Module module, const Target& target,
                                const Observer& observer = {});

}  // namespace hlocc::transforms
