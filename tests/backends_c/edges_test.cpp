// Kernels that stand on a condition of C's writer that drawn ones seldom meet, as digests of their C
// for all rows; and parts of the file that no kernel has.
#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "backends/c/constant_hook.h"
#include "backends/c/hook_writer.h"
#include "backends_c/rows.h"
#include "kernel/builder.h"
#include "support/digests.h"

namespace hlocc::backends {
namespace {

using namespace kernel;
using enum Scalar;

constexpr Scalar kNoScalar = kPred;

BufferId read_from(Builder& b, Scalar element) {
  return b.buffer({.name = "x", .element = element, .elements = 4096});
}
BufferId written_to(Builder& b, Scalar element) {
  return b.buffer(
      {.name = "y", .element = element, .elements = 4096, .direction = Direction::kInOut});
}
Affine at(int64_t place) { return Affine::constant(place); }

void add_edge(const std::string& name, const std::function<void(Builder&)>& make,
              const std::vector<Held>& held = {}) {
  Builder b("edge");
  make(b);
  const Kernel kernel = b.finish();
  std::string text;
  for (const Target& row : rows_of_c()) text += with_helpers(kernel, row, {}, held);
  tests::add_digest("edges", name, static_cast<size_t>(std::ranges::count(text, '\n')), text);
}

// So many sums of a product each.
void sums(Builder& b, int count, Scalar scalar, bool used_twice) {
  const BufferId x = read_from(b, scalar), y = written_to(b, scalar);
  std::vector<ValueId> factors, out;
  for (int n = 0; n <= count; ++n) factors.push_back(b.load(x, at(n)));
  for (int n = 0; n < count; ++n) {
    const ValueId product = b.mul(factors[static_cast<size_t>(n)], factors.back());
    out.push_back(b.add(b.load(y, at(n)), product));
    if (used_twice && n == 0) out.push_back(product);
  }
  for (size_t n = 0; n < out.size(); ++n) b.store(y, at(static_cast<int64_t>(n)), out[n]);
}

void nested(Builder& b, int depth, ValueId sum) {
  if (depth == 0) return b.store(written_to(b, kS32), at(0), b.convert(sum, kS32));
  b.loop(2, [&](ValueId i) {
    nested(b, depth - 1, sum == kNone ? i : b.op(OpKind::kAdd, {kIndex, 1}, {sum, i}));
  });
}

TEST_CASE("the C of edges is what it was") {
  for (const int count : {3, 4, 5})
    for (const Scalar scalar : {kS32, kU32, kF32, kS16})
      for (const bool twice : {false, true})
        add_edge(cat(count, " sums of ", scalar_name(scalar), twice ? ", one product stays" : ""),
                 [&](Builder& b) { sums(b, count, scalar, twice); });
  for (const int64_t count : {1, 1023, 1024, 1025})
    add_edge(cat(count, " multiplications"), [&](Builder& b) {
      const BufferId x = read_from(b, kS32), y = written_to(b, kS32);
      b.loop(Loop{.upper = at(count), .kept = true}, [&](ValueId i) {
        const ValueId read = b.load(x, Affine::of(i));
        b.store(y, Affine::of(i), b.mul(read, read));
      });
    });
  for (const int depth : {6, 7, 8})
    add_edge(cat(depth, " loops"), [&](Builder& b) { nested(b, depth, kNone); });
  add_edge("a sum in all lanes", [](Builder& b) {
    const BufferId x = read_from(b, kF32), y = written_to(b, kF32);
    const ValueId left = b.load(x, at(0)), right = b.load(x, at(1));
    for (const int lanes : {3, 4})
      b.store(y, at(0), b.mul(b.splat(b.add(left, right), lanes), b.load(x, at(4), lanes)));
    b.store(y, at(9), b.mul(left, right));
  });
  for (const int lanes : {4, 8, 16}) {
    add_edge(cat("one factor in ", lanes, " lanes"), [&](Builder& b) {
      const BufferId x = read_from(b, kF32), y = written_to(b, kF32);
      const ValueId one = b.splat(b.load(x, at(0)), lanes), two = b.load(x, at(16), lanes),
                    three = b.load(x, at(32), lanes);
      b.store(y, at(0), b.mul_add(one, two, three));
      b.store(y, at(16), b.mul_add(two, one, three));
      b.store(y, at(32), b.mul_add(two, three, one));
    });
    for (const int shift : {31, 32, 33})
      add_edge(cat(lanes, " products by ", shift), [&](Builder& b) {
        const BufferId x = read_from(b, kS32), y = written_to(b, kS32);
        const ValueId one = b.load(x, at(0), lanes), two = b.load(x, at(16), lanes);
        b.store(y, at(0), b.mul_shift_right(one, two, {1 << 20, shift}));
      });
    for (const Scalar scalar : {kS32, kU32, kF32})
      add_edge(cat("smaller and larger of ", lanes, " ", scalar_name(scalar)), [&](Builder& b) {
        const BufferId x = read_from(b, scalar), y = written_to(b, scalar);
        const Type type{scalar, static_cast<uint16_t>(lanes)};
        const ValueId one = b.load(x, at(0), lanes), two = b.load(x, at(16), lanes);
        b.store(y, at(0), b.op(OpKind::kNativeMin, type, {one, two}));
        b.store(y, at(16), b.op(OpKind::kNativeMax, type, {one, two}));
      });
  }
  for (const Type type : {Type{kS8, 16}, Type{kU8, 16}, Type{kS16, 8}, Type{kS32, 4}})
    add_edge(cat("chosen and multiplied ", to_string(type)), [&](Builder& b) {
      const BufferId x = read_from(b, type.scalar), y = written_to(b, type.scalar);
      const ValueId one = b.load(x, at(0), type.lanes), two = b.load(x, at(16), type.lanes);
      b.store(y, at(0), b.select(b.compare(Predicate::kLt, one, two), one, two));
      b.store(y, at(16), b.mul(one, two));
      b.store(y, at(32), b.add(one, two));
    });
}

TEST_CASE("the C of odd accesses is what it was") {
  for (const int64_t stride : {1, -1, 2, -2})
    add_edge(cat("masked from 0 by ", stride), [&](Builder& b) {
      const BufferId x = read_from(b, kS32), y = written_to(b, kS32);
      const ValueId mask =
          b.compare(Predicate::kLt, b.lane_index({kS32, 4}), b.constant_int({kS32, 4}, 1));
      Access access{.buffer = x, .at = at(0), .lane_stride = stride, .mask = mask};
      const ValueId read = b.load(access, 4);
      access.buffer = y;
      access.stored = read;
      b.store(access);
    });
  for (const bool masked : {false, true})
    for (const bool indices : {false, true})
      add_edge(cat("eight bytes by 3", masked ? ", masked" : "", indices ? ", at places" : ""),
               [&](Builder& b) {
                 const BufferId x = read_from(b, kS8), y = written_to(b, kS8);
                 const ValueId read = b.load(x, at(0), 8);
                 Access access{.buffer = y, .at = at(0), .lane_stride = 3, .stored = read};
                 if (masked)
                   access.mask = b.compare(Predicate::kLt, b.lane_index({kS32, 8}),
                                           b.constant_int({kS32, 8}, 3));
                 if (indices) access.lane_indices = b.lane_index({kS32, 8});
                 if (indices) access.lane_stride = 1;
                 b.store(access);
               });
  for (const bool apart : {false, true})
    for (const bool twice : {false, true})
      add_edge(cat("a sum carried through ", apart ? "two loops" : "one loop", " over lanes",
                   twice ? ", and stored" : ""),
               [&](Builder& b) {
                 const BufferId x = read_from(b, kS16), y = written_to(b, kS16);
                 const Values out =
                     b.loop(Loop{.upper = at(5)}, {b.load(x, at(0), 4)},
                            [&](ValueId i, std::span<const ValueId> now) {
                              const ValueId sum = b.add(now[0], b.load(x, Affine::of(i), 4));
                              if (apart) b.store(y, Affine::of(i), b.load(x, Affine::of(i), 8));
                              const ValueId next = b.mul(sum, b.load(x, Affine::of(i, 2), 4));
                              if (twice) b.store(y, Affine::of(i, 1, 99), next);
                              return Values{next};
                            });
                 b.store(y, at(9), out[0]);
               });
  add_edge("bits alone", [](Builder& b) {
    const BufferId x = read_from(b, kU8), y = written_to(b, kU8);
    const ValueId read = b.op(OpKind::kNativeConvert, {kF32, 1}, {b.load(x, at(0))});
    const ValueId limit = b.constant_float({kF32, 1}, std::numeric_limits<double>::infinity());
    b.store(y, at(0),
            b.op(OpKind::kNativeConvert, {kU8, 1}, {b.compare(Predicate::kLt, read, limit)}));
  });
}

Type typed_lanes(Scalar scalar, int count) { return {scalar, static_cast<uint16_t>(count)}; }

// Sums of products of units that all lanes share with numbers of their own.
struct Units {
  Scalar left = kU8, right = kS8;
  int sums = 8, group = 4, unit = 4;
  bool wrong = false, second = false, kept = false, yielded = false;
};
void add_units(const std::string& name, const Units& how) {
  add_edge(cat("units, ", name), [&](Builder& b) {
    const BufferId x = read_from(b, how.left);
    const BufferId w = b.buffer({.name = "w", .element = how.right, .elements = 4096});
    const BufferId y = written_to(b, kS32);
    const int count = how.sums * how.group;
    const ValueId unit = b.load(x, at(0), how.unit);
    std::vector<int> repeated;
    for (int n = 0; n < count; ++n) repeated.push_back(n % how.unit);
    if (how.wrong) repeated.back() = 0;
    const ValueId other = how.second ? b.load(x, at(64), how.unit) : unit;
    const ValueId all = how.unit == count ? unit : b.shuffle(other, unit, repeated);
    b.store(y, at(0), b.dot_accumulate(b.load(y, at(0), how.sums), all, b.load(w, at(0), count)));
    if (how.kept) b.store(written_to(b, how.left), at(0), unit);
    if (!how.yielded) return;
    const ValueId less = b.compare(Predicate::kLt, b.load(y, at(99)), b.constant_int({kS32, 1}, 3));
    const Values out = b.if_else(
        less, [&] { return Values{unit}; }, [&] { return Values{b.load(x, at(32), how.unit)}; });
    b.store(written_to(b, how.left), at(0), out[0]);
  });
}

TEST_CASE("the C of units of products is what it was") {
  add_units("plain", {});
  for (const int sums : {1, 2, 4, 16, 32}) add_units(cat(sums, " sums"), {.sums = sums});
  add_units("of both signs", {.left = kS8});
  add_units("without signs", {.right = kU8});
  add_units("of two bytes", {.group = 2, .unit = 2});
  add_units("of two bytes twice", {.unit = 2});
  add_units("of eight bytes", {.group = 8, .unit = 8});
  add_units("of two for each sum", {.group = 2});
  add_units("in another order", {.wrong = true});
  add_units("of another", {.second = true});
  add_units("kept", {.kept = true});
  add_units("yielded", {.yielded = true});
  for (const int sums : {2, 4, 8, 16}) {
    const Units halves{.left = kS16, .right = kS16, .sums = sums, .group = 2, .unit = 2};
    add_units(cat(sums, " of halves"), halves);
    Units other = halves;
    other.right = kU16;
    add_units(cat(sums, " of halves of two kinds"), other);
    other = halves;
    other.left = kU16;
    add_units(cat(sums, " of halves without signs"), other);
    other = halves;
    other.group = other.unit = 4;
    add_units(cat(sums, " of four halves"), other);
  }
  for (const int count : {4, 8, 16, 32})
    for (const Scalar left : {kS8, kU8, kS16}) {
      const Scalar right = left == kU8 ? kS8 : left;
      add_units(cat("one of ", count, " ", scalar_name(left)),
                {.left = left, .right = left, .sums = 1, .group = count, .unit = count});
      add_units(cat("one of ", count, " ", scalar_name(left), " by ", scalar_name(right)),
                {.left = left, .right = right, .sums = 1, .group = count, .unit = count});
    }
}

// A sum of products of words with bytes that come from a load by `step`.
using OfBytes = std::function<ValueId(Builder&, ValueId bytes)>;
void add_words(const std::string& name, Scalar from, int count, const OfBytes& step,
               const OfBytes& after = nullptr) {
  add_edge(cat("words, ", name), [&](Builder& b) {
    const BufferId x = read_from(b, from), y = written_to(b, kS32);
    const ValueId left = step(b, b.load(x, at(0), count)),
                  right = step(b, b.load(x, at(32), count));
    b.store(y, at(0), b.dot_accumulate(b.load(y, at(0)), left, right));
    if (!after) return;
    const ValueId more = after(b, left);
    b.store(written_to(b, b.type(more).scalar), at(8), more);
  });
}

TEST_CASE("the C of words of bytes is what it was") {
  const auto as_they_are = [](Builder&, ValueId bytes) { return bytes; };
  const auto widened = [](Builder& b, ValueId bytes) {
    return b.op(OpKind::kNativeConvert, b.type(bytes).with(kS16), {bytes});
  };
  for (const int count : {2, 3, 4, 6, 8})
    for (const Scalar from : {kS8, kU8, kS16, kU16}) {
      add_words(cat(count, " of ", scalar_name(from)), from, count, as_they_are);
      add_words(cat(count, " of ", scalar_name(from), " as halves"), from, count, widened);
    }
  const std::vector<int> orders[] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 1, 3, 2}, {3, 2, 1, 0},
                                     {4, 5, 6, 7}, {4, 6, 5, 7}, {1, 2, 3, 4}, {-1, 1, 2, 3},
                                     {0, 1},       {2, 3},       {1, 2},       {6, 7, 8, 9},
                                     {-1, 1}};
  for (const std::vector<int>& order : orders)
    for (const Scalar from : {kS8, kS16})
      for (const bool as_halves : {false, true})
        add_words(cat("from ", order[0], ", ", order[1], " to ", order.back(), " of ",
                      scalar_name(from), as_halves ? " as halves" : ""),
                  from, 8, [&](Builder& b, ValueId bytes) {
                    const ValueId picked = b.shuffle(bytes, bytes, order);
                    return as_halves ? widened(b, picked) : picked;
                  });
  for (const Scalar from : {kS8, kS16}) {
    add_words(cat("stored, ", scalar_name(from)), from, 4, as_they_are, as_they_are);
    add_words(cat("to bytes, ", scalar_name(from)), from, 4, as_they_are,
              [](Builder& b, ValueId bytes) {
                return b.op(OpKind::kNativeConvert, b.type(bytes).with(kU8), {bytes});
              });
    add_words(cat("chosen, ", scalar_name(from)), from, 4, as_they_are,
              [](Builder& b, ValueId bytes) {
                return b.if_else(
                    b.compare(Predicate::kLt, b.extract(bytes, 0),
                              b.constant_int(b.type(bytes).scalar_type(), 3)),
                    [&] { return Values{bytes}; }, [&] { return Values{bytes}; })[0];
              });
    add_words(
        cat("carried, ", scalar_name(from)), from, 4, as_they_are, [](Builder& b, ValueId bytes) {
          return b.loop(Loop{.upper = at(3)}, {bytes},
                        [](ValueId, std::span<const ValueId> now) { return Values{now[0]}; })[0];
        });
  }
  for (const bool one : {false, true})
    for (const bool places : {false, true})
      for (const Scalar from : {kS8, kS16})
        add_edge(cat("words", one ? " of one bit" : "", places ? " at places, " : ", ",
                     scalar_name(from)),
                 [&](Builder& b) {
                   const BufferId x = read_from(b, from), y = written_to(b, kS32),
                                  z = written_to(b, kS16);
                   const ValueId pred =
                       b.compare(Predicate::kLt, b.load(y, at(9)), b.constant_int({kS32, 1}, 3));
                   Access access{.buffer = x, .at = at(4)};
                   if (one) access.mask = pred;
                   if (places) access.lane_indices = b.constant_int(typed_lanes(kS32, 4), 5);
                   const ValueId read = b.load(access, 4);
                   b.store(y, at(0), b.dot_accumulate(b.load(y, at(0)), read, read));
                   access.buffer = z;
                   access.stored =
                       b.op(OpKind::kNativeConvert, typed_lanes(kS16, 4), {b.load(x, at(64), 4)});
                   b.store(access);
                 });
}

