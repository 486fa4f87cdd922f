// The flags of `hlocc matrix` that no other verb has.
#pragma once
#include <string>

namespace hlocc::driver {

struct MatrixFlags {
  bool fail_fast = false;               // nothing begins behind the first failure
  std::string times;                    // --times: an earlier --json, for the balance of shards
  std::string since;                    // --changed-since: a revision of git
  std::string baseline;                 // an earlier --json, which the gates compare with
  std::string junit, markdown, report;  // files to write; report: the JSON
};

}  // namespace hlocc::driver
