// See fits.h. The rows' conditions have been asked before a search begins.
#include "transforms/integers/fits.h"

#include "transforms/build.h"
#include "transforms/integers/affine_fit.h"
#include "transforms/integers/fixed_point.h"

namespace hlocc::transforms {
namespace fits {
namespace {

using Form = std::optional<costs::Requantization>;
using costs::ReadAs;

// The one number of each channel.
Form one_number(Recognised& read) {
  if (!read.channels().are_flat()) return std::nullopt;
  costs::Requantization form;
  for (const ChannelFit& fit : read.channels().fits) form.offsets.push_back(fit.function.first);
  return form;
}

Form offset_inside(Recognised& read) { return fit_inside(read.channels().fits); }

// The same without the weights of the channels that are one number, which no line of theirs serves.
Form inside_without_flat(Recognised& read) {
  auto rising = without_flat(read.r, *read.chain(), read.channels(), read.once);
  Form form = rising ? fit_inside(rising->fits) : std::nullopt;
  if (form) read.take(*std::move(rising));
  return form;
}

Form bent_inside(Recognised& read) {
  Form form = offset_inside(read);
  return form && form->form.bent ? form : std::nullopt;
}

Form with_corrections(Recognised& read, int most) {
  return fit(read.channels().fits, costs::has_long_multiply(read.target), most);
}
Form nearly_exact(Recognised& read) {
  return with_corrections(
      read, std::min(costs::most_corrections(read.target), costs::kCheaperThanFloats));
}
Form fixed_point(Recognised& read) {
  return with_corrections(read, costs::most_corrections(read.target));
}

Form floats(Recognised& read) {
  const costs::Rounding rounding = costs::float_rounding(read.target);
  Form form = fit_rounded_floats(read.channels().fits, costs::most_rounded(rounding));
  if (form) form->rounding = rounding;
  return form;
}

Form ties(Recognised& read) { return fit_ties(read.channels().fits); }

Form table(Recognised& read) {
  return costs::Requantization{.table =
                                   whole_numbers(evaluate_bytes(read.r, *read.bytes(), read.last))};
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
  const bool is_byte = hlo::type_bits(last.shape.element_type) == 8;
  if (!chain_) chain_.emplace(is_byte ? monotone_chain(r, last, ranges) : std::nullopt);
  return *chain_;
}

const ChannelFits& Recognised::channels() {
  if (!channels_ && chain()) {
    // Pieces of a factor have no room for larger sums.
    const bool has_one_offset =
        costs::has_long_multiply(target) || costs::float_scale_pays(target, chain()->is_real());
    channels_ = channel_fits(r, **chain_, ranges, has_one_offset);
  }
  if (!channels_) channels_.emplace();
  return *channels_;
}

const std::optional<ByteFunction>& Recognised::bytes() {
  const PrimitiveType type = last.shape.element_type;
  const bool is_short = hlo::type_bits(type) == 8 || type == PrimitiveType::kS16;
  if (!bytes_) bytes_.emplace(is_short ? byte_function(r, last) : std::nullopt);
  return *bytes_;
}

const std::optional<LinearSum>& Recognised::sum() {
  if (!sum_) sum_.emplace(linear_sum(r, last));
  return *sum_;
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
      return costs::RequantizeSite{.of_two = as == costs::ReadAs::kPairs,
                                   .in_floats = bytes()->computes_in_floats,
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
      if (has_products) of.arrays = {sums_of(r, *chain(), channels())};
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