TEST_CASE("the C of conversions of bytes is what it was") {
  for (const int count : {2, 4, 8, 16})
    for (const Scalar from : {kS8, kU8, kS16, kS32, kU32, kF32})
      for (const Scalar middle : {kNoScalar, kS8, kU8, kS16})
        for (const Scalar to : {kS8, kU8, kS32, kU32, kF32}) {
          if (middle == kNoScalar ? is_float(from) : from == kF32 || from == middle) continue;
          if (middle != kNoScalar && scalar_bits(from) < 32) continue;
          add_edge(cat(count, " of ", scalar_name(from),
                       middle == kNoScalar ? "" : cat(" to ", scalar_name(middle)), " to ",
                       scalar_name(to)),
                   [&](Builder& b) {
                     const ValueId read = b.load(read_from(b, from), at(0), count);
                     const ValueId held =
                         middle == kNoScalar
                             ? read
                             : b.op(OpKind::kNativeConvert, typed_lanes(middle, count), {read});
                     b.store(written_to(b, to), at(0),
                             b.op(OpKind::kNativeConvert, typed_lanes(to, count), {held}));
                   });
        }
  for (const int64_t stride : {1, 2, 9362, 9363})
    for (const int count : {4, 8, 16})
      for (const bool one : {false, true})
        add_edge(cat(count, " bytes by ", stride, one ? " of one bit" : ""), [&](Builder& b) {
          const BufferId x = read_from(b, kU8);
          const BufferId y = b.buffer(
              {.name = "y", .element = kU8, .elements = 1 << 20, .direction = Direction::kInOut});
          Access access{
              .buffer = y, .at = at(0), .lane_stride = stride, .stored = b.load(x, at(0), count)};
          if (one)
            access.mask = b.compare(Predicate::kLt, b.load(x, at(99)), b.constant_int({kU8, 1}, 3));
          b.store(access);
        });
}

