/* A control loop around a compiled filter: twenty times a second a radar tells range, azimuth and
 * elevation of a target, the filter updates its estimate of place and speed in place, and a turret
 * is steered, at a limited rate, to where the target will be a moment later. The filter's
 * measurement test (nis) tells when a measurement is not to be believed. */
#include "../samples/ekf.h"
#include "board.h"
#include "ekf.h"

enum { kSteps = sizeof kTrack / sizeof *kTrack / 3, kStateSize = 6 };

static uint8_t arena[ACME_EKF_ARENA_BYTES] __attribute__((aligned(ACME_EKF_ARENA_ALIGN)));
static acme_ekf_t ekf;

static float limited(float value, float limit) {
  return value > limit ? limit : value < -limit ? -limit : value;
}

static float magnitude(float value) { return value < 0 ? -value : value; }

static void start_filter(void) {
  float* state = acme_ekf_var_x_data(&ekf);
  float* covariance = acme_ekf_var_P_data(&ekf);
  for (int i = 0; i < kStateSize; ++i) state[i] = kState[i];
  for (int i = 0; i < kStateSize * kStateSize; ++i) covariance[i] = kCovariance[i];
}

/* One period of the loop. The state is donated: what the filter wrote is what it reads next time.
 */
static int step(const float* measurement, float* nis) {
  float* z = acme_ekf_arg_z_data(&ekf);
  for (int i = 0; i < 3; ++i) z[i] = measurement[i];
  if (acme_ekf_run(&ekf) != 0) return -1;
  *nis = *acme_ekf_result_nis_data(&ekf);
  return 0;
}

static int first_step_is_right(void) {
  float nis;
  start_filter();
  if (step(kMeasurement, &nis) != 0) return 0;
  const float* state = acme_ekf_result_x_data(&ekf);
  int right = magnitude(nis - kInnovation[0]) <= 1e-4f;
  for (int i = 0; i < kStateSize; ++i) right &= magnitude(state[i] - kStateAfter[i]) <= 2e-4f;
  return right;
}

/* Steers the aim of the turret along each axis; returns how far it still is from where it should
 * point. */
static float steer(float* aim, const float* state) {
  const float kLead = 0.2f, kMostPerPeriod = 0.6f;
  float worst = 0;
  for (int i = 0; i < 3; ++i) {
    const float wanted = state[i] + kLead * state[i + 3];
    aim[i] += limited(wanted - aim[i], kMostPerPeriod);
    if (magnitude(wanted - aim[i]) > worst) worst = magnitude(wanted - aim[i]);
  }
  return worst;
}

static void report(int period, const float* state, float nis, float off) {
  static const char* const kNames[kStateSize] = {" x ", " y ", " z ", "  speed ", " ", " "};
  board_print(period < 10 ? " " : "");
  board_print_i32(period);
  for (int i = 0; i < kStateSize; ++i) {
    board_print(kNames[i]);
    board_print_float(state[i], 2);
  }
  board_print("  nis ");
  board_print_float(nis, 2);
  board_print("  aim off by ");
  board_print_float(off, 2);
  board_print("\n");
}

int main(void) {
  if (acme_ekf_init(&ekf, arena) != 0) return 1;
  const int right = first_step_is_right();
  board_print(right ? "the first step is the expected one\n" : "WRONG\n");

  float aim[3] = {0, 0, 0}, off = 0;
  start_filter();
  for (int period = 0; period < kSteps; ++period) {
    float nis;
    if (step(kTrack + 3 * period, &nis) != 0) return 1;
    off = steer(aim, acme_ekf_result_x_data(&ekf));
    if (period % 10 == 9) report(period + 1, acme_ekf_result_x_data(&ekf), nis, off);
  }

  const float* state = acme_ekf_result_x_data(&ekf);
  int tracked = off < 0.1f;
  for (int i = 0; i < 3; ++i) tracked &= magnitude(state[i] - kTrackEnd[i]) < 0.2f;
  for (int i = 3; i < kStateSize; ++i) tracked &= magnitude(state[i] - kTrackEnd[i]) < 0.4f;
  board_print(tracked ? "target tracked\n" : "WRONG: target lost\n");
  return right && tracked ? 0 : 1;
}
