// See packed_words.h.
#include "kernel/legalize/packed_words.h"

#include <span>

namespace hlocc::kernel {
namespace {

constexpr int kWordBits = 32;

// Of whole words of as many lanes as `order` has.
int word_in_order(Type from, const std::vector<int>& lanes, std::span<const int> order) {
  if (lanes.size() != order.size()) return -1;
  const int in_word = static_cast<int>(order.size()), first = lanes[0];
  if (first % in_word != 0 || first >= from.lanes) return -1;
  for (size_t n = 0; n < order.size(); ++n)
    if (lanes[n] != first + order[n]) return -1;
  return first / in_word;
}

}  // namespace

bool has_packed_words(const Target& target) {
  return target.has(Isa::kDsp) && target.vector_bits == 0;
}

bool fills_words(Type type) {
  const int bits = scalar_bits(type.scalar);
  return is_integer(type.scalar) && (bits == 8 || bits == 16) && type.lanes * bits % kWordBits == 0;
}

int picked_word(Type from, const std::vector<int>& lanes) {
  constexpr int kInOrder[] = {0, 1, 2, 3};
  if (!fills_words(from)) return -1;
  const auto in_word = static_cast<size_t>(kWordBits / scalar_bits(from.scalar));
  return word_in_order(from, lanes, std::span(kInOrder, in_word));
}

int picked_interleaved_word(Type from, const std::vector<int>& lanes) {
  constexpr int kInterleaved[] = {0, 2, 1, 3};
  if (!fills_words(from) || scalar_bits(from.scalar) != 8) return -1;
  return word_in_order(from, lanes, kInterleaved);
}

}  // namespace hlocc::kernel
