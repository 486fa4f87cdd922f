// Which instruction adds up the products of a dot_accumulate: one row for each side of each
// condition, on a chip that has the row's extensions and no other.
#include <catch2/catch.hpp>

#include "kernel/legalize/dot_instructions.h"
#include "legalize/harness.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

using enum Scalar;
using enum Isa;
using Found = DotInstruction;

struct Row {
  std::vector<Isa> has;
  int vector_bits;
  int lanes, group;
  Scalar left, right;
  Found found;
  bool by_ones = false;
};

void check(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    Target target = target_named("cortex-m0");
    target.isa = {};
    for (const Isa isa : row.has) target.isa.add(isa);
    target.vector_bits = row.vector_bits;
    const auto lanes = static_cast<uint16_t>(row.lanes);
    const auto all = static_cast<uint16_t>(row.lanes * row.group);
    INFO(row.lanes << " lanes of " << row.group << ", " << scalar_name(row.left) << " by "
                   << scalar_name(row.right) << ", vectors of " << row.vector_bits << " bits");
    CHECK(dot_instruction({{kS32, lanes}, {row.left, all}, {row.right, all}, row.by_ones},
                          target) == row.found);
  }
}

TEST_CASE("SDOT and UDOT are of 4 lanes of 4 bytes of one kind", "[legalize]") {
  check({{{kDotprod}, 128, 4, 4, kS8, kS8, Found::kNeonFours},
         {{kDotprod}, 128, 4, 4, kU8, kU8, Found::kNeonFours},
         {{kDotprod}, 128, 4, 4, kU8, kS8, Found::kNone},
         {{kDotprod}, 128, 4, 4, kS8, kU8, Found::kNone},
         {{kDotprod}, 128, 4, 4, kS16, kS16, Found::kNone},
         {{kDotprod}, 128, 3, 4, kS8, kS8, Found::kNone},
         {{kDotprod}, 128, 8, 4, kS8, kS8, Found::kNone},
         {{kDotprod}, 128, 4, 3, kS8, kS8, Found::kNone},
         {{kDotprod}, 128, 4, 5, kS8, kS8, Found::kNone},
         {{kAArch64}, 128, 4, 4, kS8, kS8, Found::kNone}});
}

TEST_CASE("VPDPBUSD is of 4 bytes without sign by bytes with one", "[legalize]") {
  check({{{kAvxVnni}, 256, 4, 4, kU8, kS8, Found::kX86Fours},
         {{kAvxVnni}, 256, 8, 4, kU8, kS8, Found::kX86Fours},
         {{kAvxVnni}, 512, 16, 4, kU8, kS8, Found::kNone},
         {{kAvxVnni}, 256, 5, 4, kU8, kS8, Found::kNone},
         {{kAvxVnni}, 256, 4, 4, kS8, kS8, Found::kNone},
         {{kAvxVnni}, 256, 4, 4, kU8, kU8, Found::kNone},
         {{kAvxVnni}, 256, 4, 2, kU8, kS8, Found::kNone},
         {{kAvxVnni}, 256, 4, 8, kU8, kS8, Found::kNone},
         {{kAvx512Vnni}, 512, 16, 4, kU8, kS8, Found::kX86Fours},
         {{kAvx512Vnni}, 511, 16, 4, kU8, kS8, Found::kNone},
         {{kAvx512Vnni}, 512, 32, 4, kU8, kS8, Found::kNone},
         {{kAvx512Vnni}, 512, 8, 4, kU8, kS8, Found::kNone},
         {{kAvx512Vnni, kAvx512Vl}, 512, 8, 4, kU8, kS8, Found::kX86Fours},
         {{kAvx512Vnni, kAvx512Vl}, 512, 4, 4, kU8, kS8, Found::kX86Fours},
         {{kAvx512Vnni, kAvx512Vl}, 512, 32, 4, kU8, kS8, Found::kNone},
         {{kAvx512Vl}, 512, 8, 4, kU8, kS8, Found::kNone}});
}

TEST_CASE("PMADDWD is of pairs, also of bytes that are widened", "[legalize]") {
  check({{{kSse2}, 128, 4, 2, kS16, kS16, Found::kX86Pairs},
         {{kSse2}, 128, 4, 4, kS8, kU8, Found::kX86Pairs},
         {{kSse2}, 128, 4, 2, kS16, kU8, Found::kX86Pairs},
         {{kSse2}, 128, 4, 2, kU16, kS16, Found::kNone},
         {{kSse2}, 128, 4, 2, kS16, kU16, Found::kNone},
         {{kSse2}, 128, 4, 3, kS16, kS16, Found::kNone},
         {{kSse2}, 128, 2, 2, kS16, kS16, Found::kNone},
         {{kSse2}, 128, 8, 2, kS16, kS16, Found::kNone},
         {{kSse2}, 255, 8, 2, kS16, kS16, Found::kNone},
         {{kSse2}, 256, 8, 2, kS16, kS16, Found::kX86Pairs},
         {{kSse2}, 256, 2, 2, kS16, kS16, Found::kNone},
         {{kSse2}, 512, 16, 2, kS16, kS16, Found::kNone},
         {{kAvx2}, 256, 8, 2, kS16, kS16, Found::kNone},
         // Where both are, the wider one.
         {{kSse2, kAvxVnni}, 256, 8, 4, kU8, kS8, Found::kX86Fours}});
}

