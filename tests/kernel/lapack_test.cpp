// LAPACK's routines as kernels, run by the evaluator: the factors multiply to the matrix, vectors
// are orthonormal, orders and error codes are LAPACK's.
#include "kernel/lapack_calls.h"

namespace hlocc::kernel {
namespace {

using namespace lapack_calls;

TEST_CASE("Cholesky factors multiply to the matrix") {
  for (const bool complex : {false, true})
    for (const bool lower : {false, true})
      for (const int64_t n : {1, 2, 7}) {
        const Dense a = hermitian(n, complex);
        Call call{"potrf", lower ? "{uplo = 76 : ui8}" : "{uplo = 85 : ui8}", complex, {a}};
        call.result({n, n});
        call.whole_result({});
        call.run();
        Dense factor = lower ? call.results[0] : adjoint(call.results[0]);
        for (int64_t i = 0; i < n; ++i)
          for (int64_t j = i + 1; j < n; ++j) factor(i, j) = 0;
        CHECK(distance(factor * adjoint(factor), a) < 1e-12);
        CHECK(call.wholes == std::vector<int32_t>{0});
      }
}

TEST_CASE("Cholesky names the first bad pivot") {
  Dense a = identity(4);
  a(2, 2) = -1;
  Call call{"potrf", "{uplo = 76 : ui8}", false, {a}};
  call.result({4, 4});
  call.whole_result({});
  call.run();
  CHECK(call.wholes == std::vector<int32_t>{3});
}

TEST_CASE("QR: Q is orthonormal, and Q R the matrix") {
  for (const bool complex : {false, true})
    for (const auto& [m, n] : {std::pair<int64_t, int64_t>{1, 1}, {5, 3}, {4, 4}, {3, 5}}) {
      const Dense a = random_matrix(m, n, complex, 3);
      const int64_t k = std::min(m, n);
      Call qr{"geqrf", "{}", complex, {a}};
      qr.result({m, n});
      qr.result({k});
      qr.run();
      Dense vectors(m, k), upper(k, n);
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < k; ++j) vectors(i, j) = qr.results[0](i, j);
      for (int64_t i = 0; i < k; ++i)
        for (int64_t j = i; j < n; ++j) upper(i, j) = qr.results[0](i, j);
      Call make{complex ? "ungqr" : "orgqr", "{}", complex, {vectors, qr.results[1]}};
      make.result({m, k});
      make.run(true);
      const Dense& q = make.results[0];
      CHECK(distance(adjoint(q) * q, identity(k)) < 1e-13);
      CHECK(distance(q * upper, a) < 1e-12);
      for (const bool left : {true, false})
        for (const bool turned : {true, false}) {
          const Dense c = left ? random_matrix(m, 2, complex, 9) : random_matrix(2, m, complex, 9);
          const std::string options = std::string("{left = ") + (left ? "true" : "false") +
                                      ", transpose = " + (turned ? "true" : "false") + "}";
          Call times{complex ? "unmqr" : "ormqr", options, complex, {vectors, qr.results[1], c}};
          times.result({c.rows, c.columns});
          times.run(true);
          Call whole{complex ? "ungqr" : "orgqr", "{}", complex, {}};
          Dense wide(m, m);
          for (int64_t i = 0; i < m; ++i)
            for (int64_t j = 0; j < k; ++j) wide(i, j) = vectors(i, j);
          whole.operands = {wide, qr.results[1]};
          whole.result({m, m});
          whole.run(true);
          const Dense full = turned ? adjoint(whole.results[0]) : whole.results[0];
          CHECK(distance(times.results[0], left ? full * c : c * full) < 1e-12);
        }
    }
}

TEST_CASE("LU: rows exchanged, L U is the matrix") {
  for (const bool complex : {false, true})
    for (const auto& [m, n] : {std::pair<int64_t, int64_t>{1, 1}, {5, 3}, {4, 4}, {3, 5}}) {
      const int64_t k = std::min(m, n);
      Dense a = random_matrix(m, n, complex, 11);
      Call lu{"getrf", "{}", complex, {a}};
      lu.result({m, n});
      lu.whole_result({k});
      lu.whole_result({});
      lu.run();
      CHECK(lu.wholes == std::vector<int32_t>{0});
      Dense lower(m, k), upper(k, n);
      for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < n; ++j) {
          if (j < i && j < k) lower(i, j) = lu.results[0](i, j);
          if (i == j && i < k) lower(i, j) = 1;
          if (i <= j && i < k) upper(i, j) = lu.results[0](i, j);
        }
      const Dense product = lower * upper;
      // Every row of the matrix is some row of the product.
      for (int64_t i = 0; i < m; ++i) {
        double nearest = 1e9;
        for (int64_t r = 0; r < m; ++r) {
          double far = 0;
          for (int64_t j = 0; j < n; ++j) far = std::max(far, std::abs(product(r, j) - a(i, j)));
          nearest = std::min(nearest, far);
        }
        CHECK(nearest < 1e-13);
      }
    }
}

