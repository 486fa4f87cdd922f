// This machine's row out of a C compiler's macros.
#include "target/host_macros.h"

#include <catch2/catch.hpp>

namespace hlocc {
namespace {

TEST_CASE("x86-64 by its widest vectors") {
  const std::string base =
      "#define __x86_64__ 1\n#define __linux__ 1\n#define __SIZEOF_POINTER__ 8\n"
      "#define __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__\n#define __SSE2__ 1\n";
  const Target plain = host_from_macros(base);
  CHECK(plain.triple == "x86_64-unknown-linux-gnu");
  CHECK((plain.vector_bits == 128 && plain.vector_registers == 16 && !plain.fma));
  CHECK((plain.style == KernelStyle::kSimd && plain.f64_unit && plain.has_cache()));
  const Target avx = host_from_macros(base + "#define __AVX__ 1\n#define __FP_FAST_FMAF 1\n");
  CHECK((avx.vector_bits == 256 && avx.fma));
  CHECK(host_from_macros(base + "#define __AVX__ 1\n#define __AVX512F__ 1\n").vector_bits == 512);
}

TEST_CASE("Arm with and without units") {
  const std::string base =
      "#define __arm__ 1\n#define __linux__ 1\n#define __SIZEOF_POINTER__ 4\n"
      "#define __BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__\n";
  const Target soft = host_from_macros(base);
  CHECK((soft.pointer_bits == 32 && !soft.f32_unit && !soft.hardware_divide));
  CHECK((soft.vector_bits == 0 && soft.style == KernelStyle::kScalar));
  const Target single = host_from_macros(base + "#define __ARM_FP 4\n");
  CHECK((single.f32_unit && !single.f64_unit));
  const Target neon = host_from_macros(base +
                                       "#define __ARM_FP 0xe\n#define __ARM_NEON 1\n"
                                       "#define __ARM_FEATURE_IDIV 1\n");
  CHECK((neon.f64_unit && neon.hardware_divide && neon.multiply_by_lane));
  CHECK((neon.vector_bits == 128 && neon.vector_registers == 16));
}

TEST_CASE("RISC-V by its extensions, big-endian machines by their order") {
  const Target riscv = host_from_macros(
      "#define __riscv 1\n#define __riscv_xlen 64\n#define __linux__ 1\n#define __riscv_div 1\n"
      "#define __riscv_flen 32\n#define __riscv_v_min_vlen 128\n");
  CHECK(riscv.triple == "riscv64-unknown-linux-gnu");
  CHECK((riscv.f32_unit && !riscv.f64_unit && riscv.hardware_divide));
  CHECK((riscv.vector_bits == 256 && riscv.vector_registers == 15));
  const Target big =
      host_from_macros("#define __s390x__ 1\n#define __BYTE_ORDER__ __ORDER_BIG_ENDIAN__\n");
  CHECK(big.byte_order == ByteOrder::kBig);
  CHECK(big.pointer_bits == 8 * sizeof(void*));  // no macro says otherwise
  CHECK(big.triple == "s390x-unknown-unknown");
}

TEST_CASE("without a compiler the row is this program's, and scalar") {
  const Target row = host_from_macros("");
  CHECK((row.pointer_bits == 8 * sizeof(void*) && row.vector_bits == 0 && row.name == "host"));
  CHECK(host_from_macros("no macros here\n").style == KernelStyle::kScalar);
}

TEST_CASE("lines that define nothing are passed over, and names without a value count") {
  const Target row = host_from_macros("#define\n#undef __x86_64__\n\n#define __riscv\n");
  CHECK(row.triple == "riscv-unknown-unknown");
}

}  // namespace
}  // namespace hlocc
