// Compiles one kernel for this machine and calls it; the evaluator's answer beside it.
#pragma once
#include <catch2/catch.hpp>
#include <cstdint>
#include <cstring>
#include <vector>

#include "backends/cpu/linked_object.h"
#include "kernel/builder.h"
#include "target/target.h"

namespace hlocc::backends {

// This machine's row, completed once.
const Target& host_target();
// The same as if it had no cache: addresses are made as small cores have them.
const Target& cacheless_target();

// The IR of a kernel before LLVM's passes. A test that asks of a chip completes its row before.
std::string ir_of(const kernel::Kernel& kernel, const Target& target);

// Whether the kernel can be emitted for this machine at all.
Status try_emit(const kernel::Kernel& kernel);

class JitKernel {
 public:
  explicit JitKernel(const kernel::Kernel& kernel, const Target& target = host_target());
  // Up to eight pointers and integers, in the order of the kernel's buffers and parameters.
  void call(const std::vector<uint64_t>& words) const;

 private:
  std::unique_ptr<LinkedObject> object_;
  void* address_ = nullptr;
};

using Buffers = std::vector<std::vector<std::byte>>;

template <typename T>
std::vector<std::byte> to_bytes(const std::vector<T>& values) {
  const auto* begin = reinterpret_cast<const std::byte*>(values.data());
  return {begin, begin + values.size() * sizeof(T)};
}

template <typename T>
std::vector<T> from_bytes(const std::vector<std::byte>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

Buffers run_compiled(const kernel::Kernel& kernel, Buffers buffers,
                     const std::vector<int64_t>& integers = {},
                     const Target& target = host_target());
Buffers run_evaluated(const kernel::Kernel& kernel, Buffers buffers,
                      const std::vector<int64_t>& integers = {});
// Both, and the same bytes, with a cache and without.
void check_agreement(const kernel::Kernel& kernel, const Buffers& buffers,
                     const std::vector<int64_t>& integers = {});

}  // namespace hlocc::backends
