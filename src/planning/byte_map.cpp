// See byte_map.h.
#include "planning/byte_map.h"

#include <algorithm>

namespace hlocc::planning {

// Splits the segment that holds `at`, so that one begins there.
void ByteMap::cut(int64_t at) {
  auto found = segments_.lower_bound(at);
  if (found == segments_.begin()) return;
  --found;
  if (found->second.end <= at) return;
  Segment right = found->second;
  right.first += at - found->first;
  found->second.end = at;
  segments_.emplace(at, right);
}

void ByteMap::clear(int64_t begin, int64_t size) {
  cut(begin);
  cut(begin + size);
  segments_.erase(segments_.lower_bound(begin), segments_.lower_bound(begin + size));
}

void ByteMap::write(int64_t begin, int64_t size, Owner owner) {
  if (size == 0) return;
  clear(begin, size);
  segments_[begin] = {begin + size, owner, 0};
}

void ByteMap::clear_owners(const std::function<bool(Owner)>& which) {
  std::erase_if(segments_, [&](const auto& entry) { return which(entry.second.owner); });
}

void ByteMap::copy(const ByteMap& source, int64_t from, int64_t size, int64_t to) {
  std::map<int64_t, Segment> copied;
  for (const auto& [begin, segment] : source.segments_) {
    const int64_t cut = std::max(begin, from), end = std::min(segment.end, from + size);
    if (cut < end)
      copied[cut - from + to] = {end - from + to, segment.owner, segment.first + cut - begin};
  }
  clear(to, size);
  segments_.merge(copied);
}

std::optional<ByteMap::Owner> ByteMap::other_than(int64_t begin, int64_t size, Owner owner,
                                                  int64_t first) const {
  for (int64_t at = begin; at < begin + size;) {
    auto found = segments_.upper_bound(at);
    if (found == segments_.begin()) return kNobody;
    --found;
    const Segment& s = found->second;
    if (s.end <= at) return kNobody;
    if (s.owner != owner || s.first + (at - found->first) != first + at - begin) return s.owner;
    at = s.end;
  }
  return std::nullopt;
}

ByteMap::Owner ByteMap::owner_at(int64_t at) const {
  auto found = segments_.upper_bound(at);
  if (found == segments_.begin()) return kNobody;
  --found;
  return found->second.end <= at ? kNobody : found->second.owner;
}

void ByteMap::intersect(const ByteMap& other) {
  ByteMap both;
  auto theirs = other.segments_.begin();
  for (const auto& [begin, segment] : segments_) {
    while (theirs != other.segments_.end() && theirs->second.end <= begin) ++theirs;
    for (auto next = theirs; next != other.segments_.end() && next->first < segment.end; ++next) {
      const int64_t from = std::max(begin, next->first),
                    to = std::min(segment.end, next->second.end);
      const int64_t first = segment.first + (from - begin),
                    their_first = next->second.first + (from - next->first);
      if (segment.owner == next->second.owner && first == their_first)
        both.segments_.emplace_hint(both.segments_.end(), from, Segment{to, segment.owner, first});
    }
  }
  segments_ = std::move(both.segments_);
}

}  // namespace hlocc::planning
