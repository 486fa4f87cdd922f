// See lapack.h: the table of routines, the reading of a call, and the loop over its batch.
#include "kernel/lapack/lapack.h"

#include <algorithm>

#include "kernel/lapack/routines.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

using namespace lapack;
using hlo::Shape;

struct Entry {
  std::string_view name;  // behind the letter of the type
  MakeRoutine make;
  int operands, results;  // results without info
  bool info;
};
constexpr Entry routines[] = {
    {"potrf", make_potrf, 1, 1, true}, {"trsm", make_trsm, 2, 1, false},
    {"getrf", make_getrf, 1, 2, true}, {"gtsv", make_gtsv, 4, 4, true},
    {"geqrf", make_geqrf, 1, 2, false}, {"orgqr", make_orgqr, 2, 1, false},
    {"ungqr", make_orgqr, 2, 1, false}, {"ormqr", make_ormqr, 3, 1, false},
    {"unmqr", make_ormqr, 3, 1, false}, {"syevd", make_syevd, 1, 2, true},
    {"heevd", make_syevd, 1, 2, true},  {"gesdd", make_gesdd, 1, 4, true},
    {"gesvd", make_gesvd, 1, 4, true},  {"sytrd", make_sytrd, 1, 4, true},
    {"hetrd", make_sytrd, 1, 4, true},  {"gehrd", make_gehrd, 1, 2, true},
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

std::string routine_names() {
  std::string names;
  for (const Entry& row : routines) names += cat(names.empty() ? "" : ", ", row.name);
  return names;
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
  const size_t wanted = static_cast<size_t>(row->results) + (row->info ? 1 : 0);
  if (operands.size() != static_cast<size_t>(row->operands) || results.size() < wanted)
    return error(DiagnosticKind::kShape, cat("the LAPACK call \"", target, "\" has ",
                                             operands.size(), " operands and ", results.size(),
                                             " results, not ", row->operands, " and ", wanted));
  const Shape& first = operands[0];
  // A vector comes first where a tridiagonal matrix does.
  const int64_t batch_rank = first.rank() - (row->name == "gtsv" ? 1 : 2);
  int64_t batch = 1;
  for (int64_t d = 0; d < batch_rank; ++d) batch *= first.dimensions[d];
  bool fits = batch_rank >= 0;
  for (const Shape& shape : operands)
    fits = fits && shape.rank() >= batch_rank && shape.element_type == first.element_type;
  if (!fits)
    return error(DiagnosticKind::kShape,
                 cat("the operands of the LAPACK call \"", target, "\" are no matrices of one batch"));

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
  Problem problem;
  for (const Shape& shape : operands) problem.operand_sizes.push_back(size_of(shape, batch_rank));
  for (int k = 0; k < row->results; ++k)
    problem.result_sizes.push_back(size_of(results[k], batch_rank));
  problem.option = [options](std::string_view name, char otherwise) {
    return option_in(options, name, otherwise);
  };
  if (!row->info) problem.info = c.scratch_wholes("info", 1);
  const Routine routine = first.element_count() > 0 ? row->make(c, problem) : empty_problem(c);
  c.loop(0, batch, [&](const Affine& at) {
    problem.operands.clear();
    problem.results.clear();
    for (size_t k = 0; k < in.size(); ++k)
      problem.operands.push_back(place(operands[k], batch_rank, in[k], at));
    for (size_t k = 0; k < static_cast<size_t>(row->results); ++k)
      problem.results.push_back(place(results[k], batch_rank, out[k], at));
    if (row->info) problem.info = {out[static_cast<size_t>(row->results)], at};
    routine(problem);
  });
  return b.finish();
}

}  // namespace hlocc::kernel
