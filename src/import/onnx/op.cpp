// See op.h.
#include "import/onnx/op.h"

#include <algorithm>
#include <cmath>

#include "import/build/numbers.h"
#include "support/text.h"

namespace hlocc::import::onnx {

Op::Op(Scope& scope, const Node& node)
    : b(scope.session().b), scope_(scope), node_(node), opset_(0) {
  const auto found = scope.opsets().find("");
  if (found != scope.opsets().end()) opset_ = found->second;
}

const std::string& Op::input_name(int i) const {
  static const std::string left_out;
  return i < inputs() ? node_.inputs[i] : left_out;
}

Result<std::vector<int64_t>> Op::integers(int i, const char* what) const {
  if (!has(i)) return wrong(cat("has no operand that gives ", what));
  const std::optional<Literal> literal = known(i);
  if (!literal) return not_known(i, what);
  if (!hlo::is_integer(literal->type())) return wrong(cat(what, " is no integer"));
  return integers_of(*literal);
}

Result<std::vector<double>> Op::reals(int i, const char* what) const {
  if (!has(i)) return wrong(cat("has no operand that gives ", what));
  const std::optional<Literal> literal = known(i);
  if (!literal) return not_known(i, what);
  std::optional<std::vector<double>> out = reals_of(*literal);
  if (!out) return wrong(cat(what, " is no float"));
  return std::move(*out);
}

Result<int64_t> Op::one_integer(int i, const char* what) const {
  HLOCC_TRY_ASSIGN(const std::vector<int64_t> all, integers(i, what));
  if (all.size() != 1) return wrong(cat(what, " is no single number"));
  return all[0];
}

std::optional<double> Op::known_number(int i) const {
  const std::optional<Literal> literal = known(i);
  if (!literal || literal->element_count() != 1) return std::nullopt;
  if (hlo::is_integer(literal->type())) return static_cast<double>(hlo::integer_at(*literal, 0));
  const std::optional<std::vector<double>> reals = reals_of(*literal);
  return reals && !std::isnan((*reals)[0]) ? std::optional((*reals)[0]) : std::nullopt;
}

Result<int64_t> Op::axis(int64_t given, int64_t rank) const {
  if (given < -rank || given >= rank)
    return wrong(cat("axis ", given, " of an array of ", rank, " dimensions"));
  return given < 0 ? given + rank : given;
}

Result<Dimensions> Op::axes(const std::vector<int64_t>& given, int64_t rank) const {
  Dimensions out;
  for (const int64_t one : given) {
    HLOCC_TRY_ASSIGN(const int64_t one_axis, axis(one, rank));
    out.push_back(one_axis);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

const Attribute* Op::attribute(const char* name) const {
  asked_.insert(name);
  for (const Attribute& one : node_.attributes) {
    if (one.name != name) continue;
    if (one.reference.empty()) return &one;
    const auto* given = scope_.attributes;
    if (given == nullptr) {
      b.fail(error(DiagnosticKind::kStructure,
                   cat(one.path, ".ref_attr_name: attribute ", name, " refers to \"", one.reference,
                       "\", and stands in no function")));
      return nullptr;
    }
    const auto found = given->find(one.reference);
    return found == given->end() ? nullptr : found->second;
  }
  return nullptr;
}

const Attribute* Op::typed(const char* name, Attribute::Type type) const {
  const Attribute* one = attribute(name);
  if (one == nullptr || one->type == type) return one;
  b.fail(error(DiagnosticKind::kFormat, cat(one->path, ".type: attribute ", name, " is of type ",
                                            one->type, ", not ", static_cast<int>(type))));
  return nullptr;
}

int64_t Op::integer(const char* name, int64_t missing) const {
  const Attribute* one = typed(name, Attribute::kInteger);
  return one != nullptr ? one->i : missing;
}

float Op::real(const char* name, float missing) const {
  const Attribute* one = typed(name, Attribute::kFloat);
  return one != nullptr ? one->f : missing;
}

std::string Op::text(const char* name, const char* missing) const {
  const Attribute* one = typed(name, Attribute::kText);
  return one != nullptr ? one->s : missing;
}

std::vector<int64_t> Op::integers(const char* name) const {
  const Attribute* one = typed(name, Attribute::kIntegers);
  return one != nullptr ? one->ints : std::vector<int64_t>();
}

std::vector<float> Op::reals(const char* name) const {
  const Attribute* one = typed(name, Attribute::kFloats);
  return one != nullptr ? one->floats : std::vector<float>();
}

std::vector<std::string> Op::texts(const char* name) const {
  const Attribute* one = typed(name, Attribute::kTexts);
  return one != nullptr ? one->texts : std::vector<std::string>();
}

const Graph* Op::graph(const char* name) const {
  const Attribute* one = typed(name, Attribute::kGraph);
  return one != nullptr ? one->graph.get() : nullptr;
}

const Attribute* Op::unread() const {
  for (const Attribute& one : node_.attributes)
    if (!asked_.contains(one.name)) return &one;
  return nullptr;
}

void Op::set(int i, InstructionId id) const {
  if (wants(i)) scope_.set(node_.outputs[i], id);
}

Result<Dimensions> Op::common_sizes(int first, int last) const {
  std::optional<Dimensions> all = Dimensions();
  for (int i = first; i < last && all; ++i) all = broadcast_sizes(*all, sizes(i));
  if (all) return std::move(*all);
  std::vector<std::string> shapes;
  for (int i = first; i < last; ++i) shapes.push_back(cat(b.shape(value(i))));
  return wrong(cat("operands ", join(shapes, ", "), " do not broadcast"));
}

std::string Op::layer() const {
  if (!node_.name.empty()) return node_.name;
  for (const std::string& output : node_.outputs)
    if (!output.empty()) return output;
  return "";
}

std::string Op::who() const {
  return cat(node_.path, " (", name_of(node_), " \"", layer(), "\", opset ", opset_, ")");
}

Diagnostic Op::located(Diagnostic why) const {
  if (!why.message.starts_with("graph.") && !why.message.starts_with("functions["))
    why.message = cat(who(), ": ", why.message);
  return why;
}

Diagnostic Op::unsupported(const std::string& what) const {
  return error(DiagnosticKind::kUnsupported, cat(who(), ": ", what));
}

Diagnostic Op::wrong(const std::string& what) const {
  return error(DiagnosticKind::kStructure, cat(who(), ": ", what));
}

Diagnostic Op::unsupported_types() const {
  std::vector<std::string> types;
  for (int i = 0; i < inputs(); ++i)
    if (has(i)) types.push_back(cat(type(i)));
  return unsupported(cat("element types (", join(types, ", "), ") are not read"));
}

Diagnostic Op::not_known(int i, const char* what) const {
  Diagnostic out =
      unsupported(cat(what, " (\"", input_name(i), "\") is computed when the model runs"));
  const auto input = session().inputs.find(value(i));
  // Numbers of instructions are those of their own computation.
  if (session().computation == 0 && input != session().inputs.end())
    return std::move(out).note(
        cat("it is an argument: --freeze ", input->second, "=FILE.npy makes it a constant"));
  return std::move(out).note(
      "shapes must be known when the model is compiled: a constant helps, or --freeze "
      "NAME=FILE.npy of the arguments that it is computed from");
}

Status Op::require_rank(int i, int wanted) const {
  if (rank(i) == wanted) return {};
  return wrong(
      cat("operand ", i, " (\"", input_name(i), "\") has ", rank(i), " dimensions, not ", wanted));
}

}  // namespace hlocc::import::onnx
