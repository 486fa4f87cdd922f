// Palettes: which constants have one and what it takes, that every bit of an element comes back
// from it, and kernels that read constants through one: the same results, in as little scratch as
// their loops allow.
#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "kernel/builder.h"
#include "kernel/evaluate/evaluator.h"
#include "kernel/palettes/palette.h"
#include "kernel/palettes/unpack.h"
#include "kernel/verifier.h"

namespace hlocc::kernel {
namespace {

using Bytes = std::vector<std::byte>;

ProgramValue constant_of(Scalar element, const std::vector<uint64_t>& codes) {
  const auto width = static_cast<size_t>(scalar_bytes(element));
  Bytes bytes(codes.size() * width);
  for (size_t n = 0; n < codes.size(); ++n) std::memcpy(bytes.data() + n * width, &codes[n], width);
  return {.name = "w",
          .element = element,
          .elements = static_cast<int64_t>(codes.size()),
          .role = ValueRole::kConstant,
          .data = std::make_shared<const Bytes>(std::move(bytes))};
}

// So many elements of so many different values, each of which comes.
std::vector<uint64_t> drawn(size_t elements, size_t different, uint32_t seed = 1) {
  std::mt19937 random(seed);
  std::vector<uint64_t> codes;
  for (size_t n = 0; n < elements; ++n)
    codes.push_back(7 + 3 * (n < different ? n : random() % different));
  return codes;
}

uint64_t element_at(const Bytes& bytes, size_t n, size_t width) {
  uint64_t code = 0;
  std::memcpy(&code, bytes.data() + n * width, width);
  return code;
}

// What a palette says, element by element.
std::vector<uint64_t> looked_up(const Palette& palette, size_t elements, Scalar element) {
  std::vector<uint64_t> out;
  for (size_t n = 0; n < elements; ++n) {
    size_t index = 0;
    for (size_t bit = 0; bit < static_cast<size_t>(palette.bits); ++bit) {
      const size_t at = n * static_cast<size_t>(palette.bits) + bit;
      index |= (std::to_integer<size_t>((*palette.indices)[at / 8]) >> at % 8 & 1) << bit;
    }
    out.push_back(element_at(*palette.elements, index, static_cast<size_t>(scalar_bytes(element))));
  }
  return out;
}

// y[i] = sum over k of x[k] * w[columns * k + i], tile by tile of columns, or row by row.
enum class Order { kTiles, kRows, kUneven, kGathered };
Kernel product(Scalar element, int64_t depth, int64_t columns, Order order) {
  Builder b("product");
  const BufferId w = b.buffer({.name = "w", .element = element, .elements = depth * columns});
  const BufferId y = b.buffer(
      {.name = "y", .element = element, .elements = depth * columns, .direction = Direction::kOut});
  const auto copy = [&](const Affine& at, int lanes) { b.store(y, at, b.load(w, at, lanes)); };
  const int64_t tile = order == Order::kUneven ? 4 : 8;
  if (order == Order::kGathered) {
    b.loop(depth * columns, [&](ValueId i) {
      const ValueId at = b.convert(b.convert(i, Scalar::kS32), Scalar::kIndex);
      b.store(y, Affine::of(i), b.load(w, Affine::of(at)));
    });
  } else if (order == Order::kRows) {
    // Each of `depth` iterations reads all columns of it, twice.
    b.loop(depth, [&](ValueId k) {
      for (int twice = 0; twice < 2; ++twice)
        b.loop(columns, [&](ValueId i) { copy(Affine::of(k, columns).plus(Affine::of(i)), 1); });
    });
  } else {
    // Panels: the tile's columns of all rows lie together; behind whole tiles come what is left.
    const int64_t whole = columns / tile * tile;
    b.loop({Affine{}, Affine::constant(whole), tile}, [&](ValueId first) {
      b.loop(depth, [&](ValueId k) {
        copy(Affine::of(first, depth).plus(Affine::of(k, tile)), static_cast<int>(tile));
      });
    });
    b.loop(depth * (columns - whole), [&](ValueId i) { copy(Affine::of(i, 1, whole * depth), 1); });
  }
  return b.finish();
}

// The kernel's result with the constant as it is, and as a palette; equal.
int64_t scratch_of(Scalar element, int64_t depth, int64_t columns, Order order, size_t different) {
  const Kernel plain = product(element, depth, columns, order);
  const size_t elements = static_cast<size_t>(depth * columns);
  const std::vector<uint64_t> codes = drawn(elements, std::min(different, elements));
  const ProgramValue value = constant_of(element, codes);
  const std::optional<Palette> palette = palette_of(value);
  REQUIRE(palette);
  const int64_t entries = static_cast<int64_t>(palette->elements->size()) / scalar_bytes(element);
  const PaletteUse use{.operand = 0, .bits = palette->bits};
  const auto made = unpack_palettes(plain, std::vector{use}, std::vector{entries});
  REQUIRE(made);
  const Status legal = verify(made->kernel);
  INFO((legal.ok() ? "" : legal.error().message) << to_text(made->kernel));
  REQUIRE(legal.ok());
  REQUIRE(made->kernel.operand_buffers() == 3);
  CHECK(made->kernel.buffers[0].elements == static_cast<int64_t>(palette->indices->size()));
  Bytes w = *value.data, y(w.size()), indices = *palette->indices, entry = *palette->elements,
        z(w.size());
  Bytes scratch(static_cast<size_t>(made->scratch_bytes));
  REQUIRE(evaluate(plain, std::vector<std::span<std::byte>>{w, y}, {}).ok());
  const Status ran =
      evaluate(made->kernel, std::vector<std::span<std::byte>>{indices, z, entry, scratch}, {});
  INFO((ran.ok() ? "" : ran.error().message));
  REQUIRE(ran.ok());
  CHECK(y == z);
  return made->scratch_bytes / scalar_bytes(element);
}

}  // namespace

TEST_CASE("up to 64 different elements have a palette, in as few bits as tell them apart") {
  const std::vector<std::pair<size_t, int>> rows = {{1, 1},  {2, 1},  {3, 2},  {4, 2},
                                                    {5, 3},  {8, 3},  {9, 4},  {16, 4},
                                                    {17, 5}, {32, 5}, {33, 6}, {64, 6}};
  for (const auto& [different, bits] : rows)
    for (const Scalar element : {Scalar::kS16, Scalar::kF32, Scalar::kU64, Scalar::kF64}) {
      const std::vector<uint64_t> codes = drawn(201, different);
      const std::optional<Palette> palette = palette_of(constant_of(element, codes));
      REQUIRE(palette);
      CHECK(palette->bits == bits);
      CHECK(palette->elements->size() == different * static_cast<size_t>(scalar_bytes(element)));
      // 26 groups hold 201, and one more.
      CHECK(palette->indices->size() == 27 * static_cast<size_t>(bits));
      CHECK(looked_up(*palette, codes.size(), element) == codes);
    }
  CHECK(!palette_of(constant_of(Scalar::kS16, drawn(201, 65))));
  CHECK(!palette_of(constant_of(Scalar::kS16, {})));
}

TEST_CASE("zeros keep their signs in a palette and NaNs what they carry") {
  const std::vector<uint64_t> codes = {0,          0x80000000, 0x7FC00000, 0x7F800001, 0xFFC12345,
                                       0x7F800000, 0x80000000, 0,          0x7F800001};
  const std::optional<Palette> palette = palette_of(constant_of(Scalar::kF32, codes));
  REQUIRE(palette);
  CHECK(palette->elements->size() == 4 * 6);
  CHECK(looked_up(*palette, codes.size(), Scalar::kF32) == codes);
}

TEST_CASE("kernels look elements up in scratch before they read them") {
  for (const Scalar element : {Scalar::kS8, Scalar::kU16, Scalar::kF32, Scalar::kF64})
    for (const size_t different : {2, 3, 8, 16, 31, 64}) {
      // The columns of a tile at a time; what is behind whole tiles for itself.
      CHECK(scratch_of(element, 6, 24, Order::kTiles, different) == 6 * 8);
      CHECK(scratch_of(element, 8, 27, Order::kTiles, different) == 8 * 8);
      // The row that two loops read.
      CHECK(scratch_of(element, 5, 32, Order::kRows, different) == 32);
    }
}

TEST_CASE("where elements begin between groups, or anywhere, all are looked up at once") {
  // Tiles of four columns of odd rows, and rows of 45.
  CHECK(scratch_of(Scalar::kS8, 5, 24, Order::kUneven, 16) == 5 * 24);
  for (const size_t different : {4, 7, 16, 20, 40})
    CHECK(scratch_of(Scalar::kS8, 14, 24, Order::kUneven, different) == 14 * 4);
  CHECK(scratch_of(Scalar::kS8, 8, 45, Order::kRows, 16) == 8 * 45);
  CHECK(scratch_of(Scalar::kS8, 8, 48, Order::kRows, 16) == 48);
  // So few at a time are not worth a loop of their own.
  CHECK(scratch_of(Scalar::kS8, 8, 24, Order::kRows, 16) == 8 * 24);
  CHECK(scratch_of(Scalar::kS8, 8, 32, Order::kRows, 16) == 32);
  CHECK(scratch_of(Scalar::kS8, 4, 9, Order::kGathered, 5) == 40);
}

// Loops in loops, each with a step and a distance of its own, and loads of some lanes in the
// innermost ones, one behind the other.
class DrawnKernel {
 public:
  explicit DrawnKernel(uint32_t seed) : random_(seed), b_("drawn") {
    w_ = b_.buffer({.name = "w", .element = Scalar::kS16, .elements = kElements});
    y_ = b_.buffer(
        {.name = "y", .element = Scalar::kS16, .elements = 1 << 16, .direction = Direction::kOut});
    const int64_t nests = one_of({1, 2, 3});
    for (int64_t n = 0; n < nests; ++n)
      nest(Affine::constant(one_of({0, 0, 5, 64})), kElements / 2, 0);
  }
  Kernel finish() { return b_.finish(); }
  static constexpr int64_t kElements = 1024;

