// A program that the C backend wrote, made into code of this process by the machine's C compiler.
#pragma once
#include <memory>

#include "backends/common/loaded_program.h"
#include "driver/pipeline.h"

namespace hlocc::driver {

// `target` is `host` with the backend c. A machine without a C compiler is a diagnostic (kRun).
Result<std::unique_ptr<backends::LoadedProgram>> load_with_compiler(const Planned& planned,
                                                                    const Target& target);

}  // namespace hlocc::driver
