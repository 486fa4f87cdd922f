// The program verifier: one walk over the tree of steps with the set of values that are there.
#include <algorithm>

#include "kernel/program.h"
#include "kernel/program_values.h"
#include "kernel/verifier.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

using Ids = std::vector<ProgramValueId>;

class ProgramVerifier {
 public:
  explicit ProgramVerifier(const Program& program)
      : program_(program),
        there_(program.values.size(), false),
        defined_(program.values.size(), false) {
    for (const Kernel& kernel : program.kernels) largest_.emplace_back(kernel.buffers.size(), -1);
  }

  Status run() {
    for (const Kernel& kernel : program_.kernels) HLOCC_TRY(verify(kernel));
    HLOCC_TRY(values());
    HLOCC_TRY(leaves());
    HLOCC_TRY(steps(program_.steps));
    HLOCC_TRY(sizes());
    HLOCC_TRY(at_home(program_.results));
    for (const ProgramValueId result : program_.results) HLOCC_TRY(read(result));
    return {};
  }

 private:
  Diagnostic fail(const std::string& what) const {
    Diagnostic diagnostic = error(DiagnosticKind::kInternal, "program: " + what);
    if (step_ != nullptr && !step_->origin.empty())
      return std::move(diagnostic).note("in " + join(step_->origin.hlo, ", "));
    return diagnostic;
  }
  bool in_range(ProgramValueId value) const {
    return value >= 0 && value < static_cast<ProgramValueId>(program_.values.size());
  }
  const ProgramValue& value(ProgramValueId id) const { return program_.values[id]; }
  std::string name(ProgramValueId id) const { return cat("value ", id, " (", value(id).name, ")"); }

  Status values() {
    for (size_t i = 0; i < program_.values.size(); ++i) {
      const ProgramValue& v = program_.values[i];
      const bool has_data = v.data != nullptr && static_cast<int64_t>(v.data->size()) == v.bytes();
      if (v.elements < 0) return fail(name(static_cast<int>(i)) + " of negative size");
      if (v.role == ValueRole::kConstant && !has_data)
        return fail(name(static_cast<int>(i)) + ": constant without its bytes");
      if (v.role == ValueRole::kState && v.leaf == kNone && !has_data)
        return fail(name(static_cast<int>(i)) + ": state without its first bytes");
      if (v.memory < 0 || (v.memory != 0 && v.role != ValueRole::kTemporary))
        return fail(
            cat(name(static_cast<int>(i)), ", a ", role_name(v.role), " in memory ", v.memory));
      there_[i] = v.role != ValueRole::kTemporary;
    }
    return {};
  }

  Status leaves() {
    for (size_t i = 0; i < program_.arguments.size(); ++i) {
      const ProgramValueId id = program_.arguments[i];
      if (!in_range(id)) return fail(cat("argument ", i, " is no value"));
      const bool role =
          value(id).role == ValueRole::kArgument || value(id).role == ValueRole::kState;
      if (!role || value(id).leaf != static_cast<int>(i))
        return fail(cat("argument ", i, " is ", name(id), " of another role"));
      HLOCC_TRY(leaf_size(program_.signature.arguments, i, id));
    }
    for (size_t i = 0; i < program_.results.size(); ++i) {
      if (!in_range(program_.results[i])) return fail(cat("result ", i, " is no value"));
      HLOCC_TRY(leaf_size(program_.signature.results, i, program_.results[i]));
    }
    return {};
  }

  Status leaf_size(const std::vector<Leaf>& leaves, size_t i, ProgramValueId id) const {
    if (leaves.empty()) return {};
    if (i >= leaves.size()) return fail("more leaves than the signature has");
    if (leaves[i].bytes() != value(id).bytes())
      return fail(cat("leaf ", i, " has ", leaves[i].bytes(), " bytes, ", name(id), " ",
                      value(id).bytes()));
    return {};
  }