// z = x as words, and what keeps the bytes from being widened at once.
struct Widened {
  Scalar from = kS8, to = kS32;
  int lanes = 4;
  int64_t stride = 1;
  bool mask = false, indices = false, twice = false, stores = false;
  Held held = Held::kMemory;
};
void add_widened(const std::string& name, const Widened& how) {
  const auto make = [&](Builder& b) {
    const BufferId x = read_from(b, how.from);
    const BufferId y = written_to(b, how.from), z = written_to(b, how.to);
    const Type type{how.from, static_cast<uint16_t>(how.lanes)};
    b.loop(3, [&](ValueId i) {
      if (how.stores) b.store(y, Affine::of(i, 4), b.load(x, Affine::of(i, 4, 1), how.lanes));
      Access access{
          .buffer = how.stores ? y : x, .at = Affine::of(i, 4, 8), .lane_stride = how.stride};
      if (how.indices) access.lane_indices = b.lane_index(type.with(kS32));
      if (how.mask)
        access.mask = b.compare(Predicate::kLt, b.lane_index(type.with(kS32)),
                                b.constant_int(type.with(kS32), 3));
      const ValueId read = b.load(access, how.lanes);
      b.store(z, Affine::of(i, 4), b.op(OpKind::kNativeConvert, type.with(how.to), {read}));
      if (how.twice) b.store(y, Affine::of(i, 4, 16), read);
    });
  };
  add_edge(cat("widened, ", name), make, {how.held});
}

