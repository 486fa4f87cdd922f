// Object bytes linked into this process, with memcpy and friends taken from it. What `symbols`
// names comes from there, also where the object has a weak definition of its own.
#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>

#include "backends/common/loaded_program.h"

namespace hlocc::backends {

Result<std::unique_ptr<LinkedObject>> link_object(std::span<const std::byte> object,
                                                  const std::map<std::string, void*>& symbols = {});

}  // namespace hlocc::backends
