// normalize_layouts: every inner array dense and row-major, so that lowering and every other pass
// know one order of elements; constants of tuple shape become tuples of constants on the way.
// Orders of the entry's parameters and results are the caller's to choose: such a parameter keeps
// its layout and is read through a `bitcast` to the row-major array that its bytes are, followed by
// a transpose that folds or fuses like any other; a result leaves the same way. Inside, layouts
// mean nothing but to `bitcast`, which becomes reshape and transpose. Sub-byte packing (`E(4)`)
// stays stated on parameters and on the entry's root: lowering packs and unpacks.
#include <algorithm>

#include "transforms/build.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

bool is_plain_array(const Shape& shape) {
  return hlo::is_row_major(shape) || shape.element_count() <= 1;
}

// A value that lies as its layout says, as a row-major value of the same dimensions.
InstructionId read_laid_out(Rewriter& r, InstructionId id, const Shape& shape) {
  if (is_plain_array(shape)) return id;
  const InstructionId memory = r.add(hlo::make(Opcode::kBitcast, hlo::physical_shape(shape), {id}));
  return transpose(r, memory, inverse_permutation(hlo::physical_order(shape)));
}

// A row-major value as one that lies as `shape` says.
InstructionId write_laid_out(Rewriter& r, InstructionId id, const Shape& shape) {
  if (shape.is_tuple()) {
    std::vector<InstructionId> elements;
    for (size_t i = 0; i < shape.tuple.size(); ++i)
      elements.push_back(
          write_laid_out(r, element(r, id, static_cast<int64_t>(i)), shape.tuple[i]));
    return tuple(r, std::move(elements));
  }
  if (is_plain_array(shape)) return id;
  const InstructionId memory = transpose(r, id, hlo::physical_order(shape));
  Shape laid_out = shape;
  laid_out.layout.element_bits = 0;
  return r.add(hlo::make(Opcode::kBitcast, laid_out, {memory}));
}

bool has_other_layout(const Shape& shape) {
  for (const Shape& leaf : hlo::leaf_shapes(shape))
    if (!is_plain_array(leaf)) return true;
  return false;
}

// pred takes a whole byte wherever its bits can be seen.
int64_t visible_bits(PrimitiveType type) { return hlo::is_pred(type) ? 8 : hlo::type_bits(type); }

// bitcast reads the operand's bytes under another shape: through the row-major arrays that those
// bytes are. `from` is the operand's shape as the program states it.
InstructionId plain_bitcast(Rewriter& r, InstructionId operand, const Shape& from,
                            const Shape& to) {
  InstructionId bytes = transpose(r, operand, hlo::physical_order(from));
  const Shape memory = hlo::physical_shape(to);
  if (from.element_type == to.element_type) {
    bytes = reshape(r, bytes, memory.dimensions);
  } else {
    // Wider or narrower elements: bitcast-convert takes a last dimension apart or puts it together.
    const int64_t from_bits = visible_bits(from.element_type),
                  to_bits = visible_bits(to.element_type);
    const int64_t together = to_bits / from_bits, apart = from_bits / to_bits;
    if (together > 1) bytes = reshape(r, bytes, {to.element_count(), together});
    if (apart > 1) bytes = reshape(r, bytes, {from.element_count()});
    Dimensions converted = r.shape(bytes).dimensions;
    if (together > 1) converted.pop_back();
    if (apart > 1) converted.push_back(apart);
    bytes = bitcast_convert(r, bytes, Shape::array(to.element_type, converted));
    bytes = reshape(r, bytes, memory.dimensions);
  }
  return transpose(r, bytes, inverse_permutation(hlo::physical_order(to)));
}

// The operand shapes of bitcasts as stated, before any layout is dropped.
class Normalizer {
 public:
  explicit Normalizer(Module& module) : module_(module) {}

  Status run() {
    for (ComputationId id : hlo::computation_order(module_)) {
      const Rule rule = [&](Rewriter& r, const Instruction& instruction) {
        return visit(r, instruction);
      };
      stated_.clear();
      RootRule lay_out_result;
      if (id == module_.entry && has_other_layout(module_.entry_result))
        lay_out_result = [&](Rewriter& r, InstructionId root) {
          return write_laid_out(r, root, module_.entry_result);
        };
      HLOCC_TRY(Rewriter(module_, id, rule).run(lay_out_result));
    }
    hlo::compact(module_);
    return {};
  }

 private:
  InstructionId visit(Rewriter& r, const Instruction& instruction) {
    const InstructionId id = normalized(r, instruction);
    stated_.resize(std::max<size_t>(stated_.size(), id + 1));
    stated_[id] = instruction.shape;
    return id;
  }

  InstructionId normalized(Rewriter& r, const Instruction& instruction) {
    if (instruction.opcode == Opcode::kParameter && r.is_entry())
      return entry_parameter(r, instruction);
    if (instruction.opcode == Opcode::kBitcast) {
      const InstructionId operand = instruction.operands[0];
      return plain_bitcast(r, operand, stated_[operand], instruction.shape);
    }
    if (instruction.opcode == Opcode::kConstant)
      return constant_leaves(r, instruction.get<hlo::ConstantAttributes>().value,
                             instruction.shape);
    Instruction plain = instruction;
    plain.shape = hlo::with_default_layout(plain.shape);
    return r.add(std::move(plain));
  }

  InstructionId constant_leaves(Rewriter& r, Literal value, const Shape& shape) {
    if (shape.is_array()) {
      value.set_shape(hlo::with_default_layout(shape));
      return constant(r, std::move(value));
    }
    if (!shape.is_tuple()) return default_value(r, shape);
    std::vector<InstructionId> elements;
    for (size_t i = 0; i < shape.tuple.size(); ++i)
      elements.push_back(constant_leaves(r, value.elements()[i], shape.tuple[i]));
    return tuple(r, std::move(elements));
  }

  // Tuple parameters are taken apart and put together again from their normalised leaves.
  InstructionId entry_parameter(Rewriter& r, const Instruction& instruction) {
    Instruction parameter = instruction;
    parameter.shape = module_.entry_parameters[instruction.get<hlo::ParameterAttributes>().number];
    const Shape shape = parameter.shape;
    const InstructionId id = r.add(std::move(parameter));
    return has_other_layout(shape) ? read_leaves(r, id, shape) : id;
  }

  InstructionId read_leaves(Rewriter& r, InstructionId id, const Shape& shape) {
    if (!shape.is_tuple()) return read_laid_out(r, id, shape);
    std::vector<InstructionId> elements;
    for (size_t i = 0; i < shape.tuple.size(); ++i) {
      Instruction part = hlo::make(Opcode::kGetTupleElement, shape.tuple[i], {id},
                                   hlo::TupleIndexAttributes{static_cast<int64_t>(i)});
      elements.push_back(read_leaves(r, r.add(std::move(part)), shape.tuple[i]));
    }
    return tuple(r, std::move(elements));
  }

  Module& module_;
  // By id in the computation being built: the shape that the program stated for what this value
  // stands for.
  std::vector<Shape> stated_;
};

}  // namespace

Status normalize_layouts(Module& module, const PassContext&) { return Normalizer(module).run(); }

}  // namespace hlocc::transforms
