// select-and-scatter, the gradient of pooling: each source element goes to the place in its window
// that `select` picks, where `scatter` combines it with what is there. Padding is never picked.
#include "interpreter/families.h"
#include "interpreter/scalar_function.h"
#include "interpreter/strided.h"
#include "interpreter/taps.h"

namespace hlocc::interpreter {

using hlo::Instruction;

Result<Literal> evaluate(Op<Opcode::kSelectAndScatter>, Context& context,
                         const Instruction& instruction, Operands operands) {
  const hlo::Window& window = instruction.get<hlo::WindowAttributes>().window;
  const Literal &operand = operands[0], &source = operands[1], &init = operands[2];
  const Dimensions& extents = operand.shape().dimensions;
  const Dimensions strides = hlo::row_major_strides(extents);
  ScalarFunction select(context, instruction.called[0]), scatter(context, instruction.called[1]);
  const ElementAccess access(operand.type());
  Literal result = Literal::zeros(instruction.shape);
  strided_copy(extents, hlo::storage_bytes(result.type()), result.mutable_bytes().data(),
               {0, strides}, init.bytes().data(), {0, Dimensions(extents.size(), 0)});
  std::byte* out = result.mutable_bytes().data();
  const std::byte* in = operand.bytes().data();
  std::vector<DimensionTaps> taps;
  for (size_t d = 0; d < extents.size(); ++d)
    taps.push_back(taps_of(window.dimensions[d], extents[d], source.shape().dimensions[d]));
  if (source.element_count() == 0) return result;
  Dimensions position(extents.size(), 0);
  int64_t from = -1;
  do {
    ++from;
    Dimensions counts(extents.size()), tap(extents.size(), 0);
    for (size_t d = 0; d < counts.size(); ++d)
      counts[d] = static_cast<int64_t>(taps[d][position[d]].size());
    if (product(counts) == 0) continue;
    int64_t selected = -1;
    do {
      int64_t candidate = 0;
      for (size_t d = 0; d < tap.size(); ++d)
        candidate += taps[d][position[d]][tap[d]].input * strides[d];
      if (selected >= 0) {
        access.load(in, selected, select.argument(0));
        access.load(in, candidate, select.argument(1));
        HLOCC_TRY(select.call());
        if (*static_cast<const bool*>(select.result(0))) continue;
      }
      selected = candidate;
    } while (next_index(tap, counts));
    access.load(out, selected, scatter.argument(0));
    access.load(source.bytes().data(), from, scatter.argument(1));
    HLOCC_TRY(scatter.call());
    access.store(out, selected, scatter.result(0));
  } while (next_index(position, source.shape().dimensions));
  return result;
}

}  // namespace hlocc::interpreter
