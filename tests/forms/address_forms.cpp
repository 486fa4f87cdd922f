// Addresses, loops and branches: which pointers run with a loop, what is added to them, when a
// loop is none.
#include "forms/forms.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using namespace kernel;
using enum Scalar;

// A row of a buffer, whose offsets are read in one loop.
void read_form(Builder& b, const std::vector<int64_t>& offsets, int64_t scale, bool in_rows) {
  const BufferId x = x_of(b, kF32, 0, 1 << 20), y = y_of(b, kF32);
  const auto row = [&](ValueId r) {
    b.loop(5, [&](ValueId i) {
      ValueId sum = b.zero({kF32, 1});
      for (const int64_t offset : offsets) {
        Affine at = Affine::of(i, scale, offset);
        if (in_rows) at = at.plus(Affine::of(r, 100));
        sum = b.add(sum, b.load(x, at));
      }
      b.store(y, Affine::of(i), sum);
    });
  };
  if (in_rows)
    b.loop(3, row);
  else
    row(kNone);
}

// At a parameter's multiple, in a loop over another one.
void by_parameter(Builder& b, int64_t scale) {
  const BufferId x = x_of(b, kF32), y = y_of(b, kF32);
  const ValueId distance = b.parameter();
  b.loop(5, [&](ValueId i) {
    b.store(y, Affine::of(i), b.load(x, Affine::of(i).plus(Affine::of(distance, scale)).plus(7)));
  });
}

void loop_form(Builder& b, const Loop& how, bool carries, bool counts) {
  const BufferId x = x_of(b, kF32), y = y_of(b, kF32), z = y_of(b, kS32);
  const Values sums = b.loop(how, carries ? Values{b.zero({kF32, 1})} : Values{},
                             [&](ValueId i, std::span<const ValueId> carried) {
                               const ValueId read = b.load(x, Affine::of(i));
                               b.store(y, Affine::of(i, 2), read);
                               if (counts) b.store(z, Affine::of(i), b.convert(i, kS32));
                               return carries ? Values{b.add(carried[0], read)} : Values{};
                             });
  if (carries) b.store(y, Affine::constant(9), sums[0]);
}

}  // namespace

