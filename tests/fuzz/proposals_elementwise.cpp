// Elementwise ops: each opcode whose row says so, by its number of operands, and those that need
// more than operands.
#include "fuzz/proposals.h"
#include "hlo/opcode.h"
#include "hlo/small_float.h"

namespace hlocc::fuzz {
namespace {

struct Row {
  Opcode opcode;
  const char* name;
  int operands;
};

// The plain ones of one and two operands.
std::vector<Row> plain_rows() {
  std::vector<Row> rows;
#define HLOCC_OPCODE(name, text, family, min, max, ...)                           \
  if (hlo::Family::family == hlo::Family::kElementwise && min == max && min <= 2) \
    rows.push_back({Opcode::name, text, min});
#include "hlo/opcodes.def"
  std::erase_if(rows, [](const Row& row) {
    return row.opcode == Opcode::kConvert || row.opcode == Opcode::kCompare ||
           row.opcode == Opcode::kReducePrecision || row.opcode == Opcode::kStochasticConvert;
  });
  return rows;
}

Id convert(Builder& b, PrimitiveType type) {
  const Id x = b.value(type);
  const PrimitiveType to = b.random.of(all_types());
  // What has no meaning in HLO: dropping an imaginary part is `real`.
  if (is_complex(type) && !is_complex(to)) return kNone;
  return b.emit(Opcode::kConvert, {x}, {}, {}, Shape::array(to, b.dims(x)));
}

Id compare(Builder& b, PrimitiveType type) {
  Id x = b.value(type);
  Id y = b.like(x);
  const auto direction = static_cast<hlo::Direction>(b.random.below(6));
  const bool total = !is_complex(type) && b.random.chance(30);
  if (total) x = one_nan(b, x), y = one_nan(b, y);
  return b.emit(Opcode::kCompare, {x, y},
                hlo::CompareAttributes{direction, comparison_type(type, total)});
}

Id select(Builder& b, PrimitiveType type) {
  const Id x = b.value(type);
  const Id y = b.like(x);
  return b.emit(
      Opcode::kSelect,
      {b.value_like(PrimitiveType::kPred, b.random.chance(20) ? Dimensions{} : b.dims(x)), x, y});
}

Id clamp(Builder& b, PrimitiveType type) {
  const Id x = b.value(type);
  const auto bound = [&] {
    return b.value_like(type, b.random.chance(50) ? Dimensions{} : b.dims(x));
  };
  const Id low = bound();
  return b.emit(Opcode::kClamp, {low, x, bound()});
}

Id reduce_precision(Builder& b, PrimitiveType type) {
  if (!is_float(type) || type == PrimitiveType::kF8E8M0FNU) return kNone;
  const int exponent = static_cast<int>(b.random.between(1, 11)),
            mantissa = static_cast<int>(b.random.between(0, 52));
  return b.emit(
      Opcode::kReducePrecision, {b.value(type)},
      hlo::ReducePrecisionAttributes{exponent, b.random.chance(70) ? mantissa % 11 : mantissa});
}

Id stochastic_convert(Builder& b, PrimitiveType type) {
  if (!is_float(type)) return kNone;
  static const std::vector<PrimitiveType> bits = {PrimitiveType::kU4, PrimitiveType::kU8,
                                                  PrimitiveType::kU16, PrimitiveType::kU32,
                                                  PrimitiveType::kU64};
  const PrimitiveType to = b.random.of(all_types());
  if (!is_integer(to) && hlo::small_float_format(to) == nullptr) return kNone;
  const Id x = b.value(type);
  for (PrimitiveType random : bits)
    if (hlo::type_bits(random) == hlo::type_bits(type))
      return b.emit(Opcode::kStochasticConvert, {x, b.value_like(random, b.dims(x))}, {}, {},
                    Shape::array(to, b.dims(x)));
  return kNone;
}

Id map(Builder& b, PrimitiveType type) {
  const Id x = b.value(type, 0, 3);
  const Id y = b.like(x);
  b.begin({Shape::scalar(type), Shape::scalar(type)});
  Id out = b.emit(b.random.chance(50) ? Opcode::kAdd : Opcode::kMultiply, {0, 1});
  if (const Id again = b.emit(Opcode::kSubtract, {out, 0}); again != kNone) out = again;
  const ComputationId mapped = b.finish(out);
  hlo::MapAttributes dimensions;
  for (int d = 0; d < b.rank(x); ++d) dimensions.dimensions.push_back(d);
  return b.emit(Opcode::kMap, {x, y}, dimensions, {mapped});
}

}  // namespace

void add_elementwise(std::vector<Proposal>& rows) {
  for (const Row& row : plain_rows())
    rows.push_back(
        {row.name, 2, [row](Builder& b, PrimitiveType type) {
           // Its cut runs where rounding decides about the side.
           if (row.opcode == Opcode::kAtan2 && is_complex(type)) return kNone;
           const Id x = b.value(type);
           return row.operands == 1 ? b.emit(row.opcode, {x}) : b.emit(row.opcode, {x, b.like(x)});
         }});
  rows.push_back({"convert", 20, convert});
  rows.push_back({"compare", 6, compare});
  rows.push_back({"select", 6, select});
  rows.push_back({"clamp", 4, clamp});
  rows.push_back({"reduce-precision", 2, reduce_precision});
  rows.push_back({"stochastic-convert", 1, stochastic_convert});
  rows.push_back({"map", 2, map});
}

}  // namespace hlocc::fuzz
