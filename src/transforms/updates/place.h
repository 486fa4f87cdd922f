// Where a part lies in an array: what slices take and updates change, with starts that are known or
// that the program computes.
#pragma once
#include <optional>
#include <vector>

#include "hlo/module.h"

namespace hlocc::transforms {

// The first index along a dimension: `at`, or the scalar `index`, which is clamped as the indices
// of dynamic-slice are.
struct Start {
  int64_t at = 0;
  hlo::InstructionId index = hlo::kNone;
  bool operator==(const Start&) const = default;
};

struct Place {
  std::vector<Start> starts;  // by dimension
  hlo::Dimensions sizes;
  bool operator==(const Place&) const = default;
};

// Of a slice of strides 1, or a dynamic-slice.
std::optional<Place> place_of_slice(const hlo::Computation& c, const hlo::Instruction& slice);

// An array of which one part is written anew.
struct Written {
  hlo::InstructionId array = hlo::kNone, value = hlo::kNone;
  Place place;
};
// Of a dynamic-update-slice, or of a scatter that sets one window at known indices inside of the
// array. The value has the elements of the part in their order.
std::optional<Written> written_part(const hlo::Module& module, const hlo::Computation& c,
                                    const hlo::Instruction& update);

// The computation of a scatter keeps the update alone.
bool sets_elements(const hlo::Module& module, const hlo::Instruction& scatter);

// No element is in both, whatever the indices are.
bool are_apart(const Place& a, const Place& b);

}  // namespace hlocc::transforms
