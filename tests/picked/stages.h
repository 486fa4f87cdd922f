// The stages of the compiler whose texts and figures tell mutants apart, and the child processes in which
// mutants run them: a mutant may crash, or never end.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "driver/pipeline/pipeline.h"

namespace hlocc::tests {

inline constexpr int kStages = 3;
inline constexpr const char* kRooms[kStages] = {"transforms", "lowering", "choices"};

// One program and what the stages make of it; each needs the one before it.
struct Stages {
  const hlo::Module& module;
  const Target& chip;
  kernel::Signature signature;
  bool stands = false;  // lowering gets the program without the passes
  std::optional<Result<hlo::Module>> passed;

  // What stage 0 to 2 makes, or its error.
  std::string text(int stage);

 private:
  std::string transforms();
  std::string lowering() const;
  std::string choices() const;
};

// Whether a child process gets through all stages.
bool ends_well(Stages& stages);

// Those of the mutants `numbers` that change the stage's text, or end the process.
std::vector<long> shown_by(Stages& stages, int stage, const std::string& text,
                           const std::vector<long>& numbers);

}  // namespace hlocc::tests
