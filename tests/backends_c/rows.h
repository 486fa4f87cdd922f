// Rows that stand on both sides of each condition of C's writer, and a kernel as C for them.
#pragma once
#include "backends/c/compile.h"
#include "backends/c/kernel_writer.h"
#include "backends/c/prelude.h"
#include "support/text.h"

namespace hlocc::backends {

inline Target x86_row_of_c(int bits, IsaSet isa) {
  Target row = *preset("x86_64-linux");
  row.name = cat("x86-", bits, isa.contains(Isa::kAvxVnni) ? "-fours" : "",
                 isa.contains(Isa::kAvx512Vnni) ? "-wide" : "");
  row.vector_bits = bits;
  row.isa = isa;
  row.vector_scaling = true;
  row.vector_rounding = bits > 128;
  return row;
}

// One that differs from another a little.
template <typename Change>
Target changed_row(const char* chip, const char* name, const Change& change) {
  Target row = *preset(chip);
  change(row);
  row = target_for_c(row);
  row.name = name;
  return row;
}

inline std::vector<Target> rows_of_c() {
  using enum Isa;
  std::vector<Target> out = {
      x86_row_of_c(64, {kSse2}),
      x86_row_of_c(128, {kSse2}),
      x86_row_of_c(256, {kSse2}),
      x86_row_of_c(256, {kSse2, kAvx2}),
      x86_row_of_c(256, {kSse2, kAvx2, kAvxVnni}),
      x86_row_of_c(256, {kSse2, kAvx2, kAvxVnni, kAvx512Vnni}),
      x86_row_of_c(512, {kSse2, kAvx2, kAvxVnni, kAvx512Vnni}),
      changed_row("cortex-m55", "no-vectors", [](Target& row) { row.vector_bits = 0; }),
      changed_row("cortex-a53", "few", [](Target& row) { row.vector_registers = 31; }),
      changed_row("cortex-a53", "big", [](Target& row) { row.byte_order = ByteOrder::kBig; }),
      changed_row("cortex-a53", "apart", [](Target& row) { row.constants_apart = true; })};
  for (const char* chip : {"cortex-m3", "cortex-m4", "cortex-m55", "cortex-a53", "armv7-linux",
                           "avr-mega2560", "hexagon-v67-hvx", "riscv64-linux"})
    out.push_back(target_for_c(*preset(chip)));
  return out;
}

// The kernel behind the helpers that it calls, or why there is none.
inline std::string with_helpers(const kernel::Kernel& kernel, const Target& target,
                                std::vector<bool> unshared = {}, std::vector<Held> held = {},
                                bool again = false) {
  Prelude prelude(target.constants_apart, target.has(Isa::kHexagon));
  const auto math = [](kernel::OpKind kind, kernel::Scalar) { return cat("f_", op_name(kind)); };
  const Result<std::string> made = write_kernel(
      kernel, {kernel.name, std::move(unshared), std::move(held), target, prelude, math, again});
  return made ? cat(prelude.text(), *made) : made.error().message + "\n";
}

}  // namespace hlocc::backends
