// Plays the steps of a program or of a plan on this machine. Where the bytes of a value lie is the
// caller's answer: the program evaluator gives each value memory of its own, the plan's executor
// the places of the plan.
//
// A queue does nothing before a Wait for it: the latest that a device may be. So a step that does
// not wait reads what was there before.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <span>

#include "kernel/evaluate/compiled_kernel.h"
#include "kernel/program.h"

namespace hlocc::kernel {

class StepRunner {
 public:
  using Memory = std::function<std::span<std::byte>(ProgramValueId)>;
  // `copies_at_edges`: bytes are moved where a program only names values (while, conditional,
  // updates). In a plan these values share one place, and what must be moved is a copy step.
  StepRunner(const std::vector<Kernel>& kernels, Memory memory, bool copies_at_edges,
             PartFunction part = nullptr)
      : kernels_(kernels),
        memory_(std::move(memory)),
        copies_at_edges_(copies_at_edges),
        part_(std::move(part)) {}

  // The steps of a whole program: at their end no queue may have anything left to do (kInternal).
  Status run_all(const Steps& steps);

 private:
  Status step(const Launch& launch);
  Status run_ranges(const Launch& launch, std::span<const std::span<std::byte>> buffers,
                    std::span<const Overlap> claims);
  Status step(const Copy& copy);
  Status step(const Join& join);
  Status step(const WhileStep& loop);
  Status step(const ConditionalStep& choice);
  Status step(const UserCall& call);
  Status step(const Transfer& transfer);
  Status step(const Submit& submit);
  Status step(const Wait& wait);
  Status run(const Steps& steps);
  Status hand_on(const std::vector<ProgramValueId>& to, const std::vector<ProgramValueId>& from);
  CompiledKernel& compiled(KernelId kernel);

  const std::vector<Kernel>& kernels_;
  Memory memory_;
  bool copies_at_edges_;
  PartFunction part_;
  std::map<int, std::vector<std::function<Status()>>> queues_;
  std::map<KernelId, std::unique_ptr<CompiledKernel>> compiled_;
};

}  // namespace hlocc::kernel
