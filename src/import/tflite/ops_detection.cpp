// What follows the layers of a detector: boxes from their encodings, and of boxes that overlap the
// one with the greatest score, in turns, for all classes at once.
#include <algorithm>
#include <array>
#include <limits>

#include "import/build/numbers.h"
#include "import/tflite/custom_options.h"
#include "import/tflite/ops.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

using enum PrimitiveType;
using hlo::Direction;

struct DetectionOptions {
  int64_t classes = 0, detections = 0, detections_per_class = 0, classes_per_detection = 0;
  bool is_regular = false;
  float least_score = 0, most_overlap = 0;
  float scales[4] = {};  // of y, x, height, width
};

Result<DetectionOptions> detection_options(const Op& op) {
  HLOCC_TRY_ASSIGN(const CustomOptions options, CustomOptions::of(op));
  DetectionOptions out;
  constexpr int64_t kMost = 1 << 16;
  HLOCC_TRY_ASSIGN(out.classes, options.integer("num_classes", 1, kMost));
  HLOCC_TRY_ASSIGN(out.detections, options.integer("max_detections", 1, kMost));
  HLOCC_TRY_ASSIGN(out.classes_per_detection,
                   options.integer("max_classes_per_detection", 1, kMost));
  HLOCC_TRY_ASSIGN(out.detections_per_class,
                   options.integer("detections_per_class", 1, kMost, 100));
  HLOCC_TRY_ASSIGN(const int64_t is_regular, options.integer("use_regular_nms", 0, 1, 0));
  out.is_regular = is_regular != 0;
  HLOCC_TRY_ASSIGN(out.least_score, options.real("nms_score_threshold"));
  HLOCC_TRY_ASSIGN(out.most_overlap, options.real("nms_iou_threshold"));
  if (!(out.most_overlap > 0 && out.most_overlap <= 1))
    return op.wrong("nms_iou_threshold is not above 0 and at most 1");
  const char* const names[] = {"y_scale", "x_scale", "h_scale", "w_scale"};
  for (int i = 0; i < 4; ++i) {
    HLOCC_TRY_ASSIGN(out.scales[i], options.real(names[i]));
  }
  return out;
}

// [boxes] each: ymin, xmin, ymax, xmax.
using Corners = std::array<InstructionId, 4>;

// Of encodings and anchors [boxes, 4 or more], y, x, height and width each, in double precision as
// kernels compute them.
Corners decoded(Builder& b, InstructionId encodings, InstructionId anchors, const float* scales) {
  const int64_t count = b.size(encodings, 0);
  const auto column = [&](InstructionId x, int64_t i) {
    return b.convert(b.reshape(b.slice(x, 1, i, i + 1), {count}), kF64);
  };
  const auto encoded = [&](int i) {
    return b.with(Opcode::kDivide, column(encodings, i), static_cast<double>(scales[i]));
  };
  Corners out;
  for (int i = 0; i < 2; ++i) {
    const InstructionId size = column(anchors, i + 2);
    const InstructionId moved = b.binary(Opcode::kMultiply, encoded(i), size);
    const InstructionId centre = b.convert(b.binary(Opcode::kAdd, moved, column(anchors, i)), kF32);
    const InstructionId grown = b.with(Opcode::kMultiply, b.math(Opcode::kExp, encoded(i + 2)), .5);
    const InstructionId half = b.convert(b.binary(Opcode::kMultiply, grown, size), kF32);
    out[i] = b.binary(Opcode::kSubtract, centre, half);
    out[i + 2] = b.binary(Opcode::kAdd, centre, half);
  }
  return out;
}

InstructionId area(Builder& b, const Corners& corners) {
  return b.binary(Opcode::kMultiply, b.binary(Opcode::kSubtract, corners[2], corners[0]),
                  b.binary(Opcode::kSubtract, corners[3], corners[1]));
}

