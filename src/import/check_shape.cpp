// Dimensions, layouts and limits of array shapes.
#include "import/check_shape.h"

#include <algorithm>

#include "import/limits.h"
#include "support/text.h"

namespace hlocc::import {
namespace {
using hlo::Shape;

// hlo::to_string assumes a sound shape; this names one that need not be.
std::string describe(const Shape& shape) {
  return cat(hlo::type_name(shape.element_type), "[", join(shape.dimensions, ","), "]");
}

Status check_sizes(const Shape& array, std::string_view what) {
  if (array.rank() > kMaxRank)
    return error(DiagnosticKind::kLimit, cat(what, " has ", array.rank(), " dimensions; at most ",
                                             kMaxRank, " are accepted"));
  int64_t bytes = hlo::storage_bytes(array.element_type);
  const bool is_empty = std::ranges::find(array.dimensions, 0) != array.dimensions.end();
  const int64_t most = is_empty ? kMaxEmptyBytes : kMaxArrayBytes;
  bool too_large = false;
  for (int i = 0; i < array.rank(); ++i) {
    const int64_t size = array.dimensions[i];
    if (size == hlo::kUnboundedSize && array.is_dynamic(i)) continue;
    if (size < 0)
      return error(DiagnosticKind::kShape,
                   cat(what, " has the negative size ", size, ": ", describe(array)));
    // An empty array is small, however large its other dimensions; those still must not overflow in
    // products.
    if (!too_large && size > 0 && bytes > most / size) too_large = true;
    if (!too_large && size > 0) bytes *= size;
  }
  if (too_large)
    return error(DiagnosticKind::kLimit,
                 is_empty
                     ? cat(what, " has sizes whose product is too large: ", describe(array))
                     : cat(what, " is larger than ", kMaxArrayBytes, " bytes: ", describe(array)));
  return {};
}

Status check_layout(const Shape& array, std::string_view what) {
  const hlo::Dimensions& order = array.layout.minor_to_major;
  if (order.empty()) return {};
  hlo::Dimensions sorted = order;
  std::sort(sorted.begin(), sorted.end());
  bool permutation = static_cast<int>(order.size()) == array.rank();
  for (size_t i = 0; permutation && i < sorted.size(); ++i)
    permutation = sorted[i] == static_cast<int64_t>(i);
  if (permutation) return {};
  return error(DiagnosticKind::kShape,
               cat(what, " has the layout {", join(order, ","),
                   "}, which is no permutation of its ", array.rank(), " dimensions"));
}
}  // namespace

Status check_and_normalize(Shape& array, std::string_view what) {
  if (!array.dynamic.empty() && array.dynamic.size() != array.dimensions.size())
    return error(DiagnosticKind::kShape, cat(what, " has ", array.dynamic.size(),
                                             " dynamic flags for ", array.rank(), " dimensions"));
  HLOCC_TRY(check_sizes(array, what));
  HLOCC_TRY(check_layout(array, what));
  if (hlo::is_row_major(array)) array.layout.minor_to_major.clear();
  if (std::find(array.dynamic.begin(), array.dynamic.end(), true) == array.dynamic.end())
    array.dynamic.clear();
  const int bits = hlo::type_bits(array.element_type);
  if (array.layout.element_bits != bits || bits >= 8 || hlo::is_pred(array.element_type))
    array.layout.element_bits = 0;
  return {};
}

}  // namespace hlocc::import
