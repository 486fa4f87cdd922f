// Thousands of questions drawn from seeds to each function of costs, with what it answers as
// digests (golden/random.txt): a choice that is made otherwise anywhere is seen, whatever the grids
// of the other tests leave out. Each number is drawn in a statement of its own: compilers call the
// arguments of a function in different orders.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "costs/code.h"
#include "costs/depth.h"
#include "costs/depthwise_windows.h"
#include "costs/dot.h"
#include "costs/draws.h"
#include "costs/fusion.h"
#include "costs/kernel_work.h"
#include "costs/padded_input.h"
#include "costs/reduction_lanes.h"
#include "costs/threads.h"
#include "costs/tiles.h"
#include "costs/weights.h"
#include "import/reader.h"
#include "kernel/builder.h"
#include "support/digests.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

using namespace costs;

// The answers to so many questions. Sixteen of them are asked of each chip.
void answers(int count, std::string (*ask)(Draws&, const Target&)) {
  Draws draw(1);
  std::string all;
  for (int n = 0; n < count; ++n) {
    const Target chip = draw.chip();
    for (int i = 0; i < 16; ++i) all += ask(draw, chip) + "\n";
  }
  add_digest("random", static_cast<size_t>(count), all);
}

std::string text(const TileSize& t) {
  return cat(" ", t.rows, "x", t.vectors, "x", t.lanes, t.even ? "e" : "", t.masked ? "m" : "");
}
// Costs are compared as whole numbers: the last bits may differ from host to host.
std::string text(double cost) { return cat(" ", static_cast<int64_t>(std::llround(cost * 16))); }

std::string text(const RowRun& r) {
  return cat(" ", r.begin, "-", r.end, "/", r.height, r.bordered ? "b" : "", r.kept ? "k" : "",
             r.overlapping ? "o" : "", " ", r.gap_at, "+", r.gap);
}
std::string text(const ColumnRun& r) {
  return cat(" ", r.begin, "-", r.end, "/", r.vectors, "x", r.lanes, " ", r.active, " ",
             r.kernel->name(), " ", r.k_step);
}
template <typename Run>
std::string text(const std::vector<Run>& runs) {
  std::string all;
  for (const Run& run : runs) all += text(run);
  return all;
}

std::string tiles(Draws& draw, const Target& chip) {
  const kernel::Scalar element = draw.scalar();
  const int64_t rows = std::min<int64_t>(draw.size(), 60),
                columns = std::min<int64_t>(draw.size(), 100), depth = draw.size(),
                multiplier = draw.of<int64_t>({1, 1, 2, 3, 4, 5});
  const bool masks = draw.yes();
  return text(choose_tile(chip, element, rows, columns)) +
         text(choose_tile(chip, element, rows, columns, depth, masks)) +
         text(choose_depthwise_tile(chip, element, rows, columns, multiplier, masks));
}

std::string steps(Draws& draw, const Target& chip) {
  const int cells = static_cast<int>(1 + draw.below(12)),
            lanes = static_cast<int>(1 + draw.below(8));
  const int64_t count = draw.size();
  return cat(sums_a_cell(chip, cells), " ",
             steps_an_iteration(chip, count, cells, draw.one_in(4), lanes));
}

std::string along(Draws& draw, const Target& chip) {
  const int64_t columns = draw.yes() ? 1 + draw.below(20) : draw.size(), contiguous = draw.size(),
                depth = contiguous * (1 + draw.below(4)), rows = draw.below(20);
  const bool masks = draw.yes();
  const int height = static_cast<int>(1 + draw.below(8));
  const int64_t many = draw.near(8);
  const ReductionLanes found =
      choose_reduction_lanes(chip, draw.scalar(), depth, contiguous, columns);
  const InnerTile tile = choose_inner_tile(chip, rows, columns, std::max(1, chip.lanes(32)), masks);
  return cat(found.lanes, " ", found.columns, " ", tile.rows, "x", tile.columns) +
         text(cut_reduction_lanes(chip, found, columns, height, masks)) +
         (wants_rows(chip, many, depth, columns) ? "r" : "");
}