 private:
  int64_t one_of(std::vector<int64_t> choices) { return choices[random_() % choices.size()]; }

  // `room`: elements behind `at` that may be read.
  void nest(const Affine& at, int64_t room, int depth) {
    if (depth == 3 || room < 8 || random_() % 5 == 0) return read(at);
    const int64_t step = one_of({1, 2, 4, 8}), scale = one_of({1, 3, 4, 8, 16}),
                  most = room / 2 / scale;
    if (most < step) return read(at);
    const Loop loop{Affine::constant(step * one_of({0, 1})), Affine::constant(most + 1), step};
    b_.loop(loop, [&](ValueId counter) {
      const Affine inner = at.plus(Affine::of(counter, scale));
      nest(inner, room / 2, depth + 1);
      if (random_() % 3 == 0) nest(inner.plus(one_of({0, 8})), room / 4, depth + 1);
    });
  }
  void read(const Affine& at) {
    const int lanes = static_cast<int>(one_of({1, 1, 4, 8}));
    const ValueId found = b_.load(w_, at, lanes);
    b_.store(y_, at.times(8).plus(static_cast<int64_t>(++reads_) * 64), found);
  }

  std::mt19937 random_;
  Builder b_;
  BufferId w_ = kNone, y_ = kNone;
  int reads_ = 0;
};

TEST_CASE("drawn kernels compute the same through palettes") {
  size_t in_parts = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    const Kernel plain = DrawnKernel(seed).finish();
    const ProgramValue value =
        constant_of(Scalar::kS16, drawn(DrawnKernel::kElements, 2 + seed % 60, seed));
    const std::optional<Palette> palette = palette_of(value);
    REQUIRE(palette);
    const PaletteUse use{.operand = 0, .bits = palette->bits};
    const auto made = unpack_palettes(
        plain, std::vector{use}, std::vector{static_cast<int64_t>(palette->elements->size()) / 2});
    REQUIRE(made);
    REQUIRE(verify(made->kernel).ok());
    in_parts += made->scratch_bytes < 2 * DrawnKernel::kElements ? 1 : 0;
    Bytes w = *value.data, y(2 << 16), indices = *palette->indices, entries = *palette->elements,
          z(2 << 16), scratch(static_cast<size_t>(made->scratch_bytes));
    REQUIRE(evaluate(plain, std::vector<std::span<std::byte>>{w, y}, {}).ok());
    const Status ran =
        evaluate(made->kernel, std::vector<std::span<std::byte>>{indices, z, entries, scratch}, {});
    INFO(seed << (ran.ok() ? "" : ran.error().message));
    REQUIRE(ran.ok());
    CHECK(y == z);
  }
  CHECK(in_parts > 100);
}

