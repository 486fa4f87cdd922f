// Drawn kernels (forms/drawn.h) through C: their text as digests, for chips that stand on both
// sides of each condition of the writer; and what this machine's compiler makes of it, which is what
// the evaluator computes.
#include "forms/drawn.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "backends_c/rows.h"
#include "backends_c/through_c.h"
#include "driver/pipeline/host_compiler.h"
#include "kernel/evaluate/evaluator.h"
#include "kernel/verifier.h"
#include "support/digests.h"
#include "support/text.h"

namespace hlocc::backends {
namespace {

std::string drawn_c(const kernel::Kernel& kernel, const Target& target, uint64_t seed) {
  Draw draw(seed);
  std::vector<bool> unshared;
  std::vector<Held> held;
  for (const kernel::Buffer& buffer : kernel.buffers) {
    unshared.push_back(!draw.one_in(3));
    const bool constant = buffer.direction == kernel::Direction::kIn && draw.one_in(3);
    held.push_back(!constant ? Held::kMemory : draw.one_in(2) ? Held::kArray : Held::kParts);
  }
  return with_helpers(kernel, target, unshared, held, draw.one_in(5));
}

void add_drawn(Drawn family, uint64_t seeds = 60) {
  constexpr uint64_t kOfLine = 20;
  for (const Target& row : rows_of_c())
    for (uint64_t seed = 0; seed < seeds; ++seed) {
      const std::string text = drawn_c(drawn_kernel(seed, family), with_changes(row, seed), seed);
      tests::add_digest("drawn", cat(row.name, " ", static_cast<int>(family), ".", seed / kOfLine),
                        static_cast<size_t>(std::ranges::count(text, '\n')), text);
    }
}

TEST_CASE("the C of drawn kernels is what it was") { add_drawn(Drawn::kAny); }
TEST_CASE("the C of drawn lanes is what it was") { add_drawn(Drawn::kLanes); }
TEST_CASE("the C of drawn words is what it was") { add_drawn(Drawn::kWords); }
TEST_CASE("the C of drawn units is what it was") { add_drawn(Drawn::kUnits, 120); }
TEST_CASE("the C of drawn scalars is what it was") { add_drawn(Drawn::kScalars); }

// Of a buffer that is read: whole numbers from 0 to 15, and truth values.
std::vector<std::byte> numbers_of(kernel::Scalar scalar, int64_t elements) {
  std::vector<std::byte> out;
  for (int64_t i = 0; i < elements; ++i) {
    const int64_t number =
        scalar == kernel::Scalar::kPred ? static_cast<int64_t>(i % 3 == 0) : (i * 7 + 3) % 16;
    const uint64_t bits = kernel::bits_of_double(scalar, static_cast<double>(number));
    for (int n = 0; n < kernel::scalar_bytes(scalar); ++n)
      out.push_back(static_cast<std::byte>(bits >> 8 * n));
  }
  return out;
}

// Writes fives to all of a buffer.
kernel::Kernel filling(const kernel::Buffer& like) {
  kernel::Builder b("fill");
  kernel::Buffer buffer = like;
  buffer.direction = kernel::Direction::kOut;
  const kernel::BufferId y = b.buffer(buffer);
  b.loop(buffer.elements, [&](kernel::ValueId i) {
    b.store(y, kernel::Affine::of(i), b.constant_int({buffer.element, 1}, 5));
  });
  return b.finish();
}

// Those kernels one after the other, each with buffers of its own.
kernel::Program program_of_all(std::vector<kernel::Kernel> kernels) {
  kernel::Program all;
  for (kernel::Kernel& one : kernels) {
    for (kernel::Buffer& buffer : one.buffers)
      if (buffer.direction == kernel::Direction::kOut) buffer.direction = kernel::Direction::kInOut;
    const std::vector<kernel::Buffer> buffers = one.buffers;
    const size_t parameters = one.parameters.size();
    kernel::Program part = driver::program_of(std::move(one));
    const auto first = static_cast<kernel::ProgramValueId>(all.values.size());
    for (kernel::ProgramValue& value : part.values) {
      if (value.role == kernel::ValueRole::kArgument)
        value.leaf = static_cast<int>(all.arguments.size());
      const auto id = static_cast<kernel::ProgramValueId>(all.values.size());
      const auto& buffer = buffers[static_cast<size_t>(id - first)];
      if (value.role == kernel::ValueRole::kArgument) {
        all.arguments.push_back(id);
      } else {
        all.results.push_back(id);
        all.steps.push_back(
            {kernel::Launch{.kernel = static_cast<int>(all.kernels.size()), .operands = {id}}});
        all.kernels.push_back(filling(buffer));
      }
      auto& leaves = value.role == kernel::ValueRole::kArgument ? all.signature.arguments
                                                                : all.signature.results;
      leaves.push_back(
          {.index = static_cast<int>(leaves.size()),
           .shape = hlo::Shape::array(kernel::hlo_type_of(value.element), {value.elements})});
      all.values.push_back(value);
    }
    kernel::Launch launch{.kernel = static_cast<int>(all.kernels.size())};
    for (size_t n = 0; n < buffers.size(); ++n)
      launch.operands.push_back(first + static_cast<kernel::ProgramValueId>(n));
    launch.integers.assign(parameters, 3);
    all.steps.push_back({std::move(launch)});
    all.kernels.push_back(std::move(part.kernels[0]));
    all.signature.prefix = part.signature.prefix;
    all.signature.macro_prefix = part.signature.macro_prefix;
    all.signature.class_name = part.signature.class_name;
    all.signature.stem = part.signature.stem;
  }
  return all;
}

// Of the row's C by this machine's compiler.
void check_results(Target row, std::vector<kernel::Kernel> kernels) {
  const Target host = driver::scalar_row();
  row.triple = host.triple;
  row.pointer_bits = host.pointer_bits;
  row.fma = false;
  const kernel::Program program = program_of_all(std::move(kernels));
  std::vector<std::vector<std::byte>> arguments;
  for (const kernel::ProgramValueId id : program.arguments) {
    const kernel::ProgramValue& value = program.values[static_cast<size_t>(id)];
    arguments.push_back(numbers_of(value.element, value.elements));
  }
  const auto wanted = tests::require(kernel::evaluate(program, arguments));
  const auto got = driver::through_c(program, row, arguments).results;
  for (size_t n = 0; n < wanted.size(); ++n) {
    INFO(row.name << ", result " << n);
    CHECK(got[n] == wanted[n]);
  }
}

TEST_CASE("drawn kernels compute what the evaluator computes") {
  if (driver::host_compiler().empty()) return;
  uint64_t seed = 1000;
  for (const Target& row : rows_of_c()) {
    if (row.constants_apart || row.byte_order == ByteOrder::kBig) continue;
    std::vector<kernel::Kernel> kernels;
    for (int n = 0; n < 15; ++n, ++seed) {
      kernels.push_back(drawn_kernel(seed, static_cast<Drawn>(n % kFamilies)));
      kernels.back().name = cat("drawn_", seed);
      REQUIRE(kernel::verify(kernels.back()).ok());
    }
    INFO("up to seed " << seed);
    check_results(row, std::move(kernels));
  }
}

// Two faults that drawn kernels found.
TEST_CASE("vectors of a branch that nothing needs, and a choice of all lanes by one condition") {
  if (driver::host_compiler().empty()) return;
  using namespace kernel;
  for (const Target& row : rows_of_c()) {
    if (row.name != "cortex-m55" && row.name != "cortex-a53" && row.name != "x86-128") continue;
    std::vector<Kernel> kernels;
    for (const Type type : {Type{Scalar::kS32, 4}, Type{Scalar::kS16, 4}, Type{Scalar::kF32, 4}}) {
      Builder b("branch");
      const BufferId x = b.buffer({.name = "x", .element = type.scalar, .elements = 8});
      const BufferId y = b.buffer(
          {.name = "y", .element = type.scalar, .elements = 4, .direction = Direction::kOut});
      const ValueId one = b.load(x, Affine::constant(0), 4),
                    two = b.load(x, Affine::constant(4), 4), less = b.load(x, Affine::constant(1)),
                    more = b.load(x, Affine::constant(6)),
                    pred = b.compare(Predicate::kLt, less, more);
      b.if_else(
          pred, [&] { return Values{one}; }, [&] { return Values{two}; });
      b.store(y, Affine::constant(0), b.select(pred, two, one));
      kernels.push_back(b.finish());
    }
    check_results(row, std::move(kernels));
  }
}

}  // namespace
}  // namespace hlocc::backends
