// Chains of convolutions, pools and what lies between them as loops over rows: the same bits, and
// fewer rows alive; what must stay as it is.
#include "transforms/rows/row_loops.h"

#include "interpreter/interpreter.h"
#include "ops/check/verifier.h"
#include "ops/text/printer.h"
#include "support/text.h"
#include "transforms/row_network.h"
#include "transforms/rows/global_pools.h"
#include "transforms/rows/row_loop.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

Module verified(const Module& before, Module made, const hlo::CompareRule& rule = {}) {
  const Status status = ops::verify(made);
  INFO(ops::to_text(made));
  if (!status) FAIL(status.error().to_string());
  check_same_meaning(before, made, rule);
  return made;
}

// The whole chain from the first argument to the first result as one loop, whether that takes less
// memory or not; none if it is no chain.
std::optional<Module> looped(const std::string& text, const hlo::CompareRule& rule = {},
                             transforms::Iteration iteration = {}) {
  const Module before = after(module_from(text), {transforms::fold_constants});
  Module made = before;
  const hlo::Computation& entry = made.entry_computation();
  const auto schedule = transforms::schedule_rows(made, entry, entry.users(), entry.parameters[0],
                                                  entry.root_instruction().operands[0], iteration);
  if (!schedule) return std::nullopt;
  transforms::make_row_loop(made, made.entry, *schedule);
  hlo::compact(made);
  CHECK(count(made, Opcode::kWhile) == 1);
  return verified(before, made, rule);
}

// Loops where they take memory.
int loops(const std::string& text, std::optional<int64_t> limit = 0) {
  const Module before = after(module_from(text), {transforms::fold_constants});
  Module made = before;
  Target target = *preset("cortex-m4f");
  target.decisions.rows_above = limit;
  REQUIRE(transforms::row_loops(made, {target}));
  return count(verified(before, made), Opcode::kWhile);
}

using Window = Network::Window;

// By the interpreter; a loop rounds after each row.
constexpr hlo::CompareRule kAddedInDouble{.ulp = 64, .atol = 1e-5};

}  // namespace

TEST_CASE("a chain of convolutions is one loop where memory is wanted", "[transforms]") {
  Network plain(40, 4, 2);
  plain.depthwise({}).convolution({1, 1, 0, 0}, 3).depthwise({}).convolution({1, 1, 0, 0}, 2);
  CHECK(loops(plain.text()) >= 1);
  CHECK(loops(plain.text(), 1 << 20) == 0);
  CHECK(loops(plain.text(), std::nullopt) == 0);
  Network summed(12, 4, 2);
  summed.depthwise({}).convolution({1, 1, 0, 0}, 3).depthwise({}).sums();
  const std::optional<Module> made = looped(summed.text());
  REQUIRE(made);
  // No array of all rows is left.
  CHECK(count(*made, Opcode::kDynamicUpdateSlice) == 0);
  // Two chains with a dense layer between them.
  Network first(60, 4, 2);
  first.convolution({}, 4).convolution({}, 4).convolution({}, 1);
  CHECK(loops(first.text()) == 1);
}

TEST_CASE("a network of more layers than are weighed stays", "[transforms]") {
  // Two layers that are a chain, with a large array between them; then rows lie apart.
  const auto deep = [](int layers) {
    std::string lines =
        "HloModule m\nENTRY e {\n  x = s8[1,40,2,1] parameter(0)\n"
        "  w = s8[2,1,1,1] constant({ { { {1} } }, { { {2} } } })\n"
        "  u = s8[2,1,1,4] constant({ { { {1,2,3,4} } }, { { {2,1,4,3} } } })\n"
        "  v = s8[2,1,4,1] constant({ { { {1},{2},{3},{4} } }, { { {2},{1},{4},{3} } } })\n";
    std::string from = "x";
    for (int i = 0; i < layers; ++i) {
      lines += cat("  c", i, " = s8[1,40,2,", i == 0 ? 4 : 1, "] convolution(", from, ", ",
                   i == 0   ? "u"
                   : i == 1 ? "v"
                            : "w",
                   "), window={size=2x1 ", i > 1 ? "stride=2x1 lhs_dilate=2x1 " : "",
                   "pad=0_1x0_0}, dim_labels=b01f_01io->b01f\n");
      from = cat("c", i);
    }
    const Module module =
        module_from(cat(lines, "  ROOT r = (s8[1,40,2,1]) tuple(", from, ")\n}\n"));
    return transforms::choose_row_loops(module, module.entry_computation(), 0,
                                        *preset("cortex-m4f"))
        .size();
  };
  CHECK(deep(99) >= 1);
  CHECK(deep(100) == 0);
}

