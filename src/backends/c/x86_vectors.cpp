// See x86_vectors.h. Texts are templates: @P an intrinsic's prefix (_mm512), @E the end of its name
// (epi32, epu8, ps), @I the integer register (__m512i), @V the type of the result, @U the same
// without sign, @L the bits of a lane but one.
#include "backends/c/x86_vectors.h"

#include <vector>

#include "backends/c/c_text.h"
#include "backends/c/vector_functions.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::Op;
using kernel::OpKind;
using kernel::Scalar;
using kernel::Type;

constexpr unsigned kX86Signed = 1, kX86Unsigned = 2, kX86Floats = 4;
constexpr unsigned kX86Whole = 3, kX86All = 7;
constexpr unsigned k128 = 1, k256 = 2, k512 = 4;
constexpr unsigned kWide = 6, kAny = 7;
struct X86Row {
  OpKind kind;
  unsigned classes, widths;
  const char* text;
};
constexpr X86Row kX86Rows[] = {
    {OpKind::kAdd, kX86Whole, kAny, "(@V)((@U)a + (@U)b)"},
    {OpKind::kSub, kX86Whole, kAny, "(@V)((@U)a - (@U)b)"},
    {OpKind::kMul, kX86Whole, kAny, "(@V)((@U)a * (@U)b)"},
    {OpKind::kNeg, kX86Whole, kAny, "(@V)(-(@U)a)"},
    {OpKind::kAbs, kX86Signed, kAny, "(@V)(((@U)a ^ (@U)(a >> @L)) - (@U)(a >> @L))"},
    {OpKind::kAdd, kX86Floats, kAny, "a + b"},
    {OpKind::kSub, kX86Floats, kAny, "a - b"},
    {OpKind::kMul, kX86Floats, kAny, "a * b"},
    {OpKind::kDiv, kX86Floats, kAny, "a / b"},
    {OpKind::kNeg, kX86Floats, kAny, "-a"},
    {OpKind::kAbs, kX86Floats, kAny, "(@V)((@U)a & UINT32_C(0x7fffffff))"},
    {OpKind::kAnd, kX86Whole, kAny, "a & b"},
    {OpKind::kOr, kX86Whole, kAny, "a | b"},
    {OpKind::kXor, kX86Whole, kAny, "a ^ b"},
    {OpKind::kNot, kX86Whole, kAny, "~a"},
    // SSE2 has it of a few types.
    {OpKind::kNativeMin, kX86Whole, k128, "(@V)(((@U)(a < b) & (@U)a) | (~(@U)(a < b) & (@U)b))"},
    {OpKind::kNativeMax, kX86Whole, k128, "(@V)(((@U)(a > b) & (@U)a) | (~(@U)(a > b) & (@U)b))"},
    {OpKind::kNativeMin, kX86Whole, kWide, "(@V)@P_min_@E((@I)a, (@I)b)"},
    {OpKind::kNativeMax, kX86Whole, kWide, "(@V)@P_max_@E((@I)a, (@I)b)"},
    {OpKind::kNativeMin, kX86Floats, kAny, "@P_min_ps(a, b)"},
    {OpKind::kNativeMax, kX86Floats, kAny, "@P_max_ps(a, b)"},
    {OpKind::kNativeShl, kX86Whole, kAny, "(@V)((@U)a << (uint32_t)b)"},
    {OpKind::kNativeShr, kX86Whole, kAny, "a >> b"},
    {OpKind::kBitcast, kX86All, kAny, "(@V)a"},
    {OpKind::kNativeConvert, kX86All, kAny, "__builtin_convertvector(a, @V)"},
    {OpKind::kSelect, kX86All, k128, "(@V)(((@U)p & (@U)a) | (~(@U)p & (@U)b))"},
    {OpKind::kSelect, kX86All, k256, "(@V)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)p)"},
    {OpKind::kSelect, kX86Whole, k512, "(@V)_mm512_mask_blend_epi32(p, (__m512i)b, (__m512i)a)"},
    {OpKind::kSelect, kX86Floats, k512, "_mm512_mask_blend_ps(p, b, a)"},
};
// By kernel::Predicate: operators of vectors, masks of the widest.
struct X86Compare {
  const char *plain, *whole, *floats;
};
constexpr X86Compare kX86Compares[] = {
    {"a == b", "eq", "_CMP_EQ_OQ"}, {"a != b", "neq", "_CMP_NEQ_UQ"},
    {"a < b", "lt", "_CMP_LT_OQ"},  {"a <= b", "le", "_CMP_LE_OQ"},
    {"a > b", "gt", "_CMP_GT_OQ"},  {"a >= b", "ge", "_CMP_GE_OQ"},
};

