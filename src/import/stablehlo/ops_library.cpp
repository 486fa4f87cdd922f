// Custom calls, linear algebra, transforms, random numbers, batch normalisation.
#include <iterator>

#include "import/stablehlo/ops.h"
#include "ops/text/printer_names.h"
#include "support/text.h"

namespace hlocc::import::stablehlo::ops {
namespace {

// The best of approximations: all elements are sorted, the first of them are what is asked for. The
// operands are arrays, then a number for each; the configuration names the dimension.
InstructionId approximate_top_k(const Op& op, ComputationId comparator) {
  const Fields config = op.attributes.fields(
      op.attributes.has("mhlo.backend_config") ? "mhlo.backend_config" : "backend_config");
  const int64_t dimension = config.integer("reduction_dim");
  std::vector<InstructionId> arrays = op.ins();
  const bool is_even = arrays.size() % 2 == 0;
  arrays.resize(arrays.size() / 2);
  const bool is_pair =
      is_even && arrays.size() >= 2 && op.node().result_types.size() == arrays.size();
  if (!is_pair || dimension < 0 || dimension >= op.rank(0)) {
    op.fail(DiagnosticKind::kAttribute, "ApproxTopK takes arrays, numbers and a dimension");
    return 0;
  }
  const InstructionId sorted =
      op.b.add(Opcode::kSort, arrays, hlo::SortAttributes{dimension, false}, {comparator});
  std::vector<InstructionId> results;
  for (size_t i = 0; i < arrays.size(); ++i) {
    const Dimensions& sizes = op.out(static_cast<int>(i)).dimensions;
    const int64_t count = dimension < std::ssize(sizes) ? sizes[dimension] : 0;
    results.push_back(
        op.b.slice(op.b.element(sorted, static_cast<int64_t>(i)), dimension, 0, count));
  }
  return op.b.tuple(std::move(results));
}

InstructionId batch_norm(const Op& op, Opcode opcode) {
  hlo::BatchNormAttributes how;
  how.epsilon = op.attributes.real("epsilon");
  how.feature_index = op.attributes.integer("feature_index");
  return op.b.add(opcode, op.ins(), how);
}

}  // namespace

// The configuration is a text, or attributes, which HLO holds as MLIR prints them.
InstructionId custom_call(const Op& op) {
  const Fields& attributes = op.attributes;
  hlo::CustomCallAttributes how;
  const std::string_view target = attributes.raw("call_target_name");
  how.target = target.starts_with('"') ? attributes.string("call_target_name")
                                       : attributes.symbol("call_target_name");
  const int64_t version = attributes.integer("api_version", 1);
  if (version < 0 || version >= static_cast<int64_t>(std::size(hlocc::ops::kApiVersionNames)))
    attributes.refuse("api_version", cat("has the unknown value ", version));
  how.api_version = static_cast<int>(version);
  how.has_side_effect = attributes.flag("has_side_effect", false);
  for (const char* name : {"mhlo.backend_config", "backend_config"}) {
    if (!attributes.has(name) || !how.backend_config.empty()) continue;
    const std::string_view raw = attributes.raw(name);
    how.backend_config = raw.starts_with('"') ? attributes.string(name) : std::string(raw);
  }
  // The arrays' order in memory, which the compiler chooses, and hints.
  for (const char* name : {"operand_layouts", "result_layouts", "output_operand_aliases"})
    attributes.ignore(name);
  std::vector<ComputationId> called;
  for (const std::string& name : attributes.symbols("called_computations"))
    called.push_back(op.translator().function(name, op.node().at));
  if (how.target == "ApproxTopK" && called.size() == 1) return approximate_top_k(op, called[0]);
  return op.b.add(Opcode::kCustomCall, op.ins(), std::move(how), std::move(called), op.result());
}

InstructionId fft(const Op& op) {
  constexpr std::string_view kTypes[] = {"FFT", "IFFT", "RFFT", "IRFFT"};
  hlo::FftAttributes how;
  how.type = static_cast<hlo::FftType>(op.attributes.one_of("fft_type", kTypes));
  how.length = op.attributes.integers("fft_length");
  return op.b.add(Opcode::kFft, op.ins(), std::move(how));
}

InstructionId cholesky(const Op& op) {
  return op.b.add(Opcode::kCholesky, op.ins(),
                  hlo::CholeskyAttributes{op.attributes.flag("lower", false)});
}

InstructionId triangular_solve(const Op& op) {
  using Attributes = hlo::TriangularSolveAttributes;
  constexpr std::string_view kTransposes[] = {"TRANSPOSE_INVALID", "NO_TRANSPOSE", "TRANSPOSE",
                                              "ADJOINT"};
  Attributes how;
  how.left_side = op.attributes.flag("left_side");
  how.lower = op.attributes.flag("lower");
  how.unit_diagonal = op.attributes.flag("unit_diagonal");
  how.transpose_a =
      static_cast<Attributes::Transpose>(op.attributes.one_of("transpose_a", kTransposes));
  return op.b.add(Opcode::kTriangularSolve, op.ins(), how);
}

// The third operand is the shape, which the result's type says again.
InstructionId rng(const Op& op) {
  constexpr std::string_view kDistributions[] = {"INVALID", "UNIFORM", "NORMAL"};
  const auto distribution =
      static_cast<hlo::RngDistribution>(op.attributes.one_of("rng_distribution", kDistributions));
  if (!op.has_inputs(3)) return 0;
  op.in(2);
  return op.b.add(Opcode::kRng, {op.in(0), op.in(1)}, hlo::RngAttributes{distribution}, {},
                  op.out());
}

InstructionId rng_bit_generator(const Op& op) {
  constexpr std::string_view kAlgorithms[] = {"DEFAULT", "THREE_FRY", "PHILOX"};
  const auto algorithm =
      static_cast<hlo::RngAlgorithm>(op.attributes.one_of("rng_algorithm", kAlgorithms));
  return op.b.add(Opcode::kRngBitGenerator, op.ins(), hlo::RngBitGeneratorAttributes{algorithm}, {},
                  op.result());
}

InstructionId batch_norm_inference(const Op& op) {
  return batch_norm(op, Opcode::kBatchNormInference);
}
InstructionId batch_norm_training(const Op& op) {
  return batch_norm(op, Opcode::kBatchNormTraining);
}
InstructionId batch_norm_grad(const Op& op) { return batch_norm(op, Opcode::kBatchNormGrad); }

}  // namespace hlocc::import::stablehlo::ops
