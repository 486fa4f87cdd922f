// Tensors of a file as literals, with data inside the file or in files beside it.
#pragma once
#include <set>

#include "hlo/literal.h"
#include "import/onnx/model.h"

namespace hlocc::import::onnx {

// Files beside the model that hold data of its tensors.
class ExternalData {
 public:
  // Empty: there is no such folder, and none may be read.
  explicit ExternalData(std::string folder) : folder_(std::move(folder)) {}

  // `length` bytes from `offset`, or all behind it if `length` is negative. The location must be a
  // plain path within the folder, and no link. Errors: kFile, kFormat where the file is shorter.
  Result<std::vector<std::byte>> read(const std::string& location, int64_t offset, int64_t length);

 private:
  std::string folder_;
  // Files that the budget grew by: each counts once.
  std::set<std::string> counted_;
};

// Errors: kType for elements that HLO lacks, kFormat for another number of bytes than the shape
// has, and those of ExternalData.
Result<hlo::Literal> literal_of_tensor(const TensorData& tensor, ExternalData& external);
Result<hlo::Literal> literal_of_sparse(const SparseData& sparse, ExternalData& external);

}  // namespace hlocc::import::onnx
