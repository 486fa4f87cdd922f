// A part of an array that the program takes out, changes, and puts back at its place: the changes
// are done to the whole array instead, where planning needs no copy of it.
#pragma once
#include "transforms/updates/place.h"

namespace hlocc::transforms {

struct Part {
  hlo::InstructionId array = hlo::kNone;  // which the part is a slice of
  // Of the slice: dynamic-update-slices and scatters, in their order.
  std::vector<hlo::InstructionId> updates;
};

// `value` as updates of the slice at `place` of an array of these dimensions, seen through
// reshapes; none where it is anything else, or an update whose indices can't be moved.
std::optional<Part> part_of(const hlo::Computation& c, hlo::InstructionId value, const Place& place,
                            const hlo::Dimensions& whole);

// Appends `update`, of the part of `array` at `place`, as an update of the array itself.
hlo::InstructionId add_moved_update(hlo::Computation& c, hlo::InstructionId array,
                                    hlo::InstructionId update, const Place& place);
// Appends the part of `array` at `place`, of the shape of `like`.
hlo::InstructionId add_part(hlo::Computation& c, hlo::InstructionId array, const Place& place,
                            hlo::InstructionId like);
// Appends `array` with `value` at `place`.
hlo::InstructionId add_written(hlo::Computation& c, hlo::InstructionId array,
                               hlo::InstructionId value, const Place& place);

}  // namespace hlocc::transforms
