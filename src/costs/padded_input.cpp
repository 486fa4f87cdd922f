// See padded_input.h.
#include "costs/padded_input.h"

#include <algorithm>

#include "ops/window_math.h"

namespace hlocc::costs {
namespace {

using hlo::Instruction;
using hlo::Opcode;
using hlo::PrimitiveType;

// The one number that it is, of bytes.
std::optional<int64_t> known_byte(const Instruction& i) {
  const PrimitiveType type = i.shape.element_type;
  if (i.opcode != Opcode::kConstant || (type != PrimitiveType::kS8 && type != PrimitiveType::kU8))
    return std::nullopt;
  const auto bits = std::to_integer<uint8_t>(i.get<hlo::ConstantAttributes>().value.bytes()[0]);
  return type == PrimitiveType::kS8 ? int64_t{static_cast<int8_t>(bits)} : int64_t{bits};
}

}  // namespace

std::optional<UnpaddedConvolution> without_pad(const hlo::Computation& computation,
                                               const Instruction& convolution) {
  const Instruction& pad = computation.operand(convolution, 0);
  if (pad.opcode != Opcode::kPad) return std::nullopt;
  const std::optional<int64_t> outside = known_byte(computation.operand(pad, 1));
  const auto& given = convolution.get<hlo::ConvolutionAttributes>();
  const bool has_zeros =
      std::ranges::any_of(given.window.dimensions, [](const hlo::WindowDimension& w) {
        return w.padding_low != 0 || w.padding_high != 0 || w.base_dilation != 1;
      });
  const auto& dimensions = pad.get<hlo::PadAttributes>().dimensions;
  const bool only_adds = std::ranges::all_of(dimensions, [](const hlo::PaddingDimension& d) {
    return d.low >= 0 && d.high >= 0 && d.interior == 0;
  });
  if (!outside || has_zeros || !only_adds) return std::nullopt;
  std::optional<hlo::Window> window = ops::window_with_pad(given, pad.get<hlo::PadAttributes>());
  if (!window) return std::nullopt;
  UnpaddedConvolution unpadded{convolution, *outside};
  unpadded.convolution.operands[0] = pad.operands[0];
  hlo::ConvolutionAttributes attributes = given;
  attributes.window = *std::move(window);
  unpadded.convolution.attributes = std::move(attributes);
  return unpadded;
}

bool takes_pad(const hlo::Module& module, const hlo::Computation& computation,
               const Instruction& convolution, const Target& target) {
  const Instruction& filter = computation.operand(convolution, 1);
  if (filter.opcode != Opcode::kConstant || convolution.shape.element_type != PrimitiveType::kS32)
    return false;
  const std::optional<UnpaddedConvolution> unpadded = without_pad(computation, convolution);
  if (!unpadded) return false;
  const Instruction& bare = unpadded->convolution;
  const ConvolutionSite site{.form = {bare.get<hlo::ConvolutionAttributes>(),
                                      computation.operand(bare, 0).shape, filter.shape, bare.shape},
                             .sum = kernel::Scalar::kS32,
                             .module = module,
                             .filter = &filter.get<hlo::ConstantAttributes>().value,
                             .filter_in_memory = true,
                             .input_in_memory = true};
  return serves_outside(plan_convolution(site, target));
}

}  // namespace hlocc::costs
