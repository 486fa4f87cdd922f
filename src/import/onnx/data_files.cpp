// Which files beside a model hold data of its tensors: what else a build that reads it depends on.
#include <algorithm>

#include "import/onnx/import.h"
#include "import/onnx/model.h"

namespace hlocc::import::onnx {
namespace {

class Locations {
 public:
  void add(const Graph& graph) {
    for (const TensorData& tensor : graph.initializers) add(tensor);
    for (const SparseData& sparse : graph.sparse_initializers) add(sparse);
    add(graph.nodes);
  }
  void add(const std::vector<Node>& nodes) {
    for (const Node& node : nodes)
      for (const Attribute& one : node.attributes) {
        if (one.tensor) add(*one.tensor);
        if (one.sparse) add(*one.sparse);
        if (one.graph) add(*one.graph);
      }
  }
  std::vector<std::string> take() && {
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    return std::move(found_);
  }

 private:
  void add(const SparseData& sparse) {
    add(sparse.values);
    add(sparse.indices);
  }
  void add(const TensorData& tensor) {
    const auto location = tensor.external.find("location");
    if (tensor.is_external && location != tensor.external.end()) found_.push_back(location->second);
  }

  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> data_files(Bytes bytes) {
  Document document;
  const Model model = read_model_proto(document, bytes);
  Locations out;
  out.add(model.graph);
  for (const Function& function : model.functions) out.add(function.nodes);
  return std::move(out).take();
}

}  // namespace hlocc::import::onnx
