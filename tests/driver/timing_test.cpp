// What `hlocc bench` makes of the clock, with a clock of the test's own; and the arguments that it
// invents.
#include "driver/run/timing.h"

#include <catch2/catch.hpp>

#include "driver/run/compiled_c.h"
#include "driver/run/random_arguments.h"
#include "driver/text_module.h"

namespace hlocc::driver {
namespace {

TEST_CASE("short calls are timed many at once, and the warm-up does not count") {
  double now = 0;
  int calls = 0;
  const auto call = [&]() -> Status {
    now += calls++ == 0 ? 1000 : 3;  // cold, then warm
    return {};
  };
  Result<Timing> timing = time_calls(call, 7, [&] { return now; });
  REQUIRE(timing.ok());
  CHECK(timing->calls_a_sample == 128);  // the first power of two that takes 200 us
  CHECK(timing->samples == 7);
  CHECK(timing->min_us == Approx(3));
  CHECK(timing->median_us == Approx(3));
  CHECK(timing->calls_per_second() == Approx(1e6 / 3));
}

TEST_CASE("the median is the middle sample, however they come") {
  double now = 0;
  int calls = 0;
  // The first four are the warm-up and the search for how many make a sample.
  constexpr double costs[] = {900, 900, 900, 700, 300, 500, 800, 400};
  const auto call = [&]() -> Status {
    now += costs[calls++];
    return {};
  };
  const Result<Timing> timing = time_calls(call, 5, [&] { return now; });
  REQUIRE(timing.ok());
  CHECK(timing->calls_a_sample == 1);
  CHECK(calls == 8);
  CHECK(timing->min_us == 300);
  CHECK(timing->median_us == 500);
}

TEST_CASE("a machine that was busy once does not make samples short") {
  double now = 0;
  int calls = 0;
  const auto call = [&]() -> Status {
    now += calls++ == 2 ? 5000 : 3;
    return {};
  };
  Result<Timing> timing = time_calls(call, 3, [&] { return now; });
  REQUIRE(timing.ok());
  CHECK(timing->calls_a_sample == 128);
}

TEST_CASE("who waits hears how much is measured") {
  for (const int wish : {4, 0}) {
    double now = 0;
    std::vector<std::pair<int64_t, double>> heard;
    const auto call = [&]() -> Status {
      now += 250e3;
      return {};
    };
    const Result<Timing> timing = time_calls(
        call, wish, [&] { return now; },
        [&](int64_t taken, double share) { heard.emplace_back(taken, share); });
    REQUIRE(timing.ok());
    REQUIRE(static_cast<int64_t>(heard.size()) == timing->samples);
    CHECK(heard[0] == std::pair<int64_t, double>{0, 0});
    // Four samples of a quarter of a second: all of them, or the four fifths of five.
    CHECK(heard[2] == std::pair<int64_t, double>{2, wish == 4 ? 0.5 : 0.4});
  }
}

TEST_CASE("without a wish, samples fill a second, and slow calls still make five") {
  for (const auto& [cost, samples] : {std::pair<double, int64_t>{1000, 1000}, {1e6, 5}}) {
    double now = 0;
    const double each = cost;
    const auto call = [&]() -> Status {
      now += each;
      return {};
    };
    Result<Timing> timing = time_calls(call, 0, [&] { return now; });
    REQUIRE(timing.ok());
    CHECK(timing->calls_a_sample == 1);
    CHECK(timing->samples == samples);
  }
}

TEST_CASE("a sample of just 200 us is long enough, and one of a little less is not") {
  for (const auto& [cost, calls] :
       {std::pair<double, int64_t>{50, 4}, {49, 8}, {200, 1}, {199, 2}}) {
    double now = 0;
    const double each = cost;
    int64_t made = 0;
    const auto call = [&]() -> Status {
      now += each;
      ++made;
      return {};
    };
    const Result<Timing> timing = time_calls(call, 1, [&] { return now; });
    REQUIRE(timing.ok());
    CHECK(timing->calls_a_sample == calls);
    CHECK(timing->samples == 1);
    // The first one, those of ever longer samples, of the one that is measured again, and of one.
    CHECK(made == 4 * calls);
  }
}

TEST_CASE("where no time passes, calls and samples are a million at most") {
  int64_t calls = 0;
  const auto call = [&]() -> Status {
    ++calls;
    return {};
  };
  const Result<Timing> still = time_calls(call, 1, [] { return 0.0; });
  REQUIRE(still.ok());
  CHECK(still->calls_a_sample == 1 << 20);
  CHECK(calls == 3 << 20);
  CHECK(still->calls_per_second() == 0);
  // A clock that stands still when samples begin.
  double now = 0;
  const Result<Timing> stopped = time_calls([]() -> Status { return {}; }, 0,
                                            [&] { return now = std::min(now + 300, 1200.0); });
  REQUIRE(stopped.ok());
  CHECK(stopped->calls_a_sample == 1);
  CHECK(stopped->samples == 1 << 20);
}

TEST_CASE("samples are counted, of as many as are asked for") {
  CHECK(sample_words(0, 0) == "sample 1");
  CHECK(sample_words(0, 1) == "sample 1 of 1");
  CHECK(sample_words(2, 7) == "sample 3 of 7");
}

TEST_CASE("what is compiled to run here is made fast, unless nothing is to be") {
  for (const Level level : {Level::kO0, Level::kO1}) CHECK(host_optimization(level) == "-O1");
  for (const Level level : {Level::kO2, Level::kO3, Level::kOs, Level::kOz})
    CHECK(host_optimization(level) == "-O3");
}

TEST_CASE("calls a second, of fractions of a microsecond too") {
  Timing timing;
  timing.median_us = 0.5;
  CHECK(timing.calls_per_second() == 2e6);
  timing.median_us = 0;
  CHECK(timing.calls_per_second() == 0);
}

TEST_CASE("a call that fails ends the timing") {
  int calls = 0;
  const auto call = [&]() -> Status {
    if (++calls == 4) return error(DiagnosticKind::kRun, "enough");
    return {};
  };
  CHECK(!time_calls(call, 0, [] { return 0.0; }).ok());
  CHECK(calls == 4);
}

TEST_CASE("random arguments of 64 bits and of halves are no zeros, and tokens are tokens") {
  const hlo::Module module = module_of_text(R"(HloModule m
ENTRY e {
  a = f64[4] parameter(0)
  b = s64[4] parameter(1)
  c = f16[4] parameter(2)
  t = token[] parameter(3)
  ROOT r = f64[4] negate(a)
})");
  const std::vector<hlo::Literal> values = random_arguments(module);
  REQUIRE(values.size() == 4);
  for (size_t i = 0; i < 3; ++i) {
    INFO(i);
    CHECK(values[i] != hlo::Literal::zeros(module.entry_parameters[i]));
  }
  for (const double value : values[0].data<double>()) CHECK((value >= -1 && value < 1));
  for (const int64_t value : values[1].data<int64_t>()) CHECK((value >= 0 && value < 8));
  CHECK(values[3].shape().is_token());
}

TEST_CASE("random arguments are small, and the same every time") {
  const std::string text = R"(HloModule m
ENTRY e {
  a = f32[64] parameter(0)
  b = (s32[64], pred[64], s2[64]) parameter(1)
  c = bf16[8] parameter(2)
  d = c64[4] parameter(3)
  ROOT r = f32[64] negate(a)
})";
  const hlo::Module module = module_of_text(text);
  const std::vector<hlo::Literal> values = random_arguments(module);
  REQUIRE(values.size() == 4);
  CHECK(values == random_arguments(module));
  for (float value : values[0].data<float>()) CHECK((value >= -1 && value < 1));
  CHECK(values[0].data<float>()[0] != values[0].data<float>()[1]);
  REQUIRE(values[1].elements().size() == 3);
  for (int32_t value : values[1].elements()[0].data<int32_t>()) CHECK((value >= 0 && value < 8));
  for (uint8_t value : values[1].elements()[1].data<uint8_t>()) CHECK(value < 2);
  for (int8_t value : values[1].elements()[2].data<int8_t>()) CHECK((value >= 0 && value < 2));
}

}  // namespace
}  // namespace hlocc::driver
