// FlexBuffers: the attributes of custom operators, a map of names to numbers. Each offset is held
// against the bytes before it is followed, as FlatFile does it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "import/proto/wire.h"
#include "support/result.h"

namespace hlocc::import::tflite {

// A number, a truth value (0 or 1), or what is neither: texts, vectors, maps.
struct FlexValue {
  std::string name;
  enum Kind { kInteger, kReal, kOther } kind = kOther;
  int64_t integer = 0;  // of an integer beyond 63 bits: its bits
  double real = 0;

  bool operator==(const FlexValue&) const = default;
};

// The values of the map that is the root of these bytes, in the file's order. kStructure for bytes
// that are none.
Result<std::vector<FlexValue>> read_flex_map(Bytes bytes);

}  // namespace hlocc::import::tflite