TEST_CASE("VMLADAVA is of one whole vector, SMLAD of parts of one", "[legalize]") {
  check({{{kMve, kDsp}, 128, 1, 16, kS8, kS8, Found::kMveVectors},
         {{kMve, kDsp}, 128, 1, 16, kU8, kU8, Found::kMveVectors},
         {{kMve, kDsp}, 128, 1, 16, kU8, kS8, Found::kNone},
         {{kMve, kDsp}, 128, 1, 8, kS16, kS16, Found::kMveVectors},
         {{kMve, kDsp}, 128, 1, 8, kU16, kU16, Found::kMveVectors},
         {{kMve, kDsp}, 128, 1, 8, kU16, kS16, Found::kNone},
         {{kMve, kDsp}, 128, 1, 32, kS8, kS8, Found::kNone},
         {{kMve, kDsp}, 128, 1, 12, kS8, kS8, Found::kDspPairs},
         {{kMve}, 128, 1, 4, kS16, kS16, Found::kNone},
         {{kMve}, 128, 1, 16, kS16, kS16, Found::kNone},
         {{kMve}, 128, 2, 16, kS8, kS8, Found::kNone},
         {{kMve}, 128, 1, 12, kS8, kS8, Found::kNone},
         {{kDsp}, 0, 1, 16, kS8, kS8, Found::kDspPairs},
         {{kDsp}, 0, 1, 4, kU8, kS8, Found::kDspPairs},
         {{kDsp}, 0, 1, 2, kS8, kS8, Found::kNone},
         {{kDsp}, 0, 1, 6, kS8, kS8, Found::kNone},
         {{kDsp}, 0, 1, 4, kS8, kS16, Found::kNone},
         {{kDsp}, 0, 1, 2, kS16, kS16, Found::kDspPairs},
         {{kDsp}, 0, 1, 3, kS16, kS16, Found::kNone},
         {{kDsp}, 0, 1, 2, kU16, kU16, Found::kNone},
         {{kDsp}, 0, 2, 2, kS16, kS16, Found::kNone}});
}

TEST_CASE("VRMPY is of 4 bytes in at least 4 lanes of a register", "[legalize]") {
  check({{{kHvx}, 1024, 32, 4, kU8, kS8, Found::kHvxFours},
         {{kHvx}, 1024, 33, 4, kU8, kS8, Found::kNone},
         {{kHvx}, 1024, 4, 4, kS8, kS8, Found::kHvxFours},
         {{kHvx}, 1024, 3, 4, kS8, kS8, Found::kNone},
         {{kHvx}, 1024, 4, 2, kS8, kS8, Found::kNone},
         {{kHvx}, 1024, 4, 5, kS8, kS8, Found::kNone},
         {{kHvx}, 1024, 4, 4, kS16, kS8, Found::kNone},
         {{kHvx}, 1024, 4, 4, kS8, kS16, Found::kNone},
         {{kHexagon}, 1024, 32, 4, kU8, kS8, Found::kNone}});
}

TEST_CASE("SADALP adds up neighbours of 16 bits, which is a product with ones", "[legalize]") {
  for (const Isa isa : {kNeon, kAArch64})
    check({{{isa}, 128, 4, 2, kS16, kS16, Found::kNeonNeighbours, true},
           {{isa}, 128, 4, 2, kS16, kS16, Found::kNone},
           {{isa}, 0, 4, 2, kS16, kS16, Found::kNone, true},
           {{isa}, 128, 4, 4, kS16, kS16, Found::kNone, true},
           {{isa}, 128, 4, 1, kS16, kS16, Found::kNone, true},
           {{isa}, 128, 2, 2, kS16, kS16, Found::kNone, true},
           {{isa}, 128, 8, 2, kS16, kS16, Found::kNone, true},
           {{isa}, 128, 4, 2, kU16, kS16, Found::kNone, true},
           {{isa}, 128, 4, 2, kS16, kU16, Found::kNone, true}});
  check({{{}, 128, 4, 2, kS16, kS16, Found::kNone, true}});
}

}  // namespace
}  // namespace hlocc::kernel
