// What messages call leaves (names.h).
#include "hlo/leaves.h"
#include "package/names.h"
#include "support/text.h"

namespace hlocc::package {

using hlo::Shape;
using kernel::Leaf;

LeafNames leaf_names(const hlo::Module& module) {
  Options options;
  options.stem = "model";
  const Result<kernel::Signature> signature = make_signature(module, options);
  const auto named = [](const std::vector<Leaf>* leaves, size_t count, const char* kind) {
    std::vector<std::string> out;
    for (size_t i = 0; i < count; ++i)
      out.push_back(leaves == nullptr || (*leaves)[i].name.empty() ? cat(std::string(kind), i)
                                                                   : (*leaves)[i].name);
    return out;
  };
  size_t arguments = 0;
  for (const Shape& shape : module.entry_parameters) arguments += hlo::leaf_count(shape);
  return {named(signature ? &signature->arguments : nullptr, arguments, "arg"),
          named(signature ? &signature->results : nullptr, hlo::leaf_count(module.entry_result),
                "result")};
}

std::vector<std::string> result_labels(const hlo::Module& module) {
  std::vector<std::string> out = leaf_names(module).results;
  for (size_t i = 0; i < out.size(); ++i)
    if (const std::string place = cat("result", i); out[i] != place)
      out[i] = cat(place, " (", out[i], ")");
  return out;
}

}  // namespace hlocc::package
