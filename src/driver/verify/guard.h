// `verify --guard` ahead of time: the parts of the program of main.h that run each case round
// after round between guards (toolchains/boards/board_guard.h), and what its files say.
#pragma once
#include <span>

#include "devices/host/guard.h"
#include "driver/verify/main.h"

namespace hlocc::driver {

// What stands in front of the cases' functions, and the function of one.
std::string write_guard_head(const std::vector<BatchCase>& cases);
std::string write_guard_case(const BatchCase& one, const std::string& folder);

// What the buffers beside arena and instance, and what is around all of them, take of the RAM.
int64_t guard_room(const BatchCase& one);

// What stands in front of the results of a round in a case's output file.
inline constexpr size_t kGuardHead = 3;
// Bytes of the output file of a case that ran through, and the records in it: for each round a byte
// of status, two of a finding, low one first, and the results.
int64_t guard_file_bytes(const BatchCase& one);
std::vector<device::GuardRecord> read_guard_file(std::span<const std::byte> bytes,
                                                 const BatchCase& one);

// What a program that died said of the guard that it touched; empty if that was not why.
std::string guard_death(const std::string& output, const BatchCase& one);

}  // namespace hlocc::driver
