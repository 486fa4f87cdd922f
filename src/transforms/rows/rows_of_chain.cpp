// See rows_of_chain.h.
#include "transforms/rows/rows_of_chain.h"

#include <algorithm>
#include <array>

#include "support/product.h"
#include "transforms/build.h"
#include "transforms/rows/joined_rows.h"

namespace hlocc::transforms {
namespace {

// Copies the chain's instructions with fewer rows, from a stored array back to those that it reads.
class Copier {
 public:
  Copier(Rewriter& r, const Module& module, ComputationId outer, const RowSchedule& schedule,
         size_t index, const RowValues& at)
      : r_(r), module_(module), outer_id_(outer), s_(schedule), at_(at) {
    for (size_t i = 0; i < s_.stored.size(); ++i)
      if (i != index) stored_[s_.stored[i].value] = i;
  }

  // Rows rate * t / period + low ... of a value.
  InstructionId rows(InstructionId value, int64_t dimension, int64_t low, int64_t count) {
    if (const auto found = stored_.find(value); found != stored_.end()) {
      const StoredRows& stored = s_.stored[found->second];
      const InstructionId window = at_.windows.at(found->second);
      const int64_t start = low - stored.oldest;
      if (start == 0 && count == stored.rows()) return window;
      return part_of(r_, window, dimension, start, start + count);
    }
    const std::array key{static_cast<int64_t>(value), low, count};
    if (const auto known = made_.find(key); known != made_.end()) return known->second;
    return made_[key] = copied(value, dimension, low, count);
  }

 private:
  const Computation& outer() const { return module_.computations[outer_id_]; }

  InstructionId copied(InstructionId value, int64_t dimension, int64_t low, int64_t count) {
    const std::vector<InstructionId> operands = outer()[value].operands;
    const std::optional<RowReads> reads = row_reads(outer(), outer()[value], dimension);
    HLOCC_CHECK(reads.has_value(), "a row loop has an op that has no rows");
    Instruction op = with_rows(outer()[value], dimension, count);
    for (size_t i = 0; i < operands.size(); ++i) {
      const std::optional<RowRead>& read = (*reads)[i];
      op.operands.push_back(read
                                ? rows(operands[i], read->dimension, low * read->stride - read->low,
                                       (count - 1) * read->stride + read->size)
                                : whole(operands[i]));
    }
    return r_.add(std::move(op));
  }

  InstructionId whole(InstructionId value) {
    if (const auto found = at_.whole.find(value); found != at_.whole.end()) return found->second;
    if (const auto known = copies_.find(value); known != copies_.end()) return known->second;
    Instruction op = outer()[value];
    for (InstructionId& operand : op.operands) operand = whole(operand);
    return copies_[value] = r_.add(std::move(op));
  }

