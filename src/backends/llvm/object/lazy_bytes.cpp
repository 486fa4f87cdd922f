// See lazy_bytes.h. The kernel hands out pages of zeros when they are first written; reading them
// takes none.
#include "backends/llvm/object/lazy_bytes.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "support/check.h"
#include "support/out_of_memory.h"

namespace hlocc::backends {
namespace {

constexpr size_t kPage = 4096, kFirstCapacity = 1 << 20;

bool all_zero(std::span<const std::byte> bytes) {
  return bytes.empty() || (bytes[0] == std::byte{0} &&
                           std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

}  // namespace

LazyBytes::LazyBytes(LazyBytes&& other) noexcept { *this = std::move(other); }

LazyBytes& LazyBytes::operator=(LazyBytes&& other) noexcept {
  std::swap(begin_, other.begin_);
  std::swap(size_, other.size_);
  std::swap(capacity_, other.capacity_);
  return *this;
}

LazyBytes::~LazyBytes() {
  if (begin_ != nullptr) ::munmap(begin_, capacity_);
}

void LazyBytes::grow(size_t needed) {
  size_t capacity = std::max(capacity_, kFirstCapacity);
  while (capacity < needed) capacity *= 2;
  if (capacity == capacity_) return;
  void* made = begin_ == nullptr ? ::mmap(nullptr, capacity, PROT_READ | PROT_WRITE,
                                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                                 : ::mremap(begin_, capacity_, capacity, MREMAP_MAYMOVE);
  if (made == MAP_FAILED) out_of_memory();
  begin_ = static_cast<std::byte*>(made);
  capacity_ = capacity;
}

void LazyBytes::append(std::span<const std::byte> bytes) {
  grow(size_ + bytes.size());
  // Nothing behind the end was ever written. Blocks end with pages.
  while (!bytes.empty()) {
    const std::span<const std::byte> block =
        bytes.first(std::min(bytes.size(), kPage - size_ % kPage));
    if (!all_zero(block)) std::memcpy(begin_ + size_, block.data(), block.size());
    size_ += block.size();
    bytes = bytes.subspan(block.size());
  }
}

void LazyBytes::overwrite(size_t at, std::span<const std::byte> bytes) {
  HLOCC_CHECK(at + bytes.size() <= size_, "bytes overwritten beyond the end");
  std::memcpy(begin_ + at, bytes.data(), bytes.size());
}

}  // namespace hlocc::backends
