// See manifest.h. Keys keep the order in which they are written here; nothing depends on paths or
// on the day.
#include "package/manifest.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "package/build_lines.h"
#include "package/facts_json.h"
#include "package/header_parts.h"
#include "package/json_text.h"
#include "package/library_files.h"
#include "package/version.h"
#include "planning/constants_by_type.h"
#include "planning/kept_rows.h"
#include "support/crc32.h"
#include "support/text.h"

namespace hlocc::package {
namespace {

using nlohmann::ordered_json;

// Everything besides the input that the bytes depend on; cpu and features too, because `host` takes
// them from this machine.
ordered_json options_json(const kernel::Signature& signature, const Target& target) {
  const Options& options = target.options;
  ordered_json out;
  out["name"] = signature.class_name;
  out["backend"] = target.backend;
  out["triple"] = target.triple;
  out["cpu"] = target.cpu;
  out["features"] = target.features;
  out["float_abi"] = float_abi_name(target.float_abi);
  out["level"] = level_name(options.level);
  out["fast_math"] = options.fast_math;
  out["winograd"] = options.winograd;
  out["integer_qdq"] = options.integer_qdq;
  out["keep_arguments"] = options.keep_arguments;
  // A number where there are several, as profile is there or is not.
  if (options.threads > 1)
    out["threads"] = options.threads;
  else
    out["threads"] = false;
  out["profile"] = options.profile;
  out["debug"] = options.debug;
  out["ram_budget"] = options.ram_budget;
  if (options.optimize_ram) out["optimize"] = "ram";
  if (!options.memories.empty()) out["memory"] = memories_text(options.memories);
  if (!options.weights_memory.empty()) out["weights_in"] = options.weights_memory;
  if (options.weights_compression != WeightsCompression::kWhereNeeded)
    out["weights_compression"] = compression_name(options.weights_compression);
  if (options.stream) out["stream"] = cat(options.stream->leaf, "=", options.stream->axis);
  out["weights_section"] = options.weights_section;
  out["weights_external"] = options.weights_external;
  return out;
}

// What planning adds to what is known of the leaves.
ordered_json placed(ordered_json rows, const std::vector<HeaderLeaf>& leaves,
                    const planning::Plan& plan) {
  for (size_t i = 0; i < leaves.size(); ++i) {
    rows[i]["align"] = leaves[i].align;
    rows[i]["region"] = leaves[i].place.region == planning::Region::kState ? "state" : "arena";
    rows[i]["offset"] = leaves[i].place.offset;
    if (!plan.pieces.empty() && leaves[i].place.region == planning::Region::kArena) {
      const auto [slot, offset] = plan.place_in_piece(leaves[i].place.offset);
      rows[i]["memory"] = (slot == 0 ? plan.pieces.back() : plan.pieces[slot - 1]).name;
      rows[i]["offset"] = offset;
    }
    if (leaves[i].is_argument) rows[i]["consumed"] = leaves[i].is_consumed;
  }
  return rows;
}

// What each memory of --memory holds of the arena.
ordered_json memories_json(const std::vector<planning::ArenaPiece>& pieces) {
  ordered_json out = ordered_json::array();
  for (const planning::ArenaPiece& piece : pieces)
    out.push_back({{"name", piece.name},
                   {"arena_bytes", piece.bytes},
                   {"room", piece.room},
                   {"section", section_of(piece)}});
  return out;
}

// What a device beside computes (hlocc_device.h).
ordered_json device_json(const planning::Plan& plan) {
  std::set<std::string> parts;
  int queues = 0;
  kernel::for_each_step(plan.steps, [&](const kernel::Step& step) {
    if (const auto* submit = std::get_if<kernel::Submit>(&step.what)) {
      parts.insert(submit->part);
      queues = std::max(queues, submit->queue + 1);
    }
  });
  ordered_json out;
  out["bytes"] = plan.memories[0].bytes;
  out["align"] = plan.memories[0].align;
  out["queues"] = queues;
  out["parts"] = parts;
  return out;
}

// The file of --weights external.
ordered_json weights_json(const kernel::Signature& signature, const Pieces& bytes) {
  char crc[9];
  std::snprintf(crc, sizeof crc, "%08x", crc32(bytes));
  ordered_json out;
  out["file"] = signature.stem + "_weights.bin";
  out["symbol"] = signature.prefix + "weights";
  out["align"] = kWeightsAlignment;
  out["bytes"] = bytes.size();
  out["crc32"] = crc;
  return out;
}

void add_sizes(ordered_json& out, int64_t arena_bytes, int64_t arena_align, int64_t state_bytes,
               const Artifacts& artifacts) {
  out["arena_bytes"] = arena_bytes;
  out["arena_align"] = arena_align;
  out["state_bytes"] = state_bytes;
  out["weights_bytes"] = artifacts.weights_bytes;
  out["code_bytes"] = artifacts.code_bytes;
  out["stack_bytes"] = artifacts.stack_bytes;
  out["stack_is_lower_bound"] = artifacts.stack_is_lower_bound;
}

// What one model takes, gives and calls.
void add_leaves(ordered_json& out, const HeaderFacts& facts, const planning::Plan& plan,
                const Origin& origin) {
  const kernel::Signature& signature = *facts.signature;
  out["model_weights_bytes"] = origin.model_weights_bytes;
  out["weights_by_type"] = planning::constants_by_type(plan);
  out["arguments"] =
      placed(leaves_json(signature.arguments, origin.argument_names), facts.arguments, plan);
  out["results"] = placed(leaves_json(signature.results), facts.results, plan);
  if (!plan.pieces.empty()) {
    out["memories"] = memories_json(plan.pieces);
    out["kept_weights_bytes"] = kept_bytes(plan);
  }
  if (signature.stream)
    out["stream"] = {{"argument", signature.stream->leaf},
                     {"axis", signature.stream->axis},
                     {"rows", signature.stream->rows}};
  if (const int64_t every = planning::window_spacing(plan); every > 0)
    out["stream"]["every"] = every;
  if (!plan.memories.empty()) out["device"] = device_json(plan);
  out["calls"] = calls_json(planning::user_functions(plan));
}

// Where a model came from, and what its header and the library agree on.
void add_interface(ordered_json& out, const HeaderFacts& facts) {
  out["input_sha256"] = facts.origin->sha256;
  out["interface"] = facts.hash;
  out["run_symbol"] = facts.run_symbol;
}

// State that starts as something else than zeros: bytes by their offset in the state.
void add_initial_state(ordered_json& out, const planning::Plan& plan) {
  for (const auto& [offset, data] : initial_state(plan)) {
    ordered_json bytes = ordered_json::array();
    for (const std::byte b : *data) bytes.push_back(static_cast<int>(b));
    out["initial_state"].push_back({{"offset", offset}, {"bytes", std::move(bytes)}});
  }
}

// What is the library's.
void add_library(ordered_json& out, const kernel::Signature& names, const Target& target,
                 const Artifacts& artifacts) {
  out["undefined"] = artifacts.undefined;
  out["build"] = build_json(build_lines(target, build_files(names, artifacts)));
  out["target"] = target.name;
  out["options"] = options_json(names, target);
}

}  // namespace

std::string write_manifest(const kernel::Signature& signature, const planning::Plan& plan,
                           const Target& target, const Artifacts& artifacts, const Origin& origin) {
  const HeaderFacts facts = header_facts(signature, plan, target, artifacts.core, origin);
  ordered_json out;
  out["schema"] = kManifestSchema;
  add_sizes(out, std::max<int64_t>(1, plan.arena_bytes), plan.arena_align, plan.state_bytes,
            artifacts);
  if (const auto weights = artifacts.files.find(ArtifactKind::kWeights);
      weights != artifacts.files.end())
    out["weights"] = weights_json(signature, weights->second);
  add_leaves(out, facts, plan, origin);
  add_initial_state(out, plan);
  add_library(out, signature, target, artifacts);
  add_interface(out, facts);
  out["version"] = std::string(version());
  return json_text(out) + "\n";
}

std::string write_library_manifest(const kernel::Signature& library,
                                   const std::vector<LibraryModel>& models, const Target& target,
                                   const Artifacts& artifacts) {
  const SharedArena arena = arena_of(models);
  int64_t state_bytes = 0;
  for (const LibraryModel& model : models) state_bytes += model.plan->state_bytes;
  ordered_json out;
  out["schema"] = kManifestSchema;
  add_sizes(out, arena.bytes, arena.align, state_bytes, artifacts);
  if (!arena.pieces.empty()) out["memories"] = memories_json(arena.pieces);
  out["models"] = ordered_json::array();
  for (const LibraryModel& model : models) {
    const HeaderFacts facts =
        header_facts(*model.signature, *model.plan, target, artifacts.core, model.origin);
    ordered_json one;
    one["name"] = model.signature->class_name;
    one["prefix"] = model.signature->prefix;
    one["arena_bytes"] = facts.arena_bytes;
    one["arena_align"] = model.plan->arena_align;
    one["state_bytes"] = model.plan->state_bytes;
    add_leaves(one, facts, *model.plan, model.origin);
    add_interface(one, facts);
    out["models"].push_back(std::move(one));
  }
  add_library(out, library, target, artifacts);
  out["version"] = std::string(version());
  return json_text(out) + "\n";
}

}  // namespace hlocc::package
