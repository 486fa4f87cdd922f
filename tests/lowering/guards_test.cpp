// Programs that stand just outside what a schedule claims: where it would give wrong results,
// another one runs.
#include "lowering/harness.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

const hlo::CompareRule kCloseAtGuards = {.rtol = 1e-5, .atol = 1e-6};

}  // namespace

// The exponentials are kept where the result will lie, one pass before the second product is read.
TEST_CASE("a row group does not lie where an operand of its last pass lies", "[lowering]") {
  agrees(R"(HloModule test
add { p = f32[] parameter(0)
  q = f32[] parameter(1)
  ROOT r = f32[] add(p, q) }
maximum { p = f32[] parameter(0)
  q = f32[] parameter(1)
  ROOT r = f32[] maximum(p, q) }
ENTRY main {
  a = f32[16,16] parameter(0)
  b = f32[16,16] parameter(1)
  c = f32[16,16] parameter(2)
  low = f32[] constant(-100)
  zero = f32[] constant(0)
  x = f32[16,16] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  y = f32[16,16] dot(b, c), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  m = f32[16] reduce(x, low), dimensions={1}, to_apply=maximum
  mb = f32[16,16] broadcast(m), dimensions={0}
  d = f32[16,16] subtract(x, mb)
  e = f32[16,16] exponential(d)
  s = f32[16] reduce(e, zero), dimensions={1}, to_apply=add
  sb = f32[16,16] broadcast(s), dimensions={0}
  f = f32[16,16] divide(e, sb)
  g = f32[16,16] add(f, y)
  ROOT r = f32[16,16] dot(g, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})",
         Passes::kOnlyAll, kCloseAtGuards);
}

// Of two numbers the later that is not 0: associative, 0 is neutral, and the order of operands
// shows.
TEST_CASE("running windows hand their reducer the earlier element first", "[lowering]") {
  const auto running = [](int64_t n, bool reverse) {
    const std::string pad = reverse ? cat("0_", n - 1) : cat(n - 1, "_0");
    return cat(R"(HloModule test
later { p = s32[] parameter(0)
  q = s32[] parameter(1)
  zero = s32[] constant(0)
  none = pred[] compare(q, zero), direction=EQ
  ROOT r = s32[] select(none, p, q) }
ENTRY main {
  x = s32[3,)",
               n, R"(] parameter(0)
  zero = s32[] constant(0)
  ROOT r = s32[3,)",
               n, "] reduce-window(x, zero), window={size=1x", n, " pad=0_0x", pad,
               "}, to_apply=later\n}");
  };
  for (bool reverse : {false, true})
    for (int64_t n : {2, 9}) agrees(running(n, reverse));
}

// Starts of narrow types: limits on both sides of what the type holds. The argument is small; -1,
// the largest and the least numbers are made of it.
TEST_CASE("starts of narrow types are clamped whatever the limit", "[lowering]") {
  struct Row {
    const char* type;
    std::vector<int64_t> limits;
  };
  for (const Row& row : {Row{"s8", {1, 126, 127, 128, 150, 200, 254, 255, 256, 300}},
                         Row{"u8", {1, 127, 128, 150, 254, 255, 256, 257, 300, 511}},
                         Row{"s16", {127, 128, 255, 256}}, Row{"u16", {127, 255, 256}},
                         Row{"s64", {150}}, Row{"u64", {150}}, Row{"u32", {150}}})
    for (int64_t limit : row.limits)
      for (const char* start : {"s", "negate(s)", "not(s)", "subtract(s, s)"}) {
        const std::string type = row.type, from = start[0] == 's' && start[1] == 0
                                                      ? std::string(" t = ") + type + "[] copy(s)\n"
                                                      : cat(" t = ", type, "[] ", start, "\n");
        const std::string sliced = cat("s = ", type, "[] parameter(0)\n x = s16", dims({limit + 2}),
                                       " parameter(1)\n", from);
        agrees(cat(sliced, " ROOT r = s16[2] dynamic-slice(x, t), dynamic_slice_sizes={2}"),
               Passes::kNone);
        agrees(cat(sliced, " u = s16[2] parameter(2)\n ROOT r = s16", dims({limit + 2}),
                   " dynamic-update-slice(x, u, t)"),
               Passes::kNone);
      }
}

// Pads wider than what a tile of a shared kernel holds at its right end.
TEST_CASE("strided depthwise windows that reach far over both borders", "[lowering]") {
  for (int64_t size : {3, 5, 7})
    for (int64_t stride : {1, 2, 3})
      for (int64_t extent : {9, 10, 11, 12, 16})
        for (int64_t pad = size / 2; pad < size; pad += 2) {
          const int64_t out = (extent + 2 * pad - size) / stride + 1;
          const std::string side = cat(size),
                            sides = cat("{size=", side, "x", side, " stride=", stride, "x", stride,
                                        " pad=", pad, "_", pad, "x", pad, "_", pad, "}");
          agrees(cat("a = f32", dims({1, extent, extent, 2}), " parameter(0)\n b = f32",
                     dims({size, size, 1, 2}), " parameter(1)\n ROOT r = f32",
                     dims({1, out, out, 2}), " convolution(a, b), window=", sides,
                     ", dim_labels=b01f_01io->b01f, feature_group_count=2"),
                 Passes::kNone);
        }
}

// Each row has indices of its own; 7 and -1 are outside of it.
TEST_CASE("scatters into rows write where the indices of their row say", "[lowering]") {
  const auto scatter = [](const std::string& indices, const std::string& update, int vector,
                          const std::string& window, const std::string& inserted) {
    return cat(
        "HloModule test\nadd { p = f32[] parameter(0)\n q = f32[] parameter(1)\n"
        " ROOT r = f32[] add(p, q) }\nENTRY main { x = f32[2,5] parameter(0)\n u = f32",
        update, " parameter(1)\n i = s32", indices, " ROOT r = f32[2,5] scatter(x, i, u), ",
        "to_apply=add, update_window_dims=", window, ", inserted_window_dims=", inserted,
        ", scatter_dims_to_operand_dims={1}, input_batching_dims={0}, ",
        "scatter_indices_batching_dims={0}, index_vector_dim=", vector, "\n}");
  };
  // One number a place, and a window of two.
  agrees(scatter("[2,3] constant({{4,0,4},{1,7,-1}})\n", "[2,3]", 2, "{}", "{1}"));
  agrees(scatter("[2,3] constant({{3,0,3},{1,4,-1}})\n", "[2,3,2]", 2, "{2}", "{}"));
}

}  // namespace hlocc::tests
