// See float_rules.h. Macros: GCC and Clang say __FAST_MATH__ and __FINITE_MATH_ONLY__, GCC also the
// single rules that -funsafe-math-optimizations gives up, but for old versions, for which there is
// a pragma; __ARM_FP_FAST is ACLE's, _M_FP_FAST Microsoft's. Clang has no macro for the single
// rules, but pragmas; `float_control` knows all of them and is there for some targets only.
#include "backends/c/float_rules.h"

#include "support/text.h"

namespace hlocc::backends {
namespace {

constexpr const char* kExact =
    "\n#if defined(FLT_EVAL_METHOD) && (FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD == 1 || "
    "FLT_EVAL_METHOD == 2)\n"
    "#error \"floats are computed in a wider type: compile with -msse2 -mfpmath=sse, or their "
    "like\"\n"
    "#endif\n"
    "#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__ARM_FP_FAST) || \\\n"
    "    defined(_M_FP_FAST) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ == 1)\n"
    "#error \"floats must be IEEE's: compile with -O3 for -Ofast, and with -fno-fast-math behind "
    "-ffast-math and its like\"\n"
    "#endif\n";

constexpr const char* kAsWritten =
    "#if defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)\n"
    "#error \"floats must be IEEE's: compile without -freciprocal-math and -fno-signed-zeros, or "
    "by "
    "hlocc with --fast-math\"\n"
    "#endif\n"
    "/* Floats are as they are written: sums keep their order, a * b + c is rounded twice. */\n"
    "#if defined(__clang__)\n"
    "#if __clang_major__ >= 18 && (defined(__x86_64__) || defined(__i386__) || \\\n"
    "    defined(__aarch64__) || defined(__riscv))\n"
    "#pragma float_control(precise, on)\n"
    "#endif\n"
    "#if __clang_major__ >= 18\n"
    "#pragma clang fp reassociate(off) reciprocal(off) contract(off)\n"
    "#elif __clang_major__ >= 11\n"
    "#pragma clang fp reassociate(off) contract(off)\n"
    "#else\n"
    "#pragma STDC FP_CONTRACT OFF\n"
    "#endif\n"
    "#elif defined(__GNUC__)\n"
    "#pragma GCC optimize(\"fp-contract=off\", \"no-unsafe-math-optimizations\")\n"
    "#endif\n";

constexpr const char* kNoneFused =
    "#if defined(__GNUC__) && !defined(__clang__) && (defined(__FMA__) || defined(__AVX512F__))\n"
    "/* GCC makes FMADDSUB of products that are added and subtracted, whatever fp-contract says. "
    "*/\n"
    "#pragma GCC optimize(\"no-tree-loop-vectorize\", \"no-tree-slp-vectorize\")\n"
    "#endif\n";

constexpr const char* kFast =
    "/* Sums keep their order. */\n"
    "#if defined(__clang__) && __clang_major__ >= 11\n"
    "#pragma clang fp reassociate(off)\n"
    "#elif defined(__GNUC__)\n"
    "#pragma GCC optimize(\"no-associative-math\")\n"
    "#endif\n";

}  // namespace

const char* const kDoubleConstants =
    "/* Not with -fsingle-precision-constant, which makes floats of them. */\n"
    "typedef char hl_constants_are_doubles[sizeof(1.0) == sizeof(double) ? 1 : -1];\n";

std::string float_rules(bool fast_math, bool subtracts_from_products) {
  if (fast_math) return cat(kExact, kFast);
  return cat(kExact, kAsWritten, subtracts_from_products ? kNoneFused : "");
}

}  // namespace hlocc::backends
