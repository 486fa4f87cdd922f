// Small programs over s32 arrays for the tests of planning, made call by call or from a seed.
#pragma once
#include <catch2/catch.hpp>
#include <cstring>
#include <map>

#include "kernel/builder.h"
#include "kernel/evaluate/evaluator.h"
#include "planning/execute.h"
#include "planning/plan.h"
#include "support/plan_figures.h"

namespace hlocc::planning {

using namespace kernel;
using Bytes = std::vector<std::byte>;
using Id = ProgramValueId;

inline Bytes bytes_of(const std::vector<int32_t>& values) {
  Bytes out(values.size() * 4);
  if (!out.empty()) std::memcpy(out.data(), values.data(), out.size());
  return out;
}

class ProgramMaker {
 public:
  Program program;
  std::vector<Step>* steps = &program.steps;

  Id value(int64_t n, ValueRole role = ValueRole::kTemporary, Scalar element = Scalar::kS32) {
    program.values.push_back({.name = "v" + std::to_string(program.values.size()),
                              .element = element,
                              .elements = n,
                              .role = role});
    return static_cast<Id>(program.values.size() - 1);
  }
  Id argument(int64_t n, ValueRole role = ValueRole::kArgument) {
    const Id id = value(n, role);
    program.values.back().leaf = static_cast<int>(program.arguments.size());
    program.signature.arguments.push_back({.index = program.values.back().leaf, .shape = shape(n)});
    program.arguments.push_back(id);
    return id;
  }
  Id constant(const std::vector<int32_t>& values) {
    const Id id = value(static_cast<int64_t>(values.size()), ValueRole::kConstant);
    program.values.back().data = std::make_shared<const Bytes>(bytes_of(values));
    return id;
  }
  void result(Id id, int donated_from = kernel::kNone) {
    Leaf leaf{.index = static_cast<int>(program.results.size()), .shape = shape(elements(id))};
    if (donated_from != kernel::kNone) {
      leaf.donated = true;
      leaf.partner = donated_from;
      program.signature.arguments[static_cast<size_t>(donated_from)].donated = true;
      program.signature.arguments[static_cast<size_t>(donated_from)].partner = leaf.index;
    }
    program.signature.results.push_back(leaf);
    program.results.push_back(id);
  }
  int64_t elements(Id id) const { return program.values[static_cast<size_t>(id)].elements; }

