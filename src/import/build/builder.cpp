// See builder.h.
#include "import/build/builder.h"

#include <algorithm>
#include <cmath>

#include "import/build/numbers.h"
#include "import/check_shape.h"
#include "ops/infer.h"
#include "ops/reducer.h"
#include "support/budget.h"
#include "support/text.h"

namespace hlocc::import {
namespace {

// What an instruction takes, and the work of making it.
constexpr int64_t kInstructionBytes = 1024, kInstructionWork = 200;

}  // namespace

void Builder::begin(std::string name) {
  open_.emplace_back();
  open_.back().name = std::move(name);
}

ComputationId Builder::end(InstructionId root) {
  hlo::Computation done = std::move(open_.back());
  open_.pop_back();
  done.root = root;
  const std::string stem = done.name;
  while (wanted_[done.name]++ > 0) done.name = cat(stem, ".", wanted_[stem] - 1);
  module_.computations.push_back(std::move(done));
  return static_cast<ComputationId>(module_.computations.size()) - 1;
}

const Shape& Builder::shape(InstructionId id) const {
  return failure_ ? nothing_ : open_.back()[id].shape;
}

int64_t Builder::size(InstructionId id, int64_t dimension) {
  const Shape& of = shape(id);
  if (dimension >= 0 && dimension < of.rank()) return of.dimensions[dimension];
  fail(error(DiagnosticKind::kShape,
             cat("dimension ", dimension, " of ", of, ", which has ", of.rank())));
  return 1;
}

InstructionId Builder::append(hlo::Instruction instruction) {
  if (failure_) return 0;
  hlo::Computation& now = open_.back();
  const auto grows = [&] { return cat("computation %", now.name); };
  Status room = charge_work(kInstructionWork, grows);
  if (room) room = charge_memory(kInstructionBytes, grows);
  if (!room) return fail(std::move(room).error()), 0;
  if (instruction.shape.is_array())
    if (Status sound = check_and_normalize(instruction.shape, "an array"); !sound)
      return fail(std::move(sound).error()), 0;
  instruction.metadata = metadata_;
  instruction.line = line_;
  return now.add(std::move(instruction));
}

InstructionId Builder::parameter(int64_t number, const Shape& shape, const std::string& name) {
  return append(hlo::make_parameter(number, shape, name));
}

int64_t Builder::parameter_number(InstructionId parameter) const {
  return failure_ ? 0 : open_.back()[parameter].get<hlo::ParameterAttributes>().number;
}

InstructionId Builder::add(Opcode opcode, std::vector<InstructionId> operands,
                           hlo::Attributes attributes, std::vector<ComputationId> called,
                           Shape stated) {
  if (failure_) return 0;
  if (stated.is_array())
    if (Status sound = check_and_normalize(stated, "an array"); !sound)
      return fail(std::move(sound).error()), 0;
  hlo::Instruction instruction = hlo::make(opcode, std::move(stated), std::move(operands),
                                           std::move(attributes), std::move(called));
  instruction.line = line_;
  Result<Shape> shape = ops::infer_shape(module_, open_.back(), instruction);
  if (!shape) return fail(std::move(shape).error()), 0;
  instruction.shape = std::move(shape).value();
  return append(std::move(instruction));
}

InstructionId Builder::constant(Literal value) {
  return append(hlo::make_constant(std::move(value)));
}

InstructionId Builder::number(PrimitiveType type, double value, const Dimensions& sizes) {
  const InstructionId scalar = constant(literal_of(type, value));
  return sizes.empty() ? scalar : broadcast(scalar, sizes, {});
}

InstructionId Builder::along(const std::vector<int64_t>& values, PrimitiveType type,
                             const Dimensions& sizes, int64_t dimension) {
  if (std::all_of(values.begin(), values.end(), [&](int64_t v) { return v == values[0]; }))
    return broadcast(constant(literal_of(type, {values[0]}, {})), sizes, {});
  const auto count = static_cast<int64_t>(values.size());
  return broadcast(constant(literal_of(type, values, {count})), sizes, {dimension});
}

InstructionId Builder::math(Opcode opcode, InstructionId x) {
  return add(opcode, {x}, hlo::ResultAccuracyAttributes{});
}

InstructionId Builder::gelu(InstructionId x, bool by_tanh) {
  InstructionId curve;
  if (by_tanh) {
    const InstructionId cube = binary(Opcode::kMultiply, x, binary(Opcode::kMultiply, x, x));
    const InstructionId sum = binary(Opcode::kAdd, x, with(Opcode::kMultiply, cube, 0.044715));
    curve = math(Opcode::kTanh, with(Opcode::kMultiply, sum, std::sqrt(2 / M_PI)));
  } else {
    curve = math(Opcode::kErf, with(Opcode::kMultiply, x, M_SQRT1_2));
  }
  const InstructionId half = with(Opcode::kMultiply, x, 0.5);
  return binary(Opcode::kMultiply, half, with(Opcode::kAdd, curve, 1));
}

InstructionId Builder::compare(InstructionId a, InstructionId b, hlo::Direction direction) {
  using hlo::ComparisonType;
  const PrimitiveType of = type(a);
  const ComparisonType how = hlo::is_float(of)    ? ComparisonType::kFloat
                             : hlo::is_signed(of) ? ComparisonType::kSigned
                                                  : ComparisonType::kUnsigned;
  return add(Opcode::kCompare, {a, b}, hlo::CompareAttributes{direction, how});
}

InstructionId Builder::clamp(InstructionId x, double low, double high) {
  return with(Opcode::kMinimum, with(Opcode::kMaximum, x, low), high);
}

InstructionId Builder::convert(InstructionId x, PrimitiveType to) {
  if (type(x) == to) return x;
  return add(Opcode::kConvert, {x}, {}, {}, Shape::array(to, sizes(x)));
}

InstructionId Builder::bitcast(InstructionId x, PrimitiveType to) {
  if (type(x) == to) return x;
  return add(Opcode::kBitcastConvert, {x}, {}, {}, Shape::array(to, sizes(x)));
}

InstructionId Builder::reshape(InstructionId x, const Dimensions& to) {
  if (sizes(x) == to) return x;
  return add(Opcode::kReshape, {x}, {}, {}, Shape::array(type(x), to));
}

InstructionId Builder::transpose(InstructionId x, const Dimensions& permutation) {
  if (hlo::is_counting(permutation)) return x;
  return add(Opcode::kTranspose, {x}, hlo::DimensionsAttributes{permutation});
}

InstructionId Builder::reverse(InstructionId x, const Dimensions& dimensions) {
  if (dimensions.empty()) return x;
  return add(Opcode::kReverse, {x}, hlo::DimensionsAttributes{dimensions});
}

InstructionId Builder::broadcast(InstructionId x, const Dimensions& to, const Dimensions& mapping) {
  if (sizes(x) == to && mapping == counting(static_cast<int64_t>(to.size()))) return x;
  return add(Opcode::kBroadcast, {x}, hlo::DimensionsAttributes{mapping}, {},
             Shape::array(type(x), to));
}

InstructionId Builder::broadcast_to(InstructionId x, const Dimensions& to) {
  const Dimensions from = sizes(x);
  if (from == to || failure_) return x;
  Dimensions kept, mapping;
  const size_t missing = to.size() - std::min(from.size(), to.size());
  for (size_t i = 0; i < from.size() && missing + i < to.size(); ++i) {
    if (from[i] == 1 && to[missing + i] != 1) continue;
    kept.push_back(from[i]);
    mapping.push_back(static_cast<int64_t>(missing + i));
  }
  return broadcast(reshape(x, kept), to, mapping);
}

InstructionId Builder::slice(InstructionId x, const Dimensions& starts, const Dimensions& limits,
                             const Dimensions& strides) {
  const bool whole = starts == Dimensions(starts.size(), 0) && limits == sizes(x) &&
                     strides == Dimensions(strides.size(), 1);
  return whole ? x : add(Opcode::kSlice, {x}, hlo::SliceAttributes{starts, limits, strides});
}

InstructionId Builder::slice(InstructionId x, int64_t dimension, int64_t start, int64_t limit) {
  Dimensions limits = sizes(x), starts(limits.size(), 0);
  const Dimensions strides(limits.size(), 1);
  starts[dimension] = start;
  limits[dimension] = limit;
  return slice(x, starts, limits, strides);
}

InstructionId Builder::concatenate(std::vector<InstructionId> parts, int64_t dimension) {
  if (parts.size() == 1) return parts[0];
  return add(Opcode::kConcatenate, std::move(parts), hlo::DimensionsAttributes{{dimension}});
}

InstructionId Builder::pad(InstructionId x, InstructionId value,
                           std::vector<hlo::PaddingDimension> dimensions) {
  const bool none =
      std::all_of(dimensions.begin(), dimensions.end(),
                  [](const hlo::PaddingDimension& d) { return d == hlo::PaddingDimension{}; });
  return none ? x : add(Opcode::kPad, {x, value}, hlo::PadAttributes{std::move(dimensions)});
}

InstructionId Builder::iota(PrimitiveType of, const Dimensions& to, int64_t dimension) {
  return add(Opcode::kIota, {}, hlo::IotaAttributes{dimension}, {}, Shape::array(of, to));
}

ComputationId Builder::reducer_of(Opcode opcode, PrimitiveType of) {
  const std::string name = cat(hlo::opcode_name(opcode), "_", hlo::type_name(of));
  for (size_t i = 0; i < module_.computations.size(); ++i)
    if (module_.computations[i].name == name) return static_cast<ComputationId>(i);
  hlo::Computation computation;
  computation.name = name;
  const Shape scalar = Shape::scalar(of);
  const InstructionId a = computation.add(hlo::make_parameter(0, scalar, "a"));
  const InstructionId b = computation.add(hlo::make_parameter(1, scalar, "b"));
  computation.root = computation.add(hlo::make(opcode, scalar, {a, b}));
  module_.computations.push_back(std::move(computation));
  return static_cast<ComputationId>(module_.computations.size()) - 1;
}

InstructionId Builder::reduce(Opcode reducer, InstructionId x, const Dimensions& dimensions) {
  if (failure_) return 0;
  const std::optional<Literal> start = ops::identity_of(reducer, type(x));
  if (!start) return fail(error(DiagnosticKind::kType, cat("no reduction of ", shape(x)))), 0;
  return add(Opcode::kReduce, {x, constant(*start)}, hlo::DimensionsAttributes{dimensions},
             {reducer_of(reducer, type(x))});
}

InstructionId Builder::reduce_window(Opcode reducer, InstructionId x, hlo::Window window) {
  if (failure_) return 0;
  const std::optional<Literal> start = ops::identity_of(reducer, type(x));
  if (!start) return fail(error(DiagnosticKind::kType, cat("no reduction of ", shape(x)))), 0;
  return add(Opcode::kReduceWindow, {x, constant(*start)}, hlo::WindowAttributes{std::move(window)},
             {reducer_of(reducer, type(x))});
}

InstructionId Builder::cumulative_sum(InstructionId x, int64_t axis, bool exclusive, bool reverse) {
  // A window that ends (or begins) at each place, or beside it.
  const int64_t count = size(x, axis), beside = exclusive ? 1 : 0;
  hlo::Window window{std::vector<hlo::WindowDimension>(static_cast<size_t>(rank(x)))};
  hlo::WindowDimension& along = window.dimensions[static_cast<size_t>(axis)];
  along.size = count;
  along.padding_low = reverse ? -beside : count - 1 + beside;
  along.padding_high = reverse ? count - 1 + beside : -beside;
  return reduce_window(Opcode::kAdd, x, std::move(window));
}

InstructionId Builder::dot(InstructionId a, InstructionId b, hlo::DotAttributes attributes,
                           PrimitiveType of) {
  return add(Opcode::kDot, {a, b}, std::move(attributes), {}, Shape::array(of, {}));
}

InstructionId Builder::convolution(InstructionId x, InstructionId kernel,
                                   hlo::ConvolutionAttributes attributes, PrimitiveType of) {
  return add(Opcode::kConvolution, {x, kernel}, std::move(attributes), {},
             Shape::array(of, Dimensions(static_cast<size_t>(rank(x)), 1)));
}

InstructionId Builder::lookup(InstructionId table, InstructionId indices) {
  hlo::GatherAttributes attributes;
  attributes.collapsed_slice_dims = attributes.start_index_map = {0};
  attributes.slice_sizes = {1};
  attributes.index_vector_dim = rank(indices);
  Dimensions with_index = sizes(indices);
  with_index.push_back(1);
  return add(Opcode::kGather, {table, reshape(indices, with_index)}, std::move(attributes));
}

InstructionId Builder::tuple(std::vector<InstructionId> elements) {
  return add(Opcode::kTuple, std::move(elements));
}

InstructionId Builder::element(InstructionId tuple, int64_t index) {
  return add(Opcode::kGetTupleElement, {tuple}, hlo::TupleIndexAttributes{index});
}

std::optional<Dimensions> broadcast_sizes(const Dimensions& a, const Dimensions& b) {
  if (a.size() < b.size()) return broadcast_sizes(b, a);
  Dimensions out = a;
  const size_t missing = a.size() - b.size();
  for (size_t i = 0; i < b.size(); ++i) {
    int64_t& size = out[missing + i];
    if (size != b[i] && size != 1 && b[i] != 1) return std::nullopt;
    if (size == 1) size = b[i];
  }
  return out;
}

}  // namespace hlocc::import
