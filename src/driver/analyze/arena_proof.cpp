// See arena_proof.h.
#include "driver/analyze/arena_proof.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/text.h"

namespace hlocc::driver {

ArenaProof prove_arena(const kernel::Program& program, const planning::Plan& plan,
                       const Target& target) {
  ArenaProof out{.offsets_are_optimal = plan.offsets_are_optimal, .arena_bytes = plan.arena_bytes};
  // Of several memories nothing is proved: what lies where is a choice between waits.
  if (!plan.pieces.empty()) return {.arena_bytes = plan.arena_bytes};
  const std::optional<planning::OrderBound> bound = planning::order_bound(program, target);
  if (!bound) return out;
  // The state of a stream takes room of its own.
  out.order_bound = bound->bytes + (plan.stream ? static_cast<int64_t>(sizeof(uint32_t)) : 0);
  out.order_search_ended = bound->is_exact;
  return out;
}

std::string to_text(const ArenaProof& proof) {
  if (proof.is_optimal()) return "optimal: no order of these steps and no offsets take less";
  const std::string offsets = proof.offsets_are_optimal
                                  ? "no other offsets of these values, in this order, take less"
                                  : "other offsets of these values, in this order, may take less";
  if (!proof.order_bound)
    return cat(offsets, "; the order of steps that work with queues is given");
  return cat("at most ", proof.gap_bytes(),
             " bytes above the smallest: every order of these steps ", "has ", *proof.order_bound,
             " alive", proof.order_search_ended ? "" : " (the search for an order stopped there)",
             "; ", offsets);
}

std::string short_text(const ArenaProof& proof) {
  if (proof.is_optimal()) return "the arena is optimal";
  if (!proof.order_bound) return "";
  return cat("the arena is at most ", proof.gap_bytes(), " bytes above the smallest");
}

void add_proof(const ArenaProof& proof, nlohmann::ordered_json& out) {
  out["order_bound"] = nullptr;
  out["order_search"] = nullptr;
  if (proof.order_bound) {
    out["order_bound"] = *proof.order_bound;
    out["order_search"] = proof.order_search_ended ? "ended" : "stopped";
  }
  out["offsets_optimal"] = proof.offsets_are_optimal;
  out["optimal"] = proof.is_optimal();
}

}  // namespace hlocc::driver
