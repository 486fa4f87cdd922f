// A module that is one launch of code which lies in a device: what the platforms of the house give.
// Its buffers are the arguments, then the results.
#pragma once
#include "hlocc/device/executable.h"

namespace hlocc::device {

class LaunchedExecutable : public Executable {
 public:
  // Leaves; `ops`: how many instructions run on `device`.
  LaunchedExecutable(std::unique_ptr<Kernel> kernel, std::vector<hlo::Shape> arguments,
                     std::vector<hlo::Shape> results, std::string device, int64_t ops)
      : kernel_(std::move(kernel)),
        arguments_(std::move(arguments)),
        results_(std::move(results)),
        device_(std::move(device)),
        ops_(ops) {}

  const std::vector<hlo::Shape>& ArgumentShapes() const override { return arguments_; }
  const std::vector<hlo::Shape>& ResultShapes() const override { return results_; }
  OpsByDevice GetOpsByDevice() const override { return {{device_, ops_}}; }
  Status ExecuteAsyncOnStream(Stream& stream, std::span<const ExecutionInput> arguments,
                              std::span<const DeviceMemory> results,
                              ExecutionProfile* profile) override;

 private:
  std::unique_ptr<Kernel> kernel_;
  std::vector<hlo::Shape> arguments_, results_;
  std::string device_;
  int64_t ops_;
};

}  // namespace hlocc::device
