// Two models that take turns: a network that looks at a second of sound, and one that hears every
// frame and remembers. They are compiled as one library, whose arena is as large as the larger of
// them needs: what one model leaves there is gone when the other has run, so each gets its inputs
// just before its run and its results are read just after. What the second network remembers lies
// in its object, and the first one does not disturb it.
#include "../samples/gru.h"
#include "../samples/kws.h"
#include "board.h"
#include "both.h"

namespace {

constexpr int kFrame40 = 40;
constexpr int kClasses = 12;

acme::Both::Arena arena;  // for whoever runs
acme::Kws kws(arena.bytes);
acme::Gru gru(arena.bytes);

static_assert(sizeof arena.bytes == ACME_KWS_ARENA_BYTES, "the larger of the two, not their sum");
static_assert(ACME_KWS_ARENA_BYTES > ACME_GRU_ARENA_BYTES, "this is the larger");

template <typename T, int kCount>
void copy(const T (&from)[kCount], T* to) {
  for (int i = 0; i < kCount; ++i) to[i] = from[i];
}

template <int kCount>
bool near(const float* left, const float (&right)[kCount]) {
  for (int i = 0; i < kCount; ++i) {
    const float difference = left[i] > right[i] ? left[i] - right[i] : right[i] - left[i];
    if (!(difference <= 2e-5f)) return false;
  }
  return true;
}

bool look() {
  copy(kMfcc, kws.arg_mfcc_data());
  return kws.Run() && near(kws.result_probs_data(), kProbs);
}

// Ten frames; with `look_between` the other model runs after each. Returns the last answer.
bool listen(bool look_between, float (&logits)[kClasses]) {
  copy(kConvState, gru.var_conv_state_data());
  copy(kHidden, gru.var_hidden_data());
  for (int step = 0; step < 10; ++step) {
    for (int i = 0; i < kFrame40; ++i) gru.arg_frame_data()[i] = kFrame[(i + 7 * step) % kFrame40];
    if (!gru.Run()) return false;
    for (int c = 0; c < kClasses; ++c) logits[c] = gru.result_logits(0, static_cast<size_t>(c));
    if (step == 0 && !near(logits, kLogits)) return false;
    if (look_between && !look()) return false;
  }
  return true;
}

}  // namespace

int main() {
  float alone[kClasses], between[kClasses];
  const bool right = look() && listen(false, alone) && listen(true, between);
  bool same = right;
  for (int c = 0; c < kClasses; ++c) same = same && alone[c] == between[c];
  board_print(right ? "both models give what is expected\n" : "WRONG\n");
  board_print(same ? "each as if it were alone\n" : "WRONG: one disturbs the other\n");
  board_print("one arena of ");
  board_print_u32(ACME_BOTH_ARENA_BYTES);
  board_print(" bytes; apart they would take ");
  board_print_u32(ACME_KWS_ARENA_BYTES + ACME_GRU_ARENA_BYTES);
  board_print("\n");
  return same ? 0 : 1;
}
