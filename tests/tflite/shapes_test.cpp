// Operators of TensorFlow Lite that change shapes and move blocks, each on both sides of what it is
// refused for: models of one operator, and their values in the interpreter.
#include "tflite/node.h"

namespace hlocc::tests {
namespace {

NodeTensor q(const Dimensions& sizes, float scale = 0.5F, int64_t zero = 3) {
  return given(kS8, sizes, {}, scale, zero);
}

TEST_CASE("TFLite's RESHAPE finds its sizes in an operand, an option or its result") {
  const FlatFields option = {flat_list<int32_t>(schema::ReshapeOptions::new_shape, {3, 2})};
  check_nodes({
      {"RESHAPE", {}, {x({2, 2}), n({4})}, {y({4})}, "f32[4] 0 1 2 3"},
      {"RESHAPE", {}, {x({2, 2}), n({-1, 1})}, {y({4, 1})}, "f32[4,1] 0 1 2 3"},
      {"RESHAPE", option, {x({6})}, {y({3, 2})}, "f32[3,2] 0 1 2 3 4 5"},
      {"RESHAPE", {}, {x({2, 2})}, {y({4})}, "f32[4] 0 1 2 3"},
      {"RESHAPE", {}, {x({1}), n({0})}, {y({})}, "f32[] 0"},
      {"RESHAPE", {}, {x({0}), n({0})}, {y({0})}, "f32[0]"},
      {"RESHAPE", {}, {x({4}), n({-1, 3})}, {y({4})}, "!shape [-1,3] for 4 elements"},
      {"RESHAPE",
       {},
       {x({4}), n({-1, -1})},
       {y({4})},
       "!an array has the negative size -1: f32[4,-1]"},
      {"RESHAPE", {}, {x({0}), n({-1, 0})}, {y({0})}, "!shape [-1,0] for 0 elements"},
      {"RESHAPE", {}, {x({4}), n({-1, -2})}, {y({4})}, "!shape [-1,-2] for 4 elements"},
  });
}

TEST_CASE("TFLite's PAD and MIRROR_PAD") {
  const FlatFields symmetric = {flat<int8_t>(schema::MirrorPadOptions::mode, 1)};
  const auto mirror = [](FlatFields options, const Dimensions& by, const Dimensions& result,
                         const std::string& answer) {
    return NodeRow{"MIRROR_PAD", std::move(options), {x({3}), n(by)}, {y(result)}, answer};
  };
  const std::string sides = "!paddings for another number of sides";
  const std::string beyond = "!a padding beyond the operand";
  check_nodes({
      {"PAD", {}, {x({2}), n({1, 2})}, {y({5})}, "f32[5] 0 0 1 0 0"},
      {"PAD", {}, {q({2}), n({1, 0})}, {gives(kS8, {3}, 0.5F, 3)}, "s8[3] 3 0 1"},
      {"PAD", {}, {q({2}), n({1, 0})}, {gives(kS8, {3})}, "!\"y0\" has no scale"},
      {"PADV2", {}, {x({2}), n({0, 1}), x({}, {7})}, {y({3})}, "f32[3] 0 1 7"},
      {"PADV2",
       {},
       {x({2}), n({0, 1}), one(7)},
       {y({3})},
       "!no kernel for element types (FLOAT32, INT32, INT32) -> FLOAT32"},
      {"PAD", {}, {x({2}), n({-1, 0})}, {y({1})}, "!a negative padding"},
      {"PAD", {}, {x({2}), n({0, -1})}, {y({1})}, "!a negative padding"},
      {"PAD", {}, {x({2}), n({0})}, {y({2})}, sides},
      {"PAD", {}, {x({2}), n({0, 0, 0})}, {y({2})}, sides},
      mirror({}, {2, 1}, {6}, "f32[6] 2 1 0 1 2 1"),
      mirror({}, {0, 2}, {5}, "f32[5] 0 1 2 1 0"),
      mirror({}, {0, 0}, {3}, "f32[3] 0 1 2"),
      mirror(symmetric, {3, 0}, {6}, "f32[6] 2 1 0 0 1 2"),
      mirror(symmetric, {1, 3}, {7}, "f32[7] 0 0 1 2 2 1 0"),
      mirror({}, {3, 0}, {6}, beyond),
      mirror({}, {0, 3}, {6}, beyond),
      mirror(symmetric, {4, 0}, {7}, beyond),
      mirror(symmetric, {0, 4}, {7}, beyond),
      mirror({}, {-1, 0}, {2}, beyond),
      mirror({}, {0, -1}, {2}, beyond),
      mirror({}, {1}, {4}, sides),
  });
}

TEST_CASE("TFLite's dimensions of 1, orders and repeats") {
  const auto dims = [](const Dimensions& list) {
    return FlatFields{flat_list<int32_t>(schema::SqueezeOptions::squeeze_dims, list)};
  };
  check_nodes({
      {"SQUEEZE", {}, {x({1, 2, 1})}, {y({2})}, "f32[2] 0 1"},
      {"SQUEEZE", dims({0}), {x({1, 2, 1})}, {y({2, 1})}, "f32[2,1] 0 1"},
      {"SQUEEZE", dims({-1}), {x({1, 2, 1})}, {y({1, 2})}, "f32[1,2] 0 1"},
      {"SQUEEZE", dims({1}), {x({1, 2, 1})}, {y({2})}, "!dimension 1 is not 1"},
      {"SQUEEZE", dims({3}), {x({1, 2, 1})}, {y({2})}, "!axis 3 of an array of 3 dimensions"},
      {"EXPAND_DIMS", {}, {x({2}), one(1)}, {y({2, 1})}, "f32[2,1] 0 1"},
      {"EXPAND_DIMS", {}, {x({2}), one(-2)}, {y({1, 2})}, "f32[1,2] 0 1"},
      {"EXPAND_DIMS", {}, {x({2}), one(2)}, {y({2, 1})}, "!axis 2 of an array of 2 dimensions"},
      {"EXPAND_DIMS", {}, {x({2}), n({0, 0})}, {y({2, 1})}, "!has no one axis"},
      {"TRANSPOSE", {}, {x({2, 2}), n({1, 0})}, {y({2, 2})}, "f32[2,2] 0 2 1 3"},
      {"TRANSPOSE", {}, {x({2, 2}), n({-1, -2})}, {y({2, 2})}, "f32[2,2] 0 2 1 3"},
      {"TRANSPOSE", {}, {x({2, 2}), n({0, 0})}, {y({2, 2})}, "!has no permutation"},
      {"TRANSPOSE", {}, {x({2, 2}), n({0})}, {y({2, 2})}, "!has no permutation"},
      {"TRANSPOSE", {}, {x({2, 2}), n({0, 2})}, {y({2, 2})}, "!axis 2 of an array of 2 dimensions"},
      {"REVERSE_V2", {}, {x({2, 2}), n({1})}, {y({2, 2})}, "f32[2,2] 1 0 3 2"},
      {"REVERSE_V2", {}, {x({2, 2}), n({1, -1})}, {y({2, 2})}, "f32[2,2] 1 0 3 2"},
      {"REVERSE_V2", {}, {x({2, 2}), n({2})}, {y({2, 2})}, "!axis 2 of an array of 2 dimensions"},
      {"TILE", {}, {x({2}), n({2})}, {y({4})}, "f32[4] 0 1 0 1"},
      {"TILE", {}, {x({2, 1}), n({1, 2})}, {y({2, 2})}, "f32[2,2] 0 0 1 1"},
      {"TILE", {}, {x({2}), n({0})}, {y({0})}, "f32[0]"},
      {"TILE", {}, {x({2}), n({-1})}, {y({0})}, "!a multiple out of range"},
      {"TILE",
       {},
       {x({0}), constant(kS64, {1}, {1LL << 31})},
       {y({0})},
       "!a multiple out of range"},
      {"TILE", {}, {x({2}), n({1, 1})}, {y({2})}, "!multiples for another number of dimensions"},
  });
}

TEST_CASE("TFLite's broadcasts, fills and choices") {
  const auto truths = [] { return given(kPred, {2}, {1, 0}); };
  check_nodes({
      {"BROADCAST_TO", {}, {x({2, 1}), n({2, 2})}, {y({2, 2})}, "f32[2,2] 0 0 1 1"},
      {"BROADCAST_TO",
       {},
       {x({2}), n({1})},
       {y({2})},
       "!an operand that does not broadcast to the shape"},
      {"BROADCAST_TO",
       {},
       {x({2}), n({3})},
       {y({3})},
       "!an operand that does not broadcast to the shape"},
      {"BROADCAST_ARGS", {}, {n({2, 1}), n({3})}, {gives(kS32, {2})}, "s32[2] 2 3"},
      {"BROADCAST_ARGS", {}, {n({2}), n({3})}, {gives(kS32, {1})}, "!shapes that do not broadcast"},
      {"FILL", {}, {n({2}), x({}, {7})}, {y({2})}, "f32[2] 7 7"},
      {"ZEROS_LIKE", {}, {x({2}, {7, 8})}, {y({2})}, "f32[2] 0 0"},
      {"SHAPE", {}, {x({2, 3})}, {gives(kS32, {2})}, "s32[2] 2 3"},
      {"SHAPE", {}, {x({2, 3})}, {gives(kS64, {2})}, "s64[2] 2 3"},
      {"SHAPE", {}, {x({2, 3})}, {y({2})}, "!no kernel for element types (FLOAT32) -> FLOAT32"},
      {"RANK", {}, {x({2, 3})}, {gives(kS32, {})}, "s32[] 2"},
      {"SELECT_V2", {}, {truths(), x({2}), x({}, {7})}, {y({2})}, "f32[2] 0 7"},
      {"SELECT_V2", {}, {truths(), x({3}), x({})}, {y({3})}, "!operands that do not broadcast"},
      {"SELECT_V2", {}, {truths(), x({3}), x({2})}, {y({3})}, "!operands that do not broadcast"},
      {"SELECT_V2",
       {},
       {x({2}), x({2}), x({2})},
       {y({2})},
       "!no kernel for element types (FLOAT32, FLOAT32, FLOAT32) -> FLOAT32"},
      {"SELECT_V2",
       {},
       {truths(), x({2}), given(kS32, {2})},
       {y({2})},
       "!no kernel for element types (BOOL, FLOAT32, INT32) -> FLOAT32"},
  });
}

TEST_CASE("TFLite moves blocks to depth and batches, and refuses blocks that do not divide") {
  const auto block = [](int32_t size) {
    return FlatFields{flat(schema::BlockOptions::block_size, size)};
  };
  const auto batches = [](const char* op, NodeTensor from, const Dimensions& blocks,
                          const Dimensions& by, NodeTensor result, const std::string& answer) {
    return NodeRow{op, {}, {std::move(from), n(blocks), n(by)}, {std::move(result)}, answer};
  };
  const char *to = "SPACE_TO_BATCH_ND", *back = "BATCH_TO_SPACE_ND";
  const std::string number = "!blocks for another number of dimensions";
  check_nodes({
      {"DEPTH_TO_SPACE", block(2), {x({1, 1, 1, 4})}, {y({1, 2, 2, 1})}, "f32[1,2,2,1] 0 1 2 3"},
      {"DEPTH_TO_SPACE", block(1), {x({1, 1, 1, 2})}, {y({1, 1, 1, 2})}, "f32[1,1,1,2] 0 1"},
      {"DEPTH_TO_SPACE", block(2), {x({1, 1, 1, 6})}, {y({1})}, "!channels that are no blocks"},
      {"DEPTH_TO_SPACE", block(0), {x({1, 1, 1, 4})}, {y({1})}, "!blocks of 0"},
      {"DEPTH_TO_SPACE", block(32768), {x({1, 1, 1, 0})}, {y({1})}, "!blocks of 32768"},
      {"DEPTH_TO_SPACE",
       block(32767),
       {x({1, 1, 1, 0})},
       {y({1, 32767, 32767, 0})},
       "f32[1,32767,32767,0]"},
      {"DEPTH_TO_SPACE",
       block(2),
       {x({1, 1, 4})},
       {y({1})},
       "!operand 0 (\"i0\") has 3 dimensions, not 4"},
      {"SPACE_TO_DEPTH",
       block(2),
       {x({1, 2, 4, 1})},
       {y({1, 1, 2, 4})},
       "f32[1,1,2,4] 0 1 4 5 2 3 6 7"},
      {"SPACE_TO_DEPTH", block(2), {x({1, 3, 2, 1})}, {y({1})}, "!sides that are no blocks"},
      {"SPACE_TO_DEPTH", block(2), {x({1, 2, 3, 1})}, {y({1})}, "!sides that are no blocks"},
      batches(to, x({1, 4}), {2}, {0, 0}, y({2, 2}), "f32[2,2] 0 2 1 3"),
      batches(to, x({1, 3}), {2}, {1, 0}, y({2, 2}), "f32[2,2] 0 1 0 2"),
      batches(to, x({1, 3, 2}), {3}, {0, 0}, y({3, 1, 2}), "f32[3,1,2] 0 1 2 3 4 5"),
      batches(to, q({1, 1}), {2}, {0, 1}, gives(kS8, {2, 1}, 0.5F, 3), "s8[2,1] 0 3"),
      batches(to, q({1, 1}), {2}, {0, 1}, gives(kS8, {2, 1}), "!\"y0\" has no scale"),
      batches(to, x({1, 3}), {2}, {0, 0}, y({2, 2}), "!sides that are no blocks"),
      batches(to, x({1, 4}), {0}, {0, 0}, y({2, 2}), "!blocks of 0"),
      batches(to, x({1, 0}), {32768}, {0, 0}, y({2, 2}), "!blocks of 32768"),
      batches(to, x({1, 0}), {32767}, {0, 0}, y({32767, 0}), "f32[32767,0]"),
      batches(to, x({1, 4}), {2}, {-1, 1}, y({2, 2}), "!a negative padding or crop"),
      batches(to, x({1, 4}), {2}, {0}, y({2, 2}), number),
      batches(to, x({1, 4}), {2, 2}, {0, 0, 0, 0}, y({2, 2}), number),
      batches(back, x({2, 2}), {2}, {0, 0}, y({1, 4}), "f32[1,4] 0 2 1 3"),
      batches(back, x({2, 2}), {2}, {1, 0}, y({1, 3}), "f32[1,3] 2 1 3"),
      batches(back, x({2, 2}), {2}, {0, 1}, y({1, 3}), "f32[1,3] 0 2 1"),
      batches(back, x({2, 2}), {2}, {2, 2}, y({1, 0}), "f32[1,0]"),
      batches(back, x({2, 2}), {2}, {2, 3}, y({1, 0}), "!crops beyond the result"),
      batches(back, x({3, 2}), {2}, {0, 0}, y({1, 4}), "!batches that are no blocks"),
      batches(back, x({2, 1, 2}), {2}, {0, 0}, y({1, 2, 2}), "f32[1,2,2] 0 1 2 3"),
  });
}

TEST_CASE("TFLite's operators that move elements keep their scale") {
  const std::string scales = "!operands and result of different scales";
  check_nodes({
      {"GATHER", {}, {q({2}), n({1})}, {gives(kS8, {1}, 0.5F, 3)}, "s8[1] 1"},
      {"GATHER", {}, {q({2}), n({1})}, {gives(kS8, {1}, 0.25F, 3)}, scales},
      {"GATHER", {}, {q({2}), n({1})}, {gives(kS8, {1}, 0.5F, 2)}, scales},
      {"GATHER", {}, {x({2}), n({1})}, {gives(kF32, {1}, 0.5F, 2)}, "f32[1] 1"},
      {"CONCATENATION", {}, {q({1}), q({1}, 0.25F)}, {gives(kS8, {2}, 0.5F, 3)}, scales},
      {"PACK", {}, {q({1}), q({1}, 0.5F, 2)}, {gives(kS8, {2, 1}, 0.5F, 3)}, scales},
      {"DYNAMIC_UPDATE_SLICE",
       {},
       {q({3}), q({1}), n({2})},
       {gives(kS8, {3}, 0.5F, 3)},
       "s8[3] 0 1 0"},
      {"DYNAMIC_UPDATE_SLICE",
       {},
       {q({3}), q({1}, 0.25F), n({2})},
       {gives(kS8, {3}, 0.5F, 3)},
       scales},
      {"DYNAMIC_UPDATE_SLICE", {}, {x({3}), x({1}, {7}), n({9})}, {y({3})}, "f32[3] 0 1 7"},
      {"DYNAMIC_UPDATE_SLICE",
       {},
       {x({3}), x({1}), n({0, 0})},
       {y({3})},
       "!has not one start a dimension"},
      {"DYNAMIC_UPDATE_SLICE",
       {},
       {x({3}), x({1}), x({1})},
       {y({3})},
       "!no kernel for element types (FLOAT32, FLOAT32, FLOAT32) -> FLOAT32"},
      {"GATHER",
       {flat<int32_t>(schema::GatherOptions::batch_dims, 1)},
       {x({2}), n({1})},
       {y({1})},
       "!batch dimensions"},
      {"GATHER",
       {},
       {x({2}), x({1})},
       {y({1})},
       "!no kernel for element types (FLOAT32, FLOAT32) -> FLOAT32"},
      {"GATHER_ND", {}, {x({2, 2}), n({1})}, {y({2})}, "f32[2] 2 3"},
      {"GATHER_ND", {}, {x({2, 2}), n({1, 0})}, {y({})}, "f32[] 2"},
      {"GATHER_ND",
       {},
       {x({2, 2}), n({1, 0, 0})},
       {y({})},
       "!indices of more dimensions than the operand has"},
      {"GATHER_ND", {}, {x({2, 2}), one(1)}, {y({})}, "!indices of no dimension"},
  });
}

}  // namespace
}  // namespace hlocc::tests