  Status read(ProgramValueId id) const {
    if (!in_range(id)) return fail(cat("no value ", id));
    if (!there_[id]) return fail(name(id) + " is read where it is not defined");
    return {};
  }
  Status define(ProgramValueId id) {
    if (!in_range(id)) return fail(cat("no value ", id));
    if (value(id).role != ValueRole::kTemporary)
      return fail(name(id) + " is written, but no temporary");
    if (defined_[id]) return fail(name(id) + " is defined twice");
    defined_[id] = there_[id] = true;
    return {};
  }
  Status same_bytes(ProgramValueId a, ProgramValueId b) const {
    if (!in_range(a) || !in_range(b)) return fail("no such value");
    if (value(a).bytes() != value(b).bytes())
      return fail(cat(name(a), " and ", name(b), " differ in size"));
    return {};
  }

  // What a step of this processor's names lies in its memory.
  Status at_home(const Ids& ids) const {
    for (const ProgramValueId id : ids)
      if (in_range(id) && value(id).memory != 0)
        return fail(cat(name(id), " lies in memory ", value(id).memory,
                        ", where only transfers and devices reach it"));
    return {};
  }

  // What the inner steps define is not there afterwards.
  Status scope(const Steps& inner, const Ids& arguments, const Ids& reads) {
    const std::vector<bool> before = there_;
    for (const ProgramValueId id : arguments) HLOCC_TRY(define(id));
    HLOCC_TRY(steps(inner));
    for (const ProgramValueId id : reads) HLOCC_TRY(read(id));
    there_ = before;
    return {};
  }

  Status steps(const Steps& steps) {
    for (const Step& each : steps) {
      step_ = &each;
      HLOCC_TRY(std::visit([&](const auto& what) { return step(what); }, each.what));
    }
    return {};
  }

  Status step(const Launch& launch) {
    if (launch.kernel < 0 || launch.kernel >= static_cast<KernelId>(program_.kernels.size()))
      return fail("no such kernel");
    const Kernel& kernel = program_.kernels[launch.kernel];
    if (static_cast<int>(launch.operands.size()) != kernel.operand_buffers())
      return fail(cat(launch.operands.size(), " operands for the ", kernel.operand_buffers(),
                      " of ", kernel.name));
    if (launch.ranges < 1 || launch.ranges > kMostRanges)
      return fail(cat(launch.ranges, " ranges"));
    if (launch.integers.size() + (launch.ranges > 1 ? 1 : 0) != kernel.parameters.size())
      return fail("integers don't fit the parameters of " + kernel.name);
    HLOCC_TRY(at_home(launch.operands));
    HLOCC_TRY(scratch_fits(kernel, launch));
    for (size_t i = 0; i < launch.operands.size(); ++i) HLOCC_TRY(operand_fits(kernel, launch, i));
    for (size_t i = 0; i < launch.operands.size(); ++i)
      if (kernel.buffers[i].direction == Direction::kIn) HLOCC_TRY(read(launch.operands[i]));
    for (const Update& update : launch.updates) HLOCC_TRY(check(launch, kernel, update));
    for (const Overlap& overlap : launch.overlaps) HLOCC_TRY(check(launch, kernel, overlap));
    for (size_t i = 0; i < launch.operands.size(); ++i)
      if (kernel.buffers[i].direction != Direction::kIn)
        HLOCC_TRY(define_operand(launch, kernel, i));
    return {};
  }

  Status scratch_fits(const Kernel& kernel, const Launch& launch) const {
    const size_t buffers = static_cast<size_t>(kernel.bound_buffers() - kernel.operand_buffers());
    if (!launch.scratch.empty() && launch.scratch.size() != buffers)
      return fail(
          cat(launch.scratch.size(), " sizes of scratch for the ", buffers, " of ", kernel.name));
    const std::vector<Buffer> most = arena_scratch(kernel, {});
    for (size_t i = 0; i < launch.scratch.size(); ++i)
      if (launch.scratch[i] < 0 || launch.scratch[i] > most[i].elements)
        return fail(cat(launch.scratch[i], " elements of ", kernel.name, "'s ", most[i].name,
                        ", which has ", most[i].elements));
    return {};
  }

