// See vector_functions.h. What is computed lane by lane stands in vector_rows.h.
#include "backends/c/vector_functions.h"

#include "backends/c/expression.h"
#include "backends/c/vector_rows.h"
#include "backends/c/x86_vectors.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::Op;
using kernel::OpKind;
using kernel::Scalar;
using kernel::Type;

constexpr const char* kMveHead =
    "/* Vectors of 128 bits, in registers; else structs of lanes. */\n"
    "#if defined(__ARM_FEATURE_MVE) && __ARM_FEATURE_MVE == 3 && !defined(__ARM_BIG_ENDIAN)\n"
    "#include <arm_mve.h>\n"
    "#define HL_VECTORS 1\n"
    "#endif\n";
constexpr const char* kNeonHead =
    "/* Vectors of 128 bits, in registers; else structs of lanes. */\n"
    "#if defined(__ARM_NEON) && defined(__aarch64__) && !defined(__ARM_BIG_ENDIAN)\n"
    "#include <arm_neon.h>\n"
    "#define HL_VECTORS 1\n"
    "#endif\n";

// Of four, eight or sixteen lanes.
const char* number_of_lanes(Type type) {
  return type.lanes == 4 ? "four" : type.lanes == 8 ? "eight" : "sixteen";
}

std::string name_of(const char* name, Type type) {
  return cat("hl_", name, "_", type_suffix(type.scalar), "x", type.lanes);
}

// Bytes lie as numbers without sign do.
std::string without_sign(Type type) {
  return type.scalar == Scalar::kS32 ? "vreinterpretq_u32_s32(vector)" : "vector";
}

// The compiler's own: int32x4_t.
std::string register_type(Type type) {
  const char* kind = type.scalar == Scalar::kF32      ? "float"
                     : kernel::is_signed(type.scalar) ? "int"
                                                      : "uint";
  return cat(kind, kernel::scalar_bits(type.scalar), "x", type.lanes, "_t");
}

}  // namespace

std::string vector_type(Type type) {
  return type.scalar == Scalar::kPred ? cat("hl_pred_x", type.lanes)
                                      : cat("hl_", type_suffix(type.scalar), "x", type.lanes);
}

bool has_vector_function(OpKind kind, Type type, Type from) {
  if (kind == OpKind::kCompare) return from.scalar == Scalar::kF32 || from.scalar == Scalar::kS32;
  const VectorRow* row = vector_row(kind, type);
  if (row == nullptr || type.scalar == Scalar::kPred) return false;
  if (kind == OpKind::kBitcast) return type.lanes == from.lanes && from.scalar != type.scalar;
  const bool words = kernel::scalar_bits(type.scalar) == 32;
  return words || (kind != OpKind::kSelect && kind != OpKind::kMul);
}

VectorFunctions::VectorFunctions(const Target& target, Prelude& prelude)
    : target_(target), prelude_(prelude), unit_(vector_unit(target)) {
  prelude.set_vector_head(unit_ == VectorUnit::kX86   ? x86_head(target)
                          : unit_ == VectorUnit::kMve ? kMveHead
                                                      : kNeonHead);
}

std::string VectorFunctions::type(Type type) {
  const std::string name = vector_type(type),
                    lane = type.scalar == Scalar::kPred ? "_Bool" : value_type(type.scalar);
  const std::string held = unit_ == VectorUnit::kX86      ? x86_type(type, name)
                           : type.scalar != Scalar::kPred ? cat(register_type(type), " ", name)
                           : unit_ == VectorUnit::kMve    ? "mve_pred16_t " + name
                                                          : "uint32x4_t " + name;
  prelude_.add_vector_type(
      name, cat("#ifdef HL_VECTORS\ntypedef ", held, ";\n#else\ntypedef struct {\n  ", lane,
                " lane[", type.lanes, "];\n} ", name, ";\n#endif\n"));
  return name;
}

std::string VectorFunctions::add(const std::string& name, const std::string& head,
                                 const std::string& unit, const std::string& portable) {
  prelude_.add_vector_function(
      name, cat(unit_ == VectorUnit::kX86 ? "HL_VECTOR " : "static inline ", head,
                " {\n#ifdef HL_VECTORS\n", unit, "#else\n", portable, "#endif\n}\n"));
  return name;
}

std::string VectorFunctions::by_lanes(Type type, const std::string& lane) {
  return cat("  ", vector_type(type), " out;\n  for (ptrdiff_t l = 0; l < ", type.lanes,
             "; ++l) {\n    out.lane[l] = ", lane, ";\n  }\n  return out;\n");
}

