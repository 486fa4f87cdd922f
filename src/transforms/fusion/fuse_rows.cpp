// Finds row groups from the last instruction to the first. From a possible root the group grows
// over operands all of whose users are in it already, so that no cycle can arise; it stands if a
// row is used more than once in it. Why it pays: a row stays in the nearest cache, or in registers,
// between the passes over it, and nothing of it but the result goes to memory.
#include "transforms/fusion/fuse_rows.h"

#include <algorithm>
#include <set>

#include "costs/fusion.h"
#include "ops/op_cost.h"
#include "ops/reducer.h"
#include "ops/same_element.h"
#include "support/product.h"

namespace hlocc::transforms {

using hlo::Computation;
using hlo::Dimensions;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::kNone;
using hlo::Opcode;

namespace {

bool is_hero(const Instruction& i) {
  return i.opcode == Opcode::kDot || i.opcode == Opcode::kConvolution;
}

// Whole rows have the dimensions `whole`; what a row is reduced to has the first `outer` of them.
struct Domain {
  Dimensions whole;
  size_t outer = 0;
  bool operator==(const Domain&) const = default;
  Dimensions reduced() const {
    return {whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(outer)};
  }
  int64_t row() const { return product(std::span(whole).subspan(outer)); }
};

class RowPlanner {
 public:
  RowPlanner(const Computation& c, const hlo::Module& module, const Target& target,
             const std::vector<std::vector<InstructionId>>& users, FusionPlan& plan)
      : c_(c), module_(module), target_(target), users_(users), plan_(plan) {}

  void run() {
    find_domains();
    if (domains_.empty()) return;
    for (InstructionId id = static_cast<InstructionId>(c_.instructions.size()) - 1; id >= 0; --id)
      for (size_t d = 0; d < domains_.size() && plan_.group_of[id] == kNone; ++d)
        if (!hopeless_.count({id, d})) try_root(id, d);
  }

 private:
  void find_domains() {
    for (const Instruction& i : c_.instructions)
      if (const auto domain = domain_of(i);
          domain && std::find(domains_.begin(), domains_.end(), *domain) == domains_.end())
        domains_.push_back(*domain);
  }

  // The domain of a reduction that a row schedule can run in lanes: one real operand, a plain
  // computation, trailing dimensions.
  std::optional<Domain> domain_of(const Instruction& i) const {
    if (i.opcode != Opcode::kReduce || i.shape.element_type == hlo::PrimitiveType::kPred)
      return std::nullopt;
    const auto monoid = ops::plain_reducer(module_.computations[i.called[0]]);
    if (!monoid || !ops::identity_of(*monoid, i.shape.element_type)) return std::nullopt;
    if (*monoid != Opcode::kAdd && *monoid != Opcode::kMultiply && *monoid != Opcode::kMaximum &&
        *monoid != Opcode::kMinimum)
      return std::nullopt;
    Domain domain{c_.operand(i, 0).shape.dimensions, c_.operand(i, 0).shape.dimensions.size()};
    Dimensions reduced = i.get<hlo::DimensionsAttributes>().dimensions;
    std::sort(reduced.begin(), reduced.end());
    for (auto d = reduced.rbegin(); d != reduced.rend(); ++d)
      if (*d != static_cast<int64_t>(--domain.outer)) return std::nullopt;
    if (reduced.empty() || i.shape.element_count() == 0 || domain.row() == 0) return std::nullopt;
    if (!costs::rows_pay(target_, domain.whole.back())) return std::nullopt;
    return domain;
  }

  bool is_whole(const Instruction& i, const Domain& d) const {
    return i.shape.dimensions == d.whole;
  }
  // Dimensions of size 1 may be missing: broadcasts have none among those of their operand.
  bool is_reduced(const Instruction& i, const Domain& d) const {
    return without_ones(i.shape.dimensions) == without_ones(d.reduced());
  }
  static Dimensions without_ones(Dimensions dimensions) {
    std::erase(dimensions, 1);
    return dimensions;
  }