  // A kernel may serve values of many sizes; its buffers say the largest.
  Status operand_fits(const Kernel& kernel, const Launch& launch, size_t i) {
    const ProgramValueId id = launch.operands[i];
    const Buffer& buffer = kernel.buffers[i];
    if (!in_range(id)) return fail(cat("no value ", id));
    int64_t& largest = largest_[launch.kernel][i];
    largest = std::max(largest, value(id).elements);
    if (value(id).element != buffer.element || value(id).elements > buffer.elements)
      return fail(cat(name(id), ": ", scalar_name(value(id).element), "[", value(id).elements,
                      "] for ", kernel.name, "'s ", buffer.name, ": ", scalar_name(buffer.element),
                      "[", buffer.elements, "]"));
    return {};
  }

  Status sizes() const {
    for (size_t k = 0; k < largest_.size(); ++k)
      for (size_t i = 0; i < largest_[k].size(); ++i)
        if (const Buffer& buffer = program_.kernels[k].buffers[i];
            largest_[k][i] >= 0 && largest_[k][i] < buffer.elements)
          return fail(cat("no value for ", program_.kernels[k].name, "'s ", buffer.name, "[",
                          buffer.elements, "] has more than ", largest_[k][i], " elements"));
    return {};
  }

  bool is_result(const Launch& launch, const Kernel& kernel, int i) const {
    return i >= 0 && i < static_cast<int>(launch.operands.size()) &&
           kernel.buffers[i].direction != Direction::kIn;
  }
  Status check(const Launch& launch, const Kernel& kernel, const Update& update) const {
    if (!is_result(launch, kernel, update.result))
      return fail("an update of an operand that is not written");
    if (update.from == launch.operands[update.result])
      return fail("an update from the value that it makes");
    HLOCC_TRY(read(update.from));
    return same_bytes(update.from, launch.operands[update.result]);
  }
  Status check(const Launch& launch, const Kernel& kernel, const Overlap& overlap) const {
    const int count = static_cast<int>(launch.operands.size());
    if (!is_result(launch, kernel, overlap.result) || overlap.operand < 0 ||
        overlap.operand >= count || kernel.buffers[overlap.operand].direction != Direction::kIn ||
        overlap.bytes < 0)
      return fail("an overlap that names no result and operand");
    return {};
  }
  Status define_operand(const Launch& launch, const Kernel& kernel, size_t i) {
    const ProgramValueId id = launch.operands[i];
    if (kernel.buffers[i].direction == Direction::kInOut) {
      const ProgramValue& v = value(id);
      if (v.role == ValueRole::kState && v.leaf == kNone) return {};
      bool updated = false;
      for (const Update& update : launch.updates) updated |= update.result == static_cast<int>(i);
      if (!updated)
        return fail(name(id) + " is read and written, but no update says what it holds before");
    }
    return define(id);
  }

