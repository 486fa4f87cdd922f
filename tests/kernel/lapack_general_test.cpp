// Pivoted QR, Schur forms and general eigenvalues where they are at an edge: sizes of 0 and 1,
// numbers that are none, an iteration that must give up, marks of columns, options. Matrices of
// every kind are judged in tests/lapack.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "kernel/builder.h"
#include "kernel/lapack/qr_iteration.h"
#include "kernel/lapack_calls.h"

namespace hlocc::kernel {
namespace {

using namespace lapack_calls;

Call schur_of(const Dense& a, bool complex, const char* options = "{mode = 86 : ui8}") {
  const int64_t n = a.rows;
  Call call{"gees", options, complex, {a}};
  call.result({n, n});
  call.result({n, n});
  for (int k = 0; k < (complex ? 1 : 2); ++k) call.result({n});
  call.whole_result({});
  call.whole_result({});
  call.run();
  return call;
}

Call eigen_of(const Dense& a, bool complex,
              const char* options = "{compute_left = 86 : ui8, compute_right = 86 : ui8}") {
  const int64_t n = a.rows;
  Call call{"geev", options, complex, {a}};
  for (int k = 0; k < (complex ? 1 : 2); ++k) call.result({n});
  for (int k = 0; k < 2; ++k)
    call.result_shapes.push_back(Shape::array(PrimitiveType::kC128, {n, n}));
  call.whole_result({});
  call.run();
  return call;
}

Dense eigenvalues(const Call& call, size_t first) {
  Dense values = call.results[first];
  if (!call.complex)
    for (int64_t k = 0; k < values.columns; ++k)
      values(0, k) += Complex(0, 1) * call.results[first + 1](0, k);
  return values;
}

Dense diagonal(const Dense& row) {
  Dense d(row.columns, row.columns);
  for (int64_t k = 0; k < row.columns; ++k) d(k, k) = row(0, k);
  return d;
}

bool all_nan(const Dense& a) {
  return std::ranges::all_of(a.at, [](Complex x) { return std::isnan(x.real()); });
}

TEST_CASE("Schur forms: Q T Q^H is the matrix, T triangular but for pairs") {
  for (const bool complex : {false, true})
    for (const int64_t n : {1, 2, 3, 6}) {
      const Dense a = random_matrix(n, n, complex, 71);
      const Call call = schur_of(a, complex);
      const Dense &t = call.results[0], &q = call.results[1];
      CHECK(distance(q * t * adjoint(q), a) < 1e-13);
      CHECK(distance(adjoint(q) * q, identity(n)) < 1e-13);
      const Dense values = eigenvalues(call, 2);
      for (int64_t k = 0; k < n; ++k) {
        // A pair's diagonal elements are its real part.
        const Complex apart = t(k, k) - values(0, k);
        CHECK(std::abs(complex ? apart : apart.real()) < 1e-13);
      }
      CHECK(call.wholes == std::vector<int32_t>{0});
      // Without vectors T is the same, and their place is zero.
      const Call form = schur_of(a, complex, "{mode = 78 : ui8}");
      CHECK(distance(form.results[0], t) == 0);
      CHECK(distance(form.results[1], Dense(n, n)) == 0);
    }
}

TEST_CASE("a pair whose block loses an element to underflow becomes two real numbers") {
  // Values m +- i sqrt(p^2 - b c): in range while the matrix is scaled, and b below all numbers
  // after it.
  Dense a(3, 3);
  const double b = 4.9406564584124654e-324, c = -1e-305;
  const double p = 0.995 * std::sqrt(-c * 0x1p1000) * 0x1p-1037;  // b is 2^-1074
  a(0, 0) = p, a(0, 1) = b, a(1, 0) = c, a(1, 1) = -p;
  a(0, 2) = 3e-310, a(1, 2) = 2e-310, a(2, 2) = 1e-306;
  const Call call = schur_of(a, false);
  const Dense &t = call.results[0], &q = call.results[1];
  CHECK(distance(q * t * adjoint(q), a) < 1e-319);
  CHECK(distance(adjoint(q) * q, identity(3)) < 1e-14);
  for (int64_t k = 0; k < 3; ++k) {
    CHECK(call.results[3](0, k) == 0.0);
    for (int64_t j = 0; j < k; ++j) CHECK(t(k, j) == 0.0);
  }
  CHECK(std::abs(t(0, 1).real() + c) < 1e-318);
}

TEST_CASE("general eigenvectors are theirs, from both sides") {
  for (const bool complex : {false, true})
    for (const int64_t n : {1, 2, 3, 6}) {
      const Dense a = random_matrix(n, n, complex, 73);
      const Call call = eigen_of(a, complex);
      const size_t first = complex ? 1 : 2;
      const Dense values = eigenvalues(call, 0);
      const Dense &left = call.results[first], &right = call.results[first + 1];
      CHECK(distance(a * right, right * diagonal(values)) < 1e-13);
      CHECK(distance(adjoint(left) * a, diagonal(values) * adjoint(left)) < 1e-13);
      CHECK(call.wholes == std::vector<int32_t>{0});
      const Call values_only =
          eigen_of(a, complex, "{compute_left = 78 : ui8, compute_right = 78 : ui8}");
      CHECK(distance(eigenvalues(values_only, 0), values) < 1e-12);
      CHECK(distance(values_only.results[first + 1], Dense(n, n)) == 0);
    }
}

TEST_CASE("matrices without elements have no eigenvalues and no error") {
  for (const bool complex : {false, true}) {
    CHECK(schur_of(Dense(0, 0), complex).wholes == std::vector<int32_t>{0});
    CHECK(eigen_of(Dense(0, 0), complex).wholes == std::vector<int32_t>{0});
  }
}

TEST_CASE("matrices that are not finite give NaN and XLA's error codes") {
  for (const bool complex : {false, true})
    for (const double bad : {HUGE_VAL, -HUGE_VAL, std::nan("")})
      for (const int64_t n : {1, 3}) {
        Dense a = random_matrix(n, n, complex, 75);
        a(n - 1, 0) = bad;
        const Call schur = schur_of(a, complex), eigen = eigen_of(a, complex);
        CHECK(schur.wholes == std::vector<int32_t>{static_cast<int32_t>(n)});
        CHECK(eigen.wholes == std::vector<int32_t>{-4});
        for (const Dense& result : schur.results) CHECK(all_nan(result));
        for (const Dense& result : eigen.results) CHECK(all_nan(result));
      }
}

// The iteration by itself: error code and turns for a Hessenberg matrix.
std::pair<int32_t, int32_t> iterate(const Dense& matrix, bool complex, int64_t turns_a_row) {
  const int64_t n = matrix.rows, parts = complex ? 2 : 1;
  Builder b("iterate");
  lapack::Code c(b, Scalar::kF64, complex);
  const BufferId in = c.buffer("in", Scalar::kF64, n * n * parts, Direction::kIn);
  const lapack::Row info{c.buffer("info", Scalar::kS32, 1, Direction::kOut), {}};
  const lapack::Row turns{c.buffer("turns", Scalar::kS32, 1, Direction::kOut), {}};
  lapack::QrIteration iteration(c, n, false, false, turns_a_row);
  iteration.iterations = turns;
  c.set_whole(turns, {}, {});
  c.fill(iteration.h, n + 1, n + 1, 0);
  const lapack::Matrix a{in, {}, n, 1, !complex};
  c.loop(0, n, [&](const Affine& i) {
    c.loop(0, n, [&](const Affine& j) { c.put(iteration.h, i, j, c.get(a, i, j)); });
  });
  iteration.run([](const Affine&, lapack::Number) {}, info);
  const Kernel kernel = b.finish();
  std::vector<double> elements;
  for (const Complex& x : matrix.at) {
    elements.push_back(x.real());
    if (complex) elements.push_back(x.imag());
  }
  int32_t out[2] = {7, 7};
  const std::span<std::byte> buffers[] = {std::as_writable_bytes(std::span(elements)),
                                          std::as_writable_bytes(std::span(&out[0], 1)),
                                          std::as_writable_bytes(std::span(&out[1], 1))};
  REQUIRE(verify(kernel));
  REQUIRE(evaluate(kernel, buffers, {}));
  return {out[0], out[1]};
}

TEST_CASE("an iteration that does not converge within its bound says where it stopped") {
  for (const bool complex : {false, true}) {
    // A cyclic permutation, which needs exceptional shifts; after it a number by itself, found at
    // once.
    Dense a(5, 5);
    for (int64_t i = 0; i < 4; ++i) a((i + 1) % 4, i) = 1;
    a(4, 4) = 2;
    CHECK(iterate(a, complex, 0) == std::pair<int32_t, int32_t>{4, 0});
    const auto [info, turns] = iterate(a, complex, 30);
    CHECK(info == 0);
    CHECK(turns > 10);
    CHECK(turns < 40);
    // Ten turns a block of one row are a hundred turns at least.
    CHECK(iterate(a, complex, 1).first == 4);
  }
}

// For bench/lapack.py: HLOCC_SIZE rows a matrix of f64, pairs of them with HLOCC_COMPLEX=1.
TEST_CASE("turns of Hessenberg matrices in a file", "[.iterations]") {
  const char *path = std::getenv("HLOCC_MATRICES"), *size = std::getenv("HLOCC_SIZE"),
             *kind = std::getenv("HLOCC_COMPLEX");
  REQUIRE((path != nullptr && size != nullptr && kind != nullptr));
  const bool complex = kind[0] == '1';
  Dense a(std::atoi(size), std::atoi(size));
  std::ifstream file(path, std::ios::binary);
  const auto number = [&] {
    double x = 0;
    file.read(reinterpret_cast<char*>(&x), sizeof x);
    return x;
  };
  while (file.peek() != std::ifstream::traits_type::eof()) {
    for (Complex& x : a.at) {
      const double real = number();
      x = {real, complex ? number() : 0.0};
    }
    const auto [info, turns] = iterate(a, complex, 30);
    CHECK(info == 0);
    std::cout << "turns " << turns << "\n";
  }
}

TEST_CASE("columns that are marked come first, the others by their lengths") {
  Dense a(3, 4);
  for (int64_t j = 0; j < 4; ++j) a(0, j) = 1.0, a(2, j) = static_cast<double>(j + 1);
  a(1, 1) = 1;
  Call call{"geqp3", "{}", false, {a}, {0, 0, 7, 0}};
  call.result({3, 4});
  call.whole_result({4});
  call.result({3});
  call.run();
  CHECK(call.wholes == std::vector<int32_t>{3, 2, 1, 4});
}

TEST_CASE("columns without rows keep their order") {
  Call call{"geqp3", "{}", false, {Dense(0, 3)}, {0, 1, 0}};
  call.result({0, 3});
  call.whole_result({3});
  call.result({0});
  call.run();
  CHECK(call.wholes == std::vector<int32_t>{2, 1, 3});
}

TEST_CASE("Hessenberg forms of small and of large numbers have unitary reflectors") {
  for (const bool complex : {false, true})
    for (const double size : {1e-320, 1e-170, 1e170}) {
      Dense a = random_matrix(4, 4, complex, 77);
      for (Complex& x : a.at) x *= size;
      Call form{"gehrd", "{}", complex, {a}};
      form.result({4, 4});
      form.result({3});
      form.whole_result({});
      form.run();
      const Dense &h = form.results[0], &tau = form.results[1];
      for (int64_t k = 0; k < 3; ++k) {
        // |tau|^2 |v|^2 = 2 re tau, for whatever is no identity.
        double square = 1;
        for (int64_t i = k + 2; i < 4; ++i) square += std::norm(h(i, k));
        CHECK(std::abs(std::norm(tau(0, k)) * square - 2 * tau(0, k).real()) < 1e-14);
      }
    }
}

TEST_CASE("eigenvalues are not sorted by a function that a call does not carry") {
  const Shape a = Shape::array(PrimitiveType::kC64, {3, 3}),
              w = Shape::array(PrimitiveType::kC64, {3}),
              whole = Shape::array(PrimitiveType::kS32, {});
  const std::vector<Shape> results{a, a, w, whole, whole};
  CHECK(lapack_kernel("lapack_cgees_ffi", "{mode = 86 : ui8, sort = 78 : ui8}", {&a, 1}, results));
  const Result<Kernel> sorted =
      lapack_kernel("lapack_cgees_ffi", "{mode = 86 : ui8, sort = 83 : ui8}", {&a, 1}, results);
  REQUIRE(!sorted);
  CHECK(sorted.error().kind == DiagnosticKind::kUnsupported);
  CHECK(sorted.error().message.find("lapack_cgees_ffi") != std::string::npos);
}

TEST_CASE("shapes that do not fit the general routines are refused") {
  const Shape info = array({}, PrimitiveType::kS32), a = array({3, 3}), w = array({3}),
              v = array({3, 3}, PrimitiveType::kC128);
  // A complex row for the two of a real matrix, real vectors, a matrix that is not square.
  refused("lapack_dgeev_ffi", {a}, {array({3}, PrimitiveType::kC128), v, v, info});
  refused("lapack_dgeev_ffi", {a}, {w, w, a, a, info});
  refused("lapack_dgeev_ffi", {array({3, 2})}, {w, w, v, v, info});
  const Shape wide = array({3, 2}, PrimitiveType::kC128);
  refused("lapack_dgeev_ffi", {array({3, 2})}, {w, w, wide, wide, info});
  refused("lapack_zgeev_ffi", {v}, {w, w, v, v, info});
  refused("lapack_dgees_ffi", {a}, {a, a, w, w, info});
  refused("lapack_dgees_ffi", {array({3, 2})}, {a, a, w, w, info, info});
  // Marks: of whole numbers, one a column.
  const auto marks = [&](int64_t n) { return array({n}, PrimitiveType::kS32); };
  refused("lapack_dgeqp3_ffi", {array({3, 4})}, {array({3, 4}), marks(4), w});
  refused("lapack_dgeqp3_ffi", {array({3, 4}), array({4})}, {array({3, 4}), marks(4), w});
  refused("lapack_dgeqp3_ffi", {array({3, 4}), marks(3)}, {array({3, 4}), marks(4), w});
  refused("lapack_dgeqp3_ffi", {array({3, 4}), marks(4)}, {array({3, 4}), marks(4), array({4})});
}

TEST_CASE("eigenvectors of one side are what they are of both, and the other's are zeros") {
  for (const bool complex : {false, true}) {
    const int64_t n = 4;
    const Dense a = random_matrix(n, n, complex, 73);
    const size_t first = complex ? 1 : 2;
    const Call both = eigen_of(a, complex);
    const Call left = eigen_of(a, complex, "{compute_left = 86 : ui8, compute_right = 78 : ui8}"),
               right = eigen_of(a, complex, "{compute_left = 78 : ui8, compute_right = 86 : ui8}");
    CHECK(distance(left.results[first], both.results[first]) < 1e-12);
    CHECK(distance(left.results[first + 1], Dense(n, n)) == 0);
    CHECK(distance(right.results[first], Dense(n, n)) == 0);
    CHECK(distance(right.results[first + 1], both.results[first + 1]) < 1e-12);
  }
}

}  // namespace
}  // namespace hlocc::kernel