TEST_CASE("masked lanes behind a constant are not looked up") {
  Builder b("masked");
  const BufferId w = b.buffer({.name = "w", .element = Scalar::kS32, .elements = 62});
  const BufferId y = b.buffer(
      {.name = "y", .element = Scalar::kS32, .elements = 62, .direction = Direction::kOut});
  const ValueId some = b.constant_lanes({Scalar::kPred, 8}, {1, 1, 1, 1, 1, 1, 0, 0});
  b.loop({Affine{}, Affine::constant(56), 8},
         [&](ValueId i) { b.store(y, Affine::of(i), b.load(w, Affine::of(i), 8)); });
  const ValueId last = b.load({.buffer = w, .at = Affine::constant(56), .mask = some}, 8);
  b.store({.buffer = y, .at = Affine::constant(56), .stored = last, .mask = some});
  const Kernel kernel = b.finish();
  const PaletteUse use{.operand = 0, .bits = 2};
  const auto made = unpack_palettes(kernel, std::vector{use}, std::vector<int64_t>{4});
  REQUIRE(made);
  CHECK(made->scratch_bytes == 64 * 4);
}

// y[8 * i ...] = w[i ...] for i from `lower` in steps of 32, 32 elements each.
int64_t scratch_from(int64_t lower, bool carried = false) {
  Builder b("runs");
  const BufferId w = b.buffer({.name = "w", .element = Scalar::kS16, .elements = 200});
  const BufferId y = b.buffer(
      {.name = "y", .element = Scalar::kS16, .elements = 200, .direction = Direction::kOut});
  const Loop loop{.lower = Affine::constant(lower), .upper = Affine::constant(160), .step = 32};
  const auto copy = [&](ValueId i) {
    b.loop(32, [&](ValueId k) {
      const Affine at = Affine::of(i).plus(Affine::of(k));
      b.store(y, at, b.load(w, at));
    });
  };
  if (carried)
    b.loop(loop, {b.index(0)}, [&](ValueId i, std::span<const ValueId> values) {
      copy(i);
      return Values{b.add(values[0], i)};
    });
  else
    b.loop(loop, copy);
  const Kernel plain = b.finish();
  const ProgramValue value = constant_of(Scalar::kS16, drawn(200, 9));
  const std::optional<Palette> palette = palette_of(value);
  REQUIRE(palette);
  const PaletteUse use{.operand = 0, .bits = palette->bits};
  const auto made = unpack_palettes(plain, std::vector{use}, std::vector<int64_t>{9});
  REQUIRE(made);
  REQUIRE(verify(made->kernel).ok());
  Bytes w_bytes = *value.data, first(400), second(400), indices = *palette->indices,
        entries = *palette->elements, scratch(static_cast<size_t>(made->scratch_bytes));
  REQUIRE(evaluate(plain, std::vector<std::span<std::byte>>{w_bytes, first}, {}).ok());
  const std::vector<std::span<std::byte>> buffers = {indices, second, entries, scratch};
  REQUIRE(evaluate(made->kernel, buffers, {}).ok());
  CHECK(first == second);
  return made->scratch_bytes / 2;
}

