// See pipeline.h.
#include "driver/pipeline/pipeline.h"

#include <algorithm>
#include <cstdio>

#include "devices/partition/place_parts.h"
#include "driver/analyze/analysis_page.h"
#include "driver/cli/output.h"
#include "driver/pipeline/backend_table.h"
#include "driver/pipeline/capacity.h"
#include "driver/pipeline/debug_text.h"
#include "driver/pipeline/fit_flash.h"
#include "kernel/legalize/legalize.h"
#include "kernel/share/share_kernels.h"
#include "kernel/verifier.h"
#include "kernel/window_spacing.h"
#include "lowering/program/lower.h"
#include "ops/check/verifier.h"
#include "ops/op_support.h"
#include "ops/text/printer.h"
#include "package/names.h"
#include "planning/palettes.h"
#include "planning/split_launches.h"
#include "support/suggest.h"
#include "support/text.h"
#include "transforms/pipeline.h"
#include "transforms/rows/row_floor.h"
#include "transforms/stream/stream_loop.h"

namespace hlocc::driver {
namespace {

// A verifier's refusal between two stages is a bug of the stage before it; but not that the
// program takes more than it may.
Status ours(Status status, std::string_view stage) {
  if (status.ok() || status.error().kind == DiagnosticKind::kLimit) return status;
  return error(DiagnosticKind::kInternal, cat("after ", stage, ": ", status.error().message))
      .note("this is a bug of hlocc; the model is not at fault");
}

void print_if(const Watch& watch, std::string_view stage,
              const std::function<std::string()>& text) {
  if (watch.print_after == stage) print_program(text());
}

ops::PrintOptions readable() {
  ops::PrintOptions options;
  options.max_constant_elements = 16;
  options.metadata = false;
  return options;
}

Status verify_kernels(const kernel::Program& program, const Target& target, bool legal) {
  for (const kernel::Kernel& kernel : program.kernels)
    HLOCC_TRY(legal ? kernel::verify_legal(kernel, target) : kernel::verify(kernel));
  return kernel::verify(program);
}

// The verifiers between stages always run; `verify_each` adds the module's after every single pass.
transforms::Observer observer_for(const Watch& watch, const Target& target) {
  return [&watch, each = target.options.verify_each](std::string_view pass,
                                                     const hlo::Module& now) -> Status {
    end_stage(watch.clock, pass);
    print_if(watch, pass, [&] { return ops::to_text(now, readable()); });
    return each ? ours(ops::verify(now), pass) : Status();
  };
}

Result<hlo::Module> prepared_for(const hlo::Module& module, const Target& target,
                                 const Watch& watch) {
  WorkingOn working("transforms");
  begin_stage(watch.clock, "passes");
  return transforms::prepare(module, target, observer_for(watch, target));
}

// `prepared`: what the passes before fusion made.
Result<hlo::Module> grouped(const hlo::Module& prepared, const Target& target, const Watch& watch) {
  HLOCC_TRY_ASSIGN(hlo::Module transformed,
                   transforms::form_groups(prepared, target, observer_for(watch, target)));
  HLOCC_TRY(ours(ops::verify(transformed), "transforms"));
  end_stage(watch.clock, "verify");
  return transformed;
}

Result<Planned> plan_groups(const hlo::Module& transformed, const kernel::Signature& signature,
                            const Target& target, const Watch& watch,
                            const std::set<std::string>& parts) {
  Planned out;
  WorkingOn working(cat("lowering and planning for ", target.name));
  begin_stage(watch.clock, "lowering");
  HLOCC_TRY_ASSIGN(out.program, lowering::lower(transformed, signature, target));
  if (signature.stream) {
    kernel::add_stream(out.program, *transforms::steps_of_stream(transformed));
    if (const int64_t every = transforms::window_spacing(transformed); every > 0)
      kernel::space_windows(out.program, every);
  }
  end_stage(watch.clock, "lower");
  print_if(watch, "lower", [&] { return kernel::to_text(out.program); });
  HLOCC_TRY(ours(verify_kernels(out.program, target, false), "lower"));
  end_stage(watch.clock, "verify");

  HLOCC_TRY(kernel::legalize(out.program, target));
  end_stage(watch.clock, "legalize");
  print_if(watch, "legalize", [&] { return kernel::to_text(out.program); });
  HLOCC_TRY(ours(verify_kernels(out.program, target, true), "legalize"));
  end_stage(watch.clock, "verify");

  planning::store_palettes(out.program, target);
  end_stage(watch.clock, "palettes");
  print_if(watch, "palettes", [&] { return kernel::to_text(out.program); });
  HLOCC_TRY(ours(verify_kernels(out.program, target, true), "palettes"));

  if (target.options.threads > 1) {
    planning::split_launches(out.program, target);
    end_stage(watch.clock, "split");
    HLOCC_TRY(ours(verify_kernels(out.program, target, true), "split"));
    end_stage(watch.clock, "verify");
  }
  print_if(watch, "split", [&] { return kernel::to_text(out.program); });

  kernel::share_kernels(out.program, target);
  end_stage(watch.clock, "share");
  print_if(watch, "share", [&] { return kernel::to_text(out.program); });
  HLOCC_TRY(ours(verify_kernels(out.program, target, true), "share"));
  end_stage(watch.clock, "verify");

  if (!parts.empty()) {
    device::place_parts(out.program, parts);
    HLOCC_TRY(ours(kernel::verify(out.program), "parts"));
  }

  const WorkingOn planning(cat("the plan for ", target.name));
  begin_stage(watch.clock, "planning");
  HLOCC_TRY_ASSIGN(out.plan, planning::plan(out.program, target));
  end_stage(watch.clock, "plan");
  print_if(watch, "plan", [&] { return planning::to_text(out.plan); });
  HLOCC_TRY(ours(planning::validate(out.program, out.plan), "plan"));
  end_stage(watch.clock, "validate");
  if (out.program.stream) {
    kernel::drop_stream_condition(out.program, out.plan.steps);
    kernel::drop_stream_condition(out.program, out.program.steps);
  }
  return out;
}

Result<Planned> plan_with(const hlo::Module& prepared, const kernel::Signature& signature,
                          const Target& target, const Watch& watch,
                          const std::set<std::string>& parts) {
  HLOCC_TRY_ASSIGN(const hlo::Module transformed, grouped(prepared, target, watch));
  return plan_groups(transformed, signature, target, watch, parts);
}

// The module that is lowered, with large constants by a number that is made of their bytes.
std::string lowered_text(const hlo::Module& module) {
  std::string text = ops::to_text(module, readable());
  for (const hlo::Computation& computation : module.computations)
    for (const hlo::Instruction& i : computation.instructions) {
      if (i.opcode != hlo::Opcode::kConstant) continue;
      const std::span<const std::byte> bytes = i.get<hlo::ConstantAttributes>().value.bytes();
      const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      text += cat(" ", std::hash<std::string_view>()(all));
    }
  return text;
}

// Whether a search tries loops over rows, or other ends of a stream's.
bool tries_rows(const Options& options) {
  return options.optimize_ram || options.ram_budget > 0 || !options.memories.empty() ||
         options.stream;
}

// Attempts of a search. With loops over rows, several limits of memory may lead to the same ones,
// whose plan is made once; other attempts differ.
class Attempts {
 public:
  Attempts(const hlo::Module& prepared, const kernel::Signature& signature, const Target& target,
           bool with_rows, StageClock* clock, const std::set<std::string>& parts)
      : prepared_(prepared),
        signature_(signature),
        deciding_(target),
        with_rows_(with_rows),
        quiet_{.clock = clock},
        parts_(parts) {}

