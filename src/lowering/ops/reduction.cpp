// See reduction.h.
#include "lowering/ops/reduction.h"

#include "lowering/emitter/loop_ops.h"

namespace hlocc::lowering {

using hlo::InstructionId;
using kernel::ValueId;
using kernel::Values;

std::vector<Element> Reduction::initial(int lanes) const {
  std::vector<Element> out;
  for (int n = 0; n < inputs; ++n) {
    const Element first = are_several() ? e.operand(e.instruction(together[n]), 1, Index::scalar())
                                        : e.operand(i, inputs + n, Index::scalar());
    out.push_back(encoded(e.splat(first, lanes)));
  }
  return out;
}

std::vector<Element> Reduction::load(const Index& at) const {
  std::vector<Element> out;
  for (int n = 0; n < inputs; ++n)
    out.push_back(encoded(are_several() ? e.operand(e.instruction(together[n]), 0, at)
                                        : e.operand(i, n, at)));
  return out;
}

std::vector<Element> Reduction::combine(std::vector<Element> sum,
                                        const std::vector<Element>& next) const {
  if (ordered) return {{ordered->combine(e.b, sum[0].re, next[0].re)}};
  if (are_several()) {
    for (int n = 0; n < inputs; ++n)
      sum[n] = e.call(e.instruction(together[n]).called[0], {sum[n], next[n]})[0];
    return sum;
  }
  sum.insert(sum.end(), next.begin(), next.end());
  return e.call(i.called[0], std::move(sum));
}

void Reduction::finish(const Index& index, std::vector<Element> value) const {
  if (ordered) value[0].re = ordered->decode(e.b, value[0].re);
  // Results of a variadic reduction are the roots in order (a tuple is taken apart by
  // get-tuple-element).
  if (i.shape.is_tuple()) {
    for (int n = 0; n < inputs; ++n) e.store(e.output_buffer(n), i.shape.tuple[n], index, value[n]);
    return;
  }
  for (int n = 0; n < inputs; ++n) e.bind(together[n], index, value[n]);
  e.store_roots(index);
  for (InstructionId each : together) e.unbind(each);
}

std::vector<Element> Reduction::unflatten(std::span<const ValueId> values) const {
  std::vector<Element> out;
  size_t at = 0;
  for (int n = 0; n < inputs; ++n) {
    Element x{values[at++]};
    if (is_complex(n)) x.im = values[at++];
    out.push_back(x);
  }
  return out;
}

Values Reduction::initial_of_each(size_t count, int lanes) const {
  const Values one = flatten(initial(lanes));
  Values out;
  for (size_t n = 0; n < count; ++n) out.insert(out.end(), one.begin(), one.end());
  return out;
}

Values Reduction::add_each(const Values& sums, const std::vector<Index>& places) const {
  const size_t parts = sums.size() / places.size();
  Values out;
  for (size_t n = 0; n < places.size(); ++n) {
    const Values sum =
        flatten(combine(unflatten(std::span(sums).subspan(n * parts, parts)), load(places[n])));
    out.insert(out.end(), sum.begin(), sum.end());
  }
  return out;
}

void Reduction::finish_each(const std::vector<Index>& results, const Values& sums) const {
  const size_t parts = sums.size() / results.size();
  for (size_t n = 0; n < results.size(); ++n)
    finish(results[n], unflatten(std::span(sums).subspan(n * parts, parts)));
}

}  // namespace hlocc::lowering
