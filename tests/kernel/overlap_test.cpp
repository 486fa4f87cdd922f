// What launches say of overlaps, held against each access of the kernel: an element that is read
// after the result was written over it is a diagnostic, whatever its value.
#include <catch2/catch.hpp>
#include <cstring>

#include "kernel/builder.h"
#include "kernel/evaluate/evaluator.h"

namespace hlocc::kernel {
namespace {

constexpr int64_t kCount = 8;

// y[i + shift] = x[at(i)] for all i, turn by turn.
template <typename At>
Kernel moved(int64_t shift, At at, Scalar to = Scalar::kS32) {
  Builder b("moved");
  const BufferId x = b.buffer({.name = "x", .element = Scalar::kS32, .elements = kCount});
  const BufferId y = b.buffer(
      {.name = "y", .element = to, .elements = kCount + shift, .direction = Direction::kOut});
  b.loop(shift, [&](ValueId i) { b.store(y, Affine::of(i), b.zero({to, 1})); });
  b.loop(kCount,
         [&](ValueId i) { b.store(y, Affine::of(i, 1, shift), b.convert(b.load(x, at(i)), to)); });
  return b.finish();
}

// The diagnostic's message, empty where the claims hold.
std::string checked(Kernel kernel, std::vector<Overlap> overlaps) {
  Program p;
  p.values = {
      {.name = "x",
       .element = Scalar::kS32,
       .elements = kCount,
       .role = ValueRole::kArgument,
       .leaf = 0},
      {.name = "y", .element = kernel.buffers[1].element, .elements = kernel.buffers[1].elements}};
  const auto leaf = [](const ProgramValue& v) {
    return Leaf{.index = 0, .shape = hlo::Shape::array(hlo::PrimitiveType::kS32, {v.elements})};
  };
  p.signature.arguments = {leaf(p.values[0])};
  p.signature.results = {leaf(p.values[1])};
  p.arguments = {0};
  p.results = {1};
  p.kernels.push_back(std::move(kernel));
  p.steps.push_back({Launch{.kernel = 0, .operands = {0, 1}, .overlaps = std::move(overlaps)}, {}});
  // All elements alike: only the accesses tell.
  const auto got =
      evaluate(p, std::vector<std::vector<std::byte>>{std::vector<std::byte>(4 * kCount)});
  return got.ok() ? "" : got.error().message;
}

const auto same = [](ValueId i) { return Affine::of(i); };
const auto mirrored = [](ValueId i) { return Affine::of(i, -1, kCount - 1); };

}  // namespace

TEST_CASE("elementwise kernels run in place", "[kernel]") {
  CHECK(checked(moved(0, same), {{1, 0, 0}}) == "");
  CHECK(checked(moved(0, mirrored), {}) == "");
  // The second half reads what the first half was written over.
  CHECK(checked(moved(0, mirrored), {{1, 0, 0}}) ==
        "kernel moved: reads element 3 of x after y was written over it, which the launch allows");
}

TEST_CASE("writing runs ahead of reading by what the launch says", "[kernel]") {
  for (int64_t shift : {1, 2, 5}) {
    CHECK(checked(moved(shift, same), {{1, 0, 4 * shift}}) == "");
    CHECK(checked(moved(shift, same), {{1, 0, 4 * shift + 4}}) == "");
    CHECK(checked(moved(shift, same), {{1, 0, 4 * shift - 4}}) != "");
  }
}

TEST_CASE("elements of other sizes cover bytes", "[kernel]") {
  // A narrow result lags behind, a wide one runs ahead.
  CHECK(checked(moved(0, same, Scalar::kS16), {{1, 0, 0}}) == "");
  CHECK(checked(moved(0, same, Scalar::kS64), {{1, 0, 0}}) != "");
  CHECK(checked(moved(0, same, Scalar::kS64), {{1, 0, 4 * kCount}}) == "");
}

}  // namespace hlocc::kernel
