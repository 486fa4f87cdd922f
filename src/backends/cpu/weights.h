// The constants: one read-only array of bytes in the target's byte order, in a section of its own,
// so that a linker script can place it. Constants are found by their planned offsets.
#pragma once
#include <set>
#include <span>

#include "backends/common/library.h"
#include "target/artifacts.h"
#include "target/target.h"

namespace llvm {
class GlobalVariable;
class Module;
}  // namespace llvm

namespace hlocc::backends {

// Large pools are no constants of LLVM's, which would hold each byte several times: the object gets
// a placeholder of zeros, and what is written to disk gets the bytes there. Texts of the module
// hold all of it.
bool has_placeholder(const Library& library, const Target& target,
                     const std::set<ArtifactKind>& kinds);
// Null when there are no constants; a declaration with --weights external, which is one model's.
Result<llvm::GlobalVariable*> emit_weights(llvm::Module& module, const Library& library,
                                           const Target& target, bool placeholder);
// The arrays that init hands to the device's driver, each by its part's name; they lie where the
// weights do.
Status emit_device_data(llvm::Module& module, const Library& library, const Target& target);
// What stands before and behind the placeholder in a file of `bytes`.
Pieces around_placeholder(std::span<const std::byte> bytes, int64_t placeholder_bytes);
// The two with the constants between them.
Pieces fill_hole(const Pieces& around, const Library& library, const Target& target);
// As the triple's object format spells it. Errors (kUsage): --weights-section names what the format
// has no room for.
Result<std::string> weights_section(const Library& library, const Target& target);
// How many bytes of weights the object holds, or those that it reads elsewhere.
int64_t weights_bytes(const Library& library, const Target& target, const Artifacts& artifacts);

}  // namespace hlocc::backends
