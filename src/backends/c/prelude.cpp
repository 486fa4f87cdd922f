// See prelude.h. Bodies are templates: @T the type, @S its name's end, @U an unsigned type in which
// C computes without overflow.
#include "backends/c/prelude.h"

#include "backends/c/c_text.h"
#include "backends/c/constant_hook.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::OpKind;
using kernel::Scalar;

constexpr unsigned kSigned = 1, kUnsigned = 2, kIndex = 4, kFloat = 8;
constexpr unsigned kWhole = kSigned | kUnsigned, kAll = 15;

struct FunctionRow {
  OpKind kind;
  unsigned classes;
  const char *name, *parameters, *body;
};

constexpr const char* kTwo = "@T a, @T b";
constexpr FunctionRow kFunctions[] = {
    {OpKind::kAdd, kWhole, "add", kTwo, "  return (@T)((@U)a + (@U)b);\n"},
    {OpKind::kSub, kWhole, "sub", kTwo, "  return (@T)((@U)a - (@U)b);\n"},
    {OpKind::kMul, kWhole, "mul", kTwo, "  return (@T)((@U)a * (@U)b);\n"},
    {OpKind::kNeg, kWhole, "neg", "@T a", "  return (@T)(0u - (@U)a);\n"},
    {OpKind::kAnd, kWhole, "and", kTwo, "  return (@T)((@U)a & (@U)b);\n"},
    {OpKind::kOr, kWhole, "or", kTwo, "  return (@T)((@U)a | (@U)b);\n"},
    {OpKind::kXor, kWhole, "xor", kTwo, "  return (@T)((@U)a ^ (@U)b);\n"},
    {OpKind::kNot, kWhole, "not", "@T a", "  return (@T)~(@U)a;\n"},
    {OpKind::kAbs, kSigned, "abs", "@T a", "  return (@T)(a < 0 ? 0u - (@U)a : (@U)a);\n"},
    {OpKind::kAbs, kUnsigned, "abs", "@T a", "  return a;\n"},
    // Kept of 32 bits alone.
    {OpKind::kClz, kWhole, "clz", "@T a",
     "#if defined(__GNUC__) && __SIZEOF_INT__ == 4\n"
     "  return a == 0 ? 32 : (@T)__builtin_clz((@U)a);\n"
     "#else\n"
     "  @U rest = (@U)a;\n"
     "  @T zeros = 32;\n"
     "  for (; rest != 0; rest >>= 1) {\n"
     "    --zeros;\n"
     "  }\n"
     "  return zeros;\n"
     "#endif\n"},
    {OpKind::kNativeDiv, kAll, "div", kTwo, "  return (@T)(a / b);\n"},
    {OpKind::kNativeRem, kWhole | kIndex, "rem", kTwo, "  return (@T)(a % b);\n"},
    {OpKind::kNativeShl, kWhole, "shl", kTwo, "  return (@T)((@U)a << b);\n"},
    {OpKind::kNativeShr, kUnsigned, "shr", kTwo, "  return (@T)((@U)a >> b);\n"},
    {OpKind::kNativeShr, kSigned | kIndex, "shr", kTwo,
     "#if (-1 >> 1) == -1\n"
     "  return (@T)(a >> b);\n"
     "#else\n"
     "  return (@T)(a < 0 ? ~(~a >> b) : a >> b);\n"
     "#endif\n"},
    {OpKind::kNativeMin, kAll, "min", kTwo, "  return a < b ? a : b;\n"},
    {OpKind::kNativeMax, kAll, "max", kTwo, "  return a > b ? a : b;\n"},
    // Kept of f32 alone. What is as large as 2^23 is whole; adding and taking it away rounds the
    // rest.
    {OpKind::kRoundEven, kFloat, "round", "@T a",
     "  const @T large = a < 0 ? -0x1p23f : 0x1p23f;\n"
     "  const @T sum = a + large;\n"
     "  const @T whole = sum - large;\n"
     "  if (!(a > -0x1p23f && a < 0x1p23f) || a == 0) {\n"
     "    return a;\n"
     "  }\n"
     "  return whole == 0 && a < 0 ? -0.0f : whole;\n"},
    {OpKind::kMulAdd, kWhole, "mul_add", "@T a, @T b, @T c",
     "  const @T sum = (@T)((@U)a * (@U)b + (@U)c);\n"
     "  HL_DONE(sum);\n"
     "  return sum;\n"},
    {OpKind::kMulAdd, kFloat, "mul_add", "@T a, @T b, @T c",
     "#ifdef @F\n"
     "  return @B(a, b, c); /* one rounding instead of two, where that is as fast */\n"
     "#else\n"
     "  return a * b + c;\n"
     "#endif\n"},
};

unsigned class_of(Scalar scalar) {
  if (scalar == Scalar::kIndex) return kIndex;
  if (scalar == Scalar::kF32 || scalar == Scalar::kF64) return kFloat;
  return kernel::is_signed(scalar) ? kSigned : kUnsigned;
}

