// Sums of integers are the same in any order: where known numbers of the last dimension are added
// to a product's sums, the sums begin with those.
#pragma once
#include <optional>

#include "lowering/emitter/emitter.h"

namespace hlocc::lowering {

struct KnownBias {
  hlo::InstructionId sum;      // the addition, whose element the sums are then
  hlo::InstructionId numbers;  // an external of the group: known s32 along `dimension`
};

// Of the product `id` of s32, on cores without vectors or, on others, where sums begin with known
// numbers anyway (`corrected`); nullopt: others read the product too, or what is added is not known
// or lies otherwise.
std::optional<KnownBias> known_bias(const Emitter& e, hlo::InstructionId id, int64_t dimension,
                                    bool corrected = false);

}  // namespace hlocc::lowering
