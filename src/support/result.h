// Result<T>: a value, or the diagnostic that says why there is none. std::expected is C++23; this
// is the part of it that we need. `Status` is a Result without a value.
#pragma once
#include <optional>
#include <utility>
#include <variant>

#include "support/check.h"
#include "support/diagnostic.h"

namespace hlocc {

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Diagnostic diagnostic) : state_(std::in_place_index<1>, std::move(diagnostic)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & {
    HLOCC_CHECK(ok(), "value of a failed Result: " + std::get<1>(state_).message);
    return std::get<0>(state_);
  }
  const T& value() const& { return const_cast<Result*>(this)->value(); }
  T&& value() && { return std::move(value()); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(value()); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Diagnostic& error() & { return std::get<1>(state_); }
  const Diagnostic& error() const& { return std::get<1>(state_); }
  Diagnostic&& error() && { return std::move(std::get<1>(state_)); }

 private:
  std::variant<T, Diagnostic> state_;
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Diagnostic diagnostic) : diagnostic_(std::move(diagnostic)) {}
  bool ok() const { return !diagnostic_; }
  explicit operator bool() const { return ok(); }
  Diagnostic& error() & { return *diagnostic_; }
  const Diagnostic& error() const& { return *diagnostic_; }
  Diagnostic&& error() && { return std::move(*diagnostic_); }

 private:
  std::optional<Diagnostic> diagnostic_;
};

}  // namespace hlocc

// Returns the diagnostic of a failed Result or Status from the enclosing function:
//   HLOCC_TRY(verify(module));
//   HLOCC_TRY_ASSIGN(Module module, read(bytes));
#define HLOCC_TRY(expression)                                                                    \
  do {                                                                                           \
    if (auto hlocc_status = (expression); !hlocc_status) return std::move(hlocc_status).error(); \
  } while (false)
#define HLOCC_TRY_ASSIGN(declaration, expression) \
  HLOCC_TRY_ASSIGN_(HLOCC_JOIN_(hlocc_result_, __LINE__), declaration, expression)
#define HLOCC_TRY_ASSIGN_(result, declaration, expression) \
  auto result = (expression);                              \
  if (!result) return std::move(result).error();           \
  declaration = std::move(result).value()
#define HLOCC_JOIN_(a, b) HLOCC_JOIN2_(a, b)
#define HLOCC_JOIN2_(a, b) a##b
