// Looks at each group that reads products through slices of their columns. All users of a product
// must be in the group, or in another product's epilogue that is, so that nothing but the group can
// wait for it and no cycle can arise. Why it pays: a step of a recurrent network is short, and its
// sums go from registers to the gates instead of through memory; no kernel has to start for them,
// and a loop keeps no array of sums.
#include "transforms/fusion/fuse_gates.h"

#include <algorithm>
#include <set>

#include "costs/fusion.h"
#include "ops/same_element.h"

namespace hlocc::transforms {

using hlo::Computation;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::kNone;
using hlo::Opcode;

namespace {

class GatePlanner {
 public:
  GatePlanner(const Computation& c, FusionPlan& plan) : c_(c), plan_(plan), users_(c.users()) {}

  void run() {
    bool any = false;
    for (size_t g = 0; g < plan_.groups.size(); ++g) any |= join_products(static_cast<int>(g));
    if (!any) return;
    plan_.number_groups();
  }

 private:
  const FusionGroup& group(int g) const { return plan_.groups[g]; }

  bool join_products(int g) {
    if (!may_be_cell(g)) return false;
    const std::set<int> products = products_of(g);
    const bool good =
        !products.empty() && std::all_of(products.begin(), products.end(),
                                         [&](int p) { return belongs(p, g, products); });
    if (!good || !is_asked_by_gates(g, products)) return false;
    for (const int p : products) join(g, p);
    plan_.groups[g].schedule = hlo::Schedule::kGates;
    return true;
  }

  bool may_be_cell(int g) const {
    const FusionGroup& it = group(g);
    if (it.members.empty() || it.hero != kNone) return false;
    return c_[it.root].shape.rank() > 1 &&
           c_[it.root].shape.dimensions[0] <= costs::kMostGateRows &&
           !hlo::is_complex(c_[it.root].shape.element_type);
  }

  // Products that the group reads, and those that their epilogues read.
  std::set<int> products_of(int g) const {
    std::set<int> found;
    std::vector<int> todo{g};
    while (!todo.empty()) {
      const int at = todo.back();
      todo.pop_back();
      for (InstructionId id : group(at).members)
        for (InstructionId operand : c_[id].operands) {
          const int p = plan_.group_of[operand];
          const bool is_side = id == group(at).hero;
          if (p == kNone || is_side || !is_product(p, g)) continue;
          if (found.insert(p).second) todo.push_back(p);
        }
    }
    return found;
  }

  // A dot of a few rows and the columns of several gates, with nothing but elementwise ops of its
  // dimensions behind it.
  bool is_product(int p, int g) const {
    const FusionGroup& it = group(p);
    if (it.hero == kNone || !it.more_roots.empty() || c_[it.hero].opcode != Opcode::kDot)
      return false;
    const Instruction& dot = c_[it.hero];
    const auto& numbers = dot.get<hlo::DotAttributes>();
    if (numbers.lhs_contracting != hlo::Dimensions{1} ||
        numbers.rhs_contracting != hlo::Dimensions{0} || !numbers.lhs_batch.empty())
      return false;
    const hlo::Dimensions& cell = c_[group(g).root].shape.dimensions;
    for (const int side : {0, 1})
      if (c_.operand(dot, side).shape.rank() != 2) return false;
    if (!hlo::is_float(dot.shape.element_type) || dot.shape.dimensions[0] != cell[0]) return false;
    if (cell[1] == 0 || c_.operand(dot, 0).shape.dimensions[1] == 0) return false;
    if (dot.shape.dimensions[1] < 2 * cell[1] || dot.shape.dimensions[1] % cell[1] != 0)
      return false;
    return std::all_of(it.members.begin(), it.members.end(), [&](InstructionId id) {
      return id == it.hero ||
             ((ops::is_elementwise(c_, c_[id]) || c_[id].opcode == Opcode::kBroadcast) &&
              c_[id].shape.dimensions == dot.shape.dimensions);
    });
  }

  bool belongs(int p, int g, const std::set<int>& products) const {
    const InstructionId root = group(p).root;
    if (root == c_.root) return false;
    return std::all_of(users_[root].begin(), users_[root].end(), [&](InstructionId user) {
      const int at = plan_.group_of[user];
      return at == g || (products.count(at) > 0 && ops::is_elementwise(c_, c_[user]));
    });
  }

  // Inside the group, products are asked for one gate's columns at a time, and what depends on them
  // is elementwise.
  bool is_asked_by_gates(int g, const std::set<int>& products) const {
    std::set<InstructionId> behind;
    for (InstructionId id : group(g).members) {
      const Instruction& i = c_[id];
      bool asks_product = false, asks_gate = false;
      for (InstructionId operand : i.operands) {
        asks_product |= products.count(plan_.group_of[operand]) > 0;
        asks_gate |= behind.count(operand) > 0;
      }
      if (asks_product && !is_gate(i)) return false;
      if (asks_gate && !ops::is_elementwise(c_, i)) return false;
      if (asks_product || asks_gate) behind.insert(id);
    }
    return true;
  }
  // With nothing but elementwise ops behind it, it has the cell's dimensions, and so all rows.
  static bool is_gate(const Instruction& i) {
    return i.opcode == Opcode::kSlice &&
           i.get<hlo::SliceAttributes>().strides == hlo::Dimensions{1, 1};
  }

  void join(int g, int p) {
    FusionGroup &cell = plan_.groups[g], &product = plan_.groups[p];
    // The largest product speaks for all.
    const auto weights = [&](InstructionId dot) {
      return c_.operand(c_[dot], 1).shape.byte_size();
    };
    if (cell.hero == kNone || weights(product.hero) > weights(cell.hero)) cell.hero = product.hero;
    cell.members.insert(cell.members.end(), product.members.begin(), product.members.end());
    std::sort(cell.members.begin(), cell.members.end());
    for (InstructionId id : product.members) plan_.group_of[id] = g;
    product = {};
  }

  const Computation& c_;
  FusionPlan& plan_;
  std::vector<std::vector<InstructionId>> users_;
};

}  // namespace

void plan_gates(const Computation& computation, FusionPlan& plan) {
  GatePlanner(computation, plan).run();
}

}  // namespace hlocc::transforms
