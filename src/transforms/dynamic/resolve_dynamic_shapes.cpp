// resolve_dynamic_shapes: an array of bounded run-time size becomes an array of its bound and one
// s32 size a dynamic dimension. Ops that look across such a dimension (reduce, dot, pad) see the
// elements behind the size replaced by what leaves no trace; elementwise ops compute on all, as
// what lies behind is never read. Lowering then knows static shapes only. Sizes do not cross loops
// and branches, nor the border: there the program must hand a size over itself.
#include <algorithm>
#include <set>

#include "ops/check/locate.h"
#include "support/text.h"
#include "transforms/build.h"
#include "transforms/dynamic/dynamic_positions.h"
#include "transforms/dynamic/dynamic_reductions.h"
#include "transforms/dynamic/dynamic_sizes.h"
#include "transforms/pass.h"

namespace hlocc::transforms {
namespace {

class Resolver {
 public:
  explicit Resolver(Rewriter& r) : r_(r), sizes_(r) {}

  InstructionId visit(const Instruction& i) {
    if (i.opcode == Opcode::kGetTupleElement && r_[i.operands[0]].opcode == Opcode::kTuple)
      return element(r_, i.operands[0], i.get<hlo::TupleIndexAttributes>().index);
    for (const Row& row : rows())
      if (row.opcode == i.opcode && (row.always || has_dynamic_operand(i)))
        return (this->*row.resolve)(i);
    if (hlo::info(i.opcode).family == hlo::Family::kElementwise && has_dynamic_operand(i))
      return elementwise(i);
    if (i.opcode == Opcode::kTuple) return gathered(i);
    if (has_dynamic_operand(i)) {
      for (const auto resolve : {resolve_reduction, resolve_positions})
        if (const InstructionId resolved = resolve(r_, sizes_, i); resolved != kNone)
          return resolved;
      return unsupported(i, cat(opcode_name(i.opcode), " of an array of run-time size"));
    }
    if (i.shape.has_dynamic_dimensions())
      return unsupported(i, "an array of run-time size that is not made by set-dimension-size");
    return kNone;
  }

  // The root must not carry sizes: nothing could hand them on.
  InstructionId check_root(InstructionId root) {
    if (has_sizes(root))
      unsupported(Instruction(r_[root]), "an array of run-time size as a result");
    return root;
  }

 private:
  struct Row {
    Opcode opcode;
    InstructionId (Resolver::*resolve)(const Instruction&);
    bool always = false;  // also without operands of run-time size
  };
  static std::span<const Row> rows() {
    static const Row table[] = {
        {Opcode::kSetDimensionSize, &Resolver::set_size, true},
        {Opcode::kGetDimensionSize, &Resolver::get_size, true},
        {Opcode::kDynamicReshape, &Resolver::reshape_to_sizes, true},
        {Opcode::kReshape, &Resolver::reshape_to_rest},
        {Opcode::kCopy, &Resolver::copied},
        {Opcode::kBitcastConvert, &Resolver::elementwise},
        {Opcode::kBroadcast, &Resolver::spread},
        {Opcode::kTranspose, &Resolver::turned},
        {Opcode::kSlice, &Resolver::sliced},
        {Opcode::kConcatenate, &Resolver::joined},
        {Opcode::kPad, &Resolver::padded},
        {Opcode::kReverse, &Resolver::reversed},
    };
    return table;
  }

  // Of the value, or of an element of the tuple that it is.
  bool has_sizes(InstructionId id) const { return sizes_.is_dynamic(id) || tuples_.contains(id); }
  bool has_dynamic_operand(const Instruction& i) const {
    return std::any_of(i.operands.begin(), i.operands.end(),
                       [&](InstructionId id) { return has_sizes(id); });
  }

  InstructionId unsupported(const Instruction& i, std::string what) {
    r_.fail(ops::locate(
        error(DiagnosticKind::kUnsupported, cat("has ", what))
            .note(
                "export the program with static shapes, or with a mask and a size as plain values"),
        r_.module(), r_.computation(), i));
    return i.operands.empty() ? default_value(r_, static_shape(i.shape)) : i.operands[0];
  }

  // The instruction on arrays of the bounds.
  InstructionId kept(const Instruction& i) {
    Instruction plain = i;
    plain.shape = static_shape(plain.shape);
    return r_.add(std::move(plain));
  }

  InstructionId gathered(const Instruction& i) {
    const bool dynamic = has_dynamic_operand(i);
    const InstructionId id = kept(i);
    if (dynamic) tuples_.insert(id);
    return id;
  }

  // A tuple is copied by handing it on.
  InstructionId copied(const Instruction& i) {
    return i.shape.is_tuple() ? i.operands[0] : elementwise(i);
  }

