// What lanes of 32 bits do in integers (kernel/legalize/wide_numbers.cpp), against the evaluator's
// direct meaning.
#include <catch2/catch.hpp>

#include "kernel/legalize/table.h"
#include "legalize/harness.h"
#include "support/require.h"
#include "target/gpu.h"

namespace hlocc::kernel {
namespace {

using enum OpKind;

Target lanes(const char* gpu) {
  Options options;
  options.name = "lanes";
  return target_of(*tests::require(find_gpu(gpu)), options);
}

TEST_CASE("quotients of f32 are rounded once, subnormal ones too") {
  const Column values = edge_values(Scalar::kF32, 60);
  check_same(binary_test(kDiv, Scalar::kF32), pairs_of(values, values), lanes("vulkan-generic"));
  // On both sides of halves: a / b for neighbours of powers of two and of 1.5.
  Column near;
  for (const uint64_t base :
       {0x3f800000, 0x3fc00000, 0x40000000, 0x00800000, 0x7f000000, 0x00000001})
    for (uint64_t i = 0; i < 6; ++i) near.push_back(base + i);
  check_same(binary_test(kDiv, Scalar::kF32), pairs_of(near, near), lanes("vulkan-generic"));
}

TEST_CASE("integers of 64 bits divide, and become floats and come from them") {
  for (const Scalar scalar : {Scalar::kS64, Scalar::kU64}) {
    const Column values = edge_values(scalar, 20);
    for (const OpKind kind : {kDiv, kRem})
      check_same(binary_test(kind, scalar), pairs_of(values, values), lanes("vulkan-generic"));
    check_same(convert_test(scalar, Scalar::kF32), {edge_values(scalar, 400)},
               lanes("vulkan-generic"));
    check_same(convert_test(Scalar::kF32, scalar), {edge_values(Scalar::kF32, 400)},
               lanes("vulkan-generic"));
  }
}

TEST_CASE("only lanes of 32 bits, and quotients that are not promised, are written out") {
  const Type f32{Scalar::kF32, 1}, s64{Scalar::kS64, 1}, s32{Scalar::kS32, 1};
  for (const auto& [gpu, quotients, wide] :
       {std::tuple("vulkan-generic", false, false), std::tuple("vulkan-mali", false, true),
        std::tuple("vulkan-lavapipe", true, true)}) {
    const Target target = lanes(gpu);
    CHECK(decide(kDiv, f32, f32, target).keep == quotients);
    CHECK(decide(kNativeDiv, s64, s64, target).keep == wide);
    CHECK(decide(kNativeRem, s64, s64, target).keep == wide);
    CHECK(decide(kNativeConvert, s64, f32, target).keep == wide);
    CHECK(decide(kNativeConvert, f32, s64, target).keep == wide);
    CHECK(decide(kNativeDiv, s32, s32, target).keep);
    CHECK(decide(kNativeConvert, f32, s32, target).keep);
    CHECK(decide(kNativeConvert, s64, s32, target).keep);
  }
  // Machines that are no grid keep them all, whatever their vectors hold.
  for (const char* name : {"cortex-m0", "cortex-m55"}) {
    CHECK(decide(kNativeDiv, s64, s64, target_named(name)).keep);
    CHECK(decide(kDiv, f32, f32, target_named(name)).keep);
  }
}

}  // namespace
}  // namespace hlocc::kernel
