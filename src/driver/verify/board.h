// The boards under toolchains/boards: what a row says, whether its tools are here, and the two
// scripts that link a program and run it.
#pragma once
#include <string>
#include <vector>

#include "driver/verify/child.h"
#include "support/result.h"
#include "target/target.h"

namespace hlocc::driver {

struct Board {
  std::string name;                         // of the row
  std::string folder;                       // toolchains/boards
  int64_t flash_bytes = 0, bulk_bytes = 0;  // 0: no limit
  int64_t cases = 50;                       // that one program may hold
  // Why nothing can run there, such as an emulator that is not installed; else empty.
  std::string unavailable;
};

// $HLOCC_TOOLCHAINS, else the folder that was installed with this binary, else that of the sources.
std::string toolchains_folder();

// The board of a target. A target without one needs --board.
Result<Board> find_board(const Target& target);

ChildOutcome link_firmware(const Board& board, const std::string& program,
                           const std::vector<std::string>& inputs);
// `seconds`: the board's time limit; an exit status of 124 tells that it was passed.
ChildOutcome run_board(const Board& board, const std::string& program,
                       const std::vector<std::string>& arguments, int seconds);

}  // namespace hlocc::driver
