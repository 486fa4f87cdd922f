// Which commands of a queue must wait for those before them: a device may begin each as soon as it
// likes, unless a barrier stands between.
#pragma once
#include <cstdint>
#include <vector>

namespace hlocc::backends {

struct DeviceAccess {
  int memory = 0;
  int64_t begin = 0, end = 0;  // bytes
  bool writes = false;
};

class Hazards {
 public:
  // Whether a command of these accesses must wait for all before it: it reads or writes what one of
  // them writes, or writes what one reads. The first of a list waits for what the list follows.
  bool must_wait(const std::vector<DeviceAccess>& command);
  void begin_list() {
    open_.clear();
    first_ = true;
  }

 private:
  std::vector<DeviceAccess> open_;  // of the commands since the last wait
  bool first_ = true;
};

}  // namespace hlocc::backends
