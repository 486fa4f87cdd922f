// One-op kernels for the tests of legalisation: the same op is run as HLO means it (evaluated
// before) and as legal ops (evaluated after), on a whole list of operands at once.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernel/builder.h"
#include "target/target.h"

namespace hlocc::kernel {

// What a kernel does to one element: operands in, result out.
using OpBody = std::function<ValueId(Builder&, std::span<const ValueId>)>;

struct OpTest {
  std::string name;
  std::vector<Scalar> inputs;
  Scalar output;
  OpBody body;
};

OpTest unary_test(OpKind kind, Scalar scalar);
OpTest binary_test(OpKind kind, Scalar scalar);
OpTest convert_test(Scalar from, Scalar to);
OpTest compare_test(Predicate predicate, Scalar scalar);

// Bits of one operand for every element (Constant's form: extended by class).
using Column = std::vector<uint64_t>;

// A loop over all elements, `lanes` at a time.
Kernel kernel_of(const OpTest& test, int64_t elements, int lanes);
// Legal for the target and checked to be.
Kernel legal_kernel_of(const OpTest& test, int64_t elements, int lanes, const Target& target);
// Columns as the bytes of a buffer, and back.
std::vector<std::byte> to_bytes(Scalar scalar, const Column& column);
Column from_bytes(Scalar scalar, const std::vector<std::byte>& bytes);
Column run(const Kernel& kernel, const OpTest& test, const std::vector<Column>& inputs);

// Numbers that matter in the type (zeros, ends, subnormals, NaNs, powers of two and neighbours) and
// random bits.
Column edge_values(Scalar scalar, int random_values);
// Every pair of the two columns.
std::vector<Column> pairs_of(const Column& a, const Column& b);

// Requires that both kernels give the same bits (any NaN equals any other), for one lane and four.
void check_same(const OpTest& test, const std::vector<Column>& inputs, const Target& target);
bool same_number(Scalar scalar, uint64_t a, uint64_t b);
std::string show(Scalar scalar, uint64_t bits);

// Rows with and without FPU, with and without fma: cortex-m4f, cortex-m0, rv64gc, cortex-a53,
// s390x-linux ...
std::vector<Target> test_targets();
Target target_named(std::string_view name);

}  // namespace hlocc::kernel