std::string runs(Draws& draw, const Target& chip) {
  const int64_t count = draw.below(70), first = draw.below(count + 1),
                last =
                    draw.one_in(4) ? draw.below(count + 1) : first + draw.below(count - first + 1);
  const int height = static_cast<int>(1 + draw.below(draw.one_in(4) ? 40 : 9)),
            most = static_cast<int>(draw.below(4));
  const bool even = draw.yes();
  const auto alike = cut_rows_alike(count, first, last, static_cast<int>(1 + draw.below(16)));
  TileSize tile{.vectors = static_cast<int>(1 + draw.below(5)), .lanes = 1 << draw.below(5)};
  tile.even = draw.yes(), tile.masked = tile.even && tile.lanes > 1 && draw.yes();
  return text(cut_rows(count, height, even)) + text(cut_rows_overlapping(count, height)) +
         text(cut_rows_with_border(count, first, last, height, most)) +
         (alike ? text(*alike) : "none") + (count > 0 ? text(cut_columns(count, tile)) : "") +
         cat(pixels_for_shared_tile(count), " ", most_pixels_alone(chip));
}

std::string dots(Draws& draw, const Target& chip) {
  const int64_t rows = draw.size(), depth = draw.one_in(3) ? draw.near(5 * rows) : draw.size(),
                columns = draw.size();
  const bool is_made = draw.one_in(4), is_f32 = draw.yes();
  std::string all;
  for (const bool yes :
       {is_better_moved(chip, rows, depth, is_made, is_f32), reads_turned(chip),
        stays_turned(chip, rows, columns), is_better_turned(rows, depth, columns, is_f32)})
    all += yes ? '+' : '.';
  return all;
}

// What costs say of fusions, weights, code and threads.
std::string shares(Draws& draw, const Target& chip) {
  const int64_t rows = draw.size(), window = draw.one_in(3) ? rows / 2 : draw.size(),
                handed = draw.near(chip.cache(1) * 25 / 64),
                beside = draw.near(chip.cache(1) * 3 / 16);
  const hlo::PrimitiveType type =
      draw.of({hlo::PrimitiveType::kF32, hlo::PrimitiveType::kS8, hlo::PrimitiveType::kF16});
  const int64_t nearest = chip.cache(0),
                bound = draw.of({nearest / 4, nearest, 2 * nearest, chip.cache(2) / 2, rows}),
                bytes = draw.near(bound), elements = draw.near(bound / hlo::storage_bytes(type));
  const int64_t depth = draw.size(), width = draw.size(), few = 1 + draw.below(6),
                many = draw.near(draw.of<int64_t>({2, 4, 64, 128, 256})), tile = 1 + draw.below(4),
                spelled = draw.near(256), longest = draw.below(100 * depth);
  const int gates = static_cast<int>(1 + draw.below(5)), lanes = draw.of({1, 1, 2, 4, 8});
  const bool wide = draw.one_in(3);
  std::string all;
  for (const bool yes :
       {reads_through_views(chip), rows_pay(chip, width), gates_pay(chip),
        serpentine_pays(chip, few, bytes), chains_by_rows(chip),
        row_tiles_pay(chip, handed, beside), pooled_rows_pay(chip, window, rows, handed, beside),
        panels_pay(chip, 1, elements, type), panels_pay(chip, depth, width, type),
        prefetch_pays(chip, bytes, many, tile), packs_nibbles(chip), looks_nibbles_up(chip),
        makes_panels(chip, few), columns_begin_lines(chip), several_pay(chip, spelled),
        ranges_pay(static_cast<double>(100 * depth), static_cast<double>(longest), chip)})
    all += yes ? '+' : '.';
  const GatesTile cell = choose_gates_tile(chip, gates, few, width, lanes, wide);
  return all +
         cat(" ", most_group_cost(chip), " ", longest_epilogue(chip, wide), " ",
             most_tiles_alone(chip), " ", most_taps(chip), " ",
             elements_an_iteration(chip, spelled), " ", cached_row_bytes(chip), " ", cell.rows, "x",
             cell.vectors) +
         text(cycles_to_start_threads(chip)) + text(cycles_of_changes(depth, chip));
}

