// See compile.h. The parts of the file in their order: what compiles it, the prelude, constants,
// math functions, kernels, run.
#include "backends/c/compile.h"

#include <algorithm>
#include <map>

#include "backends/c/float_rules.h"
#include "backends/c/fused_products.h"
#include "backends/c/hook_writer.h"
#include "backends/c/kernel_writer.h"
#include "backends/c/launched_code.h"
#include "backends/c/line_marks.h"
#include "backends/c/run_writer.h"
#include "backends/c/vector_values.h"
#include "backends/c/weights_writer.h"
#include "backends/common/external_weights.h"
#include "backends/common/kernel_table.h"
#include "kernel/legalize/math_functions.h"
#include "kernel/legalize/packed_words.h"
#include "support/foreign_text.h"
#include "support/generated_text.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

bool computes_in_f64(const kernel::Kernel& kernel) {
  return std::ranges::any_of(
      kernel.types, [](const kernel::Type& type) { return type.scalar == kernel::Scalar::kF64; });
}

// Math functions, written when they are first called.
class MathFunctions {
 public:
  MathFunctions(const std::string& prefix, const Target& target, Prelude& prelude)
      : prefix_(prefix), target_(target), prelude_(prelude) {}

  std::string name(kernel::OpKind kind, kernel::Scalar scalar) {
    const std::string name = cat(prefix_, kernel::op_name(kind), "_", kernel::scalar_name(scalar));
    if (texts_.contains(name)) return name;
    const Result<kernel::Kernel> kernel = kernel::math_function(kind, scalar, target_);
    if (!kernel) return "";
    const auto none = [](kernel::OpKind, kernel::Scalar) { return std::string(); };
    const Result<std::string> text =
        write_function(*kernel, {name, {}, {}, target_, prelude_, none});
    if (!text) return "";
    texts_[name] = *text;
    uses_f64_ = uses_f64_ || computes_in_f64(*kernel);
    subtracts_from_products_ = subtracts_from_products_ || subtracts_from_products(*kernel);
    return name;
  }
  bool uses_f64() const { return uses_f64_; }
  bool has_subtractions_from_products() const { return subtracts_from_products_; }
  std::string text() const {
    std::string out;
    for (const auto& [name, text] : texts_) out += "\n" + text;
    return out;
  }

 private:
  const std::string prefix_;
  const Target& target_;
  Prelude& prelude_;
  std::map<std::string, std::string> texts_;
  bool uses_f64_ = false, subtracts_from_products_ = false;
};

constexpr const char* kHead =
    " * Strict C99 without a library but for memcpy. It relies on what C leaves to the compiler "
    "in\n"
    " * two places: integers are in two's complement and convert modulo 2^n, and floats are "
    "IEEE's.\n"
    " */\n";

constexpr const char* kIncludes = R"(
#include <float.h>
#include <stddef.h>
#include <stdint.h>
)";

std::string head(const kernel::Signature& signature, const Target& target,
                 bool subtracts_from_products) {
  return cat("/* ", for_c_comment(signature.class_name), " in C99, compiled by hlocc for ",
             for_c_comment(target.name), kGeneratedText, kHead, "#include \"", signature.stem,
             ".h\"\n", kIncludes, float_rules(target.options.fast_math, subtracts_from_products));
}

// What of the program is f64, in words; empty where nothing is.
std::string use_of_f64(const kernel::Program& program, const planning::Plan& plan) {
  for (const kernel::KernelId id : launched_kernels(plan)) {
    const kernel::Kernel& kernel = program.kernels[static_cast<size_t>(id)];
    if (computes_in_f64(kernel))
      return cat(kernel.origin.empty() ? kernel.name : join(kernel.origin, ", "), " computes in");
  }
  for (const kernel::ProgramValue& value : plan.values)
    if (value.element == kernel::Scalar::kF64) return value.name + " has elements of";
  return "";
}

// Where a debugger shows lines, it shows those of the first layer.
std::string shared_note(const LaunchedFunction& one, const Target& target) {
  return target.options.debug && one.calls > 1 ? cat("/* Shared by ", one.calls, " layers. */\n")
                                               : "";
}