  Rewriter& r_;
  const Module& module_;
  ComputationId outer_id_;
  const RowSchedule& s_;
  const RowValues& at_;
  std::map<InstructionId, size_t> stored_;
  std::map<std::array<int64_t, 3>, InstructionId> made_;
  std::map<InstructionId, InstructionId> copies_;
};

}  // namespace

InstructionId index_s32(Rewriter& r, int64_t value) {
  return constant(r, Literal::scalar(PrimitiveType::kS32, static_cast<int32_t>(value)));
}

bool is_copied(const Computation& outer, InstructionId value) {
  const Instruction& i = outer[value];
  if (i.opcode == Opcode::kConstant) return true;
  return i.opcode == Opcode::kBroadcast && is_copied(outer, i.operands[0]);
}

std::pair<int64_t, int64_t> RowsOfChain::made_in(const StoredRows& stored) const {
  if (s_.every > 0) return {phase(stored), s_.iterations - 1};
  int64_t first = s_.iterations, last = -1;
  for (int64_t i = phase(stored); i < s_.iterations; i += stored.period) {
    const int64_t row = row_made(stored, i);
    if (row + stored.made() <= 0 || row >= stored.height) continue;
    first = std::min(first, i);
    last = i;
  }
  return {first, last};
}

bool RowsOfChain::is_always_made(size_t index) const {
  const StoredRows& stored = s_.stored[index];
  const auto [first, last] = made_in(stored);
  return first == phase(stored) && last + stored.period >= s_.iterations;
}

InstructionId RowsOfChain::is_due(Rewriter& r, const StoredRows& stored,
                                  InstructionId iteration) const {
  const InstructionId period = index_s32(r, stored.period);
  const InstructionId rest = binary(r, Opcode::kRemainder, iteration, period);
  return compare(r, rest, index_s32(r, phase(stored)), hlo::Direction::kEq);
}

InstructionId RowsOfChain::is_made(Rewriter& r, size_t index, InstructionId iteration) const {
  const StoredRows& stored = s_.stored[index];
  const auto [first, last] = made_in(stored);
  std::optional<InstructionId> all;
  const auto add = [&](InstructionId one) { all = all ? binary(r, Opcode::kAnd, *all, one) : one; };
  if (first > phase(stored)) add(compare(r, iteration, index_s32(r, first), hlo::Direction::kGe));
  if (last + stored.period < s_.iterations)
    add(compare(r, iteration, index_s32(r, last), hlo::Direction::kLe));
  HLOCC_CHECK(all.has_value(), "rows that every iteration makes need no condition");
  return *all;
}

// Some iteration makes rows of which some lie outside.
bool RowsOfChain::has_rows_beyond(const StoredRows& stored) const {
  if (s_.every > 0) return false;
  const auto [first, last] = made_in(stored);
  return row_made(stored, first) < 0 || row_made(stored, last) + stored.made() > stored.height;
}

InstructionId RowsOfChain::first_row(Rewriter& r, const StoredRows& stored,
                                     InstructionId iteration) const {
  InstructionId row = iteration;
  if (stored.period != 1) row = binary(r, Opcode::kDivide, row, index_s32(r, stored.period));
  if (stored.rate != 1) row = binary(r, Opcode::kMultiply, row, index_s32(r, stored.rate));
  const int64_t offset = row_made(stored, phase(stored));
  return offset == 0 ? row : binary(r, Opcode::kAdd, row, index_s32(r, offset));
}

// Rows of the entrance from `row` on, wherever it lies.
InstructionId RowsOfChain::slice_of_entrance(Rewriter& r, const StoredRows& stored,
                                             InstructionId row, int64_t count,
                                             const RowValues& at) const {
  Dimensions sizes = outer()[s_.entrance].shape.dimensions;
  sizes[stored.dimension] = count;
  std::vector<InstructionId> operands{at.entrance};
  if (s_.is_over_entrance) {
    const int64_t elements = product(sizes) / count;
    operands.push_back(binary(r, Opcode::kMultiply, row, index_s32(r, elements)));
    const InstructionId line = r.add(Opcode::kDynamicSlice, std::move(operands),
                                     hlo::DynamicSliceAttributes{{elements * count}});
    return reshape(r, line, sizes);
  }
  const InstructionId zero = index_s32(r, 0);
  for (size_t d = 0; d < sizes.size(); ++d)
    operands.push_back(static_cast<int64_t>(d) == stored.dimension ? row : zero);
  return r.add(Opcode::kDynamicSlice, std::move(operands), hlo::DynamicSliceAttributes{sizes});
}

// A slice is moved to lie inside, so that rows are taken one by one where some lie outside.
InstructionId RowsOfChain::loaded(Rewriter& r, const StoredRows& stored,
                                  const RowValues& at) const {
  if (s_.rows_arrive) return at.entrance;
  const InstructionId first = first_row(r, stored, at.iteration);
  if (!has_rows_beyond(stored)) return slice_of_entrance(r, stored, first, stored.made(), at);
  std::vector<InstructionId> parts;
  for (int64_t k = 0; k < stored.made(); ++k) {
    const InstructionId row = k == 0 ? first : binary(r, Opcode::kAdd, first, index_s32(r, k));
    parts.push_back(slice_of_entrance(r, stored, row, 1, at));
  }
  return parts.size() == 1 ? parts[0] : concatenate(r, std::move(parts), stored.dimension);
}

InstructionId RowsOfChain::masked(Rewriter& r, const StoredRows& stored, InstructionId rows,
                                  InstructionId iteration) const {
  const Dimensions dimensions = r.shape(rows).dimensions, line{stored.made()};
  const InstructionId first = broadcast(r, first_row(r, stored, iteration), line);
  const InstructionId count = iota(r, PrimitiveType::kS32, line, 0);
  const InstructionId number = binary(r, Opcode::kAdd, first, count);
  const InstructionId start = broadcast(r, index_s32(r, 0), line);
  const InstructionId end = broadcast(r, index_s32(r, stored.height), line);
  const InstructionId is_behind_start = compare(r, number, start, hlo::Direction::kGe);
  const InstructionId is_before_end = compare(r, number, end, hlo::Direction::kLt);
  const InstructionId is_inside = binary(r, Opcode::kAnd, is_behind_start, is_before_end);
  const InstructionId inside = broadcast(r, is_inside, dimensions, {stored.dimension});
  return select(r, inside, rows, splat(r, *stored.beyond, dimensions));
}

std::pair<int64_t, int64_t> RowsOfChain::inside_in(const StoredRows& stored) const {
  int64_t first = s_.iterations, last = -1;
  for (int64_t i = phase(stored); i < s_.iterations; i += stored.period) {
    const int64_t row = row_made(stored, i);
    if (row < 0 || row + stored.made() > stored.height) continue;
    first = std::min(first, i);
    last = i;
  }
  return {first, last};
}

// Elements are selected one by one, so that is left to few iterations.
InstructionId RowsOfChain::within_array(Rewriter& r, const StoredRows& stored, InstructionId rows,
                                        InstructionId iteration) const {
  const auto [first, last] = inside_in(stored);
  if (first > last) return masked(r, stored, rows, iteration);
  const InstructionId is_behind_first =
      compare(r, iteration, index_s32(r, first), hlo::Direction::kGe);
  const InstructionId is_before_last =
      compare(r, iteration, index_s32(r, last), hlo::Direction::kLe);
  const InstructionId both = tuple(r, {rows, iteration});
  const std::string name = outer()[stored.value].name + ".rows_within";
  const ComputationId yes =
      new_computation(r.module(), name, {r.shape(rows)},
                      [](Rewriter&, const std::vector<InstructionId>& p) { return p[0]; });
  const ComputationId no = new_computation(
      r.module(), name + "_else", {r.shape(both)},
      [&](Rewriter& inner, const std::vector<InstructionId>& p) {
        return masked(inner, stored, element(inner, p[0], 0), element(inner, p[0], 1));
      });
  const InstructionId is_inside = binary(r, Opcode::kAnd, is_behind_first, is_before_last);
  return r.add(Opcode::kConditional, {is_inside, rows, both}, {}, {yes, no});
}

InstructionId RowsOfChain::rows(Rewriter& r, size_t index, const RowValues& at) const {
  const StoredRows& stored = s_.stored[index];
  const InstructionId made =
      stored.value == s_.entrance
          ? loaded(r, stored, at)
          : Copier(r, module_, outer_, s_, index, at)
                .rows(stored.value, stored.dimension, stored.first_made(), stored.made());
  return stored.beyond && has_rows_beyond(stored) ? within_array(r, stored, made, at.iteration)
                                                  : made;
}

InstructionId RowsOfChain::exit_rows(Rewriter& r, const RowValues& at, int64_t count) const {
  const size_t index = s_.stored.size() - 1;
  const StoredRows& exit = s_.stored.back();
  return Copier(r, module_, outer_, s_, index, at)
      .rows(exit.value, exit.dimension, exit.first_made(), count);
}

int64_t RowsOfChain::last_exit_rows() const {
  const int64_t rest = s_.stored.back().height % s_.stored.back().made();
  return rest == 0 ? s_.stored.back().made() : rest;
}

InstructionId RowsOfChain::is_exit_made(Rewriter& r, InstructionId iteration, bool last) const {
  const auto [first, end] = inside_in(s_.stored.back());
  if (last) return compare(r, iteration, index_s32(r, end), hlo::Direction::kGt);
  const InstructionId is_first = compare(r, iteration, index_s32(r, first), hlo::Direction::kGe);
  const InstructionId is_end = compare(r, iteration, index_s32(r, end), hlo::Direction::kLe);
  return binary(r, Opcode::kAnd, is_first, is_end);
}

std::vector<InstructionId> RowsOfChain::needed(size_t index, const RowValues& at,
                                               std::optional<InstructionId> carried) const {
  std::vector<InstructionId> values{at.iteration};
  const StoredRows& stored = s_.stored[index];
  if (stored.value == s_.entrance) values.push_back(at.entrance);
  for (size_t read : stored.reads) values.push_back(at.windows.at(read));
  for (InstructionId whole : stored.whole)
    if (const auto found = at.whole.find(whole); found != at.whole.end())
      values.push_back(found->second);
  if (carried) values.push_back(*carried);
  return values;
}

InstructionId RowsOfChain::unpack(Rewriter& r, InstructionId packed, size_t index,
                                  const RowValues& around, std::optional<InstructionId> carried,
                                  RowValues& at) const {
  int64_t position = 0;
  const auto take = [&] { return element(r, packed, position++); };
  const StoredRows& stored = s_.stored[index];
  at.iteration = take();
  if (stored.value == s_.entrance) at.entrance = take();
  for (size_t read : stored.reads) at.windows[read] = take();
  for (InstructionId whole : stored.whole)
    if (around.whole.contains(whole)) at.whole[whole] = take();
  return carried ? take() : packed;
}

}  // namespace hlocc::transforms
