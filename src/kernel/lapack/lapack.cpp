// See lapack.h: the table of routines, the reading of a call, and the loop over its batch.
#include "kernel/lapack/lapack.h"

#include <algorithm>

#include "kernel/lapack/routines.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

// One by one: lapack::Number would clash with legalize/'s where files are compiled together.
using hlo::Shape;
using lapack::Code;
using lapack::make_gehrd;
using lapack::make_geqrf;
using lapack::make_gesdd;
using lapack::make_gesvd;
using lapack::make_getrf;
using lapack::make_gtsv;
using lapack::make_orgqr;
using lapack::make_ormqr;
using lapack::make_potrf;
using lapack::make_syevd;
using lapack::make_sytrd;
using lapack::make_trsm;
using lapack::MakeRoutine;
using lapack::Matrix;
using lapack::Problem;
using lapack::Routine;
using lapack::set_identity;

using Size = std::pair<int64_t, int64_t>;  // rows, columns; a vector is a row
using Sizes = std::vector<Size>;

bool is_square(Size a) { return a.first == a.second; }
int64_t smaller(Size a) { return std::min(a.first, a.second); }

// The sizes that results must have, nothing if the operands do not fit one another.
using ResultSizes = Sizes (*)(const Problem& p);

Sizes of_square(const Problem& p) {
  const Size a = p.operand_sizes[0];
  return is_square(a) ? Sizes{a} : Sizes{};
}
Sizes of_systems(const Problem& p) {
  const Size a = p.operand_sizes[0], b = p.operand_sizes[1];
  const int64_t n = p.option("side", 'L') == 'L' ? b.first : b.second;
  return is_square(a) && a.first == n ? Sizes{b} : Sizes{};
}
Sizes of_factors(const Problem& p) {
  const Size a = p.operand_sizes[0];
  return {a, {1, smaller(a)}};
}
Sizes of_diagonals(const Problem& p) {
  const Size d = p.operand_sizes[1], x = p.operand_sizes[3];
  const bool fits =
      d.first == 1 && p.operand_sizes[0] == d && p.operand_sizes[2] == d && x.first == d.second;
  return fits ? Sizes{d, d, d, x} : Sizes{};
}
Sizes of_reflectors(const Problem& p) {
  const Size a = p.operand_sizes[0], tau = p.operand_sizes[1];
  return tau.first == 1 && tau.second <= smaller(a) ? Sizes{a} : Sizes{};
}
Sizes of_product(const Problem& p) {
  const Size x = p.operand_sizes[2];
  const int64_t n = p.option("left", 'T') == 'T' ? x.first : x.second;
  return !of_reflectors(p).empty() && p.operand_sizes[0].first == n ? Sizes{x} : Sizes{};
}
Sizes of_eigenvectors(const Problem& p) {
  const Size a = p.operand_sizes[0];
  return is_square(a) ? Sizes{a, {1, a.first}} : Sizes{};
}
Sizes of_tridiagonal(const Problem& p) {
  const Size a = p.operand_sizes[0];
  return is_square(a) ? Sizes{a, {1, a.first}, {1, a.first - 1}, {1, a.first - 1}} : Sizes{};
}
Sizes of_hessenberg(const Problem& p) {
  const Size a = p.operand_sizes[0];
  return is_square(a) ? Sizes{a, {1, a.first - 1}} : Sizes{};
}
Sizes of_singular(const Problem& p) {
  const Size a = p.operand_sizes[0];
  const int64_t k = smaller(a);
  const char mode = p.option("mode", 'S');
  // Without vectors their places may have either size.
  const Size left = mode == 'N' ? p.result_sizes[2] : Size{a.first, mode == 'A' ? a.first : k};
  const Size right = mode == 'N' ? p.result_sizes[3] : Size{mode == 'A' ? a.second : k, a.second};
  return {a, {1, k}, left, right};
}

