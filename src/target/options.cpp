// Spelling of the optimisation levels.
#include "target/options.h"

namespace hlocc {

std::string level_name(Level level) {
  static constexpr const char* names[] = {"-O0", "-O1", "-O2", "-O3", "-Os", "-Oz"};
  return names[static_cast<int>(level)];
}

}  // namespace hlocc
