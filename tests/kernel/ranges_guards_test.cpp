// Guards of kernels in ranges: which loop a site names, which accesses hang on data, and which marks
// tell whose scratch is whose.
#include <catch2/catch.hpp>

#include "kernel/ranges/prove_ranges.h"
#include "kernel/ranges_pieces.h"
#include "kernel/verifier.h"

namespace hlocc::kernel {
namespace {

RangesProof proof_of(const Kernel& kernel, std::vector<Overlap> overlaps = {}, int ranges = 2) {
  const std::optional<SplitKernel> split = split_kernel(kernel, {}, ranges);
  REQUIRE(split);
  const Status sound = verify(split->kernel);
  CHECK((sound.ok() ? "" : sound.error().message) == "");
  return prove_ranges(*split, {}, overlaps);
}

}  // namespace

TEST_CASE("a site is a region with a loop of two known turns that writes an operand", "[kernel]") {
  const auto sites = [](const auto& fill) {
    Pieces p;
    fill(p);
    return split_sites(p.b.finish());
  };
  CHECK(sites([](Pieces& p) { p.b.loop(2, [&](ValueId i) { p.copy(i); }); }) == Sites{{}});
  CHECK(sites([](Pieces& p) {
          const BufferId s = p.scratch("s", kPieceCount, Space::kArena);
          p.b.loop(2, [&](ValueId i) { p.b.store(s, Affine::of(i), p.b.zero(kPieceType)); });
        }).empty());
  // Bounds that hang on the outer turn.
  for (const bool is_lower : {false, true})
    CHECK(sites([&](Pieces& p) {
            p.b.loop(3, [&](ValueId i) {
              const Affine bound = Affine::of(i, 1, 4);
              p.b.loop(
                  is_lower ? Loop{bound, Affine::constant(12)} : Loop{Affine::constant(0), bound},
                  [&](ValueId k) { p.copy(k); });
            });
          }) == Sites{{}});
}

TEST_CASE("inwards leads the first of the largest loops that write operands", "[kernel]") {
  struct Inner {
    int stores, scratch_stores;
    bool carries = false;
  };
  const auto sites = [](std::vector<Inner> loops) {
    Pieces p;
    const BufferId s = p.scratch("s", kPieceCount, Space::kArena);
    for (const Inner& inner : loops) {
      const auto turn = [&](ValueId) {
        p.b.loop(4, [&](ValueId k) {
          for (int n = 0; n < inner.stores; ++n) p.copy(k);
          for (int n = 0; n < inner.scratch_stores; ++n)
            p.b.store(s, Affine::of(k), p.b.load(p.x, Affine::of(k)));
        });
      };
      if (!inner.carries) {
        p.b.loop(2, turn);
      } else {
        p.b.loop({Affine::constant(0), Affine::constant(2)}, {p.b.zero(kPieceType)},
                 [&](ValueId i, std::span<const ValueId> sum) {
                   turn(i);
                   return Values{sum[0]};
                 });
      }
    }
    const Kernel kernel = p.b.finish();
    // The place of the loop among the body's ops, from the first loop on.
    int first = 0;
    while (kernel.body.ops[static_cast<size_t>(first)].kind != OpKind::kLoop) ++first;
    Sites found = split_sites(kernel);
    for (SplitSite& site : found)
      if (!site.empty()) site[0] -= first;
    return found;
  };
  CHECK(sites({{1, 0}, {2, 0}}) == Sites{{}, {1}});
  CHECK(sites({{2, 0}, {1, 0}}) == Sites{{}, {0}});
  CHECK(sites({{2, 0}, {2, 0}}) == Sites{{}, {0}});
  CHECK(sites({{0, 3}, {1, 0}}) == Sites{{}, {1}});
  CHECK(sites({{2, 0, true}, {1, 0}}) == Sites{{}, {1}});
  CHECK(sites({{2, 0, true}}).empty());
}

TEST_CASE("a value that only the first range would have splits nothing", "[kernel]") {
  const auto made = [](bool writes) {
    Pieces p;
    p.b.loop(kPieceCount, [&](ValueId i) { p.copy(i); });
    p.b.loop({Affine::constant(0), Affine::constant(4)}, {p.b.zero(kPieceType)},
             [&](ValueId i, std::span<const ValueId> sum) {
               const ValueId one = p.b.load(p.x, Affine::of(i));
               if (writes) p.b.store(p.z, Affine::of(i), one);
               return Values{p.b.add(sum[0], one)};
             });
    return p.b.finish();
  };
  CHECK(split_kernel(made(false), {}, 2));
  CHECK(!split_kernel(made(true), {}, 2));
}

TEST_CASE("accesses in loops inside and in both branches are played", "[kernel]") {
  const auto nested = [](bool races) {
    Pieces p;
    p.b.loop(2, [&](ValueId i) {
      p.b.loop(4, [&](ValueId k) {
        p.b.store(p.y, races ? Affine::of(k) : Affine::of(k).plus(Affine::of(i, 4)),
                  p.b.zero(kPieceType));
      });
    });
    return p.b.finish();
  };
  CHECK(proof_of(nested(false)) == RangesProof::kApart);
  CHECK(proof_of(nested(true)) == RangesProof::kNone);
  // By the last turn but one the first branch, by the last the second.
  for (const bool second : {false, true})
    for (const bool races : {false, true}) {
      Pieces p;
      p.b.loop(2, [&](ValueId i) {
        const auto store = [&] {
          p.b.store(p.y, races ? Affine::constant(0) : Affine::of(i), p.b.zero(kPieceType));
          return Values{};
        };
        const auto rest = [] { return Values{}; };
        const ValueId always = p.b.compare(second ? Predicate::kLt : Predicate::kGe,
                                           p.b.value_of(Affine::of(i)), p.b.index(0));
        if (second)
          p.b.if_else(always, rest, store);
        else
          p.b.if_else(always, store, rest);
      });
      INFO(second << races);
      CHECK(proof_of(p.b.finish()) == (races ? RangesProof::kNone : RangesProof::kApart));
    }
}

TEST_CASE("bounds, lanes and masks that come from data are not proved", "[kernel]") {
  enum Form { kKnown, kLower, kUpper, kPlace, kLanes, kMask, kForm };
  for (int form = kKnown; form < kForm; ++form) {
    Pieces p;
    p.b.loop(2, [&](ValueId i) {
      const Affine at = Affine::of(i, 8);
      const ValueId some = p.from_data();
      if (form <= kUpper) {
        Loop inner{Affine::constant(0), Affine::constant(4)};
        if (form == kLower) inner.lower = Affine::of(some);
        if (form == kUpper) inner.upper = Affine::of(some);
        p.b.loop(inner,
                 [&](ValueId k) { p.b.store(p.y, at.plus(Affine::of(k)), p.b.zero(kPieceType)); });
        return;
      }
      if (form == kPlace) return p.b.store(p.y, at.plus(Affine::of(some)), p.b.zero(kPieceType));
      const Type lanes{Scalar::kS32, 4};
      const ValueId numbers = p.b.load(p.x, Affine::constant(0), 4);
      Access access{.buffer = p.y, .at = at, .stored = p.b.zero(lanes)};
      if (form == kLanes) access.lane_indices = numbers;
      if (form == kMask) access.mask = p.b.compare(Predicate::kGt, numbers, p.b.zero(lanes));
      p.b.store(access);
    });
    INFO("form " << form);
    CHECK(proof_of(p.b.finish()) == (form == kKnown ? RangesProof::kApart : RangesProof::kNone));
  }
}

TEST_CASE("loops and branches of data without an access that counts are left out", "[kernel]") {
  for (const bool loop : {false, true}) {
    Pieces p;
    p.b.loop(kPieceCount, [&](ValueId i) {
      const ValueId some = p.from_data();
      p.copy(i);
      const auto read = [&] {
        p.b.prefetch(p.x, Affine::of(i));
        p.b.load(p.x, Affine::of(i));
      };
      if (loop)
        p.b.loop({Affine::constant(0), Affine::of(some)}, [&](ValueId) { read(); });
      else
        p.b.if_then(p.b.compare(Predicate::kGt, some, p.b.index(0)), read);
    });
    CHECK(proof_of(p.b.finish()) == RangesProof::kApart);
  }
}

TEST_CASE("an operand lies in the place of one result", "[kernel]") {
  const auto made = [] {
    Pieces p;
    p.b.loop(kPieceCount, [&](ValueId i) {
      p.copy(i);
      p.b.store(p.z, Affine::of(i), p.b.zero(kPieceType));
    });
    return p.b.finish();
  };
  CHECK(proof_of(made(), {{1, 0, 0}}) == RangesProof::kInPlace);
  CHECK(proof_of(made(), {{2, 0, 0}}) == RangesProof::kInPlace);
  CHECK(proof_of(made(), {{1, 0, 0}, {2, 0, 0}}) == RangesProof::kApart);
}

TEST_CASE("an operand that would lie elsewhere lies apart", "[kernel]") {
  // In the place of y; in that of z, which is written from its end, it would be read too late.
  Pieces p;
  p.b.loop(kPieceCount, [&](ValueId i) {
    p.copy(i);
    p.b.store(p.z, Affine::of(i, -1, kPieceCount - 1), p.b.zero(kPieceType));
  });
  const Kernel kernel = p.b.finish();
  CHECK(proof_of(kernel, {{2, 0, 0}}) == RangesProof::kApart);
  CHECK(proof_of(kernel, {{1, 0, 0}, {2, 0, 4}}) == RangesProof::kInPlace);
}

TEST_CASE("an operand that is constant is bound before the results", "[kernel]") {
  for (const bool races : {false, true}) {
    Pieces p(Space::kConstant);
    p.b.loop(kPieceCount, [&](ValueId i) {
      p.b.store(p.y, races ? Affine::constant(0) : Affine::of(i), p.b.load(p.x, Affine::of(i)));
    });
    CHECK(proof_of(p.b.finish()) == (races ? RangesProof::kNone : RangesProof::kApart));
  }
}

TEST_CASE("scratch of an inner loop's turn is the outer turn's", "[kernel]") {
  Pieces p;
  const BufferId s = p.scratch("s", 1, Space::kArena);
  p.b.loop(2, [&](ValueId i) {
    p.b.store(s, Affine::constant(0), p.b.load(p.x, Affine::of(i)));
    p.b.loop(4, [&](ValueId k) {
      p.b.store(p.y, Affine::of(k).plus(Affine::of(i, 4)), p.b.load(s, Affine::constant(0)));
    });
  });
  CHECK(proof_of(p.b.finish()) == RangesProof::kApart);
}

TEST_CASE("scratch that only the first range writes is none of the others'", "[kernel]") {
  // One turn beside the loop: the first range's, as it writes an operand, and each one's if not.
  for (const bool writes_operand : {false, true}) {
    Pieces p;
    const BufferId s = p.scratch("s", 1, Space::kArena);
    p.b.loop({Affine::constant(0), Affine::constant(1), 1, true}, [&](ValueId) {
      p.b.store(s, Affine::constant(0), p.b.zero(kPieceType));
      if (writes_operand) p.b.store(p.z, Affine::constant(0), p.b.zero(kPieceType));
    });
    p.b.loop(kPieceCount,
             [&](ValueId i) { p.b.store(p.y, Affine::of(i), p.b.load(s, Affine::constant(0))); });
    CHECK(proof_of(p.b.finish()) == (writes_operand ? RangesProof::kNone : RangesProof::kApart));
  }
}

TEST_CASE("what each range wrote for itself is not changed by the first alone", "[kernel]") {
  for (const bool changes : {false, true}) {
    Pieces p;
    const BufferId s = p.scratch("s", 1, Space::kArena);
    p.b.store(s, Affine::constant(0), p.b.zero(kPieceType));
    p.b.loop({Affine::constant(0), Affine::constant(1), 1, true}, [&](ValueId) {
      if (changes) p.b.store(s, Affine::constant(0), p.b.constant_int(kPieceType, 5));
      p.b.store(p.z, Affine::constant(0), p.b.zero(kPieceType));
    });
    p.b.loop(kPieceCount,
             [&](ValueId i) { p.b.store(p.y, Affine::of(i), p.b.load(s, Affine::constant(0))); });
    CHECK(proof_of(p.b.finish()) == (changes ? RangesProof::kNone : RangesProof::kApart));
  }
  // Nor by the first turn of all.
  Pieces p;
  const BufferId s = p.scratch("s", 1, Space::kArena);
  p.b.store(s, Affine::constant(0), p.b.zero(kPieceType));
  p.b.loop(2, [&](ValueId i) {
    p.b.store(p.y, Affine::of(i), p.b.load(s, Affine::constant(0)));
    p.b.if_then(p.b.compare(Predicate::kEq, i, p.b.index(0)),
                [&] { p.b.store(s, Affine::constant(0), p.b.constant_int(kPieceType, 5)); });
  });
  CHECK(proof_of(p.b.finish()) == RangesProof::kNone);
}

TEST_CASE("scratch is accessed inside of the range's own", "[kernel]") {
  // A slot of the arena has whole lines: 16 elements.
  for (const auto& [space, end] : {std::pair{Space::kStack, 3}, {Space::kArena, 16}})
    for (const int at : {end - 1, end, end + 1}) {
      Pieces p;
      const BufferId s = p.scratch("s", 3, space);
      p.b.loop(kPieceCount, [&](ValueId i) {
        p.b.store(s, Affine::constant(at), p.b.zero(kPieceType));
        p.b.store(p.y, Affine::of(i), p.b.zero(kPieceType));
      });
      INFO(at);
      CHECK(proof_of(p.b.finish()) == (at < end ? RangesProof::kApart : RangesProof::kNone));
      Pieces read;
      const BufferId t = read.scratch("t", 3, space);
      read.b.loop({.lower = Affine::constant(0),
                   .upper = Affine::constant(kPieceCount),
                   .own_scratch = true},
                  [&](ValueId i) {
                    read.b.store(read.y, Affine::of(i), read.b.load(t, Affine::constant(at)));
                  });
      CHECK(proof_of(read.b.finish()) == (at < end ? RangesProof::kApart : RangesProof::kNone));
    }
}

TEST_CASE("what has too many accesses is not played to the end", "[kernel]") {
  // Of scratch, since its accesses are counted without a race to look for.
  const auto made = [](bool stores) {
    Pieces p;
    const BufferId s = p.scratch("s", 1, Space::kStack);
    p.b.store(s, Affine::constant(0), p.b.zero(kPieceType));
    p.b.loop(2, [&](ValueId i) {
      p.b.store(p.y, Affine::of(i), p.b.zero(kPieceType));
      p.b.loop(kMostAccesses / 2, [&](ValueId) {
        if (stores)
          p.b.store(s, Affine::constant(0), p.b.zero(kPieceType));
        else
          p.b.load(s, Affine::constant(0));
      });
    });
    return p.b.finish();
  };
  for (const bool stores : {false, true}) CHECK(proof_of(made(stores)) == RangesProof::kNone);
}

TEST_CASE("scratch in the kernel's own memory is not repeated", "[kernel]") {
  Pieces p;
  const BufferId s = p.scratch("s", 3, Space::kStack);
  p.b.loop(kPieceCount, [&](ValueId i) {
    p.b.store(s, Affine::constant(2), p.b.zero(kPieceType));
    p.copy(i);
  });
  const std::optional<SplitKernel> split = split_kernel(p.b.finish(), {}, 3);
  REQUIRE(split);
  CHECK(split->slots == std::vector<int64_t>{0, 0, 0, 0});
  CHECK(split->kernel.buffers[3].elements == 3);
}

TEST_CASE("what a range has read twice it may write") {
  Pieces p;
  p.b.loop(kPieceCount, [&](ValueId i) {
    const Affine at = Affine::of(i);
    p.b.store(p.y, at, p.b.add(p.b.load(p.y, at), p.b.load(p.y, at)));
  });
  CHECK(proof_of(p.b.finish()) == RangesProof::kApart);
}

}  // namespace hlocc::kernel
