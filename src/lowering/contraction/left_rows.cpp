// See left_rows.h.
#include "lowering/contraction/left_rows.h"

#include "support/check.h"

namespace hlocc::lowering {

using costs::LeftForm;
using kernel::Scalar;
using kernel::ValueId;

namespace {

Scalar element_of(LeftForm form, Scalar bytes) {
  if (costs::are_halves(form)) return Scalar::kS16;
  return form == LeftForm::kOffset ? Scalar::kU8 : bytes;
}

kernel::BufferId scratch_of(Emitter& e, std::string name, Scalar element, int64_t elements,
                            bool in_stack) {
  if (!in_stack) return e.scratch(std::move(name), element, elements, 8);
  return e.b.buffer({.name = std::move(name),
                     .element = element,
                     .elements = elements,
                     .direction = kernel::Direction::kScratch,
                     .space = kernel::Space::kStack,
                     .alignment = 8});
}

}  // namespace

// Where loads reach far, rows lie one after the other; else all rows of a unit side by side, so
// that one pointer serves them.
LeftRows::LeftRows(Emitter& e, const costs::MicroChoice& choice, int rows, int64_t depth)
    : e_(e),
      form_(choice.left),
      unit_(choice.kernel->unit),
      rows_(rows),
      depth_(depth),
      by_units_(costs::segments_fill_units(*choice.kernel, e.target())),
      element_(element_of(choice.left, choice.bytes)),
      in_stack_(e.target().dear_ram &&
                rows * depth * kernel::scalar_bytes(element_) <= costs::kScratchInStack),
      buffer_(scratch_of(e, "left", element_, rows * depth, in_stack_)) {
  if (choice.kernel->right == costs::RightForm::kOffset)
    terms_ = scratch_of(e, "terms", Scalar::kS32, rows, true);
}

Affine LeftRows::place(const Affine& row, const Affine& base, int64_t extra) const {
  if (!by_units_) return row.times(depth_).plus(base).plus(extra);
  static constexpr int64_t kExchanged[] = {0, 2, 1, 3};
  const int64_t whole = extra / unit_ * unit_, rest = extra - whole,
                at = form_ == LeftForm::kExchanged ? kExchanged[rest] : rest;
  return base.plus(whole).times(rows_).plus(row.times(unit_)).plus(at);
}

ValueId LeftRows::in_form(ValueId value) const {
  if (form_ == LeftForm::kExchanged && e_.b.type(value).lanes == unit_)
    value = e_.b.shuffle(value, value, {0, 2, 1, 3});
  if (costs::are_halves(form_)) return e_.b.convert(value, Scalar::kS16);
  if (form_ != LeftForm::kOffset) return value;
  const ValueId bits = e_.b.bitcast(value, Scalar::kU8);
  return e_.b.binary(kernel::OpKind::kXor, bits, e_.b.constant_int(e_.b.type(bits), 128));
}

void LeftRows::put(const Affine& row, const Affine& base, int64_t extra, ValueId value) const {
  e_.b.store(buffer_, place(row, base, extra), in_form(value));
}

// Of what is copied at once, from wide to narrow.
std::vector<int> LeftRows::widths() const {
  if (by_units_) return {unit_, 1};
  std::vector<int> widths;
  for (int lanes = std::min(64, e_.target().vector_bits / 8); lanes >= 4; lanes /= 2)
    widths.push_back(lanes);
  widths.push_back(1);
  return widths;
}

void LeftRows::copy(const Affine& row, const Affine& base, int64_t extra, int64_t count, bool lanes,
                    const Load& load) const {
  // Neighbours of a unit are put together where a unit begins.
  const bool together = lanes && (!by_units_ || extra % unit_ == 0);
  int64_t done = 0;
  for (const int width : widths()) {
    if (width > 1 && !together) continue;
    const int64_t times = (count - done) / width, first = done;
    const int64_t turn = e_.target().options.for_size() ? 1
                         : times % 4 == 0               ? 4
                         : times % 3 == 0               ? 3
                                                        : 1;
    const auto at = [&](const Affine& n, int64_t k) {
      const Affine from = n.times(width).plus(first + k * width);
      put(row, base.plus(n.times(width)), extra + first + k * width, load(from, width));
    };
    if (width == 1 && times < 16) {
      for (int64_t k = 0; k < times; ++k) at(Affine{}, k);
    } else if (width == 1 && by_units_) {
      // Units begin at known places of the turn.
      e_.loop(0, times / unit_, 1, {}, [&](Affine n, std::span<const ValueId>) {
        for (int64_t k = 0; k < unit_; ++k) at(n.times(unit_), k);
        return kernel::Values{};
      });
      for (int64_t k = times / unit_ * unit_; k < times; ++k) at(Affine{}, k);
    } else {
      e_.loop(0, times, turn, {}, [&](Affine n, std::span<const ValueId>) {
        for (int64_t k = 0; k < turn; ++k) at(n, k);
        return kernel::Values{};
      });
    }
    done += times * width;
  }
}

void LeftRows::fill(const Affine& row, int64_t number) const {
  const kernel::Type type{element_, static_cast<uint16_t>(unit_)};
  const ValueId all =
      e_.b.constant_int(type, form_ == LeftForm::kOffset ? (number & 255) ^ 128 : number);
  e_.loop(depth_ / unit_,
          [&](Affine n) { e_.b.store(buffer_, place(row, n.times(unit_), 0), all); });
}

void LeftRows::add_up(const Affine& row) const {
  kernel::Builder& b = e_.b;
  const kernel::Values sum = e_.loop(
      0, depth_ / unit_, 1, {b.zero({Scalar::kS32, 1})},
      [&](Affine n, std::span<const ValueId> sums) {
        ValueId total = sums[0];
        for (int64_t k = 0; k < unit_; ++k)
          total = b.add(total, b.convert(steps(row, n.times(unit_).plus(k), 1), Scalar::kS32));
        return kernel::Values{total};
      });
  b.store(terms_, row, b.mul(sum[0], b.constant_int({Scalar::kS32, 1}, -128)));
}

ValueId LeftRows::steps(const Affine& row, const Affine& k, int lanes) const {
  return e_.b.load(buffer_, place(row, k, 0), lanes);
}

}  // namespace hlocc::lowering