  InstructionId set_size(const Instruction& i) {
    const InstructionId x = i.operands[0];
    const int64_t d = i.get<hlo::DimensionsAttributes>().dimensions[0];
    const InstructionId bound = sizes_.s32(i.shape.dimensions[d]);
    Sizes sizes = sizes_.all(x);
    sizes[d] = i.shape.is_dynamic(static_cast<int>(d))
                   ? sizes_.larger(sizes_.s32(0), sizes_.smaller(i.operands[1], bound))
                   : kNone;
    // A view of its own, because sizes belong to one value.
    return sizes_.note(r_.add(hlo::make(Opcode::kReshape, static_shape(i.shape), {x})),
                       std::move(sizes));
  }

  InstructionId get_size(const Instruction& i) {
    return sizes_.value_of(i.operands[0], i.get<hlo::DimensionsAttributes>().dimensions[0]);
  }

  InstructionId reshape_to_sizes(const Instruction& i) {
    Sizes sizes;
    for (size_t d = 0; d < i.shape.dimensions.size(); ++d) {
      const InstructionId bound = sizes_.s32(i.shape.dimensions[d]);
      const bool dynamic = i.shape.is_dynamic(static_cast<int>(d));
      sizes.push_back(
          dynamic ? sizes_.larger(sizes_.s32(0), sizes_.smaller(i.operands[1 + d], bound)) : kNone);
    }
    return dynamic_reshape(r_, sizes_, i.operands[0], i.shape.dimensions, std::move(sizes));
  }

  // One dynamic dimension of the result takes what the static ones leave.
  InstructionId reshape_to_rest(const Instruction& i) {
    const InstructionId x = i.operands[0];
    InstructionId total = sizes_.s32(1);
    for (int64_t d = 0; d < r_.shape(x).rank(); ++d)
      total = sizes_.multiply(total, sizes_.value_of(x, d));
    int64_t fixed = 1;
    Sizes sizes(i.shape.dimensions.size(), kNone);
    int open = -1;
    for (int d = 0; d < i.shape.rank(); ++d) {
      if (!i.shape.is_dynamic(d))
        fixed *= i.shape.dimensions[d];
      else if (open >= 0)
        return unsupported(i, "a reshape to several run-time sizes");
      else
        open = d;
    }
    if (open >= 0) sizes[open] = sizes_.divide(total, sizes_.s32(std::max<int64_t>(fixed, 1)));
    return dynamic_reshape(r_, sizes_, x, i.shape.dimensions, std::move(sizes));
  }

  // Operands of one bound may have different sizes: the smallest is what all of them mean.
  InstructionId elementwise(const Instruction& i) {
    if (i.opcode == Opcode::kBitcastConvert && i.shape.rank() != r_.shape(i.operands[0]).rank())
      return unsupported(
          i, "a bitcast-convert of run-time size that changes the number of dimensions");
    Sizes sizes(i.shape.dimensions.size(), kNone);
    for (InstructionId operand : i.operands) {
      for (size_t d = 0; d < sizes.size(); ++d) {
        const InstructionId size = sizes_.of(operand, static_cast<int64_t>(d));
        if (size == kNone || size == sizes[d]) continue;
        sizes[d] = sizes[d] == kNone ? size : sizes_.smaller(sizes[d], size);
      }
    }
    return sizes_.note(kept(i), std::move(sizes));
  }

  InstructionId spread(const Instruction& i) {
    Sizes sizes(i.shape.dimensions.size(), kNone);
    const Dimensions mapping = i.get<hlo::DimensionsAttributes>().dimensions;
    for (size_t d = 0; d < mapping.size(); ++d)
      sizes[mapping[d]] = sizes_.of(i.operands[0], static_cast<int64_t>(d));
    return sizes_.note(kept(i), std::move(sizes));
  }

  InstructionId turned(const Instruction& i) {
    Sizes sizes;
    for (int64_t d : i.get<hlo::DimensionsAttributes>().dimensions)
      sizes.push_back(sizes_.of(i.operands[0], d));
    return sizes_.note(kept(i), std::move(sizes));
  }

  InstructionId sliced(const Instruction& i) {
    const InstructionId x = i.operands[0];
    const auto& slice = i.get<hlo::SliceAttributes>();
    Sizes sizes(i.shape.dimensions.size(), kNone);
    for (size_t d = 0; d < sizes.size(); ++d) {
      const InstructionId size = sizes_.of(x, static_cast<int64_t>(d));
      if (size == kNone) continue;
      const bool to_end = slice.limits[d] == r_.shape(x).dimensions[d];
      const InstructionId limit = to_end ? size : sizes_.smaller(size, sizes_.s32(slice.limits[d]));
      const InstructionId extent =
          sizes_.larger(sizes_.subtract(limit, sizes_.s32(slice.starts[d])), sizes_.s32(0));
      sizes[d] = sizes_.divide(sizes_.add(extent, sizes_.s32(slice.strides[d] - 1)),
                               sizes_.s32(slice.strides[d]));
    }
    return sizes_.note(kept(i), std::move(sizes));
  }

