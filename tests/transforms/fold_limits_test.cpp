// What fold_constants leaves to run time because of its size or its work: programs on both sides of
// each limit. Their constants are zeros that take the place of parameters, because a text of a
// million numbers would take longer to read than to fold.
#include "support/text.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

// The program with zeros for its arguments.
Module of_zeros(const std::string& text) {
  Module module = module_from(text);
  hlo::Computation& entry = module.entry_computation();
  for (const hlo::InstructionId id : std::vector(entry.parameters))
    entry.replace_uses(id, entry.add(hlo::make_constant(Literal::zeros(entry[id].shape))));
  hlo::compact(module);
  return module;
}

int left(const std::string& text, Opcode opcode) {
  return count_in_entry(after(of_zeros(text), {transforms::fold_constants}), opcode);
}

std::string cholesky(int n) {
  return cat("k = f32[", n, ",", n, "] parameter(0)\n ROOT r = f32[", n, ",", n,
             "] cholesky(k), lower=true");
}

std::string solution(int n) {
  return cat("k = f32[", n, ",", n, "] parameter(0)\n b = f32[", n,
             ",1] parameter(1)\n ROOT r = f32[", n,
             ",1] triangular-solve(k, b), left_side=true, lower=true, unit_diagonal=true, "
             "transpose_a=NO_TRANSPOSE");
}

std::string start_of_many(int64_t count) {
  return cat("k = f64[] parameter(0)\n b = f64[", count,
             "] broadcast(k), dimensions={}\n ROOT r = f64[4] slice(b), slice={[0:4]}");
}

std::string negated_bytes(int64_t count) {
  return cat("k = s8[", count, "] parameter(0)\n ROOT r = s8[", count, "] negate(k)");
}

// Sums that are too many to be kept, of which four are asked for.
std::string window_sums(int window) {
  return cat(
      "HloModule m\nadd { p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT s = f32[] add(p, "
      "q) "
      "}\nENTRY e { k = f32[] parameter(0)\n b = f32[32768] broadcast(k), dimensions={}\n w = "
      "f32[32768] reduce-window(b, k), window={size=",
      window, " pad=", window - 1, "_0}, to_apply=add\n ROOT r = f32[4] slice(w), slice={[0:4]} }");
}

}  // namespace

TEST_CASE("what is large is left to run time", "[transforms]") {
  CHECK(left(start_of_many(1 << 21), Opcode::kSlice) == 0);
  CHECK(left(start_of_many((1 << 21) + 1), Opcode::kSlice) == 1);
}

TEST_CASE("what replaces constants of as many bytes may be of any size", "[transforms]") {
  CHECK(left(negated_bytes(1 << 20), Opcode::kNegate) == 0);
  CHECK(left(negated_bytes((1 << 20) + 1), Opcode::kNegate) == 0);
  // Weights times scales, which are broadcast on the way; 20 MB.
  const auto scaled = [](const char* more) {
    return cat(
        "k = f32[1024,5120] parameter(0)\n s = f32[5120] parameter(1)\n"
        " b = f32[1024,5120] broadcast(s), dimensions={1}\n"
        " m = f32[1024,5120] multiply(k, b)\n t = f32[5120,1024] transpose(m), "
        "dimensions={1,0}\n",
        more);
  };
  CHECK(left(scaled(" ROOT r = f32[5120,1024] negate(t)"), Opcode::kMultiply) == 0);
  // Not where the constant has another user, or the value would take more bytes.
  const auto shared = [](int64_t count, const char* root) {
    return cat("k = s8[", count, "] parameter(0)\n n = s8[", count, "] negate(k)\n ROOT r = ",
               cat("(s8[", count, "], s8[", count, "]) tuple(n, ", root, ")"));
  };
  CHECK(left(shared(1 << 20, "k"), Opcode::kNegate) == 0);
  CHECK(left(shared((1 << 20) + 1, "k"), Opcode::kNegate) == 1);
  CHECK(left(shared((1 << 20) + 1, "n"), Opcode::kNegate) == 0);
  const auto widened = [](int64_t count) {
    return cat("k = s8[", count, "] parameter(0)\n ROOT r = s16[", count, "] convert(k)");
  };
  CHECK(left(widened(32), Opcode::kConvert) == 0);
  CHECK(left(widened(1 << 20), Opcode::kConvert) == 1);
  // Several constants by one larger than each of them, and than what may pass through on the way.
  const auto joined = [](int64_t count, const char* root) {
    return cat("k = s8[", count, "] parameter(0)\n l = s8[", count, "] parameter(1)\n n = s8[",
               2 * count, "] concatenate(k, l), dimensions={0}\n c = s8[", count,
               "] parameter(2)\n ROOT r = (s8[", 2 * count, "], s8[", count, "]) tuple(n, ", root,
               ")");
  };
  constexpr int64_t kLarge = 9 << 20;
  CHECK(left(joined(kLarge, "c"), Opcode::kConcatenate) == 0);
  CHECK(left(joined(kLarge, "l"), Opcode::kConcatenate) == 1);
  // A constant that is used twice by one instruction goes only once.
  CHECK(left("k = s8[1048577] parameter(0)\n ROOT r = s8[2097154] concatenate(k, k), "
             "dimensions={0}",
             Opcode::kConcatenate) == 1);
}

TEST_CASE("constants that are joined may be many, and are read and written once", "[transforms]") {
  // 20 MiB on the way to four bytes; `kept` is a result, too.
  const auto joined = [](const char* kept) {
    std::string text, names;
    for (int n = 0; n < 6; ++n) text += cat("k", n, " = s8[4194304] parameter(", n, ")\n");
    return cat(text, "j = s8[20971520] concatenate(k0, k1, k2, k3, k4), dimensions={0}\n",
               " s = s8[4] slice(j), slice={[0:4]}\n ROOT r = (s8[4], s8[4194304]) tuple(s, ", kept,
               ")");
  };
  CHECK(left(joined("k5"), Opcode::kSlice) == 0);
  CHECK(left(joined("k4"), Opcode::kSlice) == 1);
}

TEST_CASE("what takes long is left to run time", "[transforms]") {
  CHECK(left(cholesky(100), Opcode::kCholesky) == 0);
  CHECK(left(cholesky(170), Opcode::kCholesky) == 1);
  CHECK(left(solution(150), Opcode::kTriangularSolve) == 0);
  CHECK(left(solution(220), Opcode::kTriangularSolve) == 1);
  CHECK(left(window_sums(8), Opcode::kSlice) == 0);
  CHECK(left(window_sums(512), Opcode::kSlice) == 1);
}

TEST_CASE("the work of all that is folded is bounded", "[transforms]") {
  // Each takes as much as one may, eight as much as all may.
  std::string text = "k = f32[128,128] parameter(0)\n b = f32[128,192] parameter(1)\n", shapes,
              names;
  for (int n = 0; n < 9; ++n) {
    text += cat(" x", n,
                " = f32[128,192] triangular-solve(k, b), left_side=true, lower=true, "
                "unit_diagonal=true, transpose_a=NO_TRANSPOSE\n");
    shapes += cat(n > 0 ? ", " : "", "f32[128,192]");
    names += cat(n > 0 ? ", x" : "x", n);
  }
  text += cat(" ROOT r = (", shapes, ") tuple(", names, ")");
  CHECK(left(text, Opcode::kTriangularSolve) == 1);
}

}  // namespace hlocc::tests
