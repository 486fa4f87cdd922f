// Operators of TensorFlow Lite that put parts to other places: blocks, gathers, slices that are
// replaced, boxes of detectors; each on both sides of what it is refused for.
#include "tflite/node.h"

namespace hlocc::tests {
namespace {

NodeRow moves(const std::string& op, const std::vector<NodeTensor>& operands,
              const NodeTensor& result, const std::string& answer, FlatFields options = {}) {
  return {op, std::move(options), operands, {result}, answer};
}

TEST_CASE("TFLite's DEPTH_TO_SPACE and SPACE_TO_DEPTH move whole blocks") {
  const auto blocks = [](const std::string& op, int32_t size, const Dimensions& from,
                         const Dimensions& to, const std::string& answer) {
    return moves(op, {x(from)}, y(to), answer, {flat(schema::BlockOptions::block_size, size)});
  };
  const std::string sides = "!sides that are no blocks";
  check_nodes({
      blocks("DEPTH_TO_SPACE", 2, {1, 1, 1, 4}, {1, 2, 2, 1}, "f32[1,2,2,1] 0 1 2 3"),
      blocks("DEPTH_TO_SPACE", 1, {1, 1, 1, 4}, {1, 1, 1, 4}, "f32[1,1,1,4] 0 1 2 3"),
      blocks("DEPTH_TO_SPACE", 2, {1, 1, 1, 6}, {1, 2, 2, 1}, "!channels that are no blocks"),
      blocks("DEPTH_TO_SPACE", 0, {1, 1, 1, 4}, {1, 2, 2, 1}, "!blocks of 0"),
      blocks("DEPTH_TO_SPACE", -1, {1, 1, 1, 4}, {1, 2, 2, 1}, "!blocks of -1"),
      blocks("DEPTH_TO_SPACE", 32768, {1, 1, 1, 4}, {1, 2, 2, 1}, "!blocks of 32768"),
      blocks("DEPTH_TO_SPACE", 32767, {1, 1, 1, 4}, {1, 2, 2, 1}, "!channels that are no blocks"),
      blocks("SPACE_TO_DEPTH", 2, {1, 2, 2, 1}, {1, 1, 1, 4}, "f32[1,1,1,4] 0 1 2 3"),
      blocks("SPACE_TO_DEPTH", 2, {1, 3, 2, 1}, {1, 1, 1, 4}, sides),
      blocks("SPACE_TO_DEPTH", 2, {1, 2, 3, 1}, {1, 1, 1, 4}, sides),
      blocks("SPACE_TO_DEPTH", 2, {2, 2, 1}, {1, 1, 4},
             "!operand 0 (\"i0\") has 3 dimensions, not 4"),
  });
}

TEST_CASE("TFLite's SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND, with paddings and crops") {
  const auto batches = [](const std::string& op, const NodeTensor& from, const Dimensions& sizes,
                          const NodeTensor& pairs, const NodeTensor& to,
                          const std::string& answer) {
    return moves(op, {from, n(sizes), pairs}, to, answer);
  };
  const auto two = [](const Dimensions& values) {
    return NodeTensor{NodeTensor::kConstant, import::literal_of(kS32, values, {2, 2})};
  };
  const std::string count = "!blocks for another number of dimensions";
  const NodeTensor image = x({1, 2, 2, 1}), batch = x({4, 1, 1, 1});
  const NodeTensor q = given(kS8, {1, 1, 1}, {5}, 1, 3);
  check_nodes({
      batches("SPACE_TO_BATCH_ND", image, {2, 2}, two({0, 0, 0, 0}), y({4, 1, 1, 1}),
              "f32[4,1,1,1] 0 1 2 3"),
      batches("SPACE_TO_BATCH_ND", image, {1, 2}, two({1, 0, 0, 2}), y({2, 3, 2, 1}),
              "f32[2,3,2,1] 0 0 0 0 2 0 0 0 1 0 3 0"),
      batches("SPACE_TO_BATCH_ND", q, {2}, n({0, 1}), gives(kS8, {2, 1, 1}, 1, 3), "s8[2,1,1] 5 3"),
      batches("SPACE_TO_BATCH_ND", q, {2}, n({0, 1}), gives(kS8, {2, 1, 1}),
              "!\"y0\" has no scale"),
      batches("SPACE_TO_BATCH_ND", image, {2, 2}, two({1, 0, 0, 0}), y({4, 1, 1, 1}),
              "!sides that are no blocks"),
      batches("SPACE_TO_BATCH_ND", image, {0, 2}, two({0, 0, 0, 0}), y({4, 1, 1, 1}),
              "!blocks of 0"),
      batches("SPACE_TO_BATCH_ND", image, {2, 32768}, two({0, 0, 0, 0}), y({4, 1, 1, 1}),
              "!blocks of 32768"),
      batches("SPACE_TO_BATCH_ND", x({1, 1}), {32767}, n({0, 0}), y({1, 1}),
              "!sides that are no blocks"),
      batches("SPACE_TO_BATCH_ND", image, {2, 2}, two({0, 0, -1, 0}), y({4, 1, 1, 1}),
              "!a negative padding or crop"),
      batches("SPACE_TO_BATCH_ND", image, {2, 2}, n({0, 0}), y({4, 1, 1, 1}), count),
      batches("SPACE_TO_BATCH_ND", x({1, 2}), {1, 2}, two({0, 0, 0, 0}), y({1, 2}), count),
      batches("SPACE_TO_BATCH_ND", x({1, 2}), {2}, n({0, 0}), y({2, 1}), "f32[2,1] 0 1"),
      batches("BATCH_TO_SPACE_ND", batch, {2, 2}, two({0, 0, 0, 0}), y({1, 2, 2, 1}),
              "f32[1,2,2,1] 0 1 2 3"),
      batches("BATCH_TO_SPACE_ND", batch, {2, 2}, two({1, 0, 0, 1}), y({1, 1, 1, 1}),
              "f32[1,1,1,1] 2"),
      batches("BATCH_TO_SPACE_ND", batch, {2, 2}, two({1, 1, 0, 0}), y({1, 0, 2, 1}),
              "f32[1,0,2,1]"),
      batches("BATCH_TO_SPACE_ND", batch, {2, 2}, two({2, 1, 0, 0}), y({1, 0, 2, 1}),
              "!crops beyond the result"),
      batches("BATCH_TO_SPACE_ND", batch, {3, 1}, two({0, 0, 0, 0}), y({1, 3, 1, 1}),
              "!batches that are no blocks"),
      batches("BATCH_TO_SPACE_ND", x({0, 1, 1}), {2}, n({0, 0}), y({0, 2, 1}), "f32[0,2,1]"),
  });
}

TEST_CASE("TFLite's gathers take places of 32 and 64 bits") {
  const NodeTensor a = x({2, 2}), i32 = n({1, 0}), i64 = constant(kS64, {2}, {1, 0});
  const auto axis = [](int32_t along) {
    return FlatFields{flat(schema::GatherOptions::axis, along)};
  };
  const auto column = [](PrimitiveType type) { return constant(type, {2, 1}, {1, 0}); };
  const std::string scales = "!operands and result of different scales";
  const NodeTensor q = of_bytes({5, 6}, .5f, 1);
  const NodeTensor rows = scaled(constant(kS8, {2, 2}, {1, 2, 3, 4}), .5f);
  const NodeTensor raw_rows = constant(kS8, {2, 2}, {1, 2, 3, 4});
  check_nodes({
      moves("GATHER", {a, i32}, y({2, 2}), "f32[2,2] 2 3 0 1"),
      moves("GATHER", {a, i64}, y({2, 2}), "f32[2,2] 1 0 3 2", axis(-1)),
      moves("GATHER", {a, x({2})}, y({2, 2}), no_kernel + "(FLOAT32, FLOAT32) -> FLOAT32"),
      moves("GATHER", {a, i32}, y({2, 2}), "!axis 2 of an array of 2 dimensions", axis(2)),
      moves("GATHER", {a, i32}, y({2, 2}), "!batch dimensions",
            {flat(schema::GatherOptions::batch_dims, 1)}),
      moves("GATHER", {q, i32}, gives(kS8, {2}, .5f, 1), "s8[2] 6 5"),
      moves("GATHER", {q, i32}, gives(kS8, {2}, 1, 1), scales),
      moves("GATHER", {q, i32}, gives(kS8, {2}, .5f, 0), scales),
      moves("GATHER", {of_words({5, 6}, 1), i32}, gives(kS16, {2}, 2), scales),
      moves("GATHER", {scaled(given(kS32, {2}), 1), i32}, gives(kS32, {2}, 2), "s32[2] 1 0"),
      moves("GATHER", {scaled(x({2}), 1), i32}, y({2}), "f32[2] 1 0"),
      moves("GATHER_ND", {a, column(kS32)}, y({2, 2}), "f32[2,2] 2 3 0 1"),
      moves("GATHER_ND", {a, i64}, y({}), "f32[] 2"),
      moves("GATHER_ND", {x({2}), constant(kS32, {2, 2}, {0, 0, 0, 0})}, y({2}),
            "!indices of more dimensions than the operand has"),
      moves("GATHER_ND", {a, one(0)}, y({2}), "!indices of no dimension"),
      moves("GATHER_ND", {a, x({1})}, y({2}), no_kernel + "(FLOAT32, FLOAT32) -> FLOAT32"),
      moves("GATHER_ND", {q, column(kS32)}, gives(kS8, {2}, 1, 1), scales),
      moves("EMBEDDING_LOOKUP", {i32, a}, y({2, 2}), "f32[2,2] 2 3 0 1"),
      moves("EMBEDDING_LOOKUP", {i32, rows}, y({2, 2}), "f32[2,2] 1.5 2 0.5 1"),
      moves("EMBEDDING_LOOKUP", {i32, rows}, gives(kS8, {2, 2}, .5f), "s8[2,2] 3 4 1 2"),
      moves("EMBEDDING_LOOKUP", {i32, raw_rows}, y({2, 2}), "!\"i1\" has no scale"),
      moves("EMBEDDING_LOOKUP", {i32, by_channel(raw_rows, {1, 1}, 0)}, y({2, 2}),
            "!scales by channel"),
      moves("EMBEDDING_LOOKUP", {i32, scaled(raw_rows, 1, 1)}, y({2, 2}),
            "!the table's zero point is not 0"),
      moves("EMBEDDING_LOOKUP", {i64, a}, y({2, 2}), no_kernel + "(INT64, FLOAT32) -> FLOAT32"),
      moves("EMBEDDING_LOOKUP", {i32, given(kS32, {2, 2})}, gives(kS32, {2, 2}),
            no_kernel + "(INT32, INT32) -> INT32"),
      moves("EMBEDDING_LOOKUP", {i32, x({2})}, y({2}), "!the table has less than two dimensions"),
  });
}

TEST_CASE("TFLite's DYNAMIC_UPDATE_SLICE puts a part to where starts say") {
  const auto put = [](const NodeTensor& from, const NodeTensor& part, const NodeTensor& starts,
                      const NodeTensor& to, const std::string& answer) {
    return moves("DYNAMIC_UPDATE_SLICE", {from, part, starts}, to, answer);
  };
  const std::string scales = "!operands and result of different scales";
  const NodeTensor a = x({3}, {1, 2, 3}), part = x({1}, {9});
  const NodeTensor q = of_bytes({1, 2}, 1), q1 = of_bytes({9}, 1), to = gives(kS8, {2}, 1);
  check_nodes({
      put(a, part, n({1}), y({3}), "f32[3] 1 9 3"),
      put(a, part, constant(kS64, {1}, {5}), y({3}), "f32[3] 1 2 9"),
      put(a, part, constant(kF32, {1}, {1}), y({3}),
          no_kernel + "(FLOAT32, FLOAT32, FLOAT32) -> FLOAT32"),
      put(a, part, n({1, 1}), y({3}), "!has not one start a dimension"),
      put(a, part, one(1), y({3}), "!operand 2 (\"i2\") has 0 dimensions, not 1"),
      put(q, q1, n({0}), to, "s8[2] 9 2"),
      put(of_bytes({1, 2}, 2), q1, n({0}), to, scales),
      put(q, of_bytes({9}, 2), n({0}), to, scales),
  });
}

}  // namespace
}  // namespace hlocc::tests
