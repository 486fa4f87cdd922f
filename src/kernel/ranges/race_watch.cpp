// See race_watch.h.
#include "kernel/ranges/race_watch.h"

#include <algorithm>

#include "support/text.h"

namespace hlocc::kernel {

RaceWatch::RaceWatch(const Kernel& kernel, std::span<const std::span<std::byte>> buffers)
    : kernel_(kernel), held_(kernel.buffers.size()) {
  using Piece = std::pair<const std::byte*, const std::byte*>;
  std::vector<Piece> written;
  for (size_t i = 0, next = 0; i < kernel.buffers.size() && next < buffers.size(); ++i) {
    const Buffer& buffer = kernel.buffers[i];
    if (buffer.direction == Direction::kScratch && buffer.space != Space::kArena) continue;
    const std::span<std::byte> bytes = buffers[next++];
    held_[i] = {bytes.data(), scalar_bytes(buffer.element), {}};
    granule_ = std::min(granule_, held_[i].element_bytes);
    if (buffer.direction != Direction::kIn && !bytes.empty())
      written.emplace_back(bytes.data(), bytes.data() + bytes.size());
  }
  std::ranges::sort(written);
  for (const auto& [begin, end] : written) {
    if (!zones_.empty() && begin < zones_.back().end)
      zones_.back().end = std::max(zones_.back().end, end);
    else
      zones_.push_back({begin, end, {}, {}});
  }
  for (Zone& zone : zones_) {
    const auto granules = static_cast<size_t>((zone.end - zone.begin + granule_ - 1) / granule_);
    zone.writer.assign(granules, kNobody);
    zone.reader.assign(granules, kNobody);
  }
  for (size_t i = 0, next = 0; i < kernel.buffers.size() && next < buffers.size(); ++i) {
    const Buffer& buffer = kernel.buffers[i];
    if (buffer.direction == Direction::kScratch && buffer.space != Space::kArena) continue;
    const std::byte* const end = held_[i].data + buffers[next++].size();
    for (size_t z = 0; z < zones_.size(); ++z)
      if (held_[i].data < zones_[z].end && zones_[z].begin < end)
        held_[i].zones.push_back(static_cast<int>(z));
  }
}

// Each granule of the element that lies in a zone.
template <typename Visit>
bool RaceWatch::visit(int buffer, int64_t at, const Visit& visit) {
  const Held& held = held_[static_cast<size_t>(buffer)];
  for (const int z : held.zones) {
    Zone& zone = zones_[static_cast<size_t>(z)];
    const std::byte* const element = held.data + at * held.element_bytes;
    for (int64_t byte = 0; byte < held.element_bytes; byte += granule_) {
      if (element + byte < zone.begin || element + byte >= zone.end) continue;
      const auto granule = static_cast<size_t>((element + byte - zone.begin) / granule_);
      if (!visit(zone.writer[granule], zone.reader[granule])) return false;
    }
  }
  return true;
}

int64_t RaceWatch::changes() const {
  int64_t count = 0;
  for (const Zone& zone : zones_) {
    int32_t last = kNobody;
    for (const int32_t writer : zone.writer) {
      if (writer == kNobody || writer == last) continue;
      count += last == kNobody ? 0 : 1;
      last = writer;
    }
  }
  return count;
}

bool RaceWatch::load(int buffer, int64_t at) {
  return visit(buffer, at, [&](int32_t writer, int32_t& reader) {
    if (writer != kNobody && writer != range_) return race(buffer, at, writer, "reads");
    reader = reader == kNobody || reader == range_ ? range_ : kSeveral;
    return true;
  });
}

bool RaceWatch::store(int buffer, int64_t at) {
  return visit(buffer, at, [&](int32_t& writer, int32_t reader) {
    if (writer != kNobody && writer != range_) return race(buffer, at, writer, "writes");
    if (reader != kNobody && reader != range_) return race(buffer, at, reader, "writes");
    writer = range_;
    return true;
  });
}

bool RaceWatch::race(int buffer, int64_t at, int other, const char* what) {
  return fails(cat(name_of(range_), " ", what, " ", name_of(buffer, at), ", which ",
                   other == kSeveral ? cat(others(), " use") : cat(name_of(other), " uses"),
                   " too"));
}

std::string RaceWatch::name_of(int range) const { return cat("range ", range); }

std::string RaceWatch::name_of(int buffer, int64_t at) const {
  return cat("element ", at, " of ", kernel_.buffers[static_cast<size_t>(buffer)].name);
}

}  // namespace hlocc::kernel
