// Follows elementwise ops from the roots down: an external that every path reaches without a change
// of index is read in place. A path through anything else (an index op, the loop op) rules it out,
// but for an array whose elements all move towards its start.
#include "lowering/program/in_place.h"

#include <algorithm>
#include <set>

#include "ops/same_element.h"
#include "support/product.h"

namespace hlocc::lowering {

using hlo::InstructionId;

namespace {

struct Reached {
  std::set<InstructionId> in_place, elsewhere;
};

void follow(const Group& group, InstructionId id, const hlo::Dimensions& dimensions,
            bool same_index, std::set<std::pair<InstructionId, bool>>& seen,
            const std::set<InstructionId>& read_first, Reached& reached) {
  std::vector<std::pair<InstructionId, bool>> todo{{id, same_index}};
  while (!todo.empty()) {
    auto [at, same] = todo.back();
    todo.pop_back();
    if (!seen.insert({at, same}).second) continue;
    const hlo::Instruction& i = group[at];
    same = same && i.shape.dimensions == dimensions;
    if (group.is_external(at)) {
      (same ? reached.in_place : reached.elsewhere).insert(at);
      continue;
    }
    const bool elementwise = ops::is_elementwise(group, i);
    for (InstructionId operand : i.operands) {
      const bool is_read_first = i.opcode == hlo::Opcode::kDot && read_first.count(operand) > 0;
      todo.push_back({operand, is_read_first ? group[operand].shape.dimensions == dimensions
                                             : same && elementwise});
    }
  }
}

}  // namespace

std::vector<std::pair<int, InstructionId>> in_place_pairs(
    const Group& group, const std::set<InstructionId>& read_first) {
  const hlo::Shape& first = group.root().shape;
  for (InstructionId root : group.roots)
    if (group[root].shape.dimensions != first.dimensions) return {};
  Reached reached;
  std::set<std::pair<InstructionId, bool>> seen;
  for (InstructionId root : group.roots)
    follow(group, root, first.dimensions, true, seen, read_first, reached);
  std::vector<std::pair<int, InstructionId>> pairs;
  for (InstructionId external : reached.in_place) {
    if (reached.elsewhere.count(external)) continue;
    const int bytes = hlo::storage_bytes(group[external].shape.element_type);
    for (size_t r = 0; r < group.roots.size(); ++r)
      if (bytes == hlo::storage_bytes(group[group.roots[r]].shape.element_type))
        pairs.push_back({static_cast<int>(r), external});
  }
  return pairs;
}

bool is_run(const hlo::Shape& from, const hlo::Instruction& i) {
  const auto& slice = i.get<hlo::SliceAttributes>();
  const hlo::Dimensions &whole = from.dimensions, &part = i.shape.dimensions;
  if (whole == part) return true;
  size_t cut = 0;
  while (cut + 1 < whole.size() && whole[cut] == part[cut]) ++cut;
  return product(std::span(whole).first(cut)) == 1 && slice.strides[cut] == 1 &&
         std::ranges::equal(std::span(whole).subspan(cut + 1), std::span(part).subspan(cut + 1));
}

std::optional<InstructionId> moved_in_place(const Group& group) {
  const hlo::Instruction& root = group.root();
  if (group.roots.size() != 1) return std::nullopt;
  const bool has_new = root.opcode == hlo::Opcode::kConcatenate;
  const hlo::Instruction& kept = has_new ? group[root.operands[0]] : root;
  if (kept.opcode != hlo::Opcode::kSlice || !group.is_external(kept.operands[0]))
    return std::nullopt;
  const InstructionId from = kept.operands[0];
  const hlo::Shape& shape = group[from].shape;
  if (!is_run(shape, kept)) return std::nullopt;
  if (!has_new) return from;
  // As large as the array, and with nothing before what moves.
  const auto dimension = static_cast<size_t>(root.get<hlo::DimensionsAttributes>().dimensions[0]);
  if (!hlo::same_dimensions_and_type(shape, root.shape) ||
      product(std::span(shape.dimensions).first(dimension)) != 1)
    return std::nullopt;
  // What else reads it would see what was moved.
  Reached others;
  std::set<std::pair<InstructionId, bool>> seen;
  for (size_t i = 1; i < root.operands.size(); ++i)
    follow(group, root.operands[i], root.shape.dimensions, false, seen, {}, others);
  if (others.elsewhere.contains(from)) return std::nullopt;
  return from;
}

}  // namespace hlocc::lowering
