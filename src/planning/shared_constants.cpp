// See shared_constants.h. In the order of the plans, so that the pool hangs on nothing else; what a
// plan asks of a constant's address holds for all.
#include "planning/shared_constants.h"

#include <algorithm>
#include <string_view>

#include "support/check.h"

namespace hlocc::planning {
namespace {

using kernel::ProgramValue;

// Equal bytes of elements of one width, as in the pool of one plan.
using Content = std::pair<std::string_view, int>;

struct PooledConstant {
  int64_t bytes = 0, alignment = 1, offset = 0;
  int plans = 0;
};

Content content_of(const ProgramValue& value) {
  const auto* bytes = reinterpret_cast<const char*>(value.data->data());
  return {{bytes, value.data->size()}, kernel::scalar_bytes(value.element)};
}

class ConstantsOfAll {
 public:
  void add(const Plan& plan) {
    std::map<Content, bool> seen;
    for_each(plan, [&](size_t i, const Content& content) {
      const auto [at, is_new] = constants_.try_emplace(content);
      if (is_new) order_.push_back(&at->second);
      const auto wanted = plan.alignment_of_constant.find(plan.places[i].offset);
      HLOCC_CHECK(wanted != plan.alignment_of_constant.end(), "a constant of no alignment");
      at->second.bytes = plan.places[i].bytes;
      at->second.alignment = std::max(at->second.alignment, wanted->second);
      if (seen.emplace(content, true).second) ++at->second.plans;
    });
  }

  // Tells the bytes of the pool.
  int64_t lay_out() {
    int64_t end = 0;
    for (PooledConstant* one : order_) {
      one->offset = (end + one->alignment - 1) / one->alignment * one->alignment;
      end = one->offset + one->bytes;
      alignment_ = std::max(alignment_, one->alignment);
    }
    return end;
  }

  void place(Plan& plan, int64_t bytes) const {
    plan.alignment_of_constant.clear();
    for_each(plan, [&](size_t i, const Content& content) {
      const PooledConstant& one = constants_.at(content);
      plan.places[i].offset = one.offset;
      plan.alignment_of_constant[one.offset] = one.alignment;
    });
    plan.constant_bytes = bytes;
    plan.constant_align = alignment_;
  }

  int64_t shared_bytes() const {
    int64_t bytes = 0;
    for (const PooledConstant* one : order_) bytes += (one->plans - 1) * one->bytes;
    return bytes;
  }

 private:
  template <typename Visit>
  static void for_each(const Plan& plan, const Visit& visit) {
    for (size_t i = 0; i < plan.values.size(); ++i)
      if (plan.values[i].role == kernel::ValueRole::kConstant &&
          plan.places[i].region == Region::kConstant)
        visit(i, content_of(plan.values[i]));
  }

  std::map<Content, PooledConstant> constants_;
  std::vector<PooledConstant*> order_;
  int64_t alignment_ = 1;
};

}  // namespace

int64_t share_constants(std::span<Plan> plans) {
  ConstantsOfAll all;
  for (const Plan& plan : plans) {
    HLOCC_CHECK(plan.kept.empty(), "a pool for a plan that keeps constants in its arena");
    all.add(plan);
  }
  const int64_t bytes = all.lay_out();
  for (Plan& plan : plans) all.place(plan, bytes);
  return all.shared_bytes();
}

}  // namespace hlocc::planning
