// Operations among devices, of which there is one: JAX prints them for a mesh of one device.
#include "import/stablehlo/ops.h"
#include "support/text.h"

namespace hlocc::import::stablehlo::ops {
namespace {

// dense<[[0, 1]]>: a list of numbers for each group. Of one device, each group is one number.
std::vector<std::vector<int64_t>> groups_of(const Op& op, const char* name) {
  std::vector<std::vector<int64_t>> out;
  for (const int64_t one : op.attributes.integers(name)) out.push_back({one});
  if (out.size() > 1) op.attributes.refuse(name, "are of several devices, and there is one");
  return out;
}

// #stablehlo.channel_handle<handle = 1, type = 1>
hlo::CollectiveAttributes collective_of(const Op& op) {
  hlo::CollectiveAttributes out;
  out.replica_groups = groups_of(op, "replica_groups");
  if (op.attributes.has("channel_handle")) {
    const Fields handle = op.attributes.fields("channel_handle");
    out.channel_id = handle.integer("handle");
    handle.ignore("type");
    handle.finish();
  }
  out.use_global_device_ids = op.attributes.flag("use_global_device_ids", false);
  return out;
}

InstructionId along_dimension(const Op& op, Opcode opcode, const char* dimension,
                              std::vector<ComputationId> called = {}) {
  hlo::CollectiveAttributes how = collective_of(op);
  how.dimensions = {op.attributes.integer(dimension)};
  return op.b.add(opcode, op.ins(), std::move(how), std::move(called), op.result());
}

}  // namespace

InstructionId all_reduce(const Op& op) {
  hlo::CollectiveAttributes how = collective_of(op);
  return op.b.add(Opcode::kAllReduce, op.ins(), std::move(how), {op.region(0, "reducer")},
                  op.result());
}

InstructionId all_gather(const Op& op) {
  return along_dimension(op, Opcode::kAllGather, "all_gather_dim");
}

InstructionId reduce_scatter(const Op& op) {
  return along_dimension(op, Opcode::kReduceScatter, "scatter_dimension",
                         {op.region(0, "reducer")});
}

// One part goes to oneself.
InstructionId all_to_all(const Op& op) {
  collective_of(op);
  for (const char* name : {"split_dimension", "concat_dimension"}) op.attributes.ignore(name);
  if (op.attributes.integer("split_count") != 1)
    op.attributes.refuse("split_count", "is of several devices, and there is one");
  return op.has_inputs(1) ? op.in(0) : 0;
}

// dense<[[0, 0]]>: from, to.
InstructionId collective_permute(const Op& op) {
  hlo::CollectiveAttributes how;
  const Dimensions pairs = op.attributes.integers("source_target_pairs");
  if (pairs.size() % 2 != 0)
    op.attributes.refuse("source_target_pairs", cat("are ", pairs.size(), " numbers, not pairs"));
  for (size_t i = 0; i + 1 < pairs.size(); i += 2)
    how.source_target_pairs.emplace_back(pairs[i], pairs[i + 1]);
  op.attributes.ignore("channel_handle");
  return op.b.add(Opcode::kCollectivePermute, op.ins(), std::move(how), {}, op.result());
}

}  // namespace hlocc::import::stablehlo::ops
