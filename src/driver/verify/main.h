// The C program that runs a batch of compiled cases: reads each case's arguments from a file of the
// host, runs it, writes the results to another. One file a case, so that whatever happens to one
// leaves the others' results.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace hlocc::driver {

// The argument whose rows are pushed, as the plain library of the case has it (stream_case.h).
struct BatchStream {
  size_t leaf = 0;
  int64_t rows = 1, row_bytes = 1;
  int64_t every = 0;  // rows from one window's end to the next one's; 0: there is one window
};

// What the program needs to know of a case: its prefix (hlocc_case_3_) and the files in its folder.
struct BatchCase {
  int number = 0;
  std::vector<int64_t> argument_bytes, result_bytes;
  int64_t arena_bytes = 1, arena_align = 16;
  bool several_arenas = false;  // init takes one for each memory of --memory
  // Leaves that lie in the instance.
  std::vector<bool> argument_donated, result_donated;
  std::optional<BatchStream> stream;

  std::string name() const { return "hlocc_case_" + std::to_string(number); }
};
// What init of the library `name` takes for an arena in one array.
std::string init_arguments(const BatchCase& one, const std::string& name, const std::string& array);
std::string input_file(const std::string& folder, const BatchCase& one);
std::string output_file(const std::string& folder, const BatchCase& one);

// The program's argument is the place in the batch of the first case to run.
// `guard`: each case runs between guards (guard.h).
std::string write_batch_main(const std::vector<BatchCase>& cases, const std::string& folder,
                             bool guard = false);

}  // namespace hlocc::driver
