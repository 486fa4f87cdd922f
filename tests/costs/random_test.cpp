// Thousands of questions drawn from seeds to each function of costs. What it answers is held as
// figures (golden/random.txt): how often it said yes, what it took, the sums of the sizes and costs
// that it gave. A choice that is made otherwise anywhere is seen, whatever the grids of the other
// tests leave out. Each number is drawn in a statement of its own: compilers call the arguments of
// a function in different orders.
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
#include "support/figures.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

using namespace costs;

// The answers to so many questions. Sixteen of them are asked of each chip.
void answers(int count, void (*ask)(Draws&, const Target&, Figures&)) {
  Draws draw(1);
  Figures said;
  for (int n = 0; n < count; ++n) {
    const Target chip = draw.chip();
    for (int i = 0; i < 16; ++i) ask(draw, chip, said);
  }
  add_figures("random", said);
}

using Yes = std::pair<const char*, bool>;
void add(Figures& said, std::initializer_list<Yes> all) {
  for (const auto& [name, yes] : all) said.add(name, yes);
}

void add(Figures& said, const std::string& name, const TileSize& t) {
  said.add(name + " rows", t.rows);
  said.add(name + " vectors", t.vectors);
  said.add(name + " lanes", t.lanes);
  said.add(name + " even", t.even);
  said.add(name + " masked", t.masked);
}
void add(Figures& said, const std::string& name, const std::vector<RowRun>& runs) {
  said.add(name + " runs", static_cast<int64_t>(runs.size()));
  for (const RowRun& r : runs) {
    said.add(name + " begins", r.begin);
    said.add(name + " ends", r.end);
    said.add(name + " heights", r.height);
    said.add(name + " bordered", r.bordered);
    said.add(name + " kept", r.kept);
    said.add(name + " overlapping", r.overlapping);
    said.add(name + " gaps", r.gap);
    said.add(name + " gaps at", r.gap_at);
  }
}
void add(Figures& said, const std::string& name, const std::vector<ColumnRun>& runs) {
  said.add(name + " runs", static_cast<int64_t>(runs.size()));
  for (const ColumnRun& r : runs) {
    said.add(name + " begins", r.begin);
    said.add(name + " ends", r.end);
    said.add(name + " vectors", r.vectors);
    said.add(name + " lanes", r.lanes);
    said.add(name + " active", r.active);
    said.count(cat(name, " ", r.kernel->name(), " by ", r.k_step));
  }
}

void tiles(Draws& draw, const Target& chip, Figures& said) {
  const kernel::Scalar element = draw.scalar();
  const int64_t rows = std::min<int64_t>(draw.size(), 60),
                columns = std::min<int64_t>(draw.size(), 100), depth = draw.size(),
                multiplier = draw.of<int64_t>({1, 1, 2, 3, 4, 5});
  const bool masks = draw.yes();
  add(said, "plain", choose_tile(chip, element, rows, columns));
  add(said, "deep", choose_tile(chip, element, rows, columns, depth, masks));
  add(said, "depthwise", choose_depthwise_tile(chip, element, rows, columns, multiplier, masks));
}

void steps(Draws& draw, const Target& chip, Figures& said) {
  const int cells = static_cast<int>(1 + draw.below(12)),
            lanes = static_cast<int>(1 + draw.below(8));
  const int64_t count = draw.size();
  said.add("sums", sums_a_cell(chip, cells));
  said.add("steps", steps_an_iteration(chip, count, cells, draw.one_in(4), lanes));
}

void along(Draws& draw, const Target& chip, Figures& said) {
  const int64_t columns = draw.yes() ? 1 + draw.below(20) : draw.size(), contiguous = draw.size(),
                depth = contiguous * (1 + draw.below(4)), rows = draw.below(20);
  const bool masks = draw.yes();
  const int height = static_cast<int>(1 + draw.below(8));
  const int64_t many = draw.near(8);
  const ReductionLanes found =
      choose_reduction_lanes(chip, draw.scalar(), depth, contiguous, columns);
  const InnerTile tile = choose_inner_tile(chip, rows, columns, std::max(1, chip.lanes(32)), masks);
  said.add("lanes", found.lanes);
  said.add("columns", found.columns);
  said.count(cat("tiles of ", tile.rows, "x", tile.columns));
  add(said, "cut", cut_reduction_lanes(chip, found, columns, height, masks));
  said.add("wants rows", wants_rows(chip, many, depth, columns));
}

