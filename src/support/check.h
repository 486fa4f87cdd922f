// HLOCC_CHECK: our own invariants. A failed check is a bug of hlocc's, never the user's: it prints
// where it happened and which stage and op were being worked on, and ends the process with exit
// code 3 (see exit codes in the command line).
#pragma once
#include <string>
#include <string_view>

namespace hlocc {

// What the compiler is doing right now, printed by a failed check: "lowering of %dot.3 (dot)".
// Scopes nest; each thread has its own.
class WorkingOn {
 public:
  explicit WorkingOn(std::string what);
  ~WorkingOn();
  WorkingOn(const WorkingOn&) = delete;
  WorkingOn& operator=(const WorkingOn&) = delete;
};

// Prints the message with file, line and the WorkingOn stack, then exits with code 3.
[[noreturn]] void check_failed(const char* file, int line, const char* condition,
                               std::string_view message);

}  // namespace hlocc

#define HLOCC_CHECK(condition, message)                                                 \
  do {                                                                                  \
    if (!(condition)) ::hlocc::check_failed(__FILE__, __LINE__, #condition, (message)); \
  } while (false)
