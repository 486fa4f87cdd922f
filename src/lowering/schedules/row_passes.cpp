// Levels of reductions, what each pass computes, and what is worth keeping between passes.
#include "lowering/schedules/row_passes.h"

#include <algorithm>

#include "ops/op_cost.h"
#include "support/check.h"

namespace hlocc::lowering {

using hlo::Instruction;
using hlo::InstructionId;
using hlo::Opcode;

namespace {

class PassPlanner {
 public:
  explicit PassPlanner(const Group& group) : group_(group), inner_(inner_instructions(group)) {}

  RowPasses plan() {
    find_dimensions();
    find_levels();
    for (size_t p = 0; p < out_.passes.size(); ++p) keep_after(p);
    find_spread();
    return std::move(out_);
  }

 private:
  bool is_whole(InstructionId id) const { return group_[id].shape.dimensions == out_.whole; }

  void find_dimensions() {
    for (InstructionId id : inner_) {
      if (group_[id].opcode != Opcode::kReduce) continue;
      out_.whole = group_[group_[id].operands[0]].shape.dimensions;
      out_.outer = group_[id].shape.rank();
    }
    HLOCC_CHECK(static_cast<int>(out_.whole.size()) > out_.outer,
                "a row group without a reduction");
    out_.root_is_whole = is_whole(group_.roots[0]);
  }

  // level: how many passes must be over before the value can be computed.
  void find_levels() {
    int last = 0;
    for (InstructionId id : inner_) {
      const Instruction& i = group_[id];
      int level = 0;
      for (InstructionId operand : i.operands)
        if (const auto known = level_.find(operand); known != level_.end())
          level = std::max(level, known->second);
      if (i.opcode == Opcode::kReduce) {
        if (static_cast<int>(out_.passes.size()) <= level) out_.passes.resize(level + 1);
        out_.passes[level].reductions.push_back(id);
        ++level;
      }
      level_[id] = level;
      last = std::max(last, level);
    }
    if (!out_.root_is_whole) return;
    out_.passes.resize(last + 1);
    out_.passes[last].writes_root = true;
  }

  // What the pass computes of whole rows, and reads: down to kept values and to reductions.
  std::set<InstructionId> needs_of(const RowPasses::Pass& pass) const {
    std::vector<InstructionId> todo;
    for (InstructionId id : pass.reductions) todo.push_back(group_[id].operands[0]);
    if (pass.writes_root) todo.push_back(group_.roots[0]);
    std::set<InstructionId> needs;
    while (!todo.empty()) {
      const InstructionId id = todo.back();
      todo.pop_back();
      if (kept_.count(id) || group_[id].opcode == Opcode::kReduce || !needs.insert(id).second)
        continue;
      if (!group_.is_external(id))
        todo.insert(todo.end(), group_[id].operands.begin(), group_[id].operands.end());
    }
    return needs;
  }

  // Users come first, so that what only a kept value needs is not kept too.
  void keep_after(size_t p) {
    RowPasses::Pass& pass = out_.passes[p];
    pass.needs = needs_of(pass);
    for (auto id = pass.needs.rbegin(); id != pass.needs.rend(); ++id) {
      if (!is_whole(*id) || !ops::is_expensive(group_[*id]) || !wanted_after(p, *id)) continue;
      kept_.insert(*id);
      pass.kept.push_back(*id);
      const bool fits =
          out_.root_is_whole && group_[*id].shape.element_type == group_.root().shape.element_type;
      if (fits && out_.kept_in_root == hlo::kNone) out_.kept_in_root = *id;
    }
  }
  bool wanted_after(size_t p, InstructionId id) const {
    for (size_t q = p + 1; q < out_.passes.size(); ++q)
      if (needs_of(out_.passes[q]).count(id)) return true;
    return false;
  }

  void find_spread() {
    out_.spread.resize(out_.passes.size() + 1);
    std::set<InstructionId> seen;
    for (InstructionId id : inner_) {
      const Instruction& i = group_[id];
      if (i.opcode != Opcode::kBroadcast || !is_whole(id)) continue;
      const InstructionId from = i.operands[0];
      const auto& map = i.get<hlo::DimensionsAttributes>().dimensions;
      const auto in_row = [&](int64_t d) { return d >= out_.outer; };
      // What changes along the row is read as the row is walked.
      if (std::any_of(map.begin(), map.end(), in_row) || group_[from].opcode == Opcode::kConstant ||
          !seen.insert(from).second)
        continue;
      const auto known = level_.find(from);
      out_.spread[known == level_.end() ? 0 : known->second].push_back(id);
    }
  }

  const Group& group_;
  const std::vector<InstructionId> inner_;
  RowPasses out_;
  std::map<InstructionId, int> level_;
  std::set<InstructionId> kept_;
};

}  // namespace

RowPasses plan_row_passes(const Group& group) { return PassPlanner(group).plan(); }

std::vector<std::pair<int, InstructionId>> row_in_place_pairs(const Group& group) {
  const RowPasses plan = plan_row_passes(group);
  if (!plan.root_is_whole) return {};
  size_t first_write = plan.passes.size() - 1;
  for (size_t p = 0; p < plan.passes.size(); ++p) {
    const auto& kept = plan.passes[p].kept;
    if (std::find(kept.begin(), kept.end(), plan.kept_in_root) != kept.end())
      first_write = std::min(first_write, p);
  }
  std::vector<std::pair<int, InstructionId>> pairs;
  for (const auto& [external, position] : group.externals) {
    const hlo::Shape& shape = group[external].shape;
    if (shape.dimensions != plan.whole) continue;
    if (hlo::storage_bytes(shape.element_type) !=
        hlo::storage_bytes(group.root().shape.element_type))
      continue;
    bool good = true;
    // Elementwise users and reductions read it where they stand; a broadcast of the same dimensions
    // may not.
    for (InstructionId id : inner_instructions(group)) {
      const Instruction& i = group[id];
      if (std::find(i.operands.begin(), i.operands.end(), external) == i.operands.end()) continue;
      good &= i.shape.dimensions == plan.whole
                  ? hlo::info(i.opcode).family == hlo::Family::kElementwise
                  : i.opcode == Opcode::kReduce;
    }
    // Elementwise sources behind such a broadcast stand elsewhere too.
    for (InstructionId id : inner_instructions(group)) {
      const Instruction& i = group[id];
      if (i.opcode == Opcode::kBroadcast && !group.is_external(i.operands[0]) &&
          group[i.operands[0]].shape.dimensions == plan.whole)
        good = false;
    }
    for (size_t p = first_write + 1; p < plan.passes.size(); ++p)
      good &= !plan.passes[p].needs.count(external);
    if (good) pairs.push_back({0, external});
  }
  return pairs;
}

}  // namespace hlocc::lowering
