// Random programs over s32 arrays, made from seeds: for the tests of planning and of the backends.
#pragma once
#include "planning/programs.h"

namespace hlocc::planning {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 1) {}
  int below(size_t bound) {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<int>((state_ >> 33) % bound);
  }
  template <typename T>
  const T& of(const std::vector<T>& items) {
    return items[static_cast<size_t>(below(items.size()))];
  }

 private:
  uint64_t state_;
};

class Generator {
 public:
  explicit Generator(uint64_t seed) : random_(seed) {}
  // With functions of the user's, devices and their queues, and larger values besides; that is
  // planned, but nobody evaluates it.
  static Program wild(uint64_t seed) {
    Generator one(seed);
    one.wild_ = true;
    one.sizes_ = {1, 2, 4, 7, 16, 17, 64, 100};
    return one.run();
  }

  // With values that others are put together of, and parts of them.
  static Program joining(uint64_t seed) {
    Generator one(seed);
    one.joins_ = true;
    return one.run();
  }

  // Launches and copies of arguments that are not donated: what a solver of integer programs is
  // asked.
  static Program flat(uint64_t seed) {
    Generator one(seed);
    std::vector<Id> there;
    for (int i = 1 + one.random_.below(2); i > 0; --i)
      there.push_back(one.m_.argument(one.random_.of(one.sizes_)));
    there = one.block(there, 4 + one.random_.below(5), 2);
    // Results are temporaries, each once.
    one.m_.result(there.back());
    const Id other = one.recent(there);
    if (other != there.back() &&
        one.m_.program.values[static_cast<size_t>(other)].role == ValueRole::kTemporary)
      one.m_.result(other);
    return std::move(one.m_.program);
  }

  Program run() {
    std::vector<Id> there;
    for (int i = 1 + random_.below(3); i > 0; --i) there.push_back(m_.argument(random_.of(sizes_)));
    std::vector<int> donated;
    for (int i = random_.below(3); i > 0; --i) {
      donated.push_back(static_cast<int>(m_.program.arguments.size()));
      there.push_back(m_.argument(random_.of(sizes_), ValueRole::kState));
    }
    if (random_.below(2) == 0) there.push_back(m_.constant({4, 3, 2, 1}));
    there = block(there, 3 + random_.below(10), 0);
    for (const int leaf : donated) {
      const Id state = m_.program.arguments[static_cast<size_t>(leaf)];
      m_.result(of_size(there, m_.elements(state)), leaf);
    }
    for (int i = 1 + random_.below(3); i > 0; --i) m_.result(random_.of(there));
    return std::move(m_.program);
  }

 private:
  // Values of that size, one made if there is none.
  Id of_size(std::vector<Id>& there, int64_t n) {
    std::vector<Id> fitting;
    for (const Id id : there)
      if (m_.elements(id) == n &&
          m_.program.values[static_cast<size_t>(id)].element == Scalar::kS32)
        fitting.push_back(id);
    if (!fitting.empty() && random_.below(8) != 0) return random_.of(fitting);
    there.push_back(m_.stir(random_.of(there), n));
    return there.back();
  }

  std::vector<Id> block(std::vector<Id> there, int count, int depth) {
    for (; count > 0; --count) {
      const Id x = recent(there);
      if (wild_ && random_.below(5) == 0) {
        step_of_others(there, x, depth);
        continue;
      }
      if (joins_ && random_.below(3) == 0) {
        join(there);
        continue;
      }
      switch (random_.below(depth < 2 ? 11 : 9)) {
        case 0:
        case 1: there.push_back(m_.scale(x)); break;
        case 2: there.push_back(m_.combine(x, of_size(there, m_.elements(x)))); break;
        case 3:
        case 4: there.push_back(m_.stir(x, random_.of(sizes_))); break;
        case 5: there.push_back(m_.pad(x, 1 + random_.below(6))); break;
        case 6:
          there.push_back(m_.update(x, recent(there),
                                    random_.below(static_cast<size_t>(m_.elements(x))),
                                    random_.below(2) == 0));
          break;
        case 7: there.push_back(m_.reverse(x)); break;
        case 8: there.push_back(m_.copy(x)); break;
        case 9: conditional(there, depth); break;
        default: while_loop(there, depth); break;
      }
    }
    return there;
  }

  // Of one to three temporaries, all of each or some of it.
  void join(std::vector<Id>& there) {
    std::vector<ProgramMaker::Run> runs;
    for (int i = 1 + random_.below(3); i > 0; --i) {
      const Id from = recent(there);
      if (m_.program.values[static_cast<size_t>(from)].role != ValueRole::kTemporary) continue;
      const int64_t n = m_.elements(from);
      if (n > 40) continue;
      const bool all = random_.below(2) == 0;
      const int64_t first = all ? 0 : random_.below(static_cast<size_t>(n));
      runs.push_back({from, first, all ? n : 1 + random_.below(static_cast<size_t>(n - first))});
    }
    if (!runs.empty()) there.push_back(m_.join(runs));
  }

