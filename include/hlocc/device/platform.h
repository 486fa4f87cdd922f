// Platform: a kind of device, with its compiler and its way of moving literals; PlatformManager:
// those that a program knows, by name.
//
// Threads: a platform may be asked by several threads at once. Ownership: the manager owns
// platforms, a platform its executors, compiler and transfer manager.
#ifndef HLOCC_DEVICE_PLATFORM_H_
#define HLOCC_DEVICE_PLATFORM_H_

#include <memory>
#include <string>
#include <vector>

#include "hlocc/device/compiler.h"
#include "hlocc/device/stream_executor.h"
#include "hlocc/device/transfer_manager.h"

namespace hlocc::device {

class Platform {
 public:
  virtual ~Platform() = default;
  virtual const std::string& Name() const = 0;  // what --backend calls it
  virtual int VisibleDeviceCount() const { return 1; }
  // Device `ordinal`, started when it is first asked for; kRun if it does not start.
  virtual Result<StreamExecutor*> ExecutorForDevice(int ordinal) = 0;
  virtual const Compiler& GetCompiler() const = 0;
  virtual const TransferManager& GetTransferManager() const { return transfer_manager_; }

 private:
  TransferManager transfer_manager_;
};

class PlatformManager {
 public:
  // A name that is taken is a diagnostic (kArgument).
  Status RegisterPlatform(std::unique_ptr<Platform> platform);
  // kTarget with the names that there are.
  Result<Platform*> PlatformWithName(const std::string& name) const;
  std::vector<Platform*> ListPlatforms() const;  // in order of registration

 private:
  std::vector<std::unique_ptr<Platform>> platforms_;
};

}  // namespace hlocc::device

#endif  // HLOCC_DEVICE_PLATFORM_H_
