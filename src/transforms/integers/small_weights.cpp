// small_weights: the right side of a product, or the table that a gather reads, as few bytes as the
// model has them: integers of 4 or 8 bits times a scale a column, or a scale for each group of
// rows of a column, in whatever way the model spells it. Where flash is dear, weights that are
// floats in the file are looked at too: exporters compute what is known. A product converts and
// scales its weights where it reads them (fuse, lowering/contraction/scaled_right.h), so that they
// are never an array of floats; a gather reads integers, and scales what it has read. The floats
// are the same to the last bit, but for the sign of zeros.
#include <algorithm>

#include "costs/weights.h"
#include "interpreter/strided.h"
#include "transforms/integers/known_arrays.h"
#include "transforms/integers/scaled_bytes.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;

// Smaller arrays are not worth the code, larger ones not the time. Of floats, which cost time once
// they are none, there must be more.
constexpr int64_t kFewestWeights = 256, kFewestFloats = 1024;
constexpr int64_t kGroups[] = {256, 128, 64, 32, 16, 8};

int64_t bytes_of(const ScaledGroups& found) {
  return found.whole.element_count() * hlo::type_bits(found.whole.type()) / 8 +
         static_cast<int64_t>(found.scales.bytes().size());
}

Literal transposed(const Literal& matrix) {
  const int64_t rows = matrix.shape().dimensions[0], columns = matrix.shape().dimensions[1];
  Literal out = Literal::zeros(Shape::array(kF32, {columns, rows}));
  interpreter::strided_copy({columns, rows}, sizeof(float), out.mutable_bytes().data(),
                            {0, {rows, 1}}, matrix.bytes().data(), {0, {1, columns}});
  return out;
}

class WeightShrinker {
 public:
  WeightShrinker(const Module& module, Computation& c, const Target& target)
      : known_(module, c, costs::packs_nibbles(target)),
        c_(c),
        target_(target),
        users_(c.users()) {}

  void run() {
    const auto count = static_cast<InstructionId>(c_.instructions.size());
    for (InstructionId id = 0; id < count; ++id) {
      if (is_product(c_[id])) shrink_product(id);
      if (is_lookup(c_[id])) shrink_lookup(id);
    }
  }

 private:
  bool is_matrix(InstructionId id) const {
    const Shape& shape = c_[id].shape;
    return shape.element_type == kF32 && shape.rank() == 2 &&
           shape.element_count() >= kFewestWeights && shape.element_count() <= kMostKnownElements;
  }
  bool is_product(const Instruction& i) const {
    if (i.opcode != Opcode::kDot || i.shape.element_type != kF32 || i.shape.rank() != 2)
      return false;
    const auto& numbers = i.get<hlo::DotAttributes>();
    return numbers.lhs_batch.empty() && numbers.lhs_contracting == Dimensions{1} &&
           numbers.rhs_contracting.size() == 1 && c_.operand(i, 0).shape.element_type == kF32 &&
           is_matrix(i.operands[1]);
  }
  // Whole rows of a table.
  bool is_lookup(const Instruction& i) const {
    if (i.opcode != Opcode::kGather || !is_matrix(i.operands[0])) return false;
    const auto& g = i.get<hlo::GatherAttributes>();
    return g.offset_dims == Dimensions{i.shape.rank() - 1} &&
           g.collapsed_slice_dims == Dimensions{0} && g.start_index_map == Dimensions{0} &&
           g.operand_batching_dims.empty() &&
           g.slice_sizes == Dimensions{1, c_.operand(i, 0).shape.dimensions[1]};
  }

  // The array's value, if there is a chance that it takes fewer bytes than it does; and what it
  // takes now.
  std::optional<Literal> candidate(InstructionId id, int64_t& bytes) const {
    const bool stored = c_[id].opcode == Opcode::kConstant;
    if (stored && !(target_.dear_flash && users_[id].size() == 1 && id != c_.root &&
                    c_[id].shape.element_count() >= kFewestFloats))
      return std::nullopt;
    if (!known_.is_known(id, bytes)) return std::nullopt;
    // Floats that are only moved are not small yet.
    if (bytes >= c_[id].shape.byte_size() && !target_.dear_flash) return std::nullopt;
    return known_.value(id);
  }

