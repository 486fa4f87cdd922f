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

  // Whether it is made of constants, and what these take.
  bool is_known(hlo::InstructionId id, int64_t& bytes, int depth = 0) const;
  // None if it is not, or too large.
  std::optional<hlo::Literal> value(hlo::InstructionId id) const;

 private:
  std::optional<hlo::Literal> value(hlo::InstructionId id, int depth,
                                    std::map<hlo::InstructionId, hlo::Literal>& done) const;

  const hlo::Module& module_;
  const hlo::Computation& c_;
  const bool packs_;
};

}  // namespace hlocc::transforms
