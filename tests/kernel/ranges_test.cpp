// Kernels in ranges: what is proved to be apart and what is not, and that all ranges together
// compute what the kernel does.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstring>

#include "kernel/builder.h"
#include "kernel/evaluate/evaluator.h"
#include "kernel/ranges/prove_ranges.h"
#include "kernel/verifier.h"

namespace hlocc::kernel {
namespace {

using Bytes = std::vector<std::byte>;
constexpr int64_t kElements = 24;
constexpr Type kWhole{Scalar::kS32, 1};

// y = body(x), both of s32.
struct Maker {
  Builder b{"made"};
  BufferId x, y;
  explicit Maker(int64_t count = kElements, int64_t read = 0) {
    x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = std::max(count, read)});
    y = b.buffer(
        {.name = "y", .element = Scalar::kS32, .elements = count, .direction = Direction::kOut});
  }
  BufferId scratch(int64_t elements, Space space = Space::kArena) {
    return b.buffer({.name = "s",
                     .element = Scalar::kS32,
                     .elements = elements,
                     .direction = Direction::kScratch,
                     .space = space});
  }
  void copy(ValueId i, const Affine& from, BufferId source) {
    b.store(y, Affine::of(i), b.load(source, from));
  }
};

Program program_of(Kernel kernel, int ranges) {
  Program p;
  p.values = {{.name = "x",
               .element = Scalar::kS32,
               .elements = kernel.buffers[0].elements,
               .role = ValueRole::kArgument,
               .leaf = 0},
              {.name = "y", .element = Scalar::kS32, .elements = kernel.buffers[1].elements}};
  const auto leaf = [](const ProgramValue& v) {
    return Leaf{.index = 0, .shape = hlo::Shape::array(hlo::PrimitiveType::kS32, {v.elements})};
  };
  p.signature.arguments = {leaf(p.values[0])};
  p.signature.results = {leaf(p.values[1])};
  p.arguments = {0};
  p.results = {1};
  p.kernels.push_back(std::move(kernel));
  p.steps.push_back({Launch{.kernel = 0, .operands = {0, 1}, .ranges = ranges}, {}});
  return p;
}

Result<std::vector<Bytes>> played(const Kernel& kernel, int ranges) {
  std::vector<int32_t> numbers(static_cast<size_t>(kernel.buffers[0].elements));
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int32_t>((i * 7 + 3) % 11);
  Bytes bytes(numbers.size() * 4);
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  const Program program = program_of(kernel, ranges);
  const Status sound = verify(program);
  if (!sound.ok()) return sound.error();
  return evaluate(program, std::vector<Bytes>{bytes});
}

// What is proved of the outermost region; if anything is, the ranges compute what the kernel does.
RangesProof proved(const Kernel& kernel, int ranges = 2, std::vector<Overlap> overlaps = {},
                   size_t which = 0) {
  const std::vector<SplitSite> sites = split_sites(kernel);
  REQUIRE(which < sites.size());
  const std::optional<SplitKernel> split = split_kernel(kernel, sites[which], ranges);
  REQUIRE(split);
  const Status sound = verify(split->kernel);
  CHECK((sound.ok() ? "" : sound.error().message) == "");
  const RangesProof proof = prove_ranges(*split, {}, overlaps);
  if (proof == RangesProof::kNone) return proof;
  const auto whole = played(kernel, 1), parts = played(split->kernel, ranges);
  CHECK((parts.ok() ? "" : parts.error().message) == "");
  REQUIRE((whole.ok() && parts.ok()));
  CHECK(*whole == *parts);
  return proof;
}

const std::vector<Overlap> kInItsPlace = {{1, 0, 0}};

}  // namespace

TEST_CASE("iterations are dealt out to ranges, whatever their number", "[kernel]") {
  for (const int64_t count : {2, 3, 7, 24, 25})
    for (const int64_t step : {1, 3})
      for (const int ranges : {2, 3, 5}) {
        if (count <= step) continue;
        Maker m(count);
        m.b.loop({Affine::constant(0), Affine::constant(count), step}, [&](ValueId i) {
          for (int64_t k = 0; k < step; ++k)
            m.b.if_then(
                m.b.compare(Predicate::kLt, m.b.value_of(Affine::of(i, 1, k)), m.b.index(count)),
                [&] { m.b.store(m.y, Affine::of(i, 1, k), m.b.load(m.x, Affine::of(i, 1, k))); });
        });
        INFO(count << " by " << step << " in " << ranges);
        CHECK(proved(m.b.finish(), ranges) == RangesProof::kApart);
      }
}

