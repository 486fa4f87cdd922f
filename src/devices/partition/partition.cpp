// Each instruction gets a stage: that of its operands, and one more wherever a value changes sides.
// So all ways from one instruction of a stage to another stay on one side, and the connected
// instructions of a stage can be done at once.
#include "devices/partition/partition.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "devices/count_ops.h"
#include "support/text.h"
#include "target/target.h"
#include "transforms/pass.h"

namespace hlocc::device {
namespace {

using hlo::Computation, hlo::Instruction, hlo::InstructionId, hlo::Module, hlo::Opcode, hlo::Shape;

bool is_plain(const Shape& shape) { return shape == hlo::with_default_layout(shape); }

// Beyond what the device says: only plain values cross.
WhyNot why_on_host(const Module& module, const Instruction& one, const Compiler& compiler) {
  const Computation& entry = module.entry_computation();
  if (one.opcode == Opcode::kWhile && !one.shape.is_array())
    return "a loop of several values stays whole";
  if (!one.shape.is_array()) return "its result is a tuple";
  if (one.shape.has_dynamic_dimensions()) return "its size is known at run time only";
  for (const InstructionId operand : one.operands) {
    if (!entry[operand].shape.is_array()) return "an operand is a tuple";
    if (entry[operand].shape.has_dynamic_dimensions())
      return "an operand's size is known at run time only";
  }
  if (hlo::has_side_effect(module, one)) return "it has side effects";
  // normalize_layouts leaves bitcasts at the entry's border alone.
  if (one.opcode == Opcode::kBitcast) return "it changes a layout";
  return compiler.Supports(module, one);
}

class Partitioner {
 public:
  Partitioner(Module module, const Compiler& compiler, std::string device, std::string prefix)
      : module_(std::move(module)),
        entry_(module_.entry_computation()),
        compiler_(compiler),
        device_(std::move(device)),
        prefix_(std::move(prefix)) {}

  Partition run() {
    place();
    connect();
    out_.host = module_;
    std::map<int, std::vector<InstructionId>> members;  // by part, in order
    for (InstructionId id = 0; id < count(); ++id)
      if (part_[static_cast<size_t>(id)] >= 0) members[root(id)].push_back(id);
    for (const auto& [first, ids] : members) cut(ids);
    hlo::compact(out_.host);
    return std::move(out_);
  }

 private:
  InstructionId count() const { return static_cast<InstructionId>(entry_.instructions.size()); }

  void place() {
    std::vector<int> stage(entry_.instructions.size(), 0);
    for (InstructionId id = 0; id < count(); ++id) {
      const Instruction& one = entry_[id];
      on_device_.push_back(false);
      part_.push_back(-1);
      if (!is_computation(one.opcode)) {
        for (const InstructionId operand : one.operands)
          stage[id] = std::max(stage[id], stage[operand] + (on_device_[operand] ? 1 : 0));
        continue;
      }
      const WhyNot why = why_on_host(module_, one, compiler_);
      const bool there = why.empty();
      on_device_[id] = there;
      for (const InstructionId operand : one.operands) {
        const bool crosses = entry_[operand].opcode != Opcode::kConstant &&
                             entry_[operand].opcode != Opcode::kParameter &&
                             on_device_[operand] != there;
        stage[id] = std::max(stage[id], stage[operand] + (crosses ? 1 : 0));
      }
      if (there) part_[id] = id;
      row_[id] = out_.placed.size();
      out_.placed.push_back(
          {one.name, std::string(hlo::opcode_name(one.opcode)), there ? device_ : "host", why, ""});
    }
    stage_ = std::move(stage);
  }