// Which boxes overlap too much; both [classes, boxes].
InstructionId overlaps(Builder& b, const Corners& one, const Corners& other, float most) {
  Corners shared;
  for (int i = 0; i < 4; ++i)
    shared[i] = b.binary(i < 2 ? Opcode::kMaximum : Opcode::kMinimum, one[i], other[i]);
  const auto side = [&](int i) {
    return b.with(Opcode::kMaximum, b.binary(Opcode::kSubtract, shared[i + 2], shared[i]), 0);
  };
  const InstructionId common = b.binary(Opcode::kMultiply, side(0), side(1));
  const InstructionId mine = area(b, one), theirs = area(b, other);
  const InstructionId all =
      b.binary(Opcode::kSubtract, b.binary(Opcode::kAdd, mine, theirs), common);
  const InstructionId ratio = b.binary(Opcode::kDivide, common, all);
  const auto above = [&](InstructionId x, double limit) {
    return b.compare(x, b.like(x, limit), Direction::kGt);
  };
  return b.binary(Opcode::kAnd, above(ratio, static_cast<double>(most)),
                  b.binary(Opcode::kAnd, above(mine, 0), above(theirs, 0)));
}

// For each iteration and class: the number of the box that was taken and its score; -1 and least
// scores where there was none.
struct Taken {
  InstructionId boxes, scores;  // [iterations, classes]
};

// The greatest score that is still there, and its first box; then those that it covers go.
Taken take_best(Builder& b, InstructionId scores, const Corners& corners, int64_t iterations,
                const DetectionOptions& options) {
  const int64_t classes = b.size(scores, 0), boxes = b.size(scores, 1);
  const Dimensions sizes = {classes, boxes};
  const InstructionId begin =
      b.compare(scores, b.like(scores, static_cast<double>(options.least_score)), Direction::kGe);
  std::vector<InstructionId> state = {begin, b.number(kS32, -1, {iterations, classes}),
                                      b.number(kF32, 0, {iterations, classes}), scores};
  state.insert(state.end(), corners.begin(), corners.end());
  const double none = -std::numeric_limits<double>::infinity();
  const auto iteration = [&](InstructionId number, const std::vector<InstructionId>& now) {
    const Corners all = {now[4], now[5], now[6], now[7]};
    const auto beside = [&](InstructionId of_class) { return b.broadcast(of_class, sizes, {0}); };
    const InstructionId left = b.select(now[0], now[3], b.like(now[3], none));
    const InstructionId best = b.reduce(Opcode::kMaximum, left, {1});
    const InstructionId is_best =
        b.binary(Opcode::kAnd, now[0], b.compare(now[3], beside(best), Direction::kEq));
    const InstructionId places = b.iota(kS32, sizes, 1);
    const InstructionId found =
        b.reduce(Opcode::kMinimum,
                 b.select(is_best, places, b.like(places, static_cast<double>(boxes))), {1});
    const InstructionId any =
        b.compare(found, b.like(found, static_cast<double>(boxes)), Direction::kLt);
    const InstructionId place = b.with(Opcode::kMinimum, found, static_cast<double>(boxes - 1));
    Corners one, other;
    for (int i = 0; i < 4; ++i) {
      one[i] = beside(b.lookup(all[i], place));
      other[i] = b.broadcast(all[i], sizes, {1});
    }
    const InstructionId gone = b.binary(Opcode::kOr, overlaps(b, one, other, options.most_overlap),
                                        b.compare(places, beside(place), Direction::kEq));
    std::vector<InstructionId> next = now;
    next[0] = b.binary(Opcode::kAnd, now[0], b.unary(Opcode::kNot, gone));
    next[1] = b.with_row(now[1], number, b.select(any, place, b.like(place, -1)));
    next[2] = b.with_row(now[2], number, b.select(any, best, b.like(best, none)));
    return next;
  };
  const std::vector<InstructionId> done = b.loop(iterations, state, iteration);
  return {done[1], done[2]};
}

// Of each detection its box, its class and its score, in order; zeros where the box is -1.
Status set_detections(const Op& op, const Corners& corners, InstructionId box,
                      InstructionId of_class, InstructionId score) {
  Builder& b = op.b;
  const InstructionId is_there = b.compare(box, b.like(box, 0), Direction::kGe);
  const auto or_zero = [&](InstructionId x) { return b.select(is_there, x, b.like(x, 0)); };
  const InstructionId place = b.with(Opcode::kMaximum, box, 0);
  std::vector<InstructionId> columns;
  for (const InstructionId corner : corners)
    columns.push_back(b.reshape(or_zero(b.lookup(corner, place)), {b.size(box, 0), 1}));
  HLOCC_TRY(op.set(b.concatenate(columns, 1)));
  HLOCC_TRY(op.set(or_zero(b.convert(of_class, kF32)), 1));
  HLOCC_TRY(op.set(or_zero(score), 2));
  return op.set(b.reduce(Opcode::kAdd, b.convert(is_there, kF32), {0}), 3);
}

