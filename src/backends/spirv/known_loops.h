// Loops of a run whose number of iterations is known before it: counters that begin as constants,
// whatever kernels count them. Found by playing the steps on the few values whose bytes are known.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "backends/common/run_plan.h"

namespace hlocc::backends {

class KnownValues {
 public:
  KnownValues(const kernel::Program& program, const planning::Plan& plan)
      : program_(program), plan_(plan) {}

  // What the steps leave: called for each step of the run, in order; loops and choices leave what
  // they write unknown.
  void play(const RunStep& step);
  // What any of the steps writes is not known any more.
  void forget(const RunSteps& steps);
  // How often the loop's body runs, where that hangs on known values alone; at most `most`.
  std::optional<int64_t> iterations(const RunLoop& loop, int64_t most) const;

 private:
  using Place = std::pair<int, int64_t>;  // memory, offset
  using Bytes = std::vector<std::byte>;
  Place place_of(const RunAddress& address) const;
  std::optional<Bytes> known(const RunAddress& address, int64_t bytes) const;
  void put(const RunAddress& address, int64_t bytes, std::optional<Bytes> value);
  void play(const RunLaunch& run);
  void play(const RunCopy& copy);
  void forget(const RunStep& step);

  const kernel::Program& program_;
  const planning::Plan& plan_;
  std::map<Place, Bytes> known_;
};

// Where the bytes of an address lie: the memory, as launch tables number them, and the offset.
std::pair<int, int64_t> place_in_memories(const planning::Plan& plan, const RunAddress& address);

}  // namespace hlocc::backends
