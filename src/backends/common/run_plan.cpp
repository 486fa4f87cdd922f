// See run_plan.h: one walk over the plan's steps, an overload a kind.
#include "backends/common/run_plan.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "backends/common/run_checks.h"
#include "backends/common/run_pieces.h"
#include "planning/moved_runs.h"
#include "planning/timed_steps.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using kernel::ProgramValueId;
using planning::Place;

RunAddress address_at(const planning::Plan& plan, const Place& place, ProgramValueId value) {
  if (place.region == planning::Region::kArena) {
    const auto [slot, offset] = plan.place_in_piece(place.offset);
    return {RunAddress::Kind::kArena, offset, value, slot};
  }
  if (const planning::KeptConstant* kept =
          place.region == planning::Region::kConstant ? plan.kept_at(place.offset) : nullptr) {
    const auto [slot, offset] = plan.place_in_piece(kept->to);
    return {RunAddress::Kind::kArena, offset, value, slot};
  }
  static constexpr RunAddress::Kind kKinds[] = {RunAddress::Kind::kArena, RunAddress::Kind::kState,
                                                RunAddress::Kind::kConstants};
  return {kKinds[static_cast<size_t>(place.region)], place.offset, value};
}

class RunPlanner {
 public:
  RunPlanner(const kernel::Program& program, const planning::Plan& plan, bool marked, bool cut)
      : program_(program), plan_(plan), marked_(marked), cut_(cut) {}

  Result<RunSteps> make() {
    if (program_.stream) return in_phases(*program_.stream);
    mark(kProfileBegin);
    HLOCC_TRY(walk(plan_.steps));
    mark(kProfileEnd);
    HLOCC_TRY(deliver_results());
    return std::move(out_);
  }

 private:
  // `run` does the part that its state says: what is before the loop over rows, one iteration of
  // it, what is behind it (kernel::StreamPhase).
  Result<RunSteps> in_phases(const kernel::StreamSteps& stream) {
    const kernel::Steps& steps = plan_.steps;
    const size_t loop = static_cast<size_t>(
        std::ranges::find_if(
            steps, [&](const kernel::Step& step) { return kernel::takes_rows(program_, step); }) -
        steps.begin());
    if (loop == steps.size())
      return error(DiagnosticKind::kInternal, "plan: no loop reads the rows that are streamed");
    const kernel::Steps& body = std::get<kernel::WhileStep>(steps[loop].what).body;
    RunChoice phases{address(stream.state), false, {}};
    for (const auto& [some, begin, end] :
         {std::tuple(&steps, size_t{0}, loop), std::tuple(&body, size_t{0}, body.size()),
          std::tuple(&steps, loop + 1, steps.size())}) {
      HLOCC_TRY_ASSIGN(RunSteps made, apart([&]() -> Status {
                         mark(kProfileBegin);
                         HLOCC_TRY(walk(*some, begin, end));
                         mark(kProfileEnd);
                         return begin > loop ? deliver_results() : Status();
                       }));
      phases.branches.push_back(std::move(made));
    }
    put(std::move(phases));
    return std::move(out_);
  }

  template <typename What>
  void put(What what) {
    out_.push_back({std::move(what), origin_});
  }
  void mark(int32_t step) {
    if (marked_) put(RunMark{step});
  }

  // What `inside` puts, as steps of their own.
  template <typename Inside>
  Result<RunSteps> apart(const Inside& inside) {
    RunSteps outer = std::exchange(out_, {});
    Status status = inside();
    std::swap(outer, out_);
    HLOCC_TRY(std::move(status));
    return outer;
  }
  template <typename Inside>
  Status in_piece(const Inside& inside) {
    const bool outside = std::exchange(inside_piece_, true);
    Result<RunSteps> steps = apart(inside);
    inside_piece_ = outside;
    if (!steps.ok()) return steps.error();
    put(RunInner{*std::move(steps)});
    return {};
  }

