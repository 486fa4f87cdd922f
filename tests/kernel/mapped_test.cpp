// Kernels for many threads: what the verifier asks of mapped loops and barriers, how they read, what
// the evaluator makes of them, and which races it names.
#include "kernel/mapped.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstring>

#include "kernel/builder.h"
#include "kernel/evaluate/evaluator.h"
#include "kernel/legalize/legalize.h"
#include "kernel/ranges/prove_groups.h"
#include "kernel/verifier.h"
#include "target/gpu.h"

namespace hlocc::kernel {
namespace {

// y is x with the order turned round in each group of four: by shared memory, behind a barrier.
struct Turned {
  static constexpr int64_t kThreads = 4, kGroups = 3;
  Builder b{"turned"};
  BufferId x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = kThreads * kGroups});
  BufferId y = b.buffer({.name = "y",
                         .element = Scalar::kS32,
                         .elements = kThreads * kGroups,
                         .direction = Direction::kOut});
  BufferId tile = b.buffer({.name = "tile",
                            .element = Scalar::kS32,
                            .elements = kThreads,
                            .direction = Direction::kScratch,
                            .space = Space::kShared});
  int64_t shift = 0;        // of what a thread writes to y
  int64_t step = kThreads;  // from group to group
  bool has_barrier = true;
  int64_t last = kThreads - 1;

  Kernel made() {
    b.loop(Loop{.upper = Affine::constant(kGroups * step), .step = step, .mapping = Mapping::kGrid},
           [&](ValueId group) {
             b.mapped_loop(Mapping::kGroup, kThreads, [&](ValueId thread) {
               const Affine at = Affine::of(group).plus(Affine::of(thread));
               b.store(tile, Affine::of(thread), b.load(x, at));
               if (has_barrier) b.barrier();
               b.store(y, at.plus(shift), b.load(tile, Affine::of(thread, -1, last)));
             });
           });
    return b.finish();
  }
};

std::string verified(const Kernel& kernel) {
  const Status status = verify(kernel);
  return status.ok() ? "" : status.error().message;
}

struct Ran {
  std::string fault;
  std::array<int32_t, 12> y{};
};
Ran ran(const Kernel& kernel) {
  std::array<int32_t, 12> x{};
  for (int i = 0; i < 12; ++i) x[static_cast<size_t>(i)] = 10 + i;
  Ran out;
  std::vector<std::span<std::byte>> buffers = {std::as_writable_bytes(std::span(out.y))};
  if (kernel.operand_buffers() == 2)
    buffers.insert(buffers.begin(), std::as_writable_bytes(std::span(x)));
  const Status status = evaluate(kernel, buffers, {});
  if (!status.ok()) out.fault = status.error().message;
  return out;
}

// A kernel with y[0 ... 12), in a grid of three groups of four threads.
Kernel in_threads(
    const std::function<void(Builder&, BufferId y, Affine at, ValueId thread)>& body) {
  Builder b("made");
  const BufferId y = b.buffer(
      {.name = "y", .element = Scalar::kS32, .elements = 12, .direction = Direction::kOut});
  b.mapped_loop(Mapping::kGrid, 3, [&](ValueId group) {
    b.mapped_loop(Mapping::kGroup, 4, [&](ValueId thread) {
      body(b, y, Affine::of(group, 4).plus(Affine::of(thread)), thread);
    });
  });
  return b.finish();
}

TEST_CASE("groups hand values on through shared memory, behind a barrier") {
  const Kernel kernel = Turned().made();
  CHECK(verified(kernel) == "");
  CHECK(to_text(kernel) ==
        "kernel turned(in x: s32[12] arena, out y: s32[12] arena, scratch tile: s32[4] shared) {\n"
        "  grid loop %0 = 0 to 12 step 4 {\n"
        "    group loop %1 = 0 to 4 step 1 {\n"
        "      %2: s32 = load x[%0 + %1]\n"
        "      store tile[%1], %2\n"
        "      barrier\n"
        "      %3: s32 = load tile[-1*%1 + 3]\n"
        "      store y[%0 + %1], %3\n"
        "    }\n"
        "  }\n"
        "}\n");
  const Ran out = ran(kernel);
  CHECK(out.fault == "");
  CHECK(out.y == std::array<int32_t, 12>{13, 12, 11, 10, 17, 16, 15, 14, 21, 20, 19, 18});
  const MappedLoops loops = *mapped_loops(kernel);
  CHECK(loops.groups == 3);
  CHECK(loops.threads == 4);
  CHECK(counters_at(loops.grid, 2) == std::vector<int64_t>{8});
  CHECK(shared_bytes(kernel) == 16);
}