  // The form that takes the fewest bytes, no more than `most`; `groups`: scales of parts of a
  // column too.
  std::optional<ScaledGroups> smallest(const Literal& floats, int64_t most, bool groups) const {
    const int64_t rows = floats.shape().dimensions[0];
    std::optional<ScaledGroups> best;
    const auto attempt = [&](int bits, int64_t group) {
      std::optional<ScaledGroups> found = scaled_groups(floats, bits, group);
      if (found && bytes_of(*found) <= most && (!best || bytes_of(*found) < bytes_of(*best)))
        best = std::move(found);
      return found.has_value() || (best && best->whole.type() == kS4);
    };
    for (const int bits : {4, 8}) {
      if (bits == 4 && !costs::packs_nibbles(target_)) continue;
      if (attempt(bits, rows) || !groups) continue;
      for (const int64_t group : kGroups)
        if (group < rows && rows % group == 0 && attempt(bits, group)) break;
    }
    return best;
  }

  void shrink_product(InstructionId id) {
    const Dimensions contracted = c_[id].get<hlo::DotAttributes>().rhs_contracting;
    int64_t bytes = 0;
    const InstructionId right = c_[id].operands[1];
    std::optional<Literal> floats = candidate(right, bytes);
    if (!floats) return;
    if (contracted == Dimensions{1}) floats = transposed(*floats);
    const std::optional<ScaledGroups> found = smallest(*floats, bytes, true);
    if (!found) return;
    c_[id].operands[1] = dequantized(*found);
    c_[id].get<hlo::DotAttributes>().rhs_contracting = {0};
  }

  // The integers times their scales, [rows, columns].
  InstructionId dequantized(const ScaledGroups& found) {
    const Dimensions sizes = found.whole.shape().dimensions;
    const int64_t groups = found.scales.shape().dimensions[0];
    if (groups == 1) return scaled(known(found.whole), found.scales, {1});
    Literal whole = found.whole;
    whole.set_shape(Shape::array(whole.type(), {groups, sizes[0] / groups, sizes[1]}));
    const InstructionId product = scaled(known(std::move(whole)), found.scales, {0, 2});
    return c_.add(hlo::make(Opcode::kReshape, Shape::array(kF32, sizes), {product}));
  }

  InstructionId known(Literal value) { return c_.add(hlo::make_constant(std::move(value))); }

  // `whole` as floats, times scales along `mapping`.
  InstructionId scaled(InstructionId whole, Literal scales, Dimensions mapping) {
    const Shape shape = Shape::array(kF32, c_[whole].shape.dimensions);
    if (mapping.size() == 1) scales.set_shape(Shape::array(kF32, {scales.element_count()}));
    const auto values = scales.data<float>();
    if (std::all_of(values.begin(), values.end(), [&](float x) { return x == values[0]; })) {
      scales = Literal::scalar(kF32, values[0]);
      mapping = {};
    }
    const InstructionId floats = c_.add(hlo::make(Opcode::kConvert, shape, {whole}));
    const InstructionId factors = c_.add(hlo::make(
        Opcode::kBroadcast, shape, {known(std::move(scales))}, hlo::DimensionsAttributes{mapping}));
    return c_.add(hlo::make(Opcode::kMultiply, shape, {floats, factors}));
  }

  void shrink_lookup(InstructionId id) {
    int64_t bytes = 0;
    const std::optional<Literal> floats = candidate(c_[id].operands[0], bytes);
    if (!floats) return;
    const std::optional<ScaledGroups> found = smallest(*floats, bytes, false);
    if (!found) return;
    Instruction rows = c_[id];
    rows.name.clear();
    rows.shape.element_type = found->whole.type();
    rows.operands[0] = known(found->whole);
    const InstructionId product =
        scaled(c_.add(std::move(rows)), found->scales, {c_[id].shape.rank() - 1});
    c_.replace_uses(id, product);
  }

  const KnownArrays known_;
  Computation& c_;
  const Target& target_;
  const std::vector<std::vector<InstructionId>> users_;
};

}  // namespace

Status small_weights(hlo::Module& module, const PassContext& context) {
  for (const ComputationId id : hlo::computation_order(module))
    WeightShrinker(module, module.computations[id], context.target).run();
  hlo::compact(module);
  return {};
}

}  // namespace hlocc::transforms
