// See pieces.h.
#include "support/pieces.h"

namespace hlocc {

size_t Pieces::size() const {
  size_t sum = 0;
  for (const auto& piece : pieces_) sum += piece->size();
  return sum;
}

Pieces::Bytes Pieces::joined() const {
  Bytes out;
  out.reserve(size());
  for (const auto& piece : pieces_) out.insert(out.end(), piece->begin(), piece->end());
  return out;
}

Pieces::Bytes bytes_of(std::string_view text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

}  // namespace hlocc
