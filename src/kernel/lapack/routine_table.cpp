// See routine_table.h.
#include "kernel/lapack/routine_table.h"

#include <algorithm>

#include "support/text.h"

namespace hlocc::kernel::lapack {
namespace {

bool is_square(Size a) { return a.first == a.second; }
int64_t smaller(Size a) { return std::min(a.first, a.second); }

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
// The first operand is a vector: it says how many dimensions the batch has.
Sizes of_diagonals(const Problem& p) {
  const Size d = p.operand_sizes[1], x = p.operand_sizes[3];
  const bool fits = p.operand_sizes[0] == d && p.operand_sizes[2] == d && x.first == d.second;
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
Sizes of_pivots(const Problem& p) {
  const Size a = p.operand_sizes[0], columns{1, a.second};
  return p.operand_sizes[1] == columns ? Sizes{a, columns, {1, smaller(a)}} : Sizes{};
}
// Eigenvalues are one result if complex, and two, real and imaginary parts, if not.
Sizes of_schur(const Problem& p) {
  const Size a = p.operand_sizes[0], row{1, a.first};
  if (!is_square(a)) return {};
  return p.result_sizes.size() == 4 ? Sizes{a, a, row, {1, 1}} : Sizes{a, a, row, row, {1, 1}};
}
Sizes of_two_sides(const Problem& p) {
  const Size a = p.operand_sizes[0], row{1, a.first};
  if (!is_square(a)) return {};
  return p.result_sizes.size() == 3 ? Sizes{row, a, a} : Sizes{row, row, a, a};
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

constexpr Entry routines[] = {
    {"potrf", make_potrf, of_square, "T", "T", true},
    {"trsm", make_trsm, of_systems, "TT", "T", false},
    {"getrf", make_getrf, of_factors, "T", "TW", true},
    {"gtsv", make_gtsv, of_diagonals, "TTTT", "TTTT", true},
    {"geqrf", make_geqrf, of_factors, "T", "TT", false},
    {"orgqr", make_orgqr, of_reflectors, "TT", "T", false},
    {"ungqr", make_orgqr, of_reflectors, "TT", "T", false},
    {"ormqr", make_ormqr, of_product, "TTT", "T", false},
    {"unmqr", make_ormqr, of_product, "TTT", "T", false},
    {"syevd", make_syevd, of_eigenvectors, "T", "TR", true},
    {"heevd", make_syevd, of_eigenvectors, "T", "TR", true},
    {"gesdd", make_gesdd, of_singular, "T", "TRTT", true},
    {"gesvd", make_gesvd, of_singular, "T", "TRTT", true},
    {"sytrd", make_sytrd, of_tridiagonal, "T", "TRRT", true},
    {"hetrd", make_sytrd, of_tridiagonal, "T", "TRRT", true},
    {"gehrd", make_gehrd, of_hessenberg, "T", "TT", true},
    {"geqp3", make_geqp3, of_pivots, "TW", "TWT", false},
    {"gees", make_gees, of_schur, "T", "TTVW", true},
    {"geev", make_geev, of_two_sides, "T", "VCC", true},
};

}  // namespace

const Entry* find_routine(std::string_view target) {
  if (!target.starts_with(kPrefix) || !target.ends_with(kSuffix)) return nullptr;
  target.remove_prefix(kPrefix.size());
  target.remove_suffix(kSuffix.size());
  if (target.empty() || std::string_view("sdcz").find(target[0]) == std::string_view::npos)
    return nullptr;
  const auto found = std::ranges::find(routines, target.substr(1), &Entry::name);
  return found == std::end(routines) ? nullptr : found;
}

std::string routine_names() {
  std::string names;
  for (const Entry& row : routines) names += cat(names.empty() ? "" : ", ", row.name);
  return names;
}

hlo::PrimitiveType type_of_call(char letter) {
  using hlo::PrimitiveType;
  return letter == 's'   ? PrimitiveType::kF32
         : letter == 'd' ? PrimitiveType::kF64
         : letter == 'c' ? PrimitiveType::kC64
                         : PrimitiveType::kC128;
}

hlo::PrimitiveType type_of_leaf(char letter, hlo::PrimitiveType call) {
  if (letter == 'W') return hlo::PrimitiveType::kS32;
  if (letter == 'R') return hlo::real_type(call);
  return letter == 'C' && !hlo::is_complex(call) ? *hlo::complex_type(call) : call;
}

std::string results_of(const Entry& row, hlo::PrimitiveType call) {
  std::string letters;
  for (const char letter : row.results)
    letters += letter != 'V' ? std::string(1, letter) : hlo::is_complex(call) ? "T" : "RR";
  return letters;
}

}  // namespace hlocc::kernel::lapack
