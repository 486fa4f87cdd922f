// What may take the place of a requantisation: a search for each row of costs/requantize_fits.def,
// over what was read of it.
#pragma once
#include "costs/requantize.h"
#include "transforms/integers/byte_function.h"
#include "transforms/integers/channel_fits.h"
#include "transforms/integers/linear_sum.h"
#include "transforms/integers/requantized.h"

namespace hlocc::transforms {

// A conversion to integers of 8 or 16 bits, which is not built yet, read in each way that is asked
// for, once.
class Recognised {
 public:
  Recognised(Rewriter& rewriter, const Instruction& conversion, IntegerRanges& all,
             const ReadOnce& single, const Target& chip)
      : r(rewriter), last(conversion), ranges(all), once(single), target(chip) {}

  Rewriter& r;
  const Instruction& last;
  IntegerRanges& ranges;
  const ReadOnce& once;
  const Target& target;

  // None where it can't be read so; no channels.
  const std::optional<MonotoneChain>& chain();
  const ChannelFits& channels();
  // In place of what was read: the same channels of other sums.
  void take(ChannelFits channels) { channels_ = std::move(channels); }
  const std::optional<ByteFunction>& bytes();
  const std::optional<LinearSum>& sum();
  std::optional<costs::RequantizeSite> site(costs::ReadAs as);
  // What it was read to be made of; nothing where the form has no products.
  RequantizedArrays arrays(costs::ReadAs as, bool has_products);

 private:
  template <typename T>
  using Read = std::optional<std::optional<T>>;  // none: not yet
  Read<MonotoneChain> chain_;
  std::optional<ChannelFits> channels_;
  Read<ByteFunction> bytes_;
  Read<LinearSum> sum_;
};

// What takes the place of the conversion; kNone: it stays as it is.
InstructionId requantized(Rewriter& r, const Instruction& last, IntegerRanges& ranges,
                          const ReadOnce& once, const Target& target);

}  // namespace hlocc::transforms
