// Object bytes linked into this process, with memcpy and friends taken from it.
#pragma once
#include <memory>
#include <span>
#include <string>

#include "support/result.h"

namespace hlocc::backends {

class LinkedObject {
 public:
  virtual ~LinkedObject() = default;
  // Null when the object does not define the symbol.
  virtual void* address(const std::string& symbol) = 0;
};

Result<std::unique_ptr<LinkedObject>> link_object(std::span<const std::byte> object);

}  // namespace hlocc::backends
