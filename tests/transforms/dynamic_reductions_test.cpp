// Ops that combine elements of run-time size, against the interpreter, which computes on what is
// meant alone.
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using transforms::resolve_dynamic_shapes;

// d and e are arrays of 6 rows at most whose sizes n and m are arguments.
const std::string kHead =
    "HloModule test\n"
    "add { a = s32[] parameter(0)\n b = s32[] parameter(1)\n ROOT r = s32[] add(a, b) }\n"
    "largest { a = s32[] parameter(0)\n b = s32[] parameter(1)\n ROOT r = s32[] maximum(a, b) }\n"
    "less { a = s32[] parameter(0)\n b = s32[] parameter(1)\n ROOT r = pred[] compare(a, b), "
    "direction=LT }\n"
    "shift { a = s32[] parameter(0)\n b = s32[] parameter(1)\n o = s32[] constant(1)\n c = s32[] "
    "or(b, o)\n"
    "  ROOT r = s32[] add(a, c) }\n"
    "both { a = s32[] parameter(0)\n i = s32[] parameter(1)\n b = s32[] parameter(2)\n j = s32[] "
    "parameter(3)\n"
    "  s = s32[] add(a, b)\n m = s32[] maximum(i, j)\n ROOT r = (s32[], s32[]) tuple(s, m) }\n"
    "ENTRY main {\n a = s32[6,3] parameter(0)\n n = s32[] parameter(1)\n b = s32[6,3] "
    "parameter(2)\n m = s32[] parameter(3)\n"
    "z = s32[] constant(0)\n seven = s32[] constant(7)\n"
    "da = s32[<=6,3] set-dimension-size(a, n), dimensions={0}\n d = s32[<=6,3] add(da, da)\n"
    "db = s32[<=6,3] set-dimension-size(b, m), dimensions={0}\n e = s32[<=6,3] multiply(db, db)\n";

void resolved(const std::string& lines) {
  INFO(lines);
  const Module module = rewritten(kHead + lines + "\n}\n", {resolve_dynamic_shapes});
  for (const hlo::Computation& computation : module.computations)
    for (const hlo::Instruction& i : computation.instructions)
      CHECK(!i.shape.has_dynamic_dimensions());
}

// `x`, an array of that shape with one dynamic dimension: its size, and a sum in which each meant
// element has another weight.
void resolves(const std::string& lines, const std::string& shape, int dimension) {
  std::string whole = shape;
  whole.erase(whole.find("<="), 2);
  std::string all = "{";
  int rank = 0;
  for (size_t at = 0; at != std::string::npos; at = shape.find(',', at + 1))
    all += (rank > 0 ? "," : "") + std::to_string(rank), ++rank;
  resolved(lines + "\n w = " + whole + " iota(), iota_dimension=" + std::to_string(rank - 1) +
           "\n v = " + whole + " iota(), iota_dimension=0\n u = " + whole +
           " multiply(v, v)\n t1 = " + whole + " add(u, w)\n y = " + shape +
           " multiply(x, t1)\n sum = s32[] reduce(y, z), dimensions=" + all +
           "}, to_apply=add\n size = s32[] get-dimension-size(x), dimensions={" +
           std::to_string(dimension) + "}\n ROOT r9 = (s32[], s32[]) tuple(sum, size)");
}

}  // namespace

TEST_CASE("reductions of any kind over run-time sizes", "[transforms]") {
  resolved("ROOT r = s32[3] reduce(d, seven), dimensions={0}, to_apply=add");
  resolved("ROOT r = s32[] reduce(d, z), dimensions={0,1}, to_apply=largest");
  resolved("ROOT r = s32[3] reduce(d, seven), dimensions={0}, to_apply=shift");
  resolved(
      "dd = s32[<=6,3] multiply(d, d)\n ROOT r = (s32[3], s32[3]) reduce(d, dd, z, seven), "
      "dimensions={0}, to_apply=both");
  resolves("x = s32[<=6] reduce(d, seven), dimensions={1}, to_apply=add", "s32[<=6]", 0);
  resolves(
      "dd = s32[<=6,3] multiply(d, d)\n p = (s32[<=6], s32[<=6]) reduce(d, dd, z, seven), "
      "dimensions={1}, to_apply=both\n"
      "x = s32[<=6] get-tuple-element(p), index=1",
      "s32[<=6]", 0);
}

