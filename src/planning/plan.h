// Plan: where every value of a program lies. Planning orders steps, merges values into buffers, inserts the copies that
// while state, donation and results need, places arena scratch, and packs offsets.
#pragma once
#include "kernel/program.h"
#include "target/target.h"

namespace hlocc::planning {

// kCaller: an argument or result that the caller may bring himself (set_argN_data); its default place is in the arena.
enum class Region : uint8_t { kArena, kState, kConstant };

struct Place {
  Region region = Region::kArena;
  int64_t offset = 0;  // bytes from the start of the region
  int64_t bytes = 0;
};

struct Plan {
  // The program's values, and those that planning added (copies, scratch); ids of the program stay valid.
  std::vector<kernel::ProgramValue> values;
  // The program's steps in their final order with copies inserted.
  kernel::Steps steps;
  std::vector<Place> places;  // by value; constants: offset into the constant pool, merged by content

  int64_t arena_bytes = 0, arena_align = 16, state_bytes = 0, constant_bytes = 0;
  // Argument leaves whose arena place is written during run (in place, or reused after the last read): a caller's own
  // buffer is read in place otherwise.
  std::vector<bool> argument_place_reused;
  // Results whose value lies somewhere else when it is computed are copied to these places by the last steps.
  std::vector<Place> argument_places, result_places;  // by leaf

  // For the report: the sum of live bytes at the worst step (no packing beats it), and copies that remain.
  int64_t live_set_bound = 0;
  int copies = 0, copies_in_loops = 0;
};

Result<Plan> plan(const kernel::Program& program, const Target& target);

// Replays the plan byte range by byte range and checks that every read finds what was last written as that value; that
// places lie inside their regions; that arguments are intact while they are read. Written independently of the planner.
Status validate(const kernel::Program& program, const Plan& plan);

std::string to_text(const Plan& plan);

}  // namespace hlocc::planning
