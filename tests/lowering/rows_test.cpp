// Row groups: soft-max, normalisation and other chains of reductions along rows, over every
// remainder of a row and number of rows, and what must not become one.
#include "lowering/harness.h"
#include "transforms/pipeline.h"

namespace hlocc::tests {
namespace {

// The lines of a program over f[type] arrays of these sizes, with the reducers "add", "max" and
// "min" at hand; {T} stands for the type, {D} for the dimensions, {O} for those that are left, {K}
// for their list and {R} for the list of the reduced ones.
std::string program(const std::string& type, const std::vector<int64_t>& sizes, size_t reduced,
                    std::string lines) {
  std::vector<int64_t> left(sizes.begin(), sizes.end() - static_cast<std::ptrdiff_t>(reduced)),
      kept, gone;
  for (size_t d = 0; d < sizes.size(); ++d)
    (d < left.size() ? kept : gone).push_back(static_cast<int64_t>(d));
  std::string text = "HloModule test\n";
  for (const char* op : {"add", "maximum", "minimum"})
    text += std::string(op) +
            " { p = {T}[] parameter(0)\n q = {T}[] parameter(1)\n ROOT r = {T}[] " + op +
            "(p, q) }\n";
  text += "ENTRY main {\n" + lines + "\n}\n";
  const std::pair<std::string, std::string> words[] = {{"{T}", type},
                                                       {"{D}", type + dims(sizes)},
                                                       {"{P}", "pred" + dims(sizes)},
                                                       {"{O}", type + dims(left)},
                                                       {"{K}", list(kept)},
                                                       {"{R}", list(gone)}};
  for (const auto& [word, meaning] : words)
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word))
      text.replace(at, word.size(), meaning);
  return text;
}

const std::string kSoftMax = R"(x = {D} parameter(0)
  low = {T}[] constant(-100)
  zero = {T}[] constant(0)
  m = {O} reduce(x, low), dimensions={R}, to_apply=maximum
  mb = {D} broadcast(m), dimensions={K}
  d = {D} subtract(x, mb)
  e = {D} exponential(d)
  s = {O} reduce(e, zero), dimensions={R}, to_apply=add
  sb = {D} broadcast(s), dimensions={K}
  ROOT r = {D} divide(e, sb))";
const std::string kNorm = R"(x = {D} parameter(0)
  zero = {T}[] constant(0)
  scale = {T}[] constant(0.0625)
  s = {O} reduce(x, zero), dimensions={R}, to_apply=add
  c = {O} broadcast(scale), dimensions={}
  m = {O} multiply(s, c)
  mb = {D} broadcast(m), dimensions={K}
  d = {D} subtract(x, mb)
  q = {D} multiply(d, d)
  v = {O} reduce(q, zero), dimensions={R}, to_apply=add
  w = {O} rsqrt(v)
  wb = {D} broadcast(w), dimensions={K}
  ROOT r = {D} multiply(d, wb))";
// Two kept values of different types, a mask from indices, a value of the row from outside, two
// reductions in one pass.
const std::string kMixed = R"(x = {D} parameter(0)
  y = {O} parameter(1)
  zero = {T}[] constant(0)
  i = {D} iota(), iota_dimension=0
  yb = {D} broadcast(y), dimensions={K}
  keep = {P} compare(x, yb), direction=GE
  a = {D} select(keep, x, i)
  e = {D} exponential(a)
  t = {D} tanh(x)
  s = {O} reduce(e, zero), dimensions={R}, to_apply=add
  u = {O} reduce(t, zero), dimensions={R}, to_apply=minimum
  sb = {D} broadcast(s), dimensions={K}
  ub = {D} broadcast(u), dimensions={K}
  f = {D} divide(e, sb)
  g = {D} subtract(t, ub)
  h = {D} multiply(f, g)
  z = {O} reduce(h, zero), dimensions={R}, to_apply=maximum
  zb = {D} broadcast(z), dimensions={K}
  ROOT r = {D} add(h, zb))";
const std::string kLogSum = R"(x = {D} parameter(0)
  low = {T}[] constant(-100)
  zero = {T}[] constant(0)
  m = {O} reduce(x, low), dimensions={R}, to_apply=maximum
  mb = {D} broadcast(m), dimensions={K}
  d = {D} subtract(x, mb)
  e = {D} exponential(d)
  s = {O} reduce(e, zero), dimensions={R}, to_apply=add
  l = {O} log(s)
  ROOT r = {O} add(l, m))";

const hlo::CompareRule kCloseSums = {.rtol = 1e-5, .atol = 1e-6};

int row_fusions(const std::string& text, const Target& target) {
  Result<hlo::Module> module = transforms::run_passes(module_from(text), target);
  if (!module) FAIL(module.error().to_string());
  int count = 0;
  for (const hlo::Instruction& i : module->entry_computation().instructions)
    if (i.opcode == hlo::Opcode::kFusion &&
        i.get<hlo::FusionAttributes>().schedule == hlo::Schedule::kRows)
      ++count;
  return count;
}

}  // namespace

