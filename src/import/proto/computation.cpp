// Instructions are parsed one at a time; ids are opaque numbers (old producers count through the
// module, new ones put the computation in the upper half), resolved within the computation when all
// of its instructions are known.
#include "import/proto/computation.h"

#include "import/buffers.h"
#include "import/limits.h"
#include "import/opcode_hint.h"
#include "import/proto/attributes.h"
#include "import/proto/shape.h"
#include "import/proto/stack_frames.h"
#include "import/proto/unfolding.h"
#include "ops/check/locate.h"
#include "ops/text/printer_names.h"
#include "support/text.h"

namespace hlocc::import {
namespace {
using hlo::Computation;
using hlo::Instruction;
using hlo::InstructionId;
using hlo::Module;
using Proto = proto::HloInstructionProto;

// What stays to be done for an instruction when all of its computation are read.
struct Pending {
  std::vector<int64_t> operands, control_predecessors;
  bool default_comparison = false;
};

class ComputationReader {
 public:
  ComputationReader(const ComputationHead& head, const ModuleContext& context)
      : head_(head), context_(context) {
    computation_.name = head.name;
  }

  Result<Computation> read() {
    computation_.instructions.reserve(head_.instructions.size());
    for (Bytes bytes : head_.instructions) HLOCC_TRY(read_instruction(bytes));
    for (size_t i = 0; i < pending_.size(); ++i)
      HLOCC_TRY(resolve(computation_.instructions[i], pending_[i]));
    const auto root = ids_.find(head_.root_id);
    if (root == ids_.end())
      return ops::locate(error(DiagnosticKind::kStructure,
                               cat("root id ", head_.root_id, " names no instruction")),
                         context_.module, computation_);
    computation_.root = root->second;
    return std::move(computation_);
  }

 private:
  Diagnostic at(Diagnostic diagnostic, const Instruction& instruction) const {
    return ops::locate(std::move(diagnostic), context_.module, computation_, instruction);
  }
  Diagnostic at_place(Diagnostic diagnostic) const {
    diagnostic.message =
        cat("instruction ", computation_.instructions.size(), ": ", diagnostic.message);
    return ops::locate(std::move(diagnostic), context_.module, computation_);
  }

  Status read_instruction(Bytes bytes) {
    HLOCC_TRY_ASSIGN(const Proto proto, parse(bytes));
    const auto opcode = hlo::opcode_from_name(proto.opcode());
    if (!opcode) return refuse_opcode(proto);
    Instruction instruction;
    instruction.opcode = *opcode;
    instruction.name = proto.name().empty()
                           ? cat(proto.opcode(), ".", computation_.instructions.size())
                           : proto.name();
    if (Status status = fill(proto, instruction); !status)
      return at(std::move(status).error(), instruction);
    Pending pending{
        {proto.operand_ids().begin(), proto.operand_ids().end()},
        {proto.control_predecessor_ids().begin(), proto.control_predecessor_ids().end()},
        *opcode == hlo::Opcode::kCompare && proto.comparison_type().empty()};
    const auto [other, fresh] =
        ids_.emplace(proto.id(), static_cast<InstructionId>(computation_.instructions.size()));
    if (!fresh)
      return at(error(DiagnosticKind::kStructure,
                      cat("has the id ", proto.id(), " of %", computation_[other->second].name)),
                instruction);
    computation_.instructions.push_back(std::move(instruction));
    pending_.push_back(std::move(pending));
    return {};
  }

