// ONNX's convolutions and the windows that they share with pools, each on both sides of what it is
// refused for: models of one node. A window {1, 10} writes what it covers in digits.
#include <limits>

#include "onnx/node.h"

namespace hlocc::tests {
namespace {

constexpr int64_t kMostWindow = 1 << 24, kLeast = std::numeric_limits<int64_t>::min();

NodeOperand ramp() { return x({1, 1, 3}); }
NodeOperand tens() { return x({1, 1, 2}, {1, 10}); }

TEST_CASE("ONNX Conv: pads, strides, dilations, groups and bias") {
  const auto square = [] { return x({1, 1, 2, 2}); };
  const auto digits = [] { return x({1, 1, 2, 2}, {1, 10, 100, 1000}); };
  const auto two = [] { return x({1, 2, 1}, {3, 4}); };
  check_nodes({
      {"Conv", {ramp(), tens()}, {}, "f32[1,1,2] 10 21"},
      {"Conv", {ramp(), tens()}, {{"kernel_shape", L{2}}}, "f32[1,1,2] 10 21"},
      {"Conv", {ramp(), tens(), x({1}, {100})}, {}, "f32[1,1,2] 110 121"},
      {"Conv", {ramp(), tens()}, {{"pads", L{1, 1}}}, "f32[1,1,4] 0 10 21 2"},
      {"Conv", {ramp(), tens()}, {{"pads", L{1, 0}}}, "f32[1,1,3] 0 10 21"},
      {"Conv", {ramp(), tens()}, {{"pads", L{0, 1}}}, "f32[1,1,3] 10 21 2"},
      {"Conv", {ramp(), tens()}, {{"pads", L{-1, 0}}}, "f32[1,1,1] 21"},
      {"Conv", {ramp(), tens()}, {{"strides", L{2}}, {"pads", L{0, 1}}}, "f32[1,1,2] 10 2"},
      {"Conv", {ramp(), tens()}, {{"dilations", L{2}}}, "f32[1,1,1] 20"},
      {"Conv", {ramp(), tens()}, {{"auto_pad", "SAME_UPPER"}}, "f32[1,1,3] 10 21 2"},
      {"Conv", {ramp(), tens()}, {{"auto_pad", "SAME_LOWER"}}, "f32[1,1,3] 0 10 21"},
      {"Conv", {ramp(), tens()}, {{"auto_pad", "VALID"}, {"pads", L{1, 1}}}, "f32[1,1,2] 10 21"},
      {"Conv", {ramp(), tens()}, {{"auto_pad", "NOTSET"}, {"pads", L{0, 1}}}, "f32[1,1,3] 10 21 2"},
      {"Conv",
       {ramp(), tens()},
       {{"auto_pad", "SAME_UPPER"}, {"strides", L{2}}},
       "f32[1,1,2] 10 2"},
      {"Conv", {ramp(), tens()}, {{"auto_pad", "SAME_UPPER"}, {"strides", L{3}}}, "f32[1,1,1] 10"},
      {"Conv", {ramp(), x({1, 1, 4}, {1, 1, 1, 1})}, {{"pads", L{0, 1}}}, "f32[1,1,1] 3"},
      {"Conv", {square(), digits()}, {}, "f32[1,1,1,1] 3210"},
      {"Conv", {square(), digits()}, {{"pads", L{1, 0, 0, 0}}}, "f32[1,1,2,1] 1000 3210"},
      {"Conv", {square(), digits()}, {{"pads", L{0, 1, 0, 0}}}, "f32[1,1,1,2] 2000 3210"},
      {"Conv", {square(), digits()}, {{"pads", L{0, 0, 1, 0}}}, "f32[1,1,2,1] 3210 32"},
      {"Conv", {x({1, 1, 1, 1, 2}), x({1, 1, 1, 1, 2}, {1, 10})}, {}, "f32[1,1,1,1,1] 10"},
      {"Conv", {two(), x({2, 2, 1}, {1, 10, 100, 1000})}, {}, "f32[1,2,1] 43 4300"},
      {"Conv",
       {two(), x({2, 1, 1}, {10, 100}), x({2}, {1, 2})},
       {{"group", 2}},
       "f32[1,2,1] 31 402"},
      {"Conv", {two(), x({4, 1, 1}, {1, 2, 3, 4})}, {{"group", 2}}, "f32[1,4,1] 3 6 12 16"},
  });
}

TEST_CASE("ONNX Conv refuses weights, groups and windows that do not fit") {
  const auto refused = [](const NodeAttribute& attribute, const std::string& answer) {
    return NodeRow{"Conv", {ramp(), tens()}, {attribute}, answer};
  };
  check_nodes({
      {"Conv", {ramp(), given(kS32, {1, 1, 2})}, {}, "!element types (f32, s32) are not read"},
      {"Conv", {x({1, 1}), x({1, 1})}, {}, "!weights f32[1,1] for f32[1,1]"},
      {"Conv", {x({1, 1, 1, 3}), tens()}, {}, "!weights f32[1,1,2] for f32[1,1,1,3]"},
      refused({"kernel_shape", L{3}}, "!kernel_shape is not that of the weights, f32[1,1,2]"),
      refused({"group", 0}, "!0 groups of 1 channels by weights f32[1,1,2]"),
      refused({"group", -1}, "!-1 groups of 1 channels by weights f32[1,1,2]"),
      refused({"group", 2}, "!2 groups of 1 channels by weights f32[1,1,2]"),
      {"Conv",
       {x({1, 2, 1}), x({1, 1, 1})},
       {{"group", 2}},
       "!2 groups of 2 channels by weights f32[1,1,1]"},
      // As many channels as a product of 64 bits wraps to.
      {"Conv",
       {x({1, 0, 1}), x({0, 4, 1})},
       {{"group", int64_t{1} << 62}},
       "!4611686018427387904 groups of 0 channels by weights f32[0,4,1]"},
      refused({"auto_pad", "SAME"}, "!auto_pad is SAME"),
      refused({"strides", L{0}}, "!a window of 2 with stride 0 and dilation 1 over 3"),
      refused({"strides", L{1, 1}}, "!strides has 2 numbers for 1"),
      refused({"strides", L{kMostWindow}}, "f32[1,1,1] 10"),
      refused({"strides", L{kMostWindow + 1}}, "!strides has 16777217"),
      refused({"dilations", L{0}}, "!a window of 2 with stride 1 and dilation 0 over 3"),
      refused({"dilations", L{1, 1}}, "!dilations has 2 numbers for 1"),
      refused({"dilations", L{3}}, "!a window of 4 over 3 with pads 0 and 0"),
      refused({"pads", L{0}}, "!pads has 1 numbers for 2"),
      refused({"pads", L{-1, -1}}, "!a window of 2 over 3 with pads -1 and -1"),
      refused({"pads", L{-kMostWindow - 1, kMostWindow}}, "!pads has -16777217"),
      refused({"pads", L{kLeast, kLeast}}, "!pads has -9223372036854775808"),
      {"Conv", {x({1, 1, 0}), tens()}, {}, "!a window of 2 with stride 1 and dilation 1 over 0"},
      {"Conv", {ramp(), x({1, 1, 0})}, {}, "!a window of 0 with stride 1 and dilation 1 over 3"},
      {"Conv", {ramp(), x({1, 1, 4})}, {}, "!a window of 4 over 3 with pads 0 and 0"},
  });
}

TEST_CASE("ONNX ConvTranspose: what is cut, what is added, and groups") {
  const auto v = [] { return x({1, 1, 2}, {1, 2}); };
  const auto dot = [] { return x({1, 1, 1, 1}, {1}); };
  const auto square = [] { return x({1, 1, 2, 2}, {1, 2, 3, 4}); };
  const auto two = [] { return x({1, 2, 1}, {3, 4}); };
  const auto of = [&](std::vector<NodeAttribute> attributes, const std::string& answer) {
    return NodeRow{"ConvTranspose", {v(), tens()}, std::move(attributes), answer};
  };
  check_nodes({
      of({}, "f32[1,1,3] 1 12 20"),
      of({{"kernel_shape", L{2}}}, "f32[1,1,3] 1 12 20"),
      of({{"strides", L{2}}}, "f32[1,1,4] 1 10 2 20"),
      of({{"strides", L{2}}, {"output_padding", L{1}}}, "f32[1,1,5] 1 10 2 20 0"),
      of({{"dilations", L{2}}}, "f32[1,1,4] 1 2 10 20"),
      of({{"pads", L{1, 0}}}, "f32[1,1,2] 12 20"),
      of({{"pads", L{0, 1}}}, "f32[1,1,2] 1 12"),
      of({{"pads", L{1, 1}}}, "f32[1,1,1] 12"),
      of({{"pads", L{0, 1}}, {"auto_pad", "NOTSET"}}, "f32[1,1,2] 1 12"),
      of({{"pads", L{1, 1}}, {"auto_pad", "VALID"}}, "f32[1,1,3] 1 12 20"),
      of({{"auto_pad", "SAME_UPPER"}}, "f32[1,1,2] 1 12"),
      of({{"auto_pad", "SAME_LOWER"}}, "f32[1,1,2] 12 20"),
      of({{"auto_pad", "SAME_LOWER"}, {"strides", L{2}}}, "f32[1,1,4] 1 10 2 20"),
      of({{"output_shape", L{2}}}, "f32[1,1,2] 12 20"),
      of({{"output_shape", L{2}}, {"auto_pad", "SAME_UPPER"}}, "f32[1,1,2] 1 12"),
      of({{"output_shape", L{1, 1, 2}}}, "f32[1,1,2] 12 20"),
      of({{"output_shape", L{1}}}, "f32[1,1,1] 12"),
      of({{"output_shape", L{3}}}, "f32[1,1,3] 1 12 20"),
      of({{"output_shape", L{5}}}, "f32[1,1,5] 1 12 20 0 0"),
      {"ConvTranspose", {v(), tens(), x({1}, {100})}, {}, "f32[1,1,3] 101 112 120"},
      {"ConvTranspose", {dot(), square()}, {{"pads", L{1, 0, 0, 0}}}, "f32[1,1,1,2] 3 4"},
      {"ConvTranspose", {dot(), square()}, {{"pads", L{0, 0, 0, 1}}}, "f32[1,1,2,1] 1 3"},
      {"ConvTranspose", {dot(), square()}, {{"output_shape", L{1, 2}}}, "f32[1,1,1,2] 3 4"},
      {"ConvTranspose", {two(), x({2, 2, 1}, {1, 2, 3, 4})}, {}, "f32[1,2,1] 15 22"},
      {"ConvTranspose",
       {two(), x({2, 2, 1}, {1, 2, 3, 4})},
       {{"group", 2}},
       "f32[1,4,1] 3 6 12 16"},
      {"ConvTranspose",
       {x({1, 4, 1}, {1, 2, 3, 4}), x({4, 2, 1}, {1, 2, 3, 4, 5, 6, 7, 8})},
       {{"group", 2}},
       "f32[1,4,1] 7 10 43 50"},
  });
}

TEST_CASE("ONNX ConvTranspose refuses weights, windows and results that do not fit") {
  const auto of = [](const NodeAttribute& attribute, const std::string& answer) {
    return NodeRow{"ConvTranspose", {x({1, 1, 1}, {1}), tens()}, {attribute}, answer};
  };
  check_nodes({
      {"ConvTranspose",
       {x({1, 1, 1}), given(kS32, {1, 1, 2})},
       {},
       "!element types (f32, s32) are not read"},
      {"ConvTranspose", {x({1, 1}), x({1, 1})}, {}, "!1 groups of weights f32[1,1] for f32[1,1]"},
      {"ConvTranspose",
       {x({1, 1, 1, 1}), tens()},
       {},
       "!1 groups of weights f32[1,1,2] for f32[1,1,1,1]"},
      {"ConvTranspose",
       {x({1, 2, 1}), tens()},
       {},
       "!1 groups of weights f32[1,1,2] for f32[1,2,1]"},
      of({"group", 0}, "!0 groups of weights f32[1,1,2] for f32[1,1,1]"),
      of({"group", 2}, "!2 groups of weights f32[1,1,2] for f32[1,1,1]"),
      of({"kernel_shape", L{1}}, "!kernel_shape is not that of the weights"),
      of({"auto_pad", "SAME"}, "!auto_pad is SAME"),
      of({"strides", L{0}}, "!a window of 2 with stride 0 and dilation 1"),
      of({"strides", L{INT16_MAX}}, "f32[1,1,2] 1 10"),
      of({"strides", L{INT16_MAX + 1}}, "!a window of 2 with stride 32768 and dilation 1"),
      of({"strides", L{1, 1}}, "!strides has 2 numbers for 1"),
      of({"dilations", L{0}}, "!a window of 2 with stride 1 and dilation 0"),
      of({"dilations", L{INT16_MAX + 1}}, "!a window of 2 with stride 1 and dilation 32768"),
      of({"dilations", L{1, 1}}, "!dilations has 2 numbers for 1"),
      of({"pads", L{0}}, "!pads has 1 numbers for 2"),
      of({"pads", L{0, kMostWindow + 1}}, "!pads has 16777217"),
      of({"pads", L{kLeast, 0}}, "!pads has -9223372036854775808"),
      of({"output_padding", L{0, 0}}, "!output_padding has 2 numbers for 1"),
      of({"output_padding", L{kMostWindow + 1}}, "!output_padding has 16777217"),
      of({"output_shape", L{1, 2}}, "!output_shape has another number of sizes"),
      of({"output_shape", L{-1}}, "!a result of -1"),
      of({"output_shape", L{kLeast}}, "!a result of -9223372036854775808"),
      of({"output_shape", L{int64_t{1} << 31}}, "!a result of 2147483648"),
      {"ConvTranspose",
       {x({1, 1, 1}, {1}), x({1, 1, 1}, {1})},
       {{"dilations", L{INT16_MAX}}},
       "f32[1,1,1] 1"},
      {"ConvTranspose",
       {x({1, 1, 1}), x({1, 1, 0})},
       {},
       "!a window of 0 with stride 1 and dilation 1"},
  });
}

}  // namespace
}  // namespace hlocc::tests