int bits_of(Type type) { return type.lanes * kernel::scalar_bits(type.scalar); }
unsigned width_of(Type type) {
  const int bits = bits_of(type);
  return bits == 128 ? k128 : bits == 256 ? k256 : k512;
}
unsigned x86_class_of(Scalar scalar) {
  if (scalar == Scalar::kF32) return kX86Floats;
  return kernel::is_signed(scalar) ? kX86Signed : kX86Unsigned;
}
std::string prefix_of(int bits) { return bits == 128 ? "_mm" : cat("_mm", bits); }

std::string x86_filled(std::string_view text, Type type) {
  const int lane = kernel::scalar_bits(type.scalar);
  const bool is_signed = kernel::is_signed(type.scalar) || type.scalar == Scalar::kF32;
  return filled(text, [&](char letter) -> std::string {
    switch (letter) {
      case 'P': return prefix_of(bits_of(type));
      case 'E': return cat(is_signed ? "epi" : "epu", lane);
      case 'I': return cat("__m", bits_of(type), "i");
      case 'U': return vector_type(type.with(kernel::unsigned_of_width(lane)));
      case 'L': return cat(lane - 1);
      default: return vector_type(type);
    }
  });
}

}  // namespace

// Those that a row with vectors of so many bits counts on.
std::string x86_head(const Target& target) {
  std::vector<std::string> has{"defined(__GNUC__)"};
  const auto ask = [&](const char* extension) {
    has.push_back(cat("defined(__", extension, "__)"));
  };
  const bool vnni = target.has(Isa::kAvx512Vnni), widest = target.vector_bits >= 512;
  if (widest) ask("AVX512BW");
  if (widest || vnni) ask("AVX512VL");
  if (vnni) ask("AVX512VNNI");
  if (!vnni && target.has(Isa::kAvxVnni)) ask("AVXVNNI");
  if (target.fma) ask("FMA");
  if (!widest) ask(target.vector_bits == 256 ? "AVX2" : target.vector_rounding ? "SSE4_1" : "SSE2");
  return cat(
      "/* Vectors in registers; else structs of lanes, which compilers take long to inline. "
      "*/\n#if ",
      join(has, " && "),
      "\n#include <immintrin.h>\n#define HL_VECTORS 1\n#define HL_VECTOR static inline\n"
      "#elif defined(__GNUC__)\n#define HL_VECTOR static __attribute__((noinline, unused))\n"
      "#else\n#define HL_VECTOR static\n#endif\n");
}

std::string x86_type(Type type, const std::string& name) {
  if (type.scalar == Scalar::kPred && type.lanes == 16) return "__mmask16 " + name;
  const Type held = type.scalar == Scalar::kPred ? type.with(Scalar::kS32) : type;
  return cat(value_type(held.scalar), " ", name, " __attribute__((vector_size(", bits_of(held) / 8,
             ")))");
}

std::string x86_text(const Op& op, Type type, Type from, const Target& target) {
  if (op.kind == OpKind::kCompare) {
    const X86Compare& row =
        kX86Compares[static_cast<size_t>(std::get<kernel::Predicate>(op.payload))];
    if (width_of(from) != k512) return row.plain;
    return from.scalar == Scalar::kF32
               ? cat("_mm512_cmp_ps_mask(a, b, ", row.floats, ")")
               : x86_filled(cat("_mm512_cmp", row.whole, "_@E_mask((__m512i)a, (__m512i)b)"), from);
  }
  if (op.kind == OpKind::kMulAdd && type.scalar == Scalar::kF32)
    return x86_filled(target.fma ? "@P_fmadd_ps(a, b, c)" : "a * b + c", type);
  for (const X86Row& row : kX86Rows)
    if (row.kind == op.kind && (row.classes & x86_class_of(type.scalar)) != 0 &&
        (row.widths & width_of(type)) != 0)
      return x86_filled(row.text, type);
  return "";
}

std::string x86_splat(Type type) {
  if (type.scalar == Scalar::kF32) return x86_filled("@P_set1_ps(number)", type);
  const int lane = kernel::scalar_bits(type.scalar);
  const char* number = lane == 8 ? "char" : lane == 16 ? "short" : "int";
  return x86_filled(cat("(@V)@P_set1_epi", lane, "((", number, ")number)"), type);
}

std::string x86_splat_unit(Type type) { return x86_filled("@P_set1_epi32((int32_t)unit)", type); }