std::string of_scalar(std::string_view text, Scalar scalar) {
  const bool single = scalar == Scalar::kF32;
  return filled(text, [&](char letter) -> std::string {
    switch (letter) {
      case 'T': return value_type(scalar);
      case 'S': return type_suffix(scalar);
      case 'U': return kernel::scalar_bytes(scalar) <= 4 ? "uint32_t" : "uint64_t";
      case 'F': return single ? "__FP_FAST_FMAF" : "__FP_FAST_FMA";
      default: return single ? "__builtin_fmaf" : "__builtin_fma";
    }
  });
}

constexpr const char* kCopy =
    "#ifdef __GNUC__\n"
    "#define HL_COPY __builtin_memcpy\n"
    "#else\n"
    "#include <string.h>\n"
    "#define HL_COPY memcpy\n"
    "#endif\n";

constexpr const char* kLanes =
    "/* Loops over the lanes of a vector. */\n"
    "#if defined(__GNUC__) && !defined(__clang__)\n"
    "#define HL_LANES _Pragma(\"GCC unroll 1\")\n"
    "#elif defined(__clang__)\n"
    "#define HL_LANES _Pragma(\"clang loop unroll(disable)\")\n"
    "#else\n"
    "#define HL_LANES\n"
    "#endif\n";

constexpr const char* kNeon =
    "#if defined(__ARM_NEON) && !defined(__clang__) && defined(__BYTE_ORDER__) && "
    "__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__\n"
    "#include <arm_neon.h>\n"
    "#define HL_NEON 1\n"
    "#endif\n";
// @L: NEON's letter of the type, @W: its wide one, @T the memory's.
constexpr const char* kWidenFour =
    "/* Four bytes as numbers. GCC has no vectors of four bytes; Clang does better without. */\n"
    "static inline void @N(@W *to, const @T *from) {\n"
    "#ifdef HL_NEON\n"
    "  uint32_t word;\n"
    "  (void)HL_COPY(&word, from, 4);\n"
    "  vst1q_@L32(to, vmovl_@L16(vget_low_@L16(vmovl_@L8(vreinterpret_@L8_u32(vdup_n_u32("
    "word))))));\n"
    "#else\n"
    "  for (ptrdiff_t l = 0; l < 4; ++l) {\n"
    "    to[l] = from[l];\n"
    "  }\n"
    "#endif\n"
    "}\n";

constexpr const char* kOneForm =
    "/* Of each function one form is compiled, which calls some of the others. */\n"
    "#ifdef __clang__\n"
    "#pragma clang diagnostic ignored \"-Wunused-function\"\n"
    "#endif\n";

constexpr const char* kKernel =
    "/* Long kernels stay functions of their own, and need not share a caller's registers. */\n"
    "#if defined(__GNUC__) && !defined(__OPTIMIZE_SIZE__)\n"
    "#define HL_KERNEL static __attribute__((noinline))\n"
    "#else\n"
    "#define HL_KERNEL static\n"
    "#endif\n";

constexpr const char* kOneCopy =
    "/* Where size is the aim, what is called from several places stays one function. */\n"
    "#if defined(__GNUC__) && defined(__OPTIMIZE_SIZE__)\n"
    "#define HL_ONE_COPY __attribute__((noinline))\n"
    "#else\n"
    "#define HL_ONE_COPY\n"
    "#endif\n";

constexpr const char* kSums =
    "/* Sums, pointers and a number of each side are all registers: a product is added before "
    "more\n"
    " * is read. */\n"
    "#ifdef __GNUC__\n"
    "#define HL_DONE(sum) __asm__ volatile(\"\" : : \"r\"(sum) : \"memory\")\n"
    "#else\n"
    "#define HL_DONE(sum) (void)(sum)\n"
    "#endif\n";

constexpr const char* kAlias =
    "/* Memory of the arena holds values of several types in turn. */\n"
    "#ifdef __GNUC__\n"
    "#define HL_MAY_ALIAS __attribute__((may_alias))\n"
    "#else\n"
    "#define HL_MAY_ALIAS\n"
    "#endif\n";

// What is chosen as bits is not chosen as floats: Clang 19 takes `a < b ? a : b` of floats for an
// instruction that drops a NaN.
constexpr const char* kHiddenBits =
    "#ifdef __GNUC__\n"
    "  __asm__(\"\" : \"+r\"(bits.to));\n"
    "#endif\n";

}  // namespace

std::string Prelude::function(OpKind kind, Scalar scalar) {
  if (kind == OpKind::kAbs && class_of(scalar) == kFloat) {
    const bool single = scalar == Scalar::kF32;
    const Scalar bits = single ? Scalar::kU32 : Scalar::kU64;
    const std::string name = cat("hl_abs_", type_suffix(scalar));
    functions_[name] =
        cat("static inline ", value_type(scalar), " ", name, "(", value_type(scalar),
            " a) {\n  return ", bit_cast(bits, scalar), "(", bit_cast(scalar, bits), "(a) & ",
            single ? "UINT32_C(0x7fffffff)" : "UINT64_C(0x7fffffffffffffff)", ");\n}\n");
    return name;
  }
  for (const FunctionRow& row : kFunctions) {
    if (row.kind != kind || (row.classes & class_of(scalar)) == 0) continue;
    const std::string name = cat("hl_", row.name, "_", type_suffix(scalar));
    has_sums_ = has_sums_ || (kind == OpKind::kMulAdd && class_of(scalar) != kFloat);
    functions_[name] = of_scalar(
        cat("static inline @T ", name, "(", row.parameters, ") {\n", row.body, "}\n"), scalar);
    return name;
  }
  return "";
}

