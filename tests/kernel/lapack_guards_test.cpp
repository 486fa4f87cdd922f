// Options and shapes of calls of LAPACK's routines, just outside of what is read and what fits.
#include "kernel/lapack_calls.h"

namespace hlocc::kernel {

using namespace lapack_calls;

TEST_CASE("a call is LAPACK's by its name alone") {
  CHECK((is_lapack_call("lapack_dpotrf_ffi") && is_lapack_call("blas_dtrsm")));
  CHECK((!is_lapack_call("cusolver_potrf") && !is_lapack_call("my_blas_call")));
  const Shape matrix = array({3, 3}), info = array({}, PrimitiveType::kS32);
  const Shape results[] = {matrix, info};
  CHECK(lapack_kernel("lapack_dpotrf_ffi", "{}", {&matrix, 1}, results));
  for (const char* name :
       {"lapack_xpotrf_ffi", "lapack__ffi", "lapack_potrf_ffi", "lapack_dpotrf_fft",
        "linpack_dpotrf_ffi", "eispak_dpotrf_ffi", "blas_dtrsm"}) {
    const auto kernel = lapack_kernel(name, "{}", {&matrix, 1}, results);
    REQUIRE(!kernel);
    CHECK(kernel.error().kind == DiagnosticKind::kUnsupported);
  }
}

TEST_CASE("an option is the code of a letter, and anything else the default") {
  const auto text = [](const std::string& options) {
    const Shape matrix = array({3, 3}), info = array({}, PrimitiveType::kS32);
    const Shape results[] = {matrix, info};
    const auto kernel = lapack_kernel("lapack_dpotrf_ffi", options, {&matrix, 1}, results);
    REQUIRE(kernel);
    return to_text(*kernel);
  };
  const std::string lower = text("{uplo = 76 : ui8}"), upper = text("{uplo = 85 : ui8}");
  CHECK(lower != upper);
  for (const char* options :
       {"{}", "{uplo = ", "{uplo = }", "{uplo = 0 : ui8}", "{uplo = 850 : ui8}",
        "{uplo = 859 : ui8}", "{uplo = 128 : ui8}", "{uplo = x}"})
    CHECK(text(options) == text("{}"));
  CHECK(text("{}") != text("{uplo = 85 : ui8, other = 76 : ui8}"));
  // Any code but 0 that ASCII has is read: neither is an L, which asks for the lower half.
  CHECK(text("{uplo = 127 : ui8}") == upper);
  CHECK(text("{uplo = 1 : ui8}") == upper);
}

TEST_CASE("results and operands fit one by one") {
  const Shape info = array({}, PrimitiveType::kS32);
  const Shape infos = array({2}, PrimitiveType::kS32);
  const auto fits = [](const char* target, const std::vector<Shape>& operands,
                       const std::vector<Shape>& results) {
    return lapack_kernel(target, "{}", operands, results).ok();
  };
  CHECK(fits("lapack_dpotrf_ffi", {array({2, 3, 3})}, {array({2, 3, 3}), infos}));
  refused("lapack_dpotrf_ffi", {array({2, 3, 3})}, {array({4, 3, 3}), infos});
  refused("lapack_dpotrf_ffi", {array({3, 3})}, {array({3, 3}), array({3}, PrimitiveType::kS32)});
  refused("lapack_dpotrf_ffi", {array({3, 3})}, {});
  refused("lapack_dpotrf_ffi", {array({3, 3})}, {array({3, 3}), info, info});
  refused("lapack_dpotrf_ffi", {Shape::make_tuple({array({3, 3})})}, {array({3, 3}), info});
  refused("lapack_dpotrf_ffi", {array({3, 3})}, {Shape::make_tuple({array({3, 3})}), info});
  // More dimensions than a matrix behind those of the batch.
  refused("lapack_dpotrf_ffi", {array({3, 3})}, {array({3, 3, 1}), info});
  refused("lapack_dpotrf_ffi", {array({3, 3})},
          {array({3, 3}), array({1, 1, 1}, PrimitiveType::kS32)});
  // Reflectors have a number each, and no more of them than columns.
  CHECK(fits("lapack_dorgqr_ffi", {array({3, 2}), array({2})}, {array({3, 2})}));
  refused("lapack_dorgqr_ffi", {array({3, 2}), array({2, 2})}, {array({3, 2})});
  CHECK(fits("lapack_dormqr_ffi", {array({3, 2}), array({2}), array({3, 4})}, {array({3, 4})}));
  refused("lapack_dormqr_ffi", {array({3, 2}), array({3}), array({3, 4})}, {array({3, 4})});
  refused("lapack_dormqr_ffi", {array({3, 2}), array({2}), array({4, 4})}, {array({4, 4})});
  // Systems: square matrices, and as many rows or columns on the other side; diagonals of one length.
  CHECK(fits("lapack_dtrsm_ffi", {array({3, 3}), array({3, 2})}, {array({3, 2})}));
  refused("lapack_dtrsm_ffi", {array({3, 4}), array({3, 2})}, {array({3, 2})});
  const auto diagonals = [](int64_t low, int64_t d, int64_t high, int64_t rows) {
    return std::vector<Shape>{array({low}), array({d}), array({high}), array({rows, 2})};
  };
  std::vector<Shape> solved = diagonals(3, 3, 3, 3);
  solved.push_back(info);
  CHECK(fits("lapack_dgtsv_ffi", diagonals(3, 3, 3, 3), solved));
  refused("lapack_dgtsv_ffi", diagonals(2, 3, 3, 3), solved);
  refused("lapack_dgtsv_ffi", diagonals(3, 3, 2, 3), solved);
  refused("lapack_dgtsv_ffi", diagonals(3, 3, 3, 4), solved);
  const Shape v = array({3, 3}, PrimitiveType::kC128), w = array({3});
  CHECK(fits("lapack_dgeev_ffi", {array({3, 3})}, {w, w, v, v, info}));
  refused("lapack_dgeev_ffi", {array({3, 2})}, {w, w, v, v, info});
  refused("lapack_dgees_ffi", {array({3, 2})}, {array({3, 2}), array({3, 2}), w, w, info, info});
}

}  // namespace hlocc::kernel
