// emit_proof TARGET obj|asm|llvm KERNEL [M N K]: writes a proof kernel (gemm_4x2, gemm_6x2 or
// pointwise) for a target to standard output, as object, assembly or IR.
#include <cstdio>
#include <cstdlib>
#include <span>

#include "backends/cpu/program_module.h"
#include "backends/llvm/generic_target.h"
#include "backends/llvm/object/object.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"
#include "proof_kernels.h"
#include "support/text.h"

using namespace hlocc;

static void print(std::span<const std::byte> bytes) {
  std::fwrite(bytes.data(), 1, bytes.size(), stdout);
}

static int complain(const Diagnostic& diagnostic) {
  std::fputs(diagnostic.to_string().c_str(), stderr);
  return 1;
}

int main(int argc, char** argv) {
  if (argc != 4 && argc != 7)
    return std::fputs("usage: emit_proof TARGET obj|asm|llvm KERNEL [M N K]\n", stderr), 2;
  const auto row = preset(argv[1]);
  if (!row) return complain(error(DiagnosticKind::kTarget, cat("no preset ", argv[1])));
  auto target = backends::complete_target(*row);
  if (!target) return complain(target.error());
  const std::string form = argv[2], name = argv[3];
  kernel::Kernel kernel;
  if (name == "pointwise") {
    kernel = proof::pointwise_row(5, 64);
  } else {
    proof::GemmShape shape{std::atoi(argv[4]), std::atoi(argv[5]), std::atoi(argv[6])};
    shape.mr = name == "gemm_6x2" ? 6 : 4;
    kernel = proof::gemm(shape);
  }
  auto made = backends::make_kernel_module(kernel, *target);
  if (!made) return complain(made.error());
  if (form == "llvm") {
    print(backends::print_module(*made->module));
  } else {
    const auto emitted = form == "asm"
                             ? backends::emit_assembly(*made->module, *made->machine, *target)
                             : backends::emit_object(*made->module, *made->machine, *target);
    if (!emitted) return complain(emitted.error());
    print(emitted->bytes);
  }
  return 0;
}