// Each class for itself, and of all classes the greatest scores.
Status set_regular(const Op& op, InstructionId scores, const Corners& corners,
                   const DetectionOptions& options) {
  Builder& b = op.b;
  const int64_t iterations = std::min(options.detections_per_class, b.size(scores, 1));
  const int64_t candidates = iterations * options.classes, count = options.detections;
  if (candidates > 1 << 20) return op.unsupported("more than 2^20 candidates");
  const Taken taken = take_best(b, scores, corners, iterations, options);
  // By class, filled up to as many as are wanted.
  const auto in_order = [&](InstructionId x, double none) {
    const InstructionId row = b.reshape(b.transpose(x, {1, 0}), {candidates});
    if (count <= candidates) return row;
    return b.concatenate({row, b.number(b.type(x), none, {count - candidates})}, 0);
  };
  const InstructionId box = in_order(taken.boxes, -1);
  const InstructionId score = in_order(taken.scores, -std::numeric_limits<double>::infinity());
  const InstructionId top = b.add(Opcode::kTopK, {score}, hlo::TopKAttributes{count, true});
  const InstructionId place = b.element(top, 1);
  const InstructionId of_class = b.with(Opcode::kDivide, place, static_cast<double>(iterations));
  return set_detections(op, corners, b.lookup(box, place), of_class, b.element(top, 0));
}

// A box counts with its best class only.
Status set_fast(const Op& op, InstructionId scores, const Corners& corners,
                const DetectionOptions& options) {
  Builder& b = op.b;
  if (std::min(options.classes_per_detection, options.classes) > 1)
    return op.unsupported("several classes of a detection (max_classes_per_detection)")
        .note("use_regular_nms is read");
  const int64_t count = options.detections, boxes = b.size(scores, 1);
  const Dimensions sizes = b.sizes(scores);
  const InstructionId best = b.reduce(Opcode::kMaximum, scores, {0});
  const InstructionId classes = b.iota(kS32, sizes, 0);
  const InstructionId is_best = b.compare(scores, b.broadcast(best, sizes, {1}), Direction::kEq);
  const InstructionId last = b.like(classes, static_cast<double>(options.classes - 1));
  const InstructionId of_box = b.reduce(Opcode::kMinimum, b.select(is_best, classes, last), {0});
  const Taken taken = take_best(b, b.reshape(best, {1, boxes}), corners, count, options);
  const InstructionId box = b.reshape(taken.boxes, {count});
  const InstructionId of_class = b.lookup(of_box, b.with(Opcode::kMaximum, box, 0));
  return set_detections(op, corners, box, of_class, b.reshape(taken.scores, {count}));
}

}  // namespace

Status detection_postprocess(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(3, 3, 4));
  for (int i = 0; i < 3; ++i) {
    HLOCC_TRY(op.require_rank(i, i < 2 ? 3 : 2));
    if (op.type(i) != kF32) return op.unsupported_types();
  }
  HLOCC_TRY_ASSIGN(const DetectionOptions options, detection_options(op));
  const Dimensions encodings = op.sizes(0), predictions = op.sizes(1), anchors = op.sizes(2);
  const int64_t boxes = encodings[1], background = predictions[2] - options.classes;
  if (encodings[0] != 1 || boxes < 1 || encodings[2] < 4 || predictions[0] != 1 ||
      predictions[1] != boxes || anchors[0] != boxes || anchors[1] != 4)
    return op.wrong("encodings, scores and anchors are of different boxes");
  if (background != 0 && background != 1) return op.wrong("has scores of other classes");
  const Corners corners =
      decoded(b, b.reshape(op.value(0), {boxes, encodings[2]}), op.value(2), options.scales);
  const InstructionId scores = b.transpose(
      b.slice(b.reshape(op.value(1), {boxes, predictions[2]}), 1, background, predictions[2]),
      {1, 0});
  return options.is_regular ? set_regular(op, scores, corners, options)
                            : set_fast(op, scores, corners, options);
}

}  // namespace hlocc::import::tflite::ops