TEST_CASE("mapped loops and barriers are part of what a kernel is") {
  const std::string mapped = code_key(Turned().made());
  Turned without;
  without.has_barrier = false;
  CHECK(mapped != code_key(without.made()));
  const auto looped = [](Mapping mapping) {
    Builder b("made");
    const BufferId y = b.buffer({.name = "y", .elements = 2, .direction = Direction::kOut});
    b.mapped_loop(mapping, 2, [&](ValueId i) {
      b.store(y, Affine::of(i), b.constant_float({Scalar::kF32, 1}, 1));
    });
    return code_key(b.finish());
  };
  CHECK(looped(Mapping::kGrid) != looped(Mapping::kGroup));
  CHECK(looped(Mapping::kGrid) != looped(Mapping::kSequential));
}

TEST_CASE("a barrier left out is named with both accesses") {
  Turned without;
  without.has_barrier = false;
  const Kernel kernel = without.made();
  CHECK(verified(kernel) == "");
  CHECK_THAT(
      ran(kernel).fault,
      Catch::Matches("kernel turned: thread [0-3] of group [0-2] (reads element [0-3] of "
                     "tile \\(op 4\\), which thread [0-3] writes \\(op 3\\)|writes element "
                     "[0-3] of tile \\(op 3\\), which thread [0-3] reads \\(op 4\\)) with no "
                     "barrier between"));
}

TEST_CASE("writes of two threads to one element of shared memory meet, and later reads do not") {
  const auto made = [](bool behind) {
    return in_threads([&](Builder& b, BufferId y, const Affine& at, ValueId thread) {
      const BufferId s = b.buffer({.name = "s",
                                   .element = Scalar::kS32,
                                   .elements = 1,
                                   .direction = Direction::kScratch,
                                   .space = Space::kShared});
      const ValueId number =
          b.add(b.convert(thread, Scalar::kS32), b.constant_int({Scalar::kS32, 1}, 7));
      const ValueId first = b.compare(Predicate::kEq, thread, b.index(0));
      b.if_then(first, [&] { b.store(s, Affine::constant(0), number); });
      if (behind) b.barrier();
      const ValueId all = b.load(s, Affine::constant(0));
      if (behind) b.barrier();
      const ValueId last = b.compare(Predicate::kEq, thread, b.index(3));
      b.if_then(last, [&] { b.store(s, Affine::constant(0), number); });
      b.store(y, at, all);
    });
  };
  CHECK(ran(made(true)).fault == "");
  CHECK(ran(made(true)).y[11] == 7);
  CHECK_THAT(ran(made(false)).fault, Catch::Contains("element 0 of s"));
}

TEST_CASE("shared memory that no thread of the group has written is not read") {
  const Kernel kernel = in_threads([](Builder& b, BufferId y, const Affine& at, ValueId thread) {
    const BufferId s = b.buffer({.name = "s",
                                 .element = Scalar::kS32,
                                 .elements = 5,
                                 .direction = Direction::kScratch,
                                 .space = Space::kShared});
    b.store(s, Affine::of(thread), b.convert(thread, Scalar::kS32));
    b.barrier();
    b.store(y, at, b.load(s, Affine::of(thread, 1, 1)));
  });
  CHECK_THAT(ran(kernel).fault, Catch::Matches("kernel made: thread 3 of group [0-2] reads element "
                                               "4 of s \\(op [0-9]+\\), which no thread of the "
                                               "group has written"));
}

