/* The device of convolver.cpp, and its driver: a C function. To find what a real one would find, it
 * does nothing before it is waited for, and its memory holds rubbish before it is written. */
#include "hlocc_device.h"

#include "convolution.h"
#include "kws.h"

extern const struct convolution* const convolutions[];
extern const int convolutions_count;
int submitted, cleaned, invalidated;

static unsigned char memory[KWS_DEVICE_BYTES] __attribute__((aligned(KWS_DEVICE_ALIGN)));

enum kind { PUT, GET, SUBMIT };
struct work {
  enum kind kind;
  int32_t queue;
  size_t offset, result, bytes;
  const void* from;
  void* to;
  const struct convolution* part;
};
static struct work works[256];
static int count;

/* There is no libc on bare metal. */
static void move(void* to, const void* from, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) ((unsigned char*)to)[i] = ((const unsigned char*)from)[i];
}

static void convolve(const struct convolution* c, const int8_t* in, int32_t* out) {
  const int groups = c->in_c / c->kernel_c, per_group = c->out_c / groups;
  for (int n = 0; n < c->batch; ++n)
    for (int y = 0; y < c->out_h; ++y)
      for (int x = 0; x < c->out_w; ++x)
        for (int o = 0; o < c->out_c; ++o) {
          int32_t sum = 0;
          for (int i = 0; i < c->kernel_h; ++i)
            for (int j = 0; j < c->kernel_w; ++j) {
              const int h = y * c->stride_h + i - c->pad_h, w = x * c->stride_w + j - c->pad_w;
              if (h < 0 || h >= c->in_h || w < 0 || w >= c->in_w) continue;
              for (int k = 0; k < c->kernel_c; ++k)
                sum += in[((n * c->in_h + h) * c->in_w + w) * c->in_c +
                          o / per_group * c->kernel_c + k] *
                       c->weights[((i * c->kernel_w + j) * c->kernel_c + k) * c->out_c + o];
            }
          out[((n * c->out_h + y) * c->out_w + x) * c->out_c + o] = sum;
        }
}

static int same(const char* a, const char* b) {
  for (; *a == *b; ++a, ++b)
    if (*a == 0) return 1;
  return 0;
}

/* What drivers need not have: with OPENS what init tells is looked at, and with REFUSES refused. */
#ifdef OPENS
int opened, closed;

int32_t hlocc_device_open(void* instance, const char* const* parts, const void* const* data,
                          const size_t* bytes, int32_t count, size_t device_bytes) {
  if (instance == 0 || count != convolutions_count || device_bytes != KWS_DEVICE_BYTES) return 107;
  for (int i = 0; i < count; ++i)
    if (!same(convolutions[i]->part, parts[i]) || data[i] != 0 || bytes[i] != 0) return 107;
#ifdef REFUSES
  return 108;
#else
  opened += count;
  return 0;
#endif
}

void hlocc_device_close(void* instance) { closed += instance != 0; }

const char* hlocc_device_error_msg(int32_t code) {
  return code == 108 ? "the device is asleep" : 0;
}
#endif

static int32_t add(struct work work) {
  if (count == (int)(sizeof works / sizeof *works)) return 101;
  works[count++] = work;
  return 0;
}

int32_t hlocc_device_put(void* instance, int32_t queue, int32_t at, size_t offset, const void* from,
                         size_t bytes) {
  if (instance == 0 || at != 1 || offset + bytes > sizeof memory) return 102;
  return add((struct work){PUT, queue, offset, 0, bytes, from, 0, 0});
}

int32_t hlocc_device_get(void* instance, int32_t queue, int32_t at, size_t offset, void* to,
                         size_t bytes) {
  if (instance == 0 || at != 1 || offset + bytes > sizeof memory) return 103;
  return add((struct work){GET, queue, offset, 0, bytes, 0, to, 0});
}

int32_t hlocc_device_submit(void* instance, int32_t queue, int32_t at, const char* part,
                            const size_t* offsets, int32_t operands, int32_t results) {
  if (instance == 0 || at != 1 || operands != 1 || results != 1) return 104;
  for (int i = 0; i < convolutions_count; ++i)
    if (same(convolutions[i]->part, part)) {
      ++submitted;
      return add((struct work){SUBMIT, queue, offsets[0], offsets[1], 0, 0, 0, convolutions[i]});
    }
  return 105;
}

int32_t hlocc_device_wait(void* instance, int32_t queue) {
  int left = 0;
  if (instance == 0) return 106;
  for (int i = 0; i < count; ++i) {
    const struct work* w = &works[i];
    if (w->queue != queue) {
      works[left++] = *w;
      continue;
    }
    if (w->kind == PUT) move(memory + w->offset, w->from, w->bytes);
    if (w->kind == GET) move(w->to, memory + w->offset, w->bytes);
    if (w->kind == SUBMIT)
      convolve(w->part, (const int8_t*)(memory + w->offset), (int32_t*)(void*)(memory + w->result));
  }
  count = left;
  return 0;
}

void hlocc_device_clean(const void* from, size_t bytes) { cleaned += from != 0 && bytes > 0; }
void hlocc_device_invalidate(void* from, size_t bytes) { invalidated += from != 0 && bytes > 0; }
