// Products of units of bytes and halves: how their operands come, and who ties their sums.
#include "forms/forms.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

using namespace kernel;
using enum Scalar;

struct Products {
  int lanes, group;
  Scalar left, right;
  int from;                // lanes that the left side is taken from
  std::vector<int> order;  // of them; repeated, as long as it is
};

// y += x * w, the left side by a shuffle.
void multiply(Builder& b, const Products& how) {
  const int count = how.lanes * how.group;
  const BufferId x = x_of(b, how.left);
  const BufferId w = b.buffer({.name = "w", .element = how.right, .elements = count});
  const BufferId y = y_of(b, kS32);
  std::vector<int> order;
  for (int l = 0; l < count; ++l)
    order.push_back(how.order[static_cast<size_t>(l) % how.order.size()]);
  const ValueId unit = b.load(x, Affine::constant(0), how.from);
  b.store(y, Affine::constant(0),
          b.dot_accumulate(b.load(y, Affine::constant(0), how.lanes), b.shuffle(unit, unit, order),
                           b.load(w, Affine::constant(0), count)));
}

// A tile of sums in a loop, as lowering makes them for `micro_kernel`.
KernelForm tile(std::string name, const char* chip, int group, Scalar scalar,
                std::optional<MicroKernel> micro_kernel, int products) {
  Choice choice;
  choice.products = products;
  choice.micro_kernel = micro_kernel;
  choice.of_bytes = true;
  return {cat(name, ", ", products),
          {chip},
          [=](Builder& b) {
            const BufferId x = x_of(b, scalar, 4),
                           w = b.buffer(
                               {.name = "w", .element = scalar, .elements = 4096, .alignment = 4}),
                           y = y_of(b, kS32);
            const BufferId held = b.buffer({.name = "held",
                                            .element = scalar,
                                            .elements = 64,
                                            .direction = Direction::kScratch,
                                            .space = Space::kStack,
                                            .alignment = 4});
            b.store(held, Affine::constant(0), b.load(x, Affine::constant(0), group));
            const Values sums =
                b.loop(Loop{.upper = Affine::constant(7)},
                       {b.zero({kS32, 1}), b.load(y, Affine::constant(0))},
                       [&](ValueId i, std::span<const ValueId> carried) {
                         const ValueId left = b.load(x, Affine::of(i, group), group);
                         Values out;
                         for (int n = 0; n < 2; ++n)
                           out.push_back(b.dot_accumulate(
                               b.dot_accumulate(carried[static_cast<size_t>(n)], left,
                                                b.load(w, Affine::of(i, group, 256 * n), group)),
                               b.load(held, Affine::constant(0), group),
                               b.load(w, Affine::of(i, group, 512), group)));
                         return out;
                       });
            for (int n = 0; n < 2; ++n)
              b.store(y, Affine::constant(n), sums[static_cast<size_t>(n)]);
          },
          choice};
}

}  // namespace

std::vector<KernelForm> product_forms() {
  std::vector<KernelForm> out;
  const auto add = [&](std::string name, std::vector<const char*> chips, Products how) {
    out.push_back({std::move(name), std::move(chips), [how](Builder& b) { multiply(b, how); }});
  };
  const char *dot = "cortex-a53+dotprod", *vnni = "x86_64-linux+avxvnni";
  const std::pair<const char*, std::vector<int>> orders[] = {
      {"a unit", {0, 1, 2, 3}},
      {"a unit turned round", {1, 0, 3, 2}},
      {"a unit's start", {0, 1}},
      {"its last lane another", {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 2}}};
  for (const auto& [name, order] : orders)
    for (const int from : {2, 4, 8})
      if (from >= 4 || order.size() == 2) {
        add(cat(name, " of ", from), {dot}, {4, 4, kS8, kS8, from, order});
        add(cat(name, " of ", from, ", x86"), {vnni}, {4, 4, kU8, kS8, from, order});
        add(cat(name, " of ", from, ", Hexagon"), {kHvx}, {4, 4, kU8, kS8, from, order});
        add(cat(name, " of ", from, ", halves"), {kX86}, {4, 2, kS16, kS16, from, order});
      }
  const std::pair<const char*, std::vector<int>> words[] = {
      {"the first word", {0, 1, 2, 3}}, {"the second word", {4, 5, 6, 7}},
      {"between words", {2, 3, 4, 5}},  {"a word exchanged", {4, 6, 5, 7}},
      {"a word turned", {7, 6, 5, 4}},  {"behind the end", {8, 9, 10, 11}},
      {"any", {-1, -1, -1, -1}},        {"one byte", {3, 3, 3, 3}}};
  for (const auto& [name, order] : words) {
    for (const int from : {6, 8, 12})
      if (order.back() < from)
        add(cat(name, " of ", from, " bytes"), {kM4}, {1, 4, kS8, kS8, from, order});
    for (const int from : {2, 4, 6, 8})
      if (order[1] < from)
        add(cat(name, " of ", from, " halves"), {kM4},
            {1, 2, kS16, kS16, from, {order[0], order[1]}});
  }
  for (const int first : {0, 4, 8, 12})
    out.push_back(
        {cat("a word of two vectors from ", first), {kM4}, [first](Builder& b) {
           const BufferId x = x_of(b, kS8), y = y_of(b, kS32);
           const ValueId left = b.load(x, Affine::constant(0), 8),
                         right = b.load(x, Affine::constant(64), 8);
           const ValueId word = b.shuffle(left, right, {first, first + 1, first + 2, first + 3});
           b.store(y, Affine::constant(0),
                   b.dot_accumulate(b.load(y, Affine::constant(0)), word,
                                    b.load(x, Affine::constant(128), 4)));
         }});
  using enum MicroKernel;
  for (const int products : {7, 8}) {
    out.push_back(tile("pairs", kM4, 2, kS16, kDotAccumulate2, products));
    out.push_back(tile("bytes in pairs", kM4, 4, kS8, kDotAccumulate2, products));
    out.push_back(tile("bytes", kM3, 4, kS8, std::nullopt, products));
    out.push_back(tile("whole halves", kM55, 8, kS16, kDotAccumulate8, products));
    out.push_back(tile("whole vectors", kM55, 16, kS8, kDotAccumulate16, products));
  }
  return out;
}

}  // namespace hlocc::backends