void runs(Draws& draw, const Target& chip, Figures& said) {
  const int64_t count = draw.below(70), first = draw.below(count + 1),
                last =
                    draw.one_in(4) ? draw.below(count + 1) : first + draw.below(count - first + 1);
  const int height = static_cast<int>(1 + draw.below(draw.one_in(4) ? 40 : 9)),
            most = static_cast<int>(draw.below(4));
  const bool even = draw.yes();
  const auto alike = cut_rows_alike(count, first, last, static_cast<int>(1 + draw.below(16)));
  TileSize tile{.vectors = static_cast<int>(1 + draw.below(5)), .lanes = 1 << draw.below(5)};
  tile.even = draw.yes(), tile.masked = tile.even && tile.lanes > 1 && draw.yes();
  add(said, "plain", cut_rows(count, height, even));
  add(said, "overlapping", cut_rows_overlapping(count, height));
  add(said, "with border", cut_rows_with_border(count, first, last, height, most));
  said.add("alike", alike.has_value());
  if (alike) add(said, "alike", *alike);
  if (count > 0) add(said, "columns", cut_columns(count, tile));
  said.add("pixels for a shared tile", pixels_for_shared_tile(count));
  said.add("pixels alone", most_pixels_alone(chip));
}

void dots(Draws& draw, const Target& chip, Figures& said) {
  const int64_t rows = draw.size(), depth = draw.one_in(3) ? draw.near(5 * rows) : draw.size(),
                columns = draw.size();
  const bool is_made = draw.one_in(4), is_f32 = draw.yes();
  add(said, {{"better moved", is_better_moved(chip, rows, depth, is_made, is_f32)},
             {"reads turned", reads_turned(chip)},
             {"stays turned", stays_turned(chip, rows, columns)},
             {"better turned", is_better_turned(rows, depth, columns, is_f32)}});
}

// What costs say of fusions, weights, code and threads.
void shares(Draws& draw, const Target& chip, Figures& said) {
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
  add(said, {{"reads through views", reads_through_views(chip)},
             {"rows pay", rows_pay(chip, width)},
             {"gates pay", gates_pay(chip)},
             {"serpentine pays", serpentine_pays(chip, few, bytes)},
             {"chains by rows", chains_by_rows(chip)},
             {"row tiles pay", row_tiles_pay(chip, handed, beside)},
             {"pooled rows pay", pooled_rows_pay(chip, window, rows, handed, beside)},
             {"panels of one step pay", panels_pay(chip, 1, elements, type)},
             {"panels pay", panels_pay(chip, depth, width, type)},
             {"prefetch pays", prefetch_pays(chip, bytes, many, tile)},
             {"packs nibbles", packs_nibbles(chip)},
             {"looks nibbles up", looks_nibbles_up(chip)},
             {"makes panels", makes_panels(chip, few)},
             {"columns begin lines", columns_begin_lines(chip)},
             {"several pay", several_pay(chip, spelled)},
             {"ranges pay",
              ranges_pay(static_cast<double>(100 * depth), static_cast<double>(longest), chip)}});
  const GatesTile cell = choose_gates_tile(chip, gates, few, width, lanes, wide);
  said.add("most group cost", most_group_cost(chip));
  said.add("longest epilogue", longest_epilogue(chip, wide));
  said.add("tiles alone", most_tiles_alone(chip));
  said.add("taps", most_taps(chip));
  said.add("elements an iteration", elements_an_iteration(chip, spelled));
  said.add("cached row bytes", cached_row_bytes(chip));
  said.count(cat("gates of ", cell.rows, "x", cell.vectors));
  said.add_cost("cycles to start threads", cycles_to_start_threads(chip));
  said.add_cost("cycles of changes", cycles_of_changes(depth, chip));
}

