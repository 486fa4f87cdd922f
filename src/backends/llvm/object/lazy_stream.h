// LLVM's output stream into LazyBytes.
#pragma once
#include "backends/llvm/object/lazy_bytes.h"
#include "llvm/Support/raw_ostream.h"

namespace hlocc::backends {

class LazyStream : public llvm::raw_pwrite_stream {
 public:
  LazyStream() { SetBufferSize(1 << 16); }
  ~LazyStream() override { flush(); }

  LazyBytes take() {
    flush();
    return std::move(bytes_);
  }

 private:
  static std::span<const std::byte> as_bytes(const char* begin, size_t size) {
    return {reinterpret_cast<const std::byte*>(begin), size};
  }
  void write_impl(const char* begin, size_t size) override { bytes_.append(as_bytes(begin, size)); }
  void pwrite_impl(const char* begin, size_t size, uint64_t at) override {
    flush();
    bytes_.overwrite(at, as_bytes(begin, size));
  }
  uint64_t current_pos() const override { return bytes_.size(); }

  LazyBytes bytes_;
};

}  // namespace hlocc::backends
