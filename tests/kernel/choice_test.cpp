// The text of what lowering chose for a kernel, as `inspect --kernels` shows it.
#include "kernel/choice.h"

#include <catch2/catch.hpp>
#include <set>

namespace hlocc::tests {

using kernel::Algorithm;
using kernel::Choice;
using kernel::MicroKernel;

TEST_CASE("texts of choices", "[kernel]") {
  CHECK(Choice().to_string() == "");
  const auto plain = hlo::Schedule::kPlain;
  CHECK(Choice{.schedule = plain}.to_string() == "elements");
  CHECK(Choice{.schedule = plain, .op = hlo::Opcode::kReduce}.to_string() == "reduce");
  CHECK(Choice{.schedule = hlo::Schedule::kRows, .op = hlo::Opcode::kReduce}.to_string() == "rows");
  const Choice dense{
      .schedule = plain, .op = hlo::Opcode::kConvolution, .algorithm = Algorithm::kDense};
  CHECK(dense.to_string() == "dense");
  CHECK(
      Choice{.schedule = hlo::Schedule::kRowTiles, .algorithm = Algorithm::kWinograd, .outputs = 4}
          .to_string() == "winograd 4x4");
  CHECK(Choice{.algorithm = Algorithm::kWinograd, .outputs = 1}.to_string() == "winograd 1x1");
  CHECK(Choice{.algorithm = Algorithm::kDense}.to_string() == "dense");
  CHECK(Choice{.schedule = plain,
               .algorithm = Algorithm::kPackedDot,
               .micro_kernel = MicroKernel::kDotAccumulate2}
            .to_string() == "dot, dot_accumulate_2");
}

TEST_CASE("texts of register tiles", "[kernel]") {
  CHECK(kernel::RegisterTile().to_string() == "");
  CHECK(kernel::RegisterTile{4, 2, 8}.to_string() == "4x2x8");
  CHECK(kernel::RegisterTile{4, 2, 8, 1}.to_string() == "4x2x8");
  CHECK(kernel::RegisterTile{4, 2, 8, 2}.to_string() == "4x2, 2 along k");
  CHECK(kernel::RegisterTile{3, 2, 1, 4}.to_string() == "3x2, 4 along k");
}

TEST_CASE("micro-kernels have a name each", "[kernel]") {
  std::set<std::string_view> names;
#define HLOCC_MICRO_KERNEL(Name, text)                            \
  CHECK(kernel::micro_kernel_name(MicroKernel::k##Name) == text); \
  CHECK(names.insert(text).second);
#include "kernel/micro_kernels.def"
}

}  // namespace hlocc::tests