TEST_CASE("groups that overlap, and offsets that are off by one") {
  Turned overlapping;
  overlapping.step = 3;
  CHECK_THAT(ran(overlapping.made()).fault,
             Catch::Matches("kernel turned: thread [0-3] of group [0-2] writes element [36] of y, "
                            "which thread [0-3] of group [0-2] uses too"));
  Turned shifted;
  shifted.shift = 1;
  CHECK(ran(shifted.made()).fault == "kernel turned: writes element 12 of y, which has 12");
  Turned behind;
  behind.last = 4;
  CHECK(ran(behind.made()).fault == "kernel turned: reads element 4 of tile, which has 4");
}

TEST_CASE("groups are proved to leave one another alone") {
  const auto proof = [](const Kernel& kernel, std::span<const Overlap> overlaps, std::string& why) {
    return prove_groups(kernel, {}, overlaps, &why);
  };
  std::string why;
  CHECK(proof(Turned().made(), {}, why) == RangesProof::kApart);
  // x in the place of y: each thread reads the element that it writes later.
  const std::array<Overlap, 1> in_place = {Overlap{1, 0, 0}};
  CHECK(proof(Turned().made(), in_place, why) == RangesProof::kInPlace);
  Turned across;
  across.shift = 4;
  CHECK(proof(across.made(), {}, why) == RangesProof::kNone);
  CHECK_THAT(why, Catch::Contains("which has 12"));
  Turned overlapping;
  overlapping.step = 3;
  const Kernel meets = overlapping.made();
  CHECK(proof(meets, {}, why) == RangesProof::kNone);
  CHECK_THAT(why, Catch::Contains("uses too"));
  CHECK(prove_groups(meets, {}, {}, nullptr) == RangesProof::kNone);
  // y[i] = x[11 - i]
  Builder b("mirrored");
  const BufferId x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = 12});
  const BufferId y = b.buffer(
      {.name = "y", .element = Scalar::kS32, .elements = 12, .direction = Direction::kOut});
  b.mapped_loop(Mapping::kGrid, 12,
                [&](ValueId i) { b.store(y, Affine::of(i), b.load(x, Affine::of(i, -1, 11))); });
  CHECK(proof(b.finish(), in_place, why) == RangesProof::kApart);
  // y[x[i]]
  Builder scattered("scattered");
  const BufferId to = scattered.buffer({.name = "x", .element = Scalar::kS32, .elements = 12});
  const BufferId out = scattered.buffer(
      {.name = "y", .element = Scalar::kS32, .elements = 12, .direction = Direction::kOut});
  scattered.mapped_loop(Mapping::kGrid, 12, [&](ValueId i) {
    const ValueId at = scattered.convert(scattered.load(to, Affine::of(i)), Scalar::kIndex);
    scattered.store(out, Affine::of(at), scattered.constant_int({Scalar::kS32, 1}, 1));
  });
  CHECK(proof(scattered.finish(), {}, why) == RangesProof::kNone);
  CHECK_THAT(why, Catch::Contains("what it accesses hangs on data"));
  const auto writes = [&](int64_t elements, Direction direction = Direction::kOut) {
    Builder wide("wide");
    const BufferId many = wide.buffer({.name = "y", .elements = elements, .direction = direction});
    wide.mapped_loop(Mapping::kGrid, 2, [&](ValueId i) {
      wide.store(many, Affine::of(i), wide.constant_float({Scalar::kF32, 1}, 1));
    });
    const Kernel kernel = wide.finish();
    const RangesProof proof = prove_groups(kernel, {}, {}, &why);
    // Who does not ask why is told the same.
    CHECK(prove_groups(kernel, {}, {}, nullptr) == proof);
    return proof;
  };
  CHECK(writes(kMostAccesses) == RangesProof::kApart);
  CHECK(writes(kMostAccesses + 1) == RangesProof::kNone);
  CHECK(writes(kMostAccesses + 1, Direction::kInOut) == RangesProof::kNone);
}

