// `interpreter` as a platform: the reference meaning of every op, on memory of this process.
#pragma once
#include "hlocc/device/platform.h"

namespace hlocc::device {

std::unique_ptr<Platform> make_interpreter_platform();

}  // namespace hlocc::device