TEST_CASE("strides, borders, odd heights and pools go by rows", "[transforms]") {
  for (const int64_t height : {8, 9, 11, 16}) {
    INFO("height " << height);
    Network strided(height, 4, 2);
    strided.convolution({3, 2, 0, 1}, 3).depthwise({}).convolution({3, 2, 1, 1}, 2).depthwise({});
    CHECK(looped(strided.text()));
    Network valid(height, 4, 2);
    valid.convolution({3, 1, 0, 0}, 2).convolution({2, 1, 0, 0}, 2).convolution({1, 2, 0, 0}, 2);
    CHECK(looped(valid.text()));
    Network pooled(height, 4, 2);
    pooled.convolution({}, 3).maximum_pool({2, 2, 0, 0}).depthwise({}).maximum_pool({3, 1, 1, 1});
    CHECK(looped(pooled.text()));
    Network causal(height, 4, 2);
    causal.convolution({4, 1, 3, 0}, 2).convolution({3, 1, 2, 0}, 2).convolution({2, 1, 0, 1}, 2);
    CHECK(looped(causal.text()));
  }
}

TEST_CASE("shortcuts, borders of any value and concatenations go by rows", "[transforms]") {
  Network residual(10, 4, 2);
  residual.convolution({}, 2);
  const std::string from = residual.value();
  residual.depthwise({}).convolution({}, 2).shortcut(from).convolution({}, 2);
  CHECK(looped(residual.text()));
  Network bordered(10, 4, 2);
  bordered.padded_convolution(3).padded_convolution(2).padded_convolution(3);
  CHECK(looped(bordered.text()));
  Network doubled(10, 4, 2);
  doubled.depthwise({}).beside_itself().depthwise({}).convolution({1, 1, 0, 0}, 2);
  CHECK(looped(doubled.text()));
}

TEST_CASE("a shortcut's result waits where it is smaller than its input's rows", "[transforms]") {
  struct Case {
    int64_t inputs, outputs;
    bool waits;
  };
  for (const Case& row : {Case{4, 4, true}, {2, 16, false}}) {
    INFO(row.inputs << " channels to " << row.outputs);
    Network net(24, 4, 2);
    net.convolution({}, row.inputs);
    const std::string from = net.value();
    net.convolution({3, 2, 0, 1}, row.outputs).depthwise({});
    const std::string body = net.value();
    net.back_to(from, 24, row.inputs).convolution({1, 2, 0, 0}, row.outputs).shortcut(body);
    const Module module = after(module_from(net.text()), {transforms::fold_constants});
    const hlo::Computation& entry = module.entry_computation();
    const hlo::InstructionId exit = entry.root_instruction().operands[0],
                             result = entry[exit].operands[0];
    const auto bytes = [&](const transforms::Iteration& iteration) {
      return transforms::schedule_rows(module, entry, entry.users(), entry.parameters[0], exit,
                                       iteration)
          ->bytes();
    };
    const transforms::Iteration ahead{.ahead = {{result, 1}}};
    CHECK((bytes(ahead) < bytes({})) == row.waits);
    CHECK(looped(net.text(), {}, ahead));
    bool stored = false;
    for (const auto& loop : transforms::choose_row_loops(module, entry, 0, *preset("cortex-m4f")))
      for (const transforms::StoredRows& rows : loop.stored) stored |= rows.value == result;
    CHECK(stored == row.waits);
    CHECK(loops(net.text()) >= 1);
  }
}