TEST_CASE("what the verifier asks of mapped loops") {
  const auto damaged = [](const std::function<void(Kernel&, Op & grid, Op & group)>& change) {
    Kernel kernel = Turned().made();
    Op& grid = kernel.body.ops[0];
    change(kernel, grid, grid.regions[0].ops[0]);
    return verified(kernel);
  };
  using Catch::Contains;
  const auto loop = [](Op& op) -> Loop& { return std::get<Loop>(op.payload); };
  CHECK(damaged([](Kernel&, Op&, Op&) {}) == "");
  CHECK_THAT(damaged([&](Kernel&, Op&, Op& group) { loop(group).upper.offset = 0; }),
             Contains("a mapped loop that never runs"));
  CHECK_THAT(damaged([&](Kernel&, Op& grid, Op& group) {
               loop(group).upper = Affine::of(grid.regions[0].arguments[0]);
             }),
             Contains("a mapped loop whose bounds are no numbers"));
  CHECK_THAT(damaged([&](Kernel&, Op& grid, Op& group) {
               loop(group).lower = Affine::of(grid.regions[0].arguments[0]);
             }),
             Contains("a mapped loop whose bounds are no numbers"));
  CHECK(damaged([&](Kernel&, Op& grid, Op&) { loop(grid).upper.offset = 1; }) == "");
  CHECK_THAT(damaged([&](Kernel&, Op& grid, Op& group) {
               std::vector<Op>& inside = group.regions[0].ops;
               Op load = inside[0];
               inside.erase(inside.begin());
               std::get<Access>(load.payload).at = Affine{};
               grid.regions[0].ops.insert(grid.regions[0].ops.begin(), load);
             }),
             Contains("load beside a mapped loop"));
  CHECK_THAT(damaged([&](Kernel&, Op& grid, Op& group) {
               std::swap(loop(grid).mapping, loop(group).mapping);
             }),
             Contains("a loop over the grid inside of one over the group"));
  CHECK_THAT(damaged([&](Kernel&, Op&, Op& group) { loop(group).mapping = Mapping::kSequential; }),
             Contains("a barrier without a loop over the group"));
  CHECK_THAT(damaged([&](Kernel&, Op& grid, Op&) { loop(grid).mapping = Mapping::kSequential; }),
             Contains("a mapped loop inside of a loop or a branch of a thread"));
  CHECK_THAT(damaged([](Kernel&, Op& grid, Op&) {
               std::vector<Op>& ops = grid.regions[0].ops;
               ops.insert(ops.begin(), {.kind = OpKind::kBarrier});
             }),
             Contains("barrier beside a mapped loop"));
  CHECK_THAT(damaged([&](Kernel& k, Op&, Op&) { k.buffers[2].space = Space::kArena; }),
             Contains("scratch tile of the arena, which all threads share"));
  CHECK_THAT(damaged([&](Kernel& k, Op&, Op&) { k.buffers[1].space = Space::kShared; }),
             Contains("operand y in the kernel's own memory"));
  CHECK_THAT(damaged([&](Kernel&, Op&, Op& group) { group.regions[0].ops[2].results = {0}; }),
             Contains("wrong number of results"));
}

TEST_CASE("what the verifier asks of loops, by number") {
  const auto nested = [](int grids, int groups) {
    Builder b("made");
    const BufferId y = b.buffer({.name = "y", .elements = 16, .direction = Direction::kOut});
    Affine at;
    const std::function<void(int)> nest = [&](int depth) {
      if (depth == grids + groups) return b.store(y, at, b.constant_float({Scalar::kF32, 1}, 1));
      b.mapped_loop(depth < grids ? Mapping::kGrid : Mapping::kGroup, 2, [&](ValueId i) {
        at = at.times(2).plus(Affine::of(i));
        nest(depth + 1);
      });
    };
    nest(0);
    return verified(b.finish());
  };
  CHECK(nested(3, 1) == "");
  CHECK(nested(1, 3) == "");
  CHECK(nested(2, 0) == "");
  CHECK_THAT(nested(4, 0), Catch::Contains("more than three loops over the grid"));
  CHECK_THAT(nested(0, 4), Catch::Contains("more than three loops over the group"));
}