// All rows that claim a contraction, and which is taken.
std::string micro(Draws& draw, const Target& chip) {
  using enum kernel::Scalar;
  ContractionForm form{.left = draw.of({kS8, kS8, kS8, kU8, kF32}),
                       .right = draw.of({kS8, kS8, kS8, kU8, kF32}),
                       .sum = draw.one_in(8) ? draw.scalar() : kS32,
                       .rows = draw.one_in(20) ? 0 : draw.of({draw.size(), 1 + draw.below(9)}),
                       .depth = draw.of({draw.size(), 4 * draw.size(), 1 + draw.below(17)}),
                       .columns = draw.one_in(20) ? 0 : draw.of({draw.size(), 1 + draw.below(9)}),
                       .left_contiguous = draw.yes(),
                       .right_known = !draw.one_in(8)};
  const int64_t k_steps = 1 + draw.below(24);
  const DepthForm depth{.cells = static_cast<int>(1 + draw.below(12)),
                        .lanes = draw.of({1, 4, 8}),
                        .sum = draw.scalar(),
                        .is_complex = draw.one_in(8),
                        .left_contiguous = form.left_contiguous,
                        .wanted = draw.one_in(4) ? 1 + draw.below(6) : 0};
  const int64_t rest = draw.below(16);
  std::string all;
  for (const costs::MicroKernel& row : micro_kernels()) {
    DepthForm cut = depth;
    cut.k_step = row.k_step > 0 ? row.k_step : 4;
    cut.count = k_steps * cut.k_step + (row.takes_k_steps() ? 0 : rest);
    const DepthCut turns = row.cut(row, cut, chip);
    all += cat(turns.sums, turns.whole_vectors ? "w" : "");
    for (const DepthRun& run : turns.runs)
      all += cat(" ", run.begin, "-", run.end, "/", run.steps, "r", run.repeated);
    if (!row.claims(form, chip)) continue;
    const MicroChoice choice = choose_micro_kernel(form, chip, row.id);
    all += cat(choice.to_string(), " ", static_cast<int>(choice.left), " ", choice.cost.scratch,
               " ", choice.cost.weights, segments_fill_k_steps(row, chip) ? " u;" : ";");
  }
  return all + std::string(choose_micro_kernel(form, chip).kernel->name());
}

