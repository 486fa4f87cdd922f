// Custom operators that cut, join and delay streams of samples: what lies before the samples of a
// run is kept until the next one.
#include "import/build/numbers.h"
#include "import/tflite/custom_options.h"
#include "import/tflite/ops.h"
#include "support/text.h"

namespace hlocc::import::tflite::ops {
namespace {

using enum PrimitiveType;
constexpr int64_t kMostSamples = 1 << 24;

// The innermost dimension beside all others.
Result<InstructionId> as_rows(const Op& op, InstructionId x) {
  const int rank = op.b.rank(x);
  if (rank < 1) return op.wrong("the operand has no dimension");
  const int64_t inner = op.b.size(x, rank - 1);
  if (inner < 1) return op.wrong("the operand has no elements");
  return op.b.reshape(x, {op.b.shape(x).element_count() / inner, inner});
}

Status require_samples(const Op& op) {
  if (op.type(0) != kS16) return op.unsupported_types();
  return {};
}

// What is kept of so many samples a row in front of x.
Result<InstructionId> behind_kept(const Op& op, InstructionId rows, int64_t samples) {
  if (samples == 0) return rows;
  const Shape shape = Shape::array(op.b.type(rows), {op.b.size(rows, 0), samples});
  HLOCC_TRY_ASSIGN(const InstructionId before, op.kept("samples", shape));
  return op.b.concatenate({before, rows}, 1);
}

void keep_last(const Op& op, InstructionId rows, int64_t samples) {
  const int64_t size = op.b.size(rows, 1);
  if (samples > 0) op.keep("samples", op.b.slice(rows, 1, size - samples, size));
}

// Whether so many frames were taken before this run; counted until then.
Result<InstructionId> frames_before(const Op& op, int64_t frames_now, int64_t enough) {
  Builder& b = op.b;
  HLOCC_TRY_ASSIGN(const InstructionId before, op.kept("frames", Shape::scalar(kS32)));
  const InstructionId sum = b.with(Opcode::kAdd, before, static_cast<double>(frames_now));
  op.keep("frames", b.with(Opcode::kMinimum, sum, static_cast<double>(enough)));
  return before;
}

}  // namespace

Status signal_window(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(2, 2));
  HLOCC_TRY(op.require_rank(1, 1));
  if (op.type(0) != kS16 || op.type(1) != kS16) return op.unsupported_types();
  HLOCC_TRY_ASSIGN(const CustomOptions options, CustomOptions::of(op));
  HLOCC_TRY_ASSIGN(const int64_t shift, options.integer("shift", 0, 31));
  const int64_t width = op.sizes(1)[0], count = b.shape(op.value(0)).element_count();
  if (width < 1 || count % width != 0) return op.wrong("the window does not divide the samples");
  const InstructionId rows = b.reshape(op.value(0), {count / width, width});
  const InstructionId weights =
      b.broadcast(b.convert(op.value(1), kS32), {count / width, width}, {1});
  const InstructionId product = b.binary(Opcode::kMultiply, b.convert(rows, kS32), weights);
  const InstructionId shifted =
      b.with(Opcode::kShiftRightArithmetic, product, static_cast<double>(shift));
  return op.set(b.convert(b.clamp(shifted, INT16_MIN, INT16_MAX), kS16));
}

Status signal_delay(const Op& op) {
  HLOCC_TRY(op.require(1, 1));
  HLOCC_TRY(require_samples(op));
  HLOCC_TRY_ASSIGN(const CustomOptions options, CustomOptions::of(op));
  HLOCC_TRY_ASSIGN(const int64_t delay, options.integer("delay_length", 0, kMostSamples));
  HLOCC_TRY_ASSIGN(const InstructionId rows, as_rows(op, op.value(0)));
  HLOCC_TRY_ASSIGN(const InstructionId all, behind_kept(op, rows, delay));
  keep_last(op, all, delay);
  return op.set(op.b.slice(all, 1, 0, op.b.size(rows, 1)));
}

