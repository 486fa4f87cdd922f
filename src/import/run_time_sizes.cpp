// One walk a computation, callees first: an instruction whose operand or callee became dynamic gets
// the shape that its op's rules give.
#include "import/run_time_sizes.h"

#include <algorithm>

#include "ops/infer.h"
#include "support/text.h"

namespace hlocc::import {
namespace {

using hlo::Computation;
using hlo::Dimensions;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::Module;
using hlo::Opcode;
using hlo::Shape;

void mark(Shape& shape, int dimension) {
  shape.dynamic.resize(shape.dimensions.size(), false);
  shape.dynamic[dimension] = true;
}

// The dimension of a set-dimension-size whose shape hides that it is dynamic; -1: none. A size that
// is known to be the bound is no run-time size.
int hidden_dimension(const Computation& computation, const Instruction& i) {
  if (i.opcode != Opcode::kSetDimensionSize || i.operands.size() != 2 || !i.shape.is_array())
    return -1;
  const Dimensions& dimensions = i.get<hlo::DimensionsAttributes>().dimensions;
  if (dimensions.size() != 1 || dimensions[0] < 0 || dimensions[0] >= i.shape.rank()) return -1;
  const int dimension = static_cast<int>(dimensions[0]);
  if (i.shape.is_dynamic(dimension)) return -1;
  const Instruction& size = computation.operand(i, 1);
  if (size.opcode == Opcode::kConstant && size.shape == Shape::scalar(hlo::PrimitiveType::kS32) &&
      hlo::integer_at(size.get<hlo::ConstantAttributes>().value, 0) ==
          i.shape.dimensions[dimension])
    return -1;
  return dimension;
}

// Dimensions of equal product on both sides belong together; the first that is not 1 takes the
// run-time size of its group.
void reshape_flags(const Shape& from, Shape& to) {
  int a = 0, b = 0;
  while (a < from.rank() && b < to.rank()) {
    const int first = b;
    bool dynamic = from.is_dynamic(a);
    int64_t left = from.dimensions[a++], right = to.dimensions[b++];
    while (left != right && (left < right ? a < from.rank() : b < to.rank())) {
      if (left < right) {
        dynamic = dynamic || from.is_dynamic(a);
        left *= from.dimensions[a++];
      } else {
        right *= to.dimensions[b++];
      }
    }
    if (!dynamic) continue;
    int taker = first;
    while (taker + 1 < b && to.dimensions[taker] == 1) ++taker;
    mark(to, taker);
  }
}

// Takes over the flags where the shapes are else the same; tells whether any is new.
bool take_flags(const Shape& from, Shape& to) {
  if (to.is_tuple()) {
    bool changed = false;
    for (size_t i = 0; i < std::min(from.tuple.size(), to.tuple.size()); ++i)
      changed |= take_flags(from.tuple[i], to.tuple[i]);
    return changed;
  }
  if (from.dimensions != to.dimensions || from.dynamic == to.dynamic) return false;
  to.dynamic = from.dynamic;
  return true;
}

class Sizes {
 public:
  explicit Sizes(Module& module) : module_(module), changed_root_(module.computations.size()) {}

  Status run() {
    for (size_t c = 0; c < module_.computations.size(); ++c) HLOCC_TRY(walk(c));
    return {};
  }

 private:
  Status walk(size_t c) {
    Computation& computation = module_.computations[c];
    const Shape stated = computation.root_instruction().shape;
    std::vector<bool> changed(computation.instructions.size());
    for (size_t id = 0; id < changed.size(); ++id) {
      Instruction& i = computation.instructions[id];
      const auto is_changed = [&](InstructionId operand) { return changed[operand]; };
      const auto has_changed = [&](hlo::ComputationId called) { return changed_root_[called]; };
      if (const int hidden = hidden_dimension(computation, i); hidden >= 0) {
        if (first_.empty()) first_ = i.name;
        mark(i.shape, hidden);
        changed[id] = true;
      }
      if (std::ranges::any_of(i.operands, is_changed) ||
          std::ranges::any_of(i.called, has_changed)) {
        Result<Shape> inferred = ops::infer_shape(module_, computation, i);
        if (!inferred) return stuck(std::move(inferred).error());
        Shape shape = std::move(inferred).value();
        if (i.opcode == Opcode::kReshape) reshape_flags(computation.operand(i, 0).shape, shape);
        if (take_flags(shape, i.shape)) changed[id] = true;
      }
    }
    if (!changed[computation.root]) return {};
    if (static_cast<hlo::ComputationId>(c) != module_.entry) {
      changed_root_[c] = true;
    } else {
      computation.root = stated_as(computation, computation.root, stated);
    }
    return {};
  }

  // Loops, branches and calls state what they carry.
  Diagnostic stuck(Diagnostic diagnostic) const {
    diagnostic.kind = DiagnosticKind::kUnsupported;
    return std::move(diagnostic)
        .note(cat("%", first_,
                  " sets a size at run time, which its shape does not say: write [<=n] there and "
                  "wherever the value goes, or hand the size on as a value of its own"));
  }

  InstructionId add(Computation& computation, Instruction instruction) {
    instruction.line = computation.root_instruction().line;
    return computation.add(std::move(instruction));
  }

  // The value with the bound as its size wherever `stated` has no run-time size.
  InstructionId stated_as(Computation& computation, InstructionId id, const Shape& stated) {
    const Shape now = computation[id].shape;
    if (now == stated) return id;
    if (now.is_tuple()) {
      std::vector<InstructionId> elements;
      for (size_t i = 0; i < now.tuple.size(); ++i) {
        const InstructionId element =
            add(computation, hlo::make(Opcode::kGetTupleElement, now.tuple[i], {id},
                                       hlo::TupleIndexAttributes{static_cast<int64_t>(i)}));
        elements.push_back(stated_as(computation, element, stated.tuple[i]));
      }
      return add(computation, hlo::make(Opcode::kTuple, stated, std::move(elements)));
    }
    Shape shape = now;
    for (int d = 0; d < now.rank(); ++d) {
      if (!now.is_dynamic(d) || stated.is_dynamic(d)) continue;
      const InstructionId bound =
          add(computation, hlo::make_constant(hlo::Literal::scalar(
                               hlo::PrimitiveType::kS32, static_cast<int32_t>(now.dimensions[d]))));
      shape.dynamic[d] = false;
      if (!shape.has_dynamic_dimensions()) shape.dynamic.clear();
      id = add(computation, hlo::make(Opcode::kSetDimensionSize, shape, {id, bound},
                                      hlo::DimensionsAttributes{{d}}));
    }
    return id;
  }

  Module& module_;
  std::vector<bool> changed_root_;
  std::string first_;  // the first instruction that hides a size
};

}  // namespace

Status settle_run_time_sizes(Module& module) { return Sizes(module).run(); }

}  // namespace hlocc::import