  // True if the instruction may be a member of a group of that domain.
  bool fits(const Instruction& i, const Domain& d) const {
    if (hlo::is_complex(i.shape.element_type)) return false;
    if (ops::is_elementwise(c_, i))
      return (is_whole(i, d) || is_reduced(i, d)) && !feeds_on_complex(i);
    if (i.opcode == Opcode::kReduce) return domain_of(i) == d;
    if (i.opcode == Opcode::kIota) return is_whole(i, d);
    if (i.opcode == Opcode::kReshape) return is_reduced(c_.operand(i, 0), d);
    return i.opcode == Opcode::kBroadcast && is_whole(i, d);
  }
  bool feeds_on_complex(const Instruction& i) const {
    return std::any_of(i.operands.begin(), i.operands.end(), [&](InstructionId operand) {
      return hlo::is_complex(c_[operand].shape.element_type);
    });
  }
  // What a row is reduced to, made as long as the row again.
  bool spreads_reduced(const Instruction& i, const Domain& d) const {
    if (i.opcode != Opcode::kBroadcast) return false;
    const Dimensions& map = i.get<hlo::DimensionsAttributes>().dimensions;
    Dimensions straight, kept;
    for (size_t n = 0; n < d.outer; ++n)
      if (d.whole[n] > 1) straight.push_back(static_cast<int64_t>(n));
    for (int64_t to : map)
      if (d.whole[to] > 1) kept.push_back(to);
    return kept == straight;
  }
  // Masks and the like: index arithmetic and cheap formulas of other dimensions, read anew in every
  // pass.
  bool is_cheap_source(const Instruction& i) const {
    if (i.opcode == Opcode::kBroadcast) return true;
    return ops::is_elementwise(c_, i) && !feeds_on_complex(i) && !ops::is_expensive(i);
  }
  // A contraction's epilogue stays with it: its operand is in registers there.
  bool is_epilogue(InstructionId id) const {
    for (int depth = 0; depth < 64; ++depth) {
      const Instruction& i = c_[id];
      InstructionId next = kNone;
      for (InstructionId operand : i.operands) {
        if (c_[operand].shape.dimensions != i.shape.dimensions || users_[operand].size() != 1)
          continue;
        if (is_hero(c_[operand])) return true;
        if (ops::is_elementwise(c_, c_[operand])) next = operand;
      }
      if (next == kNone) return false;
      id = next;
    }
    return false;
  }

  void try_root(InstructionId root, size_t domain_index) {
    const Domain& domain = domains_[domain_index];
    const Instruction& r = c_[root];
    if (!fits(r, domain) || r.opcode == Opcode::kBroadcast) return;
    if (!is_whole(r, domain) && r.shape.dimensions != domain.reduced()) return;
    std::set<InstructionId> members{root}, sources;
    int reductions = 0;
    bool spread = false;
    // Operands have lower ids than their users, so one walk downwards sees every user before what
    // it uses.
    for (auto at = members.rbegin(); at != members.rend(); ++at) {
      const InstructionId id = *at;
      const Instruction& i = c_[id];
      if (i.opcode == Opcode::kReduce) ++reductions;
      if (!sources.count(id)) spread |= spreads_reduced(i, domain);
      for (InstructionId operand : i.operands) {
        if (members.size() >= costs::kMostRowMembers || !may_join(operand, members)) continue;
        // Every user must ask for it at the index of its own row: then it may depend on a
        // reduction.
        const bool row_value =
            fits(c_[operand], domain) &&
            std::all_of(users_[operand].begin(), users_[operand].end(), [&](InstructionId user) {
              return !sources.count(user) && asks_in_row(c_[user], operand, domain);
            });
        if (!row_value && !is_cheap_source(c_[operand])) continue;
        if (!row_value) sources.insert(operand);
        members.insert(operand);
      }
    }
    if (reductions == 0)
      for (InstructionId id : members) hopeless_.insert({id, domain_index});
    const bool again = reductions > 0 && spread && is_whole(r, domain);
    if (reductions < 2 && !again) return;
    for (InstructionId id : members) plan_.group_of[id] = static_cast<int>(plan_.groups.size());
    plan_.groups.push_back({root, kNone, {members.begin(), members.end()}, hlo::Schedule::kRows});
  }

  bool may_join(InstructionId id, const std::set<InstructionId>& members) const {
    const Instruction& i = c_[id];
    if (id == c_.root || i.opcode == Opcode::kConstant) return false;
    for (InstructionId user : users_[id])
      if (!members.count(user)) return false;
    return !is_epilogue(id);
  }
  bool asks_in_row(const Instruction& user, InstructionId operand, const Domain& domain) const {
    if (user.opcode == Opcode::kBroadcast) return spreads_reduced(user, domain);
    return user.opcode != Opcode::kReduce || user.operands[1] != operand;
  }

  const Computation& c_;
  const hlo::Module& module_;
  const Target& target_;
  const std::vector<std::vector<InstructionId>>& users_;
  FusionPlan& plan_;
  std::vector<Domain> domains_;
  // Roots from which growth has met no reduction of that domain.
  std::set<std::pair<InstructionId, size_t>> hopeless_;
};

}  // namespace

void plan_rows(const Computation& computation, const hlo::Module& module, const Target& target,
               const std::vector<std::vector<InstructionId>>& users, FusionPlan& plan) {
  RowPlanner(computation, module, target, users, plan).run();
}

}  // namespace hlocc::transforms
