// What a verb says on stderr beside its result. -q and --json silence it.
#pragma once
#include <string>
#include <vector>

#include "driver/cli/command_line.h"

namespace hlocc::driver {

// False with -q and with --json, where stderr holds nothing but the error.
bool wants_notes(const CommandLine& line);

// A line each, if notes are wanted and `text` is not empty.
void say_note(const CommandLine& line, const std::string& text);
void say_warning(const CommandLine& line, const std::string& text);

// What was said while the innermost scope of this thread was open, printed or not: the cache says
// it again.
struct Said {
  bool is_warning = false;
  std::string text;
};
class SaidScope {
 public:
  explicit SaidScope(std::vector<Said>* into);
  ~SaidScope();
  SaidScope(const SaidScope&) = delete;
  SaidScope& operator=(const SaidScope&) = delete;

 private:
  std::vector<Said>* before_;
};
void say_again(const CommandLine& line, const std::vector<Said>& said);

}  // namespace hlocc::driver
