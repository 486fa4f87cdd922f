// Executable: a compiled module on one device, to be run on its streams as often as one likes.
//
// Arguments and results are leaves: tuples flattened depth first, tokens left out, as
// kernel::Signature has them. A leaf's bytes lie as its shape's layout says (the module's entry
// layout): TransferManager brings literals into that form.
#ifndef HLOCC_DEVICE_EXECUTABLE_H_
#define HLOCC_DEVICE_EXECUTABLE_H_

#include <map>
#include <string>
#include <vector>

#include "hlo/shape.h"
#include "hlocc/device/stream_executor.h"

namespace hlocc::device {

struct ExecutionInput {
  DeviceMemory memory;
  // The caller needs the bytes no longer: the memory may be written during the run.
  bool donated = false;
};

// One step of the last run, in order of their beginnings.
struct ProfiledStep {
  std::string name;         // of the kernel or the transfer
  std::string device;       // where it ran
  double microseconds = 0;  // as that device's clock measures
};
struct ExecutionProfile {
  std::vector<ProfiledStep> steps;
};

// Where the instructions of a module run: how many of them on which device.
using OpsByDevice = std::map<std::string, int64_t>;

class Executable {
 public:
  virtual ~Executable() = default;
  virtual const std::vector<hlo::Shape>& ArgumentShapes() const = 0;  // by leaf
  virtual const std::vector<hlo::Shape>& ResultShapes() const = 0;    // by leaf
  virtual OpsByDevice GetOpsByDevice() const = 0;

  // Puts the run into the stream and returns. One memory a leaf, of the leaf's bytes, of the
  // stream's executor. `results` overlap neither one another nor arguments, but for a donated
  // argument that is exactly a result of the same bytes. Arguments that are not donated keep their
  // bytes. `profile`, if there is one, is filled when the run is done and must live until then.
  // The executable must live until the stream has done the run. One executable may be in several
  // streams at once, unless the module has state of its own (random numbers).
  virtual Status ExecuteAsyncOnStream(Stream& stream, std::span<const ExecutionInput> arguments,
                                      std::span<const DeviceMemory> results,
                                      ExecutionProfile* profile) = 0;
  Status ExecuteOnStream(Stream& stream, std::span<const ExecutionInput> arguments,
                         std::span<const DeviceMemory> results,
                         ExecutionProfile* profile = nullptr) {
    HLOCC_TRY(ExecuteAsyncOnStream(stream, arguments, results, profile));
    return stream.BlockHostUntilDone();
  }

 protected:
  // The memories of the arguments and then of the results, if they are what is said above, as far
  // as it can be seen: kArgument.
  Result<std::vector<DeviceMemory>> CheckBuffers(std::span<const ExecutionInput> arguments,
                                                 std::span<const DeviceMemory> results) const;
};

}  // namespace hlocc::device

#endif  // HLOCC_DEVICE_EXECUTABLE_H_