// Frames of frame_size samples, one every frame_step; those that begin before the first sample are
// zeros, or, without `prefill`, no frames at all.
Status signal_framer(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, 1, 2));
  HLOCC_TRY(require_samples(op));
  HLOCC_TRY_ASSIGN(const CustomOptions options, CustomOptions::of(op));
  HLOCC_TRY_ASSIGN(const int64_t size, options.integer("frame_size", 1, kMostSamples));
  HLOCC_TRY_ASSIGN(const int64_t step, options.integer("frame_step", 1, kMostSamples));
  HLOCC_TRY_ASSIGN(const bool prefill, options.flag("prefill"));
  HLOCC_TRY_ASSIGN(const InstructionId rows, as_rows(op, op.value(0)));
  const int64_t outer = b.size(rows, 0), inner = b.size(rows, 1);
  if (inner % step != 0) return op.wrong("frame_step does not divide the samples");
  if (prefill && size < step) return op.wrong("frame_size is less than frame_step");
  // A frame is what lies in `blocks` steps: the first samples of them, or the last.
  const int64_t frames = inner / step, blocks = (size + step - 1) / step;
  if (blocks > 4096) return op.unsupported("frame_size is more than 4096 times frame_step");
  HLOCC_TRY_ASSIGN(const InstructionId all, behind_kept(op, rows, (blocks - 1) * step));
  keep_last(op, all, (blocks - 1) * step);
  const InstructionId steps = b.reshape(all, {outer, blocks - 1 + frames, step});
  std::vector<InstructionId> parts;
  for (int64_t i = 0; i < blocks; ++i) parts.push_back(b.slice(steps, 1, i, i + frames));
  const int64_t start = prefill ? blocks * step - size : 0;
  InstructionId out = b.slice(b.concatenate(parts, 2), 2, start, start + size);
  InstructionId valid = b.number(kPred, 1);
  if (!prefill && blocks > 1) {
    HLOCC_TRY_ASSIGN(const InstructionId before, frames_before(op, frames, blocks - 1));
    const InstructionId number =
        b.binary(Opcode::kAdd, b.iota(kS32, {frames}, 0), b.broadcast(before, {frames}, {}));
    const InstructionId whole =
        b.compare(number, b.like(number, static_cast<double>(blocks - 1)), hlo::Direction::kGe);
    out = b.select(b.broadcast(whole, b.sizes(out), {1}), out, b.like(out, 0));
    valid = b.compare(before, b.like(before, static_cast<double>(blocks - 1)), hlo::Direction::kGe);
  }
  HLOCC_TRY(op.set(out));
  return op.set(valid, 1);
}

// The last frames side by side, every `stacker_step` frames. The first frame stands for those
// before it.
Status signal_stacker(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, 1, 2));
  HLOCC_TRY(require_samples(op));
  HLOCC_TRY(op.require_rank(0, 1));
  HLOCC_TRY_ASSIGN(const CustomOptions options, CustomOptions::of(op));
  HLOCC_TRY_ASSIGN(const int64_t channels, options.integer("num_channels", 1, kMostSamples));
  HLOCC_TRY_ASSIGN(const int64_t left, options.integer("stacker_left_context", 0, 4096));
  HLOCC_TRY_ASSIGN(const int64_t right, options.integer("stacker_right_context", 0, 4096));
  const int64_t frames = left + right + 1;
  HLOCC_TRY_ASSIGN(const int64_t step, options.integer("stacker_step", 1, frames));
  if (op.sizes(0)[0] < channels) return op.wrong("has fewer samples than num_channels");
  if (channels * frames > kMostSamples) return op.unsupported("more than 2^24 samples are kept");
  const InstructionId frame = b.slice(op.value(0), 0, 0, channels);
  const Dimensions sizes = {frames, channels};
  HLOCC_TRY_ASSIGN(const InstructionId before, op.kept("frames", Shape::array(kS16, sizes)));
  // How many frames are missing, with this one; 0 before the first.
  HLOCC_TRY_ASSIGN(const InstructionId missing, op.kept("missing", Shape::scalar(kS32)));
  const InstructionId is_first = b.compare(missing, b.like(missing, 0), hlo::Direction::kEq);
  const InstructionId first =
      b.select(is_first, b.like(missing, static_cast<double>(right + 1)), missing);
  const InstructionId after = b.with(Opcode::kSubtract, first, 1);
  const InstructionId valid = b.compare(after, b.like(after, 0), hlo::Direction::kEq);
  op.keep("missing", b.select(valid, b.like(after, static_cast<double>(step)), after));
  const InstructionId moved =
      b.concatenate({b.slice(before, 0, 1, frames), b.reshape(frame, {1, channels})}, 0);
  const InstructionId now =
      b.select(b.broadcast(is_first, sizes, {}), b.broadcast(frame, sizes, {1}), moved);
  op.keep("frames", now);
  HLOCC_TRY(op.set(b.select(b.broadcast(valid, sizes, {}), now, b.like(now, 0))));
  return op.set(valid, 1);
}

