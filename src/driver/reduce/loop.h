// The loop of `hlocc reduce`: takes each step as long as it makes the case smaller, until none does
// or no try is left. How a case fails, and what time it is, the caller says.
#pragma once
#include <functional>
#include <optional>
#include <span>

#include "driver/reduce/steps.h"

namespace hlocc::driver {

inline constexpr int kMostTries = 3000;
inline constexpr double kMostSeconds = 1800;

struct ReduceTools {
  std::function<Symptom(const ReduceCase&, Strictness)> symptom;
  std::function<double()> seconds;  // since the start
  // In front of each try: the case as it is, the try's number from 1, and how much of the tries or
  // of the time, whichever is less, is spent.
  std::function<void(const ReduceCase&, int, double)> tell;
};

// All of them, in the order in which they are taken.
std::span<const ReduceStep> reduce_steps();

class Reducer {
 public:
  Reducer(ReduceCase first, ReduceTools tools) : now_(std::move(first)), tools_(std::move(tools)) {}

  // How the case fails, by the least strict way that shows it. Errors: kArgument, it does not;
  // kEnvironment. `backend` is for the message.
  Result<std::string> diagnose(const std::string& backend);
  // Errors: kEnvironment, where there are no processes any more.
  Status run(std::span<const ReduceStep> steps = reduce_steps());

  const ReduceCase& now() const { return now_; }
  const Symptom& symptom() const { return symptom_; }
  int tries() const { return tries_; }

 private:
  bool left() const;
  bool fails(const ReduceCase& candidate);

  ReduceCase now_;
  ReduceTools tools_;
  Strictness strictness_ = Strictness::kGross;
  Symptom symptom_;
  std::optional<Diagnostic> broken_;  // why it cannot go on
  int tries_ = 0;
};

}  // namespace hlocc::driver
