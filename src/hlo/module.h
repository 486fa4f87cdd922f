// Module, Computation, Instruction: HLO as plain values. Instructions refer to one another by index
// into their computation's vector, computations by index into the module's; readers translate the
// proto's ids. After `compact` (and in every module that a reader hands out) operands stand before
// their users; passes append at will and compact at the end.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "hlo/attributes.h"
#include "hlo/opcode.h"
#include "hlo/shape.h"

namespace hlocc::hlo {

using InstructionId = int32_t;
using ComputationId = int32_t;
inline constexpr int32_t kNone = -1;

// Where an instruction came from: HLO's metadata, for messages and reports. `stack_frame` counts
// Module::frames from one, 0 is none. `hlo_name` is what the model itself calls the instruction
// that it was made of, for passes number their copies; no file has it.
struct Metadata {
  std::string op_type, op_name, source_file;
  int source_line = 0, stack_frame = 0;
  std::string hlo_name;
  bool operator==(const Metadata&) const = default;
};

struct Instruction {
  Opcode opcode = Opcode::kParameter;
  std::string name;
  Shape shape;
  std::vector<InstructionId> operands;
  std::vector<ComputationId> called;  // in the order of the proto: while is {body, condition}
  std::vector<InstructionId> control_predecessors;
  Attributes attributes;
  Metadata metadata;
  std::map<std::string, std::string> frontend_attributes;
  int line = 0;  // in HLO text; 0 when read from a proto

  // The attributes as the struct that opcodes.def names; anything else is a bug of ours.
  template <typename T>
  const T& get() const {
    const T* held = std::get_if<T>(&attributes);
    if (held == nullptr) refuse_attributes();
    return *held;
  }
  template <typename T>
  T& get() {
    return const_cast<T&>(static_cast<const Instruction*>(this)->get<T>());
  }
  [[noreturn]] void refuse_attributes() const;
};

struct Module;

struct Computation {
  std::string name;
  std::vector<Instruction> instructions;
  InstructionId root = kNone;
  // Parameter instructions by number; kept by `add`, `compact` and the readers.
  std::vector<InstructionId> parameters;

  const Instruction& operator[](InstructionId id) const { return instructions[id]; }
  Instruction& operator[](InstructionId id) { return instructions[id]; }
  const Instruction& root_instruction() const { return instructions[root]; }
  const Instruction& operand(const Instruction& user, int i) const {
    return instructions[user.operands[i]];
  }

  // Appends and returns its id; an empty or taken name is made unique ("add.7"); parameters are
  // entered in `parameters`.
  InstructionId add(Instruction instruction);
  // Every operand, control predecessor and root that was `from` becomes `to`.
  void replace_uses(InstructionId from, InstructionId to);
  // users[i]: the instructions that have i as an operand, each once.
  std::vector<std::vector<InstructionId>> users() const;
  // Operands before users, starting from the root and from what must not be dropped (parameters,
  // side effects, control predecessors of those). Without the module, every call, loop and branch
  // may have side effects and stays.
  std::vector<InstructionId> topological_order() const;
  std::vector<InstructionId> topological_order(const Module& module) const;

  // The names that `add` keeps apart; it collects them anew when instructions came or went without
  // it.
  std::unordered_set<std::string> known_names;
  size_t known_count = 0;
};

// A line of the program that made the model: file and function are those of Module::source_files
// and source_functions, the caller is a frame before this one in Module::frames. All count from
// one; 0 is none.
struct SourceFrame {
  int file = 0, function = 0, line = 0, caller = 0;
};

// One (result leaf, parameter leaf) pair that may or must share memory: donation.
struct Alias {
  Dimensions output_index;
  int64_t parameter = 0;
  Dimensions parameter_index;
  bool must_alias = false;
  bool operator==(const Alias&) const = default;
};

struct Module {
  std::string name;
  std::vector<Computation> computations;
  ComputationId entry = kNone;
  // Shapes with the layouts of entry_computation_layout: one a parameter, and the result.
  std::vector<Shape> entry_parameters;
  Shape entry_result;
  std::vector<Alias> aliases;
  int64_t replica_count = 1, num_partitions = 1;
  bool is_scheduled = false;
  std::vector<std::string> source_files, source_functions;
  std::vector<SourceFrame> frames;
  // The file it came from, for diagnostics; never written into any output.
  std::string file;

  const Computation& entry_computation() const { return computations[entry]; }
  Computation& entry_computation() { return computations[entry]; }
};

// Drops instructions that nothing needs, puts the rest in topological order and renumbers them.
// Keeps calls, loops and branches, whose side effects only the module knows.
void compact(Computation& computation);
// Drops computations that the entry does not reach, callees before callers, renumbers, and compacts
// each.
void compact(Module& module);
// Callees before callers, only what the entry reaches.
std::vector<ComputationId> computation_order(const Module& module);

// True for ops that must stay although their result has no user (custom calls with side effects,
// sends, outfeeds, rng-get-and-update-state, and whatever calls a computation that holds one).
bool has_side_effect(const Module& module, const Instruction& instruction);

// The usual way to make an instruction in a pass.
Instruction make(Opcode opcode, Shape shape, std::vector<InstructionId> operands,
                 Attributes attributes = {}, std::vector<ComputationId> called = {});
Instruction make_constant(Literal value);
Instruction make_parameter(int64_t number, Shape shape, std::string name);

}  // namespace hlocc::hlo