std::string VectorFunctions::of(const Op& op, Type type, Type from) {
  const bool mve = unit_ == VectorUnit::kMve, x86 = unit_ == VectorUnit::kX86;
  const bool compares = op.kind == OpKind::kCompare;
  const bool shifts = op.kind == OpKind::kNativeShl || op.kind == OpKind::kNativeShr;
  const VectorRow* row = compares ? nullptr : vector_row(op.kind, type);
  std::string name, unit;
  if (compares) {
    const VectorCompareRow& compare = vector_compare(std::get<kernel::Predicate>(op.payload));
    name = name_of(compare.name, from);
    unit = with_types(mve ? compare.mve : compare.neon, type, from);
  } else {
    name = name_of(row->name, type);
    if (op.kind == OpKind::kBitcast || op.kind == OpKind::kNativeConvert)
      name += cat("_of_", type_suffix(from.scalar));
    unit = with_types(mve && row->mve != nullptr ? row->mve : row->neon, type, from);
  }
  if (x86) {
    unit = x86_text(op, type, from, target_);
    if (!compares) this->type(type.with(kernel::unsigned_of_width(scalar_bits(type.scalar))));
  }
  std::vector<std::string> parameters;
  std::vector<Code> lanes;
  std::vector<Type> types;
  const bool selects = op.kind == OpKind::kSelect;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const char letter = selects ? "pab"[i] : "abc"[i];
    const Type one = selects && i == 0 ? type.with(Scalar::kPred) : from;
    const bool amount = shifts && i == 1;
    parameters.push_back(
        cat(amount ? value_type(type.scalar) : this->type(one), " ", std::string(1, letter)));
    lanes.push_back({amount ? std::string(1, letter) : cat(letter, ".lane[l]")});
    types.push_back(one.scalar_type());
  }
  const Code lane = expression({op, type.scalar_type(), types, lanes, target_, prelude_});
  return add(name, cat(this->type(type), " ", name, "(", join(parameters, ", "), ")"),
             cat("  return ", unit, ";\n"), by_lanes(type, lane.text));
}

std::string VectorFunctions::splat(Type type) {
  const std::string name = name_of("splat", type);
  return add(name, cat(this->type(type), " ", name, "(", value_type(type.scalar), " number)"),
             unit_ == VectorUnit::kX86
                 ? cat("  return ", x86_splat(type), ";\n")
                 : cat("  return vdupq_n_", type_suffix(type.scalar), "(number);\n"),
             by_lanes(type, "number"));
}

// Memory of the arena holds values of several types in turn, aligned to one.
std::string VectorFunctions::load(Type type) {
  const std::string name = name_of("load", type), memory = prelude_.memory(type.scalar);
  const std::string held = this->type(type);
  prelude_.add_vector_type(held + "_memory",
                           cat("#ifdef HL_VECTORS\ntypedef ", held, " ", held,
                               "_memory __attribute__((may_alias, aligned(",
                               kernel::scalar_bytes(type.scalar), ")));\n#endif\n"));
  return add(name, cat(held, " ", name, "(const ", memory, " *from)"),
             cat("  return *(const ", held, "_memory *)(const void *)from;\n"),
             by_lanes(type, "from[l]"));
}

std::string VectorFunctions::store(Type type) {
  load(type);
  const std::string name = name_of("store", type), held = this->type(type);
  return add(name,
             cat("void ", name, "(", prelude_.memory(type.scalar), " *to, ", held, " vector)"),
             cat("  *(", held, "_memory *)(void *)to = vector;\n"),
             cat("  for (ptrdiff_t l = 0; l < ", type.lanes,
                 "; ++l) {\n    to[l] = vector.lane[l];\n  }\n"));
}

std::string VectorFunctions::insert(Type type) {
  const std::string name = name_of("insert", type), held = this->type(type);
  return add(
      name,
      cat(held, " ", name, "(", held, " vector, ", value_type(type.scalar), " number, int lane)"),
      "  vector[lane] = number;\n  return vector;\n",
      "  vector.lane[lane] = number;\n  return vector;\n");
}

std::string VectorFunctions::extract(Type type) {
  const std::string name = name_of("lane", type), held = this->type(type);
  return add(name, cat(value_type(type.scalar), " ", name, "(", held, " vector, int lane)"),
             "  return vector[lane];\n", "  return vector.lane[lane];\n");
}

std::string VectorFunctions::widen(Scalar byte, Type type) {
  const std::string from = type_suffix(byte), letter = from.substr(0, 1);
  const std::string name = cat("hl_widen_", number_of_lanes(type), "_", from);
  // As a float Clang brings the four bytes into a vector register at once, as a number by way of
  // another one; GCC the other way round.
  const auto widened = [&](const std::string& word, const std::string& bytes) {
    return cat("  ", word, " word;\n  (void)", prelude_.copy(),
               "(&word, from, 4);\n  return vmovl_", letter, "16(vget_low_", letter, "16(vmovl_",
               from, "(", bytes, ")));\n");
  };
  const std::string neon = cat(
      "#ifdef __clang__\n", widened("float", cat("vreinterpret_", from, "_f32(vdup_n_f32(word))")),
      "#else\n", widened("uint32_t", cat("vcreate_", from, "(word)")), "#endif\n");
  return add(name, cat(this->type(type), " ", name, "(const ", value_type(byte), " *from)"),
             unit_ == VectorUnit::kX86 ? x86_widen(byte, type, prelude_.copy())
             : unit_ == VectorUnit::kMve
                 ? cat("  return vldrbq_", type_suffix(type.scalar), "(from);\n")
                 : neon,
             by_lanes(type, "from[l]"));
}