TEST_CASE("two mapped loops side by side, values that one carries, shared memory without a group") {
  Builder two("made");
  const BufferId y = two.buffer({.name = "y", .elements = 2, .direction = Direction::kOut});
  for (int i = 0; i < 2; ++i)
    two.mapped_loop(Mapping::kGrid, 2, [&](ValueId at) {
      two.store(y, Affine::of(at), two.constant_float({Scalar::kF32, 1}, 1));
    });
  CHECK_THAT(verified(two.finish()), Catch::Contains("two mapped loops side by side"));
  Builder carries("made");
  carries.loop(Loop{.upper = Affine::constant(2), .mapping = Mapping::kGrid},
               {carries.constant_float({Scalar::kF32, 1}, 0)},
               [&](ValueId, std::span<const ValueId> carried) {
                 return Values{carried.begin(), carried.end()};
               });
  CHECK_THAT(verified(carries.finish()), Catch::Contains("a mapped loop that carries values"));
  Builder shared("made");
  shared.buffer(
      {.name = "s", .elements = 2, .direction = Direction::kScratch, .space = Space::kShared});
  CHECK_THAT(verified(shared.finish()), Catch::Contains("shared s without a loop over the group"));
}

TEST_CASE("a barrier stands where the whole group comes, and nowhere else") {
  enum class Around {
    kNothing,
    kSameLoop,
    kOwnLoop,
    kOwnBegin,
    kSameBranch,
    kOwnBranch,
    kLoaded,
    kWhile
  };
  const auto made = [](Around around) {
    return in_threads([&](Builder& b, BufferId y, const Affine& at, ValueId thread) {
      const auto wait = [&](ValueId) { b.barrier(); };
      const ValueId one = b.constant_int({Scalar::kS32, 1}, 1);
      switch (around) {
        case Around::kNothing: b.barrier(); break;
        case Around::kSameLoop:
          b.loop(2, [&](ValueId i) { b.loop(Loop{.upper = Affine::of(i, 1, 2)}, wait); });
          break;
        case Around::kOwnLoop: b.loop(Loop{.upper = Affine::of(thread, 1, 2)}, wait); break;
        case Around::kOwnBegin:
          b.loop(Loop{.lower = Affine::of(thread), .upper = Affine::constant(9)}, wait);
          break;
        case Around::kSameBranch:
          b.loop(2, [&](ValueId i) {
            b.if_then(b.compare(Predicate::kEq, i, b.index(1)), [&] { b.barrier(); });
          });
          break;
        case Around::kOwnBranch:
          b.if_then(b.compare(Predicate::kEq, thread, b.index(1)), [&] { b.barrier(); });
          break;
        case Around::kLoaded:
          b.store(y, at, one);
          b.if_then(b.compare(Predicate::kEq, b.load(y, at), b.convert(thread, Scalar::kS32)),
                    [&] { b.barrier(); });
          break;
        case Around::kWhile:
          b.while_loop(
              {b.convert(thread, Scalar::kS32)},
              [&](std::span<const ValueId> now) { return b.compare(Predicate::kLt, now[0], one); },
              [&](std::span<const ValueId> now) {
                b.barrier();
                return Values{b.add(now[0], one)};
              });
          break;
      }
      b.store(y, at, one);
    });
  };
  for (const Around fine : {Around::kNothing, Around::kSameLoop, Around::kSameBranch}) {
    CHECK(verified(made(fine)) == "");
    CHECK(ran(made(fine)).fault == "");
  }
  for (const auto& [bad, fault] :
       {std::pair(Around::kOwnLoop, "differ in the end of a loop around a barrier"),
        std::pair(Around::kOwnBegin, "differ in the begin of a loop around a barrier"),
        std::pair(Around::kOwnBranch, "differ in a condition around a barrier"),
        std::pair(Around::kLoaded, "differ in a condition around a barrier"),
        std::pair(Around::kWhile, "a barrier in a loop that each thread ends by itself")}) {
    CHECK_THAT(verified(made(bad)),
               Catch::Contains("a barrier where not all threads of the group need come"));
    CHECK_THAT(ran(made(bad)).fault, Catch::Contains(fault));
  }
}

