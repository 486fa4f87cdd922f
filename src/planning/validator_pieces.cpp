// Several memories: every value of the arena lies inside of one piece, pieces lie apart, and
// constants that init copies into the arena lie where nothing else does.
#include "planning/validator.h"
#include "support/text.h"

namespace hlocc::planning {
namespace {

using kernel::ProgramValue;

bool holds(const ArenaPiece& piece, int64_t offset, int64_t bytes) {
  return offset >= piece.begin && offset + bytes <= piece.begin + piece.bytes;
}

bool meet(int64_t a, int64_t a_bytes, int64_t b, int64_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

}  // namespace

Status Validator::pieces() const {
  const std::vector<ArenaPiece>& all = plan_.pieces;
  if (all.empty()) return {};
  if (all.size() < 2 || all.back().begin != 0)
    return fail("the piece of the last memory does not begin the arena");
  for (size_t a = 0; a < all.size(); ++a) {
    if (all[a].bytes < 1 || all[a].begin % plan_.arena_align != 0 ||
        !holds({"", 0, plan_.arena_bytes}, all[a].begin, all[a].bytes))
      return fail(cat("the piece in ", all[a].name, " is no part of the arena"));
    for (size_t b = 0; b < a; ++b)
      if (meet(all[a].begin, all[a].bytes, all[b].begin, all[b].bytes))
        return fail(cat("the pieces in ", all[b].name, " and ", all[a].name, " share bytes"));
  }
  for (size_t i = 0; i < plan_.places.size(); ++i) {
    const Place& place = plan_.places[i];
    const Id id = static_cast<Id>(i);
    const bool is_there =
        touched_.contains(id) || plan_.values[i].role == kernel::ValueRole::kArgument;
    if (place.region != Region::kArena || place.memory != 0 || place.bytes == 0 || !is_there ||
        program_.is_streamed(id))
      continue;
    size_t in = 0;
    for (const ArenaPiece& piece : all) in += holds(piece, place.offset, place.bytes) ? 1 : 0;
    if (in != 1) return fail(name(id) + " does not lie in one memory");
  }
  return {};
}

Status Validator::kept() const {
  for (size_t k = 0; k < plan_.kept.size(); ++k) {
    const KeptConstant& one = plan_.kept[k];
    if (!known(one.value) ||
        plan_.values[static_cast<size_t>(one.value)].role != kernel::ValueRole::kConstant)
      return fail("init copies what is no constant");
    const Place& from = plan_.places[static_cast<size_t>(one.value)];
    if (from.offset != one.from || from.bytes != one.bytes)
      return fail(name(one.value) + " is copied from where it does not lie");
    size_t in = 0;
    for (const ArenaPiece& piece : plan_.pieces) in += holds(piece, one.to, one.bytes) ? 1 : 0;
    if (in != 1) return fail(name(one.value) + " is not copied into one memory");
    if (k > 0 && plan_.kept[k - 1].from >= one.from)
      return fail("constants are not copied in their order");
    for (size_t other = 0; other < k; ++other)
      if (meet(one.to, one.bytes, plan_.kept[other].to, plan_.kept[other].bytes))
        return fail(name(one.value) + " is copied over another constant");
    for (size_t i = 0; i < plan_.places.size(); ++i) {
      const Place& place = plan_.places[i];
      if (place.region == Region::kArena && place.memory == 0 &&
          touched_.contains(static_cast<Id>(i)) &&
          meet(one.to, one.bytes, place.offset, place.bytes))
        return fail(
            cat(name(one.value), " is copied to where ", name(static_cast<Id>(i)), " lies"));
    }
  }
  return {};
}

}  // namespace hlocc::planning
