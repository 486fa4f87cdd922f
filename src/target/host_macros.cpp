// See host_macros.h. One row an architecture; extensions of it are asked by their own macros.
#include "target/host_macros.h"

#include <bit>
#include <charconv>
#include <map>

#include "support/text.h"

namespace hlocc {
namespace {

class Macros {
 public:
  explicit Macros(std::string_view text) {
    for (const std::string& line : split(text, '\n')) {
      const std::vector<std::string> words = split(line, ' ');
      if (words.size() >= 2 && words[0] == "#define")
        values_[words[1]] = words.size() > 2 ? words[2] : "";
    }
  }
  bool empty() const { return values_.empty(); }
  bool has(const char* name) const { return values_.contains(name); }
  const std::string& text(const char* name) const {
    static const std::string nothing;
    const auto found = values_.find(name);
    return found == values_.end() ? nothing : found->second;
  }
  // 0 when it is no number.
  int number(const char* name) const {
    const std::string& value = text(name);
    const bool hex = value.starts_with("0x");
    int out = 0;
    std::from_chars(value.data() + (hex ? 2 : 0), value.data() + value.size(), out, hex ? 16 : 10);
    return out;
  }

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

struct Architecture {
  const char *macro, *name;  // as triples spell it
  int scalar_registers;
  bool out_of_order;
};
constexpr Architecture kArchitectures[] = {
    {"__x86_64__", "x86_64", 14, true},
    {"__i386__", "i686", 6, true},
    {"__aarch64__", "aarch64", 28, false},
    {"__arm__", "arm", 12, false},
    {"__s390x__", "s390x", 12, true},
    {"__powerpc64__", "powerpc64", 26, true},
    {"__loongarch64", "loongarch64", 26, false},
    {"__riscv", "riscv", 26, false},
    {"__mips__", "mips", 26, false},
};

// One row a kind of vectors, widest first: bits of a register and how many there are.
struct VectorRow {
  const char* macro;
  int bits, registers;
};
constexpr VectorRow kVectors[] = {
    {"__AVX512F__", 512, 32}, {"__AVX__", 256, 16},         {"__SSE2__", 128, 16},
    {"__ARM_NEON", 128, 32},  {"__loongarch_asx", 256, 32}, {"__loongarch_sx", 128, 32},
    {"__VSX__", 128, 32},
};

void read_vectors(Target& row, const Macros& macros) {
  for (const VectorRow& vectors : kVectors) {
    if (!macros.has(vectors.macro)) continue;
    row.vector_bits = vectors.bits;
    row.vector_registers = vectors.registers;
    break;
  }
  // 32-bit machines have half of them.
  if (row.pointer_bits == 32) row.vector_registers /= 2;
  // In groups of two registers, as in the row riscv64v-linux.
  if (const int bits = macros.number("__riscv_v_min_vlen"); bits != 0) {
    row.vector_bits = 2 * bits;
    row.vector_registers = 15;
  }
  row.style = row.vector_bits > 0 ? KernelStyle::kSimd : KernelStyle::kScalar;
  if (row.vector_bits == 0) row.vector_registers = 16;
}

void read_units(Target& row, const Macros& macros) {
  row.f32_unit = row.f64_unit =
      !macros.has("__SOFTFP__") && !macros.has("_SOFT_FLOAT") && !macros.has("__mips_soft_float");
  if (macros.has("__arm__")) {
    constexpr int kSingle = 4, kDouble = 8;
    row.f32_unit = (macros.number("__ARM_FP") & kSingle) != 0;
    row.f64_unit = (macros.number("__ARM_FP") & kDouble) != 0;
    row.hardware_divide = macros.has("__ARM_FEATURE_IDIV");
  }
  if (macros.has("__riscv")) {
    row.f32_unit = macros.number("__riscv_flen") >= 32;
    row.f64_unit = macros.number("__riscv_flen") >= 64;
    row.hardware_divide = macros.has("__riscv_div");
  }
  row.fma = row.f32_unit && macros.has("__FP_FAST_FMAF");
  row.multiply_by_lane = macros.has("__ARM_NEON");
  row.multiply_by_scalar = macros.has("__riscv_v_min_vlen");
}

}  // namespace

Target host_from_macros(std::string_view text) {
  const Macros macros(text);
  Target row = *preset("host");
  row.triple = "unknown-unknown-unknown";
  row.pointer_bits = static_cast<int>(8 * sizeof(void*));
  row.byte_order = std::endian::native == std::endian::big ? ByteOrder::kBig : ByteOrder::kLittle;
  row.f32_unit = row.f64_unit = true;
  row.vector_registers = 16;
  row = with_caches(row);
  if (macros.empty()) return row;
  if (const int bytes = macros.number("__SIZEOF_POINTER__"); bytes != 0)
    row.pointer_bits = 8 * bytes;
  row.byte_order = macros.text("__BYTE_ORDER__") == "__ORDER_BIG_ENDIAN__" ? ByteOrder::kBig
                                                                           : ByteOrder::kLittle;
  for (const Architecture& one : kArchitectures) {
    if (!macros.has(one.macro)) continue;
    const bool sized = std::string_view(one.name) == "riscv";
    row.triple = cat(one.name, sized ? macros.text("__riscv_xlen") : "", "-unknown-",
                     macros.has("__linux__") ? "linux-gnu" : "unknown");
    row.scalar_registers = one.scalar_registers;
    row.out_of_order = one.out_of_order;
    break;
  }
  read_units(row, macros);
  read_vectors(row, macros);
  return row;
}

}  // namespace hlocc