  Result<std::optional<Planned>> operator()(const Decisions& decisions) {
    deciding_.decisions = decisions;
    HLOCC_TRY_ASSIGN(const hlo::Module module, grouped(prepared_, deciding_, quiet_));
    if (with_rows_ && is_known(module, decisions)) return std::optional<Planned>();
    HLOCC_TRY_ASSIGN(Planned planned, plan_groups(module, signature_, deciding_, quiet_, parts_));
    return std::optional(std::move(planned));
  }

 private:
  bool is_known(const hlo::Module& module, Decisions lowered) {
    // There is one attempt alone.
    if (prepared_.entry_computation().instructions.size() > kMostSearchedInstructions) return false;
    // What the passes alone ask for shows in the module.
    lowered.rows_above.reset();
    lowered.stream_end = 0;
    std::string text = lowered_text(module);
    for (const auto& [earlier, by] : made_)
      if (earlier == text && by == lowered) return true;
    made_.emplace_back(std::move(text), lowered);
    return false;
  }

  const hlo::Module& prepared_;
  const kernel::Signature& signature_;
  Target deciding_;
  const bool with_rows_;
  const Watch quiet_;
  const std::set<std::string>& parts_;
  std::vector<std::pair<std::string, Decisions>> made_;
};

// The module is shown as it goes through the last attempt, once that is known.
Result<Planned> plan_searched(const hlo::Module& prepared, const kernel::Signature& signature,
                              const Target& target, const Watch& watch,
                              const std::set<std::string>& parts) {
  const size_t instructions = prepared.entry_computation().instructions.size();
  HLOCC_TRY_ASSIGN(Search found,
                   search_decisions(Attempts(prepared, signature, target,
                                             tries_rows(target.options), watch.clock, parts),
                                    first_decisions(instructions, target), instructions, target));
  print_if(watch, "decisions", [&] {
    if (!found.attempts[0].score) found.attempts[0].score = score_of(found.best, target);
    return to_text(found.attempts);
  });
  HLOCC_TRY(check_ram_budget(found, target));
  if (watch.print_after.empty() || watch.print_after == "decisions") return std::move(found.best);
  Target deciding = target;
  deciding.decisions = found.decisions;
  return plan_with(prepared, signature, deciding, watch, parts);
}

}  // namespace

std::vector<std::string> stage_names() {
  std::vector<std::string> names = {"import"};
  for (std::string_view pass : transforms::pass_names()) names.emplace_back(pass);
  for (const char* stage : {"lower", "legalize", "palettes", "split", "share", "plan", "decisions"})
    names.emplace_back(stage);
  return names;
}

Status check_stage_name(const std::string& stage) {
  const std::vector<std::string> names = stage_names();
  if (stage.empty() || std::find(names.begin(), names.end(), stage) != names.end()) return {};
  return suggest(error(DiagnosticKind::kUsage,
                       cat("--print-after ", stage, ": there is no such stage")),
                 stage, names)
      .note("stages are " + join(names, ", "));
}

Result<Planned> plan_module(const hlo::Module& module, const kernel::Signature& signature,
                            const Target& target, const Watch& watch,
                            const std::set<std::string>& parts) {
  print_if(watch, "import", [&] { return ops::to_text(module, readable()); });
  HLOCC_TRY(ops::check_supported(module, ops::Stage::kLowering));
  HLOCC_TRY_ASSIGN(const hlo::Module prepared, prepared_for(module, target, watch));
  HLOCC_TRY_ASSIGN(Planned planned, plan_searched(prepared, signature, target, watch, parts));
  if (watch.wants_row_floor && !signature.stream)
    planned.row_floor = transforms::row_floor(prepared);
  return planned;
}

Result<std::vector<CurvePoint>> plan_curve(const hlo::Module& module,
                                           const kernel::Signature& signature, const Target& target,
                                           const Watch& watch) {
  const Watch quiet{.clock = watch.clock};
  HLOCC_TRY_ASSIGN(const hlo::Module prepared, prepared_for(module, target, quiet));
  const std::set<std::string> no_parts;
  return ram_curve(Attempts(prepared, signature, target, true, watch.clock, no_parts),
                   prepared.entry_computation().instructions.size(), target);
}

std::set<ArtifactKind> artifacts_for(const std::set<package::Emit>& emit) {
  std::set<ArtifactKind> kinds;
  for (package::Emit one : emit) {
    const ArtifactKind kind = package::emit_table()[static_cast<int>(one)].artifact;
    if (one != package::Emit::kHeader && kind != ArtifactKind::kHloText &&
        kind != ArtifactKind::kKernelText && kind != ArtifactKind::kReport)
      kinds.insert(kind);
  }
  return kinds;
}

Result<Compilation> compile_module(const hlo::Module& module, const Target& target,
                                   const std::set<package::Emit>& emit, const Watch& watch,
                                   const std::string& sha256, const DeviceSide& device) {
  Compilation out;
  HLOCC_TRY_ASSIGN(out.signature, package::make_signature(module, target.options));
  const std::optional<hlo::Module> numbered = with_printed_lines(module, target, emit);
  std::set<std::string> names;
  for (const auto& [name, data] : device.data) names.insert(name);
  Watch seen = watch;
  seen.wants_row_floor = emit.contains(package::Emit::kReport);
  HLOCC_TRY_ASSIGN(const BackendInfo backend, find_backend(target.backend, true));
  const auto plan = [&](const Target& asked) -> Result<Planned> {
    HLOCC_TRY_ASSIGN(Planned made,
                     plan_module(numbered ? *numbered : module, out.signature, asked, seen, names));
    made.plan.device_data = device.data;
    return made;
  };
  const auto build = [&](const Planned& planned) -> Result<Artifacts> {
    HLOCC_TRY(check_capacity(out.signature, planned.plan, target));
    begin_stage(watch.clock, "code generation", "for " + target.name);
    return backend.compile(planned.program, planned.plan, target, artifacts_for(emit));
  };
  HLOCC_TRY_ASSIGN(FittedModel fitted, fit_flash(target, watch.flash, plan, build));
  Planned planned = std::move(fitted.planned);
  out.artifacts = std::move(fitted.artifacts);
  if (watch.clock != nullptr)
    for (const StageTime& time : out.artifacts.times) watch.clock->times.add(time);
  end_stage(watch.clock, "transfer");
  begin_stage(watch.clock, "packaging");
  std::set<package::Emit> files = emit;
  if (emit.contains(package::Emit::kHloText))
    out.artifacts.files[ArtifactKind::kHloText] = bytes_of(ops::to_text(module));
  else if (numbered && shows_text(planned.plan.steps, out.signature)) {
    files.insert(package::Emit::kHloText);
    out.artifacts.files[ArtifactKind::kHloText] = bytes_of(ops::to_text(module, readable()));
  }
  if (emit.contains(package::Emit::kKernelText))
    out.artifacts.files[ArtifactKind::kKernelText] = bytes_of(kernel::to_text(planned.program));
  if (emit.contains(package::Emit::kReport)) {
    Analysis found = analyse(planned.program, planned.plan, out.artifacts, target);
    found.set_row_floor(planned.row_floor);
    out.artifacts.files[ArtifactKind::kReport] =
        bytes_of(to_page({std::move(found)}, std::nullopt));
  }
  out.program = std::move(planned.program);
  out.plan = std::move(planned.plan);
  out.price = std::move(planned.price);
  package::Origin origin = package::origin_of(module, sha256);
  origin.device_note = device.note;
  HLOCC_TRY_ASSIGN(out.files, package::make_files(out.signature, out.plan, target, out.artifacts,
                                                  files, origin));
  end_stage(watch.clock, "package");
  return out;
}

}  // namespace hlocc::driver
