// Embedded scalar computations (reducers, comparators, selectors) inlined into the kernel that uses
// them.
#include "hlo/leaves.h"
#include "lowering/emitter/emitter.h"
#include "lowering/emitter/index_ops.h"
#include "support/text.h"

namespace hlocc::lowering {

using hlo::Opcode;

namespace {

using Leaves = std::vector<Element>;

// The same bits as another type of that width; a pred is a byte, 0 or 1.
kernel::ValueId same_bits(kernel::Builder& b, kernel::ValueId x, kernel::Scalar to) {
  if (b.type(x).scalar == kernel::Scalar::kPred) x = b.convert(x, kernel::Scalar::kU8);
  if (to != kernel::Scalar::kPred) return b.bitcast(x, to);
  return b.convert(b.bitcast(x, kernel::Scalar::kU8), to);
}

// Values of one instruction of the embedded computation, flattened if it is a tuple.
Leaves evaluate(Emitter& e, const hlo::Computation& computation, const hlo::Instruction& i,
                const std::vector<Leaves>& values) {
  const auto of = [&](int n) -> const Leaves& { return values[i.operands[n]]; };
  switch (i.opcode) {
    case Opcode::kConstant: return {e.constant(i.get<hlo::ConstantAttributes>().value, 0)};
    case Opcode::kTuple: {
      Leaves all;
      for (hlo::InstructionId operand : i.operands)
        all.insert(all.end(), values[operand].begin(), values[operand].end());
      return all;
    }
    case Opcode::kGetTupleElement: {
      const hlo::Shape& tuple = computation.operand(i, 0).shape;
      size_t first = 0;
      const int64_t wanted = i.get<hlo::TupleIndexAttributes>().index;
      first += hlo::leaves_before(tuple, wanted);
      const size_t count = hlo::leaf_count(tuple.tuple[wanted]);
      return {of(0).begin() + first, of(0).begin() + first + count};
    }
    case Opcode::kCall:
    case Opcode::kFusion: {
      Leaves parameters;
      for (hlo::InstructionId operand : i.operands) parameters.push_back(values[operand][0]);
      return e.call(i.called[0], parameters);
    }
    case Opcode::kReshape:
    case Opcode::kBroadcast:
    case Opcode::kCopy:
    case Opcode::kBitcast:
    case Opcode::kOptBarrier: return of(0);
    default: break;
  }
  if (hlo::info(i.opcode).family != hlo::Family::kElementwise) {
    if (i.opcode == Opcode::kBitcastConvert) {
      // Scalars of one width, both or none of them complex.
      const Element x = of(0)[0];
      const kernel::Scalar to = e.scalar(i.shape);
      if (x.is_complex()) return {{e.b.bitcast(x.re, to), e.b.bitcast(x.im, to)}};
      return {{same_bits(e.b, x.re, to)}};
    }
    e.fail(error(DiagnosticKind::kUnsupported,
                 cat("%", i.name, " (", hlo::opcode_name(i.opcode), ") inside the computation ",
                     computation.name, " that an op applies to elements")));
    return {e.zero(i.shape)};
  }
  std::vector<hlo::Shape> shapes;
  std::vector<Element> operands;
  for (size_t n = 0; n < i.operands.size(); ++n) {
    shapes.push_back(computation[i.operands[n]].shape);
    operands.push_back(of(static_cast<int>(n))[0]);
  }
  // Lanes are those of the widest operand: reducers also run on vectors.
  int lanes = 1;
  for (const Element& operand : operands) lanes = std::max<int>(lanes, e.b.type(operand.re).lanes);
  for (Element& operand : operands) operand = e.splat(operand, lanes);
  return {apply(e, i, shapes, operands, lanes)};
}

}  // namespace

std::vector<Element> Emitter::call(hlo::ComputationId id, std::vector<Element> parameters) {
  const hlo::Computation& computation = group_.module->computations[id];
  std::vector<Leaves> values(computation.instructions.size());
  for (size_t n = 0; n < computation.instructions.size(); ++n) {
    const hlo::Instruction& i = computation.instructions[n];
    if (i.opcode == Opcode::kParameter) {
      values[n] = {parameters[i.get<hlo::ParameterAttributes>().number]};
    } else {
      values[n] = evaluate(*this, computation, i, values);
    }
  }
  return values[computation.root];
}

}  // namespace hlocc::lowering