TEST_CASE("ranges run in place where each reads what it writes alone", "[kernel]") {
  const auto moved = [](int64_t scale, int64_t offset) {
    Maker m(kElements, kElements + 1);
    m.b.loop(kElements, [&](ValueId i) { m.copy(i, Affine::of(i, scale, offset), m.x); });
    return m.b.finish();
  };
  CHECK(proved(moved(1, 0), 2, kInItsPlace) == RangesProof::kInPlace);
  // The neighbour's first element; read before it is written, as long as there is one thread.
  CHECK(proved(moved(1, 1), 2, kInItsPlace) == RangesProof::kApart);
  CHECK(proved(moved(-1, kElements - 1), 2, kInItsPlace) == RangesProof::kApart);
  // Not the very place.
  CHECK(proved(moved(1, 0), 2, {{1, 0, 4}}) == RangesProof::kApart);
}

TEST_CASE("iterations that meet in an element are no ranges", "[kernel]") {
  Maker chain;
  chain.b.loop({Affine::constant(1), Affine::constant(kElements), 1},
               [&](ValueId i) { chain.copy(i, Affine::of(i, 1, -1), chain.y); });
  CHECK(proved(chain.b.finish()) == RangesProof::kNone);
  Maker twice;
  twice.b.loop(kElements - 1, [&](ValueId i) {
    twice.copy(i, Affine::of(i), twice.x);
    twice.b.store(twice.y, Affine::of(i, 1, 1), twice.b.zero(kWhole));
  });
  const Kernel kernel = twice.b.finish();
  CHECK(proved(kernel) == RangesProof::kNone);
  // The evaluator finds it too.
  const auto parts = played(split_kernel(kernel, {}, 2)->kernel, 2);
  REQUIRE(!parts.ok());
  CHECK(parts.error().message.find("of y, which range 1 uses too") != std::string::npos);
  // Pairs do not meet.
  Maker pairs;
  pairs.b.loop({Affine::constant(0), Affine::constant(kElements), 2}, [&](ValueId i) {
    pairs.copy(i, Affine::of(i), pairs.x);
    pairs.b.store(pairs.y, Affine::of(i, 1, 1), pairs.b.zero(kWhole));
  });
  CHECK(proved(pairs.b.finish()) == RangesProof::kApart);
}

TEST_CASE("reductions are never split", "[kernel]") {
  Maker m;
  const Values sum = m.b.loop({Affine::constant(0), Affine::constant(kElements), 1},
                              {m.b.zero(kWhole)}, [&](ValueId i, std::span<const ValueId> sum) {
                                m.copy(i, Affine::of(i), m.x);
                                return Values{m.b.add(sum[0], m.b.load(m.x, Affine::of(i)))};
                              });
  m.b.store(m.y, Affine::constant(0), sum[0]);
  CHECK(split_sites(m.b.finish()).empty());
}

TEST_CASE("places that come from data are not proved", "[kernel]") {
  Maker scatter;
  scatter.b.loop(kElements, [&](ValueId i) {
    const ValueId at = scatter.b.convert(scatter.b.load(scatter.x, Affine::of(i)), Scalar::kIndex);
    scatter.b.store(scatter.y, Affine::of(at), scatter.b.zero(kWhole));
  });
  CHECK(proved(scatter.b.finish()) == RangesProof::kNone);
  Maker choice;
  choice.b.loop(kElements, [&](ValueId i) {
    const ValueId some = choice.b.compare(Predicate::kGt, choice.b.load(choice.x, Affine::of(i)),
                                          choice.b.zero(kWhole));
    choice.b.if_then(some, [&] { choice.copy(i, Affine::of(i), choice.x); });
  });
  CHECK(proved(choice.b.finish()) == RangesProof::kNone);
  // What is read from data does not matter.
  Maker gather;
  gather.b.loop(kElements, [&](ValueId i) {
    const ValueId at = gather.b.convert(gather.b.load(gather.x, Affine::of(i)), Scalar::kIndex);
    gather.copy(i, Affine::of(at), gather.x);
  });
  CHECK(proved(gather.b.finish()) == RangesProof::kApart);
}

