// The figures of a plan: the bytes that it takes, and what is copied. That its places are right is
// for planning's validator to say.
#pragma once
#include <set>
#include <tuple>

#include "planning/plan.h"
#include "support/figures.h"

namespace hlocc::tests {

inline Figures figures_of(const planning::Plan& plan) {
  Figures figures;
  figures.add("plans", 1);
  figures.add("arena", plan.arena_bytes);
  figures.add("alive at most", plan.live_set_bound);
  figures.add("optimal", plan.offsets_are_optimal);
  figures.add("state", plan.state_bytes);
  figures.add("pool of constants", plan.constant_bytes);
  figures.add("arena aligned to", plan.arena_align);
  figures.add("copies", plan.copies);
  figures.add("copies in loops", plan.copies_in_loops);
  for (const planning::DeviceMemory& memory : plan.memories) {
    figures.add("of devices", memory.bytes);
    figures.add("aligned there to", memory.align);
  }
  for (const planning::KeptConstant& kept : plan.kept) figures.add("kept constants", kept.bytes);
  for (const planning::ArenaPiece& piece : plan.pieces) figures.add("in pieces", piece.bytes);
  // How many begin where another one does, so that their memory is shared or one lies in the other.
  std::set<std::tuple<int, planning::Region, int64_t>> begins;
  for (const planning::Place& place : plan.places)
    begins.insert({place.memory, place.region, place.offset});
  figures.add("places", static_cast<int64_t>(begins.size()));
  figures.add("planned values", static_cast<int64_t>(plan.values.size()));
  for (const bool reused : plan.argument_place_reused) figures.add("arguments reused", reused);
  kernel::for_each_step(plan.steps, [&](const kernel::Step&) { figures.add("planned steps", 1); });
  return figures;
}

}  // namespace hlocc::tests
