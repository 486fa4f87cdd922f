// Small kernels by name, for digests of what backends make of them: each stands on one side of a
// condition of an emitter, for the chips on both sides of it.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "kernel/builder.h"

namespace hlocc::backends {

inline constexpr const char *kM3 = "cortex-m3", *kM4 = "cortex-m4", *kM55 = "cortex-m55",
                            *kA53 = "cortex-a53", *kHvx = "hexagon-v67-hvx", *kX86 = "x86_64-linux",
                            *kRv32 = "rv32imc";

struct KernelForm {
  std::string name;
  std::vector<const char*> chips;
  std::function<void(kernel::Builder&)> make;
  kernel::Choice choice = {};  // what lowering says of the kernel
};

// Adds what each form becomes to a line of golden/NAME.txt (support/digests.h): one line for the
// chips that are served alike.
using Serve = std::function<std::string(const kernel::Kernel&, const std::string& chip)>;
void add_forms(const std::string& name, const std::vector<KernelForm>& forms, const Serve& serve);
// The same for these chips.
void add_forms(const std::string& name, std::vector<KernelForm> forms,
               const std::vector<const char*>& chips, const Serve& serve);

std::vector<KernelForm> access_forms();
std::vector<KernelForm> address_forms();
std::vector<KernelForm> value_forms();
std::vector<KernelForm> product_forms();

// Buffers x and y of a form: what it reads, and what it writes.
inline kernel::BufferId x_of(kernel::Builder& b, kernel::Scalar element, int alignment = 0,
                             int64_t elements = 4096) {
  return b.buffer({.name = "x", .element = element, .elements = elements, .alignment = alignment});
}
inline kernel::BufferId y_of(kernel::Builder& b, kernel::Scalar element, int alignment = 0,
                             int64_t elements = 1 << 20) {
  return b.buffer({.name = "y",
                   .element = element,
                   .elements = elements,
                   .direction = kernel::Direction::kInOut,
                   .alignment = alignment});
}

}  // namespace hlocc::backends
