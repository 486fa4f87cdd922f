// What a GPU takes of a module, and what it leaves to the processor beside it.
#include <catch2/catch.hpp>

#include "devices/chosen_platform.h"
#include "devices/vulkan/gpu_support.h"

namespace hlocc::device {
namespace {

// Why the root of a module is left to the host.
std::string why(const std::string& text, const GpuDevice& gpu) {
  const hlo::Module module = module_of(text);
  const hlo::Computation& entry = module.entry_computation();
  return why_not_on_gpu(module, entry[entry.root], gpu);
}

GpuDevice with_doubles(bool f64) {
  GpuDevice gpu;
  gpu.name = "vulkan-some";
  gpu.f64 = f64;
  return gpu;
}

TEST_CASE("functions of other libraries are the host's, wherever they are called from") {
  const GpuDevice gpu = with_doubles(true);
  CHECK(why("HloModule m\nENTRY e { x = f32[4] parameter(0) ROOT y = f32[4] negate(x) }", gpu)
            .empty());
  CHECK(why("HloModule m\nENTRY e { x = f32[4] parameter(0) ROOT y = f32[4] custom-call(x), "
            "custom_call_target=\"f\" }",
            gpu) == "a function of another library");
  CHECK(
      why("HloModule m\nf { x = f32[4] parameter(0) ROOT y = f32[4] custom-call(x), "
          "custom_call_target=\"f\" }\nENTRY e { x = f32[4] parameter(0) ROOT y = f32[4] call(x), "
          "to_apply=f }",
          gpu) == "a function of another library");
}

TEST_CASE("calls that are ops of one device are the GPU's, just outside of them not") {
  const GpuDevice gpu = with_doubles(true);
  const auto call = [&](const std::string& shape, const std::string& target) {
    return why("HloModule m\nENTRY e { x = f32[4] parameter(0) ROOT y = " + shape +
                   " custom-call(x), custom_call_target=\"" + target + "\" }",
               gpu);
  };
  CHECK(call("f32[4]", "Sharding").empty());
  CHECK(call("f32[2,2]", "Sharding") == "a function of another library");
  CHECK(call("(f32[2], s32[2])", "TopK").empty());
  CHECK(call("(f32[2], s64[2])", "TopK") == "a function of another library");
  CHECK(call("f32[2]", "TopK") == "a function of another library");
  CHECK(call("f32[4]", "lapack_spotrf_ffi") ==
        "linear algebra, which one invocation would do alone");
  CHECK(call("f32[4]", "lapack_spotrf") == "a function of another library");
  for (const char* target : {"Sharding", "TopK", "f"})
    CHECK(why(std::string("HloModule m\nENTRY e { ROOT y = f32[4] custom-call(), "
                          "custom_call_target=\"") +
                  target + "\" }",
              gpu) == "a function of another library");
}

TEST_CASE("doubles are the host's where a device has none: as result, operand or inside") {
  const std::string made =
      "HloModule m\nENTRY e { x = f32[4] parameter(0) ROOT y = f64[4] convert(x) }";
  const std::string read =
      "HloModule m\nENTRY e { x = f64[4] parameter(0) ROOT y = f32[4] convert(x) }";
  const std::string inside =
      "HloModule m\nf { x = f32[4] parameter(0) d = c128[4] convert(x) r = f64[4] real(d) "
      "ROOT y = f32[4] convert(r) }\n"
      "ENTRY e { x = f32[4] parameter(0) ROOT y = f32[4] call(x), to_apply=f }";
  CHECK(why(made, with_doubles(false)) == "vulkan-some has no f64");
  CHECK(why(read, with_doubles(false)) == "vulkan-some has no f64");
  CHECK(why(inside, with_doubles(false)) == "vulkan-some has no c128");
  for (const std::string& text : {made, read, inside}) CHECK(why(text, with_doubles(true)).empty());
}

}  // namespace
}  // namespace hlocc::device
