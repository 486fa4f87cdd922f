// ragged-dot as a plain dot and masks made from the group sizes. Which group a place of the ragged
// dimension belongs to is known only at run time; a mask selects rather than multiplies, so that
// what lies in other groups, infinities included, leaves no trace.
#include <algorithm>

#include "ops/locate.h"
#include "transforms/build.h"
#include "transforms/expansions.h"

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
        extent_(r.shape(lhs_).dimensions[ragged_]) {}

  InstructionId expanded() {
    if (sizes_.element_count() != groups_) {
      r_.fail(ops::locate(
          error(DiagnosticKind::kUnsupported, "has group sizes that differ along batch dimensions")
              .note("give one list of group sizes for all batches"),
          r_.module(), r_.computation(), i_));
      return zeros(r_, i_.shape.element_type, i_.shape.dimensions);
    }
    if (contains(dot_.lhs_contracting, ragged_)) return contracting();
    return contains(dot_.lhs_batch, ragged_) ? batch() : free();
  }

 private:
  // pred[groups, extent]: whether a place lies in a group.
  InstructionId membership() {
    const Dimensions box{groups_, extent_};
    const InstructionId starts = broadcast(r_, ends(false), box, {0}),
                        stops = broadcast(r_, ends(true), box, {0});
    const InstructionId place = iota(r_, PrimitiveType::kS64, box, 1);
    return binary(r_, Opcode::kAnd, compare(r_, place, starts, hlo::Direction::kGe),
                  compare(r_, place, stops, hlo::Direction::kLt));
  }

  // s64[groups]: the sum of the sizes before each group, or up to and with it.
  InstructionId ends(bool inclusive) {
    const InstructionId sizes =
        convert(r_, reshape(r_, i_.operands[2], {groups_}), PrimitiveType::kS64);
    const Dimensions square{groups_, groups_};
    const InstructionId row = iota(r_, PrimitiveType::kS64, square, 0),
                        column = iota(r_, PrimitiveType::kS64, square, 1);
    const InstructionId counts =
        compare(r_, column, row, inclusive ? hlo::Direction::kLe : hlo::Direction::kLt);
    const InstructionId kept = select(r_, counts, broadcast(r_, sizes, square, {1}),
                                      zeros(r_, PrimitiveType::kS64, square));
    return reduce(r_, Opcode::kAdd, kept, {1});
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
    const InstructionId mask = transpose(r_, membership(), {1, 0});
    return reduce(r_, Opcode::kAdd, masked(broadcast(r_, mask, sizes, {row, group}), all), {group});
  }

  // Each group is a batch of its own, in which both sides are zero outside the group.
  InstructionId contracting() {
    const size_t at = static_cast<size_t>(position(dot_.lhs_contracting, ragged_));
    const InstructionId mask = membership();
    const auto grouped = [&](InstructionId side, int64_t dimension) {
      Dimensions sizes{groups_}, mapping;
      for (int64_t size : r_.shape(side).dimensions) sizes.push_back(size);
      for (int64_t d = 1; d < static_cast<int64_t>(sizes.size()); ++d) mapping.push_back(d);
      return masked(broadcast(r_, mask, sizes, {0, dimension + 1}),
                    broadcast(r_, side, sizes, mapping));
    };
    hlo::DotAttributes numbers = dot_;
    for (Dimensions* list : {&numbers.lhs_batch, &numbers.rhs_batch, &numbers.lhs_contracting,
                             &numbers.rhs_contracting})
      for (int64_t& d : *list) ++d;
    numbers.lhs_batch.insert(numbers.lhs_batch.begin(), 0);
    numbers.rhs_batch.insert(numbers.rhs_batch.begin(), 0);
    return plain_dot(grouped(lhs_, ragged_), grouped(rhs_, dot_.rhs_contracting[at]), numbers,
                     i_.shape.dimensions);
  }

  // Batches behind the last group are zero.
  InstructionId batch() {
    const InstructionId all = plain_dot(lhs_, rhs_, dot_, i_.shape.dimensions);
    const InstructionId inside = reduce(r_, Opcode::kOr, membership(), {0});
    return masked(broadcast(r_, inside, i_.shape.dimensions, {position(dot_.lhs_batch, ragged_)}),
                  all);
  }

  Rewriter& r_;
  const Instruction& i_;
  const hlo::RaggedDotAttributes& a_;
  const hlo::DotAttributes& dot_;
  InstructionId lhs_, rhs_;
  Shape sizes_;
  int64_t groups_, ragged_, extent_;
};

}  // namespace

InstructionId expand_ragged_dot(Rewriter& r, const Instruction& instruction) {
  return RaggedDot(r, instruction).expanded();
}

}  // namespace hlocc::transforms
