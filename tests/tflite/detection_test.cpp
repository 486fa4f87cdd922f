// TFLite_Detection_PostProcess: boxes that overlap the one with the greatest score go, and what
// its operands and options have to be.
#include "tflite/node.h"

namespace hlocc::tests {
namespace {

struct DetectionRow {
  NodeTensor encodings = x({1, 1, 4}, {0, 0, 0, 0}), scores = x({1, 1, 1}, {.75});
  NodeTensor anchors = constant(kF32, {1, 4}, {.5, .5, 1, 1});
  std::string answer;
  int64_t detections = 1, classes = 1, per_detection = 1, regular = 0;
  double overlap = .5, least = .25;
};

NodeRow row_of(const DetectionRow& d) {
  const int64_t most = d.detections;
  return {"TFLite_Detection_PostProcess",
          {},
          {d.encodings, d.scores, d.anchors},
          {y({1, most, 4}), y({1, most}), y({1, most}), y({1})},
          d.answer,
          {{"max_detections", most},
           {"num_classes", d.classes},
           {"max_classes_per_detection", d.per_detection},
           {"use_regular_nms", d.regular},
           {"nms_score_threshold", d.least},
           {"nms_iou_threshold", d.overlap},
           {"y_scale", 1.},
           {"x_scale", 1.},
           {"h_scale", 1.},
           {"w_scale", 1.}}};
}
void check_detections(const std::vector<DetectionRow>& rows) {
  std::vector<NodeRow> all;
  for (const DetectionRow& row : rows) all.push_back(row_of(row));
  check_nodes(all);
}

const std::string whole_box = "f32[1,1,4] 0 0 1 1; f32[1,1] 0; f32[1,1] 0.75; f32[1] 1";

TEST_CASE("TFLite's detections: operands of the same boxes") {
  const std::string boxes = "!encodings, scores and anchors are of different boxes";
  const std::string classes = "!has scores of other classes";
  const NodeTensor no_anchors = constant(kF32, {0, 4}, {});
  check_detections({
      {.answer = whole_box},
      {.encodings = x({1, 1, 5}, {0, 0, 0, 0, 9}), .answer = whole_box},
      {.scores = x({1, 1, 2}, {.9, .75}), .answer = whole_box},
      {.encodings = x({2, 1, 4}), .answer = boxes},
      {.encodings = x({0, 1, 4}), .answer = boxes},
      {.encodings = x({1, 0, 4}), .scores = x({1, 0, 1}), .anchors = no_anchors, .answer = boxes},
      {.encodings = x({1, 1, 3}), .answer = boxes},
      {.scores = x({2, 1, 1}), .answer = boxes},
      {.scores = x({0, 1, 1}), .answer = boxes},
      {.scores = x({1, 2, 1}), .answer = boxes},
      {.anchors = x({2, 4}), .answer = boxes},
      {.anchors = x({1, 3}), .answer = boxes},
      {.anchors = x({1, 5}), .answer = boxes},
      {.scores = x({1, 1, 3}), .answer = classes},
      {.answer = classes, .classes = 2},
      {.answer = classes, .classes = 3},
      {.encodings = x({1, 4}), .answer = "!operand 0 (\"i0\") has 2 dimensions, not 3"},
      {.scores = x({1, 1}), .answer = "!operand 1 (\"i1\") has 2 dimensions, not 3"},
      {.anchors = x({1, 1, 4}), .answer = "!operand 2 (\"i2\") has 3 dimensions, not 2"},
      {.scores = given(kS32, {1, 1, 1}),
       .answer = no_kernel + "(FLOAT32, INT32, FLOAT32) -> FLOAT32"},
  });
}

TEST_CASE("TFLite's detections: options within their limits") {
  const std::string overlap = "!nms_iou_threshold is not above 0 and at most 1";
  const NodeTensor two_scores = x({1, 1, 2}, {.75, .5});
  check_detections({
      {.answer = whole_box, .overlap = 1},
      {.answer = whole_box, .overlap = .001},
      {.answer = overlap, .overlap = 0},
      {.answer = overlap, .overlap = 1.001},
      {.answer = overlap, .overlap = -1},
      {.answer = "!the option nms_iou_threshold is not finite", .overlap = 1e300},
      {.answer = whole_box, .per_detection = 2},
      {.scores = two_scores, .answer = whole_box, .classes = 2},
      {.scores = two_scores,
       .answer = "!several classes of a detection (max_classes_per_detection)",
       .classes = 2,
       .per_detection = 2},
      {.answer = "!the option max_detections is 0, where 1 to 65536 make sense", .detections = 0},
      {.answer = "!the option num_classes is 65537, where 1 to 65536 make sense", .classes = 65537},
      {.answer = "f32[1,1,4] 0 0 0 0; f32[1,1] 0; f32[1,1] 0; f32[1] 0", .least = .8},
  });
}

TEST_CASE("TFLite's detections: of boxes that overlap, the one of the greatest score stays") {
  // The second box is the first one moved by a quarter: they share 3 of 5 parts.
  const NodeTensor encodings = x({1, 2, 4}, {0, 0, 0, 0, 0, .25, 0, 0});
  const NodeTensor anchors = constant(kF32, {2, 4}, {.5, .5, 1, 1, .5, .5, 1, 1});
  const NodeTensor scores = x({1, 2, 1}, {.5, .75});
  const std::string one_box =
      "f32[1,2,4] 0 0.25 1 1.25 0 0 0 0; f32[1,2] 0 0; f32[1,2] 0.75 0; f32[1] 1";
  const std::string both =
      "f32[1,2,4] 0 0.25 1 1.25 0 0 1 1; f32[1,2] 0 0; f32[1,2] 0.75 0.5; f32[1] 2";
  const auto row = [&](const std::string& answer, int64_t regular, double overlap) {
    return DetectionRow{.encodings = encodings,
                        .scores = scores,
                        .anchors = anchors,
                        .answer = answer,
                        .detections = 2,
                        .regular = regular,
                        .overlap = overlap};
  };
  check_detections(
      {row(one_box, 0, .5), row(both, 0, .75), row(one_box, 1, .5), row(both, 1, .75)});
}

}  // namespace
}  // namespace hlocc::tests
