// See fused_products.h. One walk in the order of the ops.
#include "backends/c/fused_products.h"

#include <algorithm>
#include <vector>

namespace hlocc::backends {
namespace {

using kernel::OpKind;
using kernel::ValueId;

class Walk {
 public:
  explicit Walk(const kernel::Kernel& kernel)
      : kernel_(kernel), may_be_product_(kernel.types.size()) {}

  bool finds_one(const kernel::Region& region) {
    mark(region.arguments);
    return std::ranges::any_of(region.ops,
                               [&](const kernel::Op& op) { return is_one(op) || enters(op); });
  }

 private:
  bool is_one(const kernel::Op& op) const {
    if (op.kind != OpKind::kSub) return false;
    const kernel::Type& type = kernel_.types[static_cast<size_t>(op.results[0])];
    return kernel::is_float(type.scalar) && type.lanes == 1 &&
           may_be_product_[static_cast<size_t>(op.operands[0])];
  }

  // Looks into the op, and knows its results from then on.
  bool enters(const kernel::Op& op) {
    if (std::ranges::any_of(op.regions,
                            [&](const kernel::Region& region) { return finds_one(region); }))
      return true;
    if (op.kind == OpKind::kMul || !op.regions.empty() || loads_what_was_stored(op))
      mark(op.results);
    return false;
  }

  bool loads_what_was_stored(const kernel::Op& op) const {
    const auto* access = std::get_if<kernel::Access>(&op.payload);
    return access != nullptr &&
           kernel_.buffers[static_cast<size_t>(access->buffer)].direction != kernel::Direction::kIn;
  }

  void mark(const std::vector<ValueId>& values) {
    for (const ValueId id : values) may_be_product_[static_cast<size_t>(id)] = true;
  }

  const kernel::Kernel& kernel_;
  std::vector<bool> may_be_product_;
};

}  // namespace

bool subtracts_from_products(const kernel::Kernel& kernel) {
  return Walk(kernel).finds_one(kernel.body);
}

}  // namespace hlocc::backends