// Frames of the second innermost dimension, added where they overlap.
Status signal_overlap_add(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, 1));
  const PrimitiveType type = op.type(0);
  if (type != kS16 && type != kF32) return op.unsupported_types();
  const Dimensions sizes = op.sizes(0);
  if (sizes.size() < 2) return op.wrong("the operand has no frames");
  const int64_t size = sizes.back(), frames = sizes[sizes.size() - 2];
  if (b.shape(op.value(0)).element_count() == 0) return op.wrong("the operand has no elements");
  HLOCC_TRY_ASSIGN(const CustomOptions options, CustomOptions::of(op));
  HLOCC_TRY_ASSIGN(const int64_t step, options.integer("frame_step", 1, size));
  const int64_t outer = b.shape(op.value(0)).element_count() / (size * frames);
  const InstructionId x = b.transpose(b.reshape(op.value(0), {outer, frames, size}), {1, 0, 2});
  HLOCC_TRY_ASSIGN(const InstructionId begin, op.kept("sum", Shape::array(type, {outer, size})));
  // The sum with a frame, and what is left of it behind the samples that no later frame reaches.
  const auto with_frame = [&](InstructionId sum, InstructionId frame) {
    if (type == kF32) return b.binary(Opcode::kAdd, sum, frame);
    const InstructionId wide = b.binary(Opcode::kAdd, b.convert(sum, kS32), b.convert(frame, kS32));
    return b.convert(b.clamp(wide, INT16_MIN, INT16_MAX), kS16);
  };
  const auto rest = [&](InstructionId sum) {
    const InstructionId zeros = b.number(type, 0, {outer, step});
    return step == size ? zeros : b.concatenate({b.slice(sum, 1, step, size), zeros}, 1);
  };
  // Of the sum, the result's rows, and the frames.
  const auto iteration = [&](InstructionId number, const std::vector<InstructionId>& state) {
    const InstructionId sum = with_frame(state[0], b.row(state[2], number));
    const InstructionId done = b.slice(sum, 1, 0, step);
    return std::vector<InstructionId>{rest(sum), b.with_row(state[1], number, done), state[2]};
  };
  const InstructionId rows = b.number(type, 0, {frames, outer, step});
  const std::vector<InstructionId> end = b.loop(frames, {begin, rows, x}, iteration);
  op.keep("sum", end[0]);
  return op.set(b.transpose(end[1], {1, 0, 2}));
}

// The last slices along the second dimension, with this one at the end.
Status circular_buffer(const Op& op) {
  Builder& b = op.b;
  HLOCC_TRY(op.require(1, 1));
  HLOCC_TRY(op.require_rank(0, 4));
  if (op.type(0) != kS8 || op.out().type != 9) return op.unsupported_types();
  const std::vector<int64_t>& sizes = op.out().shape;
  const Dimensions slice = op.sizes(0);
  if (sizes.size() != 4 || sizes[1] < 1 || slice != Dimensions({1, 1, sizes[2], sizes[3]}))
    return op.wrong("the operand is no slice of the result");
  // Without the option, kernels know two models by their sizes.
  int64_t cycles = sizes[1] == 5 || sizes[1] == 13 || sizes[1] == 25 ? 1 : 2;
  if (!op.custom_options().empty()) {
    HLOCC_TRY_ASSIGN(const CustomOptions options, CustomOptions::of(op));
    HLOCC_TRY_ASSIGN(const int64_t given, options.integer("cycles_max", INT32_MIN, INT32_MAX));
    if (given > 0) cycles = given;
  }
  if (cycles > 1)
    return op.unsupported(cat("a run ends here unless it is the ", cycles, "th"))
        .note("cycles_max = 1 is read: what follows can be a model of its own, run as often");
  HLOCC_TRY_ASSIGN(const InstructionId before,
                   op.kept("slices", Shape::array(kS8, Dimensions(sizes))));
  const InstructionId now = sizes[1] == 1
                                ? op.value(0)
                                : b.concatenate({b.slice(before, 1, 1, sizes[1]), op.value(0)}, 1);
  op.keep("slices", now);
  return op.set(now);
}

}  // namespace hlocc::import::tflite::ops
