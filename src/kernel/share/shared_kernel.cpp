// Puts numbers and expressions back where a skeleton has places. What can be calculated once stands
// at the head of the kernel; a scale that became a parameter is a multiplication where the value it
// scales is defined, so that no loop within multiplies.
#include "kernel/share/shared_kernel.h"

#include <algorithm>
#include <map>

#include "kernel/program.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

class Filler {
 public:
  Filler(const Skeleton& skeleton, const Relations& relations)
      : skeleton_(skeleton), relations_(relations), kernel_(skeleton.kernel) {}

  Kernel run() {
    for (size_t i = 0; i < relations_.parameters.size(); ++i) {
      kernel_.parameters.push_back(new_value({Scalar::kIndex, 1}));
      parameters_.push_back(kernel_.parameters.back());
    }
    collect_products(kernel_.body);
    for (const ValueId given : skeleton_.kernel.parameters) multiply(given, head_);
    fill(kernel_.body);
    std::vector<Op>& ops = kernel_.body.ops;
    ops.insert(ops.begin(), head_.begin(), head_.end());
    return std::move(kernel_);
  }

 private:
  using Products = std::map<std::pair<ValueId, int>, ValueId>;

  const Expression& at(int64_t place) const { return relations_.of[place]; }

  ValueId new_value(Type type) {
    kernel_.types.push_back(type);
    return static_cast<ValueId>(kernel_.types.size()) - 1;
  }

  // --- which values are multiplied with which parameters ---
  void collect(const Affine& affine) {
    for (const Affine::Term& term : affine.terms)
      for (const Expression::Term& factor : at(term.scale).terms)
        products_[{term.value, factor.parameter}] = kNone;
  }
  void collect_products(const Region& region) {
    for (const Op& op : region.ops) {
      if (const auto* access = std::get_if<Access>(&op.payload)) collect(access->at);
      if (const auto* loop = std::get_if<Loop>(&op.payload)) {
        collect(loop->lower);
        collect(loop->upper);
      }
      for (const Region& inner : op.regions) collect_products(inner);
    }
  }

  void multiply(ValueId value, std::vector<Op>& ops) {
    for (auto product = products_.lower_bound({value, 0});
         product != products_.end() && product->first.first == value; ++product) {
      product->second = new_value({Scalar::kIndex, 1});
      ops.push_back({.kind = OpKind::kMul,
                     .operands = {value, parameters_[product->first.second]},
                     .results = {product->second}});
    }
  }

  // --- numbers back in their places ---
  Affine fill(const Affine& affine) const {
    Affine out;
    const auto add = [&](const Expression& expression, ValueId value) {
      for (const auto& [parameter, factor] : expression.terms)
        out = out.plus(Affine::of(
            value == kNone ? parameters_[parameter] : products_.at({value, parameter}), factor));
      out = out.plus(value == kNone ? Affine::constant(expression.offset)
                                    : Affine::of(value, expression.offset));
    };
    for (const Affine::Term& term : affine.terms) add(at(term.scale), term.value);
    add(at(affine.offset), kNone);
    return out;
  }

  ValueId head_constant(Type type, int64_t bits) {
    const ValueId value = new_value(type);
    head_.push_back({.kind = OpKind::kConstant,
                     .results = {value},
                     .payload = Constant{{static_cast<uint64_t>(bits)}}});
    return value;
  }
  ValueId head_op(OpKind kind, Type type, std::vector<ValueId> operands) {
    const ValueId value = new_value(type);
    head_.push_back({.kind = kind, .operands = std::move(operands), .results = {value}});
    return value;
  }

  // A scalar constant that became an expression.
  ValueId at_head(Type type, const Expression& e) {
    const Type index{Scalar::kIndex, 1};
    if (const auto known = made_.find({type.scalar, e}); known != made_.end()) return known->second;
    ValueId value = kNone;
    for (const auto& [parameter, factor] : e.terms) {
      ValueId part = parameters_[parameter];
      if (factor != 1) part = head_op(OpKind::kMul, index, {part, head_constant(index, factor)});
      value = value == kNone ? part : head_op(OpKind::kAdd, index, {value, part});
    }
    if (type != index) {
      value = head_op(OpKind::kNativeConvert, {Scalar::kU32, 1}, {value});
      if (type.scalar != Scalar::kU32) value = head_op(OpKind::kBitcast, type, {value});
    } else if (e.offset != 0) {
      value = head_op(OpKind::kAdd, index, {value, head_constant(index, e.offset)});
    }
    return made_[{type.scalar, e}] = value;
  }