std::vector<KernelForm> address_forms() {
  std::vector<KernelForm> out;
  const auto add = [&](std::string name, std::vector<const char*> chips,
                       std::function<void(Builder&)> make) {
    out.push_back({std::move(name), std::move(chips), std::move(make)});
  };
  const std::pair<const char*, std::vector<int64_t>> rows[] = {
      {"one place", {0}},
      {"neighbours", {0, 1, 5}},
      {"in front", {3, -2}},
      {"127 apart", {0, 127}},
      {"128 apart", {0, 128}},
      {"254 apart", {0, 100, 254}},
      {"255 apart", {0, 100, 255}},
      {"254 apart, none between", {0, 254}},
      {"254 apart, one between", {0, 127, 254}},
      {"255 apart, one between", {0, 128, 255}},
      {"three far apart", {0, 1000, 2000}},
      {"eight far apart", {0, 1000, 2000, 3000, 4000, 5000, 6000, 7000}},
      {"nine far apart", {0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000}}};
  for (const auto& [name, offsets] : rows) {
    add(name, {kM4, kM55, kA53}, [offsets](Builder& b) { read_form(b, offsets, 1, false); });
    add(cat(name, ", in rows"), {kM55}, [offsets](Builder& b) { read_form(b, offsets, 2, true); });
  }
  for (const int64_t scale : {-13, -12, -1, 1, 2, 12, 13})
    add(cat("a parameter by ", scale), {kM4}, [scale](Builder& b) { by_parameter(b, scale); });
  add("two pointers that lack the same", {kM4}, [](Builder& b) {
    const BufferId x = x_of(b, kF32, 0, 1 << 20), y = y_of(b, kF32);
    const ValueId row = b.parameter();
    b.loop(4, [&](ValueId i) {
      b.loop(4, [&](ValueId j) {
        const Affine both = Affine::of(i, 8).plus(Affine::of(j));
        ValueId sum = b.load(x, both);
        for (const Affine& at :
             {both.plus(3), both.plus(500), both.plus(-4), both.plus(499), Affine::of(i, 8),
              Affine::of(j), Affine::of(j, 3), both.plus(Affine::of(row, 2)), Affine::constant(77)})
          sum = b.add(sum, b.load(x, at));
        b.store(y, both, sum);
      });
    });
  });
  struct Row {
    const char* name;
    int64_t lower, upper, step;
  };
  for (const Row& row : {Row{"runs never", 5, 5, 1},
                         {"runs never, from above", 6, 5, 1},
                         {"runs once", 4, 5, 1},
                         {"runs once by a long step", 0, 3, 4},
                         {"runs twice", 3, 5, 1},
                         {"runs twice by steps", 0, 4, 3},
                         {"runs often", 0, 40, 1}})
    for (const bool carries : {true, false})
      add(cat(row.name, carries ? ", carrying" : ""), {kM4}, [row, carries](Builder& b) {
        loop_form(b,
                  {.lower = Affine::constant(row.lower),
                   .upper = Affine::constant(row.upper),
                   .step = row.step,
                   .kept = true},
                  carries, false);
      });
  for (const bool counts : {true, false}) {
    const char* word = counts ? ", and counts" : "";
    add(cat("a loop of seven", word), {kM4},
        [=](Builder& b) { loop_form(b, {.upper = Affine::constant(7)}, true, counts); });
    add(cat("a loop to a parameter", word), {kM4}, [=](Builder& b) {
      loop_form(b, {.lower = Affine::constant(1), .upper = Affine::of(b.parameter()), .step = 2},
                true, counts);
    });
    add(cat("a loop from a parameter", word), {kM4}, [=](Builder& b) {
      loop_form(b, {.lower = Affine::of(b.parameter(), 3, 1), .upper = Affine::constant(50)}, false,
                counts);
    });
  }
  add("a loop without addresses", {kM4}, [](Builder& b) {
    const BufferId y = y_of(b, kS32);
    const Values doubled =
        b.loop(Loop{.upper = Affine::constant(4)}, {b.load(y, Affine::constant(1))},
               [&](ValueId, std::span<const ValueId> carried) {
                 return Values{b.add(carried[0], carried[0])};
               });
    b.store(y, Affine::constant(0), doubled[0]);
  });
  for (const bool nested : {false, true})
    add(nested ? "a while in a loop" : "a while", {kM4}, [nested](Builder& b) {
      const BufferId y = y_of(b, kS32);
      const auto until = [&] {
        const Values out = b.while_loop(
            {b.load(y, Affine::constant(0))},
            [&](std::span<const ValueId> carried) {
              return b.compare(Predicate::kLt, carried[0], b.constant_int({kS32, 1}, 9));
            },
            [&](std::span<const ValueId> carried) {
              return Values{b.add(carried[0], carried[0])};
            });
        b.store(y, Affine::constant(0), out[0]);
      };
      if (nested)
        b.loop(3, [&](ValueId) { until(); });
      else
        until();
    });
  // Which pointer of two serves: its own row's, the nearest below, the first of two.
  for (const int64_t at : {-1, 0, 499, 500, 501, 1000, 1400})
    add(cat("the pointer for ", at), {kM4}, [at](Builder& b) {
      const BufferId x = x_of(b, kF32, 0, 1 << 20), y = y_of(b, kF32);
      b.loop(4, [&](ValueId i) {
        ValueId sum = b.load(x, Affine::of(i, 2, 1000));
        for (const int64_t offset : {int64_t{0}, int64_t{500}, at})
          sum = b.add(sum, b.load(x, Affine::of(i, 2, offset)));
        b.loop(4, [&](ValueId j) {
          const Affine both = Affine::of(i, 2).plus(Affine::of(j, 3));
          b.store(y, Affine::of(j), b.add(b.load(x, both.plus(at)), sum));
        });
      });
    });
  add("a branch without else", {kM4}, [](Builder& b) {
    const BufferId x = x_of(b, kS32), y = y_of(b, kS32);
    const ValueId read = b.load(x, Affine::constant(0)), five = b.constant_int({kS32, 1}, 5);
    b.if_then(b.compare(Predicate::kGt, read, five),
              [&] { b.store(y, Affine::constant(0), read); });
    const Values sides = b.if_else(
        b.compare(Predicate::kLt, read, five), [&] { return Values{b.add(read, five)}; },
        [&] { return Values{b.mul(read, five)}; });
    b.store(y, Affine::constant(1), sides[0]);
  });
  add("scratch in the stack", {kM4, "hexagon-v67-hvx"}, [](Builder& b) {
    const BufferId x = x_of(b, kS16), y = y_of(b, kS16);
    for (const int alignment : {0, 8, 256}) {
      const BufferId held = b.buffer({.name = "held",
                                      .element = kS16,
                                      .elements = 65,
                                      .direction = Direction::kScratch,
                                      .space = Space::kStack,
                                      .alignment = alignment});
      b.store(held, Affine::constant(3), b.load(x, Affine::constant(alignment)));
      b.store(y, Affine::constant(alignment), b.load(held, Affine::constant(3)));
    }
  });
  add("a fetch ahead", {kA53}, [](Builder& b) {
    const BufferId x = x_of(b, kF32);
    b.prefetch(x, Affine::constant(5));
  });
  return out;
}

}  // namespace hlocc::backends