TEST_CASE("windows over run-time sizes", "[transforms]") {
  resolves("x = s32[<=7,3] reduce-window(d, seven), window={size=2x1 pad=1_1x0_0}, to_apply=add",
           "s32[<=7,3]", 0);
  resolves("x = s32[<=3,3] reduce-window(d, z), window={size=2x1 stride=2x1}, to_apply=largest",
           "s32[<=3,3]", 0);
  resolves("x = s32[<=6,2] reduce-window(d, seven), window={size=1x2}, to_apply=add", "s32[<=6,2]",
           0);
}

TEST_CASE("contractions of run-time sizes", "[transforms]") {
  resolved("ROOT r = s32[3,3] dot(d, d), lhs_contracting_dims={0}, rhs_contracting_dims={0}");
  resolves(
      "c = s32[3,2] constant({{1,2},{3,4},{5,6}})\n"
      "x = s32[<=6,2] dot(d, c), lhs_contracting_dims={1}, rhs_contracting_dims={0}",
      "s32[<=6,2]", 0);
  resolves(
      "i = s32[<=6,3,1] reshape(d)\n k = s32[3,1,2] constant({{{1,2}},{{3,4}},{{5,6}}})\n"
      "x = s32[<=6,3,2] convolution(i, k), window={size=3 pad=1_1}, dim_labels=b0f_0io->b0f",
      "s32[<=6,3,2]", 0);
  resolves(
      "i = s32[1,<=6,3] reshape(d)\n k = s32[2,3,2] "
      "constant({{{1,2},{3,4},{5,6}},{{1,0},{0,1},{2,2}}})\n"
      "x = s32[1,<=3,2] convolution(i, k), window={size=2 stride=2 pad=0_1}, "
      "dim_labels=b0f_0io->b0f",
      "s32[1,<=3,2]", 1);
}

TEST_CASE("sort, gather and scatter of run-time sizes", "[transforms]") {
  resolves("x = s32[<=6,3] sort(d), dimensions={0}, to_apply=less", "s32[<=6,3]", 0);
  resolves("x = s32[<=6,3] sort(d), dimensions={1}, to_apply=less", "s32[<=6,3]", 0);
  resolves(
      "s = s32[<=6,1] slice(d), slice={[0:6], [0:1]}\n"
      "x = s32[<=6,3] gather(b, s), offset_dims={1}, collapsed_slice_dims={0}, "
      "start_index_map={0}, index_vector_dim=1,"
      " slice_sizes={1,3}",
      "s32[<=6,3]", 0);
  resolved(
      "s = s32[<=6,1] slice(da), slice={[0:6], [0:1]}\n"
      "ROOT x = s32[6,3] scatter(b, s, da), update_window_dims={1}, inserted_window_dims={0},"
      " scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add");
}

TEST_CASE("slices of run-time sizes at run-time positions", "[transforms]") {
  resolved(
      "s3 = s32[3,3] constant({{1,2,3},{4,5,6},{7,8,9}})\n ROOT r = s32[1,2] dynamic-slice(d, m, "
      "m), dynamic_slice_sizes={1,2}");
}

TEST_CASE("what has no form with run-time sizes is refused by name", "[transforms]") {
  const Diagnostic refused =
      error_of(module_from(kHead + "f = f32[<=6,3] convert(d)\n s = f32[<=6,<=6] dot(f, f), "
                                   "lhs_contracting_dims={1}, rhs_contracting_dims={1}\n"
                                   "y = f32[<=6,<=6] cholesky(s), lower=true\n ROOT r = s32[] "
                                   "get-dimension-size(y), dimensions={0}\n}\n"),
               resolve_dynamic_shapes);
  CHECK(refused.kind == DiagnosticKind::kUnsupported);
  CHECK(refused.message.find("cholesky") != std::string::npos);
}

}  // namespace hlocc::tests