  // What kernels of the program's own do not do.
  void step_of_others(std::vector<Id>& there, Id x, int depth) {
    const int64_t n = m_.elements(x);
    switch (random_.below(4)) {
      case 0: {
        const Id y = m_.value(random_.of(sizes_)), z = m_.value(n);
        m_.steps->push_back({UserCall{"f", {x, recent(there)}, {y, z}}, {}});
        there.insert(there.end(), {y, z});
        break;
      }
      case 1: there.push_back(m_.constant(std::vector<int32_t>(static_cast<size_t>(n), 3))); break;
      case 2: {
        // Bytes without a kernel that reads them: a result, or for a function of the user's.
        const Id y = m_.value(n, ValueRole::kTemporary, Scalar::kS8);
        m_.steps->push_back({UserCall{"bytes", {x}, {y}}, {}});
        const Id z = m_.value(n);
        m_.steps->push_back({UserCall{"words", {y}, {z}}, {}});
        there.push_back(z);
        break;
      }
      default: offload(there, x, depth);
    }
  }

  // A part on a device, beside a step or two of the host. Lists of steps inside of others have
  // queues of their own.
  void offload(std::vector<Id>& there, Id x, int depth) {
    const int memory = 1 + random_.below(2), queue = 2 * depth + random_.below(2);
    const auto on_device = [&](int64_t n) {
      const Id id = m_.value(n);
      m_.program.values.back().memory = memory;
      return id;
    };
    const Id near = on_device(m_.elements(x)), done = on_device(random_.of(sizes_));
    m_.steps->push_back({Transfer{x, near, queue}, {}});
    m_.steps->push_back({Submit{"part", {near}, {done}, queue}, {}});
    const Id back = m_.value(m_.elements(done));
    m_.steps->push_back({Transfer{done, back, queue}, {}});
    for (int i = random_.below(3); i > 0; --i) there.push_back(m_.scale(recent(there)));
    m_.steps->push_back({Wait{queue}, {}});
    there.push_back(back);
  }

  // Mostly one of the last values, so that chains grow.
  Id recent(const std::vector<Id>& there) {
    return random_.below(3) == 0
               ? random_.of(there)
               : there[there.size() - 1 -
                       static_cast<size_t>(random_.below(std::min<size_t>(3, there.size())))];
  }

  void conditional(std::vector<Id>& there, int depth) {
    ConditionalStep choice{
        .selector = m_.pick(recent(there)),
        .branches = std::vector<Steps>(2 + static_cast<size_t>(random_.below(2)))};
    std::vector<int64_t> wanted;
    for (int i = random_.below(3); i >= 0; --i) wanted.push_back(random_.of(sizes_));
    std::vector<Step>* const outer = m_.steps;
    for (Steps& branch : choice.branches) {
      m_.steps = &branch;
      std::vector<Id> inner = block(there, random_.below(4), depth + 1), yields;
      for (const int64_t n : wanted) yields.push_back(of_size(inner, n));
      choice.yields.push_back(yields);
    }
    m_.steps = outer;
    for (const int64_t n : wanted) choice.results.push_back(m_.value(n));
    there.insert(there.end(), choice.results.begin(), choice.results.end());
    outer->push_back({std::move(choice), {}});
  }

  void while_loop(std::vector<Id>& there, int depth) {
    // The counter is carried first: 3 i + 1 until 20.
    WhileStep loop{.initial = {m_.constant({random_.below(25)})}};
    for (int i = random_.below(4); i > 0; --i) loop.initial.push_back(recent(there));
    for (const Id id : loop.initial) {
      loop.carried.push_back(m_.value(m_.elements(id)));
      loop.result.push_back(m_.value(m_.elements(id)));
    }
    std::vector<Step>* const outer = m_.steps;
    m_.steps = &loop.condition;
    loop.condition_value = m_.less(loop.carried[0], 20);
    m_.steps = &loop.body;
    std::vector<Id> inner = there;
    inner.insert(inner.end(), loop.carried.begin(), loop.carried.end());
    inner = block(inner, random_.below(5), depth + 1);
    loop.next = {m_.scale(loop.carried[0])};
    for (size_t i = 1; i < loop.carried.size(); ++i)
      loop.next.push_back(of_size(inner, m_.elements(loop.carried[i])));
    m_.steps = outer;
    there.insert(there.end(), loop.result.begin(), loop.result.end());
    outer->push_back({std::move(loop), {}});
  }

  Random random_;
  bool wild_ = false, joins_ = false;
  ProgramMaker m_;
  std::vector<int64_t> sizes_ = {1, 3, 4, 6, 17};
};

}  // namespace hlocc::planning
