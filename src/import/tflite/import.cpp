// See import.h.
#include "import/tflite/import.h"

#include "import/structure.h"
#include "import/tflite/constants.h"
#include "import/tflite/graph.h"
#include "support/text.h"

namespace hlocc::import::tflite {
namespace {

// The name of a tensor of the interface: the signature's where there is one.
std::string interface_name(const std::vector<NamedTensor>& names, int32_t index,
                           const Tensor& tensor) {
  for (const NamedTensor& one : names)
    if (one.tensor == index && !one.name.empty()) return one.name;
  return tensor.name;
}

// UINT8 as INT8 of a zero point that is 128 less, and back.
InstructionId moved_by_half(Builder& b, InstructionId x) {
  const bool is_signed = b.type(x) == PrimitiveType::kS8;
  const InstructionId bits = is_signed ? b.bitcast(x, PrimitiveType::kU8) : x;
  const InstructionId moved = b.with(Opcode::kXor, bits, 128);
  return is_signed ? moved : b.bitcast(moved, PrimitiveType::kS8);
}

class ModuleBuilder {
 public:
  ModuleBuilder(const Model& model, hlo::Module& module, Rounding rounding)
      : model_(model), module_(module), builder_(module), session_(model, builder_, rounding) {}

  Status build(const Signature* signature) {
    const int32_t index = signature != nullptr ? signature->subgraph : 0;
    GraphReader graph(session_, index);
    builder_.begin("main");
    HLOCC_TRY(add_inputs(graph, signature));
    HLOCC_TRY(graph.run());
    HLOCC_TRY(add_outputs(graph));
    return {};
  }

 private:
  Status add_inputs(GraphReader& graph, const Signature* signature) {
    for (const int32_t input : graph.subgraph().inputs) {
      const Tensor& tensor = graph.tensor(input);
      HLOCC_TRY_ASSIGN(Shape shape, shape_of_tensor(tensor));
      if (tensor.was_unsigned) shape.element_type = PrimitiveType::kU8;
      const std::string name = interface_name(
          signature != nullptr ? signature->inputs : std::vector<NamedTensor>(), input, tensor);
      builder_.set_metadata({.op_name = name});
      const InstructionId x = builder_.parameter(session_.parameters++, shape, name);
      graph.set_value(input, tensor.was_unsigned ? moved_by_half(builder_, x) : x);
    }
    return {};
  }

  Status add_outputs(GraphReader& graph) {
    std::vector<InstructionId> results;
    for (const int32_t output : graph.subgraph().outputs) {
      if (!graph.has_value(output) && !graph.tensor(output).is_constant)
        return error(DiagnosticKind::kStructure,
                     cat("nothing gives the model's output \"", graph.tensor(output).name, "\""));
      const InstructionId y = graph.value(output);
      results.push_back(graph.tensor(output).was_unsigned ? moved_by_half(builder_, y) : y);
    }
    builder_.set_metadata({});
    for (const Variable& variable : session_.variables) {
      if (variable.parameter == hlo::kNone) continue;
      const int64_t number = builder_.parameter_number(variable.parameter);
      module_.aliases.push_back({.output_index = {static_cast<int64_t>(results.size())},
                                 .parameter = number,
                                 .must_alias = true});
      results.push_back(session_.stored(variable, variable.now));
    }
    const bool is_one = results.size() == 1;
    if (is_one && !module_.aliases.empty()) module_.aliases[0].output_index = {};
    const InstructionId root = is_one ? results[0] : builder_.tuple(results);
    if (builder_.failure()) return *builder_.failure();
    module_.entry = builder_.end(root);
    return {};
  }

  const Model& model_;
  hlo::Module& module_;
  Builder builder_;
  Session session_;
};

// The signature that is wanted, or the only one; null: there is none.
Result<const Signature*> wanted_signature(const Model& model, const std::string& wanted) {
  std::vector<std::string> keys;
  for (const Signature& one : model.signatures) {
    if (!wanted.empty() && one.key == wanted) return &one;
    keys.push_back(one.key);
  }
  if (wanted.empty() && keys.size() < 2) return keys.empty() ? nullptr : &model.signatures[0];
  Diagnostic which = error(DiagnosticKind::kUsage,
                           wanted.empty() ? cat("the model has ", keys.size(), " signatures")
                                          : cat("--signature: the model has no \"", wanted, "\""));
  return std::move(which).note(keys.empty() ? "it has no signature"
                                            : cat("--signature ", join(keys, ", --signature ")));
}

// Gives inputs the sizes that are wanted where the file leaves them open; what follows from them
// is computed. Whether any differs from what the file was converted with.
Result<bool> fix_dimensions(Subgraph& graph, const std::map<std::string, int64_t>& dimensions) {
  bool differs = false;
  for (const auto& [name, size] : dimensions) {
    bool is_open = false;
    for (const int32_t input : graph.inputs) {
      Tensor& tensor = graph.tensors[input];
      for (size_t d = 0; d < tensor.signature.size(); ++d) {
        if (tensor.signature[d] != -1 ||
            (name != std::to_string(d) && name != cat(tensor.name, ":", d)))
          continue;
        is_open = true;
        differs = differs || tensor.shape[d] != size;
        tensor.shape[d] = size;
      }
    }
    if (!is_open)
      return error(DiagnosticKind::kUsage,
                   cat("--dim ", name, "=", size, ": the model leaves no such size open"))
          .note(
              "a size of a .tflite file is called by its number (--dim 0=1), or by its "
              "argument's name and number (--dim x:0=1)");
  }
  return differs;
}

}  // namespace

bool is_tflite(Bytes bytes) { return bytes.size() >= 8 && as_text(bytes).substr(4, 4) == "TFL3"; }

Result<hlo::Module> read_tflite(Bytes bytes, const std::string& file, const Choices& choices) {
  const auto located = [&](Diagnostic why) {
    if (why.location.file.empty()) why.location = {file, 0};
    return why;
  };
  FlatFile flat(bytes);
  Result<Model> model = read_flat_model(flat);
  if (!model) return located(std::move(model).error());
  Result<const Signature*> signature = wanted_signature(*model, choices.signature);
  if (!signature) return located(std::move(signature).error());
  Subgraph& graph = model->subgraphs[*signature != nullptr ? (*signature)->subgraph : 0];
  HLOCC_TRY_ASSIGN(model->is_resized, fix_dimensions(graph, choices.dimensions));
  const Rounding rounding = choices.rounding.value_or(Rounding::kTflm);
  hlo::Module module;
  module.name = "main";
  module.file = file;
  if (Status status = ModuleBuilder(*model, module, rounding).build(*signature); !status)
    return located(std::move(status).error());
  if (flat.failure()) return located(*flat.failure());
  HLOCC_TRY(finish_module(module, false));
  hlo::compact(module);
  HLOCC_TRY(finish_module(module, false));
  return module;
}

}  // namespace hlocc::import::tflite
