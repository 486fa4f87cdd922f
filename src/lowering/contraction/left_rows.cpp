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
LeftRows::LeftRows(Emitter& e, const costs::MicroChoice& choice, int rows, int64_t depth,
                   bool shared)
    : e_(e),
      form_(choice.left),
      unit_(choice.kernel->unit),
      rows_(shared && choice.left == LeftForm::kExchanged ? 2 : rows),
      depth_(depth),
      by_units_(costs::segments_fill_units(*choice.kernel, e.target())),
      shared_(shared),
      element_(element_of(choice.left, choice.bytes)),
      in_stack_(e.target().dear_ram &&
                rows_ * depth * kernel::scalar_bytes(element_) <= costs::kScratchInStack),
      buffer_(scratch_of(e, "left", element_, rows_ * depth, in_stack_)) {
  if (choice.kernel->right == costs::RightForm::kOffset)
    terms_ = scratch_of(e, "terms", Scalar::kS32, rows, true);
}

Affine LeftRows::place(const Affine& row, const Affine& base, int64_t extra) const {
  if (!by_units_) return row.times(depth_).plus(base).plus(extra);
  const int64_t whole = extra / unit_ * unit_, rest = extra - whole;
  if (form_ == LeftForm::kExchanged)
    return place_of_half(row, base.plus(whole), rest % 2).plus(rest / 2);
  return base.plus(whole).times(rows_).plus(row.times(unit_)).plus(rest);
}

// Steps 0 and 2 of a unit are its first half, 1 and 3 its second one; the same half of all rows
// lies together.
Affine LeftRows::place_of_half(const Affine& row, const Affine& base, int64_t half) const {
  return base.times(rows_).plus(half * 2 * rows_).plus(row.times(2));
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
  if (form_ == LeftForm::kExchanged && e_.b.type(value).lanes == unit_)
    put_units(place(row, base, extra), {in_form(value)});
  else
    e_.b.store(buffer_, place(row, base, extra), in_form(value));
}

void LeftRows::put_units(const Affine& place, const std::vector<ValueId>& units) const {
  for (const int half : {0, 1})
    for (size_t n = 0; n < units.size(); ++n)
      e_.b.store(buffer_, place.plus(half * 2 * rows_ + 2 * static_cast<int64_t>(n)),
                 e_.b.shuffle(units[n], units[n], {2 * half, 2 * half + 1}));
}

void LeftRows::copy_rows(int rows, int64_t count,
                         const std::function<ValueId(int, const Affine&, int)>& load) const {
  e_.loop(count / unit_, [&](Affine n) {
    for (int row = 0; row < rows; row += 2) {
      std::vector<ValueId> units;
      for (int r = row; r < std::min(row + 2, rows); ++r)
        units.push_back(in_form(load(r, n.times(unit_), unit_)));
      put_units(place_of_half(Affine::constant(row), n.times(unit_), 0), units);
    }
  });
  const int64_t whole = count / unit_ * unit_;
  for (int row = 0; row < rows; ++row)
    for (int64_t k = whole; k < count; ++k)
      put(Affine::constant(row), Affine{}, k, load(row, Affine::constant(k), 1));
}

void LeftRows::copy_columns(const Affine& base, const Columns& columns) const {
  e_.loop(columns.count / unit_, [&](Affine n) {
    const Affine from = n.times(unit_);
    std::vector<ValueId> made;
    for (int64_t column = 0; column < columns.columns; ++column) {
      made.push_back(in_form(columns.load(column, from, unit_)));
      const int64_t first = column - columns.apart;
      if (!columns.used(first)) continue;
      const Affine at = base.plus(from).plus(first * columns.count);
      put_units(place_of_half(Affine{}, at, 0), {made[first], made[column]});
    }
  });
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
  const bool halves = form_ == LeftForm::kExchanged;
  e_.loop(depth_ / unit_, [&](Affine n) {
    const Affine at = place(row, n.times(unit_), 0);
    if (!halves)
      e_.b.store(buffer_, at, all);
    else
      put_units(at, std::vector<ValueId>(shared_ ? 2 : 1, all));
  });
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

ValueId LeftRows::halves(int row, const Affine& k, int half, int count) const {
  return e_.b.load(buffer_, place_of_half(Affine::constant(row), k, half), 2 * count);
}

std::array<ValueId, 2> LeftRows::unit(int row, const Affine& k) const {
  if (rows_ > 1) return {halves(row, k, 0, 1), halves(row, k, 1, 1)};
  const ValueId both = e_.b.load(buffer_, place_of_half(Affine{}, k, 0), 4);
  return {e_.b.shuffle(both, both, {0, 1}), e_.b.shuffle(both, both, {2, 3})};
}

}  // namespace hlocc::lowering
