// How the child that generates code sends its results to the parent: numbers and byte strings one
// after the other. Both ends are this very binary, so there is no versioning.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "support/diagnostic.h"
#include "target/artifacts.h"

namespace hlocc::backends {

class Writer {
 public:
  void number(int64_t value);
  void bytes(std::span<const std::byte> value);
  void text(const std::string& value);
  void texts(const std::vector<std::string>& values);
  void diagnostic(const Diagnostic& value);
  std::vector<std::byte> take() { return std::move(out_); }

 private:
  std::vector<std::byte> out_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> in) : in_(in) {}
  int64_t number();
  std::vector<std::byte> bytes();
  std::string text();
  std::vector<std::string> texts();
  Diagnostic diagnostic();

 private:
  std::span<const std::byte> take(size_t count);
  std::span<const std::byte> in_;
};

std::vector<std::byte> encode(const Artifacts& artifacts);
Artifacts decode_artifacts(std::span<const std::byte> bytes);

}  // namespace hlocc::backends