TEST_CASE("triangular and tridiagonal systems") {
  const Dense a = random_matrix(4, 4, true, 21), b = random_matrix(4, 3, true, 22);
  for (const bool lower : {false, true})
    for (const char how : {'N', 'T', 'C'}) {
      Dense t(4, 4);
      for (int64_t i = 0; i < 4; ++i)
        for (int64_t j = 0; j < 4; ++j)
          if (lower ? j <= i : i <= j) t(i, j) = a(i, j);
      Dense op = t;
      if (how != 'N') op = adjoint(t);
      if (how == 'T')
        for (Complex& x : op.at) x = std::conj(x);
      const std::string options = std::string("{diag = 78 : ui8, side = 76 : ui8, trans_x = ") +
                                  std::to_string(int{how}) +
                                  " : ui8, uplo = " + (lower ? "76" : "85") + " : ui8}";
      Call solve{"trsm", options, true, {a, b}};
      solve.result({4, 3});
      solve.run();
      CHECK(distance(op * solve.results[0], b) < 1e-11);
    }
  // The first pivot is small, so that rows change places.
  Dense low(1, 4), d(1, 4), up(1, 4), right(4, 2), full(4, 4);
  for (int64_t i = 0; i < 4; ++i) {
    full(i, i) = d(0, i) = i == 0 ? 0.1 : 1.0 + static_cast<double>(i);
    if (i > 0) full(i, i - 1) = low(0, i) = 2.0;
    if (i < 3) full(i, i + 1) = up(0, i) = -0.5 * static_cast<double>(i + 1);
    right(i, 0) = 1;
    right(i, 1) = static_cast<double>(i);
  }
  std::vector<Shape> vectors(3, Shape::array(PrimitiveType::kF64, {4}));
  vectors.push_back(Shape::array(PrimitiveType::kF64, {4, 2}));
  std::vector<Shape> results = vectors;
  results.push_back(Shape::array(PrimitiveType::kS32, {}));
  Result<Kernel> kernel = lapack_kernel("lapack_dgtsv_ffi", "{}", vectors, results);
  REQUIRE(kernel);
  std::vector<std::vector<double>> memory;
  for (const Dense* m : {&low, &d, &up, &right}) {
    memory.emplace_back();
    for (const Complex& x : m->at) memory.back().push_back(x.real());
  }
  for (int i = 0; i < 3; ++i) memory.emplace_back(4);
  memory.emplace_back(8);
  std::vector<std::span<std::byte>> buffers;
  for (std::vector<double>& m : memory) buffers.push_back(std::as_writable_bytes(std::span(m)));
  int32_t info = 7;
  buffers.push_back(std::as_writable_bytes(std::span(&info, 1)));
  REQUIRE(evaluate(*kernel, buffers, {}));
  CHECK(info == 0);
  Dense x(4, 2);
  for (size_t i = 0; i < 8; ++i) x.at[i] = memory[7][i];
  CHECK(distance(full * x, right) < 1e-13);
}

TEST_CASE("eigenvalues rise, vectors are theirs") {
  for (const bool complex : {false, true})
    for (const bool lower : {false, true})
      for (const int64_t n : {1, 2, 3, 8}) {
        const Dense a = hermitian(n, complex);
        Call call{
            complex ? "heevd" : "syevd",
            lower ? "{mode = 86 : ui8, uplo = 76 : ui8}" : "{mode = 86 : ui8, uplo = 85 : ui8}",
            complex,
            {a}};
        call.result({n, n});
        call.real_result({n});
        call.whole_result({});
        call.run();
        const Dense &v = call.results[0], &w = call.results[1];
        Dense scaled = v;
        for (int64_t i = 0; i < n; ++i)
          for (int64_t j = 0; j < n; ++j) scaled(i, j) *= w(0, j);
        CHECK(distance(a * v, scaled) < 1e-11);
        CHECK(distance(adjoint(v) * v, identity(n)) < 1e-12);
        for (int64_t j = 1; j < n; ++j) CHECK(w(0, j - 1).real() <= w(0, j).real());
        CHECK(call.wholes == std::vector<int32_t>{0});
      }
}

