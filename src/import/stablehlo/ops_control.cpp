// Loops, branches and calls. What a region uses from outside goes along: as more of a loop's state,
// or in the tuple that a branch gets.
#include "import/stablehlo/ops.h"
#include "support/text.h"

namespace hlocc::import::stablehlo::ops {
namespace {

std::vector<InstructionId> values_of(const Op& op, const std::vector<Use>& uses) {
  std::vector<InstructionId> out;
  for (const Use& use : uses) out.push_back(op.translator().value(use));
  return out;
}

std::vector<Shape> shapes_of(const Op& op, const std::vector<InstructionId>& ids) {
  std::vector<Shape> out;
  for (const InstructionId id : ids) out.push_back(op.b.shape(id));
  return out;
}

bool has_regions(const Op& op, size_t least, size_t most, size_t arguments) {
  const std::vector<Region>& regions = op.regions();
  bool fits = regions.size() >= least && regions.size() <= most;
  for (const Region& one : regions) fits &= one.arguments.size() == arguments;
  if (!fits)
    op.fail(DiagnosticKind::kArity, cat("has ", regions.size(),
                                        " regions, or one of them has "
                                        "another number of arguments than ",
                                        arguments));
  return fits;
}

// A conditional: its first operand chooses, each branch gets what it uses.
InstructionId branches(const Op& op) {
  if (!op.has_inputs(1) || !has_regions(op, 1, SIZE_MAX, 0)) return 0;
  std::vector<InstructionId> operands = {op.in(0)};
  std::vector<ComputationId> called;
  for (const Region& region : op.regions()) {
    const std::vector<Use> uses = op.translator().captured({&region, 1});
    const std::vector<InstructionId> values = values_of(op, uses);
    operands.push_back(op.b.tuple(values));
    called.push_back(op.translator().region_of_tuple(region, uses, shapes_of(op, values), "branch",
                                                     /*gives_captured=*/false));
  }
  return op.b.add(Opcode::kConditional, std::move(operands), {}, std::move(called));
}

InstructionId call_of(const Op& op, const std::string& name) {
  const ComputationId called = op.translator().function(name, op.node().at);
  return op.b.add(Opcode::kCall, op.ins(), hlo::CallAttributes{}, {called});
}

}  // namespace

// The state is a tuple; only its first part is the operation's result.
InstructionId while_loop(const Op& op) {
  const std::vector<Region>& regions = op.regions();
  const auto count = static_cast<size_t>(op.inputs());
  if (!has_regions(op, 2, 2, count)) return 0;
  const std::vector<Use> uses = op.translator().captured(regions);
  std::vector<InstructionId> state = op.ins();
  for (const InstructionId id : values_of(op, uses)) state.push_back(id);
  const std::vector<Shape> shapes = shapes_of(op, state);
  const ComputationId condition =
      op.translator().region_of_tuple(regions[0], uses, shapes, "condition", false);
  const ComputationId body =
      op.translator().region_of_tuple(regions[1], uses, shapes, "body", true);
  const InstructionId done =
      op.b.add(Opcode::kWhile, {op.b.tuple(std::move(state))}, {}, {body, condition});
  if (uses.empty()) return done;
  std::vector<InstructionId> results;
  for (size_t i = 0; i < count; ++i) results.push_back(op.b.element(done, static_cast<int64_t>(i)));
  return results.size() == 1 ? results[0] : op.b.tuple(std::move(results));
}

InstructionId if_else(const Op& op) { return has_regions(op, 2, 2, 0) ? branches(op) : 0; }

InstructionId switch_case(const Op& op) { return branches(op); }

InstructionId call(const Op& op) { return call_of(op, op.attributes.symbol("callee")); }

// Is what its decomposition computes, which is all that is needed of it.
InstructionId composite(const Op& op) {
  for (const char* name : {"name", "composite_attributes", "version"}) op.attributes.ignore(name);
  return call_of(op, op.attributes.symbol("decomposition"));
}

InstructionId get_tuple_element(const Op& op) {
  const Fields& attributes = op.attributes;
  const bool is_pretty = !attributes.raw("index").empty() && attributes.raw("index")[0] == '[';
  int64_t index = 0;
  if (is_pretty) {
    const Dimensions list = attributes.integers("index");
    if (list.size() != 1) attributes.refuse("index", cat("has ", list.size(), " numbers for one"));
    index = list.empty() ? 0 : list[0];
  } else {
    index = attributes.integer("index");
  }
  return op.has_inputs(1) ? op.b.element(op.in(0), index) : 0;
}

InstructionId optimization_barrier(const Op& op) {
  if (op.inputs() == 1) return op.b.add(Opcode::kOptBarrier, op.ins());
  return op.b.add(Opcode::kOptBarrier, {op.b.tuple(op.ins())});
}

}  // namespace hlocc::import::stablehlo::ops
