// The end of a process that has no memory left. Nothing between here and main can be undone then
// (code of hlocc's is compiled without exceptions), so the process says so and ends.
#pragma once
#include <cstddef>

namespace hlocc {

// A message on stderr, then exit code 4; temporary files are removed.
[[noreturn]] void out_of_memory();

// Whether it is a limit of this process (RLIMIT_DATA), and not the system, that refuses so many
// bytes.
bool is_over_data_limit(size_t bytes);
// The same for a process with that limit and that text of /proc/self/statm, which has pages of:
// everything, resident, shared, text, libraries, data. False where the text does not say it.
bool is_over_data_limit(size_t bytes, size_t limit, const char* statm, size_t page);

// What `new` can't have ends the process by out_of_memory(). To be called once, by main.
void end_when_out_of_memory();

}  // namespace hlocc
