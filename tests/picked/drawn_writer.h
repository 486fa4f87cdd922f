// What the kinds of drawn programs (drawn.h) are written with, and what one takes of another.
#pragma once
#include <string>
#include <vector>

#include "support/drawing.h"
#include "support/text.h"

namespace hlocc::tests {

// -n: n at most, known at run time.
using Sizes = std::vector<int64_t>;

// Writes a module's text, value by value.
class Writer : public Drawing {
 public:
  explicit Writer(uint64_t seed) : Drawing(seed * 0x9e3779b97f4a7c15ull + 1) {}

  const char* word(std::initializer_list<const char*> all) { return of(all); }
  int64_t number(std::initializer_list<int64_t> all) { return of(all); }

  // An array of the program.
  struct Array {
    std::string name, type;
    Sizes sizes;
  };
  static std::string shape(const std::string& type, const Sizes& sizes) {
    std::string all;
    for (const int64_t n : sizes)
      all += cat(all.empty() ? "" : ",", n < 0 ? "<=" : "", n < 0 ? -n : n);
    return cat(type, "[", all, "]");
  }
  Array add(const std::string& type, const Sizes& sizes, const std::string& what) {
    Array made{cat("v", count_++), type, sizes};
    body_ += cat(" ", made.name, " = ", shape(type, sizes), " ", what, "\n");
    return made;
  }
  Array parameter(const std::string& type, const Sizes& sizes) {
    const int leaf = parameters_++;
    return add(type, sizes, cat("parameter(", leaf, ")"));
  }
  Array constant(const std::string& type, const std::string& value) {
    return add(type, {}, cat("constant(", value, ")"));
  }
  Array splat(const std::string& type, const Sizes& sizes, const std::string& value) {
    const Array one = constant(type, value);
    return add(type, sizes, cat("broadcast(", one.name, "), dimensions={}"));
  }
  // Known numbers, each another one.
  Array known(const std::string& type, const Sizes& sizes, const std::vector<std::string>& values) {
    size_t at = 0;
    return add(type, sizes, cat("constant(", nested(sizes, 0, values, at), ")"));
  }
  Array binary(const char* op, const Array& a, const Array& b) {
    return add(a.type, a.sizes, cat(op, "(", a.name, ", ", b.name, ")"));
  }
  Array unary(const char* op, const Array& a) {
    return add(a.type, a.sizes, cat(op, "(", a.name, ")"));
  }
  Array converted(const Array& a, const std::string& type) {
    return add(type, a.sizes, cat("convert(", a.name, ")"));
  }
  std::string reducer(const std::string& op, const std::string& type) {
    const std::string name = cat(op, "_", type);
    const std::string text = cat(name, " {\n a = ", type, "[] parameter(0)\n b = ", type,
                                 "[] parameter(1)\n ROOT c = ", type, "[] ", op, "(a, b)\n}\n");
    if (computations_.find(text) == std::string::npos) computations_ += text;
    return name;
  }
  void computation(const std::string& text) { computations_ += text; }

  std::string finished(const std::vector<Array>& results) {
    std::string types, names;
    for (const Array& r : results) {
      types += cat(types.empty() ? "" : ", ", shape(r.type, r.sizes));
      names += cat(names.empty() ? "" : ", ", r.name);
    }
    return cat("HloModule drawn\n", computations_, "ENTRY e {\n", body_, " ROOT r = (", types,
               ") tuple(", names, ")\n}\n");
  }

  static bool is_float(const std::string& type) { return type[0] == 'f' || type[0] == 'b'; }

 private:
  static std::string nested(const Sizes& sizes, size_t d, const std::vector<std::string>& values,
                            size_t& at) {
    if (d == sizes.size()) return values[at++ % values.size()];
    std::string all;
    for (int64_t i = 0; i < sizes[d]; ++i)
      all += cat(i == 0 ? "" : ", ", nested(sizes, d + 1, values, at));
    return cat("{", all, "}");
  }

  std::string body_, computations_;
  int count_ = 0, parameters_ = 0;
};

using Array = Writer::Array;

// Of the arithmetic of quantised networks (drawn_integers.cpp): a number; a known operand (one
// number, one a channel, or the value itself); so many steps; bytes times a scale.
std::string drawn_number(Writer& w, const std::string& type);
Array drawn_operand(Writer& w, const Array& x);
Array drawn_chain(Writer& w, Array x, int64_t steps);
Array dequantized(Writer& w, const Array& x);

// The kinds.
std::string integers(uint64_t seed);
std::string convolutions(uint64_t seed);
std::string products(uint64_t seed);
std::string movements(uint64_t seed);
std::string loops(uint64_t seed);
std::string sizes(uint64_t seed);
std::string roundings(uint64_t seed);
std::string weights(uint64_t seed);
std::string ranges(uint64_t seed);
std::string cells(uint64_t seed);
std::string blocks(uint64_t seed);
std::string reductions(uint64_t seed);
std::string contractions(uint64_t seed);
std::string windows(uint64_t seed);

}  // namespace hlocc::tests