  // Parts are written one after the other, each over what lay behind the size of the one before.
  InstructionId joined(const Instruction& i) {
    const int64_t along = i.get<hlo::DimensionsAttributes>().dimensions[0];
    InstructionId result = zeros(r_, i.shape.element_type, i.shape.dimensions),
                  start = sizes_.s32(0);
    const InstructionId zero = sizes_.s32(0);
    Sizes sizes(i.shape.dimensions.size(), kNone);
    for (InstructionId part : i.operands) {
      for (int64_t d = 0; d < i.shape.rank(); ++d)
        if (sizes[d] == kNone) sizes[d] = sizes_.of(part, d);
      std::vector<InstructionId> operands{result, part};
      for (int64_t d = 0; d < i.shape.rank(); ++d) operands.push_back(d == along ? start : zero);
      result = r_.add(Opcode::kDynamicUpdateSlice, std::move(operands));
      start = sizes_.add(start, sizes_.value_of(part, along));
    }
    if (i.shape.is_dynamic(static_cast<int>(along))) sizes[along] = start;
    return sizes_.note(result, std::move(sizes));
  }

  InstructionId padded(const Instruction& i) {
    Instruction plain = i;
    const InstructionId x = i.operands[0];
    Sizes sizes(i.shape.dimensions.size(), kNone);
    const auto& dimensions = i.get<hlo::PadAttributes>().dimensions;
    for (size_t d = 0; d < sizes.size(); ++d) {
      const InstructionId size = sizes_.of(x, static_cast<int64_t>(d));
      if (size == kNone) continue;
      const InstructionId holes =
          sizes_.multiply(sizes_.larger(sizes_.subtract(size, sizes_.s32(1)), sizes_.s32(0)),
                          sizes_.s32(dimensions[d].interior));
      const InstructionId edges = sizes_.s32(dimensions[d].low + dimensions[d].high);
      sizes[d] = sizes_.larger(sizes_.add(sizes_.add(size, holes), edges), sizes_.s32(0));
    }
    plain.operands[0] = sizes_.masked(x, i.operands[1], counting(i.shape.rank()));
    return sizes_.note(kept(plain), std::move(sizes));
  }

  // Reversed with the bound, then moved so that what was behind the size is behind it again.
  InstructionId reversed(const Instruction& i) {
    InstructionId result = kept(i);
    const InstructionId zero = sizes_.s32(0);
    for (int64_t along : i.get<hlo::DimensionsAttributes>().dimensions) {
      const InstructionId size = sizes_.of(i.operands[0], along);
      if (size == kNone) continue;
      const Dimensions box = r_.shape(result).dimensions;
      std::vector<InstructionId> operands{concatenate(r_, {result, result}, along)};
      for (int64_t d = 0; d < i.shape.rank(); ++d)
        operands.push_back(d == along ? sizes_.subtract(sizes_.s32(box[along]), size) : zero);
      result = r_.add(Opcode::kDynamicSlice, std::move(operands), hlo::DynamicSliceAttributes{box});
    }
    return sizes_.note(result, sizes_.all(i.operands[0]));
  }

  Rewriter& r_;
  SizeMap sizes_;
  std::set<InstructionId> tuples_;  // that have an element of run-time size, however deep
};

bool has_dynamic_shapes(const Computation& computation) {
  return std::any_of(computation.instructions.begin(), computation.instructions.end(),
                     [](const Instruction& i) {
                       return i.shape.has_dynamic_dimensions() ||
                              hlo::info(i.opcode).family == hlo::Family::kDynamic;
                     });
}

}  // namespace

Status resolve_dynamic_shapes(hlo::Module& module, const PassContext&) {
  for (ComputationId id : hlo::computation_order(module)) {
    if (!has_dynamic_shapes(module.computations[id])) continue;
    std::optional<Resolver> resolver;
    const Rule rule = [&](Rewriter& r, const Instruction& i) {
      if (!resolver) resolver.emplace(r);
      return resolver->visit(i);
    };
    HLOCC_TRY(Rewriter(module, id, rule).run([&](Rewriter&, InstructionId root) {
      return resolver->check_root(root);
    }));
  }
  hlo::compact(module);
  return {};
}

}  // namespace hlocc::transforms
