// See builder.h.
#include "fuzz/builder.h"

#include <algorithm>

#include "ops/infer.h"
#include "support/text.h"

namespace hlocc::fuzz {

Attributes default_attributes(Opcode opcode) {
  using namespace hlo;
  static const Attributes defaults[] = {
#define HLOCC_OPCODE(name, text, family, min, max, attributes, ...) attributes{},
#include "hlo/opcodes.def"
  };
  return defaults[static_cast<int>(opcode)];
}

Id Builder::add(hlo::Instruction instruction) {
  const bool is_array = instruction.shape.is_array();
  const Id id = scopes_.back().add(std::move(instruction));
  if (is_array) values_.back().push_back(id);
  return id;
}

Id Builder::emit(Opcode opcode, std::vector<Id> operands, Attributes attributes,
                 std::vector<ComputationId> called, Shape declared) {
  if (std::find(operands.begin(), operands.end(), kNone) != operands.end()) return kNone;
  if (std::find(called.begin(), called.end(), kNone) != called.end()) return kNone;
  hlo::Instruction instruction = hlo::make(opcode, std::move(declared), std::move(operands),
                                           std::move(attributes), std::move(called));
  Result<Shape> shape = ops::infer_shape(module_, scopes_.back(), instruction);
  if (!shape) return kNone;
  for (const Shape& leaf : hlo::leaf_shapes(*shape))
    if (leaf.element_count() > knobs_.max_elements) return kNone;
  // A copy may state another order of elements.
  if (opcode != Opcode::kCopy || instruction.shape.is_tuple())
    instruction.shape = std::move(*shape);
  return add(std::move(instruction));
}

Id Builder::emit(Opcode opcode, std::vector<Id> operands) {
  return emit(opcode, std::move(operands), default_attributes(opcode));
}

int64_t Builder::random_size() {
  static const std::vector<int64_t> sizes = {1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 12, 16, 17, 33};
  return random.chance(2) ? 0 : random.of(sizes);
}

Dimensions Builder::random_dims(int min_rank, int max_rank) {
  Dimensions out(static_cast<size_t>(random.between(min_rank, max_rank)));
  for (;;) {
    int64_t count = 1;
    for (int64_t& size : out) count *= size = random_size();
    if (count <= knobs_.max_elements) return out;
  }
}

Id Builder::parameter(Literal value) {
  const int64_t number = static_cast<int64_t>(arguments_.size());
  arguments_.push_back(value);
  return add(hlo::make_parameter(number, value.shape(), cat("p", number)));
}

Id Builder::constant(Literal value) { return add(hlo::make_constant(std::move(value))); }

Id Builder::fresh(PrimitiveType type, const Dimensions& dims) {
  static const std::vector<Fill> fills = {Fill::kSmall,  Fill::kSmall,  Fill::kSmall,
                                          Fill::kNormal, Fill::kNormal, Fill::kEdges};
  Literal value = random_literal(Shape::array(type, dims),
                                 knobs_.fill ? *knobs_.fill : random.of(fills), random);
  if (!in_entry() || random.chance(20)) return constant(std::move(value));
  return parameter(std::move(value));
}

Id Builder::scalar(PrimitiveType type, double value) {
  Literal literal = Literal::zeros(Shape::scalar(type));
  set_number(literal, 0, value);
  return constant(std::move(literal));
}

Id Builder::value_like(PrimitiveType type, const Dimensions& dims) {
  std::vector<Id> fitting, near;
  for (const Id id : values()) {
    const Shape& there = shape(id);
    if (there.element_type != type) continue;
    if (there.dimensions == dims)
      fitting.push_back(id);
    else if (there.is_scalar())
      near.push_back(id);
  }
  if (!knobs_.fresh_operands && !fitting.empty() && !random.chance(15)) return random.of(fitting);
  if (!knobs_.fresh_operands && !near.empty() && random.chance(40))
    return emit(Opcode::kBroadcast, {random.of(near)}, hlo::DimensionsAttributes{}, {},
                Shape::array(type, dims));
  return fresh(type, dims);
}

Id Builder::value(PrimitiveType type, int min_rank, int max_rank) {
  std::vector<Id> fitting;
  for (const Id id : values())
    if (this->type(id) == type && rank(id) >= min_rank && rank(id) <= max_rank)
      fitting.push_back(id);
  // New values more often than old ones, so that chains grow.
  if (fitting.size() > 6) fitting.erase(fitting.begin(), fitting.end() - 6);
  if (!knobs_.fresh_operands && !fitting.empty() && !random.chance(10)) return random.of(fitting);
  return fresh(type, random_dims(min_rank, max_rank));
}

Id Builder::indices(PrimitiveType type, const Dimensions& dims, int64_t low, int64_t high) {
  Literal literal = Literal::zeros(Shape::array(type, dims));
  for (int64_t i = 0; i < literal.element_count(); ++i)
    set_number(literal, i, static_cast<double>(random.between(low, high)));
  return in_entry() ? parameter(std::move(literal)) : constant(std::move(literal));
}

void Builder::begin(const std::vector<Shape>& parameters) {
  scopes_.emplace_back();
  values_.emplace_back();
  int64_t number = 0;
  for (const Shape& shape : parameters) add(hlo::make_parameter(number++, shape, cat("p", number)));
}

ComputationId Builder::finish(Id root) {
  Computation done = std::move(scopes_.back());
  scopes_.pop_back();
  values_.pop_back();
  if (root == kNone) return kNone;
  done.root = root;
  done.name = cat("computation.", module_.computations.size());
  hlo::compact(done);
  module_.computations.push_back(std::move(done));
  return static_cast<ComputationId>(module_.computations.size()) - 1;
}

ComputationId Builder::binary(Opcode opcode, PrimitiveType type) {
  begin({Shape::scalar(type), Shape::scalar(type)});
  const bool swap = random.chance(30);
  return finish(emit(opcode, {swap ? 1 : 0, swap ? 0 : 1}));
}

Shape Builder::with_random_layout(Shape shape) {
  shape.layout = {};
  for (int d = shape.rank() - 1; d >= 0; --d) shape.layout.minor_to_major.push_back(d);
  if (random.chance(40)) random.shuffle(shape.layout.minor_to_major);
  const int bits = hlo::type_bits(shape.element_type);
  if (bits > 1 && bits < 8 && random.chance(50)) shape.layout.element_bits = bits;
  return shape;
}

void Builder::choose_layouts() {
  if (!knobs_.layouts || !random.chance(30)) return;
  Computation& entry = module_.entry_computation();
  for (size_t i = 0; i < entry.parameters.size(); ++i) {
    Shape& shape = entry[entry.parameters[i]].shape;
    shape = with_random_layout(shape);
    module_.entry_parameters[i] = shape;
  }
  for (Shape& leaf : module_.entry_result.tuple) leaf = with_random_layout(leaf);
}

Program Builder::take(const std::vector<Id>& results) {
  std::vector<Shape> shapes;
  for (const Id id : results) shapes.push_back(shape(id));
  scopes_.back().root =
      scopes_.back().add(hlo::make(Opcode::kTuple, Shape::make_tuple(std::move(shapes)), results));
  scopes_.back().name = "main";
  module_.name = "fuzz";
  module_.computations.push_back(std::move(scopes_.back()));
  module_.entry = static_cast<ComputationId>(module_.computations.size()) - 1;
  hlo::compact(module_);
  // XLA wants names that are unique in the whole module.
  for (size_t c = 0; c < module_.computations.size(); ++c)
    for (hlo::Instruction& instruction : module_.computations[c].instructions)
      if (static_cast<ComputationId>(c) != module_.entry) instruction.name += cat(".c", c);
  const Computation& entry = module_.entry_computation();
  for (const Id id : entry.parameters) module_.entry_parameters.push_back(entry[id].shape);
  module_.entry_result = entry.root_instruction().shape;
  choose_layouts();
  return {std::move(module_), std::move(arguments_)};
}

}  // namespace hlocc::fuzz