  int root(int id) {
    while (part_[static_cast<size_t>(id)] != id) id = part_[static_cast<size_t>(id)];
    return id;
  }
  void connect() {
    for (InstructionId id = 0; id < count(); ++id) {
      if (!on_device_[id]) continue;
      for (const InstructionId operand : entry_[id].operands)
        if (on_device_[operand] && stage_[operand] == stage_[id]) {
          const int a = root(id), b = root(operand);
          part_[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
        }
    }
  }

  // The instructions leave the host's module for one of their own.
  void cut(const std::vector<InstructionId>& ids) {
    const std::set<InstructionId> inside(ids.begin(), ids.end());
    Part part{.symbol = cat(prefix_, out_.parts.size()), .module = module_};
    part.module.name = part.symbol;
    part.module.aliases.clear();
    Computation body;
    body.name = "part";
    std::map<InstructionId, InstructionId> to;
    std::vector<InstructionId> taken;  // values of the host
    for (const InstructionId id : ids) {
      Instruction copy = entry_[id];
      copy.control_predecessors.clear();
      for (InstructionId& operand : copy.operands) {
        if (!to.contains(operand)) to[operand] = bring(operand, body, taken);
        operand = to[operand];
      }
      part.instructions.push_back(copy.name);
      out_.placed[row_.at(id)].part = part.symbol;
      to[id] = body.add(std::move(copy));
    }
    std::vector<InstructionId> given = used_outside(inside);
    finish(part, std::move(body), given, to, taken);
    call(part, taken, given);
    out_.parts.push_back(std::move(part));
  }

  // A constant goes along; any other value of the host is a parameter.
  InstructionId bring(InstructionId operand, Computation& body, std::vector<InstructionId>& taken) {
    if (entry_[operand].opcode == Opcode::kConstant) return body.add(entry_[operand]);
    taken.push_back(operand);
    const auto number = static_cast<int64_t>(taken.size()) - 1;
    return body.add(hlo::make_parameter(number, hlo::with_default_layout(entry_[operand].shape),
                                        cat("p", number)));
  }

  std::vector<InstructionId> used_outside(const std::set<InstructionId>& inside) const {
    std::vector<InstructionId> given;
    const auto users = entry_.users();
    for (const InstructionId id : inside) {
      const bool used = entry_.root == id ||
                        std::ranges::any_of(users[static_cast<size_t>(id)],
                                            [&](InstructionId u) { return !inside.contains(u); });
      if (used) given.push_back(id);
    }
    if (given.empty()) given.push_back(*inside.rbegin());  // it is not needed; it may stay so
    return given;
  }

  static void finish(Part& part, Computation body, const std::vector<InstructionId>& given,
                     const std::map<InstructionId, InstructionId>& to,
                     const std::vector<InstructionId>& taken) {
    std::vector<InstructionId> results;
    std::vector<Shape> shapes;
    for (const InstructionId id : given) {
      results.push_back(to.at(id));
      shapes.push_back(hlo::with_default_layout(body[to.at(id)].shape));
    }
    body.root = results[0];
    if (results.size() > 1)
      body.root = body.add(hlo::make(Opcode::kTuple, Shape::make_tuple(shapes), results));
    Module& module = part.module;
    module.entry_parameters.clear();
    for (size_t i = 0; i < taken.size(); ++i)
      module.entry_parameters.push_back(body[body.parameters[i]].shape);
    module.entry_result = results.size() > 1 ? Shape::make_tuple(shapes) : shapes[0];
    module.computations.push_back(std::move(body));
    module.entry = static_cast<hlo::ComputationId>(module.computations.size()) - 1;
    hlo::compact(module);
  }

  // In the host's module, whose ids are still the entry's.
  void call(const Part& part, const std::vector<InstructionId>& taken,
            const std::vector<InstructionId>& given) {
    Computation& host = out_.host.entry_computation();
    hlo::CustomCallAttributes attributes;
    attributes.target = part.symbol;
    std::vector<Shape> shapes;
    for (const InstructionId id : given)
      shapes.push_back(hlo::with_default_layout(entry_[id].shape));
    Instruction call =
        hlo::make(Opcode::kCustomCall, given.size() > 1 ? Shape::make_tuple(shapes) : shapes[0], {},
                  attributes);
    call.name = part.symbol;
    // A value that an earlier part makes is that part's call now.
    for (const InstructionId id : taken) call.operands.push_back(now(id));
    const InstructionId made = host.add(std::move(call));
    for (size_t i = 0; i < given.size(); ++i) {
      InstructionId value = made;
      if (given.size() > 1) {
        hlo::TupleIndexAttributes element;
        element.index = static_cast<int64_t>(i);
        value = host.add(hlo::make(Opcode::kGetTupleElement, shapes[i], {made}, element));
      }
      now_[given[i]] = value;
      host.replace_uses(given[i], value);
    }
  }
  InstructionId now(InstructionId id) const {
    const auto found = now_.find(id);
    return found == now_.end() ? id : found->second;
  }

  Module module_;
  const Computation& entry_;
  const Compiler& compiler_;
  std::string device_, prefix_;
  std::vector<bool> on_device_;
  std::vector<int> part_, stage_;  // part_: the way to the first instruction of the part; -1: host
  std::map<InstructionId, InstructionId> now_;
  std::map<InstructionId, size_t> row_;  // of out_.placed
  Partition out_;
};

}  // namespace

bool takes_all(const Module& module, const Compiler& compiler) {
  // What devices get is dense row-major at its border: other layouts are the host's to change.
  if (!is_plain(module.entry_result) ||
      !std::all_of(module.entry_parameters.begin(), module.entry_parameters.end(), is_plain))
    return false;
  for (const Instruction& one : module.entry_computation().instructions)
    if (is_computation(one.opcode) && !compiler.Supports(module, one).empty()) return false;
  return true;
}

Result<Partition> partition_module(const Module& module, const Compiler& compiler,
                                   const std::string& device, const std::string& prefix) {
  Module flat = module;
  const Target target;
  HLOCC_TRY(transforms::inline_calls(flat, {target}));
  HLOCC_TRY(transforms::normalize_layouts(flat, {target}));
  hlo::compact(flat);
  return Partitioner(std::move(flat), compiler, device, prefix).run();
}

}  // namespace hlocc::device