TEST_CASE("the C of bytes that become words is what it was") {
  add_widened("plain", {});
  add_widened("without sign", {.from = kU8, .to = kU32});
  add_widened("to the other sign", {.to = kU32});
  add_widened("from the other sign", {.from = kU8});
  add_widened("halves", {.from = kS16});
  add_widened("to floats", {.to = kF32});
  for (const int lanes : {2, 3, 8}) add_widened(cat(lanes, " lanes"), {.lanes = lanes});
  for (const int64_t stride : {2, -1, 0}) add_widened(cat("by ", stride), {.stride = stride});
  add_widened("masked", {.mask = true});
  add_widened("at places", {.indices = true});
  add_widened("used twice", {.twice = true});
  add_widened("stored before", {.stores = true});
  add_widened("of an array", {.held = Held::kArray});
  add_widened("of parts", {.held = Held::kParts});
}

TEST_CASE("the C of branches and lanes in another order is what it was") {
  for (const bool then : {false, true})
    for (const bool otherwise : {false, true})
      add_edge(cat("a branch", then ? " that does" : "", otherwise ? " or does" : ""),
               [&](Builder& b) {
                 const BufferId x = read_from(b, kS32), y = written_to(b, kS32);
                 const ValueId read = b.load(x, at(0));
                 const auto side = [&](bool does) {
                   return [&b, y, read, does] {
                     if (does) b.store(y, at(1), read);
                     return Values{};
                   };
                 };
                 b.if_else(b.compare(Predicate::kLt, read, b.constant_int({kS32, 1}, 5)),
                           side(then), side(otherwise));
                 b.store(y, at(0), read);
               });
  for (const std::vector<int>& lanes :
       {std::vector{0, 1, 2, 3}, {-1, 4, -1, 0}, {3, 4, 7, 0}, {-1, -1, 2, 2, 5, 6}})
    for (const Scalar scalar : {kS16, kS32})
      add_edge(cat("lanes from ", lanes[0], " to ", lanes.back(), " of ", scalar_name(scalar)),
               [&](Builder& b) {
                 const BufferId x = read_from(b, scalar), y = written_to(b, scalar);
                 b.store(y, at(0), b.shuffle(b.load(x, at(0), 4), b.load(x, at(8), 4), lanes));
               });
}

