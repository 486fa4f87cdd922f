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
  return form == LeftForm::kBiased ? Scalar::kU8 : bytes;
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

// Where loads reach far, rows lie one after the other; else all rows of a k step side by side, so
// that one pointer serves them.
LeftRows::LeftRows(Emitter& e, const costs::MicroChoice& choice, int rows, int64_t depth,
                   bool in_pairs)
    : e_(e),
      form_(choice.left),
      k_step_(choice.kernel->k_step),
      rows_(in_pairs ? 2 : rows),
      depth_(depth),
      by_k_steps_(costs::segments_fill_k_steps(*choice.kernel, e.target())),
      in_pairs_(in_pairs),
      element_(element_of(choice.left, choice.bytes)),
      in_stack_(e.target().ram_constrained &&
                rows_ * depth * kernel::scalar_bytes(element_) <= costs::kScratchInStack),
      buffer_(scratch_of(e, "left", element_, rows_ * depth, in_stack_)) {
  if (choice.kernel->right == costs::RightForm::kBiased)
    terms_ = scratch_of(e, "terms", Scalar::kS32, rows, true);
}

Affine LeftRows::place(const Affine& row, const Affine& base, int64_t extra) const {
  if (!by_k_steps_) return row.times(depth_).plus(base).plus(extra);
  const int64_t whole = extra / k_step_ * k_step_, rest = extra - whole;
  if (form_ == LeftForm::kInterleaved)
    return place_of_half(row, base.plus(whole), rest % 2).plus(rest / 2);
  return base.plus(whole).times(rows_).plus(row.times(k_step_)).plus(rest);
}

// Steps 0 and 2 of a k step are its first half, 1 and 3 its second one; the same half of all rows
// lies together.
Affine LeftRows::place_of_half(const Affine& row, const Affine& base, int64_t half) const {
  return base.times(rows_).plus(half * 2 * rows_).plus(row.times(2));
}

ValueId LeftRows::in_form(ValueId value) const {
  if (form_ == LeftForm::kInterleaved && e_.b.type(value).lanes == k_step_)
    value = e_.b.shuffle(value, value, {0, 2, 1, 3});
  if (costs::are_halves(form_)) return e_.b.convert(value, Scalar::kS16);
  if (form_ != LeftForm::kBiased) return value;
  const ValueId bits = e_.b.bitcast(value, Scalar::kU8);
  return e_.b.binary(kernel::OpKind::kXor, bits, e_.b.constant_int(e_.b.type(bits), 128));
}

void LeftRows::put(const Affine& row, const Affine& base, int64_t extra, ValueId value) const {
  if (form_ == LeftForm::kInterleaved && e_.b.type(value).lanes == k_step_)
    put_k_steps(place(row, base, extra), {in_form(value)});
  else
    e_.b.store(buffer_, place(row, base, extra), in_form(value));
}

void LeftRows::put_k_steps(const Affine& place, const std::vector<ValueId>& k_steps) const {
  for (const int half : {0, 1})
    for (size_t n = 0; n < k_steps.size(); ++n)
      e_.b.store(buffer_, place.plus(half * 2 * rows_ + 2 * static_cast<int64_t>(n)),
                 e_.b.shuffle(k_steps[n], k_steps[n], {2 * half, 2 * half + 1}));
}

void LeftRows::copy_rows(int rows, int64_t count,
                         const std::function<ValueId(int, const Affine&, int)>& load) const {
  e_.loop(count / k_step_, [&](Affine n) {
    for (int row = 0; row < rows; row += 2) {
      std::vector<ValueId> k_steps;
      for (int r = row; r < std::min(row + 2, rows); ++r)
        k_steps.push_back(in_form(load(r, n.times(k_step_), k_step_)));
      put_k_steps(place_of_half(Affine::constant(row), n.times(k_step_), 0), k_steps);
    }
  });
  const int64_t whole = count / k_step_ * k_step_;
  for (int row = 0; row < rows; ++row)
    for (int64_t k = whole; k < count; ++k)
      put(Affine::constant(row), Affine{}, k, load(row, Affine::constant(k), 1));
}

void LeftRows::copy_columns(const Affine& base, const Columns& columns) const {
  e_.loop(columns.count / k_step_, [&](Affine n) {
    const Affine from = n.times(k_step_);
    std::vector<ValueId> made;
    for (int64_t column = 0; column < columns.columns; ++column) {
      made.push_back(in_form(columns.load(column, from, k_step_)));
      const int64_t first = column - columns.apart;
      if (!columns.used(first)) continue;
      const Affine at = base.plus(from).plus(first * columns.count);
      put_k_steps(place_of_half(Affine{}, at, 0), {made[first], made[column]});
    }
  });
}

