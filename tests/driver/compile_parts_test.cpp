// Small questions that a compile asks: where a diagnostic lies, whether a device is beside the
// target, which C compiler is this machine's, what a GPU's program is called, and which targets a
// GPU can be beside (driver/pipeline/load.cpp, compile_target.h, host_compiler.cpp, gpu_program.cpp,
// device_parts.cpp).
#include <catch2/catch.hpp>

#include "driver/pipeline/compile_target.h"
#include "driver/pipeline/device_parts.h"
#include "driver/pipeline/gpu_program.h"
#include "driver/pipeline/host_compiler.h"
#include "driver/pipeline/load.h"
#include "driver/pipeline/targets.h"
#include "driver/text_module.h"
#include "target/gpu.h"

namespace hlocc::driver {
namespace {

TEST_CASE("an error of a model is in the model's file, unless it is at a place of its own") {
  const auto place = [](DiagnosticKind kind, const char* file) {
    Diagnostic why = error(kind, "what");
    if (*file != 0) why = std::move(why).at({file, 3});
    return located_in("m.pb", std::move(why)).location.file;
  };
  CHECK(place(DiagnosticKind::kFormat, "") == "m.pb");
  CHECK(place(DiagnosticKind::kFormat, "weights.bin") == "weights.bin");
  CHECK(place(DiagnosticKind::kUsage, "").empty());
  CHECK(place(DiagnosticKind::kUsage, "c.json") == "c.json");
  const auto nowhere = load_model("/nowhere/m.pb", import::Constants::kNeeded);
  REQUIRE(!nowhere.ok());
  CHECK(nowhere.error().location.file == "/nowhere/m.pb");
}

TEST_CASE("a plug-in's device is beside the target, and so is a GPU") {
  CommandLine none, plugin, gpu;
  plugin.plugin = "p.so";
  gpu.device = "vulkan-v3d";
  CHECK_FALSE(has_device(none));
  CHECK(has_device(plugin));
  CHECK(has_device(gpu));
}

TEST_CASE("the C compiler is cc, unless CC names one") {
  CHECK(compiler_name(nullptr) == "cc");
  CHECK(compiler_name("") == "cc");
  CHECK(compiler_name("x") == "x");
}

const char* const kPartModel =
    "HloModule m\nENTRY e {\n x = f32[2] parameter(0)\n ROOT y = f32[2] sine(x)\n}\n";

TEST_CASE("a GPU's program has the name that it is given, or one of its own") {
  const hlo::Module module = module_of_text(kPartModel);
  const auto called = [&](const char* name, const char* stem) {
    Options options;
    options.name = name;
    options.stem = stem;
    return tests::require(gpu_program(module, options, gpu_devices().front())).signature.class_name;
  };
  CHECK(called("", "") == "hlocc_gpu");
  CHECK(called("acme::Kws", "") == "acme::Kws");
  CHECK(called("", "kws") == "Kws");
  CHECK(called("acme::Kws", "vww") == "acme::Kws");
}

TEST_CASE("a GPU is beside targets of its order of bytes, a plug-in's device beside all") {
  const hlo::Module module = module_of_text(kPartModel);
  const auto told = [&](ByteOrder order, const char* plugin) {
    Target target = tests::require(find_target("cortex-m4f"));
    target.byte_order = order;
    target.options.name = "Kws";
    const Result<DeviceParts> parts = parts_for_device(
        module, {*plugin == 0 ? "vulkan" : "", plugin, std::string(gpu_devices().front().name)},
        target);
    return parts ? std::string() : parts.error().message;
  };
  const std::string other = "cortex-m4f has its bytes the other way around than GPUs have";
  CHECK(told(ByteOrder::kBig, "") == other);
  CHECK(told(ByteOrder::kLittle, "").empty());
  for (const ByteOrder order : {ByteOrder::kBig, ByteOrder::kLittle}) {
    const std::string missing = told(order, "/nowhere/p.so");
    CHECK(missing != other);
    CHECK_FALSE(missing.empty());
  }
}

}  // namespace
}  // namespace hlocc::driver