  // True if the constant stays one.
  bool fill_constant(Op& op) {
    if (!skeleton_.numbered[op.result()]) return true;
    uint64_t& bits = std::get<Constant>(op.payload).lanes[0];
    const Expression& expression = at(static_cast<int64_t>(bits));
    bits = static_cast<uint64_t>(expression.offset);
    if (expression.is_number()) return true;
    renamed_[op.result()] = at_head(kernel_.type(op.result()), expression);
    return false;
  }

  void rename(ValueId& value) const {
    const auto known = renamed_.find(value);
    if (known != renamed_.end()) value = known->second;
  }

  // A multiplication with 1 or an addition of 0 that stands for a form which others of the
  // skeleton have: its result is the other operand. The constant is the op before.
  bool drop_neutral(const Op& op, std::vector<Op>& ops) {
    const bool sum = op.kind == OpKind::kAdd;
    if ((!sum && op.kind != OpKind::kMul) || kernel_.type(op.result()).scalar != Scalar::kIndex)
      return false;
    if (ops.empty() || ops.back().kind != OpKind::kConstant ||
        ops.back().result() != op.operands[1] ||
        std::get<Constant>(ops.back().payload).lanes[0] != (sum ? 0 : 1))
      return false;
    ops.pop_back();
    renamed_[op.result()] = op.operands[0];
    return true;
  }

  void fill_op(Op& op) {
    if (auto* const access = std::get_if<Access>(&op.payload)) {
      access->at = fill(access->at);
      for (ValueId* const value :
           {&access->stored, &access->lane_indices, &access->mask, &access->otherwise})
        if (*value != kNone) rename(*value);
    }
    if (auto* const loop = std::get_if<Loop>(&op.payload)) {
      loop->lower = fill(loop->lower);
      loop->upper = fill(loop->upper);
    }
    for (Region& inner : op.regions) fill(inner);
  }

  void fill(Region& region) {
    std::vector<Op> ops;
    for (const ValueId argument : region.arguments) multiply(argument, ops);
    for (Op& op : region.ops) {
      if (op.kind == OpKind::kConstant && !fill_constant(op)) continue;
      for (ValueId& operand : op.operands) rename(operand);
      if (drop_neutral(op, ops)) continue;
      fill_op(op);
      const std::vector<ValueId> results = op.results;
      ops.push_back(std::move(op));
      for (const ValueId result : results) multiply(result, ops);
    }
    for (ValueId& value : region.yields) rename(value);
    region.ops = std::move(ops);
  }

  const Skeleton& skeleton_;
  const Relations& relations_;
  Kernel kernel_;
  std::vector<ValueId> parameters_;                        // by parameter of the relations
  Products products_;                                      // by value and parameter
  std::vector<Op> head_;                                   // what the kernel begins with
  std::map<std::pair<Scalar, Expression>, ValueId> made_;  // at the head
  std::map<ValueId, ValueId> renamed_;
};

// convolution_2, convolution_4 -> convolution_2_4. Of many, only the first ones are named: a name
// is a symbol, and stands beside each launch.
std::string common_name(std::span<const Skeleton* const> alike) {
  constexpr size_t kMostNamed = 16;
  const std::string& first = alike[0]->kernel.name;
  const std::string stem = first.substr(0, first.rfind('_') + 1);
  std::string name = first;
  for (size_t i = 1; i < std::min(alike.size(), kMostNamed); ++i) {
    const std::string& other = alike[i]->kernel.name;
    name += '_';
    name += other.starts_with(stem) ? other.substr(stem.size()) : other;
  }
  if (alike.size() > kMostNamed) name += cat("_and_", alike.size() - kMostNamed);
  return name;
}

}  // namespace

Kernel make_shared_kernel(std::span<const Skeleton* const> alike, const Relations& relations) {
  Kernel kernel = Filler(*alike[0], relations).run();
  kernel.name = common_name(alike);
  kernel.origin.clear();
  for (const Skeleton* const one : alike)
    kernel.origin.insert(kernel.origin.end(), one->kernel.origin.begin(), one->kernel.origin.end());
  for (Buffer& buffer : kernel.buffers) {
    if (buffer.direction == Direction::kScratch && buffer.space != Space::kArena) continue;
    const int64_t place = buffer.elements;
    buffer.elements = 0;
    for (const Skeleton* const one : alike)
      buffer.elements = std::max(buffer.elements, one->integers[place]);
  }
  return kernel;
}

}  // namespace hlocc::kernel