// Of what is copied at once, from wide to narrow.
std::vector<int> LeftRows::widths() const {
  if (by_k_steps_) return {k_step_, 1};
  std::vector<int> widths;
  for (int lanes = std::min(64, e_.target().vector_bits / 8); lanes >= 4; lanes /= 2)
    widths.push_back(lanes);
  widths.push_back(1);
  return widths;
}

void LeftRows::copy(const Affine& row, const Affine& base, int64_t extra, int64_t count, bool lanes,
                    const Load& load) const {
  // Neighbours of a k step are put together where a k step begins.
  const bool together = lanes && (!by_k_steps_ || extra % k_step_ == 0);
  int64_t done = 0;
  for (const int width : widths()) {
    if (width > 1 && !together) continue;
    const int64_t times = (count - done) / width, first = done;
    const int64_t iteration = e_.target().options.for_size() ? 1
                              : times % 4 == 0               ? 4
                              : times % 3 == 0               ? 3
                                                             : 1;
    const auto at = [&](const Affine& n, int64_t k) {
      const Affine from = n.times(width).plus(first + k * width);
      put(row, base.plus(n.times(width)), extra + first + k * width, load(from, width));
    };
    if (width == 1 && times < 16) {
      for (int64_t k = 0; k < times; ++k) at(Affine{}, k);
    } else if (width == 1 && by_k_steps_) {
      // K steps begin at known places of the iteration.
      e_.loop(0, times / k_step_, 1, {}, [&](Affine n, std::span<const ValueId>) {
        for (int64_t k = 0; k < k_step_; ++k) at(n.times(k_step_), k);
        return kernel::Values{};
      });
      for (int64_t k = times / k_step_ * k_step_; k < times; ++k) at(Affine{}, k);
    } else {
      e_.loop(0, times, iteration, {}, [&](Affine n, std::span<const ValueId>) {
        for (int64_t k = 0; k < iteration; ++k) at(n, k);
        return kernel::Values{};
      });
    }
    done += times * width;
  }
}

ValueId LeftRows::filling(int64_t number, int lanes) const {
  const kernel::Type type{element_, static_cast<uint16_t>(lanes)};
  return e_.b.constant_int(type, form_ == LeftForm::kBiased ? (number & 255) ^ 128 : number);
}

void LeftRows::fill(const Affine& base, int64_t count, int64_t number) const {
  HLOCC_CHECK(!by_k_steps_, "steps that lie apart are filled as one");
  int64_t done = 0;
  for (const int width : widths()) {
    const int64_t end = done + (count - done) / width * width;
    e_.loop(done, end, width, {}, [&](Affine at, std::span<const ValueId>) {
      e_.b.store(buffer_, base.plus(at), filling(number, width));
      return kernel::Values{};
    });
    done = end;
  }
}

void LeftRows::fill(const Affine& row, int64_t number) const {
  const ValueId all = filling(number, k_step_);
  const bool halves = form_ == LeftForm::kInterleaved;
  e_.loop(depth_ / k_step_, [&](Affine n) {
    const Affine at = place(row, n.times(k_step_), 0);
    if (!halves)
      e_.b.store(buffer_, at, all);
    else
      put_k_steps(at, std::vector<ValueId>(in_pairs_ ? 2 : 1, all));
  });
  // Windows that share rows end where a pixel does.
  const int64_t whole = depth_ / k_step_ * k_step_;
  if (whole < depth_) fill(place(row, Affine{}, whole), depth_ - whole, number);
}

void LeftRows::add_up(const Affine& row) const {
  kernel::Builder& b = e_.b;
  const kernel::Values sum = e_.loop(
      0, depth_ / k_step_, 1, {b.zero({Scalar::kS32, 1})},
      [&](Affine n, std::span<const ValueId> sums) {
        ValueId total = sums[0];
        for (int64_t k = 0; k < k_step_; ++k)
          total = b.add(total, b.convert(steps(row, n.times(k_step_).plus(k), 1), Scalar::kS32));
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

std::array<ValueId, 2> LeftRows::k_step(int row, const Affine& k) const {
  if (rows_ > 1) return {halves(row, k, 0, 1), halves(row, k, 1, 1)};
  const ValueId both = e_.b.load(buffer_, place_of_half(Affine{}, k, 0), 4);
  return {e_.b.shuffle(both, both, {0, 1}), e_.b.shuffle(both, both, {2, 3})};
}

}  // namespace hlocc::lowering
