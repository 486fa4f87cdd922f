// Custom operators of TensorFlow Lite that cut, transform and weigh samples, each on both sides of
// what it is refused for. What an operator keeps is a result behind the model's own.

#include "tflite/node.h"

namespace hlocc::tests {
namespace {

NodeRow custom(const std::string& op, FlexOptions options, const std::vector<NodeTensor>& operands,
               const std::vector<NodeTensor>& results, const std::string& answer,
               std::vector<Literal> state = {}) {
  return {op, {}, operands, results, answer, std::move(options), std::move(state)};
}
NodeTensor s16(const std::vector<double>& values) {
  return given(kS16, {static_cast<int64_t>(values.size())}, values);
}
NodeTensor u32(const std::vector<double>& values) {
  return given(kU32, {static_cast<int64_t>(values.size())}, values);
}
NodeTensor table(const std::vector<double>& values) {
  return constant(kS16, {static_cast<int64_t>(values.size())}, values);
}
Literal kept(PrimitiveType type, const Dimensions& sizes, std::vector<double> values) {
  return counted_literal(type, sizes, std::move(values));
}

TEST_CASE("TFLite's SignalWindow and SignalDelay take 16-bit samples") {
  const auto window = [](int64_t shift, const NodeTensor& from, const NodeTensor& by,
                         const NodeTensor& to, const std::string& answer) {
    return custom("SignalWindow", {{"shift", shift}}, {from, by}, {to}, answer);
  };
  const auto delay = [](int64_t by, const NodeTensor& from, const NodeTensor& to,
                        const std::string& answer, std::vector<Literal> state = {}) {
    return custom("SignalDelay", {{"delay_length", by}}, {from}, {to}, answer, std::move(state));
  };
  const NodeTensor two = gives(kS16, {2});
  check_nodes({
      window(1, s16({100, 200}), s16({1, 2}), two, "s16[2] 50 200"),
      window(0, s16({1, 2, 30000, 4}), s16({1, 2}), gives(kS16, {4}), "s16[4] 1 4 30000 8"),
      window(31, s16({5, -5}), s16({1}), two, "s16[2] 0 -1"),
      window(32, s16({5, -5}), s16({1}), two, "!the option shift is 32, where 0 to 31 make sense"),
      window(-1, s16({5, -5}), s16({1}), two, "!the option shift is -1, where 0 to 31 make sense"),
      window(1, s16({100, 200, 300}), s16({1, 2}), two, "!the window does not divide the samples"),
      window(1, s16({100, 200}), s16({}), two, "!the window does not divide the samples"),
      window(1, x({2}), s16({1, 2}), two, no_kernel + "(FLOAT32, INT16) -> INT16"),
      window(1, s16({1, 2}), x({2}), two, no_kernel + "(INT16, FLOAT32) -> INT16"),
      custom("SignalWindow", {{"shift", 1.5}}, {s16({1}), s16({1})}, {gives(kS16, {1})},
             "!the option shift is no integer"),
      delay(0, s16({5, 6}), two, "s16[2] 5 6"),
      delay(1, s16({5, 6}), two, "s16[2] 0 5; s16[1,1] 6"),
      delay(1, s16({5, 6}), two, "s16[2] 9 5; s16[1,1] 6", {kept(kS16, {1, 1}, {9})}),
      delay(3, s16({5, 6}), two, "s16[2] 7 8; s16[1,3] 9 5 6", {kept(kS16, {1, 3}, {7, 8, 9})}),
      delay(1, given(kS16, {2, 1}, {5, 6}), gives(kS16, {2, 1}), "s16[2,1] 0 0; s16[2,1] 5 6"),
      delay(1, given(kS16, {}), gives(kS16, {}), "!the operand has no dimension"),
      delay(1, given(kS16, {2, 0}), gives(kS16, {2, 0}), "!the operand has no elements"),
      delay(1, x({2}), two, no_kernel + "(FLOAT32) -> INT16"),
      delay((1 << 24) + 1, s16({5, 6}), two,
            "!the option delay_length is 16777217, where 0 to 16777216 make sense"),
  });
}

TEST_CASE("TFLite's SignalFramer: frames that reach back, and those that are not whole") {
  const auto framer = [](int64_t size, int64_t step, int64_t prefill, const NodeTensor& from,
                         const NodeTensor& to, const std::string& answer,
                         std::vector<Literal> state = {}) {
    return custom("SignalFramer",
                  {{"frame_size", size}, {"frame_step", step}, {"prefill", prefill}}, {from},
                  {to, gives(kPred, {})}, answer, std::move(state));
  };
  const NodeTensor four = s16({1, 2, 3, 4});
  const auto to = [](int64_t frames, int64_t size) { return gives(kS16, {frames, size}); };
  std::string zeros;
  for (int i = 0; i < 4095; ++i) zeros += " 0";
  check_nodes({
      framer(2, 2, 0, four, to(2, 2), "s16[2,2] 1 2 3 4; pred[] 1"),
      framer(2, 2, 1, four, to(2, 2), "s16[2,2] 1 2 3 4; pred[] 1"),
      framer(1, 2, 0, four, to(2, 1), "s16[2,1] 1 3; pred[] 1"),
      framer(1, 2, 1, four, to(2, 1), "!frame_size is less than frame_step"),
      framer(3, 2, 1, four, to(2, 3), "s16[2,3] 0 1 2 2 3 4; pred[] 1; s16[1,2] 3 4"),
      framer(3, 2, 0, four, to(2, 3), "s16[2,3] 0 0 0 1 2 3; pred[] 0; s16[1,2] 3 4; s32[] 1"),
      framer(3, 2, 0, four, to(2, 3), "s16[2,3] 7 8 1 1 2 3; pred[] 1; s16[1,2] 3 4; s32[] 1",
             {kept(kS16, {1, 2}, {7, 8}), kept(kS32, {}, {1})}),
      framer(2, 3, 0, four, to(1, 2), "!frame_step does not divide the samples"),
      framer(4096, 1, 1, s16({5}), to(1, 4096),
             cat("s16[1,4096]", zeros, " 5; pred[] 1; s16[1,4095]", zeros.substr(2), " 5")),
      framer(4097, 1, 1, s16({5}), to(1, 4097), "!frame_size is more than 4096 times frame_step"),
      framer(2, 2, 2, four, to(2, 2), "!the option prefill is 2, where 0 to 1 make sense"),
      framer(2, 2, 0, x({4}), to(2, 2), no_kernel + "(FLOAT32) -> INT16"),
  });
}

TEST_CASE("TFLite's SignalStacker and SignalOverlapAdd join frames") {
  const auto stacker = [](int64_t channels, int64_t left, int64_t right, int64_t step,
                          const NodeTensor& from, const Dimensions& to, const std::string& answer) {
    return custom("SignalStacker",
                  {{"num_channels", channels},
                   {"stacker_left_context", left},
                   {"stacker_right_context", right},
                   {"stacker_step", step}},
                  {from}, {gives(kS16, to), gives(kPred, {})}, answer);
  };
  const auto overlap = [](int64_t step, const NodeTensor& from, const NodeTensor& to,
                          const std::string& answer) {
    return custom("SignalOverlapAdd", {{"frame_step", step}}, {from}, {to}, answer);
  };
  const NodeTensor frames = given(kS16, {2, 2}, {1, 2, 30, 40});
  check_nodes({
      stacker(2, 1, 0, 1, s16({1, 2}), {4}, "s16[4] 1 2 1 2; pred[] 1; s16[2,2] 1 2 1 2; s32[] 1"),
      stacker(2, 0, 1, 1, s16({1, 2}), {4}, "s16[4] 0 0 0 0; pred[] 0; s16[2,2] 1 2 1 2; s32[] 1"),
      stacker(2, 1, 0, 2, s16({1, 2, 3}), {4},
              "s16[4] 1 2 1 2; pred[] 1; s16[2,2] 1 2 1 2; s32[] 2"),
      stacker(3, 1, 0, 1, s16({1, 2}), {6}, "!has fewer samples than num_channels"),
      stacker(2, 1, 0, 3, s16({1, 2}), {4},
              "!the option stacker_step is 3, where 1 to 2 make sense"),
      stacker(4097, 4095, 0, 1, given(kS16, {4097}), {4097 * 4096},
              "!more than 2^24 samples are kept"),
      overlap(1, frames, gives(kS16, {2, 1}), "s16[2,1] 1 32; s16[1,2] 40 0"),
      overlap(2, frames, gives(kS16, {2, 2}), "s16[2,2] 1 2 30 40; s16[1,2] 0 0"),
      overlap(1, x({2, 2}), gives(kF32, {2, 1}), "f32[2,1] 0 3; f32[1,2] 3 0"),
      overlap(3, frames, gives(kS16, {2, 2}),
              "!the option frame_step is 3, where 1 to 2 make sense"),
      overlap(1, s16({1, 2}), gives(kS16, {2}), "!the operand has no frames"),
      overlap(1, given(kS16, {}), gives(kS16, {}), "!the operand has no frames"),
      overlap(1, given(kS16, {0, 2}), gives(kS16, {0, 1}), "!the operand has no elements"),
      overlap(1, given(kS32, {2, 2}), gives(kS32, {2, 1}), no_kernel + "(INT32) -> INT32"),
  });
}

TEST_CASE("a SignalStacker keeps 2^24 samples at most") {
  const std::string bytes =
      model_of(custom("SignalStacker",
                      {{"num_channels", 4096},
                       {"stacker_left_context", 4095},
                       {"stacker_right_context", 0},
                       {"stacker_step", 1}},
                      {given(kS16, {4096})}, {gives(kS16, {4096 * 4096}), gives(kPred, {})}, ""));
  CHECK(import::tflite::read_tflite(import::as_bytes(bytes), "file").ok());
}

TEST_CASE("TFLite's CIRCULAR_BUFFER is read where each run goes on") {
  const auto buffer = [](FlexOptions options, const Dimensions& to, const std::string& answer) {
    return custom("CIRCULAR_BUFFER", std::move(options), {given(kS8, {1, 1, 1, 1}, {7})},
                  {gives(kS8, to)}, answer);
  };
  const auto cycles = [](int64_t most) { return FlexOptions{{"cycles_max", most}}; };
  const auto slices = [](const std::string& values, int64_t count) {
    return cat("s8[1,", count, ",1,1]", values, "; s8[1,", count, ",1,1]", values);
  };
  const std::string never = "!a run ends here unless it is the 2th";
  const std::string none_of_it = "!the operand is no slice of the result";
  const NodeTensor one_slice = given(kS8, {1, 1, 1, 1}, {7});
  check_nodes({
      buffer({}, {1, 5, 1, 1}, slices(" 0 0 0 0 7", 5)),
      buffer({}, {1, 13, 1, 1}, slices(" 0 0 0 0 0 0 0 0 0 0 0 0 7", 13)),
      buffer({}, {1, 25, 1, 1}, slices(" 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 7", 25)),
      buffer({}, {1, 4, 1, 1}, never),
      buffer({}, {1, 6, 1, 1}, never),
      buffer({}, {1, 14, 1, 1}, never),
      buffer({}, {1, 26, 1, 1}, never),
      buffer(cycles(1), {1, 2, 1, 1}, slices(" 0 7", 2)),
      buffer(cycles(1), {1, 1, 1, 1}, slices(" 7", 1)),
      buffer(cycles(0), {1, 2, 1, 1}, never),
      buffer(cycles(-1), {1, 5, 1, 1}, slices(" 0 0 0 0 7", 5)),
      buffer(cycles(2), {1, 5, 1, 1}, never),
      buffer(cycles(1), {1, 0, 1, 1}, none_of_it),
      buffer(cycles(1), {1, 2, 1}, none_of_it),
      buffer(cycles(1), {1, 2, 1, 1, 1}, none_of_it),
      buffer(cycles(1), {1, 2, 1, 2}, none_of_it),
      custom("CIRCULAR_BUFFER", cycles(1), {one_slice}, {gives(kS16, {1, 2, 1, 1})},
             no_kernel + "(INT8) -> INT16"),
      custom("CIRCULAR_BUFFER", cycles(1), {one_slice}, {gives(kF32, {1, 2, 1, 1})},
             no_kernel + "(INT8) -> FLOAT32"),
      custom("CIRCULAR_BUFFER", cycles(1), {given(kS16, {1, 1, 1, 1})}, {gives(kS8, {1, 2, 1, 1})},
             no_kernel + "(INT16) -> INT8"),
  });
}

}  // namespace
}  // namespace hlocc::tests