  // y = 3 * x + 1, may be done in place.
  Id scale(Id x) {
    const int64_t n = elements(x);
    const KernelId k = kernel("scale", n, [&](Builder& b) {
      const BufferId in = operand(b, "x", n, Direction::kIn),
                     out = operand(b, "y", n, Direction::kOut);
      b.loop(n, [&](ValueId i) {
        b.store(out, Affine::of(i),
                b.add(b.mul(b.load(in, Affine::of(i)), b.constant_int(s32, 3)),
                      b.constant_int(s32, 1)));
      });
    });
    return launch({.kernel = k, .operands = {x, value(n)}, .overlaps = {{1, 0, 0}}});
  }
  // z = x - 2 * y, in place of either.
  Id combine(Id x, Id y) {
    const int64_t n = elements(x);
    const KernelId k = kernel("combine", n, [&](Builder& b) {
      const BufferId left = operand(b, "x", n, Direction::kIn),
                     right = operand(b, "y", n, Direction::kIn);
      const BufferId out = operand(b, "z", n, Direction::kOut);
      b.loop(n, [&](ValueId i) {
        const ValueId twice = b.mul(b.load(right, Affine::of(i)), b.constant_int(s32, 2));
        b.store(out, Affine::of(i), b.sub(b.load(left, Affine::of(i)), twice));
      });
    });
    return launch({.kernel = k, .operands = {x, y, value(n)}, .overlaps = {{2, 0, 0}, {2, 1, 0}}});
  }
  // x + 1 and y + 1, each in place of its own; the second is what comes back.
  std::pair<Id, Id> both(Id x, Id y) {
    const int64_t n = elements(x);
    const KernelId k = kernel("both", n, [&](Builder& b) {
      const BufferId in[] = {operand(b, "x", n, Direction::kIn),
                             operand(b, "y", n, Direction::kIn)};
      const BufferId out[] = {operand(b, "a", n, Direction::kOut),
                              operand(b, "b", n, Direction::kOut)};
      b.loop(n, [&](ValueId i) {
        for (const int which : {0, 1})
          b.store(out[which], Affine::of(i),
                  b.add(b.load(in[which], Affine::of(i)), b.constant_int(s32, 1)));
      });
    });
    const Id first = value(n), second = value(n);
    launch({.kernel = k, .operands = {x, y, first, second}, .overlaps = {{2, 0, 0}, {3, 1, 0}}});
    return {first, second};
  }
  // m numbers out of n, each a sum of the first, the last and one between: reads and writes cross,
  // never in place.
  Id stir(Id x, int64_t m) {
    const int64_t n = elements(x);
    const KernelId k = kernel("stir" + std::to_string(m), n, [&](Builder& b) {
      const BufferId in = operand(b, "x", n, Direction::kIn),
                     out = operand(b, "y", m, Direction::kOut);
      b.loop(m, [&](ValueId i) {
        const ValueId ends =
            b.add(b.load(in, Affine::constant(0)), b.load(in, Affine::constant(n - 1)));
        const ValueId at = b.binary(OpKind::kRem, b.mul(i, b.index(5)), b.index(n));
        b.store(out, Affine::of(i),
                b.add(b.add(ends, b.load(in, Affine::of(at))), b.convert(i, Scalar::kS32)));
      });
    });
    return launch({.kernel = k, .operands = {x, value(m)}});
  }
  // d zeros in front: writing runs d elements ahead of reading.
  Id pad(Id x, int64_t d) {
    const int64_t n = elements(x);
    const KernelId k = kernel("pad" + std::to_string(d), n, [&](Builder& b) {
      const BufferId in = operand(b, "x", n, Direction::kIn),
                     out = operand(b, "y", n + d, Direction::kOut);
      b.loop(d, [&](ValueId i) { b.store(out, Affine::of(i), b.zero(s32)); });
      b.loop(n, [&](ValueId i) { b.store(out, Affine::of(i, 1, d), b.load(in, Affine::of(i))); });
    });
    return launch({.kernel = k, .operands = {x, value(n + d)}, .overlaps = {{1, 0, 4 * d}}});
  }
  // x with element `at` replaced by the first of `from`; `reads`: the kernel reads x as an operand,
  // too.
  Id update(Id x, Id from, int64_t at, bool reads = false) {
    const int64_t n = elements(x), m = elements(from);
    const KernelId k =
        kernel("update" + std::to_string(at) + (reads ? "r" : "") + "_" + std::to_string(m), n,
               [&](Builder& b) {
                 const BufferId in = operand(b, "u", m, Direction::kIn);
                 const BufferId old = reads ? operand(b, "x", n, Direction::kIn) : kernel::kNone;
                 const BufferId out = operand(b, "y", n, Direction::kOut);
                 ValueId v = b.load(in, Affine::constant(0));
                 if (reads) v = b.add(v, b.load(old, Affine::constant(at)));
                 b.store(out, Affine::constant(at), v);
               });
    const Id y = value(n);
    if (!reads) return launch({.kernel = k, .operands = {from, y}, .updates = {{1, x}}});
    return launch(
        {.kernel = k, .operands = {from, x, y}, .overlaps = {{2, 1, 0}}, .updates = {{2, x}}});
  }
  // x reversed, by way of scratch in the arena.
  Id reverse(Id x) {
    const int64_t n = elements(x);
    const KernelId k = kernel("reverse", n, [&](Builder& b) {
      const BufferId in = operand(b, "x", n, Direction::kIn),
                     out = operand(b, "y", n, Direction::kOut);
      const BufferId held = operand(b, "t", n, Direction::kScratch);
      b.loop(n, [&](ValueId i) {
        b.store(held, Affine::of(i, -1, n - 1), b.load(in, Affine::of(i)));
      });
      b.loop(n, [&](ValueId i) { b.store(out, Affine::of(i), b.load(held, Affine::of(i))); });
    });
    return launch({.kernel = k, .operands = {x, value(n)}, .overlaps = {{1, 0, 0}}});
  }
  // x[0] < limit, as pred.
  Id less(Id x, int limit) {
    const int64_t n = elements(x);
    const KernelId k = kernel("less" + std::to_string(limit), n, [&](Builder& b) {
      const BufferId in = operand(b, "x", n, Direction::kIn);
      const BufferId out = b.buffer(
          {.name = "p", .element = Scalar::kPred, .elements = 1, .direction = Direction::kOut});
      b.store(
          out, Affine::constant(0),
          b.compare(Predicate::kLt, b.load(in, Affine::constant(0)), b.constant_int(s32, limit)));
    });
    return launch({.kernel = k, .operands = {x, value(1, ValueRole::kTemporary, Scalar::kPred)}});
  }
  // x[0] mod 3 as a selector.
  Id pick(Id x) {
    const int64_t n = elements(x);
    const KernelId k = kernel("pick", n, [&](Builder& b) {
      const BufferId in = operand(b, "x", n, Direction::kIn),
                     out = operand(b, "y", 1, Direction::kOut);
      b.store(out, Affine::constant(0),
              b.binary(OpKind::kRem, b.load(in, Affine::constant(0)), b.constant_int(s32, 3)));
    });
    return launch({.kernel = k, .operands = {x, value(1)}});
  }
  Id copy(Id x) {
    const Id y = value(elements(x));
    steps->push_back({Copy{x, y}, {}});
    return y;
  }
  // y = x, which may lie before it.
  Id move(Id x) {
    const int64_t n = elements(x);
    const KernelId k = kernel("move", n, [&](Builder& b) {
      const BufferId in = operand(b, "x", n, Direction::kIn),
                     out = operand(b, "y", n, Direction::kOut);
      b.loop(n, [&](ValueId i) { b.store(out, Affine::of(i), b.load(in, Affine::of(i))); });
    });
    return launch({.kernel = k, .operands = {x, value(n)}, .overlaps = {{1, 0, 0}}});
  }
  // Elements [first, first + count) of values, one behind the other.
  struct Run {
    Id from;
    int64_t first, count;
  };
  Id join(const std::vector<Run>& runs) {
    Join join;
    int64_t count = 0;
    for (const Run& run : runs) {
      join.runs.push_back({run.from, 4 * run.first, 4 * run.count});
      count += run.count;
    }
    join.to = value(count);
    steps->push_back({join, {}});
    return join.to;
  }
  Id launch(Launch launch) {
    const Id result = launch.operands.back();
    steps->push_back({std::move(launch), {}});
    return result;
  }

