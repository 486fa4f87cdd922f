// Reads an object file that was just made and holds it against the promises of a generated library:
// which symbols it defines and wants, how large its sections are, and that it has none that would
// need start-up code, RAM or an unwinder.
#pragma once
#include <span>

#include "support/result.h"
#include "target/artifacts.h"
#include "target/target.h"

namespace hlocc::backends {

// Fills symbols, sections and code_bytes. Symbols are named as in C: without the prefix that object
// formats give them (`_` in Mach-O).
Status inspect_object(std::span<const std::byte> object, Artifacts& artifacts,
                      char global_prefix = 0);

// Only memcpy and friends, the target's helpers and `user_symbols` may stay undefined; .data, .bss,
// constructors and unwind tables may not exist. What breaks this is our bug (kInternal), and the
// message names it.
Status check_promises(const Artifacts& artifacts, const Target& target,
                      std::span<const std::string> user_symbols);

}  // namespace hlocc::backends
