// See capacity.h.
#include "driver/pipeline/capacity.h"

#include <algorithm>

#include "kernel/instance.h"
#include "support/text.h"
#include "target/chips.h"

namespace hlocc::driver {

namespace {

// Of several memories the last one takes what the others have no room for.
Status check_memories(const kernel::Signature& signature, const planning::Plan& plan) {
  for (const planning::ArenaPiece& piece : plan.pieces)
    if (piece.bytes > piece.room)
      return error(DiagnosticKind::kBudget,
                   cat(signature.class_name, " needs ", piece.bytes, " bytes of the memory ",
                       piece.name, ", which has ", piece.room, ": ", piece.bytes - piece.room,
                       " are missing"))
          .note(
              cat("that is the plan, of those that were tried, which lacks least; of all memories "
                  "it takes ",
                  plan.arena_bytes, " bytes: give one of them more room"));
  return {};
}

}  // namespace

Status check_capacity(const kernel::Signature& signature, const planning::Plan& plan,
                      const Target& target) {
  const int64_t arena = std::max<int64_t>(1, plan.arena_bytes);
  const int64_t instance =
      kernel::instance_layout(signature, plan.state_bytes, target.pointer_bits).bytes();
  const std::string chip =
      target.cpu.empty() || find_chip(target.name) != nullptr ? target.name : target.cpu;
  HLOCC_TRY(check_memories(signature, plan));
  if (plan.pieces.empty() && target.ram_bytes > 0 && arena + instance > target.ram_bytes)
    return error(DiagnosticKind::kBudget,
                 cat(signature.class_name, " needs ", arena + instance, " bytes of RAM (arena ",
                     arena, ", instance ", instance, "): ", chip, " has ", target.ram_bytes, ", ",
                     arena + instance - target.ram_bytes, " are missing"))
        .note("stack and everything else of the firmware come on top of them");
  if (target.flash_bytes > 0 && plan.constant_bytes > target.flash_bytes)
    return error(DiagnosticKind::kBudget,
                 cat(signature.class_name, " has ", plan.constant_bytes,
                     " bytes of weights: ", chip, " has ", target.flash_bytes, " of flash, ",
                     plan.constant_bytes - target.flash_bytes, " are missing"))
        .note("code comes on top of them");
  return {};
}

}  // namespace hlocc::driver
