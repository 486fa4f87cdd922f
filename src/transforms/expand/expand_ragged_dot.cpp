// ragged-dot as a plain dot and masks made from the group sizes. Which group a place of the ragged
// dimension belongs to is known only at run time; a mask selects rather than multiplies, so that
// what lies in other groups, infinities included, leaves no trace.
#include <algorithm>

#include "ops/ragged.h"
#include "transforms/build.h"
#include "transforms/expand/expand_contraction_types.h"
#include "transforms/expand/expansions.h"

namespace hlocc::transforms {
namespace {

Dimensions without(int64_t rank, const Dimensions& a, const Dimensions& b) {
  Dimensions rest;
  for (int64_t d = 0; d < rank; ++d)
    if (!contains(a, d) && !contains(b, d)) rest.push_back(d);
  return rest;
}

int64_t position(const Dimensions& list, int64_t item) {
  return std::find(list.begin(), list.end(), item) - list.begin();
}

class RaggedDot {
 public:
  RaggedDot(Rewriter& r, const Instruction& instruction)
      : r_(r),
        i_(instruction),
        a_(instruction.get<hlo::RaggedDotAttributes>()),
        dot_(a_.dot),
        lhs_(instruction.operands[0]),
        rhs_(instruction.operands[1]),
        sizes_(r.shape(instruction.operands[2])),
        groups_(sizes_.dimensions.back()),
        ragged_(a_.lhs_ragged[0]),
        extent_(r.shape(lhs_).dimensions[ragged_]) {
    if (sizes_.rank() > 1) prefix_ = ops::group_prefix(a_, r.shape(lhs_).rank());
  }

  InstructionId expanded() {
    if (contains(dot_.lhs_contracting, ragged_)) return contracting();
    return contains(dot_.lhs_batch, ragged_) ? batch() : free();
  }

 private:
  // The dimensions for which group sizes are stated one by one, and behind them these.
  Dimensions prefixed(const Dimensions& behind) const {
    Dimensions box(sizes_.dimensions.begin(), sizes_.dimensions.end() - 1);
    box.insert(box.end(), behind.begin(), behind.end());
    return box;
  }
  int64_t rank() const { return static_cast<int64_t>(prefix_.size()); }

  // pred[prefix, groups, extent]: whether a place lies in a group.
  InstructionId membership() {
    const Dimensions box = prefixed({groups_, extent_}), outer = counting(rank() + 1);
    const InstructionId starts = broadcast(r_, ends(false), box, outer),
                        stops = broadcast(r_, ends(true), box, outer);
    const InstructionId place = iota(r_, PrimitiveType::kS64, box, rank() + 1);
    return binary(r_, Opcode::kAnd, compare(r_, place, starts, hlo::Direction::kGe),
                  compare(r_, place, stops, hlo::Direction::kLt));
  }

  // s64[prefix, groups]: the sum of the sizes before each group, or up to and with it.
  InstructionId ends(bool inclusive) {
    const InstructionId sizes = convert(r_, i_.operands[2], PrimitiveType::kS64);
    const Dimensions square = prefixed({groups_, groups_});
    Dimensions mapping = counting(rank());
    mapping.push_back(rank() + 1);
    const InstructionId row = iota(r_, PrimitiveType::kS64, square, rank()),
                        column = iota(r_, PrimitiveType::kS64, square, rank() + 1);
    const InstructionId counts =
        compare(r_, column, row, inclusive ? hlo::Direction::kLe : hlo::Direction::kLt);
    const InstructionId kept = select(r_, counts, broadcast(r_, sizes, square, mapping),
                                      zeros(r_, PrimitiveType::kS64, square));
    return reduce(r_, Opcode::kAdd, kept, {rank() + 1});
  }

  // Dimension i of the mask becomes dimension places[i] of an array of `sizes`.
  InstructionId spread(InstructionId mask, const Dimensions& places, const Dimensions& sizes) {
    Dimensions order = counting(static_cast<int64_t>(places.size()));
    std::ranges::sort(order, {}, [&](int64_t i) { return places[i]; });
    return broadcast(r_, transpose(r_, mask, order), sizes, permuted(places, order));
  }

  InstructionId masked(InstructionId mask, InstructionId value) {
    return select(r_, mask, value,
                  zeros(r_, r_.type(value), Dimensions(r_.shape(value).dimensions)));
  }

  InstructionId plain_dot(InstructionId lhs, InstructionId rhs, hlo::DotAttributes numbers,
                          Dimensions sizes) {
    return r_.add(hlo::make(Opcode::kDot, Shape::array(i_.shape.element_type, std::move(sizes)),
                            {lhs, rhs}, std::move(numbers)));
  }

