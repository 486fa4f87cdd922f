// See import.h.
#include "import/onnx/import.h"

#include <algorithm>

#include "import/check_shape.h"
#include "import/file.h"
#include "import/npy.h"
#include "import/onnx/graph.h"
#include "import/onnx/interface.h"
#include "import/structure.h"
#include "support/text.h"

namespace hlocc::import::onnx {
namespace {

constexpr int64_t kNewestOpset = 23;

class ModuleBuilder {
 public:
  ModuleBuilder(const Model& model, const Choices& choices, ExternalData& external, Read& out)
      : model_(model),
        choices_(choices),
        out_(out),
        builder_(out.module),
        session_(model, builder_, external),
        dimensions_(choices.dimensions) {}

  Status build() {
    HLOCC_TRY(check_opsets(model_.opsets, "opset_import"));
    for (const Function& function : model_.functions)
      HLOCC_TRY(check_opsets(function.opsets, function.path + ".opset_import"));
    HLOCC_TRY(dimensions_.check_names(model_.graph));
    Scope scope(session_, model_.opsets, nullptr);
    builder_.begin("main");
    for (const ValueInfo& input : model_.graph.inputs) HLOCC_TRY(add_input(scope, input));
    HLOCC_TRY(scope.enter(model_.graph));
    return add_outputs(scope);
  }

 private:
  Status check_opsets(const Opsets& opsets, const std::string& path) {
    const auto found = opsets.find("");
    if (found == opsets.end() || found->second <= kNewestOpset) return {};
    return error(DiagnosticKind::kUnsupported, cat(path, " asks for opset ", found->second,
                                                   "; the newest that is read is ", kNewestOpset))
        .note(cat("exporters take an opset_version; onnx.version_converter.convert_version(model, ",
                  kNewestOpset, ") writes an older one"));
  }

  bool is_initializer(const std::string& name) const {
    return std::ranges::any_of(model_.graph.initializers,
                               [&](const TensorData& one) { return one.name == name; });
  }

  Status add_input(Scope& scope, const ValueInfo& input) {
    const auto frozen = choices_.frozen.find(input.name);
    if (is_initializer(input.name) && frozen == choices_.frozen.end()) return {};
    if (scope.has(input.name))
      return error(DiagnosticKind::kStructure,
                   cat(input.path, ".name: \"", input.name, "\" is an input already"));
    HLOCC_TRY_ASSIGN(Shape shape, dimensions_.shape_of(input));
    HLOCC_TRY(check_and_normalize(shape, cat(input.path, " (\"", input.name, "\")")));
    builder_.set_metadata({.op_name = input.name});
    if (frozen != choices_.frozen.end()) {
      HLOCC_TRY_ASSIGN(const std::vector<std::byte> bytes, read_file(frozen->second));
      Result<Literal> value = read_npy(bytes, shape);
      if (!value) return std::move(value).error().at({frozen->second, 0});
      scope.set(input.name, builder_.constant(std::move(*value)));
      out_.frozen.push_back(input.name);
      return {};
    }
    const InstructionId id = builder_.parameter(parameters_++, shape, input.name);
    session_.inputs[id] = input.name;
    scope.set(input.name, id);
    return {};
  }

  Status add_outputs(Scope& scope) {
    std::vector<InstructionId> results;
    if (model_.graph.outputs.empty())
      return error(DiagnosticKind::kFormat, "graph.output is empty: the model gives nothing");
    for (const ValueInfo& output : model_.graph.outputs) {
      const auto wrong = [&](const std::string& what) {
        return error(DiagnosticKind::kStructure,
                     cat(output.path, " (\"", output.name, "\") ", what));
      };
      if (!scope.has(output.name)) return wrong("is given by nothing");
      if (!output.kind.empty())
        return error(DiagnosticKind::kType, cat(output.path, " (\"", output.name, "\") is ",
                                                output.kind, ", which HLO lacks"));
      const InstructionId id = scope.value(output.name);
      if (builder_.failure()) return *builder_.failure();
      if (output.type != 0 && element_type(output.type) != builder_.type(id))
        return wrong(cat("has elements of ", tensor_type_name(output.type),
                         ", where the model gives ", builder_.shape(id)));
      if (!dimensions_.fits(output, builder_.sizes(id)))
        return wrong(cat("has another shape than what the model gives, ", builder_.shape(id)));
      results.push_back(id);
    }
    builder_.set_metadata({});
    const InstructionId root = results.size() == 1 ? results[0] : builder_.tuple(results);
    if (builder_.failure()) return *builder_.failure();
    out_.module.entry = builder_.end(root);
    return {};
  }

  const Model& model_;
  const Choices& choices_;
  Read& out_;
  Builder builder_;
  Session session_;
  OpenDimensions dimensions_;
  int64_t parameters_ = 0;
};

}  // namespace

// A version, a graph, and no field beyond what the format has.
bool is_onnx(Bytes bytes) {
  bool has_version = false, has_graph = false;
  WireReader reader(bytes, true);
  for (WireField field; reader.next(field);) {
    if (field.number == 1) has_version = field.type == WireType::kVarint && field.value < 1000;
    if (field.number == 7) has_graph = field.type == WireType::kLength;
    if (field.number > 40) return false;
  }
  return has_version && has_graph;
}

Result<Read> read_onnx(Bytes bytes, const std::string& file, const std::string& folder,
                       const Choices& choices) {
  const auto located = [&](Diagnostic why) {
    if (why.location.file.empty() && why.kind != DiagnosticKind::kUsage) why.location = {file, 0};
    return why;
  };
  Document document;
  const Model model = read_model_proto(document, bytes);
  if (document.failure()) return located(*document.failure());
  Read out;
  out.module.name = "main";
  out.module.file = file;
  ExternalData external(folder);
  if (Status status = ModuleBuilder(model, choices, external, out).build(); !status)
    return located(std::move(status).error());
  HLOCC_TRY(finish_module(out.module, false));
  hlo::compact(out.module);
  HLOCC_TRY(finish_module(out.module, false));
  return out;
}

}  // namespace hlocc::import::onnx
