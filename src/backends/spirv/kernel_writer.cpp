// See kernel_writer.h: parameters and buffers.
#include "backends/spirv/kernel_writer.h"

#include <algorithm>
#include <limits>

#include "backends/spirv/arithmetic.h"
#include "kernel/legalize/site.h"
#include "kernel/mapped.h"
#include "support/rounding.h"
#include "support/text.h"

namespace hlocc::backends {

using kernel::Access;
using kernel::Op;
using kernel::OpKind;
using kernel::Scalar;

namespace {

// Enough for any device to fill its lanes, and as few as a small grid needs.
constexpr int64_t kUsualGroup = 64;
// At least as many as a processor that runs shaders has in a vector.
constexpr int64_t kLanes = 16;
// The memory in which parameters lie that a launch cannot push.
constexpr int kParameterMemory = 2;

bool ends_by_data(const kernel::Region& region) {
  return std::ranges::any_of(region.ops, [](const Op& op) {
    return op.kind == OpKind::kWhile || std::ranges::any_of(op.regions, ends_by_data);
  });
}

}  // namespace

KernelWriter::KernelWriter(const kernel::Kernel& kernel, const ShaderForm& form,
                           const GpuDevice& device)
    : kernel_(kernel), form_(form), device_(device), out_(device) {}

Result<Shader> KernelWriter::write() {
  declare_buffers();
  read_parameters();
  const SpirvId merge = begin_invocation();
  HLOCC_TRY(region(kernel_.body));
  if (merge != 0) end_if(merge);
  shader_.words = out_.finish(shader_.group);
  shader_.needs = out_.needs();
  return std::move(shader_);
}

// A mapped kernel says itself how many invocations a group has; others are dealt out in groups of a
// usual size, the last of which has invocations to spare. Loops that end by data have all lanes of
// a group: lavapipe has lanes that a group lacks run along, though they write nothing, and what
// never ends there ends the loops of all.
SpirvId KernelWriter::begin_invocation() {
  if (const auto loops = kernel::mapped_loops(kernel_)) {
    shader_.group = static_cast<int>(loops->threads);
    shader_.groups = loops->groups;
    count_mapped(loops->grid, out_.number_of(BuiltIn::kWorkgroupId));
    count_mapped(loops->group, out_.number_of(BuiltIn::kLocalInvocationId));
    return 0;
  }
  const int64_t all = form_.invocations;
  const bool full = ends_by_data(kernel_.body);
  shader_.group = static_cast<int>(
      std::min({kUsualGroup, int64_t{device_.group}, full ? std::max(all, kLanes) : all}));
  shader_.groups = ceil_div(all, int64_t{shader_.group});
  if (!form_.is_grid() && !full) return 0;
  const SpirvId number = out_.number_of(BuiltIn::kGlobalInvocationId);
  if (form_.is_grid()) values_[kernel_.parameters[0]] = number;
  return begin_if(out_.make(Spv::kULessThan, {out_.boolean(), number, out_.number(all)}));
}

// Counters of nested mapped loops in iteration `number` of all; the innermost counts fastest.
void KernelWriter::count_mapped(std::span<const Op* const> loops, SpirvId number) {
  const SpirvId word = out_.integer(32);
  for (size_t i = loops.size(); i-- > 0;) {
    const kernel::Loop& loop = loops[i]->loop();
    const SpirvId count = out_.number(kernel::iterations_of(loop));
    SpirvId counter = i == 0 ? number : out_.make(Spv::kUMod, {word, number, count});
    if (i != 0) number = out_.make(Spv::kUDiv, {word, number, count});
    if (loop.step != 1) counter = out_.make(Spv::kIMul, {word, counter, out_.number(loop.step)});
    if (loop.lower.offset != 0)
      counter = out_.make(Spv::kIAdd, {word, counter, out_.number(loop.lower.offset)});
    values_[loops[i]->regions[0].arguments[0]] = counter;
  }
}

void KernelWriter::declare_buffers() {
  size_t bound = 0;
  for (const kernel::Buffer& buffer : kernel_.buffers) {
    HeldBuffer held{.element = kernel::held_scalar(buffer.element)};
    if (is_bound(buffer)) {
      held.variable = declare_memory(form_.memories[bound++], held.element);
    } else {
      const bool is_shared = buffer.space == kernel::Space::kShared;
      const SpirvId type =
          out_.array(held_type(out_, held.element), std::max<int64_t>(1, buffer.elements));
      held.storage = is_shared ? Storage::kWorkgroup : Storage::kFunction;
      held.variable = is_shared ? out_.shared(type) : out_.local(type);
    }
    buffers_.push_back(held);
  }
}

void KernelWriter::read_parameters() {
  const size_t first = form_.is_grid() ? 1 : 0;
  shader_.parameters =
      kernel_.bound_buffers() + static_cast<int>(kernel_.parameters.size() - first);
  shader_.in_memory = shader_.parameters > device_.push_words;
  if (shader_.parameters == 0) return;
  const SpirvId pushed = out_.pushed(shader_.in_memory ? 1 : shader_.parameters);
  int next = 0;
  for (size_t i = 0; i < buffers_.size(); ++i)
    if (is_bound(kernel_.buffers[i])) buffers_[i].base = parameter(pushed, next++);
  for (size_t i = first; i < kernel_.parameters.size(); ++i)
    values_[kernel_.parameters[i]] = parameter(pushed, next++);
  // Places are less than 2^31.
  const auto bound =
      std::ranges::find_if(buffers_, [](const HeldBuffer& b) { return b.base != 0; });
  if (device_.folds_zeros && bound != buffers_.end())
    hidden_zero_ = out_.make(Spv::kBitwiseAnd, {out_.integer(32), bound->base,
                                                out_.number(std::numeric_limits<int32_t>::min())});
}

SpirvId KernelWriter::parameter(SpirvId pushed, int i) {
  const SpirvId word = out_.integer(32);
  const auto read = [&](Storage storage, SpirvId variable, SpirvId at) {
    const SpirvId place =
        out_.make(Spv::kAccessChain, {out_.pointer(storage, word), variable, out_.number(0), at});
    return out_.make(Spv::kLoad, {word, place});
  };
  if (!shader_.in_memory) return read(Storage::kPushConstant, pushed, out_.number(i));
  const SpirvId begin = read(Storage::kPushConstant, pushed, out_.number(0));
  const SpirvId at = out_.make(Spv::kIAdd, {word, begin, out_.number(i)});
  return read(Storage::kBuffer, out_.memory(kParameterMemory, word, 4), at);
}

SpirvId KernelWriter::affine(const kernel::Affine& at) {
  const SpirvId word = out_.integer(32);
  SpirvId sum = 0;
  for (const kernel::Affine::Term& term : at.terms) {
    SpirvId one = value(term.value);
    if (term.scale != 1) one = out_.make(Spv::kIMul, {word, one, out_.number(term.scale)});
    sum = sum == 0 ? one : out_.make(Spv::kIAdd, {word, sum, one});
  }
  if (sum == 0) return out_.number(at.offset);
  return at.offset == 0 ? sum : out_.make(Spv::kIAdd, {word, sum, out_.number(at.offset)});
}

Status KernelWriter::arithmetic(const Op& op) {
  std::vector<SpirvId> operands;
  for (const kernel::ValueId operand : op.operands) operands.push_back(value(operand));
  const Scalar result = scalar(op.result());
  const SpirvId id =
      write_arithmetic({out_, op, result, op.operands.empty() ? result : scalar(op.operands[0]),
                        operands, hidden_zero_});
  if (id == 0) return lacks(op);
  values_[op.result()] = id;
  return {};
}

Diagnostic KernelWriter::lacks(const Op& op) const {
  return error(DiagnosticKind::kUnsupported,
               cat("kernel ", kernel_.name, ": no SPIR-V for ", kernel::op_name(op.kind), " of ",
                   op.results.empty() ? "nothing" : to_string(kernel_.type(op.result()))));
}

Result<Shader> write_shader(const kernel::Kernel& kernel, const ShaderForm& form,
                            const GpuDevice& device) {
  return KernelWriter(kernel, form, device).write();
}

}  // namespace hlocc::backends
