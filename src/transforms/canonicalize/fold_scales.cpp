// fold_scales: a batch norm behind a convolution or a dot scales and shifts each output feature by
// known numbers. The scale goes into the weights, the shift becomes one addition: (w x - m) s + b =
// (w s) x + (b - m s). What is left is a bias, at no cost in weights; on short sums (depthwise, few
// input features) the norm would take as long as they.
#include <cmath>
#include <limits>
#include <optional>

#include "hlo/along.h"
#include "transforms/canonicalize/output_features.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

using hlo::Computation;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::kNone;
using hlo::Literal;
using hlo::Opcode;
using hlo::PrimitiveType;
using hlo::Shape;

using Scales = std::vector<double>;

class ScaleFolder {
 public:
  explicit ScaleFolder(Computation& c) : c_(c), users_(c.users()) {}

  void run() {
    const auto count = static_cast<InstructionId>(c_.instructions.size());
    for (InstructionId id = 0; id < count; ++id)
      if (const auto features = foldable(id)) fold(id, *features);
  }

 private:
  // A contraction of f32 with weights of its own.
  std::optional<Features> foldable(InstructionId id) const {
    const Instruction& i = c_[id];
    if (i.opcode != Opcode::kConvolution && i.opcode != Opcode::kDot) return std::nullopt;
    const InstructionId weights = i.operands[1];
    if (i.shape.element_type != PrimitiveType::kF32 || c_[weights].opcode != Opcode::kConstant)
      return std::nullopt;
    if (c_[weights].shape.element_type != PrimitiveType::kF32 || users_[weights].size() != 1)
      return std::nullopt;
    return output_features(i, 1, c_[weights].shape);
  }

  // The number that each feature of the result meets in `id`, where these are known.
  std::optional<Scales> per_feature(InstructionId id, int64_t feature) const {
    const Instruction& i = c_[id];
    if (i.opcode != Opcode::kBroadcast || c_.operand(i, 0).opcode != Opcode::kConstant)
      return std::nullopt;
    const Literal& known = c_.operand(i, 0).get<hlo::ConstantAttributes>().value;
    const auto& mapping = i.get<hlo::DimensionsAttributes>().dimensions;
    const auto values = known.data<float>();
    const auto count = static_cast<size_t>(i.shape.dimensions[static_cast<size_t>(feature)]);
    if (mapping.empty()) return Scales(count, values[0]);
    if (mapping != hlo::Dimensions{feature}) return std::nullopt;
    return Scales(values.begin(), values.end());
  }

  // One step of the chain: scale and shift after `user`, which reads `from`. False where it is no
  // such step.
  bool extend(InstructionId from, const Instruction& user, int64_t feature, Scales& scale,
              Scales& shift, bool& scaled) const {
    if (user.opcode != Opcode::kAdd && user.opcode != Opcode::kSubtract &&
        user.opcode != Opcode::kMultiply)
      return false;
    const bool first = user.operands[0] == from;
    const auto other = per_feature(user.operands[first ? 1 : 0], feature);
    if (!other) return false;
    for (size_t f = 0; f < scale.size(); ++f) {
      const double x = (*other)[f];
      switch (user.opcode) {
        case Opcode::kAdd: shift[f] += x; break;
        case Opcode::kSubtract:
          shift[f] = first ? shift[f] - x : x - shift[f];
          if (!first) scale[f] = -scale[f];
          break;
        default: scale[f] *= x; shift[f] *= x;
      }
    }
    scaled |= user.opcode == Opcode::kMultiply;
    return true;
  }

  void fold(InstructionId id, Features features) {
    const auto count =
        static_cast<size_t>(c_[id].shape.dimensions[static_cast<size_t>(features.in_result)]);
    Scales scale(count, 1), shift(count, 0), next_scale = scale, next_shift = shift;
    InstructionId last = id, end = kNone;
    bool scaled = false, shifted = false;
    while (last != c_.root && users_[last].size() == 1) {
      const InstructionId user = users_[last][0];
      if (!extend(last, c_[user], features.in_result, next_scale, next_shift, scaled)) break;
      shifted |= c_[user].opcode != Opcode::kMultiply;
      last = end = user;
      scale = next_scale;
      shift = next_shift;
    }
    if (!scaled) return;
    const auto weights = scaled_weights(c_[c_[id].operands[1]], features.in_weights, scale);
    if (!weights) return;
    std::vector<float> bias(shift.begin(), shift.end());
    for (const float x : bias)
      if (!std::isfinite(x)) return;
    const InstructionId known = c_.add(hlo::make_constant(*weights));
    c_[id].operands[1] = known;
    if (!shifted) return c_.replace_uses(end, id);
    const InstructionId spread = spread_bias(c_[end].shape, features.in_result, bias);
    // The end of the chain keeps its name.
    c_[end].opcode = Opcode::kAdd;
    c_[end].attributes = {};
    c_[end].operands = {id, spread};
  }

  // None where a scaled weight leaves the range of normal numbers.
  static std::optional<Literal> scaled_weights(const Instruction& constant, int64_t feature,
                                               const Scales& scale) {
    Literal weights = constant.get<hlo::ConstantAttributes>().value;
    const hlo::Along features(weights.shape().dimensions, feature);
    const auto values = weights.mutable_data<float>();
    for (size_t n = 0; n < values.size(); ++n) {
      const auto place = static_cast<size_t>(features.place(static_cast<int64_t>(n)));
      const double factor = scale[place], product = values[n] * factor;
      if (!(std::fabs(product) <= std::numeric_limits<float>::max())) return std::nullopt;
      if (product != 0 && std::fabs(product) < std::numeric_limits<float>::min())
        return std::nullopt;
      values[n] = static_cast<float>(product);
    }
    return weights;
  }

  InstructionId spread_bias(const Shape& shape, int64_t feature, const std::vector<float>& bias) {
    const InstructionId known = c_.add(hlo::make_constant(
        Literal::array<float>(PrimitiveType::kF32, {static_cast<int64_t>(bias.size())}, bias)));
    return c_.add(
        hlo::make(Opcode::kBroadcast, shape, {known}, hlo::DimensionsAttributes{{feature}}));
  }

  Computation& c_;
  const std::vector<std::vector<InstructionId>> users_;
};

}  // namespace

Status fold_scales(hlo::Module& module, const PassContext&) {
  for (Computation& computation : module.computations) ScaleFolder(computation).run();
  hlo::compact(module);
  return {};
}

}  // namespace hlocc::transforms
