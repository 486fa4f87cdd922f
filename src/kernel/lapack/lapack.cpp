// See lapack.h: the reading of a call, and the loop over its batch.
#include "kernel/lapack/lapack.h"

#include <algorithm>

#include "kernel/lapack/routine_table.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

// One by one: lapack::Number would clash with legalize/'s where files are compiled together.
using hlo::Shape;
using lapack::Code;
using lapack::Entry;
using lapack::kPrefix;
using lapack::Matrix;
using lapack::Problem;
using lapack::results_of;
using lapack::Routine;
using lapack::set_identity;
using lapack::Size;
using lapack::Sizes;

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

Size size_of(const Shape& shape, int64_t batch_rank) {
  const int64_t rank = shape.rank() - batch_rank;
  if (rank == 2) return {shape.dimensions[batch_rank], shape.dimensions.back()};
  return {1, rank == 1 ? shape.dimensions.back() : 1};
}

// Matrices without elements: what is left of the results is unitary, and numbers are 0.
Routine empty_problem(Code& c, const std::string& letters) {
  return [&c, letters](const Problem& p) {
    c.set_whole(p.info, {}, Affine{});
    for (size_t k = 0; k < p.results.size(); ++k) {
      if (letters[k] == 'W')
        c.loop(0, p.result_sizes[k].second, [&](const Affine& j) {
          c.set_whole({p.results[k].buffer, p.results[k].base}, j, Affine{});
        });
      else
        set_identity(c, p.results[k], p.result_sizes[k].first, p.result_sizes[k].second);
    }
  };
}

bool has_batch(const Shape& shape, const Shape& first, int64_t batch_rank) {
  return shape.is_array() && shape.rank() >= batch_rank && shape.rank() <= batch_rank + 2 &&
         std::equal(first.dimensions.begin(), first.dimensions.begin() + batch_rank,
                    shape.dimensions.begin());
}

// One call: its routine, name and shapes.
struct LapackCall {
  const Entry& row;
  std::string_view target;
  std::span<const Shape> operands, results;
};

hlo::PrimitiveType type_of(const LapackCall& call) {
  return lapack::type_of_call(call.target[kPrefix.size()]);
}

Diagnostic misfit(const LapackCall& call, std::string_view what) {
  const size_t results = results_of(call.row, type_of(call)).size() + (call.row.info ? 1 : 0);
  return error(DiagnosticKind::kShape,
               cat("the ", what, " of the LAPACK call \"", call.target, "\" do not fit"))
      .note(cat("LAPACK's ", call.row.name, " takes ", call.row.operands.size(),
                " operands and gives ", results, " results"));
}

// A vector comes first where a tridiagonal matrix does. What is no array has no dimensions.
int64_t batch_rank_of(const Entry& row, const Shape& first) {
  return first.rank() - (row.name == "gtsv" ? 1 : 2);
}

// The sizes of leaves of those types; nothing where one has another type or batch.
std::optional<Sizes> sizes_of(std::string_view letters, std::span<const Shape> leaves,
                              hlo::PrimitiveType type, const Shape& first, int64_t batch_rank) {
  if (leaves.size() != letters.size()) return std::nullopt;
  Sizes sizes;
  for (size_t k = 0; k < leaves.size(); ++k) {
    if (leaves[k].element_type != lapack::type_of_leaf(letters[k], type) ||
        !has_batch(leaves[k], first, batch_rank))
      return std::nullopt;
    sizes.push_back(size_of(leaves[k], batch_rank));
  }
  return sizes;
}

// The sizes of a call whose number of leaves, types and batches fit.
Result<Problem> problem_of(const LapackCall& call) {
  const auto& [row, target, operands, results] = call;
  if (operands.size() != row.operands.size()) return misfit(call, "operands");
  const Shape& first = operands[0];
  const int64_t batch_rank = batch_rank_of(row, first);
  if (batch_rank < 0) return misfit(call, "operands");
  const hlo::PrimitiveType type = type_of(call);
  const auto in = sizes_of(row.operands, operands, type, first, batch_rank);
  if (!in) return misfit(call, "operands");
  const std::string letters = results_of(row, type) + (row.info ? "W" : "");
  const auto out = sizes_of(letters, results, type, first, batch_rank);
  if (!out || (row.info && out->back() != Size{1, 1})) return misfit(call, "results");
  Problem problem;
  problem.operand_sizes = *in;
  problem.result_sizes.assign(out->begin(), out->end() - (row.info ? 1 : 0));
  return problem;
}

}  // namespace

bool is_lapack_call(std::string_view target) {
  return target.starts_with(kPrefix) || target.starts_with("blas_");
}

Result<Kernel> lapack_kernel(std::string_view target, std::string_view options,
                             std::span<const Shape> operands, std::span<const Shape> results) {
  const Entry* row = lapack::find_routine(target);
  if (row == nullptr)
    return error(DiagnosticKind::kUnsupported, cat("the LAPACK call \"", target, "\""))
        .note(cat("served are lapack_<s|d|c|z><routine>_ffi for ", lapack::routine_names(),
                  "; compute it with other operations, or outside of the model"));
  HLOCC_TRY_ASSIGN(Problem problem, problem_of({*row, target, operands, results}));
  problem.option = [options](std::string_view name, char otherwise) {
    return option_in(options, name, otherwise);
  };
  if (problem.option("sort", 'N') == 'S')
    return error(DiagnosticKind::kUnsupported,
                 cat("the LAPACK call \"", target, "\" sorts eigenvalues by a function"))
        .note("a call carries none; ask for the Schur form without sort, and sort afterwards");
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
  const bool empty =
      std::ranges::all_of(operands, [](const Shape& shape) { return shape.element_count() == 0; });
  const Routine routine =
      empty ? empty_problem(c, results_of(*row, first.element_type)) : row->make(c, problem);
  c.loop(0, batch, [&](const Affine& at) {
    problem.operands.clear();
    problem.results.clear();
    for (size_t k = 0; k < in.size(); ++k)
      problem.operands.push_back(place(operands[k], batch_rank, in[k], at));
    for (size_t k = 0; k < problem.result_sizes.size(); ++k)
      problem.results.push_back(place(results[k], batch_rank, out[k], at));
    if (row->info) problem.info = {out.back(), at};
    routine(problem);
  });
  return b.finish();
}

}  // namespace hlocc::kernel