TEST_CASE("a loop that begins between groups, or carries sums, has all looked up before it") {
  CHECK(scratch_from(0) == 32);
  CHECK(scratch_from(32) == 32);
  CHECK(scratch_from(4) == 168);
  CHECK(scratch_from(0, true) == 160);
}

TEST_CASE("prefetches of what is looked up go, and those of others stay with their buffers") {
  Builder b("fetches");
  const BufferId w = b.buffer({.name = "w", .element = Scalar::kS32, .elements = 64});
  const BufferId x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = 64});
  const BufferId y = b.buffer(
      {.name = "y", .element = Scalar::kS32, .elements = 64, .direction = Direction::kOut});
  const BufferId own = b.buffer(
      {.name = "own", .element = Scalar::kS32, .elements = 64, .direction = Direction::kScratch});
  b.prefetch(w, Affine{});
  b.prefetch(x, Affine{});
  b.loop(64, [&](ValueId i) { b.store(own, Affine::of(i), b.load(w, Affine::of(i))); });
  b.loop(64, [&](ValueId i) {
    b.store(y, Affine::of(i), b.add(b.load(own, Affine::of(i)), b.load(x, Affine::of(i))));
  });
  const PaletteUse use{.operand = 0, .bits = 2};
  const auto made = unpack_palettes(b.finish(), std::vector{use}, std::vector<int64_t>{4});
  REQUIRE(made);
  REQUIRE(verify(made->kernel).ok());
  const std::string text = to_text(made->kernel);
  CHECK(text.find("prefetch x[0]") != std::string::npos);
  CHECK(text.find("prefetch w") == std::string::npos);
  CHECK(text.find("prefetch looked_up_w") == std::string::npos);
  CHECK(text.find("store own[") != std::string::npos);
  CHECK(text.find("load own[") != std::string::npos);
}

TEST_CASE("a constant that nothing reads takes no scratch") {
  Builder b("idle");
  b.buffer({.name = "w", .element = Scalar::kS32, .elements = 64});
  const BufferId y =
      b.buffer({.name = "y", .element = Scalar::kS32, .elements = 1, .direction = Direction::kOut});
  b.store(y, Affine{}, b.constant_int({Scalar::kS32, 1}, 1));
  const PaletteUse use{.operand = 0, .bits = 2};
  const auto made = unpack_palettes(b.finish(), std::vector{use}, std::vector<int64_t>{4});
  REQUIRE(made);
  CHECK(made->scratch_bytes == 0);
}