// In parts, so that each is short: twenty seeds.
void check_drawn_networks(uint32_t first) {
  int made = 0, chosen = 0, by_parts = 0, by_several = 0, by_pairs = 0;
  for (uint32_t seed = first; seed < first + 20; ++seed) {
    Network net(6 + seed % 23, 3, 1 + seed % 3, seed);
    draw_layers(net, [&] { return net.draw(0, 3) == 0 ? 2 : 1; });
    INFO("seed " << seed << "\n" << net.text());
    made += looped(net.text()).has_value();
    for (int64_t n = 2; n <= 4; ++n) {
      by_parts += looped(net.text(), {}, {.iterations = n}).has_value();
      by_several += looped(net.text(), {}, {.rows = n}).has_value();
    }
    by_pairs += looped(net.text(), {}, {.iterations = 2, .together = 2}).has_value();
    chosen += loops(net.text()) > 0;
  }
  CHECK(made >= 15);
  CHECK(chosen >= 10);
  CHECK(by_parts >= 20);
  CHECK(by_several >= 20);
  CHECK(by_pairs >= 10);
}
TEST_CASE("drawn networks keep their bits by rows, seeds 1 to 20") { check_drawn_networks(1); }
TEST_CASE("drawn networks keep their bits by rows, seeds 21 to 40") { check_drawn_networks(21); }
TEST_CASE("drawn networks keep their bits by rows, seeds 41 to 60") { check_drawn_networks(41); }
TEST_CASE("drawn networks keep their bits by rows, seeds 61 to 80") { check_drawn_networks(61); }

TEST_CASE("the last iteration makes fewer rows where few are made beside", "[transforms]") {
  const auto by_pairs = [](int64_t height, bool is_summed) {
    Network net(height, 4, 2);
    net.convolution({}, 3).depthwise({}).convolution({}, 2);
    if (is_summed) net.sums();
    return looped(net.text(), {}, {.rows = 2});
  };
  for (const bool is_summed : {false, true}) {
    CHECK(by_pairs(25, is_summed));
    CHECK(by_pairs(17, is_summed));
    CHECK(by_pairs(16, is_summed));
    CHECK_FALSE(by_pairs(15, is_summed));
  }
  // Two rows of 34 are beside 32: as many as may be.
  const auto of_seventeen = [](int64_t height) {
    Network net(height, 4, 2);
    net.convolution({}, 3).depthwise({});
    return looped(net.text(), {}, {.rows = 17});
  };
  CHECK(of_seventeen(32));
  CHECK_FALSE(of_seventeen(31));
}

TEST_CASE("rows come together where iterations make parts of them", "[transforms]") {
  Network net(32, 4, 2);
  net.convolution({}, 4).convolution({3, 2, 0, 1}, 4).convolution({}, 4);
  net.convolution({3, 2, 0, 1}, 4).convolution({}, 3);
  const Module module = after(module_from(net.text()), {transforms::fold_constants});
  const hlo::Computation& entry = module.entry_computation();
  const auto last_two = [&](const transforms::Iteration& iteration) {
    const auto schedule =
        transforms::schedule_rows(module, entry, entry.users(), entry.parameters[0],
                                  entry.root_instruction().operands[0], iteration);
    REQUIRE(schedule);
    std::vector<std::pair<int64_t, int64_t>> paces;
    for (const transforms::StoredRows& rows : schedule->stored)
      paces.emplace_back(rows.rate, rows.period);
    return std::pair(paces[0], paces.back());
  };
  using Paces = std::pair<std::pair<int64_t, int64_t>, std::pair<int64_t, int64_t>>;
  CHECK(last_two({.iterations = 2}) == Paces{{2, 1}, {1, 2}});
  CHECK(last_two({.iterations = 2, .together = 2}) == Paces{{2, 1}, {2, 4}});
  CHECK(last_two({.iterations = 4, .together = 2, .together_from = 2}) == Paces{{2, 2}, {1, 4}});
  for (const int64_t from : {1, 2, 4})
    CHECK(looped(net.text(), {}, {.iterations = 2, .together = 2, .together_from = from}));
}