  Status walk(const kernel::Steps& steps) {
    if (!cut_) return walk(steps, 0, steps.size());
    const std::vector<RunPiece> pieces = pieces_of(steps);
    for (const RunPiece& piece : pieces) {
      const auto inside = [&] { return walk(steps, piece.begin, piece.end); };
      HLOCC_TRY(piece.alone || pieces.size() == 1 ? inside() : in_piece(inside));
    }
    return {};
  }
  Status walk(const kernel::Steps& steps, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (planning::takes_time(steps[i], plan_)) mark(marked_steps_++);
      const kernel::Origin* outside = std::exchange(origin_, &steps[i].origin);
      HLOCC_TRY(std::visit([&](const auto& what) { return step(what); }, steps[i].what));
      origin_ = outside;
    }
    return {};
  }

  // Beside many others a branch is a piece of its own.
  Status walk_branch(const kernel::Steps& steps, size_t branches) {
    const bool alone = cut_ && !inside_piece_ && branches > kMostBranchesInOne;
    if (!alone || pieces_of(steps).size() != 1 || pieces_of(steps)[0].alone) return walk(steps);
    return in_piece([&] { return walk(steps); });
  }

  RunAddress address(ProgramValueId id) const { return address_of(plan_, id); }
  std::vector<RunAddress> addresses(const std::vector<ProgramValueId>& ids) const {
    std::vector<RunAddress> all;
    for (const ProgramValueId id : ids) all.push_back(address(id));
    return all;
  }
  const Place& place(ProgramValueId id) const { return plan_.places[static_cast<size_t>(id)]; }

  Status step(const kernel::Launch& launch) {
    put(RunLaunch{&launch, addresses(launch.operands)});
    return {};
  }
  Status step(const kernel::Copy& copy) {
    const CopyNeed need = need_of(copy, plan_);
    if (need != CopyNeed::kNever)
      put(RunCopy{address(copy.to), address(copy.from),
                  plan_.values[static_cast<size_t>(copy.from)].bytes(),
                  need == CopyNeed::kUnlessHome});
    return {};
  }
  Status step(const kernel::Join& join) {
    for (const planning::MovedRun& run : planning::moved_runs(join, plan_.places)) {
      RunAddress to = address(join.to), from = address(run.from);
      to.at += run.to_offset;
      from.at += run.from_offset;
      put(RunCopy{to, from, run.bytes});
    }
    return {};
  }
  Status step(const kernel::WhileStep& loop) {
    HLOCC_TRY_ASSIGN(RunSteps condition, apart([&] { return walk(loop.condition); }));
    HLOCC_TRY_ASSIGN(RunSteps body, apart([&] { return walk(loop.body); }));
    put(RunLoop{std::move(condition), address(loop.condition_value), std::move(body)});
    return {};
  }
  Status step(const kernel::ConditionalStep& choice) {
    const kernel::ProgramValue& selector = plan_.values[static_cast<size_t>(choice.selector)];
    RunChoice made{address(choice.selector), selector.element == kernel::Scalar::kPred, {}};
    for (const kernel::Steps& branch : choice.branches) {
      HLOCC_TRY_ASSIGN(RunSteps steps,
                       apart([&] { return walk_branch(branch, choice.branches.size()); }));
      made.branches.push_back(std::move(steps));
    }
    put(std::move(made));
    return {};
  }
  Status step(const kernel::UserCall& call) {
    put(RunUserCall{call.symbol, addresses(call.operands), addresses(call.results)});
    return {};
  }
  Status step(const kernel::Transfer& transfer) {
    const Place &from = place(transfer.from), &to = place(transfer.to);
    if (from.memory != 0 && to.memory != 0)
      return error(
          DiagnosticKind::kUnsupported,
          cat("a transfer between the memories ", from.memory, " and ", to.memory, " of devices"));
    if (from.bytes == 0) return {};
    const bool sends = from.memory == 0;
    const Place& far = sends ? to : from;
    const RunAddress here = address(sends ? transfer.from : transfer.to);
    const RunCache cache{sends, here, from.bytes};
    put(cache);
    put(RunTransfer{sends, transfer.queue, far.memory, far.offset, here, from.bytes});
    if (!sends) coming_[transfer.queue].push_back(cache);
    return {};
  }
  Status step(const kernel::Submit& submit) {
    RunSubmit made{submit.queue, 1, submit.part, {}, submit.operands.size(), submit.results.size()};
    for (const auto* ids : {&submit.operands, &submit.results})
      for (const ProgramValueId id : *ids) {
        made.memory = place(id).memory;
        made.offsets.push_back(place(id).offset);
      }
    put(std::move(made));
    return {};
  }
  Status step(const kernel::Wait& wait) {
    put(RunWait{wait.queue});
    for (const RunCache& cache : coming_[wait.queue]) put(cache);
    coming_.erase(wait.queue);
    return {};
  }

  Status deliver_results() {
    const size_t all = program_.results.size();
    if (!cut_) return deliver_results(0, all);
    for (size_t begin = 0; begin < all; begin += kMostStepsInPiece) {
      const size_t end = std::min(all, begin + kMostStepsInPiece);
      HLOCC_TRY(in_piece([&] { return deliver_results(begin, end); }));
    }
    return {};
  }
  Status deliver_results(size_t begin, size_t end) {
    for (size_t leaf = begin; leaf < end; ++leaf) {
      const Place& home = plan_.result_places[leaf];
      if (!program_.signature.results[leaf].donated)
        put(RunCopy{{RunAddress::Kind::kResult, static_cast<int64_t>(leaf)},
                    address_at(plan_, home, kernel::kNone),
                    home.bytes,
                    true});
    }
    return {};
  }

  const kernel::Program& program_;
  const planning::Plan& plan_;
  const bool marked_, cut_;
  bool inside_piece_ = false;
  const kernel::Origin* origin_ = nullptr;  // of the step that is being walked
  RunSteps out_;
  int32_t marked_steps_ = 0;
  std::map<int, std::vector<RunCache>> coming_;  // by queue: what it brings to this memory
};

}  // namespace

RunAddress address_of(const planning::Plan& plan, ProgramValueId id) {
  const kernel::ProgramValue& value = plan.values[static_cast<size_t>(id)];
  if (value.role == kernel::ValueRole::kArgument)
    return {RunAddress::Kind::kArgument, value.leaf, id};
  return address_at(plan, plan.places[static_cast<size_t>(id)], id);
}

RunSteps keeping_steps(const planning::Plan& plan) {
  RunSteps out;
  for (const planning::KeptConstant& kept : plan.kept) {
    const auto [slot, offset] = plan.place_in_piece(kept.to);
    out.push_back({RunCopy{{RunAddress::Kind::kArena, offset, kept.value, slot},
                           {RunAddress::Kind::kConstants, kept.from, kept.value},
                           kept.bytes}});
  }
  return out;
}

Result<RunSteps> run_plan(const kernel::Program& program, const planning::Plan& plan,
                          const Target& target, bool cut) {
  HLOCC_TRY(check_bindings(plan));
  return RunPlanner(program, plan, target.options.profile,
                    cut && !program.stream && runs_in_pieces(program, plan))
      .make();
}

}  // namespace hlocc::backends
