// See kernel_writer.h: regions, loops and branches. SPIR-V's control is structured: each loop and
// each branch names the block in which its ways meet.
#include "backends/spirv/arithmetic.h"
#include "backends/spirv/kernel_writer.h"

namespace hlocc::backends {

using kernel::Op;
using kernel::OpKind;
using kernel::Region;
using kernel::Scalar;

Status KernelWriter::region(const Region& region) {
  for (const Op& op : region.ops) HLOCC_TRY(this->op(op));
  return {};
}

Status KernelWriter::op(const Op& op) {
  for (const kernel::ValueId result : op.results)
    if (kernel_.type(result).is_vector()) return lacks(op);
  switch (op.kind) {
    case OpKind::kPrefetch: return {};
    case OpKind::kLoad: load(op); return {};
    case OpKind::kStore: store(op); return {};
    case OpKind::kBarrier: barrier(); return {};
    case OpKind::kLoop: return loop(op);
    case OpKind::kIf: return branch(op);
    case OpKind::kWhile: return while_loop(op);
    default: return arithmetic(op);
  }
}

SpirvId KernelWriter::begin_if(SpirvId condition) {
  const SpirvId then = out_.id(), merge = out_.id();
  out_.say(Spv::kSelectionMerge, {merge, 0});
  out_.say(Spv::kBranchConditional, {condition, then, merge});
  label(then);
  return merge;
}

void KernelWriter::end_if(SpirvId merge) {
  go(merge);
  label(merge);
}

KernelWriter::Locals KernelWriter::locals(const std::vector<kernel::ValueId>& values) {
  Locals all;
  for (const kernel::ValueId one : values) all.push_back(out_.local(held_type(out_, scalar(one))));
  return all;
}

void KernelWriter::set(const Locals& locals, const std::vector<kernel::ValueId>& from) {
  for (size_t i = 0; i < from.size(); ++i) out_.say(Spv::kStore, {locals[i], value(from[i])});
}

void KernelWriter::get(const std::vector<kernel::ValueId>& to, size_t skip, const Locals& locals) {
  for (size_t i = 0; i < locals.size(); ++i)
    values_[to[i + skip]] =
        out_.make(Spv::kLoad, {held_type(out_, scalar(to[i + skip])), locals[i]});
}

void KernelWriter::barrier() {
  const SpirvId group = out_.number(kGroupScope);
  out_.say(Spv::kControlBarrier, {group, group, out_.number(kOrdersGroupMemory)});
}

Status KernelWriter::loop(const Op& op) {
  const Region& body = op.regions[0];
  if (op.loop().is_mapped()) return region(body);
  const SpirvId word = out_.integer(32);
  const Locals carried = locals(op.results);
  const SpirvId counter = out_.local(word);
  const SpirvId head = out_.id(), test = out_.id(), inside = out_.id(), next = out_.id(),
                merge = out_.id();
  const SpirvId lower = affine(op.loop().lower), upper = affine(op.loop().upper);
  out_.say(Spv::kStore, {counter, lower});
  set(carried, op.operands);
  go(head);
  label(head);
  out_.say(Spv::kLoopMerge, {merge, next, 0});
  go(test);
  label(test);
  const SpirvId now = out_.make(Spv::kLoad, {word, counter});
  const SpirvId more = out_.make(Spv::kSLessThan, {out_.boolean(), now, upper});
  out_.say(Spv::kBranchConditional, {more, inside, merge});
  label(inside);
  values_[body.arguments[0]] = now;
  get(body.arguments, 1, carried);
  HLOCC_TRY(region(body));
  set(carried, body.yields);
  go(next);
  label(next);
  const SpirvId later = out_.make(Spv::kIAdd, {word, now, out_.number(op.loop().step)});
  out_.say(Spv::kStore, {counter, later});
  go(head);
  label(merge);
  get(op.results, 0, carried);
  return {};
}

Status KernelWriter::branch(const Op& op) {
  const Locals results = locals(op.results);
  const SpirvId then = out_.id(), otherwise = out_.id(), merge = out_.id();
  out_.say(Spv::kSelectionMerge, {merge, 0});
  out_.say(Spv::kBranchConditional, {value(op.operands[0]), then, otherwise});
  for (const auto& [at, way] :
       {std::pair(then, &op.regions[0]), std::pair(otherwise, &op.regions[1])}) {
    label(at);
    HLOCC_TRY(region(*way));
    set(results, way->yields);
    go(merge);
  }
  label(merge);
  get(op.results, 0, results);
  return {};
}

Status KernelWriter::while_loop(const Op& op) {
  const Region &condition = op.regions[0], &body = op.regions[1];
  const Locals carried = locals(op.results);
  const SpirvId head = out_.id(), test = out_.id(), inside = out_.id(), next = out_.id(),
                merge = out_.id();
  set(carried, op.operands);
  go(head);
  label(head);
  out_.say(Spv::kLoopMerge, {merge, next, 0});
  go(test);
  label(test);
  get(condition.arguments, 0, carried);
  HLOCC_TRY(region(condition));
  out_.say(Spv::kBranchConditional, {value(condition.yields[0]), inside, merge});
  label(inside);
  get(body.arguments, 0, carried);
  HLOCC_TRY(region(body));
  set(carried, body.yields);
  go(next);
  label(next);
  go(head);
  label(merge);
  get(op.results, 0, carried);
  return {};
}

}  // namespace hlocc::backends
