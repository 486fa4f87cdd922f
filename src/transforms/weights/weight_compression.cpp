// compress_weights: the right side of a product, the filter of a convolution where flash is
// constrained, or the table that a gather reads, as few bytes as the model has them: integers of 4
// or 8 bits times a scale a column, or a scale for each group of rows of a column, in whatever way
// the model spells it. Where flash is constrained, weights that are floats in the file are looked
// at too: exporters compute what is known. A product converts and scales its weights where it reads
// them (fuse, lowering/contraction/scaled_right.h), so that they are never an array of floats; a
// gather reads integers, and scales what it has read, by numbers of the columns or by one for each
// row, which it looks up as well. The floats are the same to the last bit, but for the sign of
// zeros. Zero points of groups, of one row, are a product of their own: that of the sums of each
// group.
#include <algorithm>

#include "costs/weights.h"
#include "interpreter/strided.h"
#include "transforms/build.h"
#include "transforms/integers/known_arrays.h"
#include "transforms/integers/recovered_weights.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

using enum PrimitiveType;

// Smaller arrays are not worth the code. Of floats, which cost time once they are none, there must
// be more.
constexpr int64_t kFewestWeights = 256, kFewestFloats = 1024;
constexpr int64_t kGroups[] = {256, 128, 64, 32, 16, 8};

int64_t bytes_of(const ScaledGroups& found) {
  return found.whole.element_count() * hlo::type_bits(found.whole.type()) / 8 +
         static_cast<int64_t>(found.scales.bytes().size());
}

Literal transposed(const Literal& matrix) {
  const int64_t rows = matrix.shape().dimensions[0], columns = matrix.shape().dimensions[1];
  Literal out = Literal::zeros(Shape::array(matrix.type(), {columns, rows}));
  interpreter::strided_copy({columns, rows}, hlo::storage_bytes(matrix.type()),
                            out.mutable_bytes().data(), {0, {rows, 1}}, matrix.bytes().data(),
                            {0, {1, columns}});
  return out;
}

// Weights (q - z) * s as their parts, in floats, each [rows, columns].
struct ZeroedWeights {
  Literal whole, zeros, scales;
  PrimitiveType type = kS8;  // of the integers
};