TEST_CASE("each thread has its own stack, from phase to phase") {
  const Kernel kernel = in_threads([](Builder& b, BufferId y, const Affine& at, ValueId thread) {
    const BufferId own = b.buffer({.name = "own",
                                   .element = Scalar::kS32,
                                   .elements = 1,
                                   .direction = Direction::kScratch,
                                   .space = Space::kStack});
    b.store(own, Affine::constant(0), b.convert(thread, Scalar::kS32));
    b.barrier();
    b.store(y, at, b.load(own, Affine::constant(0)));
  });
  CHECK(verified(kernel) == "");
  CHECK(ran(kernel).y == std::array<int32_t, 12>{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3});
}

TEST_CASE("carried values go through barriers") {
  const Kernel kernel = in_threads([](Builder& b, BufferId y, const Affine& at, ValueId thread) {
    const ValueId one = b.convert(thread, Scalar::kS32);
    const Values sum = b.loop(Loop{.upper = Affine::constant(3)}, {one, one},
                              [&](ValueId, std::span<const ValueId> carried) {
                                b.barrier();
                                return Values{carried[1], b.add(carried[0], carried[1])};
                              });
    b.store(y, at, sum[1]);
  });
  CHECK(ran(kernel).y == std::array<int32_t, 12>{0, 5, 10, 15, 0, 5, 10, 15, 0, 5, 10, 15});
}

TEST_CASE("mapped kernels are legal where there are groups of threads, as many as it takes") {
  const Kernel kernel = Turned().made();
  const auto legal = [&](const Target& target) {
    const Status status = verify_legal(kernel, target);
    return status.ok() ? "" : status.error().message;
  };
  const GpuDevice& row = gpu_devices().front();
  const Target gpu = target_of(row, {});
  CHECK(legal(gpu) == "");
  const Result<Kernel> same = legalize(kernel, gpu);
  REQUIRE(same.ok());
  CHECK(to_text(*same) == to_text(kernel));
  CHECK_THAT(legal(*preset("cortex-m4")),
             Catch::Contains("a mapped loop, and cortex-m4 has no groups of threads"));
  CHECK_FALSE(legalize(kernel, *preset("cortex-m4")).ok());  // no barrier
  const auto with = [&](const std::function<void(SimtFacts&)>& change) {
    Target target = gpu;
    change(target.simt);
    return legal(target);
  };
  CHECK(with([](SimtFacts& f) { f.threads = 4, f.groups = 3, f.shared_bytes = 16; }) == "");
  CHECK_THAT(with([](SimtFacts& f) { f.threads = 3; }),
             Catch::Contains("4 threads of a group, and vulkan-generic has 3"));
  CHECK_THAT(with([](SimtFacts& f) { f.groups = 2; }),
             Catch::Contains("3 groups, and vulkan-generic has 2"));
  CHECK_THAT(with([](SimtFacts& f) { f.shared_bytes = 15; }),
             Catch::Contains("16 bytes of shared memory, and vulkan-generic has 15"));
}

TEST_CASE("what goes wrong behind a barrier in a loop or a branch ends the run") {
  for (const bool branches : {false, true}) {
    const Kernel kernel = in_threads([&](Builder& b, BufferId y, const Affine& at, ValueId) {
      const BufferId own = b.buffer({.name = "own",
                                     .element = Scalar::kS32,
                                     .elements = 2,
                                     .direction = Direction::kScratch,
                                     .space = Space::kStack});
      const ValueId one = b.constant_int({Scalar::kS32, 1}, 1);
      b.loop(2, [&](ValueId i) {
        const auto wrong = [&] {
          b.barrier();
          b.store(own, Affine::of(i, 3), one);
        };
        branches ? b.if_then(b.compare(Predicate::kEq, i, b.index(1)), wrong) : wrong();
      });
      b.store(y, at, one);
    });
    CHECK(verified(kernel) == "");
    CHECK_THAT(ran(kernel).fault, Catch::Contains("writes element 3 of own"));
  }
}