// All rows that claim a contraction, and which is taken.
void micro(Draws& draw, const Target& chip, Figures& said) {
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
  for (const costs::MicroKernel& row : micro_kernels()) {
    DepthForm cut = depth;
    cut.k_step = row.k_step > 0 ? row.k_step : 4;
    cut.count = k_steps * cut.k_step + (row.takes_k_steps() ? 0 : rest);
    const DepthCut turns = row.cut(row, cut, chip);
    said.add("sums", turns.sums);
    said.add("whole vectors", turns.whole_vectors);
    for (const DepthRun& run : turns.runs) {
      said.add("runs", 1);
      said.add("begins", run.begin);
      said.add("ends", run.end);
      said.add("steps", run.steps);
      said.add("repeated", run.repeated);
    }
    if (!row.claims(form, chip)) continue;
    const MicroChoice choice = choose_micro_kernel(form, chip, row.id);
    const std::string what = choice.to_string();
    said.count(cat("claimed by ", what.substr(0, what.find(','))));
    said.count(cat("left side in form ", static_cast<int>(choice.left)));
    said.add_cost("cycles", choice.cost.cycles);
    said.add("scratch", choice.cost.scratch);
    said.add("weights", choice.cost.weights);
    said.add("segments fill k steps", segments_fill_k_steps(row, chip));
  }
  said.count(cat("taken: ", choose_micro_kernel(form, chip).kernel->name()));
}

