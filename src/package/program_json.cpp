// The JSON form of a program, for tools and for accelerators whose host plays the steps as a launch
// plan.
#include "package/program_json.h"

#include <nlohmann/json.hpp>

#include "kernel/program_values.h"
#include "package/json_text.h"

namespace hlocc::package {
namespace {

using namespace kernel;

using Json = nlohmann::ordered_json;

Json json_of(const Steps& steps);

Json json_of(const Launch& launch) {
  Json out = {{"step", "launch"}, {"kernel", launch.kernel}, {"operands", launch.operands}};
  if (!launch.integers.empty()) out["integers"] = launch.integers;
  if (launch.ranges > 1) out["ranges"] = launch.ranges;
  for (const Overlap& o : launch.overlaps)
    out["overlaps"].push_back({{"result", o.result}, {"operand", o.operand}, {"bytes", o.bytes}});
  for (const Update& u : launch.updates)
    out["updates"].push_back({{"result", u.result}, {"from", u.from}});
  if (!launch.scratch.empty()) out["scratch"] = launch.scratch;
  return out;
}
Json json_of(const Copy& copy) { return {{"step", "copy"}, {"from", copy.from}, {"to", copy.to}}; }
Json json_of(const Join& join) {
  Json runs = Json::array();
  for (const Join::Run& run : join.runs)
    runs.push_back({{"from", run.from}, {"offset", run.offset}, {"bytes", run.bytes}});
  return {{"step", "join"}, {"runs", std::move(runs)}, {"to", join.to}};
}
Json json_of(const WhileStep& loop) {
  return {{"step", "while"},
          {"initial", loop.initial},
          {"carried", loop.carried},
          {"next", loop.next},
          {"result", loop.result},
          {"condition", json_of(loop.condition)},
          {"condition_value", loop.condition_value},
          {"body", json_of(loop.body)}};
}
Json json_of(const ConditionalStep& choice) {
  Json branches = Json::array();
  for (size_t b = 0; b < choice.branches.size(); ++b)
    branches.push_back({{"steps", json_of(choice.branches[b])}, {"yields", choice.yields[b]}});
  return {{"step", "conditional"},
          {"selector", choice.selector},
          {"branches", branches},
          {"results", choice.results}};
}
Json json_of(const UserCall& call) {
  return {{"step", "call"},
          {"symbol", call.symbol},
          {"operands", call.operands},
          {"results", call.results}};
}
Json json_of(const Transfer& transfer) {
  return {{"step", "transfer"},
          {"from", transfer.from},
          {"to", transfer.to},
          {"queue", transfer.queue}};
}
Json json_of(const Submit& submit) {
  return {{"step", "submit"},
          {"part", submit.part},
          {"operands", submit.operands},
          {"results", submit.results},
          {"queue", submit.queue}};
}
Json json_of(const Wait& wait) { return {{"step", "wait"}, {"queue", wait.queue}}; }

Json json_of(const Steps& steps) {
  Json out = Json::array();
  for (const Step& step : steps) {
    Json json = std::visit([](const auto& what) { return json_of(what); }, step.what);
    if (!step.origin.empty()) json["origin"] = step.origin.hlo;
    out.push_back(std::move(json));
  }
  return out;
}

Json json_of(const std::vector<Leaf>& leaves, const std::vector<ProgramValueId>& values) {
  Json out = Json::array();
  for (size_t i = 0; i < values.size(); ++i) {
    Json leaf = {{"value", values[i]}};
    if (i < leaves.size()) {
      leaf["name"] = leaves[i].name;
      leaf["shape"] = hlo::to_string(leaves[i].shape);
      leaf["donated"] = leaves[i].donated;
    }
    out.push_back(std::move(leaf));
  }
  return out;
}

}  // namespace

std::string to_json(const kernel::Program& program) {
  Json values = Json::array(), kernels = Json::array();
  for (const ProgramValue& value : program.values) {
    Json json = {{"name", value.name},
                 {"type", scalar_name(value.element)},
                 {"elements", value.elements},
                 {"role", role_name(value.role)}};
    if (value.leaf != kNone) json["leaf"] = value.leaf;
    if (value.memory != 0) json["memory"] = value.memory;
    values.push_back(std::move(json));
  }
  for (const Kernel& kernel : program.kernels)
    kernels.push_back(
        {{"name", kernel.name}, {"origin", kernel.origin}, {"text", to_text(kernel)}});
  const Json all = {{"class", program.signature.class_name},
                    {"arguments", json_of(program.signature.arguments, program.arguments)},
                    {"results", json_of(program.signature.results, program.results)},
                    {"values", values},
                    {"steps", json_of(program.steps)},
                    {"kernels", kernels}};
  return json_text(all) + "\n";
}

}  // namespace hlocc::package