 private:
  static constexpr Type s32{Scalar::kS32, 1};
  static hlo::Shape shape(int64_t n) { return hlo::Shape::array(hlo::PrimitiveType::kS32, {n}); }
  static BufferId operand(Builder& b, const char* name, int64_t n, Direction direction) {
    return b.buffer({.name = name, .element = Scalar::kS32, .elements = n, .direction = direction});
  }
  KernelId kernel(const std::string& name, int64_t n, const std::function<void(Builder&)>& fill) {
    const auto [entry, fresh] =
        kernels_.try_emplace({name, n}, static_cast<KernelId>(program.kernels.size()));
    if (fresh) {
      Builder b(name + "_" + std::to_string(n));
      fill(b);
      program.kernels.push_back(b.finish());
    }
    return entry->second;
  }
  std::map<std::pair<std::string, int64_t>, KernelId> kernels_;
};

// x - 2 * w for each of the constants, one behind the other.
inline Program with_constants(const std::vector<std::vector<int32_t>>& constants) {
  ProgramMaker m;
  Id x = m.argument(static_cast<int64_t>(constants[0].size()));
  for (const std::vector<int32_t>& one : constants) x = m.combine(x, m.constant(one));
  m.result(x);
  return m.program;
}

inline Plan planned_and_valid(const Program& program, const Target& target = {}) {
  if (const Status status = verify(program); !status)
    FAIL(status.error().to_string() << to_text(program));
  auto made = plan(program, target);
  if (!made) FAIL(made.error().to_string());
  if (const Status status = validate(program, *made); !status)
    FAIL(status.error().to_string() << to_text(program) << to_text(*made));
  return *made;
}

// The same, with the figures of the plan.
inline Plan planned(const Program& program, const Target& target = {}) {
  const Plan made = planned_and_valid(program, target);
  tests::add_figures("plans", tests::figures_of(made));
  return made;
}

// Plans, validates, and runs plan and program on the same arguments, arena and caller's buffers
// both.
inline Plan checked(const Program& program, const Target& target = {}) {
  const Plan made = planned(program, target);
  std::vector<Bytes> arguments;
  int32_t next = 1;
  for (const Id argument : program.arguments) {
    std::vector<int32_t> values(
        static_cast<size_t>(program.values[static_cast<size_t>(argument)].elements));
    for (int32_t& value : values) value = next++;
    arguments.push_back(bytes_of(values));
  }
  const auto expected = evaluate(program, arguments);
  if (!expected) FAIL(expected.error().to_string());
  for (const bool callers : {false, true}) {
    const auto got = execute(program, made, arguments, nullptr, {.callers_arguments = callers});
    if (!got) FAIL(got.error().to_string());
    if (*got != *expected)
      FAIL("the plan computes something else\n" << to_text(program) << to_text(made));
  }
  return made;
}

}  // namespace hlocc::planning
