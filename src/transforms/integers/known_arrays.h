// Arrays that are arithmetic on constants: weights as quantised networks spell them, which are
// known at compile time, though too large to be stored as what they come to.
#pragma once
#include <map>
#include <optional>

#include "hlo/module.h"

namespace hlocc::transforms {

// Larger ones take too long.
constexpr int64_t kMostKnownElements = int64_t{1} << 24;

class KnownArrays {
 public:
  // `packs`: constants of four bits take half a byte.
  KnownArrays(const hlo::Module& module, const hlo::Computation& c, bool packs)
      : module_(module), c_(c), packs_(packs) {}

  // What the constants take that it is made of; none if it is made of something else.
  std::optional<int64_t> bytes(hlo::InstructionId id) const { return bytes(id, 0); }
  // None if it is made of something else, or too large.
  std::optional<hlo::Literal> value(hlo::InstructionId id) const;

 private:
  std::optional<int64_t> bytes(hlo::InstructionId id, int depth) const;
  hlo::Literal computed(hlo::InstructionId id,
                        std::map<hlo::InstructionId, hlo::Literal>& done) const;

  const hlo::Module& module_;
  const hlo::Computation& c_;
  const bool packs_;
};

}  // namespace hlocc::transforms
