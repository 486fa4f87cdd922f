// A plug-in whose device convolves int8 images beside a microcontroller, and exists nowhere else:
// it compiles ahead of time alone. A part, one convolution with weights that are constants, becomes
// a C file: the geometry and the weights for the engine in driver.c.
#include "hlocc/device/plugin.h"
#include "hlocc/device/simple_device.h"

namespace {

using namespace hlocc;
using namespace hlocc::device;

// [n, h, w, c] by [h, w, c / groups, m]: s8 by s8 to s32, nothing dilated.
WhyNot supports(const hlo::Computation& entry, const hlo::Instruction& one) {
  if (one.opcode != hlo::Opcode::kConvolution) return "only convolutions";
  const hlo::Instruction& weights = entry.operand(one, 1);
  if (weights.opcode != hlo::Opcode::kConstant) return "only weights that are constants";
  if (entry.operand(one, 0).shape.element_type != hlo::PrimitiveType::kS8 ||
      weights.shape.element_type != hlo::PrimitiveType::kS8 ||
      one.shape.element_type != hlo::PrimitiveType::kS32)
    return "only s8 to s32";
  const auto& conv = one.get<hlo::ConvolutionAttributes>();
  const hlo::Dimensions spatial = {1, 2}, kernel = {0, 1};
  if (conv.input_batch != 0 || conv.input_spatial != spatial || conv.input_feature != 3 ||
      conv.kernel_spatial != kernel || conv.kernel_input_feature != 2 || conv.output_batch != 0 ||
      conv.output_spatial != spatial || conv.output_feature != 3 || conv.batch_group_count != 1)
    return "only b01f_01io->b01f";
  for (const hlo::WindowDimension& window : conv.window.dimensions)
    if (window.window_dilation != 1 || window.base_dilation != 1 || window.window_reversal)
      return "nothing dilated or reversed";
  return "";
}

// What driver.c reads as struct convolution.
std::string c_of(const hlo::Module& module, const hlo::Instruction& one) {
  const hlo::Computation& entry = module.entry_computation();
  const hlo::Dimensions &in = entry.operand(one, 0).shape.dimensions,
                        &weights = entry.operand(one, 1).shape.dimensions,
                        &out = one.shape.dimensions;
  const auto& conv = one.get<hlo::ConvolutionAttributes>();
  std::string text = "#include \"convolution.h\"\nstatic const int8_t weights[] = {";
  const auto bytes = entry.operand(one, 1).get<hlo::ConstantAttributes>().value.bytes();
  for (const std::byte byte : bytes)
    text += std::to_string(static_cast<int>(static_cast<int8_t>(byte))) + ",";
  text += "};\nconst struct convolution " + module.name + " = {\"" + module.name + "\", ";
  for (const int64_t number :
       {in[0], in[1], in[2], in[3], weights[0], weights[1], weights[2], out[1], out[2], out[3],
        conv.window.dimensions[0].stride, conv.window.dimensions[1].stride,
        conv.window.dimensions[0].padding_low, conv.window.dimensions[1].padding_low})
    text += std::to_string(number) + ", ";
  return text + "weights};\n";
}

class ConvolverCompiler : public Compiler {
 public:
  WhyNot Supports(const hlo::Module& module, const hlo::Instruction& one) const override {
    return supports(module.entry_computation(), one);
  }
  Result<std::unique_ptr<Executable>> RunBackend(const hlo::Module&, StreamExecutor&,
                                                 const CompileOptions&) const override {
    return error(DiagnosticKind::kUnsupported, "there is no such device here");
  }
  Result<std::vector<DeviceArtifact>> CompileAheadOfTime(const hlo::Module& module,
                                                         const CompileOptions&) const override {
    // The test asks for compilers that make mistakes.
    const char* wrong = std::getenv("CONVOLVER_WRONG");
    const std::string mistake = wrong == nullptr ? "" : wrong;
    if (mistake == "none") return Compiler::CompileAheadOfTime(module, {});
    std::vector<DeviceArtifact> files;
    for (const hlo::Instruction& one : module.entry_computation().instructions) {
      if (one.opcode != hlo::Opcode::kConvolution) continue;
      const std::string text = c_of(module, one);
      const auto* begin = reinterpret_cast<const std::byte*>(text.data());
      files.push_back({mistake == "ending" ? "../c" : "c", {begin, begin + text.size()}});
      if (mistake == "twice") files.push_back(files.back());
    }
    return files;
  }
};

class ConvolverPlatform : public Platform {
 public:
  const std::string& Name() const override { return name_; }
  const Compiler& GetCompiler() const override { return compiler_; }
  Result<StreamExecutor*> ExecutorForDevice(int) override {
    return error(DiagnosticKind::kRun, "there is no such device here");
  }

 private:
  std::string name_ = "convolver";
  ConvolverCompiler compiler_;
};

void add_platforms(PlatformManager& manager) {
  (void)manager.RegisterPlatform(std::make_unique<ConvolverPlatform>());
}

}  // namespace

HLOCC_PLUGIN(add_platforms)
