// Turns of a reduction, micro-kernel by micro-kernel and chip by chip: they cover every step once,
// and are the golden ones on both sides of every bound.
#include "costs/depth.h"

#include <catch2/catch.hpp>

#include "costs/chips.h"
#include "costs/micro_kernels.h"
#include "support/golden.h"
#include "support/text.h"

namespace hlocc::tests {

using namespace costs;

namespace {

std::string text_of(const DepthCut& cut) {
  std::string text = cut.whole_vectors ? " whole" : "";
  if (cut.sums > 1) text += cat(" ", cut.sums, "sums");
  for (const DepthRun& run : cut.runs)
    if (run.begin < run.end)
      text += cat(" ", run.begin, "-", run.end, "/", run.steps,
                  run.repeated > 0 ? cat("r", run.repeated) : "");
  return text + ";";
}

// Each step is taken once, whatever is repeated counted as nothing.
bool covers(const DepthCut& cut, int64_t count) {
  int64_t next = 0;
  for (const DepthRun& run : cut.runs) {
    if (run.begin == run.end) continue;
    if (run.begin + run.repeated != next || (run.end - run.begin) % run.steps != 0) return false;
    next = run.end;
  }
  return next == count;
}

}  // namespace

TEST_CASE("where products of four bytes, and of two, begin", "[costs]") {
  const auto claims = [](kernel::MicroKernel id, const ContractionForm& form,
                         const Target& target) {
    return micro_kernels()[static_cast<size_t>(id)].claims(form, target);
  };
  using enum kernel::MicroKernel;
  const auto bytes = [](int64_t rows, int64_t depth, int64_t columns) {
    return ContractionForm{.left = kernel::Scalar::kS8,
                           .right = kernel::Scalar::kS8,
                           .sum = kernel::Scalar::kS32,
                           .rows = rows,
                           .depth = depth,
                           .columns = columns,
                           .left_contiguous = true,
                           .right_known = true};
  };
  const auto chip = [](std::string_view name) -> Target {
    for (const Chip& one : fast_chips())
      if (one.name == name) return one.target;
    FAIL("no chip " << name);
    return {};
  };
  Target fours = chip("fours");
  CHECK(claims(kDotAccumulate4Offset, bytes(4, 16, 4), fours));
  CHECK(!claims(kDotAccumulate4Offset, bytes(4, 16, 3), fours));
  ContractionForm unsigned_weights = bytes(4, 16, 4);
  unsigned_weights.right = kernel::Scalar::kU8;
  CHECK(!claims(kDotAccumulate4Offset, unsigned_weights, fours));
  Target vnni = fours;
  vnni.isa = {Isa::kSse2, Isa::kAvxVnni};
  CHECK(claims(kDotAccumulate4Offset, bytes(4, 16, 4), vnni));
  vnni.isa = {Isa::kSse2};
  CHECK(!claims(kDotAccumulate4Offset, bytes(4, 16, 4), vnni));
  CHECK(claims(kDotAccumulate4Across, bytes(4, 16, 4), *preset("hexagon-v67-hvx")));
  CHECK(!claims(kDotAccumulate4Offset, bytes(4, 16, 4), chip("fours of 512 bits")));
  fours.options.level = Level::kOs;
  CHECK(!claims(kDotAccumulate4Offset, bytes(4, 16, 4), fours));
  // One row alone goes through scratch where that is in the stack, or where it can't be read in
  // place.
  const Target m4 = chip("cortex-m4");
  CHECK(claims(kDotAccumulate2, bytes(1, 508, 4), m4));
  CHECK(!claims(kDotAccumulate2, bytes(1, 512, 4), m4));
  CHECK(claims(kDotAccumulate2, bytes(1, 513, 4), m4));
  CHECK(claims(kDotAccumulate2, bytes(2, 512, 4), m4));
  // Numbers of 16 bits on the left.
  const auto halves = [&](int64_t rows) {
    ContractionForm form = bytes(rows, 16, 4);
    form.left = kernel::Scalar::kS16;
    return form;
  };
  CHECK(claims(kDotAccumulate2, halves(2), m4));
  CHECK(!claims(kDotAccumulate2, halves(1), m4));
  CHECK(!claims(kDotAccumulate2, halves(2), chip("cortex-m0")));
  CHECK(claims(kDotAccumulate2Across, halves(2), vnni));
  CHECK(claims(kDotAccumulate8, halves(2), chip("cortex-m55")));
  CHECK(!claims(kDotAccumulate8, halves(2), m4));
}

TEST_CASE("where products of bytes had better take bytes", "[costs]") {
  // RAM is costly; no vectors; several steps at once, if a side is known; none of these.
  for (const char* name : {"cortex-m55", "rv64gc"})
    for (const bool known : {false, true}) CHECK(products_of_bytes_pay(chip(name), known));
  CHECK(products_of_bytes_pay(chip("cortex-a53"), true));
  CHECK(!products_of_bytes_pay(chip("cortex-a53"), false));
  Target plain = chip("wide");
  plain.isa = {};
  CHECK(!products_of_bytes_pay(plain, true));
}

TEST_CASE("rows of pairs that share steps", "[costs]") {
  // A row is 1,152 bytes, four rows that share two thirds twice as many, two half as many more.
  ContractionForm form{.left = kernel::Scalar::kS8,
                       .right = kernel::Scalar::kS8,
                       .sum = kernel::Scalar::kS32,
                       .rows = 64,
                       .depth = 576,
                       .columns = 64,
                       .right_known = true,
                       .further = 192,
                       .line = 4};
  Target chip = *preset("cortex-m4f");
  const auto tile = [&](int64_t bytes, const auto& change) {
    ContractionForm changed = form;
    change(changed);
    chip.decisions.packed_bytes = bytes;
    return micro_kernels()[static_cast<size_t>(kernel::MicroKernel::kDotAccumulate2)].tile(changed,
                                                                                           chip);
  };
  using Form = ContractionForm;
  const auto as_it_is = [](Form&) {};
  CHECK(tile(2304, as_it_is).rows == 4);
  CHECK(tile(2303, as_it_is).rows == 2);
  CHECK(tile(2303, as_it_is).vectors == 2);
  CHECK(tile(1536, as_it_is).rows == 2);
  CHECK(tile(1535, as_it_is).rows == 1);
  CHECK(tile(2304, [](Form& f) { f.line = 6; }).rows == 2);
  CHECK(tile(2303, [](Form& f) { f.line = 3; }).rows == 1);
  // One step more a row; none.
  CHECK(tile(1158, [](Form& f) { f.further = 1; }).rows == 4);
  CHECK(tile(1158, [](Form& f) { f.further = 0; }).rows == 1);
  CHECK(tile(1536, [](Form& f) { f.columns = 2; }).vectors == 2);
  CHECK(tile(1536, [](Form& f) { f.columns = 1; }).vectors == 1);
  chip.options.level = Level::kOs;
  CHECK(tile(1536, as_it_is).rows == 1);

  // Side by side, in 4 * (576 + 2 * 192) bytes; of two rows only where no limit is.
  const auto in_pairs = [&](int rows, std::optional<int64_t> bytes) {
    chip.decisions.packed_bytes = bytes;
    return rows_lie_in_pairs(form, rows, chip);
  };
  CHECK(in_pairs(2, {}));
  CHECK(!in_pairs(3, {}));
  CHECK(in_pairs(4, {}));
  CHECK(!in_pairs(2, 1 << 20));
  CHECK(!in_pairs(3, 1 << 20));
  CHECK(in_pairs(4, 3840));
  CHECK(!in_pairs(4, 3839));
}

TEST_CASE("segments of few k steps are spelled out", "[costs]") {
  Target chip = *preset("cortex-m55");
  CHECK(spells_out_segments(chip, 9));
  CHECK(!spells_out_segments(chip, 10));
  chip.options.level = Level::kOs;
  CHECK(!spells_out_segments(chip, 9));
  CHECK(!spells_out_segments(*preset("cortex-m4f"), 9));
}

TEST_CASE("turns of a reduction are the golden ones", "[costs]") {
  const auto of_chip = [](const Target& target) {
    std::string all;
    const auto add = [&](const costs::MicroKernel& kernel, DepthForm form,
                         std::vector<int64_t> counts) {
      for (const int64_t count : counts) {
        form.count = count;
        const DepthCut cut = kernel.cut(kernel, form, target);
        CAPTURE(kernel.name(), target.name, count);
        CHECK(covers(cut, count));
        all += text_of(cut);
      }
      all += '\n';
    };
    for (const kernel::Scalar sum : {kernel::Scalar::kF32, kernel::Scalar::kS32})
      for (const int cells : {1, 2, 7, 8})
        for (const bool contiguous : {false, true}) {
          all += cat("  outer ", kernel::scalar_name(sum), " ", cells, ":");
          add(outer_product(),
              {.cells = cells, .lanes = 4, .sum = sum, .left_contiguous = contiguous},
              {1, 3, 4, 15, 16, 33, 70});
        }
    all += "  outer complex:";
    add(outer_product(), {.lanes = 4, .is_complex = true, .left_contiguous = true}, {1, 16, 70});
    for (const int64_t wanted : {2, 3, 5}) {
      all += cat("  outer, ", wanted, " wanted:");
      add(outer_product(), {.cells = 8, .wanted = wanted}, {30, 31, 100});
    }
    for (const int k_step : {2, 4, 8}) {
      all += cat("  inner ", k_step, ":");
      add(inner_product(), {.k_step = k_step}, {8, 9, 15, 16, 17, 24, 25, 31, 32});
    }
    for (const costs::MicroKernel& kernel : micro_kernels()) {
      if (!kernel.takes_k_steps()) continue;
      all += cat("  ", kernel.name(), ":");
      std::vector<int64_t> counts;
      for (const int64_t k_steps : {1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 20, 33})
        counts.push_back(k_steps * kernel.k_step);
      add(kernel, {.k_step = kernel.k_step}, counts);
    }
    return all;
  };
  check_golden("golden/depth.txt", by_chip(all_chips(), of_chip));
}

TEST_CASE("products whose rows take many bytes bring fewer of them", "[costs]") {
  const auto rows = [](const char* name, std::optional<int64_t> bytes, bool contiguous = false) {
    Target chip = *preset(name);
    chip.decisions.packed_bytes = bytes;
    return choose_micro_kernel({.left = kernel::Scalar::kS8,
                                .right = kernel::Scalar::kS8,
                                .sum = kernel::Scalar::kS32,
                                .rows = 64,
                                .depth = 576,
                                .columns = 64,
                                .left_contiguous = contiguous,
                                .right_known = true},
                               chip)
        .tile.rows;
  };
  // Two bytes a step; a half more passes.
  constexpr int64_t kRow = 2 * 576;
  CHECK(rows("cortex-m4f", {}) == 4);
  CHECK(rows("cortex-m4f", 4 * kRow * 2 / 3) == 4);
  CHECK(rows("cortex-m4f", 4 * kRow * 2 / 3 - 1) == 2);
  CHECK(rows("cortex-m4f", 2 * kRow) == 2);
  CHECK(rows("cortex-m4f", 2 * kRow - 1) == 1);
  CHECK(rows("cortex-m4f", 0) == 1);
  CHECK(rows("cortex-m55", 0) == 1);
  // What is read where it lies takes none.
  CHECK(rows("cortex-m55", 0, true) == rows("cortex-m55", {}, true));
}

TEST_CASE("micro-kernels of floats", "[costs]") {
  const Target wide = *preset("cortex-a53"), narrow = *preset("cortex-m4f");
  const auto chosen = [](ContractionForm form, const Target& target) {
    return choose_micro_kernel(form, target);
  };
  ContractionForm form{
      .rows = 8, .depth = 64, .columns = 2, .left_contiguous = true, .right_known = true};
  // Two columns fill half a vector: lanes go along the reduction, as long as that is long enough
  // and lies side by side.
  CHECK(chosen(form, wide).kernel == &inner_product());
  CHECK(chosen(form, wide).tile.k_step == 4);
  CHECK(chosen(form, narrow).kernel == &outer_product());
  CHECK(chosen(form, narrow).tile.k_step == 1);
  for (const auto& [depth, columns, contiguous, rows] : {std::tuple{int64_t{31}, 2, true, 8},
                                                         {int64_t{64}, 4, true, 8},
                                                         {int64_t{64}, 2, false, 8}}) {
    form = {.rows = rows, .depth = depth, .columns = columns, .left_contiguous = contiguous};
    CHECK(chosen(form, wide).kernel == &outer_product());
  }
  form = {.rows = 0, .depth = 64, .columns = 2, .left_contiguous = true};
  CHECK(!inner_product().claims(form, wide));
  form = {.rows = 8, .depth = 0, .columns = 1, .left_contiguous = true};
  CHECK(!inner_product().claims(form, wide));
}

}  // namespace hlocc::tests
