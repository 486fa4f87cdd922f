// Groups without a loop op: plain loops over the elements of the roots, in vectors along the last
// dimension where every op lets lanes pass; one flat loop where all arrays have the same elements
// in the same order.
#include <algorithm>
#include <numeric>
#include <set>

#include "costs/code.h"
#include "lowering/emitter/loop_ops.h"
#include "lowering/program/in_place.h"
#include "ops/op_cost.h"
#include "ops/same_element.h"
#include "support/product.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;
using kernel::ValueId;

namespace {

bool is_single(const hlo::Shape& shape) { return shape.element_count() == 1; }

// Every inner op keeps the row-major position of elements: elementwise ops, reshapes, broadcasts of
// one element.
bool is_flat(const Group& group) {
  const int64_t count = group.root().shape.element_count();
  if (count <= 1) return false;
  for (InstructionId root : group.roots)
    if (group[root].shape.element_count() != count) return false;
  for (InstructionId id : inner_instructions(group)) {
    const Instruction& i = group[id];
    // Parts that are one element are asked through a broadcast, with an index of their own.
    if (is_single(i.shape)) continue;
    const bool elementwise = ops::is_elementwise(group, i);
    const bool view =
        i.opcode == Opcode::kReshape || i.opcode == Opcode::kBitcast || i.opcode == Opcode::kCopy;
    const bool fill = i.opcode == Opcode::kBroadcast && is_single(group[i.operands[0]].shape);
    if (i.opcode == Opcode::kConstant) continue;
    if (!elementwise && !view && !fill) return false;
  }
  return true;
}

}  // namespace

InstructionId hero(const Group& group) {
  for (InstructionId id : inner_instructions(group))
    if (hlo::info(group[id].opcode).lowering == hlo::Service::kLoopOp) return id;
  return hlo::kNone;
}

void for_each_tile(Emitter& e, int64_t low, int64_t high, int lanes, int most,
                   const std::function<void(const Affine&, int, int)>& body) {
  // Where flash is constrained, what is left over is single.
  const int less = e.target().flash_constrained ? most : 2;
  for (; lanes >= 1; lanes /= 2)
    for (int count = most; count >= 1; count /= std::max(less, 2)) {
      const int64_t step = int64_t{count} * lanes, end = low + (high - low) / step * step;
      e.loop(low, end, step, {}, [&](Affine at, std::span<const ValueId>) {
        body(at, count, lanes);
        return kernel::Values{};
      });
      low = end;
    }
}

void for_each_tile(Emitter& e, const hlo::Dimensions& dimensions, int lanes, int most,
                   const std::function<void(const std::vector<Index>&)>& body) {
  if (dimensions.empty()) return body({Index::scalar()});
  const hlo::Dimensions outer(dimensions.begin(), dimensions.end() - 1);
  e.loop_over(outer, [&](const std::vector<Affine>& at) {
    for_each_tile(e, 0, dimensions.back(), lanes, most,
                  [&](const Affine& first, int count, int width) {
                    std::vector<Index> tile(count);
                    for (int n = 0; n < count; ++n) {
                      tile[n].at = at;
                      tile[n].at.push_back(first.plus(int64_t{n} * width));
                      tile[n].along(static_cast<int64_t>(outer.size()), width);
                    }
                    body(tile);
                  });
  });
}

void for_each_vector(Emitter& e, const hlo::Dimensions& dimensions, int lanes,
                     const std::function<void(const Index&)>& body) {
  for_each_tile(e, dimensions, lanes, 1, [&](const std::vector<Index>& tile) { body(tile[0]); });
}

// Parts of one shape that are computed (not merely read) are written in the same iteration, so that
// they share what they load.
bool parts_share_loops(Emitter& e, const Instruction& i) {
  if (i.operands.size() > costs::kMostPartsInLoop) return false;
  // What is moved within its array is read before the others are written behind it.
  if (moved_in_place(e.group())) return false;
  return std::all_of(i.operands.begin(), i.operands.end(), [&](InstructionId operand) {
    return !e.group().is_external(operand) &&
           e.shape(operand).dimensions == e.shape(i.operands[0]).dimensions;
  });
}

// Neighbours of an external that a part of a concatenation is.
struct CopiedRun {
  InstructionId from = hlo::kNone;
  int64_t start = 0, count = 0;
};

// Where the dimensions before the one that is cut have one element.
std::optional<CopiedRun> copied_run(const Emitter& e, InstructionId part) {
  const Instruction& i = e.instruction(part);
  const int64_t count = i.shape.element_count();
  if (e.group().is_external(part)) return CopiedRun{part, 0, count};
  if (i.opcode != Opcode::kSlice || !e.group().is_external(i.operands[0])) return std::nullopt;
  const auto& slice = i.get<hlo::SliceAttributes>();
  const hlo::Dimensions &from = e.shape(i.operands[0]).dimensions, &to = i.shape.dimensions;
  const size_t cut = std::mismatch(from.begin(), from.end(), to.begin()).first - from.begin();
  if (cut == from.size()) return CopiedRun{i.operands[0], 0, count};
  if (slice.strides[cut] != 1) return std::nullopt;
  const std::span<const int64_t> before = std::span(from).first(cut),
                                 behind = std::span(from).subspan(cut + 1);
  if (product(before) != 1 || !std::ranges::equal(behind, std::span(to).subspan(cut + 1)))
    return std::nullopt;
  return CopiedRun{i.operands[0], slice.starts[cut] * product(behind), count};
}

