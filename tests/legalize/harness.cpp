// Building, legalising and running one-op kernels.
#include "legalize/harness.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <random>

#include "hlo/small_float.h"
#include "kernel/evaluate/evaluator.h"
#include "kernel/evaluate/scalar_math.h"
#include "kernel/legalize/legalize.h"
#include "kernel/verifier.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

double as_double(Scalar scalar, uint64_t bits) {
  if (scalar == Scalar::kF64) return std::bit_cast<double>(bits);
  if (scalar == Scalar::kF32) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  return hlo::small_to_float(*hlo::small_float_format(hlo_type_of(scalar)),
                             static_cast<uint32_t>(bits));
}

}  // namespace

std::vector<std::byte> to_bytes(Scalar scalar, const Column& column) {
  const size_t width = static_cast<size_t>(scalar_bytes(scalar));
  std::vector<std::byte> bytes(column.size() * width);
  for (size_t i = 0; i < column.size(); ++i)
    std::memcpy(bytes.data() + i * width, &column[i], width);
  return bytes;
}

Column from_bytes(Scalar scalar, const std::vector<std::byte>& bytes) {
  const size_t width = static_cast<size_t>(scalar_bytes(scalar));
  Column column(bytes.size() / width, 0);
  for (size_t i = 0; i < column.size(); ++i) {
    std::memcpy(&column[i], bytes.data() + i * width, width);
    column[i] = canonical_bits(scalar, column[i]);
  }
  return column;
}

OpTest unary_test(OpKind kind, Scalar scalar) {
  return {cat(op_name(kind), " ", scalar_name(scalar)),
          {scalar},
          scalar,
          [kind](Builder& b, std::span<const ValueId> in) { return b.unary(kind, in[0]); }};
}

OpTest binary_test(OpKind kind, Scalar scalar) {
  return {cat(op_name(kind), " ", scalar_name(scalar)),
          {scalar, scalar},
          scalar,
          [kind](Builder& b, std::span<const ValueId> in) { return b.binary(kind, in[0], in[1]); }};
}

OpTest convert_test(Scalar from, Scalar to) {
  return {cat("convert ", scalar_name(from), " to ", scalar_name(to)),
          {from},
          to,
          [to](Builder& b, std::span<const ValueId> in) { return b.convert(in[0], to); }};
}

OpTest compare_test(Predicate predicate, Scalar scalar) {
  return {cat("compare ", static_cast<int>(predicate), " ", scalar_name(scalar)),
          {scalar, scalar},
          Scalar::kPred,
          [predicate](Builder& b, std::span<const ValueId> in) {
            return b.compare(predicate, in[0], in[1]);
          }};
}

Kernel kernel_of(const OpTest& test, int64_t elements, int lanes) {
  Builder b("test");
  std::vector<BufferId> in;
  for (const Scalar scalar : test.inputs)
    in.push_back(b.buffer({.name = cat("x", in.size()), .element = scalar, .elements = elements}));
  const BufferId out = b.buffer(
      {.name = "y", .element = test.output, .elements = elements, .direction = Direction::kOut});
  const Loop loop{.lower = Affine::constant(0), .upper = Affine::constant(elements), .step = lanes};
  b.loop(loop, [&](ValueId i) {
    Values operands;
    for (const BufferId buffer : in) operands.push_back(b.load(buffer, Affine::of(i), lanes));
    b.store(out, Affine::of(i), test.body(b, operands));
  });
  return b.finish();
}

Kernel legal_kernel_of(const OpTest& test, int64_t elements, int lanes, const Target& target) {
  Result<Kernel> legal = legalize(kernel_of(test, elements, lanes), target);
  if (!legal) FAIL(legal.error().message);
  if (Status status = verify_legal(*legal, target); !status)
    FAIL(status.error().message + "\n" + to_text(*legal));
  return std::move(legal).value();
}