TEST_CASE("only what is read has a form as indices, and no indices have one") {
  const auto unpacked = [](const Buffer& buffer) {
    Builder b("copy");
    b.buffer(buffer);
    const PaletteUse use{.operand = 0, .bits = 1};
    return unpack_palettes(b.finish(), std::vector{use}, std::vector<int64_t>{2}).has_value();
  };
  Buffer row{.name = "w", .element = Scalar::kS16, .elements = 8};
  CHECK(unpacked(row));
  for (const Direction direction : {Direction::kOut, Direction::kInOut}) {
    row.direction = direction;
    CHECK_FALSE(unpacked(row));
  }
  CHECK_FALSE(unpacked({.name = "w", .element = Scalar::kIndex, .elements = 8}));
}

TEST_CASE("truth values have no form as indices") {
  Builder b("copy");
  const BufferId w = b.buffer({.name = "w", .element = Scalar::kPred, .elements = 8});
  const BufferId y = b.buffer(
      {.name = "y", .element = Scalar::kPred, .elements = 8, .direction = Direction::kOut});
  b.store(y, Affine{}, b.load(w, Affine{}));
  const Kernel kernel = b.finish();
  const PaletteUse use{.operand = 0, .bits = 1};
  CHECK(!unpack_palettes(kernel, std::vector{use}, std::vector<int64_t>{2}));
}

// Elements of scratch that a kernel takes which reads w, of 256 elements, and writes y.
int64_t looked_up_by(const std::function<void(Builder&, BufferId w, BufferId y)>& body) {
  Builder b("reads");
  const BufferId w = b.buffer({.name = "w", .element = Scalar::kS32, .elements = 256});
  const BufferId y = b.buffer(
      {.name = "y", .element = Scalar::kS32, .elements = 1024, .direction = Direction::kOut});
  body(b, w, y);
  const PaletteUse use{.operand = 0, .bits = 2};
  const auto made = unpack_palettes(b.finish(), std::vector{use}, std::vector<int64_t>{4});
  REQUIRE(made);
  CHECK(verify(made->kernel).ok());
  return made->scratch_bytes / 4;
}
// y[k] = w[at + k] for 64 of k.
void copy_from(Builder& b, BufferId w, BufferId y, const Affine& at) {
  b.loop(64, [&](ValueId k) { b.store(y, Affine::of(k), b.load(w, at.plus(Affine::of(k)))); });
}

TEST_CASE("as much is looked up as one part reads, where that is known and not repeated") {
  const auto from_parameter = [](int64_t scale) {
    return looked_up_by([&](Builder& b, BufferId w, BufferId y) {
      copy_from(b, w, y, Affine::of(b.parameter(), scale));
    });
  };
  CHECK(from_parameter(64) == 64);
  CHECK(from_parameter(4) == 256);
  const auto in_loop = [](int64_t step, bool is_known) {
    return looked_up_by([&](Builder& b, BufferId w, BufferId y) {
      const Affine upper = is_known ? Affine::constant(3) : Affine::of(b.parameter());
      b.loop(Loop{.upper = upper}, [&](ValueId i) { copy_from(b, w, y, Affine::of(i, step)); });
    });
  };
  CHECK(in_loop(64, true) == 64);
  CHECK(in_loop(64, false) == 256);
  // Windows that overlap would look up again what they have.
  CHECK(in_loop(8, true) == 80);
}

TEST_CASE("branches and loads have what they read looked up before them") {
  CHECK(looked_up_by([](Builder& b, BufferId w, BufferId y) {
          b.if_then(b.compare(Predicate::kLt, b.parameter(), b.index(3)),
                    [&] { copy_from(b, w, y, Affine::constant(8)); });
        }) == 64);
  const auto load = [](Builder& b, BufferId w, BufferId y, const Affine& at) {
    b.store(y, Affine::constant(0), b.load(w, at, 8));
  };
  // Of two loads all that lies between them.
  CHECK(looked_up_by([&](Builder& b, BufferId w, BufferId y) {
          for (const int64_t at : {0, 64}) load(b, w, y, Affine::constant(at));
        }) == 72);
  // Of one that stands by itself, a group, wherever it lies.
  CHECK(looked_up_by([&](Builder& b, BufferId w, BufferId y) {
          const ValueId at = b.convert(b.convert(b.parameter(), Scalar::kS32), Scalar::kIndex);
          load(b, w, y, Affine::of(at, 8));
        }) == 8);
}

}  // namespace hlocc::kernel