std::string x86_widen(Scalar byte, Type type, const std::string& copy) {
  const bool is_signed = kernel::is_signed(byte);
  if (type.lanes == 4)
    return x86_filled(
        cat("  int32_t word;\n  (void)", copy,
            "(&word, from, 4);\n"
            "  const __m128i bytes = _mm_cvtsi32_si128(word);\n"
            "  const __m128i twice = _mm_unpacklo_epi8(bytes, bytes);\n"
            "  return (@V)_mm_",
            is_signed ? "srai" : "srli", "_epi32(_mm_unpacklo_epi16(twice, twice), 24);\n"),
        type);
  const char* load = type.lanes == 8 ? "_mm_loadl_epi64" : "_mm_loadu_si128";
  return x86_filled(cat("  return (@V)@P_cvtep", is_signed ? "i" : "u", "8_epi32(", load,
                        "((const __m128i *)(const void *)from));\n"),
                    type);
}

std::string x86_narrow(Type from, const Target& target, const std::string& copy) {
  if (from.lanes == 16)
    return "  _mm_storeu_si128((__m128i *)(void *)to, _mm512_cvtepi32_epi8((__m512i)vector));\n";
  if (from.lanes == 8 && target.vector_bits >= 512)
    return "  _mm_storel_epi64((__m128i *)(void *)to, _mm256_cvtepi32_epi8((__m256i)vector));\n";
  if (from.lanes == 8)
    return "  const __m256i low = _mm256_and_si256((__m256i)vector, _mm256_set1_epi32(255));\n"
           "  const __m128i halves =\n"
           "      _mm_packs_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1));\n"
           "  _mm_storel_epi64((__m128i *)(void *)to, _mm_packus_epi16(halves, halves));\n";
  return cat(
      "  const __m128i low = _mm_and_si128((__m128i)vector, _mm_set1_epi32(255));\n"
      "  const __m128i halves = _mm_packs_epi32(low, low);\n"
      "  const int32_t word = _mm_cvtsi128_si32(_mm_packus_epi16(halves, halves));\n  (void)",
      copy, "(to, &word, 4);\n");
}

// Even lanes are multiplied in 64 bits, then odd ones. Of what is shifted by 32 at least the upper
// halves are left; SSE2 multiplies without sign, and what that is too much is in the upper half.
std::string x86_scaled(int lanes) {
  const Type type{Scalar::kS32, static_cast<uint16_t>(lanes)};
  std::string out = "  const @I left = (@I)a, right = (@I)b, half = ";
  out += lanes == 16 ? "_mm512_set1_epi64(rounding);\n" : "@P_set1_epi64x(rounding);\n";
  out += "  const @I odd_left = @P_srli_epi64(left, 32), odd_right = @P_srli_epi64(right, 32);\n";
  if (lanes == 4)
    out +=
        "  const __m128i upper = _mm_set1_epi64x(-INT64_C(4294967296));\n"
        "  const __m128i more = _mm_add_epi32(_mm_and_si128(_mm_srai_epi32(left, 31), right),\n"
        "      _mm_and_si128(_mm_srai_epi32(right, 31), left));\n"
        "  const __m128i even_product =\n"
        "      _mm_sub_epi64(_mm_mul_epu32(left, right), _mm_slli_epi64(more, 32));\n"
        "  const __m128i odd_product =\n"
        "      _mm_sub_epi64(_mm_mul_epu32(odd_left, odd_right), _mm_and_si128(more, upper));\n";
  else
    out +=
        "  const @I even_product = @P_mul_epi32(left, right);\n"
        "  const @I odd_product = @P_mul_epi32(odd_left, odd_right);\n";
  out +=
      "  const @I even = @P_srli_epi64(@P_add_epi64(even_product, half), 32);\n"
      "  const @I odd = @P_add_epi64(odd_product, half);\n";
  out += lanes == 16  ? "  const @V high = (@V)_mm512_mask_blend_epi32(0xaaaa, even, odd);\n"
         : lanes == 8 ? "  const @V high = (@V)_mm256_blend_epi32(even, odd, 0xaa);\n"
                      : "  const @V high = (@V)_mm_or_si128(even, _mm_and_si128(odd, upper));\n";
  return x86_filled(out + "  return high >> (int32_t)(shift - 32);\n", type);
}

// 8: to the nearest, ties to even, without a flag.
std::string x86_round(int lanes) {
  return lanes == 16 ? "_mm512_roundscale_ps(a, 8)" : cat(prefix_of(32 * lanes), "_round_ps(a, 8)");
}

std::string x86_dot(Type sum, Type left, const Target& target) {
  if (left.scalar == Scalar::kS16)
    return x86_filled("(@V)@P_add_epi32((@I)sum, @P_madd_epi16((@I)a, (@I)b))", sum);
  const char* name = target.has(Isa::kAvx512Vnni) ? "dpbusd" : "dpbusd_avx";
  return x86_filled(cat("(@V)@P_", name, "_epi32((@I)sum, (@I)a, (@I)b)"), sum);
}

}  // namespace hlocc::backends