std::string VectorFunctions::narrow(Scalar byte, Type type) {
  const std::string to = type_suffix(byte), from = type_suffix(type.scalar);
  const std::string name = cat("hl_narrow_", number_of_lanes(type), "_", to, "_of_", from);
  const std::string neon = cat(
      "  const uint16x4_t halves = vmovn_u32(", without_sign(type),
      ");\n  const uint8x8_t bytes = vmovn_u16(vcombine_u16(halves, halves));\n  const uint32_t "
      "word = vget_lane_u32(vreinterpret_u32_u8(bytes), 0);\n  (void)",
      prelude_.copy(), "(to, &word, 4);\n");
  return add(
      name, cat("void ", name, "(", value_type(byte), " *to, ", this->type(type), " vector)"),
      unit_ == VectorUnit::kX86   ? x86_narrow(type, target_, prelude_.copy())
      : unit_ == VectorUnit::kMve ? cat("  vstrbq_u32((uint8_t *)to, ", without_sign(type), ");\n")
                                  : neon,
      cat("  for (ptrdiff_t l = 0; l < ", type.lanes, "; ++l) {\n    to[l] = (", value_type(byte),
          ")vector.lane[l];\n  }\n"));
}

std::string VectorFunctions::low(Scalar byte, Type type) {
  const std::string name = cat(name_of("low", type), "_", type_suffix(byte)),
                    held = this->type(type), byte_type = value_type(byte);
  const std::string numbers = this->type(type.with(Scalar::kU32));
  const bool is_signed = kernel::is_signed(type.scalar), x86 = unit_ == VectorUnit::kX86;
  const std::string unit =
      !x86 ? (is_signed ? "vshrq_n_s32(vshlq_n_s32(a, 24), 24)" : "vandq_u32(a, vdupq_n_u32(255))")
      : is_signed ? cat("(", held, ")((", numbers, ")a << 24) >> 24")
                  : "a & 255u";
  return add(name, cat(held, " ", name, "(", held, " a)"), cat("  return ", unit, ";\n"),
             by_lanes(type, cat("(", byte_type, ")a.lane[l]")));
}

std::string VectorFunctions::eight(Scalar byte) {
  const Type type{Scalar::kU16, 8};
  const std::string name = cat("hl_eight_", type_suffix(byte));
  return add(name, cat(this->type(type), " ", name, "(const ", value_type(byte), " *from)"),
             "  return vldrbq_u16((const uint8_t *)from);\n", by_lanes(type, "(uint8_t)from[l]"));
}

std::string VectorFunctions::scatter(Scalar byte, Type type) {
  const std::string to = type_suffix(byte), from = type_suffix(type.scalar);
  const std::string name = cat("hl_scatter_", number_of_lanes(type), "_", to, "_of_", from);
  const std::string bits = type.scalar == Scalar::kU16 ? "u16" : "u32";
  return add(name,
             cat("void ", name, "(", value_type(byte), " *to, uint16_t stride, ", this->type(type),
                 " vector)"),
             cat("  vstrbq_scatter_offset_", bits, "((uint8_t *)to, vmulq_n_", bits, "(vidupq_n_",
                 bits, "(0, 1), stride), ", without_sign(type), ");\n"),
             cat("  for (ptrdiff_t l = 0; l < ", type.lanes, "; ++l) {\n    to[stride * l] = (",
                 value_type(byte), ")vector.lane[l];\n  }\n"));
}

std::string VectorFunctions::mul_add_by(Type type) {
  Op op;
  op.kind = OpKind::kMulAdd;
  const std::string name = name_of("mul_add_by", type), held = this->type(type);
  const Code lanes[] = {{"number"}, {"b.lane[l]"}, {"c.lane[l]"}};
  const Type one = type.scalar_type(), types[] = {one, one, one};
  const Code lane = expression({op, one, types, lanes, target_, prelude_});
  return add(name, cat(held, " ", name, "(float number, ", held, " b, ", held, " c)"),
             "  return vfmaq_n_f32(c, b, number);\n", by_lanes(type, lane.text));
}

