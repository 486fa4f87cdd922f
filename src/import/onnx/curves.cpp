// See curves.h.
#include "import/onnx/curves.h"

#include <algorithm>

#include "support/text.h"

namespace hlocc::import::onnx {
namespace {

struct CurveRow {
  const char* name;
  float alpha, beta;
  int parameters;
  InstructionId (*of)(Builder&, const Curve&, InstructionId);
};

InstructionId affine(Builder& b, const Curve& c, InstructionId x) {
  return b.with(Opcode::kAdd, b.with(Opcode::kMultiply, x, c.alpha), c.beta);
}
InstructionId relu(Builder& b, const Curve&, InstructionId x) {
  return b.with(Opcode::kMaximum, x, 0);
}
InstructionId leaky_relu(Builder& b, const Curve& c, InstructionId x) {
  const InstructionId is_below = b.compare(x, b.like(x, 0), hlo::Direction::kLt);
  return b.select(is_below, b.with(Opcode::kMultiply, x, c.alpha), x);
}
InstructionId thresholded(Builder& b, const Curve& c, InstructionId x) {
  return b.select(b.compare(x, b.like(x, c.alpha), hlo::Direction::kGt), x, b.like(x, 0));
}
InstructionId tanh(Builder& b, const Curve&, InstructionId x) { return b.math(Opcode::kTanh, x); }
InstructionId scaled_tanh(Builder& b, const Curve& c, InstructionId x) {
  const InstructionId y = b.math(Opcode::kTanh, b.with(Opcode::kMultiply, x, c.beta));
  return b.with(Opcode::kMultiply, y, c.alpha);
}
InstructionId sigmoid(Builder& b, const Curve&, InstructionId x) {
  return b.math(Opcode::kLogistic, x);
}
InstructionId hard_sigmoid(Builder& b, const Curve& c, InstructionId x) {
  return b.clamp(affine(b, c, x), 0, 1);
}
InstructionId elu(Builder& b, const Curve& c, InstructionId x) {
  const InstructionId low = b.with(Opcode::kMultiply, b.math(Opcode::kExpm1, x), c.alpha);
  return b.select(b.compare(x, b.like(x, 0), hlo::Direction::kLt), low, x);
}
InstructionId softsign(Builder& b, const Curve&, InstructionId x) {
  return b.binary(Opcode::kDivide, x, b.with(Opcode::kAdd, b.unary(Opcode::kAbs, x), 1));
}
InstructionId softplus(Builder& b, const Curve&, InstructionId x) {
  const InstructionId low = b.unary(Opcode::kNegate, b.unary(Opcode::kAbs, x));
  return b.binary(Opcode::kAdd, b.with(Opcode::kMaximum, x, 0),
                  b.math(Opcode::kLog1p, b.math(Opcode::kExp, low)));
}

constexpr CurveRow curve_rows[] = {
    {"affine", 1, 0, 2, affine},
    {"elu", 1, 0, 1, elu},
    {"hardsigmoid", 0.2f, 0.5f, 2, hard_sigmoid},
    {"leakyrelu", 0.01f, 0, 1, leaky_relu},
    {"relu", 0, 0, 0, relu},
    {"scaledtanh", 1, 1, 2, scaled_tanh},
    {"sigmoid", 0, 0, 0, sigmoid},
    {"softplus", 0, 0, 0, softplus},
    {"softsign", 0, 0, 0, softsign},
    {"tanh", 0, 0, 0, tanh},
    {"thresholdedrelu", 1, 0, 1, thresholded},
};

const CurveRow* row_of(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const CurveRow& row : curve_rows)
    if (name == row.name) return &row;
  return nullptr;
}

}  // namespace

Result<std::vector<Curve>> curves_of(const Op& op, const std::vector<std::string>& missing,
                                     size_t directions) {
  std::vector<std::string> names = op.texts("activations");
  const std::vector<float> alphas = op.reals("activation_alpha"),
                           betas = op.reals("activation_beta");
  const size_t wanted = missing.size() * directions;
  const bool are_given = !names.empty();
  while (!are_given && names.size() < wanted)
    names.insert(names.end(), missing.begin(), missing.end());
  if (names.size() != wanted)
    return op.wrong(cat("has ", names.size(), " activations, not ", wanted));
  std::vector<Curve> out;
  size_t alpha = 0, beta = 0;
  for (const std::string& name : names) {
    const CurveRow* row = row_of(name);
    if (row == nullptr) return op.unsupported(cat("activation \"", name, "\""));
    Curve curve{name, row->alpha, row->beta};
    // Parameters stand one after the other, for those activations that have them.
    if (row->parameters > 0 && alpha < alphas.size()) curve.alpha = alphas[alpha++];
    if (row->parameters > 1 && beta < betas.size()) curve.beta = betas[beta++];
    out.push_back(std::move(curve));
  }
  return out;
}

InstructionId curved(Builder& b, const Curve& curve, InstructionId x) {
  return row_of(curve.name)->of(b, curve, x);
}

}  // namespace hlocc::import::onnx
