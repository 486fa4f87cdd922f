// How near the arena is to the smallest that there is: proved, in words and as JSON. The plan's
// offsets are compared with what is alive in its own order, and with what every order of the steps
// has alive (planning/order_bound.h).
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "planning/order_bound.h"
#include "planning/plan.h"

namespace hlocc::driver {

struct ArenaProof {
  // No order of the steps and no offsets take less; none for steps whose order is given.
  std::optional<int64_t> order_bound;
  bool order_search_ended = false;   // else the bound is what the search had come to
  bool offsets_are_optimal = false;  // of these values in this order
  int64_t arena_bytes = 0;

  bool is_optimal() const { return order_bound && arena_bytes <= *order_bound; }
  int64_t gap_bytes() const { return is_optimal() ? 0 : arena_bytes - order_bound.value_or(0); }
};

ArenaProof prove_arena(const kernel::Program& program, const planning::Plan& plan,
                       const Target& target);
// What is proved, as the end of a sentence on the arena: "optimal: ...".
std::string to_text(const ArenaProof& proof);
// The same in few words.
std::string short_text(const ArenaProof& proof);
void add_proof(const ArenaProof& proof, nlohmann::ordered_json& out);

}  // namespace hlocc::driver
