// The plan's steps become function 0, which launches the others; and code as bytes. Conditions are
// read from memory, where a kernel has left them.
#include <cstring>

#include "lower.h"
#include "planning/moved_runs.h"
#include "support/text.h"

namespace full {
namespace {

using namespace hlocc;
using namespace hlocc::kernel;

Bank bank_of(planning::Region region) {
  if (region == planning::Region::kArena) return Bank::kArena;
  return region == planning::Region::kState ? Bank::kState : Bank::kConstants;
}

class ProgramWalker {
 public:
  explicit ProgramWalker(const device::KernelProgram& all)
      : program_(all.program), plan_(all.plan), functions_(program_.kernels.size(), 0) {}

  Result<Code> run() {
    code_.functions.emplace_back();
    HLOCC_TRY(steps(plan_.steps));
    emit({Opcode::kEnd});
    code_.functions[0] = std::move(main_);
    code_.functions[0].registers = registers_;
    code_.arena_bytes = plan_.arena_bytes;
    for (const planning::Place& place : plan_.argument_places)
      code_.arguments.push_back(place_of(place));
    for (const planning::Place& place : plan_.result_places)
      code_.results.push_back(place_of(place));
    code_.constants.resize(static_cast<size_t>(plan_.constant_bytes));
    code_.state.resize(static_cast<size_t>(plan_.state_bytes));
    for (size_t i = 0; i < plan_.values.size(); ++i) {
      const ProgramValue& value = plan_.values[i];
      if (value.data == nullptr || value.data->empty()) continue;
      auto& image = value.role == ValueRole::kConstant ? code_.constants : code_.state;
      std::memcpy(image.data() + plan_.places[i].offset, value.data->data(), value.data->size());
    }
    return std::move(code_);
  }

 private:
  size_t emit(Instruction one) {
    main_.code.push_back(one);
    return main_.code.size() - 1;
  }
  int64_t here() const { return static_cast<int64_t>(main_.code.size()); }
  void land(size_t jump) { main_.code[jump].k = here(); }

  static Place place_of(const planning::Place& place) {
    return {bank_of(place.region), place.offset, place.bytes};
  }
  Place place(ProgramValueId id) const { return place_of(plan_.places[static_cast<size_t>(id)]); }

  // The one element of a value.
  int read(ProgramValueId id, Scalar scalar) {
    const int at = registers_++, to = registers_++;
    const Place from = place(id);
    emit({Opcode::kConstant, Scalar::kIndex, 0, at, 0, 0, 0, from.offset / scalar_bytes(scalar)});
    emit({Opcode::kLoad, scalar, 0, to, static_cast<int>(from.bank), at});
    return to;
  }

  Status steps(const Steps& list) {
    for (const Step& each : list)
      HLOCC_TRY(std::visit([&](const auto& what) { return step(what); }, each.what));
    return {};
  }
  Status step(const kernel::Launch& launch) {
    int64_t& function = functions_[static_cast<size_t>(launch.kernel)];
    if (function == 0) {
      HLOCC_TRY_ASSIGN(Function made,
                       lower_kernel(program_.kernels[static_cast<size_t>(launch.kernel)]));
      function = static_cast<int64_t>(code_.functions.size());
      code_.functions.push_back(std::move(made));
    }
    full::Launch one{.function = function, .integers = launch.integers};
    for (const ProgramValueId operand : launch.operands) one.buffers.push_back(place(operand));
    emit({Opcode::kLaunch, Scalar::kIndex, 0, 0, 0, 0, 0,
          static_cast<int64_t>(code_.launches.size())});
    code_.launches.push_back(std::move(one));
    return {};
  }
  // Arguments are always in their places here: the device's run puts them there.
  Status step(const kernel::Copy& copy) {
    const Place from = place(copy.from), to = place(copy.to);
    if (from.bytes > 0 && (from.bank != to.bank || from.offset != to.offset)) move(to, from);
    return {};
  }
  // What planning has not put into its place already.
  Status step(const kernel::Join& join) {
    for (const planning::MovedRun& run : planning::moved_runs(join, plan_.places)) {
      Place from = place(run.from), to = place(join.to);
      from.offset += run.from_offset;
      to.offset += run.to_offset;
      from.bytes = to.bytes = run.bytes;
      move(to, from);
    }
    return {};
  }
  void move(const Place& to, const Place& from) {
    emit({Opcode::kCopy, Scalar::kIndex, 0, 0, 0, 0, 0, static_cast<int64_t>(code_.copies.size())});
    code_.copies.push_back({to, from});
  }
  Status step(const WhileStep& loop) {
    const int64_t head = here();
    HLOCC_TRY(steps(loop.condition));
    const size_t leave =
        emit({Opcode::kJumpIfZero, Scalar::kPred, 0, 0, read(loop.condition_value, Scalar::kPred)});
    HLOCC_TRY(steps(loop.body));
    emit({Opcode::kJump, Scalar::kIndex, 0, 0, 0, 0, 0, head});
    land(leave);
    return {};
  }
  // Branch i if the selector is i; the last one for all others. A pred's true is branch 0.
  Status step(const ConditionalStep& choice) {
    const bool is_pred =
        plan_.values[static_cast<size_t>(choice.selector)].element == Scalar::kPred;
    const int selector = read(choice.selector, is_pred ? Scalar::kPred : Scalar::kS32);
    std::vector<size_t> leave;
    for (size_t branch = 0; branch < choice.branches.size(); ++branch) {
      const bool last = branch + 1 == choice.branches.size();
      size_t other = 0;
      if (!last) {
        const int number = registers_++, is_it = registers_++;
        const int64_t wanted = is_pred ? 1 : static_cast<int64_t>(branch);
        emit({Opcode::kConstant, Scalar::kIndex, 0, number, 0, 0, 0, wanted});
        emit({Opcode::kCompare, Scalar::kIndex, static_cast<uint8_t>(Predicate::kEq), is_it,
              selector, number});
        other = emit({Opcode::kJumpIfZero, Scalar::kPred, 0, 0, is_it});
      }
      HLOCC_TRY(steps(choice.branches[branch]));
      if (last) break;
      leave.push_back(emit({Opcode::kJump}));
      land(other);
    }
    for (const size_t jump : leave) land(jump);
    return {};
  }
  Status step(const UserCall& call) {
    return error(DiagnosticKind::kUnsupported,
                 cat("the device does not know the function ", call.symbol));
  }
  Status step(const Transfer&) { return other_device(); }
  Status step(const Submit&) { return other_device(); }
  Status step(const Wait&) { return other_device(); }
  static Status other_device() {
    return error(DiagnosticKind::kInternal, "a program for two devices");
  }

