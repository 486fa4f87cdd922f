// Plan: where every value of a program lies. Planning orders steps, merges values into buffers,
// inserts the copies that while state, donation and results need, places arena scratch, and packs
// offsets.
#pragma once
#include <algorithm>
#include <map>
#include <optional>

#include "kernel/program.h"
#include "target/target.h"

namespace hlocc::planning {

// kArena: the caller's working memory. kState: bytes of the instance that survive from run to run.
// kConstant: the pool of constants. Arguments and results that a caller brings himself
// (set_argN_data) have a default place in the arena.
enum class Region : uint8_t { kArena, kState, kConstant };

struct Place {
  Region region = Region::kArena;
  int64_t offset = 0;  // bytes from the start of the region
  int64_t bytes = 0;
  int memory = 0;  // kernel::ProgramValue's; outside of memory 0 there is only an arena
};

// What a plan needs of a device's memory.
struct DeviceMemory {
  int64_t bytes = 0, align = 1;
};

// With --memory the arena is pieces in several memories. Offsets count through all of them: the
// piece of the last memory begins at 0, then come the others in their order. So whatever asks which
// bytes overlap knows nothing of pieces; only addresses do (place_in_piece).
struct ArenaPiece {
  std::string name;  // of the memory
  int64_t begin = 0, bytes = 0;
  int64_t room = 0;  // what the memory has for it
};

// What init copies from the constants into the arena, where it stays.
struct KeptConstant {
  int64_t from = 0, to = 0, bytes = 0;  // offsets in the pool of constants and in the arena
  kernel::ProgramValueId value = kernel::kNone;  // one that lies there
};

// What a device's compiler made of each part of a program, by the part's name, for the library to
// hold and init to hand to the device's driver (hlocc_device.h): words in the target's byte order.
// Empty: the library holds nothing of that part.
using DeviceData = std::map<std::string, std::vector<uint32_t>>;

// What a backend may rely on in a plan's steps:
// - The edges of control are free: initial[i], carried[i], next[i] and result[i] of a while,
// yields[b][i] and results[i] of
//   a conditional, and `from` and the result of an Update lie in one place. What has to be moved is
//   a Copy step.
// - A launch's operands are those of the program, then one value for each arena scratch buffer of
// its kernel, in their
//   order: as many as Kernel::bound_buffers().
// - A Copy whose two values lie in one place reads an argument that the caller may have brought
// himself: it is to be done
//   only if he has. All other copies are between places that do not overlap.
// - A Join's runs that do not lie where they belong (moved_runs.h) are copied in their order, each
//   to a place that it does not overlap. The others need nothing.
// - What a Transfer or a Submit names keeps its place, untouched by other steps, until the next
//   Wait for its queue. A list of steps ends with as much in its queues as it began with.
// - An argument that the caller brings is read where it is; the plan never writes through its
// value. One that is streamed has no place in the arena: the caller always brings it.
struct Plan {
  // The program's values, and those that planning added (copies, scratch); ids of the program stay
  // valid.
  std::vector<kernel::ProgramValue> values;
  // The program's steps in their final order with copies inserted.
  kernel::Steps steps;
  std::vector<Place>
      places;  // by value; constants: offset into the constant pool, merged by content

  std::vector<DeviceMemory> memories;  // from memory 1 on
  DeviceData device_data;              // of all parts that the steps submit; set after planning

  std::vector<ArenaPiece> pieces;  // in the order of --memory; empty: the arena is one
  std::vector<KeptConstant> kept;  // by offset in the pool
  // Of several memories: cycles that a run's accesses are expected to wait, and would if all values
  // lay in the last one and all constants in flash.
  double waits = 0, waits_in_last = 0;
  int64_t arena_bytes = 0, arena_align = 16, state_bytes = 0, constant_bytes = 0;
  int64_t constant_align = 1;  // what the constants want of the address of the first
  std::map<int64_t, int64_t> alignment_of_constant;  // by offset: what each wants of its own
  // Argument leaves whose arena place is written during run (in place, or reused after the last
  // read): a caller's own buffer is read in place otherwise.
  std::vector<bool> argument_place_reused;
  // By argument leaf: what a buffer of the caller's has to be aligned to, so that every kernel can
  // read it.
  std::vector<int64_t> argument_alignments;
  // Results whose value lies somewhere else when it is computed are copied to these places by the
  // last steps. A donated result lies where its argument does, in the state.
  std::vector<Place> argument_places, result_places;  // by leaf

  // With a streamed argument: where the state of kernel::StreamSteps lies, the iterations of the
  // loop, and a word of the arena that no step writes, which tells whether others did.
  struct StreamPlace {
    int64_t state_offset = 0, iterations = 0, ticket_offset = 0;
  };
  std::optional<StreamPlace> stream;

  // For the report: the sum of live bytes at the worst step (no packing beats it), and copies that
  // are really done (those between values in one place don't count).
  int64_t live_set_bound = 0;
  // In this order, these values and what shares their memory take no less: the bound is met, or a
  // search through all offsets has ended.
  bool offsets_are_optimal = false;
  int copies = 0, copies_in_loops = 0;

  int64_t device_data_bytes() const {
    size_t words = 0;
    for (const auto& [part, data] : device_data) words += data.size();
    return static_cast<int64_t>(words * sizeof(uint32_t));
  }
  // The number of the instance's slot that holds an arena offset's piece (InstanceLayout), and
  // where in the piece it is.
  struct InPiece {
    int slot = 0;
    int64_t offset = 0;
  };
  InPiece place_in_piece(int64_t offset) const {
    for (size_t i = 0; i + 1 < pieces.size(); ++i)
      if (offset >= pieces[i].begin &&
          offset - pieces[i].begin < std::max<int64_t>(pieces[i].bytes, 1))
        return {static_cast<int>(i) + 1, offset - pieces[i].begin};
    return {0, offset};
  }
  // Of a constant's offset in the pool: where init has copied it to, or nothing.
  const KeptConstant* kept_at(int64_t offset) const {
    const auto found = std::ranges::lower_bound(kept, offset, {}, &KeptConstant::from);
    return found == kept.end() || found->from != offset ? nullptr : &*found;
  }
  // Of all memories: what their pieces take beyond their room.
  int64_t missing_bytes() const {
    int64_t missing = 0;
    for (const ArenaPiece& piece : pieces)
      missing += std::max<int64_t>(0, piece.bytes - piece.room);
    return missing;
  }
  // 1 where no more is asked for.
  int64_t argument_alignment(size_t leaf) const {
    return leaf < argument_alignments.size() ? argument_alignments[leaf] : 1;
  }
};

Result<Plan> plan(const kernel::Program& program, const Target& target);

// Replays the plan byte range by byte range and checks that every read finds what was last written
// as that value; that places lie inside their regions; that arguments are intact while they are
// read. Written independently of the planner.
Status validate(const kernel::Program& program, const Plan& plan);

std::string to_text(const Plan& plan);

}  // namespace hlocc::planning