  Status step(const Copy& copy) {
    HLOCC_TRY(at_home({copy.from, copy.to}));
    HLOCC_TRY(read(copy.from));
    HLOCC_TRY(same_bytes(copy.from, copy.to));
    return define(copy.to);
  }
  Status step(const Join& join) {
    HLOCC_TRY(at_home({join.to}));
    int64_t bytes = 0;
    for (const Join::Run& run : join.runs) {
      HLOCC_TRY(at_home({run.from}));
      HLOCC_TRY(read(run.from));
      if (value(run.from).role != ValueRole::kTemporary)
        return fail(name(run.from) + " is joined, but no temporary");
      if (run.offset < 0 || run.bytes < 1 || run.offset + run.bytes > value(run.from).bytes())
        return fail(cat("a join of bytes ", run.offset, " to ", run.offset + run.bytes, " of ",
                        name(run.from)));
      bytes += run.bytes;
    }
    HLOCC_TRY(define(join.to));
    if (bytes != value(join.to).bytes())
      return fail(cat("a join of ", bytes, " bytes to ", name(join.to)));
    return {};
  }
  Status step(const WhileStep& loop) {
    const size_t count = loop.initial.size();
    if (loop.carried.size() != count || loop.next.size() != count || loop.result.size() != count)
      return fail("odd while");
    for (const Ids* ids : {&loop.initial, &loop.carried, &loop.next, &loop.result})
      HLOCC_TRY(at_home(*ids));
    for (size_t i = 0; i < count; ++i) {
      HLOCC_TRY(read(loop.initial[i]));
      HLOCC_TRY(same_bytes(loop.initial[i], loop.carried[i]));
      HLOCC_TRY(same_bytes(loop.next[i], loop.carried[i]));
      HLOCC_TRY(same_bytes(loop.result[i], loop.carried[i]));
    }
    HLOCC_TRY(scope(loop.condition, loop.carried, {loop.condition_value}));
    if (value(loop.condition_value).bytes() != 1) return fail("a condition that is no pred");
    const std::vector<bool> before = there_;
    for (const ProgramValueId id : loop.carried) there_[id] = true;
    HLOCC_TRY(scope(loop.body, {}, loop.next));
    there_ = before;
    for (const ProgramValueId id : loop.result) HLOCC_TRY(define(id));
    return {};
  }
  Status step(const ConditionalStep& choice) {
    HLOCC_TRY(read(choice.selector));
    const Scalar type = value(choice.selector).element;
    if (type != Scalar::kPred && type != Scalar::kS32)
      return fail("a selector that is neither pred nor s32");
    if (choice.branches.empty() || choice.yields.size() != choice.branches.size())
      return fail("odd conditional");
    HLOCC_TRY(at_home({choice.selector}));
    HLOCC_TRY(at_home(choice.results));
    for (const Ids& yields : choice.yields) HLOCC_TRY(at_home(yields));
    for (size_t b = 0; b < choice.branches.size(); ++b) {
      if (choice.yields[b].size() != choice.results.size())
        return fail("a branch yields too few values");
      for (size_t i = 0; i < choice.results.size(); ++i)
        HLOCC_TRY(same_bytes(choice.yields[b][i], choice.results[i]));
      HLOCC_TRY(scope(choice.branches[b], {}, choice.yields[b]));
    }
    for (const ProgramValueId id : choice.results) HLOCC_TRY(define(id));
    return {};
  }
  Status step(const UserCall& call) {
    HLOCC_TRY(at_home(call.operands));
    HLOCC_TRY(at_home(call.results));
    for (const ProgramValueId id : call.operands) HLOCC_TRY(read(id));
    for (const ProgramValueId id : call.results) HLOCC_TRY(define(id));
    return {};
  }

  Status step(const Transfer& transfer) {
    HLOCC_TRY(read(transfer.from));
    HLOCC_TRY(same_bytes(transfer.from, transfer.to));
    if (value(transfer.from).memory == value(transfer.to).memory)
      return fail(cat("a transfer of ", name(transfer.from), " inside of memory ",
                      value(transfer.to).memory));
    HLOCC_TRY(queue(transfer.queue));
    return define(transfer.to);
  }
  Status step(const Submit& submit) {
    for (const ProgramValueId id : submit.operands) HLOCC_TRY(read(id));
    for (const ProgramValueId id : submit.results) HLOCC_TRY(define(id));
    int memory = 0;
    for (const Ids* ids : {&submit.operands, &submit.results})
      for (const ProgramValueId id : *ids) {
        if (value(id).memory == 0)
          return fail(
              cat(name(id), " of part ", submit.part, " does not lie in a device's memory"));
        if (memory != 0 && value(id).memory != memory)
          return fail(cat("part ", submit.part, " of values in memories ", memory, " and ",
                          value(id).memory));
        memory = value(id).memory;
      }
    return queue(submit.queue);
  }
  Status step(const Wait& wait) { return queue(wait.queue); }
  Status queue(int queue) const {
    return queue < 0 ? Status(fail(cat("no queue ", queue))) : Status();
  }

  const Program& program_;
  std::vector<bool> there_, defined_;
  // By kernel, by buffer: the most elements that a launch binds; -1 where none does.
  std::vector<std::vector<int64_t>> largest_;
  const Step* step_ = nullptr;
};

}  // namespace

Status verify(const Program& program) { return ProgramVerifier(program).run(); }

}  // namespace hlocc::kernel
