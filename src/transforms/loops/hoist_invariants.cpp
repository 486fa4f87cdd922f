// hoist_invariants: what a loop body computes anew in each iteration, though nothing that it reads
// changes, is computed once before the loop. Only what costs more than the memory that holds it:
// results of loops (products, sums), costly functions, transposes, and what a product wants in
// memory anyway; a broadcast or an addition is cheaper where it is used. Inner loops come first, so
// that a value may leave several loops at once.
#include <algorithm>
#include <map>

#include "ops/op_cost.h"
#include "support/budget.h"
#include "transforms/build.h"
#include "transforms/loops/loops.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

// Which values of a body stay the same in all iterations, and which of them are worth their memory.
class Invariants {
 public:
  Invariants(const Module& module, const Computation& body, const Target& target)
      : module_(module),
        body_(body),
        target_(target),
        users_(body.users()),
        same_(body.instructions.size(), 0),
        known_(same_),
        worth_(same_) {
    for (const InstructionId id : body.topological_order()) {
      same_[id] = is_same(id);
      known_[id] = body[id].opcode == Opcode::kConstant ||
                   (!body[id].operands.empty() &&
                    std::all_of(body[id].operands.begin(), body[id].operands.end(),
                                [&](InstructionId operand) { return known_[operand] != 0; }));
      worth_[id] = same_[id] && is_worth(id);
    }
  }

  // The arrays to compute before the loop: those that something else than a value worth computing
  // there reads.
  std::vector<InstructionId> last() const {
    std::vector<InstructionId> ids;
    for (InstructionId id = 0; id < static_cast<InstructionId>(body_.instructions.size()); ++id)
      if (worth_[id] && body_[id].shape.is_array() && body_[id].shape.element_count() > 0 &&
          std::any_of(users_[id].begin(), users_[id].end(),
                      [&](InstructionId user) { return !worth_[user]; }))
        ids.push_back(id);
    return ids;
  }

 private:
  bool is_source(const Instruction& i) const {
    return i.opcode == Opcode::kConstant || i.opcode == Opcode::kIota;
  }

  bool is_same(InstructionId id) const {
    const Instruction& i = body_[id];
    if (const int64_t element = state_element(body_, id); element >= 0)
      return is_handed_on(body_, element);
    if (hlo::has_side_effect(module_, i)) return false;
    return std::all_of(i.operands.begin(), i.operands.end(),
                       [&](InstructionId operand) { return same_[operand] != 0; });
  }

  bool is_worth(InstructionId id) const {
    const Instruction& i = body_[id];
    if (is_source(i)) return false;
    if (!i.shape.is_array()) return is_costly(i);
    if (i.opcode == Opcode::kGetTupleElement) return worth_[i.operands[0]] != 0;
    return is_costly(i) || is_wanted_in_memory(id) || keeps_the_size(i);
  }

  static bool is_costly(const Instruction& i) {
    if (i.opcode == Opcode::kTranspose) return moves_elements(i);
    if (i.opcode == Opcode::kWhile || i.opcode == Opcode::kConditional) return true;
    return hlo::info(i.opcode).lowering == hlo::Service::kLoopOp || ops::is_expensive(i);
  }
  // A transpose that changes the order of elements in memory.
  static bool moves_elements(const Instruction& i) {
    const Dimensions& moved = i.get<hlo::DimensionsAttributes>().dimensions;
    for (size_t at = 0, last = 0; at < moved.size(); ++at) {
      if (i.shape.dimensions[at] == 1) continue;
      if (static_cast<size_t>(moved[at]) < last) return true;
      last = static_cast<size_t>(moved[at]);
    }
    return false;
  }
  // A product reads its operands from memory: there they have to be made in each iteration. Where
  // RAM is constrained, it makes weights of the constants behind them instead
  // (fusion/fuse_groups.cpp).
  bool is_wanted_in_memory(InstructionId id) const {
    const Instruction& i = body_[id];
    if (i.opcode == Opcode::kReshape || i.opcode == Opcode::kBitcast || i.opcode == Opcode::kCopy)
      return false;
    return std::any_of(users_[id].begin(), users_[id].end(), [&](InstructionId user) {
      const bool product =
          body_[user].opcode == Opcode::kDot || body_[user].opcode == Opcode::kConvolution;
      return product &&
             !(target_.ram_constrained && known_[id] && reads_as_weights(body_[user], id));
    });
  }
  static bool reads_as_weights(const Instruction& user, InstructionId id) {
    return user.opcode == Opcode::kDot && user.shape.rank() == 2 && user.operands[1] == id &&
           user.get<hlo::DotAttributes>().rhs_contracting == Dimensions{0};
  }
  // Cheap, but it takes no more bytes than the costly value that it is made from.
  bool keeps_the_size(const Instruction& i) const {
    return std::any_of(i.operands.begin(), i.operands.end(), [&](InstructionId operand) {
      return worth_[operand] && i.shape.byte_size() <= body_[operand].shape.byte_size();
    });
  }