// results: a letter each; T the operands' type, R the real one of it, W whole numbers. The error
// code of calls that have one comes behind them.
struct Entry {
  std::string_view name;  // behind the letter of the type
  MakeRoutine make;
  ResultSizes sizes;
  size_t operands;
  std::string_view results;
  bool info;
};
constexpr Entry routines[] = {
    {"potrf", make_potrf, of_square, 1, "T", true},
    {"trsm", make_trsm, of_systems, 2, "T", false},
    {"getrf", make_getrf, of_factors, 1, "TW", true},
    {"gtsv", make_gtsv, of_diagonals, 4, "TTTT", true},
    {"geqrf", make_geqrf, of_factors, 1, "TT", false},
    {"orgqr", make_orgqr, of_reflectors, 2, "T", false},
    {"ungqr", make_orgqr, of_reflectors, 2, "T", false},
    {"ormqr", make_ormqr, of_product, 3, "T", false},
    {"unmqr", make_ormqr, of_product, 3, "T", false},
    {"syevd", make_syevd, of_eigenvectors, 1, "TR", true},
    {"heevd", make_syevd, of_eigenvectors, 1, "TR", true},
    {"gesdd", make_gesdd, of_singular, 1, "TRTT", true},
    {"gesvd", make_gesvd, of_singular, 1, "TRTT", true},
    {"sytrd", make_sytrd, of_tridiagonal, 1, "TRRT", true},
    {"hetrd", make_sytrd, of_tridiagonal, 1, "TRRT", true},
    {"gehrd", make_gehrd, of_hessenberg, 1, "TT", true},
};

constexpr std::string_view kPrefix = "lapack_", kSuffix = "_ffi";

const Entry* find(std::string_view target) {
  if (!target.starts_with(kPrefix) || !target.ends_with(kSuffix)) return nullptr;
  target.remove_prefix(kPrefix.size());
  target.remove_suffix(kSuffix.size());
  if (target.empty() || std::string_view("sdcz").find(target[0]) == std::string_view::npos)
    return nullptr;
  const auto found = std::ranges::find(routines, target.substr(1), &Entry::name);
  return found == std::end(routines) ? nullptr : found;
}

// The value of `name` in `{name = 76 : ui8, ...}`: a letter by its code, or T or F for true and
// false.
char option_in(std::string_view options, std::string_view name, char otherwise) {
  const size_t at = options.find(cat(name, " = "));
  if (at == std::string_view::npos) return otherwise;
  const char first = at + name.size() + 3 < options.size() ? options[at + name.size() + 3] : ' ';
  if (first == 't' || first == 'f') return first == 't' ? 'T' : 'F';
  int code = 0;
  for (const char digit : options.substr(at + name.size() + 3)) {
    if (digit < '0' || digit > '9') break;
    code = code * 10 + (digit - '0');
  }
  return code > 0 && code < 128 ? static_cast<char>(code) : otherwise;
}

// Where the problem number `at` of the batch lies in the array.
Matrix place(const Shape& shape, int64_t batch_rank, BufferId buffer, const Affine& at) {
  Matrix m{buffer, {}, 1, 1, !hlo::is_complex(shape.element_type)};
  int64_t elements = 1;
  for (int64_t d = batch_rank; d < shape.rank(); ++d) elements *= shape.dimensions[d];
  if (shape.rank() - batch_rank == 2) m.down = shape.dimensions.back();
  m.base = at.times(elements);
  return m;
}

std::pair<int64_t, int64_t> size_of(const Shape& shape, int64_t batch_rank) {
  const int64_t rank = shape.rank() - batch_rank;
  if (rank == 2) return {shape.dimensions[batch_rank], shape.dimensions.back()};
  return {1, rank == 1 ? shape.dimensions.back() : 1};
}

// Matrices without elements: what is left of the results is unitary.
Routine empty_problem(Code& c) {
  return [&c](const Problem& p) {
    c.set_whole(p.info, {}, Affine{});
    for (size_t k = 0; k < p.results.size(); ++k)
      set_identity(c, p.results[k], p.result_sizes[k].first, p.result_sizes[k].second);
  };
}

hlo::PrimitiveType type_of_letter(char letter) {
  using hlo::PrimitiveType;
  return letter == 's'   ? PrimitiveType::kF32
         : letter == 'd' ? PrimitiveType::kF64
         : letter == 'c' ? PrimitiveType::kC64
                         : PrimitiveType::kC128;
}

bool has_batch(const Shape& shape, const Shape& first, int64_t batch_rank) {
  return shape.is_array() && shape.rank() >= batch_rank && shape.rank() <= batch_rank + 2 &&
         std::equal(first.dimensions.begin(), first.dimensions.begin() + batch_rank,
                    shape.dimensions.begin());
}

std::string routine_names() {
  std::string names;
  for (const Entry& row : routines) names += cat(names.empty() ? "" : ", ", row.name);
  return names;
}

// One call: its routine, name and shapes.
struct LapackCall {
  const Entry& row;
  std::string_view target;
  std::span<const Shape> operands, results;
};

Diagnostic misfit(const LapackCall& call, std::string_view what) {
  return error(DiagnosticKind::kShape,
               cat("the ", what, " of the LAPACK call \"", call.target, "\" do not fit"))
      .note(cat("LAPACK's ", call.row.name, " takes ", call.row.operands, " operands and gives ",
                call.row.results.size() + (call.row.info ? 1 : 0), " results"));
}