  Result<Proto> parse(Bytes bytes) const {
    // The literal may be large; the rest, which protobuf unfolds into objects, may not.
    int64_t rest = static_cast<int64_t>(bytes.size());
    WireReader reader(bytes);
    for (WireField field; reader.next(field);)
      if (field.number == Proto::kLiteralFieldNumber)
        rest -= static_cast<int64_t>(field.payload.size());
    if (rest > kMaxInstructionBytes)
      return at_place(
          error(DiagnosticKind::kLimit, cat("takes ", rest, " bytes without its literal; at most ",
                                            kMaxInstructionBytes, " are accepted")));
    const auto name = [&] {
      return cat("instruction ", computation_.instructions.size(), " of computation %",
                 computation_.name);
    };
    HLOCC_TRY(charge_unfolding(bytes, name, Proto::kLiteralFieldNumber));
    Proto proto;
    if (!reader.failed() && proto.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
      return proto;
    return at_place(error(DiagnosticKind::kFormat,
                          cat("is malformed, truncated, or nested deeper than ", kMaxNesting)));
  }

  Diagnostic refuse_opcode(const Proto& proto) const {
    Diagnostic diagnostic = unknown_opcode(proto.opcode());
    diagnostic.message =
        cat("%", proto.name(), " in computation %", computation_.name, ": ", diagnostic.message);
    diagnostic.location.file = context_.module.file;
    return diagnostic;
  }

  Status fill(const Proto& proto, Instruction& instruction) const {
    if (!proto.has_shape()) return error(DiagnosticKind::kShape, "has no result shape");
    HLOCC_TRY_ASSIGN(instruction.shape, read_shape(proto.shape(), "the result shape"));
    if (has_buffer(proto.shape())) mark_buffer(instruction);
    if (proto.literal().empty() && instruction.opcode == hlo::Opcode::kConstant) {
      HLOCC_TRY_ASSIGN(std::optional<hlo::Literal> numbers,
                       stand_in(instruction.shape, context_.elided));
      if (numbers) instruction.attributes = hlo::ConstantAttributes{*std::move(numbers)};
    }
    if (!std::holds_alternative<hlo::ConstantAttributes>(instruction.attributes)) {
      HLOCC_TRY_ASSIGN(instruction.attributes, read_attributes(instruction.opcode, proto));
    }
    HLOCC_TRY(settle_constant(instruction));
    for (int64_t id : proto.called_computation_ids()) {
      const auto called = context_.computations.find(id);
      if (called == context_.computations.end())
        return error(DiagnosticKind::kStructure,
                     cat("calls computation id ", id, ", which does not exist"));
      instruction.called.push_back(called->second);
    }
    read_metadata(proto, instruction);
    return {};
  }

  // The literal of a constant takes the shape, layout included, of its instruction.
  static Status settle_constant(Instruction& instruction) {
    auto* constant = std::get_if<hlo::ConstantAttributes>(&instruction.attributes);
    if (constant == nullptr) return {};
    if (!same_dimensions_and_type(constant->value.shape(), instruction.shape))
      return error(DiagnosticKind::kShape,
                   cat("the literal has the shape ", to_string(constant->value.shape()),
                       ", the instruction ", to_string(instruction.shape)));
    constant->value.set_shape(instruction.shape);
    return {};
  }

  void read_metadata(const Proto& proto, Instruction& instruction) const {
    const proto::OpMetadata& m = proto.metadata();
    instruction.metadata = {m.op_type(), m.op_name(), m.source_file(), m.source_line()};
    resolve_frame(m.stack_frame_id(), context_.module, instruction.metadata);
    for (const proto::FrontendAttributes::Entry& entry : proto.frontend_attributes().map())
      instruction.frontend_attributes[entry.key()] = entry.value();
    ops::restore_annotations(instruction);
  }

  Status resolve_ids(const Instruction& instruction, const std::vector<int64_t>& ids,
                     std::string_view what, std::vector<InstructionId>& out) const {
    for (int64_t id : ids) {
      const auto found = ids_.find(id);
      if (found == ids_.end())
        return at(error(DiagnosticKind::kStructure,
                        cat(what, " id ", id, " names no instruction of the computation")),
                  instruction);
      out.push_back(found->second);
    }
    return {};
  }

  Status resolve(Instruction& instruction, const Pending& pending) const {
    HLOCC_TRY(resolve_ids(instruction, pending.operands, "operand", instruction.operands));
    HLOCC_TRY(resolve_ids(instruction, pending.control_predecessors, "control predecessor",
                          instruction.control_predecessors));
    if (!instruction.operands.empty())
      ops::settle_map_dimensions(instruction, computation_.operand(instruction, 0).shape);
    if (pending.default_comparison && !instruction.operands.empty())
      instruction.get<hlo::CompareAttributes>().type =
          ops::default_comparison_type(computation_.operand(instruction, 0).shape.element_type);
    return {};
  }

  const ComputationHead& head_;
  const ModuleContext& context_;
  Computation computation_;
  std::vector<Pending> pending_;
  std::unordered_map<int64_t, InstructionId> ids_;
};

}  // namespace

Result<ComputationHead> read_computation_head(Bytes bytes, std::string_view file) {
  using P = proto::HloComputationProto;
  ComputationHead head;
  WireReader reader(bytes);
  for (WireField field; reader.next(field);) {
    const bool text = field.type == WireType::kLength, number = field.type == WireType::kVarint;
    if (field.number == P::kNameFieldNumber && text) head.name = as_text(field.payload);
    if (field.number == P::kInstructionsFieldNumber && text)
      head.instructions.push_back(field.payload);
    if (field.number == P::kIdFieldNumber && number) head.id = static_cast<int64_t>(field.value);
    if (field.number == P::kRootIdFieldNumber && number)
      head.root_id = static_cast<int64_t>(field.value);
  }
  Diagnostic malformed =
      error(DiagnosticKind::kFormat, cat("computation %", head.name, " is malformed or truncated"));
  if (reader.failed()) return std::move(malformed).at({std::string(file), 0});
  return head;
}

Result<Computation> read_computation(const ComputationHead& head, const ModuleContext& context) {
  return ComputationReader(head, context).read();
}

}  // namespace hlocc::import
