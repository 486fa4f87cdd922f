// The attributes of one operation, read as what the operation asks for, in whichever spelling: a
// list is array<i64: 1, 2>, [1, 2] or dense<[1, 2]> : tensor<2xi64>. The first that is wrong is
// kept by the builder, with its place; what is asked for after it is nothing, of safe size.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "import/build/builder.h"
#include "import/stablehlo/source.h"

namespace hlocc::import::stablehlo {

class Fields {
 public:
  // `owner` names them in diagnostics, `at` is where it stands.
  Fields(Source& source, Builder& builder, const std::vector<Attribute>& attributes,
         std::string owner, size_t at);

  bool has(std::string_view name) const { return find(name) != nullptr; }
  // Takes note that the attribute was seen, and changes nothing.
  void ignore(std::string_view name) const { find(name); }

  // --- the attribute must be there, unless there is something in its place ---
  int64_t integer(std::string_view name, std::optional<int64_t> otherwise = {}) const;
  Dimensions integers(std::string_view name, std::optional<Dimensions> otherwise = {}) const;
  // true, false, or the name alone.
  bool flag(std::string_view name, std::optional<bool> otherwise = {}) const;
  float real(std::string_view name) const;
  // LT, or #stablehlo<comparison_direction LT>.
  std::string word(std::string_view name, std::optional<std::string> otherwise = {}) const;
  std::vector<std::string> words(std::string_view name) const;
  std::string string(std::string_view name) const;
  std::string symbol(std::string_view name) const;
  // [@f, @g]
  std::vector<std::string> symbols(std::string_view name) const;
  // The text as it stands.
  std::string_view raw(std::string_view name) const;
  Literal literal(std::string_view name, const Shape& shape) const;
  // name = value in {...}, <...> or #dialect.name<...>.
  Fields fields(std::string_view name) const;
  // [1] x [0]
  std::pair<Dimensions, Dimensions> pair(std::string_view name) const;

  // One of the names, by its place among them.
  template <size_t count>
  size_t one_of(std::string_view name, const std::string_view (&choices)[count],
                std::optional<std::string> otherwise = {}) const {
    return chosen(name, word(name, std::move(otherwise)), choices, count);
  }

  // Reads a value where it stands: `read` begins at its first character and must end at its last.
  void read(std::string_view name, const std::function<Status()>& read) const;
  // The value is not one that the operation takes.
  void refuse(std::string_view name, const std::string& why) const;
  // Every attribute must have been asked for, unless it says nothing about what is computed.
  void finish() const;

  Source& source() const { return source_; }
  Builder& builder() const { return builder_; }

 private:
  const Attribute* find(std::string_view name) const;
  const Attribute* require(std::string_view name) const;
  std::vector<std::string> list(std::string_view name,
                                const std::function<Status(std::string&)>& read_one) const;
  size_t chosen(std::string_view name, const std::string& word, const std::string_view* choices,
                size_t count) const;

  Source& source_;
  Builder& builder_;
  const std::vector<Attribute> attributes_;
  std::string owner_;
  size_t at_;
  mutable std::vector<bool> seen_;
};

}  // namespace hlocc::import::stablehlo
