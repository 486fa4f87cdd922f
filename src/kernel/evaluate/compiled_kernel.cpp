// Translation of a kernel into the evaluator's nodes.
#include "kernel/evaluate/compiled_kernel.h"

#include <algorithm>

#include "kernel/op_types.h"

#include "support/text.h"

namespace hlocc::kernel {
namespace {

// Widths are equal, so that extending the bits by the new class is all that a bitcast does.
ScalarOp bitcast_op(Scalar to) {
  return convert_op(OpKind::kConvert, Scalar::kU64,
                    is_integer(to) ? to : unsigned_of_width(scalar_bits(to)));
}

}  // namespace

CompiledKernel::CompiledKernel(const Kernel& kernel) : kernel_(kernel) {
  int slots = 0;
  for (const Type type : kernel.types) {
    slot_.push_back(slots);
    slots += type.lanes;
  }
  registers_.resize(static_cast<size_t>(slots));
  body_ = translate(kernel.body);
}

CompiledKernel::Block CompiledKernel::translate(const Region& region) {
  Block block;
  for (const Op& op : region.ops) {
    ++op_number_;
    if (op.kind == OpKind::kConstant || op.kind == OpKind::kLaneIndex)
      preload(op);
    else if (op.kind != OpKind::kPrefetch)
      block.nodes.push_back(translate(op));
  }
  return block;
}

// Constants sit in their slots from the start.
void CompiledKernel::preload(const Op& op) {
  const Type type = kernel_.type(op.result());
  for (int i = 0; i < type.lanes; ++i) {
    uint64_t bits = canonical_bits(type.scalar, static_cast<uint64_t>(i));
    if (const auto* constant = std::get_if<Constant>(&op.payload))
      bits = constant->lanes.size() == 1 ? constant->lanes[0]
                                         : constant->lanes[static_cast<size_t>(i)];
    registers_[static_cast<size_t>(slot_[op.result()] + i)] = bits;
  }
}

CompiledKernel::Address CompiledKernel::translate(const Affine& affine) const {
  Address address{affine.offset, {}};
  for (const Affine::Term& term : affine.terms)
    address.terms.emplace_back(slot_[term.value], term.scale);
  return address;
}

CompiledKernel::Node CompiledKernel::translate(const Op& op) {
  Node node{.number = op_number_};
  if (!op.results.empty()) {
    node.result = slot_[op.result()];
    node.lanes = kernel_.type(op.result()).lanes;
  }
  for (size_t i = 0; i < op.operands.size() && i < 3; ++i) {
    node.operand[i] = slot_[op.operands[i]];
    node.step[i] = kernel_.type(op.operands[i]).lanes > 1 ? 1 : 0;
  }
  node.action = Action::kApply;
  switch (op_group(op.kind)) {
    case OpGroup::kUnary:
    case OpGroup::kBinary: node.op = scalar_op(op.kind, kernel_.type(op.result()).scalar); break;
    case OpGroup::kVector: translate_vector(op, node); break;
    case OpGroup::kMemory: translate_memory(op, node); break;
    case OpGroup::kControl: translate_control(op, node); break;
    case OpGroup::kCompare: {
      const Scalar in = kernel_.type(op.operands[0]).scalar, out = kernel_.type(op.result()).scalar;
      if (const auto* by = std::get_if<RoundedShift>(&op.payload)) {
        node.action = op.kind == OpKind::kSaturate ? Action::kSaturate : Action::kMulShift;
        node.by = *by;
      } else if (op.kind == OpKind::kSelect) {
        node.action = Action::kSelect;
      } else if (op.kind == OpKind::kCompare) {
        node.op = compare_op(std::get<Predicate>(op.payload), in);
      } else if (op.kind == OpKind::kConvert || op.kind == OpKind::kNativeConvert) {
        node.op = convert_op(op.kind, in, out);
      } else {
        node.op = op.kind == OpKind::kBitcast ? bitcast_op(out) : scalar_op(op.kind, in);
      }
      break;
    }
  }
  HLOCC_CHECK(node.action != Action::kApply || node.op,
              cat(op_name(op.kind), " has no meaning on ", to_string(kernel_.type(op.result()))));
  return node;
}

void CompiledKernel::translate_vector(const Op& op, Node& node) const {
  using enum OpKind;
  const auto reduction = [&](OpKind step) {
    node.action = Action::kReduce;
    node.lanes = kernel_.type(op.operands[0]).lanes;
    node.op = scalar_op(step, kernel_.type(op.result()).scalar);
  };
  switch (op.kind) {
    case kSplat: node.action = Action::kSplat; break;
    case kExtract:
      node.action = Action::kMove;
      node.operand[0] += std::get<Lane>(op.payload).index;
      break;
    case kInsert:
      node.action = Action::kInsert;
      node.group = std::get<Lane>(op.payload).index;
      break;
    case kShuffle: {
      node.action = Action::kShuffle;
      const int width = kernel_.type(op.operands[0]).lanes;
      for (const int lane : std::get<Shuffle>(op.payload).lanes)
        node.picks.push_back(lane < 0       ? -1
                             : lane < width ? node.operand[0] + lane
                                            : node.operand[1] + lane - width);
      break;
    }
    case kReduceAdd: reduction(kAdd); break;
    case kReduceMul: reduction(kMul); break;
    case kReduceMin: reduction(kMin); break;
    case kReduceMax: reduction(kMax); break;
    case kReduceAnd: reduction(kAnd); break;
    case kReduceOr: reduction(kOr); break;
    case kMatrixAccumulate: {
      const Type sum = kernel_.type(op.operands[0]), a = kernel_.type(op.operands[1]);
      const MatrixSizes sizes = *matrix_sizes(sum, a, kernel_.type(op.operands[2]));
      node.action = Action::kMatrix;
      node.rows = sizes.rows;
      node.columns = sizes.columns;
      node.group = sizes.depth;
      if (sum.scalar != Scalar::kF32) break;
      node.op = scalar_op(kMulAdd, Scalar::kF32);
      if (a.scalar != Scalar::kF32) node.widen = convert_op(kConvert, a.scalar, Scalar::kF32);
      break;
    }
    case kSpreadBytes:
      node.action = Action::kShuffle;
      for (const int byte : {0, 2, 1, 3})
        node.picks.push_back(node.operand[0] + 4 * std::get<Lane>(op.payload).index + byte);
      node.op = convert_op(kConvert, kernel_.type(op.operands[0]).scalar,
                           kernel_.type(op.result()).scalar);
      break;
    default:
      node.action = Action::kDot;
      node.group = kernel_.type(op.operands[1]).lanes / node.lanes;
  }
}

void CompiledKernel::translate_memory(const Op& op, Node& node) const {
  const Access& access = op.access();
  node.action = op.kind == OpKind::kLoad ? Action::kLoad : Action::kStore;
  if (op.kind == OpKind::kStore) {
    node.lanes = kernel_.type(access.stored).lanes;
    node.operand[0] = slot_[access.stored];
  }
  node.buffer = access.buffer;
  node.at = translate(access.at);
  node.stride = access.lane_stride;
  if (access.lane_indices != kNone) node.indices = slot_[access.lane_indices];
  if (access.mask != kNone) {
    node.mask = slot_[access.mask];
    node.mask_step = kernel_.type(access.mask).lanes > 1 ? 1 : 0;
  }
  if (access.otherwise != kNone) node.otherwise = slot_[access.otherwise];
}

void CompiledKernel::pair_up(const std::vector<ValueId>& to, const std::vector<ValueId>& from,
                             size_t skip, std::vector<std::pair<int, int>>& pairs) const {
  for (size_t i = 0; i < from.size(); ++i)
    for (int lane = 0; lane < kernel_.type(from[i]).lanes; ++lane)
      pairs.emplace_back(slot_[to[i + skip]] + lane, slot_[from[i]] + lane);
}

void CompiledKernel::translate_control(const Op& op, Node& node) {
  for (const Region& region : op.regions) node.blocks.push_back(translate(region));
  const auto* const loop = std::get_if<Loop>(&op.payload);
  node.waits = op.kind == OpKind::kBarrier || (loop != nullptr && loop->is_mapped()) ||
               std::ranges::any_of(node.blocks, [](const Block& block) {
                 return std::ranges::any_of(block.nodes, &Node::waits);
               });
  if (op.kind == OpKind::kBarrier) {
    node.action = Action::kBarrier;
  } else if (op.kind == OpKind::kIf) {
    node.action = Action::kIf;
    for (size_t i = 0; i < 2; ++i)
      pair_up(op.results, op.regions[i].yields, 0, node.blocks[i].next);
  } else if (op.kind == OpKind::kLoop) {
    node.action = loop->is_mapped() ? Action::kGroups : Action::kLoop;
    const Region& body = op.regions[0];
    node.counter = slot_[body.arguments[0]];
    node.at = translate(loop->lower);
    node.upper = translate(loop->upper);
    node.stride = loop->step;
    pair_up(body.arguments, op.operands, 1, node.enter);
    pair_up(body.arguments, body.yields, 1, node.blocks[0].next);
    const std::vector<ValueId> carried(body.arguments.begin() + 1, body.arguments.end());
    pair_up(op.results, carried, 0, node.leave);
  } else {
    node.action = Action::kWhile;
    const Region &condition = op.regions[0], &body = op.regions[1];
    node.blocks[0].condition = slot_[condition.yields[0]];
    pair_up(condition.arguments, op.operands, 0, node.enter);
    pair_up(body.arguments, condition.arguments, 0, node.blocks[0].next);
    pair_up(condition.arguments, body.yields, 0, node.blocks[1].next);
    pair_up(op.results, condition.arguments, 0, node.leave);
  }
}

}  // namespace hlocc::kernel