TEST_CASE("eigenvectors have LAPACK's signs") {
  Dense a(2, 2);
  a(0, 0) = a(1, 1) = 2;
  a(0, 1) = a(1, 0) = 1;
  Call call{"syevd", "{mode = 86 : ui8, uplo = 76 : ui8}", false, {a}};
  call.result({2, 2});
  call.real_result({2});
  call.whole_result({});
  call.run();
  const double h = std::sqrt(0.5);
  Dense wanted(2, 2);
  wanted.at = {-h, h, h, h};
  CHECK(distance(call.results[0], wanted) < 1e-15);
}

TEST_CASE("singular values fall, U S V^H is the matrix") {
  for (const bool complex : {false, true})
    for (const int variant : {0, 1, 2, 3})
      for (const auto& [m, n] : {std::pair<int64_t, int64_t>{1, 1},
                                 {2, 2},
                                 {5, 5},
                                 {5, 4},
                                 {4, 5},
                                 {9, 3},
                                 {3, 9},
                                 {1, 4},
                                 {4, 1}}) {
        const bool full = variant % 2 == 1;
        const Dense a = random_matrix(m, n, complex, 31);
        const int64_t k = std::min(m, n);
        Call call{variant < 2 ? "gesdd" : "gesvd",
                  full ? "{mode = 65 : ui8}" : "{mode = 83 : ui8}",
                  complex,
                  {a}};
        call.result({m, n});
        call.real_result({k});
        call.result({m, full ? m : k});
        call.result({full ? n : k, n});
        call.whole_result({});
        call.run();
        const Dense &s = call.results[1], &u = call.results[2], &v = call.results[3];
        CHECK(distance(adjoint(u) * u, identity(u.columns)) < 1e-12);
        CHECK(distance(v * adjoint(v), identity(v.rows)) < 1e-12);
        Dense middle(u.columns, v.rows);
        for (int64_t i = 0; i < k; ++i) middle(i, i) = s(0, i);
        CHECK(distance(u * middle * v, a) < 1e-12);
        for (int64_t i = 1; i < k; ++i) CHECK(s(0, i - 1).real() >= s(0, i).real());
        CHECK(s(0, k - 1).real() >= 0);
        CHECK(call.wholes == std::vector<int32_t>{0});
      }
}

TEST_CASE("Hessenberg and tridiagonal forms are similar to the matrix") {
  for (const bool complex : {false, true})
    for (const int64_t n : {1, 2, 6}) {
      const auto product = [&](const Dense& vectors, const Dense& tau, bool lower) {
        // H_0 H_1 ... with vectors below the subdiagonal, or the mirror image of that.
        Dense q = identity(n);
        for (int64_t k = 0; k + 1 < n; ++k) {
          const int64_t i = lower ? k : n - 2 - k;
          Dense v(n, 1);
          if (lower) {
            v(i + 1, 0) = 1;
            for (int64_t r = i + 2; r < n; ++r) v(r, 0) = vectors(r, i);
          } else {
            v(i, 0) = 1;
            for (int64_t r = 0; r < i; ++r) v(r, 0) = vectors(r, i + 1);
          }
          Dense h = v * adjoint(v);
          for (Complex& x : h.at) x *= -tau(0, i);
          for (int64_t r = 0; r < n; ++r) h(r, r) += 1;
          q = q * h;
        }
        return q;
      };
      const Dense a = random_matrix(n, n, complex, 51);
      Call form{"gehrd", "{high = 6 : i32, low = 1 : i32}", complex, {a}};
      form.result({n, n});
      form.result({n - 1});
      form.whole_result({});
      form.run();
      const Dense q = product(form.results[0], form.results[1], true);
      Dense h = form.results[0];
      for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j + 1 < i; ++j) h(i, j) = 0;
      CHECK(distance(q * h * adjoint(q), a) < 1e-12);
      for (const bool lower : {true, false}) {
        const Dense s = hermitian(n, complex);
        Call three{complex ? "hetrd" : "sytrd",
                   lower ? "{uplo = 76 : ui8}" : "{uplo = 85 : ui8}",
                   complex,
                   {s}};
        three.result({n, n});
        three.real_result({n});
        three.real_result({n - 1});
        three.result({n - 1});
        three.whole_result({});
        three.run();
        Dense t(n, n);
        for (int64_t i = 0; i < n; ++i) {
          t(i, i) = three.results[1](0, i);
          if (i + 1 < n) t(i, i + 1) = t(i + 1, i) = three.results[2](0, i);
        }
        const Dense p = product(three.results[0], three.results[3], lower);
        CHECK(distance(p * t * adjoint(p), s) < 1e-11);
      }
    }
}