std::string winograd(Draws& draw, const Target& chip) {
  WinogradSize size{.batch = 1 + draw.below(2),
                    .height = 1 + draw.below(24),
                    .width = 1 + draw.below(24),
                    .inputs = draw.of({draw.near(8), draw.size()}),
                    .outputs = draw.size(),
                    .stored = draw.one_in(4) ? 16 : 0};
  const ProgramSize program{.constants = draw.of<int64_t>({0, 30'000, 1'000'000, 50'000'000}),
                            .maps = draw.of<int64_t>({0, 100'000, 1'000'000})};
  const auto plan = plan_winograd(size, program, chip);
  return plan ? cat(plan->m, " ", plan->block) + text(plan->tile) : "none";
}

std::string convolutions(Draws& draw, const Target& chip) {
  const DrawnConvolution drawn = drawn_convolution(draw);
  const ConvolutionSite site = drawn.site();
  std::string all(kernel::algorithm_name(algorithm_of(plan_convolution(site, chip))));
  // Those behind `plain` count on what it takes.
  if (site.spatial() == 0 || drawn.input.element_count() == 0 || drawn.filter.element_count() == 0)
    return all;
#define HLOCC_CONVOLUTION(Name, text, outside) all += Name##Plan::of(site, chip) ? '+' : '.';
#include "kernel/algorithms.def"
  if (site.spatial() != 2) return all;
  for (const bool yes : {allows_winograd(site), is_channels_first(site.form, chip),
                         serves_channels_first(site.form, chip)})
    all += yes ? '+' : '.';
  if (is_channels_first(site.form, chip))
    all += channels_first_pays(site.form, chip) ? "pays" : "does not";
  all += stacked_taps(site, chip) > 1 ? 'p' : '.';
  if (const auto windows = WindowsPlan::of(site, chip,
                                           draw.of<std::optional<kernel::MicroKernel>>(
                                               {std::nullopt, kernel::MicroKernel::kDotAccumulate16,
                                                kernel::MicroKernel::kOuterProduct})))
    all += cat(" ", windows->channels, " ", windows->sums, " ", windows->strip, " ",
               windows->height, " ", windows->vectors, " ", windows->columns, " ", windows->piece,
               " ", windows->scratch) +
           text(windows->cycles);
  if (const auto packed = PackedPlan::of(site, chip))
    all += cat(" ", packed->choice.to_string(), packed->neighbours ? "n" : "",
               packed->row_taps ? "r" : "", packed->pointwise ? "p" : "");
  return all;
}

std::string planes(Draws& draw, const Target& chip) {
  const int64_t a = draw.size(), b = draw.size(), c = draw.size();
  // Nobody asks where there are no vectors.
  if (chip.vector_bits == 0 || chip.vector_registers < 2) return "";
  const ChannelsFirstTile tile = choose_channels_first_tile(chip, a, b, c);
  return cat(tile.lanes, "x", tile.outputs, "x", tile.height,
             product_pays(chip, a, b, c) ? "+" : ".");
}

// A convolution of what a pad made, as HLO.
std::string padded(Draws& draw, const Target& chip) {
  const char* type = draw.of({"s8", "s8", "s8", "u8", "s16"});
  const int64_t side = 4 + draw.below(8), features = draw.of<int64_t>({1, 4, 8}),
                taps = 1 + draw.below(3);
  const bool depthwise = draw.yes(), known = !draw.one_in(6), is_pad = !draw.one_in(8),
             number = !draw.one_in(8), wide = draw.one_in(10);
  const int64_t low = draw.below(4) - 1, high = draw.below(4) - 1,
                interior = draw.one_in(8) ? 1 : 0, more = draw.one_in(8) ? 1 : 0,
                beside = draw.one_in(8) ? 1 : 0, holes = draw.one_in(8) ? 2 : 1,
                batch = draw.one_in(8) ? 1 : 0;
  const int64_t made = is_pad ? side + low + high + interior * (side - 1) : side,
                batches = is_pad ? 1 + batch : 1, spread = (made - 1) * holes + 1 + more + beside,
                out = spread - taps + 1;
  if (made < 1 || out < 1) return "";
  const int64_t groups = depthwise ? features : 1, inputs = features / groups;
  const std::string pad = is_pad ? cat("pad(x, z), padding=0_", batch, "x", low, "_", high, "_",
                                       interior, "x", low, "_", high, "_", interior, "x0_0")
                                 : std::string("copy(x)");
  const std::string weights =
      known ? cat(
                  "n = ", type, "[] constant(3)\n w = ", type, "[", taps, ",", taps, ",", inputs,
                  ",", features, "] constant({",
                  [&] {
                    const auto row = [](int64_t count, const std::string& one) {
                      std::string all;
                      for (int64_t i = 0; i < count; ++i) all += (i == 0 ? "" : ", ") + one;
                      return "{" + all + "}";
                    };
                    const std::string whole = row(taps, row(taps, row(inputs, row(features, "3"))));
                    return whole.substr(1, whole.size() - 2);
                  }(),
                  "})")
            : cat("w = ", type, "[", taps, ",", taps, ",", inputs, ",", features, "] parameter(1)");
  const std::string text = cat(
      "HloModule m\nENTRY e {\n x = ", type, "[1,", side, ",", side, ",", features,
      "] parameter(0)\n ", weights, "\n z = ", type, "[] ",
      number ? "constant(5)" : cat("parameter(", known ? 1 : 2, ")"), "\n p = ", type, "[", batches,
      ",", made, ",", made, ",", features, "] ", pad, "\n ROOT c = ", wide ? "s64" : "s32", "[",
      batches, ",", out, ",", out, ",", features, "] convolution(p, w), window={size=", taps, "x",
      taps, " pad=", more, "_", beside, "x", more, "_", beside, " lhs_dilate=", holes, "x", holes,
      "}, dim_labels=b01f_01io->b01f, feature_group_count=", groups, "\n}\n");
  const auto read = import::read_model(std::as_bytes(std::span(text)), "drawn.hlo");
  if (!read) FAIL(text << read.error().to_string());
  const hlo::Computation& c = read->module.entry_computation();
  const hlo::Instruction& convolution = c[c.root];
  const auto found = without_pad(c, convolution);
  std::string all = takes_pad(read->module, c, convolution, chip) ? "takes " : "leaves ";
  if (found)
    for (const hlo::WindowDimension& w :
         found->convolution.get<hlo::ConvolutionAttributes>().window.dimensions)
      all += cat(found->outside, " ", w.padding_low, "_", w.padding_high, " ");
  return all;
}

// Each op on one type, whose lanes a vector or single registers hold.
std::string ops(Draws& draw, const Target& chip) {
  using namespace kernel;
  using enum kernel::Scalar;
  const Scalar scalar = draw.of({kF32, kF64, kF16, kS8, kU8, kS16, kS32, kS64, kIndex, kPred}),
               other = draw.of({kF32, kF64, kS8, kS32, kS64, kIndex});
  const auto lanes = static_cast<uint16_t>(draw.of({1, 1, 2, 3, 4, 8, 16}));
  const Type type{scalar, lanes};
  const auto work = [&](const auto& fill) {
    Builder b("k");
    fill(b);
    const KernelWork w = kernel_work(b.finish(), {}, chip);
    return text(w.cycles) + text(w.products) + text(w.bytes_read) + text(w.bytes_written);
  };
  const auto operand = [&](Builder& b, Type t) {
    return b.load(b.buffer({.name = "x", .element = t.scalar, .elements = 64}), Affine::constant(0),
                  t.lanes);
  };
  std::string all;
  for (int n = 0; n <= static_cast<int>(OpKind::kReduceOr); ++n) {
    const auto kind = static_cast<OpKind>(n);
    const int operands = op_operands(kind);
    if (kind == OpKind::kConstant || kind == OpKind::kShuffle || operands < 1) continue;
    all += work([&](Builder& b) {
      const bool reduces = kind >= OpKind::kReduceAdd,
                 converts = kind == OpKind::kConvert || kind == OpKind::kNativeConvert;
      const Type result = reduces ? Type{scalar, 1} : converts ? Type{other, lanes} : type;
      b.op(kind, result, Values(static_cast<size_t>(operands), operand(b, type)));
    });
  }
  const int64_t stride = draw.of<int64_t>({1, 2, 3, -1, -2});
  all += work([&](Builder& b) {
    const BufferId x = b.buffer({.name = "x", .element = scalar, .elements = 64}),
                   y = b.buffer({.name = "y",
                                 .element = scalar,
                                 .elements = 64,
                                 .direction = Direction::kOut});
    b.store(y, Affine::constant(32), b.load(x, Affine::constant(32), lanes, stride), stride);
    b.prefetch(x, Affine::constant(0));
  });
  if (lanes == 1) return all;
  return all + work([&](Builder& b) {
           const ValueId x = operand(b, type), at = operand(b, {kS32, lanes});
           b.gather(b.buffer({.name = "y", .element = scalar, .elements = 64}), Affine::constant(0),
                    at);
           b.shuffle(x, x, std::vector<int>(static_cast<size_t>(lanes), 1));
         });
}

}  // namespace

TEST_CASE("drawn paddings", "[costs]") { answers(150, padded); }
TEST_CASE("drawn kernels' ops", "[costs]") { answers(60, ops); }
TEST_CASE("drawn tiles", "[costs]") { answers(1000, tiles); }
TEST_CASE("drawn steps an iteration", "[costs]") { answers(2000, steps); }
TEST_CASE("drawn columns along the reduction", "[costs]") { answers(3000, along); }
TEST_CASE("drawn runs", "[costs]") { answers(1000, runs); }
TEST_CASE("drawn dots", "[costs]") { answers(2000, dots); }
TEST_CASE("drawn fusions, weights and threads", "[costs]") { answers(3000, shares); }
TEST_CASE("drawn micro-kernels", "[costs]") { answers(1000, micro); }
TEST_CASE("drawn plans of Winograd's form", "[costs]") { answers(1000, winograd); }
TEST_CASE("drawn convolutions", "[costs]") { answers(3000, convolutions); }
TEST_CASE("drawn planes", "[costs]") { answers(1000, planes); }

}  // namespace hlocc::tests
