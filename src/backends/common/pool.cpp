// See pool.h.
#include "backends/common/pool.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "support/check.h"

namespace hlocc::backends {
namespace {

constexpr ByteOrder kHere =
    std::endian::native == std::endian::little ? ByteOrder::kLittle : ByteOrder::kBig;

// Pieces that are not worth a piece of their own are put together.
constexpr size_t kSmallPiece = 1 << 16;

}  // namespace

std::map<int64_t, const kernel::ProgramValue*> constants_by_offset(const planning::Plan& plan) {
  std::map<int64_t, const kernel::ProgramValue*> found;
  for (size_t i = 0; i < plan.values.size(); ++i) {
    const planning::Place& place = plan.places[i];
    if (plan.values[i].role != kernel::ValueRole::kConstant ||
        place.region != planning::Region::kConstant)
      continue;
    HLOCC_CHECK(plan.values[i].data != nullptr &&
                    place.offset + place.bytes <= plan.constant_bytes &&
                    static_cast<int64_t>(plan.values[i].data->size()) <= place.bytes,
                "a constant outside of the pool: " + plan.values[i].name);
    if (plan.values[i].data->empty()) continue;
    // Others at this place are equal.
    found.emplace(place.offset, &plan.values[i]);
  }
  return found;
}

std::shared_ptr<const std::vector<std::byte>> bytes_for(const kernel::ProgramValue& value,
                                                        const Target& target) {
  const size_t width = static_cast<size_t>(kernel::scalar_bytes(value.element));
  if (target.byte_order == kHere || width == 1) return value.data;
  std::vector<std::byte> turned = *value.data;
  for (size_t at = 0; at + width <= turned.size(); at += width)
    std::reverse(turned.begin() + at, turned.begin() + at + width);
  return std::make_shared<const std::vector<std::byte>>(std::move(turned));
}

void append_pool(const planning::Plan& plan, const Target& target, Pieces& out) {
  append_pool(constants_by_offset(plan), plan.constant_bytes, target, out);
}

void append_pool(const std::map<int64_t, const kernel::ProgramValue*>& constants, int64_t bytes,
                 const Target& target, Pieces& out) {
  std::vector<std::byte> pending;
  int64_t end = 0;
  const auto flush = [&] { out.append(std::exchange(pending, {})); };
  for (const auto& [offset, value] : constants) {
    HLOCC_CHECK(offset >= end, "constants overlap: " + value->name);
    pending.resize(pending.size() + static_cast<size_t>(offset - end));
    const std::shared_ptr<const std::vector<std::byte>> data = bytes_for(*value, target);
    end = offset + static_cast<int64_t>(data->size());
    if (data->size() < kSmallPiece) {
      pending.insert(pending.end(), data->begin(), data->end());
      continue;
    }
    flush();
    out.append(data);
  }
  pending.resize(pending.size() + static_cast<size_t>(bytes - end));
  flush();
}

}  // namespace hlocc::backends
