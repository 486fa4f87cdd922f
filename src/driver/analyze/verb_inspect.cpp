// `hlocc inspect MODEL`: arguments, results, which ops and how many, multiply-accumulates, weights,
// the plan for a target, and what cannot be compiled.
#include <cstdio>
#include <nlohmann/json.hpp>

#include "driver/analyze/device_table.h"
#include "driver/analyze/graph_picture.h"
#include "driver/analyze/inspection.h"
#include "driver/cli/output.h"
#include "driver/cli/progress.h"
#include "driver/cli/report.h"
#include "driver/cli/verbs.h"
#include "driver/pipeline/backend_table.h"
#include "driver/pipeline/freeze.h"
#include "driver/pipeline/load.h"
#include "driver/pipeline/weight_arguments.h"
#include "package/facts_json.h"
#include "package/names.h"
#include "package/origin.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using nlohmann::ordered_json;

// "s_gain (s['gain']): "
std::string called(const std::string& name, const std::string& hlo_name) {
  if (name.empty() && hlo_name.empty()) return "";
  if (name == hlo_name || hlo_name.empty()) return cat(name, ": ");
  return cat(name, name.empty() ? "(" : " (", hlo_name, "): ");
}

void print_leaves(const char* kind, const std::vector<kernel::Leaf>& leaves,
                  const package::Origin& origin = {}) {
  for (const kernel::Leaf& leaf : leaves)
    print("%-8s %2d  %s%s, %lld bytes%s\n", kind, leaf.index,
          called(leaf.name, origin.argument_name(leaf.index)).c_str(),
          to_string(leaf.shape).c_str(), static_cast<long long>(leaf.bytes()),
          leaf.donated ? ", donated" : "");
}

// What the model's file holds, and what of it lies in flash.
std::string weights_text(const package::Origin& origin, const Inspection& found) {
  std::string out = cat(origin.model_weights_bytes, " bytes in the model");
  if (found.plan) out += cat(", ", found.plan->weights_bytes, " in flash");
  return out;
}

void print_summary(const kernel::Signature& signature, const package::Origin& origin,
                   const Inspection& found, const std::optional<Placement>& placement,
                   const import::Imported& imported) {
  const int64_t elided = imported.elided_constants;
  print_leaves("argument", signature.arguments, origin);
  print_leaves("result", signature.results);
  print("ops     ");
  for (const auto& [name, count] : found.histogram)
    print(" %s %lld", name.c_str(), static_cast<long long>(count));
  print("\nmacs     %lld\nweights  %s\n", static_cast<long long>(found.macs),
        weights_text(origin, found).c_str());
  if (elided > 0)
    print(
        "note     the values of %lld constants are not in the file ({...}); sizes count all the "
        "same\n",
        static_cast<long long>(elided));
  if (const std::string note = note_of_weight_arguments(imported.module); !note.empty())
    print("note     %s\n", note.c_str());
  if (found.plan)
    print(
        "plan     %s: arena %lld bytes (live-set bound %lld), state %lld, weights %lld, %d "
        "kernels, %d copies, %d in loops\n",
        found.plan->target.c_str(), static_cast<long long>(found.plan->arena_bytes),
        static_cast<long long>(found.plan->live_set_bound),
        static_cast<long long>(found.plan->state_bytes),
        static_cast<long long>(found.plan->weights_bytes), found.plan->kernels, found.plan->copies,
        found.plan->copies_in_loops);
  if (found.plan && !found.plan->weights_by_type.empty()) {
    std::string types;
    for (const auto& [type, bytes] : found.plan->weights_by_type)
      types += cat(types.empty() ? "" : ", ", type, " ", bytes);
    print("types    bytes of weights: %s\n", types.c_str());
  }
  if (placement && !found.plan && !placement->host)
    print("plan     none: %s takes the whole model\n", placement->device.c_str());
  if (placement && found.plan && !placement->parts.empty())
    print("device   %s: %d parts, %lld bytes of its memory\n", placement->device.c_str(),
          found.plan->parts, static_cast<long long>(found.plan->device_bytes));
  if (!found.launches.empty()) print_text(to_text(found.launches, output_width()));
  for (const planning::UserFunction& function : found.calls)
    print("calls    %s: %s, a function of yours\n", function.symbol.c_str(),
          types_of(function).c_str());
  for (const std::string& text : found.unsupported) print("unsupported: %s\n", text.c_str());
}

