// The instance: the one piece of memory that a user's code, the generated header and the generated
// `run` agree on. It is the struct `<prefix>t` of the header, and the only argument of the only
// function that a backend must define:
//
//   int <prefix>run_<hash>(<prefix>t *instance);   extern "C"; 0, or an error code of the header;
//   planning/interface.h has the hash
//
//   struct <prefix>t {
//     void *arena;                      the caller's memory, aligned to Plan::arena_align; of
//                                       several memories: that in the last one
//     void *arguments[arguments];       where each argument leaf lies now
//     void *results[results];           where each result leaf is to go
//     void *arenas[memories - 1];       of several memories: the arenas in all but the last one
//     uint64_t state[(state_bytes + 7) / 8];   Plan's kState region
//   };                                  a member of no elements is left out
//
// `init` is written by package/ into the header, so that no backend needs it: it points every slot
// at the leaf's default place (arena + Plan::argument_places, or state + offset for donated
// leaves), clears the state, and copies the initial bytes of state values that have some. A caller
// may point a slot of a leaf that is not donated at other memory, aligned to arena_align, at
// any time between runs; `run` therefore reads every slot anew, and
//   - an argument is read where its slot says and never written to through it; where the plan needs
//     the bytes in the default place, it has a Copy step within that place, which is done only if
//     the slot says otherwise;
//   - a result whose slot is not its default place is copied there by the last steps.
// The state is aligned to 8 bytes and no more: vector accesses to it must be able to stand that.
#pragma once
#include <algorithm>

#include "kernel/program.h"

namespace hlocc::kernel {

struct InstanceLayout {
  int pointer_bytes = 4;
  int arguments = 0, results = 0;
  int64_t state_bytes = 0;
  int more_arenas = 0;  // beside the one

  // 0: the one arena, or that in the last memory; then those in the others, in their order.
  int64_t arena_slot(int arena = 0) const {
    return arena == 0 ? 0 : int64_t{pointer_bytes} * (arguments + results + arena);
  }
  int64_t argument_slot(int leaf) const { return int64_t{pointer_bytes} * (1 + leaf); }
  int64_t result_slot(int leaf) const { return int64_t{pointer_bytes} * (1 + arguments + leaf); }
  int64_t slots_end() const {
    return int64_t{pointer_bytes} * (1 + arguments + results + more_arenas);
  }
  int64_t state_offset() const { return (slots_end() + 7) / 8 * 8; }
  // The size of the struct; without state there is nothing behind the slots.
  int64_t bytes() const {
    return state_bytes == 0 ? slots_end() : state_offset() + (state_bytes + 7) / 8 * 8;
  }
};

inline InstanceLayout instance_layout(const Signature& signature, int64_t state_bytes,
                                      int pointer_bits) {
  return {pointer_bits / 8, static_cast<int>(signature.arguments.size()),
          static_cast<int>(signature.results.size()), state_bytes,
          std::max(0, static_cast<int>(signature.memories.size()) - 1)};
}

}  // namespace hlocc::kernel
