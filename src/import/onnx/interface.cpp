// See interface.h.
#include "import/onnx/interface.h"

#include <set>

#include "support/suggest.h"
#include "support/text.h"

namespace hlocc::import::onnx {
namespace {

std::string numbered(const ValueInfo& input, size_t place) { return cat(input.name, ":", place); }

// What the user may call an open size.
std::string name_of(const ValueInfo& input, size_t place) {
  const std::string& name = input.shape[place].name;
  return name.empty() ? numbered(input, place) : name;
}

// All that it may be called; a name may be empty.
std::vector<std::string> names_of(const ValueInfo& input, size_t place) {
  return {numbered(input, place), input.shape[place].name, std::to_string(place)};
}

}  // namespace

std::optional<int64_t> OpenDimensions::size_of(const ValueInfo& input, size_t place) const {
  const Dimension& one = input.shape[place];
  if (one.size) return one.size;
  for (const std::string& key : names_of(input, place))
    if (const auto found = given_.find(key); !key.empty() && found != given_.end())
      return found->second;
  return std::nullopt;
}

Result<hlo::Shape> OpenDimensions::shape_of(const ValueInfo& input) const {
  const std::string who = cat(input.path, " (\"", input.name, "\")");
  if (!input.kind.empty())
    return error(DiagnosticKind::kType, cat(who, " is ", input.kind, ", which HLO lacks"));
  const std::optional<hlo::PrimitiveType> type = element_type(input.type);
  if (!type)
    return error(DiagnosticKind::kType,
                 cat(who, " has elements of ", tensor_type_name(input.type), ", which HLO lacks"));
  if (!input.has_shape)
    return error(DiagnosticKind::kUnsupported, cat(who, " has no shape"))
        .note("shapes must be known when the model is compiled: the exporter can write them");
  hlo::Dimensions sizes;
  for (size_t i = 0; i < input.shape.size(); ++i) {
    const std::optional<int64_t> size = size_of(input, i);
    if (!size)
      return error(DiagnosticKind::kUnsupported,
                   cat(who, ": the size of dimension ", i, " (",
                       input.shape[i].name.empty() ? "no name" : input.shape[i].name,
                       ") is left open"))
          .note(cat("--dim ", name_of(input, i), "=1 fixes it"));
    sizes.push_back(*size);
  }
  return hlo::Shape::array(*type, std::move(sizes));
}

Status OpenDimensions::check_names(const Graph& graph) const {
  std::vector<std::string> shown;
  std::set<std::string> known, seen;
  for (const ValueInfo& input : graph.inputs)
    for (size_t i = 0; i < input.shape.size(); ++i) {
      if (input.shape[i].size) continue;
      for (const std::string& name : names_of(input, i)) known.insert(name);
      if (seen.insert(name_of(input, i)).second) shown.push_back(name_of(input, i));
    }
  for (const auto& [name, size] : given_)
    if (!known.contains(name))
      return suggest(error(DiagnosticKind::kUsage,
                           cat("--dim ", name, "=", size, ": the model leaves no such size open")),
                     name, shown)
          .note(shown.empty() ? std::string("all sizes of its arguments are fixed")
                              : cat("open sizes are ", join(shown, ", ")));
  return {};
}

bool OpenDimensions::fits(const ValueInfo& output, const hlo::Dimensions& sizes) const {
  if (!output.has_shape || !given_.empty()) return true;
  if (output.shape.size() != sizes.size()) return false;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (output.shape[i].size && *output.shape[i].size != sizes[i]) return false;
  return true;
}

}  // namespace hlocc::import::onnx
