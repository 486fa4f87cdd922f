// What the interfaces cost over a direct call: HLOCC_COST=1 prints it (docs/figures_devices.md).
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "devices/host/host_device.h"
#include "devices/host/host_platform.h"
#include "support/require.h"

namespace hlocc::device {
namespace {

using tests::require;

int add_one(void* instance) {
  std::byte* const* slots = static_cast<std::byte* const*>(instance);
  *reinterpret_cast<int32_t*>(slots[2]) = *reinterpret_cast<const int32_t*>(slots[1]) + 1;
  return 0;
}

class OneFunction : public backends::LinkedObject {
 public:
  void* address(const std::string&) override { return reinterpret_cast<void*>(add_one); }
};

double microseconds(const std::function<void()>& call) {
  constexpr int kCalls = 2000, kRounds = 15;
  double best = 1e9;
  for (int round = 0; round < kRounds; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < kCalls; ++i) call();
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count() / kCalls);
  }
  return best;
}

TEST_CASE("a launch on the host's stream calls the function, and costs little more") {
  HostCode code{.run_symbol = "run", .arena_bytes = 128, .arena_align = 16};
  code.arguments.push_back({{planning::Region::kArena, 0, 4}, 4});
  code.results.push_back({{planning::Region::kArena, 64, 4}, 1});
  const LinkObject link =
      [](std::span<const std::byte>) -> Result<std::unique_ptr<backends::LinkedObject>> {
    return std::unique_ptr<backends::LinkedObject>(new OneFunction());
  };
  const auto executor = require(start_host(link));
  const auto kernel = require(executor->LoadKernel(encode(code)));
  const auto stream = require(executor->CreateStream());
  const DeviceMemory buffers[] = {require(executor->Allocate(4)), require(executor->Allocate(4))};
  int32_t value = 41;
  const std::span<std::byte> bytes(reinterpret_cast<std::byte*>(&value), 4);
  CHECK(executor->SynchronousMemcpyHostToDevice(buffers[0], bytes).ok());
  const auto launch = [&] {
    if (!stream->Launch(*kernel, buffers, {}).ok() || !stream->BlockHostUntilDone().ok())
      std::abort();
  };
  launch();
  CHECK(executor->SynchronousMemcpyDeviceToHost(bytes, buffers[1]).ok());
  CHECK(value == 42);
  if (std::getenv("HLOCC_COST") == nullptr) return;
  std::byte argument[64] = {}, result[64] = {};
  void* instance[] = {nullptr, argument, result};
  const double direct = microseconds([&] { add_one(instance); }), over = microseconds(launch);
  std::printf("direct call %.3f us, through Stream::Launch and BlockHostUntilDone %.3f us\n",
              direct, over);
}

}  // namespace
}  // namespace hlocc::device
