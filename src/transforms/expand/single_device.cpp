// A table from each collective to its meaning on one device.
#include "transforms/expand/single_device.h"

#include <algorithm>

#include "ops/check/locate.h"
#include "support/text.h"
#include "transforms/build.h"

namespace hlocc::transforms {
namespace {

InstructionId rejected(Rewriter& r, const Instruction& instruction, std::string_view what,
                       std::string_view cure) {
  r.fail(ops::locate(error(DiagnosticKind::kUnsupported, std::string(what)).note(std::string(cure)),
                     r.module(), r.computation(), instruction));
  return default_value(r, instruction.shape);
}

// The operands as the result's shape has them: bare, or as a tuple.
InstructionId operands_as(Rewriter& r, const Instruction& instruction, const Shape& shape) {
  if (shape.is_tuple()) return tuple(r, instruction.operands);
  return instruction.operands[0];
}

// Identity, if the stated shape says that no other device took part.
InstructionId identity(Rewriter& r, const Instruction& instruction) {
  const InstructionId value = operands_as(r, instruction, instruction.shape);
  if (hlo::same_dimensions_and_type(r.shape(value), instruction.shape)) return value;
  return rejected(r, instruction, "its shape says that several devices take part",
                  "export the program for one device");
}

// A start op's (operands, result, contexts...).
InstructionId identity_start(Rewriter& r, const Instruction& instruction) {
  std::vector<InstructionId> parts;
  for (size_t i = 0; i < instruction.shape.tuple.size(); ++i) {
    const Shape& part = instruction.shape.tuple[i];
    parts.push_back(i < 2 ? operands_as(r, instruction, part) : default_value(r, part));
  }
  const InstructionId value = tuple(r, std::move(parts));
  if (hlo::same_dimensions_and_type(r.shape(value), instruction.shape)) return value;
  return rejected(r, instruction, "its shape says that several devices take part",
                  "export the program for one device");
}

InstructionId done(Rewriter& r, const Instruction& instruction) {
  return element(r, instruction.operands[0], 1);
}
InstructionId same(Rewriter&, const Instruction& instruction) { return instruction.operands[0]; }

// The device receives what it sends itself, else zeros.
bool sends_to_itself(const Instruction& instruction) {
  const auto& pairs = instruction.get<hlo::CollectiveAttributes>().source_target_pairs;
  return std::find(pairs.begin(), pairs.end(), std::pair<int64_t, int64_t>(0, 0)) != pairs.end();
}

InstructionId permute(Rewriter& r, const Instruction& instruction) {
  return sends_to_itself(instruction) ? identity(r, instruction)
                                      : default_value(r, instruction.shape);
}

InstructionId permute_start(Rewriter& r, const Instruction& instruction) {
  if (sends_to_itself(instruction)) return identity_start(r, instruction);
  std::vector<InstructionId> parts{operands_as(r, instruction, instruction.shape.tuple[0])};
  for (size_t i = 1; i < instruction.shape.tuple.size(); ++i)
    parts.push_back(default_value(r, instruction.shape.tuple[i]));
  return tuple(r, std::move(parts));
}

InstructionId device_number(Rewriter& r, const Instruction& instruction) {
  return constant(r, Literal::zeros(Shape::scalar(instruction.shape.element_type)));
}

InstructionId host_transfer(Rewriter& r, const Instruction& instruction) {
  return rejected(
      r, instruction,
      cat(opcode_name(instruction.opcode), " exchanges data with a host or another device"),
      "pass the data as arguments and results of the program");
}

struct DeviceRule {
  Opcode opcode;
  InstructionId (*meaning)(Rewriter&, const Instruction&);
};
constexpr DeviceRule device_rules[] = {
    {Opcode::kAllReduce, identity},
    {Opcode::kAllReduceStart, identity},
    {Opcode::kAllReduceDone, same},
    {Opcode::kReduceScatter, identity},
    {Opcode::kCollectiveReduce, identity},
    {Opcode::kAllGather, identity},
    {Opcode::kAllGatherStart, identity_start},
    {Opcode::kAllGatherDone, done},
    {Opcode::kAllToAll, identity},
    {Opcode::kCollectiveBroadcast, identity},
    {Opcode::kCollectivePermute, permute},
    {Opcode::kCollectivePermuteStart, permute_start},
    {Opcode::kCollectivePermuteDone, done},
    {Opcode::kReplicaId, device_number},
    {Opcode::kPartitionId, device_number},
    {Opcode::kInfeed, host_transfer},
    {Opcode::kOutfeed, host_transfer},
    {Opcode::kSend, host_transfer},
    {Opcode::kSendDone, host_transfer},
    {Opcode::kRecv, host_transfer},
    {Opcode::kRecvDone, host_transfer},
    {Opcode::kRaggedAllToAll, host_transfer},
};

}  // namespace

InstructionId on_single_device(Rewriter& r, const Instruction& instruction) {
  for (const DeviceRule& row : device_rules)
    if (row.opcode == instruction.opcode) return row.meaning(r, instruction);
  return kNone;
}

}  // namespace hlocc::transforms
