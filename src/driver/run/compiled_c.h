// A program that the C backend wrote, made into code of this process by the machine's C compiler.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backends/common/loaded_program.h"
#include "driver/pipeline/pipeline.h"

namespace hlocc::driver {

// The bytes of a shared library. `target` is `host` with the backend c. A machine without a C
// compiler is a diagnostic (kRun).
Result<std::vector<std::byte>> compile_library(const Planned& planned, const Target& target);

// How much the compiler makes of it.
std::string host_optimization(Level level);

// Such bytes, loaded into this process.
Result<std::unique_ptr<backends::LinkedObject>> load_library(std::span<const std::byte> library);

}  // namespace hlocc::driver
