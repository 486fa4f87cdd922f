// See place_pieces.h.
#include "planning/place_pieces.h"

#include <algorithm>
#include <map>

#include "costs/memories.h"
#include "planning/layout.h"
#include "planning/memories.h"
#include "support/rounding.h"

namespace hlocc::planning {
namespace {

class PiecePlacer {
 public:
  PiecePlacer(const PieceSite& site, Plan& plan)
      : site_(site),
        options_(site.target.options),
        plan_(plan),
        accesses_(accesses_of(site.draft, site.target)),
        arena_(arena_items(site.draft, site.liveness, site.alignment, site.blocks)) {}

  void run() {
    std::vector<Divided> items;
    for (size_t k = 0; k < arena_.items.size(); ++k) {
      items.push_back({arena_.items[k]});
      for (const Member& member : block(k).members)
        items.back().accesses += accesses_[static_cast<size_t>(member.value)];
    }
    const std::vector<size_t> constants = add_constants(items);
    const double flash = costs::flash_waits(site_.target);
    const Division division = divide(items, rooms(), flash);
    const std::vector<int64_t> begins = lay_out(division);
    place_blocks(division, begins);
    keep(division, begins, constants);
    add_waits(items, division.waited, flash);
  }

 private:
  const Block& block(size_t item) const { return site_.blocks.blocks[arena_.blocks[item]]; }

  // The ticket of a stream lies in the last memory.
  std::vector<MemoryRoom> rooms() const {
    const std::vector<double> waits = costs::waits_of(options_.memories);
    std::vector<MemoryRoom> out;
    for (const MemoryOption& memory : options_.memories)
      out.push_back({memory.bytes, waits[out.size()], memory.name == options_.weights_memory});
    out.back().bytes -= site_.ticket_room;
    return out;
  }

  // With --weights-in constants are items, too, that are needed all the time. One value of each
  // place in the pool.
  std::vector<size_t> add_constants(std::vector<Divided>& items) const {
    std::vector<size_t> out;
    if (options_.weights_memory.empty()) return out;
    std::map<int64_t, size_t> item_at;  // by offset in the pool
    for (size_t i = 0; i < plan_.places.size(); ++i) {
      const Place& place = plan_.places[i];
      if (place.region != Region::kConstant || place.bytes == 0) continue;
      const auto [found, is_new] = item_at.emplace(place.offset, items.size());
      if (is_new) {
        Item item{{{{{0, std::max(1, site_.liveness.times)}}, 0, place.bytes}}, site_.alignment[i]};
        items.push_back({std::move(item), 0, true});
        out.push_back(i);
      }
      Divided& one = items[found->second];
      one.accesses += accesses_[i];
      one.item.alignment = std::max(one.item.alignment, site_.alignment[i]);
    }
    return out;
  }

  // The piece of the last memory is first; each begins where its first byte is aligned as the
  // arena's, and has a byte at least. Where the items of each begin.
  std::vector<int64_t> lay_out(const Division& division) {
    const std::vector<MemoryOption>& asked = options_.memories;
    const size_t last = asked.size() - 1;
    plan_.pieces.resize(asked.size());
    int64_t end = 0;
    const auto add = [&](size_t m, int64_t more) {
      const int64_t begin = round_up(end, plan_.arena_align),
                    bytes = std::max<int64_t>(1, division.bytes[m] + more);
      plan_.pieces[m] = {asked[m].name, begin, bytes, asked[m].bytes};
      end = begin + bytes;
    };
    add(last, site_.ticket_room);
    for (size_t m = 0; m < last; ++m) add(m, 0);
    plan_.arena_bytes = end;
    std::vector<int64_t> begins;
    for (const ArenaPiece& piece : plan_.pieces) begins.push_back(piece.begin);
    begins[last] = site_.ticket_room;
    return begins;
  }

  void place_blocks(const Division& division, const std::vector<int64_t>& begins) {
    for (size_t k = 0; k < arena_.items.size(); ++k) {
      const int64_t base = begins[static_cast<size_t>(division.memory_of[k])] + division.bases[k];
      for (const Member& member : block(k).members) {
        Place& place = plan_.places[static_cast<size_t>(member.value)];
        place.offset = place.bytes == 0 ? 0 : base + member.offset;
      }
    }
  }

  void keep(const Division& division, const std::vector<int64_t>& begins,
            const std::vector<size_t>& constants) {
    for (size_t k = 0; k < constants.size(); ++k) {
      const size_t item = arena_.items.size() + k;
      if (division.memory_of[item] == kInFlash) continue;
      const Place& place = plan_.places[constants[k]];
      plan_.kept.push_back(
          {place.offset,
           begins[static_cast<size_t>(division.memory_of[item])] + division.bases[item],
           place.bytes, static_cast<Id>(constants[k])});
    }
    std::ranges::sort(plan_.kept, {}, &KeptConstant::from);
  }

  void add_waits(const std::vector<Divided>& items, double waited, double flash) {
    const double last_waits = rooms().back().waits;
    plan_.waits = waited;
    for (const Divided& one : items)
      plan_.waits_in_last += one.accesses * (one.is_constant ? flash : last_waits);
    if (!options_.weights_memory.empty()) return;
    for (size_t i = 0; i < plan_.places.size(); ++i) {
      if (plan_.places[i].region != Region::kConstant) continue;
      plan_.waits += accesses_[i] * flash;
      plan_.waits_in_last += accesses_[i] * flash;
    }
  }

  const PieceSite& site_;
  const Options& options_;
  Plan& plan_;
  const std::vector<double> accesses_;  // by value
  const ArenaItems arena_;
};

}  // namespace

void place_pieces(const PieceSite& site, Plan& plan) { PiecePlacer(site, plan).run(); }

}  // namespace hlocc::planning
