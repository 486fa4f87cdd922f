// Which ops share a loop over lanes, on both sides of each condition of LaneRuns: the ops of a row
// in order, a bar where another loop begins, and an exclamation mark behind what leaves its loop.
#include <catch2/catch.hpp>

#include "backends/c/lane_runs.h"
#include "backends_c/small_kernels.h"

namespace hlocc::backends {
namespace {

using namespace small;
using enum Scalar;
using enum OpKind;

const Type kFour{kS32, 4};

void list_runs(const Region& region, const LaneRuns& runs, int& run, std::string& out) {
  for (const Op& op : region.ops) {
    if (op.kind == kConstant && op.results.size() == 1 &&
        std::get<Constant>(op.payload).lanes.size() == 1)
      continue;
    if (run >= 0 && runs.run_of(op) != run) out += " |";
    run = runs.run_of(op);
    out += cat(out.empty() ? "" : " ", op_name(op.kind));
    if (op.results.size() == 1 && runs.escapes(op.result())) out += "!";
    for (const Region& inner : op.regions) {
      out += " (";
      list_runs(inner, runs, run, out);
      out += ")";
    }
  }
}

std::string runs_of(
    const Make& make, bool unshared = true,
    const LaneRuns::Apart& apart = [](const Op&) { return false; }) {
  const Kernel kernel = kernel_of(make);
  const LaneRuns runs(kernel, std::vector<bool>(kernel.buffers.size(), unshared), apart);
  int run = -1;
  std::string out;
  list_runs(kernel.body, runs, run, out);
  return out;
}

struct RunsRow {
  const char* what;
  Make make;
  const char* runs;
  bool unshared = true;
};
void check_runs(std::initializer_list<RunsRow> rows) {
  for (const RunsRow& row : rows) {
    INFO(row.what);
    CHECK(runs_of(row.make, row.unshared) == row.runs);
  }
}

// y[..] = x[..] + x[..] with an op between the load and the sum.
Make between(const std::function<void(Small&, ValueId)>& middle) {
  return [=](Small& b) {
    const ValueId read = b.read(kFour);
    middle(b, read);
    b.write(b.add(read, read));
  };
}

TEST_CASE("what comes between ops on lanes ends their loop, or does not") {
  const Type one{kS32, 1};
  check_runs({
      {"nothing", between([](Small&, ValueId) {}), "load add store"},
      {"a load of one", between([&](Small& b, ValueId) { b.read(one); }), "load load add store"},
      {"a store of one", between([&](Small& b, ValueId) { b.write(b.constant_int(one, 3)); }),
       "load! | store add store"},
      {"a sum of one", between([&](Small& b, ValueId) {
         const ValueId read = b.read(one);
         b.add(read, read);
       }),
       "load load! add add store"},
      {"a store, and a sum of one", between([&](Small& b, ValueId read) {
         const ValueId number = b.read(one);
         b.write(read);
         b.add(number, number);
       }),
       "load load! store add add store"},
      {"a sign", between([](Small& b, ValueId read) { b.write(b.unary(kNeg, read)); }),
       "load neg store add store"},
      {"a hint", between([](Small& b, ValueId) { b.prefetch(b.array(kS32), Affine::constant(0)); }),
       "load prefetch add store"},
      {"other lanes", between([](Small& b, ValueId) {
         b.write(b.read({kS32, 8}));
       }),
       "load! | load store | add store"},
      {"a load behind a store", between([&](Small& b, ValueId read) {
         b.write(read);
         b.read(one);
       }),
       "load! store | load add store"},
      {"a lane", between([](Small& b, ValueId read) { b.extract(read, 1); }),
       "load! | extract | add store"},
      {"lanes that differ", between([](Small& b, ValueId) {
         b.constant_lanes(kFour, {1, 2, 3, 4});
       }),
       "load! | constant add store"},
      {"lanes of one number", between([](Small& b, ValueId) {
         b.splat(b.read({kS32, 1}), 4);
       }),
       "load load! splat add store"},
      {"numbers of lanes", between([](Small& b, ValueId) { b.lane_index(kFour); }),
       "load lane_index add store"},
      {"a loop", between([](Small& b, ValueId) { b.loop(5, [](ValueId) {}); }),
       "load! | loop () | add store"},
      {"a loop of the lanes", between([](Small& b, ValueId read) {
         b.loop(5, [&](ValueId) { b.write(b.sub(read, read)); });
       }),
       "load! | loop ( | sub store) | add store"},
      {"a carried vector",
       [](Small& b) {
         const ValueId read = b.read(kFour);
         b.write(b.loop(Loop{.upper = Affine::constant(5)}, {read},
                        [&](ValueId, std::span<const ValueId> now) {
                          const ValueId more = b.read(kFour);
                          return Values{b.add(now[0], b.add(more, more))};
                        })[0]);
       },
       "load! | loop! ( | load add add!) | store"},
  });
  const auto loads = [](const Op& op) { return op.kind == kLoad; };
  CHECK(runs_of(between([](Small&, ValueId) {}), true, loads) == "load! | add store");
  // What works on whole vectors stands by itself.
  const auto sums = [](const Op& op) { return op.kind == kAdd; };
  CHECK(runs_of(between([](Small& b, ValueId read) { b.write(b.sub(read, read)); }), true, sums) ==
        "load! sub store | add! | store");
}

// y[] = x[] by two accesses, of one array or of two.
struct Two {
  Access load{.at = Affine::constant(0)}, store{.at = Affine::constant(0)};
  bool one_array = true, store_first = false, at_counter = false;
  Scalar stored = kS32;
  int places = 0;  // of the load 1, of the store 2
};
Make accesses(const Two& two) {
  return [=](Small& b) {
    Access from = two.load, to = two.store;
    from.buffer = b.array(kS32, two.one_array ? Direction::kInOut : Direction::kIn);
    to.buffer = two.one_array ? from.buffer : b.array(two.stored, Direction::kOut);
    const auto write = [&](ValueId value) {
      to.stored = value;
      if ((two.places & 2) != 0) to.lane_indices = b.lane_index(kFour);
      b.store(to);
    };
    const auto body = [&](ValueId i) {
      if (two.at_counter) from.at = Affine::of(i);
      if ((two.places & 1) != 0) from.lane_indices = b.lane_index(kFour);
      if (two.store_first) write(b.constant_int(kFour, 3));
      const ValueId read = b.load(from, 4);
      two.store_first ? b.write(b.add(read, read)) : write(b.bitcast(read, two.stored));
    };
    b.loop(Loop{.upper = Affine::constant(5), .kept = true}, body);
  };
}
Two apart(int64_t load, int64_t store, int64_t load_stride = 1, int64_t store_stride = 1) {
  Two two;
  two.load.at.offset = load;
  two.load.lane_stride = load_stride;
  two.store.at.offset = store;
  two.store.lane_stride = store_stride;
  return two;
}
Two changed(Two two, const std::function<void(Two&)>& change) {
  change(two);
  return two;
}

TEST_CASE("a load and a store share a loop where no lane sees another") {
  const auto other = [](Two& two) { two.one_array = false; };
  const auto bits = [](Two& two) { two.one_array = false, two.stored = kF32; };
  const auto first = [](Two& two) { two.store_first = true; };
  const auto counted = [](Two& two) { two.at_counter = true; };
  const auto placed = [](int which) { return [=](Two& two) { two.places = which; }; };
  const char* same = "loop ( | load store)";
  check_runs({
      {"in place", accesses(apart(0, 0)), same},
      {"by two, in place", accesses(apart(0, 0, 2, 2)), same},
      {"by two and by one", accesses(apart(0, 0, 2, 1)), "loop ( | load! | store)"},
      {"one for all", accesses(apart(0, 0, 0, 0)), "loop ( | load! | store)"},
      {"downwards, in place", accesses(apart(9, 9, -1, -1)), same},
      {"downwards, in reach", accesses(apart(9, 6, -1, -1)), "loop ( | load! | store)"},
      {"downwards, beyond", accesses(apart(9, 5, -1, -1)), "loop ( | load store)"},
      {"in reach", accesses(apart(0, 3)), "loop ( | load! | store)"},
      {"in reach below", accesses(apart(3, 0)), "loop ( | load! | store)"},
      {"beyond", accesses(apart(0, 4)), same},
      {"beyond, a store first", accesses(changed(apart(0, 4), first)),
       "loop ( | store load add store)"},
      {"in reach, a store first", accesses(changed(apart(0, 3), first)),
       "loop ( | store | load add store)"},
      {"in place, a store first", accesses(changed(apart(0, 0), first)),
       "loop ( | store load add store)"},
      {"at a counter", accesses(changed(apart(0, 0), counted)), "loop ( | load! | store)"},
      {"load at places", accesses(changed(apart(0, 0), placed(1))),
       "loop ( | lane_index load! | store)"},
      {"store at places", accesses(changed(apart(0, 0), placed(2))),
       "loop ( | load! lane_index! | store)"},
      {"another array", accesses(changed(apart(0, 1), other)), same},
      {"another array that may overlap", accesses(changed(apart(0, 1), other)),
       "loop ( | load! | store)", false},
      {"far in another array", accesses(changed(apart(0, 99), other)), "loop ( | load! | store)",
       false},
      {"the same place of another array", accesses(changed(apart(0, 0), other)), same, false},
      {"of another type", accesses(changed(apart(0, 0), bits)), "loop ( | load bitcast! | store)",
       false},
      {"of another type, unshared", accesses(changed(apart(0, 0), bits)),
       "loop ( | load bitcast store)"},
  });
}

TEST_CASE("ops that take no statement, and ops on lanes") {
  Small b;
  std::map<ValueId, std::pair<bool, bool>> wanted;  // free, on lanes
  const auto row = [&](ValueId id, bool free, bool on_lanes) { wanted[id] = {free, on_lanes}; };
  const ValueId number = b.read({kS32, 1}), four = b.read(kFour);
  row(number, false, false);
  row(four, false, true);
  row(b.constant_int({kS32, 1}, 3), false, false);
  row(b.constant_int(kFour, 3), true, false);
  row(b.constant_lanes(kFour, {1, 2, 3, 4}), false, false);
  row(b.splat(number, 4), true, false);
  row(b.lane_index(kFour), true, false);
  row(b.add(number, number), false, false);
  row(b.add(four, four), false, true);
  row(b.unary(kNeg, four), false, true);
  row(b.compare(Predicate::kLt, four, b.read(kFour)), false, true);
  row(b.insert(four, number, 1), false, false);
  row(b.op(kReduceAdd, {kS32, 1}, {four}), false, false);
  b.write(number);
  b.write(four);
  const Kernel kernel = b.finish();
  for (const Op& op : kernel.body.ops) {
    INFO(op_name(op.kind));
    if (op.kind == kStore) {
      CHECK(!is_free(kernel, op));
      CHECK(is_lane_wise(kernel, op) == kernel.type(op.access().stored).is_vector());
    } else if (wanted.contains(op.result())) {
      CHECK(is_free(kernel, op) == wanted[op.result()].first);
      CHECK(is_lane_wise(kernel, op) == wanted[op.result()].second);
    }
  }
}

}  // namespace
}  // namespace hlocc::backends
