// See lost_exceptions.h.
#include "support/lost_exceptions.h"

#include <cxxabi.h>

#include <exception>
#include <string>
#include <typeinfo>

#include "support/check.h"

namespace hlocc {
namespace {

[[noreturn]] void end_at_exception() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  int status = 0;
  const char* name =
      type == nullptr ? "none" : abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  check_failed(__FILE__, __LINE__, name != nullptr ? name : "unknown",
               "an exception that nothing caught");
}

}  // namespace

void end_at_lost_exceptions() { std::set_terminate(end_at_exception); }

}  // namespace hlocc
