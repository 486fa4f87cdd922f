// Which vectors are held in words of 32 bits: each row is a kernel on one side of a condition of
// PackedSimd, and its ops in order, those on words with a star.
#include <catch2/catch.hpp>

#include "backends/c/packed_simd.h"
#include "backends_c/rows.h"
#include "backends_c/small_kernels.h"

namespace hlocc::backends {
namespace {

using namespace small;
using enum Scalar;
using enum OpKind;

std::string packed(const Make& make, int unreadable = -1) {
  static const Target row = target_for_c(*preset("cortex-m4"));
  const Kernel kernel = kernel_of(make);
  std::vector<bool> readable(kernel.buffers.size(), true);
  if (unreadable >= 0) readable[static_cast<size_t>(unreadable)] = false;
  const PackedSimd words(kernel, readable, row);
  return marked(kernel.body, [&](const Op& op) { return words.takes(op); });
}

struct PackedRow {
  const char* what;
  Make make;
  const char* ops;
  int unreadable = -1;
};
void check_packed(std::initializer_list<PackedRow> rows) {
  for (const PackedRow& row : rows) {
    INFO(row.what);
    CHECK(packed(row.make, row.unreadable) == row.ops);
  }
}

using Step = std::function<ValueId(Small&, ValueId)>;
ValueId as_it_is(Small&, ValueId read) { return read; }

// A sum of products of two sides, each made of what is read by a step.
Make dot(Type type, const Step& left, const Step& right,
         const std::function<void(Small&, ValueId)>& after = nullptr) {
  return [=](Small& b) {
    const ValueId x = left(b, b.read(type)), y = right(b, b.read(type));
    b.write(b.dot_accumulate(b.read({kS32, 1}), x, y));
    if (after) after(b, x);
  };
}

TEST_CASE("what is multiplied in pairs is held in words") {
  const char *all = "*load *load load *dot_accumulate store",
             *none = "load load load dot_accumulate store";
  const auto plain = [](Type type) { return dot(type, as_it_is, as_it_is); };
  const auto by = [](const std::function<void(Small&, Access&)>& change) {
    return [=](Small& b) {
      Access access{.buffer = b.array(kS16), .at = Affine::constant(0)};
      change(b, access);
      const ValueId x = b.load(access, 4), y = b.read({kS16, 4});
      b.write(b.dot_accumulate(b.constant_int({kS32, 1}, 1), x, y));
    };
  };
  const auto lanes = [](Small& b) {
    const ValueId x = b.read({kS16, 4}), y = b.read({kS16, 4});
    b.write(b.dot_accumulate(b.constant_int({kS32, 2}, 1), x, y));
  };
  check_packed({
      {"two halves", plain({kS16, 2}), all},
      {"four halves", plain({kS16, 4}), all},
      {"three halves", plain({kS16, 3}), none},
      {"unsigned halves", plain({kU16, 4}), none},
      {"four bytes", plain({kS8, 4}), all},
      {"eight bytes", plain({kU8, 8}), all},
      {"two bytes", plain({kS8, 2}), none},
      {"in lanes", lanes, "load load dot_accumulate store"},
      {"left by parts", plain({kS16, 2}), none, 0},
      {"right by parts", plain({kS16, 2}), none, 1},
      {"strided", by([](Small&, Access& a) { a.lane_stride = 2; }),
       "load load dot_accumulate store"},
      {"one for all", by([](Small&, Access& a) { a.lane_stride = 0; }),
       "load load dot_accumulate store"},
      {"as it lies", by([](Small&, Access&) {}), "*load *load *dot_accumulate store"},
      {"at places", by([](Small& b, Access& a) {
         a.lane_indices = b.read({kS32, 4});
       }),
       "load load load dot_accumulate store"},
      {"masked", by([](Small& b, Access& a) {
         a.mask = b.constant_lanes({kPred, 4}, {1, 1, 0, 1});
       }),
       "load load dot_accumulate store"},
  });
}

TEST_CASE("what words are made of, and what is made of them, is held too") {
  const auto picked = [](std::vector<int> lanes) {
    return [=](Small& b, ValueId read) { return b.shuffle(read, read, lanes); };
  };
  const auto spread = [](Scalar to) {
    return [=](Small& b, ValueId read) { return b.spread_bytes(read, 1, to); };
  };
  const auto wide = [](Scalar to) {
    return [=](Small& b, ValueId read) { return b.converted(read, to); };
  };
  const Step sum = [](Small& b, ValueId read) { return b.add(read, read); };
  const Step wide_sum = [=](Small& b, ValueId read) { return wide(kS16)(b, sum(b, read)); };
  const Step stored = [](Small& b, ValueId read) {
    b.write(read);
    return read;
  };
  const auto strided = [](Small& b, ValueId read) { b.write(read, 2); };
  const auto plain = [](Small& b, ValueId read) { b.write(read); };
  const auto yielded = [](Small& b, ValueId read) {
    const Type type = b.type(read);
    b.write(b.if_else(
        b.less_than_three(), [&] { return Values{read}; },
        [&] { return Values{b.read(type)}; })[0]);
  };
  const auto carried = [](Small& b, ValueId read) {
    b.write(b.loop(Loop{.upper = Affine::constant(5)}, {read},
                   [&](ValueId, std::span<const ValueId> now) {
                     b.prefetch(0, Affine::constant(0));
                     return Values{now[0]};
                   })[0]);
  };
  const auto unused = [](Type type) { return [=](Small& b) { b.read(type); }; };
  const auto only_one = [](Small& b) {
    const ValueId x = b.read({kS16, 2});
    const ValueId y = b.add(b.read({kS16, 2}), x);
    b.write(b.dot_accumulate(b.constant_int({kS32, 1}, 1), x, y));
  };
  check_packed({
      {"a word of halves", dot({kS16, 4}, picked({2, 3}), picked({0, 1})),
       "*load *shuffle *load *shuffle load *dot_accumulate store"},
      {"halves of two words", dot({kS16, 4}, picked({1, 2}), picked({0, 1})),
       "load shuffle load shuffle load dot_accumulate store"},
      {"a word of bytes", dot({kS8, 8}, picked({4, 5, 6, 7}), picked({0, 1, 2, 3})),
       "*load *shuffle *load *shuffle load *dot_accumulate store"},
      {"bytes out of order", dot({kS8, 8}, picked({4, 6, 5, 7}), picked({0, 1, 2, 3})),
       "load shuffle load shuffle load dot_accumulate store"},
      {"spread bytes", dot({kS8, 8}, spread(kS16), spread(kS16)),
       "*load *spread_bytes *load *spread_bytes load *dot_accumulate store"},
      {"spread unsigned bytes", dot({kU8, 8}, spread(kS16), spread(kS16)),
       "*load *spread_bytes *load *spread_bytes load *dot_accumulate store"},
      {"wide bytes", dot({kS8, 4}, wide(kS16), wide(kS16)),
       "*load *native.convert *load *native.convert load *dot_accumulate store"},
      {"wide unsigned bytes", dot({kU8, 4}, wide(kS16), wide(kS16)),
       "*load *native.convert *load *native.convert load *dot_accumulate store"},
      {"wide bytes of another sign", dot({kS8, 4}, wide(kU16), wide(kU16)),
       "load native.convert load native.convert load dot_accumulate store"},
      {"bytes of halves", dot({kS16, 4}, wide(kS8), wide(kS8)),
       "load native.convert load native.convert load dot_accumulate store"},
      {"halves of words", dot({kS32, 4}, wide(kS16), wide(kS16)),
       "load native.convert load native.convert load dot_accumulate store"},
      {"halves of the other sign", dot({kU16, 4}, wide(kS16), wide(kS16)),
       "load native.convert load native.convert load dot_accumulate store"},
      {"bytes of the other sign", dot({kS8, 4}, wide(kU8), wide(kU8)),
       "load native.convert load native.convert load dot_accumulate store"},
      {"a constant",
       dot({kS16, 4}, as_it_is,
           [](Small& b, ValueId) {
             return b.constant_lanes({kS16, 4}, {1, 2, 3, 4});
           }),
       "load load load dot_accumulate store"},
      {"sums", dot({kS16, 4}, sum, as_it_is), "load add load load dot_accumulate store"},
      {"wide sums", dot({kS8, 4}, wide_sum, wide(kS16)),
       "load add native.convert load native.convert load dot_accumulate store"},
      {"stored halves", dot({kS16, 4}, stored, as_it_is),
       "*load *store *load load *dot_accumulate store"},
      {"stored bytes", dot({kS8, 4}, stored, as_it_is),
       "load store load load dot_accumulate store"},
      {"stored wide bytes", dot({kS8, 4}, wide(kS16), wide(kS16), plain),
       "*load *native.convert *load *native.convert load *dot_accumulate store *store"},
      {"stored by two", dot({kS16, 4}, as_it_is, as_it_is, strided),
       "load load load dot_accumulate store store"},
      {"stored by parts", dot({kS16, 4}, as_it_is, as_it_is, plain),
       "load load load dot_accumulate store store", 4},
      {"yielded", dot({kS16, 4}, as_it_is, as_it_is, yielded),
       "load load load dot_accumulate store load compare if () (load) store"},
      {"carried", dot({kS16, 4}, as_it_is, as_it_is, carried),
       "load load load dot_accumulate store loop (prefetch) store"},
      {"nothing needs it", unused({kS16, 4}), "load"},
      {"only loaded and stored", of_one(kBitcast, {kU16, 2}, {kS16, 2}), "load bitcast store"},
      {"only stored",
       [](Small& b) {
         b.write(b.read({kS16, 2}));
       },
       "*load *store"},
      {"only bytes stored",
       [](Small& b) {
         b.write(b.read({kS8, 4}));
       },
       "load store"},
      {"a sum as well", only_one, "load load add dot_accumulate store"},
  });
}

TEST_CASE("nothing is held where there are no words") {
  const Kernel kernel = kernel_of(dot({kS16, 2}, as_it_is, as_it_is));
  const PackedSimd none;
  CHECK(!none.any());
  for (const Op& op : kernel.body.ops) CHECK(!none.takes(op));
}

}  // namespace
}  // namespace hlocc::backends
