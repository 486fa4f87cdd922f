// Walks a kernel's regions and writes the body of its shader. Values that loops and branches hand
// on are variables of the function: drivers make registers of them.
#pragma once
#include <map>

#include "backends/spirv/shader.h"

namespace hlocc::backends {

class KernelWriter {
 public:
  KernelWriter(const kernel::Kernel& kernel, const ShaderForm& form, const GpuDevice& device);
  Result<Shader> write();

 private:
  // --- what the shader begins with ---
  void declare_buffers();
  SpirvId begin_invocation();  // the label at which spare invocations go on; 0: there are none
  void count_mapped(std::span<const kernel::Op* const> loops, SpirvId number);
  void read_parameters();
  SpirvId parameter(SpirvId pushed, int i);

  // --- ops ---
  Status region(const kernel::Region& region);
  Status op(const kernel::Op& op);
  Status arithmetic(const kernel::Op& op);
  Diagnostic lacks(const kernel::Op& op) const;
  SpirvId affine(const kernel::Affine& at);

  // --- memory ---
  struct HeldBuffer {
    kernel::Scalar element = {};  // as it is held after legalisation
    SpirvId variable = 0;
    SpirvId base = 0;  // element of the memory; 0: an array of the shader's own
    Storage storage = Storage::kBuffer;
  };
  struct PartOfWord {
    SpirvId pointer = 0, shift = 0;
  };
  bool is_in_words(kernel::Scalar element) const;
  SpirvId declare_memory(int memory, kernel::Scalar element);
  SpirvId element_of(const kernel::Access& access);
  SpirvId pointer_to(const HeldBuffer& buffer, SpirvId at);
  PartOfWord part_of_word(const HeldBuffer& buffer, SpirvId at);
  SpirvId read(const kernel::Access& access);
  void put_in_word(const HeldBuffer& buffer, SpirvId at, SpirvId stored);
  void load(const kernel::Op& op);
  void store(const kernel::Op& op);

  // --- control ---
  Status loop(const kernel::Op& op);
  void barrier();
  Status branch(const kernel::Op& op);
  Status while_loop(const kernel::Op& op);
  using Locals = std::vector<SpirvId>;
  Locals locals(const std::vector<kernel::ValueId>& values);
  void set(const Locals& locals, const std::vector<kernel::ValueId>& from);
  void get(const std::vector<kernel::ValueId>& to, size_t skip, const Locals& locals);
  void label(SpirvId id) { out_.say(Spv::kLabel, {id}); }
  void go(SpirvId to) { out_.say(Spv::kBranch, {to}); }
  SpirvId begin_if(SpirvId condition);  // the label at which it ends
  void end_if(SpirvId merge);

  kernel::Scalar scalar(kernel::ValueId value) const { return kernel_.type(value).scalar; }
  SpirvId value(kernel::ValueId value) const { return values_.at(value); }

  const kernel::Kernel& kernel_;
  const ShaderForm& form_;
  const GpuDevice& device_;
  ModuleWriter out_;
  Shader shader_;
  SpirvId hidden_zero_ = 0;
  std::vector<HeldBuffer> buffers_;
  std::map<kernel::ValueId, SpirvId> values_;
};

}  // namespace hlocc::backends
