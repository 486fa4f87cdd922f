// scan as a while loop: the state is (step, inputs, outputs, carries); the body takes a slice of
// each input, runs the scan's computation, and writes a slice of each output.
#include "transforms/build.h"
#include "transforms/expand/expansions.h"

namespace hlocc::transforms {
namespace {

class Scan {
 public:
  Scan(Rewriter& r, const Instruction& scan)
      : r_(r),
        scan_(scan),
        attributes_(scan.get<hlo::ScanAttributes>()),
        inputs_(scan.operands.size() - static_cast<size_t>(attributes_.num_carries)),
        results_(scan.shape.is_tuple() ? scan.shape.tuple : std::vector{scan.shape}),
        outputs_(results_.size() - static_cast<size_t>(attributes_.num_carries)),
        length_(r.shape(scan.operands[0]).dimensions[attributes_.dimension]) {}

  InstructionId expanded() {
    std::vector<InstructionId> initial{
        constant(r_, Literal::scalar<int32_t>(PrimitiveType::kS32, 0))};
    initial.insert(initial.end(), scan_.operands.begin(),
                   scan_.operands.begin() + static_cast<int64_t>(inputs_));
    for (size_t i = 0; i < outputs_; ++i)
      initial.push_back(zeros(r_, results_[i].element_type, results_[i].dimensions));
    initial.insert(initial.end(), scan_.operands.begin() + static_cast<int64_t>(inputs_),
                   scan_.operands.end());
    const InstructionId state = tuple(r_, std::move(initial));
    const Shape shape = r_.shape(state);
    const ComputationId body = new_computation(
        r_.module(), "scan_body", {shape},
        [&](Rewriter& inner, const std::vector<InstructionId>& p) { return step(inner, p[0]); });
    const ComputationId condition = new_computation(
        r_.module(), "scan_condition", {shape},
        [&](Rewriter& inner, const std::vector<InstructionId>& p) {
          const InstructionId end =
              constant(inner, Literal::scalar(PrimitiveType::kS32, static_cast<int32_t>(length_)));
          return compare(inner, element(inner, p[0], 0), end, hlo::Direction::kLt);
        });
    const InstructionId loop =
        r_.add(hlo::make(Opcode::kWhile, shape, {state}, {}, {body, condition}));
    std::vector<InstructionId> results;
    for (size_t i = 0; i < results_.size(); ++i)
      results.push_back(element(r_, loop, static_cast<int64_t>(1 + inputs_ + i)));
    return scan_.shape.is_tuple() ? tuple(r_, std::move(results)) : results[0];
  }

 private:
  // Start indices: `at` along the scanned dimension, zero elsewhere.
  std::vector<InstructionId> with_starts(Rewriter& r, std::vector<InstructionId> operands,
                                         InstructionId at, int rank) {
    const InstructionId zero = constant(r, Literal::scalar<int32_t>(PrimitiveType::kS32, 0));
    for (int64_t d = 0; d < rank; ++d) operands.push_back(d == attributes_.dimension ? at : zero);
    return operands;
  }

  InstructionId part(Rewriter& r, InstructionId array, InstructionId at) {
    Dimensions sizes = r.shape(array).dimensions, squeezed = sizes;
    sizes[attributes_.dimension] = 1;
    squeezed.erase(squeezed.begin() + attributes_.dimension);
    const InstructionId row =
        r.add(Opcode::kDynamicSlice, with_starts(r, {array}, at, static_cast<int>(sizes.size())),
              hlo::DynamicSliceAttributes{sizes});
    return reshape(r, row, squeezed);
  }

  InstructionId step(Rewriter& r, InstructionId state) {
    const InstructionId count = element(r, state, 0);
    InstructionId at = count;
    if (attributes_.is_reverse) {
      const InstructionId last =
          constant(r, Literal::scalar(PrimitiveType::kS32, static_cast<int32_t>(length_ - 1)));
      at = binary(r, Opcode::kSubtract, last, count);
    }
    std::vector<InstructionId> arguments, next;
    const InstructionId one = constant(r, Literal::scalar<int32_t>(PrimitiveType::kS32, 1));
    next.push_back(binary(r, Opcode::kAdd, count, one));
    for (size_t i = 0; i < inputs_; ++i) {
      next.push_back(element(r, state, static_cast<int64_t>(1 + i)));
      arguments.push_back(part(r, next.back(), at));
    }
    for (size_t i = outputs_; i < results_.size(); ++i)
      arguments.push_back(element(r, state, static_cast<int64_t>(1 + inputs_ + i)));
    const InstructionId returned = r.inline_computation(scan_.called[0], arguments);
    for (size_t i = 0; i < results_.size(); ++i) {
      const InstructionId value =
          r.shape(returned).is_tuple() ? element(r, returned, static_cast<int64_t>(i)) : returned;
      if (i >= outputs_) {
        next.push_back(value);
        continue;
      }
      const InstructionId array = element(r, state, static_cast<int64_t>(1 + inputs_ + i));
      const InstructionId row = unsqueeze(r, value, attributes_.dimension);
      next.push_back(
          r.add(Opcode::kDynamicUpdateSlice, with_starts(r, {array, row}, at, results_[i].rank())));
    }
    return tuple(r, std::move(next));
  }

  Rewriter& r_;
  const Instruction& scan_;
  hlo::ScanAttributes attributes_;
  size_t inputs_;
  std::vector<Shape> results_;
  size_t outputs_;
  int64_t length_;
};

}  // namespace

InstructionId expand_scan(Rewriter& r, const Instruction& instruction) {
  return Scan(r, instruction).expanded();
}

}  // namespace hlocc::transforms
