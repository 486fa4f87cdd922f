// Bytes in pieces behind one another. What others hold already, as programs hold their weights, is
// named and not copied.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace hlocc {

class Pieces {
 public:
  using Bytes = std::vector<std::byte>;

  Pieces() = default;
  Pieces(Bytes bytes) { append(std::move(bytes)); }
  Pieces(std::initializer_list<std::byte> bytes) : Pieces(Bytes(bytes)) {}

  void append(Bytes bytes) { append(std::make_shared<const Bytes>(std::move(bytes))); }
  void append(std::shared_ptr<const Bytes> bytes) {
    if (!bytes->empty()) pieces_.push_back(std::move(bytes));
  }

  size_t size() const;
  // Each piece in order; none is empty.
  const std::vector<std::shared_ptr<const Bytes>>& pieces() const { return pieces_; }
  // All as one.
  Bytes joined() const;
  // The same bytes, wherever they are cut.
  bool operator==(const Pieces& other) const { return joined() == other.joined(); }

 private:
  std::vector<std::shared_ptr<const Bytes>> pieces_;
};

// A text's characters, as they are.
Pieces::Bytes bytes_of(std::string_view text);

}  // namespace hlocc