void winograd(Draws& draw, const Target& chip, Figures& said) {
  WinogradSize size{.batch = 1 + draw.below(2),
                    .height = 1 + draw.below(24),
                    .width = 1 + draw.below(24),
                    .inputs = draw.of({draw.near(8), draw.size()}),
                    .outputs = draw.size(),
                    .stored = draw.one_in(4) ? 16 : 0};
  const ProgramSize program{.constants = draw.of<int64_t>({0, 30'000, 1'000'000, 50'000'000}),
                            .maps = draw.of<int64_t>({0, 100'000, 1'000'000})};
  const auto plan = plan_winograd(size, program, chip);
  said.count(plan ? cat("m ", plan->m) : "none");
  if (!plan) return;
  said.add("blocks", plan->block);
  add(said, "tile", plan->tile);
}

void add(Figures& said, const WindowsPlan& plan) {
  said.add("windows' channels", plan.channels);
  said.add("sums", plan.sums);
  said.add("strips", plan.strip);
  said.add("heights", plan.height);
  said.add("vectors", plan.vectors);
  said.add("columns", plan.columns);
  said.add("pieces", plan.piece);
  said.add("scratch", plan.scratch);
  said.add_cost("sixteenths of cycles", 16 * plan.cycles);
}

void convolutions(Draws& draw, const Target& chip, Figures& said) {
  const DrawnConvolution drawn = drawn_convolution(draw);
  const ConvolutionSite site = drawn.site();
  said.count(cat("taken: ", kernel::algorithm_name(algorithm_of(plan_convolution(site, chip)))));
  // Those behind `plain` count on what it takes.
  if (site.spatial() == 0 || drawn.input.element_count() == 0 || drawn.filter.element_count() == 0)
    return;
#define HLOCC_CONVOLUTION(Name, text, outside) \
  said.add(text, Name##Plan::of(site, chip).has_value());
#include "kernel/algorithms.def"
  if (site.spatial() != 2) return;
  const bool first = is_channels_first(site.form, chip);
  add(said, {{"allows Winograd", allows_winograd(site)},
             {"channels first", first},
             {"serves channels first", serves_channels_first(site.form, chip)},
             {"channels first pay", first && channels_first_pays(site.form, chip)},
             {"taps are stacked", stacked_taps(site, chip) > 1}});
  if (const auto windows = WindowsPlan::of(site, chip,
                                           draw.of<std::optional<kernel::MicroKernel>>(
                                               {std::nullopt, kernel::MicroKernel::kDotAccumulate16,
                                                kernel::MicroKernel::kOuterProduct})))
    add(said, *windows);
  const auto packed = PackedPlan::of(site, chip);
  if (!packed) return;
  const std::string what = packed->choice.to_string();
  said.count(cat("packed, ", what.substr(0, what.find(','))));
  said.add_cost("cycles of packed ones", packed->choice.cost.cycles);
  add(said, {{"neighbours", packed->neighbours},
             {"taps of a row", packed->row_taps},
             {"pointwise", packed->pointwise}});
}

void channels_first(Draws& draw, const Target& chip, Figures& said) {
  const int64_t a = draw.size(), b = draw.size(), c = draw.size();
  // None asks where there are no vectors.
  if (chip.vector_bits == 0 || chip.vector_registers < 2) return;
  const ChannelsFirstTile tile = choose_channels_first_tile(chip, a, b, c);
  said.add("lanes", tile.lanes);
  said.add("outputs", tile.outputs);
  said.add("heights", tile.height);
  said.add("product pays", product_pays(chip, a, b, c));
}

// A convolution of what a pad made, as HLO.
void padded(Draws& draw, const Target& chip, Figures& said) {
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
  if (made < 1 || out < 1) return;
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
  said.add("takes the pad", takes_pad(read->module, c, convolution, chip));
  said.add("is of a pad", found.has_value());
  if (!found) return;
  said.add("outside", found->outside);
  for (const hlo::WindowDimension& w :
       found->convolution.get<hlo::ConvolutionAttributes>().window.dimensions) {
    said.add("low", w.padding_low);
    said.add("high", w.padding_high);
  }
}

// Each op on one type, whose lanes a vector or single registers hold.
void ops(Draws& draw, const Target& chip, Figures& said) {
  using namespace kernel;
  using enum kernel::Scalar;
  const Scalar scalar = draw.of({kF32, kF64, kF16, kS8, kU8, kS16, kS32, kS64, kIndex, kPred}),
               other = draw.of({kF32, kF64, kS8, kS32, kS64, kIndex});
  const auto lanes = static_cast<uint16_t>(draw.of({1, 1, 2, 3, 4, 8, 16}));
  const Type type{scalar, lanes};
  const auto work = [&](std::string_view name, const auto& fill) {
    Builder b("k");
    fill(b);
    const KernelWork w = kernel_work(b.finish(), {}, chip);
    said.add_cost(cat(name, ", sixteenths of cycles"), 16 * w.cycles);
    said.add_cost("products", w.products);
    said.add_cost("bytes read", w.bytes_read);
    said.add_cost("bytes written", w.bytes_written);
  };
  const auto operand = [&](Builder& b, Type t) {
    return b.load(b.buffer({.name = "x", .element = t.scalar, .elements = 64}), Affine::constant(0),
                  t.lanes);
  };
  for (int n = 0; n <= static_cast<int>(OpKind::kReduceOr); ++n) {
    const auto kind = static_cast<OpKind>(n);
    const int operands = op_operands(kind);
    if (kind == OpKind::kConstant || kind == OpKind::kShuffle || operands < 1) continue;
    work(op_name(kind), [&](Builder& b) {
      const bool reduces = kind >= OpKind::kReduceAdd,
                 converts = kind == OpKind::kConvert || kind == OpKind::kNativeConvert;
      const Type result = reduces ? Type{scalar, 1} : converts ? Type{other, lanes} : type;
      b.op(kind, result, Values(static_cast<size_t>(operands), operand(b, type)));
    });
  }
  const int64_t stride = draw.of<int64_t>({1, 2, 3, -1, -2});
  work("with a stride", [&](Builder& b) {
    const BufferId x = b.buffer({.name = "x", .element = scalar, .elements = 64}),
                   y = b.buffer({.name = "y",
                                 .element = scalar,
                                 .elements = 64,
                                 .direction = Direction::kOut});
    b.store(y, Affine::constant(32), b.load(x, Affine::constant(32), lanes, stride), stride);
    b.prefetch(x, Affine::constant(0));
  });
  if (lanes == 1) return;
  work("by indices", [&](Builder& b) {
    const ValueId x = operand(b, type), at = operand(b, {kS32, lanes});
    b.gather(b.buffer({.name = "y", .element = scalar, .elements = 64}), Affine::constant(0), at);
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
TEST_CASE("drawn tiles with channels first", "[costs]") { answers(1000, channels_first); }

}  // namespace hlocc::tests
