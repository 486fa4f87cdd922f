// A variable of the environment, for as long as this lives.
#pragma once
#include <stdlib.h>

#include <optional>
#include <string>

namespace hlocc::tests {

class SetVariable {
 public:
  // No value: the variable is not there.
  SetVariable(const char* name, const std::optional<std::string>& value) : name_(name) {
    if (const char* before = ::getenv(name)) before_ = before;
    set(value);
  }
  ~SetVariable() { set(before_); }
  SetVariable(const SetVariable&) = delete;
  SetVariable& operator=(const SetVariable&) = delete;

 private:
  void set(const std::optional<std::string>& value) {
    if (value)
      ::setenv(name_, value->c_str(), 1);
    else
      ::unsetenv(name_);
  }

  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace hlocc::tests
