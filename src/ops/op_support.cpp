// The op table's answers as diagnostics and as a page.
#include "ops/op_support.h"

#include <iterator>

#include "ops/check/checks.h"
#include "ops/check/locate.h"

namespace hlocc::ops {
namespace {

using hlo::Family, hlo::OpcodeInfo, hlo::Service;

// What a user can do without an op; others get the general advice.
struct WayOut {
  Opcode opcode;
  const char* note;
};
constexpr const char* host_note =
    "a compiled model has no host to talk to: pass the value as an argument or a result";
constexpr WayOut ways_out[] = {
    {Opcode::kInfeed, host_note},
    {Opcode::kOutfeed, host_note},
    {Opcode::kSend, host_note},
    {Opcode::kSendDone, host_note},
    {Opcode::kRecv, host_note},
    {Opcode::kRecvDone, host_note},
    {Opcode::kRaggedAllToAll, "export the program for one device"},
    {Opcode::kShuffle, "write it as gather or transpose"},
};

const char* note_for(Opcode opcode, Service service) {
  for (const WayOut& way : ways_out)
    if (way.opcode == opcode) return way.note;
  return service == Service::kRejected
             ? "rewrite the program without this op"
             : "rewrite the program with ops that docs/ops.md lists as served";
}

std::string described_type(const Shape& shape) {
  return shape.is_array() ? cat(" of ", shape.element_type) : std::string();
}

Status check_instruction(const Instruction& instruction, Stage stage) {
  const Service service = service_of(instruction.opcode, stage);
  if (service != Service::kTodo && service != Service::kRejected) return {};
  return error(
             kUnsupported,
             cat("the op ", hlo::opcode_name(instruction.opcode), described_type(instruction.shape),
                 service == Service::kTodo ? " is not served yet by " : " is not served by ",
                 stage_name(stage)))
      .note(note_for(instruction.opcode, service));
}

constexpr std::string_view family_names[] = {
    "elementwise",    "source",     "data movement", "gather and scatter",
    "dynamic sizes",  "structure",  "dot",           "convolution",
    "reduce",         "window",     "sort",          "fft",
    "linear algebra", "batch norm", "random",        "control flow",
    "collective"};
static_assert(std::size(family_names) == static_cast<size_t>(Family::kCollective) + 1);

constexpr std::string_view service_names[] = {"not yet", "no",   "yes",       "index op",
                                              "loop op", "step", "rewritten", "no code needed"};
static_assert(std::size(service_names) == static_cast<size_t>(Service::kIdentity) + 1);

std::string count_text(int min, int max) {
  if (max < 0) return cat(min, "+");
  return min == max ? cat(min) : cat(min, "-", max);
}

}  // namespace

std::string_view stage_name(Stage stage) {
  return stage == Stage::kInterpreter ? "the interpreter" : "lowering";
}

Service service_of(Opcode opcode, Stage stage) {
  const OpcodeInfo& row = hlo::info(opcode);
  return stage == Stage::kInterpreter ? row.interpreter : row.lowering;
}

bool is_supported(Opcode opcode, Stage stage) {
  const Service service = service_of(opcode, stage);
  return service != Service::kTodo && service != Service::kRejected;
}

Status check_supported(const Module& module, Stage stage) {
  if (module.replica_count > 1 || module.num_partitions > 1)
    return locate(error(kUnsupported, cat("is for ", module.replica_count, " replicas and ",
                                          module.num_partitions, " partitions"))
                      .note("hlocc compiles for one device: export the program without sharding"),
                  module);
  for (hlo::ComputationId id : hlo::computation_order(module))
    for (const Instruction& instruction : module.computations[id].instructions)
      if (Status status = check_instruction(instruction, stage); !status)
        return locate(std::move(status).error(), module, module.computations[id], instruction);
  return {};
}

std::string ops_table_markdown() {
  std::string page =
      "# Ops\n\n"
      "Every opcode of HLO, from `src/hlo/opcodes.def`. This page is generated: run the test of "
      "the ops room with\n"
      "`HLOCC_REGENERATE=1` in the environment to write it anew.\n\n"
      "| op | family | operands | computations | interpreter | compiled |\n"
      "|---|---|---|---|---|---|\n";
  for (int i = 0; i < hlo::opcode_count(); ++i) {
    const OpcodeInfo& row = hlo::info(static_cast<Opcode>(i));
    page += cat("| ", row.name, " | ", family_names[static_cast<int>(row.family)], " | ",
                count_text(row.min_operands, row.max_operands), " | ",
                row.called < 0 ? "any" : cat(row.called), " | ",
                service_names[static_cast<int>(row.interpreter)], " | ",
                service_names[static_cast<int>(row.lowering)], " |\n");
  }
  return page;
}

}  // namespace hlocc::ops
