// How HLO's element types look in C: the types that the design's contract names.
#pragma once
#include <string_view>

#include "hlo/shape.h"

namespace hlocc::package {

struct CType {
  std::string_view name;
  // What one storage unit takes, and what a pointer to it must be aligned to.
  int bytes = 1;
  // 2 for complex numbers, which are pairs of floats.
  int per_element = 1;
  // Elements lie packed into bytes, low part first, so many bits each; 0: one storage unit an
  // element.
  int packed_bits = 0;
  bool is_signed = false;
};

// `array` must be an array shape.
CType c_type(const hlo::Shape& array);
// By dimension: how many elements lie between neighbours along it, in the order of the layout.
hlo::Dimensions strides_of(const hlo::Shape& array);

}  // namespace hlocc::package
