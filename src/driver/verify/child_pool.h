// Several children at once, as run_in_child() has them one by one.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "driver/verify/child.h"

namespace hlocc::driver {

class ChildPool {
 public:
  // At most `most` run at a time; 0: as many as there are processors.
  explicit ChildPool(int most);
  ~ChildPool();  // ends those that still run
  ChildPool(const ChildPool&) = delete;
  ChildPool& operator=(const ChildPool&) = delete;

  // Starts a child as soon as there is a place; `done` is called in this process when it has ended,
  // by this or a later call.
  void add(const std::function<std::string()>& body, std::function<void(const ChildOutcome&)> done);
  // Until all have ended.
  void finish();

 private:
  struct Running;
  void wait_for_one();

  size_t most_;
  std::vector<std::unique_ptr<Running>> running_;
};

}  // namespace hlocc::driver