  const Program& program_;
  const planning::Plan& plan_;
  std::vector<int64_t> functions_;  // by kernel; 0: not yet
  Code code_;
  Function main_;
  int registers_ = 0;
};

// --- code as bytes: plain data, one vector after the other ---

struct Out {
  std::vector<std::byte> bytes;
  void number(int64_t value) { raw(&value, sizeof value); }
  void raw(const void* data, size_t size) {
    const auto* begin = static_cast<const std::byte*>(data);
    bytes.insert(bytes.end(), begin, begin + size);
  }
  template <typename T>
  void list(const std::vector<T>& values) {
    number(static_cast<int64_t>(values.size()));
    raw(values.data(), values.size() * sizeof(T));
  }
};

struct In {
  std::span<const std::byte> bytes;
  bool ok = true;
  void raw(void* data, size_t size) {
    ok = ok && size <= bytes.size();
    if (!ok || size == 0) return;
    std::memcpy(data, bytes.data(), size);
    bytes = bytes.subspan(size);
  }
  int64_t number() {
    int64_t value = 0;
    raw(&value, sizeof value);
    return value;
  }
  // As many elements as there can be.
  size_t count(size_t each) {
    const auto size = static_cast<uint64_t>(number());
    ok = ok && size <= bytes.size() / each;
    return ok ? static_cast<size_t>(size) : 0;
  }
  template <typename T>
  void list(std::vector<T>& values) {
    values.resize(count(sizeof(T)));
    raw(values.data(), values.size() * sizeof(T));
  }
};

}  // namespace

Target device_target(const Options& options) {
  Target target;
  target.name = "full";
  target.triple = "full";
  target.pointer_bits = 64;
  target.vector_registers = target.scalar_registers = 32;
  target.f32_unit = target.f64_unit = true;
  target.fma = true;
  target.options = options;
  target.options.stem = "full";
  target.options.name.clear();
  return target;
}

Result<Code> lower_program(const device::KernelProgram& program) {
  return ProgramWalker(program).run();
}

std::vector<std::byte> encode(const Code& code) {
  Out out;
  out.number(static_cast<int64_t>(code.functions.size()));
  for (const Function& function : code.functions) {
    out.list(function.code);
    out.number(function.registers);
    out.list(function.scratch);
  }
  out.number(static_cast<int64_t>(code.launches.size()));
  for (const full::Launch& launch : code.launches) {
    out.number(launch.function);
    out.list(launch.buffers);
    out.list(launch.integers);
  }
  out.list(code.copies);
  out.list(code.constants);
  out.list(code.state);
  out.number(code.arena_bytes);
  out.list(code.arguments);
  out.list(code.results);
  return std::move(out.bytes);
}

Result<Code> decode(std::span<const std::byte> bytes) {
  In in{bytes};
  Code code;
  code.functions.resize(in.count(1));
  for (Function& function : code.functions) {
    in.list(function.code);
    function.registers = in.number();
    in.list(function.scratch);
  }
  code.launches.resize(in.count(1));
  for (full::Launch& launch : code.launches) {
    launch.function = in.number();
    in.list(launch.buffers);
    in.list(launch.integers);
  }
  in.list(code.copies);
  in.list(code.constants);
  in.list(code.state);
  code.arena_bytes = in.number();
  in.list(code.arguments);
  in.list(code.results);
  if (!in.ok || !in.bytes.empty())
    return error(DiagnosticKind::kArgument, "this is no code for the device");
  return code;
}

}  // namespace full