TEST_CASE("singular values of matrices of low rank") {
  for (const int64_t rank : {0, 1, 2}) {
    const Dense a = random_matrix(5, std::max<int64_t>(rank, 1), false, 41) *
                    random_matrix(std::max<int64_t>(rank, 1), 4, false, 42);
    Dense matrix = a;
    if (rank == 0) matrix = Dense(5, 4);
    Call call{"gesdd", "{mode = 83 : ui8}", false, {matrix}};
    call.result({5, 4});
    call.real_result({4});
    call.result({5, 4});
    call.result({4, 4});
    call.whole_result({});
    call.run();
    Dense middle(4, 4);
    for (int64_t i = 0; i < 4; ++i) middle(i, i) = call.results[1](0, i);
    CHECK(distance(call.results[2] * middle * call.results[3], matrix) < 1e-12);
    for (int64_t i = rank; i < 4; ++i) CHECK(call.results[1](0, i).real() < 1e-13);
  }
}

TEST_CASE("infinite matrices end, with an error code") {
  for (const double bad : {HUGE_VAL, std::nan("")}) {
    Dense a = hermitian(5, false);
    a(1, 3) = a(3, 1) = bad;
    Call eigen{"syevd", "{mode = 86 : ui8, uplo = 76 : ui8}", false, {a}};
    eigen.result({5, 5});
    eigen.real_result({5});
    eigen.whole_result({});
    eigen.run();
    CHECK(eigen.wholes != std::vector<int32_t>{0});
    Call values{"gesdd", "{mode = 78 : ui8}", false, {a}};
    values.result({5, 5});
    values.real_result({5});
    values.result({5, 5});
    values.result({5, 5});
    values.whole_result({});
    values.run();
    CHECK(values.wholes != std::vector<int32_t>{0});
    Call factor{"potrf", "{uplo = 76 : ui8}", false, {a}};
    factor.result({5, 5});
    factor.whole_result({});
    factor.run();
    CHECK(factor.wholes != std::vector<int32_t>{0});
  }
}

TEST_CASE("Q's columns before a bad one are good") {
  Dense vectors(3, 3), tau(1, 3);
  tau.at = {1.0, std::nan(""), 0};
  Call make{"orgqr", "{}", false, {vectors, tau}};
  make.result({3, 3});
  make.run(true);
  CHECK(make.results[0](0, 0) == 0.0);
  CHECK(make.results[0](1, 0) == 0.0);
}

TEST_CASE("what is not served is named") {
  const Shape matrix = Shape::array(PrimitiveType::kF64, {3, 3});
  const Result<Kernel> kernel = lapack_kernel("lapack_dgesv_ffi", "{}", {&matrix, 1}, {&matrix, 1});
  REQUIRE(!kernel);
  CHECK(kernel.error().kind == DiagnosticKind::kUnsupported);
  CHECK(kernel.error().message.find("lapack_dgesv_ffi") != std::string::npos);
}

TEST_CASE("shapes that do not fit are refused") {
  const Shape info = array({}, PrimitiveType::kS32);
  refused("lapack_dpotrf_ffi", {}, {});
  refused("lapack_dpotrf_ffi", {array({3, 4})}, {array({3, 4}), info});
  refused("lapack_dpotrf_ffi", {array({3, 3})}, {array({3, 2}), info});
  refused("lapack_dpotrf_ffi", {array({3, 3})}, {array({3, 3})});
  refused("lapack_dpotrf_ffi", {array({3})}, {array({3}), info});
  refused("lapack_dpotrf_ffi", {array({3, 3})}, {array({3, 3}), Shape::make_tuple({})});
  refused("lapack_spotrf_ffi", {array({3, 3})}, {array({3, 3}), info});
  refused("lapack_dpotrf_ffi", {array({2, 3, 3})}, {array({2, 3, 3}), info});
  refused("lapack_dgetrf_ffi", {array({3, 4})}, {array({3, 4}), array({3}), info});
  refused("lapack_dtrsm_ffi", {array({3, 3}), array({4, 2})}, {array({4, 2})});
  refused("lapack_dorgqr_ffi", {array({3, 2}), array({3})}, {array({3, 2})});
  const Shape d = array({3}), x = array({4, 2});
  refused("lapack_dgtsv_ffi", {d, d, d, x}, {d, d, d, x, info});
  refused("lapack_dgesdd_ffi", {array({3, 2})},
          {array({3, 2}), array({2}), array({3, 3}), array({2, 2}), info});
}

}  // namespace
}  // namespace hlocc::kernel
