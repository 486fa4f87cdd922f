// What a part of a kernel reads of a buffer: one case for what makes it a run of elements, and for
// what makes it the whole buffer.
#include "kernel/palettes/footprint.h"

#include <catch2/catch.hpp>

#include "kernel/builder.h"

namespace hlocc::kernel {
namespace {

constexpr int64_t kOfBuffer = 100;

// A kernel that reads x, y and numbers as `body` says, and whose first op is looked at.
struct Read {
  Builder b{"reads"};
  BufferId x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = kOfBuffer});
  BufferId y = b.buffer({.name = "y", .element = Scalar::kS32, .elements = kOfBuffer});
  BufferId out = b.buffer({.name = "out",
                           .element = Scalar::kS32,
                           .elements = 8 * kOfBuffer,
                           .direction = Direction::kOut});
  int64_t stored = 0;
  std::optional<Kernel> kernel;

  void keep(ValueId value) { b.store(out, Affine::constant(8 * stored++), value); }
  // "FIRST +ELEMENTS" of the op at `at` of the body; "" where x is not read there.
  std::string of(size_t at) {
    if (!kernel) kernel = b.finish();
    const Op& op = kernel->body.ops.at(at);
    const Footprints footprints(*kernel, x);
    const std::optional<Footprint> found = footprints.of(op);
    CHECK(found.has_value() == footprints.reads(op));
    if (!found) return "";
    std::string text;
    for (const Affine::Term& term : found->first.terms)
      text += std::to_string(term.scale) + "*v + ";
    return text + std::to_string(found->first.offset) + " +" + std::to_string(found->elements);
  }
};

// The loop that is the first op; what its iterations read.
std::string of_loop(const Loop& loop, const std::function<ValueId(Read&, ValueId)>& body) {
  Read read;
  read.b.loop(loop, [&](ValueId counter) { read.keep(body(read, counter)); });
  return read.of(0);
}
Loop from_to(int64_t lower, int64_t upper, int64_t step) {
  return {.lower = Affine::constant(lower), .upper = Affine::constant(upper), .step = step};
}

}  // namespace

TEST_CASE("a load reads its lanes, and through a mask or by indices anything") {
  Read one;
  one.keep(one.b.load(one.x, Affine::constant(5)));
  CHECK(one.of(0) == "5 +1");
  Read some;
  some.keep(some.b.load(some.x, Affine::constant(5), 4));
  CHECK(some.of(0) == "5 +4");
  Read apart;
  apart.keep(apart.b.load(apart.x, Affine::constant(5), 4, 3));
  CHECK(apart.of(0) == "5 +10");
  Read back;
  back.keep(back.b.load(back.x, Affine::constant(50), 4, -3));
  CHECK(back.of(0) == "41 +10");
  Read other;
  other.keep(other.b.load(other.y, Affine::constant(5), 4));
  CHECK(other.of(0).empty());
  CHECK(other.of(1).empty());
  Read masked;
  const ValueId mask = masked.b.constant_lanes({Scalar::kPred, 4}, {1, 1, 1, 0});
  masked.keep(masked.b.load({.buffer = masked.x, .at = Affine::constant(5), .mask = mask}, 4));
  CHECK(masked.of(1) == "0 +100");
  Read gathered;
  const ValueId lanes = gathered.b.constant_lanes({Scalar::kIndex, 4}, {1, 2, 3, 0});
  gathered.keep(gathered.b.gather(gathered.x, Affine::constant(5), lanes));
  CHECK(gathered.of(1) == "0 +100");
}

TEST_CASE("the counter of a loop of known bounds goes all its way") {
  const auto at = [](int64_t scale, int64_t offset) {
    return [=](Read& r, ValueId i) { return r.b.load(r.x, Affine::of(i, scale, offset)); };
  };
  CHECK(of_loop(from_to(0, 10, 1), at(1, 0)) == "0 +10");
  CHECK(of_loop(from_to(2, 10, 3), at(1, 0)) == "2 +7");
  CHECK(of_loop(from_to(2, 11, 3), at(1, 0)) == "2 +7");
  CHECK(of_loop(from_to(2, 12, 3), at(1, 0)) == "2 +10");
  CHECK(of_loop(from_to(0, 5, 1), at(4, 3)) == "3 +17");
  CHECK(of_loop(from_to(0, 5, 1), at(-4, 30)) == "14 +17");
  CHECK(of_loop(from_to(0, 5, 1),
                [](Read& r, ValueId) { return r.b.load(r.x, Affine::constant(7)); }) == "7 +1");
}

