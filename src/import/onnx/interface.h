// The shapes of a model's inputs and outputs: sizes, and names of sizes that the user decides.
#pragma once
#include <map>
#include <string>

#include "hlo/shape.h"
#include "import/onnx/model.h"

namespace hlocc::import::onnx {

class OpenDimensions {
 public:
  // Sizes by name, by number, or by input and number (choices.h).
  explicit OpenDimensions(const std::map<std::string, int64_t>& given) : given_(given) {}

  // Errors: kType for what is no tensor of HLO's types, kUnsupported for a size that is open.
  Result<hlo::Shape> shape_of(const ValueInfo& input) const;
  // kUsage for a size that was given and that no input leaves open.
  Status check_names(const Graph& graph) const;
  // Whether an output's shape, as far as the file says it and no one decided otherwise, is this.
  bool fits(const ValueInfo& output, const hlo::Dimensions& sizes) const;

 private:
  std::optional<int64_t> size_of(const ValueInfo& input, size_t place) const;

  const std::map<std::string, int64_t>& given_;
};

}  // namespace hlocc::import::onnx
