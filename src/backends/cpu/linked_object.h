// Object bytes linked into this process, with memcpy and friends taken from it.
#pragma once
#include <memory>
#include <span>

#include "backends/common/loaded_program.h"

namespace hlocc::backends {

Result<std::unique_ptr<LinkedObject>> link_object(std::span<const std::byte> object);

}  // namespace hlocc::backends
