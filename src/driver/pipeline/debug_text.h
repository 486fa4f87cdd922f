// With -g, what stands for the user's program where the model does not say its lines: HLO text. A
// model that is text has its own lines; for others the text that `--emit hlo` makes is numbered,
// and written if a layer is at a line of it.
#pragma once
#include <optional>
#include <set>

#include "hlo/module.h"
#include "kernel/program.h"
#include "package/file_set.h"
#include "target/target.h"

namespace hlocc::driver {

// The module with the lines of the text that is written; nothing where its own stay.
std::optional<hlo::Module> with_printed_lines(const hlo::Module& module, const Target& target,
                                              const std::set<package::Emit>& emit);
// True if a step's layer is at a line of HLO's text.
bool shows_text(const kernel::Steps& steps, const kernel::Signature& signature);

}  // namespace hlocc::driver
