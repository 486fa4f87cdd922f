// A streaming network: one frame in, one answer out, and what the network remembers stays inside
// it. Its two state arguments were donated when it was exported, so that they live in the object,
// apart from the arena, which other models may use between two frames; this program scribbles over
// it to show that.
#include "../samples/gru.h"
#include "board.h"
#include "gru.h"

namespace {

constexpr int kFeatures = 40;
constexpr int kClasses = 12;

acme::Gru::Static model;

template <typename T, int kCount>
void copy(const T (&from)[kCount], T* to) {
  for (int i = 0; i < kCount; ++i) to[i] = from[i];
}

bool near(float left, float right) {
  const float difference = left > right ? left - right : right - left;
  return difference <= 2e-5f;
}

// The state as it was when the expected answer was made.
void set_state() {
  copy(kConvState, model.var_conv_state_data());
  copy(kHidden, model.var_hidden_data());
}

// A sound that is nothing in particular, but the same each time: the sample, shifted and turned
// down.
void write_frame(int step) {
  for (int i = 0; i < kFeatures; ++i) {
    model.arg_frame_data()[i] = kFrame[(i + 7 * step) % kFeatures] * 0.5f;
  }
}

bool first_step_is_right() {
  set_state();
  copy(kFrame, model.arg_frame_data());
  if (!model.Run()) return false;
  for (int c = 0; c < kClasses; ++c) {
    if (!near(model.result_logits(0, c), kLogits[c])) return false;
  }
  for (int i = 0; i < 96; ++i) {
    if (!near(model.var_hidden_data()[i], kHiddenAfter[i])) return false;
  }
  return true;
}

// Twenty frames from the same start; returns the last answer of class 0. With `disturb`, whatever
// of the arena the program may write, the input, is overwritten between the frames.
float twenty_frames(bool disturb, bool print) {
  set_state();
  for (int step = 0; step < 20; ++step) {
    if (disturb) {
      for (int i = 0; i < kFeatures; ++i) model.arg_frame_data()[i] = -1e30f;
    }
    write_frame(step);
    if (!model.Run()) return 1e30f;
    if (!print || step % 5 != 4) continue;
    board_print("frame ");
    board_print_i32(step + 1);
    board_print(": logits ");
    for (int c = 0; c < 4; ++c) {
      board_print_float(model.result_logits(0, c), 4);
      board_print(" ");
    }
    board_print("...\n");
  }
  return model.result_logits(0, 0);
}

}  // namespace

int main() {
  const bool right = first_step_is_right();
  board_print(right ? "the first step is the expected one\n" : "WRONG\n");
  const bool repeats = twenty_frames(false, true) == twenty_frames(true, false);
  board_print(repeats ? "a second pass gives the same bits\n" : "WRONG: the state was disturbed\n");
  return right && repeats ? 0 : 1;
}