std::string VectorFunctions::round(Type type) {
  const std::string name = name_of("round", type), held = this->type(type);
  return add(
      name, cat(held, " ", name, "(", held, " a)"),
      cat("  return ", unit_ == VectorUnit::kX86 ? x86_round(type.lanes) : "vrndnq_f32(a)", ";\n"),
      by_lanes(type, prelude_.function(OpKind::kRoundEven, Scalar::kF32) + "(a.lane[l])"));
}

std::string VectorFunctions::saturate(Type type) {
  const std::string suffix = type_suffix(type.scalar);
  const std::string name = name_of("saturate", type), held = this->type(type);
  const bool is_signed = kernel::is_signed(type.scalar);
  const char* least = is_signed ? "-0x1p31f" : "0.0f";
  const char* most = is_signed ? "0x1p31f" : "0x1p32f";
  const char* low = is_signed ? "INT32_MIN" : "0";
  const char* high = is_signed ? "INT32_MAX" : "UINT32_MAX";
  return add(name, cat(held, " ", name, "(", this->type({Scalar::kF32, 4}), " a)"),
             cat("  return vcvtq_", suffix, "_f32(a);\n"),
             by_lanes(type, cat("a.lane[l] < ", most, " ? (a.lane[l] > ", least, " ? (",
                                value_type(type.scalar), ")a.lane[l] : ", low,
                                ") : a.lane[l] >= ", most, " ? ", high, " : 0")));
}

std::string VectorFunctions::dot(Type type) {
  const std::string name = name_of("dot", type), held = this->type(type);
  const bool is_signed = kernel::is_signed(type.scalar);
  return add(name, cat("int32_t ", name, "(int32_t sum, ", held, " a, ", held, " b)"),
             cat("  return (int32_t)vmladavaq_", type_suffix(type.scalar), "(",
                 is_signed ? "" : "(uint32_t)", "sum, a, b);\n"),
             "  uint32_t total = (uint32_t)sum;\n"
             "  for (ptrdiff_t l = 0; l < 16; ++l) {\n"
             "    total += (uint32_t)((int32_t)a.lane[l] * b.lane[l]);\n"
             "  }\n"
             "  return (int32_t)total;\n");
}

// Bytes or halves as they lie in memory.
std::string VectorFunctions::unit() {
  const std::string name = "hl_unit", text = cat("  uint32_t unit;\n  (void)", prelude_.copy(),
                                                 "(&unit, from, 4);\n  return unit;\n");
  return add(name, cat("uint32_t ", name, "(const void *from)"), text, text);
}

std::string VectorFunctions::spread_unit(Type type) {
  const std::string name = name_of("spread_unit", type), held = this->type(type);
  const std::string element = value_type(type.scalar);
  const int group = 32 / kernel::scalar_bits(type.scalar);
  return add(name, cat(held, " ", name, "(uint32_t unit)"),
             cat("  return (", held, ")", x86_splat_unit(type), ";\n"),
             cat("  ", element, " one[", group, "];\n  (void)", prelude_.copy(),
                 "(one, &unit, 4);\n", by_lanes(type, cat("one[l % ", group, "]"))));
}

std::string VectorFunctions::dot_units(Type sum, Type left, Type right) {
  const std::string name = cat(name_of("dot", sum), "_", type_suffix(left.scalar), "_",
                               type_suffix(right.scalar)),
                    held = this->type(sum);
  const int group = left.lanes / sum.lanes;
  return add(
      name,
      cat(held, " ", name, "(", held, " sum, ", this->type(left), " a, ", this->type(right), " b)"),
      cat("  return ", x86_dot(sum, left, target_), ";\n"),
      cat("  for (ptrdiff_t l = 0; l < ", left.lanes, "; ++l) {\n    sum.lane[l / ", group,
          "] = (int32_t)((uint32_t)sum.lane[l / ", group,
          "] + (uint32_t)((int32_t)a.lane[l] * b.lane[l]));\n  }\n  return sum;\n"));
}

std::string VectorFunctions::scaled(Type type) {
  const std::string name = name_of("scaled", type), held = this->type(type);
  return add(
      name, cat(held, " ", name, "(", held, " a, ", held, " b, int64_t rounding, int64_t shift)"),
      unit_ == VectorUnit::kX86
          ? x86_scaled(type.lanes)
          : "  const int64x2_t low = vmull_s32(vget_low_s32(a), vget_low_s32(b));\n"
            "  const int64x2_t high = vmull_high_s32(a, b);\n"
            "  const int64x2_t half = vdupq_n_s64(rounding);\n"
            "  return vcombine_s32(vmovn_s64((low + half) >> shift), vmovn_s64((high + half) "
            ">> shift));\n",
      by_lanes(type, cat("(int32_t)", prelude_.function(OpKind::kNativeShr, Scalar::kS64),
                         "((int64_t)a.lane[l] * b.lane[l] + rounding, shift)")));
}

}  // namespace hlocc::backends