ordered_json to_json(const kernel::Signature& signature, const package::Origin& origin,
                     const Inspection& found, const std::optional<Placement>& placement,
                     const import::Imported& imported) {
  ordered_json out;
  out["arguments"] = package::leaves_json(signature.arguments, origin.argument_names);
  out["results"] = package::leaves_json(signature.results);
  out["ops"] = ordered_json::object();
  for (const auto& [name, count] : found.histogram) out["ops"][name] = count;
  out["macs"] = found.macs;
  out["longest_accumulation"] = found.longest_accumulation;
  out["model_weights_bytes"] = origin.model_weights_bytes;
  out["elided_constants"] = imported.elided_constants;
  out["weight_arguments"] = weight_arguments(imported.module);
  out["plan"] = nullptr;
  if (found.plan)
    out["plan"] = {{"target", found.plan->target},
                   {"arena_bytes", found.plan->arena_bytes},
                   {"live_set_bound", found.plan->live_set_bound},
                   {"state_bytes", found.plan->state_bytes},
                   {"weights_bytes", found.plan->weights_bytes},
                   {"weights_by_type", found.plan->weights_by_type},
                   {"kernels", found.plan->kernels},
                   {"copies", found.plan->copies},
                   {"copies_in_loops", found.plan->copies_in_loops}};
  if (placement && found.plan && !placement->parts.empty())
    out["plan"]["device"] = {{"name", placement->device},
                             {"parts", found.plan->parts},
                             {"bytes", found.plan->device_bytes}};
  if (!found.launches.empty()) out["kernels"] = to_json(found.launches);
  out["calls"] = package::calls_json(found.calls);
  out["unsupported"] = found.unsupported;
  if (placement)
    for (const device::PlacedInstruction& one : placement->placed)
      out["runs"].push_back({{"name", one.name},
                             {"op", one.op},
                             {"device", one.device},
                             {"part", one.part},
                             {"why", one.why}});
  return out;
}

std::string graph_title(const kernel::Signature& signature, const Inspection& found) {
  return found.plan ? cat(signature.class_name, " on ", found.plan->target) : signature.class_name;
}

}  // namespace

Result<int> verb_inspect(const CommandLine& line) {
  Progress progress(line);
  StageClock clock{&progress};
  begin_stage(&clock, "reading");
  HLOCC_TRY_ASSIGN(const import::Imported imported,
                   load_frozen(line, line.models[0], import::Constants::kMayBeElided));
  end_stage(&clock, "read");
  CommandLine named = line;
  // The plan is the host's where the backend makes no files.
  if (!find_backend(line.backend, true)) named.backend.clear();
  if (line.plugin.empty() && !line.backend.empty())
    HLOCC_TRY(find_backend(line.backend, !line.targets.empty()));
  named.options.stem = package::stem_of_file(line.models[0], imported.module);
  HLOCC_TRY_ASSIGN(const kernel::Signature signature,
                   package::make_signature(imported.module, named.options));
  HLOCC_TRY_ASSIGN(const std::optional<Placement> placement,
                   place_on_devices(imported.module, line));
  HLOCC_TRY_ASSIGN(
      const Inspection found,
      inspect_module(imported.module, signature, named, placement ? &*placement : nullptr, &clock));
  const package::Origin origin = package::origin_of(imported.module, "");
  progress.wipe();
  if (found.graph)
    HLOCC_TRY(write_file_or_output(
        line.output,
        bytes_of(to_svg(*found.graph, graph_title(signature, found), SvgPlace::kFile))));
  if (is_output(line.output)) {
    // The picture is all that there is.
  } else if (line.json) {
    print_json(to_json(signature, origin, found, placement, imported));
  } else {
    print_summary(signature, origin, found, placement, imported);
    if (placement) print_text(to_text(placement->placed));
  }
  if (line.time_report) std::fputs(time_report(clock.times).c_str(), stderr);
  return line.inspect.check && !found.unsupported.empty() ? kExitInput : kExitDone;
}

}  // namespace hlocc::driver
