// Tiles of products on small cores: each product is added before more is read.
#include "backends_c/through_c.h"
#include "driver/pipeline/host_compiler.h"
#include "kernel/builder.h"
#include "kernel/evaluate/evaluator.h"

namespace hlocc::driver {
namespace {

using namespace kernel;
using tests::require;

Target small_row() {
  Target target = scalar_row();
  target.scalar_registers = 7;
  target.cache_bytes = {};
  return target;
}

constexpr int kDepth = 3;
enum class Tile { kPlain, kProductFirst, kOfProducts, kStoreBetween, kUsedTwice };

// y[n] = 11 + sum over k of x[k] * w[n, k]. A product may be stored before it is added, or a number
// of y.
Kernel tile(int columns, Scalar type, Tile form) {
  Builder b("tile");
  const BufferId x = b.buffer({.name = "x", .element = Scalar::kS8, .elements = kDepth});
  const BufferId w = b.buffer({.name = "w", .element = Scalar::kS8, .elements = columns * kDepth});
  const BufferId y =
      b.buffer({.name = "y", .element = type, .elements = columns, .direction = Direction::kOut});
  const ValueId begin = b.constant_int({type, 1}, 11);
  const auto out = b.loop(
      Loop{.upper = Affine::constant(kDepth)}, Values(static_cast<size_t>(columns), begin),
      [&](ValueId k, std::span<const ValueId> sums) {
        Values next;
        const ValueId left = b.convert(b.load(x, Affine::of(k)), type);
        for (int n = 0; n < columns; ++n) {
          const ValueId product =
              b.mul(left, b.convert(b.load(w, Affine::of(k).plus(int64_t{n} * kDepth)), type));
          if (form == Tile::kStoreBetween) b.store(y, Affine::constant(n), begin);
          if (form == Tile::kUsedTwice) b.store(y, Affine::constant(n), product);
          ValueId sum = sums[static_cast<size_t>(n)];
          if (form == Tile::kOfProducts) sum = b.mul(sum, left);
          next.push_back(form == Tile::kProductFirst ? b.add(product, sum) : b.add(sum, product));
        }
        return next;
      });
  for (int n = 0; n < columns; ++n) b.store(y, Affine::constant(n), out[static_cast<size_t>(n)]);
  return b.finish();
}

// The results are the evaluator's.
std::string text_of(Kernel kernel, int columns, const Target& target) {
  const Program program = program_of(std::move(kernel));
  std::vector<std::vector<std::byte>> arguments(2);
  for (int i = 0; i < kDepth; ++i) arguments[0].push_back(static_cast<std::byte>(i * 37 + 120));
  for (int i = 0; i < columns * kDepth; ++i)
    arguments[1].push_back(static_cast<std::byte>(i * 91 + 125));
  const ThroughC got = through_c(program, target, arguments);
  CHECK(got.results == require(evaluate(program, arguments)));
  return got.text;
}

bool has_sums(const std::string& text) { return text.find("hl_mul_add") != std::string::npos; }

TEST_CASE("products of a tile are added one after the other on small cores") {
  if (host_compiler().empty()) return;
  for (const Scalar type : {Scalar::kS32, Scalar::kU32}) {
    INFO(scalar_name(type));
    CHECK(has_sums(text_of(tile(4, type, Tile::kPlain), 4, small_row())));
    CHECK(has_sums(text_of(tile(4, type, Tile::kProductFirst), 4, small_row())));
    CHECK(!has_sums(text_of(tile(4, type, Tile::kOfProducts), 4, small_row())));
    // Three are no tile; what others see, or what may change in between, stands as it did.
    CHECK(!has_sums(text_of(tile(3, type, Tile::kPlain), 3, small_row())));
    CHECK(!has_sums(text_of(tile(4, type, Tile::kStoreBetween), 4, small_row())));
    CHECK(!has_sums(text_of(tile(4, type, Tile::kUsedTwice), 4, small_row())));
  }
  CHECK(!has_sums(text_of(tile(4, Scalar::kS16, Tile::kPlain), 4, small_row())));
  Target target = small_row();
  target.scalar_registers = 26;
  CHECK(has_sums(text_of(tile(4, Scalar::kS32, Tile::kPlain), 4, target)));
  target.isa = {Isa::kDsp};  // words have an order of their own
  CHECK(!has_sums(text_of(tile(4, Scalar::kS32, Tile::kPlain), 4, target)));
  target = small_row();
  target.cache_bytes = {32 << 10};
  CHECK(!has_sums(text_of(tile(4, Scalar::kS32, Tile::kPlain), 4, target)));
  target = small_row();
  target.constants_apart = true;  // its text is for another compiler
  Program program = program_of(tile(4, Scalar::kS32, Tile::kPlain));
  REQUIRE(legalize(program, target).ok());
  const planning::Plan plan = require(planning::plan(program, target));
  const Artifacts made =
      require(backends::compile_to_c(program, plan, target, {ArtifactKind::kCSource}));
  const auto bytes = made.files.at(ArtifactKind::kCSource).joined();
  CHECK(!has_sums({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
}

// y[0] = x[0] * x[1] and so on: `count` multiplications, from x[first] on.
Kernel multiplying(int64_t count, bool first_is_known) {
  Builder b("long");
  const BufferId x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = count + 1});
  const BufferId y = b.buffer(
      {.name = "y", .element = Scalar::kS32, .elements = count, .direction = Direction::kOut});
  const auto multiply = [&](ValueId i) {
    b.store(y, Affine::of(i), b.mul(b.load(x, Affine::of(i)), b.load(x, Affine::of(i).plus(1))));
  };
  if (first_is_known) b.loop(count, multiply);
  if (!first_is_known)
    b.loop(2, [&](ValueId first) {
      b.loop(Loop{.lower = Affine::of(first), .upper = Affine::constant(count)}, multiply);
    });
  return b.finish();
}

TEST_CASE("long kernels stay functions, but for tiles of words") {
  if (host_compiler().empty()) return;
  const auto stays = [](int64_t count, const Target& target, bool first_is_known = true) {
    const Program program = program_of(multiplying(count, first_is_known));
    const std::vector<std::vector<std::byte>> arguments{
        std::vector<std::byte>(static_cast<size_t>(4 * (count + 1)), std::byte{3})};
    const ThroughC got = through_c(program, target, arguments);
    CHECK(got.results == require(evaluate(program, arguments)));
    return got.text.find("HL_KERNEL void") != std::string::npos;
  };
  CHECK(stays(1024, small_row()));
  CHECK(!stays(1023, small_row()));
  // Twice, from a place on that is not known: one turn of each is counted.
  CHECK(!stays(1024, small_row(), false));
  Target words = small_row();
  words.isa = {Isa::kDsp};
  CHECK(!stays(1024, words));
}

}  // namespace
}  // namespace hlocc::driver
