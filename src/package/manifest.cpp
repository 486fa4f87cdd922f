// See manifest.h. Keys keep the order in which they are written here; nothing depends on paths or
// on the day.
#include "package/manifest.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "package/facts_json.h"
#include "package/header_parts.h"
#include "package/version.h"
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
  out["keep_arguments"] = options.keep_arguments;
  out["threads"] = options.threads;
  out["profile"] = options.profile;
  out["ram_budget"] = options.ram_budget;
  out["weights_section"] = options.weights_section;
  out["weights_external"] = options.weights_external;
  return out;
}

// What planning adds to what is known of the leaves.
ordered_json placed(ordered_json rows, const std::vector<HeaderLeaf>& leaves) {
  for (size_t i = 0; i < leaves.size(); ++i) {
    rows[i]["align"] = leaves[i].align;
    rows[i]["region"] = leaves[i].place.region == planning::Region::kState ? "state" : "arena";
    rows[i]["offset"] = leaves[i].place.offset;
    if (leaves[i].is_argument) rows[i]["consumed"] = leaves[i].is_consumed;
  }
  return rows;
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

}  // namespace

std::string write_manifest(const kernel::Signature& signature, const planning::Plan& plan,
                           const Target& target, const Artifacts& artifacts, const Origin& origin) {
  const HeaderFacts facts = header_facts(signature, plan, target, artifacts.core, origin);
  ordered_json out;
  out["schema"] = kManifestSchema;
  out["arena_bytes"] = std::max<int64_t>(1, plan.arena_bytes);
  out["arena_align"] = plan.arena_align;
  out["state_bytes"] = plan.state_bytes;
  out["weights_bytes"] = artifacts.weights_bytes;
  if (const auto weights = artifacts.files.find(ArtifactKind::kWeights);
      weights != artifacts.files.end())
    out["weights"] = weights_json(signature, weights->second);
  out["code_bytes"] = artifacts.code_bytes;
  out["stack_bytes"] = artifacts.stack_bytes;
  out["stack_is_lower_bound"] = artifacts.stack_is_lower_bound;
  out["arguments"] =
      placed(leaves_json(signature.arguments, origin.argument_names), facts.arguments);
  out["results"] = placed(leaves_json(signature.results), facts.results);
  if (!plan.memories.empty()) out["device"] = device_json(plan);
  out["calls"] = calls_json(planning::user_functions(plan));
  out["undefined"] = artifacts.undefined;
  out["target"] = target.name;
  out["options"] = options_json(signature, target);
  out["input_sha256"] = origin.sha256;
  out["interface"] = facts.hash;
  out["run_symbol"] = facts.run_symbol;
  out["version"] = std::string(version());
  return out.dump(2) + "\n";
}

}  // namespace hlocc::package
