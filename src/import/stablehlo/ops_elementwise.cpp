// Operations that compute each element by itself, and constants.
#include <algorithm>
#include <charconv>

#include "import/stablehlo/dense.h"
#include "import/stablehlo/ops.h"
#include "support/text.h"

namespace hlocc::import::stablehlo::ops {
namespace {

// #stablehlo.result_accuracy<atol = 0.0, rtol = 0.0, ulps = 0, mode = HIGHEST>
hlo::ResultAccuracyAttributes accuracy(const Op& op) {
  constexpr std::string_view kModes[] = {"DEFAULT", "HIGHEST"};
  hlo::ResultAccuracyAttributes out;
  if (!op.attributes.has("result_accuracy")) return out;
  const Fields fields = op.attributes.fields("result_accuracy");
  for (const char* name : {"atol", "rtol"})
    if (fields.has(name)) (name[0] == 'a' ? out.atol : out.rtol) = fields.real(name);
  out.ulps = fields.integer("ulps", 0);
  if (const std::string mode = fields.word("mode", "DEFAULT"); mode != "TOLERANCE")
    out.mode = static_cast<int>(fields.one_of("mode", kModes, "DEFAULT"));
  fields.finish();
  return out;
}

}  // namespace

InstructionId plain(const Op& op) { return op.b.add(op.opcode, op.ins()); }

InstructionId math(const Op& op) { return op.b.add(op.opcode, op.ins(), accuracy(op)); }

InstructionId compare(const Op& op) {
  constexpr std::string_view kDirections[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  constexpr std::string_view kTypes[] = {"FLOAT", "TOTALORDER", "SIGNED", "UNSIGNED"};
  const auto direction =
      static_cast<hlo::Direction>(op.attributes.one_of("comparison_direction", kDirections));
  if (!op.has_inputs(2)) return 0;
  const std::string type = op.attributes.word("compare_type", "NOTYPE");
  if (type == "NOTYPE") return op.b.compare(op.in(0), op.in(1), direction);
  const auto how = static_cast<hlo::ComparisonType>(op.attributes.one_of("compare_type", kTypes));
  return op.b.add(Opcode::kCompare, op.ins(), hlo::CompareAttributes{direction, how});
}

// One truth value may choose between arrays.
InstructionId select(const Op& op) {
  if (!op.has_inputs(3)) return 0;
  InstructionId which = op.in(0);
  if (op.rank(0) == 0) which = op.b.broadcast(which, op.sizes(1), {});
  return op.b.select(which, op.in(1), op.in(2));
}

InstructionId convert(const Op& op) {
  return op.has_inputs(1) ? op.b.convert(op.in(0), op.out().element_type) : 0;
}

InstructionId bitcast_convert(const Op& op) {
  return op.b.add(Opcode::kBitcastConvert, op.ins(), {}, {}, op.out());
}

// format = e5m10, or two numbers.
InstructionId reduce_precision(const Op& op) {
  hlo::ReducePrecisionAttributes how;
  if (op.attributes.has("format")) {
    const std::string format = op.attributes.word("format");
    const std::string_view text = format;  // empty behind a failure alone
    const size_t m = std::min(text.find('m'), text.size() - 1);
    const auto number = [&](std::string_view digits) {
      int value = 0;
      const auto [end, failure] =
          std::from_chars(digits.data(), digits.data() + digits.size(), value);
      if (failure != std::errc() || end != digits.data() + digits.size())
        op.attributes.refuse("format", cat("is ", format, ", not e5m10 or the like"));
      return value;
    };
    how.exponent_bits = number(text.starts_with('e') && m > 0 ? text.substr(1, m - 1) : "");
    how.mantissa_bits = number(text.substr(m + 1));
  } else {
    // Beyond an int the nearest: below, the op is refused; above, no bit of any type is dropped.
    const auto bits = [&](std::string_view name) {
      return static_cast<int>(std::clamp<int64_t>(op.attributes.integer(name), -1, INT32_MAX));
    };
    how.exponent_bits = bits("exponent_bits");
    how.mantissa_bits = bits("mantissa_bits");
  }
  return op.b.add(Opcode::kReducePrecision, op.ins(), how);
}

// A value of all places is broadcast.
InstructionId constant(const Op& op) {
  const Shape& shape = op.out();
  std::optional<Literal> splat;
  if (shape.is_array() && shape.rank() > 0 && shape.element_count() > 0) {
    Source& source = op.attributes.source();
    const std::string_view text = op.attributes.raw("value");
    if (op.b.failure()) return 0;
    source.cursor.rewind(static_cast<size_t>(text.data() - source.text.data()));
    Result<std::optional<Literal>> found = parse_splat(source, shape);
    if (found) splat = std::move(*found);
  }
  if (splat) return op.b.broadcast(op.b.constant(std::move(*splat)), shape.dimensions, {});
  std::optional<Literal>& value = op.translator().constant(op.node());
  if (!value) value = op.attributes.literal("value", shape);
  op.attributes.ignore("value");
  return op.b.constant(*value);
}

// Says where the array lies.
InstructionId sharding_constraint(const Op& op) {
  op.attributes.ignore("sharding");
  return op.has_inputs(1) ? op.in(0) : 0;
}

}  // namespace hlocc::import::stablehlo::ops
