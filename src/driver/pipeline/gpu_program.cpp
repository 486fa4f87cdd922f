// See gpu_program.h.
#include "driver/pipeline/gpu_program.h"

#include "package/names.h"

namespace hlocc::driver {

Result<GpuProgram> gpu_program(const hlo::Module& module, const Options& options,
                               const GpuDevice& gpu) {
  Options named = options;
  if (named.name.empty() && named.stem.empty()) named.name = "hlocc_gpu";
  const Target target = target_of(gpu, named);
  GpuProgram out;
  HLOCC_TRY_ASSIGN(out.signature, package::make_signature(module, target.options));
  HLOCC_TRY_ASSIGN(out.planned, plan_module(module, out.signature, target, {}));
  HLOCC_TRY_ASSIGN(out.table,
                   backends::launch_table(out.planned.program, out.planned.plan, target, gpu));
  return out;
}

}  // namespace hlocc::driver