TEST_CASE("what cannot go by rows stays", "[transforms]") {
  // An array in the middle is a result, too.
  const std::string two_results = R"(HloModule m
ENTRY e {
  x = s8[1,30,4,2] parameter(0)
  w = s8[3,3,1,2] constant({ { { {1,2} }, { {1,2} }, { {1,2} } }, { { {1,2} }, { {1,2} }, { {1,2} } }, { { {1,2} }, { {1,2} }, { {1,2} } } })
  a = s8[1,30,4,2] convolution(x, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=2
  b = s8[1,30,4,2] convolution(a, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=2
  c = s8[1,30,4,2] convolution(b, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=2
  ROOT r = (s8[1,30,4,2], s8[1,30,4,2]) tuple(c, OTHER)
})";
  const auto with = [&](const char* other) {
    std::string text = two_results;
    return text.replace(text.find("OTHER"), 5, other);
  };
  CHECK(looped(with("x")));
  CHECK_FALSE(looped(with("b")));
  // Maxima in any order, sums of floats in their own.
  const auto reduced = [](const std::string& op, const std::string& identity) {
    return cat(R"(HloModule m
f { a = f32[] parameter(0)
 b = f32[] parameter(1)
 ROOT r = f32[] )",
               op, R"((a, b) }
ENTRY e {
  x = f32[1,8,4,1] parameter(0)
  w = f32[3,1,1,1] constant({ { { {0.5} } }, { { {2} } }, { { {1} } } })
  a = f32[1,8,4,1] convolution(x, w), window={size=3x1 pad=1_1x0_0}, dim_labels=b01f_01io->b01f
  b = f32[1,8,4,1] convolution(a, w), window={size=3x1 pad=1_1x0_0}, dim_labels=b01f_01io->b01f
  z = f32[] constant()",
               identity, R"()
  s = f32[1,1] reduce(b, z), dimensions={1,2}, to_apply=f
  ROOT r = (f32[1,1]) tuple(s)
})");
  };
  CHECK(looped(reduced("maximum", "-inf")));
  CHECK(looped(reduced("add", "0"), kAddedInDouble));
  CHECK_FALSE(looped(reduced("multiply", "1")));
  CHECK_FALSE(looped(reduced("maximum", "0")));
}

namespace {

struct FloatSum {
  std::string element = "f32", rows = "a", gone = "1,2", left = "1,3", initial = "0";
  int64_t width = 4;

  bool goes_by_rows() const {
    const std::string image = cat(element, "[1,8,", width, ",3]"),
                      to = cat(element, "[", left, "]");
    std::string text = R"(HloModule m
add { p = T[] parameter(0)
 q = T[] parameter(1)
 ROOT s = T[] add(p, q) }
ENTRY e {
  x = IMAGE parameter(0)
  w = T[3,1,1,3] constant({ { { {0.5, 1, 0.25} } }, { { {2, 3, 1} } }, { { {1, 0.125, 2} } } })
  a = IMAGE convolution(x, w), window={size=3x1 pad=1_1x0_0}, dim_labels=b01f_01io->b01f, feature_group_count=3
  b = IMAGE multiply(a, a)
  c = IMAGE negate(a)
  t = T[1,3,8,WIDTH] transpose(a), dimensions={0,3,1,2}
  z = T[] constant(INITIAL)
  s = TO reduce(ROWS, z), dimensions={GONE}, to_apply=add
  ROOT r = (TO) tuple(s)
})";
    const std::pair<std::string_view, std::string> parts[] = {
        {"IMAGE", image}, {"TO", to},     {"INITIAL", initial}, {"WIDTH", cat(width)},
        {"ROWS", rows},   {"GONE", gone}, {"T[", element + "["}};
    for (const auto& [name, value] : parts)
      for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
        text.replace(at, name.size(), value);
    return looped(text, kAddedInDouble).has_value();
  }
};

}  // namespace

TEST_CASE("sums of floats go by rows where their order is that of the rows", "[transforms]") {
  CHECK(FloatSum{}.goes_by_rows());
  CHECK(FloatSum{.gone = "2,1"}.goes_by_rows());
  CHECK(FloatSum{.gone = "0,1,2", .left = "3"}.goes_by_rows());
  CHECK(FloatSum{.gone = "1", .left = "1,4,3"}.goes_by_rows());
  CHECK(FloatSum{.rows = "c", .initial = "-0"}.goes_by_rows());
  CHECK(FloatSum{.element = "f64"}.goes_by_rows() == false);  // weights of f32 alone are known
  CHECK_FALSE(FloatSum{.element = "bf16"}.goes_by_rows());
  CHECK_FALSE(FloatSum{.initial = "1"}.goes_by_rows());
  // Rounded together with products, in lanes of their own, or too many for one row.
  CHECK_FALSE(FloatSum{.rows = "b"}.goes_by_rows());
  CHECK_FALSE(FloatSum{.rows = "t", .gone = "2,3"}.goes_by_rows());
  CHECK_FALSE(FloatSum{.gone = "1,2,3", .left = "1"}.goes_by_rows());
  CHECK(FloatSum{.width = 64}.goes_by_rows());
  CHECK_FALSE(FloatSum{.width = 65}.goes_by_rows());
}

TEST_CASE("pools over the whole image are added up by rows", "[transforms]") {
  const auto whiles = [](const std::string& window, const std::string& pooled) {
    const std::string text = cat(R"(HloModule m
most { p = s8[] parameter(0)
 q = s8[] parameter(1)
 ROOT s = s8[] maximum(p, q) }
ENTRY e {
  x = s8[1,40,4,3] parameter(0)
  w = s8[3,1,1,3] constant({ { { {1, 2, 3} } }, { { {2, 3, 1} } }, { { {1, 5, 2} } } })
  a = s8[1,40,4,3] convolution(x, w), window={size=3x1 pad=1_1x0_0}, dim_labels=b01f_01io->b01f, feature_group_count=3
  b = s8[1,40,4,3] convolution(a, w), window={size=3x1 pad=1_1x0_0}, dim_labels=b01f_01io->b01f, feature_group_count=3
  z = s8[] constant(-128)
  p = )",
                                 pooled, " reduce-window(b, z), window={", window,
                                 "}, to_apply=most\n  ROOT r = (", pooled, ") tuple(p)\n}\n");
    const Module before = module_from(text);
    Module made = before;
    Target target = *preset("cortex-m4f");
    target.decisions.rows_above = 0;
    REQUIRE(transforms::row_loops(made, {target}));
    return std::pair(count(verified(before, made), Opcode::kWhile),
                     count(made, Opcode::kReduceWindow));
  };
  const auto [loops, pools] = whiles("size=1x40x4x1", "s8[1,1,1,3]");
  CHECK(loops >= 1);
  CHECK(pools == 0);
  // The columns alone, two windows, one that a border belongs to, one with holes.
  CHECK(whiles("size=1x1x4x1", "s8[1,40,1,3]").second == 0);
  CHECK(whiles("size=1x39x4x1", "s8[1,2,1,3]").second != 0);
  CHECK(whiles("size=1x40x4x1 pad=0_0x1_0x0_0x0_0", "s8[1,2,1,3]").second != 0);
  CHECK(whiles("size=1x20x4x1 rhs_dilate=1x2x1x1", "s8[1,2,1,3]").second != 0);
  CHECK(whiles("size=1x40x4x1 lhs_dilate=1x2x1x1", "s8[1,40,1,3]").second != 0);
}

TEST_CASE("pools over the whole image that no order of rows adds up stay", "[transforms]") {
  const auto is_reduced = [](const std::string& type, const std::string& op,
                             const std::string& initial) {
    Module module = module_from(
        cat("HloModule m\nf { p = ", type, "[] parameter(0)\n q = ", type, "[] parameter(1)\n",
            " ROOT s = ", type, "[] ", op, "(p, q) }\nENTRY e {\n  x = ", type,
            "[1,8,4,3] parameter(0)\n  z = ", type, "[] constant(", initial, ")\n  ROOT r = ", type,
            "[1,1,1,3] reduce-window(x, z), window={size=1x8x4x1}, to_apply=f\n}\n"));
    return transforms::reduce_global_pools(module, module.entry);
  };
  CHECK(is_reduced("f32", "maximum", "-inf"));
  CHECK(is_reduced("f32", "add", "0"));
  CHECK_FALSE(is_reduced("f32", "add", "1"));
  CHECK_FALSE(is_reduced("f32", "multiply", "1"));
  CHECK_FALSE(is_reduced("f16", "add", "0"));
  // Two arrays at once.
  Module pairs = module_from(R"(HloModule m
f { a = s32[] parameter(0)
 b = s32[] parameter(1)
 c = s32[] parameter(2)
 d = s32[] parameter(3)
 m = s32[] maximum(a, c)
 n = s32[] maximum(b, d)
 ROOT s = (s32[], s32[]) tuple(m, n) }
ENTRY e {
  x = s32[1,8,4,3] parameter(0)
  z = s32[] constant(-2147483648)
  ROOT r = (s32[1,1,1,3], s32[1,1,1,3]) reduce-window(x, x, z, z), window={size=1x8x4x1}, to_apply=f
})");
  CHECK_FALSE(transforms::reduce_global_pools(pairs, pairs.entry));
}

TEST_CASE("the whole may be the argument, or stand in the middle of a chain", "[transforms]") {
  const auto schedule = [](const char* whole) -> std::optional<transforms::RowSchedule> {
    std::string text = R"(HloModule m
ENTRY e {
  x = s8[1,16,4,1] parameter(0)
  w = s8[3,1,1,1] constant({ { { {1} } }, { { {2} } }, { { {3} } } })
  a = s8[1,16,4,1] convolution(x, w), window={size=3x1 pad=1_1x0_0}, dim_labels=b01f_01io->b01f
  b = s8[1,16,4,1] convolution(a, w), window={size=3x1 pad=1_1x0_0}, dim_labels=b01f_01io->b01f
})";
    text.insert(text.find(cat("  ", whole, " = ")) + 2, "ROOT ");
    const Module module = module_from(text);
    const hlo::Computation& entry = module.entry_computation();
    return transforms::schedule_rows(module, entry, entry.users(), 0, 3);
  };
  REQUIRE(schedule("b"));
  CHECK(schedule("b")->is_over_entrance);
  REQUIRE(schedule("x"));
  CHECK_FALSE(schedule("x")->is_over_entrance);
  CHECK_FALSE(schedule("a"));
}

