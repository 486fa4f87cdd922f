// The functions and types in front of the kernels: only those that the file uses. What C leaves
// open or undefined (overflow, shifts of negative numbers, bit patterns of floats) is settled in
// them once, so that kernels read as formulas.
#pragma once
#include <map>
#include <string>

#include "backends/c/word_functions.h"
#include "kernel/kernel.h"

namespace hlocc::backends {

class Prelude {
 public:
  // `hides_bits`: compilers must not see that a float's bits were chosen (Hexagon's minima).
  explicit Prelude(bool constants_apart, bool hides_bits = false)
      : constants_apart_(constants_apart), hides_bits_(hides_bits) {}

  // The name of the function for an op on operands of a scalar type; empty where there is none.
  std::string function(kernel::OpKind kind, kernel::Scalar scalar);
  // From one type's bits to another of the width.
  std::string bit_cast(kernel::Scalar from, kernel::Scalar to);
  // memory_type(), declared if need be.
  std::string memory(kernel::Scalar scalar);
  // Or of truth values that the compiler must not put together with what they were made of.
  std::string either();
  // Copies bytes; declared if it is called.
  std::string copy();
  // The hook of constants (constant_hook.h): the macros for a kernel's parameter, for the address
  // of an array, for a read of an element and for a copy of bytes.
  std::string from();
  std::string at();
  std::string read(kernel::Scalar element);
  std::string copy_from();
  // Stands in front of a loop over lanes: GCC spells such loops out before it looks for vectors,
  // and then finds fewer.
  std::string lanes();
  // The linkage of a long kernel.
  std::string kernel();
  // A function (to, from): four elements of 8 bits as numbers of 32, by NEON where there is one.
  std::string widen_four(kernel::Scalar from);

  // A function on words (word_functions.h).
  std::string word(WordFunction function, kernel::Scalar scalar);
  // Vectors (vector_functions.h); the head says which the compiler has.
  void set_vector_head(const std::string& text) { vector_head_ = text; }
  void add_vector_type(const std::string& name, const std::string& text);
  void add_vector_function(const std::string& name, const std::string& text);
  // Of an array that is read as words; and macros of code whose instructions keep their order.
  std::string aligned();
  std::string in_order(const char* macro = "HL_IN_ORDER");
  // Of a function that is called from several places.
  std::string one_copy();

  std::string text() const;

 private:
  const bool constants_apart_, hides_bits_;
  std::map<std::string, std::string> types_, functions_, vector_types_, vector_functions_;
  std::map<std::string, kernel::Scalar> constants_;  // by memory_type: elements that are read
  bool copies_ = false, has_lanes_ = false, copies_constants_ = false, has_hook_ = false;
  bool has_neon_ = false, has_words_ = false, has_order_ = false, has_sums_ = false,
       has_kernel_ = false, has_one_copy_ = false;
  std::string vector_head_;
};

}  // namespace hlocc::backends
