// Products of bytes on rows with Arm's DSP instructions: vectors in words, in the portable form
// that this machine's compiler takes. The instructions themselves run on boards.
#include "backends_c/through_c.h"
#include "driver/pipeline/host_compiler.h"
#include "kernel/builder.h"
#include "kernel/evaluate/evaluator.h"

namespace hlocc::driver {
namespace {

using namespace kernel;
using tests::require;

Target dsp_row() {
  Target target = scalar_row();
  target.isa = {Isa::kDsp};
  return target;
}

enum class Use { kWords, kLane, kExchangedDot };

struct Dots {
  Builder b{"dots"};
  BufferId x, w, y;
  Dots(Scalar left, Scalar right) {
    x = b.buffer({.name = "x", .element = left, .elements = 8});
    w = b.buffer({.name = "w", .element = right, .elements = 8});
    y = b.buffer(
        {.name = "y", .element = Scalar::kS32, .elements = 2, .direction = Direction::kOut});
  }
};

// Bytes by bytes where they lie, twice a turn; and one more use of what was read.
Kernel in_place(Scalar left, Scalar right, Use use) {
  Dots d(left, right);
  const ValueId begin = d.b.constant_int({Scalar::kS32, 1}, 5);
  const auto dot = [&](int64_t at, ValueId sum) {
    return d.b.dot_accumulate(sum, d.b.load(d.x, Affine::constant(at), 4),
                              d.b.load(d.w, Affine::constant(at), 4));
  };
  const ValueId sum = dot(4, dot(0, begin));
  d.b.store(d.y, Affine::constant(0), sum);
  ValueId other = begin;
  const ValueId bytes = d.b.load(d.w, Affine::constant(0), 4);
  if (use == Use::kLane) other = d.b.convert(d.b.extract(bytes, 1), Scalar::kS32);
  const ValueId weights =
      use == Use::kExchangedDot ? d.b.shuffle(bytes, bytes, {0, 2, 1, 3}) : bytes;
  other = d.b.dot_accumulate(other, d.b.load(d.x, Affine::constant(0), 4), weights);
  d.b.store(d.y, Affine::constant(1), other);
  return d.b.finish();
}

// As lowering's dot_accumulate_2 does: the left side in scratch as numbers of 16 bits, weights in
// pairs of units whose middle bytes are exchanged.
Kernel through_scratch(Scalar left) {
  Dots d(left, Scalar::kS8);
  const BufferId halves = d.b.buffer({.name = "halves",
                                      .element = Scalar::kS16,
                                      .elements = 4,
                                      .direction = Direction::kScratch,
                                      .space = Space::kStack,
                                      .alignment = 8});
  d.b.store(halves, Affine::constant(0),
            d.b.convert(d.b.load(d.x, Affine::constant(4), 4), Scalar::kS16));
  const ValueId units = d.b.load(d.w, Affine::constant(0), 8);
  for (const int column : {0, 1}) {
    const int at = 4 * column;
    const ValueId weights =
        d.b.convert(d.b.shuffle(units, units, {at, at + 2, at + 1, at + 3}), Scalar::kS16);
    const ValueId row = d.b.load(halves, Affine::constant(0), 4);
    ValueId sum = d.b.zero({Scalar::kS32, 1});
    for (const int half : {0, 2})
      sum = d.b.dot_accumulate(sum, d.b.shuffle(row, row, {half, half + 1}),
                               d.b.shuffle(weights, weights, {half, half + 1}));
    d.b.store(d.y, Affine::constant(column), sum);
  }
  return d.b.finish();
}

int times(const std::string& text, const std::string& what) {
  int count = 0;
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++count;
  return count;
}

// How often the kernel multiplies words; the results are the evaluator's.
int products_of_words(Kernel kernel, const Target& target) {
  const Program program = program_of(std::move(kernel));
  std::vector<std::vector<std::byte>> arguments(2);
  for (int i = 0; i < 8; ++i) {
    arguments[0].push_back(static_cast<std::byte>(i * 37 + 120));
    arguments[1].push_back(static_cast<std::byte>(i * 91 + 125));
  }
  const ThroughC got = through_c(program, target, arguments);
  CHECK(got.results == require(evaluate(program, arguments)));
  const int calls = times(got.text, "hl_dot_pairs(");
  return calls == 0 ? 0 : calls - 1;  // the definition
}

TEST_CASE("bytes are multiplied as words where nothing else sees their lanes") {
  if (host_compiler().empty()) return;
  const Target target = dsp_row();
  for (const Scalar left : {Scalar::kS8, Scalar::kU8})
    for (const Scalar right : {Scalar::kS8, Scalar::kU8}) {
      INFO(scalar_name(left) << " by " << scalar_name(right));
      CHECK(products_of_words(in_place(left, right, Use::kWords), target) == 6);
      // A lane that somebody sees, and bytes in another order, take their product alone with them.
      CHECK(products_of_words(in_place(left, right, Use::kLane), target) == 4);
      CHECK(products_of_words(in_place(left, right, Use::kExchangedDot), target) == 4);
    }
}

TEST_CASE("bytes are spread to pairs of 16 bits, weights in the order of SXTB16") {
  if (host_compiler().empty()) return;
  for (const Scalar left : {Scalar::kS8, Scalar::kU8})
    CHECK(products_of_words(through_scratch(left), dsp_row()) == 4);
}

TEST_CASE("aligned bytes are read as aligned words where they begin at one") {
  if (host_compiler().empty()) return;
  for (const int64_t at : {0, 1, 2, 4}) {
    Builder b("aligned");
    const auto bytes = [&](const char* name) {
      return b.buffer({.name = name, .element = Scalar::kS8, .elements = 8, .alignment = 4});
    };
    const BufferId x = bytes("x"), w = bytes("w");
    const BufferId y = b.buffer(
        {.name = "y", .element = Scalar::kS32, .elements = 1, .direction = Direction::kOut});
    b.store(
        y, Affine::constant(0),
        b.dot_accumulate(b.constant_int({Scalar::kS32, 1}, 5), b.load(x, Affine::constant(at), 4),
                         b.load(w, Affine::constant(at), 4)));
    const Program program = program_of(b.finish());
    std::vector<std::byte> values;
    for (int i = 0; i < 8; ++i) values.push_back(static_cast<std::byte>(i * 91 + 125));
    const std::vector<std::vector<std::byte>> arguments{values, values};
    const ThroughC got = through_c(program, dsp_row(), arguments);
    INFO("from byte " << at);
    CHECK(got.results == require(evaluate(program, arguments)));
    CHECK((times(got.text, "hl_word_s8_aligned(") > 0) == (at % 4 == 0));
  }
}

TEST_CASE("rows without the instructions, or with vectors, have no words") {
  if (host_compiler().empty()) return;
  Target plain = dsp_row(), vectors = dsp_row();
  plain.isa = {};
  vectors.vector_bits = 128;
  for (const Target& target : {plain, vectors}) {
    CHECK(products_of_words(in_place(Scalar::kS8, Scalar::kS8, Use::kWords), target) == 0);
    CHECK(products_of_words(through_scratch(Scalar::kS8), target) == 0);
  }
}

}  // namespace
}  // namespace hlocc::driver
