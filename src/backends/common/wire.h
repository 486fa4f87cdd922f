// How another process of ours (the child that generates code, a remote device) sends its results:
// numbers and byte strings one after the other. Both ends are this very binary, so there is no
// versioning; but one that died may have sent a part, and what it sent may be damaged.
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

// Past the end of what came, numbers are 0 and all else is empty; failed() tells.
class Reader {
 public:
  explicit Reader(std::span<const std::byte> in) : in_(in) {}
  bool failed() const { return failed_; }
  int64_t number();
  // How many items follow, each of `least` bytes or more: no more than there is room for.
  size_t count(size_t least = sizeof(int64_t));
  std::vector<std::byte> bytes();
  std::string text();
  std::vector<std::string> texts();
  Diagnostic diagnostic();

 private:
  std::span<const std::byte> take(size_t count);
  std::span<const std::byte> in_;
  bool failed_ = false;
};

std::vector<std::byte> encode(const Artifacts& artifacts);
Artifacts decode_artifacts(std::span<const std::byte> bytes);

}  // namespace hlocc::backends
