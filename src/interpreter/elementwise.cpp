// Kernels applied to whole arrays, and found by opcode for the scalar programs.
#include "interpreter/elementwise.h"

#include "support/text.h"

namespace hlocc::interpreter {
namespace {

using Finder = Kernel (*)(const KernelRequest&);

template <Opcode opcode>
constexpr Finder finder() {
  if constexpr (HasKernel<opcode>)
    return [](const KernelRequest& request) { return kernel(Op<opcode>{}, request); };
  return nullptr;
}

constexpr Finder finders[] = {
#define HLOCC_OPCODE(enumerator, ...) finder<Opcode::enumerator>(),
#include "hlo/opcodes.def"
};

}  // namespace

std::optional<Kernel> find_kernel(const hlo::Instruction& instruction,
                                  std::span<const PrimitiveType> operand_types) {
  const Finder find = finders[static_cast<int>(instruction.opcode)];
  if (!find) return std::nullopt;
  const size_t typed = instruction.opcode == Opcode::kSelect ? 1 : 0;
  const Kernel kernel = find({instruction, operand_types[typed], instruction.shape.element_type});
  return kernel.run ? std::optional(kernel) : std::nullopt;
}

Result<Literal> evaluate_kernel(const Kernel& kernel, const hlo::Instruction& instruction,
                                Operands operands) {
  if (!kernel.run)
    return unsupported(instruction, cat("element type ", hlo::type_name(operands[0].type())));
  const int64_t count = instruction.shape.element_count();
  Lanes lanes;
  lanes.count = count;
  // Small floats are decoded into copies that must outlive the run; everything else is viewed.
  std::array<std::unique_ptr<float[]>, 3> decoded;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Literal& operand = operands[i];
    lanes.steps[i] = operand.shape().is_scalar() ? 0 : 1;
    lanes.operands[i] = operand.bytes().data();
    if (is_native(operand.type())) continue;
    decoded[i] = std::make_unique<float[]>(static_cast<size_t>(operand.element_count()));
    decode_small(operand.type(), operand.bytes().data(), decoded[i].get(), operand.element_count());
    lanes.operands[i] = decoded[i].get();
  }
  return visit_value_type(instruction.shape.element_type,
                          [&]<typename V>(std::type_identity<V>) -> Result<Literal> {
                            Output<V> out(instruction.shape);
                            lanes.result = out.data();
                            kernel.run(kernel, lanes);
                            return std::move(out).take();
                          });
}

}  // namespace hlocc::interpreter