  const Module& module_;
  const Computation& body_;
  const Target& target_;
  const std::vector<std::vector<InstructionId>> users_;
  std::vector<char> same_, known_, worth_;  // known: made of constants alone
};

// The loop with the values of `hoisted` as further elements of its state.
class Widener {
 public:
  Widener(Rewriter& r, const Instruction& loop, const std::vector<InstructionId>& hoisted)
      : r_(r),
        loop_(loop),
        body_(r.module().computations[loop.called[0]]),
        order_(body_.topological_order()),
        before_(body_.instructions.size(), kNone) {
    std::vector<InstructionId> state;
    for (size_t i = 0; i < loop.shape.tuple.size(); ++i)
      state.push_back(element(r, loop.operands[0], static_cast<int64_t>(i)));
    for (const InstructionId id : hoisted) {
      place_of_[body_[id].name] = static_cast<int64_t>(state.size());
      state.push_back(computed_before(id));
    }
    state_ = tuple(r, std::move(state));
  }

  InstructionId run() {
    const Shape shape = r_.shape(state_);
    const ComputationId body = over(loop_.called[0], shape, true),
                        condition = over(loop_.called[1], shape, false);
    const InstructionId wide =
        r_.add(hlo::make(Opcode::kWhile, shape, {state_}, {}, {body, condition}));
    std::vector<InstructionId> elements;
    for (size_t i = 0; i < loop_.shape.tuple.size(); ++i)
      elements.push_back(element(r_, wide, static_cast<int64_t>(i)));
    return tuple(r_, std::move(elements));
  }

 private:
  // Copies of what `id` is made from and of itself, before the loop.
  InstructionId computed_before(InstructionId id) {
    std::vector<char> needed(body_.instructions.size(), 0);
    std::vector<InstructionId> todo{id};
    while (!todo.empty()) {
      const InstructionId at = todo.back();
      todo.pop_back();
      if (before_[at] != kNone || needed[at]++) continue;
      if (state_element(body_, at) < 0)
        todo.insert(todo.end(), body_[at].operands.begin(), body_[at].operands.end());
    }
    for (const InstructionId at : order_)
      if (needed[at]) before_[at] = copy_before(at);
    return before_[id];
  }
  InstructionId copy_before(InstructionId id) {
    if (const int64_t at = state_element(body_, id); at >= 0)
      return element(r_, loop_.operands[0], at);
    Instruction copy = body_[id];
    copy.control_predecessors.clear();
    for (InstructionId& operand : copy.operands) operand = before_[operand];
    return r_.add(std::move(copy));
  }

  // A copy of body or condition over the wide state.
  ComputationId over(ComputationId id, const Shape& state, bool is_body) {
    const Computation original = r_.module().computations[id];
    const ComputationId copy = add_computation(r_.module(), original);
    InstructionId parameter = kNone;
    const Rule rule = [&](Rewriter& inner, const Instruction& i) -> InstructionId {
      if (i.opcode == Opcode::kParameter)
        return parameter = inner.add(hlo::make_parameter(0, state, i.name));
      const auto found = place_of_.find(i.name);
      return is_body && found != place_of_.end() ? element(inner, parameter, found->second) : kNone;
    };
    const RootRule root_rule = [&](Rewriter& inner, InstructionId root) {
      if (!is_body) return root;
      std::vector<InstructionId> next = inner[root].operands;
      for (int64_t i = static_cast<int64_t>(next.size());
           i < static_cast<int64_t>(state.tuple.size()); ++i)
        next.push_back(element(inner, parameter, i));
      return tuple(inner, std::move(next));
    };
    const UnrefusedScope counted;
    HLOCC_CHECK(Rewriter(r_.module(), copy, rule).run(root_rule).ok(),
                "widening a loop's state can't fail");
    return copy;
  }

  Rewriter& r_;
  const Instruction& loop_;
  const Computation body_;  // a copy: adding computations moves them
  const std::vector<InstructionId> order_;
  std::vector<InstructionId>
      before_;  // by instruction of the body: what stands for it before the loop
  std::map<std::string, int64_t> place_of_;
  InstructionId state_ = kNone;
};

InstructionId without_invariants(Rewriter& r, const Instruction& loop, const Target& target) {
  if (!has_open_state(r.module(), loop)) return kNone;
  const std::vector<InstructionId> hoisted =
      Invariants(r.module(), r.module().computations[loop.called[0]], target).last();
  return hoisted.empty() ? kNone : Widener(r, loop, hoisted).run();
}

}  // namespace

Status hoist_invariants(hlo::Module& module, const PassContext& context) {
  const Rule rule = [&](Rewriter& r, const Instruction& i) {
    if (const InstructionId part = out_of_tuple(r, i); part != kNone) return part;
    return i.opcode == Opcode::kWhile ? without_invariants(r, i, context.target) : kNone;
  };
  HLOCC_TRY(rewrite(module, rule));
  return {};
}

}  // namespace hlocc::transforms