namespace {

// A convolution, `op` of its result a, and a convolution of what that makes, b of `height` rows.
std::string around(const std::string& op, int64_t height) {
  return cat(
      R"(HloModule m
most { a = s8[] parameter(0)
 b = s8[] parameter(1)
 ROOT r = s8[] maximum(a, b) }
ENTRY e {
  x = s8[1,8,4,2] parameter(0)
  v = s8[] parameter(1)
  z = s8[] constant(-128)
  w = s8[3,1,1,2] constant({ { { {1,2} } }, { { {3,1} } }, { { {2,2} } } })
  k = s8[2,2] constant({ {1,2}, {3,4} })
  a = s8[1,8,4,2] convolution(x, w), window={size=3x1 pad=1_1x0_0}, dim_labels=b01f_01io->b01f, feature_group_count=2
)",
      op, R"(
  c = s8[1,)",
      height,
      R"(,4,2] convolution(b, w), window={size=3x1 pad=1_1x0_0}, dim_labels=b01f_01io->b01f, feature_group_count=2
  ROOT r = (s8[1,)",
      height, ",4,2]) tuple(c)\n}");
}

}  // namespace

TEST_CASE("which ops hand rows on", "[transforms]") {
  const auto goes = [](const std::string& op, int64_t height = 8) {
    INFO(op);
    return looped(around(op, height)).has_value();
  };
  CHECK(goes("b = s8[1,8,4,2] reverse(a), dimensions={2}"));
  CHECK_FALSE(goes("b = s8[1,8,4,2] reverse(a), dimensions={1}"));
  CHECK(
      goes("d = s8[1,4,8,2] transpose(a), dimensions={0,2,1,3}\n"
           "b = s8[1,8,4,2] transpose(d), dimensions={0,2,1,3}"));
  CHECK(goes("d = s8[8,8] reshape(a)\nb = s8[1,8,4,2] reshape(d)"));
  CHECK_FALSE(goes("d = s8[64] reshape(a)\nb = s8[1,8,4,2] reshape(d)"));
  CHECK(goes("b = s8[1,4,4,2] slice(a), slice={[0:1],[1:8:2],[0:4],[0:2]}", 4));
  CHECK_FALSE(goes("b = s8[1,16,4,2] concatenate(a, a), dimensions={1}", 16));
  CHECK(goes("b = s8[1,8,4,2] dot(a, k), lhs_contracting_dims={3}, rhs_contracting_dims={0}"));
  // The border's value must be known.
  CHECK(goes("b = s8[1,10,4,2] pad(a, z), padding=0_0x1_1x0_0x0_0", 10));
  CHECK_FALSE(goes("b = s8[1,10,4,2] pad(a, v), padding=0_0x1_1x0_0x0_0", 10));
  CHECK(goes("b = s8[1,8,4,2] pad(a, v), padding=0_0x0_0x0_0x0_0"));
  CHECK_FALSE(goes("b = s8[1,15,4,2] pad(a, z), padding=0_0x0_0_1x0_0x0_0", 15));
  CHECK(
      goes("b = s8[1,8,4,2] reduce-window(a, z), window={size=1x3x1x1 pad=0_0x1_1x0_0x0_0}, "
           "to_apply=most"));
  CHECK_FALSE(
      goes("b = s8[1,8,4,2] reduce-window(a, v), "
           "window={size=1x3x1x1 pad=0_0x1_1x0_0x0_0}, to_apply=most"));
  // Zeros between rows.
  CHECK_FALSE(
      goes("b = s8[1,15,4,2] convolution(a, w), window={size=3x1 pad=1_1x0_0 lhs_dilate=2x1}, "
           "dim_labels=b01f_01io->b01f, feature_group_count=2",
           15));
  // Beside a row of the array its own rows, each of another number.
  CHECK_FALSE(goes("i = s8[1,8,4,2] iota(), iota_dimension=1\nb = s8[1,8,4,2] add(a, i)"));
}

TEST_CASE("borders of zeros meet finite weights only", "[transforms]") {
  const auto chain = [](const std::string& weight, const std::string& padding) {
    return cat(R"(HloModule m
ENTRY e {
  x = f32[1,9,4,1] parameter(0)
  w = f32[3,1,1,1] constant({ { { {)",
               weight, R"(} } }, { { {2} } }, { { {1} } } })
  a = f32[1,HA,4,1] convolution(x, w), window={size=3x1 pad=)",
               padding,
               R"(x0_0}, dim_labels=b01f_01io->b01f
  b = f32[1,HB,4,1] convolution(a, w), window={size=3x1 pad=)",
               padding,
               R"(x0_0}, dim_labels=b01f_01io->b01f
  ROOT r = (f32[1,HB,4,1]) tuple(b)
})");
  };
  const auto sized = [](std::string text, const char* a, const char* b) {
    for (size_t at; (at = text.find("HA")) != std::string::npos;) text.replace(at, 2, a);
    for (size_t at; (at = text.find("HB")) != std::string::npos;) text.replace(at, 2, b);
    return text;
  };
  CHECK(looped(sized(chain("0.5", "1_1"), "9", "9")));
  CHECK_FALSE(looped(sized(chain("inf", "1_1"), "9", "9")));
  CHECK_FALSE(looped(sized(chain("nan", "1_1"), "9", "9")));
  // Without a border no zero is multiplied.
  CHECK(looped(sized(chain("inf", "0_0"), "7", "5")));
}

TEST_CASE("rows of the result lie where those of an argument did that nothing reads any more",
          "[transforms]") {
  const auto text = [](const std::string& result, int features) {
    Network net(24, 4, 3);
    net.convolution({3, 2, 0, 1}, features).depthwise({}).convolution({1, 1, 0, 0}, features);
    std::string all = net.text();
    if (result == "x") {
      const size_t at = all.find("tuple(");
      all.insert(at + 6, "x, ");
      all.insert(all.rfind("ROOT r = (") + 10, "s8[1,24,4,3], ");
    }
    return all;
  };
  const auto over = [&](const std::string& network, size_t exit) {
    const Module module = after(module_from(network), {transforms::fold_constants});
    const hlo::Computation& entry = module.entry_computation();
    const auto schedule = transforms::schedule_rows(
        module, entry, entry.users(), entry.parameters[0], entry.root_instruction().operands[exit]);
    REQUIRE(schedule);
    return schedule->is_over_entrance;
  };
  CHECK(over(text("", 3), 0));
  REQUIRE(looped(text("", 3)));
  // Twice the features at half the rows are as many bytes; three times are more than fit.
  CHECK(over(text("", 6), 0));
  REQUIRE(looped(text("", 6)));
  CHECK_FALSE(over(text("", 9), 0));
  REQUIRE(looped(text("", 9)));
  // The argument is a result, too.
  CHECK_FALSE(over(text("x", 3), 1));
  // Elements of another type, and rows that are no neighbours.
  const auto alone = [](const std::string& result, const std::string& images) {
    return cat("HloModule m\nENTRY e {\n  x = s8", images, " parameter(0)\n",
               "  w = s8[3,1,1,1] constant({ { { {1} } }, { { {2} } }, { { {3} } } })\n  c = ",
               result, images, " convolution(x, w), window={size=3x1 pad=1_1x0_0}, ",
               "dim_labels=b01f_01io->b01f\n  ROOT r = (", result, images, ") tuple(c)\n}");
  };
  CHECK(over(alone("s8", "[1,9,4,1]"), 0));
  CHECK_FALSE(over(alone("s32", "[1,9,4,1]"), 0));
  CHECK_FALSE(over(alone("s8", "[2,9,4,1]"), 0));
  REQUIRE(looped(alone("s8", "[2,9,4,1]")));
  // Arguments that must be kept are.
  Network tall(60, 4, 2);
  tall.convolution({}, 4).convolution({}, 4).convolution({}, 1);
  const Module module = after(module_from(tall.text()), {transforms::fold_constants});
  for (const bool keep : {false, true}) {
    Target target = *preset("cortex-m4f");
    target.options.keep_arguments = keep;
    const auto chosen = transforms::choose_row_loops(module, module.entry_computation(), 0, target);
    REQUIRE(chosen.size() == 1);
    CHECK(chosen[0].is_over_entrance != keep);
  }
}

TEST_CASE("weights that are arguments go into the loop", "[transforms]") {
  CHECK(looped(R"(HloModule m
ENTRY e {
  x = s8[1,9,4,2] parameter(0)
  w = s8[3,3,1,2] parameter(1)
  bias = s32[2] parameter(2)
  a = s32[1,9,4,2] convolution(x, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=2
  y = s32[1,9,4,2] broadcast(bias), dimensions={3}
  d = s32[1,9,4,2] add(a, y)
  a8 = s8[1,9,4,2] convert(d)
  b = s32[1,9,4,2] convolution(a8, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, feature_group_count=2
  ROOT r = (s32[1,9,4,2]) tuple(b)
})"));
}

}  // namespace hlocc::tests
