// Result<T>: a value, or the diagnostic that says why there is none. std::expected is C++23; this
// is the part of it that we need. `Status` is a Result without a value.
#pragma once
#include <memory>
#include <optional>
#include <utility>

#include "support/check.h"
#include "support/diagnostic.h"

namespace hlocc {

// The diagnostic of a failed Result, or nothing. On the heap: few fail, and what every Result has
// is then a pointer, whose copies and moves are compiled once.
class HeldDiagnostic {
 public:
  HeldDiagnostic() = default;
  explicit HeldDiagnostic(Diagnostic diagnostic);
  HeldDiagnostic(const HeldDiagnostic& other);
  HeldDiagnostic(HeldDiagnostic&& other) noexcept;
  HeldDiagnostic& operator=(HeldDiagnostic other) noexcept;
  ~HeldDiagnostic();

  bool is_there() const { return diagnostic_ != nullptr; }
  // A failed check if there is none.
  Diagnostic& get() const;
  // A failed check, of who asked for a value that is not there.
  [[noreturn]] void refuse_value() const;

 private:
  std::unique_ptr<Diagnostic> diagnostic_;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::in_place, std::move(value)) {}
  Result(Diagnostic diagnostic) : held_(std::move(diagnostic)) {}

  bool ok() const { return value_.has_value(); }
  explicit operator bool() const { return ok(); }

  T& value() & {
    if (!value_) held_.refuse_value();
    return *value_;
  }
  const T& value() const& { return const_cast<Result*>(this)->value(); }
  T&& value() && { return std::move(value()); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(value()); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Diagnostic& error() & { return held_.get(); }
  const Diagnostic& error() const& { return held_.get(); }
  Diagnostic&& error() && { return std::move(held_.get()); }

 private:
  std::optional<T> value_;
  HeldDiagnostic held_;
};

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Diagnostic diagnostic) : held_(std::move(diagnostic)) {}
  bool ok() const { return !held_.is_there(); }
  explicit operator bool() const { return ok(); }
  Diagnostic& error() & { return held_.get(); }
  const Diagnostic& error() const& { return held_.get(); }
  Diagnostic&& error() && { return std::move(held_.get()); }

 private:
  HeldDiagnostic held_;
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