TEST_CASE("a loop's bounds that are values leave all of the buffer") {
  const auto bounded = [](bool lower, bool upper) {
    Read read;
    const ValueId number = read.b.parameter();
    Loop loop = from_to(0, 10, 1);
    if (lower) loop.lower = Affine::of(number);
    if (upper) loop.upper = Affine::of(number);
    read.b.loop(loop, [&](ValueId i) { read.keep(read.b.load(read.x, Affine::of(i))); });
    return read.of(0);
  };
  CHECK(bounded(false, false) == "0 +10");
  CHECK(bounded(true, false) == "0 +100");
  CHECK(bounded(false, true) == "0 +100");
}

TEST_CASE("the range of a loop is known where it has numbers as bounds and runs") {
  CHECK(known_range(from_to(3, 4, 1)).has_value());
  CHECK_FALSE(known_range(from_to(3, 3, 1)).has_value());
  CHECK_FALSE(known_range(from_to(4, 3, 1)).has_value());
  const std::optional<LoopRange> range = known_range(from_to(3, 12, 4));
  REQUIRE(range);
  CHECK((range->count == 3 && range->first == 3 && range->last == 11));
}

TEST_CASE("values from outside stay in the address, those made inside leave all of the buffer") {
  Read outside;
  const ValueId number = outside.b.parameter();
  outside.b.loop(from_to(0, 4, 1), [&](ValueId i) {
    outside.keep(outside.b.load(outside.x, Affine::of(number, 8).plus(Affine::of(i))));
  });
  CHECK(outside.of(0) == "8*v + 0 +4");
  CHECK(of_loop(from_to(0, 4, 1), [](Read& r, ValueId i) {
          const ValueId made = r.b.convert(r.b.load(r.y, Affine::of(i)), Scalar::kIndex);
          return r.b.load(r.x, Affine::of(made));
        }) == "0 +100");
  // A carried value is an argument of the loop's region, and no counter.
  Read carried;
  carried.b.loop(from_to(0, 4, 1), {carried.b.index(3)},
                 [&](ValueId, std::span<const ValueId> values) {
                   carried.keep(carried.b.load(carried.x, Affine::of(values[0])));
                   return Values{values[0]};
                 });
  CHECK(carried.of(1) == "0 +100");
}

TEST_CASE("what several ops read is joined where it hangs on the same values") {
  const auto both = [](const Affine& a, const Affine& b) {
    Read read;
    read.b.loop(from_to(0, 2, 1), [&](ValueId) {
      read.keep(read.b.load(read.x, a));
      read.keep(read.b.load(read.x, b, 4));
    });
    return read.of(0);
  };
  CHECK(both(Affine::constant(5), Affine::constant(20)) == "5 +19");
  CHECK(both(Affine::constant(30), Affine::constant(20)) == "20 +11");
  CHECK(both(Affine::constant(21), Affine::constant(20)) == "20 +4");
  Read apart;
  const ValueId number = apart.b.parameter();
  apart.b.loop(from_to(0, 2, 1), [&](ValueId) {
    apart.keep(apart.b.load(apart.x, Affine::constant(5)));
    apart.keep(apart.b.load(apart.x, Affine::of(number)));
  });
  CHECK(apart.of(0) == "0 +100");
}

TEST_CASE("of a branch counts what either way reads") {
  for (const bool first : {false, true}) {
    Read read;
    const ValueId number = read.b.parameter();
    const ValueId pred = read.b.compare(Predicate::kLt, number, read.b.index(3));
    const auto reads = [&] {
      read.keep(read.b.load(read.x, Affine::constant(7)));
      return Values{};
    };
    const auto none = [&] {
      read.keep(read.b.load(read.y, Affine::constant(9)));
      return Values{};
    };
    if (first)
      read.b.if_else(pred, reads, none);
    else
      read.b.if_else(pred, none, reads);
    CHECK(read.of(2) == "7 +1");
  }
}

TEST_CASE("a loop whose end is a value has no range, whatever it begins with") {
  CHECK_FALSE(known_range({.upper = Affine::of(0, 1, 5)}).has_value());
  CHECK_FALSE(known_range({.lower = Affine::of(0), .upper = Affine::constant(5)}).has_value());
  CHECK(known_range({.upper = Affine::constant(5)})->count == 5);
}

}  // namespace hlocc::kernel
