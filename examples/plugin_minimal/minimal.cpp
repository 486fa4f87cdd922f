// The smallest plug-in: a device that multiplies matrices of f32 and can do nothing else. hlocc
// runs the rest of a model on the host, and plans the transfers between the two.
//
// What a vendor changes first: `supports` (which ops the device takes), `multiply` (what it does),
// and, for memory that is not the host's, a SimpleDevice of his own in place of HostMemoryDevice.
#include <map>

#include "hlocc/device/plugin.h"
#include "hlocc/device/simple_device.h"

namespace {

using namespace hlocc;
using namespace hlocc::device;

constexpr const char* kName = "minimal";
using Matrix = std::vector<float>;

// [m, k] x [k, n], as they come: no batch, no other order of dimensions.
WhyNot supports(const hlo::Computation& entry, const hlo::Instruction& one) {
  if (one.opcode != hlo::Opcode::kDot) return "only matrix products";
  const hlo::Shape &a = entry.operand(one, 0).shape, &b = entry.operand(one, 1).shape;
  for (const hlo::Shape* shape : {&a, &b, &one.shape}) {
    if (shape->element_type != hlo::PrimitiveType::kF32) return "only f32";
    if (shape->rank() != 2) return "only matrices";
    if (!hlo::is_row_major(*shape)) return "only row-major";
  }
  const auto& dot = one.get<hlo::DotAttributes>();
  const bool plain = dot.lhs_contracting == hlo::Dimensions{1} &&
                     dot.rhs_contracting == hlo::Dimensions{0} && dot.lhs_batch.empty();
  return plain ? "" : "only rows by columns";
}

// What the silicon would do.
Matrix multiply(const Matrix& a, const Matrix& b, const hlo::Shape& a_shape, int64_t n) {
  const int64_t m = a_shape.dimensions[0], k = a_shape.dimensions[1];
  Matrix c(static_cast<size_t>(m * n), 0.0f);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t p = 0; p < k; ++p)
      for (int64_t j = 0; j < n; ++j) c[i * n + j] += a[i * k + p] * b[p * n + j];
  return c;
}

// A part: products of the host's matrices, of constants, and of one another's results.
class Products : public Executable {
 public:
  explicit Products(const hlo::Module& module) : module_(module) {
    for (const hlo::Shape& parameter : module.entry_parameters)
      for (const hlo::Shape& leaf : hlo::leaf_shapes(parameter)) arguments_.push_back(leaf);
    results_ = hlo::leaf_shapes(module.entry_result);
  }
  const std::vector<hlo::Shape>& ArgumentShapes() const override { return arguments_; }
  const std::vector<hlo::Shape>& ResultShapes() const override { return results_; }
  OpsByDevice GetOpsByDevice() const override {
    int64_t products = 0;
    for (const hlo::Instruction& one : module_.entry_computation().instructions)
      products += one.opcode == hlo::Opcode::kDot;
    return {{kName, products}};
  }

  Status ExecuteAsyncOnStream(Stream& stream, std::span<const ExecutionInput> arguments,
                              std::span<const DeviceMemory> results, ExecutionProfile*) override {
    HLOCC_TRY_ASSIGN(const std::vector<DeviceMemory> all, CheckBuffers(arguments, results));
    return stream.DoHostCallback(
        [this, all, count = arguments.size()] {
          const std::span memories(all);
          run(memories.first(count), memories.subspan(count));
          return Status();
        },
        all);
  }

 private:
  static Matrix read(const std::byte* from, int64_t elements) {
    Matrix matrix(static_cast<size_t>(elements));
    std::memcpy(matrix.data(), from, matrix.size() * sizeof(float));
    return matrix;
  }
  void run(std::span<const DeviceMemory> in, std::span<const DeviceMemory> out) const {
    const hlo::Computation& entry = module_.entry_computation();
    std::map<hlo::InstructionId, Matrix> values;
    for (hlo::InstructionId id = 0; id < static_cast<int>(entry.instructions.size()); ++id) {
      const hlo::Instruction& one = entry[id];
      if (one.opcode == hlo::Opcode::kParameter) {
        const DeviceMemory& memory = in[one.get<hlo::ParameterAttributes>().number];
        values[id] = read(HostMemoryDevice::Address(memory), one.shape.element_count());
      } else if (one.opcode == hlo::Opcode::kConstant) {
        const hlo::Literal& literal = one.get<hlo::ConstantAttributes>().value;
        values[id] = read(literal.bytes().data(), one.shape.element_count());
      } else if (one.opcode == hlo::Opcode::kDot) {
        values[id] = multiply(values[one.operands[0]], values[one.operands[1]],
                              entry.operand(one, 0).shape, one.shape.dimensions[1]);
      }
    }
    const hlo::Instruction& root = entry.root_instruction();
    const bool tuple = root.opcode == hlo::Opcode::kTuple;
    for (size_t i = 0; i < out.size(); ++i) {
      const Matrix& value = values[tuple ? root.operands[i] : entry.root];
      std::memcpy(HostMemoryDevice::Address(out[i]), value.data(), value.size() * sizeof(float));
    }
  }

  hlo::Module module_;
  std::vector<hlo::Shape> arguments_, results_;
};

class MinimalCompiler : public Compiler {
 public:
  WhyNot Supports(const hlo::Module& module, const hlo::Instruction& one) const override {
    return supports(module.entry_computation(), one);
  }
  Result<std::unique_ptr<Executable>> RunBackend(const hlo::Module& module, StreamExecutor&,
                                                 const CompileOptions&) const override {
    return std::unique_ptr<Executable>(new Products(module));
  }
};

class MinimalPlatform : public Platform {
 public:
  const std::string& Name() const override { return name_; }
  const Compiler& GetCompiler() const override { return compiler_; }
  Result<StreamExecutor*> ExecutorForDevice(int) override { return executor_.get(); }

 private:
  std::string name_ = kName;
  MinimalCompiler compiler_;
  std::unique_ptr<StreamExecutor> executor_ = MakeStreamExecutor(
      {kName, {{"scratch", 64 << 20, 64}}}, std::make_shared<HostMemoryDevice>(64));
};

void add_platforms(PlatformManager& manager) {
  // A name that is taken would be a mistake of whoever loads two of them.
  (void)manager.RegisterPlatform(std::make_unique<MinimalPlatform>());
}

}  // namespace

HLOCC_PLUGIN(add_platforms)