TEST_CASE("lanes that a mask leaves out are nobody's", "[kernel]") {
  const auto masked = [](int64_t columns) {
    Maker m;
    m.b.loop(kElements / 6, [&](ValueId row) {
      const ValueId mask = m.b.compare(Predicate::kLt, m.b.lane_index({Scalar::kS32, 8}),
                                       m.b.constant_int({Scalar::kS32, 8}, columns));
      const ValueId zero = m.b.zero({Scalar::kS32, 8});
      m.b.store({.buffer = m.y, .at = Affine::of(row, 6), .stored = zero, .mask = mask});
    });
    return m.b.finish();
  };
  CHECK(proved(masked(6)) == RangesProof::kApart);
  // The last row would run out of the buffer: the ranges are not played to the end.
  CHECK(proved(masked(7)) == RangesProof::kNone);
}

TEST_CASE("scratch is each range's own", "[kernel]") {
  for (const Space space : {Space::kArena, Space::kStack}) {
    const auto made = [&](bool before, bool write, int64_t read) {
      Maker m;
      const BufferId s = m.scratch(3, space);
      if (before)
        m.b.loop(3, [&](ValueId i) { m.b.store(s, Affine::of(i), m.b.load(m.x, Affine::of(i))); });
      m.b.loop(kElements, [&](ValueId i) {
        if (write) m.b.store(s, Affine::constant(1), m.b.load(m.x, Affine::of(i)));
        m.copy(i, Affine::constant(read), s);
      });
      return m.b.finish();
    };
    CHECK(proved(made(false, true, 1), 3) == RangesProof::kApart);
    CHECK(proved(made(true, false, 2), 3) == RangesProof::kApart);
    CHECK(proved(made(true, true, 2), 3) == RangesProof::kApart);
    // Nobody wrote it.
    CHECK(proved(made(false, true, 2), 3) == RangesProof::kNone);
    // What the turn before left there: on one thread that of the range before.
    Maker m;
    const BufferId s = m.scratch(1, space);
    m.b.store(s, Affine::constant(0), m.b.zero(kWhole));
    m.b.loop(kElements, [&](ValueId i) {
      m.copy(i, Affine::constant(0), s);
      m.b.store(s, Affine::constant(0), m.b.load(m.x, Affine::of(i)));
    });
    CHECK(proved(m.b.finish(), 2) == RangesProof::kNone);
  }
}

TEST_CASE("lowering's word on scratch is taken for turns, not for what stands beside them",
          "[kernel]") {
  // Each turn reads two elements, and stores the one that it wrote.
  const auto made = [](bool own, bool behind) {
    Maker m(kElements + 1);
    const BufferId s = m.scratch(2);
    Loop loop{Affine::constant(0), Affine::constant(kElements), 1};
    loop.own_scratch = own;
    m.b.loop(loop, [&](ValueId i) {
      m.b.store(s, Affine::constant(0), m.b.load(m.x, Affine::of(i)));
      const ValueId both = m.b.load(s, Affine::constant(0), 2);
      m.b.store(m.y, Affine::of(i), m.b.extract(both, 0));
    });
    m.b.store(m.y, Affine::constant(kElements),
              behind ? m.b.load(s, Affine::constant(0)) : m.b.zero(kWhole));
    return m.b.finish();
  };
  CHECK(proved(made(false, false)) == RangesProof::kNone);
  CHECK(proved(made(true, false)) == RangesProof::kApart);
  CHECK(proved(made(true, true)) == RangesProof::kNone);
}

TEST_CASE("scratch is handed from one stretch beside the loops to another if no turn writes it",
          "[kernel]") {
  const auto made = [](bool turn_writes, bool behind) {
    Maker m;
    const BufferId s = m.scratch(1);
    m.b.store(s, Affine::constant(0), m.b.zero(kWhole));
    const ValueId before = m.b.load(s, Affine::constant(0));
    m.b.loop(kElements - 1, [&](ValueId i) {
      if (turn_writes) m.b.store(s, Affine::constant(0), m.b.load(m.x, Affine::of(i)));
      m.copy(i, Affine::of(i), m.x);
    });
    m.b.store(m.y, Affine::constant(kElements - 1),
              behind ? m.b.load(s, Affine::constant(0)) : before);
    return m.b.finish();
  };
  CHECK(proved(made(false, false)) == RangesProof::kApart);
  CHECK(proved(made(false, true)) == RangesProof::kApart);
  CHECK(proved(made(true, false)) == RangesProof::kApart);
  CHECK(proved(made(true, true)) == RangesProof::kNone);
}

