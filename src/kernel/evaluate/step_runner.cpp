// Steps, one function a kind.
#include "kernel/evaluate/step_runner.h"

#include <algorithm>
#include <cstring>

#include "kernel/ranges/race_watch.h"
#include "support/text.h"

namespace hlocc::kernel {

Status StepRunner::run(const Steps& steps) {
  for (const Step& each : steps) {
    Status status = std::visit([&](const auto& what) { return step(what); }, each.what);
    if (!status) {
      if (each.origin.empty()) return status;
      return std::move(status).error().note("in " + join(each.origin.hlo, ", "));
    }
  }
  return {};
}

CompiledKernel& StepRunner::compiled(KernelId kernel) {
  std::unique_ptr<CompiledKernel>& held = compiled_[kernel];
  if (held == nullptr)
    held = std::make_unique<CompiledKernel>(kernels_[static_cast<size_t>(kernel)]);
  return *held;
}

// Moves the bytes of from[i] to to[i], all at once.
Status StepRunner::hand_on(const std::vector<ProgramValueId>& to,
                           const std::vector<ProgramValueId>& from) {
  std::vector<std::vector<std::byte>> held;
  for (const ProgramValueId value : from) {
    const std::span<std::byte> bytes = memory_(value);
    held.emplace_back(bytes.begin(), bytes.end());
  }
  for (size_t i = 0; i < to.size(); ++i) {
    const std::span<std::byte> bytes = memory_(to[i]);
    if (bytes.size() != held[i].size())
      return error(DiagnosticKind::kInternal, "values of different sizes at an edge");
    if (!bytes.empty()) std::memcpy(bytes.data(), held[i].data(), bytes.size());
  }
  return {};
}

Status StepRunner::step(const Launch& launch) {
  if (copies_at_edges_)
    for (const Update& update : launch.updates)
      HLOCC_TRY(hand_on({launch.operands[update.result]}, {update.from}));
  std::vector<std::span<std::byte>> buffers;
  for (const ProgramValueId operand : launch.operands) buffers.push_back(memory_(operand));
  // In a plan some of them do lie over one another.
  const std::span<const Overlap> claims(launch.overlaps.data(),
                                        copies_at_edges_ ? launch.overlaps.size() : 0);
  if (launch.ranges > 1) return run_ranges(launch, buffers, claims);
  return compiled(launch.kernel).run(buffers, launch.integers, claims);
}

// The last one first: code that counts on an order is found out, and two that meet in an element.
Status StepRunner::run_ranges(const Launch& launch, std::span<const std::span<std::byte>> buffers,
                              std::span<const Overlap> claims) {
  CompiledKernel& kernel = compiled(launch.kernel);
  RaceWatch watch(kernels_[static_cast<size_t>(launch.kernel)], buffers);
  std::vector<int64_t> integers = {0};
  integers.insert(integers.end(), launch.integers.begin(), launch.integers.end());
  for (int range = launch.ranges - 1; range >= 0; --range) {
    integers[0] = range;
    watch.begin(range);
    HLOCC_TRY(kernel.run(buffers, integers, claims, &watch));
  }
  return {};
}

Status StepRunner::step(const Copy& copy) { return hand_on({copy.to}, {copy.from}); }

// Run by run, as backends copy; in a plan a run may be where it belongs.
Status StepRunner::step(const Join& join) {
  const std::span<std::byte> to = memory_(join.to);
  size_t at = 0;
  for (const Join::Run& run : join.runs) {
    const size_t bytes = static_cast<size_t>(run.bytes);
    const std::span<std::byte> from = memory_(run.from).subspan(static_cast<size_t>(run.offset));
    std::memmove(to.subspan(at).data(), from.data(), bytes);
    at += bytes;
  }
  return {};
}

Status StepRunner::step(const WhileStep& loop) {
  if (copies_at_edges_) HLOCC_TRY(hand_on(loop.carried, loop.initial));
  while (true) {
    HLOCC_TRY(run(loop.condition));
    if (memory_(loop.condition_value)[0] == std::byte{0}) break;
    HLOCC_TRY(run(loop.body));
    if (copies_at_edges_) HLOCC_TRY(hand_on(loop.carried, loop.next));
  }
  return copies_at_edges_ ? hand_on(loop.result, loop.carried) : Status();
}

Status StepRunner::step(const ConditionalStep& choice) {
  const std::span<const std::byte> selector = memory_(choice.selector);
  size_t branch = selector[0] != std::byte{0} ? 0 : 1;
  if (selector.size() == 4) {
    int32_t index;
    std::memcpy(&index, selector.data(), 4);
    // Below zero it is beyond all of them.
    branch = std::min(static_cast<size_t>(index), choice.branches.size() - 1);
  }
  HLOCC_TRY(run(choice.branches[branch]));
  return copies_at_edges_ ? hand_on(choice.results, choice.yields[branch]) : Status();
}

Status StepRunner::step(const UserCall& call) {
  return error(DiagnosticKind::kUnsupported,
               cat("the function ", call.symbol, " is the user's and can't be evaluated"));
}

Status StepRunner::step(const Transfer& transfer) {
  queues_[transfer.queue].push_back(
      [this, transfer] { return hand_on({transfer.to}, {transfer.from}); });
  return {};
}

Status StepRunner::step(const Submit& submit) {
  if (part_ == nullptr)
    return error(DiagnosticKind::kUnsupported,
                 cat("part ", submit.part, " is a device's and can't be evaluated"));
  queues_[submit.queue].push_back([this, submit] {
    std::vector<std::span<std::byte>> operands, results;
    for (const ProgramValueId id : submit.operands) operands.push_back(memory_(id));
    for (const ProgramValueId id : submit.results) results.push_back(memory_(id));
    return part_(submit.part, operands, results);
  });
  return {};
}

Status StepRunner::step(const Wait& wait) {
  for (const std::function<Status()>& work : queues_[wait.queue]) HLOCC_TRY(work());
  queues_.erase(wait.queue);
  return {};
}

Status StepRunner::run_all(const Steps& steps) {
  queues_.clear();
  HLOCC_TRY(run(steps));
  for (const auto& [queue, work] : queues_)
    if (!work.empty())
      return error(DiagnosticKind::kInternal,
                   cat("the steps end while queue ", queue, " has work left"));
  return {};
}

}  // namespace hlocc::kernel
