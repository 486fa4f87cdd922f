// Bodies of the builders; see build.h.
#include "transforms/build.h"

#include <algorithm>
#include <cstring>

#include "interpreter/interpreter.h"
#include "ops/reducer.h"
#include "support/budget.h"
#include "support/text.h"

namespace hlocc::transforms {
namespace {

InstructionId data_movement(Rewriter& r, Opcode opcode, InstructionId x, Dimensions dimensions) {
  return r.add(opcode, {x}, hlo::DimensionsAttributes{std::move(dimensions)});
}

}  // namespace

// Through the interpreter, so that every type is rounded as the program's own converts are.
Literal converted_elements(const Literal& values, PrimitiveType type) {
  if (values.type() == type) return values;
  const Shape shape = Shape::array(type, values.shape().dimensions);
  interpreter::RunState state;
  Result<Literal> result = interpreter::evaluate_instruction(
      {}, hlo::make(Opcode::kConvert, shape, {0}), std::span(&values, 1), state);
  HLOCC_CHECK(result.ok(), "numbers can't be converted to an element type");
  return std::move(result).value();
}

Literal number(PrimitiveType type, double value) {
  return converted_elements(Literal::scalar(PrimitiveType::kF64, value), type);
}

Literal integer(PrimitiveType type, uint64_t value) {
  return converted_elements(Literal::scalar(PrimitiveType::kU64, value), type);
}

Literal integers(PrimitiveType type, Dimensions sizes, std::span<const int64_t> numbers) {
  return converted_elements(Literal::array(PrimitiveType::kS64, std::move(sizes), numbers), type);
}

Literal repeated(const Literal& scalar, const Dimensions& sizes) {
  Literal all = Literal::zeros(Shape::array(scalar.type(), sizes));
  const std::span<std::byte> bytes = all.mutable_bytes();
  for (size_t at = 0; at < bytes.size(); ++at)
    bytes[at] = scalar.bytes()[at % scalar.bytes().size()];
  return all;
}

InstructionId constant(Rewriter& r, Literal value) {
  return r.add(hlo::make_constant(std::move(value)));
}

InstructionId splat(Rewriter& r, Literal scalar, Dimensions dimensions) {
  const InstructionId value = constant(r, std::move(scalar));
  return dimensions.empty() ? value : broadcast(r, value, dimensions);
}

InstructionId broadcast_constant(Rewriter& r, const Literal& values, const Dimensions& dimensions,
                                 const Dimensions& mapping) {
  if (const std::optional<Literal> scalar = equal_elements(values))
    return splat(r, *scalar, dimensions);
  return broadcast(r, constant(r, values), dimensions, mapping);
}

InstructionId zeros(Rewriter& r, PrimitiveType type, Dimensions dimensions) {
  return splat(r, Literal::zeros(Shape::scalar(type)), dimensions);
}

InstructionId default_value(Rewriter& r, const Shape& shape) {
  if (shape.is_array()) return zeros(r, shape.element_type, shape.dimensions);
  if (!shape.is_tuple()) return r.add(hlo::make(Opcode::kAfterAll, Shape::token(), {}));
  std::vector<InstructionId> elements;
  for (const Shape& part : shape.tuple) elements.push_back(default_value(r, part));
  return tuple(r, std::move(elements));
}

InstructionId iota(Rewriter& r, PrimitiveType type, const Dimensions& dimensions,
                   int64_t dimension) {
  return r.add(
      hlo::make(Opcode::kIota, Shape::array(type, dimensions), {}, hlo::IotaAttributes{dimension}));
}

InstructionId unary(Rewriter& r, Opcode opcode, InstructionId x) { return r.add(opcode, {x}); }

InstructionId math(Rewriter& r, Opcode opcode, InstructionId x) {
  return r.add(opcode, {x}, hlo::ResultAccuracyAttributes{});
}

InstructionId binary(Rewriter& r, Opcode opcode, InstructionId a, InstructionId b) {
  return r.add(opcode, {a, b});
}

InstructionId compare(Rewriter& r, InstructionId a, InstructionId b, hlo::Direction direction) {
  using hlo::ComparisonType;
  const PrimitiveType type = r.type(a);
  const ComparisonType how = is_float(type)    ? ComparisonType::kFloat
                             : is_signed(type) ? ComparisonType::kSigned
                                               : ComparisonType::kUnsigned;
  return r.add(Opcode::kCompare, {a, b}, hlo::CompareAttributes{direction, how});
}

InstructionId select(Rewriter& r, InstructionId pred, InstructionId yes, InstructionId no) {
  return r.add(Opcode::kSelect, {pred, yes, no});
}

InstructionId convert(Rewriter& r, InstructionId x, PrimitiveType type) {
  if (r.type(x) == type) return x;
  return r.add(
      hlo::make(Opcode::kConvert, Shape::array(type, Dimensions(r.shape(x).dimensions)), {x}));
}

InstructionId bitcast_convert(Rewriter& r, InstructionId x, const Shape& shape) {
  return r.add(hlo::make(Opcode::kBitcastConvert, shape, {x}));
}

InstructionId broadcast(Rewriter& r, InstructionId x, const Dimensions& dimensions,
                        Dimensions mapping) {
  if (r.shape(x).dimensions == dimensions && is_counting(mapping)) return x;
  return r.add(hlo::make(Opcode::kBroadcast, Shape::array(r.type(x), dimensions), {x},
                         hlo::DimensionsAttributes{std::move(mapping)}));
}

InstructionId reshape(Rewriter& r, InstructionId x, const Dimensions& dimensions) {
  if (r.shape(x).dimensions == dimensions) return x;
  return r.add(hlo::make(Opcode::kReshape, Shape::array(r.type(x), dimensions), {x}));
}

InstructionId transpose(Rewriter& r, InstructionId x, const Dimensions& permutation) {
  if (is_counting(permutation)) return x;
  return data_movement(r, Opcode::kTranspose, x, permutation);
}

InstructionId reverse(Rewriter& r, InstructionId x, const Dimensions& dimensions) {
  return dimensions.empty() ? x : data_movement(r, Opcode::kReverse, x, dimensions);
}

InstructionId slice(Rewriter& r, InstructionId x, const Dimensions& starts,
                    const Dimensions& limits) {
  return r.add(Opcode::kSlice, {x},
               hlo::SliceAttributes{starts, limits, Dimensions(starts.size(), 1)});
}

InstructionId slice(Rewriter& r, InstructionId x, int64_t dimension, int64_t start, int64_t limit) {
  Dimensions limits = r.shape(x).dimensions;
  if (start == 0 && limit == limits[dimension]) return x;
  Dimensions starts(limits.size(), 0);
  starts[dimension] = start;
  limits[dimension] = limit;
  return slice(r, x, starts, limits);
}

InstructionId unsqueeze(Rewriter& r, InstructionId x, int64_t at) {
  Dimensions dimensions = r.shape(x).dimensions;
  dimensions.insert(dimensions.begin() + at, 1);
  return reshape(r, x, dimensions);
}

InstructionId concatenate(Rewriter& r, std::vector<InstructionId> parts, int64_t dimension) {
  if (parts.size() == 1) return parts[0];
  return r.add(Opcode::kConcatenate, std::move(parts), hlo::DimensionsAttributes{{dimension}});
}

InstructionId pad(Rewriter& r, InstructionId x, InstructionId value,
                  std::vector<hlo::PaddingDimension> dimensions) {
  const bool none =
      std::all_of(dimensions.begin(), dimensions.end(),
                  [](const hlo::PaddingDimension& d) { return d == hlo::PaddingDimension{}; });
  return none ? x : r.add(Opcode::kPad, {x, value}, hlo::PadAttributes{std::move(dimensions)});
}

InstructionId tuple(Rewriter& r, std::vector<InstructionId> elements) {
  return r.add(Opcode::kTuple, std::move(elements));
}

InstructionId element(Rewriter& r, InstructionId tuple, int64_t i) {
  if (r[tuple].opcode == Opcode::kTuple) return r[tuple].operands[i];
  return r.add(Opcode::kGetTupleElement, {tuple}, hlo::TupleIndexAttributes{i});
}

InstructionId reduce(Rewriter& r, Opcode reducer, InstructionId x, Dimensions dimensions) {
  const PrimitiveType type = r.type(x);
  const std::optional<Literal> start = ops::identity_of(reducer, type);
  HLOCC_CHECK(start.has_value(), "a reduction without an identity");
  const ComputationId computation = binary_computation(r.module(), reducer, type);
  return r.add(Opcode::kReduce, {x, constant(r, *start)}, hlo::DimensionsAttributes{dimensions},
               {computation});
}

ComputationId new_computation(
    Module& module, const std::string& name, const std::vector<Shape>& parameters,
    const std::function<InstructionId(Rewriter&, const std::vector<InstructionId>&)>& body) {
  Computation empty;
  empty.name = name;
  for (size_t i = 0; i < parameters.size(); ++i)
    empty.add(hlo::make_parameter(static_cast<int64_t>(i), parameters[i], cat("p", i)));
  empty.root = 0;
  const ComputationId id = add_computation(module, std::move(empty));
  const Rule keep = [](Rewriter&, const Instruction&) { return kNone; };
  const UnrefusedScope counted;
  const Result<bool> built = Rewriter(module, id, keep).run([&](Rewriter& r, InstructionId) {
    return body(r, r.computation().parameters);
  });
  HLOCC_CHECK(built.ok(), cat("computation ", name, " can't be built"));
  return id;
}

ComputationId binary_computation(Module& module, Opcode opcode, PrimitiveType type) {
  const Shape scalar = Shape::scalar(type);
  Computation computation;
  computation.name = cat(opcode_name(opcode), "_", type_name(type));
  const InstructionId a = computation.add(hlo::make_parameter(0, scalar, "a"));
  const InstructionId b = computation.add(hlo::make_parameter(1, scalar, "b"));
  computation.root = computation.add(hlo::make(opcode, scalar, {a, b}));
  return add_computation(module, std::move(computation));
}

const Literal* constant_value(const Computation& c, InstructionId id) {
  return c[id].opcode == Opcode::kConstant ? &c[id].get<hlo::ConstantAttributes>().value : nullptr;
}

std::vector<int64_t> whole_numbers(const Literal& array) {
  const Literal numbers = converted_elements(array, PrimitiveType::kS64);
  return {numbers.data<int64_t>().begin(), numbers.data<int64_t>().end()};
}

std::optional<Literal> equal_elements(const Literal& value) {
  // Equal bytes throughout: each element equals the one before it.
  const std::span<const std::byte> bytes = value.bytes();
  const size_t width = static_cast<size_t>(hlo::storage_bytes(value.type()));
  if (bytes.empty() || std::memcmp(bytes.data(), bytes.data() + width, bytes.size() - width) != 0)
    return std::nullopt;
  return Literal::from_bytes(Shape::scalar(value.type()), {bytes.begin(), bytes.begin() + width});
}

std::optional<Literal> splat_value(const Computation& c, InstructionId id) {
  while (c[id].opcode == Opcode::kBroadcast || c[id].opcode == Opcode::kReshape ||
         c[id].opcode == Opcode::kTranspose)
    id = c[id].operands[0];
  const Literal* value = constant_value(c, id);
  return value != nullptr ? equal_elements(*value) : std::nullopt;
}

bool is_splat_of(const Rewriter& r, InstructionId id, const Literal& scalar) {
  const std::optional<Literal> value = splat_value(r, id);
  return value == scalar;
}

Dimensions inverse_permutation(const Dimensions& permutation) {
  Dimensions inverse(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i) inverse[permutation[i]] = static_cast<int64_t>(i);
  return inverse;
}

Dimensions permuted(const Dimensions& list, const Dimensions& order) {
  Dimensions result;
  for (int64_t from : order) result.push_back(list[from]);
  return result;
}

}  // namespace hlocc::transforms