std::string Prelude::bit_cast(Scalar from, Scalar to) {
  const std::string name = cat("hl_", type_suffix(to), "_of_", type_suffix(from), "_bits");
  // Its name sorts before whatever calls it.
  types_["~" + name] = cat(
      "static inline ", value_type(to), " ", name, "(", value_type(from), " a) {\n  union {\n    ",
      value_type(from), " from;\n    ", value_type(to), " to;\n  } bits;\n  bits.from = a;\n",
      hides_bits_ && class_of(from) == kFloat ? kHiddenBits : "", "  return bits.to;\n}\n");
  return name;
}

std::string Prelude::memory(Scalar scalar) {
  const std::string name = memory_type(scalar);
  if (name.starts_with("hl_"))
    types_[name] = cat("typedef ", value_type(scalar), " HL_MAY_ALIAS ", name, ";\n");
  return name;
}

// Clang 19 makes `a < b || a > b` of floats a comparison that NaN meets, too, on Hexagon.
std::string Prelude::either() {
  functions_["hl_either"] =
      "static inline int hl_either(int a, int b) {\n"
      "#ifdef __GNUC__\n"
      "  __asm__(\"\" : \"+r\"(a));\n"
      "#endif\n"
      "  return a | b;\n"
      "}\n";
  return "hl_either";
}

std::string Prelude::copy() {
  copies_ = true;
  return "HL_COPY";
}

std::string Prelude::from() {
  has_hook_ = true;
  return "HL_FROM";
}

std::string Prelude::at() {
  has_hook_ = true;
  return "HL_AT";
}

std::string Prelude::read(Scalar element) {
  has_hook_ = true;
  constants_[memory(element)] = element;
  return "HL_READ";
}

std::string Prelude::copy_from() {
  has_hook_ = copies_constants_ = true;
  if (!constants_apart_) copy();
  return "HL_COPY_FROM";
}

std::string Prelude::lanes() {
  has_lanes_ = true;
  return "HL_LANES";
}

std::string Prelude::widen_four(Scalar from) {
  has_neon_ = copies_ = true;
  const bool is_signed = kernel::is_signed(from);
  const std::string name = cat("hl_widen_four_", type_suffix(from));
  functions_[name] = filled(kWidenFour, [&](char letter) -> std::string {
    switch (letter) {
      case 'N': return name;
      case 'L': return is_signed ? "s" : "u";
      case 'T': return value_type(from);
      default: return value_type(is_signed ? Scalar::kS32 : Scalar::kU32);
    }
  });
  return name;
}

std::string Prelude::word(WordFunction function, Scalar scalar) {
  has_words_ = copies_ = true;
  const std::string name = word_function_name(function, scalar);
  if (function == WordFunction::kLoad || function == WordFunction::kAligned ||
      function == WordFunction::kStore)
    memory(scalar);
  functions_[name] = word_function_text(function, scalar);
  return name;
}

void Prelude::add_vector_type(const std::string& name, const std::string& text) {
  vector_types_[name] = text;
}

void Prelude::add_vector_function(const std::string& name, const std::string& text) {
  vector_functions_[name] = text;
}

std::string Prelude::aligned() {
  has_words_ = true;
  return "HL_ALIGNED";
}

std::string Prelude::in_order(const char* macro) {
  has_order_ = true;
  return macro;
}

std::string Prelude::kernel() {
  has_kernel_ = true;
  return "HL_KERNEL";
}

std::string Prelude::one_copy() {
  has_one_copy_ = true;
  return "HL_ONE_COPY";
}

std::string Prelude::text() const {
  std::string out;
  if (has_kernel_) out += kKernel;
  if (has_one_copy_) out += kOneCopy;
  if (!vector_types_.empty()) out += vector_head_ + kOneForm;
  if (has_words_) out += kWordHead;
  if (has_order_) out += kInOrder;
  if (has_sums_) out += kSums;
  if (has_neon_) out += kNeon;
  if (has_lanes_) out += kLanes;
  if (copies_) out += kCopy;
  if (!types_.empty() && types_.begin()->first[0] != '~') out += kAlias;
  for (const auto& [name, text] : types_) out += text;
  for (const auto& [name, text] : functions_) out += text;
  for (const auto& [name, text] : vector_types_) out += text;
  for (const auto& [name, text] : vector_functions_) out += text;
  if (has_hook_) out += constant_hook(constants_apart_, constants_, copies_constants_);
  return out;
}

}  // namespace hlocc::backends