// Whether `group` rows of each column are the same number.
bool same_in_groups(const Literal& matrix, int64_t group) {
  const auto numbers = matrix.data<float>();
  const int64_t columns = matrix.shape().dimensions[1];
  for (int64_t n = 0; n < matrix.element_count(); ++n) {
    const int64_t first = n / columns / group * group * columns + n % columns;
    if (numbers[static_cast<size_t>(n)] != numbers[static_cast<size_t>(first)]) return false;
  }
  return true;
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
      if (is_product(c_[id]) && !split_zeros(id)) shrink_product(id);
      if (is_filtered(c_[id])) shrink_filter(id);
      if (is_lookup(c_[id])) shrink_lookup(id);
    }
  }

 private:
  static bool are_weights(const Shape& shape) {
    return shape.element_type == kF32 && shape.element_count() >= kFewestWeights;
  }
  bool is_product(const Instruction& i) const {
    if (i.opcode != Opcode::kDot || i.shape.element_type != kF32 || i.shape.rank() > 2)
      return false;
    const auto& numbers = i.get<hlo::DotAttributes>();
    return numbers.lhs_batch.empty() && numbers.lhs_contracting == Dimensions{1} &&
           c_.operand(i, 0).shape.element_type == kF32 && are_weights(c_.operand(i, 1).shape);
  }
  bool is_filtered(const Instruction& i) const {
    if (i.opcode != Opcode::kConvolution || !costs::makes_filters(target_)) return false;
    const Shape& filter = c_.operand(i, 1).shape;
    const int64_t last = filter.rank() - 1;
    return are_weights(filter) && i.get<hlo::ConvolutionAttributes>().kernel_output_feature == last;
  }
  // Whole rows of a table.
  bool is_lookup(const Instruction& i) const {
    if (i.opcode != Opcode::kGather || !are_weights(c_.operand(i, 0).shape)) return false;
    const auto& g = i.get<hlo::GatherAttributes>();
    return g.offset_dims == Dimensions{i.shape.rank() - 1} &&
           g.collapsed_slice_dims == Dimensions{0} && g.start_index_map == Dimensions{0} &&
           g.slice_sizes == Dimensions{1, c_.operand(i, 0).shape.dimensions[1]};
  }

  // The array's value, if there is a chance that it takes fewer bytes than it does; and what it
  // takes now.
  std::optional<Literal> candidate(InstructionId id, int64_t& bytes) const {
    const bool stored = c_[id].opcode == Opcode::kConstant;
    if (stored && (users_[id].size() != 1 || c_[id].shape.element_count() < kFewestFloats))
      return std::nullopt;
    const std::optional<int64_t> taken = known_.bytes(id);
    if (!taken) return std::nullopt;
    bytes = *taken;
    // Floats that are only moved are not small yet.
    if (bytes >= c_[id].shape.byte_size() && !target_.flash_constrained) return std::nullopt;
    return known_.value(id);
  }

  // Of how many rows groups may be, most first.
  static std::vector<int64_t> groups_of(int64_t rows) {
    std::vector<int64_t> sizes{rows};
    for (const int64_t group : kGroups)
      if (rows % group == 0) sizes.push_back(group);
    return sizes;
  }

  // The form that takes the fewest bytes, no more than `most`; `groups`: scales of parts of a
  // column too. Four bits with the most scales take no more than eight with the fewest.
  std::optional<ScaledGroups> smallest(const Literal& floats, int64_t most, bool groups) const {
    const int64_t rows = floats.shape().dimensions[0];
    for (const int bits : {4, 8}) {
      if (bits == 4 && !costs::packs_nibbles(target_)) continue;
      for (const int64_t group : groups ? groups_of(rows) : std::vector{rows})
        if (std::optional<ScaledGroups> found = scaled_groups(floats, bits, group)) {
          if (bytes_of(*found) > most) return std::nullopt;
          return found;
        }
    }
    return std::nullopt;
  }

  // (q - z) * s as it is written, less what moves.
  std::optional<ZeroedWeights> zeroed(InstructionId right, bool turned) const {
    const InstructionId last = c_[right].opcode == Opcode::kReshape ? c_[right].operands[0] : right;
    if (c_[last].opcode != Opcode::kMultiply) return std::nullopt;
    for (const size_t side : {0, 1}) {
      const Instruction& difference = c_.operand(c_[last], static_cast<int>(side));
      if (difference.opcode != Opcode::kSubtract) continue;
      const Instruction& floats = c_.operand(difference, 0);
      if (floats.opcode != Opcode::kConvert) continue;
      const Instruction& whole = c_.operand(floats, 0);
      const PrimitiveType type = whole.shape.element_type;
      if (!is_integer(type) || hlo::type_bits(type) > 8) continue;
      std::optional<Literal> parts[] = {known_.value(difference.operands[0]),
                                        known_.value(difference.operands[1]),
                                        known_.value(c_[last].operands[1 - side])};
      for (std::optional<Literal>& part : parts) {
        if (!part) return std::nullopt;
        part->set_shape(Shape::array(kF32, c_[right].shape.dimensions));
        if (turned) part = transposed(*part);
      }
      return ZeroedWeights{std::move(*parts[0]), std::move(*parts[1]), std::move(*parts[2]), type};
    }
    return std::nullopt;
  }

  // Groups of rows of a column with a zero point each: sum of x (q - z) s is that of x q s, and, of
  // each group, the sum of its x times -z s. One row takes a product of each weight less for it, a
  // panel of weights in floats has no use for it.
  bool split_zeros(InstructionId id) {
    const Dimensions contracted = c_[id].get<hlo::DotAttributes>().rhs_contracting;
    if (costs::makes_panels(target_, c_[id].shape.dimensions[0])) return false;
    const std::optional<ZeroedWeights> parts =
        zeroed(c_[id].operands[1], contracted == Dimensions{1});
    if (!parts) return false;
    for (const int64_t group : groups_of(parts->whole.shape().dimensions[0]))
      if (same_in_groups(parts->zeros, group) && same_in_groups(parts->scales, group)) {
        add_zeros(id, *parts, group);
        return true;
      }
    return false;
  }

  void add_zeros(InstructionId id, const ZeroedWeights& parts, int64_t group) {
    const int64_t depth = parts.whole.shape().dimensions[0],
                  columns = parts.whole.shape().dimensions[1], groups = depth / group,
                  rows = c_[id].shape.dimensions[0];
    const int bits = hlo::type_bits(parts.type),
              middle = is_signed(parts.type) ? 0 : 1 << (bits - 1);
    const bool packs = bits == 4 && costs::packs_nibbles(target_);
    ScaledGroups found{Literal::zeros(Shape::array(packs ? kS4 : kS8, {depth, columns})),
                       Literal::zeros(Shape::array(kF32, {groups, columns}))};
    Literal offsets = found.scales;
    const auto whole = parts.whole.data<float>(), zeros = parts.zeros.data<float>(),
               scales = parts.scales.data<float>();
    for (size_t n = 0; n < whole.size(); ++n)
      found.whole.mutable_bytes()[n] = static_cast<std::byte>(static_cast<int>(whole[n]) - middle);
    for (int64_t n = 0; n < groups * columns; ++n) {
      const auto from = static_cast<size_t>(n / columns * group * columns + n % columns);
      found.scales.mutable_data<float>()[static_cast<size_t>(n)] = scales[from];
      offsets.mutable_data<float>()[static_cast<size_t>(n)] =
          (static_cast<float>(middle) - zeros[from]) * scales[from];
    }
    Instruction products = c_[id];
    products.name.clear();
    products.operands[1] = dequantized(found);
    products.get<hlo::DotAttributes>().rhs_contracting = {0};
    const InstructionId left = products.operands[0];
    const auto product_with = [&](InstructionId x, InstructionId right, int64_t height,
                                  int64_t width) {
      return c_.add(hlo::make(Opcode::kDot, Shape::array(kF32, {height, width}), {x, right},
                              products.attributes));
    };
    const auto reshaped = [&](InstructionId x, int64_t height, int64_t width) {
      return c_.add(hlo::make(Opcode::kReshape, Shape::array(kF32, {height, width}), {x}));
    };
    // The sums of x, as products with ones.
    const std::vector<float> numbers(static_cast<size_t>(group), 1);
    const InstructionId ones = known(Literal::array<float>(kF32, {group, 1}, numbers));
    const InstructionId each =
        product_with(reshaped(left, rows * groups, group), ones, rows * groups, 1);
    const InstructionId moved =
        product_with(reshaped(each, rows, groups), known(std::move(offsets)), rows, columns);
    const InstructionId plain = c_.add(std::move(products));
    c_.replace_uses(id, c_.add(hlo::make(Opcode::kAdd, c_[id].shape, {plain, moved})));
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

  // A scale a feature, or one for all. What is floats in the file stays so: Winograd's form of it
  // may be faster than any of this.
  void shrink_filter(InstructionId id) {
    int64_t bytes = 0;
    const InstructionId filter = c_[id].operands[1];
    if (c_[filter].opcode == Opcode::kConstant) return;
    std::optional<Literal> floats = candidate(filter, bytes);
    if (!floats) return;
    const Dimensions sizes = floats->shape().dimensions;
    floats->set_shape(Shape::array(kF32, {floats->element_count() / sizes.back(), sizes.back()}));
    std::optional<ScaledGroups> found = smallest(*floats, bytes, false);
    if (!found) return;
    found->whole.set_shape(Shape::array(found->whole.type(), sizes));
    c_[id].operands[1] = scaled(known(std::move(found->whole)), found->scales,
                                {static_cast<int64_t>(sizes.size()) - 1});
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
    if (mapping.size() == 1) scales.set_shape(Shape::array(kF32, {scales.element_count()}));
    const auto values = scales.data<float>();
    if (std::all_of(values.begin(), values.end(), [&](float x) { return x == values[0]; })) {
      scales = Literal::scalar(kF32, values[0]);
      mapping = {};
    }
    const InstructionId floats = as_floats(whole);
    return multiplied(floats, known(std::move(scales)), std::move(mapping));
  }
  InstructionId as_floats(InstructionId whole) {
    const Shape shape = Shape::array(kF32, c_[whole].shape.dimensions);
    return c_.add(hlo::make(Opcode::kConvert, shape, {whole}));
  }
  InstructionId multiplied(InstructionId floats, InstructionId scales, Dimensions mapping) {
    const Shape shape = c_[floats].shape;
    const InstructionId factors = c_.add(hlo::make(Opcode::kBroadcast, shape, {scales},
                                                   hlo::DimensionsAttributes{std::move(mapping)}));
    return c_.add(hlo::make(Opcode::kMultiply, shape, {floats, factors}));
  }

  void shrink_lookup(InstructionId id) {
    int64_t bytes = 0;
    const std::optional<Literal> floats = candidate(c_[id].operands[0], bytes);
    if (!floats) return;
    const int64_t last = c_[id].shape.rank() - 1;
    if (const std::optional<ScaledGroups> found = smallest(*floats, bytes, false)) {
      const InstructionId rows = lookup(id, known(found->whole));
      c_.replace_uses(id, scaled(rows, found->scales, {last}));
    } else if (const auto turned = smallest(transposed(*floats), bytes, false)) {
      look_up_scales(id, *turned);
    }
  }

  // A scale for each row of the table, which is looked up as well.
  void look_up_scales(InstructionId id, const ScaledGroups& turned) {
    const InstructionId rows = lookup(id, known(transposed(turned.whole)));
    Literal numbers = turned.scales;
    numbers.set_shape(Shape::array(kF32, {numbers.element_count()}));
    const InstructionId of_rows = lookup(id, known(std::move(numbers)));
    c_[of_rows].shape.dimensions.pop_back();
    auto& attributes = c_[of_rows].get<hlo::GatherAttributes>();
    attributes.offset_dims.clear();
    attributes.slice_sizes = {1};
    c_.replace_uses(id, multiplied(as_floats(rows), of_rows, counting(c_[id].shape.rank() - 1)));
  }
  // The same gather of another table.
  InstructionId lookup(InstructionId id, InstructionId table) {
    Instruction rows = c_[id];
    rows.name.clear();
    rows.shape.element_type = c_[table].shape.element_type;
    rows.operands[0] = table;
    return c_.add(std::move(rows));
  }

  const KnownArrays known_;
  Computation& c_;
  const Target& target_;
  const std::vector<std::vector<InstructionId>> users_;
};

}  // namespace

Status compress_weights(hlo::Module& module, const PassContext& context) {
  for (const ComputationId id : hlo::computation_order(module))
    WeightShrinker(module, module.computations[id], context.target).run();
  hlo::compact(module);
  return {};
}

}  // namespace hlocc::transforms
