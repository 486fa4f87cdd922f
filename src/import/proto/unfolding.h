// What a message takes once protobuf has unfolded it: an empty one is two bytes of a file and more
// than a hundred as an object, and as much again as the shape, window or list that is made of it.
// Counted from the bytes, before anything is allocated.
#pragma once
#include <functional>
#include <string>

#include "import/proto/wire.h"
#include "support/result.h"

namespace hlocc::import {

// Fields of `bytes` that are messages, as far as they can be told from texts, at any depth; but not
// those of the field `left_out`.
int64_t count_messages(Bytes bytes, uint32_t left_out = 0);

// kLimit if the message would take more memory than there is; `name` is called for what it is.
Status charge_unfolding(Bytes bytes, const std::function<std::string()>& name,
                        uint32_t left_out = 0);

}  // namespace hlocc::import
