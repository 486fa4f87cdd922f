// The value of a Result, or a failed test that shows the diagnostic.
#pragma once
#include <catch2/catch.hpp>

#include <utility>

#include "support/result.h"

namespace hlocc::tests {

template <typename T>
T require(Result<T> result) {
  if (!result) FAIL(result.error().to_string());
  return std::move(result).value();
}

}  // namespace hlocc::tests
