// See weight_arguments.h. One walk in the order of the instructions, into calls, says of every
// value which leaf it is a view of and whether it depends on an argument at all.
#include "driver/pipeline/weight_arguments.h"

#include <algorithm>

#include "hlo/leaves.h"
#include "package/names.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using hlo::Computation, hlo::Instruction, hlo::Opcode;

// Calls of calls of calls: deeper than any program that a front end writes.
constexpr int kDeepest = 16;

struct Value {
  int leaf = -1;        // the first leaf that this is, or is a view of; -1: computed
  int leaves = 1;       // of a tuple: how many
  bool varies = false;  // depends on an argument
};

bool is_view(Opcode opcode) {
  switch (opcode) {
    case Opcode::kReshape:
    case Opcode::kTranspose:
    case Opcode::kCopy:
    case Opcode::kBitcast:
    case Opcode::kBroadcast:
    case Opcode::kConvert:
    case Opcode::kReverse: return true;
    default: return false;
  }
}

class Uses {
 public:
  explicit Uses(size_t leaves) : rows_(leaves) {}

  Value walk(const hlo::Module& module, const Computation& computation,
             const std::vector<Value>& parameters, int depth) {
    std::vector<Value> values(computation.instructions.size());
    for (size_t i = 0; i < values.size(); ++i) {
      const Instruction& one = computation.instructions[i];
      if (one.opcode == Opcode::kParameter)
        values[i] = parameters[static_cast<size_t>(one.get<hlo::ParameterAttributes>().number)];
      else
        values[i] = value_of(module, computation, one, values, depth);
    }
    return values[static_cast<size_t>(computation.root)];
  }

  // Of a leaf: it has weights' uses and no others.
  bool is_weights(int leaf) {
    settle();
    const Row& row = rows_[static_cast<size_t>(leaf)];
    return row.as_weights && !row.otherwise;
  }
  void use_otherwise(const Value& value) {
    for (int i = 0; value.leaf >= 0 && i < value.leaves; ++i)
      rows_[static_cast<size_t>(value.leaf + i)].otherwise = true;
  }

 private:
  struct Row {
    bool as_weights = false, otherwise = false;
  };
  struct Pair {
    Value left, right;
  };

  void use_as_weights(const Value& value) {
    rows_[static_cast<size_t>(value.leaf)].as_weights = true;
  }

  Value value_of(const hlo::Module& module, const Computation& computation, const Instruction& one,
                 const std::vector<Value>& values, int depth) {
    std::vector<Value> operands;
    for (const hlo::InstructionId id : one.operands)
      operands.push_back(values[static_cast<size_t>(id)]);
    if (is_view(one.opcode)) return operands[0];
    if (one.opcode == Opcode::kGetTupleElement && operands[0].leaf >= 0)
      return element_of(computation, one, operands[0]);
    if (one.opcode == Opcode::kCall && depth < kDeepest)
      return walk(module, module.computations[static_cast<size_t>(one.called[0])], operands,
                  depth + 1);
    if (one.opcode == Opcode::kConvolution) {
      use_otherwise(operands[0]);
      if (operands[1].leaf >= 0) use_as_weights(operands[1]);
      has_filters_ = has_filters_ || operands[1].leaf >= 0;
    } else if (one.opcode == Opcode::kDot && one.get<hlo::DotAttributes>().lhs_batch.empty()) {
      use_in_product(operands[0], operands[1]);
    } else {
      for (const Value& operand : operands) use_otherwise(operand);
    }
    return {-1, 1, std::ranges::any_of(operands, &Value::varies)};
  }

  // A leaf of a tuple's.
  static Value element_of(const Computation& computation, const Instruction& one, Value tuple) {
    const auto index = static_cast<size_t>(one.get<hlo::TupleIndexAttributes>().index);
    const hlo::Shape& shape = computation.operand(one, 0).shape;
    for (size_t before = 0; before < index; ++before)
      tuple.leaf += static_cast<int>(hlo::leaf_count(shape.tuple[before]));
    tuple.leaves = static_cast<int>(hlo::leaf_count(shape.tuple[index]));
    return tuple;
  }

  void use_in_product(const Value& left, const Value& right) {
    if (left.leaf >= 0 && right.leaf >= 0) {
      open_.push_back({left, right});
    } else if (right.leaf >= 0 && left.varies) {
      ++on_the_right_;
      use_as_weights(right);
    } else if (left.leaf >= 0 && right.varies) {
      ++on_the_left_;
      use_as_weights(left);
    } else {
      use_otherwise(left);
      use_otherwise(right);
    }
  }

  // Two arguments that meet each other: the side where weights stand elsewhere is weights.
  void settle() {
    const bool right = on_the_right_ > on_the_left_ || (has_filters_ && on_the_left_ == 0);
    const bool left = on_the_left_ > on_the_right_;
    for (const Pair& pair : open_) {
      if (right || left) use_as_weights(right ? pair.right : pair.left);
      if (!right) use_otherwise(pair.right);
      if (!left) use_otherwise(pair.left);
    }
    open_.clear();
  }

  std::vector<Row> rows_;
  std::vector<Pair> open_;
  int on_the_left_ = 0, on_the_right_ = 0;
  bool has_filters_ = false;
};

// Whether each leaf of the entry's parameters is donated.
std::vector<bool> donated_leaves(const hlo::Module& module) {
  std::vector<bool> out;
  for (size_t p = 0; p < module.entry_parameters.size(); ++p) {
    const bool is_donated = std::ranges::any_of(module.aliases, [&](const hlo::Alias& alias) {
      return alias.parameter == static_cast<int64_t>(p);
    });
    out.insert(out.end(), hlo::leaf_count(module.entry_parameters[p]), is_donated);
  }
  return out;
}

}  // namespace

std::vector<int> weight_arguments(const hlo::Module& module) {
  std::vector<int> out;
  const std::vector<bool> donated = donated_leaves(module);
  if (module.entry == hlo::kNone) return out;
  std::vector<Value> parameters;
  int first = 0;
  for (const hlo::Shape& shape : module.entry_parameters) {
    const int leaves = static_cast<int>(hlo::leaf_count(shape));
    parameters.push_back({first, leaves, true});
    first += leaves;
  }
  Uses uses(donated.size());
  const Value root = uses.walk(module, module.entry_computation(), parameters, 0);
  uses.use_otherwise(root);
  for (size_t leaf = 0; leaf < donated.size(); ++leaf)
    if (!donated[leaf] && uses.is_weights(static_cast<int>(leaf)))
      out.push_back(static_cast<int>(leaf));
  // Something is the input.
  if (out.size() == donated.size()) out.clear();
  return out;
}

std::string note_of_weight_arguments(const hlo::Module& module) {
  const std::vector<int> leaves = weight_arguments(module);
  if (leaves.empty()) return "";
  const std::vector<std::string> all = package::leaf_names(module).arguments;
  std::vector<std::string> names;
  for (const int leaf : leaves) names.push_back(all[static_cast<size_t>(leaf)]);
  return cat(names.size() == 1 ? "the argument " : "the arguments ", join(names, ", "),
             names.size() == 1 ? " is" : " are",
             " weights that every run is given, in RAM; constants lie in flash: lower a function "
             "that holds them (jax.jit(lambda x: f(params, x)).lower(x)), or --freeze "
             "NAME=FILE.npy, or --freeze 'PATTERN' --from SNAPSHOT");
}

}  // namespace hlocc::driver