// Several elements to a register of a chip without vectors.
bool copied_by_words(Emitter& e, InstructionId part, int64_t offset) {
  const int bits = 8 * hlo::storage_bytes(e.shape(part).element_type);
  const int lanes = costs::copied_lanes(e.target(), bits);
  if (lanes == 0 || hlo::type_bits(e.shape(part).element_type) < 8 ||
      hlo::is_pred(e.shape(part).element_type))
    return false;
  const std::optional<CopiedRun> run = copied_run(e, part);
  if (!run) return false;
  constexpr int kWords = 4;
  for_each_tile(e, 0, run->count, lanes, kWords, [&](const Affine& first, int count, int width) {
    const auto at = [&](int n, int64_t base) {
      Index index;
      index.flat = true;
      index.at.push_back(first.plus(base + int64_t{n} * width));
      index.along(0, width);
      return index;
    };
    std::vector<Element> words;
    for (int n = 0; n < count; ++n) words.push_back(e.element(run->from, at(n, run->start)));
    for (int n = 0; n < count; ++n)
      e.store(e.output_buffer(0), e.group().root().shape, at(n, offset), words[n]);
  });
  return true;
}

// A concatenation at the root writes the part of each operand with loops of its own, without a
// branch an element.
void schedule_concatenate(Emitter& e, const Instruction& i) {
  const int dimension = static_cast<int>(i.get<hlo::DimensionsAttributes>().dimensions[0]);
  const int last = i.shape.rank() - 1;
  const bool together = parts_share_loops(e, i);
  const bool is_outermost = product(std::span(i.shape.dimensions).first(dimension)) == 1;
  const int64_t row = product(std::span(i.shape.dimensions).subspan(dimension + 1));
  int64_t offset = 0;
  for (size_t n = 0; n < i.operands.size();) {
    const size_t end = together ? i.operands.size() : n + 1;
    const hlo::Dimensions& part = e.shape(i.operands[n]).dimensions;
    if (is_outermost && end == n + 1 && copied_by_words(e, i.operands[n], offset * row)) {
      offset += part[dimension];
      n = end;
      continue;
    }
    bool vectors = true;
    for (size_t k = n; k < end; ++k) vectors = vectors && e.vectorizable(i.operands[k], last);
    for_each_vector(e, part, vectors ? e.preferred_lanes(part.back()) : 1, [&](const Index& index) {
      for (size_t k = n; k < end; ++k) {
        Index to = index;
        to.at[dimension] =
            index.at[dimension].plus(offset + static_cast<int64_t>(k - n) * part[dimension]);
        e.store(e.output_buffer(0), i.shape, to, e.operand(i, static_cast<int>(k), index));
      }
    });
    offset += static_cast<int64_t>(end - n) * part[dimension];
    n = end;
  }
}

namespace {

// Neighbours that an iteration of the loop computes: short formulas take no longer than the loop
// around them.
int neighbours(const Emitter& e) {
  if (!costs::several_pay(e.target(), e.group().root().shape.element_count())) return 1;
  int instructions = 0;
  for (InstructionId id : inner_instructions(e.group())) {
    const Instruction& i = e.instruction(id);
    if (i.opcode == Opcode::kMap || hlo::is_complex(i.shape.element_type)) return 1;
    instructions += ops::instructions_per_element(i);
  }
  return instructions <= 8 ? 4 : 1;
}

// Computes the roots at all indices of a tile, and stores them.
void store_tile(Emitter& e, const std::vector<size_t>& roots, const std::vector<Index>& tile) {
  std::vector<Element> values;
  for (const Index& index : tile)
    for (size_t r : roots) values.push_back(e.element(e.group().roots[r], index));
  for (size_t n = 0; n < values.size(); ++n) {
    const size_t r = roots[n % roots.size()];
    e.store(e.output_buffer(static_cast<int>(r)), e.shape(e.group().roots[r]),
            tile[n / roots.size()], values[n]);
  }
}

}  // namespace

void schedule_elements(Emitter& e) {
  const Group& group = e.group();
  if (group.roots.size() == 1 && group.root().opcode == Opcode::kConcatenate)
    return schedule_concatenate(e, group.root());
  // Rows that windows keep.
  if (e.target().decisions.rows_above && group.roots.size() == 1 &&
      copied_by_words(e, group.roots[0], 0))
    return;
  if (is_flat(group)) {
    const int64_t count = group.root().shape.element_count();
    std::vector<size_t> roots(group.roots.size());
    std::iota(roots.begin(), roots.end(), size_t{0});
    for_each_tile(e, {count}, e.preferred_lanes(count), neighbours(e),
                  [&](std::vector<Index> tile) {
                    for (Index& index : tile) index.flat = true;
                    store_tile(e, roots, tile);
                  });
    return;
  }
  // Roots of the same dimensions share their loops; others get loops of their own.
  std::set<size_t> done;
  for (size_t first = 0; first < group.roots.size(); ++first) {
    if (done.count(first)) continue;
    const hlo::Dimensions dimensions = e.shape(group.roots[first]).dimensions;
    std::vector<size_t> together;
    for (size_t r = first; r < group.roots.size(); ++r)
      if (e.shape(group.roots[r]).dimensions == dimensions) {
        done.insert(r);
        together.push_back(r);
      }
    bool vectors = !dimensions.empty();
    const int last = static_cast<int>(dimensions.size()) - 1;
    for (size_t r : together) vectors = vectors && e.vectorizable(group.roots[r], last);
    const int lanes = vectors ? e.preferred_lanes(dimensions.back()) : 1;
    if (!vectors && schedule_transposed(e)) return;
    for_each_tile(e, dimensions, lanes, neighbours(e),
                  [&](const std::vector<Index>& tile) { store_tile(e, together, tile); });
  }
}

}  // namespace hlocc::lowering