// A vector comes first where a tridiagonal matrix does.
int64_t batch_rank_of(const Entry& row, const Shape& first) {
  return first.rank() - (row.name == "gtsv" ? 1 : 2);
}

// The sizes of a call whose number of leaves, types and batches fit.
Result<Problem> problem_of(const LapackCall& call) {
  const auto& [row, target, operands, results] = call;
  if (operands.size() != row.operands) return misfit(call, "operands");
  if (results.size() != row.results.size() + (row.info ? 1 : 0)) return misfit(call, "results");
  const Shape& first = operands[0];
  const int64_t batch_rank = batch_rank_of(row, first);
  if (!first.is_array() || batch_rank < 0) return misfit(call, "operands");
  const hlo::PrimitiveType type = type_of_letter(target[kPrefix.size()]);
  Problem problem;
  for (const Shape& shape : operands) {
    if (shape.element_type != type || !has_batch(shape, first, batch_rank))
      return misfit(call, "operands");
    problem.operand_sizes.push_back(size_of(shape, batch_rank));
  }
  for (size_t k = 0; k < results.size(); ++k) {
    const char letter = k < row.results.size() ? row.results[k] : 'W';
    const hlo::PrimitiveType wanted = letter == 'T'   ? type
                                      : letter == 'R' ? hlo::real_type(type)
                                                      : hlo::PrimitiveType::kS32;
    if (results[k].element_type != wanted || !has_batch(results[k], first, batch_rank))
      return misfit(call, "results");
    if (k < row.results.size()) problem.result_sizes.push_back(size_of(results[k], batch_rank));
  }
  if (row.info && size_of(results.back(), batch_rank) != Size{1, 1}) return misfit(call, "results");
  return problem;
}

}  // namespace

bool is_lapack_call(std::string_view target) {
  return target.starts_with(kPrefix) || target.starts_with("blas_");
}

Result<Kernel> lapack_kernel(std::string_view target, std::string_view options,
                             std::span<const Shape> operands, std::span<const Shape> results) {
  const Entry* row = find(target);
  if (row == nullptr)
    return error(DiagnosticKind::kUnsupported, cat("the LAPACK call \"", target, "\""))
        .note(cat("served are lapack_<s|d|c|z><routine>_ffi for ", routine_names(),
                  "; compute it with other operations, or outside of the model"));
  HLOCC_TRY_ASSIGN(Problem problem, problem_of({*row, target, operands, results}));
  problem.option = [options](std::string_view name, char otherwise) {
    return option_in(options, name, otherwise);
  };
  const Sizes sizes = row->sizes(problem);
  if (sizes.empty()) return misfit({*row, target, operands, results}, "operands");
  if (sizes != problem.result_sizes) return misfit({*row, target, operands, results}, "results");

  const Shape& first = operands[0];
  const int64_t batch_rank = batch_rank_of(*row, first);
  int64_t batch = 1;
  for (int64_t d = 0; d < batch_rank; ++d) batch *= first.dimensions[d];
  Builder b(std::string(target.substr(kPrefix.size() + 1)));
  Code c(b, scalar_of(hlo::real_type(first.element_type)), hlo::is_complex(first.element_type));
  const auto bind = [&](const char* name, const Shape& shape, Direction direction) {
    const int64_t parts = hlo::is_complex(shape.element_type) ? 2 : 1;
    return c.buffer(name, scalar_of(hlo::real_type(shape.element_type)),
                    shape.element_count() * parts, direction);
  };
  std::vector<BufferId> in, out;
  for (const Shape& shape : operands) in.push_back(bind("in", shape, Direction::kIn));
  for (const Shape& shape : results) out.push_back(bind("out", shape, Direction::kOut));
  if (!row->info) problem.info = c.scratch_wholes("info", 1);
  const Routine routine = first.element_count() > 0 ? row->make(c, problem) : empty_problem(c);
  c.loop(0, batch, [&](const Affine& at) {
    problem.operands.clear();
    problem.results.clear();
    for (size_t k = 0; k < in.size(); ++k)
      problem.operands.push_back(place(operands[k], batch_rank, in[k], at));
    for (size_t k = 0; k < row->results.size(); ++k)
      problem.results.push_back(place(results[k], batch_rank, out[k], at));
    if (row->info) problem.info = {out.back(), at};
    routine(problem);
  });
  return b.finish();
}

}  // namespace hlocc::kernel
