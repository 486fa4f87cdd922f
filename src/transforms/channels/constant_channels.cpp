// constant_channels: channels that hold one known number at every place where a convolution reads
// them are not computed. What they add to its sums is a part of its bias; what is made for them
// alone before (elementwise operations, pads, depthwise convolutions, the convolution that the
// channels begin at) has fewer channels. Networks that were trained with a penalty on weights have
// many of them (MLPerf Tiny's vww: 71 to 98 of 128 in some layers).
#include <algorithm>

#include "costs/weights.h"
#include "hlo/along.h"
#include "hlo/literal.h"
#include "transforms/build.h"
#include "transforms/channels/channel_values.h"
#include "transforms/integers/quantized_step.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

using Mask = std::vector<bool>;

bool any(const Mask& mask) {
  return std::ranges::any_of(mask, [](bool is_set) { return is_set; });
}

// What is left of a dimension without the channels of the mask.
Literal without(const Literal& literal, int64_t dimension, const Mask& removed) {
  Dimensions sizes = literal.shape().dimensions;
  const hlo::Along channels(sizes, dimension);
  const int64_t width = hlo::storage_bytes(literal.type());
  std::vector<std::byte> bytes;
  for (int64_t at = 0; at < literal.element_count(); at += channels.run) {
    const std::byte* const from = &literal.bytes()[static_cast<size_t>(at * width)];
    if (!removed[static_cast<size_t>(channels.place(at))])
      bytes.insert(bytes.end(), from, from + channels.run * width);
  }
  sizes[static_cast<size_t>(dimension)] = std::ranges::count(removed, false);
  return Literal::from_bytes(Shape::array(literal.type(), sizes), std::move(bytes));
}

class ChannelRemover {
 public:
  ChannelRemover(Module& module, Computation& c, int64_t unit)
      : c_(c), unit_(unit), values_(channel_values(module, c)), users_(c.users()) {
    for (const Instruction& i : c.instructions)
      mixes_.push_back(i.opcode == Opcode::kConvolution && !is_depthwise(c, i));
  }

  // True if channels were removed.
  bool run() {
    for (InstructionId id = 0; id < static_cast<InstructionId>(values_.size()); ++id)
      removed_.push_back(first_mask(id));
    while (narrowed()) continue;
    for (Mask& mask : removed_) keep_units(mask);
    bool is_changed = false;
    const auto count = static_cast<InstructionId>(removed_.size());
    for (InstructionId id = 0; id < count; ++id) {
      const bool is_less = is_removed(id) || is_fed_less(id);
      if (is_fed_less(id)) take_sums(id);
      if (is_removed(id)) remove(id);
      is_changed |= is_less;
    }
    return is_changed;
  }

 private:
  Mask& mask(InstructionId id) { return removed_[static_cast<size_t>(id)]; }
  bool is_removed(InstructionId id) { return any(mask(id)); }
  bool mixes_channels(InstructionId id) const { return mixes_[static_cast<size_t>(id)]; }
  // A convolution of all channels by all whose input has fewer.
  bool is_fed_less(InstructionId id) {
    return mixes_channels(id) && is_removed(c_[id].operands[0]);
  }

  // --- which channels can go: all that read them must do without ---
  Mask first_mask(InstructionId id) const {
    const auto& values = values_[static_cast<size_t>(id)];
    if (!values) return {};
    const Instruction& i = c_[id];
    if (i.opcode != Opcode::kConvolution || mixes_channels(id))
      return Mask(values->known.size(), true);
    // A depthwise convolution has as many channels as what it reads.
    const auto& input = values_[static_cast<size_t>(i.operands[0])];
    const int64_t feature = i.get<hlo::ConvolutionAttributes>().input_feature;
    return Mask(values->known.size(), input && input->dimension == feature);
  }

  bool narrowed() {
    bool is_changed = false;
    for (InstructionId id = 0; id < static_cast<InstructionId>(removed_.size()); ++id) {
      if (!values_[static_cast<size_t>(id)]) continue;
      if (id == c_.root || users_[static_cast<size_t>(id)].empty()) is_changed |= give_up(id);
      for (const InstructionId user : users_[static_cast<size_t>(id)])
        is_changed |= narrowed_by(id, user);
    }
    return is_changed;
  }

  bool narrowed_by(InstructionId id, InstructionId user) {
    const Instruction& u = c_[user];
    if (u.opcode == Opcode::kConvolution && u.operands[1] == id) return give_up(id);
    const auto& values = *values_[static_cast<size_t>(id)];
    if (mixes_channels(user)) {
      if (!has_known_weights(c_, u) ||
          u.get<hlo::ConvolutionAttributes>().input_feature != values.dimension)
        return give_up(id);
      Mask known = mask(id);
      for (size_t at = 0; at < known.size(); ++at)
        known[at] = known[at] && values.known[at] &&
                    (!reads_zeros(u) || integer_at(values.values, static_cast<int64_t>(at)) == 0);
      return std::exchange(mask(id), known) != known;
    }
    if (mask(user).size() != mask(id).size()) return give_up(id);
    // Both have the same channels, or neither has them.
    Mask both = mask(id);
    for (size_t at = 0; at < both.size(); ++at) both[at] = both[at] && mask(user)[at];
    const bool is_changed = both != mask(id) || both != mask(user);
    mask(id) = mask(user) = both;
    return is_changed;
  }

  bool give_up(InstructionId id) {
    const bool is_changed = is_removed(id);
    mask(id).assign(mask(id).size(), false);
    return is_changed;
  }

