// Bytes that LLVM writes, in memory of our own: zeros at the end take address space but no memory
// until something is written there. An object with room for a gigabyte of weights costs what its
// code does.
#pragma once
#include <cstddef>
#include <span>

namespace hlocc::backends {

class LazyBytes {
 public:
  LazyBytes() = default;
  LazyBytes(LazyBytes&& other) noexcept;
  LazyBytes& operator=(LazyBytes&& other) noexcept;
  ~LazyBytes();

  void append(std::span<const std::byte> bytes);
  void overwrite(size_t at, std::span<const std::byte> bytes);
  size_t size() const { return size_; }
  operator std::span<const std::byte>() const { return {begin_, size_}; }

 private:
  void grow(size_t needed);

  std::byte* begin_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
};

}  // namespace hlocc::backends
