// Sort, top-k, transforms, linear algebra, normalisation and random bits.
#include <algorithm>

#include "fuzz/proposals.h"

namespace hlocc::fuzz {
namespace {

Id sort(Builder& b, PrimitiveType type) {
  const Id x = b.value(type, 1, 3);
  std::vector<PrimitiveType> types = {type};
  std::vector<Id> operands = {x};
  for (int64_t more = b.random.chance(50) ? b.random.between(1, 2) : 0; more > 0; --more) {
    types.push_back(b.random.chance(50) ? PrimitiveType::kS32 : b.random.of(all_types()));
    operands.push_back(b.value_like(types.back(), b.dims(x)));
  }
  // Only a stable sort says where equal keys end.
  const Id out =
      b.emit(Opcode::kSort, operands, hlo::SortAttributes{b.random.below(b.rank(x)), true},
             {comparator(b, types)});
  return out == kNone || types.size() == 1
             ? out
             : element(b, out, b.random.below(static_cast<int64_t>(types.size())));
}

Id topk(Builder& b, PrimitiveType type) {
  const Id x = one_nan(b, b.value(type, 1, 3));
  if (x == kNone) return kNone;
  const Id out =
      b.emit(Opcode::kTopK, {x},
             hlo::TopKAttributes{b.random.between(0, b.dims(x).back()), b.random.chance(70)});
  return out == kNone ? out : element(b, out, b.random.below(2));
}

Id fft(Builder& b, PrimitiveType type) {
  const bool from_complex = is_complex(type);
  if (!from_complex && type != PrimitiveType::kF32 && type != PrimitiveType::kF64) return kNone;
  const Id x = b.value(type, 1, 3);
  using hlo::FftType;
  hlo::FftAttributes fft;
  fft.type =
      !from_complex
          ? FftType::kRfft
          : b.random.of(std::vector<FftType>{FftType::kFft, FftType::kIfft, FftType::kIrfft});
  const size_t count = static_cast<size_t>(b.random.between(1, b.rank(x)));
  fft.length.assign(b.dims(x).end() - static_cast<int64_t>(count), b.dims(x).end());
  if (fft.type == FftType::kIrfft)
    fft.length.back() =
        std::max<int64_t>(0, (fft.length.back() - 1) * 2 + (b.random.chance(30) ? 1 : 0));
  return b.emit(Opcode::kFft, {x}, fft);
}

// A square matrix with a heavy diagonal, so that solving is well-conditioned.
Id matrix(Builder& b, PrimitiveType type, int64_t n, bool definite) {
  Dimensions dims = {n, n};
  if (b.random.chance(40)) dims.insert(dims.begin(), b.random.between(1, 3));
  Literal value = random_literal(Shape::array(type, dims), Fill::kNormal, b.random);
  Literal out = Literal::zeros(value.shape());
  const int64_t matrices = n == 0 ? 0 : value.element_count() / (n * n);
  const std::vector<double> from = numbers(value);
  const int64_t parts = is_complex(type) ? 2 : 1;
  for (int64_t m = 0; m < matrices; ++m)
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) {
        const int64_t at = (m * n + i) * n + j, low = (m * n + std::max(i, j)) * n + std::min(i, j);
        const double entry = from[static_cast<size_t>(parts * (definite ? low : at))] / 4;
        set_number(out, at, i == j ? 1.0 + static_cast<double>(n) : entry);
      }
  return b.in_entry() ? b.parameter(std::move(out)) : b.constant(std::move(out));
}

bool solves(PrimitiveType type) {
  return is_complex(type) || type == PrimitiveType::kF32 || type == PrimitiveType::kF64;
}

Id cholesky(Builder& b, PrimitiveType type) {
  if (!solves(type)) return kNone;
  return b.emit(Opcode::kCholesky, {matrix(b, type, b.random.between(0, 7), true)},
                hlo::CholeskyAttributes{b.random.chance(50)});
}

Id triangular_solve(Builder& b, PrimitiveType type) {
  if (!solves(type)) return kNone;
  using Options = hlo::TriangularSolveAttributes;
  const int64_t n = b.random.between(0, 7);
  const Id a = matrix(b, type, n, false);
  Options options{b.random.chance(50), b.random.chance(50), b.random.chance(30),
                  Options::kNoTranspose};
  options.transpose_a = b.random.of(std::vector<Options::Transpose>{
      Options::kNoTranspose, Options::kTranspose, Options::kAdjoint});
  Dimensions dims = b.dims(a);
  dims[dims.size() - (options.left_side ? 1 : 2)] = b.random.between(1, 5);
  return b.emit(Opcode::kTriangularSolve, {a, b.value_like(type, dims)}, options);
}

Id batch_norm(Builder& b, PrimitiveType type, Opcode opcode) {
  if (!is_float(type)) return kNone;
  // The square of a large number overflows in one way of computing and not in another.
  const Id x =
      b.emit(Opcode::kClamp, {b.scalar(type, -100), b.value(type, 1, 4), b.scalar(type, 100)});
  if (x == kNone) return kNone;
  const int64_t feature = b.random.below(b.rank(x)), size = b.dims(x)[static_cast<size_t>(feature)];
  const auto per_feature = [&] { return b.value_like(type, {size}); };
  std::vector<Id> operands = {x};
  const int vectors = opcode == Opcode::kBatchNormTraining    ? 2
                      : opcode == Opcode::kBatchNormInference ? 4
                                                              : 3;
  for (int i = 0; i < vectors; ++i) operands.push_back(per_feature());
  if (opcode == Opcode::kBatchNormGrad) operands.push_back(b.value_like(type, b.dims(x)));
  const Id out = b.emit(opcode, operands, hlo::BatchNormAttributes{0.125f, feature});
  return out == kNone || opcode == Opcode::kBatchNormInference ? out
                                                               : element(b, out, b.random.below(3));
}

Id rng_bit_generator(Builder& b, PrimitiveType type) {
  if (!is_unsigned(type) && !is_signed(type)) return kNone;
  if (hlo::type_bits(type) < 8) return kNone;
  using hlo::RngAlgorithm;
  const auto algorithm = b.random.of(std::vector<RngAlgorithm>{
      RngAlgorithm::kDefault, RngAlgorithm::kThreeFry, RngAlgorithm::kPhilox});
  const int64_t words = algorithm == RngAlgorithm::kThreeFry ? 2 : b.random.between(2, 3);
  const Id state = b.fresh(PrimitiveType::kU64, {words});
  const Shape declared =
      Shape::make_tuple({b.shape(state), Shape::array(type, b.random_dims(0, 3))});
  const Id out = b.emit(Opcode::kRngBitGenerator, {state},
                        hlo::RngBitGeneratorAttributes{algorithm}, {}, declared);
  return out == kNone ? out : element(b, out, b.random.chance(80) ? 1 : 0);
}

}  // namespace

void add_algorithms(std::vector<Proposal>& rows) {
  rows.push_back({"sort", 8, sort});
  rows.push_back({"topk", 4, topk});
  rows.push_back({"fft", 3, fft});
  rows.push_back({"cholesky", 2, cholesky});
  rows.push_back({"triangular-solve", 2, triangular_solve});
  for (const auto& [name, opcode] : std::vector<std::pair<const char*, Opcode>>{
           {"batch-norm-training", Opcode::kBatchNormTraining},
           {"batch-norm-inference", Opcode::kBatchNormInference},
           {"batch-norm-grad", Opcode::kBatchNormGrad}})
    rows.push_back({name, 1, [opcode = opcode](Builder& b, PrimitiveType type) {
                      return batch_norm(b, type, opcode);
                    }});
  rows.push_back({"rng-bit-generator", 3, rng_bit_generator});
}

}  // namespace hlocc::fuzz