TEST_CASE("what a turn wrote is not taken for what stood there before all turns", "[kernel]") {
  // One turn a range, each with scratch of its own: the second reads what the first wrote.
  const auto made = [](bool writes) {
    Maker m(2);
    const BufferId s = m.scratch(1);
    m.b.store(s, Affine::constant(0), m.b.zero(kWhole));
    m.b.loop(2, [&](ValueId i) {
      m.b.store(m.y, Affine::of(i), m.b.load(s, Affine::constant(0)));
      if (writes) m.b.store(s, Affine::constant(0), m.b.load(m.x, Affine::of(i)));
    });
    return m.b.finish();
  };
  CHECK(proved(made(false)) != RangesProof::kNone);
  CHECK(proved(made(true)) == RangesProof::kNone);
}

TEST_CASE("scratch of ranges does not share lines of a cache", "[kernel]") {
  Maker m;
  const BufferId s = m.scratch(3);
  m.b.loop(kElements, [&](ValueId i) {
    m.b.store(s, Affine::constant(2), m.b.load(m.x, Affine::of(i)));
    m.copy(i, Affine::constant(2), s);
  });
  const std::optional<SplitKernel> split = split_kernel(m.b.finish(), {}, 3);
  REQUIRE(split);
  CHECK(split->slots == std::vector<int64_t>{0, 0, 16});
  CHECK(split->kernel.buffers[2].elements == 48);
}

TEST_CASE("what stands beside the loops is the first range's", "[kernel]") {
  Maker m(kElements + 2);
  m.b.store(m.y, Affine::constant(kElements), m.b.zero(kWhole));
  m.b.loop(kElements, [&](ValueId i) { m.copy(i, Affine::of(i), m.x); });
  m.b.store(m.y, Affine::constant(kElements + 1), m.b.load(m.x, Affine::constant(3)));
  CHECK(proved(m.b.finish(), 3) == RangesProof::kApart);
  // Loads are every range's: here of what the first one writes.
  Maker read(kElements + 2);
  read.b.store(read.y, Affine::constant(kElements), read.b.zero(kWhole));
  read.b.loop(kElements, [&](ValueId i) { read.copy(i, Affine::of(i), read.x); });
  read.b.store(read.y, Affine::constant(kElements + 1),
               read.b.load(read.y, Affine::constant(kElements)));
  CHECK(proved(read.b.finish()) == RangesProof::kNone);
  // Reads what all ranges write.
  Maker last(kElements + 1);
  last.b.loop(kElements, [&](ValueId i) { last.copy(i, Affine::of(i), last.x); });
  last.b.store(last.y, Affine::constant(kElements),
               last.b.load(last.y, Affine::constant(kElements - 1)));
  CHECK(proved(last.b.finish()) == RangesProof::kNone);
}

TEST_CASE("an inner loop is split where the outer one is short", "[kernel]") {
  Maker m;
  m.b.loop(2, [&](ValueId i) {
    m.b.loop(kElements / 2, [&](ValueId k) {
      const Affine at = Affine::of(i, kElements / 2).plus(Affine::of(k));
      m.b.store(m.y, at, m.b.load(m.x, at));
    });
  });
  const Kernel kernel = m.b.finish();
  CHECK(split_sites(kernel) == std::vector<SplitSite>{{}, {0}});
  CHECK(proved(kernel, 2, kInItsPlace, 0) == RangesProof::kInPlace);
  CHECK(proved(kernel, 4, kInItsPlace, 1) == RangesProof::kInPlace);
  // One iteration is nothing to deal out.
  Maker one;
  one.b.loop({Affine::constant(0), Affine::constant(2), 2, true},
             [&](ValueId i) { one.copy(i, Affine::of(i), one.x); });
  CHECK(split_sites(one.b.finish()).empty());
}

TEST_CASE("launches say how many ranges, and give the range no integer", "[kernel]") {
  Maker m;
  m.b.loop(kElements, [&](ValueId i) { m.copy(i, Affine::of(i), m.x); });
  Program program = program_of(split_kernel(m.b.finish(), {}, 2)->kernel, 2);
  CHECK(verify(program).ok());
  CHECK(to_text(program).find(" ranges(2)") != std::string::npos);
  std::get<Launch>(program.steps[0].what).ranges = 1;
  CHECK(!verify(program).ok());
  std::get<Launch>(program.steps[0].what).ranges = 0;
  CHECK(!verify(program).ok());
  std::get<Launch>(program.steps[0].what).ranges = kMostRanges;
  CHECK(verify(program).ok());
  std::get<Launch>(program.steps[0].what).ranges = kMostRanges + 1;
  CHECK(!verify(program).ok());
}

}  // namespace hlocc::kernel
