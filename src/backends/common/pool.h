// The pool of constants as planning laid it out: what stands where, and its bytes in the target's
// order.
#pragma once
#include <map>
#include <memory>
#include <vector>

#include "kernel/program.h"
#include "planning/plan.h"
#include "support/pieces.h"
#include "target/target.h"

namespace hlocc::backends {

// The constants that the pool holds, by offset; equal ones share theirs, and empty ones hold no
// place.
std::map<int64_t, const kernel::ProgramValue*> constants_by_offset(const planning::Plan& plan);

// The value's elements in the target's byte order.
std::shared_ptr<const std::vector<std::byte>> bytes_for(const kernel::ProgramValue& value,
                                                        const Target& target);

// Appends the whole pool, Plan::constant_bytes bytes, to `out`; large constants are named, not
// copied.
void append_pool(const planning::Plan& plan, const Target& target, Pieces& out);
// The same of constants that lie in a pool of so many bytes.
void append_pool(const std::map<int64_t, const kernel::ProgramValue*>& constants, int64_t bytes,
                 const Target& target, Pieces& out);

}  // namespace hlocc::backends