TEST_CASE("elements of flash are read by their width") {
  const auto text = [](Scalar element) { return constant_hook(true, {{"t", element}}, false); };
  const auto has = [](const std::string& all, const char* what) {
    return all.find(what) != std::string::npos;
  };
  for (const Scalar wide : {kS64, kU64, kF64}) CHECK(has(text(wide), "(uint64_t)HL_PGM(dword)"));
  for (const Scalar narrow : {kS32, kF32, kIndex, kS16, kPred})
    CHECK_FALSE(has(text(narrow), "(uint64_t)"));
  CHECK(has(text(kIndex), "HL_PGM(word)(at)"));
}

TEST_CASE("words of devices stand eight in a line, and none of what is empty") {
  planning::Plan plan;
  plan.device_data["none"] = {};
  for (uint32_t n = 0; n < 17; ++n) plan.device_data["part"].push_back(n);
  CHECK(device_arrays(plan) ==
        "\n/* What the driver of the device is handed of part (hlocc_device.h). */\n"
        "const uint32_t part[17] = {\n"
        "  0x0, 0x1, 0x2, 0x3, 0x4, 0x5, 0x6, 0x7,\n"
        "  0x8, 0x9, 0xa, 0xb, 0xc, 0xd, 0xe, 0xf,\n"
        "  0x10,\n};\n");
}

}  // namespace
}  // namespace hlocc::backends
