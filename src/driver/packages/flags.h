// The flags of `hlocc package` that no other verb has.
#pragma once
#include <string>

namespace hlocc::driver {

struct PackageFlags {
  std::string format;             // a name of formats.def
  std::string version = "0.1.0";  // MAJOR.MINOR.PATCH
  std::string description, maintainer, license, url;
};

}  // namespace hlocc::driver