  // So many channels stay that those that are left are a multiple of what kernels take at once.
  void keep_units(Mask& removed) const {
    if (removed.empty()) return;
    const int64_t left = std::ranges::count(removed, false),
                  wanted = std::max<int64_t>(1, (left + unit_ - 1) / unit_) * unit_;
    int64_t more = wanted - left;
    for (size_t at = 0; at < removed.size() && more > 0; ++at)
      if (removed[at]) removed[at] = false, --more;
  }

  // --- the computation without them ---
  InstructionId constant(Literal literal) { return c_.add(hlo::make_constant(std::move(literal))); }
  InstructionId spread(Literal literal, const Shape& shape, Dimensions mapping) {
    const InstructionId values = constant(std::move(literal));
    return c_.add(hlo::make(Opcode::kBroadcast, shape, {values},
                            hlo::DimensionsAttributes{std::move(mapping)}));
  }

  void remove(InstructionId id) {
    const int64_t d = values_[static_cast<size_t>(id)]->dimension;
    Dimensions sizes = c_[id].shape.dimensions;
    sizes[static_cast<size_t>(d)] = std::ranges::count(mask(id), false);
    const std::vector<InstructionId> operands = c_[id].operands;
    for (size_t n = 0; n < operands.size() && c_[id].opcode != Opcode::kConvolution; ++n) {
      const InstructionId operand = operands[n];
      const std::optional<ChannelConstant> known = channel_constant(c_, operand);
      if (!known || c_[operand].shape.rank() == 0) continue;
      const Literal less = known->is_one() ? known->values : without(known->values, 0, mask(id));
      const InstructionId spread_less =
          spread(less, Shape::array(less.type(), sizes), known->mapping);
      c_[id].operands[n] = spread_less;
    }
    if (c_[id].opcode == Opcode::kConvolution) {
      auto& a = c_[id].get<hlo::ConvolutionAttributes>();
      if (!mixes_channels(id)) a.feature_group_count = sizes[static_cast<size_t>(d)];
      take_weights(id, a.kernel_output_feature, mask(id));
    }
    c_[id].shape = Shape::array(c_[id].shape.element_type, sizes);
  }

  void take_weights(InstructionId id, int64_t dimension, const Mask& removed) {
    const Literal& weights = c_.operand(c_[id], 1).get<hlo::ConstantAttributes>().value;
    const InstructionId less = constant(without(weights, dimension, removed));
    c_[id].operands[1] = less;
  }

  // What the removed channels of the input add is a part of the bias behind the convolution.
  void take_sums(InstructionId id) {
    const InstructionId from = c_[id].operands[0];
    const auto& a = c_[id].get<hlo::ConvolutionAttributes>();
    const int64_t d = a.output_feature;
    const std::vector<int64_t> sums =
        sums_of_known(c_, c_[id], *values_[static_cast<size_t>(from)], mask(from));
    take_weights(id, a.kernel_input_feature, mask(from));
    Literal all = integers(PrimitiveType::kS32, {std::ssize(sums)}, sums);
    const std::vector<InstructionId>& users = users_[static_cast<size_t>(id)];
    if (users.size() == 1 && c_[users[0]].opcode == Opcode::kAdd && joins_bias(users[0], id, all))
      return;
    // An addition of its own, which has fewer channels where the convolution has.
    const Instruction& product = c_[id];
    const Shape shape = product.shape;
    if (is_removed(id)) all = without(all, 0, mask(id));
    Dimensions sizes = shape.dimensions;
    sizes[static_cast<size_t>(d)] = all.element_count();
    const Shape less = Shape::array(PrimitiveType::kS32, sizes);
    const InstructionId bias = spread(std::move(all), less, {d});
    const InstructionId sum = c_.add(hlo::make(Opcode::kAdd, less, {id, bias}));
    c_.replace_uses(id, sum);
    c_[sum].operands[0] = id;
  }

  // The sums go into a constant that is added to the product anyway.
  bool joins_bias(InstructionId sum, InstructionId product, const Literal& sums) {
    const Instruction& add = c_[sum];
    const size_t place = add.operands[0] == product ? 1 : 0;
    const InstructionId bias = add.operands[place];
    const int64_t d = c_[product].get<hlo::ConvolutionAttributes>().output_feature;
    const std::optional<ChannelConstant> before = channel_constant(c_, bias);
    if (!before || before->mapping != Dimensions{d}) return false;
    Literal both = before->values;
    for (int64_t at = 0; at < both.element_count(); ++at)
      both.mutable_data<uint32_t>()[static_cast<size_t>(at)] +=
          static_cast<uint32_t>(integer_at(sums, at));
    const Shape shape = c_[bias].shape;
    const InstructionId joined = spread(std::move(both), shape, {d});
    c_[sum].operands[place] = joined;
    return true;
  }

  Computation& c_;
  int64_t unit_;
  std::vector<std::optional<ChannelValues>> values_;
  std::vector<std::vector<InstructionId>> users_;
  std::vector<bool> mixes_;
  std::vector<Mask> removed_;
};

}  // namespace

Status constant_channels(Module& module, const PassContext& context) {
  bool is_changed = false;
  for (const ComputationId id : hlo::computation_order(module))
    is_changed |=
        ChannelRemover(module, module.computations[id], costs::channels_at_once(context.target))
            .run();
  if (!is_changed) return {};
  hlo::compact(module);
  return simplify(module, context);
}

}  // namespace hlocc::transforms