  // Rows of the left side meet the right side of their group: all products, of which the sum keeps
  // one.
  InstructionId free() {
    const Dimensions lhs_sizes = r_.shape(lhs_).dimensions, rhs_sizes = r_.shape(rhs_).dimensions;
    const Dimensions lhs_free =
        without(r_.shape(lhs_).rank(), dot_.lhs_batch, dot_.lhs_contracting);
    const Dimensions rhs_free =
        without(r_.shape(rhs_).rank(), dot_.rhs_batch, dot_.rhs_contracting);
    Dimensions sizes = permuted(lhs_sizes, dot_.lhs_batch);
    const int64_t row = static_cast<int64_t>(sizes.size()) + position(lhs_free, ragged_);
    for (int64_t d : lhs_free) sizes.push_back(lhs_sizes[d]);
    const int64_t group = static_cast<int64_t>(sizes.size()) + position(rhs_free, a_.rhs_group[0]);
    for (int64_t d : rhs_free) sizes.push_back(rhs_sizes[d]);
    const InstructionId all = plain_dot(lhs_, rhs_, dot_, sizes);
    Dimensions places;
    for (const int64_t d : prefix_)
      places.push_back(contains(dot_.lhs_batch, d)
                           ? position(dot_.lhs_batch, d)
                           : static_cast<int64_t>(dot_.lhs_batch.size()) + position(lhs_free, d));
    places.insert(places.end(), {group, row});
    return reduce(r_, Opcode::kAdd, masked(spread(membership(), places, sizes), all), {group});
  }

  // Each group is a batch of its own, in which both sides are zero outside the group.
  InstructionId contracting() {
    const size_t at = static_cast<size_t>(position(dot_.lhs_contracting, ragged_));
    const InstructionId mask = membership();
    // The dimension of the right side that meets one of the left.
    const auto partner = [&](int64_t d) {
      return contains(dot_.lhs_batch, d) ? dot_.rhs_batch[position(dot_.lhs_batch, d)]
                                         : dot_.rhs_contracting[position(dot_.lhs_contracting, d)];
    };
    const auto grouped = [&](InstructionId side, int64_t dimension, bool left) {
      Dimensions sizes{groups_}, mapping, places;
      for (const int64_t d : prefix_) places.push_back((left ? d : partner(d)) + 1);
      places.insert(places.end(), {0, dimension + 1});
      for (int64_t size : r_.shape(side).dimensions) sizes.push_back(size);
      for (int64_t d = 1; d < static_cast<int64_t>(sizes.size()); ++d) mapping.push_back(d);
      return masked(spread(mask, places, sizes), broadcast(r_, side, sizes, mapping));
    };
    hlo::DotAttributes numbers = dot_;
    for (Dimensions* list : {&numbers.lhs_batch, &numbers.rhs_batch, &numbers.lhs_contracting,
                             &numbers.rhs_contracting})
      for (int64_t& d : *list) ++d;
    numbers.lhs_batch.insert(numbers.lhs_batch.begin(), 0);
    numbers.rhs_batch.insert(numbers.rhs_batch.begin(), 0);
    return plain_dot(grouped(lhs_, ragged_, true), grouped(rhs_, dot_.rhs_contracting[at], false),
                     numbers, i_.shape.dimensions);
  }

  // Batches behind the last group are zero.
  InstructionId batch() {
    const InstructionId all = plain_dot(lhs_, rhs_, dot_, i_.shape.dimensions);
    const InstructionId inside = reduce(r_, Opcode::kOr, membership(), {rank()});
    Dimensions places;
    for (const int64_t d : prefix_) places.push_back(position(dot_.lhs_batch, d));
    places.push_back(position(dot_.lhs_batch, ragged_));
    return masked(spread(inside, places, i_.shape.dimensions), all);
  }

  Rewriter& r_;
  const Instruction& i_;
  const hlo::RaggedDotAttributes& a_;
  const hlo::DotAttributes& dot_;
  InstructionId lhs_, rhs_;
  Shape sizes_;
  Dimensions prefix_;
  int64_t groups_, ragged_, extent_;
};

}  // namespace

InstructionId expand_ragged_dot(Rewriter& r, const Instruction& instruction) {
  const InstructionId converted = expand_mixed_types(r, instruction);
  return converted != kNone ? converted : RaggedDot(r, instruction).expanded();
}

}  // namespace hlocc::transforms