TEST_CASE("values of a branch that holds a barrier are each thread's own") {
  const Kernel kernel = in_threads([](Builder& b, BufferId y, const Affine& at, ValueId thread) {
    b.loop(2, [&](ValueId i) {
      const ValueId own = b.convert(thread, Scalar::kS32);
      const Values made = b.if_else(
          b.compare(Predicate::kEq, i, b.index(1)),
          [&] {
            b.barrier();
            return Values{own};
          },
          [&] {
            return Values{b.zero({Scalar::kS32, 1})};
          });
      b.store(y, at, made[0]);
    });
  });
  CHECK(verified(kernel) == "");
  CHECK(ran(kernel).y == std::array<int32_t, 12>{0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3});
}

TEST_CASE("one mapped loop, over the grid or the group, makes a kernel mapped") {
  for (const Mapping mapping : {Mapping::kGrid, Mapping::kGroup}) {
    const auto made = [&](Space space) {
      Builder b("made");
      const BufferId y = b.buffer({.name = "y", .elements = 4, .direction = Direction::kOut});
      const BufferId held = b.buffer(
          {.name = "held", .elements = 4, .direction = Direction::kScratch, .space = space});
      b.mapped_loop(mapping, 4, [&](ValueId i) {
        b.store(held, Affine::of(i), b.constant_float({Scalar::kF32, 1}, 1));
        b.store(y, Affine::of(i), b.load(held, Affine::of(i)));
      });
      return b.finish();
    };
    CHECK(verified(made(Space::kStack)) == "");
    CHECK_THAT(verified(made(Space::kArena)),
               Catch::Contains("scratch held of the arena, which all threads share"));
    const std::optional<MappedLoops> loops = mapped_loops(made(Space::kStack));
    REQUIRE(loops.has_value());
    CHECK(loops->groups * loops->threads == 4);
  }
}

TEST_CASE("a mapped loop of one iteration stays one") {
  for (const Mapping mapping : {Mapping::kGrid, Mapping::kSequential}) {
    Builder b("made");
    const BufferId y = b.buffer({.name = "y", .elements = 1, .direction = Direction::kOut});
    b.mapped_loop(mapping, 1, [&](ValueId i) {
      b.store(y, Affine::of(i), b.constant_float({Scalar::kF32, 1}, 1));
    });
    CHECK(mapped_loops(b.finish()).has_value() == (mapping == Mapping::kGrid));
  }
}

TEST_CASE("a thread reads what it wrote to shared memory itself without a barrier") {
  const Kernel kernel = in_threads([](Builder& b, BufferId y, const Affine& at, ValueId thread) {
    const BufferId tile = b.buffer({.name = "tile",
                                    .element = Scalar::kS32,
                                    .elements = 4,
                                    .direction = Direction::kScratch,
                                    .space = Space::kShared});
    b.store(tile, Affine::of(thread), b.convert(thread, Scalar::kS32));
    b.store(tile, Affine::of(thread), b.load(tile, Affine::of(thread)));
    b.store(y, at, b.load(tile, Affine::of(thread)));
  });
  CHECK(ran(kernel).fault == "");
}

TEST_CASE("what a thread loads or counts for itself is not its group's") {
  enum class Of { kLoad, kCount, kInside };
  for (const Of of : {Of::kLoad, Of::kCount, Of::kInside}) {
    const Kernel kernel = in_threads([&](Builder& b, BufferId y, const Affine& at, ValueId thread) {
      const ValueId one = b.constant_int({Scalar::kS32, 1}, 1);
      const auto wait_if_one = [&](ValueId value) {
        b.if_then(b.compare(Predicate::kEq, value, one), [&] { b.barrier(); });
      };
      const Loop own{.upper = Affine::of(thread, 1, 2)};
      b.store(y, at, one);
      if (of == Of::kLoad) wait_if_one(b.load(y, at));
      if (of == Of::kCount)
        wait_if_one(b.loop(own, Values{one}, [&](ValueId, std::span<const ValueId> now) {
          return Values{b.add(now[0], one)};
        })[0]);
      if (of == Of::kInside)
        b.loop(own, [&](ValueId) { b.loop(2, [&](ValueId) { b.barrier(); }); });
    });
    CHECK_THAT(verified(kernel),
               Catch::Contains("a barrier where not all threads of the group need come"));
  }
}

}  // namespace
}  // namespace hlocc::kernel
