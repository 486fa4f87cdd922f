// See lost_forms.h.
#include "transforms/rows/lost_forms.h"

#include <algorithm>

#include "costs/convolution.h"

namespace hlocc::transforms {
namespace {

using hlo::Computation;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::Module;
using hlo::Opcode;

// Of the products, those that the form leaves: F(2,3) has 16 for 36.
constexpr double kSaved = 20.0 / 36;

double products_of(const Computation& c, const Instruction& convolution) {
  const hlo::Shape& filter = c.operand(convolution, 1).shape;
  const auto outputs = convolution.get<hlo::ConvolutionAttributes>().kernel_output_feature;
  return static_cast<double>(convolution.shape.element_count()) *
         static_cast<double>(filter.element_count() / filter.dimensions[outputs]);
}

// Of rows of its result, or (0) of all of them.
bool takes_winograd(const Module& module, const Computation& c, const Instruction& convolution,
                    int64_t rows, double executions, const Target& target) {
  const Instruction& filter = c.operand(convolution, 1);
  if (filter.opcode != Opcode::kConstant) return false;
  hlo::ConvolutionAttributes attributes = convolution.get<hlo::ConvolutionAttributes>();
  hlo::Shape input = c.operand(convolution, 0).shape, output = convolution.shape;
  const hlo::Literal& weights = filter.get<hlo::ConstantAttributes>().value;
  const auto is_taken = [&] {
    return costs::WinogradPlan::of({.form = {attributes, input, filter.shape, output},
                                    .module = module,
                                    .filter = &weights,
                                    .executions = executions},
                                   target)
        .has_value();
  };
  if (rows == 0) return is_taken();
  hlo::WindowDimension& window = attributes.window.dimensions[0];
  output.dimensions[1] = rows;
  input.dimensions[1] = rows + window.size - 1;
  window.padding_low = window.padding_high = 0;
  return is_taken();
}

// The stored array that the rows of a value go into.
const StoredRows& stored_behind(const RowSchedule& schedule, InstructionId id) {
  const auto found = std::ranges::find_if(schedule.stored,
                                          [&](const StoredRows& rows) { return rows.value >= id; });
  return found == schedule.stored.end() ? schedule.stored.back() : *found;
}

}  // namespace

double products_lost(const Module& module, const Computation& c, const RowSchedule& schedule,
                     const Target& target) {
  double lost = 0;
  for (const auto& [id, dimension] : schedule.dimension) {
    if (c[id].opcode != Opcode::kConvolution || dimension != 1) continue;
    if (!takes_winograd(module, c, c[id], 0, 1, target)) continue;
    const StoredRows& rows = stored_behind(schedule, id);
    const auto executions = static_cast<double>(schedule.iterations / rows.period);
    if (!takes_winograd(module, c, c[id], rows.made(), executions, target))
      lost += kSaved * products_of(c, c[id]);
  }
  return lost;
}

}  // namespace hlocc::transforms