Column run(const Kernel& kernel, const OpTest& test, const std::vector<Column>& inputs) {
  std::vector<std::vector<std::byte>> bytes;
  for (size_t i = 0; i < inputs.size(); ++i) bytes.push_back(to_bytes(test.inputs[i], inputs[i]));
  bytes.emplace_back(inputs[0].size() * static_cast<size_t>(scalar_bytes(test.output)));
  std::vector<std::span<std::byte>> buffers(bytes.begin(), bytes.end());
  if (Status status = evaluate(kernel, buffers, {}); !status) FAIL(status.error().message);
  return from_bytes(test.output, bytes.back());
}

Column edge_values(Scalar scalar, int random_values) {
  std::mt19937_64 random(7);
  Column column;
  if (is_float(scalar)) {
    for (const double value : {0.0,        0.5,          0.49999997,   1.0,
                               1.5,        2.0,          2.5,          3.0,
                               1e-3,       0.7,          100.0,        300.0,
                               65504.0,    65519.0,      65520.0,      8388607.5,
                               8388609.0,  2147483520.0, 2147483648.0, 4294967296.0,
                               9.3e18,     1.9e19,       1e30,         3.4e38,
                               3.5e38,     1e-38,        1e-40,        1.4e-45,
                               1e-300,     5e-324,       1e300,        4503599627370495.5,
                               127.0,      128.0,        255.0,        double(INFINITY),
                               double(NAN)})
      for (const double sign : {1.0, -1.0}) column.push_back(bits_of_double(scalar, sign * value));
  }
  const int bits = scalar_bits(scalar);
  for (int i = 0; i < bits; ++i)
    for (const int64_t offset : {-1, 0, 1}) {
      column.push_back(canonical_bits(scalar, (uint64_t{1} << i) + static_cast<uint64_t>(offset)));
      column.push_back(
          canonical_bits(scalar, ~((uint64_t{1} << i) + static_cast<uint64_t>(offset))));
    }
  for (int i = 0; i < random_values; ++i) column.push_back(canonical_bits(scalar, random()));
  return column;
}

std::vector<Column> pairs_of(const Column& a, const Column& b) {
  Column first, second;
  for (const uint64_t x : a)
    for (const uint64_t y : b) {
      first.push_back(x);
      second.push_back(y);
    }
  return {first, second};
}

bool same_number(Scalar scalar, uint64_t a, uint64_t b) {
  if (a == b) return true;
  return is_float(scalar) && std::isnan(as_double(scalar, a)) && std::isnan(as_double(scalar, b));
}

std::string show(Scalar scalar, uint64_t bits) {
  char text[64];
  if (is_float(scalar))
    std::snprintf(text, sizeof text, "%a (%llx)", as_double(scalar, bits),
                  static_cast<unsigned long long>(bits));
  else
    std::snprintf(text, sizeof text, "%lld", static_cast<long long>(bits));
  return text;
}

void check_same(const OpTest& test, const std::vector<Column>& inputs, const Target& target) {
  std::vector<Column> padded = inputs;
  for (Column& column : padded) column.resize((column.size() + 3) / 4 * 4, column[0]);
  const int64_t elements = static_cast<int64_t>(padded[0].size());
  const Column expected = run(kernel_of(test, elements, 1), test, padded);
  for (const int lanes : {1, 4}) {
    const Column got = run(legal_kernel_of(test, elements, lanes, target), test, padded);
    int shown = 0;
    for (size_t i = 0; i < expected.size() && shown < 3; ++i) {
      if (same_number(test.output, expected[i], got[i])) continue;
      ++shown;
      std::string operands;
      for (size_t k = 0; k < padded.size(); ++k)
        operands += show(test.inputs[k], padded[k][i]) + " ";
      FAIL_CHECK(test.name << " on " << target.name << ", " << lanes << " lanes: " << operands
                           << "gives " << show(test.output, got[i]) << ", not "
                           << show(test.output, expected[i]));
    }
  }
  CHECK(!expected.empty());
}

std::vector<Target> test_targets() {
  return {target_named("cortex-m0"), target_named("cortex-m4f"), target_named("rv64gc"),
          target_named("riscv64v-linux"), target_named("cortex-a53")};
}

Target target_named(std::string_view name) {
  const auto target = preset(name);
  REQUIRE(target);
  return *target;
}

}  // namespace hlocc::kernel
