// Operators of TensorFlow Lite that take parts of arrays and join them, each on both sides of what
// it is refused for: models of one operator, and their values in the interpreter.
#include "tflite/node.h"

namespace hlocc::tests {
namespace {

using Strided = schema::StridedSliceOptions;

FlatFields mask(Field field, int32_t bits) { return {flat(field, bits)}; }

NodeRow strided(FlatFields options, const NodeTensor& from, const std::vector<NodeTensor>& bounds,
                const Dimensions& result, const std::string& answer) {
  NodeRow row{"STRIDED_SLICE", std::move(options), {from}, {y(result)}, answer};
  row.operands.insert(row.operands.end(), bounds.begin(), bounds.end());
  return row;
}

TEST_CASE("TFLite's STRIDED_SLICE counts from both ends, and by masks") {
  const auto v = [] { return x({6}); };
  check_nodes({
      strided({}, v(), {n({1}), n({5}), n({2})}, {2}, "f32[2] 1 3"),
      strided({}, v(), {n({1}), n({6}), n({2})}, {3}, "f32[3] 1 3 5"),
      strided({}, v(), {n({-2}), n({9}), n({1})}, {2}, "f32[2] 4 5"),
      strided({}, v(), {n({-9}), n({-5}), n({1})}, {1}, "f32[1] 0"),
      strided({}, v(), {n({3}), n({2}), n({1})}, {0}, "f32[0]"),
      strided({}, v(), {n({5}), n({0}), n({-2})}, {3}, "f32[3] 5 3 1"),
      strided({}, v(), {n({9}), n({-9}), n({-1})}, {6}, "f32[6] 5 4 3 2 1 0"),
      strided({}, v(), {n({-1}), n({2}), n({-2})}, {2}, "f32[2] 5 3"),
      strided(mask(Strided::begin_mask, 1), v(), {n({3}), n({5}), n({1})}, {5}, "f32[5] 0 1 2 3 4"),
      strided(mask(Strided::begin_mask, 1), v(), {n({2}), n({3}), n({-1})}, {2}, "f32[2] 5 4"),
      strided(mask(Strided::begin_mask, 2), v(), {n({3}), n({5}), n({1})}, {2}, "f32[2] 3 4"),
      strided(mask(Strided::end_mask, 1), v(), {n({3}), n({4}), n({1})}, {3}, "f32[3] 3 4 5"),
      strided(mask(Strided::end_mask, 1), v(), {n({2}), n({1}), n({-1})}, {3}, "f32[3] 2 1 0"),
      strided(mask(Strided::shrink_axis_mask, 1), v(), {n({5}), n({0}), n({1})}, {}, "f32[] 5"),
      strided(mask(Strided::shrink_axis_mask, 1), v(), {n({-6}), n({0}), n({1})}, {}, "f32[] 0"),
      strided(mask(Strided::shrink_axis_mask, 2), x({2, 3}), {n({0, 1}), n({2, 2}), n({1, 1})}, {2},
              "f32[2] 1 4"),
      strided({flat<uint8_t>(Strided::offset, 1)}, v(), {n({2}), n({3}), n({1})}, {3},
              "f32[3] 2 3 4"),
      // Dimensions behind the bounds are whole.
      strided({}, x({2, 3}), {n({1}), n({2}), n({1})}, {1, 3}, "f32[1,3] 3 4 5"),
      strided(mask(Strided::shrink_axis_mask, 2), x({2, 3}), {n({1}), n({2}), n({1})}, {1, 3},
              "f32[1,3] 3 4 5"),
  });
}

TEST_CASE("TFLite's STRIDED_SLICE refuses strides, bounds and masks that it does not have") {
  const auto v = [] { return x({6}); };
  const auto long_one = [](double value) { return constant(kS64, {1}, {value}); };
  const std::string lists = "!another number of begins, ends or strides than dimensions";
  const std::string masks = "!an ellipsis or a new axis in a strided slice";
  check_nodes({
      strided({}, v(), {n({1}), n({5}), n({0})}, {2}, "!a stride of 0"),
      strided({}, v(), {long_one(1LL << 31), n({5}), n({1})}, {2}, "!a bound of 2147483648"),
      strided({}, v(), {n({0}), long_one(1LL << 31), n({1})}, {2}, "!a bound of 2147483648"),
      strided({}, v(), {n({0}), n({5}), long_one(1LL << 31)}, {2}, "!a bound of 2147483648"),
      strided({}, v(), {long_one(-(1LL << 31) - 1), n({5}), n({1})}, {2},
              "!a bound of -2147483649"),
      strided({}, v(), {n({INT32_MIN}), n({INT32_MAX}), n({INT32_MAX})}, {1}, "f32[1] 0"),
      strided({}, v(), {n({INT32_MAX}), n({INT32_MIN}), n({INT32_MIN})}, {1}, "f32[1] 5"),
      strided(mask(Strided::shrink_axis_mask, 1), v(), {n({6}), n({0}), n({1})}, {},
              "!element 6 of 6"),
      strided(mask(Strided::shrink_axis_mask, 1), v(), {n({-7}), n({0}), n({1})}, {},
              "!element -7 of 6"),
      strided({}, v(), {n({0, 0}), n({1, 1}), n({1, 1})}, {1}, lists),
      strided({}, v(), {n({0}), n({1, 1}), n({1})}, {1}, lists),
      strided({}, v(), {n({0}), n({1}), n({1, 1})}, {1}, lists),
      strided(mask(Strided::ellipsis_mask, 1), v(), {n({0}), n({1}), n({1})}, {1}, masks),
      strided(mask(Strided::new_axis_mask, 1), v(), {n({0}), n({1}), n({1})}, {1}, masks),
      strided({}, v(), {n({0}), n({2}), n({1})}, {1},
              "!result \"y0\" has the shape [1], where the operator gives f32[2]"),
      strided({}, v(), {n({0}), n({2}), n({1})}, {2, 1}, "f32[2,1] 0 1"),
  });
}

TEST_CASE("TFLite's SLICE stays within its operand") {
  const auto slice = [](const Dimensions& begin, const Dimensions& size, const Dimensions& result,
                        const std::string& answer) {
    return NodeRow{"SLICE", {}, {x({4}), n(begin), n(size)}, {y(result)}, answer};
  };
  const std::string lists = "!another number of begins or sizes than dimensions";
  const std::string beyond = "!a slice beyond the operand";
  check_nodes({
      slice({1}, {2}, {2}, "f32[2] 1 2"),
      slice({1}, {3}, {3}, "f32[3] 1 2 3"),
      slice({1}, {-1}, {3}, "f32[3] 1 2 3"),
      slice({4}, {0}, {0}, "f32[0]"),
      slice({4}, {-1}, {0}, "f32[0]"),
      slice({1}, {4}, {3}, beyond),
      slice({5}, {-1}, {0}, beyond),
      slice({-1}, {1}, {1}, beyond),
      slice({1}, {-2}, {1}, beyond),
      slice({1, 0}, {1}, {1}, lists),
      slice({1}, {1, 1}, {1}, lists),
  });
}

TEST_CASE("TFLite's SPLIT and SPLIT_V fill the dimension") {
  const auto two = [](const Dimensions& first, const Dimensions& second) {
    return std::vector<NodeTensor>{y(first), y(second)};
  };
  check_nodes({
      {"SPLIT", {}, {one(0), x({4})}, two({2}, {2}), "f32[2] 0 1; f32[2] 2 3"},
      {"SPLIT", {}, {one(-1), x({1, 2})}, two({1, 1}, {1, 1}), "f32[1,1] 0; f32[1,1] 1"},
      {"SPLIT", {}, {one(0), x({3})}, two({2}, {1}), "!3 elements in 2 parts"},
      {"SPLIT", {}, {one(1), x({4})}, two({2}, {2}), "!axis 1 of an array of 1 dimensions"},
      {"SPLIT", {}, {one(-2), x({4})}, two({2}, {2}), "!axis -2 of an array of 1 dimensions"},
      {"SPLIT", {}, {n({0, 0}), x({4})}, two({2}, {2}), "!has no one axis"},
      {"SPLIT_V", {}, {x({4}), n({1, 3}), one(0)}, two({1}, {3}), "f32[1] 0; f32[3] 1 2 3"},
      {"SPLIT_V", {}, {x({4}), n({-1, 3}), one(0)}, two({1}, {3}), "f32[1] 0; f32[3] 1 2 3"},
      {"SPLIT_V", {}, {x({4}), n({4, -1}), one(0)}, two({4}, {0}), "f32[4] 0 1 2 3; f32[0]"},
      {"SPLIT_V", {}, {x({4}), n({0, 4}), one(0)}, two({0}, {4}), "f32[0]; f32[4] 0 1 2 3"},
      {"SPLIT_V", {}, {x({4}), n({1, 2}), one(0)}, two({1}, {2}), "!parts that leave a rest"},
      {"SPLIT_V",
       {},
       {x({4}), n({1, 4}), one(0)},
       two({1}, {4}),
       "!parts that reach beyond the operand"},
      {"SPLIT_V",
       {},
       {x({4}), n({5, -1}), one(0)},
       two({5}, {0}),
       "!parts that reach beyond the operand"},
      {"SPLIT_V",
       {},
       {x({4}), n({-1, -1}), one(0)},
       two({4}, {4}),
       "!parts that reach beyond the operand"},
      {"SPLIT_V", {}, {x({4}), n({6, -2}), one(0)}, two({6}, {0}), "!a part of -2"},
      {"SPLIT_V",
       {},
       {x({4}), constant(kS64, {2}, {1LL << 31, 0}), one(0)},
       two({4}, {0}),
       "!a part of 2147483648"},
      {"SPLIT_V", {}, {x({4}), n({4}), one(0)}, two({4}, {0}), "!other sizes than results"},
  });
}

TEST_CASE("TFLite's joins take operands of one scale and one rank") {
  using Join = schema::ConcatenationOptions;
  const auto axis = [](Field field, int32_t value) { return FlatFields{flat(field, value)}; };
  const auto q = [](float scale, int64_t zero) { return given(kS8, {1}, {5}, scale, zero); };
  check_nodes({
      {"CONCATENATION", {}, {x({1}), x({2})}, {y({3})}, "f32[3] 0 0 1"},
      {"CONCATENATION",
       axis(Join::axis, -1),
       {x({1, 1}), x({1, 1}, {7})},
       {y({1, 2})},
       "f32[1,2] 0 7"},
      {"CONCATENATION",
       axis(Join::axis, 1),
       {x({1}), x({1})},
       {y({2})},
       "!axis 1 of an array of 1 dimensions"},
      {"CONCATENATION",
       {flat<int8_t>(Join::activation, 1)},
       {x({1}), x({1})},
       {y({2})},
       "!a fused activation"},
      {"CONCATENATION", {}, {x({1}), none}, {y({1})}, "!lacks an operand"},
      {"CONCATENATION", {}, {q(0.5F, 1), q(0.5F, 1)}, {gives(kS8, {2}, 0.5F, 1)}, "s8[2] 5 5"},
      {"PACK", {}, {x({2}), x({2})}, {y({2, 2})}, "f32[2,2] 0 1 0 1"},
      {"PACK",
       axis(schema::PackOptions::axis, 1),
       {x({2}), x({2}, {7, 8})},
       {y({2, 2})},
       "f32[2,2] 0 7 1 8"},
      {"PACK",
       axis(schema::PackOptions::axis, -1),
       {x({2}), x({2}, {7, 8})},
       {y({2, 2})},
       "f32[2,2] 0 7 1 8"},
      {"PACK",
       axis(schema::PackOptions::axis, 2),
       {x({2}), x({2})},
       {y({2, 2})},
       "!axis 2 of an array of 2 dimensions"},
      {"PACK", {}, {x({2}), x({2, 1})}, {y({2, 2})}, "!operands of different ranks"},
      {"PACK", {}, {x({2}), none}, {y({1, 2})}, "!lacks an operand"},
      {"SPLIT",
       {},
       {one(0), x({2})},
       {},
       "elsewhere: SPLIT (version 1) of layer \"\": "
       "2 elements in 0 parts"},
      {"UNPACK", {}, {x({2})}, {y({}), y({})}, "f32[] 0; f32[] 1"},
      {"UNPACK",
       axis(schema::UnpackOptions::axis, 1),
       {x({1, 2})},
       {y({1}), y({1})},
       "f32[1] 0; f32[1] 1"},
      {"UNPACK", {}, {x({3})}, {y({}), y({})}, "!other results than parts"},
      {"UNPACK",
       axis(schema::UnpackOptions::axis, 1),
       {x({2})},
       {y({}), y({})},
       "!axis 1 of an array of 1 dimensions"},
  });
}

}  // namespace
}  // namespace hlocc::tests
