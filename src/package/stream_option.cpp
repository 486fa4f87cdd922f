// See stream_option.h.
#include "package/stream_option.h"

#include <algorithm>

#include "package/names.h"
#include "support/number.h"
#include "support/suggest.h"
#include "support/text.h"

namespace hlocc::package {
namespace {

using kernel::Leaf;

std::string request_text(const std::string& request) { return "--stream " + request; }

Result<const Leaf*> argument_named(const kernel::Signature& signature, const std::string& name,
                                   const std::string& request) {
  std::vector<std::string> known;
  for (const Leaf& leaf : signature.arguments) {
    if (leaf.name == name || cat("arg", leaf.index) == name) return &leaf;
    known.push_back(leaf.name.empty() ? cat("arg", leaf.index) : leaf.name);
  }
  return suggest(error(DiagnosticKind::kUsage,
                       cat(request_text(request), ": no argument is called ", name)),
                 name, known)
      .note("arguments are " + join(known, ", "));
}

// Dimensions from the one that varies slowest in memory.
hlo::Dimensions major_to_minor(const hlo::Shape& shape) {
  hlo::Dimensions out = hlo::minor_to_major(shape);
  std::ranges::reverse(out);
  return out;
}

Status check_leaf(const Leaf& leaf, const std::string& request) {
  const auto refuse = [&](const char* why) {
    return error(DiagnosticKind::kUnsupported, cat(request_text(request), ": the argument ", why));
  };
  if (leaf.donated)
    return refuse("is donated: it lies in the instance").note("stream one that is not");
  if (leaf.shape.layout.element_bits != 0)
    return refuse("is packed: its rows may begin within a byte")
        .note("leave E(n) out of the entry layout");
  if (leaf.shape.has_dynamic_dimensions())
    return refuse("has a size that is known at run time only").note("--dim NAME=SIZE fixes it");
  return {};
}

// The outermost dimension, but for those of one element, is the axis that can be streamed.
Result<int64_t> checked_axis(const Leaf& leaf, std::optional<int64_t> axis,
                             const std::string& request) {
  const hlo::Shape& shape = leaf.shape;
  int64_t outermost = 0;
  for (const int64_t d : major_to_minor(shape)) {
    outermost = d;
    if (shape.dimensions[d] != 1) break;
  }
  if (axis && (*axis < 0 || *axis >= shape.rank()))
    return error(DiagnosticKind::kUsage, cat(request_text(request), ": ", to_string(shape), " has ",
                                             shape.rank(), " dimensions, counted from 0"));
  if (shape.rank() == 0 || shape.dimensions[axis.value_or(outermost)] < 2)
    return error(DiagnosticKind::kUnsupported,
                 cat(request_text(request), ": ", to_string(shape), " has no rows there"))
        .note("stream an argument with a dimension of two elements or more");
  if (axis && *axis != outermost)
    return error(DiagnosticKind::kUnsupported,
                 cat(request_text(request), ": in ", to_string(shape), " dimension ", *axis,
                     " is not the outermost, its rows do not lie one after the other"))
        .note(cat("stream dimension ", outermost,
                  ", or let the model take the argument with "
                  "dimension ",
                  *axis, " first and transpose it"));
  if (!hlo::is_row_major(shape))
    return error(DiagnosticKind::kUnsupported,
                 cat(request_text(request), ": ", to_string(shape), " is not row-major"))
        .note("let the model take it in the order of its memory, and transpose it");
  return outermost;
}

}  // namespace

Result<StreamOption> find_stream(const hlo::Module& module, const Options& options,
                                 const std::string& request) {
  const size_t equals = request.find('=');
  const std::string name = request.substr(0, equals);
  std::optional<int64_t> axis;
  if (equals != std::string::npos) {
    axis = to_integer(request.substr(equals + 1));
    if (!axis)
      return error(DiagnosticKind::kUsage, cat(request_text(request), ": the axis is no number"))
          .note("--stream NAME, or NAME=1 for dimension 1");
  }
  Options unstreamed = options;
  unstreamed.stream.reset();
  HLOCC_TRY_ASSIGN(const kernel::Signature signature, make_signature(module, unstreamed));
  HLOCC_TRY_ASSIGN(const Leaf* leaf, argument_named(signature, name, request));
  HLOCC_TRY(check_leaf(*leaf, request));
  HLOCC_TRY_ASSIGN(const int64_t checked, checked_axis(*leaf, axis, request));
  return StreamOption{leaf->index, checked};
}

void apply_stream(kernel::Signature& signature, const StreamOption& option) {
  int64_t& rows = signature.arguments[option.leaf].shape.dimensions[option.axis];
  signature.stream = {option.leaf, option.axis, rows};
  rows = 1;
}

}  // namespace hlocc::package