// What products are chosen by. AVX-512's form of four products of bytes stands for both.
IsaSet x86_of_c(const IsaSet& has) {
  IsaSet out{Isa::kSse2};
  if (has.contains(Isa::kAvx2)) out.add(Isa::kAvx2);
  const bool wide = has.contains(Isa::kAvx512Vnni) && has.contains(Isa::kAvx512Vl);
  if (wide) out.add(Isa::kAvx512Vnni);
  if (wide || has.contains(Isa::kAvxVnni)) out.add(Isa::kAvxVnni);
  return out;
}

}  // namespace

Target target_for_c(Target target) {
  // By ACLE and x86's intrinsics: word_functions.h, vector_functions.h.
  const bool words = kernel::has_packed_words(target), mve = target.has(Isa::kMve);
  const VectorUnit unit = vector_unit(target);
  const IsaSet has = target.isa;
  target.vector_rounding = target.vector_rounding || unit == VectorUnit::kNeon ||
                           (unit == VectorUnit::kX86 && has.contains(Isa::kSse41));
  target.vector_saturation = unit == VectorUnit::kNeon;
  target.dot_loops = true;
  target.vector_scaling = unit == VectorUnit::kNeon || unit == VectorUnit::kX86;
  target.isa = {};
  if (words) target.isa = {Isa::kDsp};
  if (mve) target.isa = {Isa::kMve, Isa::kFpArmv8};
  if (unit == VectorUnit::kX86) target.isa = x86_of_c(has);
  if (has.contains(Isa::kHexagon)) target.isa = {Isa::kHexagon};
  if (has.contains(Isa::kThumb2)) target.isa.add(Isa::kThumb2);
  target.explicit_fma = target.float_roots = target.f16_conversion = target.masked_vectors = false;
  return target;
}

Result<Artifacts> compile_to_c(const kernel::Program& program, const planning::Plan& plan,
                               const Target& target, const std::set<ArtifactKind>& kinds) {
  Artifacts artifacts;
  artifacts.weights_bytes = plan.constant_bytes + plan.device_data_bytes();
  artifacts.stack_is_lower_bound = true;
  if (!kinds.contains(ArtifactKind::kCSource)) return artifacts;
  const std::string f64 = use_of_f64(program, plan);
  // A double of 32 bits would compute something else without a word.
  if (!f64.empty() && !target.double_is_f64)
    return error(DiagnosticKind::kUnsupported,
                 cat(f64, " f64: the double of ", target.name, "'s C compiler has 32 bits"))
        .note("compute in f32");
  Prelude prelude(target.constants_apart, target.has(Isa::kHexagon));
  MathFunctions math(program.signature.prefix, target, prelude);
  const auto function = [&](kernel::OpKind kind, kernel::Scalar scalar) {
    return math.name(kind, scalar);
  };
  const KernelTable table = table_of_kernels(library_of(program, plan));
  HLOCC_TRY_ASSIGN(const Weights weights, target.options.weights_external
                                              ? external_weights(program, plan, target)
                                              : write_weights(program, plan, target, prelude));
  if (target.options.weights_external) add_external_weights(program, plan, target, artifacts);
  const LaunchedCode launched(plan, table, weights);
  LineMarks lines(target.options.debug);
  std::string kernels;
  bool fused = false;
  for (const LaunchedFunction& one : launched.functions()) {
    const EmittedKernel& row = table.emitted[static_cast<size_t>(one.row)];
    const kernel::Kernel& kernel = program.kernels[static_cast<size_t>(row.kernel)];
    fused = fused || subtracts_from_products(kernel);
    HLOCC_TRY_ASSIGN(const std::string text,
                     write_kernel(kernel, {one.symbol, row.unshared, one.held, target, prelude,
                                           function, one.calls > 1}));
    kernels += "\n" + lines.around(shared_note(one, target) + text, *one.first_use);
  }
  HLOCC_TRY_ASSIGN(const std::string run,
                   write_run({program, plan, target, weights, launched, prelude, lines}));
  const char* checks = f64.empty() && !math.uses_f64() ? "" : kDoubleConstants;
  fused = fused || math.has_subtractions_from_products();
  const std::string text = cat(
      head(program.signature, target, fused), checks, "\n", prelude.text(), "\n", weights.text,
      math.text(), hook_definitions(plan, target.options), kernels, "\n", run, device_arrays(plan));
  artifacts.files[ArtifactKind::kCSource] =
      bytes_of(lines.resolved(text, program.signature.stem + ".c"));
  return artifacts;
}

}  // namespace hlocc::backends
