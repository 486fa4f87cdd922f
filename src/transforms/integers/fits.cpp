// See fits.h. The rows' conditions have been asked before a search begins.
#include "transforms/integers/fits.h"

#include "transforms/build.h"
#include "transforms/integers/affine_fit.h"
#include "transforms/integers/fixed_ties.h"
#include "transforms/integers/rounded_floats.h"

namespace hlocc::transforms {
namespace fits {
namespace {

using Form = std::optional<costs::Requantization>;
using costs::ReadAs;

bool is_flat(Recognised& read) { return read.channels() && read.channels()->are_flat(); }

// The one number of each channel.
Form one_number(Recognised& read) {
  if (!is_flat(read)) return std::nullopt;
  costs::Requantization form;
  for (const ChannelFit& fit : read.channels()->fits) form.offsets.push_back(fit.function.first);
  return form;
}

Form offset_inside(Recognised& read) {
  return read.channels() ? fit_inside(read.channels()->fits) : std::nullopt;
}

// The same without the weights of the channels that are one number, which no line of theirs serves.
Form inside_without_flat(Recognised& read) {
  if (!read.channels()) return std::nullopt;
  auto flat = flat_channels(read.r, *read.chain(), *read.channels(), read.once);
  Form form = flat ? fit_inside(flat->fits.fits) : std::nullopt;
  if (form) read.take(without_weights(read.r, *std::move(flat)));
  return form;
}

Form bent_inside(Recognised& read) {
  Form form = offset_inside(read);
  return form && form->form.bent ? form : std::nullopt;
}

Form with_corrections(Recognised& read, int most) {
  if (!read.channels()) return std::nullopt;
  return fit(read.channels()->fits, costs::has_long_multiply(read.target), most);
}
Form nearly_exact(Recognised& read) {
  return with_corrections(
      read, std::min(costs::most_corrections(read.target), costs::kCheaperThanFloats));
}
Form fixed_point(Recognised& read) {
  return with_corrections(read, costs::most_corrections(read.target));
}

Form floats(Recognised& read) {
  if (!read.channels()) return std::nullopt;
  const costs::Rounding rounding = costs::float_rounding(read.target);
  Form form = fit_rounded_floats(read.channels()->fits, costs::most_rounded(rounding));
  if (form) form->rounding = rounding;
  return form;
}

Form ties(Recognised& read) {
  return read.channels() ? fit_ties(read.channels()->fits) : std::nullopt;
}

Form table(Recognised& read) {
  costs::Requantization form;
  const Literal values = evaluate_bytes(read.r, *read.bytes(), read.last);
  for (int64_t at = 0; at < values.element_count(); ++at)
    form.table.push_back(integer_at(values, at));
  return form;
}

Form affine(Recognised& read) {
  return fit_affine(evaluate(read.r, *read.bytes(), read.last, read.ranges),
                    costs::most_exceptions(read.target));
}

Form sum(Recognised& read) { return fit_linear_sum(*read.sum(), read.ranges); }

using Search = Form (*)(Recognised& read);
constexpr Search kSearches[] = {
#define HLOCC_REQUANTIZE_FIT(read_as, function, pays) function,
#include "costs/requantize_fits.def"
#undef HLOCC_REQUANTIZE_FIT
};

}  // namespace
}  // namespace fits

const std::optional<MonotoneChain>& Recognised::chain() {
  if (!std::exchange(chain_.is_read, true) && hlo::type_bits(last.shape.element_type) == 8)
    chain_.value = monotone_chain(r, last, ranges);
  return chain_.value;
}

const std::optional<ChannelFits>& Recognised::channels() {
  if (!std::exchange(channels_.is_read, true) && chain()) {
    // Pieces of a factor have no room for larger sums.
    const bool has_one_offset =
        costs::has_long_multiply(target) || costs::float_scale_pays(target, chain()->is_real());
    channels_.value = channel_fits(r, *chain_.value, ranges, has_one_offset);
  }
  return channels_.value;
}

const std::optional<ByteFunction>& Recognised::bytes() {
  const PrimitiveType type = last.shape.element_type;
  const bool is_short = hlo::type_bits(type) == 8 || type == PrimitiveType::kS16;
  if (!std::exchange(bytes_.is_read, true) && is_short) bytes_.value = byte_function(r, last);
  return bytes_.value;
}

const std::optional<LinearSum>& Recognised::sum() {
  if (!std::exchange(sum_.is_read, true)) sum_.value = linear_sum(r, last);
  return sum_.value;
}

std::optional<costs::RequantizeSite> Recognised::site(costs::ReadAs as) {
  switch (as) {
    case costs::ReadAs::kSteps: {
      if (!chain()) return std::nullopt;
      const auto sum = biased_sum(r, chain()->base, chain()->mapping, chain()->sizes);
      const Opcode made_by = r[sum ? sum->unbiased : chain()->base].opcode;
      return costs::RequantizeSite{
          .in_floats = chain()->is_real(),
          .of_contraction = made_by == Opcode::kConvolution || made_by == Opcode::kDot};
    }
    case costs::ReadAs::kBytes:
    case costs::ReadAs::kPairs:
      if (!bytes() || (bytes()->second == kNone) != (as == costs::ReadAs::kBytes))
        return std::nullopt;
      return costs::RequantizeSite{.in_floats = bytes()->computes_in_floats,
                                   .in_64_bits = bytes()->computes_in_64_bits};
    case costs::ReadAs::kSums:
      return sum() ? std::optional(costs::RequantizeSite{.in_floats = true}) : std::nullopt;
  }
  return std::nullopt;
}

RequantizedArrays Recognised::arrays(costs::ReadAs as, bool has_products) {
  switch (as) {
    case costs::ReadAs::kSteps: {
      RequantizedArrays of{{}, chain()->mapping, chain()->sizes};
      if (!has_products) return of;
      of.arrays = {chain()->base};
      if (channels()->unbiased == kNone) return of;
      const std::vector<int32_t> biases(channels()->biases.begin(), channels()->biases.end());
      const InstructionId bias =
          broadcast_constant(r, Literal::array<int32_t>(PrimitiveType::kS32, of.sizes, biases),
                             Dimensions(r.shape(chain()->base).dimensions), of.mapping);
      of.arrays = {binary(r, Opcode::kAdd, channels()->unbiased, bias)};
      return of;
    }
    case costs::ReadAs::kBytes: return {{bytes()->first}, {}, {}};
    case costs::ReadAs::kPairs: return {{bytes()->first, bytes()->second}, {}, {}};
    case costs::ReadAs::kSums: {
      RequantizedArrays of{{}, sum()->mapping, sum()->sizes};
      for (const auto& [id, numbers] : sum()->terms) of.arrays.push_back(id);
      return of;
    }
  }
  return {};
}

InstructionId requantized(Rewriter& r, const Instruction& last, IntegerRanges& ranges,
                          const ReadOnce& once, const Target& target) {
  Recognised read(r, last, ranges, once, target);
  const fits::Search* search = fits::kSearches;
  for (const costs::RequantizeFit& row : costs::requantize_fits()) {
    const std::optional<costs::RequantizeSite> site = read.site(row.read_as);
    const bool pays = site && row.pays(target, *site);
    const auto form = pays ? (*search)(read) : std::nullopt;
    ++search;
    if (!form) continue;
    const bool has_products = !form->factors.empty() || !form->scales.empty();
    return requantized(r, *form, read.arrays(row.read_as, has_products || !form->table.empty()),
                       last.shape);
  }
  return kNone;
}

}  // namespace hlocc::transforms
