// See machine.h. Code is checked once, when it is loaded: registers, buffers and jumps are then
// what they say; only addresses are found out at run time.
#include "machine.h"

#include <algorithm>
#include <cstring>

#include "support/text.h"

namespace full {
namespace {

using namespace hlocc;
using kernel::Scalar;

// Memory keeps a type's low bytes; a register has them extended.
uint64_t load_element(const std::byte* from, Scalar type) {
  uint64_t bits = 0;
  const int bytes = kernel::scalar_bytes(type), width = kernel::scalar_bits(type);
  std::memcpy(&bits, from, static_cast<size_t>(bytes));
  if (width == 64) return bits;
  bits &= (uint64_t{1} << width) - 1;
  const bool negative = kernel::is_signed(type) && (bits >> (width - 1)) != 0;
  return negative ? bits | ~uint64_t{0} << width : bits;
}

Diagnostic no_code(const char* what) {
  return error(DiagnosticKind::kArgument, cat("this is no code for the device: ", what));
}

bool jumps(Opcode op) {
  return op == Opcode::kJump || op == Opcode::kJumpIfZero || op == Opcode::kJumpUnless;
}
bool computes(Opcode op) {
  return op == Opcode::kArithmetic || op == Opcode::kCompare || op == Opcode::kConvert;
}

// Which of d, a, b and c are registers: a bit each.
int registers_of(Opcode op) {
  enum { kD = 1, kA = 2, kB = 4, kC = 8 };
  switch (op) {
    case Opcode::kConstant: return kD;
    case Opcode::kMove: return kD | kA;
    case Opcode::kScaleAdd: return kD | kA | kB;
    case Opcode::kArithmetic:
    case Opcode::kCompare:
    case Opcode::kConvert:
    case Opcode::kSelect: return kD | kA | kB | kC;
    case Opcode::kLoad: return kD | kB;
    case Opcode::kStore: return kB | kC;
    case Opcode::kJumpIfZero: return kA;
    case Opcode::kJumpUnless: return kA | kB;
    default: return 0;
  }
}

}  // namespace

Result<std::unique_ptr<Machine>> Machine::load(Code code) {
  std::unique_ptr<Machine> machine(new Machine(std::move(code)));
  const Code& held = machine->code_;
  if (held.arena_bytes < 0 || held.functions.empty()) return no_code("no memory or no functions");
  machine->memory_[0].resize(static_cast<size_t>(held.arena_bytes));
  machine->memory_[1] = held.state;
  machine->memory_[2] = held.constants;
  HLOCC_TRY(machine->check());
  for (const Function& function : held.functions) {
    machine->alus_.emplace_back();
    for (const Instruction& one : function.code) {
      machine->alus_.back().push_back(find_alu(one));
      if (computes(one.op) && machine->alus_.back().back() == nullptr)
        return no_code("unknown arithmetic");
    }
  }
  return machine;
}

Status Machine::check() const {
  const auto fits = [&](const Place& place) {
    const auto region = static_cast<uint64_t>(place.bank);
    return region < 3 && place.offset >= 0 && place.bytes >= 0 &&
           place.offset + place.bytes <= static_cast<int64_t>(memory_[region].size());
  };
  for (const Function& function : code_.functions) {
    const int64_t size = static_cast<int64_t>(function.code.size());
    if (size == 0 || function.code.back().op != Opcode::kEnd) return no_code("no end");
    const int64_t registers = std::max<int64_t>(function.registers, 1);
    for (const Instruction& one : function.code) {
      const int64_t fields[] = {one.d, one.a, one.b, one.c};
      for (int i = 0; i < 4; ++i)
        if ((registers_of(one.op) >> i & 1) != 0 && (fields[i] < 0 || fields[i] >= registers))
          return no_code("a register that there is not");
      if (jumps(one.op) && (one.k < 0 || one.k >= size)) return no_code("a jump to nowhere");
      if (one.op == Opcode::kLaunch && static_cast<uint64_t>(one.k) >= code_.launches.size())
        return no_code("a launch that there is not");
      if (one.op == Opcode::kCopy && static_cast<uint64_t>(one.k) >= code_.copies.size())
        return no_code("a copy that there is not");
    }
  }
  for (const Launch& launch : code_.launches) {
    // Function 0 alone launches.
    if (launch.function <= 0 || launch.function >= static_cast<int64_t>(code_.functions.size()))
      return no_code("a function that there is not");
    for (const Place& place : launch.buffers)
      if (!fits(place)) return no_code("a buffer outside of memory");
  }
  for (const Copy& copy : code_.copies)
    if (!fits(copy.to) || !fits(copy.from) || copy.to.bytes != copy.from.bytes)
      return no_code("a copy outside of memory");
  for (const auto* places : {&code_.arguments, &code_.results})
    for (const Place& place : *places)
      if (!fits(place)) return no_code("an argument or a result outside of memory");
  return {};
}

Status Machine::run(std::span<std::byte* const> arguments, std::span<std::byte* const> results) {
  const std::lock_guard lock(mutex_);
  for (size_t i = 0; i < arguments.size(); ++i)
    if (code_.arguments[i].bytes > 0)
      std::memcpy(address(code_.arguments[i]), arguments[i],
                  static_cast<size_t>(code_.arguments[i].bytes));
  std::vector<Buffer> regions;
  for (std::vector<std::byte>& memory : memory_)
    regions.push_back({memory.data(), static_cast<int64_t>(memory.size())});
  HLOCC_TRY(call(code_.functions[0], alus_[0], regions, {}));
  for (size_t i = 0; i < results.size(); ++i)
    if (code_.results[i].bytes > 0)
      std::memcpy(results[i], address(code_.results[i]),
                  static_cast<size_t>(code_.results[i].bytes));
  return {};
}

Status Machine::call(const Function& function, std::span<const Alu> alus,
                     std::vector<Buffer> buffers, std::span<const int64_t> integers) {
  std::vector<std::vector<std::byte>> scratch;
  for (const int64_t bytes : function.scratch) {
    scratch.emplace_back(static_cast<size_t>(bytes), std::byte{0xa5});
    buffers.push_back({scratch.back().data(), bytes});
  }
  std::vector<uint64_t> registers(static_cast<size_t>(std::max<int64_t>(function.registers, 1)));
  for (size_t i = 0; i < integers.size() && i < registers.size(); ++i)
    registers[i] = static_cast<uint64_t>(integers[i]);
  uint64_t* const r = registers.data();
  for (int64_t at = 0;; ++at) {
    const Instruction& one = function.code[static_cast<size_t>(at)];
    switch (one.op) {
      case Opcode::kConstant: r[one.d] = static_cast<uint64_t>(one.k); break;
      case Opcode::kMove: r[one.d] = r[one.a]; break;
      case Opcode::kScaleAdd: r[one.d] = r[one.a] + static_cast<uint64_t>(one.k) * r[one.b]; break;
      case Opcode::kArithmetic:
      case Opcode::kCompare:
      case Opcode::kConvert:
        r[one.d] = alus[static_cast<size_t>(at)](r[one.a], r[one.b], r[one.c]);
        break;
      case Opcode::kSelect: r[one.d] = r[one.a] != 0 ? r[one.b] : r[one.c]; break;
      case Opcode::kLoad:
      case Opcode::kStore: {
        const int64_t bytes = kernel::scalar_bytes(one.type);
        const auto element = static_cast<int64_t>(r[one.b]);
        if (static_cast<size_t>(one.a) >= buffers.size() || element < 0 ||
            element >= buffers[static_cast<size_t>(one.a)].bytes / bytes)
          return error(DiagnosticKind::kRun,
                       cat("the device reads or writes element ", element, " of buffer ", one.a));
        std::byte* const memory = buffers[static_cast<size_t>(one.a)].data + element * bytes;
        if (one.op == Opcode::kLoad)
          r[one.d] = load_element(memory, one.type);
        else
          std::memcpy(memory, &r[one.c], static_cast<size_t>(bytes));
        break;
      }
      case Opcode::kJump: at = one.k - 1; break;
      case Opcode::kJumpIfZero:
        if (r[one.a] == 0) at = one.k - 1;
        break;
      case Opcode::kJumpUnless:
        if (static_cast<int64_t>(r[one.a]) >= static_cast<int64_t>(r[one.b])) at = one.k - 1;
        break;
      case Opcode::kLaunch: {
        const Launch& launch = code_.launches[static_cast<size_t>(one.k)];
        std::vector<Buffer> bound;
        for (const Place& place : launch.buffers) bound.push_back({address(place), place.bytes});
        HLOCC_TRY(call(code_.functions[static_cast<size_t>(launch.function)],
                       alus_[static_cast<size_t>(launch.function)], std::move(bound),
                       launch.integers));
        break;
      }
      case Opcode::kCopy: {
        const Copy& copy = code_.copies[static_cast<size_t>(one.k)];
        std::memcpy(address(copy.to), address(copy.from), static_cast<size_t>(copy.to.bytes));
        break;
      }
      case Opcode::kEnd: return {};
    }
  }
}

}  // namespace full
