// Every header in one C++ file, with what is a macro used once: C++ sees the same things as C.
#include "hlocc_arena.h"
#include "hlocc_buffers.h"
#include "hlocc_clock.h"
#include "hlocc_device.h"
#include "hlocc_profile.h"
#include "hlocc_selftest.h"
#include "hlocc_threads.h"
#include "hlocc_weights.h"

#define A_ARENA_BYTES 1000
#define A_ARENA_ALIGN 16
#define B_ARENA_BYTES 3000
#define B_ARENA_ALIGN 32
HLOCC_ARENA(shared, HLOCC_SHARED_BYTES2(A, B), HLOCC_SHARED_ALIGN2(A, B));
HLOCC_ARENA_HOLDS(shared, B);
HLOCC_PART(a, 0, A);
HLOCC_PART_BEHIND(b, a, B);
HLOCC_PARTS_APART(a, b);
HLOCC_PART_INSIDE(a, shared);
HLOCC_WEIGHTS_IN_RAM(some_weights, 100, 64);
static hlocc_steps counted[1];
HLOCC_PROFILE_STEPS(counted, 1)

#define LEAF_SHAPE \
  { 2, 3 }
#define LEAF_RANK 2
int use(float* data);
int use(float* data) {
  hlocc_view view;
  HLOCC_VIEW_OF(&view, HLOCC_F32, data, LEAF);
  return hlocc_view_count(&view) + shared[0] + some_weights[0] + static_cast<int>(b_end);
}
