// See inspection.h.
#include "driver/analyze/inspection.h"

#include <algorithm>

#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/targets.h"
#include "ops/accumulation.h"
#include "ops/op_support.h"
#include "planning/constants_by_type.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using hlo::Computation, hlo::Instruction, hlo::Opcode;

int64_t product_of(const hlo::Shape& shape, const hlo::Dimensions& dimensions) {
  int64_t product = 1;
  for (int64_t d : dimensions) product *= shape.dimensions[d];
  return product;
}

int64_t macs_of(const Computation& computation, const Instruction& instruction) {
  if (instruction.opcode == Opcode::kDot) {
    const hlo::Shape& lhs = computation.operand(instruction, 0).shape;
    return instruction.shape.element_count() *
           product_of(lhs, instruction.get<hlo::DotAttributes>().lhs_contracting);
  }
  if (instruction.opcode == Opcode::kConvolution) {
    const auto& numbers = instruction.get<hlo::ConvolutionAttributes>();
    const hlo::Shape& kernel = computation.operand(instruction, 1).shape;
    return instruction.shape.element_count() * product_of(kernel, numbers.kernel_spatial) *
           kernel.dimensions[numbers.kernel_input_feature];
  }
  return 0;
}

// Every op that cannot be compiled once, with its type: the table knows, and the first message says
// what would help.
void find_unsupported(const hlo::Module& module, Inspection& out) {
  for (const Computation& computation : module.computations) {
    for (const Instruction& instruction : computation.instructions) {
      if (ops::is_supported(instruction.opcode, ops::Stage::kLowering)) continue;
      const std::string text =
          cat(hlo::opcode_name(instruction.opcode), " (", instruction.shape, ")");
      if (std::find(out.unsupported.begin(), out.unsupported.end(), text) == out.unsupported.end())
        out.unsupported.push_back(text);
    }
  }
}

PlanFacts facts_of(const Planned& planned, const Target& target, size_t parts) {
  const planning::Plan& plan = planned.plan;
  return {target.name,
          std::max<int64_t>(1, plan.arena_bytes),
          plan.live_set_bound,
          plan.state_bytes,
          plan.constant_bytes,
          static_cast<int>(planned.program.kernels.size()),
          plan.copies,
          plan.copies_in_loops,
          static_cast<int>(parts),
          plan.memories.empty() ? 0 : plan.memories[0].bytes,
          planning::constants_by_type(plan)};
}

LayerGraph graph_of(const Planned& planned, const Target& target) {
  const planning::Alive alive = planning::find_alive(planned.program, planned.plan, target);
  return layer_graph(planned.program, planned.plan,
                     layers_of(planned.program, planned.plan, alive, target));
}

// The plan of what the host computes, and what cannot be compiled of it.
Status inspect_plan(const hlo::Module& module, const kernel::Signature& signature,
                    const std::set<std::string>& parts, const CommandLine& line, StageClock* clock,
                    Inspection& out) {
  find_unsupported(module, out);
  HLOCC_TRY_ASSIGN(const Target target,
                   resolve_target(line.targets.empty() ? "host" : line.targets[0], line));
  const Result<Planned> planned = plan_module(module, signature, target, {.clock = clock}, parts);
  if (planned) {
    out.plan = facts_of(*planned, target, parts.size());
    out.calls = planning::user_functions(planned->plan);
    if (line.inspect.kernels)
      out.launches = launch_table(planned->program, planned->plan.steps, target);
    if (!line.inspect.graph.empty()) out.graph = graph_of(*planned, target);
    return {};
  }
  if (planned.error().kind != DiagnosticKind::kUnsupported || !line.inspect.graph.empty())
    return planned.error();
  if (out.unsupported.empty()) out.unsupported.push_back(planned.error().message);
  return {};
}

}  // namespace

Result<Inspection> inspect_module(const hlo::Module& module, const kernel::Signature& signature,
                                  const CommandLine& line, const Placement* placement,
                                  StageClock* clock) {
  Inspection out;
  for (const Computation& computation : module.computations) {
    for (const Instruction& instruction : computation.instructions) {
      ++out.histogram[std::string(hlo::opcode_name(instruction.opcode))];
      out.macs += macs_of(computation, instruction);
    }
  }
  out.longest_accumulation = ops::longest_accumulation(module);
  if (placement == nullptr) {
    HLOCC_TRY(inspect_plan(module, signature, {}, line, clock, out));
  } else if (placement->host) {
    HLOCC_TRY(inspect_plan(*placement->host, signature, placement->parts, line, clock, out));
  } else if (!line.inspect.graph.empty()) {
    return error(DiagnosticKind::kUnsupported,
                 cat("--graph draws a plan, and ", placement->device, " takes the whole model"))
        .note("without --plugin and --backend the plan is the host's");
  }
  return out;
}

}  // namespace hlocc::driver
