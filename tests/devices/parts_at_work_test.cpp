// Parts on a device while they run: that the host and the device's queues work at the same time,
// and what a device that has too little memory, or fails, leaves behind.
#include <catch2/catch.hpp>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "chosen_platform.h"
#include "driver/run/platforms.h"
#include "support/text.h"

namespace hlocc::device {
namespace {

using hlo::Literal, hlo::PrimitiveType, hlo::Shape;
using tests::require;

// p begins before the host has made s, which q needs; x and y need nothing of one another.
constexpr const char* kBeside = R"(HloModule beside
ENTRY main {
  a = f32[4,4] parameter(0)
  b = f32[4,4] parameter(1)
  p = f32[4,4] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  s = f32[4,4] sine(b)
  q = f32[4,4] dot(s, s), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT r = (f32[4,4], f32[4,4]) tuple(p, q)
}
)";
constexpr const char* kTwoProducts = R"(HloModule products
ENTRY main {
  a = f32[4,4] parameter(0)
  b = f32[4,4] parameter(1)
  x = f32[4,4] dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  y = f32[4,4] dot(b, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT r = (f32[4,4], f32[4,4]) tuple(x, y)
}
)";

bool is_product(const hlo::Instruction& one) { return one.opcode == hlo::Opcode::kDot; }

import::Imported with_two_matrices(const char* text){import::Imported model;
model.module = module_of(text);
std::vector<float> values(16);
for (size_t i = 0; i < 16; ++i) values[i] = static_cast<float>(i) * 0.25f - 1.5f;
const Literal matrix = Literal::array<float>(PrimitiveType::kF32, {4, 4}, values);
model.snapshot = import::Snapshot{{matrix, matrix}, Literal()};
return model;
}  // namespace

// Counts up; whoever waits for a number that does not come is told so.
class Counter {
 public:
  void add() {
    const std::lock_guard lock(mutex_);
    ++count_;
    changed_.notify_all();
  }
  Status wait_for(int count) {
    std::unique_lock lock(mutex_);
    const bool came =
        changed_.wait_for(lock, std::chrono::minutes(20), [&] { return count_ >= count; });
    return came ? Status() : error(DiagnosticKind::kRun, "nothing else goes on meanwhile");
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

// Runs the model with its products on a device, and compares with the host alone.
void check_at_work(const char* text, BeforeRun before) {
  const auto platforms = driver::make_platforms();
  Platform& host = *require(platforms->PlatformWithName("host"));
  ChosenPlatform chosen(host, is_product, std::move(before));
  const auto both = driver::partitioned(*platforms, chosen);
  const import::Imported model = with_two_matrices(text);
  const Ran alone = require(run_on(host, model)), two = require(run_on(*both, model));
  CHECK(two.ops.at("host") + two.ops.at("chosen") == alone.ops.at("host"));
  CHECK(two.result == alone.result);
  CHECK(two.again == alone.again);
}

TEST_CASE("the host works while the device does") {
  // The first part is done only when the second has been given, for which the host must have
  // worked.
  Counter given;
  int runs = 0;
  check_at_work(kBeside, [&](const std::string& part, Stream& stream) -> Status {
    given.add();
    if (part != "hlocc_part_0") return {};
    const int wanted = 2 * ++runs;
    return stream.DoHostCallback([&given, wanted] { return given.wait_for(wanted); });
  });
  CHECK(runs == 2);
}

TEST_CASE("two parts that need nothing of one another run at once") {
  Counter begun;
  int runs = 0;
  check_at_work(kTwoProducts, [&](const std::string& part, Stream& stream) -> Status {
    runs += part == "hlocc_part_0" ? 1 : 0;
    return stream.DoHostCallback([&begun, wanted = 2 * runs]() -> Status {
      begun.add();
      return begun.wait_for(wanted);
    });
  });
  CHECK(runs == 2);
}

TEST_CASE("a device's fault is the run's, and the next run begins anew") {
  const auto platforms = driver::make_platforms();
  Platform& host = *require(platforms->PlatformWithName("host"));
  bool faulty = true;
  ChosenPlatform chosen(host, is_product, [&](const std::string&, Stream& stream) -> Status {
    if (!faulty) return {};
    return stream.DoHostCallback(
        [] { return Status(error(DiagnosticKind::kRun, "a parity error")); });
  });
  const auto both = driver::partitioned(*platforms, chosen);
  const import::Imported model = with_two_matrices(kBeside);
  StreamExecutor& executor = *require(both->ExecutorForDevice(0));
  const auto executable = require(both->GetCompiler().Compile(model.module, executor, {}));
  const TransferManager& transfer = both->GetTransferManager();
  const auto in = require(transfer.AllocateBuffers(executor, executable->ArgumentShapes()));
  const auto out = require(transfer.AllocateBuffers(executor, executable->ResultShapes()));
  const std::vector<ExecutionInput> inputs = {{in[0]}, {in[1]}};
  const auto run = [&]() -> Result<Literal> {
    HLOCC_TRY_ASSIGN(const auto stream, executor.CreateStream());
    HLOCC_TRY(transfer.TransferLiteralToDeviceAsync(
        *stream, Literal::make_tuple(model.snapshot->arguments), executable->ArgumentShapes(), in));
    HLOCC_TRY(executable->ExecuteAsyncOnStream(*stream, inputs, out, nullptr));
    return transfer.TransferLiteralFromDevice(*stream, model.module.entry_result,
                                              executable->ResultShapes(), out);
  };
  for (int i = 0; i < 2; ++i) {
    const Result<Literal> failed = run();
    REQUIRE_FALSE(failed.ok());
    CHECK(failed.error().kind == DiagnosticKind::kRun);
    CHECK(failed.error().message == "a parity error");
  }
  faulty = false;
  CHECK(require(run()) == require(run_on(host, model)).result);
}

TEST_CASE("a device with too little memory for its parts is refused, one with just enough is not") {
  const auto platforms = driver::make_platforms();
  // Two matrices there and two products: four times 64 bytes.
  const auto refused = [&](int64_t bytes) -> std::string {
    ChosenPlatform chosen(*require(platforms->PlatformWithName("interpreter")), is_product);
    chosen.shrink(bytes);
    const auto both = driver::partitioned(*platforms, chosen);
    const Result<Ran> ran = run_on(*both, with_two_matrices(kTwoProducts));
    if (ran.ok()) return "";
    CHECK(ran.error().kind == DiagnosticKind::kLimit);
    CHECK(ran.error().notes.size() == 1);
    return ran.error().message;
  };
  CHECK(refused(256).empty());
  CHECK(refused(255) == "out of memory: 256 bytes wanted, 255 of 255 left in scratch");
}

// A loop carries several values, or one.
constexpr const char* kLoop = R"(HloModule loop
body {
  state = (s32[], f32[4,4]) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  x = f32[4,4] get-tuple-element(state), index=1
  one = s32[] constant(1)
  next = s32[] add(i, one)
  y = f32[4,4] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT out = (s32[], f32[4,4]) tuple(next, y)
}
condition {
  state = (s32[], f32[4,4]) parameter(0)
  i = s32[] get-tuple-element(state), index=0
  three = s32[] constant(3)
  ROOT more = pred[] compare(i, three), direction=LT
}
ENTRY main {
  a = f32[4,4] parameter(0)
  b = f32[4,4] parameter(1)
  p = f32[4,4] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  zero = s32[] constant(0)
  first = (s32[], f32[4,4]) tuple(zero, p)
  looped = (s32[], f32[4,4]) while(first), condition=condition, body=body
  ROOT r = f32[4,4] get-tuple-element(looped), index=1
}
)";

TEST_CASE("a loop stays whole on the host, and a device that takes whole modules has it all") {
  const auto platforms = driver::make_platforms();
  Platform& host = *require(platforms->PlatformWithName("host"));
  const import::Imported model = with_two_matrices(kLoop);
  const Ran alone = require(run_on(host, model));
  ChosenPlatform chosen(*require(platforms->PlatformWithName("interpreter")), is_product);
  const Ran two = require(run_on(*driver::partitioned(*platforms, chosen), model));
  CHECK(two.result == alone.result);
  CHECK(two.ops == OpsByDevice{{"chosen", 0}, {"host", 4}, {"interpreter", 1}});
  CHECK(alone.ops.at("host") == 5);
}

// --- donated arguments ---

void check_donated(Platform& platform, const char* text, const std::vector<float>& wanted) {
  INFO(platform.Name() << "\n" << text);
  const hlo::Module module = module_of(text);
  StreamExecutor& executor = *require(platform.ExecutorForDevice(0));
  const auto executable = require(platform.GetCompiler().Compile(module, executor, {}));
  const auto stream = require(executor.CreateStream());
  const TransferManager& transfer = platform.GetTransferManager();
  const auto memories = require(transfer.AllocateBuffers(executor, executable->ArgumentShapes()));
  const auto apart = require(transfer.AllocateBuffers(executor, executable->ResultShapes()));
  const Shape shape = executable->ResultShapes()[0];
  const Literal given = with_two_matrices(text).snapshot->arguments[0];
  const Literal expected = Literal::array<float>(PrimitiveType::kF32, {4, 4}, wanted);
  const auto run = [&](bool donated) {
    const std::vector<DeviceMemory>& to = donated ? memories : apart;
    REQUIRE(transfer
                .TransferLiteralToDeviceAsync(*stream, Literal::make_tuple({given}),
                                              executable->ArgumentShapes(), memories)
                .ok());
    const std::vector<ExecutionInput> inputs = {{memories[0], donated}};
    REQUIRE(executable->ExecuteAsyncOnStream(*stream, inputs, to, nullptr).ok());
    CHECK(require(transfer.TransferLiteralFromDevice(*stream, shape, {&shape, 1}, to)) == expected);
  };
  run(true);
  run(false);
  // What was not donated is as it was.
  CHECK(require(transfer.TransferLiteralFromDevice(*stream, shape, {&shape, 1}, memories)) ==
        given);
  for (const auto* all : {&memories, &apart}) CHECK(executor.Deallocate((*all)[0]).ok());
}

TEST_CASE("a result may lie where a donated argument lay, on every platform") {
  std::vector<float> turned(16), squared(16);
  const auto value = [](size_t row, size_t column) {
    return static_cast<float>(row * 4 + column) * 0.25f - 1.5f;
  };
  for (size_t i = 0; i < 4; ++i)
    for (size_t j = 0; j < 4; ++j) {
      turned[i * 4 + j] = value(j, i);
      for (size_t k = 0; k < 4; ++k) squared[i * 4 + j] += value(i, k) * value(k, j);
    }
  const auto platforms = driver::make_platforms();
  ChosenPlatform chosen(*require(platforms->PlatformWithName("host")), is_product);
  const auto both = driver::partitioned(*platforms, chosen);
  std::vector<Platform*> all = platforms->ListPlatforms();
  all.push_back(both.get());
  for (Platform* platform : all) {
    check_donated(*platform,
                  "HloModule turn\nENTRY e {\n  a = f32[4,4] parameter(0)\n"
                  "  ROOT t = f32[4,4] transpose(a), dimensions={1,0}\n}\n",
                  turned);
    check_donated(*platform,
                  "HloModule square\nENTRY e {\n  a = f32[4,4] parameter(0)\n  ROOT p = f32[4,4] "
                  "dot(a, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n",
                  squared);
  }
}

}  // namespace hlocc::device
}  // namespace hlocc::device
