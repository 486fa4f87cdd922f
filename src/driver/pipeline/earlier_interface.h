// What an earlier compile left where this one writes: a manifest of another class or of other
// arguments means that code that was written for it does not fit any more, which is said.
#pragma once
#include <string>
#include <vector>

#include "package/writer.h"

namespace hlocc::driver {

// One sentence for each manifest among the files that stands on the disk with another interface.
std::vector<std::string> changed_interfaces(const std::vector<package::Placed>& files);

}  // namespace hlocc::driver