TEST_CASE("chains along rows become one kernel", "[lowering]") {
  for (const Machine& machine : machines())
    for (const std::vector<int64_t>& sizes :
         {std::vector<int64_t>{6, 24}, {24}, {1, 24}, {1, 4, 24}, {3, 1, 24}})
      for (const std::string& lines : {kSoftMax, kNorm, kMixed, kLogSum})
        CHECK(row_fusions(program("f32", sizes, 1, lines), machine.target) == 1);
}

TEST_CASE("rows of every length", "[lowering]") {
  for (int64_t n : {8, 9, 11, 15, 16, 17, 31, 32, 39, 63, 64, 71})
    for (const std::string& lines : {kSoftMax, kNorm, kMixed, kLogSum})
      agrees(program("f32", {3, n}, 1, lines), Passes::kOnlyAll, kCloseSums);
}

TEST_CASE("rows of every number and rank", "[lowering]") {
  for (const std::vector<int64_t>& sizes : {std::vector<int64_t>{24},
                                            {1, 24},
                                            {2, 24},
                                            {4, 24},
                                            {6, 9},
                                            {8, 12},
                                            {3, 4, 17},
                                            {2, 1, 3, 8},
                                            {1, 1, 16},
                                            {1, 5, 1, 9}})
    for (const std::string& lines : {kSoftMax, kNorm, kMixed, kLogSum})
      agrees(program("f32", sizes, 1, lines), Passes::kOnlyAll, kCloseSums);
  // Several dimensions reduced.
  for (const std::vector<int64_t>& sizes :
       {std::vector<int64_t>{3, 9}, {4, 3, 11}, {3, 2, 24}, {2, 3, 2, 8}})
    for (const std::string& lines : {kSoftMax, kNorm, kMixed, kLogSum})
      agrees(program("f32", sizes, 2, lines), Passes::kOnlyAll, kCloseSums);
}

TEST_CASE("rows of other element types", "[lowering]") {
  for (const std::string& lines : {kSoftMax, kNorm, kMixed, kLogSum}) {
    agrees(program("f64", {4, 19}, 1, lines), Passes::kOnlyAll, kCloseSums);
    agrees(program("f16", {4, 19}, 1, lines), Passes::kOnlyAll, {.rtol = 2e-2, .atol = 2e-2});
    agrees(program("bf16", {3, 19}, 1, lines), Passes::kOnlyAll, {.rtol = 1e-1, .atol = 1e-1});
  }
  // Integers, exactly.
  const std::string centred = R"(x = {D} parameter(0)
    zero = {T}[] constant(0)
    m = {O} reduce(x, zero), dimensions={R}, to_apply=minimum
    mb = {D} broadcast(m), dimensions={K}
    d = {D} subtract(x, mb)
    s = {O} reduce(d, zero), dimensions={R}, to_apply=add
    sb = {D} broadcast(s), dimensions={K}
    ROOT r = {D} multiply(d, sb))";
  for (const char* type : {"s32", "u8", "s64", "s16"}) agrees(program(type, {4, 21}, 1, centred));
}

TEST_CASE("rows with values asked for elsewhere", "[lowering]") {
  // The square array lets a reduced value spread the other way: it must not be part of the group.
  const std::string crossed = R"(x = f32[16,16] parameter(0)
    zero = f32[] constant(0)
    s = f32[16] reduce(x, zero), dimensions={1}, to_apply=add
    sb = f32[16,16] broadcast(s), dimensions={0}
    sc = f32[16,16] broadcast(s), dimensions={1}
    d = f32[16,16] subtract(x, sb)
    t = f32[16] reduce(d, zero), dimensions={1}, to_apply=maximum
    tb = f32[16,16] broadcast(t), dimensions={0}
    u = f32[16,16] subtract(sc, tb)
    ROOT r = f32[16,16] add(u, d))";
  agrees(program("f32", {16, 16}, 1, crossed));
  // x is read in a pass after the place of the result has been written to, transposed masks, and a
  // second user.
  const std::string reread = R"(x = f32[12,12] parameter(0)
    zero = f32[] constant(0)
    y = f32[12,12] add(x, x)
    c = f32[12] parameter(1)
    cb = f32[12,12] broadcast(c), dimensions={1}
    e = f32[12,12] exponential(y)
    s = f32[12] reduce(e, zero), dimensions={1}, to_apply=add
    sb = f32[12,12] broadcast(s), dimensions={0}
    f = f32[12,12] divide(e, sb)
    g = f32[12,12] multiply(f, y)
    h = f32[12,12] add(g, cb)
    ROOT r = (f32[12,12], f32[12,12]) tuple(h, y))";
  agrees(program("f32", {12, 12}, 1, reread), Passes::kAll, kCloseSums);
}

}  // namespace hlocc::tests
